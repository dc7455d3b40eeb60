import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { ownAudit } from '../support/own-audit.js';
import { entryOf, measuredTrial, plainItem, planOf } from '../support/plan.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const join = (project: { id: string }, user: { id: string }) =>
  app.db.projectMember.create({ data: { projectId: project.id, userId: user.id, role: 'VIEWER' } });

/** The evidence for a plain item of an audit, and for what else shows it. */
async function plain(of: given.GivenAudit) {
  const item = await plainItem(app, of);
  return { item, entry: () => entryOf(app, of.audit.id, of.viewer, item.id) };
}

describe('an imported copy of a trial', () => {
  it('never counts beside its original, whatever it says', async () => {
    const [of, other] = [await given.audit(app.db), await given.audit(app.db)];
    await join(other.project, of.viewer);
    const { item, entry } = await plain(of);
    const originId = await measuredTrial(app, item, of.contributor, { gain: -0.3 });
    const before = await entry();
    for (const gain of [9, -0.3]) await measuredTrial(app, other.item(item.key), other.contributor, { gain, originId });
    expect(await entry()).toEqual(before);
    expect(before).toMatchObject({ expectedGain: -0.3, evidence: { trialCount: 1, hurt: 1 } });
    // The project of the copy has no other word on it
    const elsewhere = await entryOf(app, other.audit.id, of.viewer, other.item(item.key).id);
    expect(elsewhere).toMatchObject({ expectedGain: -0.3, evidence: { trialCount: 1 } });
  });

  it('counts for those who cannot see the original only if it says the same', async () => {
    const [of, hidden] = [await given.audit(app.db), await given.audit(app.db)];
    const { item, entry } = await plain(of);
    const originId = await measuredTrial(app, hidden.item(item.key), hidden.contributor, { gain: 0.25 });
    await measuredTrial(app, item, of.contributor, { gain: 9, originId });
    await measuredTrial(app, item, of.contributor, { gain: 0.25, evidence: 'SINGLE_RUN', originId });
    expect(await entry()).toMatchObject({ gainBasis: 'NONE', evidence: { trialCount: 0 } });
    await measuredTrial(app, item, of.contributor, { gain: 0.25, originId });
    expect(await entry()).toMatchObject({ expectedGain: 0.25, evidence: { trialCount: 1 } });
  });

  it('does not count where the original is of another practice, or was an A/A run', async () => {
    const [of, hidden] = [await given.audit(app.db), await given.audit(app.db)];
    const { item, entry } = await plain(of);
    const another = await plainItem(app, hidden, 1);
    const [elsewhere, control] = [
      await measuredTrial(app, another, hidden.contributor),
      await measuredTrial(app, hidden.item(item.key), hidden.contributor, { isControl: true }),
    ];
    for (const originId of [elsewhere, control]) await measuredTrial(app, item, of.contributor, { originId });
    expect(await entry()).toMatchObject({ gainBasis: 'NONE', evidence: { trialCount: 0 } });
  });

  it('counts once where there is no original, the first that came', async () => {
    const of = await given.audit(app.db);
    const { item, entry } = await plain(of);
    const originId = randomUUID();
    for (const gain of [0.25, 9, 9]) await measuredTrial(app, item, of.contributor, { gain, originId });
    expect(await entry()).toMatchObject({ expectedGain: 0.25, evidence: { trialCount: 1 } });
  });
});

describe('the same runs in two trials', () => {
  it('are one measurement, the newest, and no dead end', async () => {
    const of = await given.audit(app.db);
    const { item, entry } = await plain(of);
    const [before = '', after = '', other = ''] = await given.runs(app.db, of, 'training.step_time', [10, 11, 12]);
    const compared = async (beforeId: string, afterId: string, gain: number) => {
      const trialId = await measuredTrial(app, item, of.contributor, { gain });
      const arm = (runId: string, arm: 'BEFORE' | 'AFTER') => ({ trialId, runId, arm, order: 0 });
      await app.db.trialRun.createMany({ data: [arm(beforeId, 'BEFORE'), arm(afterId, 'AFTER')] });
    };
    await compared(before, after, -0.3);
    await compared(before, after, -0.1);
    expect(await entry()).toMatchObject({ expectedGain: -0.1, isDeadEnd: false, evidence: { trialCount: 1, hurt: 1 } });
    await compared(before, other, -0.2);
    expect(await entry()).toMatchObject({ isDeadEnd: true, evidence: { trialCount: 2, hurt: 2 } });
  });
});

