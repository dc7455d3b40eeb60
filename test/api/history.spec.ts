import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { seeded } from '../support/mutated-text.js';
import { assess, ownAudit, type OwnAudit } from '../support/own-audit.js';

const ENTRY = `{
  id at by { id name } byName isImported subject subjectId auditItem { id } field before after reason text { en zh }
}`;
const PAGE = `{ totalCount pageInfo { hasNextPage endCursor } edges { node ${ENTRY} } }`;
const ARGUMENTS = '$id: ID!, $filter: HistoryFilter, $first: Int, $after: String';
const OF_ITEM = `query(${ARGUMENTS}) {
  auditItem(id: $id) { history(filter: $filter, first: $first, after: $after) ${PAGE} }
}`;
const OF_AUDIT = `query(${ARGUMENTS}) {
  audit(id: $id) { history(filter: $filter, first: $first, after: $after) ${PAGE} }
}`;
const EXPORT = `query($auditId: ID!, $format: HistoryFormat!, $locale: Locale) {
  historyExport(auditId: $auditId, format: $format, locale: $locale) { fileName mediaType content }
}`;

interface Entry {
  readonly id: string;
  readonly field: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function historyOf(query: string, viewer: { id: string }, variables: object) {
  const { data, errors } = await app.as(viewer).send(query, { ...variables });
  expect(errors).toEqual([]);
  return (data.audit ?? data.auditItem).history;
}
const nodesOf = (history: { edges: { node: Entry }[] }) => history.edges.map(({ node }) => node);

/** An entry as an import of an audit leaves it. */
async function imported(made: OwnAudit, itemId: string, data: object): Promise<string> {
  const { id } = await app.db.historyEntry.create({
    data: {
      projectId: made.project.id,
      auditId: made.auditId,
      auditItemId: itemId,
      subject: 'auditItem',
      subjectId: itemId,
      field: 'remark',
      after: 'from elsewhere',
      ...data,
    },
  });
  return id;
}

describe('the history of an item', () => {
  let made: OwnAudit;
  let itemId: string;
  beforeAll(async () => {
    made = await ownAudit(app, [{ key: 'one' }, { key: 'two' }]);
    itemId = (await made.item('one')).id;
    await assess(app, made.contributor, itemId, { remark: 'First' });
    await assess(app, made.reviewer, itemId, { remark: 'Second', work: 'IN_PROGRESS' });
    await assess(app, made.contributor, itemId, {
      outcome: 'REJECTED',
      reasonCode: 'TOO_RISKY',
      reason: 'Breaks the loader',
      remark: null,
      assigneeId: made.reviewer.id,
    });
    await assess(app, made.contributor, (await made.item('two')).id, { remark: 'Of the other' });
  });

  it('says who changed what, when, from what to what, and why, newest first', async () => {
    const { edges, totalCount, pageInfo } = await historyOf(OF_ITEM, made.viewer, { id: itemId, first: 3 });
    expect([totalCount, pageInfo.hasNextPage]).toEqual([8, true]);
    const entry = {
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      by: { id: made.contributor.id, name: 'contributor' },
      byName: 'contributor',
      isImported: false,
      subject: 'AUDIT_ITEM',
      subjectId: itemId,
      auditItem: { id: itemId },
      reason: 'Breaks the loader',
    };
    expect(edges.map(({ node }: { node: Entry }) => node)).toEqual([
      {
        ...entry,
        field: 'assigneeId',
        before: null,
        after: made.reviewer.id,
        reason: null,
        text: { en: 'Assignee set to reviewer', zh: '负责人设为“reviewer”' },
      },
      {
        ...entry,
        field: 'remark',
        before: 'Second',
        after: null,
        text: { en: 'Remark cleared (was “Second”)', zh: '备注已清除（原为“Second”）' },
      },
      {
        ...entry,
        field: 'reason',
        before: null,
        after: 'Breaks the loader',
        text: { en: 'Reason set to “Breaks the loader”', zh: '理由设为“Breaks the loader”' },
      },
    ]);
  });

  it('shows every remark that there was', async () => {
    const filter = { fields: ['remark'] };
    const nodes = nodesOf(await historyOf(OF_ITEM, made.viewer, { id: itemId, filter }));
    expect(nodes.map(({ before, after }) => [before, after])).toEqual([
      ['Second', null],
      ['First', 'Second'],
      [null, 'First'],
    ]);
  });

  it('is filtered by person, time, subject and item, each alone and together', async () => {
    const all = nodesOf(await historyOf(OF_ITEM, made.viewer, { id: itemId })) as (Entry & { at: string })[];
    const fieldsOf = async (query: string, id: string, filter: object) =>
      nodesOf(await historyOf(query, made.viewer, { id, filter })).map(({ field }) => field);
    expect((await fieldsOf(OF_ITEM, itemId, { by: made.reviewer.id })).sort()).toEqual(['remark', 'work']);
    expect(await fieldsOf(OF_ITEM, itemId, { by: made.reviewer.id, fields: ['work'] })).toEqual(['work']);
    expect(await fieldsOf(OF_ITEM, itemId, { by: 'nobody' })).toEqual([]);
    expect(await fieldsOf(OF_ITEM, itemId, { fields: [] })).toEqual([]);
    const newest = all[0]?.at ?? '';
    const since = all.filter(({ at }) => at >= newest).map(({ field }) => field);
    const until = all.filter(({ at }) => at < newest).map(({ field }) => field);
    expect(await fieldsOf(OF_ITEM, itemId, { since: newest })).toEqual(since);
    expect(await fieldsOf(OF_ITEM, itemId, { until: newest })).toEqual(until);
    expect(await fieldsOf(OF_AUDIT, made.auditId, { subjects: ['AUDIT'] })).toEqual(['created']);
    expect(await fieldsOf(OF_AUDIT, made.auditId, { itemIds: [itemId], fields: ['remark'] })).toHaveLength(3);
    expect(await fieldsOf(OF_AUDIT, made.auditId, { fields: ['remark'] })).toHaveLength(4);
  });

  it('is part of that of the audit and of the project', async () => {
    const audit = await historyOf(OF_AUDIT, made.viewer, { id: made.auditId });
    const { data } = await app.as(made.viewer).send(
      `query($slug: String!) { project(slug: $slug) { history(filter: { itemIds: ["${itemId}"] }) { totalCount } whole: history { totalCount } } }`,
      { slug: made.project.slug },
    );
    expect([audit.totalCount, data.project]).toEqual([10, { history: { totalCount: 8 }, whole: { totalCount: 10 } }]);
    const oldest = nodesOf(audit).at(-1);
    expect(oldest).toMatchObject({ subject: 'AUDIT', field: 'created', auditItem: null });
  }); // prettier-ignore

  it('can be read page by page, each entry once, also where many are of one time', async () => {
    const own = await ownAudit(app, [{ key: 'one' }]);
    const { id } = await own.item('one');
    const at = new Date('2025-03-01T10:00:00.123Z');
    for (let index = 0; index < 7; index++) await imported(own, id, { at, after: `note ${index}` });
    await imported(own, id, { at: new Date('2024-03-01T10:00:00Z'), after: 'oldest' });
    const values: unknown[] = [];
    for (let after: string | null = null; ;) {
      const page = await historyOf(OF_ITEM, own.viewer, { id, first: 3, after });
      expect(page.totalCount).toBe(8);
      values.push(...nodesOf(page).map((node) => node.after));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(values).toEqual([...[6, 5, 4, 3, 2, 1, 0].map((index) => `note ${index}`), 'oldest']);
  });

  it('tells what was done elsewhere, and what a rule did, from what people did here', async () => {
    const own = await ownAudit(app, [{ key: 'one' }]);
    const { id } = await own.item('one');
    await imported(own, id, { at: new Date('2024-01-02T03:04:05Z'), byName: '王芳' });
    await imported(own, id, { at: new Date('2024-01-01T03:04:05Z'), byName: '' });
    await imported(own, id, { field: 'recheck', after: 'EXPIRED' });
    const nodes = nodesOf(await historyOf(OF_ITEM, own.viewer, { id }));
    expect(nodes).toMatchObject([
      { by: null, byName: null, isImported: false, text: { en: 'Re-check mark set to date reached', zh: '复查标记设为“已到期”' } },
      { by: null, byName: '王芳', isImported: true, at: '2024-01-02T03:04:05.000Z' },
      { by: null, byName: null, isImported: true },
    ]);
  }); // prettier-ignore

  it('costs as many statements for a hundred items as for one', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => ({ key: `item-${index}` }));
    const own = await ownAudit(app, keys);
    for (const key of ['item-1', 'item-50']) await assess(app, own.contributor, (await own.item(key)).id, { remark: key });
    const ask = async (first: number) => {
      const { data, errors } = await app.as(own.viewer).send(
        `query($id: ID!, $first: Int) {
           audit(id: $id) { items(first: $first) { edges { node { history(first: 5) ${PAGE} } } } }
         }`,
        { id: own.auditId, first },
      );
      expect(errors).toEqual([]);
      return data.audit.items.edges.map(({ node }: { node: { history: { totalCount: number } } }) => node.history.totalCount);
    };
    const few = await app.statementsOf(() => ask(2));
    const many = await app.statementsOf(async () => {
      const counts: number[] = await ask(99);
      expect([counts.length, counts[1], counts[50], counts[2]]).toEqual([99, 1, 1, 0]);
    });
    expect(many).toBe(few);
  }); // prettier-ignore

  it.each([
    ['a page of 101', { first: 101 }, 'INVALID_INPUT', 'first must be 1 to 100, and is 101'],
    ['a cursor of another list', { after: Buffer.from('v1:17').toString('base64url') }, 'INVALID_INPUT', '"djE6MTc" is not a cursor of this list'],
    ['a cursor of no time', { after: Buffer.from('v1:2025-99-01T10:00:00.000Z 1').toString('base64url') }, 'INVALID_INPUT', expect.stringContaining('is not a cursor')],
    ['501 fields', { filter: { fields: Array.from({ length: 501 }, () => 'work') } }, 'LIMIT_EXCEEDED', 'filter.fields has 501 entries; at most 500 are taken'],
  ])('refuses %s', async (_, variables, code, message) => {
    const { errors, errorCode } = await app.as(made.viewer).send(OF_ITEM, { id: itemId, ...variables });
    expect([errorCode, errors[0]?.message]).toEqual([code, message]);
  }); // prettier-ignore

  it('speaks Chinese to whoever reads Chinese', async () => {
    const reader = await given.chineseMember(app.db, made.project.id, 'VIEWER');
    const filter = { itemIds: Array.from({ length: 501 }, () => itemId) };
    const { errors } = await app.as(reader).send(OF_AUDIT, { id: made.auditId, filter });
    expect(errors[0]?.message).toBe('filter.itemIds 有 501 项，最多 500 项');
    const { data } = await app
      .as(reader)
      .send(
        'query($id: ID!) { auditItem(id: $id) { history(filter: { fields: ["outcome"] }) { edges { node { text { text } } } } } }',
        { id: itemId },
      );
    expect(data.auditItem.history.edges[0].node.text.text).toBe('结论由“未评估”变为“已否决”');
  });
});

