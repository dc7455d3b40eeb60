import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecordedPerson } from '../../src/domain/report/record-parts.js';
import { startApp, type TestApp } from '../support/app.js';
import { exportedRecord, importedBy, type WritableRecord } from '../support/exported.js';
import * as given from '../support/given.js';
import { richAudit, withPeople, type RichAudit } from '../support/rich-audit.js';
import { added, rowsOf } from '../support/rows.js';

// A file is the word of whoever imports it.

let app: TestApp;
let source: RichAudit;
/** Without anything that a reviewer decided. */
let plain: WritableRecord;
let file: WritableRecord;

beforeAll(async () => {
  app = await startApp();
  source = await richAudit(app, 20);
  // Everybody sees its checklist
  await app.db.checklist.update({ where: { slug: source.checklist }, data: { ownerId: null } });
  file = await exportedRecord(app.owner, source.auditId);
  plain = structuredClone(file);
  for (const item of plain.items) {
    Object.assign(item, { acceptedBy: null, acceptedAt: null });
    for (const comment of item.comments) comment.decision = null;
  }
});
afterAll(() => app.close());

const sameTeam = async () => (await withPeople(app, source)).project.id;
const person = ({ id, name }: { id: string; name: string }): RecordedPerson => ({ id, name });

/** The record with one item and the audit as these functions leave them. */
function changed(record: WritableRecord, key: string, said: object, audit: object = {}): WritableRecord {
  const copy = structuredClone(record);
  Object.assign(copy.items.find((item) => item.key === key) ?? {}, said);
  Object.assign(copy.audit, audit);
  return copy;
}

/** What keeps somebody from importing a record, which then writes nothing. */
async function blockedFor(who: { id: string }, record: unknown) {
  const projectId = await sameTeam();
  const before = await rowsOf(app.db);
  const report = await importedBy(app.as(who), projectId, record);
  expect(added(before, await rowsOf(app.db))).toEqual({});
  expect(report.audit).toBeNull();
  return report.problems
    .filter(({ isBlocking }: { isBlocking: boolean }) => isBlocking)
    .map(({ place, message }: { place: string; message: string }) => `${place}: ${message}`);
}

const done = { work: 'DONE', outcome: 'APPLIED', reasonCode: null, reason: null, expiresAt: null };
const closed = { status: 'CLOSED', closedAt: '2025-01-01T00:00:00.000Z' };
const decision = {
  comments: [
    {
      id: '0190aaaa-0000-7000-8000-000000000001',
      author: 'reviewer',
      body: 'LGTM',
      decision: 'ACCEPTED',
      createdAt: '2025-01-01T00:00:00.000Z',
      editedAt: null,
      replyTo: null,
    },
  ],
};

