export interface Line {
  readonly number: number;
  readonly text: string;
}

/** The lines that are not blank, without what mpirun, srun, Ray and pdsh put before them. */
export function* plainLines(text: string): Iterable<Line> {
  let number = 0;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    number += 1;
    if (end > start) yield { number, text: withoutPrefix(text.slice(start, Math.min(end, start + MAX_LINE))) };
    start = end + 1;
  }
}

/** Longer than any line of the benchmark; what NCCL logs may be cut. */
const MAX_LINE = 4_000;

function withoutPrefix(line: string): string {
  return line
    .replace(/^\s{0,100}\[\d{1,6},\d{1,6}\]<std(?:out|err|diag)>:\s?/, '')
    .replace(/^\s{0,100}\([\w.:-]{1,100}\s+pid=\d{1,10}(?:, ip=[^)]{1,60})?\)\s/, '')
    .replace(/^\s{0,100}(?:\[rank\d{1,6}\]|\d{1,6}|[A-Za-z][\w.-]{0,60}):\s(?=\s*(?:#|\d+\s+\d+\s+[a-z]))/, '');
}
