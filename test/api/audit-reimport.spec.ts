import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { comparable } from '../../src/domain/report/record-differences.js';
import type { AuditRecord } from '../../src/domain/report/audit-record.js';
import { startApp, type Client, type TestApp } from '../support/app.js';
import { exportedRecord, IMPORT, importedBy, type WritableRecord } from '../support/exported.js';
import * as given from '../support/given.js';
import { refused } from '../support/refused.js';
import { richAudit, withPeople, type RichAudit } from '../support/rich-audit.js';
import { added, rowsOf } from '../support/rows.js';

let app: TestApp;
let source: RichAudit;
let file: WritableRecord;
/** Of 400 items. */
let large: RichAudit | undefined;

beforeAll(async () => {
  app = await startApp();
  source = await richAudit(app, 20);
  file = await exported(source.auditId);
});
afterAll(() => app.close());

const exported = (id: string, who: { id: string } = source.contributor) => exportedRecord(app.as(who), id);

/** Another project of the same people, and nobody else. */
const sameTeam = async (people: given.Team = source) => (await withPeople(app, people)).project;

const clone = () => structuredClone(file);
const imported = (projectId: string, content: unknown = file, input: object = {}, client: Client = app.owner) =>
  importedBy(client, projectId, content, input);

/** What both records say, without the entry that the import itself is. */
function expectEqual(made: AuditRecord, original: AuditRecord) {
  const last = made.history.at(-1);
  expect(last).toMatchObject({ field: 'imported', by: 'Owner', after: { auditId: original.audit.id } });
  expect(comparable({ ...made, history: made.history.slice(0, -1) })).toEqual(comparable(original));
}

describe('importAudit', () => {
  it('makes an equal audit of 400 items in another project, with all that people and measurements said', async () => {
    large ??= await richAudit(app, 400);
    const original = await exported(large.auditId, large.contributor);
    const { id } = await sameTeam(large);
    const report = await imported(id, original);
    expect(report).toMatchObject({
      problems: [],
      problemCount: 0,
      environment: 'default',
      isDryRun: false,
      itemCount: 401,
      trialCount: 4,
      runCount: 30,
      newRunCount: 30,
      commentCount: 4,
      milestoneCount: 1,
      historyCount: original.history.length,
      audit: { title: 'Rig 1.0.0', status: 'OPEN', project: { id }, progress: original.progress },
    });
    const made = await exported(report.audit.id, large.contributor);
    expectEqual(made, original);
    // What is left out of the comparison is there all the same
    expect(made.items.map(({ assignee }) => assignee)).toEqual(original.items.map(({ assignee }) => assignee));
    expect(made.trials.map(({ id: trialId }) => trialId)).not.toEqual(
      original.trials.map(({ id: trialId }) => trialId),
    );
    // And once more from the copy
    const again = await imported((await sameTeam(large)).id, made);
    expect(again.problems).toEqual([]);
    expectEqual(await exported(again.audit.id, large.contributor), made);
  });

  it('makes an equal audit in the same project, of the runs and the environment that are there', async () => {
    const before = await rowsOf(app.db);
    const report = await imported(source.project.id);
    expect(report).toMatchObject({ problems: [], newRunCount: 0, environment: 'default' });
    const rows = added(before, await rowsOf(app.db));
    expect(rows).toMatchObject({ Audit: 1, AuditItem: 21, Trial: 4, Comment: 4, Milestone: 1 });
    expect(rows).not.toHaveProperty('Run');
    expect(rows).not.toHaveProperty('Environment');
    expect(rows).not.toHaveProperty('Metric');
    expectEqual(await exported(report.audit.id), file);
    const trials = await app.db.trial.findMany({ where: { auditItem: { auditId: report.audit.id } } });
    expect(new Set(trials.map(({ originId }) => originId))).toEqual(new Set(file.trials.map(({ id }) => id)));
  });

  it('makes typed-in runs once, however often the file is imported', async () => {
    const { id } = await sameTeam();
    expect((await imported(id)).newRunCount).toBe(30);
    expect((await imported(id)).newRunCount).toBe(0);
    expect(await app.db.run.count({ where: { projectId: id } })).toBe(30);
  });

  it('gives the same audit for the same request, and another one for another', async () => {
    const { id } = await sameTeam();
    const first = await imported(id, file, { clientMutationId: 'import-1' });
    const before = await rowsOf(app.db);
    expect(await imported(id, file, { clientMutationId: 'import-1' })).toEqual(first);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const { errorCode } = await app.owner.send(IMPORT, {
      input: { projectId: id, content: JSON.stringify(file), title: 'Other', clientMutationId: 'import-1' },
    });
    expect(errorCode).toBe('INVALID_INPUT');
    expect((await imported(id, file, { title: ' 第二份 ' })).audit).toMatchObject({ title: '第二份' });
  });

  it('says in a dry run the same and writes nothing', async () => {
    const { id } = await sameTeam();
    const before = await rowsOf(app.db);
    const tried = await imported(id, file, { dryRun: true });
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const { audit, isDryRun, ...report } = await imported(id);
    expect(isDryRun).toBe(false);
    expect(audit).not.toBeNull();
    expect(tried).toEqual({ audit: null, isDryRun: true, ...report });
  });

  it('imports a closed audit as a closed one', async () => {
    const { id } = await sameTeam();
    const closed = clone();
    closed.audit = { ...closed.audit, status: 'CLOSED', closedAt: new Date().toISOString(), requiresReview: true };
    const report = await imported(id, closed);
    expect(report).toMatchObject({ problems: [], audit: { status: 'CLOSED' } });
    expectEqual(await exported(report.audit.id), closed);
  });
});

