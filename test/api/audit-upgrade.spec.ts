import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BundleItem } from '../../src/domain/content/bundle.js';
import type { AuditItem, Environment } from '../../src/generated/prisma/client.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { assess, open } from '../support/own-audit.js';
import { importRelease } from '../support/own-release.js';
import { refused } from '../support/refused.js';
import { rowsOf, added } from '../support/rows.js';

const ANSWER = `isPreview audit { version checklist { version } } from { slug version } to { version }
  counts { carried recheck updated new archived returned becomesItem }
  items(effects: $effects, first: 100) { totalCount edges { node {
    key title { en zh } effects changedTexts cause { en zh } auditItem { id }
    before { answer reasons { en zh } } after { answer reasons { en zh } }
  } } }`;
const PREVIEW = `query($auditId: ID!, $release: String, $effects: [UpgradeEffect!]) {
  previewAuditUpgrade(auditId: $auditId, release: $release) { ${ANSWER} }
}`;
const UPGRADE = `mutation($input: UpgradeAuditInput!, $effects: [UpgradeEffect!]) {
  upgradeAudit(input: $input) { ${ANSWER} }
}`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

interface Change {
  readonly key: string;
  readonly effects: readonly string[];
  readonly changedTexts: readonly string[];
  readonly cause: { readonly en: string; readonly zh: string } | null;
  readonly auditItem: { readonly id: string } | null;
  readonly before: { readonly answer: string } | null;
  readonly after: { readonly answer: string } | null;
}

interface Upgrade {
  readonly counts: Readonly<Record<string, number>>;
  readonly items: { readonly totalCount: number; readonly edges: readonly { readonly node: Change }[] };
}

interface Made extends given.Team {
  readonly slug: string;
  readonly auditId: string;
  readonly environment: Environment;
}

const item = (key: string, changes: Partial<BundleItem> = {}): BundleItem => ({
  key,
  title: { en: `The ${key}`, zh: `条目 ${key}` },
  check: { en: 'Look at the log.', zh: '看日志。' },
  ...changes,
});

const first = [item('rig/gone'), item('rig/same'), item('rig/check'), item('rig/chinese'), item('rig/untouched')];
/** One check by one character, one text in its Chinese alone, one gone, one new, and another order. */
const second = [
  item('rig/chinese', { check: { en: 'Look at the log.', zh: '先看日志。' } }),
  item('rig/new', { applicability: { vendor: 'amd' } }),
  item('rig/same'),
  item('rig/check', { check: { en: 'Look at the log!', zh: '看日志。' } }),
  item('rig/untouched', { check: { en: 'Look at the log!', zh: '看日志。' } }),
];

const none = { carried: 0, recheck: 0, updated: 0, new: 0, archived: 0, returned: 0, becomesItem: 0 } as const;

/** An audit of release 1.0.0 of a checklist of somebody's own, with no newer release yet. */
async function audited(items: readonly BundleItem[] = first): Promise<Made> {
  const team = await given.project(app.db);
  const slug = `rig-${randomUUID().slice(0, 13)}`;
  const environment = await given.environment(app.db, team.project.id, { name: 'default', hardware: 'h100-sxm' });
  await importRelease(app, team.contributor, { slug, version: '1.0.0', items });
  return { ...team, slug, environment, auditId: await open(app, team, slug) };
}

const release = (made: Made, version: string, items: readonly BundleItem[]) =>
  importRelease(app, made.contributor, { slug: made.slug, version, items });

async function stored(made: Made, key: string): Promise<AuditItem> {
  const where = { auditId: made.auditId, OR: [{ releaseItem: { key } }, { customKey: key }] };
  return app.db.auditItem.findFirstOrThrow({ where });
}

async function say(made: Made, key: string, change: object): Promise<void> {
  await assess(app, made.contributor, (await stored(made, key)).id, change);
}

async function send(who: { id: string }, mutation: string, type: string, input: object, fields = 'id') {
  const { data, errors } = await app
    .as(who)
    .send(`mutation($input: ${type}!) { made: ${mutation}(input: $input) { ${fields} } }`, { input });
  expect(errors).toEqual([]);
  return data.made;
}

