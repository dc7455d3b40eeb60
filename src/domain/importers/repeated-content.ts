import { warning, type ImportProblem, type Reading, type ReadRun } from './importer.js';

/** A shorter block may stand again by chance. */
const SHORTEST_BLOCK = 3;

/** A text without its repetition, and what is said of it. */
export interface Once {
  readonly text: string;
  readonly problems: readonly ImportProblem[];
}

/** The first block of a text that is nothing but the same lines several times over: it was pasted again, not measured. */
export function withoutRepetition(text: string): Once {
  const lines = placedLines(text);
  const [first] = lines;
  if (!first || !lines.some((line, index) => index >= SHORTEST_BLOCK && line.text === first.text)) {
    return { text, problems: [] };
  }
  const size = periodOf(lines.map((line) => line.text));
  const next = lines[size];
  if (size < SHORTEST_BLOCK || !next) return { text, problems: [] };
  return { text: text.slice(0, next.start), problems: [repeated(lines.length / size, next.number)] };
}

interface PlacedLine {
  readonly text: string;
  readonly start: number;
  readonly number: number;
}

/** The lines that are not blank. */
function placedLines(text: string): readonly PlacedLine[] {
  const lines: PlacedLine[] = [];
  let number = 0;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end).trimEnd();
    number += 1;
    if (line !== '') lines.push({ text: line, start, number });
    start = end + 1;
  }
  return lines;
}

/** The smallest number of lines that, again and again, are all of them; their number where there is none. */
function periodOf(lines: readonly string[]): number {
  // the failure function of Knuth, Morris and Pratt: how long a beginning also ends at each line
  const ends: number[] = [0];
  for (let at = 1; at < lines.length; at += 1) {
    let length = ends[at - 1] ?? 0;
    while (length > 0 && lines[length] !== lines[at]) length = ends[length - 1] ?? 0;
    ends.push(lines[length] === lines[at] ? length + 1 : 0);
  }
  const period = lines.length - (ends.at(-1) ?? 0);
  return lines.length % period === 0 ? period : lines.length;
}

/** What a run says, whatever file or label it stands under. */
export function contentOfRun({ observations, environment, workload, startedAt }: ReadRun): string {
  const sorted = (all: object) => Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([observations, sorted(environment), sorted(workload), startedAt]);
}

/** Runs whose numbers, facts and start are all the same count once: no two measurements are. */
export function withoutEqualRuns(reading: Reading): Reading {
  if (reading.runs.length < 2) return reading;
  const seen = new Set<string>();
  const runs = reading.runs.filter((run) => {
    if (run.observations.length === 0) return true;
    const content = `${run.variant} ${contentOfRun(run)}`;
    const isNew = !seen.has(content);
    seen.add(content);
    return isNew;
  });
  const copies = reading.runs.length - runs.length;
  return copies === 0 ? reading : { runs, problems: [...reading.problems, equalRuns(copies)] };
}

function repeated(times: number, line: number): ImportProblem {
  return warning(
    line,
    `The content is the same block ${times} times, again from line ${line}: it counts once`,
    `内容是同一段重复 ${times} 次，自第 ${line} 行起为重复部分，只计一次`,
    { code: 'REPEATED_CONTENT' },
  );
}

function equalRuns(copies: number): ImportProblem {
  return warning(
    null,
    `Results that are equal in every number, fact and start were counted once: ${copies} left out`,
    `数值、信息和开始时间完全相同的结果只计一次，略去 ${copies} 个`,
    { code: 'REPEATED_CONTENT' },
  );
}
