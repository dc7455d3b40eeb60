import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Prisma } from '../../src/generated/prisma/client.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { refused } from '../support/refused.js';

const QUEUE = `query($kinds: [QueueKind!], $first: Int, $after: String) { viewer {
  queueCounts { kind count }
  queue(kinds: $kinds, first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
    kind since dueAt priority isOverdue auditItem { id item { key } } comment { id body }
  } } }
} }`;
const SEEN = `mutation($input: MarkMentionsSeenInput!) { markMentionsSeen(input: $input) { id queueCounts { kind count } } }`;
const ADD = 'mutation($input: AddCommentInput!) { addComment(input: $input) { id } }';
const UPDATE = 'mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { version } }';
const SUBMIT = 'mutation($input: SubmitAuditItemInput!) { submitAuditItem(input: $input) { version } }';
const ACCEPT = 'mutation($input: AcceptAuditItemInput!) { acceptAuditItem(input: $input) { version } }';
const REJECT = 'mutation($input: RejectAuditItemInput!) { rejectAuditItem(input: $input) { version } }';

const past = (days: number) => new Date(Date.now() - days * 86_400_000);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function makeAudit() {
  const made = await given.audit(app.db);
  return { ...made, item: (key: string) => made.item(key) };
}

interface Waiting {
  readonly kind: string;
  readonly since: string;
  readonly dueAt: string | null;
  readonly priority: string;
  readonly isOverdue: boolean;
  readonly auditItem: { readonly id: string; readonly item: { readonly key: string } };
  readonly comment: { readonly id: string; readonly body: string } | null;
}

