import { fewestThat, MOST_RUNS_TOLD, shiftShown, showsChange, showsSameness } from './power.js';

export interface Plan {
  readonly design: 'TWO_ARMS' | 'PAIRS';
  /** Values of the smaller arm, or pairs, so far. */
  readonly n: number;
  /** The fewest that the method takes. */
  readonly fewest: number;
  /** Standard deviation of one value (of one pair's difference) on the scale of the test. */
  readonly spread: number;
  readonly shift: number;
  readonly limit: number;
  /** The look at which those runs would be judged; the first where absent. */
  readonly look?: number;
}

/**
 * About how many more runs per arm would settle it with 80 % power, if estimate and spread stay as they are. An estimate
 * beyond the limit must be told from zero and reach the limit again; one within it must be shown to be within (power.ts).
 * One that is the limit settles nothing, however many runs there are.
 */
export function moreRunsPerArm({ design, n, fewest, spread, shift, limit, look = 1 }: Plan): number {
  const test = { design, look };
  const size = Math.abs(shift);
  const isChange = size >= limit;
  const isEnough = (count: number): boolean => {
    if (spread === 0) return shiftShown(test, isChange ? 'change' : 'sameness', count) !== null;
    const shows = isChange ? showsChange : showsSameness;
    return shows(test, count, size / spread, limit / spread);
  };
  const needed = fewestThat(isEnough, fewest);
  return needed === null ? MOST_RUNS_TOLD : Math.max(1, needed - n);
}
