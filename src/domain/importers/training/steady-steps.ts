import { medianOf, samplesWithDistribution } from '../distribution.js';
import { fewSamples, incomplete, leftOut, type ImportProblem, type ReadObservation } from '../importer.js';

/** A step of warm-up takes longer than this many usual steps. */
const SLOW = 1.5;
const MOST_WARM_UP = 20;
/** With fewer steps a median says little. */
const FEW_STEPS = 10;

/**
 * How many steps at the start are warm-up: the first, and those behind it that take more than half again the median of
 * the rest, up to a tenth of the steps. A single step is none.
 */
export function warmUpOf(times: readonly number[]): number {
  if (times.length < 2) return 0;
  const usual = medianOf(times.slice(1)) ?? 0;
  const most = Math.min(MOST_WARM_UP, 1 + Math.floor(times.length / 10), times.length - 1);
  let count = 1;
  while (count < most && (times[count] ?? 0) > SLOW * usual) count += 1;
  return count;
}

/** The median of steps of one run, which are its samples; nothing where there are none. */
export function seriesOf(
  metric: string,
  unit: string,
  values: readonly (number | null)[],
  dimensions: ReadObservation['dimensions'] = {},
): readonly ReadObservation[] {
  const numbers = values.filter((value) => value !== null);
  const kept = samplesWithDistribution(numbers);
  const value = medianOf(numbers);
  if (!kept || value === null) return [];
  const single = { metric, dimensions, value, unit };
  return [numbers.length === 1 ? single : { ...single, ...kept }];
}

/** The observation, or nothing for no value. */
export function single(
  metric: string,
  unit: string,
  value: number | null | undefined,
  dimensions: ReadObservation['dimensions'] = {},
): readonly ReadObservation[] {
  return value === null || value === undefined || !Number.isFinite(value) ? [] : [{ metric, dimensions, value, unit }];
}

/** What was left out as warm-up, and whether enough is left. */
export function stepProblems(line: number, dropped: number, total: number): readonly ImportProblem[] {
  const left = total - dropped;
  const found: ImportProblem[] = [];
  if (dropped > 0) {
    found.push(
      leftOut(
        line,
        `Left out as warm-up: the first ${dropped} of ${total} logged steps`,
        `前 ${dropped} 个步为预热，未计入（共记录 ${total} 个步）`,
      ),
    );
  }
  if (left > 0 && left < FEW_STEPS) {
    const [steps, hold] = left === 1 ? ['step', 'is'] : ['steps', 'are'];
    found.push(
      fewSamples(
        line,
        `Only ${left} logged ${steps} ${hold} left: the median says little`,
        `仅剩 ${left} 个记录的步，中位数参考意义有限`,
      ),
    );
  }
  return found;
}

/** A log that stops before the step that it was meant to reach. */
export function unfinished(line: number, reached: number, planned: number): ImportProblem {
  return incomplete(
    line,
    `The log ends at step ${reached} of ${planned}: the training was stopped, or the log is not complete`,
    `日志止于第 ${reached} 步（计划 ${planned} 步）：训练被中止，或日志不完整`,
  );
}
