import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExpiryService } from '../../src/features/audits/expiry.service.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { refused } from '../support/refused.js';

const STATE = '{ id version title status closedAt requiresReview createdBy { name } }';
const UPDATE = `mutation($input: UpdateAuditInput!) { updateAudit(input: $input) ${STATE} }`;
const CLOSE = `mutation($input: CloseAuditInput!) { closeAudit(input: $input) ${STATE} }`;
const REOPEN = `mutation($input: ReopenAuditInput!) { reopenAudit(input: $input) ${STATE} }`;
const ITEM = `mutation($input: UpdateAuditItemInput!) {
  updateAuditItem(input: $input) {
    id version work outcome reasonCode reason remark assignee { name } dueAt priority expiresAt
    recheck { code cause { en zh } since }
  }
}`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function send(who: { id: string }, mutation: string, input: object) {
  const { data, errors } = await app.as(who).send(mutation, { input });
  expect(errors).toEqual([]);
  const [value] = Object.values(data as Record<string, unknown>);
  return value as Record<string, unknown>;
}

describe('closing an audit', () => {
  it('keeps a milestone, refuses writes until a maintainer opens it again, and is in the history', async () => {
    const made = await given.audit(app.db);
    const auditId = made.audit.id;
    const [id = ''] = made.items.map((item) => item.id);
    const close = { auditId, version: 1, reason: 'Shipped' };
    expect((await refused(app, app.as(made.contributor), CLOSE, close)).code).toBe('FORBIDDEN');
    expect((await refused(app, app.as(made.stranger), CLOSE, close)).code).toBe('NOT_FOUND');
    expect(await send(made.reviewer, CLOSE, close)).toMatchObject({
      version: 2,
      status: 'CLOSED',
      closedAt: expect.any(String),
      createdBy: { name: 'maintainer' },
    });
    expect(await app.db.milestone.findMany({ where: { auditId } })).toMatchObject([
      { name: 'Closed', createdById: made.reviewer.id },
    ]);
    const write = await refused(app, app.as(made.contributor), ITEM, { id, version: 1, remark: 'Late' });
    expect(write).toMatchObject({
      code: 'CONFLICT',
      message: 'This audit is closed; a maintainer can reopen it',
      extensions: { current: { id: auditId, status: 'CLOSED' } },
    });
    expect((await refused(app, app.as(made.reviewer), CLOSE, { ...close, version: 2 })).code).toBe('CONFLICT');
    const reopen = { auditId, version: 2, reason: 'Regression' };
    expect((await refused(app, app.as(made.reviewer), REOPEN, reopen)).code).toBe('FORBIDDEN');
    expect(await send(made.maintainer, REOPEN, reopen)).toMatchObject({ version: 3, status: 'OPEN', closedAt: null });
    expect(await refused(app, app.as(made.maintainer), REOPEN, { auditId, version: 3 })).toMatchObject({
      code: 'CONFLICT',
      message: 'This audit is open already',
    });
    await send(made.contributor, ITEM, { id, version: 1, remark: 'In time' });
    const history = await app.db.historyEntry.findMany({
      where: { auditId, subject: 'audit' },
      orderBy: { id: 'asc' },
      select: { field: true, before: true, after: true, reason: true },
    });
    expect(history).toEqual([
      { field: 'status', before: 'OPEN', after: 'CLOSED', reason: 'Shipped' },
      { field: 'status', before: 'CLOSED', after: 'OPEN', reason: 'Regression' },
    ]);
  });

  it('is of the audit as it was seen', async () => {
    const made = await given.audit(app.db);
    const auditId = made.audit.id;
    await send(made.contributor, UPDATE, { auditId, version: 1, title: 'Second look' });
    expect(await refused(app, app.as(made.reviewer), CLOSE, { auditId, version: 1 })).toMatchObject({
      code: 'CONFLICT',
      extensions: { current: { id: auditId, version: 2, status: 'OPEN', title: 'Second look' } },
    });
    expect(await refused(app, app.as(made.contributor), UPDATE, { auditId, version: 2 })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Give title or requiresReview',
    });
  });
});

