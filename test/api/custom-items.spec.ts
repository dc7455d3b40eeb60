import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditItem } from '../../src/generated/prisma/client.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { assess, ownAudit, type OwnAudit } from '../support/own-audit.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const TEXT = '{ en zh }';
const ITEM = `
  id key order title ${TEXT} summary ${TEXT} body ${TEXT} why ${TEXT} check ${TEXT} apply ${TEXT} measure ${TEXT}
  avoid ${TEXT} rollback ${TEXT} tags layer bottleneck workload frameworks settings recheckOn effort isReversible
  reviewBy checkDigest signals { tool } expectedGains { basis } risk { accuracy stability operations }
  translations { field status } relations { requires seeAlso } sources { title url checkedAt }
  metrics { key } checklist { slug version } section { key }`;
const AUDIT_ITEM = `
  id version isCustom isArchived work outcome applicability { answer reasons ${TEXT} } item { ${ITEM} }
  assignee { name }`;
const ADD = `mutation($input: AddCustomItemInput!) { addCustomItem(input: $input) { ${AUDIT_ITEM} } }`;
const UPDATE = `mutation($input: UpdateCustomItemInput!) { updateCustomItem(input: $input) { ${AUDIT_ITEM} } }`;
const ARCHIVE = `mutation($input: ArchiveCustomItemInput!) { archiveCustomItem(input: $input) { ${AUDIT_ITEM} } }`;

const machine = { hardware: 'h200-sxm', facts: { 'gpu.count': 8 } };
const none = { en: null, zh: null };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const ownItems = [{ key: 'any' }, { key: 'other' }];

/** Adds an item to an audit of the rig, as the contributor. */
async function add(made: OwnAudit, input: object = {}, who: { id: string } = made.contributor) {
  const whole = { auditId: made.auditId, section: 'rig', topic: 'router-replay', title: 'Router replay', locale: 'EN' };
  const { data, errors } = await app.as(who).send(ADD, { input: { ...whole, ...input } });
  expect(errors).toEqual([]);
  return data.addCustomItem;
}

function stored(id: string): Promise<AuditItem> {
  return app.db.auditItem.findUniqueOrThrow({ where: { id } });
}

async function ask(made: OwnAudit, query: string, variables: object = {}, who: { id: string } = made.viewer) {
  const { data, errors } = await app.as(who).send(query, { id: made.auditId, ...variables });
  expect(errors).toEqual([]);
  return data;
}

