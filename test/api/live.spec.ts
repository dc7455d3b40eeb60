import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { connected, follow, listening, type Following } from '../support/follow.js';

const FOLLOW = `subscription($auditId: ID!) {
  auditChanged(auditId: $auditId) {
    auditId kind isWhole audit { version title progress { assessed } } items { id version work outcome assessedBy { name } }
  }
}`;

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await startApp();
  url = await listening(app);
});
afterAll(() => app.close());

/** Follows an audit, past the first event. */
async function started(viewer: { id: string }, auditId: string): Promise<Following> {
  const following = follow(connected(url, viewer), FOLLOW, { auditId });
  expect(await following.next()).toMatchObject({ data: { auditChanged: { auditId, kind: 'STARTED', items: [] } } });
  return following;
}

async function change(who: { id: string }, id: string, input: object): Promise<void> {
  const { version } = await app.db.auditItem.findUniqueOrThrow({ where: { id } });
  const { errors } = await app
    .as(who)
    .send('mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }', {
      input: { id, version, ...input },
    });
  expect(errors).toEqual([]);
}

describe('auditChanged', () => {
  it('tells each change to everybody who follows, as it is then', async () => {
    const made = await given.audit(app.db);
    const [id = ''] = made.items.map((item) => item.id);
    const following = [await started(made.viewer, made.audit.id), await started(made.maintainer, made.audit.id)];
    await change(made.contributor, id, { outcome: 'APPLIED', work: 'DONE' });
    for (const one of following) {
      expect(await one.next()).toEqual({
        data: {
          auditChanged: {
            auditId: made.audit.id,
            kind: 'CHANGED',
            isWhole: false,
            audit: { version: 1, title: 'Audit', progress: { assessed: 1 } },
            items: [{ id, version: 2, work: 'DONE', outcome: 'APPLIED', assessedBy: { name: 'contributor' } }],
          },
        },
      });
    }
    await change(made.contributor, id, { outcome: null, work: 'TODO' });
    for (const one of following) {
      expect(await one.next()).toMatchObject({
        data: {
          auditChanged: {
            audit: { progress: { assessed: 0 } },
            items: [{ id, version: 3, outcome: 'NOT_ASSESSED' }],
          },
        },
      });
      await one.stop();
    }
  });

  it('tells of the audit itself, and of more items than it can name', async () => {
    const made = await given.audit(app.db);
    const following = await started(made.viewer, made.audit.id);
    await app.as(made.contributor).send('mutation($input: UpdateAuditInput!) { updateAudit(input: $input) { id } }', {
      input: { auditId: made.audit.id, version: 1, title: 'Second look' },
    });
    expect(await following.next()).toMatchObject({
      data: {
        auditChanged: { kind: 'CHANGED', isWhole: false, items: [], audit: { version: 2, title: 'Second look' } },
      },
    });
    await app
      .as(made.contributor)
      .send('mutation($input: BulkUpdateAuditItemsInput!) { bulkUpdateAuditItems(input: $input) { changed } }', {
        input: { auditId: made.audit.id, patch: { priority: 'HIGH' } },
      });
    expect(await following.next()).toMatchObject({
      data: { auditChanged: { kind: 'CHANGED', isWhole: true, items: [] } },
    });
    await following.stop();
  });

  it('says nothing of a change that failed, or of another audit', async () => {
    const made = await given.audit(app.db);
    const other = await given.audit(app.db);
    const [id = ''] = made.items.map((item) => item.id);
    const following = await started(made.viewer, made.audit.id);
    const { errorCode } = await app
      .as(made.contributor)
      .send('mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }', {
        input: { id, version: 1, outcome: 'REJECTED' },
      });
    expect(errorCode).toBe('INVALID_INPUT');
    await change(other.contributor, other.items[0]?.id ?? '', { remark: 'Elsewhere' });
    await change(made.contributor, id, { remark: 'Here' });
    expect(await following.next()).toMatchObject({ data: { auditChanged: { items: [{ id, version: 2 }] } } });
    await following.stop();
  });

  it('ends for somebody who loses the project, with NOT_FOUND and nothing of the change', async () => {
    const made = await given.audit(app.db);
    const following = await started(made.viewer, made.audit.id);
    await app.db.projectMember.deleteMany({ where: { projectId: made.project.id, userId: made.viewer.id } });
    await change(made.contributor, made.items[0]?.id ?? '', { remark: 'Secret' });
    expect(await following.next()).toMatchObject({
      data: null,
      errors: [{ message: `There is no audit "${made.audit.id}"`, extensions: { code: 'NOT_FOUND' } }],
    });
    await following.stop();
  });

  it('is refused to strangers, to nobody, and for a query that the schema does not have', async () => {
    const made = await given.audit(app.db);
    for (const [viewer, code] of [
      [made.stranger, 'NOT_FOUND'],
      [null, 'UNAUTHENTICATED'],
    ] as const) {
      const following = follow(connected(url, viewer), FOLLOW, { auditId: made.audit.id });
      expect(await following.next()).toMatchObject({ data: null, errors: [{ extensions: { code } }] });
      await following.stop();
    }
    const unknown = follow(connected(url, made.viewer), 'subscription { auditChanged(auditId: "x") { secret } }');
    await expect(unknown.next()).rejects.toMatchObject([{ message: expect.stringContaining('secret') }]);
    await unknown.stop();
  });

  it('is served to pages of this machine only', async () => {
    const made = await given.audit(app.db);
    const client = connected(url, made.viewer, { origin: 'https://elsewhere.example' });
    await expect(follow(client, FOLLOW, { auditId: made.audit.id }).next()).rejects.toMatchObject({
      message: expect.stringContaining('403'),
    });
    await client.dispose();
  });
});
