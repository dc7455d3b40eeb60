import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditItem } from '../../src/generated/prisma/client.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { itemOf, ownAudit, type OwnAudit, type OwnItem } from '../support/own-audit.js';
import { refused } from '../support/refused.js';

const TYPES: Readonly<Record<string, string>> = { updateEnvironment: 'environment { id }', cloneAudit: 'id' };
const mutation = (name: string): string =>
  `mutation($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${TYPES[name] ?? 'id'} } }`;
const TAKE_BACK =
  'Reviews are required here, so what is DONE stays as it is: take it back to IN_PROGRESS with the change, and submit it again';
const OWN_WORK =
  'Whoever submitted an item, or said what came out, does not review it: another person does. Where there is nobody else, updateAudit with requiresReview: false lets items be DONE without a review';

const items: readonly OwnItem[] = [{ key: 'any' }, { key: 'torch', applicability: { torch: { version: '>=2.6' } } }];
const machine = { hardware: 'h100-sxm', facts: { torch: '2.7.1' } };
const soon = '2090-01-01T00:00:00.000Z';
const later = '2099-01-01T00:00:00.000Z';
const deferred = { outcome: 'DEFERRED', reason: 'Next quarter', expiresAt: soon };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const stored = (id: string): Promise<AuditItem> => app.db.auditItem.findUniqueOrThrow({ where: { id } });

async function send(who: { id: string }, name: string, input: object): Promise<{ id: string }> {
  const { data, errors } = await app.as(who).send(mutation(name), { input });
  expect(errors).toEqual([]);
  return data[name];
}

/** Sends a mutation about an item at the version that it has; the item as it is then. */
async function act(who: { id: string }, name: string, id: string, input: object = {}): Promise<AuditItem> {
  const { version } = await stored(id);
  await send(who, name, { id, version, ...input });
  return stored(id);
}

async function refusal(who: { id: string }, name: string, id: string, input: object = {}) {
  const { version } = await stored(id);
  return refused(app, app.as(who), mutation(name), { id, version, ...input });
}

/** An audit of one's own that requires reviews, with a second reviewer. */
async function strict(): Promise<OwnAudit & { second: { id: string } }> {
  const made = await ownAudit(app, items, machine);
  await app.db.audit.update({ where: { id: made.auditId }, data: { requiresReview: true } });
  const second = await given.user(app.db, 'second reviewer');
  await app.db.projectMember.create({ data: { projectId: made.project.id, userId: second.id, role: 'REVIEWER' } });
  return { ...made, second };
}

/** Says something of an item as the contributor, and has the reviewer accept it. */
async function accepted(made: OwnAudit, id: string, said: object = { outcome: 'APPLIED', reason: 'Pinned' }) {
  await act(made.contributor, 'updateAuditItem', id, { ...said, work: 'IN_REVIEW' });
  const item = await act(made.reviewer, 'acceptAuditItem', id);
  expect(item).toMatchObject({ work: 'DONE', acceptedById: made.reviewer.id });
  return item;
}

/** Gives the items of a rule on PyTorch a re-check mark. */
async function changeTorch(made: OwnAudit): Promise<void> {
  const { id, version } = await app.db.environment.findUniqueOrThrow({ where: { id: made.environment.id } });
  await send(made.maintainer, 'updateEnvironment', { id, version, factChanges: { torch: '2.9.0' } });
}

async function addCustom(made: OwnAudit): Promise<string> {
  const input = { auditId: made.auditId, section: 'rig', topic: 'fan', title: 'Fan', check: 'Hear it.', locale: 'EN' };
  return (await send(made.contributor, 'addCustomItem', input)).id;
}

async function measure(who: { id: string }, auditItemId: string): Promise<void> {
  await send(who, 'recordMeasurement', {
    auditItemId, metric: 'training.throughput', sampling: 'SEPARATE_SESSIONS',
    before: [100, 101, 102, 103], after: [120, 121, 122, 123],
  }); // prettier-ignore
}

async function waitsFor(who: { id: string }): Promise<string[]> {
  const { data } = await app
    .as(who)
    .send('{ viewer { queue(kinds: [REVIEW]) { edges { node { auditItem { id } } } } } }');
  return data.viewer.queue.edges.map(({ node }: { node: { auditItem: { id: string } } }) => node.auditItem.id);
}

