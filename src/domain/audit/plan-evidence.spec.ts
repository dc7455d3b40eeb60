import { describe, expect, it } from '@jest/globals';
import { isMeasurementOf, measuredOnce, type FoundTrial, type Original } from './plan-evidence.js';

const original = (id: string, of: Partial<FoundTrial> = {}): FoundTrial => ({
  id,
  originId: null,
  runs: null,
  practice: 'practice',
  metric: 'training.step_time',
  verdict: 'IMPROVED',
  gain: 0.1,
  evidence: 'STATISTICAL',
  ...of,
});
const copy = (id: string, originId: string, of: Partial<FoundTrial> = {}) => original(id, { originId, ...of });
const elsewhere = (of: Partial<Original> = {}): ReadonlyMap<string, Original> => {
  const { practice, metric, verdict, gain, evidence } = original('1');
  return new Map([['1', { practice, metric, verdict, gain, evidence, isEvidence: true, ...of }]]);
};
const nowhere: ReadonlyMap<string, Original> = new Map();
const idsOf = (found: readonly FoundTrial[], originals: ReadonlyMap<string, Original> = nowhere) =>
  measuredOnce(found, originals).map(({ id }) => id);

describe('the trials that are measurements of their own', () => {
  it('are each there once, whichever way they were found', () => {
    expect(idsOf([original('2'), original('1'), original('2')])).toEqual(['1', '2']);
  });

  it('are the originals and no copy of them, whatever the copy says and whichever comes first', () => {
    expect(idsOf([copy('0', '1', { gain: 9 }), original('1'), copy('2', '1')], elsewhere())).toEqual(['1']);
  });

  it('are, of copies whose original exists nowhere, the one with the smallest id', () => {
    expect(idsOf([copy('5', '1', { gain: 9 }), copy('4', '1'), copy('3', '2')])).toEqual(['3', '4']);
  });

  it('are, where the original exists but is not found, the first copy that says the same', () => {
    const copies = [copy('3', '1', { gain: 9 }), copy('4', '1', { gain: 0.1 + 1e-12 }), copy('5', '1')];
    expect(idsOf(copies, elsewhere())).toEqual(['4']);
  });

  it.each<[string, Partial<FoundTrial>, Partial<Original>]>([
    ['another gain', { gain: 0.11 }, {}],
    ['no gain', { gain: null }, {}],
    ['another verdict', { verdict: 'REGRESSED' }, {}],
    ['another evidence', { evidence: 'PAIRED' }, {}],
    ['another metric', { metric: 'time.latency' }, {}],
    ['another practice', { practice: 'other' }, {}],
    ['what was an A/A run', {}, { isEvidence: false }],
  ])('are no copies that say otherwise than an original: %s', (_, of, it) => {
    expect(idsOf([copy('3', '1', of)], elsewhere(it))).toEqual([]);
  });

  it('are the newest of those of the same runs on both sides and the same metric', () => {
    const runs = 'AFTER c AFTER d BEFORE a BEFORE b';
    const found = [
      original('1', { runs, gain: 0.3 }),
      original('2', { runs, gain: -0.1 }),
      original('3', { runs, metric: 'time.latency' }),
      original('4', { runs: 'AFTER c BEFORE a' }),
      original('5'),
      original('6'),
    ];
    expect(idsOf(found)).toEqual(['2', '3', '4', '5', '6']);
  });
});

describe('a reference note', () => {
  const stated = { metric: 'time.elapsed', ratio: { from: 1.5, to: 8 }, note: 'matmul' };
  const note = { slug: 'matmul', metric: 'time.elapsed', gain: 6.97 };

  it('is the measurement of a gain that names it, on the metric and with the figure that it measured', () => {
    expect(isMeasurementOf(stated, note)).toBe(true);
    expect(isMeasurementOf(stated, { ...note, gain: 8 * 1.03 - 1 })).toBe(true);
    expect(isMeasurementOf(stated, { ...note, gain: 1.5 * 0.97 - 1 })).toBe(true);
  });

  it.each([
    ['is only linked', { ...stated, note: undefined }, note],
    ['is another one', { ...stated, note: 'other' }, note],
    ['measured another metric', { ...stated, metric: 'memory.peak_allocated' }, note],
    ['measured the reverse change', { ...stated, ratio: { from: 0.125, to: 0.125 } }, note],
    ['has another figure', stated, { ...note, gain: 8 }],
    ['has no figure', stated, { ...note, gain: null }],
  ])('is not where it %s', (_, of, measured) => {
    expect(isMeasurementOf(of, measured)).toBe(false);
  });
});
