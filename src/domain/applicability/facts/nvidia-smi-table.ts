import {
  choosesDevices,
  countOfIndexes,
  nvidiaDevice,
  nvidiaReading,
  partly,
  unquoted,
  type NvidiaPlaces,
  type Printed,
} from './nvidia-devices.js';
import { nvidiaSmiLists } from './nvidia-smi-list.js';
import type { FactReader, ReadingProblem, ToolReading } from './reader.js';

const MOST_LINE_LENGTH = 400;
/** Drivers from 610 on say KMD and CUDA UMD where older ones say Driver and CUDA. */
const title =
  /^\| NVIDIA-SMI \S{1,30}\s{1,60}(?:Driver|KMD) Version: {0,4}(\S{1,30})(?:\s{1,60}CUDA (?:UMD )?Version: {0,4}(\S{1,30}))?\s{0,60}\|$/;
const gpuCell = /^ {1,4}(\d{1,3}) {1,3}(\S.{0,60}?) {1,40}(On|Off|N\/A|WDDM|TCC|MCDM) {0,4}$/;
const busCell = /^ {0,6}(?:[0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-9A-F]|N\/A|\[\w+\]) {1,20}(?:On|Off|N\/A) {0,4}$/i;

const places: NvidiaPlaces = {
  driverModel: 'persistence',
  properties: [
    ['name', 'gpu.name'],
    ['memory', 'gpu.memory'],
    ['mig', 'gpu.mig'],
    ['ecc', 'gpu.ecc'],
    ['persistence', 'gpu.persistence'],
    ['power', 'gpu.power_limit'],
  ],
};

/** One GPU of the table: what its frame prints, by `name`, `memory`, `temperature`, `draw`, `used`, `utilization`, ... */
export interface TableGpu {
  readonly index: number;
  readonly line: number;
  readonly printed: ReadonlyMap<string, Printed>;
}

interface Gpu extends TableGpu {
  readonly printed: Map<string, Printed>;
}

/** One printing of the table. */
export interface SmiTable {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly driver: Printed;
  readonly gpus: readonly TableGpu[];
  /** Whether the text stops within the frame of a GPU. */
  readonly isCut: boolean;
}

const cellsOf = (text: string): readonly string[] => text.trim().split('|').slice(1, -1);

/** The default table, from its title to the end of its processes. */
class Table implements SmiTable {
  lastLine: number;
  readonly gpus: Gpu[] = [];
  private place: 'gpus' | 'after' = 'gpus';
  /** The row of the GPU that is read next, 0 where its frame is closed. */
  private row = 0;
  private blanks = 0;

  constructor(
    readonly firstLine: number,
    readonly driver: Printed,
    readonly cuda: Printed | undefined,
  ) {
    this.lastLine = firstLine;
  }

  get isCut(): boolean {
    return this.row === 2;
  }

  /** False where the line stands after the end of the table. */
  take(raw: string, line: number): boolean {
    const text = raw.trim();
    this.blanks = text === '' ? this.blanks + 1 : 0;
    if (text === '') return this.blanks < 2;
    if (text.length > MOST_LINE_LENGTH || !/^[|+]/.test(text) || title.test(text)) return false;
    if (/^\| (?:Processes|MIG devices|Compute processes):/.test(text)) this.place = 'after';
    if (this.place === 'gpus') this.takeRow(cellsOf(text), line);
    this.lastLine = line;
    return true;
  }

  private takeRow(cells: readonly string[], line: number): void {
    const [first = '', second = '', third = ''] = cells;
    const [, index, name, persistence] = cells.length === 3 && busCell.test(second) ? (gpuCell.exec(first) ?? []) : [];
    if (index !== undefined && name !== undefined && persistence !== undefined) {
      const printed = new Map<string, Printed>();
      this.gpus.push({ index: Number(index), line, printed });
      this.keep(line, { name, persistence, ecc: eccOf(third.trim()) });
      this.row = 2;
    } else if (cells.length !== 3 || this.row === 0) this.row = 0;
    else if (this.row === 2) {
      const power = /\/ {1,6}(\d{1,5}W) {0,4}$/.exec(first)?.[1];
      const memory = /\/ {1,8}(\d{1,9}Mi?B) {0,4}$/.exec(second)?.[1];
      this.keep(line, { power, memory, ...readingsOf(first, second, third) });
      this.row = 3;
    } else {
      if (first.trim() === '') this.keep(line, { mig: third.trim() });
      this.row = 0;
    }
  }