async function preview(made: Made, variables: object = {}) {
  const { data, errors } = await app.as(made.contributor).send(PREVIEW, { auditId: made.auditId, ...variables });
  expect(errors).toEqual([]);
  return data.previewAuditUpgrade;
}

async function upgrade(made: Made, input: object = {}) {
  const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId } });
  const { data, errors } = await app
    .as(made.contributor)
    .send(UPGRADE, { input: { auditId: made.auditId, version, ...input } });
  expect(errors).toEqual([]);
  return data.upgradeAudit;
}

const effects = ({ items }: Upgrade) => items.edges.map(({ node }) => [node.key, ...node.effects]);
const changeOf = ({ items }: Upgrade, key: string) => items.edges.find(({ node }) => node.key === key)?.node;

function history(made: Made, where: object = {}) {
  return app.db.historyEntry.findMany({ where: { auditId: made.auditId, ...where }, orderBy: { id: 'asc' } });
}

function addOwn(made: Made, topic: string, section = 'rig', title = `Own ${topic}`): Promise<{ id: string }> {
  return send(made.contributor, 'addCustomItem', 'AddCustomItemInput', {
    auditId: made.auditId, section, topic, title, locale: 'EN', check: 'Look at the log.',
  }); // prettier-ignore
}

/** As an accepted proposal stands in the database; of one item there may be several from an earlier installation. */
async function accept(made: Made, auditItemId: string, key: string): Promise<void> {
  const { id: checklistId } = await app.db.checklist.findUniqueOrThrow({ where: { slug: made.slug } });
  await app.db.proposal.create({
    data: {
      projectId: made.project.id, auditItemId, checklistId, key, content: {}, why: 'Good', status: 'ACCEPTED',
      proposedById: made.contributor.id,
    },
  }); // prettier-ignore
}