describe('a figure that says nothing of time', () => {
  it('does not rank the item, and stands in the explanation', async () => {
    const of = await given.audit(app.db);
    const { item, entry } = await plain(of);
    const before = await entry();
    await measuredTrial(app, item, of.contributor, { gain: 0.5, metric: 'memory.peak_allocated' });
    const tried = await entry();
    expect(tried).toMatchObject({
      gainBasis: 'NONE',
      score: before.score,
      evidence: { trialCount: 1, helped: 1, medianGain: 0.5 },
    });
    expect(tried.explanation[0]).toEqual({
      en: 'One trial showed a gain of 50 % on memory.peak_allocated: 1 helped, 0 made no difference, 0 hurt; memory.peak_allocated says nothing of time, so it does not count',
      zh: '1 次试验，memory.peak_allocated 收益 50%：有效 1、无差别 0、变差 0；memory.peak_allocated 与时间无关，不计入',
    });
    const sharding = await entryOf(app, of.audit.id, of.viewer, of.item('algorithms/optimizer-sharding').id);
    expect(sharding).toMatchObject({ gainBasis: 'NONE', evidenceWeight: 0.2 });
    expect(sharding.explanation[0]?.en).toMatch(/^The vendor states a gain of 112 % on memory\.peak_allocated, under/);
  });
});

describe('a reference note', () => {
  it('counts for an item that states its figure, and for none that it is only linked to', async () => {
    const of = await given.audit(app.db);
    const { entries } = await planOf(app, of.audit.id, of.viewer);
    const ofItem = (key: string) => entries.find(({ auditItem }) => auditItem.item?.key === key);
    const words = (key: string) => ofItem(key)?.explanation[0]?.en;
    // The notes on TF32 and BF16 products are linked to it, too
    expect(words('precision/tensor-cores-and-tma')).toMatch(/^A reference note measured 7\.32 times the speed on time\.elapsed/);
    // It states the note on cached images the other way round, and with it a loss
    expect(words('io/data-compression')).toMatch(/^A reference note measured 14\.2 times the speed on throughput\.images/);
    expect(ofItem('io/data-compression')?.expectedGain).toBeCloseTo(13.2, 0);
    const linked = await app.db.noteItem.findMany({ include: { note: true, item: { include: { revisions: true } } } });
    const silent = linked.flatMap(({ item }) => {
      const notes = item.revisions.flatMap(({ gain }) => gain as { note?: string }[]).map(({ note }) => note);
      return notes.every((note) => note === undefined) ? [item.id] : [];
    });
    const keys = await app.db.releaseItem.findMany({ where: { revision: { itemId: { in: silent } } } });
    const shown = keys.map(({ key }) => ofItem(key)?.gainBasis).filter((basis) => basis !== undefined);
    expect(shown.length).toBeGreaterThan(3);
    expect(shown).not.toContain('REFERENCE_NOTES');
  }); // prettier-ignore
});

describe('what an item needs', () => {
  it('is moved up to right before it, and no good item sinks', async () => {
    const needs = (key: string) => ({ requires: [`rig/${key}`], because: { [`rig/${key}`]: { en: 'x', zh: '因' } } });
    const own = await ownAudit(app, [
      { key: 'base' },
      { key: 'middle', relations: needs('base') },
      { key: 'good', relations: needs('middle') },
      { key: 'hopeful', relations: needs('dead') },
      { key: 'dead' },
    ]);
    const tried = async (key: string, ...gains: number[]) => {
      for (const gain of gains) await measuredTrial(app, await own.item(key), own.contributor, { gain });
    };
    await tried('good', 0.5);
    await tried('hopeful', 0.2);
    await tried('dead', -0.1, -0.2);
    const { entries } = await planOf(app, own.auditId, own.viewer);
    const keys = entries.map(({ auditItem }) => auditItem.item?.key.slice(4));
    expect(keys).toEqual(['base', 'middle', 'good', 'hopeful', 'dead']);
    expect(entries.map(({ explanation }) => explanation.at(-1)?.zh)).toEqual([
      '“条目 middle”须先具备本条目，因此提前到它之前',
      '须先具备“条目 base”，后者排在本条目之前',
      '须先具备“条目 middle”，后者排在本条目之前',
      '须先具备“条目 dead”，而该条目尚未具备，且排在更后面',
      '试过 2 次，从未有效：排在最后',
    ]);
  });

  it('stands before it everywhere in the shipped checklist', async () => {
    const of = await given.audit(app.db);
    const { entries } = await planOf(app, of.audit.id, of.viewer);
    expect(entries.some(({ explanation }) => explanation.some(({ en }) => en.startsWith('It was moved up')))).toBe(
      true,
    );
    const placeOf = new Map(entries.map(({ auditItem }, place) => [auditItem.item?.key, place]));
    const rows = await app.db.auditItem.findMany({
      where: { auditId: of.audit.id },
      include: { releaseItem: { include: { revision: true } } },
    });
    const pairs = rows.flatMap(({ releaseItem }) => {
      const { requires = [] } = releaseItem?.revision.relations as { requires?: string[] };
      return requires.map((key) => [placeOf.get(key) ?? -1, placeOf.get(releaseItem?.key) ?? -1] as const);
    });
    expect(pairs.length).toBeGreaterThan(5);
    for (const [needed, needing] of pairs) expect(needed).toBeLessThan(needing);
  });
});
