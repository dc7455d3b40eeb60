/** A line without what a launcher put before it. */
export interface LabeledLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Which of several processes printed it, such as `rank 3` or `source 2`; null where nothing tells. Never a name. */
  readonly label: string | null;
}

/** What launchers put before a line. Those that may be part of a line count only where most lines have them. */
const prefixes: readonly { readonly pattern: RegExp; readonly isCertain: boolean; readonly kind: 'rank' | 'source' }[] =
  [
    { pattern: /^\s{0,20}\[(\d{1,6}(?:,\d{1,6})?)\]<std(?:out|err|diag)>:\s?/, isCertain: true, kind: 'source' },
    {
      pattern: /^\s{0,20}\([\w.:-]{1,100},? {1,5}pid=(\d{1,10})(?:, ip=[^)]{1,60})?\)\s?/,
      isCertain: true,
      kind: 'source',
    },
    { pattern: /^\s{0,20}\[rank(\d{1,6})\]:\s?/, isCertain: true, kind: 'rank' },
    { pattern: /^\s{0,20}(\d{1,6}): /, isCertain: false, kind: 'rank' },
    { pattern: /^\s{0,20}([A-Za-z][\w.-]{1,60}): /, isCertain: false, kind: 'source' },
    { pattern: /^(#) ?/, isCertain: false, kind: 'source' },
  ];
/** As many lines show what stands before all. */
const LOOKED_AT = 400;
/** So large a share of the lines has the same kind of prefix where it is one. */
const MOST = 0.9;
const MAX_LINE = 20_000;

/**
 * The lines of a text without what mpirun, srun, pdsh, Ray or torchrun put before them, or the `# ` of a quotation. Blank
 * lines are there too. A line is cut after 20,000 characters.
 */
export function* labeledLines(text: string): Iterable<LabeledLine> {
  const shown = firstLines(text);
  const uncertain = prefixes.filter((prefix) => !prefix.isCertain && isBeforeMost(shown, prefix.pattern));
  const used = [...prefixes.filter(({ isCertain }) => isCertain), ...uncertain];
  const numbers = new Map<string, number>();
  let number = 0;
  for (const whole of linesOf(text)) {
    number += 1;
    if (whole === '') {
      yield { number, text: '', label: null };
      continue;
    }
    let line = whole;
    let label: string | null = null;
    for (const { pattern, kind } of used) {
      const found = pattern.exec(line);
      if (!found) continue;
      line = line.slice(found[0].length);
      const name = found[1] ?? '';
      if (name === '#' || label !== null) continue;
      if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
      label = kind === 'rank' ? `rank ${Number(name)}` : `source ${numbers.get(name) ?? 0}`;
    }
    yield { number, text: line, label };
  }
}

/** The lines of a text, each cut after 20,000 characters; without a copy of the whole. */
export function* linesOf(text: string): Iterable<string> {
  for (let start = 0; start <= text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield text.slice(start, Math.min(end, start + MAX_LINE));
    start = end + 1;
  }
}

/** The first lines that are not blank. */
function firstLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of linesOf(text)) {
    if (line !== '' && line.trim() !== '') lines.push(line);
    if (lines.length >= LOOKED_AT) break;
  }
  return lines;
}

/** Whether the same kind of prefix stands before nearly all lines, and for hosts with few names. */
function isBeforeMost(lines: readonly string[], pattern: RegExp): boolean {
  const names = new Set<string>();
  let found = 0;
  for (const line of lines) {
    const match = pattern.exec(line);
    if (!match) continue;
    found += 1;
    names.add(match[1] ?? '');
  }
  // `Label: value` on every line is a report, not a launcher
  return lines.length >= 3 && found >= MOST * lines.length && names.size <= found / 3;
}