async function queueOf(viewer: { id: string } | null, variables: object = {}) {
  const { data, errors } = await app.as(viewer).send(QUEUE, { ...variables });
  expect(errors).toEqual([]);
  const { queue, queueCounts } = data.viewer;
  const entries: Waiting[] = queue.edges.map(({ node }: { node: Waiting }) => node);
  const counts: [string, number][] = queueCounts.map(({ kind, count }: { kind: string; count: number }) => [
    kind,
    count,
  ]);
  return { queue, entries, counts: Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}

/** What waits for somebody: kind and key of the item, in the order of the queue. */
async function waiting(viewer: { id: string }, kinds?: string[]): Promise<string[]> {
  const { entries, queue } = await queueOf(viewer, { kinds });
  expect(queue.totalCount).toBe(entries.length);
  return entries.map(({ kind, auditItem }) => `${kind} ${auditItem.item.key}`);
}

async function sent(viewer: { id: string }, mutation: string, input: object): Promise<void> {
  const { errors } = await app.as(viewer).send(mutation, { input });
  expect(errors).toEqual([]);
}

/** Changes an item through the API, at the version that it has. */
async function change(viewer: { id: string }, mutation: string, id: string, input: object = {}): Promise<void> {
  const { version } = await app.db.auditItem.findUniqueOrThrow({ where: { id } });
  await sent(viewer, mutation, { id, version, ...input });
}

async function say(viewer: { id: string }, auditItemId: string, body: string, replyTo?: string): Promise<string> {
  const { data, errors } = await app.as(viewer).send(ADD, { input: { auditItemId, body, replyTo } });
  expect(errors).toEqual([]);
  return data.addComment.id;
}

/** What an item is, without the history that people leave. */
function put(id: string, data: Prisma.AuditItemUncheckedUpdateInput) {
  return app.db.auditItem.update({ where: { id }, data });
}

describe('the queue', () => {
  it('is empty for nobody in particular, and for somebody for whom nothing waits', async () => {
    const { audit: _, ...team } = await makeAudit();
    for (const viewer of [null, team.stranger, team.viewer]) {
      const { queue, entries, counts } = await queueOf(viewer);
      expect([queue.totalCount, entries, counts]).toEqual([0, [], {}]);
    }
    const { data } = await app.as(team.viewer).send('{ viewer { queueCounts { kind count } } }');
    const kinds = ['ASSIGNED', 'REVIEW', 'RETURNED', 'RECHECK', 'MENTION'];
    expect(data.viewer.queueCounts).toEqual(kinds.map((kind) => ({ kind, count: 0 })));
  });

  it('has what is assigned and not done, since it was assigned', async () => {
    const { contributor, maintainer, item } = await makeAudit();
    const [todo, begun, done] = [item('io/pinned-memory'), item('precision/tf32'), item('precision/bf16')];
    const before = new Date();
    for (const { id } of [todo, begun, done]) await change(maintainer, UPDATE, id, { assigneeId: contributor.id });
    await change(contributor, UPDATE, begun.id, { work: 'IN_PROGRESS' });
    await change(contributor, UPDATE, done.id, { work: 'DONE', outcome: 'APPLIED' });
    await put(item('io/striping').id, { assigneeId: contributor.id, isArchived: true });
    const { entries, counts } = await queueOf(contributor);
    expect(entries.map(({ kind, auditItem }) => [kind, auditItem.id])).toEqual([
      ['ASSIGNED', todo.id],
      ['ASSIGNED', begun.id],
    ]);
    expect(counts).toEqual({ ASSIGNED: 2 });
    expect(entries[0]).toMatchObject({ dueAt: null, priority: 'NORMAL', isOverdue: false, comment: null });
    expect(new Date(entries[0]?.since ?? 0).getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(await waiting(maintainer)).toEqual([]);
  });

  it('goes by what is overdue, due date, priority and age', async () => {
    const { contributor, item, audit } = await makeAudit();
    const later = new Date(Date.now() + 86_400_000);
    const assigned = async (key: string, data: Prisma.AuditItemUncheckedUpdateInput) =>
      put(item(key).id, { assigneeId: contributor.id, ...data });
    await assigned('io/striping', { priority: 'LOW' });
    await assigned('io/small-files', {});
    await assigned('io/client-cache', { priority: 'HIGH' });
    await assigned('io/fast-storage', { dueAt: later, priority: 'LOW' });
    await assigned('io/multinode-io', { dueAt: later, priority: 'HIGH' });
    await assigned('io/pinned-memory', { dueAt: past(1), priority: 'LOW' });
    await assigned('precision/tf32', { dueAt: past(2), priority: 'LOW' });
    await assigned('precision/bf16', {
      ...{ dueAt: past(3), work: 'DONE', outcome: 'APPLIED' },
      ...{ recheckCode: 'EXPIRED', recheckCause: { en: 'x', zh: 'x' }, recheckSince: past(1) },
    });
    const old = { projectId: audit.projectId, auditId: audit.id, subject: 'auditItem', field: 'assigneeId' };
    const { id } = item('io/overlap-transfers');
    await assigned('io/overlap-transfers', {});
    await app.db.historyEntry.create({ data: { ...old, auditItemId: id, subjectId: id, at: past(9) } });
    expect(await waiting(contributor)).toEqual([
      'ASSIGNED precision/tf32',
      'ASSIGNED io/pinned-memory',
      'RECHECK precision/bf16',
      'ASSIGNED io/multinode-io',
      'ASSIGNED io/fast-storage',
      'ASSIGNED io/client-cache',
      'ASSIGNED io/overlap-transfers',
      'ASSIGNED io/small-files',
      'ASSIGNED io/striping',
    ]);
    const { entries } = await queueOf(contributor);
    expect(entries.map(({ isOverdue }) => isOverdue)).toEqual([true, true, ...Array<boolean>(7).fill(false)]);
    expect(entries[6]?.since).toBe(
      (await app.db.historyEntry.findFirstOrThrow({ where: { subjectId: id } })).at.toISOString(),
    );
  });

  it('comes in pages, of the kinds that are asked for', async () => {
    const { contributor, maintainer, item } = await makeAudit();
    const keys = ['io/pinned-memory', 'io/striping', 'io/small-files', 'precision/tf32', 'precision/bf16'];
    for (const key of keys) await put(item(key).id, { assigneeId: contributor.id });
    await say(maintainer, item('io/striping').id, 'See @contributor');
    const all = await waiting(contributor);
    expect(all).toHaveLength(6);
    const read: string[] = [];
    for (let after: string | null = null, hasNext = true; hasNext;) {
      const { queue, entries } = await queueOf(contributor, { first: 4, after });
      expect(queue.totalCount).toBe(6);
      read.push(...entries.map(({ kind, auditItem }) => `${kind} ${auditItem.item.key}`));
      [after, hasNext] = [queue.pageInfo.endCursor, queue.pageInfo.hasNextPage];
    }
    expect(read).toEqual(all);
    expect(await waiting(contributor, ['MENTION'])).toEqual(['MENTION io/striping']);
    const paged = await queueOf(contributor, { kinds: ['ASSIGNED'], first: 2 });
    expect([paged.queue.totalCount, paged.entries.length]).toEqual([5, 2]);
    expect(await waiting(contributor, [])).toEqual([]);
    const wrong = Buffer.from('v1:0').toString('base64url');
    expect((await app.as(contributor).send(QUEUE, { after: wrong })).errorCode).toBe('INVALID_INPUT');
    expect((await app.as(contributor).send(QUEUE, { first: 101 })).errorCode).toBe('INVALID_INPUT');
  });

  it('needs as many statements for many entries as for few', async () => {
    const { contributor, items, project } = await makeAudit();
    await makeAudit();
    const read = () => queueOf(contributor, { first: 100 });
    await put(items[0]?.id ?? '', { assigneeId: contributor.id });
    const few = await app.statementsOf(read);
    for (const { id } of items.slice(0, 80)) {
      await put(id, { assigneeId: contributor.id });
      const said = await app.db.comment.create({ data: { auditItemId: id, projectId: project.id, body: 'You' } });
      await app.db.commentMention.create({ data: { commentId: said.id, userId: contributor.id } });
    }
    const many = await app.statementsOf(read);
    expect((await read()).queue.totalCount).toBe(160);
    // Comments, and the count over all pages
    expect(many).toBeLessThanOrEqual(few + 2);
    expect(many).toBeLessThanOrEqual(14);
  });
});

describe('a review', () => {
  it('waits for reviewers who are not the authors', async () => {
    const { contributor, reviewer, maintainer, viewer, stranger, item, project } = await makeAudit();
    const second = await given.user(app.db, 'second reviewer');
    await app.db.projectMember.create({ data: { projectId: project.id, userId: second.id, role: 'REVIEWER' } });
    const { id } = item('io/pinned-memory');
    await change(reviewer, UPDATE, id, { outcome: 'APPLIED' });
    await change(maintainer, UPDATE, id, { outcome: 'ALREADY_IN_PLACE' });
    await change(contributor, SUBMIT, id);
    expect(await waiting(second)).toEqual(['REVIEW io/pinned-memory']);
    // Submitted, assessed, or spoken of since it was accepted last
    for (const author of [contributor, maintainer, reviewer, viewer, stranger])
      expect(await waiting(author)).toEqual([]);
    const { submittedAt } = await app.db.auditItem.findUniqueOrThrow({ where: { id } });
    expect((await queueOf(second)).entries[0]?.since).toBe(submittedAt?.toISOString());
    await change(second, ACCEPT, id);
    expect(await waiting(second)).toEqual([]);
    await change(contributor, UPDATE, id, { work: 'IN_PROGRESS', outcome: 'APPLIED' });
    await change(contributor, SUBMIT, id);
    expect(await waiting(reviewer)).toEqual(['REVIEW io/pinned-memory']);
  });

  it('that was refused waits for whoever submitted, with what the reviewer said', async () => {
    const { contributor, reviewer, item } = await makeAudit();
    const { id } = item('io/pinned-memory');
    await change(contributor, UPDATE, id, { outcome: 'APPLIED', assigneeId: contributor.id, work: 'IN_PROGRESS' });
    expect(await waiting(contributor)).toEqual(['ASSIGNED io/pinned-memory']);
    await change(contributor, SUBMIT, id);
    expect(await waiting(contributor)).toEqual([]);
    await change(reviewer, REJECT, id, { comment: 'Numbers are missing' });
    const { entries, counts } = await queueOf(contributor);
    expect(entries).toMatchObject([{ kind: 'RETURNED', comment: { body: 'Numbers are missing' } }]);
    expect(counts).toEqual({ RETURNED: 1 });
    expect(await waiting(contributor, ['ASSIGNED'])).toEqual([]);
    await change(contributor, SUBMIT, id);
    await change(reviewer, ACCEPT, id);
    await change(contributor, UPDATE, id, { work: 'IN_PROGRESS' });
    // Accepted without a word: the old refusal is no longer the last thing that was said
    expect(await waiting(contributor)).toEqual(['ASSIGNED io/pinned-memory']);
  });
});

describe('a re-check mark', () => {
  it('waits for the assignee and for whoever said what came out', async () => {
    const { contributor, reviewer, maintainer, item } = await makeAudit();
    const mark = { recheckCode: 'EXPIRED', recheckCause: { en: 'x', zh: 'x' }, recheckSince: past(2) } as const;
    const done = { work: 'DONE', outcome: 'DEFERRED', assessedById: reviewer.id } as const;
    await put(item('io/pinned-memory').id, { ...mark, ...done, assigneeId: contributor.id });
    await put(item('io/striping').id, { ...mark, ...done, isArchived: true });
    await put(item('network/rdma').id, { ...mark, ...done, overruled: 'NO' });
    expect(await waiting(contributor)).toEqual(['RECHECK io/pinned-memory']);
    expect(await waiting(reviewer)).toEqual(['RECHECK io/pinned-memory']);
    expect(await waiting(maintainer)).toEqual([]);
    expect((await queueOf(reviewer)).entries[0]?.since).toBe(mark.recheckSince.toISOString());
    await put(item('io/pinned-memory').id, { work: 'IN_PROGRESS' });
    expect((await waiting(contributor)).sort()).toEqual(['ASSIGNED io/pinned-memory', 'RECHECK io/pinned-memory']);
  });
});

describe('a mention', () => {
  it('waits once for an item, until its comments are seen', async () => {
    const { contributor, reviewer, viewer, item } = await makeAudit();
    const { id } = item('io/pinned-memory');
    const first = await say(contributor, id, '@viewer, look');
    const second = await say(reviewer, id, '@viewer, please');
    expect((await queueOf(viewer)).entries).toMatchObject([{ kind: 'MENTION', comment: { id: first } }]);
    const input = { commentIds: [first], clientMutationId: 'seen-1' };
    await sent(viewer, SEEN, input);
    await sent(viewer, SEEN, input);
    expect((await queueOf(viewer)).entries).toMatchObject([{ kind: 'MENTION', comment: { id: second } }]);
    const { data } = await app.as(viewer).send(SEEN, { input: { commentIds: [first, second, second] } });
    expect(data.markMentionsSeen.id).toBe(viewer.id);
    expect(data.markMentionsSeen.queueCounts.map(({ count }: { count: number }) => count)).toEqual([0, 0, 0, 0, 0]);
    expect(await waiting(viewer)).toEqual([]);
  });

  it('is seen by whoever answers in its thread, and by nobody else', async () => {
    const { contributor, reviewer, maintainer, item } = await makeAudit();
    const { id } = item('io/pinned-memory');
    const opener = await say(contributor, id, '@reviewer and @maintainer');
    const answer = await say(contributor, id, '@reviewer again', opener);
    await say(contributor, id, '@reviewer, another matter');
    await say(reviewer, id, 'I see', answer);
    expect((await queueOf(reviewer)).entries).toMatchObject([{ comment: { body: '@reviewer, another matter' } }]);
    expect((await queueOf(maintainer)).entries).toMatchObject([{ comment: { id: opener } }]);
  });

  it('of oneself does not wait', async () => {
    const { contributor, item } = await makeAudit();
    await say(contributor, item('io/pinned-memory').id, 'Note to @contributor');
    expect(await waiting(contributor)).toEqual([]);
  });

  it('is marked only by whom it calls, where they may still see it', async () => {
    const { contributor, reviewer, viewer, stranger, item, project } = await makeAudit();
    const chinese = await given.chineseMember(app.db, project.id);
    const said = await say(contributor, item('io/pinned-memory').id, '@viewer and @成员');
    const input = { commentIds: [said] };
    expect((await refused(app, app.as(reviewer), SEEN, input)).code).toBe('NOT_FOUND');
    expect((await refused(app, app.as(stranger), SEEN, input)).code).toBe('NOT_FOUND');
    expect((await refused(app, app.as(null), SEEN, input)).code).toBe('UNAUTHENTICATED');
    expect(await refused(app, app.as(chinese), SEEN, { commentIds: ['none'] })).toMatchObject({
      code: 'NOT_FOUND',
      message: '没有提到你的评论“none”',
    });
    const many = Array.from({ length: 101 }, (_, index) => String(index));
    expect((await refused(app, app.as(viewer), SEEN, { commentIds: many })).code).toBe('INVALID_INPUT');
    await app.db.projectMember.deleteMany({ where: { userId: viewer.id } });
    expect((await refused(app, app.as(viewer), SEEN, input)).code).toBe('NOT_FOUND');
    expect((await app.db.commentMention.findMany({ where: { commentId: said, seenAt: { not: null } } })).length).toBe(
      0,
    );
  });
});

describe('who sees what waits', () => {
  it('loses it with the project, and all but mentions with the end of the audit', async () => {
    const { contributor, maintainer, item, audit } = await makeAudit();
    const { id } = item('io/pinned-memory');
    await put(id, { assigneeId: contributor.id });
    await say(maintainer, id, '@contributor');
    expect(await waiting(contributor)).toHaveLength(2);
    await app.db.audit.update({ where: { id: audit.id }, data: { status: 'CLOSED' } });
    expect(await waiting(contributor)).toEqual(['MENTION io/pinned-memory']);
    await app.db.audit.update({ where: { id: audit.id }, data: { status: 'OPEN' } });
    await app.db.projectMember.deleteMany({ where: { userId: contributor.id } });
    expect(await waiting(contributor)).toEqual([]);
    expect((await queueOf(contributor)).counts).toEqual({});
  });

  it('is an administrator for all projects, and a member of the team for its own', async () => {
    const { contributor, item, project } = await makeAudit();
    const { id } = item('io/pinned-memory');
    await change(contributor, UPDATE, id, { outcome: 'APPLIED' });
    await change(contributor, SUBMIT, id);
    const admin = await app.db.user.create({ data: { name: 'Root', role: 'ADMIN' } });
    const { entries } = await queueOf(admin, { kinds: ['REVIEW'], first: 100 });
    expect(entries.map(({ auditItem }) => auditItem.id)).toContain(id);
    const mate = await given.user(app.db, 'Mate');
    const team = await app.db.team.create({ data: { slug: 'queue-team', name: 'Team' } });
    await app.db.teamMember.create({ data: { teamId: team.id, userId: mate.id, role: 'REVIEWER' } });
    await app.db.project.update({ where: { id: project.id }, data: { teamId: team.id } });
    expect(await waiting(mate)).toEqual(['REVIEW io/pinned-memory']);
    await app.db.teamMember.updateMany({ where: { userId: mate.id }, data: { role: 'CONTRIBUTOR' } });
    expect(await waiting(mate)).toEqual([]);
  });
});
