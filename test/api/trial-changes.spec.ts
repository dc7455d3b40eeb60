import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { noiseFloorOf } from '../../src/domain/measurement/noise.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const TRIAL = `{
  id verdict looks plannedRunsPerArm isControl isSaidControl override { reason by at }
  beforeRuns { id } afterRuns { id }
  computations { number cause verdict methodVersion comparisons { nBefore } }
  comparisons {
    role verdict evidence method isConfounded moreRunsPerArm pValue gain gainLow requiredGain
    environmentDifferences { key tier } warnings { code message { en zh } }
  }
}`;
const mutation = (name: string): string =>
  `mutation($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) ${TRIAL} }`;
const PROJECT = `mutation($input: RecomputeProjectInput!) {
  recomputeProject(input: $input) {
    isDryRun methodVersion trialCount newCount leftOutCount changedCount
    changed { trial { id } verdictBefore verdictAfter evidenceBefore evidenceAfter }
  }
}`;

const metric = 'training.throughput';
const four = [100, 101, 99, 100.5];
const times = (factor: number, values: readonly number[] = four) => values.map((value) => value * factor);

let app: TestApp;
let audit: given.GivenAudit;
let auditItemId: string;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  audit = await given.audit(app.db);
  auditItemId = audit.item('precision/tf32').id;
});
afterAll(() => app.close());

const runs = (values: readonly number[]) => given.runs(app.db, audit, metric, values);

async function done(name: string, input: object, who: { id: string } = audit.contributor) {
  const { data, errors } = await app.as(who).send(mutation(name), { input });
  expect(errors).toEqual([]);
  return data[name];
}

const create = (change: object = {}) =>
  done('createTrial', {
    auditItemId,
    primaryMetric: metric,
    variable: [],
    beforeRunIds: [],
    afterRunIds: [],
    ...change,
  });
const record = (change: object = {}) =>
  done('recordMeasurement', {
    auditItemId,
    metric,
    sampling: 'SEPARATE_SESSIONS',
    before: four,
    after: four,
    ...change,
  });
const codes = (trial: { comparisons: { warnings: { code: string }[] }[] }) =>
  trial.comparisons[0]?.warnings.map(({ code }) => code);
const storedProof = async () =>
  (await app.db.auditItem.findUniqueOrThrow({ where: { id: auditItemId } })).measuredProof;
const historyOf = (subjectId: string) =>
  app.db.historyEntry.findMany({ where: { subjectId, subject: 'trial' }, orderBy: { id: 'asc' } });

describe('extendTrial', () => {
  it('adds runs in a new computation at a stricter level, and keeps the old one', async () => {
    const trial = await create({ beforeRunIds: await runs([100, 104, 97, 102]), afterRunIds: await runs([101, 108, 99, 105]) });
    expect(trial).toMatchObject({ verdict: 'INCONCLUSIVE', looks: 1 });
    const [before, after] = [await runs([99.5, 101.5]), await runs([107, 109])];
    const counted = await rowsOf(app.db);
    const input = { id: trial.id, beforeRunIds: before, afterRunIds: after, clientMutationId: 'more' };
    const extended = await done('extendTrial', input);
    expect(added(counted, await rowsOf(app.db))).toEqual({ Comparison: 1, HandledRequest: 1, HistoryEntry: 1, TrialRun: 4 });
    expect(extended).toMatchObject({
      verdict: 'INCONCLUSIVE',
      looks: 2,
      computations: [
        { number: 2, cause: 'EXTENDED', verdict: 'INCONCLUSIVE', methodVersion: '1.1.0', comparisons: [{ nBefore: 6 }] },
        { number: 1, cause: 'CREATED', verdict: 'INCONCLUSIVE', comparisons: [{ nBefore: 4 }] },
      ],
    });
    expect(extended.beforeRuns.slice(-2).map(({ id }: { id: string }) => id)).toEqual(before);
    const [comparison] = extended.comparisons;
    expect(comparison.pValue).toBeCloseTo(0.132034632, 9);
    expect(codes(extended)).toEqual(['EXTENDED']);
    expect(comparison.warnings[0].message).toEqual({
      en: 'Runs were added after a first look: this is look 2. Looking again raises the risk of a false alarm, so the interval is one of 99.75%.',
      zh: '首次对比之后又增加了运行，这是第 2 次查看。多次查看会提高误报风险，因此区间按 99.75% 计算。',
    });
    // The same request again changes nothing
    const again = await rowsOf(app.db);
    expect((await done('extendTrial', input)).looks).toBe(2);
    expect(added(again, await rowsOf(app.db))).toEqual({});
    expect((await historyOf(trial.id)).at(-1)).toMatchObject({
      field: 'extended',
      before: { before: 4, after: 4, verdict: 'INCONCLUSIVE' },
      after: { before: 6, after: 6, looks: 2, verdict: 'INCONCLUSIVE' },
    });
  }); // prettier-ignore

  it('changes by which gain the item and the notes of the trial are found', async () => {
    await app.db.auditItem.update({ where: { id: auditItemId }, data: { remark: 'marmots' } });
    const trial = await create({
      beforeRunIds: await runs([100, 101, 99, 100]),
      afterRunIds: await runs([120, 121, 119, 120]),
    });
    const note = {
      title: 'Marmots',
      body: 'They were seen.',
      locale: 'EN',
      outcome: 'HELPED',
      projectId: audit.project.id,
    };
    const published = await app
      .as(audit.contributor)
      .send('mutation($input: PublishNoteInput!) { publishNote(input: $input) { id } }', {
        input: { ...note, trialIds: [trial.id] },
      });
    expect(published.errors).toEqual([]);
    const found = async (minGain: number) => {
      const { data } = await app
        .as(audit.viewer)
        .send('query($filter: SearchFilter!) { search(query: "", filter: $filter) { edges { node { kind } } } }', {
          filter: { project: audit.project.slug, minGain },
        });
      return data.search.edges.map(({ node }: { node: { kind: string } }) => node.kind).sort();
    };
    expect(await found(0.19)).toEqual(['AUDIT_ITEM', 'NOTE']);
    // The medians are 100 and 110 now
    await done('extendTrial', { id: trial.id, beforeRunIds: [], afterRunIds: await runs([100, 100, 100, 100]) });
    expect(await found(0.11)).toEqual([]);
    expect(await found(0.05)).toEqual(['AUDIT_ITEM', 'NOTE']);
  });

  it('claims at a further look what would be a claim at the first only with p below 0.0025', async () => {
    const arms = { beforeRunIds: await runs(four), afterRunIds: await runs(times(1.001)) };
    const trial = await create(arms);
    const more = { beforeRunIds: await runs([100.2]), afterRunIds: await runs([130]) };
    expect((await done('extendTrial', { id: trial.id, ...more })).verdict).toBe('INCONCLUSIVE');
    const one = { beforeRunIds: await runs(four), afterRunIds: await runs(times(1.2)) };
    const other = await create(one);
    expect(other.verdict).toBe('IMPROVED');
    expect(await storedProof()).toBe('VERIFIED');
    // Five separated values have p = 0.0079, which a second look does not take
    const five = await done('extendTrial', { id: other.id, beforeRunIds: await runs([100.2]), afterRunIds: await runs([120.2]) });
    expect(five).toMatchObject({ verdict: 'INCONCLUSIVE', looks: 2, comparisons: [{ gainLow: null }] });
    expect(await storedProof()).toBe('UNVERIFIED');
    const six = await done('extendTrial', { id: other.id, beforeRunIds: await runs([100.3]), afterRunIds: await runs([120.3]) });
    expect(six).toMatchObject({ verdict: 'IMPROVED', looks: 3, comparisons: [{ evidence: 'STATISTICAL' }] });
    expect(await storedProof()).toBe('VERIFIED');
  }); // prettier-ignore

  it('gives a planned trial its runs without a correction', async () => {
    const plan = await create();
    expect(plan).toMatchObject({ verdict: null, computations: [], looks: 1 });
    const extended = await done('extendTrial', { id: plan.id, beforeRunIds: await runs(four), afterRunIds: await runs(times(1.2)) });
    expect(extended).toMatchObject({ verdict: 'IMPROVED', looks: 1, computations: [{ cause: 'CREATED' }] });
    expect(codes(extended)).toEqual([]);
    expect(await storedProof()).toBe('VERIFIED');
  }); // prettier-ignore

  it('counts no look that could not show anything', async () => {
    const trial = await create({ beforeRunIds: await runs([100]), afterRunIds: await runs([120]) });
    expect(trial).toMatchObject({ verdict: 'INCONCLUSIVE', comparisons: [{ method: 'NOISE_FLOOR' }] });
    const three = await done('extendTrial', { id: trial.id, beforeRunIds: await runs([101, 99, 100.5]), afterRunIds: await runs([121, 119, 120.5]) });
    expect(three).toMatchObject({ verdict: 'IMPROVED', looks: 1 });
  }); // prettier-ignore

  it('claims nothing before a plan of runs is reached, and needs no correction then', async () => {
    const trial = await create({ plannedRunsPerArm: 6, beforeRunIds: await runs(four), afterRunIds: await runs(times(1.2)) });
    expect(trial).toMatchObject({
      verdict: 'INCONCLUSIVE',
      plannedRunsPerArm: 6,
      comparisons: [{ verdict: 'INCONCLUSIVE', moreRunsPerArm: 2 }],
    });
    expect(trial.comparisons[0].gain).toBeCloseTo(0.2, 12);
    expect(trial.comparisons[0].warnings[0].message).toEqual({
      en: 'Of 6 planned runs per arm there are 4 before and 4 after. Nothing is claimed until the plan is reached.',
      zh: '计划每组 6 次运行，现有改动前 4 次、改动后 4 次。完成计划前不作结论。',
    });
    const nearly = await done('extendTrial', { id: trial.id, beforeRunIds: await runs([100.2, 100.3]), afterRunIds: await runs([120.2]) });
    expect(nearly).toMatchObject({ verdict: 'INCONCLUSIVE', looks: 1, comparisons: [{ moreRunsPerArm: 1 }] });
    const reached = await done('extendTrial', { id: trial.id, beforeRunIds: [], afterRunIds: await runs([120.3]) });
    expect(reached).toMatchObject({ verdict: 'IMPROVED', looks: 1, comparisons: [{ evidence: 'STATISTICAL' }] });
    expect(codes(reached)).toEqual([]);
    const beyond = await done('extendTrial', { id: trial.id, beforeRunIds: await runs([100.4]), afterRunIds: [] });
    expect(beyond).toMatchObject({ verdict: 'IMPROVED', looks: 2 });
  }); // prettier-ignore

  it.each([0, 1001])('refuses a plan of %i runs', async (plannedRunsPerArm) => {
    const input = { auditItemId, primaryMetric: metric, variable: [], beforeRunIds: [], afterRunIds: [], plannedRunsPerArm };
    expect(await refused(app, app.as(audit.contributor), mutation('createTrial'), input)).toMatchObject({
      code: 'INVALID_INPUT',
      message: `plannedRunsPerArm must be 1 to 1000, and is ${plannedRunsPerArm}`,
    });
  }); // prettier-ignore

  describe('refuses', () => {
    let trial: { id: string; beforeRuns: { id: string }[] };
    beforeEach(async () => {
      trial = await create({ beforeRunIds: await runs(four), afterRunIds: await runs(four) });
    });
    const refusal = async (change: object, who: { id: string } = audit.contributor) =>
      refused(app, app.as(who), mutation('extendTrial'), {
        id: trial.id,
        beforeRunIds: await runs([1]),
        afterRunIds: [],
        ...change,
      });

    it('a run that is there already', async () => {
      const there = trial.beforeRuns[1]?.id ?? '';
      const answer = { code: 'CONFLICT', message: `The run "${there}" is in this trial already` };
      expect(await refusal({ beforeRunIds: [there] })).toMatchObject(answer);
      expect(await refusal({ beforeRunIds: [], afterRunIds: [there] })).toMatchObject(answer);
    });

    it('a run for both arms, no run at all, and one that is not there', async () => {
      const [one = ''] = await runs([1]);
      expect(await refusal({ beforeRunIds: [one], afterRunIds: [one] })).toMatchObject({ code: 'INVALID_INPUT' });
      expect(await refusal({ beforeRunIds: [] })).toMatchObject({ code: 'INVALID_INPUT' });
      expect(await refusal({ beforeRunIds: ['none'] })).toMatchObject({ code: 'NOT_FOUND' });
      const [elsewhere = ''] = await given.runs(app.db, await given.project(app.db), metric, [1]);
      expect(await refusal({ beforeRunIds: [elsewhere] })).toMatchObject({ code: 'NOT_FOUND' });
    });

    it('one arm alone for a plan', async () => {
      const plan = await create();
      expect(await refusal({ id: plan.id })).toMatchObject({
        code: 'INVALID_INPUT',
        message: 'afterRunIds has 0 runs; 1 to 1000 are needed, or none in both arms for a plan',
      });
    });

    it('strangers, readers, and in Chinese too', async () => {
      expect(await refusal({}, audit.stranger)).toMatchObject({ code: 'NOT_FOUND' });
      expect(await refusal({}, audit.viewer)).toMatchObject({ code: 'FORBIDDEN' });
      const chinese = await given.chineseMember(app.db, audit.project.id);
      const there = trial.beforeRuns[0]?.id ?? '';
      expect((await refusal({ beforeRunIds: [there] }, chinese)).message).toBe(`运行“${there}”已在该试验中`);
    });

    it('a closed audit and an archived item', async () => {
      await app.db.auditItem.update({ where: { id: auditItemId }, data: { isArchived: true } });
      expect(await refusal({})).toMatchObject({ code: 'CONFLICT' });
      await app.db.audit.update({ where: { id: audit.audit.id }, data: { status: 'CLOSED' } });
      expect(await refusal({})).toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/^This audit is closed/) });
    });
  }); // prettier-ignore
});

describe('overrideComparability', () => {
  const differing = { environmentBefore: { 'gpu.sku': 'A' }, environmentAfter: { 'gpu.sku': 'B' }, after: times(1.2) };
  const refusal = (name: string, input: object, who: { id: string } = audit.reviewer) =>
    refused(app, app.as(who), mutation(name), input);

  it('compares the arms by the word of a reviewer, whose reason stays, and indicates at most', async () => {
    const trial = await record(differing);
    expect(trial).toMatchObject({ verdict: 'NOT_COMPARABLE', override: null });
    const reason = '两种型号只差显存，本负载用不满';
    const overridden = await done('overrideComparability', { trialId: trial.id, reason }, audit.reviewer);
    expect(overridden).toMatchObject({
      verdict: 'IMPROVED',
      looks: 1,
      override: { reason, by: 'reviewer' },
      computations: [{ number: 2, cause: 'OVERRIDDEN', verdict: 'IMPROVED' }, { number: 1, verdict: 'NOT_COMPARABLE' }],
      comparisons: [
        { verdict: 'IMPROVED', evidence: 'INDICATIVE', isConfounded: true, environmentDifferences: [{ key: 'gpu.sku', tier: 'BLOCK' }] },
      ],
    });
    expect(codes(overridden)).toEqual(['OVERRIDDEN', 'CONFOUNDED']);
    const day = overridden.override.at.slice(0, 10);
    expect(overridden.comparisons[0].warnings[0].message).toEqual({
      en: `Compared although these differ: gpu.sku. By the word of reviewer on ${day}, reason: “${reason}”.`,
      zh: `以下各项不同：gpu.sku。reviewer 于 ${day} 判定仍可对比，理由：“${reason}”。`,
    });
    expect(await storedProof()).toBe('INDICATED');
    expect((await historyOf(trial.id)).at(-1)).toMatchObject({
      field: 'overridden',
      viewerId: audit.reviewer.id,
      before: { verdict: 'NOT_COMPARABLE' },
      after: { verdict: 'IMPROVED' },
      reason,
    });
    expect(await refusal('overrideComparability', { trialId: trial.id, reason })).toMatchObject({ code: 'CONFLICT' });
    const withdrawn = await done('withdrawOverride', { trialId: trial.id, reason: 'Wrong after all' }, audit.maintainer);
    expect(withdrawn).toMatchObject({
      verdict: 'NOT_COMPARABLE',
      override: null,
      computations: [{ number: 3, cause: 'OVERRIDE_WITHDRAWN' }, { number: 2, verdict: 'IMPROVED' }, { number: 1 }],
    });
    expect(await storedProof()).toBe('UNVERIFIED');
    expect((await historyOf(trial.id)).at(-1)).toMatchObject({ before: { reason, by: 'reviewer' }, after: null, reason: 'Wrong after all' });
    expect(await refusal('withdrawOverride', { trialId: trial.id })).toMatchObject({ code: 'CONFLICT' });
  }); // prettier-ignore

  it('is for another reviewer than whoever measured', async () => {
    const own = await done('recordMeasurement', { auditItemId, metric, before: four, ...differing }, audit.reviewer);
    const input = { trialId: own.id, reason: 'Mine' };
    expect(await refusal('overrideComparability', input)).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/^Whoever measured, or said what came out, does not judge/),
    });
    expect(await refusal('overrideComparability', input, audit.contributor)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusal('overrideComparability', input, audit.stranger)).toMatchObject({ code: 'NOT_FOUND' });
    // Nobody else reviews, and nobody has to
    await app.db.projectMember.deleteMany({ where: { projectId: audit.project.id, role: 'MAINTAINER' } });
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { requiresReview: true } });
    expect(await refusal('overrideComparability', input)).toMatchObject({ code: 'FORBIDDEN' });
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { requiresReview: false } });
    expect((await done('overrideComparability', input, audit.reviewer)).verdict).toBe('IMPROVED');
  });

  it('is for differences that block alone', async () => {
    const fine = await record();
    expect(await refusal('overrideComparability', { trialId: fine.id, reason: 'x' })).toMatchObject({
      code: 'CONFLICT',
      message: 'Only a trial whose arms differ in something that blocks can be overridden',
    });
    const noDirection = await app.db.metric.findFirstOrThrow({ where: { scope: '', direction: null } });
    const of = (environment: object) => given.run(app.db, audit, { values: { [noDirection.key]: 1 }, environment: { ...environment } });
    const trial = await create({
      primaryMetric: noDirection.key,
      beforeRunIds: [await of({ 'gpu.sku': 'A' })],
      afterRunIds: [await of({ 'gpu.sku': 'B' })],
    });
    expect(trial.verdict).toBe('NOT_COMPARABLE');
    expect(await refusal('overrideComparability', { trialId: trial.id, reason: 'x' })).toMatchObject({
      code: 'CONFLICT',
      message: 'The arms are not comparable for another reason too, which nobody can override: NO_DIRECTION',
    });
    const blocked = await record(differing);
    expect(await refusal('overrideComparability', { trialId: blocked.id, reason: '  ' })).toMatchObject({ code: 'INVALID_INPUT' });
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { status: 'CLOSED' } });
    expect(await refusal('overrideComparability', { trialId: blocked.id, reason: 'x' })).toMatchObject({ code: 'CONFLICT' });
  }); // prettier-ignore

  it('holds when runs are added, and when the trial is computed anew', async () => {
    const trial = await record(differing);
    await done('overrideComparability', { trialId: trial.id, reason: 'Same die' }, audit.reviewer);
    const more = (sku: string, value: number) =>
      given.run(app.db, audit, { values: { [metric]: value }, environment: { 'gpu.sku': sku } });
    const extended = await done('extendTrial', {
      id: trial.id,
      beforeRunIds: [await more('A', 100.2), await more('A', 100.3)],
      afterRunIds: [await more('B', 120.2), await more('B', 120.3)],
    });
    expect(extended).toMatchObject({ verdict: 'IMPROVED', looks: 2, override: { reason: 'Same die' } });
    expect(codes(extended)).toEqual(['OVERRIDDEN', 'CONFOUNDED', 'EXTENDED']);
    const before = await rowsOf(app.db);
    expect((await done('recomputeTrial', { trialId: trial.id })).verdict).toBe('IMPROVED');
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });
});

describe('recomputation', () => {
  const project = async (input: object = {}, who: { id: string } = audit.maintainer) => {
    const { data, errors } = await app.as(who).send(PROJECT, { input: { projectId: audit.project.id, ...input } });
    expect(errors).toEqual([]);
    return data.recomputeProject;
  };

  it('writes nothing where the newest computation says the same', async () => {
    const trial = await record({ after: times(1.2) });
    expect((await done('recomputeTrial', { trialId: trial.id })).computations).toHaveLength(1);
    await record({ before: [100, 104, 97], after: [101, 98, 102], isControl: true });
    const before = await rowsOf(app.db);
    expect(await project()).toEqual({
      isDryRun: false,
      methodVersion: '1.1.0',
      trialCount: 2,
      newCount: 1,
      leftOutCount: 0,
      changedCount: 0,
      changed: [],
    });
    // The noise floor that was told in the meantime raises the threshold of the first trial
    expect(added(before, await rowsOf(app.db))).toEqual({ Comparison: 1 });
    const again = await rowsOf(app.db);
    expect(await project()).toMatchObject({ newCount: 0 });
    expect(added(again, await rowsOf(app.db))).toEqual({});
  });

  it('takes what became known meanwhile, and says before what would change', async () => {
    const single = await record({ before: [100], after: [150] });
    expect(single.verdict).toBe('INCONCLUSIVE');
    await record({ before: [100, 104, 97], after: [101, 98, 102], isControl: true });
    const before = await rowsOf(app.db);
    const change = {
      trial: { id: single.id },
      verdictBefore: 'INCONCLUSIVE',
      verdictAfter: 'IMPROVED',
      evidenceBefore: 'SINGLE_RUN',
      evidenceAfter: 'SINGLE_RUN',
    };
    expect(await project({ dryRun: true })).toMatchObject({ isDryRun: true, newCount: 1, changedCount: 1, changed: [change] });
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await storedProof()).toBe('UNVERIFIED');
    expect(await project({ clientMutationId: 'all' })).toMatchObject({ isDryRun: false, newCount: 1, changed: [change] });
    expect(await project({ clientMutationId: 'all' })).toMatchObject({ isDryRun: false, newCount: 1 });
    expect(await storedProof()).toBe('INDICATED');
    const { data } = await app.as(audit.viewer).send(`query($id: ID!) { trial(id: $id) ${TRIAL} }`, { id: single.id });
    expect(data.trial).toMatchObject({
      verdict: 'IMPROVED',
      computations: [{ number: 2, cause: 'RECOMPUTED', verdict: 'IMPROVED' }, { number: 1, cause: 'CREATED', verdict: 'INCONCLUSIVE' }],
    });
    expect((await historyOf(single.id)).at(-1)).toMatchObject({ field: 'recomputed', after: { verdict: 'IMPROVED', methodVersion: '1.1.0' } });
  }); // prettier-ignore

  it('gives the results of an old version of the method another row', async () => {
    const trial = await record({ after: times(1.2) });
    await app.db.comparison.updateMany({ where: { trialId: trial.id }, data: { methodVersion: '1.0.0' } });
    const anew = await done('recomputeTrial', { trialId: trial.id, clientMutationId: 'anew' });
    expect(anew.computations).toMatchObject([{ number: 2, methodVersion: '1.1.0' }, { number: 1, methodVersion: '1.0.0' }]);
  }); // prettier-ignore

  it('leaves closed audits and archived items as they are', async () => {
    const trial = await record({ after: times(1.2) });
    await app.db.comparison.updateMany({ where: { trialId: trial.id }, data: { methodVersion: '1.0.0' } });
    await app.db.auditItem.update({ where: { id: auditItemId }, data: { isArchived: true } });
    expect(await project()).toMatchObject({ trialCount: 0, leftOutCount: 1, newCount: 0 });
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { status: 'CLOSED' } });
    expect(await project()).toMatchObject({ trialCount: 0, leftOutCount: 1 });
    const refusal = (input: object, who: { id: string }) =>
      refused(app, app.as(who), mutation('recomputeTrial'), input);
    expect(await refusal({ trialId: trial.id }, audit.contributor)).toMatchObject({ code: 'CONFLICT' });
    expect(await refusal({ trialId: trial.id }, audit.viewer)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusal({ trialId: trial.id }, audit.stranger)).toMatchObject({ code: 'NOT_FOUND' });
    const all = { projectId: audit.project.id };
    expect(await refused(app, app.as(audit.reviewer), PROJECT, all)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('refuses a plan', async () => {
    const plan = await create();
    expect(await refused(app, app.as(audit.contributor), mutation('recomputeTrial'), { trialId: plan.id })).toMatchObject({
      code: 'CONFLICT',
      message: 'This trial is a plan: it has no runs yet',
    });
  }); // prettier-ignore

  it('does not take an inferred A/A run for one that somebody said', async () => {
    const same = (value: number) => given.run(app.db, audit, { values: { [metric]: value }, variant: 'baseline' });
    const arms = {
      beforeRunIds: [await same(100), await same(104), await same(97)],
      afterRunIds: [await same(101), await same(98), await same(102)],
    };
    const trial = await create(arms);
    expect(trial).toMatchObject({ isControl: true, isSaidControl: false });
    await app.db.comparison.updateMany({ where: { trialId: trial.id }, data: { methodVersion: '1.0.0' } });
    await done('extendTrial', { id: trial.id, beforeRunIds: [await same(99)], afterRunIds: [] });
    expect(await app.db.noiseFloor.count({ where: { projectId: audit.project.id } })).toBe(0);
    const said = await create({ ...arms, isControl: true });
    expect(said).toMatchObject({ isControl: true, isSaidControl: true });
    const floor = await app.db.noiseFloor.findFirstOrThrow({ where: { trialId: said.id } });
    expect(floor.value).toBeCloseTo(noiseFloorOf([100, 104, 97, 101, 98, 102]) ?? 0, 12);
  });
});