describe('importAudit, decisions of reviewers', () => {
  const STANDS =
    'Work that a reviewer accepted: whoever imports it stands for those who did it, so this needs the right';

  it('are not for a contributor to write, by place and right', async () => {
    const accepted = file.items.findIndex(({ acceptedBy }) => acceptedBy !== null);
    expect(await blockedFor(source.contributor, file)).toEqual([
      `items[${accepted}].acceptedBy: ${STANDS} MANAGE_PROJECT in the project (places in the file: 1)`,
      expect.stringMatching(
        /^items\[\d+\]\.comments\[0\]\.decision: The decision of a reviewer in a comment needs the right REVIEW_AUDITS/,
      ),
    ]);
    expect(await blockedFor(source.contributor, changed(plain, 'rig/i-004', {}, closed))).toEqual([
      'audit.status: A closed audit needs the right REVIEW_AUDITS in the project (places in the file: 1)',
    ]);
    expect(await blockedFor(source.contributor, changed(plain, 'rig/i-004', decision))).toEqual([
      'items[4].comments[0].decision: The decision of a reviewer in a comment needs the right REVIEW_AUDITS in the project (places in the file: 1)',
    ]);
  });

  it('hold for work that is DONE where reviews are required, also without a reviewer', async () => {
    const required = changed(plain, 'rig/i-000', {}, { requiresReview: true });
    for (const item of required.items) Object.assign(item, { work: 'TODO' });
    Object.assign(required.items[3] ?? {}, done);
    for (const who of [source.contributor, source.reviewer]) {
      expect(await blockedFor(who, required)).toEqual([
        `items[3].work: ${STANDS} MANAGE_PROJECT in the project (places in the file: 1)`,
      ]);
    }
  });

  it('let a reviewer bring comments and a closed audit, and nothing that was accepted', async () => {
    const projectId = await sameTeam();
    const report = await importedBy(app.as(source.reviewer), projectId, changed(plain, 'rig/i-004', decision, closed));
    expect(report.audit).toMatchObject({ status: 'CLOSED' });
    const by = { acceptedBy: person(source.reviewer), acceptedAt: '2025-01-01T00:00:00.000Z' };
    const accepted = changed(plain, 'rig/i-004', { ...done, ...by, assessedBy: person(source.contributor) });
    expect(await blockedFor(source.reviewer, accepted)).toEqual([
      `items[4].acceptedBy: ${STANDS} MANAGE_PROJECT in the project (places in the file: 1)`,
    ]);
  });

  it('are named in Chinese', async () => {
    const projectId = await sameTeam();
    const chinese = await given.chineseMember(app.db, projectId);
    const report = await importedBy(app.as(chinese), projectId, changed(plain, 'rig/i-004', decision, closed));
    expect(report.problems.map(({ message }: { message: string }) => message)).toEqual([
      '导入已关闭的审计需要项目权限 REVIEW_AUDITS（文件中共 1 处）',
      '导入评论中的评审决定需要项目权限 REVIEW_AUDITS（文件中共 1 处）',
    ]);
  });

  it.each([
    ['assessedBy', 'assessedAt'],
    ['submittedBy', 'submittedAt'],
  ])('are refused to everybody where %s is who accepted it', async (by, at) => {
    // Known by the name alone
    const reviewer = { id: 'elsewhere', name: 'reviewer' };
    const own = {
      ...done,
      acceptedBy: reviewer,
      acceptedAt: '2025-01-02T00:00:00.000Z',
      [by]: reviewer,
      [at]: '2025-01-01T00:00:00.000Z',
    };
    // Two people of one name are two people
    const two = { ...own, [by]: { ...reviewer, id: 'another' } };
    const report = await importedBy(app.as(source.maintainer), await sameTeam(), changed(plain, 'rig/i-004', two));
    expect(report.audit).not.toBeNull();
    expect(await blockedFor(source.maintainer, changed(plain, 'rig/i-004', own))).toEqual([
      'items[4].acceptedBy: “reviewer” accepts what they said or submitted themself: another person does',
    ]);
  });

  it('stay with a maintainer, also where the reviewer looked again at what they had accepted', async () => {
    const again = {
      ...done,
      acceptedBy: person(source.reviewer),
      acceptedAt: '2025-01-01T00:00:00.000Z',
      assessedBy: person(source.reviewer),
      assessedAt: '2025-01-02T00:00:00.000Z',
    };
    const report = await importedBy(app.as(source.maintainer), await sameTeam(), changed(plain, 'rig/i-004', again));
    const made = await exportedRecord(app.owner, report.audit.id);
    expect(made.items[4]).toMatchObject({ acceptedBy: person(source.reviewer), assessedBy: person(source.reviewer) });
  });

  it('are refused of what is not DONE', async () => {
    const open = { ...done, work: 'TODO', acceptedBy: person(source.reviewer) };
    expect(await blockedFor(source.maintainer, changed(plain, 'rig/i-004', open))).toEqual([
      'items[4].acceptedBy: What a reviewer accepted is DONE, and this is TODO',
    ]);
  });
});

