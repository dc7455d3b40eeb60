import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Prisma } from '../../src/generated/prisma/client.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import * as support from '../support/plan.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const planOf = (id: string, viewer: { id: string }, args?: object) => support.planOf(app, id, viewer, args);
const entryOf = (id: string, viewer: { id: string }, itemId: string) => support.entryOf(app, id, viewer, itemId);
const trial = (item: { id: string; projectId: string }, by: { id: string }, of?: support.Measured) =>
  support.measuredTrial(app, item, by, of);
const plainItem = (of: given.GivenAudit, at?: number) => support.plainItem(app, of, at);

describe('the plan of an audit', () => {
  it('ranks every open item once, with the statements of one page', async () => {
    const of = await given.audit(app.db);
    let plan: support.Plan | undefined;
    const statements = await app.statementsOf(async () => {
      plan = await planOf(of.audit.id, of.viewer);
    });
    expect(statements).toBeLessThanOrEqual(12);
    expect(plan?.totalCount).toBe(of.items.length);
    expect(new Set(plan?.entries.map(({ auditItem }) => auditItem.id))).toEqual(new Set(of.items.map(({ id }) => id)));
    expect(plan?.entries.map(({ rank }) => rank)).toEqual(of.items.map((_, index) => index + 1));
    expect(plan?.remarks).toEqual([{ en: expect.stringMatching(/^There is no time breakdown/) }]);
    expect(plan?.entries.every(({ explanation }) => explanation.every(({ en, zh }) => en !== '' && zh !== ''))).toBe(
      true,
    );
  });

  it('rests on trials, then measured notes, then what the item states', async () => {
    const of = await given.audit(app.db);
    const { entries } = await planOf(of.audit.id, of.viewer);
    const bases = new Set(entries.map(({ gainBasis }) => gainBasis));
    // What is stated by opinion is of bytes, and says nothing of time
    expect(bases).toEqual(new Set(['REFERENCE_NOTES', 'OWN_MEASUREMENT', 'PUBLIC_BENCHMARK', 'VENDOR_DOC', 'NONE']));
    const item = await plainItem(of);
    const before = entries.find(({ auditItem }) => auditItem.id === item.id);
    expect(before).toMatchObject({
      gainBasis: 'NONE',
      evidenceWeight: 0.2,
      evidence: { trialCount: 0, medianGain: null },
    });
    await trial(item, of.contributor, { gain: 0.12 });
    expect(await entryOf(of.audit.id, of.viewer, item.id)).toMatchObject({
      expectedGain: 0.12,
      gainBasis: 'TRIALS',
      gainMetric: 'training.step_time',
      evidenceWeight: expect.closeTo(0.2 + 0.8 / 3, 12),
      evidence: {
        trialCount: 1,
        helped: 1,
        neutral: 0,
        hurt: 0,
        inconclusive: 0,
        medianGain: 0.12,
        isSameHardware: false,
      },
    });
  });

  it('leaves out what is settled, does not apply or is archived, and lists it where it is asked for', async () => {
    const of = await given.audit(app.db);
    const [settled, outside, overruled, archived, marked] = of.items;
    const change = (item: { id: string } | undefined, data: Prisma.AuditItemUpdateInput) =>
      app.db.auditItem.update({ where: { id: item?.id ?? '' }, data });
    await change(settled, { outcome: 'APPLIED', work: 'DONE' });
    await change(outside, { applies: 'NO' });
    await change(overruled, { overruled: 'NO', overruleReason: 'Not here' });
    await change(archived, { isArchived: true });
    const recheck = {
      recheckCode: 'ENVIRONMENT_CHANGED',
      recheckCause: { en: 'x', zh: 'x' },
      recheckSince: new Date(),
    } as const;
    await change(marked, { outcome: 'APPLIED', work: 'DONE', ...recheck });
    const open = await planOf(of.audit.id, of.viewer);
    const missing = of.items.filter(({ id }) => !open.entries.some(({ auditItem }) => auditItem.id === id));
    expect(missing.map(({ id }) => id)).toEqual([settled, outside, overruled, archived].map((item) => item?.id));
    const all = await planOf(of.audit.id, of.viewer, { isOpenOnly: false });
    expect(all.totalCount).toBe(open.totalCount + 1);
    expect(all.entries.find(({ auditItem }) => auditItem.id === settled?.id)).toMatchObject({ isOpen: false });
  });

  it('counts half of an item that may not apply, and says why', async () => {
    const of = await given.audit(app.db);
    const item = await plainItem(of);
    const known = await entryOf(of.audit.id, of.viewer, item.id);
    const reason = { en: 'needs RDMA, which is not known', zh: '需要 RDMA，目前未知' };
    await app.db.auditItem.update({ where: { id: item.id }, data: { applies: 'UNKNOWN', appliesReasons: [reason] } });
    const unknown = await entryOf(of.audit.id, of.viewer, item.id);
    expect(unknown.score).toBeCloseTo(known.score / 2, 12);
    expect(unknown.explanation.map(({ zh }) => zh)).toContain('是否适用未知（需要 RDMA，目前未知）：只计一半');
  });

  it('has pages, and refuses the cursor of another list', async () => {
    const of = await given.audit(app.db);
    const whole = await planOf(of.audit.id, of.viewer);
    const first = await planOf(of.audit.id, of.viewer, { first: 3 });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const second = await planOf(of.audit.id, of.viewer, { first: 3, after: first.pageInfo.endCursor });
    expect([...first.entries, ...second.entries]).toEqual(whole.entries.slice(0, 6));
    for (const args of [{ first: 501 }, { first: 0 }, { after: 'nonsense' }]) {
      const { errorCode } = await app.as(of.viewer).send(support.PLAN, { id: of.audit.id, ...args });
      expect(errorCode).toBe('INVALID_INPUT');
    }
    expect((await app.as(of.stranger).send(support.PLAN, { id: of.audit.id })).data).toEqual({ audit: null });
  });

  it('ranks an item of the audit alone by what a person wrote of it, and by its own trials', async () => {
    const of = await given.audit(app.db);
    const made = await app.db.auditItem.create({
      data: {
        auditId: of.audit.id, projectId: of.project.id, position: 9_999, applies: 'YES', appliesReasons: [],
        customKey: 'custom/mine', customSection: 'custom',
        custom: { title: { zh: '自定义' }, bottleneck: 'host', effort: 'XS', metrics: [{ key: 'memory.peak_allocated', role: 'primary' }] },
      },
    }); // prettier-ignore
    const threshold = 0.005;
    expect(await entryOf(of.audit.id, of.viewer, made.id)).toMatchObject({
      gainBasis: 'NONE',
      gainMetric: 'memory.peak_allocated',
      effort: 'XS',
      threshold,
      score: expect.closeTo((0.2 * (threshold / (1 + threshold))) / 0.5, 12),
      auditItem: { item: { key: 'custom/mine' } },
    });
    await trial(made, of.contributor, { gain: 0.3, evidence: 'SINGLE_RUN' });
    const entry = await entryOf(of.audit.id, of.viewer, made.id);
    expect([entry.gainBasis, entry.expectedGain]).toEqual(['TRIALS', 0.3]);
    expect(entry.evidenceWeight).toBeCloseTo(0.2 + 0.8 * (0.4 / 3), 12);
  });
});

