/** One line of a file, cut into its cells. */
export interface Cells {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The lines of a text that are not blank, cut at commas, or at tabs or semicolons where the first line has only these. */
export function csvLines(text: string): readonly Cells[] {
  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const separator = first.includes(',') ? ',' : first.includes('\t') ? '\t' : first.includes(';') ? ';' : ',';
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [{ line: index + 1, cells: cut(line, separator) }]));
}

/** By RFC 4180: a cell in quotes may hold the separator, and doubled quotes. */
export function cut(line: string, separator: string): readonly string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
}

/** A number with or without separators of thousands; null for anything else, an empty cell too. */
export function numberIn(cell: string): number | null {
  const text = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(cell) ? cell.replaceAll(',', '') : cell;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}

const secondsPer: Readonly<Record<string, number>> = {
  ns: 1e-9, nsec: 1e-9, nanoseconds: 1e-9, us: 1e-6, 'µs': 1e-6, 'μs': 1e-6, usec: 1e-6, microseconds: 1e-6,
  ms: 1e-3, msec: 1e-3, milliseconds: 1e-3, s: 1, sec: 1, secs: 1, seconds: 1, min: 60, minutes: 60,
}; // prettier-ignore

/** How many seconds a unit of time has; null for what is none. */
export function secondsOfUnit(unit: string): number | null {
  return secondsPer[unit.toLowerCase()] ?? null;
}

/** The seconds that a cell such as `12.3ms` says; null for what is no time. */
export function timeIn(cell: string): number | null {
  const [, digits = '', unit = ''] = /^([\d.,+eE-]+)\s*([a-zµμ]+)$/i.exec(cell.trim()) ?? [];
  const [value, scale] = [numberIn(digits), secondsOfUnit(unit)];
  return value === null || scale === null ? null : value * scale;
}