describe('addCustomItem', () => {
  it('puts an item of a title alone behind all others, not assessed, and applying because somebody added it', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const item = await add(made);
    expect(item).toEqual({
      id: item.id,
      version: 1,
      isCustom: true,
      isArchived: false,
      work: 'TODO',
      outcome: 'NOT_ASSESSED',
      applicability: {
        answer: 'YES',
        reasons: [{ en: 'an item of this audit alone', zh: '仅属于本审计的条目' }],
      },
      assignee: null,
      item: {
        id: item.id,
        key: 'custom/router-replay',
        order: 3,
        title: { en: 'Router replay', zh: null },
        summary: none,
        body: none,
        why: none,
        check: none,
        apply: none,
        measure: none,
        avoid: none,
        rollback: none,
        tags: [],
        layer: 'unspecified',
        bottleneck: 'unspecified',
        workload: [],
        frameworks: [],
        settings: [],
        recheckOn: [],
        effort: 'unspecified',
        isReversible: null,
        reviewBy: null,
        checkDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        signals: [],
        expectedGains: [],
        risk: { accuracy: 'unspecified', stability: 'unspecified', operations: 'unspecified' },
        translations: [{ field: 'title', status: 'MISSING' }],
        relations: { requires: [], seeAlso: [] },
        sources: [],
        metrics: [],
        checklist: { slug: made.checklist, version: '1.0.0' },
        section: { key: 'rig' },
      },
    });
    const query = `query($id: ID!) { audit(id: $id) {
      progress { total applicable assessed } items { edges { node { isCustom item { key order } } } } } }`;
    expect((await ask(made, query)).audit).toEqual({
      progress: { total: 3, applicable: 3, assessed: 0 },
      items: {
        edges: [
          { node: { isCustom: false, item: { key: 'rig/any', order: 1 } } },
          { node: { isCustom: false, item: { key: 'rig/other', order: 2 } } },
          { node: { isCustom: true, item: { key: 'custom/router-replay', order: 3 } } },
        ],
      },
    });
  });

  it('keeps all that is said of it, in Chinese too', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const item = await add(made, {
      topic: 'kv-offload',
      locale: 'ZH',
      title: 'KV 缓存卸载',
      summary: '把冷的 KV 块换出到主机内存。',
      why: '显存不够。',
      check: '看 `gpu_cache_usage`。',
      tags: ['kv-cache'],
      settings: ['--swap-space'],
      metrics: ['training.throughput', 'training.step_time'],
      effort: 'M',
      phases: ['decode'],
      layer: 'inference',
      bottleneck: 'memory-capacity',
      frameworks: ['vllm'],
      sources: [{ title: 'vLLM', url: 'https://docs.vllm.ai', checkedAt: '2026-11-01T00:00:00Z' }],
      assigneeId: made.reviewer.id,
    });
    expect(item).toMatchObject({
      assignee: { name: 'reviewer' },
      item: {
        title: { en: null, zh: 'KV 缓存卸载' },
        body: { en: null, zh: '## 为什么重要\n\n显存不够。\n\n## 如何检查\n\n看 `gpu_cache_usage`。' },
        tags: ['kv-cache'],
        settings: ['--swap-space'],
        metrics: [{ key: 'training.throughput' }, { key: 'training.step_time' }],
        effort: 'M',
        workload: ['decode'],
        layer: 'inference',
        bottleneck: 'memory-capacity',
        frameworks: ['vllm'],
        sources: [{ title: 'vLLM', url: 'https://docs.vllm.ai', checkedAt: '2026-11-01T00:00:00.000Z' }],
      },
    });
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: item.id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ subject, field, viewerId, before, after }) => [subject, field, viewerId, before, after])).toEqual([
      ['auditItem', 'created', made.contributor.id, null, expect.objectContaining({ key: 'custom/kv-offload', section: 'rig', custom: expect.objectContaining({ title: { zh: 'KV 缓存卸载' } }) })],
      ['auditItem', 'assigneeId', made.contributor.id, null, made.reviewer.id],
    ]); // prettier-ignore
  });

  it('asks the database no more often for many items than for one', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const query = `query($id: ID!) { audit(id: $id) { items { edges { node { item { ${ITEM} } } } } } }`;
    await add(made, { topic: 'one' });
    const one = await app.statementsOf(() => ask(made, query));
    for (const topic of ['two', 'three', 'four']) await add(made, { topic });
    expect(await app.statementsOf(() => ask(made, query))).toBe(one);
  });

  it('gives the same answer to a repeated request', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const first = await add(made, { clientMutationId: 'one' });
    const before = await rowsOf(app.db);
    expect(await add(made, { clientMutationId: 'one' })).toEqual(first);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('refuses a second item of one topic, archived ones counted', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made);
    const input = { auditId: made.auditId, section: 'rig', topic: 'router-replay', title: 'Again', locale: 'EN' };
    const again = () => refused(app, app.as(made.contributor), ADD, input);
    expect(await again()).toMatchObject({
      code: 'CONFLICT',
      message: 'The audit has an item "custom/router-replay" already; choose another topic',
      extensions: { current: { id, key: 'custom/router-replay', isArchived: false } },
    });
    await app.db.auditItem.update({ where: { id }, data: { isArchived: true } });
    expect(await again()).toMatchObject({
      code: 'CONFLICT',
      message: 'The audit has an item "custom/router-replay" already, which is archived; choose another topic',
    });
  });

  it('refuses the key of an item of the checklist, which one of an earlier installation can have', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id, releaseItemId } = await made.item('any');
    const key = 'custom/router-replay';
    await app.db.releaseItem.update({ where: { id: releaseItemId ?? '' }, data: { key } });
    const input = { auditId: made.auditId, section: 'rig', topic: 'router-replay', title: 'Again', locale: 'EN' };
    expect(await refused(app, app.as(made.contributor), ADD, input)).toMatchObject({
      code: 'CONFLICT',
      extensions: { current: { id, key, isArchived: false } },
    });
  });

  it('makes one of two items of one topic that come at once', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const input = { auditId: made.auditId, section: 'rig', topic: 'twice', title: 'Twice', locale: 'EN' };
    const answers = await Promise.all([1, 2].map(() => app.as(made.contributor).send(ADD, { input })));
    expect(answers.map(({ errorCode }) => errorCode ?? 'made').sort()).toEqual(['CONFLICT', 'made']);
  });
});

