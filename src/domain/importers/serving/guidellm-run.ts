import { warning, type ImportProblem, type ReadRun } from '../importer.js';
import { guideObservations, type GuideMetrics } from './guidellm-metrics.js';
import { loadUnknown } from './profile-result.js';
import {
  countsOf, noneCompleted, plain, requestProblems, requestsFrom, statusOf, type Requests, type Result,
} from './requests.js'; // prettier-ignore
import { limitOf, roundedLength, WorkloadFacts } from './workload.js';

/** How GuideLLM sent the requests: `synchronous`, `throughput`, `concurrent@16`, `constant@2.50`, `poisson@2.50`. */
export interface Strategy {
  readonly type: string;
  readonly concurrency: number | null;
  readonly rate: number | null;
}

/** One benchmark of a report. What is null is not stated. */
export interface GuideBenchmark {
  readonly strategy: Strategy;
  readonly line: number;
  readonly metrics: GuideMetrics;
  readonly successful: number | null;
  readonly incomplete: number | null;
  readonly errored: number | null;
  readonly duration: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly toolVersion?: string | null;
  readonly startedAt?: string | null;
  readonly workload?: WorkloadFacts;
  readonly problems?: readonly ImportProblem[];
}

/** By the name that old files and tables give it. */
export function strategyOf(name: string): Strategy | null {
  const [, type, value] = /^(synchronous|throughput|concurrent|constant|poisson|trace)(?:@(\d{1,9}(?:\.\d{1,6})?))?$/.exec(name.trim()) ?? []; // prettier-ignore
  if (type === undefined) return null;
  const number = value === undefined ? null : Number(value);
  return { type, concurrency: type === 'concurrent' ? number : null, rate: type === 'concurrent' ? null : number };
}

export const strategyName = ({ type, concurrency, rate }: Strategy): string =>
  [type, concurrency ?? rate].filter((part) => part !== null).join('@');

/**
 * The result of one benchmark. Requests that were in flight when the time was over are incomplete, which is no failure.
 */
export function guideResult(format: string, found: GuideBenchmark): Result {
  const name = strategyName(found.strategy);
  const requests = requestsFrom(found.successful ?? 0, found.errored);
  const isCounted = found.successful !== null;
  const observations = guideObservations(found.metrics);
  const isNone = isCounted ? requests.completed === 0 : observations.length === 0;
  const duration = found.duration !== null && found.duration > 0 ? [plain('serving.duration', found.duration, 's')] : [];
  const run: ReadRun = {
    status: isCounted ? statusOf(requests) : isNone ? 'FAILED' : 'OK',
    tool: format,
    toolVersion: found.toolVersion ?? null,
    variant: name,
    startedAt: found.startedAt ?? null,
    command: null,
    environment: {},
    workload: workloadOf(found),
    session: null,
    block: null,
    observations: [...(isNone ? [] : [...observations, ...duration]), ...(isCounted ? countsOf(requests) : [])],
  };
  return {
    run,
    refusal: isNone ? of(name, noneCompleted(found.line)) : null,
    problems: isNone ? [] : [...countProblems(found, requests).map((problem) => of(name, problem)), ...(found.problems ?? [])],
  };
} // prettier-ignore

function workloadOf({ strategy, workload = new WorkloadFacts(), inputTokens, outputTokens }: GuideBenchmark) {
  const { type, concurrency, rate } = strategy;
  workload
    .set('tool', 'guidellm')
    .set('concurrency', type === 'synchronous' ? 1 : concurrency)
    .set('request_rate', type === 'throughput' ? limitOf('inf') : rate)
    .set('input_tokens', inputTokens === null || inputTokens <= 0 ? null : roundedLength(inputTokens))
    .set('output_tokens', outputTokens === null || outputTokens <= 0 ? null : roundedLength(outputTokens))
    .set('settings.strategy', type);
  return workload.facts;
}

function countProblems(found: GuideBenchmark, requests: Requests): readonly ImportProblem[] {
  const { line, successful, incomplete, metrics, strategy } = found;
  const { completed } = requests;
  const hasP99 = [...metrics.values()].some(({ values }) => values.p99 !== undefined);
  const isLong = incomplete !== null && incomplete > 0.2 * completed;
  const isLoadKnown = strategy.concurrency !== null || strategy.rate !== null;
  const needsLoad = /^(?:concurrent|constant|poisson)$/.test(strategy.type);
  return [
    ...(successful === null ? [] : requestProblems(requests, hasP99, line)),
    ...(isLong && successful !== null ? [inFlight(incomplete, completed, line)] : []),
    ...(needsLoad && !isLoadKnown ? [loadUnknown(line)] : []),
  ];
}

function inFlight(incomplete: number, completed: number, line: number): ImportProblem {
  return warning(
    line,
    `${incomplete === 1 ? '1 request was' : `${incomplete} requests were`} in flight at the end and not counted, ${completed} completed: measure for longer`,
    `结束时有 ${incomplete} 个请求尚未完成，未计入统计，已完成 ${completed} 个：请延长测试时间`,
    { code: 'FEW_SAMPLES' },
  );
}

/** Several benchmarks may stand in one line. */
function of(name: string, problem: ImportProblem): ImportProblem {
  const { en, zh } = problem.message;
  return { ...problem, message: { en: `${name}: ${en}`, zh: `${name}：${zh}` } };
}
