import { parse } from 'csv-parse/sync';
import { error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import type { Json } from '../json.js';
import { tooFewCells, tooManyCells, widthOf } from '../cells.js';
import { numberOf } from '../number.js';
import { startedAtOf } from '../started-at.js';
import { objectIn, setSource } from './guidellm-data.js';
import { guideNames, type GuideStatistics } from './guidellm-metrics.js';
import { guideResult, strategyOf, type GuideBenchmark, type Strategy } from './guidellm-run.js';
import { readingOf } from './requests.js';
import { finite, WorkloadFacts } from './workload.js';

const oldHeader = /^\s{0,100}Type,Run Id,Id,Name,Start Time,End Time,Duration,/;
const header = /^\s{0,100}Run Info,Run Info,(?:Run Info,){1,10}Benchmark,/;

/** The table of GuideLLM (`benchmarks.csv`): a row for each benchmark, under one line of names or (since 0.4) three. */
export const guidellmCsv: Importer = {
  tool: 'guidellm-csv',
  what: 'guidellm benchmark, guidellm run (benchmarks.csv)',
  recognizes: (text) => oldHeader.test(text) || header.test(text),

  read(text): Reading {
    const rows = rowsOf(text);
    if (rows === null) return { runs: [], problems: [notCsv()] };
    const count = oldHeader.test(text) ? 1 : 3;
    const [names = [], ...others] = rows.slice(0, count).map(({ cells }) => cells);
    const columns = names
      .slice(0, MAX_COLUMNS)
      .map((name, index) => [name, ...others.map((row) => row[index] ?? '')].join('/'));
    const wide = rows.slice(count).find(({ cells }) => widthOf(cells) > columns.length);
    if (wide && columns.length < MAX_COLUMNS) return { runs: [], problems: [tooManyCells(wide, columns.length)] };
    const cut = rows.slice(count).filter(({ cells }) => cells.length < columns.length);
    const benchmarks = rows
      .slice(count)
      .filter((row) => !cut.includes(row))
      .flatMap(({ cells }) => {
        const row = new Map(columns.map((column, index) => [column, cells[index] ?? '']));
        const benchmark = count === 1 ? oldBenchmark(row) : newBenchmark(row);
        return benchmark ? [guideResult('guidellm-csv', benchmark)] : [];
      });
    const { runs, problems } = readingOf(benchmarks);
    return {
      runs,
      problems: [...problems, ...cut.map(({ line, cells }) => tooFewCells(line, cells.length, columns.length))],
    };
  },
};

const MAX_COLUMNS = 5_000;

type Row = ReadonlyMap<string, string>;

interface PlacedRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Each with the line on which it ends. */
function rowsOf(text: string): readonly PlacedRow[] | null {
  try {
    const rows: PlacedRow[] = [];
    parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      to: 1_000,
      max_record_size: 5_000_000,
      on_record: (cells: string[], { lines }) => {
        rows.push({ line: lines, cells });
        return null;
      },
    });
    return rows;
  } catch {
    return null;
  }
}

function numberIn(text: string | undefined): number | null {
  const number = numberOf(text ?? '');
  return number !== null && Number.isFinite(number) ? number : null;
}

/** `[min, 0.1, 1, 5, 10, 25, 75, 90, 95, 99, max]`: the places of what is kept. */
const places: Readonly<Record<string, number>> = { min: 0, p90: 7, p95: 8, p99: 9, max: 10 };