describe('addCustomItem refuses', () => {
  let made: OwnAudit;
  beforeAll(async () => {
    made = await ownAudit(app, ownItems, machine);
  });

  const refusedAdd = (input: object, who: { id: string } | null = made.contributor) =>
    refused(app, app.as(who), ADD, {
      auditId: made.auditId,
      section: 'rig',
      topic: 'a',
      title: 'A',
      locale: 'EN',
      ...input,
    });

  it('members without the right, strangers and nobody', async () => {
    expect(await refusedAdd({}, made.viewer)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusedAdd({}, made.stranger)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusedAdd({ title: '' }, made.stranger)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusedAdd({}, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('a closed audit', async () => {
    const closed = await ownAudit(app, ownItems, machine);
    await app.db.audit.update({ where: { id: closed.auditId }, data: { status: 'CLOSED' } });
    expect(await refusedAdd({ auditId: closed.auditId }, closed.maintainer)).toMatchObject({ code: 'CONFLICT' });
  });

  it.each<[string, object, unknown]>([
    ['an unknown section', { section: 'io' }, 'There is no section "io"; the release has rig'],
    ['a topic that is no slug', { topic: 'Router replay' }, 'topic "Router replay" must be lower-case words joined by hyphens, at most 64 characters'],
    ['an empty title', { title: ' ' }, 'title is empty'],
    ['a text that is too long', { why: 'x'.repeat(100_001) }, 'why has 100001 characters; at most 100000 are kept'],
    ['an unknown metric', { metrics: ['nope.none'] }, 'metrics[0]: the catalog has no metric "nope.none"; the query metrics lists all'],
    ['an unknown layer', { layer: 'cloud' }, expect.stringMatching(/^layer "cloud" is none of mindset, process/)],
    ['a script for a source', { sources: [{ title: 'A', url: 'javascript:1' }] }, 'sources[0].url "javascript:1" must be a web address that begins with http:// or https://'],
  ])('%s', async (_, input, message) => {
    expect(await refusedAdd(input)).toMatchObject({ code: 'INVALID_INPUT', message });
  }); // prettier-ignore

  it('somebody who may not write audits as the assignee', async () => {
    expect(await refusedAdd({ assigneeId: made.viewer.id })).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('in Chinese whoever reads Chinese', async () => {
    const member = await given.chineseMember(app.db, made.project.id);
    const said = async (input: object) => (await refusedAdd(input, member)).message;
    expect(await said({ section: 'io' })).toBe('没有章节“io”；该版本的章节有：rig');
    expect(await said({ effort: 'XXL' })).toBe('effort“XXL”无效，可用的值：XS、S、M、L、XL');
  });
});

describe('updateCustomItem', () => {
  const update = async (made: OwnAudit, input: object, who: { id: string } = made.contributor) => {
    const { data, errors } = await app.as(who).send(UPDATE, { input });
    expect(errors).toEqual([]);
    return data.updateCustomItem;
  };

  it('adds the other language, clears by null, leaves the rest alone, and keeps the old texts in the history', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made, { why: 'Because', effort: 'S', tags: ['moe'] });
    const second = await update(made, { id, version: 1, locale: 'ZH', title: '路由重放', why: '因为', effort: null });
    expect(second).toMatchObject({
      version: 2,
      item: {
        title: { en: 'Router replay', zh: '路由重放' },
        why: { en: 'Because', zh: '因为' },
        effort: 'unspecified',
        tags: ['moe'],
        translations: [
          { field: 'title', status: 'STALE' },
          { field: 'why', status: 'STALE' },
        ],
      },
    });
    const third = await update(made, { id, version: 2, locale: 'EN', why: null });
    expect(third).toMatchObject({ version: 3, item: { why: { en: null, zh: '因为' } } });
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id }, orderBy: { id: 'asc' } });
    expect(entries.slice(1).map(({ field, before, after }) => [field, before, after])).toEqual([
      ['custom.title', { en: 'Router replay' }, { en: 'Router replay', zh: '路由重放' }],
      ['custom.why', { en: 'Because' }, { en: 'Because', zh: '因为' }],
      ['custom.effort', 'S', null],
      ['custom.why', { en: 'Because', zh: '因为' }, { zh: '因为' }],
    ]);
  });

  it('takes the same again for no change', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made, { sources: [{ title: 'A', url: 'https://example.org', checkedAt: '2026-01-02T00:00:00Z' }] });
    const before = await rowsOf(app.db);
    const sources = [{ title: 'A', url: 'https://example.org', checkedAt: '2026-01-02T00:00:00Z' }];
    expect(await update(made, { id, version: 1, locale: 'EN', title: 'Router replay', sources, section: 'rig' })).toMatchObject({ version: 1 });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  }); // prettier-ignore

  it('moves it to another section', async () => {
    const audit = await given.audit(app.db);
    const client = app.as(audit.contributor);
    const added = await client.send(ADD, { input: { auditId: audit.audit.id, section: 'precision', topic: 'a', title: 'A', locale: 'EN' } });
    const { id } = added.data.addCustomItem;
    const { data, errors } = await client.send(UPDATE, { input: { id, version: 1, section: 'io' } });
    expect(errors).toEqual([]);
    expect(data.updateCustomItem.item.section).toEqual({ key: 'io' });
    const filtered = `query($id: ID!) { audit(id: $id) { items(filter: { section: "io", isCustom: true }) { edges { node { id } } } } }`;
    expect((await client.send(filtered, { id: audit.audit.id })).data.audit.items.edges).toEqual([{ node: { id } }]);
  }); // prettier-ignore

  it('refuses what may not be, and says what is there now', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made);
    const refusedUpdate = (input: object, who: { id: string } | null = made.contributor) =>
      refused(app, app.as(who), UPDATE, { id, version: 1, ...input });
    expect(await refusedUpdate({}, made.viewer)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusedUpdate({}, made.stranger)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusedUpdate({}, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await refusedUpdate({ version: 2, effort: 'S' })).toMatchObject({
      code: 'CONFLICT',
      message: 'This item changed meanwhile: it is at version 1, and your change is based on 2',
      extensions: {
        current: { id, version: 1, key: 'custom/router-replay', section: 'rig', custom: { title: { en: 'Router replay' } } },
      },
    });
    expect(await refusedUpdate({ title: 'B', why: 'C' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'locale is missing: the language of title, why',
    });
    expect(await refusedUpdate({ title: null, locale: 'EN' })).toMatchObject({ message: 'title is empty' });
    expect(await refusedUpdate({ section: null })).toMatchObject({ message: 'There is no section ""; the release has rig' });
    const any = await made.item('any');
    expect(await refusedUpdate({ id: any.id, effort: 'S' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: `The audit item "${any.id}" is of the checklist; this is for items of one audit alone`,
    });
    await app.db.audit.update({ where: { id: made.auditId }, data: { status: 'CLOSED' } });
    expect(await refusedUpdate({ effort: 'S' })).toMatchObject({ code: 'CONFLICT', message: 'This audit is closed; a maintainer can reopen it' });
    expect(await stored(id)).toMatchObject({ version: 1 });
  }); // prettier-ignore
});