describe('historyExport', () => {
  let made: OwnAudit;
  let itemId: string;
  beforeAll(async () => {
    made = await ownAudit(app, [{ key: 'one' }]);
    itemId = (await made.item('one')).id;
    await imported(made, itemId, { at: new Date('2024-01-02T03:04:05Z'), byName: '王芳', after: '旧的“备注”' });
    await assess(app, made.contributor, itemId, { remark: '=HYPERLINK("x")\nsecond, line' });
    await app
      .as(made.contributor)
      .send('mutation($input: OverruleApplicabilityInput!) { overruleApplicability(input: $input) { id } }', {
        input: { id: itemId, version: 2, answer: 'NO', reason: 'No such machine' },
      });
  });
  const exported = async (viewer: { id: string }, format: string, locale?: string) => {
    const { data, errors } = await app.as(viewer).send(EXPORT, { auditId: made.auditId, format, locale });
    expect(errors).toEqual([]);
    return data.historyExport;
  };

  it('gives all of it as JSON, oldest first, values as they are kept', async () => {
    const { fileName, mediaType, content } = await exported(made.viewer, 'JSON');
    expect([fileName, mediaType]).toEqual([`history-${made.auditId}.json`, 'application/json']);
    const { format, audit, entries } = JSON.parse(content);
    expect([format, audit.id]).toEqual(['tunebook-history/1', made.auditId]);
    const item = { subject: 'auditItem', subjectId: itemId, auditItemId: itemId, itemKey: 'rig/one' };
    expect(entries).toMatchObject([
      { ...item, at: '2024-01-02T03:04:05.000Z', by: null, byName: '王芳', isImported: true, after: '旧的“备注”' },
      { subject: 'audit', itemKey: null, field: 'created', by: made.contributor.id, byName: 'contributor' },
      { ...item, field: 'remark', before: null, after: '=HYPERLINK("x")\nsecond, line' },
      {
        ...item,
        field: 'overruled',
        before: null,
        after: { answer: 'NO', reason: 'No such machine' },
        reason: 'No such machine',
        text: { en: 'Overruling set to does not apply', zh: '人工判定设为“不适用”' },
      },
    ]);
  });

  it('gives a table that a spreadsheet reads, and takes no cell for a formula', async () => {
    const { fileName, mediaType, content } = await exported(made.viewer, 'CSV');
    expect([fileName, mediaType]).toEqual([`history-${made.auditId}-en.csv`, 'text/csv']);
    const lines = content.split('\r\n');
    expect(lines[0]).toBe('\uFEFFTime (UTC),By,Imported,Subject,Subject id,Item,Field,Before,After,Reason,Change');
    expect(lines[1]).toBe(
      `2024-01-02T03:04:05.000Z,王芳,yes,Item,${itemId},rig/one,remark,,旧的“备注”,,Remark set to “旧的“备注””`,
    );
    expect(content).toContain(`,rig/one,remark,,"'=HYPERLINK(""x"")\nsecond, line",`);
    expect(content).toContain(
      `,overruled,,"{""answer"":""NO"",""reason"":""No such machine""}",No such machine,Overruling set to does not apply\r\n`,
    );
    expect(lines).toHaveLength(6);
  });

  it('speaks the language that is asked for, else that of the viewer', async () => {
    const chinese = '\uFEFF时间（UTC）,操作人,导入,对象,对象 ID,条目,字段,变更前,变更后,理由,变更';
    const headOf = ({ content }: { content: string }) => content.split('\r\n')[0];
    expect(headOf(await exported(made.viewer, 'CSV', 'ZH'))).toBe(chinese);
    const reader = await given.chineseMember(app.db, made.project.id, 'VIEWER');
    expect(headOf(await exported(reader, 'CSV'))).toBe(chinese);
    expect((await exported(reader, 'CSV')).content).toContain(',是,条目,');
    expect((await exported(reader, 'CSV')).fileName).toBe(`history-${made.auditId}-zh.csv`);
    expect(headOf(await exported(reader, 'CSV', 'EN'))).toContain('Time (UTC)');
  });

  it('is there for a closed audit', async () => {
    await app.db.audit.update({ where: { id: made.auditId }, data: { status: 'CLOSED' } });
    expect((await exported(made.viewer, 'CSV')).content).toContain('rig/one');
  });

  it('hides the audit from strangers and nobody, as the histories are hidden', async () => {
    const ask = async (viewer: { id: string } | null, auditId: string) => {
      const { errors, errorCode } = await app.as(viewer).send(EXPORT, { auditId, format: 'CSV' });
      return [errorCode, errors[0]?.message];
    };
    const hidden = (id: string) => ['NOT_FOUND', `There is no audit "${id}"`];
    expect(await ask(made.stranger, made.auditId)).toEqual(hidden(made.auditId));
    expect(await ask(made.stranger, 'nope')).toEqual(hidden('nope'));
    expect((await ask(null, made.auditId))[0]).toBe('UNAUTHENTICATED');
    for (const query of [OF_AUDIT, OF_ITEM]) {
      const id = query === OF_AUDIT ? made.auditId : itemId;
      const { data, errors } = await app.as(made.stranger).send(query, { id });
      expect([Object.values(data), errors]).toEqual([[null], []]);
    }
  });
});