describe('what a reviewer accepted', () => {
  it('does not stay accepted where its author answers a re-check mark', async () => {
    const made = await strict();
    const { id } = await made.item('torch');
    await accepted(made, id);
    await changeTorch(made);
    expect(await stored(id)).toMatchObject({ recheckCode: 'ENVIRONMENT_CHANGED', work: 'DONE' });
    expect(await refusal(made.contributor, 'updateAuditItem', id, { outcome: 'APPLIED' })).toMatchObject({
      code: 'CONFLICT',
      message: TAKE_BACK,
      extensions: { current: { work: 'DONE' } },
    });
    const again = { outcome: 'APPLIED', work: 'IN_REVIEW' };
    expect(await act(made.contributor, 'updateAuditItem', id, again)).toMatchObject({
      work: 'IN_REVIEW', recheckCode: null, acceptedById: null, acceptedAt: null, submittedById: made.contributor.id,
    }); // prettier-ignore
  });

  it('is left out of a bulk update that answers its mark, and says why', async () => {
    const made = await strict();
    const { id } = await made.item('torch');
    await accepted(made, id);
    await changeTorch(made);
    const bulk = async (who: { id: string }) => {
      const query = `mutation($input: BulkUpdateAuditItemsInput!) { bulkUpdateAuditItems(input: $input) {
        changed leftOut results { edges { node { effect reason { en zh } } } } } }`;
      const { data, errors } = await app
        .as(who)
        .send(query, { input: { auditId: made.auditId, filter: { ids: [id] }, patch: { outcome: 'APPLIED' } } });
      expect(errors).toEqual([]);
      return data.bulkUpdateAuditItems;
    };
    expect(await bulk(made.contributor)).toEqual({
      changed: 0,
      leftOut: 1,
      results: {
        edges: [
          {
            node: {
              effect: 'LEFT_OUT',
              reason: {
                en: TAKE_BACK,
                zh: '此处须经评审，DONE 的条目保持现状：请在修改的同时改为 IN_PROGRESS，再重新提交',
              },
            },
          },
        ],
      },
    });
    expect(await bulk(made.reviewer)).toMatchObject({ changed: 1, leftOut: 0 });
    expect(await stored(id)).toMatchObject({ work: 'DONE', recheckCode: null, acceptedById: made.reviewer.id });
  });

  it('stays accepted where a reviewer who is not its author confirms it, time and again', async () => {
    const made = await strict();
    const { id } = await made.item('torch');
    const { acceptedAt } = await accepted(made, id);
    await changeTorch(made);
    const confirmed = await act(made.reviewer, 'updateAuditItem', id, { outcome: 'APPLIED' });
    expect(confirmed).toMatchObject({
      work: 'DONE', recheckCode: null, assessedById: made.contributor.id, acceptedById: made.reviewer.id,
    }); // prettier-ignore
    expect(confirmed.acceptedAt?.getTime()).toBeGreaterThan(acceptedAt?.getTime() ?? Infinity);
    const mark = {
      recheckCode: 'CHECK_CHANGED',
      recheckCause: { en: 'a', zh: '甲' },
      recheckSince: new Date(),
    } as const;
    await app.db.auditItem.update({ where: { id }, data: mark });
    expect(await act(made.second, 'updateAuditItem', id, { outcome: 'APPLIED' })).toMatchObject({
      work: 'DONE', recheckCode: null, acceptedById: made.second.id,
    }); // prettier-ignore
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id }, orderBy: { id: 'asc' } });
    expect(entries.slice(-5).map(({ field, before, after }) => [field, before, after])).toEqual([
      ['recheck', null, 'ENVIRONMENT_CHANGED'],
      ['recheck', 'ENVIRONMENT_CHANGED', null],
      ['acceptedAt', acceptedAt?.toISOString(), confirmed.acceptedAt?.toISOString()],
      ['recheck', 'CHECK_CHANGED', null],
      ['acceptedById', made.reviewer.id, made.second.id],
    ]);
    // Whoever confirmed has said nothing of it, and reviews what comes next
    await act(made.contributor, 'updateAuditItem', id, { reason: 'Pinned twice', work: 'IN_REVIEW' });
    expect([await waitsFor(made.reviewer), await waitsFor(made.second)]).toEqual([[id], [id]]);
    expect(await act(made.reviewer, 'acceptAuditItem', id)).toMatchObject({ work: 'DONE' });
  });

  it('is not confirmed by a reviewer who is one of its authors, nor with another outcome', async () => {
    const made = await strict();
    const { id } = await made.item('torch');
    await act(made.second, 'updateAuditItem', id, { outcome: 'APPLIED', reason: 'Pinned' });
    await accepted(made, id, { reason: 'Pinned.' });
    await changeTorch(made);
    expect((await refusal(made.second, 'updateAuditItem', id, { outcome: 'APPLIED' })).message).toBe(TAKE_BACK);
    const other = { outcome: 'ALREADY_IN_PLACE' };
    expect((await refusal(made.reviewer, 'updateAuditItem', id, other)).message).toBe(TAKE_BACK);
  });

  it('is confirmed past its date without that date, and keeps a date that is not past', async () => {
    const made = await strict();
    const { id } = await made.item('any');
    await accepted(made, id, deferred);
    await app.db.auditItem.update({
      where: { id },
      data: { recheckCode: 'EXPIRED', recheckCause: { en: 'a', zh: '甲' }, recheckSince: new Date(), expiresAt: new Date('2020-01-01') },
    }); // prettier-ignore
    expect(await act(made.reviewer, 'updateAuditItem', id, { outcome: 'DEFERRED' })).toMatchObject({
      work: 'DONE', expiresAt: null, recheckCode: null, acceptedById: made.reviewer.id,
    }); // prettier-ignore
    const { id: other } = await made.item('torch');
    await accepted(made, other, deferred);
    await changeTorch(made);
    const undated = { outcome: 'DEFERRED', expiresAt: null };
    expect((await refusal(made.reviewer, 'updateAuditItem', other, undated)).message).toBe(TAKE_BACK);
  });

  it.each([
    ['moves its date', { expiresAt: later }],
    ['clears its date', { expiresAt: null }],
  ])('ends where somebody %s', async (_, change) => {
    const made = await strict();
    const { id } = await made.item('any');
    await accepted(made, id, deferred);
    for (const who of [made.contributor, made.reviewer, made.second]) {
      expect(await refusal(who, 'updateAuditItem', id, change)).toMatchObject({ code: 'CONFLICT', message: TAKE_BACK });
    }
    expect(await act(made.contributor, 'updateAuditItem', id, { ...change, work: 'IN_REVIEW' })).toMatchObject({
      work: 'IN_REVIEW', acceptedById: null,
    }); // prettier-ignore
  });

  it('is in progress again where the rules are overruled, or that is taken back', async () => {
    const made = await strict();
    const { id } = await made.item('any');
    await accepted(made, id);
    const no = { answer: 'NO', reason: 'Not here' };
    expect(await act(made.contributor, 'overruleApplicability', id, no)).toMatchObject({
      work: 'IN_PROGRESS', outcome: 'APPLIED', overruled: 'NO', acceptedById: null, acceptedAt: null,
    }); // prettier-ignore
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id }, orderBy: { id: 'asc' } });
    expect(entries.slice(-2).map(({ field, before, after, reason }) => [field, before, after, reason])).toEqual([
      ['work', 'DONE', 'IN_PROGRESS', 'Not here'],
      ['acceptedById', made.reviewer.id, null, 'Not here'],
    ]);
    await act(made.contributor, 'submitAuditItem', id);
    await act(made.reviewer, 'acceptAuditItem', id);
    expect(await act(made.maintainer, 'overruleApplicability', id, no)).toMatchObject({ work: 'DONE' });
    expect(await act(made.maintainer, 'overruleApplicability', id, { answer: null })).toMatchObject({
      work: 'IN_PROGRESS', acceptedById: null,
    }); // prettier-ignore
  });

  it('is in progress again, with a re-check mark, where the check of an own item is rewritten', async () => {
    const made = await strict();
    const id = await addCustom(made);
    await measure(made.contributor, id);
    await accepted(made, id);
    const unchanged = { tags: ['power'], effort: 'S', section: 'rig' };
    expect(await act(made.contributor, 'updateCustomItem', id, unchanged)).toMatchObject({
      work: 'DONE', acceptedById: made.reviewer.id, recheckCode: null,
    }); // prettier-ignore
    const title = { locale: 'EN', title: 'Fans' };
    expect(await act(made.contributor, 'updateCustomItem', id, title)).toMatchObject({
      work: 'IN_PROGRESS', acceptedById: null, recheckCode: null,
    }); // prettier-ignore
    await act(made.contributor, 'submitAuditItem', id);
    await act(made.reviewer, 'acceptAuditItem', id);
    expect(await act(made.contributor, 'updateCustomItem', id, { locale: 'EN', check: 'Count it.' })).toMatchObject({
      work: 'IN_PROGRESS', acceptedById: null, recheckCode: 'CHECK_CHANGED', recheckSince: expect.any(Date),
      recheckCause: {
        en: 'the check was rewritten (how to check); the result is from before',
        zh: '检查内容已改写（如何检查）；原有结论得自改写之前',
      },
    }); // prettier-ignore
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id }, orderBy: { id: 'asc' } });
    expect(entries.slice(-4).map(({ field, before, after, reason }) => [field, before, after, reason])).toEqual([
      ['custom.check', { en: 'Hear it.' }, { en: 'Count it.' }, null],
      ['recheck', null, 'CHECK_CHANGED', 'the check was rewritten (how to check); the result is from before'],
      ['work', 'DONE', 'IN_PROGRESS', null],
      ['acceptedById', made.reviewer.id, null, null],
    ]);
  });
});

