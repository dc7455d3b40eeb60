import { describe, expect, it } from '@jest/globals';
import { isOpen } from './open.js';
import { gainSummariesOf, portfolioCountsOf, type PortfolioItemCount } from './portfolio.js';
import { progressOf } from './progress.js';

const plain: PortfolioItemCount = {
  applies: 'YES',
  overruled: null,
  work: 'TODO',
  outcome: 'NOT_ASSESSED',
  measuredProof: null,
  hasRecheck: 'NO',
  isPastDue: 'NO',
  isPutOff: 'NO',
  count: 1,
};
const nothing = {
  total: 0,
  applicable: 0,
  assessed: 0,
  done: 0,
  verified: 0,
  applied: 0,
  rejected: 0,
  deferred: 0,
  indicated: 0,
  unverified: 0,
  regressed: 0,
  stale: 0,
  open: 0,
  inReview: 0,
  overdue: 0,
};
const countsOf = (...items: Partial<PortfolioItemCount>[]) =>
  portfolioCountsOf(items.map((item) => ({ ...plain, ...item })));

describe('portfolioCountsOf', () => {
  it('counts nothing where there is nothing', () => {
    expect(countsOf()).toEqual(nothing);
  });

  it.each<[string, Partial<PortfolioItemCount>, object]>([
    ['an item that nobody has looked at', {}, { open: 2 }],
    ['an item in review', { work: 'IN_REVIEW', outcome: 'REJECTED' }, { assessed: 2, rejected: 2, inReview: 2 }],
    ['an item past its date', { isPastDue: 'YES', outcome: 'DEFERRED' }, { assessed: 2, deferred: 2, open: 2, overdue: 2 }],
    ['an item that is put off', { isPutOff: 'YES', outcome: 'DEFERRED' }, { assessed: 2, deferred: 2 }],
    ['a decided item past its date', { isPastDue: 'YES', outcome: 'APPLIED' }, { assessed: 2, applied: 2, unverified: 2, overdue: 2 }],
    ['a done item past its date', { isPastDue: 'YES', work: 'DONE', outcome: 'ALREADY_IN_PLACE' }, { assessed: 2, done: 2 }],
    ['an applied item without a trial', { outcome: 'APPLIED' }, { assessed: 2, applied: 2, unverified: 2 }],
    ['a verified item', { outcome: 'APPLIED', work: 'DONE', measuredProof: 'VERIFIED' }, { assessed: 2, done: 2, applied: 2, verified: 2 }],
    ['an indicated item', { outcome: 'APPLIED', work: 'DONE', measuredProof: 'INDICATED' }, { assessed: 2, done: 2, applied: 2, indicated: 2 }],
    ['a regressed item', { outcome: 'APPLIED', work: 'DONE', measuredProof: 'REGRESSED' }, { assessed: 2, done: 2, applied: 2, regressed: 2 }],
    ['a rejected item that was measured', { outcome: 'REJECTED', work: 'DONE', measuredProof: 'VERIFIED' }, { assessed: 2, done: 2, rejected: 2 }],
    ['an item with a re-check mark', { outcome: 'APPLIED', work: 'DONE', hasRecheck: 'YES' }, { done: 2, applied: 2, unverified: 2, stale: 2, open: 2 }],
    ['an item of which the rules do not know', { applies: 'UNKNOWN' }, { open: 2 }],
    ['an item that a person brought in', { applies: 'NO', overruled: 'YES' }, { open: 2 }],
  ])('counts %s', (_, item, counts) => {
    expect(countsOf({ ...item, count: 2 })).toEqual({ ...nothing, total: 2, applicable: 2, ...counts });
  }); // prettier-ignore

  it.each<[string, Partial<PortfolioItemCount>]>([
    ['does not apply', { applies: 'NO' }],
    ['was overruled', { overruled: 'NO' }],
    ['is not applicable, says a person', { outcome: 'NOT_APPLICABLE', hasRecheck: 'NO' }],
  ])('counts only in the total what %s', (_, item) => {
    const busy = { work: 'IN_REVIEW', isPastDue: 'YES', hasRecheck: 'YES', measuredProof: 'VERIFIED' } as const;
    expect(countsOf({ outcome: 'APPLIED', ...busy, ...item })).toEqual({ ...nothing, total: 1 });
  });

  it('counts as open, too, what a person called not applicable and is to be looked at again', () => {
    const item = { outcome: 'NOT_APPLICABLE', work: 'DONE', hasRecheck: 'YES' } as const;
    expect(countsOf(item)).toEqual({ ...nothing, total: 1, open: 1 });
  });

  it('agrees with the progress for every state, and its parts add up', () => {
    const items = everyState();
    const counts = portfolioCountsOf(items);
    expect(counts).toMatchObject(progressOf(items));
    expect(counts.verified + counts.indicated + counts.unverified + counts.regressed).toBe(counts.applied);
    expect(counts.open).toBe(items.reduce((sum, item) => sum + (isOpenAlone(item) ? item.count : 0), 0));
  });
});

function isOpenAlone(item: PortfolioItemCount): boolean {
  const { work, outcome } = item;
  return isOpen({ applies: item.overruled ?? item.applies, work, outcome, hasRecheck: item.hasRecheck === 'YES', isPutOff: item.isPutOff === 'YES' });
} // prettier-ignore

function everyState(): PortfolioItemCount[] {
  const answers = ['YES', 'NO', 'UNKNOWN'] as const;
  const works = ['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE'] as const;
  const outcomes = ['NOT_ASSESSED', 'ALREADY_IN_PLACE', 'APPLIED', 'REJECTED', 'DEFERRED', 'NOT_APPLICABLE'] as const;
  const proofs = ['VERIFIED', 'INDICATED', 'UNVERIFIED', 'REGRESSED', null] as const;
  const states: PortfolioItemCount[] = [];
  for (const applies of answers) {
    for (const overruled of [null, ...answers]) {
      for (const work of works) {
        for (const outcome of outcomes) {
          for (const measuredProof of proofs) {
            for (const hasRecheck of ['YES', 'NO'] as const) {
              const count = (states.length % 7) + 1;
              states.push({
                applies,
                overruled,
                work,
                outcome,
                measuredProof,
                hasRecheck,
                isPastDue: 'NO',
                isPutOff: count % 2 === 0 ? 'YES' : 'NO',
                count,
              });
            }
          }
        }
      }
    }
  }
  return states;
}

describe('gainSummariesOf', () => {
  it('says nothing of nothing', () => {
    expect(gainSummariesOf([])).toEqual([]);
  });

  it('gives the middle and the ends of each metric, the most frequent first', () => {
    const gains = [
      { metricId: 'latency', gain: 0.1 },
      { metricId: 'throughput', gain: 0.5 },
      { metricId: 'throughput', gain: -0.25 },
      { metricId: 'throughput', gain: 0.125 },
      { metricId: 'memory', gain: 0.25 },
      { metricId: 'throughput', gain: 0.25 },
    ];
    expect(gainSummariesOf(gains)).toEqual([
      { metricId: 'throughput', count: 4, medianGain: 0.1875, minGain: -0.25, maxGain: 0.5 },
      { metricId: 'latency', count: 1, medianGain: 0.1, minGain: 0.1, maxGain: 0.1 },
      { metricId: 'memory', count: 1, medianGain: 0.25, minGain: 0.25, maxGain: 0.25 },
    ]);
  });
});
