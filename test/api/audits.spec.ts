import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Prisma } from '../../src/generated/prisma/client.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const CHECKLIST = 'ai-systems-performance';
const OPEN_AUDIT = `mutation($input: OpenAuditInput!) {
  openAudit(input: $input) {
    id version title status createdAt project { id } checklist { slug version } environment { id name }
    progress { total applicable assessed done verified }
    items(first: 500) { totalCount edges { node { version work outcome reason remark recheck { code } proof trials { id } applicability { answer reasons { en zh } } item { key } } } }
  }
}`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

interface ItemNode {
  readonly applicability: { readonly answer: string; readonly reasons: readonly { en: string; zh: string }[] };
  readonly item: { readonly key: string };
}
const nodesOf = (audit: { items: { edges: { node: ItemNode }[] } }) => audit.items.edges.map(({ node }) => node);

describe('openAudit', () => {
  let team: given.Team;
  let projectId: string;
  let release: { version: string; keys: string[] };
  const open = (input: object, viewer = team.contributor) =>
    app.as(viewer).send(OPEN_AUDIT, { input: { projectId, checklist: CHECKLIST, ...input } });
  const refusedOpen = (input: object, viewer: { id: string } | null = team.contributor) =>
    refused(app, app.as(viewer), OPEN_AUDIT, { projectId, checklist: CHECKLIST, ...input });

  beforeAll(async () => {
    team = await given.project(app.db);
    projectId = team.project.id;
    const { version, items } = await app.db.release.findFirstOrThrow({
      where: { checklist: { slug: CHECKLIST } },
      orderBy: { rank: 'desc' },
      include: { items: { orderBy: { position: 'asc' } } },
    });
    release = { version, keys: items.map(({ key }) => key) };
  });

  it('takes every item of the newest release, in order, with nothing said about it', async () => {
    const { data, errors } = await open({ title: ' First look ' });
    expect(errors).toEqual([]);
    const { openAudit } = data;
    expect(openAudit).toMatchObject({
      version: 1,
      title: 'First look',
      status: 'OPEN',
      project: { id: projectId },
      checklist: { slug: CHECKLIST, version: release.version },
      environment: null,
      items: { totalCount: release.keys.length },
    });
    expect(nodesOf(openAudit).map(({ item }) => item.key)).toEqual(release.keys);
    const untouched = { version: 1, work: 'TODO', outcome: 'NOT_ASSESSED', reason: null, remark: null, recheck: null, proof: null, trials: [] }; // prettier-ignore
    for (const node of nodesOf(openAudit)) expect(node).toMatchObject(untouched);
    expect(await app.db.historyEntry.findMany({ where: { auditId: openAudit.id } })).toMatchObject([
      { subject: 'audit', field: 'created', viewerId: team.contributor.id, after: { title: 'First look', version: release.version } },
    ]); // prettier-ignore
  });

  it('is named after the checklist, in the language of whoever opens it', async () => {
    expect((await open({})).data.openAudit.title).toBe(`AI systems performance ${release.version}`);
    const member = await given.chineseMember(app.db, projectId);
    expect((await open({ title: ' ' }, member)).data.openAudit.title).toBe(`AI 系统性能 ${release.version}`);
  });

  it('asks the rules for the environment that is named, the only one, or the default', async () => {
    const other = await given.project(app.db);
    const openIn = async (input: object = {}) => {
      const { data } = await open({ projectId: other.project.id, ...input }, other.contributor);
      const items = new Map(nodesOf(data.openAudit).map(({ item, applicability }) => [item.key, applicability]));
      const { environment, progress } = data.openAudit;
      return { environment, progress, clusters: items.get('launch/thread-block-clusters') };
    };
    const unknown = await openIn();
    expect([unknown.environment, unknown.clusters?.answer]).toEqual([null, 'UNKNOWN']);

    const amd = await given.environment(app.db, other.project.id, { name: 'amd', hardware: 'mi300x' });
    const only = await openIn();
    expect(only.environment).toEqual({ id: amd.id, name: 'amd' });
    expect(only.clusters).toEqual({
      answer: 'NO',
      reasons: [{ en: 'needs Thread block clusters; MI300X does not have it', zh: '需要线程块集群，而 MI300X 不具备' }],
    });
    expect(only.progress.applicable).toBeLessThan(only.progress.total);

    const usual = await given.environment(app.db, other.project.id, { name: 'default', hardware: 'h200-sxm' });
    const byDefault = await openIn();
    expect([byDefault.environment.id, byDefault.clusters?.answer]).toEqual([usual.id, 'YES']);
    expect((await openIn({ environmentId: amd.id })).clusters?.answer).toBe('NO');
  });

  it('refuses members without the right, strangers and nobody', async () => {
    expect(await refusedOpen({}, team.viewer)).toMatchObject({
      code: 'FORBIDDEN',
      message: 'This needs the right WRITE_AUDITS in the project',
    });
    expect(await refusedOpen({}, team.stranger)).toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no project "${projectId}"`,
    });
    expect(await refusedOpen({}, null)).toMatchObject({ code: 'UNAUTHENTICATED', message: 'Sign in to do this' });
  });

  it.each([
    ['an unknown checklist', { checklist: 'nope' }, 'NOT_FOUND', 'There is no checklist "nope"'],
    ['an empty checklist', { checklist: '' }, 'NOT_FOUND', 'There is no checklist ""'],
    ['an unknown version', { version: '9.9.9' }, 'NOT_FOUND', `There is no checklist "${CHECKLIST}" 9.9.9`],
    ['an unknown project', { projectId: 'nope' }, 'NOT_FOUND', 'There is no project "nope"'],
    ['an unknown environment', { environmentId: 'x' }, 'NOT_FOUND', 'There is no environment "x" in this project'],
    ['a title of 300 characters', { title: 'x'.repeat(300) }, 'INVALID_INPUT', 'title has 300 characters; at most 200 are kept'],
    ['U+0000 in the title', { title: '\0' }, 'INVALID_INPUT', '$input.title contains U+0000, which cannot be stored'],
    ['U+0000 in an id', { projectId: 'a\0' }, 'INVALID_INPUT', '$input.projectId contains U+0000, which cannot be stored'],
  ])('refuses %s', async (_, input, code, message) => {
    expect(await refusedOpen(input)).toMatchObject({ code, message });
  }); // prettier-ignore

  it('refuses the environment of another project', async () => {
    const other = await given.project(app.db);
    const { id } = await given.environment(app.db, other.project.id);
    expect(await refusedOpen({ environmentId: id })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('speaks Chinese to whoever reads Chinese', async () => {
    const reader = await given.chineseMember(app.db, projectId, 'VIEWER');
    const member = await given.chineseMember(app.db, projectId);
    expect((await refusedOpen({}, reader)).message).toBe('此操作需要项目权限 WRITE_AUDITS');
    expect((await refusedOpen({ title: 'x'.repeat(300) }, member)).message).toBe('title 有 300 个字符，最多 200 个');
    expect((await refusedOpen({ checklist: 'nope' }, member)).message).toBe('没有清单“nope”');
  });

  it('opens one audit for five equal requests at once, and refuses their id for another', async () => {
    const input = { title: 'At once', clientMutationId: 'open-at-once' };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => open(input)));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(new Set(answers.map(({ data }) => data.openAudit.id)).size).toBe(1);
    expect(await app.db.audit.count({ where: { projectId, title: 'At once' } })).toBe(1);
    const before = await rowsOf(app.db);
    expect((await open(input)).data).toEqual(answers[0]?.data);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await refusedOpen({ ...input, title: 'Other' })).toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('an audit', () => {
  it('is hidden from strangers and from nobody, with its items', async () => {
    const { audit, items, stranger, viewer } = await given.audit(app.db);
    const query = 'query($audit: ID!, $item: ID!) { audit(id: $audit) { id } auditItem(id: $item) { id } }';
    const variables = { audit: audit.id, item: items[0]?.id };
    const hidden = { data: { audit: null, auditItem: null }, errors: [] };
    for (const one of [stranger, null]) expect(await app.as(one).send(query, variables)).toMatchObject(hidden);
    expect((await app.as(viewer).send(query, variables)).data).toEqual({
      audit: { id: audit.id },
      auditItem: { id: items[0]?.id },
    });
    expect(await app.owner.send(query, { audit: '', item: 'no-such-item' })).toMatchObject(hidden);
  });

  it('counts its progress over the items that apply', async () => {
    const { audit, items, viewer } = await given.audit(app.db);
    const progress = async () => {
      const { data } = await app
        .as(viewer)
        .send('query($id: ID!) { audit(id: $id) { progress { total applicable assessed done verified } } }', {
          id: audit.id,
        });
      return Object.values<number>(data.audit.progress);
    };
    const set = (index: number, data: Prisma.AuditItemUpdateInput) =>
      app.db.auditItem.update({ where: { id: items[index]?.id ?? '' }, data });
    const total = items.length;
    expect(await progress()).toEqual([total, total, 0, 0, 0]);

    await set(0, { applies: 'NO' });
    await set(1, { applies: 'UNKNOWN' });
    await set(2, { outcome: 'NOT_APPLICABLE', reasonCode: 'OUT_OF_SCOPE', reason: 'No', work: 'DONE' });
    expect(await progress()).toEqual([total, total - 2, 0, 0, 0]);

    await set(0, { overruled: 'YES', outcome: 'APPLIED', work: 'IN_REVIEW', measuredProof: 'VERIFIED' });
    await set(1, { overruled: 'NO', outcome: 'APPLIED', work: 'DONE', measuredProof: 'VERIFIED' });
    expect(await progress()).toEqual([total, total - 2, 1, 0, 1]);

    await set(3, { outcome: 'APPLIED', work: 'DONE', measuredProof: 'VERIFIED' });
    await set(4, { outcome: 'APPLIED', work: 'DONE', measuredProof: 'INDICATED' });
    await set(5, { outcome: 'ALREADY_IN_PLACE', work: 'DONE', measuredProof: 'VERIFIED' });
    await set(6, { outcome: 'REJECTED', reasonCode: 'TOO_RISKY', reason: 'No' });
    await set(7, { outcome: 'DEFERRED', work: 'IN_PROGRESS' });
    expect(await progress()).toEqual([total, total - 2, 6, 3, 2]);

    await set(3, { recheckCode: 'EXPIRED', recheckCause: { en: 'Old', zh: '旧' }, recheckSince: new Date() });
    expect(await progress()).toEqual([total, total - 2, 5, 3, 2]);

    await set(4, { isArchived: true });
    expect(await progress()).toEqual([total - 1, total - 3, 4, 2, 2]);
  });

  it('shows an overruled answer with its reason, and what the rules say beside it', async () => {
    const made = await given.audit(app.db);
    const { id } = await app.db.auditItem.update({
      where: { id: made.item('precision/tf32').id },
      data: {
        applies: 'NO',
        appliesReasons: [{ en: 'the rule', zh: '规则' }],
        overruled: 'YES',
        overruleReason: 'we know',
      },
    });
    const answer = '{ answer reasons { en zh } }';
    const { data } = await app
      .as(made.viewer)
      .send(`query($id: ID!) { auditItem(id: $id) { applicability ${answer} derived ${answer} } }`, { id });
    expect(data.auditItem).toEqual({
      applicability: { answer: 'YES', reasons: [{ en: 'overruled: we know', zh: '人工判定：we know' }] },
      derived: { answer: 'NO', reasons: [{ en: 'the rule', zh: '规则' }] },
    });
  });

  it('fills the page of an audit with at most 12 statements, however many items and trials there are', async () => {
    const made = await given.audit(app.db, { hardware: 'h100-sxm' });
    const { audit, items, contributor } = made;
    const page = async (first: number) => {
      const { data, errors } = await app.as(contributor).send(
        `query($id: ID!, $first: Int) {
           audit(id: $id) {
             title status version progress { total applicable assessed done verified }
             environment { name hardware { name } }
             items(first: $first) {
               totalCount pageInfo { hasNextPage endCursor }
               edges { node {
                 id version work outcome proof reason remark recheck { code cause { text } }
                 applicability { answer reasons { text } }
                 item { key title { text } summary { text } tags }
                 trials { id verdict }
               } }
             }
           }
         }`,
        { id: audit.id, first },
      );
      expect(errors).toEqual([]);
      return data.audit.items.edges.length as number;
    };
    for (const key of ['precision/tf32', 'io/pinned-memory', 'io/small-files']) {
      const input = { auditItemId: made.item(key).id, metric: 'training.throughput', before: [1, 2], after: [3, 4] };
      await app.as(contributor).send('mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }', { input }); // prettier-ignore
    }
    expect(await page(500)).toBe(items.length);
    const few = await app.statementsOf(() => page(2));
    const all = await app.statementsOf(() => page(500));
    expect(all).toBeLessThanOrEqual(12);
    expect(all).toBeLessThanOrEqual(few);
  });
});
