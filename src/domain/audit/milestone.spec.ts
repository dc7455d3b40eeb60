import { describe, expect, it } from '@jest/globals';
import { milestoneDifferences, milestoneSnapshot, MILESTONE_FORMAT, type MilestoneItem } from './milestone.js';

const item = (key: string, changes: Partial<MilestoneItem> = {}): MilestoneItem => ({
  key,
  isCustom: false,
  isArchived: false,
  section: 'rig',
  title: { en: 'Title', zh: '标题' },
  applies: 'YES',
  overruled: null,
  work: 'TODO',
  outcome: 'NOT_ASSESSED',
  reasonCode: null,
  reason: null,
  remark: null,
  recheck: null,
  proof: null,
  assignee: null,
  verdict: null,
  ...changes,
});

const verdict: MilestoneItem['verdict'] = {
  metric: 'training.throughput',
  verdict: 'IMPROVED',
  gain: 0.07,
  gainLow: 0.05,
  gainHigh: 0.09,
  evidence: 'STATISTICAL',
};

describe('milestoneDifferences', () => {
  it.each<[string, Partial<MilestoneItem>, Partial<MilestoneItem>, string[]]>([
    ['how far the work is', {}, { work: 'DONE' }, ['WORK']],
    ['what came out', { outcome: 'REJECTED' }, { outcome: 'DEFERRED' }, ['OUTCOME']],
    ['the kind of reason', { reasonCode: 'LATER' }, { reasonCode: 'OTHER' }, ['OUTCOME']],
    ['the reason', { reason: 'No' }, { reason: 'Not now' }, ['TEXT']],
    ['the remark', { remark: 'Old' }, {}, ['TEXT']],
    ['the Chinese title alone', {}, { title: { en: 'Title', zh: '题目' } }, ['TEXT']],
    ['the proof', { proof: 'UNVERIFIED' }, { proof: 'VERIFIED' }, ['PROOF']],
    ['a first verdict', {}, { verdict }, ['VERDICT']],
    ['an interval', { verdict }, { verdict: { ...verdict, gainLow: 0.06 } }, ['VERDICT']],
    ['the re-check mark', {}, { recheck: 'EXPIRED' }, ['RECHECK']],
    ['what the rules say', {}, { applies: 'NO' }, ['APPLICABILITY']],
    ['what a person says instead of the rules', {}, { overruled: 'NO' }, ['APPLICABILITY']],
    ['much at once', {}, { work: 'DONE', outcome: 'APPLIED', proof: 'UNVERIFIED' }, ['WORK', 'OUTCOME', 'PROOF']],
    ['that it was archived', {}, { isArchived: true, work: 'DONE' }, ['REMOVED']],
    ['that it is there again', { isArchived: true }, {}, ['ADDED']],
  ])('names %s', (_, before, after, kinds) => {
    const [old, now] = [item('a', before), item('a', after)];
    expect(milestoneDifferences([old], [now])).toEqual([{ key: 'a', kinds, before: old, after: now }]);
  });

  it('leaves out what is alike, whose it is, rules that a person overrules, and what was archived on both sides', () => {
    const before = [item('a'), item('b', { overruled: 'YES' }), item('c', { isArchived: true })];
    const after = [item('a', { assignee: 'Li' }), item('b', { overruled: 'YES', applies: 'NO' }), item('c', { isArchived: true })]; // prettier-ignore
    expect(milestoneDifferences(before, after)).toEqual([]);
  });

  it('keeps the order of the later state, and puts what it lacks behind', () => {
    const before = [item('gone'), item('a'), item('b')];
    const after = [item('b', { work: 'DONE' }), item('new'), item('a', { remark: 'Yes' })];
    expect(milestoneDifferences(before, after).map(({ key, kinds }) => [key, ...kinds])).toEqual([
      ['b', 'WORK'],
      ['new', 'ADDED'],
      ['a', 'TEXT'],
      ['gone', 'REMOVED'],
    ]);
  });

  it('says nothing of an archived item that one side never had', () => {
    expect(milestoneDifferences([item('a', { isArchived: true })], [])).toEqual([]);
    expect(milestoneDifferences([], [item('a', { isArchived: true })])).toEqual([]);
  });
});

describe('milestoneSnapshot', () => {
  const snapshot = {
    format: MILESTONE_FORMAT,
    checklist: 'rig',
    release: '1.0.0',
    status: 'OPEN',
    environmentName: null,
    scope: { hardware: null, facts: { 'gpu.count': 8, tags: ['a', 'b'], cuda: null } },
    progress: { total: 1, applicable: 1, assessed: 0, done: 0, verified: 0 },
    timeBreakdown: null,
    items: [item('a', { verdict })],
  };

  it('reads back what was kept', () => {
    expect(milestoneSnapshot.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
  });

  it('refuses another format', () => {
    expect(milestoneSnapshot.safeParse({ ...snapshot, format: 'tunebook-milestone/2' }).success).toBe(false);
  });
});
