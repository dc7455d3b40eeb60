import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { assess, itemOf, ownAudit, type OwnAudit } from '../support/own-audit.js';
import { refused } from '../support/refused.js';

const CLONE = `mutation($input: CloneAuditInput!) {
  cloneAudit(input: $input) {
    id version title status requiresReview clonedFrom { id } createdBy { name } environment { name }
    checklist { slug version } scope { facts hardware { slug } }
  }
}`;
const all = ['STATES', 'REMARKS', 'ASSIGNMENTS', 'CUSTOM_ITEMS', 'COMMENTS', 'BREAKDOWN'];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function send(who: { id: string }, mutation: string, type: string, input: object, fields = 'id') {
  const { data, errors } = await app
    .as(who)
    .send(`mutation($input: ${type}!) { made: ${mutation}(input: $input) { ${fields} } }`, { input });
  expect(errors).toEqual([]);
  return data.made;
}

async function clone(made: OwnAudit, input: object = {}) {
  const { data, errors } = await app
    .as(made.contributor)
    .send(CLONE, { input: { auditId: made.auditId, carry: all, ...input } });
  expect(errors).toEqual([]);
  return data.cloneAudit;
}

/** A trial that improves by a fifth: the item is VERIFIED where it is applied. */
async function measure(made: OwnAudit, auditItemId: string): Promise<void> {
  const values = { before: [100, 101, 102, 103], after: [120, 121, 122, 123] };
  await send(made.contributor, 'recordMeasurement', 'RecordMeasurementInput', {
    auditItemId, metric: 'training.throughput', sampling: 'SEPARATE_SESSIONS', ...values,
  }); // prettier-ignore
}

function history(auditId: string) {
  return app.db.historyEntry.findMany({ where: { auditId }, orderBy: { id: 'asc' } });
}

const machine = { hardware: 'h100-sxm', facts: { cuda: '12.4' } };
const items = [{ key: 'one' }, { key: 'two' }, { key: 'three' }];

