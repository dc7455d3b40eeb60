import { describe, expect, it } from '@jest/globals';
import type { DifferenceTier, Facts } from '../measurement/environment-diff.js';
import type { TrialRun } from '../measurement/trial.js';
import { pointsOf } from './points.js';
import { where } from './where.js';

const tiers = new Map<string, DifferenceTier>([
  ['workload.concurrency', 'BLOCK'],
  ['workload.output_tokens', 'WARN'],
]);

function run(id: string, workload: Facts, variant: string | null = null): TrialRun {
  const observations = [
    { metric: 'a', dimensions: { size: 8 }, seriesKey: 'size=8', value: 1, repeats: [], blocks: [] },
    { metric: 'a', dimensions: { size: 16 }, seriesKey: 'size=16', value: 1, repeats: [], blocks: [] },
  ];
  return { id, status: 'OK', session: null, block: null, variant, environment: {}, workload, observations };
}

const shown = (before: readonly TrialRun[], after: readonly TrialRun[], declared: readonly string[] = []) =>
  pointsOf({ before, after }, declared, tiers).map((point) => ({
    at: point.at,
    before: point.before.map(({ id }) => id),
    after: point.after.map(({ id }) => id),
  }));

describe('pointsOf', () => {
  const at = (concurrency: number) => ({ 'workload.concurrency': concurrency });

  it('keeps repetitions together, and tells the points of a sweep apart', () => {
    expect(shown([run('b1', at(1)), run('b2', at(1))], [run('a1', at(1))])).toEqual([
      { at: {}, before: ['b1', 'b2'], after: ['a1'] },
    ]);
    expect(shown([run('b1', at(1)), run('b8', at(8))], [run('a8', at(8)), run('a1', at(1))])).toEqual([
      { at: { concurrency: 1 }, before: ['b1'], after: ['a1'] },
      { at: { concurrency: 8 }, before: ['b8'], after: ['a8'] },
    ]);
  });

  it('shows the point that one arm lacks', () => {
    expect(shown([run('b1', at(1)), run('b8', at(8))], [run('a8', at(8))])).toEqual([
      { at: { concurrency: 1 }, before: ['b1'], after: [] },
      { at: { concurrency: 8 }, before: ['b8'], after: ['a8'] },
    ]);
  });

  it('leaves arms without a point in common together, so that their difference is seen', () => {
    expect(shown([run('b1', at(1)), run('b8', at(8))], [run('a16', at(16))])).toEqual([
      { at: {}, before: ['b1', 'b8'], after: ['a16'] },
    ]);
  });

  it('does not part runs by what was declared, nor by what does not block', () => {
    const before = [run('b1', { ...at(1), 'workload.output_tokens': 5 }), run('b8', at(8))];
    const after = [run('a1', at(1)), run('a8', { ...at(8), 'workload.output_tokens': 5 })];
    expect(shown(before, after, ['concurrency'])).toEqual([{ at: {}, before: ['b1', 'b8'], after: ['a1', 'a8'] }]);
  });

  it('names points by the shortest of keys that say the same', () => {
    const of = (id: string, command: string, variant: string) => run(id, { 'workload.command': command }, variant);
    expect(shown([of('b1', 'run --quick', 'A'), of('b2', 'run --slow', 'B')], [of('a2', 'run --slow', 'B')])).toEqual([
      { at: { variant: 'A' }, before: ['b1'], after: [] },
      { at: { variant: 'B' }, before: ['b2'], after: ['a2'] },
    ]);
  });
});

describe('where', () => {
  const runs = [run('one', { 'workload.concurrency': 1 }), run('eight', { 'workload.concurrency': 8 })];
  const kept = (name: string, value: string) =>
    where(runs, [{ name, value }]).map(({ id, observations }) => [id, observations.map(({ seriesKey }) => seriesKey)]);

  it('chooses by a dimension, or by a fact of the run', () => {
    expect(kept('size', '16')).toEqual([
      ['one', ['size=16']],
      ['eight', ['size=16']],
    ]);
    expect(kept('concurrency', '8')).toEqual([['eight', ['size=8', 'size=16']]]);
    expect(kept('workload.concurrency', '1')).toEqual([['one', ['size=8', 'size=16']]]);
    expect(kept('batch', '1')).toEqual([]);
  });
});