describe('importAudit, names and secrets', () => {
  it('gives an environment of the longest name a number within it', async () => {
    const { id } = await sameTeam();
    const long = clone();
    const name = '环'.repeat(200);
    if (long.environment) long.environment.name = name;
    await given.environment(app.db, id, { name, hardware: 'mi300x' });
    const report = await imported(id, long);
    expect(report.environment).toBe(`${'环'.repeat(196)} (2)`);
    expect(await imported(id, long)).toMatchObject({ environment: report.environment });
    // And what was made of it can be imported again
    expect((await imported(id, await exported(report.audit.id))).audit).not.toBeNull();
  });

  it('keeps no secret of a milestone', async () => {
    const leaky = clone();
    const [milestone] = leaky.milestones;
    if (milestone) milestone.snapshot.scope.facts = { 'env.HF_TOKEN': 'hf_abcdefghijklmnopqrstuvwx', torch: '2.7.1' };
    const report = await imported((await sameTeam()).id, leaky);
    expect((await exported(report.audit.id)).milestones[0]?.snapshot.scope.facts).toEqual({ torch: '2.7.1' });
    expect(report.problems).toEqual([
      {
        place: 'milestones[0].snapshot.scope.facts.env.HF_TOKEN',
        message: expect.stringContaining('here is nothing'),
        isBlocking: false,
      },
    ]);
  });
});