describe('an item that two people change at once', () => {
  it('takes one change, and gives the other its state as it is now', async () => {
    const made = await given.audit(app.db);
    const [id = ''] = made.items.map((item) => item.id);
    const answers = await Promise.all(
      [made.contributor, made.maintainer].map((who) =>
        app.as(who).send(ITEM, { input: { id, version: 1, outcome: 'APPLIED', remark: who.name } }),
      ),
    );
    const [kept] = answers.filter(({ errorCode }) => errorCode === undefined);
    const [late] = answers.filter(({ errorCode }) => errorCode === 'CONFLICT');
    const remark = kept?.data.updateAuditItem.remark;
    expect(late?.errors[0]).toMatchObject({
      message: 'This item changed meanwhile: it is at version 2, and your change is based on 1',
      extensions: { current: { id, version: 2, work: 'TODO', outcome: 'APPLIED', remark } },
    });
    expect(['contributor', 'maintainer']).toContain(remark);
    expect(await app.db.historyEntry.count({ where: { auditItemId: id } })).toBe(2);
  });
});

describe('assignee, due date, priority', () => {
  it('are set, kept when absent and cleared by null', async () => {
    const made = await given.audit(app.db);
    const [id = ''] = made.items.map((item) => item.id);
    const set = { assigneeId: made.reviewer.id, dueAt: '2026-12-31T12:00:00+08:00', priority: 'HIGH' };
    const shown = { assignee: { name: 'reviewer' }, dueAt: '2026-12-31T04:00:00.000Z', priority: 'HIGH' };
    expect(await send(made.contributor, ITEM, { id, version: 1, ...set })).toMatchObject({ version: 2, ...shown });
    expect(await send(made.contributor, ITEM, { id, version: 2, work: 'IN_PROGRESS' })).toMatchObject(shown);
    expect(await send(made.contributor, ITEM, { id, version: 3, ...set })).toMatchObject({ version: 3 });
    expect(
      await send(made.contributor, ITEM, { id, version: 3, assigneeId: null, dueAt: null, priority: null }),
    ).toMatchObject({ version: 4, assignee: null, dueAt: null, priority: 'NORMAL' });
  });

  it('take nobody from outside the project, nobody who cannot write, and no date that is none', async () => {
    const made = await given.audit(app.db);
    const [id = ''] = made.items.map((item) => item.id);
    for (const { id: assigneeId } of [made.stranger, made.viewer, { id: 'nobody' }]) {
      expect(await refused(app, app.as(made.contributor), ITEM, { id, version: 1, assigneeId })).toMatchObject({
        code: 'INVALID_INPUT',
        message: `assigneeId "${assigneeId}" is nobody with the right WRITE_AUDITS in this project; Project.people lists who is`,
      });
    }
    for (const dueAt of ['tomorrow', '2026-02-30T00:00:00Z', '']) {
      expect((await refused(app, app.as(made.contributor), ITEM, { id, version: 1, dueAt })).code).toBe(
        'INVALID_INPUT',
      );
    }
    const { data } = await app
      .as(made.viewer)
      .send('query($slug: String!) { project(slug: $slug) { people { name } } }', { slug: made.project.slug });
    const names = data.project.people.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['contributor', 'maintainer', 'reviewer', 'viewer']));
    expect(names).not.toContain('stranger');
  });
});

