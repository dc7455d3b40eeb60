import { describe, expect, it } from '@jest/globals';
import { drawn, shiftFound } from '../../../test/support/simulated-shifts.js';
import { levelsOfLook } from './looks.js';
import type { MetricDefinition } from './metric.js';
import { shiftShown, showsSameness, fewestThat, type Claim, type TestDesign } from './power.js';
import { runsNeeded } from './runs-needed.js';

// The constants were drawn with 200,000 trials each (npm run bench:power); the seeds here are others.
const TRIALS = 10_000;

const tests: readonly (readonly [TestDesign['design'], number, Claim])[] = (['TWO_ARMS', 'PAIRS'] as const).flatMap(
  (design) =>
    [1, 2].flatMap((look) => (['change', 'sameness'] as const).map((claim) => [design, look, claim] as const)),
);

describe('the shift that the exact tests show with 80 % power', () => {
  it.each(tests)('is that of simulated trials: %s, look %p, %s', (design, look, claim) => {
    for (const n of [4, 5, 6, 7, 8, 9, 10, 11, 12, 16]) {
      const [kept, found] = [
        shiftShown({ design, look }, claim, n),
        shiftFound(design, n, levelsOfLook(look)[claim], TRIALS, 7 * n + look),
      ];
      expect([n, kept === null]).toEqual([n, found === null]);
      if (kept !== null && found !== null) expect(Math.abs(found / kept - 1)).toBeLessThan(0.05);
    }
  });

  it('falls with every further run, and nears the normal formula', () => {
    for (const [design, look, claim] of tests) {
      const shown = Array.from(
        { length: 97 },
        (_, index) => shiftShown({ design, look }, claim, index + 4) ?? Infinity,
      );
      expect(shown.every((shift, index) => index === 0 || shift <= (shown[index - 1] ?? 0))).toBe(true);
    }
    expect(shiftShown({ design: 'TWO_ARMS', look: 1 }, 'change', 4)).toBe(2.882);
    expect(shiftShown({ design: 'TWO_ARMS', look: 1 }, 'change', 1000)).toBeCloseTo(0.1283, 4);
  });
});

describe('the runs that are told', () => {
  const metric: MetricDefinition = {
    ...{ key: 'time', unit: 'ms', dimension: 'time', direction: 'LOWER_IS_BETTER', target: null, isExact: false },
    ...{ smallestEffect: 0.02, role: 'PRIMARY' },
  };

  it.each([
    [0.03, 0.00813],
    [0.025, 0.00813],
    [0.05, 0.02],
    [0.03, 0.012],
    [0.1, 0.05],
    [0.04, 0.015],
  ])('get a verdict in about 80 %% of trials of a change of %p and spread of %p', (effect, sd) => {
    const needed = runsNeeded(metric, effect, { kind: 'REPETITIONS', sd, count: 8 });
    for (const [design, n, spread, fewest] of [
      ['TWO_ARMS', needed.perArm ?? 0, sd, 4],
      ['PAIRS', needed.pairs ?? 0, sd * Math.SQRT2, 6],
    ] as const) {
      const shareOf = (runs: number): number => {
        const [shift, limit] = [Math.log1p(effect) / spread, Math.log1p(0.02) / spread];
        const all = drawn(design, runs, 0.95, TRIALS / 2, 11);
        return all.filter(({ found, error }) => shift > found && shift + error >= limit).length / all.length;
      };
      expect(shareOf(n)).toBeGreaterThan(0.78);
      if (n > fewest + 1) expect(shareOf(n - 2)).toBeLessThan(0.8);
    }
  });

  it('are none for a change at the threshold, or hardly above it', () => {
    const of = (effect: number, sd = 0.00813) => runsNeeded(metric, effect, { kind: 'REPETITIONS', sd, count: 8 });
    expect(of(0.02)).toEqual({ perArm: null, pairs: null, spread: 0.00813, threshold: 0.02, answer: 'AT_THRESHOLD' });
    expect(of(0.0201)).toMatchObject({ perArm: null, answer: 'AT_THRESHOLD' });
    expect(of(0.022)).toMatchObject({ perArm: 26, pairs: 26, answer: 'ENOUGH' });
    expect(of(0.02, 0)).toMatchObject({ perArm: 4, pairs: 6, answer: 'NO_SPREAD' });
  });

  it('that show that nothing changed leave room on both sides', () => {
    const test = { design: 'TWO_ARMS', look: 1 } as const;
    expect(fewestThat((n) => showsSameness(test, n, 0, 1), 4)).toBe(20);
    expect(fewestThat((n) => showsSameness(test, n, 0.5, 1), 4)).toBe(54);
    expect(fewestThat((n) => showsSameness(test, n, 1, 1), 4)).toBeNull();
  });
});
