import {
  leftOut,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type Reading,
} from '../importer.js';
import { tooManyCells, widthOf } from '../cells.js';
import { isNoValue, numberOf } from '../number.js';
import { loadOf, percentileMetric, pointRun, rateObservation } from './perf-analyzer-run.js';
import { cellsOf } from './profile-csv.js';
import { noneCompleted, plain, readingOf, type Result } from './requests.js';
import { WorkloadFacts } from './workload.js';

const header = /^\s{0,100}(?:Concurrency|Request Rate),Inferences\/Second,/;

/** What `perf_analyzer -f` writes: a row for each load, in the order of the throughput. */
export const perfAnalyzerCsv: Importer = {
  tool: 'perf-analyzer-csv',
  what: 'perf_analyzer -f (CSV)',
  recognizes: (text) => header.test(text),

  read(text): Reading {
    const results: Result[] = [];
    let columns: readonly string[] = [];
    let line = 0;
    for (const whole of text.split('\n')) {
      line += 1;
      if (whole.trim() === '' || whole.length > MAX_LINE) continue;
      const isHeader = header.test(whole);
      const cells = isHeader || columns.length > 0 ? cellsOf(whole) : null;
      if (isHeader) columns = (cells ?? []).slice(0, 100).map((cell) => cell.trim());
      else if (cells && widthOf(cells) > columns.length && columns.length > 0) {
        return { runs: [], problems: [tooManyCells({ line, cells }, columns.length)] };
      } else if (cells && columns.length > 0) results.push(readRow(columns, cells, line));
      if (results.length > MAX_ROWS) break;
    }
    const isLatencyThere = columns.some((name) => /latency$/i.test(name));
    const { runs, problems } = readingOf(results);
    return { runs, problems: runs.length > 0 && !isLatencyThere ? [withoutLatency(), ...problems] : problems };
  },
};

const MAX_LINE = 20_000;
const MAX_ROWS = 2_000;

/** Columns of mean times, all in microseconds without saying so. */
const times: Readonly<Record<string, string>> = {
  'Avg latency': 'serving.e2e_latency.mean',
  'Server Queue': 'serving.queue_time',
  'Server Compute Input': 'serving.compute_input_time',
  'Server Compute Infer': 'serving.compute_time',
  'Server Compute Output': 'serving.compute_output_time',
  'Network+Server Send/Recv': 'serving.network_time',
};

function readRow(columns: readonly string[], cells: readonly string[], line: number): Result {
  const of = (name: string): number | null => numberIn(cells[columns.indexOf(name)] ?? '');
  const [name = '', rateName = ''] = columns;
  const [load, rate] = [of(name), of(rateName)];
  if (load === null || rate === null || cells.length < columns.length) {
    return { run: null, refusal: null, problems: [badRow(line)] };
  }
  const observations: ReadObservation[] = rate > 0 ? [rateObservation(rate, null)] : [];
  for (const [column, metric] of Object.entries(times)) {
    const value = of(column);
    // a server that keeps no statistics of a part writes zero
    if (value !== null && value > 0) observations.push(plain(metric, value, 'us'));
  }
  for (const column of columns) {
    const metric = percentileMetric(column.replace(/ latency$/, ''));
    const value = of(column);
    if (metric && value !== null && value > 0) observations.push(plain(metric, value, 'us'));
  }
  const { observations: ofGpus } = gpusIn(columns, cells);
  const status = rate > 0 ? 'OK' : 'FAILED';
  return {
    run: pointRun('perf-analyzer-csv', loadOf(name, load), new WorkloadFacts(), {
      status,
      observations: rate > 0 ? [...observations, ...ofGpus] : [],
    }),
    refusal: rate > 0 ? null : noneCompleted(line),
    problems: [],
  };
}

function numberIn(cell: string): number | null {
  const number = isNoValue(cell) ? null : numberOf(cell);
  return number !== null && Number.isFinite(number) ? number : null;
}

/** Cells such as `GPU-1234:0.5;GPU-5678:0.25;`. GPUs count from 0 in their order: an identity is not kept. */
function gpusIn(columns: readonly string[], cells: readonly string[]): { readonly observations: readonly ReadObservation[] } {
  const kinds = [
    ['Avg GPU Utilization', 'gpu.utilization', 'ratio'],
    ['Avg GPU Power Usage', 'gpu.power_draw', 'W'],
  ] as const;
  const observations = kinds.flatMap(([column, metric, unit]) => {
    const parts = (cells[columns.indexOf(column)] ?? '').split(';').slice(0, 100).filter((part) => part.includes(':'));
    return parts.flatMap((part, gpu) => {
      const value = numberIn(part.slice(part.lastIndexOf(':') + 1));
      return value === null || value < 0 ? [] : [{ metric, dimensions: { gpu }, value, unit }];
    });
  });
  return { observations };
} // prettier-ignore

function badRow(line: number): ImportProblem {
  return leftOut(
    line,
    'The row was left out: it has no load and throughput, or fewer cells than the header',
    '未采用该行：缺少负载或吞吐量，或单元格少于表头',
  );
}

function withoutLatency(): ImportProblem {
  return warning(
    1,
    'The table has no latencies: it is of a model inside an ensemble, and its throughput is derived from that of the whole',
    '表中没有延迟：这是 ensemble 中某个子模型的表，其吞吐量由整体推算得出',
    { code: 'OTHER_MEANING' },
  );
}