describe('importAudit, measurements', () => {
  const RECORD = 'mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id verdict } }';
  const record = async (input: object) => {
    const { data, errors } = await app.as(source.contributor).send(RECORD, { input });
    expect(errors).toEqual([]);
    return data.recordMeasurement;
  };
  const floors = (projectId: string) => app.db.noiseFloor.count({ where: { projectId } });

  it('learns the noise from A/A runs of the file where the project knows none, and judges by it', async () => {
    const { auditId, project } = await richAudit(app, 20, source);
    const items = await app.db.auditItem.findMany({ where: { auditId }, orderBy: { position: 'asc' } });
    const auditItemId = items[5]?.id;
    const metric = 'training.throughput';
    await record({ auditItemId, metric, before: [100, 101, 99], after: [100, 99, 101], isControl: true });
    expect(await record({ auditItemId, metric, before: [100], after: [150] })).toMatchObject({ verdict: 'IMPROVED' });
    const original = await exported(auditId);
    expect(await floors(project.id)).toBe(1);
    const other = await sameTeam();
    const report = await imported(other.id, original);
    expect(report.problems).toEqual([]);
    expectEqual(await exported(report.audit.id), original);
    expect(await floors(other.id)).toBe(1);
    // The floor that the project has stands
    await imported(other.id, original);
    await imported(project.id, original);
    expect(await floors(other.id)).toBe(1);
    expect(await floors(project.id)).toBe(1);
  });

  it('leaves the raw file of a run to be imported, and says that the record does not hold it', async () => {
    const made = await richAudit(app, 20, source);
    const content = JSON.stringify({
      results: [
        {
          command: 'sort',
          mean: 0.5,
          stddev: 0.01,
          median: 0.5,
          user: 0.4,
          system: 0.1,
          min: 0.48,
          max: 0.52,
          times: [0.48, 0.5, 0.52],
          exit_codes: [0, 0, 0],
        },
      ],
    });
    const importRun = async (projectId: string) => {
      const { data, errors } = await app
        .as(source.contributor)
        .send(
          'mutation($input: ImportRunInput!) { importRun(input: $input) { runs { id isNew } problems { message } } }',
          {
            input: { projectId, fileName: 'sort.json', content, environment: { driver: '580.65' } },
          },
        );
      expect(errors).toEqual([]);
      return data.importRun.runs[0];
    };
    const { id: runId } = await importRun(made.project.id);
    await app.db.run.update({ where: { id: runId }, data: { leftOut: 3 } });
    const observation = await app.db.observation.findFirstOrThrow({ where: { runId }, include: { metric: true } });
    const values = { [observation.metric.key]: observation.value };
    const after = await given.run(app.db, made, { values });
    const items = await app.db.auditItem.findMany({ where: { auditId: made.auditId }, orderBy: { position: 'asc' } });
    const { errors } = await app
      .as(source.contributor)
      .send('mutation($input: CreateTrialInput!) { createTrial(input: $input) { id } }', {
        input: {
          auditItemId: items[5]?.id,
          primaryMetric: observation.metric.key,
          variable: ['x'],
          beforeRunIds: [runId],
          afterRunIds: [after],
        },
      });
    expect(errors).toEqual([]);
    const original = await exported(made.auditId);
    const index = original.runs.findIndex(({ id }) => id === runId);
    expect(original.runs[index]).toMatchObject({
      evidence: { fileName: 'sort.json' },
      format: 'hyperfine',
      leftOut: 3,
    });
    const other = await sameTeam();
    const report = await imported(other.id, original);
    expect(report.problems).toMatchObject([
      { place: expect.stringMatching(/^runs\[\d+\]\.evidence$/), isBlocking: false },
    ]);
    const { contentHash } = original.runs[index] ?? {};
    const copy = (await exported(report.audit.id)).runs.find((run) => run.contentHash === contentHash);
    expect(copy).toMatchObject({ factSources: { driver: 'CALLER' }, leftOut: 3 });
    // The file itself is still new to the project, and its run then stands for that of the record
    const genuine = await importRun(other.id);
    expect(genuine.isNew).toBe(true);
    await app.db.run.update({ where: { id: genuine.id }, data: { leftOut: 3 } });
    const again = await imported(other.id, original);
    expect(again.problems).toEqual([]);
    expect((await exported(again.audit.id)).runs.map(({ id }) => id)).toContain(genuine.id);
  });
});

