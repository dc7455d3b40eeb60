import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { ownAudit, type OwnAudit } from '../support/own-audit.js';

// Each list takes cursors of its own entries alone: one of another list would silently begin anywhere.

let app: TestApp;
let made: OwnAudit;
let other: OwnAudit;
/** What the queries name. */
let ids: Readonly<Record<string, string>>;
/** A cursor of each list that it goes on behind. */
const cursors = new Map<string, string>();

const PAGE = '(first: 1, after: $after) { totalCount edges { cursor } }';
const ofAudit = (field: string) => `query($audit: ID!, $after: String) { found: audit(id: $audit) { list: ${field} } }`;
const ofItem = (field: string) =>
  `query($item: ID!, $after: String) { found: auditItem(id: $item) { list: ${field} } }`;
const ofProject = (field: string) =>
  `query($project: String!, $after: String) { found: project(slug: $project) { list: ${field} } }`;

/** Every list of the audits and what hangs on them that reads a page from the database. */
const lists: Readonly<Record<string, string>> = {
  projects: `query($after: String) { list: projects${PAGE} }`,
  audits: ofProject(`audits${PAGE}`),
  runs: ofProject(`runs${PAGE}`),
  'history of a project': ofProject(`history${PAGE}`),
  items: ofAudit(`items${PAGE}`),
  milestones: ofAudit(`milestones${PAGE}`),
  'history of an audit': ofAudit(`history${PAGE}`),
  'history of an item': ofItem(`history${PAGE}`),
  comments: ofItem(`comments${PAGE}`),
  replies: `query($item: ID!, $after: String) {
    found: auditItem(id: $item) { comments(first: 1) { edges { node { list: replies${PAGE} } } } }
  }`,
  proposals: `query($after: String) { list: proposals${PAGE} }`,
  notes: `query($after: String) { list: notes${PAGE} }`,
  queue: `query($after: String) { found: viewer { list: queue${PAGE} } }`,
  observations: `query($run: ID!, $after: String) { found: run(id: $run) { list: observations${PAGE} } }`,
  'items of a milestone': `query($milestone: ID!, $after: String) { found: milestone(id: $milestone) { list: items${PAGE} } }`,
  portfolio: `query($after: String) { found: portfolio { list: byProject${PAGE} } }`,
};

async function send(mutation: string, input: object, who: { id: string } = made.contributor) {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const { data, errors } = await app
    .as(who)
    .send(`mutation($input: ${type}!) { made: ${mutation}(input: $input) { id } }`, { input });
  expect(errors).toEqual([]);
  return data.made.id;
}

function page(query: string, after: string | null, who: { id: string } = made.contributor) {
  const named = Object.fromEntries(Object.entries(ids).filter(([name]) => query.includes(`$${name}:`)));
  return app.as(who).send(query, { ...named, after });
}

/** The cursors on the page, wherever in the answer it stands. */
function cursorsIn(answer: unknown): string[] {
  return [...JSON.stringify(answer).matchAll(/"cursor":"([^"]+)"/g)].map(([, cursor = '']) => cursor);
}

/** Something of each list: a trial with its runs, comments, milestones, a proposal, a note. */
async function fill(audit: OwnAudit): Promise<Readonly<Record<string, string>>> {
  const item = (await audit.item('one')).id;
  const by = audit.contributor;
  await send('updateAuditItem', { id: item, version: 1, remark: 'Seen', assigneeId: by.id }, by);
  const comment = await send('addComment', { auditItemId: item, body: 'First' }, by);
  for (const body of ['Answer', 'Another']) await send('addComment', { auditItemId: item, body, replyTo: comment }, by);
  await send('addComment', { auditItemId: item, body: 'Second' }, by);
  const milestone = await send('createMilestone', { auditId: audit.auditId, name: 'One' }, by);
  await send('createMilestone', { auditId: audit.auditId, name: 'Two' }, by);
  const [own, owned] = [randomUUID(), randomUUID()];
  for (const topic of [own, owned]) {
    const custom = { auditId: audit.auditId, section: 'rig', topic, title: 'Own', locale: 'EN' };
    const id = await send('addCustomItem', custom, by);
    await send('proposeItem', { auditItemId: id, key: `rig/${topic}`, why: 'Good' }, by);
  }
  const trial = {
    auditItemId: item,
    metric: 'training.throughput',
    before: [100, 101, 102],
    after: [110, 111, 112],
    sampling: 'SEPARATE_SESSIONS',
  };
  await send('recordMeasurement', trial, by);
  const note = { auditItemId: item, locale: 'EN', outcome: 'HELPED', title: 'Note', body: 'It helped' };
  await send('publishNote', note, by);
  const run = await app.db.run.findFirstOrThrow({ where: { projectId: audit.project.id } });
  return { item, milestone, run: run.id, audit: audit.auditId, project: audit.project.slug };
}