describe('in an audit that requires no review', () => {
  it('what was accepted keeps its date, its mark and its text changed, and its acceptance', async () => {
    const made = await ownAudit(app, items, machine);
    const { id } = await made.item('any');
    await accepted(made, id, deferred);
    const kept = { work: 'DONE', acceptedById: made.reviewer.id };
    expect(await act(made.contributor, 'updateAuditItem', id, { expiresAt: later })).toMatchObject(kept);
    const no = { answer: 'NO', reason: 'Not here' };
    expect(await act(made.contributor, 'overruleApplicability', id, no)).toMatchObject(kept);
    await app.db.auditItem.update({
      where: { id },
      data: { recheckCode: 'EXPIRED', recheckCause: { en: 'a', zh: '甲' }, recheckSince: new Date() },
    });
    const again = await act(made.contributor, 'updateAuditItem', id, { outcome: 'DEFERRED' });
    expect(again).toMatchObject({ ...kept, recheckCode: null });
  });

  it('a rewritten check marks what is DONE or measured, and nothing else', async () => {
    const made = await ownAudit(app, items, machine);
    const id = await addCustom(made);
    const rewritten = async (check: string, locale = 'EN') => {
      const { work, recheckCode } = await act(made.contributor, 'updateCustomItem', id, { locale, check });
      return [work, recheckCode];
    };
    await act(made.contributor, 'updateAuditItem', id, { outcome: 'APPLIED', work: 'IN_PROGRESS' });
    expect(await rewritten('Count it.')).toEqual(['IN_PROGRESS', null]);
    await act(made.contributor, 'updateAuditItem', id, { work: 'DONE' });
    expect(await rewritten('听一听。', 'ZH')).toEqual(['DONE', null]);
    expect(await rewritten('Count  it.')).toEqual(['DONE', null]);
    expect(await rewritten('Weigh it.')).toEqual(['DONE', 'CHECK_CHANGED']);
    await act(made.contributor, 'updateAuditItem', id, { outcome: 'APPLIED', work: 'IN_PROGRESS' });
    await measure(made.contributor, id);
    expect(await rewritten('Ask it.')).toEqual(['IN_PROGRESS', 'CHECK_CHANGED']);
  });
});

