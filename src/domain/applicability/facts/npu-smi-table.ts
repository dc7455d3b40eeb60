import { gibibytes, kindsProblem, printedFinding, type Printed } from './printed-values.js';
import type { Finding, ReadingProblem, ToolReading } from './reader.js';

interface Chip {
  /** Of the card; a card may have two chips. */
  readonly card: number;
  readonly line: number;
  readonly name: Printed<string>;
  /** GiB */
  readonly memory: Printed<number> | null;
}

interface Rows {
  readonly chips: readonly Chip[];
  readonly lastLine: number;
  readonly isCut: boolean;
}

/**
 * The table of `npu-smi info`: a heading of two lines, and two lines for each chip. The heading with the versions stands
 * above it; where it is cut off, the table is still known by its columns.
 */
export function readNpuTable(lines: readonly string[]): readonly ToolReading[] {
  return lines.flatMap((line, index) => {
    if (!/^\s*\|\s*NPU\s+Name\s+\|\s*Health\s+\|\s*Power/.test(line)) return [];
    const columns = lines[index + 1] ?? '';
    if (!/^\s*\|\s*Chip\s[^|]*\|\s*Bus-Id\s+\|\s*AICore/.test(columns)) return [];
    const version = versionAbove(lines, index);
    const rows = rowsOf(lines, index + 2, columns.includes('HBM-Usage') ? 'HBM' : 'DDR');
    const findings = [...driver(version), ...chipFindings(rows)];
    if (findings.length === 0) return [];
    const firstLine = version?.line ?? index + 1;
    return [{ tool: 'npu-smi info', firstLine, lastLine: rows.lastLine, findings, problems: problemsOf(rows) }];
  });
}

/** The first version of that line is that of npu-smi, the second that of the driver. */
function versionAbove(lines: readonly string[], index: number): Printed<string> | null {
  for (let above = index - 1; above >= Math.max(0, index - 2); above -= 1) {
    const value = /^\s*\|\s*npu-smi\s+\S+\s+Version:\s*(\S*)/.exec(lines[above] ?? '')?.[1];
    if (value !== undefined) return { value, line: above + 1 };
  }
  return null;
}

const driver = (version: Printed<string> | null): readonly Finding[] =>
  version && /^\d[\w.-]*$/.test(version.value) ? [{ key: 'driver', value: version.value, line: version.line }] : [];

function rowsOf(lines: readonly string[], start: number, memory: 'HBM' | 'DDR'): Rows {
  const chips: Chip[] = [];
  let isClosed = false;
  let index = start;
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (/^\s*\+[-=+]+\+\s*$/.test(line)) {
      isClosed = chips.length > 0;
      continue;
    }
    const chip = chipAt(line, lines[index + 1] ?? '', index + 1, memory);
    if (!chip) break;
    chips.push(chip);
    isClosed = false;
    index += 1;
  }
  const isShortened = /^\s*(?:\.{3,}|…+)\s*$/.test(lines[index] ?? '');
  return { chips, lastLine: lastOf(lines, index), isCut: !isClosed || isShortened };
}

/** The last line that is not empty before this place. */
function lastOf(lines: readonly string[], end: number): number {
  let last = Math.min(end, lines.length);
  while (last > 1 && (lines[last - 1] ?? '').trim() === '') last -= 1;
  return last;
}

/** `| 0     910B3 | OK | 93.6 … |` and below it `| 0 | 0000:C1:00.0 | 0    0 / 0    3161 / 65536 |`. */
function chipAt(upper: string, lower: string, line: number, memory: 'HBM' | 'DDR'): Chip | null {
  const [, card, name] = /^\s*(\d{1,6})\s+(\S.*)$/.exec(cellsOf(upper)[0] ?? '') ?? [];
  const [chip, bus, usage] = cellsOf(lower);
  if (card === undefined || name === undefined || usage === undefined) return null;
  if (
    !/^\s*\d{1,4}(?:\s+\d{1,4})?\s*$/.test(chip ?? '') ||
    !/^\s*(?:[0-9A-Fa-fx]{4}:[0-9A-Fa-fx]{2}:\S+|NA)\s*$/.test(bus ?? '')
  )
    return null;
  const total = totalOf(usage, memory);
  return {
    card: Number(card),
    line,
    name: { value: name.trim(), line },
    memory: total === undefined ? null : { value: total, line: line + 1 },
  };
}

/** Cells of a row that begins and ends with a bar. */
function cellsOf(line: string): readonly string[] {
  const row = line.trim();
  return row.startsWith('|') && row.endsWith('|') && row.length > 2 ? row.slice(1, -1).split('|') : [];
}

/** Used and whole memory stand as `3161 / 65536`; that of HBM is the second pair. A chip without HBM has one pair. */
function totalOf(usage: string, memory: 'HBM' | 'DDR'): number | undefined {
  const totals = [...usage.matchAll(/\d\s{0,8}\/\s{0,8}(\d{1,9})/g)].map(([, total]) => total ?? '');
  return gibibytes(totals[memory === 'HBM' ? 1 : 0] ?? '');
}

function chipFindings({ chips, isCut }: Rows): readonly Finding[] {
  const [first] = chips;
  if (!first) return [];
  const counted = ['gpu.per_node', 'gpu.count'].map((key) => ({ key, value: chips.length, line: first.line }));
  return [
    { key: 'vendor', value: 'huawei', line: first.line },
    { key: 'architecture', value: 'ascend', line: first.line },
    ...printedFinding(
      'gpu.name',
      chips.map(({ name }) => name),
    ),
    ...(isCut ? [] : counted),
    ...printedFinding(
      'gpu.memory',
      chips.flatMap(({ memory }) => memory ?? []),
    ),
  ];
}

function problemsOf({ chips, isCut, lastLine }: Rows): readonly ReadingProblem[] {
  const kinds = kindsProblem(chips.map(({ name }) => name));
  if (isCut) {
    const message = { en: 'The table is cut: the number of NPUs is not taken', zh: '表格不完整，未采用 NPU 数量' };
    return [...kinds, { line: lastLine, message }];
  }
  return [...kinds, ...chipsNote(chips), ...missingNote(chips)];
}

function chipsNote(chips: readonly Chip[]): readonly ReadingProblem[] {
  const cards = new Set(chips.map(({ card }) => card)).size;
  if (cards === chips.length) return [];
  const message = {
    en: `Cards: ${cards}, chips: ${chips.length}. Every chip counts as a device, as programs see it`,
    zh: `${cards} 张卡共 ${chips.length} 个芯片：每个芯片按一个设备计数，与程序所见一致`,
  };
  return [{ line: chips[0]?.line ?? 1, message }];
}

/** A container sees the cards that it was given. Inference cards are numbered by their slots. */
function missingNote(chips: readonly Chip[]): readonly ReadingProblem[] {
  const cards = [...new Set(chips.map(({ card }) => card))];
  const isNumbered = cards.every((card, place) => card === place);
  if (isNumbered || !chips.every(({ name }) => /910/.test(name.value))) return [];
  const message = {
    en: `${chips.length} NPUs are listed, not numbered from 0: the machine may have more`,
    zh: `列出了 ${chips.length} 个 NPU，编号不是从 0 开始连续，机器上可能还有更多`,
  };
  return [{ line: chips[0]?.line ?? 1, message }];
}