  private keep(line: number, texts: Readonly<Record<string, string | undefined>>): void {
    const printed = this.gpus.at(-1)?.printed;
    for (const [place, text] of Object.entries(texts)) if (text !== undefined) printed?.set(place, { text, line });
  }
}

/** What changes while the GPU works. */
function readingsOf(first: string, second: string, third: string): Readonly<Record<string, string | undefined>> {
  return {
    temperature: /^ {0,4}(?:\d{1,3}%|N\/A|ERR!) {1,6}(\d{1,3}C) /.exec(first)?.[1],
    draw: / (\d{1,5}W) {0,4}\//.exec(first)?.[1],
    used: /^ {0,12}(\d{1,9}Mi?B) {0,4}\//.exec(second)?.[1],
    utilization: /^ {0,10}(\d{1,3}%) /.exec(third)?.[1],
  };
}

/** The column counts errors where ECC is on, or says `On` for a GPU in MIG mode. */
function eccOf(text: string): string | undefined {
  if (/^(?:\d{1,12}|On)$/.test(text)) return 'Enabled';
  return text === 'Off' ? 'Disabled' : undefined;
}

function cutName(line: number, name: string): ReadingProblem {
  const message = {
    en: `The table cuts the name of the GPU (${name}): paste the output of nvidia-smi -L as well`,
    zh: `表格截断了 GPU 名称（${name}）：请再粘贴 nvidia-smi -L 的输出`,
  };
  return { line, message };
}

function readingOf(table: Table, lines: readonly string[]): ToolReading {
  const { firstLine, lastLine, driver, cuda, gpus } = table;
  const line = gpus[0]?.line ?? firstLine;
  const cut = gpus.find(({ printed }) => printed.get('name')?.text.endsWith('...'));
  // A list of some names would look as if it were that of all.
  if (cut) for (const gpu of gpus) if (gpu !== cut) gpu.printed.delete('name');
  const isChosen = choosesDevices(lines, firstLine - 2) || choosesDevices(lines, firstLine - 1);
  const indexes = gpus.map(({ index }) => index);
  const { count, problems } = isChosen ? { count: null, problems: [partly(line)] } : countOfIndexes(indexes, line);
  return nvidiaReading({
    tool: 'nvidia-smi',
    firstLine,
    lastLine,
    driver,
    cuda,
    count,
    devices: gpus.map(({ printed }) => nvidiaDevice(printed, places)),
    problems: [...(cut ? [cutName(cut.line, cut.printed.get('name')?.text ?? '')] : []), ...problems],
  });
}

function tableAt(text: string, line: number): Table | null {
  const [whole, driver, cuda] = text.length > MOST_LINE_LENGTH ? [] : (title.exec(text.trim()) ?? []);
  if (whole === undefined || driver === undefined) return null;
  return new Table(line, { text: driver, line }, cuda === undefined ? undefined : { text: cuda, line });
}

/** Every printing of the table in these lines. */
export function nvidiaSmiTables(lines: readonly string[]): readonly SmiTable[] {
  return tablesOf(lines);
}

function tablesOf(lines: readonly string[]): readonly Table[] {
  const tables: Table[] = [];
  let open: Table | null = null;
  for (const [index, raw] of lines.entries()) {
    const text = unquoted(raw);
    if (open?.take(text, index + 1)) continue;
    open = tableAt(text, index + 1);
    if (open) tables.push(open);
  }
  return tables;
}

/** The table that `nvidia-smi` prints without options, and the list that `nvidia-smi -L` prints. */
export const nvidiaSmiTable: FactReader = {
  tools: ['nvidia-smi', 'nvidia-smi -L'],

  read({ lines }): readonly ToolReading[] {
    const readings = [...tablesOf(lines).map((table) => readingOf(table, lines)), ...nvidiaSmiLists(lines)];
    return readings.sort((one, other) => one.firstLine - other.firstLine);
  },
};