describe('an outcome that expires', () => {
  const soon = '2027-03-01T00:00:00Z';

  it('gets a re-check mark when its date is reached, once, and keeps its reason and state', async () => {
    const made = await given.audit(app.db);
    const [id = '', other = ''] = made.items.map((item) => item.id);
    const deferred = { outcome: 'DEFERRED', reasonCode: 'LATER', reason: 'the driver is frozen', expiresAt: soon };
    await send(made.contributor, ITEM, { id, version: 1, work: 'DONE', ...deferred });
    await send(made.contributor, ITEM, { id: other, version: 1, ...deferred, expiresAt: '2027-03-02T00:00:00Z' });
    const expiry = app.nest.get(ExpiryService, { strict: false });
    expect(await expiry.expire(new Date('2027-02-28T23:59:59Z'))).toBe(0);
    expect(await expiry.expire(new Date(soon))).toBe(1);
    expect(await expiry.expire(new Date(soon))).toBe(0);
    const { data } = await app.as(made.viewer).send(
      `query($id: ID!) { auditItem(id: $id) {
        version work outcome reason expiresAt recheck { code cause { en zh } } history { edges { node { field byName by { id } } } }
      } }`,
      { id },
    );
    expect(data.auditItem).toMatchObject({
      version: 3,
      work: 'DONE',
      outcome: 'DEFERRED',
      reason: 'the driver is frozen',
      recheck: {
        code: 'EXPIRED',
        cause: {
          en: 'deferred until 2027-03-01: the driver is frozen',
          zh: '推迟至 2027-03-01，现已到期：the driver is frozen',
        },
      },
    });
    const entry = await app.db.historyEntry.findFirstOrThrow({ where: { auditItemId: id, field: 'recheck' } });
    expect(entry).toMatchObject({ viewerId: null, before: null, after: 'EXPIRED' });
    // The date is in the future of the clock of the service, so that saying the same again keeps it
    expect(await send(made.contributor, ITEM, { id, version: 3, outcome: 'DEFERRED' })).toMatchObject({
      recheck: null,
      expiresAt: '2027-03-01T00:00:00.000Z',
    });
  });

  it('is not touched in a closed audit, and joins a mark that is there', async () => {
    const made = await given.audit(app.db);
    const [id = ''] = made.items.map((item) => item.id);
    const recheckSince = new Date('2026-11-01T00:00:00Z');
    await app.db.auditItem.update({
      where: { id },
      data: {
        outcome: 'REJECTED',
        reasonCode: 'TOO_RISKY',
        reason: 'Crashes',
        expiresAt: new Date('2026-11-02T00:00:00Z'),
        recheckCode: 'ENVIRONMENT_CHANGED',
        recheckCause: { en: 'NCCL was 2.25, is 2.27', zh: 'NCCL 由 2.25 变为 2.27' },
        recheckSince,
      },
    });
    const expiry = app.nest.get(ExpiryService, { strict: false });
    await app.db.audit.update({ where: { id: made.audit.id }, data: { status: 'CLOSED' } });
    expect(await expiry.expire(new Date('2026-11-30T00:00:00Z'))).toBe(0);
    await app.db.audit.update({ where: { id: made.audit.id }, data: { status: 'OPEN' } });
    expect(await expiry.expire(new Date('2026-11-30T00:00:00Z'))).toBe(1);
    expect(await app.db.auditItem.findUnique({ where: { id } })).toMatchObject({
      recheckCode: 'EXPIRED',
      recheckSince,
      recheckCause: {
        en: 'rejected until 2026-11-02: Crashes. Before: NCCL was 2.25, is 2.27',
        zh: '否决有效期至 2026-11-02，现已到期：Crashes。此前：NCCL 由 2.25 变为 2.27',
      },
    });
  });

  it('has a date in the future, which another outcome clears', async () => {
    const made = await given.audit(app.db);
    const [id = ''] = made.items.map((item) => item.id);
    const tried = (input: object) => refused(app, app.as(made.contributor), ITEM, { id, version: 1, ...input });
    expect(await tried({ outcome: 'DEFERRED', expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'expiresAt must lie in the future, and is 2020-01-01T00:00:00.000Z',
    });
    expect(await tried({ outcome: 'APPLIED', expiresAt: '2099-01-01T00:00:00Z' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Only DEFERRED and REJECTED can expire, and the outcome is APPLIED',
    });
    await send(made.contributor, ITEM, { id, version: 1, outcome: 'DEFERRED', expiresAt: '2099-01-01T00:00:00Z' });
    expect(await send(made.contributor, ITEM, { id, version: 2, outcome: 'APPLIED' })).toMatchObject({
      expiresAt: null,
    });
    const cleared = await app.db.historyEntry.findMany({
      where: { auditItemId: id, field: 'expiresAt' },
      orderBy: { id: 'asc' },
    });
    expect(cleared.map(({ before, after }) => [before, after])).toEqual([
      [null, '2099-01-01T00:00:00.000Z'],
      ['2099-01-01T00:00:00.000Z', null],
    ]);
  });
});