describe('upgradeAudit', () => {
  it('marks what needs another look, archives what is gone, adds what is new, and loses nothing', async () => {
    const made = await audited();
    const check = await stored(made, 'rig/check');
    await send(made.contributor, 'recordMeasurement', 'RecordMeasurementInput', {
      auditItemId: check.id, metric: 'training.throughput', sampling: 'SEPARATE_SESSIONS',
      before: [100, 101, 102, 103], after: [120, 121, 122, 123],
    }); // prettier-ignore
    for (const key of ['rig/gone', 'rig/same', 'rig/check', 'rig/chinese']) {
      await say(made, key, { work: 'DONE', outcome: 'APPLIED', remark: `备注 ${key}` });
    }
    await send(made.contributor, 'addComment', 'AddCommentInput', { auditItemId: (await stored(made, 'rig/gone')).id, body: 'Kept' }); // prettier-ignore
    await release(made, '2.0.0', second);
    const made2 = await upgrade(made);
    expect(made2).toMatchObject({
      isPreview: false,
      audit: { version: 2, checklist: { version: '2.0.0' } },
      from: { slug: made.slug, version: '1.0.0' },
      to: { version: '2.0.0' },
      counts: { ...none, carried: 2, recheck: 1, updated: 1, new: 1, archived: 1 },
    });
    expect(effects(made2)).toEqual([
      ['rig/chinese', 'CARRIED'],
      ['rig/new', 'NEW'],
      ['rig/same', 'CARRIED'],
      ['rig/check', 'RECHECK'],
      ['rig/untouched', 'UPDATED'],
      ['rig/gone', 'ARCHIVED'],
    ]);
    const cause = {
      en: 'the check changed between releases 1.0.0 and 2.0.0 (how to check); the result is from before',
      zh: '版本 1.0.0 与 2.0.0 之间检查内容有变更（如何检查）；原有结论得自变更之前',
    };
    expect(changeOf(made2, 'rig/check')).toMatchObject({ changedTexts: ['check'], cause, auditItem: { id: check.id } });
    expect(changeOf(made2, 'rig/chinese')).toMatchObject({ changedTexts: ['check'], cause: null });
    expect(changeOf(made2, 'rig/same')).toMatchObject({ changedTexts: [], cause: null });
    expect(changeOf(made2, 'rig/new')).toMatchObject({ before: null, after: { answer: 'NO' } });
    expect(changeOf(made2, 'rig/gone')).toMatchObject({ before: { answer: 'YES' }, after: null });

    // The old result stands, measurement included, beside the mark
    expect(await stored(made, 'rig/check')).toMatchObject({
      id: check.id, work: 'DONE', outcome: 'APPLIED', remark: '备注 rig/check', measuredProof: 'VERIFIED',
      recheckCode: 'CHECK_CHANGED', recheckCause: cause, recheckOfId: check.releaseItemId, recheckSince: expect.any(Date),
    }); // prettier-ignore
    expect(await stored(made, 'rig/gone')).toMatchObject({
      isArchived: true, work: 'DONE', outcome: 'APPLIED', remark: '备注 rig/gone', recheckCode: null,
    }); // prettier-ignore
    expect(await stored(made, 'rig/untouched')).toMatchObject({ recheckCode: null, outcome: 'NOT_ASSESSED' });
    const { data } = await app.as(made.viewer).send(
      `query($id: ID!) { audit(id: $id) {
         progress { total applicable assessed done verified }
         items { edges { node { proof item { key check { en zh } } recheck { code cause { zh } item { key check { en } checklist { version } } } } } }
         archived: items(filter: { isArchived: true }) { edges { node { remark commentCount item { key checklist { version } } } } }
       } }`,
      { id: made.auditId },
    ); // prettier-ignore
    expect(data.audit.progress).toEqual({ total: 5, applicable: 4, assessed: 2, done: 3, verified: 1 });
    expect(data.audit.items.edges.map(({ node }: { node: { item: { key: string } } }) => node.item.key)).toEqual(
      second.map(({ key }) => key),
    );
    expect(data.audit.items.edges[0].node.item.check).toEqual({ en: 'Look at the log.', zh: '先看日志。' });
    expect(data.audit.items.edges[3].node).toEqual({
      proof: 'VERIFIED',
      item: { key: 'rig/check', check: { en: 'Look at the log!', zh: '看日志。' } },
      recheck: {
        code: 'CHECK_CHANGED',
        cause: { zh: cause.zh },
        item: { key: 'rig/check', check: { en: 'Look at the log.' }, checklist: { version: '1.0.0' } },
      },
    });
    expect(data.audit.archived.edges).toEqual([
      {
        node: { remark: '备注 rig/gone', commentCount: 1, item: { key: 'rig/gone', checklist: { version: '1.0.0' } } },
      },
    ]);
  });

  it('tells in the history what it did, in the language of whoever did it', async () => {
    const made = await audited();
    await say(made, 'rig/check', { outcome: 'APPLIED' });
    await release(made, '2.0.0', second);
    const { length } = await history(made);
    await upgrade(made);
    const entries = (await history(made)).slice(length);
    const idOf = async (key: string) => (await stored(made, key)).id;
    expect(entries.map(({ subject, subjectId, field, before, after, reason }) => [subject, subjectId, field, before, after, reason])).toEqual([
      ['audit', made.auditId, 'release', '1.0.0', '2.0.0', null],
      ['auditItem', await idOf('rig/new'), 'created', null, { key: 'rig/new' }, null],
      ['auditItem', await idOf('rig/check'), 'recheck', null, 'CHECK_CHANGED',
        'the check changed between releases 1.0.0 and 2.0.0 (how to check); the result is from before'],
      ['auditItem', await idOf('rig/gone'), 'archived', false, true, null],
    ]);
    const chinese = await given.chineseMember(app.db, made.project.id, 'CONTRIBUTOR');
    await app.db.checklist.update({ where: { slug: made.slug }, data: { ownerId: chinese.id } });
    await importRelease(app, chinese, { slug: made.slug, version: '3.0.0', items: first });
    const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId } });
    const { errors } = await app.as(chinese).send(UPGRADE, { input: { auditId: made.auditId, version } });
    expect(errors).toEqual([]);
    const [marked] = await history(made, { field: 'recheck', viewerId: chinese.id });
    expect(marked?.reason).toBe('版本 2.0.0 与 3.0.0 之间检查内容有变更（如何检查）；原有结论得自变更之前');
  }); // prettier-ignore

  it('keeps the item of the first result, and joins the causes, over two upgrades', async () => {
    const made = await audited();
    const { releaseItemId } = await stored(made, 'rig/check');
    await say(made, 'rig/check', { outcome: 'REJECTED', reasonCode: 'LATER', reason: 'Not now' });
    await release(made, '2.0.0', second);
    await upgrade(made);
    await release(made, '2.1.0', [item('rig/check', { check: { en: 'Another check', zh: '另一种检查' } })]);
    const again = await upgrade(made);
    expect(again.counts).toEqual({ ...none, recheck: 1, archived: 4 });
    const { recheckOfId, recheckCause, reason } = await stored(made, 'rig/check');
    expect([recheckOfId, reason]).toEqual([releaseItemId, 'Not now']);
    expect(recheckCause).toEqual({
      en:
        'the check changed between releases 2.0.0 and 2.1.0 (how to check); the result is from before. ' +
        'Before: the check changed between releases 1.0.0 and 2.0.0 (how to check); the result is from before',
      zh:
        '版本 2.0.0 与 2.1.0 之间检查内容有变更（如何检查）；原有结论得自变更之前。' +
        '此前：版本 1.0.0 与 2.0.0 之间检查内容有变更（如何检查）；原有结论得自变更之前',
    });
    await say(made, 'rig/check', { outcome: 'APPLIED' });
    expect(await stored(made, 'rig/check')).toMatchObject({ recheckCode: null, recheckOfId: null });
  });

  it('keeps the cause that the environment gave before', async () => {
    const made = await audited([item('rig/check', { recheckOn: ['cuda'] })]);
    await app.db.environment.update({ where: { id: made.environment.id }, data: { facts: { cuda: '12.4' } } });
    await app.db.audit.update({ where: { id: made.auditId }, data: { scopeFacts: { cuda: '12.4' } } });
    await say(made, 'rig/check', { outcome: 'APPLIED' });
    await send(made.maintainer, 'updateEnvironment', 'UpdateEnvironmentInput', {
      id: made.environment.id, version: 1, factChanges: { cuda: '12.8' },
    }, 'auditCount'); // prettier-ignore
    const before = await stored(made, 'rig/check');
    await release(made, '2.0.0', [item('rig/check', { check: { en: 'Another', zh: '另一种' }, recheckOn: ['cuda'] })]);
    await upgrade(made);
    const after = await stored(made, 'rig/check');
    expect([before.recheckCode, after.recheckCode]).toEqual(['ENVIRONMENT_CHANGED', 'CHECK_CHANGED']);
    expect(JSON.stringify(after.recheckCause)).toContain('12.8');
    expect(after.recheckSince).toEqual(before.recheckSince);
  });

  it('asks the rules anew where they changed, and looks again at a result that they turn', async () => {
    const made = await audited([item('rig/turned'), item('rig/open'), item('rig/overruled')]);
    await say(made, 'rig/turned', { outcome: 'APPLIED' });
    await send(made.contributor, 'overruleApplicability', 'OverruleApplicabilityInput', {
      id: (await stored(made, 'rig/overruled')).id, version: 1, answer: 'YES', reason: 'It does here',
    }); // prettier-ignore
    const applicability = { vendor: 'amd' };
    await release(made, '2.0.0', [
      item('rig/turned', { applicability }),
      item('rig/open', { applicability }),
      item('rig/overruled', { applicability }),
    ]);
    const done = await upgrade(made);
    expect(effects(done)).toEqual([
      ['rig/turned', 'RECHECK'],
      ['rig/open', 'UPDATED'],
      ['rig/overruled', 'RECHECK'],
    ]);
    const turned = changeOf(done, 'rig/turned');
    expect([turned?.before?.answer, turned?.after?.answer]).toEqual(['YES', 'NO']);
    expect(turned?.cause?.en).toMatch(
      /^the check changed between releases 1\.0\.0 and 2\.0\.0 \(applicability\); it does not apply any more: /,
    );
    expect(await stored(made, 'rig/overruled')).toMatchObject({
      applies: 'NO',
      overruled: 'YES',
      recheckCode: 'CHECK_CHANGED',
      outcome: 'NOT_ASSESSED',
    });
    const entries = await history(made, { field: 'applies' });
    expect(entries.map(({ before, after }) => [before, after])).toEqual([['YES', 'NO'], ['YES', 'NO'], ['YES', 'NO']]); // prettier-ignore
  });

  it('brings back what was archived, with all that was said of it, and compares it with what it was', async () => {
    const made = await audited();
    await say(made, 'rig/gone', { outcome: 'APPLIED', remark: 'Said before' });
    await say(made, 'rig/same', { outcome: 'APPLIED' });
    await release(made, '2.0.0', [item('rig/check')]);
    await upgrade(made);
    await release(made, '3.0.0', [item('rig/same'), item('rig/gone', { check: { en: 'Other', zh: '另外' } }), item('rig/check')]);
    const back = await upgrade(made);
    expect(effects(back)).toEqual([
      ['rig/same', 'RETURNED'],
      ['rig/gone', 'RETURNED', 'RECHECK'],
      ['rig/check', 'CARRIED'],
    ]);
    expect(changeOf(back, 'rig/gone')?.cause?.en).toContain('between releases 1.0.0 and 3.0.0');
    expect(await stored(made, 'rig/gone')).toMatchObject({ isArchived: false, remark: 'Said before', outcome: 'APPLIED' });
    expect(await stored(made, 'rig/same')).toMatchObject({ isArchived: false, recheckCode: null });
    expect(await stored(made, 'rig/chinese')).toMatchObject({ isArchived: true });
    const entries = await history(made, { field: 'archived', auditItemId: (await stored(made, 'rig/gone')).id });
    expect(entries.map(({ before, after }) => [before, after])).toEqual([[false, true], [true, false]]);
  }); // prettier-ignore

  it('makes the item of the checklist of an accepted one of the audit alone, and leaves others behind the release', async () => {
    const made = await audited([item('rig/same'), item('old/section')]);
    const add = (topic: string, section: string) =>
      send(made.contributor, 'addCustomItem', 'AddCustomItemInput', {
        auditId: made.auditId, section, topic, title: `Own ${topic}`, locale: 'EN', check: 'Look at the log.',
      }); // prettier-ignore
    const [taken, other] = [await add('taken', 'rig'), await add('other', 'old')];
    await say(made, 'custom/taken', { outcome: 'APPLIED', remark: 'Walrus' });
    await app.db.proposal.create({
      data: {
        projectId: made.project.id, auditItemId: taken.id, key: 'rig/taken', content: {}, why: 'Good', status: 'ACCEPTED',
        proposedById: made.contributor.id,
        checklistId: (await app.db.checklist.findUniqueOrThrow({ where: { slug: made.slug } })).id,
      },
    }); // prettier-ignore
    const { custom } = await stored(made, 'custom/taken');
    await release(made, '1.1.0', [item('rig/same'), item('rig/taken')]);
    const done = await upgrade(made);
    expect(effects(done)).toEqual([
      ['rig/same', 'CARRIED'],
      ['rig/taken', 'BECOMES_ITEM'],
      ['custom/other', 'CARRIED'],
      ['old/section', 'ARCHIVED'],
    ]);
    expect(await stored(made, 'rig/taken')).toMatchObject({
      id: taken.id, custom: null, customKey: null, customSection: null, outcome: 'APPLIED', remark: 'Walrus', recheckCode: null,
    }); // prettier-ignore
    const [kept] = await history(made, { field: 'custom' });
    expect(kept).toMatchObject({
      auditItemId: taken.id,
      before: { key: 'custom/taken', section: 'rig', custom },
      after: null,
    });
    // The section that it stood in is gone
    expect(await app.db.auditItem.findUnique({ where: { id: other.id } })).toMatchObject({ customSection: 'rig' });
    const rows = await app.db.auditItem.findMany({ where: { auditId: made.auditId }, orderBy: { position: 'asc' }, include: { releaseItem: true } }); // prettier-ignore
    expect(rows.map(({ releaseItem, customKey }) => releaseItem?.key ?? customKey)).toEqual([
      'rig/same', 'rig/taken', 'custom/other', 'old/section',
    ]); // prettier-ignore
    const search = await app
      .as(made.viewer)
      .send('{ search(query: "walrus") { edges { node { key title { en } } } } }');
    expect(search.data.search.edges).toEqual([{ node: { key: 'rig/taken', title: { en: 'The rig/taken' } } }]);
  });

  it('makes one item of the checklist of one that was accepted twice, and loses none', async () => {
    const made = await audited([item('rig/same')]);
    const taken = await addOwn(made, 'fan');
    await say(made, 'custom/fan', { outcome: 'APPLIED', remark: 'Kept' });
    await accept(made, taken.id, 'rig/one');
    await accept(made, taken.id, 'rig/two');
    await release(made, '2.0.0', [item('rig/same'), item('rig/one'), item('rig/two')]);
    const done = await upgrade(made);
    expect(done.counts).toEqual({ ...none, carried: 1, becomesItem: 1, new: 1 });
    expect(effects(done)).toEqual([
      ['rig/same', 'CARRIED'],
      ['rig/one', 'BECOMES_ITEM'],
      ['rig/two', 'NEW'],
    ]);
    expect(await stored(made, 'rig/one')).toMatchObject({ id: taken.id, remark: 'Kept', outcome: 'APPLIED' });
    expect(await stored(made, 'rig/two')).toMatchObject({ remark: null, outcome: 'NOT_ASSESSED', work: 'TODO' });
    expect(await app.db.auditItem.count({ where: { auditId: made.auditId } })).toBe(3);
  });

  it('knows in a clone, and in a clone of one, what was accepted where it comes from, also after an upgrade there', async () => {
    const made = await audited([item('rig/same')]);
    const taken = await addOwn(made, 'fan');
    await addOwn(made, 'other');
    await say(made, 'custom/fan', { remark: 'Kept' });
    const clone = async (auditId: string, carry: readonly string[] = ['CUSTOM_ITEMS', 'REMARKS']): Promise<Made> => {
      const { id } = await send(made.contributor, 'cloneAudit', 'CloneAuditInput', { auditId, carry });
      return { ...made, auditId: id };
    };
    const copy = await clone(made.auditId);
    const copyOfCopy = await clone(copy.auditId);
    await accept(made, taken.id, 'rig/fan');
    await release(made, '2.0.0', [item('rig/fan'), item('rig/same')]);
    const expected = [
      ['rig/fan', 'BECOMES_ITEM'],
      ['rig/same', 'CARRIED'],
      ['custom/other', 'CARRIED'],
    ];
    expect(effects(await preview(copy))).toEqual(expected);
    expect(effects(await upgrade(made))).toEqual(expected);
    for (const one of [copy, copyOfCopy]) {
      const { id } = await stored(one, 'custom/fan');
      expect(effects(await upgrade(one))).toEqual(expected);
      expect(await stored(one, 'rig/fan')).toMatchObject({ id, customKey: null, remark: 'Kept' });
    }
    // A clone of the new release has the item, and another one of the topic is another one
    const later = await clone(made.auditId);
    await addOwn(later, 'fan');
    await release(made, '3.0.0', [item('rig/fan'), item('rig/same'), item('rig/new')]);
    expect(effects(await upgrade(later))).toEqual([
      ['rig/fan', 'CARRIED'],
      ['rig/same', 'CARRIED'],
      ['rig/new', 'NEW'],
      ['custom/other', 'CARRIED'],
      ['custom/fan', 'CARRIED'],
    ]);
    // An audit that is no clone knows nothing of it
    const apart = { ...made, auditId: await open(app, made, made.slug) };
    await addOwn(apart, 'fan');
    await release(made, '4.0.0', [item('rig/fan'), item('rig/same'), item('rig/newer')]);
    expect(effects(await upgrade(apart)).at(-2)).toEqual(['custom/fan', 'CARRIED']);
  });

  it('tells the search which section an item of the audit alone stands in, and what its comments are about', async () => {
    const made = await audited([item('rig/same'), item('old/gone')]);
    const own = await addOwn(made, 'fan', 'old', 'Quokkafan');
    const { id: itemId } = await stored(made, 'rig/same');
    for (const auditItemId of [own.id, itemId]) {
      await send(made.contributor, 'addComment', 'AddCommentInput', { auditItemId, body: 'A bandicoot was seen' });
    }
    await say(made, 'rig/same', { remark: 'A bandicoot again' });
    await release(made, '2.0.0', [item('rig/same', { title: { en: 'The same, said anew', zh: '重新表述' } })]);
    await upgrade(made);
    const found = async (query: string) => {
      const { data, errors } = await app.as(made.viewer).send(
        `query($query: String!) { search(query: $query, filter: { section: "rig" }) {
           edges { node { kind title { en } } } } }`,
        { query },
      );
      expect(errors).toEqual([]);
      const edges: { node: { kind: string; title: { en: string } } }[] = data.search.edges;
      return edges.map(({ node }) => `${node.kind} ${node.title.en}`).sort();
    };
    expect(await found('quokkafan')).toEqual(['AUDIT_ITEM Quokkafan', 'COMMENT Quokkafan']);
    expect(await found('bandicoot')).toEqual([
      'AUDIT_ITEM The same, said anew',
      'COMMENT Quokkafan',
      'COMMENT The same, said anew',
    ]);
  });

  it('raises the versions of the items that it touches, so that nobody writes on what they have not read', async () => {
    const made = await audited();
    const { id, version } = await stored(made, 'rig/check');
    await release(made, '2.0.0', second);
    await upgrade(made);
    const { errorCode } = await app
      .as(made.contributor)
      .send('mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }', {
        input: { id, version, outcome: 'APPLIED' },
      });
    expect(errorCode).toBe('CONFLICT');
  });

  it('gives the same answer to a repeated request, after the audit has moved', async () => {
    const made = await audited();
    await release(made, '2.0.0', second);
    const input = { version: 1, clientMutationId: 'upgrade-1' };
    const [once, again] = [await upgrade(made, input), await upgrade(made, input)];
    expect(again).toEqual(once);
    expect(await app.db.auditItem.count({ where: { auditId: made.auditId } })).toBe(6);
  });

  it('goes to the release that is named, else to the newest', async () => {
    const made = await audited();
    for (const version of ['1.1.0', '1.2.0']) await release(made, version, [item('rig/same'), item(`rig/${version.replaceAll('.', '-')}`)]); // prettier-ignore
    expect((await upgrade(made, { release: '1.1.0' })).to.version).toBe('1.1.0');
    expect((await upgrade(made)).to.version).toBe('1.2.0');
  });

  it('needs few statements, however many items there are', async () => {
    const count = async (size: number) => {
      const items = (text: string) =>
        Array.from({ length: size }, (_, index) => item(`rig/item-${index}`, { check: { en: text, zh: text } }));
      const made = await audited([...items('One'), item('rig/gone')]);
      await app.db.auditItem.updateMany({
        where: { auditId: made.auditId },
        data: { outcome: 'APPLIED', remark: 'Text' },
      });
      await release(made, '2.0.0', [...items('Two'), item('rig/new')]);
      return app.statementsOf(() => upgrade(made));
    };
    const [few, many] = [await count(2), await count(60)];
    expect(many).toBe(few);
  });

  it.each([
    ['the same one', '1.0.0', '; release "1.0.0" is no newer release of it; newer ones are 1.2.0, 1.1.0'],
    ['an older one', '0.9.0', '; release "0.9.0" is no newer release of it; newer ones are 1.2.0, 1.1.0'],
    ['one that is not there', '9.9.9', '; release "9.9.9" is no newer release of it; newer ones are 1.2.0, 1.1.0'],
  ])('refuses %s, and says which there are', async (_, given, text) => {
    const made = await audited([item('rig/same')]);
    await release(made, '1.1.0', [item('rig/same'), item('rig/b')]);
    await release(made, '1.2.0', [item('rig/same'), item('rig/c')]);
    const input = { auditId: made.auditId, version: 1, release: given };
    expect(await refused(app, app.as(made.contributor), UPGRADE, input)).toMatchObject({
      code: 'INVALID_INPUT',
      message: `The audit is on release 1.0.0 of the checklist "${made.slug}"${text}`,
    });
  });

  it('refuses where there is no newer release, or none that the viewer may see', async () => {
    const made = await audited();
    const ask = (who: { id: string }) => refused(app, app.as(who), UPGRADE, { auditId: made.auditId, version: 1 });
    const message = `The audit is on release 1.0.0 of the checklist "${made.slug}"; there is no newer one`;
    expect(await ask(made.contributor)).toMatchObject({ code: 'INVALID_INPUT', message });
    await release(made, '2.0.0', second);
    // The checklist is somebody else's own
    expect(await ask(made.maintainer)).toMatchObject({ code: 'INVALID_INPUT', message });
    const chinese = await given.chineseMember(app.db, made.project.id);
    expect(await ask(chinese)).toMatchObject({ message: `该审计使用清单“${made.slug}”的版本 1.0.0；没有更新的版本` });
  });

  it('refuses a closed audit, an older version of it, members who only read, and strangers', async () => {
    const made = await audited();
    await release(made, '2.0.0', second);
    const input = { auditId: made.auditId, version: 1 };
    expect(await refused(app, app.as(made.viewer), UPGRADE, input)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refused(app, app.as(made.stranger), UPGRADE, input)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(app, app.as(null), UPGRADE, input)).toMatchObject({ code: 'UNAUTHENTICATED' });
    const stale = await refused(app, app.as(made.contributor), UPGRADE, { ...input, version: 7 });
    expect(stale).toMatchObject({ code: 'CONFLICT', extensions: { current: { version: 1 } } });
    await app.db.audit.update({ where: { id: made.auditId }, data: { status: 'CLOSED' } });
    expect(await refused(app, app.as(made.contributor), UPGRADE, input)).toMatchObject({ code: 'CONFLICT' });
    expect((await app.as(made.contributor).send(PREVIEW, { auditId: made.auditId })).errorCode).toBe('CONFLICT');
  });
});