describe('whoever is an author of what is under review does not review it', () => {
  const ways: readonly [string, (made: OwnAudit, id: string) => Promise<unknown>][] = [
    ['set it DONE themselves before reviews were required', async (made, id) => {
      await app.db.audit.update({ where: { id: made.auditId }, data: { requiresReview: false } });
      await act(made.reviewer, 'updateAuditItem', id, { outcome: 'APPLIED', reason: 'Mine' });
      await act(made.reviewer, 'updateAuditItem', id, { work: 'DONE' });
      await app.db.audit.update({ where: { id: made.auditId }, data: { requiresReview: true } });
      await act(made.contributor, 'updateAuditItem', id, { reason: 'Mine.', work: 'IN_PROGRESS' });
    }],
    ['overruled the rules', (made, id) => act(made.reviewer, 'overruleApplicability', id, { answer: 'YES', reason: 'So' })],
    ['gave it a date', (made, id) => act(made.reviewer, 'updateAuditItem', id, { outcome: 'DEFERRED', expiresAt: later })],
    ['rewrote it', (made, id) => act(made.reviewer, 'updateCustomItem', id, { locale: 'EN', check: 'Count it.' })],
    ['measured it', (made, id) => measure(made.reviewer, id)],
    ['answered its re-check mark', async (made, id) => {
      const mark = { recheckCode: 'EXPIRED', recheckCause: { en: 'a', zh: '甲' }, recheckSince: new Date() } as const;
      await act(made.contributor, 'updateAuditItem', id, { outcome: 'APPLIED' });
      await app.db.auditItem.update({ where: { id }, data: mark });
      await act(made.reviewer, 'updateAuditItem', id, { outcome: 'APPLIED' });
    }],
  ]; // prettier-ignore

  it.each(ways)('for example who %s', async (_, way) => {
    const made = await strict();
    const id = await addCustom(made);
    await way(made, id);
    await act(made.contributor, 'updateAuditItem', id, { outcome: 'DEFERRED', reason: 'At last' });
    await act(made.contributor, 'submitAuditItem', id);
    expect([await waitsFor(made.reviewer), await waitsFor(made.second)]).toEqual([[], [id]]);
    expect(await refusal(made.reviewer, 'acceptAuditItem', id)).toMatchObject({ code: 'FORBIDDEN', message: OWN_WORK });
    expect(await act(made.second, 'acceptAuditItem', id)).toMatchObject({ work: 'DONE' });
    // From here on it was seen by somebody else
    await act(made.contributor, 'updateAuditItem', id, { reason: 'Another one', work: 'IN_REVIEW' });
    expect(await act(made.reviewer, 'acceptAuditItem', id)).toMatchObject({ work: 'DONE' });
  });

  it('but whoever ordered it in lists, planned it or commented on it does', async () => {
    const made = await strict();
    const id = await addCustom(made);
    await act(made.reviewer, 'updateCustomItem', id, { tags: ['power'], effort: 'L' });
    await act(made.reviewer, 'updateAuditItem', id, {
      assigneeId: made.contributor.id,
      priority: 'HIGH',
      remark: 'See',
    });
    await send(made.reviewer, 'addComment', { auditItemId: id, body: 'Well?' });
    await act(made.contributor, 'updateAuditItem', id, { outcome: 'APPLIED', work: 'IN_REVIEW' });
    expect(await act(made.reviewer, 'acceptAuditItem', id)).toMatchObject({ work: 'DONE' });
  });

  it('but whoever measures what is under review, to check it, does', async () => {
    const made = await strict();
    const { id } = await made.item('any');
    await act(made.contributor, 'updateAuditItem', id, { outcome: 'APPLIED', work: 'IN_REVIEW' });
    await measure(made.reviewer, id);
    expect(await waitsFor(made.reviewer)).toEqual([id]);
    expect(await act(made.reviewer, 'acceptAuditItem', id)).toMatchObject({ work: 'DONE' });
  });

  it('in a clone of the audit either, and in a clone of that', async () => {
    const made = await strict();
    const { id } = await made.item('any');
    await act(made.reviewer, 'updateAuditItem', id, { outcome: 'APPLIED', reason: 'Mine' });
    await act(made.contributor, 'updateAuditItem', id, { reason: 'Mine.' });
    let auditId = made.auditId;
    for (let depth = 1; depth <= 2; depth += 1) {
      ({ id: auditId } = await send(made.contributor, 'cloneAudit', { auditId, carry: ['STATES'] }));
      const { id: copy } = await itemOf(app, auditId, 'any');
      await act(made.contributor, 'submitAuditItem', copy);
      expect(await waitsFor(made.reviewer)).toEqual([]);
      expect((await refusal(made.reviewer, 'acceptAuditItem', copy)).message).toBe(OWN_WORK);
      await act(made.contributor, 'updateAuditItem', copy, { work: 'IN_PROGRESS' });
    }
    const { id: copy } = await itemOf(app, auditId, 'any');
    const carried = await app.db.historyEntry.findFirstOrThrow({ where: { auditItemId: copy, field: 'carried' } });
    expect(carried.after).toMatchObject({ assessedById: made.contributor.id, coAuthors: [made.reviewer.id] });
    const { data } = await app
      .as(made.viewer)
      .send(
        `query($id: ID!) { auditItem(id: $id) { history(filter: { fields: ["carried"] }) { edges { node { text { en zh } } } } } }`,
        { id: copy },
      );
    expect(data.auditItem.history.edges).toEqual([
      {
        node: {
          text: {
            en: 'Carried over: Work, Reason, Outcome, Assessed by, Assessed at',
            zh: '沿用：工作状态、理由、结论、评估人、评估时间',
          },
        },
      },
    ]);
    await act(made.contributor, 'submitAuditItem', copy);
    expect(await act(made.second, 'acceptAuditItem', copy)).toMatchObject({ work: 'DONE' });
  });

  it('after it was accepted there and cloned', async () => {
    const made = await strict();
    const { id } = await made.item('any');
    await act(made.reviewer, 'updateAuditItem', id, { outcome: 'APPLIED', reason: 'Mine' });
    await act(made.contributor, 'updateAuditItem', id, { reason: 'Mine.', work: 'IN_REVIEW' });
    await act(made.second, 'acceptAuditItem', id);
    const { id: auditId } = await send(made.contributor, 'cloneAudit', { auditId: made.auditId, carry: ['STATES'] });
    const { id: copy, work } = await itemOf(app, auditId, 'any');
    expect(work).toBe('IN_PROGRESS');
    await act(made.contributor, 'submitAuditItem', copy);
    expect((await refusal(made.reviewer, 'acceptAuditItem', copy)).code).toBe('FORBIDDEN');
    expect(await act(made.second, 'acceptAuditItem', copy)).toMatchObject({ work: 'DONE' });
  });
});

