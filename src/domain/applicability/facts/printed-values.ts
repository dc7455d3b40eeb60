import type { Finding, ReadingProblem, ToolText } from './reader.js';

/** A value and the line where it is printed. */
export interface Printed<T> {
  readonly value: T;
  readonly line: number;
}

/** One finding at the first line: the value, or the distinct values where the devices differ. */
export function printedFinding(key: string, printed: readonly Printed<string | number>[]): readonly Finding[] {
  const [first] = printed;
  if (!first) return [];
  const values = [...new Set(printed.map(({ value }) => value))];
  return [{ key, value: values.length === 1 ? first.value : values, line: first.line }];
}

export function kindsProblem(names: readonly Printed<string>[]): readonly ReadingProblem[] {
  const kinds = [...new Set(names.map(({ value }) => value))];
  if (kinds.length < 2) return [];
  const message = {
    en: `${kinds.length} kinds of GPU here: ${kinds.join(', ')}`,
    zh: `此处有 ${kinds.length} 种 GPU：${kinds.join('、')}`,
  };
  return [{ line: names[0]?.line ?? 1, message }];
}

/** Lines without the marks of a quoted block. */
export const plainLines = (text: ToolText): readonly string[] =>
  text.lines.map((line) => line.replace(/^(?:\s{0,8}>)+ ?/, ''));

export const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** GiB of `196592 MB`, as these tools print memory: their MB is 1024 * 1024 bytes. Undefined for no memory. */
export function gibibytes(text: string, unit = 'MB'): number | undefined {
  const [, amount, printedUnit] = /^(\d{1,18}(?:\.\d{1,6})?)\s*([KMG]?i?B)?$/.exec(text.trim()) ?? [];
  const scale = { B: 2 ** 30, KB: 2 ** 20, MB: 1024, GB: 1 }[(printedUnit ?? unit).replace('i', '')];
  return amount === undefined || scale === undefined || Number(amount) === 0
    ? undefined
    : oneDecimal(Number(amount) / scale);
}

/** Watts of `750 W`, `750.0W` or `750`. */
export function watts(text: string): number | undefined {
  const amount = /^(\d{1,6}(?:\.\d{1,6})?)\s*W?$/.exec(text.trim())?.[1];
  return amount === undefined ? undefined : Number(amount);
}

/** True where a command line shortly above the output has one of these options. */
export function isAskedWith(lines: readonly string[], firstIndex: number, command: RegExp, option: RegExp): boolean {
  const above = lines.slice(Math.max(0, firstIndex - 4), firstIndex).filter((line) => line.trim() !== '');
  const asked = above.findLast((line) => command.test(line));
  return asked !== undefined && option.test(asked.slice(0, 1000));
}

/** A square table of the links between devices. */
export interface LinkMatrix {
  readonly labels: readonly string[];
  readonly rows: readonly { readonly label: string; readonly cells: readonly string[]; readonly line: number }[];
  readonly isWhole: boolean;
  /** Lines, counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The table whose heading is in this line, null where none is. Columns behind those of the devices are left alone. */
export function linkMatrixAt(lines: readonly string[], index: number, label: RegExp): LinkMatrix | null {
  const labels = wordsOf(lines[index]).filter((word) => label.test(word));
  if (labels.length === 0 || wordsOf(lines[index])[0] !== labels[0]) return null;
  const rows = [];
  for (const [row, expected] of labels.entries()) {
    const [name, ...cells] = wordsOf(lines[index + 1 + row]);
    if (name !== expected || cells.length < labels.length) break;
    rows.push({ label: name, cells: cells.slice(0, labels.length), line: index + 2 + row });
  }
  return {
    labels,
    rows,
    isWhole: rows.length === labels.length,
    firstLine: index + 1,
    lastLine: index + 1 + rows.length,
  };
}

const wordsOf = (line: string | undefined): readonly string[] => (line ?? '').trim().split(/\s+/);

export type LinkKind = 'xgmi' | 'hccs' | 'pcie' | 'unknown';

/** `gpu.link`, and whether all pairs of devices or none have the fabric; nothing where a link is unknown. */
export function linkFindings(
  links: readonly Printed<LinkKind>[],
  fabric: { readonly kind: LinkKind; readonly capability: string },
): readonly Finding[] {
  const [first] = links;
  if (!first || links.some(({ value }) => value === 'unknown')) return [];
  const kinds = [...new Set(links.map(({ value }) => value))];
  const finding = printedFinding('gpu.link', links);
  if (kinds.length > 1) return finding;
  return [...finding, { key: `capability.${fabric.capability}`, value: first.value === fabric.kind, line: first.line }];
}

export const cutMatrix = (line: number): ReadingProblem => ({
  line,
  message: { en: 'The table of the links is cut', zh: '互连拓扑表不完整' },
});