describe('cloneAudit', () => {
  it('begins where the audit stands, without what was measured, submitted or accepted there', async () => {
    const made = await ownAudit(app, items, machine);
    const [one, two] = [await made.item('one'), await made.item('two')];
    await measure(made, one.id);
    await assess(app, made.contributor, one.id, { work: 'DONE', outcome: 'APPLIED', remark: '已启用' });
    await assess(app, made.contributor, two.id, {
      work: 'IN_REVIEW', outcome: 'REJECTED', reasonCode: 'TOO_RISKY', reason: 'Too early',
      expiresAt: '2099-01-01T00:00:00.000Z', assigneeId: made.reviewer.id, dueAt: '2098-01-01T00:00:00.000Z', priority: 'HIGH',
    }); // prettier-ignore
    await app.db.audit.update({ where: { id: made.auditId }, data: { timeBreakdown: { compute: 0.6 } } });

    const copy = await clone(made, { title: 'Next quarter' });
    expect(copy).toEqual({
      id: expect.any(String),
      version: 1,
      title: 'Next quarter',
      status: 'OPEN',
      requiresReview: false,
      clonedFrom: { id: made.auditId },
      createdBy: { name: 'contributor' },
      environment: { name: 'default' },
      checklist: { slug: made.checklist, version: '1.0.0' },
      scope: { facts: { cuda: '12.4' }, hardware: { slug: 'h100-sxm' } },
    });
    const [oneNow, twoNow, threeNow] = await Promise.all(
      ['one', 'two', 'three'].map((key) => itemOf(app, copy.id, key)),
    );
    expect(oneNow).toMatchObject({
      version: 1, applies: 'YES', work: 'DONE', outcome: 'APPLIED', remark: '已启用', measuredProof: null,
      assessedById: made.contributor.id, acceptedById: null, position: one.position,
    }); // prettier-ignore
    expect(twoNow).toMatchObject({
      work: 'IN_PROGRESS', outcome: 'REJECTED', reasonCode: 'TOO_RISKY', reason: 'Too early',
      expiresAt: new Date('2099-01-01'), assigneeId: made.reviewer.id, dueAt: new Date('2098-01-01'), priority: 'HIGH',
      submittedById: null, submittedAt: null,
    }); // prettier-ignore
    expect(threeNow).toMatchObject({ work: 'TODO', outcome: 'NOT_ASSESSED', assessedById: null, priority: 'NORMAL' });
    const { timeBreakdown } = await app.db.audit.findUniqueOrThrow({ where: { id: copy.id } });
    expect(timeBreakdown).toEqual({ compute: 0.6 });
    const shown = await app
      .as(made.viewer)
      .send(
        `query($id: ID!) { audit(id: $id) { progress { total applicable assessed done verified } items { edges { node { proof } } } } }`,
        { id: copy.id },
      );
    expect(shown.data.audit).toEqual({
      progress: { total: 3, applicable: 3, assessed: 2, done: 1, verified: 0 },
      items: { edges: [{ node: { proof: 'UNVERIFIED' } }, { node: { proof: null } }, { node: { proof: null } }] },
    });
    expect((await made.item('one')).measuredProof).toBe('VERIFIED');
  });

  it('tells in the history of the clone what came with it, and from where', async () => {
    const made = await ownAudit(app, items);
    await assess(app, made.contributor, (await made.item('one')).id, {
      work: 'DONE', outcome: 'REJECTED', reasonCode: 'OTHER', reason: 'TODO', remark: '以后再看',
    }); // prettier-ignore
    const copy = await clone(made);
    const [opened, carried, ...rest] = await history(copy.id);
    expect(rest).toEqual([]);
    expect(opened).toMatchObject({
      subject: 'audit',
      field: 'created',
      viewerId: made.contributor.id,
      after: {
        title: 'Rig 1.0.0 (copy)',
        checklist: made.checklist,
        version: '1.0.0',
        environment: 'default',
        clonedFrom: made.auditId,
        carried: all,
      },
    });
    expect(carried).toMatchObject({
      subject: 'auditItem',
      auditItemId: (await itemOf(app, copy.id, 'one')).id,
      field: 'carried',
      before: null,
      after: {
        work: 'DONE', outcome: 'REJECTED', reasonCode: 'OTHER', reason: 'TODO', remark: '以后再看',
        assessedById: made.contributor.id, assessedAt: expect.any(String),
      },
      reason: 'from the audit "Rig 1.0.0"',
    }); // prettier-ignore
  });

  it('leaves behind what is not asked for', async () => {
    const made = await ownAudit(app, items);
    const one = await made.item('one');
    await assess(app, made.contributor, one.id, {
      work: 'DONE', outcome: 'APPLIED', remark: 'Remark', assigneeId: made.contributor.id, priority: 'LOW',
    }); // prettier-ignore
    await send(made.contributor, 'overruleApplicability', 'OverruleApplicabilityInput', {
      id: one.id, version: (await made.item('one')).version, answer: 'NO', reason: 'Not here',
    }); // prettier-ignore
    await send(made.contributor, 'addCustomItem', 'AddCustomItemInput', {
      auditId: made.auditId, section: 'rig', topic: 'own', title: 'Own', locale: 'EN',
    }); // prettier-ignore
    await send(made.contributor, 'addComment', 'AddCommentInput', { auditItemId: one.id, body: 'Why?' });
    const stored = async (carry: string[]) => {
      const { id } = await clone(made, { carry });
      const count = await app.db.auditItem.count({ where: { auditId: id } });
      return { ...(await itemOf(app, id, 'one')), id, count, comments: await app.db.comment.count({ where: { auditItem: { auditId: id } } }) };
    };
    const nothing = {
      work: 'TODO', outcome: 'NOT_ASSESSED', overruled: null, remark: null, assigneeId: null, priority: 'NORMAL', count: 3, comments: 0,
    };
    expect(await stored([])).toMatchObject(nothing);
    expect(await stored(['STATES'])).toMatchObject({ ...nothing, work: 'DONE', outcome: 'APPLIED', overruled: 'NO', overruleReason: 'Not here' });
    expect(await stored(['REMARKS'])).toMatchObject({ ...nothing, remark: 'Remark' });
    expect(await stored(['ASSIGNMENTS'])).toMatchObject({ ...nothing, assigneeId: made.contributor.id, priority: 'LOW' });
    expect(await stored(['CUSTOM_ITEMS'])).toMatchObject({ ...nothing, count: 4 });
    expect(await stored(['COMMENTS', 'COMMENTS'])).toMatchObject({ ...nothing, comments: 1 });
    const { id } = await stored([]);
    expect((await history(id)).map(({ field }) => field)).toEqual(['created']);
  }); // prettier-ignore

  it('takes what was done back into progress where the audit requires reviews', async () => {
    const made = await ownAudit(app, items);
    const one = await made.item('one');
    await app.db.audit.update({ where: { id: made.auditId }, data: { requiresReview: true } });
    await assess(app, made.contributor, one.id, { work: 'IN_REVIEW', outcome: 'APPLIED' });
    const { version } = await made.item('one');
    await send(made.reviewer, 'acceptAuditItem', 'AcceptAuditItemInput', { id: one.id, version });
    const copy = await clone(made);
    expect(copy.requiresReview).toBe(true);
    expect(await itemOf(app, copy.id, 'one')).toMatchObject({
      work: 'IN_PROGRESS', outcome: 'APPLIED', acceptedById: null, acceptedAt: null, submittedById: null,
    }); // prettier-ignore
  });

  it('makes nobody an author of what others said, so that whoever cloned can review', async () => {
    const made = await ownAudit(app, items);
    await assess(app, made.contributor, (await made.item('one')).id, { outcome: 'APPLIED' });
    const copy = await send(made.reviewer, 'cloneAudit', 'CloneAuditInput', { auditId: made.auditId, carry: all });
    const { id } = await itemOf(app, copy.id, 'one');
    await assess(app, made.contributor, id, { work: 'IN_REVIEW' });
    const { version } = await itemOf(app, copy.id, 'one');
    await send(made.reviewer, 'acceptAuditItem', 'AcceptAuditItemInput', { id, version });
    expect(await itemOf(app, copy.id, 'one')).toMatchObject({ work: 'DONE', acceptedById: made.reviewer.id });
  });

  it('takes items of the audit alone along, and leaves archived ones behind', async () => {
    const made = await ownAudit(app, items);
    const add = (topic: string) =>
      send(made.contributor, 'addCustomItem', 'AddCustomItemInput', {
        auditId: made.auditId, section: 'rig', topic, title: '路由回放', locale: 'ZH', check: '看 quixotic 日志。',
      }, 'id version'); // prettier-ignore
    const [own, gone] = [await add('own'), await add('gone')];
    await send(made.contributor, 'archiveCustomItem', 'ArchiveCustomItemInput', {
      ...gone,
      isArchived: true,
      reason: 'No',
    });
    await assess(app, made.contributor, own.id, { outcome: 'APPLIED' });
    const { id } = await clone(made);
    const copies = await app.db.auditItem.findMany({ where: { auditId: id, releaseItemId: null } });
    expect(copies).toMatchObject([
      { customKey: 'custom/own', customSection: 'rig', outcome: 'APPLIED', applies: 'YES' },
    ]);
    const [copy] = copies;
    const source = await app.db.auditItem.findUniqueOrThrow({ where: { id: own.id } });
    expect(copy?.custom).toEqual(source.custom);
    const entries = (await history(id)).filter(({ auditItemId }) => auditItemId === copy?.id);
    expect(entries.map(({ field, after }) => [field, after])).toEqual([
      ['created', { key: 'custom/own', section: 'rig', custom: source.custom }],
      ['carried', { outcome: 'APPLIED', assessedById: made.contributor.id, assessedAt: expect.any(String) }],
    ]);
    const { data } = await app.as(made.viewer).send('{ search(query: "quixotic") { totalCount } }');
    // The archived one is found too: nothing that was said is lost
    expect(data.search.totalCount).toBe(3);
  });

  it('copies threads with their authors, times and decisions, and calls nobody again', async () => {
    const made = await ownAudit(app, items);
    const one = await made.item('one');
    const comment = (who: { id: string }, body: string, input: object = {}) =>
      send(who, 'addComment', 'AddCommentInput', { auditItemId: one.id, body, ...input });
    const opener = await comment(made.contributor, '先看日志', { mentionIds: [made.reviewer.id] });
    await comment(made.reviewer, 'Zanzibar it is', { replyTo: opener.id });
    await comment(made.maintainer, 'Another thread');
    await assess(app, made.contributor, one.id, { work: 'IN_REVIEW', outcome: 'APPLIED' });
    const { version } = await made.item('one');
    await send(made.reviewer, 'rejectAuditItem', 'RejectAuditItemInput', { id: one.id, version, comment: 'Not yet' });
    const { id } = await clone(made);
    const of = (auditId: string) =>
      app.db.comment.findMany({ where: { auditItem: { auditId } }, orderBy: { id: 'asc' }, include: { mentions: true } });
    const [old, copies] = [await of(made.auditId), await of(id)];
    const said = ({ body, authorId, createdAt, editedAt, decision }: (typeof old)[number]) => ({ body, authorId, createdAt, editedAt, decision });
    expect(copies.map(said)).toEqual(old.map(said));
    expect(copies.map(({ decision }) => decision)).toEqual([null, null, null, 'REJECTED']);
    expect(copies.map(({ parentId }) => copies.findIndex((one) => one.id === parentId))).toEqual([-1, 0, -1, -1]);
    expect(copies.flatMap(({ mentions }) => mentions)).toEqual([]);
    const clonedItem = await itemOf(app, id, 'one');
    expect(copies.every(({ auditItemId }) => auditItemId === clonedItem.id)).toBe(true);
    const entries = (await history(id)).filter(({ subject }) => subject === 'comment');
    expect(entries.map(({ subjectId, field }) => [subjectId, field])).toEqual(copies.map((one) => [one.id, 'carried']));
    expect(entries[1]?.after).toMatchObject({ body: 'Zanzibar it is', replyTo: copies[0]?.id, authorId: made.reviewer.id });
    const { data } = await app.as(made.viewer).send('{ search(query: "zanzibar") { totalCount } }');
    expect(data.search.totalCount).toBe(2);
    const shown = await app.as(made.viewer).send(
      'query($id: ID!) { auditItem(id: $id) { comments(first: 10) { edges { node { body replies(first: 10) { totalCount } } } } } }',
      { id: clonedItem.id },
    );
    expect(shown.data.auditItem.comments.edges.map(({ node }: { node: object }) => node)).toEqual([
      { body: '先看日志', replies: { totalCount: 1 } },
      { body: 'Another thread', replies: { totalCount: 0 } },
      { body: 'Not yet', replies: { totalCount: 0 } },
    ]);
  }); // prettier-ignore

  it('gives no work to somebody who may not do it any more', async () => {
    const made = await ownAudit(app, items);
    await assess(app, made.contributor, (await made.item('one')).id, {
      assigneeId: made.reviewer.id,
      priority: 'HIGH',
    });
    await app.db.projectMember.delete({
      where: { projectId_userId: { projectId: made.project.id, userId: made.reviewer.id } },
    });
    const { id } = await clone(made);
    expect(await itemOf(app, id, 'one')).toMatchObject({ assigneeId: null, priority: 'HIGH' });
  });

  describe('in another environment', () => {
    const withRules = [
      { key: 'amd', applicability: { vendor: 'amd' } },
      { key: 'nvidia', applicability: { vendor: 'nvidia' } },
      { key: 'any' },
    ];

    it('is scoped anew as setAuditEnvironment does, re-check marks with causes included', async () => {
      const made = await ownAudit(app, withRules, machine);
      for (const key of ['nvidia', 'any']) {
        await assess(app, made.contributor, (await made.item(key)).id, {
          work: 'DONE',
          outcome: 'APPLIED',
          remark: key,
        });
      }
      await measure(made, (await made.item('any')).id);
      const { id: environmentId } = await given.environment(app.db, made.project.id, {
        name: 'mi300x',
        hardware: 'mi300x',
      });
      const copy = await clone(made, { environmentId });
      expect([copy.environment.name, copy.scope]).toEqual(['mi300x', { facts: {}, hardware: { slug: 'mi300x' } }]);

      const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId } });
      await send(made.contributor, 'setAuditEnvironment', 'SetAuditEnvironmentInput', { auditId: made.auditId, version, environmentId }, 'auditCount'); // prettier-ignore
      for (const key of ['amd', 'nvidia', 'any']) {
        const { applies, appliesReasons, isPast, outcome, work, recheckCode, recheckCause } = await made.item(key);
        expect(await itemOf(app, copy.id, key)).toMatchObject({
          applies, appliesReasons, isPast, outcome, work, recheckCode, recheckCause, measuredProof: null,
        }); // prettier-ignore
      }
      const nvidia = await itemOf(app, copy.id, 'nvidia');
      expect([nvidia.applies, nvidia.recheckCode]).toEqual(['NO', 'ENVIRONMENT_CHANGED']);
      const fields = (await history(copy.id)).filter(({ auditItemId }) => auditItemId === nvidia.id);
      expect(fields.map(({ field }) => field)).toEqual(['carried', 'applies', 'recheck']);
      const documents = await app.db.searchDocument.findMany({
        where: { kind: 'AUDIT_ITEM', subjectId: { in: [nvidia.id, (await itemOf(app, copy.id, 'any')).id] } },
        select: { hardware: true },
      });
      expect(documents).toEqual([{ hardware: ['mi300x'] }, { hardware: ['mi300x'] }]);
    });

    it('keeps the scope of the audit where none is named, and has none for null', async () => {
      const made = await ownAudit(app, withRules, machine);
      await app.db.environment.update({ where: { id: made.environment.id }, data: { facts: { cuda: '13.0' } } });
      expect((await clone(made)).scope.facts).toEqual({ cuda: '12.4' });
      expect(await clone(made, { environmentId: made.environment.id })).toMatchObject({ scope: { facts: { cuda: '13.0' } } });
      expect(await clone(made, { environmentId: null })).toMatchObject({ environment: null, scope: { facts: {}, hardware: null } });
    }); // prettier-ignore

    it('refuses one of another project', async () => {
      const [made, other] = [await ownAudit(app, items), await ownAudit(app, items)];
      const input = { auditId: made.auditId, carry: [], environmentId: other.environment.id };
      expect(await refused(app, app.as(made.contributor), CLONE, input)).toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  it('is made of a closed audit too, and is open itself', async () => {
    const made = await ownAudit(app, items);
    await app.db.audit.update({ where: { id: made.auditId }, data: { status: 'CLOSED', closedAt: new Date() } });
    const copy = await clone(made);
    expect(copy.status).toBe('OPEN');
    const { closedAt } = await app.db.audit.findUniqueOrThrow({ where: { id: copy.id } });
    expect(closedAt).toBeNull();
  });

  it('is called after the audit that it comes from, in the language of whoever made it, and with a number where that is taken', async () => {
    const made = await ownAudit(app, items);
    const chinese = await given.chineseMember(app.db, made.project.id);
    const title = async (who: { id: string } = made.contributor) =>
      (await send(who, 'cloneAudit', 'CloneAuditInput', { auditId: made.auditId, carry: [] }, 'title')).title;
    expect([await title(), await title(), await title(chinese), await title(chinese), await title()]).toEqual([
      'Rig 1.0.0 (copy)', 'Rig 1.0.0 (copy 2)', 'Rig 1.0.0（副本）', 'Rig 1.0.0（副本 2）', 'Rig 1.0.0 (copy 3)',
    ]); // prettier-ignore
    const both: string[] = await Promise.all([title(), title()]);
    expect(both.sort()).toEqual(['Rig 1.0.0 (copy 4)', 'Rig 1.0.0 (copy 5)']);
    await app.db.audit.update({ where: { id: made.auditId }, data: { title: '长'.repeat(200) } });
    expect(await title()).toBe(`${'长'.repeat(193)} (copy)`);
  });

  it('is made once for a repeated request, and refuses members who only read, strangers and long titles', async () => {
    const made = await ownAudit(app, items);
    const again = { clientMutationId: 'clone-1', title: '  ' };
    const copy = await clone(made, again);
    expect([(await clone(made, again)).id, copy.title]).toEqual([copy.id, 'Rig 1.0.0 (copy)']);
    const input = { auditId: made.auditId, carry: all };
    expect(await refused(app, app.as(made.viewer), CLONE, input)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refused(app, app.as(made.stranger), CLONE, input)).toMatchObject({ code: 'NOT_FOUND' });
    const chinese = await given.chineseMember(app.db, made.project.id);
    expect(await refused(app, app.as(chinese), CLONE, { ...input, title: '长'.repeat(201) })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'title 有 201 个字符，最多 200 个',
    });
  });

  it('needs few statements, however many items there are', async () => {
    const count = async (size: number) => {
      const made = await ownAudit(app, Array.from({ length: size }, (_, index) => ({ key: `item-${index}` })), machine);
      const rows = await app.db.auditItem.findMany({ where: { auditId: made.auditId }, select: { id: true, projectId: true } });
      await app.db.auditItem.updateMany({ where: { auditId: made.auditId }, data: { outcome: 'APPLIED', remark: 'Remark' } });
      await app.db.comment.createMany({
        data: rows.map(({ id, projectId }) => ({ auditItemId: id, projectId, authorId: made.contributor.id, body: 'Comment' })),
      });
      const { id: environmentId } = await given.environment(app.db, made.project.id, { hardware: 'mi300x' });
      return app.statementsOf(() => clone(made, { environmentId }));
    };
    const [few, many] = [await count(2), await count(60)];
    expect(many).toBe(few);
  }); // prettier-ignore
});
