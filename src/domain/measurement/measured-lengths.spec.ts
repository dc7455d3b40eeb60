import { describe, expect, it } from '@jest/globals';
import { pointsOf } from '../comparison/points.js';
import { where } from '../comparison/where.js';
import { clientLength, meanLength, roundedLength } from '../importers/serving/workload.js';
import { agrees, classifier } from '../series/environment-class.js';
import { comparabilityOf, environmentDifferences, factsOfArm, type Facts } from './environment-diff.js';
import { joinedFacts } from './joined-facts.js';
import { groupedValue, isSameLength, lengthGroups, wholeLength } from './measured-lengths.js';
import { contextKeyOf, contextReader, exactContextKeyOf } from './noise-context.js';
import type { TrialRun } from './trial.js';

const tokens = (length: number | string): Facts => ({ 'workload.input_tokens': length });
const tiers = new Map([['workload.input_tokens', 'BLOCK'] as const]);
const words = { amounts: new Set<string>(), products: new Map<string, string>(), values: new Map() };
const differences = (before: Facts, after: Facts, declared: readonly string[] = []) =>
  environmentDifferences({ before, after, declared, tiers });
const facts = (workload: Facts) => ({ environment: {}, workload, variant: null });

describe('a length that files tell', () => {
  it('is kept to the token, below 10 to a tenth', () => {
    expect([2047.99, 1023.9, 9.96, 9.94, 1.25, 512].map(wholeLength)).toEqual([2048, 1024, 10, 9.9, 1.3, 512]);
    expect(meanLength(204_799, 100)).toBe(2048);
    expect(meanLength(10_239, 10)).toBe(1024);
    expect(meanLength(null, 0, [1000, 1049])).toBe(1025);
    expect(roundedLength(-1)).toBeNull();
    expect(clientLength({ total_input_tokens: 3081, input_lens: [1026, 1027, 1028, 9], output_lens: [1, 1, 1, 0] }, 'input', 3)).toBe(1027);
  }); // prettier-ignore
});

describe('comparing measured lengths', () => {
  it.each([
    [2048, 2047, true],
    [2048, '2000', true],
    [1000, 950, true],
    [1000, 949, false],
    [2048, 1024, false],
    ['long', 'long', false],
  ])('%p and %p are the same: %p', (one, other, expected) => {
    expect(isSameLength(one, other)).toBe(expected);
    expect(isSameLength(other, one)).toBe(expected);
  });

  it('finds no difference within 5 %, unless the length is what was changed', () => {
    expect(differences(tokens(2048), tokens(2000))).toEqual([]);
    expect(comparabilityOf(differences(tokens(2048), tokens(1024)))).toBe('NOT_COMPARABLE');
    expect(differences(tokens(2048), tokens(2000), ['input_tokens'])).toMatchObject([{ before: '2048', after: '2000' }]);
    expect(differences({ 'workload.num_prompts': 100 }, { 'workload.num_prompts': 99 })).toHaveLength(1);
  }); // prettier-ignore

  it('takes the runs of an arm as one, or as the lengths that they have', () => {
    expect(factsOfArm([tokens(2048), tokens(2047), tokens(2043)])).toEqual(tokens(2046));
    expect(factsOfArm([tokens(2048), tokens('2048')])).toEqual(tokens(2048));
    expect(factsOfArm([tokens(128), tokens(1024), tokens(1023)])).toEqual({ 'workload.input_tokens': ['128', '1024'] });
    const [before, after] = [
      factsOfArm([tokens(128), tokens(1024)]),
      factsOfArm([tokens(1023), tokens(128), tokens(127)]),
    ];
    expect(differences(before, after)).toEqual([]);
  });

  it('sees no conflict where the caller says the length that was asked for', () => {
    const said = (length: number) => joinedFacts({ file: tokens(2047), caller: tokens(length), environment: {} }, tiers, []);
    expect(said(2048)).toMatchObject({ facts: tokens(2047), conflicts: [] });
    expect(said(1024)).toMatchObject({ conflicts: [{ key: 'workload.input_tokens', isBlocking: true }] });
  }); // prettier-ignore

  it('makes points of a sweep of lengths, whatever was measured of each', () => {
    const run = (id: string, length: number): TrialRun => ({
      ...{ id, status: 'OK', session: null, block: null, variant: null, environment: {}, workload: tokens(length) },
      observations: [{ metric: 'a', dimensions: {}, seriesKey: '', value: 1, repeats: [], blocks: [] }],
    });
    const [before, after] = [
      [run('b1', 1024), run('b2', 2048)],
      [run('a1', 1023), run('a2', 2050)],
    ];
    expect(pointsOf({ before, after }, [], tiers).map((one) => [one.at, one.before[0]?.id, one.after[0]?.id])).toEqual([
      [{ input_tokens: 1024 }, 'b1', 'a1'],
      [{ input_tokens: 2049 }, 'b2', 'a2'],
    ]);
    expect(where(after, [{ name: 'input_tokens', value: '2048' }]).map(({ id }) => id)).toEqual(['a2']);
  });
});

describe('grouping by measured lengths', () => {
  it('joins those near each other, and none over more than the tolerance', () => {
    expect([...lengthGroups([1000, 1040, 1080, 2000])]).toEqual([
      [1000, 1020],
      [1040, 1020],
      [1080, 1080],
      [2000, 2000],
    ]);
    expect(groupedValue('workload.input_tokens', ['2047', 2048])).toBe(2000);
    expect(groupedValue('workload.num_prompts', 2047)).toBe(2047);
  });

  it('keeps a series whole, and a filter by the length finds it', () => {
    const classOf = (length: number) =>
      classifier(tiers)({ environment: {}, workload: tokens(length), tool: null, toolVersion: null });
    expect(classOf(2047)).toMatchObject({ id: classOf(2000).id, identity: tokens('2000') });
    expect(classOf(1024).id).not.toBe(classOf(2048).id);
    expect(agrees(tokens(2047), tokens(2048))).toBe(true);
    expect(agrees(tokens(2047), tokens(1024))).toBe(false);
  });

  it('finds floors that were stored by the rounded length, by the whole one, and without facts', () => {
    const now = contextKeyOf([facts(tokens(2047))], tiers);
    const contextOf = contextReader({ tiers, words });
    for (const length of [2000, 2048, '2048']) {
      expect(contextOf({ contextKey: 'as it was named', facts: tokens(length) })).toBe(now);
    }
    // SHA-256 of [["workload.input_tokens",2048]]
    const stored = 'cd57fa45a386753db0e66a79d3c3bf22da25666263c9e15a8880ffe97eca414a';
    expect(exactContextKeyOf([facts(tokens(2048))], tiers)).toBe(stored);
    expect(contextOf({ contextKey: stored, facts: null })).toBe(stored);
  });
});
