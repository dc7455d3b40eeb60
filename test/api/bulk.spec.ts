import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { ownAudit } from '../support/own-audit.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const BULK = `mutation($input: BulkUpdateAuditItemsInput!, $effects: [BulkEffect!], $first: Int, $after: String) {
  bulkUpdateAuditItems(input: $input) {
    isDryRun matched changed unchanged leftOut hasMore next
    results(effects: $effects, first: $first, after: $after) {
      totalCount pageInfo { hasNextPage endCursor }
      edges { node { effect reason { en zh } auditItem { id version work outcome item { key } } } }
    }
  }
}`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function bulk(who: { id: string }, input: object, variables: object = {}) {
  const { data, errors } = await app.as(who).send(BULK, { input, ...variables });
  expect(errors).toEqual([]);
  return data.bulkUpdateAuditItems;
}

const cursor = (key: string) => Buffer.from(`v1:${key}`).toString('base64url');

const counts = ({ isDryRun, matched, changed, unchanged, leftOut }: Record<string, unknown>) => ({
  isDryRun,
  matched,
  changed,
  unchanged,
  leftOut,
});

describe('bulkUpdateAuditItems', () => {
  it('says in a dry run what it then does, and writes nothing before', async () => {
    const made = await given.audit(app.db);
    const [first, second, third] = made.items.map(({ id }) => id);
    await app.db.auditItem.update({ where: { id: first ?? '' }, data: { outcome: 'APPLIED' } });
    await app.db.auditItem.update({ where: { id: second ?? '' }, data: { outcome: 'APPLIED', work: 'IN_REVIEW' } });
    await app.db.auditItem.update({ where: { id: third ?? '' }, data: { outcome: 'APPLIED', work: 'DONE' } });
    const ids = made.items.slice(0, 5).map(({ id }) => id);
    const input = { auditId: made.audit.id, filter: { ids }, patch: { work: 'DONE' } };
    const before = await rowsOf(app.db);
    const preview = await bulk(made.contributor, { ...input, dryRun: true });
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(counts(preview)).toEqual({ isDryRun: true, matched: 5, changed: 1, unchanged: 1, leftOut: 3 });
    const needsOutcome = {
      en: 'An item is DONE only with an outcome other than NOT_ASSESSED',
      zh: '条目须先有 NOT_ASSESSED 以外的结论才能标为 DONE',
    };
    const effects = preview.results.edges.map(({ node }: { node: { effect: string; reason: unknown } }) => [
      node.effect,
      node.reason,
    ]);
    expect(effects).toEqual([
      ['CHANGED', null],
      [
        'LEFT_OUT',
        {
          en: 'This item waits for a review: acceptAuditItem makes it DONE, and IN_PROGRESS takes it back',
          zh: '该条目正在等待评审：由 acceptAuditItem 通过后才为 DONE，或改为 IN_PROGRESS 撤回',
        },
      ],
      ['UNCHANGED', null],
      ['LEFT_OUT', needsOutcome],
      ['LEFT_OUT', needsOutcome],
    ]);
    const made2 = await bulk(made.contributor, input);
    expect(counts(made2)).toEqual({ isDryRun: false, matched: 5, changed: 1, unchanged: 1, leftOut: 3 });
    expect(made2.results.edges[0].node.auditItem).toMatchObject({ id: first, version: 2, work: 'DONE' });
    const history = await app.db.historyEntry.findMany({ where: { auditId: made.audit.id } });
    expect(history).toMatchObject([
      { auditItemId: first, field: 'work', before: 'TODO', after: 'DONE', viewerId: made.contributor.id },
    ]);
  });

  it('changes five hundred of a thousand items, and the rest by a filter that leaves out the first', async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => ({ key: `item-${index}` }));
    const made = await ownAudit(app, keys);
    const input = {
      auditId: made.auditId,
      patch: { assigneeId: made.contributor.id, priority: 'HIGH', dueAt: '2027-02-01T00:00:00Z', addRemark: 'Wave 1' },
    };
    let report: Record<string, unknown> = {};
    const statements = await app.statementsOf(async () => {
      report = await bulk(
        made.contributor,
        { ...input, clientMutationId: 'wave 1' },
        { effects: ['LEFT_OUT'], first: 1 },
      );
    });
    expect(counts(report)).toEqual({ isDryRun: false, matched: 1_000, changed: 500, unchanged: 0, leftOut: 500 });
    expect(report['results']).toMatchObject({
      totalCount: 500,
      edges: [
        {
          node: {
            effect: 'LEFT_OUT',
            reason: {
              en: 'One request changes at most 500 items, and 1000000 characters of their texts; go on with "after" for the rest',
              zh: '一次请求最多修改 500 个条目、1000000 个文本字符，其余请用 after 继续',
            },
            auditItem: { item: { key: 'rig/item-500' } },
          },
        },
      ],
    });
    expect(report).toMatchObject({ hasMore: true, next: expect.stringMatching(/^[\w-]+$/) });
    expect(statements).toBeLessThanOrEqual(30);
    const again = await bulk(made.contributor, { ...input, clientMutationId: 'wave 1' });
    expect(counts(again)).toEqual(counts(report));
    const unassigned = { ...input, filter: { isAssigned: false } };
    expect(counts(await bulk(made.contributor, unassigned))).toEqual({
      isDryRun: false,
      matched: 500,
      changed: 500,
      unchanged: 0,
      leftOut: 0,
    });
    const where = {
      auditId: made.auditId,
      assigneeId: made.contributor.id,
      priority: 'HIGH',
      remark: 'Wave 1',
    } as const;
    expect(await app.db.auditItem.count({ where: { ...where, version: 2 } })).toBe(1_000);
    expect(await app.db.historyEntry.count({ where: { auditId: made.auditId, auditItemId: { not: null } } })).toBe(
      4_000,
    );
    const found = await app
      .as(made.viewer)
      .send(
        `query($project: String!) { search(query: "Wave", filter: { project: $project, kinds: [AUDIT_ITEM] }) { totalCount } }`,
        { project: made.project.slug },
      );
    expect(found.data.search.totalCount).toBe(1_000);
  });

  it('walks over more items than one request changes, each once, by `next`', async () => {
    const keys = Array.from({ length: 560 }, (_, index) => ({ key: `item-${index}` }));
    const made = await ownAudit(app, keys);
    const [gone, said] = [await made.item('item-499'), await made.item('item-501')];
    await app.db.auditItem.update({ where: { id: gone.id }, data: { isArchived: true } });
    await app.db.auditItem.update({ where: { id: said.id }, data: { remark: 'Mine' } });
    const input = { auditId: made.auditId, patch: { addRemark: 'Wave 2' } };
    const reports: unknown[] = [];
    let after: string | null = null;
    do {
      const report: { [field: string]: unknown; next: string | null } = await bulk(made.contributor, {
        ...input,
        after,
      });
      reports.push([report['matched'], report['changed'], report['leftOut'], report['hasMore']]);
      after = report.next;
    } while (after !== null);
    expect(reports).toEqual([
      [559, 500, 59, true],
      [59, 59, 0, false],
    ]);
    const remarks = await app.db.auditItem.groupBy({
      by: ['remark'],
      where: { auditId: made.auditId },
      orderBy: { remark: 'asc' },
      _count: { _all: true },
    });
    expect(remarks).toEqual([
      { remark: 'Mine\n\nWave 2', _count: { _all: 1 } },
      { remark: 'Wave 2', _count: { _all: 558 } },
      { remark: null, _count: { _all: 1 } },
    ]);
    const nothing = await bulk(made.contributor, { ...input, after: cursor('560') });
    expect([counts(nothing), nothing.hasMore, nothing.next]).toEqual([
      { isDryRun: false, matched: 0, changed: 0, unchanged: 0, leftOut: 0 },
      false,
      null,
    ]);
    expect(await refused(app, app.as(made.contributor), BULK, { ...input, after: cursor('no place') })).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('writes a million characters of texts at once, and the rest by `next`', async () => {
    const made = await ownAudit(
      app,
      Array.from({ length: 14 }, (_, index) => ({ key: `item-${index}` })),
    );
    const long = await made.item('item-3');
    await app.db.auditItem.update({ where: { id: long.id }, data: { reason: 'x'.repeat(90_000) } });
    const words = Array.from({ length: 9_000 }, (_, index) => `word${(index * 7_919) % 5_000}`).join(' ');
    expect(words.length).toBe(78_993);
    const input = { auditId: made.auditId, patch: { addRemark: words } };
    const one = await bulk(made.contributor, input);
    expect([counts(one), one.hasMore]).toEqual([
      { isDryRun: false, matched: 14, changed: 11, unchanged: 0, leftOut: 3 },
      true,
    ]);
    const rest = await bulk(made.contributor, { ...input, after: one.next });
    expect([counts(rest), rest.hasMore]).toEqual([
      { isDryRun: false, matched: 3, changed: 3, unchanged: 0, leftOut: 0 },
      false,
    ]);
    // Items whose texts are not written do not count
    const urgent = await bulk(made.contributor, { auditId: made.auditId, patch: { priority: 'HIGH' } });
    expect(counts(urgent)).toEqual({ isDryRun: false, matched: 14, changed: 14, unchanged: 0, leftOut: 0 });
  });

  it.each([
    [{ section: '' }, 'filter.section'],
    [{ section: ' ' }, 'filter.section'],
    [{ assigneeId: '' }, 'filter.assigneeId'],
    [{ text: '' }, 'filter.text'],
    [{ text: ' \n' }, 'filter.text'],
  ])('takes the empty text of the filter %j for no filter of all', async (filter, place) => {
    const made = await given.audit(app.db);
    const chinese = await given.chineseMember(app.db, made.project.id);
    const input = { auditId: made.audit.id, filter, patch: { priority: 'HIGH' } };
    for (const dryRun of [true, false]) {
      expect(await refused(app, app.as(made.contributor), BULK, { ...input, dryRun })).toMatchObject({
        code: 'INVALID_INPUT',
        message: `${place} is empty: leave it out to ask nothing of it`,
        extensions: { place },
      });
    }
    expect((await refused(app, app.as(chinese), BULK, input)).message).toBe(
      `${place} 为空：如不限制该条件，请省略此字段`,
    );
  });

  it.each([[{ tags: [] }], [{ ids: [] }], [{ work: [] }], [{ proof: [] }], [{ priority: [] }]])(
    'changes nothing with the empty list of the filter %j',
    async (filter) => {
      const made = await given.audit(app.db);
      const report = await bulk(made.contributor, {
        auditId: made.audit.id,
        filter,
        patch: { priority: 'HIGH' },
        dryRun: true,
      });
      expect(report).toMatchObject({ matched: 0, changed: 0, leftOut: 0, hasMore: false, next: null });
    },
  );

  it.each([
    [{ addRemark: ' ' }, 'INVALID_INPUT', 'patch is empty: name at least one field to change'],
    [
      { outcome: 'REJECTED', reasonCode: null },
      'INVALID_INPUT',
      'The outcome REJECTED needs a reason: reasonCode missing',
    ],
    [
      { outcome: 'NOT_APPLICABLE', reasonCode: null, reason: ' ' },
      'INVALID_INPUT',
      'The outcome NOT_APPLICABLE needs a reason: reasonCode and reason missing',
    ],
    [
      { outcome: null, work: 'IN_REVIEW' },
      'INVALID_INPUT',
      'An item is IN_REVIEW only with an outcome other than NOT_ASSESSED',
    ],
    [
      { outcome: 'APPLIED', expiresAt: '2099-01-01T00:00:00Z' },
      'INVALID_INPUT',
      'Only DEFERRED and REJECTED can expire, and the outcome is APPLIED',
    ],
    [
      { outcome: 'DEFERRED', expiresAt: '2020-01-01T00:00:00Z' },
      'INVALID_INPUT',
      'expiresAt must lie in the future, and is 2020-01-01T00:00:00.000Z',
    ],
    [
      { work: 'DONE' },
      'CONFLICT',
      'This audit requires a review: submit the item with IN_REVIEW, and another person accepts it',
    ],
    [{ assigneeId: '' }, 'INVALID_INPUT', /^assigneeId "" is nobody with the right WRITE_AUDITS in this project/],
  ])('refuses %j at once where no item can take it', async (patch, code, message) => {
    const made = await given.audit(app.db);
    await app.db.audit.update({ where: { id: made.audit.id }, data: { requiresReview: true } });
    for (const dryRun of [true, false]) {
      expect(
        await refused(app, app.as(made.contributor), BULK, { auditId: made.audit.id, patch, dryRun }),
      ).toMatchObject({ code, message: typeof message === 'string' ? message : expect.stringMatching(message) });
    }
  });

  it('leaves to each item what depends on it', async () => {
    const made = await given.audit(app.db);
    const [id = '', other = ''] = made.items.map((item) => item.id);
    await app.db.auditItem.update({ where: { id }, data: { reasonCode: 'TOO_COSTLY', reason: 'Two weeks' } });
    const report = await bulk(made.contributor, {
      auditId: made.audit.id,
      filter: { ids: [id, other] },
      patch: { outcome: 'REJECTED' },
    });
    expect(report.results.edges.map(({ node }: { node: { effect: string } }) => node.effect)).toEqual([
      'CHANGED',
      'LEFT_OUT',
    ]);
  });

  it('adds to what people wrote, and takes no word of it away', async () => {
    const made = await given.audit(app.db);
    const [id = '', other = ''] = made.items.map((item) => item.id);
    await app.db.auditItem.update({ where: { id }, data: { remark: 'Mine', reason: 'Because' } });
    const input = { auditId: made.audit.id, filter: { ids: [id, other] } };
    await bulk(made.contributor, { ...input, patch: { outcome: 'DEFERRED', addRemark: '第二波' } });
    expect(await app.db.auditItem.findUnique({ where: { id } })).toMatchObject({
      outcome: 'DEFERRED',
      remark: 'Mine\n\n第二波',
      reason: 'Because',
      assessedById: made.contributor.id,
    });
    expect(await app.db.auditItem.findUnique({ where: { id: other } })).toMatchObject({
      remark: '第二波',
      reason: null,
    });
  });

  it('leaves out what somebody changed since it was read', async () => {
    const made = await given.audit(app.db);
    const [id = '', other = ''] = made.items.map((item) => item.id);
    const unchangedSince = new Date().toISOString();
    const at = new Date(Date.now() + 1_000);
    await app.db.auditItem.update({ where: { id }, data: { updatedAt: at } });
    const report = await bulk(made.contributor, {
      auditId: made.audit.id,
      filter: { ids: [id, other] },
      patch: { priority: 'LOW' },
      unchangedSince,
    });
    expect(report.results.edges.map(({ node }: { node: { effect: string } }) => node.effect)).toEqual([
      'LEFT_OUT',
      'CHANGED',
    ]);
    expect(report.results.edges[0].node.reason).toEqual({
      en: `Somebody changed it since, at ${at.toISOString()}`,
      zh: `该条目在此之后已被修改（${at.toISOString()}）`,
    });
  });

  it('takes no patch that is empty, no assignee from outside, no closed audit and no stranger', async () => {
    const made = await given.audit(app.db);
    const closed = await given.audit(app.db, { status: 'CLOSED' });
    const patch = { priority: 'LOW' };
    const tried = (input: object, who: { id: string } = made.contributor) => refused(app, app.as(who), BULK, input);
    expect(await tried({ auditId: made.audit.id, patch: {} })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'patch is empty: name at least one field to change',
    });
    expect(await tried({ auditId: made.audit.id, patch: { assigneeId: made.stranger.id } })).toMatchObject({
      code: 'INVALID_INPUT',
      extensions: { place: 'assigneeId', id: made.stranger.id },
    });
    expect((await tried({ auditId: made.audit.id, patch: { assigneeId: made.viewer.id } })).code).toBe('INVALID_INPUT');
    expect((await tried({ auditId: made.audit.id, patch }, made.viewer)).code).toBe('FORBIDDEN');
    expect((await tried({ auditId: made.audit.id, patch }, made.stranger)).code).toBe('NOT_FOUND');
    expect((await tried({ auditId: closed.audit.id, patch }, closed.contributor)).code).toBe('CONFLICT');
    expect((await tried({ auditId: closed.audit.id, patch, dryRun: true }, closed.contributor)).code).toBe('CONFLICT');
    const ids = Array.from({ length: 501 }, (_, index) => `id-${index}`);
    expect(await tried({ auditId: made.audit.id, filter: { ids }, patch })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'ids has 501 entries; at most 500 are taken',
    });
    for (const dryRun of [true, false]) {
      expect(await tried({ auditId: made.audit.id, filter: { section: 'nope' }, patch, dryRun })).toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^filter\.section "nope" is no section of this audit; it has /),
        extensions: { place: 'filter.section', value: 'nope' },
      });
    }
  });
});
