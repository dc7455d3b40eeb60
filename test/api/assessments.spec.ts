import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditItem } from '../../src/generated/prisma/client.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const UPDATE = `mutation($input: UpdateAuditItemInput!) {
  updateAuditItem(input: $input) {
    id version work outcome reasonCode reason remark proof expectation recheck { code cause { text } since }
    audit { progress { assessed done } }
  }
}`;

describe('updateAuditItem', () => {
  let app: TestApp;
  let made: given.GivenAudit;
  let used = 0;
  let id: string;
  beforeAll(async () => {
    app = await startApp();
    made = await given.audit(app.db);
  });
  afterAll(() => app.close());
  // Each test has an item about which nothing is said.
  beforeEach(async () => {
    if (used === made.items.length) [made, used] = [await given.audit(app.db), 0];
    id = made.items[used++]?.id ?? '';
  });

  const row = (): Promise<AuditItem> => app.db.auditItem.findUniqueOrThrow({ where: { id } });
  const send = (input: object) => app.as(made.contributor).send(UPDATE, { input: { id, ...input } });
  const historyOf = async () => {
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id }, orderBy: { id: 'asc' } });
    return entries.map(({ field, before, after, reason }) => [field, before, after, reason]);
  };

  /** Changes the item at the version that it has. */
  async function update(input: object) {
    const { version } = await row();
    const { data, errors } = await send({ version, ...input });
    expect(errors).toEqual([]);
    return data.updateAuditItem;
  }

  /** Tries a change that must be refused, and sees that the item stays as it is. */
  async function refusedUpdate(input: object, viewer: { id: string } | null = made.contributor) {
    const before = await row();
    const given = { id, version: before.version, ...input };
    const refusal = await refused(app, app.as(viewer), UPDATE, given);
    expect(await row()).toEqual(before);
    return refusal;
  }

  it('writes what it is given, and who changed what from what to what', async () => {
    made = await given.audit(app.db);
    [id, used] = [made.items[0]?.id ?? '', 1];
    const changed = await update({
      work: 'DONE',
      outcome: 'REJECTED',
      reasonCode: 'TRIED_WITHOUT_GAIN',
      reason: 'Two runs, no gain',
      remark: 'Look again with **FP8**',
    });
    expect(changed).toEqual({
      id,
      version: 2,
      work: 'DONE',
      outcome: 'REJECTED',
      reasonCode: 'TRIED_WITHOUT_GAIN',
      reason: 'Two runs, no gain',
      remark: 'Look again with **FP8**',
      proof: null,
      expectation: null,
      recheck: null,
      audit: { progress: { assessed: 1, done: 1 } },
    });
    const why = 'Two runs, no gain';
    expect((await historyOf()).sort()).toEqual([
      ['outcome', 'NOT_ASSESSED', 'REJECTED', why],
      ['reason', null, why, why],
      ['reasonCode', null, 'TRIED_WITHOUT_GAIN', why],
      ['remark', null, 'Look again with **FP8**', why],
      ['work', 'TODO', 'DONE', why],
    ]);
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id } });
    for (const entry of entries) {
      expect(entry).toMatchObject({
        viewerId: made.contributor.id,
        projectId: made.project.id,
        auditId: made.audit.id,
        subject: 'auditItem',
        subjectId: id,
      });
    }
  });

  it('leaves what is absent alone and clears what is null', async () => {
    await update({ work: 'IN_PROGRESS', outcome: 'DEFERRED', reasonCode: 'LATER', reason: 'Busy', remark: 'Note' });
    const kept = { work: 'IN_PROGRESS', outcome: 'DEFERRED', reasonCode: 'LATER', reason: 'Busy' };
    expect(await update({ remark: 'Other' })).toMatchObject({ version: 3, ...kept, remark: 'Other' });
    expect(await update({ remark: null })).toMatchObject({ version: 4, ...kept, remark: null });
    expect(await update({ reasonCode: null, reason: null })).toMatchObject({
      outcome: 'DEFERRED',
      reasonCode: null,
      reason: null,
    });
    expect(await update({ work: null, outcome: null })).toMatchObject({ work: 'TODO', outcome: 'NOT_ASSESSED' });
    expect(await historyOf()).toContainEqual(['remark', 'Other', null, 'Busy']);
    expect(await historyOf()).toContainEqual(['reason', 'Busy', null, null]);
  });

  it('takes blank text for none', async () => {
    await update({ remark: 'Something' });
    expect(await update({ remark: ' \n' })).toMatchObject({ version: 3, remark: null });
  });

  it('keeps the text through changes of state', async () => {
    await update({ outcome: 'REJECTED', reasonCode: 'TOO_RISKY', reason: 'Accuracy', remark: 'Keep me' });
    const texts = { reasonCode: 'TOO_RISKY', reason: 'Accuracy', remark: 'Keep me' };
    expect(await update({ outcome: 'APPLIED', work: 'DONE' })).toMatchObject({ ...texts, proof: 'UNVERIFIED' });
    expect(await update({ outcome: 'NOT_ASSESSED', work: 'TODO' })).toMatchObject({ ...texts, proof: null });
    expect(await update({ outcome: 'NOT_APPLICABLE' })).toMatchObject({ ...texts, outcome: 'NOT_APPLICABLE' });
  });

  it('shows what was measured only while the item is applied', async () => {
    await app.db.auditItem.update({ where: { id }, data: { measuredProof: 'VERIFIED' } });
    expect(await update({ outcome: 'ALREADY_IN_PLACE' })).toMatchObject({ proof: null });
    expect(await update({ outcome: 'APPLIED' })).toMatchObject({ proof: 'VERIFIED' });
  });

  it('clears the re-check mark when the item is assessed again, be it to the same outcome', async () => {
    const { assessed } = (await update({ outcome: 'APPLIED', work: 'DONE' })).audit.progress;
    const mark = async () =>
      app.db.auditItem.update({
        where: { id },
        data: { recheckCode: 'CHECK_CHANGED', recheckCause: { en: 'New', zh: '新' }, recheckSince: new Date() },
      });
    await mark();
    const noted = await update({ remark: 'Not looked yet' });
    expect(noted).toMatchObject({ version: 3, recheck: { code: 'CHECK_CHANGED', cause: { text: 'New' } } });
    expect(noted.audit.progress.assessed).toBe(assessed - 1);
    const again = await update({ outcome: 'APPLIED' });
    expect(again).toMatchObject({ version: 4, outcome: 'APPLIED', recheck: null, audit: { progress: { assessed } } });
    expect((await historyOf()).at(-1)).toEqual(['recheck', 'CHECK_CHANGED', null, null]);
    await mark();
    expect(await update({ outcome: 'DEFERRED' })).toMatchObject({ version: 5, outcome: 'DEFERRED', recheck: null });
  });

  it('keeps the version when nothing changes', async () => {
    await update({ outcome: 'DEFERRED', remark: 'Same' });
    const before = await rowsOf(app.db);
    expect(await update({})).toMatchObject({ version: 2 });
    expect(await update({ outcome: 'DEFERRED', remark: 'Same', reason: null, work: 'TODO' })).toMatchObject({
      version: 2,
    });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('refuses members without the right, strangers and nobody', async () => {
    expect(await refusedUpdate({ work: 'DONE' }, made.viewer)).toMatchObject({
      code: 'FORBIDDEN',
      message: 'This needs the right WRITE_AUDITS in the project',
    });
    expect(await refusedUpdate({ work: 'DONE' }, made.stranger)).toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no audit item "${id}"`,
    });
    expect(await refusedUpdate({ work: 'DONE' }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it.each([
    ['an unknown id', { id: 'no-such-item' }, 'NOT_FOUND', 'There is no audit item "no-such-item"'],
    ['an empty id', { id: '' }, 'NOT_FOUND', 'There is no audit item ""'],
    ['REJECTED without a reason', { outcome: 'REJECTED' }, 'INVALID_INPUT', 'The outcome REJECTED needs a reason: reasonCode and reason missing'],
    ['REJECTED without a text', { outcome: 'REJECTED', reasonCode: 'OTHER', reason: ' ' }, 'INVALID_INPUT', 'The outcome REJECTED needs a reason: reason missing'],
    ['NOT_APPLICABLE without a code', { outcome: 'NOT_APPLICABLE', reason: 'No' }, 'INVALID_INPUT', 'The outcome NOT_APPLICABLE needs a reason: reasonCode missing'],
    ['DONE without an outcome', { work: 'DONE' }, 'INVALID_INPUT', 'An item is DONE only with an outcome other than NOT_ASSESSED'],
    ['a remark of 100,001 characters', { remark: 'x'.repeat(100_001) }, 'INVALID_INPUT', 'remark has 100001 characters; at most 100000 are kept'],
    ['U+0000 in the remark', { remark: 'a\0b' }, 'INVALID_INPUT', '$input.remark contains U+0000, which cannot be stored'],
    ['half a surrogate pair in the reason', { reason: 'a\udbff' }, 'INVALID_INPUT', '$input.reason contains half of a surrogate pair (U+D800 to U+DFFF), which cannot be stored'],
    ['an unknown outcome', { outcome: 'GREAT' }, 'INVALID_INPUT', 'Variable "$input" got invalid value "GREAT" at "input.outcome"; Value "GREAT" does not exist in "Outcome" enum.'],
    ['a version beyond 32 bits', { version: 2_147_483_648 }, 'INVALID_INPUT', 'Variable "$input" got invalid value 2147483648 at "input.version"; Int cannot represent non 32-bit signed integer value: 2147483648'],
    ['a clientMutationId of 201 characters', { clientMutationId: 'x'.repeat(201) }, 'INVALID_INPUT', 'clientMutationId needs 1 to 200 characters, and has 201'],
  ])('refuses %s', async (_, input, code, message) => {
    expect(await refusedUpdate(input)).toMatchObject({ code, message });
  }); // prettier-ignore

  it('refuses to take the reason away from an outcome that needs one', async () => {
    await update({ outcome: 'REJECTED', reasonCode: 'TOO_COSTLY', reason: 'Weeks of work' });
    expect(await refusedUpdate({ reason: null })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await refusedUpdate({ reasonCode: null })).toMatchObject({ code: 'INVALID_INPUT' });
    await update({ outcome: 'APPLIED', work: 'DONE' });
    expect(await refusedUpdate({ outcome: null })).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it.each([0, 1, 3, -1, 2_147_483_647])('refuses the version %i of an item at version 2, and shows it', async (version) => {
    await update({ outcome: 'DEFERRED', reason: 'Next quarter' });
    expect(await refusedUpdate({ version, remark: 'Late' })).toMatchObject({
      code: 'CONFLICT',
      message: `This item changed meanwhile: it is at version 2, and your change is based on ${version}`,
      extensions: {
        current: { id, version: 2, work: 'TODO', outcome: 'DEFERRED', reasonCode: null, reason: 'Next quarter', remark: null },
      },
    });
  }); // prettier-ignore

  it('refuses a closed audit', async () => {
    const closed = await given.audit(app.db, { status: 'CLOSED' });
    const input = { id: closed.items[0]?.id, version: 1, remark: 'Late' };
    for (const member of [closed.contributor, closed.maintainer]) {
      expect(await refused(app, app.as(member), UPDATE, input)).toMatchObject({
        code: 'CONFLICT',
        message: 'This audit is closed; a maintainer can reopen it',
        extensions: { current: { id: closed.audit.id, status: 'CLOSED' } },
      });
    }
  });

  it('speaks Chinese to whoever reads Chinese', async () => {
    const member = await given.chineseMember(app.db, made.project.id);
    const said = async (input: object) => (await refusedUpdate(input, member)).message;
    expect(await said({ outcome: 'REJECTED' })).toBe('结论 REJECTED 必须说明理由，缺少 reasonCode 和 reason');
    expect(await said({ work: 'DONE' })).toBe('条目须先有 NOT_ASSESSED 以外的结论才能标为 DONE');
    expect(await said({ version: 7 })).toBe('该条目已被修改：当前版本为 1，而本次修改基于 7');
    expect(await said({ id: 'x' })).toBe('没有审计条目“x”');
  });

  it('answers a repeated request as before, and refuses its id for another', async () => {
    const input = { version: 1, outcome: 'APPLIED', clientMutationId: `update-${id}` };
    const first = await send(input);
    expect(first.errors).toEqual([]);
    const before = await rowsOf(app.db);
    expect((await send(input)).data).toEqual(first.data);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await refusedUpdate({ ...input, outcome: 'DEFERRED' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: `clientMutationId "update-${id}" was used for another request`,
    });
  });

  it('forgets a request that was refused', async () => {
    const again = { version: 1, outcome: 'REJECTED', clientMutationId: `forgotten-${id}` };
    expect(await refusedUpdate(again)).toMatchObject({ code: 'INVALID_INPUT' });
    const { errors } = await send({ ...again, reasonCode: 'OTHER', reason: 'Now with one' });
    expect(errors).toEqual([]);
  });

  it('changes the item once for five equal requests at once', async () => {
    const input = { version: 1, remark: 'Five times', clientMutationId: `five-${id}` };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(input)));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(answers.map(({ data }) => data.updateAuditItem.version)).toEqual([2, 2, 2, 2, 2]);
    expect(await historyOf()).toEqual([['remark', null, 'Five times', null]]);
  });

  it('lets one of five different changes of the same version win', async () => {
    const remarks = ['a', 'b', 'c', 'd', 'e'];
    const answers = await Promise.all(remarks.map((remark) => send({ version: 1, remark })));
    const won = answers.filter(({ errorCode }) => errorCode === undefined);
    const lost = answers.filter(({ errorCode }) => errorCode === 'CONFLICT');
    expect([won.length, lost.length]).toEqual([1, 4]);
    const remark = won[0]?.data.updateAuditItem.remark;
    for (const { errors } of lost) expect(errors[0]?.extensions['current']).toMatchObject({ id, version: 2, remark });
    expect(await row()).toMatchObject({ version: 2, remark });
    expect(await historyOf()).toEqual([['remark', null, remark, null]]);
  });

  it('is found by search with what was said, and no more once that is cleared', async () => {
    const found = async () => {
      const { data } = await app
        .as(made.contributor)
        .send('{ search(query: "quixotic", filter: { kinds: [AUDIT_ITEM] }) { edges { node { auditItem { id } } } } }');
      return data.search.edges.map(({ node }: { node: { auditItem: { id: string } } }) => node.auditItem.id);
    };
    await update({ remark: 'A quixotic idea' });
    expect(await found()).toEqual([id]);
    await update({ remark: null });
    expect(await found()).toEqual([]);
  });
});