function statisticsOf(
  mean: string | undefined,
  median: string | undefined,
  deviation: string | undefined,
  list: string | undefined,
  count: number | null,
): GuideStatistics | null {
  const parts = (list ?? '').replace(/^\s*\[|\]\s*$/g, '').split(',');
  const at = (name: string): number | null => (parts.length === 11 ? numberIn(parts[places[name] ?? 0]) : null);
  const found = { mean: numberIn(mean), median: numberIn(median), std: numberIn(deviation), p90: at('p90'), p95: at('p95'), p99: at('p99') };
  const values = Object.fromEntries(Object.entries(found).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
  if (found.mean === null) return null;
  const distribution = count === null || count < 1 || at('max') === null ? null : {
    count, mean: found.mean, sd: found.std, min: at('min'), p50: found.median, p90: found.p90, p99: found.p99, max: at('max'),
  };
  return { values, distribution };
} // prettier-ignore

function metricsBy(find: (name: string, statistic: string) => string | undefined, count: number | null) {
  const entries = guideNames.flatMap((name) => {
    const statistics = statisticsOf(find(name, 'mean'), find(name, 'median'), find(name, 'std'), find(name, 'list'), count);
    return statistics ? [[name, statistics] as const] : [];
  });
  return new Map(entries);
} // prettier-ignore

const oldSuffixes: Readonly<Record<string, string>> = {
  mean: 'mean',
  median: 'median',
  std: 'std dev',
  list: '[min, 0.1, 1, 5, 10, 25, 75, 90, 95, 99, max]',
};

function oldBenchmark(row: Row): GuideBenchmark | null {
  const strategy = strategyOf(row.get('Name') ?? '');
  if (!strategy) return null;
  const of = (name: string): number | null => numberIn(row.get(name));
  const successful = of('Successful Requests');
  const title = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
  const find = (name: string, statistic: string) => row.get(`Successful ${title(name)} ${oldSuffixes[statistic] ?? ''}`);
  const workload = new WorkloadFacts();
  setSource(workload, objectIn(row.get('Worker') ?? ''), objectIn(row.get('Request Loader') ?? ''));
  return {
    strategy,
    line: 1,
    metrics: metricsBy(find, successful),
    successful,
    incomplete: of('Incomplete Requests'),
    errored: of('Errored Requests'),
    duration: of('Duration'),
    inputTokens: numberIn(find('prompt_token_count', 'mean')),
    outputTokens: numberIn(find('output_token_count', 'mean')),
    ...startOf(row.get('Start Time')),
    workload,
  };
} // prettier-ignore

/** Group and second name of each metric. */
const titles: Readonly<Record<string, string>> = {
  request_latency: 'Request Latency/Successful Sec',
  time_to_first_token_ms: 'Time to First Token/Successful ms',
  time_to_first_output_token_ms: 'Time to First Output Token/Successful ms',
  time_per_output_token_ms: 'Time per Output Token/Successful ms',
  inter_token_latency_ms: 'Inter Token Latency/Successful ms',
  requests_per_second: 'Server Throughput/Successful Requests/Sec',
  request_concurrency: 'Server Throughput/Successful Concurrency',
  prompt_token_count: 'Token Metrics/Successful Input Tokens',
  output_token_count: 'Token Metrics/Successful Output Tokens',
  prompt_tokens_per_second: 'Token Throughput/Successful Input Tokens/Sec',
  output_tokens_per_second: 'Token Throughput/Successful Output Tokens/Sec',
  tokens_per_second: 'Token Throughput/Successful Total Tokens/Sec',
};
const suffixes: Readonly<Record<string, string>> = {
  mean: 'Mean',
  median: 'Median',
  std: 'Std Dev',
  list: 'Percentiles',
};

function newBenchmark(row: Row): GuideBenchmark | null {
  const of = (name: string): number | null => numberIn(row.get(name));
  const type = strategyOf(row.get('Benchmark/Strategy/') ?? '');
  if (!type) return null;
  const successful = of('Request Counts/Successful/');
  const find = (name: string, statistic: string) => row.get(`${titles[name] ?? ''}/${suffixes[statistic] ?? ''}`);
  const workload = new WorkloadFacts();
  setSource(workload, objectIn(row.get('Run Info/Backend/') ?? ''), objectIn(row.get('Run Info/Requests/') ?? ''));
  return {
    strategy: withLoad(type, row),
    line: 1,
    metrics: metricsBy(find, successful),
    successful,
    incomplete: of('Request Counts/Incomplete/'),
    errored: of('Request Counts/Errored/'),
    duration: of('Timings/Duration/Sec'),
    inputTokens: numberIn(find('prompt_token_count', 'mean')),
    outputTokens: numberIn(find('output_token_count', 'mean')),
    ...startOf(row.get('Timings/Start Time/')),
    workload,
  };
}

/** The profile lists the loads of all benchmarks; those of a sweep were found on the way and stand nowhere. */
function withLoad(strategy: Strategy, row: Row): Strategy {
  const profile = objectIn(row.get('Run Info/Profile/') ?? '');
  const index = numberIn(row.get('Run Info/Run Index/')) ?? 0;
  const at = (list: Json | undefined): number | null => finite(Array.isArray(list) ? list[index] : list);
  if (strategy.type === 'concurrent') return { ...strategy, concurrency: at(profile.streams) };
  const isOfRate = profile.type_ === strategy.type || profile.kind === strategy.type || profile.strategy_type === strategy.type;
  return isOfRate && profile.type_ !== 'sweep' ? { ...strategy, rate: at(profile.rate) } : strategy;
} // prettier-ignore

/** A local time without zone, taken as UTC. */
function startOf(given: string | undefined): Pick<GuideBenchmark, 'startedAt' | 'problems'> {
  if (given === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(given)) return {};
  return startedAtOf(`${given.replace(' ', 'T')}Z`, given, 1);
}

function notCsv(): ImportProblem {
  return error(
    null,
    'The table is no valid CSV: a quote is open or in the wrong place. Send the file as GuideLLM wrote it',
    '表格不是有效的 CSV：引号未闭合或位置不对，请上传 GuideLLM 原样输出的文件',
  );
}