describe('the evidence behind a rank', () => {
  it('is from every project that the viewer may see, and from no other', async () => {
    const [of, other] = [await given.audit(app.db), await given.audit(app.db)];
    const item = await plainItem(of);
    await trial(other.item(item.key), other.contributor, { gain: 0.2 });
    expect(await entryOf(of.audit.id, of.viewer, item.id)).toMatchObject({
      gainBasis: 'NONE',
      evidence: { trialCount: 0 },
    });
    await app.db.projectMember.create({ data: { projectId: other.project.id, userId: of.viewer.id, role: 'VIEWER' } });
    expect(await entryOf(of.audit.id, of.viewer, item.id)).toMatchObject({
      gainBasis: 'TRIALS',
      expectedGain: expect.closeTo(0.2, 12),
    });
    expect(await entryOf(of.audit.id, of.contributor, item.id)).toMatchObject({ evidence: { trialCount: 0 } });
  });

  it('leaves out A/A runs, end-to-end trials, plans and what could not be compared, and counts an imported copy once', async () => {
    const of = await given.audit(app.db);
    const item = await plainItem(of);
    const measured = await trial(item, of.contributor, { gain: 0.1 });
    await trial(item, of.contributor, { gain: 0.1, originId: measured });
    await trial(item, of.contributor, { gain: 5, isControl: true });
    await trial(item, of.contributor, { gain: 5, verdict: 'NOT_COMPARABLE' });
    const planned = await trial(item, of.contributor, { gain: null });
    await app.db.trial.update({ where: { id: planned }, data: { verdict: null } });
    const whole = await trial(item, of.contributor, { gain: 5 });
    await app.db.audit.update({ where: { id: of.audit.id }, data: { endToEndTrialId: whole } });
    expect((await entryOf(of.audit.id, of.viewer, item.id)).evidence).toEqual({
      trialCount: 1, helped: 1, neutral: 0, hurt: 0, inconclusive: 0, medianGain: 0.1, isSameHardware: false,
    }); // prettier-ignore
  });

  it('prefers the same hardware once there are three trials on it', async () => {
    const [of, other] = [
      await given.audit(app.db, { hardware: 'h100-sxm' }),
      await given.audit(app.db, { hardware: 'mi300x' }),
    ];
    const item = await plainItem(of);
    await app.db.projectMember.create({ data: { projectId: other.project.id, userId: of.viewer.id, role: 'VIEWER' } });
    for (const gain of [0.5, 0.6]) await trial(other.item(item.key), other.contributor, { gain });
    for (const gain of [0.1, 0.2]) await trial(item, of.contributor, { gain });
    const few = await entryOf(of.audit.id, of.viewer, item.id);
    expect(few.evidence).toMatchObject({
      trialCount: 4,
      medianGain: expect.closeTo(Math.sqrt(1.2 * 1.5) - 1, 12),
      isSameHardware: false,
    });
    await trial(item, of.contributor, { gain: 0.15 });
    const enough = await entryOf(of.audit.id, of.viewer, item.id);
    expect(enough.evidence).toMatchObject({
      trialCount: 3,
      medianGain: expect.closeTo(0.15, 12),
      isSameHardware: true,
    });
    // Those on other hardware keep their part in the weight
    expect(enough.evidenceWeight).toBeCloseTo(0.2 + 0.8 * (5 / 7), 12);
  });

  it('puts a dead end last, and says how often it was tried', async () => {
    const of = await given.audit(app.db);
    const item = await plainItem(of);
    for (const gain of [-0.06, -0.02]) await trial(item, of.contributor, { gain });
    const entry = await entryOf(of.audit.id, of.viewer, item.id);
    expect(entry).toMatchObject({
      rank: of.items.length,
      isDeadEnd: true,
      expectedGain: expect.closeTo(Math.sqrt(0.94 * 0.98) - 1, 12),
    });
    expect(entry.score).toBeCloseTo(
      ((0.2 + 0.8 * (2 / 4)) * (1 - 1 / Math.sqrt(0.94 * 0.98))) / entry.effortFactor,
      12,
    );
    expect(entry.explanation.at(-1)).toEqual({
      en: 'Tried 2 times, never helped: it comes last',
      zh: '试过 2 次，从未有效：排在最后',
    });
  });

  it('counts what an adopted note measured, as far as the viewer may see it', async () => {
    const [of, source] = [await given.audit(app.db), await given.audit(app.db)];
    const [item, elsewhere] = [await plainItem(of), await plainItem(source, 1)];
    const shown = await trial(source.item(elsewhere.key), source.contributor, { gain: 0.4 });
    const note = await app.db.note.create({
      data: {
        projectId: source.project.id, locale: 'EN', title: { en: 'Note' }, body: { en: 'Body' }, context: {}, change: {}, outcome: 'HELPED',
        trials: { create: [{ trialId: shown, order: 0 }] },
      },
    }); // prettier-ignore
    await app.db.auditItem.update({ where: { id: item.id }, data: { adoptedFromId: note.id, expectation: 'much' } });
    expect((await entryOf(of.audit.id, of.viewer, item.id)).gainBasis).toBe('NONE');
    await app.db.projectMember.create({ data: { projectId: source.project.id, userId: of.viewer.id, role: 'VIEWER' } });
    expect(await entryOf(of.audit.id, of.viewer, item.id)).toMatchObject({ gainBasis: 'TRIALS', expectedGain: 0.4 });
    const reference = await app.db.note.findFirstOrThrow({ where: { slug: 'train-step-bf16' } });
    await app.db.auditItem.update({ where: { id: item.id }, data: { adoptedFromId: reference.id } });
    const adopted = await entryOf(of.audit.id, of.viewer, item.id);
    expect(adopted).toMatchObject({ gainBasis: 'TRIALS', evidence: { trialCount: 1, helped: 1 } });
    expect(adopted.expectedGain).toBeGreaterThan(5);
  });
});

