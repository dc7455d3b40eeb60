import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { refused } from '../support/refused.js';

const SAID = `id version body authorName decision editedAt author { id name } mentions { name }`;
const ADD = `mutation($input: AddCommentInput!) { addComment(input: $input) { ${SAID} auditItem { id } } }`;
const EDIT = `mutation($input: EditCommentInput!) { editComment(input: $input) { ${SAID} } }`;
const THREADS = `query($id: ID!, $first: Int, $after: String) { auditItem(id: $id) { commentCount
  comments(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
    ${SAID} replies(first: 2) { totalCount pageInfo { hasNextPage endCursor } edges { node { body replies { totalCount } } } }
  } } }
} }`;
const SEARCH = `query($query: String!) { search(query: $query, filter: { kinds: [COMMENT] }) { totalCount
  edges { node { kind id key title { en } snippet item { key } comment { body author { name } auditItem { id } } } }
} }`;

let app: TestApp;
let audit: given.GivenAudit;
beforeAll(async () => {
  app = await startApp();
  audit = await given.audit(app.db);
});
afterAll(() => app.close());

const itemId = (key: string) => audit.item(key).id;

async function add(viewer: { id: string }, input: object) {
  const { data, errors } = await app.as(viewer).send(ADD, { input });
  expect(errors).toEqual([]);
  return data.addComment;
}

async function edit(viewer: { id: string }, input: object) {
  const { data, errors } = await app.as(viewer).send(EDIT, { input });
  expect(errors).toEqual([]);
  return data.editComment;
}

async function threads(auditItemId: string, page: object = {}) {
  const { data, errors } = await app.as(audit.viewer).send(THREADS, { id: auditItemId, ...page });
  expect(errors).toEqual([]);
  return data.auditItem;
}

const bodies = (connection: { edges: { node: { body: string } }[] }) => connection.edges.map(({ node }) => node.body);
const names = (people: { name: string }[]) => people.map(({ name }) => name);

/** The history of a comment, oldest first. */
async function historyOf(id: string) {
  const rows = await app.db.historyEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } });
  return rows.map(({ subject, field, before, after, auditItemId }) => ({ subject, field, before, after, auditItemId }));
}

