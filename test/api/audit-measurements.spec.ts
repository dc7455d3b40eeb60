import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { comparable } from '../../src/domain/report/record-differences.js';
import { startApp, type TestApp } from '../support/app.js';
import { exportedRecord, importedBy } from '../support/exported.js';
import * as given from '../support/given.js';
import { ownAudit } from '../support/own-audit.js';

const MEASUREMENTS = `query($id: ID!) {
  audit(id: $id) {
    measurements {
      claimCount survivingCount
      comparisons { reportAdjustedP survivesReport trial { id } comparison { metric { key } verdict pValue } }
    }
  }
}`;
const EXPORT = `query($id: ID!, $format: ExportFormat!, $locale: Locale) {
  auditExport(id: $id, format: $format, locale: $locale) { content }
}`;

const metric = 'training.throughput';
const four = [100, 101, 99, 100.5];
const five = [...four, 100.2];
const times = (factor: number, values: readonly number[]) => values.map((value) => value * factor);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function done(team: given.Team, name: string, input: object, who: { id: string } = team.contributor) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await app
    .as(who)
    .send(`mutation($input: ${type}!) { ${name}(input: $input) { id verdict } }`, { input });
  expect(errors).toEqual([]);
  return data[name];
}

const record = (team: given.GivenAudit, input: object, item = 'precision/tf32') =>
  done(team, 'recordMeasurement', { auditItemId: team.item(item).id, metric, sampling: 'SEPARATE_SESSIONS', ...input });

async function measurements(team: given.GivenAudit) {
  const { data, errors } = await app.as(team.viewer).send(MEASUREMENTS, { id: team.audit.id });
  expect(errors).toEqual([]);
  return data.audit.measurements;
}

describe('what an audit claims as a whole', () => {
  let team: given.GivenAudit;
  beforeAll(async () => {
    team = await given.audit(app.db);
    // p of 2/70, 2/252 and 2/252, an A/A run, and one value an arm
    await record(team, { before: four, after: times(1.2, four) });
    await record(team, { before: five, after: times(1.2, five) });
    await record(team, { before: five, after: times(0.8, five) });
    await record(team, { before: four, after: four, isControl: true });
    await record(team, { before: [100], after: [200] });
  });

  it('is corrected by Holm over its primary comparisons', async () => {
    const { claimCount, survivingCount, comparisons } = await measurements(team);
    expect({ claimCount, survivingCount }).toEqual({ claimCount: 3, survivingCount: 3 });
    const p = comparisons.map(({ reportAdjustedP }: { reportAdjustedP: number | null }) => reportAdjustedP);
    expect(p[0]).toBeCloseTo(2 / 70, 12);
    expect(p[1]).toBeCloseTo((3 * 2) / 252, 12);
    expect(p[2]).toBeCloseTo((3 * 2) / 252, 12);
    expect(p.slice(3)).toEqual([null, null]);
    expect(comparisons.map(({ survivesReport }: { survivesReport: boolean }) => survivesReport)).toEqual([
      true,
      true,
      true,
      null,
      null,
    ]);
    expect(comparisons[2]).toMatchObject({ comparison: { metric: { key: metric }, verdict: 'REGRESSED' } });
  });

  it('takes the same number of statements however much was measured', async () => {
    const one = await given.audit(app.db);
    await record(one, { before: four, after: times(1.2, four) });
    await measurements(one);
    const few = await app.statementsOf(() => measurements(one));
    const many = await app.statementsOf(() => measurements(team));
    expect(many).toBe(few);
  });

  it('is in every report, and tells which claim does not survive', async () => {
    const weak = await given.audit(app.db);
    await record(weak, { before: four, after: times(1.2, four) });
    await record(weak, { before: four, after: times(1.3, four) }, 'precision/bf16');
    expect(await measurements(weak)).toMatchObject({
      claimCount: 2,
      survivingCount: 0,
      comparisons: [{ survivesReport: false }, { survivesReport: false }],
    });
    const report = async (format: string, locale: string) => {
      const { data, errors } = await app.as(weak.viewer).send(EXPORT, { id: weak.audit.id, format, locale });
      expect(errors).toEqual([]);
      return data.auditExport.content as string;
    };
    const markdown = await report('MARKDOWN', 'EN');
    expect(markdown).toContain('| p | p in the report |');
    expect(markdown).toContain('| 0.029 | 0.057 | Mann–Whitney |');
    expect(markdown).toContain('does not survive the correction over the report');
    expect(markdown).toContain('the 2 primary comparisons of this report that have a p value, A/A runs left out. 0 of 2 claims of a change survive it.');
    const chinese = await report('HTML', 'ZH');
    expect(chinese).toContain('报告内 p');
    expect(chinese).toContain('未通过报告范围的校正');
    const csv = await report('CSV', 'EN');
    expect(csv).toContain(',p,p in the report,Survives the correction over the report,Method,');
    expect(csv).toMatch(/,0\.0285\d*,0\.0571\d*,no,Mann–Whitney,/);
    const { trials } = await exportedRecord(app.as(weak.viewer), weak.audit.id);
    expect(trials[0]?.comparisons[0]).toMatchObject({ survivesReport: false });
    expect(trials[0]?.comparisons[0]?.reportAdjustedP).toBeCloseTo(4 / 70, 12);
  }); // prettier-ignore

  it('is hidden with the audit', async () => {
    const { data } = await app.as(team.stranger).send(MEASUREMENTS, { id: team.audit.id });
    expect(data.audit).toBeNull();
  });
});

