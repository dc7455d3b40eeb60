import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { AuditChanges } from '../../src/platform/events/audit-changes.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { connected, follow, listening, talking, type Following } from '../support/follow.js';

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

const begin = (id: string, auditId: string) => ({
  id,
  type: 'subscribe',
  payload: { query: FOLLOW, variables: { auditId } },
});

/** Waits for what comes soon, or fails by the time limit of the spec. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
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

  it('is refused for variables that a query is refused for, in the language of the viewer', async () => {
    const made = await given.audit(app.db);
    const chinese = await given.chineseMember(app.db, made.project.id);
    const refusal = async (viewer: { id: string }, variables: Record<string, unknown>) => {
      const following = follow(connected(url, viewer), FOLLOW, variables);
      const refused = following.next().catch((error: unknown) => error);
      const answer = await refused;
      await following.stop();
      return answer;
    };
    expect(await refusal(made.viewer, { auditId: 'a\0b' })).toMatchObject([
      {
        message: '$auditId contains U+0000, which cannot be stored',
        extensions: { code: 'INVALID_INPUT', place: '$auditId' },
      },
    ]);
    expect(await refusal(chinese, { auditId: 'a\0b' })).toMatchObject([
      { message: '$auditId 含有无法存储的字符：U+0000', extensions: { code: 'INVALID_INPUT' } },
    ]);
    expect(await refusal(made.viewer, { auditId: made.audit.id, more: '\ud800' })).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', place: '$more' } },
    ]);
    expect(await refusal(made.viewer, {})).toMatchObject([
      {
        message: 'Variable "$auditId" of required type "ID!" was not provided.',
        extensions: { code: 'INVALID_INPUT' },
      },
    ]);
    expect(await refusal(chinese, { auditId: 'no id' })).toMatchObject([
      { message: 'auditId 不是有效的 id', extensions: { code: 'INVALID_INPUT', place: 'auditId' } },
    ]);
    expect(app.nest.get(AuditChanges, { strict: false }).count(made.audit.id)).toBe(0);
  });

  it('is over as soon as the client says so, also where it says so at once', async () => {
    const made = await given.audit(app.db);
    const changes = app.nest.get(AuditChanges, { strict: false });
    const talk = await talking(url, made.viewer);
    for (let index = 0; index < 50; index++) {
      talk.say(begin(`at once ${index}`, made.audit.id));
      talk.say({ id: `at once ${index}`, type: 'complete' });
    }
    talk.say(begin('stays', made.audit.id));
    await talk.heard(({ type, id }) => type === 'next' && id === 'stays');
    expect(changes.count(made.audit.id)).toBe(1);
    talk.say({ id: 'stays', type: 'complete' });
    // An id may be used again once it is free
    talk.say(begin('stays', made.audit.id));
    await talk.heard(({ type, id }) => type === 'next' && id === 'stays');
    expect(changes.count(made.audit.id)).toBe(1);
    await change(made.contributor, made.items[0]?.id ?? '', { remark: 'Told once' });
    await talk.heard(({ type, id }) => type === 'next' && id === 'stays');
    expect(talk.all().filter(({ type, payload }) => type === 'next' && JSON.stringify(payload).includes('CHANGED'))).toHaveLength(1); // prettier-ignore
    await talk.close();
    await until(() => changes.count(made.audit.id) === 0);
  });

  it('frees an id by a refusal, and closes a connection that uses one twice', async () => {
    const made = await given.audit(app.db);
    const changes = app.nest.get(AuditChanges, { strict: false });
    const talk = await talking(url, made.viewer);
    for (const query of ['subscription {', 'subscription { nope }', '{ viewer { id } }']) {
      talk.say({ id: '1', type: 'subscribe', payload: { query } });
      await talk.heard(({ type, id }) => type === 'error' && id === '1');
    }
    talk.say(begin('1', made.audit.id));
    await talk.heard(({ type, id }) => type === 'next' && id === '1');
    talk.say(begin('1', made.audit.id));
    expect(await talk.closed()).toEqual([4409, 'Subscriber for 1 already exists']);
    await until(() => changes.count(made.audit.id) === 0);
  });

  it.each([
    ['an id that is no text', { id: 7, type: 'subscribe', payload: { query: 'subscription { x }' } }],
    ['no id', { type: 'complete' }],
    ['no payload', { id: '1', type: 'subscribe' }],
    ['a query that is no text', { id: '1', type: 'subscribe', payload: { query: 1 } }],
  ])('closes a connection that sends %s', async (_, message) => {
    const made = await given.audit(app.db);
    const talk = await talking(url, made.viewer);
    talk.say(message);
    expect(await talk.closed()).toEqual([4400, expect.stringMatching(/^Invalid message: /)]);
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