describe('submitAuditItem', () => {
  it('refuses what waits for a review already, and says so in both languages', async () => {
    const made = await strict();
    const { id } = await made.item('any');
    await act(made.contributor, 'updateAuditItem', id, { outcome: 'APPLIED', work: 'IN_REVIEW' });
    expect(await refusal(made.maintainer, 'submitAuditItem', id, { comment: 'Me too' })).toMatchObject({
      code: 'CONFLICT',
      message:
        'This item waits for a review already: acceptAuditItem or rejectAuditItem ends it, and IN_PROGRESS takes it back',
      extensions: { current: { id, work: 'IN_REVIEW', outcome: 'APPLIED' } },
    });
    const chinese = await given.chineseMember(app.db, made.project.id);
    expect((await refusal(chinese, 'submitAuditItem', id)).message).toBe(
      '该条目已在等待评审：由 acceptAuditItem 或 rejectAuditItem 结束评审，或改为 IN_PROGRESS 撤回',
    );
  });
});

describe('the reason of an outcome', () => {
  it('is not given for whose an item is, when it is due and how urgent it is', async () => {
    const made = await ownAudit(app, items, machine);
    const { id } = await made.item('any');
    await act(made.contributor, 'updateAuditItem', id, {
      outcome: 'REJECTED',
      reasonCode: 'TOO_RISKY',
      reason: 'Too hot',
    });
    await act(made.contributor, 'updateAuditItem', id, {
      assigneeId: made.reviewer.id, dueAt: later, priority: 'HIGH', expiresAt: soon,
    }); // prettier-ignore
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ field, reason }) => [field, reason])).toEqual([
      ['outcome', 'Too hot'],
      ['reasonCode', 'Too hot'],
      ['reason', 'Too hot'],
      ['expiresAt', 'Too hot'],
      ['assigneeId', null],
      ['dueAt', null],
      ['priority', null],
    ]);
  });
});