describe('previewAuditUpgrade', () => {
  it('says what the upgrade then does, and writes nothing', async () => {
    const made = await audited();
    await say(made, 'rig/check', { outcome: 'APPLIED' });
    await release(made, '2.0.0', second);
    const before = [
      await rowsOf(app.db),
      await app.db.auditItem.findMany({ where: { auditId: made.auditId } }),
    ] as const;
    const said = await preview(made);
    expect(added(before[0], await rowsOf(app.db))).toEqual({});
    expect(await app.db.auditItem.findMany({ where: { auditId: made.auditId } })).toEqual(before[1]);
    expect([said.isPreview, said.audit.version, changeOf(said, 'rig/new')?.auditItem]).toEqual([true, 1, null]);
    const done = await upgrade(made);
    const plain = ({ counts, from, to, items }: Upgrade & { from: object; to: object }) => ({
      counts, from, to, items: items.edges.map(({ node: { auditItem: _, ...node } }) => node),
    }); // prettier-ignore
    expect(plain(said)).toEqual(plain(done));
  });

  it('gives the items with an effect alone, when asked', async () => {
    const made = await audited();
    await release(made, '2.0.0', second);
    expect(effects(await preview(made, { effects: ['NEW', 'ARCHIVED'] }))).toEqual([
      ['rig/new', 'NEW'],
      ['rig/gone', 'ARCHIVED'],
    ]);
  });

  it('is for members alone, readers included', async () => {
    const made = await audited();
    await release(made, '2.0.0', second);
    const ask = async (who: { id: string } | null) =>
      (await app.as(who).send(PREVIEW, { auditId: made.auditId })).errorCode;
    await app.db.checklist.update({ where: { slug: made.slug }, data: { ownerId: made.viewer.id } });
    expect([await ask(made.viewer), await ask(made.stranger), await ask(null)]).toEqual([undefined, 'NOT_FOUND', 'UNAUTHENTICATED']); // prettier-ignore
  });
});
