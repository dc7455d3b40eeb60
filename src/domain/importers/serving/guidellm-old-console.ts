import { badRun, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { numberOf } from '../number.js';
import type { GuideStatistics } from './guidellm-metrics.js';
import { guideResult, strategyName, strategyOf, type GuideBenchmark, type Strategy } from './guidellm-run.js';
import { readingOf } from './requests.js';

/** The cells of one benchmark, without its name. */
interface Cells {
  readonly strategy: Strategy;
  readonly line: number;
  readonly numbers: readonly (number | null)[];
}

/** Cells of a row of each table behind the name. */
const INFO_CELLS = 18;
const STATS_CELLS = 16;

/** The tables of GuideLLM 0.2 and 0.3. A pipe breaks their rows after 80 characters, so that only the order of cells counts. */
export function readOldTables(text: string): Reading {
  const [info, stats] = cellsIn(text);
  const results = stats.flatMap((cells, index) => {
    const about = info[index];
    const isSame = about !== undefined && strategyName(about.strategy) === strategyName(cells.strategy);
    return cells.numbers.length < STATS_CELLS ? [] : [guideResult('guidellm-console', benchmarkOf(cells, isSame ? about : null))];
  });
  const cut = stats.find(({ numbers }) => numbers.length < STATS_CELLS);
  const reading = readingOf(results);
  if (!cut) return reading;
  return { runs: reading.runs, problems: [...reading.problems, cutOff(cut.line, reading.runs.length > 0)] };
} // prettier-ignore

function cellsIn(text: string): readonly [readonly Cells[], readonly Cells[]] {
  const info: Cells[] = [];
  const stats: Cells[] = [];
  let part: Cells[] | null = null;
  let open: { strategy: Strategy; line: number; numbers: (number | null)[] } | null = null;
  for (const { number, text: line } of labeledLines(text)) {
    if (/^\s{0,10}Benchmarks (?:Info|Stats):/.test(line)) {
      part = line.includes('Info:') ? info : stats;
      open = null;
      continue;
    }
    // a log message between the tables would give more cells
    if (!part || /^\s{0,10}Benchmarks Metadata:/.test(line)) continue;
    if (/^\s{0,10}={10,}/.test(line)) {
      open = null;
      continue;
    }
    for (const cell of line.slice(0, 5_000).split(/[|\s]+/)) {
      if (cell === '') continue;
      const strategy = strategyOf(cell);
      if (strategy) {
        open = { strategy, line: number, numbers: [] };
        if (part.length < 1_000) part.push(open);
      } else if (open && open.numbers.length < INFO_CELLS) open.numbers.push(numberIn(cell));
    }
  }
  return [info, stats];
}

function numberIn(cell: string): number | null {
  const number = numberOf(cell);
  return number !== null && Number.isFinite(number) ? number : null;
}

/** 0.2 writes "ms" above the request latencies, which are in seconds all the same. */
function benchmarkOf({ strategy, line, numbers }: Cells, info: Cells | null): GuideBenchmark {
  const rate = (index: number): GuideStatistics => ({ values: valuesOf({ mean: numbers[index] }) });
  const latency = (index: number): GuideStatistics => ({
    values: valuesOf({ mean: numbers[index], median: numbers[index + 1], p99: numbers[index + 2] }),
  });
  const about = info?.numbers ?? [];
  return {
    strategy,
    line,
    metrics: new Map([
      ['requests_per_second', rate(0)],
      ['request_concurrency', rate(1)],
      ['output_tokens_per_second', rate(2)],
      ['tokens_per_second', rate(3)],
      ['request_latency', latency(4)],
      ['time_to_first_token_ms', latency(7)],
      ['inter_token_latency_ms', latency(10)],
      ['time_per_output_token_ms', latency(13)],
    ]),
    // start and end come first
    duration: about[2] ?? null,
    successful: about[3] ?? null,
    incomplete: about[4] ?? null,
    errored: about[5] ?? null,
    inputTokens: about[6] ?? null,
    outputTokens: about[9] ?? null,
  };
}

function valuesOf(found: Readonly<Record<string, number | null | undefined>>): GuideStatistics['values'] {
  return Object.fromEntries(Object.entries(found).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))); // prettier-ignore
}

function cutOff(line: number, isAnyThere: boolean): ImportProblem {
  const problem = badRun(
    line,
    'A benchmark was left out: its row ends in the middle, the output is not complete',
    '有一项基准测试未采用：表格行不完整，输出被截断',
  );
  return isAnyThere ? { ...problem, severity: 'WARNING' } : problem;
}
