import type { Facts } from '../../measurement/environment-diff.js';
import { warning, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import { averageOf, notKept, statisticsOf, type ProfileMetric } from './profile-statistics.js';
import {
  contradiction, contradicts, countsOf, noneCompleted, requestProblems, requestsFrom, statusOf, type Result,
} from './requests.js'; // prettier-ignore
import { roundedLength, type WorkloadFacts } from './workload.js';

/** What the files of GenAI-Perf and AIPerf have in common. */
export interface Profile {
  /** Also the name of the tool in the workload, without the kind of the file. */
  readonly tool: 'genai-perf' | 'aiperf';
  readonly format: string;
  readonly line: number;
  readonly metrics: readonly ProfileMetric[];
  readonly workload: WorkloadFacts;
  /** How many failed, where the file says it elsewhere. */
  readonly failed?: number | null;
  readonly isPartial?: boolean;
  readonly toolVersion?: string | null;
  readonly startedAt?: string | null;
  readonly command?: string | null;
  readonly environment?: Facts;
  readonly more?: readonly ReadObservation[];
  readonly problems?: readonly ImportProblem[];
  /** Largest error of a printed number. */
  readonly rounding: number;
}

/** The result that the metrics of one file or table make. Nothing is taken where no request was completed. */
export function profileResult(profile: Profile): Result {
  const { metrics, line, workload } = profile;
  const completed = averageOf(metrics, 'request_count');
  const failed = averageOf(metrics, 'error_request_count') ?? profile.failed ?? null;
  const found = statisticsOf(metrics, completed);
  const isCounted = completed !== null;
  const requests = requestsFrom(completed ?? 0, failed);
  const isNone = isCounted ? requests.completed === 0 : found.observations.length === 0;
  const doubts = isNone ? [] : rateDoubt(profile, completed);
  const measured = found.observations.filter(
    ({ metric }) => doubts.length === 0 || metric !== 'serving.request_throughput',
  );
  workload
    .set('tool', profile.tool)
    .set('input_tokens', lengthOf(metrics, 'input_sequence_length'))
    .set('output_tokens', lengthOf(metrics, 'output_sequence_length'));
  const status = isCounted ? statusOf(requests) : isNone ? 'FAILED' : 'OK';
  const run: ReadRun = {
    status: status === 'OK' && profile.isPartial === true ? 'PARTIAL' : status,
    tool: profile.format,
    toolVersion: profile.toolVersion ?? null,
    variant: null,
    startedAt: profile.startedAt ?? null,
    command: profile.command ?? null,
    environment: profile.environment ?? {},
    workload: workload.facts,
    session: null,
    block: null,
    observations: [
      ...(isNone ? [] : measured),
      ...(isCounted ? countsOf(requests) : []),
      ...(isNone ? [] : (profile.more ?? [])),
    ],
  };
  const hasP99 = metrics.some(({ statistics }) => statistics.p99 !== undefined);
  return {
    run,
    refusal: isNone ? noneCompleted(line) : null,
    problems: isNone
      ? []
      : [
          ...(isCounted ? requestProblems(requests, hasP99, line) : []),
          ...notKept(found.left, line),
          ...doubts,
          ...(profile.problems ?? []),
        ],
  };
}

/** Whole where all requests agree. */
function lengthOf(metrics: readonly ProfileMetric[], name: string): number | null {
  const mean = averageOf(metrics, name);
  return mean === null ? null : roundedLength(mean);
}

function rateDoubt({ metrics, line, rounding }: Profile, completed: number | null): readonly ImportProblem[] {
  const rate = averageOf(metrics, 'request_throughput');
  const duration = metrics.find(({ key, unit }) => key === 'benchmark_duration' && /^s(?:ec)?$/.test(unit))?.statistics.avg;
  if (rate === null || completed === null || duration === undefined || !(duration > 0)) return [];
  const own = completed / duration;
  if (!contradicts(rate, own, rounding)) return [];
  const shown = Number(own.toPrecision(6));
  return [
    contradiction(
      line,
      [`request throughput of ${rate}`, `${completed} requests in ${duration} s are ${shown} per second`],
      [`请求吞吐量 ${rate}`, `${duration} s 内完成 ${completed} 个请求，即每秒 ${shown} 个`],
    ),
  ];
} // prettier-ignore

/** Where only the name of the folder says it. */
export function loadUnknown(line: number): ImportProblem {
  return warning(
    line,
    'The file does not say at which concurrency or request rate it was measured: give workload.concurrency or workload.request_rate',
    '文件没有说明测试时的并发数或请求速率，请补充 workload.concurrency 或 workload.request_rate',
    { code: 'WORKLOAD_UNKNOWN' },
  );
}
