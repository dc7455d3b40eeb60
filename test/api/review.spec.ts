import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditItem } from '../../src/generated/prisma/client.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { refused } from '../support/refused.js';

const ANSWER = `{
  id version work outcome reason assessedBy { name } submittedBy { name } acceptedBy { name } submittedAt acceptedAt
  comments { edges { node { body decision authorName } } }
}`;
const mutation = (name: string): string =>
  `mutation($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) ${ANSWER} }`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const stored = (id: string): Promise<AuditItem> => app.db.auditItem.findUniqueOrThrow({ where: { id } });

/** Sends a mutation about an item at the version that it has. */
async function act(who: { id: string }, name: string, id: string, input: object = {}) {
  const { version } = await stored(id);
  return app.as(who).send(mutation(name), { input: { id, version, ...input } });
}

/** What comes back from a mutation that is allowed. */
async function done(who: { id: string }, name: string, id: string, input: object = {}) {
  const { data, errors } = await act(who, name, id, input);
  expect(errors).toEqual([]);
  return data[name];
}

async function refusal(who: { id: string }, name: string, id: string, input: object = {}) {
  const { version } = await stored(id);
  return refused(app, app.as(who), mutation(name), { id, version, ...input });
}

/** An item that the contributor has assessed and submitted. */
async function submitted(made: given.GivenAudit, index: number): Promise<string> {
  const id = made.items[index]?.id ?? '';
  await done(made.contributor, 'updateAuditItem', id, { work: 'IN_PROGRESS', outcome: 'APPLIED', reason: 'Pinned' });
  await done(made.contributor, 'submitAuditItem', id);
  return id;
}

