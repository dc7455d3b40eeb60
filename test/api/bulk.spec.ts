import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { ownAudit } from '../support/own-audit.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const BULK = `mutation($input: BulkUpdateAuditItemsInput!, $effects: [BulkEffect!], $first: Int, $after: String) {
  bulkUpdateAuditItems(input: $input) {
    isDryRun matched changed unchanged leftOut
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

  it('changes five hundred of a thousand items, and the rest when it is sent again', async () => {
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
              en: 'One request changes at most 500 items; send it again for the rest',
              zh: '一次请求最多修改 500 个条目，其余请再次提交',
            },
            auditItem: { item: { key: 'rig/item-500' } },
          },
        },
      ],
    });
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