describe('importAudit, people', () => {
  it('are the importer alone for whoever is no maintainer, who says so', async () => {
    const forged = structuredClone(plain);
    const maintainer = person(source.maintainer);
    forged.audit.createdBy = maintainer;
    for (const run of forged.runs) Object.assign(run, { createdBy: maintainer, source: 'CI' });
    for (const trial of forged.trials) trial.createdBy = maintainer;
    Object.assign(forged.items[4] ?? {}, {
      work: 'IN_REVIEW',
      outcome: 'APPLIED',
      assessedBy: maintainer,
      submittedBy: person(source.reviewer),
      overruling: { answer: 'YES', reason: 'We know', by: maintainer, at: null },
    });
    const projectId = await sameTeam();
    const report = await importedBy(app.as(source.contributor), projectId, forged);
    const text = (name: string, count: number) =>
      `“${name}” is you in this project (${count} places): only a maintainer imports the work of others under their accounts`;
    expect(report.problems).toEqual(
      expect.arrayContaining([
        {
          place: 'runs[0].source',
          message: 'CI becomes IMPORT (30 places): only a maintainer imports runs as those of CI',
          isBlocking: false,
        },
        { place: 'runs[0].createdBy', message: text('maintainer', 37), isBlocking: false },
        { place: 'items.rig/i-004.submittedBy', message: text('reviewer', 1), isBlocking: false },
      ]),
    );
    const {
      id: auditId,
      createdById,
      timeBreakdown,
    } = await app.db.audit.findUniqueOrThrow({
      where: { id: report.audit.id },
    });
    const me = source.contributor.id;
    expect([createdById, timeBreakdown]).toEqual([me, expect.objectContaining({ byId: me })]);
    const runs = await app.db.run.groupBy({ by: ['createdById', 'source'], where: { projectId } });
    expect(runs).toEqual([{ createdById: me, source: 'IMPORT' }]);
    const trials = await app.db.trial.groupBy({ by: ['createdById'], where: { projectId } });
    expect(trials).toEqual([{ createdById: me }]);
    const item = await app.db.auditItem.findFirstOrThrow({ where: { auditId, releaseItem: { key: 'rig/i-004' } } });
    expect(item).toMatchObject({ assessedById: me, submittedById: me, overruledById: me });
    // Giving work is for every contributor
    const assigned = await app.db.auditItem.findFirstOrThrow({ where: { auditId, releaseItem: { key: 'rig/i-000' } } });
    expect(assigned.assigneeId).toBe(source.reviewer.id);
  });

  it('make the importer an author of what the file says nobody said, so that another person reviews it', async () => {
    const anonymous = { assessedBy: null, assessedAt: null, submittedBy: null, submittedAt: null };
    const record = changed(plain, 'rig/i-004', { ...done, ...anonymous, work: 'IN_REVIEW' }, { requiresReview: true });
    for (const item of record.items) if (item.work === 'DONE') item.work = 'IN_PROGRESS';
    const report = await importedBy(app.as(source.reviewer), await sameTeam(), record);
    const { id, version } = await app.db.auditItem.findFirstOrThrow({
      where: { auditId: report.audit.id, releaseItem: { key: 'rig/i-004' } },
    });
    const accept = (who: { id: string }) =>
      app.as(who).send('mutation($input: AcceptAuditItemInput!) { acceptAuditItem(input: $input) { work } }', {
        input: { id, version },
      });
    expect((await accept(source.reviewer)).errorCode).toBe('FORBIDDEN');
    expect((await accept(source.maintainer)).data.acceptAuditItem).toEqual({ work: 'DONE' });
  });

  it('stay who they are for a maintainer of the project', async () => {
    const report = await importedBy(app.as(source.maintainer), await sameTeam(), file);
    expect(report.problems).toEqual([]);
    const made = await exportedRecord(app.owner, report.audit.id);
    expect(made.audit).toMatchObject({ createdBy: person(source.contributor) });
    expect(made.items.map(({ acceptedBy }) => acceptedBy)).toEqual(file.items.map(({ acceptedBy }) => acceptedBy));
    expect(made.runs.map(({ createdBy }) => createdBy)).toEqual(file.runs.map(({ createdBy }) => createdBy));
  });
});

describe('importAudit, times', () => {
  const future = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const places: readonly [string, (record: WritableRecord, at: string) => void, minutes?: number][] = [
    ['exportedAt', (record, at) => Object.assign(record, { exportedAt: at })],
    ['audit.createdAt', (record, at) => Object.assign(record.audit, { createdAt: at })],
    ['audit.timeBreakdown.at', (record, at) => Object.assign(record.audit.timeBreakdown ?? {}, { at })],
    ['scope.at', (record, at) => Object.assign(record.scope, { at })],
    ['items[2].assessedAt', (record, at) => Object.assign(record.items[2] ?? {}, { assessedAt: at })],
    ['items[2].updatedAt', (record, at) => Object.assign(record.items[2] ?? {}, { updatedAt: at })],
    [
      'items[0].comments[0].editedAt',
      (record, at) => Object.assign(record.items[0]?.comments[0] ?? {}, { editedAt: at }),
    ],
    // Tools write it in the time of their place, without its zone
    ['runs[0].startedAt', (record, at) => Object.assign(record.runs[0] ?? {}, { startedAt: at }), 14 * 60 + 6],
    ['trials[1].createdAt', (record, at) => Object.assign(record.trials[1] ?? {}, { createdAt: at })],
    ['milestones[0].createdAt', (record, at) => Object.assign(record.milestones[0] ?? {}, { createdAt: at })],
    ['history[5].at', (record, at) => Object.assign(record.history[5] ?? {}, { at })],
  ];

  it.each(places)('of %s does not lie in the future', async (place, set, minutes = 6) => {
    const at = future(minutes);
    const record = structuredClone(file);
    set(record, at);
    expect(await blockedFor(source.maintainer, record)).toEqual([`${place}: lies in the future: ${at}`]);
  });

  it('makes no audit newer than one that is opened here afterwards', async () => {
    const projectId = await sameTeam();
    const fast = changed(
      plain,
      'rig/i-004',
      {},
      { ...closed, createdAt: new Date(Date.now() + 4 * 60_000).toISOString() },
    );
    Object.assign(fast.audit, { closedAt: new Date().toISOString() });
    const report = await importedBy(app.as(source.maintainer), projectId, fast);
    expect(report.problems.map(({ place }: { place: string }) => place)).toEqual(['audit.createdAt']);
    const { createdAt } = await app.db.audit.findUniqueOrThrow({ where: { id: report.audit.id } });
    expect(createdAt.getTime()).toBeLessThanOrEqual(Date.now());
  });
});