describe('a cursor', () => {
  beforeAll(async () => {
    app = await startApp();
    [made, other] = [await ownAudit(app, [{ key: 'one' }, { key: 'two' }]), await ownAudit(app, [{ key: 'one' }])];
    await fill(other);
    ids = await fill(made);
    for (const [name, query] of Object.entries(lists)) {
      const { data, errors } = await page(query, null);
      expect([name, errors]).toEqual([name, []]);
      const cursor = cursorsIn(data).at(0);
      if (cursor === undefined) throw new Error(`Nothing is in the list of ${name}`);
      cursors.set(name, cursor);
    }
  });
  afterAll(() => app.close());

  it.each(Object.keys(lists))('of the %s goes on behind its entry', async (name) => {
    const { data, errors } = await page(lists[name] ?? '', cursors.get(name) ?? null);
    expect(errors).toEqual([]);
    expect(cursorsIn(data)).not.toContain(cursors.get(name));
  });

  it.each(Object.keys(lists))('of no entry of the %s is refused', async (name) => {
    const foreign = [...cursors].filter(([from]) => !alike(from, name)).map(([, cursor]) => cursor);
    const strange = [
      'x',
      '',
      '999',
      '-1',
      randomUUID(),
      `2026-01-01T00:00:00.000Z ${randomUUID()}`,
      "'; --",
      'a'.repeat(100),
    ];
    expect(foreign.length).toBeGreaterThan(10);
    for (const after of [...foreign, ...strange.map(cursorOf)]) {
      const { errors, errorCode } = await page(lists[name] ?? '', after);
      expect([after, errorCode, errors[0]?.message]).toEqual([
        after, 'INVALID_INPUT', `"${after}" is not a cursor of this list`,
      ]); // prettier-ignore
    }
  });

  it('of a list of another project is refused, in Chinese too', async () => {
    const reader = await given.chineseMember(app.db, made.project.id, 'VIEWER');
    const theirs = await app.as(other.viewer).send(lists['milestones'] ?? '', { audit: other.auditId, after: null });
    const [cursor = ''] = cursorsIn(theirs.data);
    const { errors, errorCode } = await page(lists['milestones'] ?? '', cursor, reader);
    expect([errorCode, errors[0]?.message]).toEqual(['INVALID_INPUT', `“${cursor}”不是此列表的游标`]);
  });

  it('is refused for the parent that has no such entry, and taken for the one that has', async () => {
    const query = `query($a: ID!, $b: ID!, $after: String) {
      a: auditItem(id: $a) { comments${PAGE} } b: auditItem(id: $b) { comments${PAGE} }
    }`;
    const b = (await made.item('two')).id;
    const after = cursors.get('comments');
    const { data, errors } = await app.as(made.viewer).send(query, { a: ids['item'], b, after });
    expect(errors.map(({ path, extensions }) => [path, extensions?.['code']])).toEqual([
      [['b', 'comments'], 'INVALID_INPUT'],
    ]);
    expect([data.a.comments.totalCount, data.a.comments.edges.length, data.b]).toEqual([2, 1, null]);
  });

  it('holds its place when its entry leaves the filter', async () => {
    const listed = `query($after: String) { proposals(status: OPEN, first: 1, after: $after) { edges { cursor node { id } } } }`;
    const [first] = (await app.as(made.contributor).send(listed, { after: null })).data.proposals.edges;
    const next = (await app.as(made.contributor).send(listed, { after: first.cursor })).data.proposals.edges;
    await send('withdrawProposal', { id: first.node.id, version: 1 });
    const after = await app.as(made.contributor).send(listed, { after: first.cursor });
    expect(after.data.proposals.edges).toEqual(next);
  });
});

function cursorOf(key: string): string {
  return Buffer.from(`v1:${key}`).toString('base64url');
}

/** Histories of one audit have entries in common, and places are numbers in more than one list. */
function alike(one: string, other: string): boolean {
  const groups = [
    ['history of a project', 'history of an audit', 'history of an item'],
    ['items', 'observations'],
    ['projects', 'portfolio'],
  ];
  return one === other || groups.some((group) => group.includes(one) && group.includes(other));
}
