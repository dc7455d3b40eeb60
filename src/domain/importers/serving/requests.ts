import {
  leftOut,
  partFailed,
  failedRun,
  warning,
  type ImportProblem,
  type Reading,
  type ReadRun,
} from '../importer.js';
import type { ReadObservation } from '../importer.js';

/** How many requests a result is about. `sent` is at least 1. */
export interface Requests {
  readonly sent: number;
  readonly completed: number;
  readonly failed: number;
  /** False where the result does not say how many failed. */
  readonly isFailedKnown: boolean;
}

/** `failed` is null where nobody says it. */
export function requestsFrom(completed: number, failed: number | null): Requests {
  const [done, lost] = [Math.max(completed, 0), Math.max(failed ?? 0, 0)];
  return { completed: done, failed: lost, sent: Math.max(done + lost, 1), isFailedKnown: failed !== null };
}

export function statusOf({ completed, failed, sent }: Requests): ReadRun['status'] {
  if (completed === 0) return 'FAILED';
  return failed / sent > 0.01 ? 'PARTIAL' : 'OK';
}

export function countsOf({ completed, failed, isFailedKnown }: Requests): readonly ReadObservation[] {
  return [
    plain('serving.completed_requests', completed, 'count'),
    ...(isFailedKnown ? [plain('serving.failed_requests', failed, 'count')] : []),
  ];
}

export function plain(metric: string, value: number, unit: string): ReadObservation {
  return { metric, dimensions: {}, value, unit };
}

/** What the counts say about a result: failed ones, and few behind a p99. Nothing where none was completed. */
export function requestProblems(
  { completed, failed, sent }: Requests,
  hasP99: boolean,
  line: number,
): readonly ImportProblem[] {
  if (completed === 0) return [];
  const problems: ImportProblem[] = [];
  if (failed > 0) {
    const share = `${((100 * failed) / sent).toFixed(1)} %`;
    problems.push(
      partFailed(
        line,
        `${failed} of ${sent} requests failed (${share}): latencies are those of the others`,
        `${sent} 个请求中有 ${failed} 个失败（${share}），延迟只统计其余请求`,
      ),
    );
  }
  if (completed < 100 && hasP99) {
    problems.push(
      warning(
        line,
        `Only ${completed === 1 ? '1 request was' : `${completed} requests were`} completed: the p99 is close to the maximum`,
        `仅完成 ${completed} 个请求，p99 接近最大值`,
        { code: 'FEW_SAMPLES' },
      ),
    );
  }
  return problems;
}

/** One result of a file. `refusal` says why it is no measurement; the run may be there all the same, as FAILED. */
export interface Result {
  readonly run: ReadRun | null;
  readonly refusal: ImportProblem | null;
  readonly problems: readonly ImportProblem[];
}

/** The refusal of a result in which no request was completed. */
export function noneCompleted(line: number): ImportProblem {
  return failedRun(line, 'No request was completed: there is nothing to compare', '没有任何请求完成，无可比较的数据');
}

/** All results of a file. A result that is no measurement refuses the file only where there is no other. */
export function readingOf(results: readonly Result[]): Reading {
  const isAnyGood = results.some(({ run, refusal }) => run !== null && refusal === null);
  return {
    runs: results.flatMap(({ run }) => (run ? [run] : [])),
    problems: results.flatMap(({ refusal, problems }) => [
      ...(refusal ? [isAnyGood ? { ...refusal, severity: 'WARNING' as const } : refusal] : []),
      ...problems,
    ]),
  };
}

/**
 * Whether a value is not what others say that it is: off by more than 2 % and by more than the printed digits leave open.
 */
export function contradicts(value: number, expected: number | null, rounding: number): boolean {
  if (expected === null || !Number.isFinite(expected)) return false;
  return Math.abs(value - expected) > 0.02 * Math.abs(expected) + rounding;
}

/** `value` is what was left out, `reason` what speaks against it, both in plain words. */
export function contradiction(line: number, en: [string, string], zh: [string, string]): ImportProblem {
  return leftOut(line, `The ${en[0]} was left out: ${en[1]}`, `未采用${zh[0]}：${zh[1]}`);
}

/** Two decimals of a small rate say little. */
export function roundingProblem(requestsPerSecond: number | null, line: number): readonly ImportProblem[] {
  if (requestsPerSecond === null || requestsPerSecond <= 0 || requestsPerSecond >= 0.5) return [];
  const share = `${(0.5 / requestsPerSecond).toFixed(1)} %`;
  return [
    warning(
      line,
      `A request throughput of ${requestsPerSecond} is rounded by up to ${share}: a file of the tool with all digits is better`,
      `请求吞吐量 ${requestsPerSecond} 的舍入误差可达 ${share}，建议改用保留完整位数的结果文件`,
      { code: 'ROUNDED' },
    ),
  ];
}

/** The metric of a statistic of a latency. Half of all requests are below p50 as below the median: it is one metric. */
export function latencyMetric(latency: string, statistic: string): string {
  return `${latency}.${statistic === 'p50' ? 'median' : statistic}`;
}