describe('the review of an item', () => {
  let made: given.GivenAudit;
  beforeAll(async () => {
    made = await given.audit(app.db);
  });

  it('goes from the author to a reviewer, who accepts it: it is DONE', async () => {
    const id = made.items[0]?.id ?? '';
    await done(made.contributor, 'updateAuditItem', id, { outcome: 'APPLIED', reason: 'Pinned' });
    const inReview = await done(made.contributor, 'submitAuditItem', id, { comment: 'See the trial' });
    expect(inReview).toMatchObject({
      work: 'IN_REVIEW',
      assessedBy: { name: 'contributor' },
      submittedBy: { name: 'contributor' },
      acceptedBy: null,
      comments: { edges: [{ node: { body: 'See the trial', decision: null, authorName: 'contributor' } }] },
    });
    expect(inReview.submittedAt).toEqual(expect.any(String));
    const accepted = await done(made.reviewer, 'acceptAuditItem', id, { comment: 'Seen' });
    expect(accepted).toMatchObject({
      work: 'DONE',
      outcome: 'APPLIED',
      reason: 'Pinned',
      acceptedBy: { name: 'reviewer' },
      comments: {
        edges: [{ node: { body: 'See the trial' } }, { node: { body: 'Seen', decision: 'ACCEPTED' } }],
      },
    });
    const fields = await app.db.historyEntry.findMany({
      where: { auditItemId: id, subject: 'auditItem' },
      orderBy: { id: 'asc' },
      select: { field: true, before: true, after: true, viewerId: true, reason: true },
    });
    expect(fields).toEqual([
      { field: 'outcome', before: 'NOT_ASSESSED', after: 'APPLIED', viewerId: made.contributor.id, reason: 'Pinned' },
      { field: 'reason', before: null, after: 'Pinned', viewerId: made.contributor.id, reason: 'Pinned' },
      { field: 'work', before: 'TODO', after: 'IN_REVIEW', viewerId: made.contributor.id, reason: 'See the trial' },
      { field: 'work', before: 'IN_REVIEW', after: 'DONE', viewerId: made.reviewer.id, reason: 'Seen' },
      { field: 'acceptedById', before: null, after: made.reviewer.id, viewerId: made.reviewer.id, reason: 'Seen' },
    ]);
  });

  it('gives it back with a comment, and needs one', async () => {
    const id = await submitted(made, 1);
    expect(await refusal(made.reviewer, 'rejectAuditItem', id, { comment: ' ' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'comment is empty',
    });
    const returned = await done(made.reviewer, 'rejectAuditItem', id, { comment: 'No trial' });
    expect(returned).toMatchObject({
      work: 'IN_PROGRESS',
      outcome: 'APPLIED',
      reason: 'Pinned',
      acceptedBy: null,
      comments: { edges: [{ node: { body: 'No trial', decision: 'REJECTED', authorName: 'reviewer' } }] },
    });
  });

  it('is not made by its author, whatever right the author has', async () => {
    const id = made.items[2]?.id ?? '';
    await done(made.maintainer, 'updateAuditItem', id, { outcome: 'ALREADY_IN_PLACE' });
    await done(made.contributor, 'submitAuditItem', id);
    for (const [name, input] of [
      ['acceptAuditItem', {}],
      ['rejectAuditItem', { comment: 'No' }],
    ] as const) {
      expect(await refusal(made.maintainer, name, id, input)).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringMatching(
          /^Whoever submitted an item, or said what came out, does not review it: another person does/,
        ),
      });
    }
    await done(made.reviewer, 'updateAuditItem', id, { reason: 'Since the image of May' });
    expect((await refusal(made.reviewer, 'acceptAuditItem', id)).code).toBe('FORBIDDEN');
    expect((await refusal(made.maintainer, 'acceptAuditItem', id)).code).toBe('FORBIDDEN');
    const other = await given.user(app.db, 'another reviewer');
    await app.db.projectMember.create({ data: { projectId: made.project.id, userId: other.id, role: 'REVIEWER' } });
    expect(await done(other, 'acceptAuditItem', id)).toMatchObject({
      work: 'DONE',
      acceptedBy: { name: 'another reviewer' },
    });
  });

  it('is for reviewers: others are told that they may not, or that nothing is there', async () => {
    const id = await submitted(made, 3);
    expect((await refusal(made.contributor, 'acceptAuditItem', id)).code).toBe('FORBIDDEN');
    expect((await refusal(made.viewer, 'rejectAuditItem', id, { comment: 'No' })).code).toBe('FORBIDDEN');
    expect((await refusal(made.stranger, 'acceptAuditItem', id)).code).toBe('NOT_FOUND');
    expect((await refusal(made.viewer, 'submitAuditItem', id)).code).toBe('FORBIDDEN');
  });

  it('is of what the reviewer has looked at', async () => {
    const id = await submitted(made, 4);
    const { version } = await stored(id);
    await done(made.contributor, 'updateAuditItem', id, { reason: 'Pinned and counted' });
    const { code, extensions } = await refused(app, app.as(made.reviewer), mutation('acceptAuditItem'), {
      id,
      version,
    });
    expect(code).toBe('CONFLICT');
    expect(extensions?.['current']).toMatchObject({
      version: version + 1,
      work: 'IN_REVIEW',
      reason: 'Pinned and counted',
    });
  });

  it('is taken back by a writer, and then cannot be accepted', async () => {
    const id = await submitted(made, 5);
    expect(await done(made.contributor, 'updateAuditItem', id, { work: 'IN_PROGRESS' })).toMatchObject({
      submittedBy: null,
      submittedAt: null,
    });
    expect(await refusal(made.reviewer, 'acceptAuditItem', id)).toMatchObject({
      code: 'CONFLICT',
      message: 'Only an item that is IN_REVIEW is accepted or rejected, and this one is IN_PROGRESS',
    });
  });

  it('is not gone around by setting DONE', async () => {
    const id = await submitted(made, 6);
    expect(await refusal(made.contributor, 'updateAuditItem', id, { work: 'DONE' })).toMatchObject({
      code: 'CONFLICT',
      message: 'This item waits for a review: acceptAuditItem makes it DONE, and IN_PROGRESS takes it back',
    });
  });

  it('ends when what was accepted is changed', async () => {
    const id = await submitted(made, 7);
    await done(made.reviewer, 'acceptAuditItem', id);
    expect(await done(made.contributor, 'updateAuditItem', id, { remark: 'For later' })).toMatchObject({
      work: 'DONE',
      acceptedBy: { name: 'reviewer' },
    });
    expect(await done(made.contributor, 'updateAuditItem', id, { reason: 'Pinned twice' })).toMatchObject({
      work: 'DONE',
      acceptedBy: null,
      acceptedAt: null,
    });
  });

  it('happens once for a repeated request', async () => {
    const id = await submitted(made, 8);
    const { version } = await stored(id);
    const input = { id, version, comment: 'Seen', clientMutationId: `accept ${id}` };
    const first = await app.as(made.reviewer).send(mutation('acceptAuditItem'), { input });
    const second = await app.as(made.reviewer).send(mutation('acceptAuditItem'), { input });
    expect(second).toEqual(first);
    expect(first.data.acceptAuditItem).toMatchObject({ version: version + 1, work: 'DONE' });
    expect(await app.db.comment.count({ where: { auditItemId: id } })).toBe(1);
  });

  it('needs an outcome', async () => {
    const id = made.items[9]?.id ?? '';
    expect(await refusal(made.contributor, 'submitAuditItem', id)).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'An item is IN_REVIEW only with an outcome other than NOT_ASSESSED',
    });
  });
});

describe('an audit that requires reviews', () => {
  it('has nothing DONE that nobody accepted, and keeps what was accepted as it is', async () => {
    const made = await given.audit(app.db);
    const require = `mutation($input: UpdateAuditInput!) { updateAudit(input: $input) { version requiresReview } }`;
    const input = { auditId: made.audit.id, version: 1, requiresReview: true };
    expect((await refused(app, app.as(made.contributor), require, input)).code).toBe('FORBIDDEN');
    const { data } = await app.as(made.maintainer).send(require, { input });
    expect(data.updateAudit).toEqual({ version: 2, requiresReview: true });
    const id = made.items[0]?.id ?? '';
    expect(await refusal(made.contributor, 'updateAuditItem', id, { work: 'DONE', outcome: 'APPLIED' })).toMatchObject({
      code: 'CONFLICT',
      message: 'This audit requires a review: submit the item with IN_REVIEW, and another person accepts it',
    });
    await done(made.contributor, 'updateAuditItem', id, { work: 'IN_REVIEW', outcome: 'APPLIED' });
    await done(made.reviewer, 'acceptAuditItem', id);
    expect((await refusal(made.contributor, 'updateAuditItem', id, { outcome: 'ALREADY_IN_PLACE' })).code).toBe(
      'CONFLICT',
    );
    expect(
      await done(made.contributor, 'updateAuditItem', id, { outcome: 'ALREADY_IN_PLACE', work: 'IN_PROGRESS' }),
    ).toMatchObject({ work: 'IN_PROGRESS', acceptedBy: null });
  });
});
