import { describe, expect, it } from '@jest/globals';
import { seeded } from '../../../test/support/mutated-text.js';
import { adjustedOver, type FamilyRow } from './family.js';
import { holm } from './holm.js';
import { rankTest } from './rank-test.js';

const values = (numbers: readonly number[], arm: string) =>
  numbers.map((value, index) => ({ value, session: null, block: null, runId: `${arm}${index}` }));
const row = (before: readonly number[], after: readonly number[], prefix = ''): FamilyRow => ({
  result: { pValue: rankTest(before, after).p, method: 'MANN_WHITNEY' },
  before: values(before, `${prefix}b`),
  after: values(after, `${prefix}a`),
});
/** Four runs an arm, all of one arm above the other: p = 2/70. */
const apart = row([1, 2, 3, 4], [5, 6, 7, 8]);

describe('adjustedOver', () => {
  it('leaves rows that move together as they are, however many', () => {
    const adjusted = adjustedOver(Array.from({ length: 29 }, () => apart));
    for (const p of adjusted) expect(p).toBeCloseTo(2 / 70, 12);
  });

  it('counts the ways of dealing out the runs in which any row is as far apart', () => {
    // The second row is apart for two other deals: 4 of 70 have one of the rows apart
    const second = row([1, 2, 3, 8], [5, 6, 7, 4]);
    const [first, other] = adjustedOver([apart, second]);
    expect(second.result.pValue).toBeCloseTo(24 / 70, 12);
    expect(first).toBeCloseTo(4 / 70, 12);
    expect(other).toBeCloseTo(24 / 70, 12);
  });

  it('is as strict at a further look as the row alone', () => {
    expect(adjustedOver([apart, apart], 2)[0]).toBeCloseTo((20 * 2) / 70, 12);
  });

  it('is Holm over rows of other runs, of pairs, of what is no rank test of the values, and of large arms', () => {
    const p = apart.result.pValue ?? 1;
    expect(adjustedOver([apart, row([1, 2, 3, 4], [5, 6, 7, 8], 'other')])).toEqual([2 * p, 2 * p]);
    const paired: FamilyRow = { ...apart, result: { pValue: 0.03125, method: 'SIGNED_RANK' } };
    expect(adjustedOver([paired, paired])).toEqual([0.0625, 0.0625]);
    const ofDistances: FamilyRow = { ...apart, result: { pValue: 0.2, method: 'MANN_WHITNEY' } };
    expect(adjustedOver([ofDistances, apart])).toEqual(holm([0.2, p]));
    const large = row(
      Array.from({ length: 9 }, (_, index) => index),
      Array.from({ length: 9 }, (_, index) => index + 9),
    );
    expect(adjustedOver([large, large])).toEqual(holm([2 / 48620, 2 / 48620]));
  });

  it('leaves a row without a p value out, and is nothing for one row', () => {
    const none: FamilyRow = { ...apart, result: { pValue: null, method: 'NONE' } };
    expect(adjustedOver([none, apart])).toEqual([null, apart.result.pValue]);
    expect(adjustedOver([])).toEqual([]);
  });

  it('is mirrored by swapping the arms, never below the p of a row, and without ties never above that of Holm', () => {
    const random = seeded(7);
    for (let round = 0; round < 60; round += 1) {
      const size = 4 + Math.floor(random() * 3);
      // Every other round with ties; rows share what their runs have in common
      const runs = Array.from({ length: 2 * size }, () => 4 * random());
      const rows = Array.from({ length: 4 }, () => {
        const all = runs.map((common) => common + 6 * random()).map(round % 2 === 0 ? Math.round : (value) => value);
        return row(all.slice(0, size), all.slice(size));
      });
      const adjusted = adjustedOver(rows);
      const mirrored = adjustedOver(
        rows.map(({ result, before, after }) => ({ result, before: after, after: before })),
      );
      const p = rows.map(({ result }) => result.pValue ?? 1);
      const byHolm = holm(p);
      adjusted.forEach((one, index) => {
        expect(one).toBeCloseTo(mirrored[index] ?? NaN, 12);
        expect(one).toBeGreaterThanOrEqual(p[index] ?? 0);
        if (round % 2 === 1) expect(one).toBeLessThanOrEqual((byHolm[index] ?? 1) + 1e-12);
      });
    }
  });

  it('keeps one false alarm among eight rows of no change at 5 %', () => {
    const random = seeded(11);
    const rounds = 2_000;
    let alarms = 0;
    for (let round = 0; round < rounds; round += 1) {
      const common = Array.from({ length: 8 }, () => random());
      const rows = Array.from({ length: 8 }, () => {
        const all = common.map((one) => one + random());
        return row(all.slice(0, 4), all.slice(4));
      });
      if (adjustedOver(rows).some((p) => p !== null && p < 0.05)) alarms += 1;
    }
    expect(alarms / rounds).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / rounds));
  });
});