describe('the history as a whole', () => {
  it('is never changed or removed, whoever asks the database', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    await assess(app, made.contributor, (await made.item('one')).id, { remark: 'Kept' });
    const before = await app.db.historyEntry.findMany({ where: { auditId: made.auditId } });
    const { id = '' } = before[0] ?? {};
    const refusal = /Rows of "HistoryEntry" are never changed or removed/;
    await expect(app.db.historyEntry.update({ where: { id }, data: { reason: 'other' } })).rejects.toThrow(refusal);
    await expect(app.db.historyEntry.updateMany({ data: { after: 'other' } })).rejects.toThrow(refusal);
    await expect(app.db.historyEntry.delete({ where: { id } })).rejects.toThrow(refusal);
    await expect(app.db.$executeRaw`DELETE FROM "HistoryEntry" WHERE false`).rejects.toThrow(refusal);
    await expect(app.db.$executeRaw`TRUNCATE "HistoryEntry"`).rejects.toThrow(refusal);
    await expect(app.db.$executeRaw`TRUNCATE "Audit" CASCADE`).rejects.toThrow(/never changed or removed/);
    expect(await app.db.historyEntry.findMany({ where: { auditId: made.auditId } })).toEqual(before);
  });

  it('gives an item as it is when it is replayed from the beginning, after 150 changes by chance', async () => {
    const made = await ownAudit(app, [{ key: 'one' }, { key: 'two' }]);
    const { id } = await made.item('one');
    const { changed, refused } = await changeByChance(made, id, 150);
    expect([changed, refused > 20]).toEqual([150, true]);

    const entries = await wholeHistory(made, id);
    const state: Record<string, unknown> = { ...asOpened };
    for (const { field, before, after } of entries) {
      expect({ field, before }).toEqual({ field, before: state[field] });
      state[field] = after;
    }
    const row = await made.item('one');
    const now = JSON.parse(JSON.stringify({ ...row, recheck: row.recheckCode, overruled: overrulingOf(row) }));
    expect(state).toEqual(Object.fromEntries(Object.keys(asOpened).map((field) => [field, now[field]])));
    for (const field of Object.keys(asOpened).filter((name) => name !== 'recheck')) {
      expect(entries.map((entry) => entry.field)).toContain(field);
    }
    expect(await wholeHistory(made, (await made.item('two')).id)).toEqual([]);
  });
});