describe('the ceiling of a plan', () => {
  const setBreakdown = async (of: given.GivenAudit, shares: object) => {
    const input = { auditId: of.audit.id, version: 1, ...shares };
    const mutation = 'mutation($input: SetTimeBreakdownInput!) { setTimeBreakdown(input: $input) { id } }';
    expect((await app.as(of.contributor).send(mutation, { input })).errors).toEqual([]);
  };

  it('is of the share that the item works on, and puts what cannot matter behind all others', async () => {
    const of = await given.audit(app.db);
    await setBreakdown(of, { compute: 0.75, communication: 0.01, host: 0.2 });
    const { entries, remarks } = await planOf(of.audit.id, of.viewer);
    expect(remarks).toEqual([]);
    const bottlenecks = new Map(
      (
        await app.db.auditItem.findMany({
          where: { auditId: of.audit.id },
          select: { id: true, releaseItem: { select: { revision: { select: { bottleneck: true } } } } },
        })
      ).map(({ id, releaseItem }) => [id, releaseItem?.revision.bottleneck]),
    );
    const ofPart = (bottleneck: string) =>
      entries.filter(({ auditItem }) => bottlenecks.get(auditItem.id) === bottleneck);
    for (const entry of ofPart('compute')) expect(entry).toMatchObject({ share: 0.75, ceiling: 3 });
    for (const entry of ofPart('host')) expect(entry).toMatchObject({ share: 0.2, ceiling: expect.closeTo(0.25, 9) });
    for (const entry of [...ofPart('any'), ...ofPart('latency')])
      expect(entry).toMatchObject({ share: null, ceiling: null });
    // Nobody said it, and the others leave 4 %
    for (const entry of ofPart('input'))
      expect(entry).toMatchObject({ share: null, ceiling: expect.closeTo(0.04 / 0.96, 9) });
    for (const { explanation } of ofPart('latency')) {
      expect(explanation.map(({ en }) => en)).toContainEqual(
        expect.stringContaining(' × 0.50 (no one part of the time) × '),
      );
    }
    for (const entry of ofPart('communication'))
      expect(entry).toMatchObject({ share: 0.01, ceiling: expect.closeTo(1 / 99, 9) });
    const below = entries.filter(({ isBelowThreshold }) => isBelowThreshold);
    expect(below.length).toBeGreaterThan(10);
    // Nothing raises them; what is expected to cost time is raised only where something needs it
    const isRaised = ({ explanation }: support.Entry) => explanation.some(({ en }) => en.startsWith('It was moved up'));
    const sunk = entries.filter((one) => one.isBelowThreshold || (one.expectedGain < 0 && !isRaised(one)));
    expect(entries.slice(-sunk.length)).toEqual(sunk);
    const said = below.flatMap(({ explanation }) => explanation.map(({ en }) => en));
    expect(said).toContainEqual(expect.stringMatching(/^At most \+1\.01 % is less than the \d/));
  });

  it('is marked where the breakdown is of device time', async () => {
    const of = await given.audit(app.db);
    const input = {
      auditId: of.audit.id,
      version: 1,
      fileName: `${randomUUID()}.csv`,
      content: 'kernel_type,sum,percentage\nCOMPUTATION,800,80\nCOMMUNICATION,200,20\n',
    };
    const mutation = 'mutation($input: ImportTimeBreakdownInput!) { importTimeBreakdown(input: $input) { format } }';
    expect((await app.as(of.contributor).send(mutation, { input })).errors).toEqual([]);
    const { remarks } = await planOf(of.audit.id, of.viewer, { first: 1 });
    expect(remarks).toEqual([{ en: expect.stringMatching(/^The time breakdown is of device time/) }]);
  });
});
