import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { samplesWithDistribution } from '../distribution.js';
import { embeddedJson, holdsObject } from '../embedded-json.js';
import {
  partFailed,
  failedRun,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { isObject, objectsOf, readJson, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';

/** What `iperf3 --json` and `--json-stream` write: one object for each test, one after another where several were run. */
export const iperf3Json: Importer = {
  tool: 'iperf3-json',
  what: 'iperf3 --json',

  recognizes: (text) =>
    text.includes('"iperf ') &&
    holdsObject(text) &&
    /"version"\s{0,10}:\s{0,10}"iperf \d/.test(text) &&
    /"(?:test_start|connected|timestamp|system_info)"\s{0,10}:/.test(text) &&
    /"(?:end|error|intervals)"/.test(text),

  read(text) {
    const json = readJson(embeddedJson(text));
    if (json.problem) return { runs: [], problems: [json.problem] };
    const tests = testsOf(objectsOf(json));
    const parts = tests.map(({ object, line }) => readTest(object, line));
    const runs = parts.flatMap(({ run }) => (run ? [run] : []));
    const problems = parts.flatMap((part) => part.problems);
    if (runs.length > 0) return { runs, problems };
    // where nothing is left, what was only a warning beside other tests says why
    return { runs, problems: problems.map((problem) => ({ ...problem, severity: 'ERROR' as const })) };
  },
};

interface Test {
  readonly object: JsonObject;
  readonly line: number;
}

/** The lines of `--json-stream` put together as the objects that `--json` writes. */
function testsOf(objects: readonly Test[]): readonly Test[] {
  const tests: Test[] = [];
  let open: { readonly object: Record<string, JsonObject[string]>; readonly intervals: JsonObject[] } | null = null;
  for (const { object, line } of objects) {
    const { event, data } = object;
    if (typeof event !== 'string') {
      tests.push({ object, line });
      continue;
    }
    if (event === 'start' || open === null) {
      const intervals: JsonObject[] = [];
      open = { object: { intervals }, intervals };
      tests.push({ object: open.object, line });
    }
    if (event !== 'interval') open.object[event] = data;
    else if (isObject(data)) open.intervals.push(data);
  }
  return tests;
}

const intervalsIn = (object: JsonObject): readonly JsonObject[] =>
  Array.isArray(object.intervals) ? object.intervals.filter(isObject) : [];
const partOf = (object: JsonObject, key: string): JsonObject => (isObject(object[key]) ? object[key] : {});
const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

function readTest(object: JsonObject, line: number): { run: ReadRun | null; problems: readonly ImportProblem[] } {
  const found: ImportProblem[] = [];
  const observations = observationsOf(object);
  const failure = typeof object.error === 'string' ? object.error : null;
  if (failure !== null) found.push(failed(failure, line));
  else if (observations.every(({ metric }) => !metric.endsWith('bandwidth'))) found.push(empty(line));
  const start = partOf(object, 'start');
  const seconds = finite(partOf(start, 'timestamp').timesecs);
  const started = seconds !== null && Math.abs(seconds) < 8e12 ? startedAtOf(new Date(seconds * 1000).toISOString(), String(seconds), line) : null; // prettier-ignore
  if (found.length > 0) return { run: null, problems: found };
  const run: ReadRun = {
    status: 'OK',
    tool: 'iperf3',
    toolVersion: typeof start.version === 'string' ? start.version.replace(/^iperf /, '').slice(0, 50) : null,
    variant: typeof object.title === 'string' ? object.title : null,
    startedAt: started?.startedAt ?? null,
    command: null,
    environment: environmentOf(start),
    workload: workloadOf(start, partOf(object, 'end')),
    session: null,
    block: null,
    observations,
  };
  return { run, problems: started?.problems ?? [] };
}

function failed(reason: string, line: number): ImportProblem {
  const text = reason.slice(0, 200);
  return partFailed(
    line,
    `The test failed ("${text}"): it is no measurement`,
    `测试失败（“${text}”），不能作为测量结果`,
  );
}

function empty(line: number): ImportProblem {
  return warning(line, 'The test has no summary with a rate', '该测试没有带速率的汇总', { code: 'INCOMPLETE' });
}

/** A direction of `--bidir` beside the other, or none. */
const ways = [
  { suffix: '', direction: 'forward' },
  { suffix: '_bidir_reverse', direction: 'reverse' },
] as const;

function observationsOf(object: JsonObject): readonly ReadObservation[] {
  const end = partOf(object, 'end');
  const isBoth = end.sum_sent_bidir_reverse !== undefined || end.sum_bidir_reverse !== undefined;
  const found: ReadObservation[] = [];
  for (const { suffix, direction } of ways) {
    const dimensions: Record<string, string> = isBoth ? { direction } : {};
    const [received, sent, both] = ['sum_received', 'sum_sent', 'sum'].map((key) => partOf(end, `${key}${suffix}`));
    const hasSides = end[`sum_received${suffix}`] !== undefined;
    const rate = (metric: string, sum: JsonObject | undefined, isSender: boolean) => {
      const value = finite(sum?.bits_per_second);
      // the side that counted nothing writes 0
      if (value === null || value <= 0) return;
      const samples = samplesWithDistribution(intervalRates(object, suffix, isSender)) ?? {};
      found.push({ metric, dimensions, value, unit: 'bit/s', ...samples });
    };
    rate('network.bandwidth', received, false);
    // of UDP, versions before the two sides were told apart give what was sent
    rate('network.sent_bandwidth', hasSides ? sent : both, true);
    const retransmits = finite(sent?.retransmits);
    if (retransmits !== null && retransmits >= 0 && (finite(sent?.bits_per_second) ?? 0) > 0) {
      found.push({ metric: 'network.retransmits', dimensions, value: retransmits, unit: 'count' });
    }
    found.push(...datagramFigures(finite(received?.packets) === null ? both : received, dimensions));
  }
  return [...found, ...roundTrips(end), ...utilization(end)];
}

/** Rates of the intervals that this side measured, as sender or as receiver. */
function intervalRates(object: JsonObject, suffix: string, isSender: boolean): readonly number[] {
  const isReversed = finite(partOf(partOf(object, 'start'), 'test_start').reverse) === 1;
  const isServer = partOf(object, 'start').accepted_connection !== undefined;
  // versions that do not say who sends: the client does, unless asked for the reverse
  const unmarked = isServer === isReversed;
  return intervalsIn(object)
    .map((interval) => partOf(interval, `sum${suffix}`))
    .filter((sum) => sum.omitted !== true && (typeof sum.sender === 'boolean' ? sum.sender : unmarked) === isSender)
    .map((sum) => finite(sum.bits_per_second))
    .filter((value) => value !== null);
}

function datagramFigures(sum: JsonObject | undefined, dimensions: Record<string, string>): readonly ReadObservation[] {
  const [packets, jitter, lost] = [finite(sum?.packets), finite(sum?.jitter_ms), finite(sum?.lost_percent)];
  if (packets === null || packets <= 0) return [];
  return [
    ...(jitter === null ? [] : [{ metric: 'network.jitter', dimensions, value: jitter, unit: 'ms' }]),
    ...(lost === null ? [] : [{ metric: 'network.packet_loss', dimensions, value: lost, unit: '%' }]),
  ];
}

/** Microseconds, as the kernel of the sender estimated them; 0 where it does not. */
function roundTrips(end: JsonObject): readonly ReadObservation[] {
  const streams = Array.isArray(end.streams) ? end.streams.filter(isObject) : [];
  return streams.flatMap((stream, index) => {
    const value = finite(partOf(stream, 'sender').mean_rtt);
    if (value === null || value <= 0) return [];
    const dimensions: Record<string, number> = streams.length > 1 ? { stream: index + 1 } : {};
    return [{ metric: 'network.round_trip_time', dimensions, value, unit: 'us' }];
  });
}

function utilization(end: JsonObject): readonly ReadObservation[] {
  const found = partOf(end, 'cpu_utilization_percent');
  return (['local', 'remote'] as const).flatMap((side) => {
    const value = finite(found[side === 'local' ? 'host_total' : 'remote_total']);
    return value !== null && value > 0
      ? [{ metric: 'host.cpu_utilization', dimensions: { side }, value, unit: '%' }]
      : [];
  });
}

/** `Linux <host> 5.15.0 …`: the host name between system and kernel is left out. */
function environmentOf(start: JsonObject): Facts {
  const [os, , kernel] = typeof start.system_info === 'string' ? start.system_info.slice(0, 500).split(/\s+/) : [];
  return os && kernel && /^\d/.test(kernel) ? { os, kernel } : {};
}

const settings = ['duration', 'bytes', 'blocks', 'blksize', 'omit', 'reverse', 'bidir', 'tos', 'target_bitrate', 'fqrate', 'gso', 'gro']; // prettier-ignore

function workloadOf(start: JsonObject, end: JsonObject): Facts {
  const test = partOf(start, 'test_start');
  const facts: Record<string, FactValue> = { 'workload.tool': 'iperf3' };
  if (typeof test.protocol === 'string') facts['workload.operation'] = test.protocol.toLowerCase().slice(0, 20);
  const streams = finite(test.num_streams);
  if (streams !== null) facts['workload.concurrency'] = streams;
  for (const key of settings) {
    const value = finite(test[key]);
    if (value !== null) facts[`workload.settings.${key}`] = value;
  }
  const [mss, window] = [finite(start.tcp_mss), finite(start.sock_bufsize)];
  if (mss !== null) facts['workload.settings.mss'] = mss;
  if (window !== null && window > 0) facts['workload.settings.window'] = window;
  if (typeof end.sender_tcp_congestion === 'string') {
    facts['workload.settings.congestion_control'] = end.sender_tcp_congestion.slice(0, 50);
  }
  return facts;
}

/** For text of which nobody knows what it is. */
export function iperfFailure(text: string): ImportProblem | null {
  const reason = /^iperf3?: error - (.{1,200})/m.exec(text)?.[1];
  return reason === undefined
    ? null
    : failedRun(
        null,
        `iperf ended with an error and measured nothing: ${reason}`,
        `iperf 以错误结束，没有测量结果：${reason}`,
      );
}