describe('a comment', () => {
  it('is said by a contributor, as it was typed', async () => {
    const auditItemId = itemId('io/pinned-memory');
    const body = '    code first\n\n显存减半 **twice**\n';
    const said = await add(audit.contributor, { auditItemId, body });
    expect(said).toEqual({
      id: expect.any(String),
      version: 1,
      body,
      authorName: 'contributor',
      author: { id: audit.contributor.id, name: 'contributor' },
      decision: null,
      editedAt: null,
      mentions: [],
      auditItem: { id: auditItemId },
    });
    expect(await historyOf(said.id)).toEqual([
      {
        subject: 'comment',
        field: 'created',
        before: null,
        after: { body, replyTo: null, decision: null, mentioned: [] },
        auditItemId,
      },
    ]);
  });

  it('opens a thread, and every answer goes into the thread of what it answers', async () => {
    const auditItemId = itemId('precision/tf32');
    const [one, two] = [
      await add(audit.contributor, { auditItemId, body: 'One' }),
      await add(audit.reviewer, { auditItemId, body: 'Two' }),
    ];
    const answer = await add(audit.reviewer, { auditItemId, body: 'One, one', replyTo: one.id });
    await add(audit.contributor, { auditItemId, body: 'One, two', replyTo: answer.id });
    await add(audit.maintainer, { auditItemId, body: 'One, three', replyTo: one.id });
    await add(audit.contributor, { auditItemId, body: 'Two, one', replyTo: two.id });
    const { commentCount, comments } = await threads(auditItemId);
    expect(commentCount).toBe(6);
    expect(comments.totalCount).toBe(2);
    expect(bodies(comments)).toEqual(['One', 'Two']);
    const [first, second] = comments.edges.map(({ node }: { node: { replies: unknown } }) => node.replies);
    expect([first.totalCount, first.pageInfo.hasNextPage]).toEqual([3, true]);
    expect(bodies(first)).toEqual(['One, one', 'One, two']);
    expect(first.edges[0].node.replies.totalCount).toBe(0);
    expect([second.totalCount, second.pageInfo.hasNextPage]).toEqual([1, false]);
    const { data } = await app.as(audit.viewer).send(
      `query($id: ID!, $after: String) { auditItem(id: $id) { comments(first: 1) { edges { node {
         replies(first: 2, after: $after) { edges { node { body } } } } } } } }`,
      { id: auditItemId, after: first.pageInfo.endCursor },
    );
    expect(bodies(data.auditItem.comments.edges[0].node.replies)).toEqual(['One, three']);
  });

  it('comes in pages, oldest first by its own time', async () => {
    const auditItemId = itemId('io/checkpoint-and-log-overhead');
    for (const body of ['a', 'b', 'c']) await add(audit.contributor, { auditItemId, body });
    await app.db.comment.create({
      data: {
        auditItemId,
        projectId: audit.project.id,
        authorName: '王工',
        body: 'imported',
        createdAt: new Date('2020-01-01T00:00:00Z'),
      },
    });
    const { comments } = await threads(auditItemId, { first: 3 });
    expect(bodies(comments)).toEqual(['imported', 'a', 'b']);
    expect(comments.edges[0].node).toMatchObject({ author: null, authorName: '王工', mentions: [] });
    const rest = (await threads(auditItemId, { first: 3, after: comments.pageInfo.endCursor })).comments;
    expect([bodies(rest), rest.totalCount, rest.pageInfo.hasNextPage]).toEqual([['c'], 4, false]);
    const wrong = Buffer.from('v1:7').toString('base64url');
    const { errorCode } = await app.as(audit.viewer).send(THREADS, { id: auditItemId, after: wrong });
    expect(errorCode).toBe('INVALID_INPUT');
  });

  it('can be said of a closed audit, and changed there', async () => {
    const closed = await given.audit(app.db, { status: 'CLOSED' });
    const [first] = closed.items;
    const said = await add(closed.contributor, { auditItemId: first?.id, body: 'Afterwards' });
    expect((await edit(closed.contributor, { id: said.id, version: 1, body: 'After all' })).body).toBe('After all');
  });

  it('is said once, however often it is sent', async () => {
    const auditItemId = itemId('power/energy-tracking');
    const input = { auditItemId, body: 'Once, @reviewer', clientMutationId: 'comment-1' };
    const [one, again] = [await add(audit.contributor, input), await add(audit.contributor, input)];
    expect(again).toEqual(one);
    expect((await threads(auditItemId)).commentCount).toBe(1);
    const { errorCode } = await app.as(audit.contributor).send(ADD, { input: { ...input, body: 'Other' } });
    expect(errorCode).toBe('INVALID_INPUT');
  });

  it('is refused to strangers, to viewers of the project, and to nobody in particular', async () => {
    const input = { auditItemId: itemId('io/pinned-memory'), body: 'Not me' };
    expect((await refused(app, app.as(audit.stranger), ADD, input)).code).toBe('NOT_FOUND');
    expect((await refused(app, app.as(audit.viewer), ADD, input)).code).toBe('FORBIDDEN');
    expect((await refused(app, app.as(null), ADD, input)).code).toBe('UNAUTHENTICATED');
  });

  it('needs a text that is not too long', async () => {
    const chinese = await given.chineseMember(app.db, audit.project.id);
    const auditItemId = itemId('io/pinned-memory');
    expect(await refused(app, app.as(chinese), ADD, { auditItemId, body: ' \n ' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'body 为空',
    });
    const { code } = await refused(app, app.as(audit.contributor), ADD, { auditItemId, body: 'x'.repeat(100_001) });
    expect(code).toBe('INVALID_INPUT');
  });

  it('answers only comments of the same item', async () => {
    const elsewhere = await add(audit.contributor, { auditItemId: itemId('precision/tf32'), body: 'Elsewhere' });
    const input = { auditItemId: itemId('io/pinned-memory'), body: 'Answer', replyTo: elsewhere.id };
    expect((await refused(app, app.as(audit.contributor), ADD, input)).code).toBe('NOT_FOUND');
  });
});

describe('a mention', () => {
  it('is whoever is named after an @, and whoever is given', async () => {
    const person = await given.user(app.db, '李工');
    await app.db.projectMember.create({ data: { projectId: audit.project.id, userId: person.id, role: 'VIEWER' } });
    const said = await add(audit.contributor, {
      auditItemId: itemId('io/pinned-memory'),
      body: '请@李工看一下，@Reviewer too; `@maintainer` x@viewer @stranger',
      mentionIds: [audit.maintainer.id, audit.reviewer.id],
    });
    expect(names(said.mentions)).toEqual(['maintainer', 'reviewer', '李工']);
    const rows = await app.db.commentMention.findMany({ where: { commentId: said.id } });
    expect(rows.map(({ userId }) => userId).sort()).toEqual([person.id, audit.maintainer.id, audit.reviewer.id].sort());
    expect(rows.every(({ seenAt }) => seenAt === null)).toBe(true);
  });

  it('means people who may see the project, those of the team and administrators included', async () => {
    const team = await app.db.team.create({ data: { slug: 'mention-team', name: 'Team' } });
    const mate = await given.user(app.db, 'Team Mate');
    await app.db.teamMember.create({ data: { teamId: team.id, userId: mate.id, role: 'VIEWER' } });
    await app.db.project.update({ where: { id: audit.project.id }, data: { teamId: team.id } });
    const admin = await app.db.user.create({ data: { name: 'Root', role: 'ADMIN' } });
    const body = '@team mate, @root, @stranger';
    const said = await add(audit.contributor, { auditItemId: itemId('io/pinned-memory'), body });
    expect(names(said.mentions)).toEqual(['Root', 'Team Mate']);
    await app.db.user.update({ where: { id: admin.id }, data: { role: 'MEMBER' } });
  });

  it('of somebody else is refused by its id', async () => {
    const chinese = await given.chineseMember(app.db, audit.project.id);
    const input = { auditItemId: itemId('io/pinned-memory'), body: 'Hello', mentionIds: [audit.stranger.id] };
    expect(await refused(app, app.as(chinese), ADD, input)).toEqual({
      code: 'INVALID_INPUT',
      message: `mentionIds：“${audit.stranger.id}”不是可查看该项目的人员；可用 Project.people 查询`,
      extensions: expect.objectContaining({ place: 'mentionIds', id: audit.stranger.id }),
    });
  });
});

describe('a change of a comment', () => {
  it('keeps the old text, and names people anew', async () => {
    const { contributor, reviewer, maintainer } = audit;
    const auditItemId = itemId('precision/bf16');
    const said = await add(contributor, { auditItemId, body: 'Ask @reviewer', mentionIds: [maintainer.id] });
    const changed = await edit(contributor, { id: said.id, version: 1, body: 'Ask @viewer' });
    expect(changed).toMatchObject({ version: 2, body: 'Ask @viewer', editedAt: expect.any(String) });
    expect(names(changed.mentions)).toEqual(['maintainer', 'viewer']);
    const again = await edit(contributor, { id: said.id, version: 2, body: 'Ask @viewer', mentionIds: [] });
    expect([again.version, names(again.mentions)]).toEqual([3, ['viewer']]);
    const [, ...changes] = await historyOf(said.id);
    const change = { subject: 'comment', auditItemId };
    expect(changes).toEqual([
      { ...change, field: 'body', before: 'Ask @reviewer', after: 'Ask @viewer' },
      {
        ...change,
        field: 'mentioned',
        before: [reviewer.id, maintainer.id].sort(),
        after: [audit.viewer.id, maintainer.id].sort(),
      },
      { ...change, field: 'mentioned', before: [audit.viewer.id, maintainer.id].sort(), after: [audit.viewer.id] },
    ]);
  });

  it('leaves alone what a mention was seen, and who has left since', async () => {
    const auditItemId = itemId('io/pinned-memory');
    const leaver = await given.chineseMember(app.db, audit.project.id);
    const said = await add(audit.contributor, { auditItemId, body: 'You two', mentionIds: [leaver.id] });
    const seenAt = new Date('2026-01-02T03:04:05Z');
    await app.db.commentMention.updateMany({ where: { commentId: said.id }, data: { seenAt } });
    await app.db.projectMember.deleteMany({ where: { userId: leaver.id } });
    const changed = await edit(audit.contributor, { id: said.id, version: 1, body: 'You two, @reviewer' });
    expect(names(changed.mentions)).toEqual(['reviewer', '成员']);
    const rows = await app.db.commentMention.findMany({ where: { commentId: said.id, seenAt: { not: null } } });
    expect(rows).toEqual([{ commentId: said.id, userId: leaver.id, seenAt }]);
  });

  it('to the same text is none', async () => {
    const said = await add(audit.contributor, { auditItemId: itemId('io/pinned-memory'), body: 'Same, @reviewer' });
    const same = await edit(audit.contributor, { id: said.id, version: 1, body: 'Same, @reviewer' });
    expect([same.version, same.editedAt]).toEqual([1, null]);
    expect(await historyOf(said.id)).toHaveLength(1);
  });

  it('that is based on an older version is a conflict, and tells what stands there', async () => {
    const said = await add(audit.contributor, { auditItemId: itemId('io/pinned-memory'), body: 'First' });
    await edit(audit.contributor, { id: said.id, version: 1, body: 'Second', clientMutationId: 'edit-1' });
    await edit(audit.contributor, { id: said.id, version: 1, body: 'Second', clientMutationId: 'edit-1' });
    const { code, extensions } = await refused(app, app.as(audit.contributor), EDIT, {
      id: said.id,
      version: 1,
      body: 'Third',
    });
    expect(code).toBe('CONFLICT');
    expect(extensions).toMatchObject({ current: { id: said.id, version: 2, body: 'Second' } });
  });

  it('is for its author alone', async () => {
    const said = await add(audit.contributor, { auditItemId: itemId('io/pinned-memory'), body: 'Mine' });
    const input = { id: said.id, version: 1, body: 'Yours' };
    expect((await refused(app, app.as(audit.maintainer), EDIT, input)).code).toBe('FORBIDDEN');
    expect((await refused(app, app.owner, EDIT, input)).code).toBe('FORBIDDEN');
    expect((await refused(app, app.as(audit.viewer), EDIT, input)).code).toBe('FORBIDDEN');
    expect((await refused(app, app.as(audit.stranger), EDIT, input)).code).toBe('NOT_FOUND');
    expect((await refused(app, app.as(audit.contributor), EDIT, { ...input, id: 'none' })).code).toBe('NOT_FOUND');
    expect((await refused(app, app.as(audit.contributor), EDIT, { ...input, body: '' })).code).toBe('INVALID_INPUT');
  });
});

describe('search', () => {
  const found = async (viewer: { id: string }, query: string) => {
    const { data, errors } = await app.as(viewer).send(SEARCH, { query });
    expect(errors).toEqual([]);
    return data.search;
  };

  it('finds comments by their text, in the language in which they are, and again after a change', async () => {
    const auditItemId = itemId('io/pinned-memory');
    const said = await add(audit.contributor, { auditItemId, body: 'The numbat ate the loader; 袋食蚁兽吃掉了显存' });
    const { totalCount, edges } = await found(audit.viewer, 'numbat');
    expect(totalCount).toBe(1);
    expect(edges[0].node).toMatchObject({
      kind: 'COMMENT',
      id: said.id,
      key: 'io/pinned-memory',
      comment: { body: said.body, author: { name: 'contributor' }, auditItem: { id: auditItemId } },
    });
    expect((await found(audit.viewer, '袋食蚁兽')).totalCount).toBe(1);
    await edit(audit.contributor, { id: said.id, version: 1, body: 'The bilby did' });
    expect((await found(audit.viewer, 'numbat')).totalCount).toBe(0);
    expect((await found(audit.viewer, 'bilby')).totalCount).toBe(1);
  });

  it('shows no comment of a hidden project', async () => {
    await add(audit.contributor, { auditItemId: itemId('io/pinned-memory'), body: 'A quenda was here' });
    expect((await found(audit.contributor, 'quenda')).totalCount).toBe(1);
    expect(await found(audit.stranger, 'quenda')).toEqual({ totalCount: 0, edges: [] });
  });
});

describe('a page of items with their comments', () => {
  const PAGE = `query($id: ID!, $first: Int!) { audit(id: $id) { items(first: $first) { edges { node { commentCount
    comments(first: 5) { totalCount edges { node { body authorName author { name } mentions { name }
      replies(first: 5) { totalCount edges { node { body authorName mentions { name } } } } } } }
  } } } } }`;

  it('needs as many statements for 100 items as for 2', async () => {
    const other = await given.audit(app.db);
    for (const { id: auditItemId } of other.items.slice(0, 100)) {
      const { id } = await app.db.comment.create({
        data: { auditItemId, projectId: other.project.id, authorId: other.contributor.id, body: 'Opener' },
      });
      const answer = { auditItemId, projectId: other.project.id, authorId: other.reviewer.id, parentId: id };
      await app.db.comment.create({ data: { ...answer, body: 'Answer' } });
      await app.db.commentMention.create({ data: { commentId: id, userId: other.reviewer.id } });
    }
    const client = app.as(other.viewer);
    const read = (first: number) => client.send(PAGE, { id: other.audit.id, first });
    const { data, errors } = await read(100);
    expect(errors).toEqual([]);
    const items = data.audit.items.edges.map(({ node }: { node: object }) => node);
    expect(items).toHaveLength(100);
    expect(new Set(items.map((item: object) => JSON.stringify(item))).size).toBe(1);
    expect(items[99]).toMatchObject({ commentCount: 2, comments: { totalCount: 1 } });
    const few = await app.statementsOf(() => read(2));
    expect(await app.statementsOf(() => read(100))).toBe(few);
    expect(few).toBeLessThanOrEqual(16);
  });
});