/** Every field that a person can change, as it is when an audit is opened. */
const asOpened = {
  work: 'TODO',
  outcome: 'NOT_ASSESSED',
  reasonCode: null,
  reason: null,
  remark: null,
  expiresAt: null,
  assigneeId: null,
  dueAt: null,
  priority: 'NORMAL',
  overruled: null,
  recheck: null,
  acceptedById: null,
};

const overrulingOf = (row: { overruled: string | null; overruleReason: string | null }) =>
  row.overruled === null ? null : { answer: row.overruled, reason: row.overruleReason };

/** The entries about the item itself, oldest first. */
async function wholeHistory(made: OwnAudit, id: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after: string | null = null; ;) {
    const page = await historyOf(OF_ITEM, made.viewer, { id, filter: { subjects: ['AUDIT_ITEM'] }, first: 40, after });
    entries.push(...nodesOf(page));
    if (!page.pageInfo.hasNextPage) return entries.reverse();
    after = page.pageInfo.endCursor;
  }
}

/** Sends mutations of the item until as many have changed it, and counts those that the rules refused, too. */
async function changeByChance(made: OwnAudit, id: string, count: number) {
  const random = seeded(4711);
  const one = <T>(...values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const later = () => new Date(Date.now() + 1e9 + Math.floor(random() * 1e9));
  const updates: readonly (() => object)[] = [
    () => ({ work: one('TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', null) }),
    () => ({ outcome: one('NOT_ASSESSED', 'ALREADY_IN_PLACE', 'APPLIED') }),
    () => ({
      outcome: one('REJECTED', 'DEFERRED', 'NOT_APPLICABLE'),
      reasonCode: one('TOO_RISKY', 'LATER', 'OTHER'),
      reason: `Reason ${random()}`,
      ...one({}, { expiresAt: later() }),
    }),
    () => ({ remark: one(null, `Remark ${random()}`, '备注') }),
    () => ({ addRemark: `Added ${random()}` }),
    () => ({ assigneeId: one(null, made.contributor.id, made.reviewer.id, made.maintainer.id) }),
    () => ({ dueAt: one(null, later()) }),
    () => ({ priority: one('LOW', 'NORMAL', 'HIGH', null) }),
    () => ({ reason: one(null, `Other ${random()}`), reasonCode: one(null, 'CONSTRAINT') }),
  ];
  const others: readonly (readonly [string, string, () => object])[] = [
    ['overruleApplicability', 'OverruleApplicabilityInput', () => ({ answer: one('YES', 'NO', null), reason: one('Seen', 'Asked') })],
    ['submitAuditItem', 'SubmitAuditItemInput', () => ({})],
    ['acceptAuditItem', 'AcceptAuditItemInput', () => ({ comment: one(null, 'Fine') })],
    ['rejectAuditItem', 'RejectAuditItemInput', () => ({ comment: 'Not yet' })],
  ]; // prettier-ignore
  const update: (typeof others)[number] = ['updateAuditItem', 'UpdateAuditItemInput', () => one(...updates)?.() ?? {}];
  let [changed, refused] = [0, 0];
  while (changed < count && refused < 4 * count) {
    const isReview = random() < 0.3;
    const { version, work } = await app.db.auditItem.findUniqueOrThrow({ where: { id } });
    const decisions = work === 'IN_REVIEW' && random() < 0.6 ? others.slice(2) : others;
    const [mutation, type, input] = (isReview || work === 'IN_REVIEW' ? one(...decisions) : update) ?? update;
    // Whoever says anything else of it is an author, and nobody would be left to accept it
    const isDecision = mutation === 'acceptAuditItem' || mutation === 'rejectAuditItem';
    const reviewers = [made.reviewer, made.maintainer];
    const viewer = one(...(isReview && isDecision ? reviewers : [made.contributor])) ?? made.contributor;
    const text = `mutation($input: ${type}!) { ${mutation}(input: $input) { version } }`;
    const { data, errorCode } = await app.as(viewer).send(text, { input: { id, version, ...input() } });
    if (errorCode === undefined && data[mutation].version > version) changed += 1;
    else refused += 1;
    expect(errorCode ?? 'CONFLICT').toMatch(/^(CONFLICT|INVALID_INPUT|FORBIDDEN)$/);
  }
  return { changed, refused };
}