describe('importAudit, what a file claims', () => {
  it('computes verdict, proof and applicability anew, and names what comes out differently', async () => {
    const forged = clone();
    const [trial] = forged.trials;
    for (const one of forged.trials[0]?.comparisons ?? []) {
      one.gain = 9;
      one.verdict = 'REGRESSED';
    }
    if (trial) trial.verdict = 'REGRESSED';
    for (const item of forged.items) {
      if (item.key === 'rig/i-003') item.proof = 'REGRESSED';
      if (item.key === 'rig/i-017') item.applicability = { ...item.applicability, answer: 'YES', derived: 'YES' };
    }
    const report = await imported((await sameTeam()).id, forged);
    expect(report.problems).toEqual([
      {
        place: 'trials[0].verdict',
        message: 'The file says "REGRESSED"; here it is "IMPROVED"',
        isBlocking: false,
      },
      {
        place: 'trials[0].comparisons[0].verdict',
        message: 'The file says "REGRESSED"; here it is "IMPROVED"',
        isBlocking: false,
      },
      {
        place: 'items.rig/i-003.proof',
        message: 'The file says "REGRESSED"; here it is "VERIFIED"',
        isBlocking: false,
      },
      {
        place: 'items.rig/i-017.applicability.answer',
        message: 'The file says "YES"; here it is "NO"',
        isBlocking: false,
      },
      {
        place: 'items.rig/i-017.applicability.derived',
        message: 'The file says "YES"; here it is "NO"',
        isBlocking: false,
      },
    ]);
    expect(report.problemCount).toBe(5);
    expectEqual(await exported(report.audit.id), file);
  });

  it('takes a run of the project as it is, whatever the file says of it', async () => {
    const forged = clone();
    const after = new Set(forged.trials[0]?.afterRunIds);
    for (const run of forged.runs) {
      for (const observation of run.observations) if (after.has(run.id)) observation.value = 500;
    }
    const report = await imported(source.project.id, forged, { dryRun: true });
    expect(report.problems.map(({ place }: { place: string }) => place)).toEqual(
      [5, 6, 7, 8, 9].map((index) => `runs[${index}].observations[0].value`),
    );
  });

  it('keeps people by id, else by a name that one member has, and says who is nobody here', async () => {
    const team = await given.project(app.db);
    const other = await app.db.user.create({ data: { name: '李工' } });
    await app.db.projectMember.create({ data: { projectId: team.project.id, userId: other.id, role: 'CONTRIBUTOR' } });
    await app.db.projectMember.create({
      data: { projectId: team.project.id, userId: source.contributor.id, role: 'CONTRIBUTOR' },
    });
    const named = clone();
    for (const item of named.items) {
      if (item.key === 'rig/i-000') item.assignee = { id: 'somebody', name: '李工' };
      if (item.key === 'rig/i-001') item.assignee = { id: 'nobody', name: 'Nobody' };
      if (item.key === 'rig/i-003') item.assignee = { id: team.viewer.id, name: 'viewer' };
    }
    const report = await imported(team.project.id, named);
    // "reviewer" is there under another id and is the only one of that name
    expect(report.problems).toEqual([
      {
        place: 'items.rig/i-001.assignee',
        message: expect.stringContaining('“Nobody” is not one person of this project'),
        isBlocking: false,
      },
      {
        place: 'items.rig/i-003.assignee',
        message: expect.stringContaining('“viewer” is not one person of this project who may do this'),
        isBlocking: false,
      },
    ]);
    const made = await exported(report.audit.id);
    const item = (key: string) => made.items.find((one) => one.key === key);
    expect(item('rig/i-000')?.assignee).toEqual({ id: other.id, name: '李工' });
    expect(item('rig/i-001')?.assignee).toBeNull();
    expect(item('rig/i-002')?.acceptedBy).toEqual({ id: team.reviewer.id, name: 'reviewer' });
  });

  it('writes comments, milestones and history under the names of the file and under nobody’s account', async () => {
    const { id } = await sameTeam();
    const stranger = clone();
    const [entry] = stranger.history;
    if (entry) Object.assign(entry, { by: '外部人员', subject: 'note', subjectId: source.project.id });
    const { audit } = await imported(id, stranger);
    const history = await app.db.historyEntry.findMany({ where: { auditId: audit.id }, orderBy: { id: 'asc' } });
    expect(history[0]).toMatchObject({ byName: '外部人员', viewerId: null, subject: 'note' });
    // Nothing is written into the history of something that the file does not hold
    expect(history[0]?.subjectId).not.toBe(source.project.id);
    expect(history.slice(0, -1).filter(({ viewerId }) => viewerId !== null)).toEqual([]);
    expect(history.at(-1)).toMatchObject({ viewerId: 'owner', field: 'imported' });
    const comments = await app.db.comment.findMany({ where: { auditItem: { auditId: audit.id } } });
    expect(comments.map(({ authorId }) => authorId)).toEqual([null, null, null, null]);
    expect(await app.db.commentMention.count({ where: { comment: { auditItem: { auditId: audit.id } } } })).toBe(0);
    expect(await app.db.milestone.findFirstOrThrow({ where: { auditId: audit.id } })).toMatchObject({
      createdById: null,
      createdByName: 'reviewer',
    });
  });

  it('puts an environment of the same name that is another one beside it', async () => {
    const { id } = await sameTeam();
    await given.environment(app.db, id, { name: 'default', hardware: 'mi300x' });
    const report = await imported(id);
    expect(report).toMatchObject({ environment: 'default (2)' });
    expect(report.problems).toEqual([
      {
        place: 'environment.name',
        message: 'The file says "default"; here it is "default (2)"',
        isBlocking: false,
      },
    ]);
    expect(await imported(id)).toMatchObject({ environment: 'default (2)' });
    expect(await app.db.environment.count({ where: { projectId: id } })).toBe(2);
  });

  it('can be found by the search, by whoever sees the project alone', async () => {
    const { id } = await sameTeam();
    const { audit } = await imported(id);
    const query = `query($query: String!) { search(query: $query, first: 50) { edges { node { kind auditItem { audit { id } } } } } }`;
    const found = async (who: { id: string }, text: string) => {
      const { data, errors } = await app.as(who).send(query, { query: text });
      expect(errors).toEqual([]);
      return JSON.stringify(data.search);
    };
    expect(await found(source.contributor, '显存占用偏高')).toContain(audit.id);
    expect(await found(source.stranger, '显存占用偏高')).not.toContain(audit.id);
  });

  it('adds the items that the file lacks, as nobody has looked at them', async () => {
    const short = clone();
    short.items = short.items.filter(({ key }) => key !== 'rig/i-019');
    const report = await imported((await sameTeam()).id, short);
    expect(report.audit.progress.total).toBe(20);
    expect(report.problems.map(({ place }: { place: string }) => place)).toContain('items.rig/i-019');
  });
});

