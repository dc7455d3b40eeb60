import { samplesWithDistribution } from '../distribution.js';
import { leftOut, type Importer, type ImportProblem, type ReadObservation, type Reading } from '../importer.js';
import { isObject, readJson, type Json } from '../json.js';
import { dimensionOf } from '../../measurement/unit.js';
import { startedAtOf } from '../started-at.js';
import { loadUnknown } from './profile-result.js';
import {
  countsOf,
  latencyMetric,
  noneCompleted,
  plain,
  readingOf,
  requestProblems,
  requestsFrom,
  statusOf,
} from './requests.js';
import { finite, roundedLength, textOf, WorkloadFacts } from './workload.js';

/** The record of each request that AIPerf writes (`--export-level records`), one JSON object a line. */
export const aiperfRecords: Importer = {
  tool: 'aiperf-records',
  what: 'aiperf profile (profile_export.jsonl)',

  recognizes(text) {
    const end = text.indexOf('\n');
    const first = text.slice(0, Math.min(end === -1 ? text.length : end, 100_000));
    return (
      /^\s{0,100}\{\s{0,10}"metadata"\s{0,10}:/.test(first) &&
      first.includes('"request_start_ns"') &&
      /"(?:benchmark|credit)_phase"/.test(first) &&
      first.includes('"metrics"')
    );
  },

  read(text) {
    const found = collected(text);
    const completed = found.latencies.get('request_latency')?.values.length ?? 0;
    if (completed + found.failed === 0) return { runs: [], problems: found.problems };
    return whole(found, completed);
  },
};

/** Latencies per request, by what the file calls them. */
const metrics: Readonly<Record<string, string>> = {
  request_latency: 'serving.e2e_latency',
  time_to_first_token: 'serving.ttft',
  inter_token_latency: 'serving.tpot',
  inter_chunk_latency: 'serving.itl',
};

interface Records {
  readonly latencies: ReadonlyMap<string, { readonly unit: string; readonly values: number[] }>;
  readonly lengths: Readonly<Record<'input' | 'output', number>>;
  readonly failed: number;
  /** Nanoseconds since 1970; Infinity and 0 where no request says it. */
  readonly start: number;
  readonly end: number;
  readonly problems: readonly ImportProblem[];
}

function collected(text: string): Records {
  const latencies = new Map<string, { unit: string; values: number[] }>();
  const lengths = { input: 0, output: 0 };
  const problems: ImportProblem[] = [];
  let [failed, start, end, line, bad] = [0, Infinity, 0, 0, 0];
  for (let from = 0; from < text.length; ) {
    const stop = text.indexOf('\n', from);
    const to = stop === -1 ? text.length : stop;
    const whole = text.slice(from, to);
    from = to + 1;
    line += 1;
    if (whole.trim() === '') continue;
    const { documents, problem } = whole.trimStart().startsWith('{') ? readJson(whole) : { documents: [], problem: null };
    const record = documents[0]?.value;
    if (problem || !isObject(record) || !isObject(record.metadata)) {
      bad += 1;
      if (bad === 1) problems.push(unreadable(line));
      continue;
    }
    const { metadata } = record;
    if (/warm/i.test(textOf(metadata.benchmark_phase) ?? textOf(metadata.credit_phase) ?? '')) continue;
    const found = isObject(record.metrics) ? record.metrics : {};
    if (isObject(record.error) || metadata.was_cancelled === true) {
      failed += 1;
      continue;
    }
    start = Math.min(start, finite(metadata.request_start_ns) ?? Infinity);
    end = Math.max(end, finite(metadata.request_end_ns) ?? 0);
    lengths.input += numbersOf(found.input_sequence_length)[0] ?? 0;
    lengths.output += numbersOf(found.output_sequence_length)[0] ?? 0;
    for (const name of Object.keys(metrics)) keep(latencies, name, found[name]);
  }
  return { latencies, lengths, failed, start, end, problems };
} // prettier-ignore

function keep(latencies: Map<string, { unit: string; values: number[] }>, name: string, value: Json | undefined): void {
  const unit = isObject(value) ? (textOf(value.unit) ?? '') : '';
  if (dimensionOf(unit) !== 'time') return;
  const known = latencies.get(name) ?? { unit, values: [] };
  latencies.set(name, known);
  // not `push(...values)`: a list may be longer than a call takes arguments
  if (known.unit === unit) for (const number of numbersOf(value)) if (number > 0) known.values.push(number);
}

/** `{ "value": 1, "unit": "ms" }`, or a list of values. */
function numbersOf(found: Json | undefined): readonly number[] {
  const value = isObject(found) ? found.value : undefined;
  const list = Array.isArray(value) ? value : [value];
  return list.map((each: Json | undefined) => finite(each)).filter((number) => number !== null);
}

function whole(found: Records, completed: number): Reading {
  const requests = requestsFrom(completed, found.failed);
  const seconds = (found.end - found.start) / 1e9;
  const isTimed = Number.isFinite(seconds) && seconds > 0;
  const given = new Date(found.start / 1e6);
  const start = Number.isFinite(given.getTime())
    ? startedAtOf(given.toISOString(), String(found.start), 1)
    : { startedAt: null, problems: [] };
  const workload = new WorkloadFacts().set('tool', 'aiperf').set('num_prompts', requests.sent);
  if (completed > 0) {
    if (found.lengths.input > 0) workload.set('input_tokens', roundedLength(found.lengths.input / completed));
    if (found.lengths.output > 0) workload.set('output_tokens', roundedLength(found.lengths.output / completed));
  }
  const rates = isTimed
    ? [
        plain('serving.request_throughput', completed / seconds, 'requests/s'),
        ...(found.lengths.output > 0 ? [plain('serving.output_token_throughput', found.lengths.output / seconds, 'tokens/s')] : []),
        plain('serving.duration', seconds, 's'),
      ]
    : [];
  return readingOf([
    {
      run: {
        status: statusOf(requests),
        tool: 'aiperf-records',
        toolVersion: null,
        variant: null,
        startedAt: start.startedAt,
        command: null,
        environment: {},
        workload: workload.facts,
        session: null,
        block: null,
        observations: [...(completed > 0 ? [...rates, ...latenciesOf(found)] : []), ...countsOf(requests)],
      },
      refusal: completed === 0 ? noneCompleted(1) : null,
      problems: [...requestProblems(requests, true, 1), ...start.problems, ...found.problems, ...(completed > 0 ? [loadUnknown(1)] : [])],
    },
  ]);
} // prettier-ignore

function latenciesOf({ latencies }: Records): readonly ReadObservation[] {
  return Object.entries(metrics).flatMap(([name, metric]) => {
    const { unit = 'ms', values = [] } = latencies.get(name) ?? {};
    const inside = samplesWithDistribution(values);
    if (!inside) return [];
    const { mean, p50, p90, p99 } = inside.distribution;
    return Object.entries({ mean, p50, p90, p99 }).flatMap(([statistic, value]) => {
      if (value === null) return [];
      const observation = plain(latencyMetric(metric, statistic), value, unit);
      return [statistic === 'mean' ? { ...observation, ...inside } : observation];
    });
  });
}

function unreadable(line: number): ImportProblem {
  return leftOut(
    line,
    'A line that is no record of a request was left out: the file may be cut off',
    '有一行不是请求记录，未采用：文件可能不完整',
  );
}