describe('an imported audit', () => {
  /** An audit of one item, whose applicability is that of the rules. */
  async function small() {
    const team = await ownAudit(app, [{ key: 'one' }]);
    const { id: auditItemId } = await team.item('one');
    const measured = (input: object) =>
      done(team, 'recordMeasurement', { auditItemId, metric, sampling: 'SEPARATE_SESSIONS', ...input });
    return { team, auditId: team.auditId, auditItemId, measured };
  }

  it('keeps overrides with their reasons, looks, plans, summaries and what an A/A run told, and has equal verdicts', async () => {
    const { team, auditId, auditItemId, measured } = await small();
    const trialOf = (input: object) =>
      done(team, 'createTrial', { auditItemId, primaryMetric: metric, variable: [], ...input });
    const runs = (values: readonly number[]) => given.runs(app.db, team, metric, values);
    // Without a noise floor, then the floor, then the same arms computed with it
    const single = await measured({ before: [100], after: [150] });
    const other = await measured({ before: [100], after: [150] });
    await measured({ before: [100, 104, 97], after: [101, 98, 102], isControl: true });
    expect((await done(team, 'recomputeTrial', { trialId: other.id })).verdict).toBe('IMPROVED');
    const blocked = await measured({
      before: four,
      after: times(1.2, four),
      environmentBefore: { 'gpu.sku': 'A' },
      environmentAfter: { 'gpu.sku': 'B' },
    });
    await done(team, 'overrideComparability', { trialId: blocked.id, reason: '只差显存容量' }, team.reviewer);
    const grown = await trialOf({ beforeRunIds: await runs(four), afterRunIds: await runs(times(1.2, four)) });
    await done(team, 'extendTrial', { id: grown.id, beforeRunIds: await runs([100.1]), afterRunIds: await runs([120.1]) });
    await trialOf({ plannedRunsPerArm: 9, beforeRunIds: await runs(four), afterRunIds: await runs(times(1.2, four)) });
    await trialOf({ plannedRunsPerArm: 5, beforeRunIds: [], afterRunIds: [] });
    await measured({ before: [], after: [], beforeSummary: { mean: 100, sd: 2, n: 9 }, afterSummary: { mean: 120, sd: 2 } });

    const file = await exportedRecord(app.as(team.viewer), auditId);
    expect(file.trials.map(({ verdict, looks, plannedRunsPerArm, isSaidControl, override }) => [verdict, looks, plannedRunsPerArm, isSaidControl, override?.reason ?? null])).toEqual([
      ['INCONCLUSIVE', 1, null, false, null],
      ['IMPROVED', 1, null, false, null],
      ['INCONCLUSIVE', 1, null, true, null],
      ['IMPROVED', 1, null, false, '只差显存容量'],
      ['INCONCLUSIVE', 2, null, false, null],
      ['INCONCLUSIVE', 1, 9, false, null],
      [null, 1, 5, false, null],
      ['IMPROVED', 1, null, false, null],
    ]);
    expect(file.trials[3]?.override?.by).toEqual({ id: team.reviewer.id, name: 'reviewer' });
    const target = await given.project(app.db);
    await app.db.projectMember.deleteMany({ where: { projectId: target.project.id } });
    const members = await app.db.projectMember.findMany({ where: { projectId: team.project.id } });
    await app.db.projectMember.createMany({ data: members.map((one) => ({ ...one, projectId: target.project.id })) });
    const report = await importedBy(app.owner, target.project.id, file);
    expect(report.problems).toEqual([]);
    const made = await exportedRecord(app.as(team.viewer), report.audit.id);
    expect(comparable({ ...made, history: made.history.slice(0, -1) }).trials).toEqual(comparable(file).trials);
    expect(comparable({ ...made, history: made.history.slice(0, -1) }).runs).toEqual(comparable(file).runs);
    const rows = await app.db.trial.findMany({ where: { projectId: target.project.id }, orderBy: { id: 'asc' } });
    expect(rows[3]).toMatchObject({ overrideReason: '只差显存容量', overriddenById: team.reviewer.id, overriddenByName: 'reviewer' });
    expect(rows.map(({ isSaidControl }) => isSaidControl).indexOf(true)).toBe(2);
    const floors = await app.db.noiseFloor.findMany({ where: { projectId: target.project.id } });
    expect(floors).toMatchObject([{ trialId: rows[2]?.id, runCount: 6, facts: {} }]);
    expect(single.verdict).toBe('INCONCLUSIVE');
    // The word of a reviewer is imported by a maintainer alone
    const refusedTo = await importedBy(app.as(team.contributor), target.project.id, file);
    expect(refusedTo).toMatchObject({
      audit: null,
      problems: [{ place: 'trials[3].override', isBlocking: true, message: expect.stringMatching(/needs the right MANAGE_PROJECT/) }],
    });
    // And not where reviews are required and it is the word of whoever measured
    const spoiled = structuredClone(file);
    spoiled.audit.requiresReview = true;
    const [trial] = spoiled.trials.splice(3, 1);
    if (trial?.override) spoiled.trials.splice(3, 0, { ...trial, override: { ...trial.override, by: trial.createdBy } });
    const own = await importedBy(app.owner, target.project.id, spoiled);
    expect(own.problems).toMatchObject([{ place: 'trials[3].override', message: expect.stringMatching(/judges a trial of their own/) }]);
  }); // prettier-ignore

  it('of an old file, which knows nothing of all this, is read as before', async () => {
    const { team, auditId, measured } = await small();
    await measured({ before: four, after: times(1.2, four) });
    const file = await exportedRecord(app.as(team.viewer), auditId);
    const old = JSON.parse(JSON.stringify(file), (key, value: unknown) =>
      ['isSaidControl', 'plannedRunsPerArm', 'looks', 'override', 'summary', 'reportAdjustedP', 'survivesReport'].includes(key)
        ? undefined
        : value,
    ) as unknown;
    const report = await importedBy(app.owner, team.project.id, old);
    expect(report).toMatchObject({ problems: [], trialCount: 1 });
    const made = await exportedRecord(app.as(team.viewer), report.audit.id);
    expect(made.trials[0]).toMatchObject({ verdict: 'IMPROVED', looks: 1, override: null, isSaidControl: false });
  }); // prettier-ignore
});