describe('importAudit refuses', () => {
  const refusals: readonly [string, (record: WritableRecord) => void, string][] = [
    ['a state that no item has', (record) => Object.assign(record.items[5] ?? {}, { work: 'DONE' }), 'items[5]'],
    ['a value of no enum', (record) => Object.assign(record.items[5] ?? {}, { work: 'LATER' }), 'items[5].work'],
    ['an item twice', (record) => record.items.splice(1, 1, ...record.items.slice(0, 1)), 'items[1].key'],
    ['an item of no release', (record) => Object.assign(record.items[5] ?? {}, { key: 'rig/none' }), 'items[5].key'],
    ['a run that is nowhere', (record) => record.runs.splice(0, 1), 'trials[0].beforeRunIds[0]'],
    [
      'text that cannot be stored',
      (record) => Object.assign(record.items[5] ?? {}, { remark: 'a\0b' }),
      'items[5].remark',
    ],
    [
      'a text too long',
      (record) => Object.assign(record.items[5] ?? {}, { remark: 'x'.repeat(100_001) }),
      'items[5].remark',
    ],
    ['a metric of another unit', (record) => Object.assign(record.metrics[0] ?? {}, { unit: 'parsec' }), 'metrics[0]'],
    ['another format', (record) => Object.assign(record, { format: 'tunebook-audit/2' }), 'format'],
  ];

  it.each(refusals)('%s, by its place, and writes nothing', async (_, spoil, place) => {
    const { id } = await sameTeam();
    const broken = clone();
    spoil(broken);
    const before = await rowsOf(app.db);
    const report = await imported(id, broken);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(report.audit).toBeNull();
    expect(report.problems[0]).toMatchObject({ place, isBlocking: true });
  });

  it('what is not JSON, in the language of whoever asks', async () => {
    const { id } = await sameTeam();
    const chinese = await given.chineseMember(app.db, id);
    const report = await imported(id, '{', {}, app.as(chinese));
    expect(report).toMatchObject({ audit: null, problems: [{ place: '', isBlocking: true }] });
    expect(report.isDryRun).toBe(false);
    expect(report.problems[0].message).toMatch(/^文件不是 JSON：/);
    const tried = await imported(id, '{}', { dryRun: true }, app.as(chinese));
    expect(tried).toMatchObject({ audit: null, isDryRun: true });
    expect(tried.problems).toEqual([
      { place: 'format', message: '文件未注明格式；导出的审计为“tunebook-audit/1”', isBlocking: true },
    ]);
  });

  it('a checklist that is not there or not for the viewer, and names it', async () => {
    const { id } = await sameTeam();
    const newer = clone();
    newer.checklist = { ...newer.checklist, version: '9.0.0' };
    for (const item of newer.items) if (item.release !== null) item.release = '9.0.0';
    const send = (record: unknown, client: Client) =>
      refused(app, client, IMPORT, { projectId: id, content: JSON.stringify(record) });
    expect(await send(newer, app.as(source.contributor))).toMatchObject({
      code: 'INVALID_INPUT',
      message: `There is no release 9.0.0 of the checklist "${source.checklist}" here; import it first with importChecklist`,
    });
    expect(await send(file, app.as(source.maintainer))).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('strangers, members without the right, and nobody in particular', async () => {
    const { id } = await sameTeam();
    const input = { projectId: id, content: JSON.stringify(file) };
    expect(await refused(app, app.as(source.stranger), IMPORT, input)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(app, app.as(source.viewer), IMPORT, input)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refused(app, app.as(null), IMPORT, input)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('no field of a newer version, but says that it is left out', async () => {
    const newer = clone();
    for (const item of newer.items.slice(0, 3)) Object.assign(item, { mood: 'good' });
    const report = await imported((await sameTeam()).id, newer, { dryRun: true });
    expect(report.problems).toEqual([
      {
        place: 'items[0].mood',
        message: 'is not known to this version and is left out (places in the file: 3)',
        isBlocking: false,
      },
    ]);
  });
});

describe('importAudit, how much it asks of the database', () => {
  /** The record with so many copies of its first trial, each of runs of its own on another item. */
  function withTrials(original: AuditRecord, count: number): WritableRecord {
    const record = structuredClone(original);
    const newId = (kind: number, number: number) =>
      `00000000-0000-7000-8${String(kind).padStart(3, '0')}-${String(number).padStart(12, '0')}`;
    const copiedRun = (old: string, id: string): string => {
      const run = record.runs.find((one) => one.id === old);
      if (run) record.runs.push({ ...run, id, session: id });
      return id;
    };
    const free = record.items.filter(({ trialIds, isArchived }) => trialIds.length === 0 && !isArchived);
    free.slice(0, count).forEach((item, index) => {
      const [first] = original.trials;
      if (!first) return;
      const id = newId(1, index);
      const arm = (kind: number, ids: readonly string[]) =>
        ids.map((old, position) => copiedRun(old, newId(kind, index * 100 + position)));
      const [beforeRunIds, afterRunIds] = [arm(2, first.beforeRunIds), arm(3, first.afterRunIds)];
      record.trials.push({ ...first, id, originId: id, auditItemKey: item.key, beforeRunIds, afterRunIds });
      item.trialIds = [id];
    });
    return record;
  }

  it.each([0, 60])('makes 400 items and %i more trials of their own runs in as many statements', async (count) => {
    large ??= await richAudit(app, 400);
    const record = withTrials(await exported(large.auditId, large.contributor), count);
    const { id } = await sameTeam(large);
    const reports: unknown[] = [];
    const statements = await app.statementsOf(async () => reports.push(await imported(id, record)));
    expect(reports).toMatchObject([{ itemCount: 401, trialCount: 4 + count, newRunCount: 30 + 10 * count }]);
    expect(await app.db.trial.count({ where: { projectId: id, verdict: 'IMPROVED' } })).toBe(2 + count);
    expect(statements).toBeLessThanOrEqual(85);
  });
});