describe('archiveCustomItem', () => {
  it('takes an item out of lists and counts with a reason, and puts it back as it was', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made);
    await assess(app, made.contributor, id, { outcome: 'APPLIED', remark: 'Wombat' });
    const client = app.as(made.contributor);
    const archive = async (input: object) => {
      const { data, errors } = await client.send(ARCHIVE, { input: { id, ...input } });
      expect(errors).toEqual([]);
      return data.archiveCustomItem;
    };
    const total = async () =>
      (await ask(made, 'query($id: ID!) { audit(id: $id) { progress { total } items { totalCount } } }')).audit;
    expect(await archive({ version: 2, isArchived: true, reason: 'Done by the image' })).toMatchObject({
      version: 3,
      isArchived: true,
      outcome: 'APPLIED',
    });
    expect(await total()).toEqual({ progress: { total: 2 }, items: { totalCount: 2 } });
    expect(await archive({ version: 3, isArchived: true, reason: 'Again' })).toMatchObject({ version: 3 });
    expect(await refused(app, client, UPDATE, { id, version: 3, effort: 'S' })).toMatchObject({
      code: 'CONFLICT',
      message: 'This item is archived: it can be read, and not changed',
    });
    expect(await archive({ version: 3, isArchived: false, reason: 'The image changed' })).toMatchObject({
      version: 4,
      isArchived: false,
      outcome: 'APPLIED',
    });
    expect(await total()).toEqual({ progress: { total: 3 }, items: { totalCount: 3 } });
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id, field: 'archived' }, orderBy: { id: 'asc' } });
    expect(entries.map(({ before, after, reason }) => [before, after, reason])).toEqual([
      [false, true, 'Done by the image'],
      [true, false, 'The image changed'],
    ]);
  }); // prettier-ignore

  it('refuses items of the checklist, no reason, an old version, and whoever may not', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made);
    const refusedArchive = (input: object, who: { id: string } | null = made.contributor) =>
      refused(app, app.as(who), ARCHIVE, { id, version: 1, isArchived: true, reason: 'R', ...input });
    expect(await refusedArchive({ id: (await made.item('any')).id })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await refusedArchive({ reason: ' ' })).toMatchObject({ code: 'INVALID_INPUT', message: 'reason is empty' });
    expect(await refusedArchive({ version: 2 })).toMatchObject({ code: 'CONFLICT' });
    expect(await refusedArchive({}, made.viewer)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusedArchive({}, made.stranger)).toMatchObject({ code: 'NOT_FOUND' });
    await app.db.audit.update({ where: { id: made.auditId }, data: { status: 'CLOSED' } });
    expect(await refusedArchive({})).toMatchObject({ code: 'CONFLICT' });
  });
});

