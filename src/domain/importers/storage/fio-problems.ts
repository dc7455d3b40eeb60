import { fewSamples, incomplete, partFailed, failedRun, type ImportProblem, type ReadRun } from '../importer.js';
import type { Execution, Latency } from './fio-results.js';

/** What of an execution cannot be trusted. */
export function jobProblems(execution: Execution, line: number): readonly ImportProblem[] {
  const found: ImportProblem[] = [];
  const jobs = execution.jobs.filter(({ isTotal }) => !isTotal);
  const failed = jobs.filter((job) => job.error !== 0);
  const [first] = failed;
  if (first && failed.length === jobs.length) {
    found.push(
      failedRun(
        first.line,
        `Every job ended with an error (the first with ${first.error}): this is no measurement`,
        `所有作业都以错误结束（第一个的错误码为 ${first.error}），不能作为测量结果`,
      ),
    );
  } else if (first) {
    found.push(
      partFailed(
        first.line,
        `${failed.length} of ${jobs.length} jobs ended with an error (the first with ${first.error}): the run is marked as failed and has no sum`,
        `${jobs.length} 个作业中有 ${failed.length} 个以错误结束（第一个的错误码为 ${first.error}），该运行标记为失败，不计合计值`,
      ),
    );
  }
  if (execution.isCut) {
    found.push(
      incomplete(
        line,
        'fio was stopped, or the output ends before its summary: the run is partial',
        'fio 被中断，或输出在汇总之前结束，运行不完整',
      ),
    );
  }
  const transfers = jobs.flatMap((job) => job.transfers);
  const few = transfers.filter(({ requests, latencies }) => requests !== null && requests < 100 && hasTail(latencies));
  if (few.length > 0) {
    const least = few.reduce((a, { requests }) => Math.min(a, requests ?? a), 100);
    found.push(
      fewSamples(
        line,
        `Only ${least} requests stand behind a p99: it is close to the maximum`,
        `p99 只基于 ${least} 个请求，接近最大值`,
      ),
    );
  }
  return found;
}

function hasTail(latencies: readonly Latency[]): boolean {
  return latencies.some(({ percentiles }) => percentiles.values.has(99));
}

/** What makes one execution no measurement is no reason to refuse others that succeeded. */
export function settled(runs: readonly ReadRun[], problems: readonly ImportProblem[]): readonly ImportProblem[] {
  const isUsable = runs.some(({ status }) => status !== 'FAILED');
  return isUsable ? problems.map((problem) => ({ ...problem, severity: 'WARNING' as const })) : problems;
}