describe('an item of one audit alone', () => {
  it('is measured, and gets its proof', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made, { metrics: ['training.throughput'] });
    const { errors } = await app
      .as(made.contributor)
      .send('mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { verdict } }', {
        input: {
          auditItemId: id,
          metric: 'training.throughput',
          before: [100, 101, 99, 100.5],
          after: [120, 121, 119, 120.5],
          sampling: 'SEPARATE_SESSIONS',
        },
      });
    expect(errors).toEqual([]);
    await assess(app, made.contributor, id, { outcome: 'APPLIED' });
    const query = 'query($item: ID!) { auditItem(id: $item) { proof trials { verdict } item { key } } }';
    expect((await ask(made, query, { item: id })).auditItem).toEqual({
      proof: 'VERIFIED',
      trials: [{ verdict: 'IMPROVED' }],
      item: { key: 'custom/router-replay' },
    });
  });

  it('is written down in a note that no item of the catalog is linked to', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made);
    const { data, errors } = await app
      .as(made.contributor)
      .send('mutation($input: PublishNoteInput!) { publishNote(input: $input) { title { en } items { key } } }', {
        input: { auditItemId: id, title: 'Replay helps', body: 'It did.', locale: 'EN', outcome: 'HELPED' },
      });
    expect(errors).toEqual([]);
    expect(data.publishNote).toEqual({ title: { en: 'Replay helps' }, items: [] });
  });

  it('can be overruled and taken back', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made);
    const overrule = async (input: object) => {
      const { data, errors } = await app
        .as(made.contributor)
        .send(
          `mutation($input: OverruleApplicabilityInput!) { overruleApplicability(input: $input) { ${AUDIT_ITEM} } }`,
          { input: { id, ...input } },
        );
      expect(errors).toEqual([]);
      return data.overruleApplicability.applicability.answer;
    };
    expect(await overrule({ version: 1, answer: 'NO', reason: 'Dense model' })).toBe('NO');
    expect(await overrule({ version: 2, answer: null })).toBe('YES');
  });

  it('is commented on', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made);
    const { data, errors } = await app
      .as(made.contributor)
      .send(
        'mutation($input: AddCommentInput!) { addComment(input: $input) { body auditItem { item { title { en } } } } }',
        { input: { auditItemId: id, body: 'Who knows it?' } },
      );
    expect(errors).toEqual([]);
    expect(data.addComment).toEqual({
      body: 'Who knows it?',
      auditItem: { item: { title: { en: 'Router replay' } } },
    });
  });

  it('is found by its title, its texts, its settings and its remark, and by nobody who may not see it', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made, {
      title: 'Numbat replay',
      check: 'Look for the bilby counter.',
      settings: ['--numbat-mode'],
    });
    await assess(app, made.contributor, id, { remark: 'The quoll was faster' });
    const found = async (query: string, who: { id: string } = made.viewer): Promise<string[]> => {
      const { data, errors } = await app
        .as(who)
        .send(
          'query($query: String!) { search(query: $query) { edges { node { kind auditItem { item { key title { en } } id } } } } }',
          { query },
        );
      expect(errors).toEqual([]);
      const edges: { node: { auditItem: { id: string } | null } }[] = data.search.edges;
      return edges.flatMap(({ node }) => node.auditItem?.id ?? []);
    };
    for (const query of ['numbat', 'bilby', '--numbat-mode', 'quoll', 'custom/router-replay']) {
      expect([query, await found(query)]).toEqual([query, [id]]);
      expect([query, await found(query, made.stranger)]).toEqual([query, []]);
    }
    const { errors } = await app.as(made.contributor).send(UPDATE, { input: { id, version: 2, locale: 'EN', check: 'Look for the dunnart.' } });
    expect(errors).toEqual([]);
    expect([await found('bilby'), await found('dunnart')]).toEqual([[], [id]]);
  }); // prettier-ignore

  it('gives its comments its new title, section and tags in the search', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made, { title: 'Potoroo replay', tags: ['first-tag'] });
    const { data } = await app
      .as(made.contributor)
      .send('mutation($input: AddCommentInput!) { addComment(input: $input) { id } }', {
        input: { auditItemId: id, body: 'Seen a bettong' },
      });
    const { errors } = await app.as(made.contributor).send(UPDATE, {
      input: { id, version: 1, locale: 'EN', title: 'Woylie replay', tags: ['second-tag'] },
    });
    expect(errors).toEqual([]);
    const query = `query($tags: [String!]) {
      search(query: "bettong", filter: { tags: $tags }) { edges { node { kind title { en } id } } }
    }`;
    const found = async (tag: string) => (await ask(made, query, { tags: [tag] })).search.edges;
    expect([await found('first-tag'), await found('second-tag')]).toEqual([
      [],
      [{ node: { kind: 'COMMENT', title: { en: 'Woylie replay' }, id: data.addComment.id } }],
    ]);
  });

  it('is of the machine of its audit in the search, also where it was archived meanwhile', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const { id } = await add(made, { title: 'Wallaroo replay' });
    const archive = async (version: number, isArchived: boolean) => {
      const { errors } = await app.as(made.contributor).send(ARCHIVE, { input: { id, version, isArchived, reason: 'R' } });
      expect(errors).toEqual([]);
    };
    await archive(1, true);
    const { errors } = await app
      .as(made.maintainer)
      .send('mutation($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { auditCount } }', {
        input: { id: made.environment.id, version: 1, hardware: 'mi300x' },
      });
    expect(errors).toEqual([]);
    const found = async (hardware: string) => {
      const query = 'query($hardware: [String!]) { search(query: "wallaroo", filter: { hardware: $hardware }) { totalCount } }';
      return (await ask(made, query, { hardware: [hardware] })).search.totalCount;
    };
    expect([await found('h200-sxm'), await found('mi300x')]).toEqual([0, 1]);
    await archive((await stored(id)).version, false);
    expect([await found('h200-sxm'), await found('mi300x')]).toEqual([0, 1]);
  }); // prettier-ignore

  it('stays applicable on any machine, and is to be looked at again on another one only where somebody did before', async () => {
    const made = await ownAudit(app, ownItems, machine);
    const [idle, assessed] = [await add(made, { topic: 'idle' }), await add(made, { topic: 'assessed' })];
    await assess(app, made.contributor, assessed.id, { outcome: 'APPLIED' });
    const hasHardware = (hardware: string) =>
      app.db.searchDocument.count({ where: { subjectId: { in: [idle.id, assessed.id] }, hardware: { has: hardware } } });
    expect(await hasHardware('h200-sxm')).toBe(2);
    const change = async (input: object) => {
      const { version } = await app.db.environment.findUniqueOrThrow({ where: { id: made.environment.id } });
      const { data, errors } = await app.as(made.maintainer).send(
        `mutation($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) {
           audits { counts { recheck comesIn goesOut } items { edges { node { effects item { key } cause { en } } } } } } }`,
        { input: { id: made.environment.id, version, ...input } },
      );
      expect(errors).toEqual([]);
      return data.updateEnvironment.audits[0];
    };
    expect((await change({ factChanges: { torch: '2.9.0' } })).items.edges).toEqual([]);
    const moved = await change({ hardware: 'mi300x' });
    expect(moved.counts).toEqual({ recheck: 1, comesIn: 0, goesOut: 0 });
    expect(moved.items.edges).toEqual([
      {
        node: {
          effects: ['RECHECK'],
          item: { key: 'custom/assessed' },
          cause: { en: expect.stringMatching(/the result is from before$/) },
        },
      },
    ]);
    for (const { id } of [idle, assessed]) {
      expect(await stored(id)).toMatchObject({
        applies: 'YES',
        appliesReasons: [{ en: 'an item of this audit alone', zh: '仅属于本审计的条目' }],
      });
    }
    expect([await hasHardware('h200-sxm'), await hasHardware('mi300x')]).toEqual([0, 2]);
  }); // prettier-ignore

  it('has no warnings, and those of the others stay', async () => {
    const made = await ownAudit(
      app,
      [{ key: 'base' }, { key: 'needs', relations: { requires: ['rig/base'], because: { 'rig/base': { en: 'B', zh: '乙' } } } }],
      machine,
    );
    const { id } = await add(made);
    await assess(app, made.contributor, id, { outcome: 'APPLIED' });
    await assess(app, made.contributor, (await made.item('needs')).id, { outcome: 'APPLIED' });
    const query = 'query($id: ID!) { audit(id: $id) { warnings { code auditItem { item { key } } } } }';
    expect((await ask(made, query)).audit.warnings).toEqual([
      { code: 'REQUIRED_MISSING', auditItem: { item: { key: 'rig/needs' } } },
    ]);
  }); // prettier-ignore
});
