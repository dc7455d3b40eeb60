import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { User } from '../../src/generated/prisma/client.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const PROPOSAL = `
  id version status key why createdAt decidedAt decision contentYaml missing
  checklist { slug } proposedBy { name } decidedBy { name } auditItem { id }
  item { id key title { en zh } settings section { key } checklist { slug } metrics { key } }`;
const PROPOSE = `mutation($input: ProposeItemInput!) { proposeItem(input: $input) { ${PROPOSAL} } }`;
const DECIDE = `mutation($input: DecideProposalInput!) { decideProposal(input: $input) { ${PROPOSAL} } }`;
const WITHDRAW = `mutation($input: WithdrawProposalInput!) { withdrawProposal(input: $input) { ${PROPOSAL} } }`;
const LIST = `query($status: ProposalStatus, $checklist: String, $first: Int, $after: String) {
  proposals(status: $status, checklist: $checklist, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { node { ${PROPOSAL} } } } }`;

const shipped = 'ai-systems-performance';

let app: TestApp;
let editor: User;
beforeAll(async () => {
  app = await startApp();
  editor = await app.db.user.create({ data: { name: 'editor', role: 'CATALOG_EDITOR' } });
});
afterAll(() => app.close());

interface Custom extends given.GivenAudit {
  readonly customId: string;
}

async function addTo(
  auditId: string,
  who: { id: string },
  { section = 'precision', ...more }: { section?: string } & Record<string, unknown> = {},
): Promise<string> {
  const { data, errors } = await app
    .as(who)
    .send('mutation($input: AddCustomItemInput!) { addCustomItem(input: $input) { id } }', {
      input: { auditId, section, topic: 'router-replay', title: 'Router replay', locale: 'EN', ...more },
    });
  expect(errors).toEqual([]);
  return data.addCustomItem.id;
}

/** An audit of the shipped checklist with an item of its own. */
async function custom(more: Record<string, unknown> = {}): Promise<Custom> {
  const made = await given.audit(app.db);
  return { ...made, customId: await addTo(made.audit.id, made.contributor, more) };
}

async function propose(made: Custom, input: object = {}, who: { id: string } = made.contributor) {
  const whole = { auditItemId: made.customId, key: `precision/topic-${randomUUID()}`, why: 'It helped twice' };
  const { data, errors } = await app.as(who).send(PROPOSE, { input: { ...whole, ...input } });
  expect(errors).toEqual([]);
  return data.proposeItem;
}

async function decide(id: string, who: { id: string }, input: object = {}) {
  const { data, errors } = await app.as(who).send(DECIDE, { input: { id, version: 1, status: 'ACCEPTED', ...input } });
  expect(errors).toEqual([]);
  return data.decideProposal;
}

async function listed(who: { id: string } | null, variables: object = {}): Promise<string[]> {
  const { data, errors } = await app.as(who).send(LIST, { ...variables });
  expect(errors).toEqual([]);
  const edges: { node: { id: string } }[] = data.proposals.edges;
  expect(data.proposals.totalCount).toBeGreaterThanOrEqual(edges.length);
  return edges.map(({ node }) => node.id);
}

/** A checklist of a team, with a member of each role that matters. */
async function teamChecklist() {
  const slug = `team-${randomUUID().slice(0, 13)}`;
  const [maintainer, member] = [await given.user(app.db, 'head'), await given.user(app.db, 'hand')];
  const roles = [
    { userId: maintainer.id, role: 'MAINTAINER' as const },
    { userId: member.id, role: 'CONTRIBUTOR' as const },
  ];
  await app.db.team.create({ data: { slug, name: 'Team', members: { create: roles } } });
  await importChecklist(maintainer, slug, slug);
  return { slug, maintainer, member };
}

async function importChecklist(who: { id: string }, slug: string, team?: string): Promise<void> {
  const content = JSON.stringify({
    format: 'tunebook-checklist/1',
    title: { en: 'Rig' },
    sections: [{ key: 'rig', title: { en: 'Rig' }, items: [{ key: 'any', title: { en: 'Any' } }] }],
  });
  const { data, errors } = await app
    .as(who)
    .send('mutation($input: ImportChecklistInput!) { importChecklist(input: $input) { problems { message } } }', {
      input: { content, slug, team },
    });
  expect([errors, data.importChecklist.problems]).toEqual([[], []]);
}

describe('proposeItem', () => {
  it('keeps the item as it is, for the checklist of the audit, with the file that it is to become', async () => {
    const made = await custom({
      why: 'Because',
      tags: ['tensor-cores', 'no-such-tag'],
      metrics: ['training.throughput'],
      settings: ['--router-replay'],
    });
    const key = `precision/topic-${randomUUID()}`;
    const proposal = await propose(made, { key });
    expect(proposal).toEqual({
      id: proposal.id,
      version: 1,
      status: 'OPEN',
      key,
      why: 'It helped twice',
      createdAt: expect.any(String),
      decidedAt: null,
      decision: null,
      checklist: { slug: shipped },
      proposedBy: { name: 'contributor' },
      decidedBy: null,
      auditItem: { id: made.customId },
      contentYaml: `title:
  en: Router replay
why:
  en: Because
tags: [tensor-cores, no-such-tag]
settings:
  - --router-replay
metrics:
  - { key: training.throughput, role: primary }
`,
      missing: [
        'order',
        'title.zh',
        'summary',
        'why.zh',
        'check',
        'apply',
        'measure',
        'avoid',
        'rollback',
        'layer',
        'bottleneck',
        'phases',
        'frameworks',
        'signals',
        'gain',
        'effort',
        'risk',
        'reversible',
        'relations',
        'sources',
        'reviewBy',
        'tags.yaml: no-such-tag',
      ],
      item: {
        id: proposal.id,
        key,
        title: { en: 'Router replay', zh: null },
        settings: ['--router-replay'],
        section: { key: 'precision' },
        checklist: { slug: shipped },
        metrics: [{ key: 'training.throughput' }],
      },
    });
    const [entry, ...others] = await app.db.historyEntry.findMany({ where: { subjectId: proposal.id } });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      subject: 'proposal',
      field: 'created',
      viewerId: made.contributor.id,
      auditId: made.audit.id,
      auditItemId: made.customId,
      after: { key, checklist: shipped, why: 'It helped twice' },
    });
  });

  it('stays as it was proposed when the item changes', async () => {
    const made = await custom();
    const proposal = await propose(made);
    const { errors } = await app
      .as(made.contributor)
      .send('mutation($input: UpdateCustomItemInput!) { updateCustomItem(input: $input) { id } }', {
        input: { id: made.customId, version: 1, locale: 'EN', title: 'Another', section: 'io' },
      });
    expect(errors).toEqual([]);
    const query = `query($id: ID!) { auditItem(id: $id) { item { title { en } } proposals { ${PROPOSAL} } } }`;
    const { data } = await app.as(made.viewer).send(query, { id: made.customId });
    expect(data.auditItem).toEqual({ item: { title: { en: 'Another' } }, proposals: [proposal] });
  });

  it('can be for another checklist, in a section of that one', async () => {
    const made = await custom();
    const proposal = await propose(made, { checklist: 'application-level', key: `inference/topic-${randomUUID()}` });
    expect(proposal).toMatchObject({
      checklist: { slug: 'application-level' },
      item: { section: { key: 'inference' }, checklist: { slug: 'application-level' } },
    });
    const admin = await app.db.user.create({ data: { name: 'admin', role: 'ADMIN' } });
    const other = { ...made, customId: await addTo(made.audit.id, admin, { topic: 'of-the-admin' }) };
    const key = `inference/topic-${randomUUID()}`;
    expect(await propose(other, { checklist: 'application-level', key }, admin)).toMatchObject({ key });
  });

  it('gives the same answer to a repeated request', async () => {
    const made = await custom();
    const input = { key: 'precision/said-twice', clientMutationId: 'twice' };
    const first = await propose(made, input);
    const before = await rowsOf(app.db);
    expect(await propose(made, input)).toEqual(first);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('refuses a second proposal while one is open, and takes it afterwards', async () => {
    const made = await custom();
    const { id, key } = await propose(made);
    const input = { auditItemId: made.customId, key: 'precision/other', why: 'Again' };
    expect(await refused(app, app.as(made.reviewer), PROPOSE, input)).toMatchObject({
      code: 'CONFLICT',
      message: `The item is proposed already, as "${key}"; withdraw that proposal first`,
      extensions: { current: { id, version: 1, status: 'OPEN', key } },
    });
    await app.as(made.contributor).send(WITHDRAW, { input: { id, version: 1 } });
    const second = await propose(made);
    const { data } = await app
      .as(made.viewer)
      .send('query($id: ID!) { auditItem(id: $id) { proposals { id status } } }', { id: made.customId });
    expect(data.auditItem.proposals).toEqual([
      { id: second.id, status: 'OPEN' },
      { id, status: 'WITHDRAWN' },
    ]);
  });

  it('takes a key as long as those of a checklist', async () => {
    const key = `precision/${'a'.repeat(63)}-${randomUUID()}`;
    expect(key.length).toBe(110);
    expect(await propose(await custom(), { key })).toMatchObject({ key });
  });

  it('refuses an item that was accepted, whatever the key, in Chinese too', async () => {
    const made = await custom();
    const { id, key } = await propose(made);
    await decide(id, editor);
    const input = { auditItemId: made.customId, key: 'precision/yet-another', why: 'Again' };
    expect(await refused(app, app.as(made.contributor), PROPOSE, input)).toEqual({
      code: 'CONFLICT',
      message: `The item was accepted already, as "${key}"; upgradeAudit makes it that item as soon as a release has it`,
      extensions: { code: 'CONFLICT', current: { id, version: 2, status: 'ACCEPTED', key } },
    });
    const chinese = await given.chineseMember(app.db, made.project.id);
    expect((await refused(app, app.as(chinese), PROPOSE, input)).message).toBe(
      `该条目的提案已被接受，键为“${key}”；版本收录后，upgradeAudit 会将其转为该条目`,
    );
    const other = await addTo(made.audit.id, made.contributor, { topic: 'another' });
    expect(await propose({ ...made, customId: other })).toMatchObject({ status: 'OPEN' });
  });

  it('accepts no second item under a key that was accepted', async () => {
    const made = await custom();
    const other = { ...made, customId: await addTo(made.audit.id, made.contributor, { topic: 'another' }) };
    const key = `precision/topic-${randomUUID()}`;
    const [first, second] = [await propose(made, { key }), await propose(other, { key })];
    await decide(first.id, editor);
    const refusal = await refused(app, app.as(editor), DECIDE, { id: second.id, version: 1, status: 'ACCEPTED' });
    expect(refusal).toEqual({
      code: 'CONFLICT',
      message: `Another item was accepted as "${key}" already: reject this one, or have it proposed under another key`,
      extensions: { code: 'CONFLICT', current: { id: first.id, version: 2, status: 'ACCEPTED', key } },
    });
    expect(await decide(second.id, editor, { status: 'REJECTED', comment: 'Taken' })).toMatchObject({
      status: 'REJECTED',
    });
  });

  it('refuses in a clone what was accepted in the audit that it comes from, and nothing else of that name', async () => {
    const made = await custom();
    const { id, key } = await propose(made);
    await decide(id, editor);
    const cloned = await app
      .as(made.contributor)
      .send('mutation($input: CloneAuditInput!) { cloneAudit(input: $input) { id } }', {
        input: { auditId: made.audit.id, carry: ['CUSTOM_ITEMS'] },
      });
    const auditId: string = cloned.data.cloneAudit.id;
    const copy = await app.db.auditItem.findFirstOrThrow({ where: { auditId, customKey: 'custom/router-replay' } });
    const input = { auditItemId: copy.id, key: 'precision/yet-another', why: 'Again' };
    expect(await refused(app, app.as(made.contributor), PROPOSE, input)).toMatchObject({
      code: 'CONFLICT',
      extensions: { current: { id, key } },
    });
    const elsewhere = await custom();
    expect(await propose(elsewhere)).toMatchObject({ status: 'OPEN' });
  });

  describe('refuses', () => {
    let made: Custom;
    beforeAll(async () => {
      made = await custom();
    });
    const refusedPropose = (input: object, who: { id: string } | null = made.contributor) =>
      refused(app, app.as(who), PROPOSE, {
        auditItemId: made.customId,
        key: 'precision/new-topic',
        why: 'W',
        ...input,
      });

    it('members without the right, strangers and nobody', async () => {
      expect(await refusedPropose({}, made.viewer)).toMatchObject({ code: 'FORBIDDEN' });
      expect(await refusedPropose({}, made.stranger)).toMatchObject({ code: 'NOT_FOUND' });
      expect(await refusedPropose({}, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    });

    it.each([
      ['a key without a section', { key: 'topic' }, 'key "topic" must be section/topic, both lower-case words joined by hyphens, at most 100 characters each'],
      ['a key of another checklist', { key: 'a:b/c' }, 'key "a:b/c" must be section/topic, both lower-case words joined by hyphens, at most 100 characters each'],
      ['a key that is longer than those of a checklist', { key: `precision/${'a'.repeat(101)}` }, `key "precision/${'a'.repeat(101)}" must be section/topic, both lower-case words joined by hyphens, at most 100 characters each`],
      ['a key that an item has', { key: 'precision/tf32' }, `The key "precision/tf32" was given to an item of the checklist "${shipped}"; a key is never given again`],
      ['no reason', { why: ' ' }, 'why is empty'],
    ])('%s', async (_, input, message) => {
      expect(await refusedPropose(input)).toMatchObject({ code: 'INVALID_INPUT', message });
    }); // prettier-ignore

    it('a section that the newest release lacks, in Chinese too', async () => {
      const refusal = await refusedPropose({ checklist: 'application-level', key: 'precision/a' });
      expect(refusal).toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^There is no section "precision"; the release has .*inference/),
      });
      const member = await given.chineseMember(app.db, made.project.id);
      expect((await refusedPropose({ key: 'precision/tf32' }, member)).message).toBe(
        `键“precision/tf32”已分配给清单“${shipped}”的条目；键不会重复分配`,
      );
    });

    it('a checklist that is not there, or hidden, in the same words', async () => {
      const { slug } = await teamChecklist();
      for (const checklist of [slug, 'no-such-list']) {
        expect(await refusedPropose({ checklist, key: 'rig/new' })).toMatchObject({
          code: 'NOT_FOUND',
          message: `There is no checklist "${checklist}"`,
        });
      }
    });

    it('an item of the checklist, an archived one, and a closed audit', async () => {
      expect(await refusedPropose({ auditItemId: made.item('precision/tf32').id })).toMatchObject({
        code: 'INVALID_INPUT',
      });
      const other = await custom();
      await app.db.auditItem.update({ where: { id: other.customId }, data: { isArchived: true } });
      const input = { auditItemId: other.customId };
      expect(await refusedPropose(input, other.contributor)).toMatchObject({ code: 'CONFLICT' });
      await app.db.audit.update({ where: { id: other.audit.id }, data: { status: 'CLOSED' } });
      expect(await refusedPropose(input, other.maintainer)).toMatchObject({
        code: 'CONFLICT',
        message: 'This audit is closed; a maintainer can reopen it',
      });
    });
  });
});

describe('proposals', () => {
  it('are shown to members of the project and to whoever decides, and to nobody else', async () => {
    const made = await custom();
    const { id } = await propose(made);
    const seen = (who: { id: string } | null) => listed(who, { status: 'OPEN', first: 100 });
    for (const who of [made.viewer, made.contributor, editor]) expect(await seen(who)).toContain(id);
    for (const who of [made.stranger, null]) expect(await seen(who)).toEqual([]);
    expect(await listed(made.viewer, { status: 'ACCEPTED' })).toEqual([]);
    expect(await listed(made.viewer, { checklist: shipped })).toEqual([id]);
    expect(await listed(made.viewer, { checklist: 'application-level' })).toEqual([]);
    const { data } = await app.as(editor).send(LIST, { first: 100 });
    const edges: { node: { id: string; auditItem: unknown; item: unknown } }[] = data.proposals.edges;
    expect(edges.find(({ node }) => node.id === id)?.node).toMatchObject({
      auditItem: null,
      item: { title: { en: 'Router replay' } },
      proposedBy: { name: 'contributor' },
    });
  });

  it('come page by page, the newest first, in as many statements for many as for one', async () => {
    const made = await given.audit(app.db);
    const ids: string[] = [];
    for (const topic of ['one', 'two', 'three']) {
      const customId = await addTo(made.audit.id, made.contributor, { topic });
      ids.unshift((await propose({ ...made, customId })).id);
    }
    const { data } = await app.as(made.viewer).send(LIST, { first: 2 });
    expect(data.proposals).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const { endCursor } = data.proposals.pageInfo;
    expect([...(await listed(made.viewer, { first: 2 })), ...(await listed(made.viewer, { after: endCursor }))]).toEqual(ids);
    const one = await app.statementsOf(() => listed(made.viewer, { first: 1 }));
    expect(await app.statementsOf(() => listed(made.viewer, { first: 3 }))).toBe(one);
  }); // prettier-ignore

  it('for a checklist of a team are for its maintainers, not for editors of the organization', async () => {
    const team = await teamChecklist();
    const made = await custom();
    await app.db.projectMember.create({
      data: { projectId: made.project.id, userId: team.member.id, role: 'CONTRIBUTOR' },
    });
    const { id, checklist } = await propose(made, { checklist: team.slug, key: 'rig/new' }, team.member);
    expect(checklist).toEqual({ slug: team.slug });
    expect(await listed(team.maintainer)).toEqual([id]);
    expect(await listed(editor, { checklist: team.slug })).toEqual([]);
    // Members of the project see the proposal, and not the hidden checklist
    const { data } = await app.as(made.viewer).send(LIST);
    expect(data.proposals.edges[0].node).toMatchObject({
      id,
      checklist: null,
      item: { key: 'rig/new', section: { key: 'precision' }, checklist: { slug: shipped } },
    });
    const input = { id, version: 1, status: 'ACCEPTED' };
    expect(await refused(app, app.as(made.maintainer), DECIDE, input)).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Proposals for a checklist of a team are decided by its maintainers',
    });
    expect(await refused(app, app.as(editor), DECIDE, input)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(app, app.as(team.member), DECIDE, input)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await decide(id, team.maintainer)).toMatchObject({ status: 'ACCEPTED', decidedBy: { name: 'head' } });
  });

  it('for a personal checklist are for its owner, and members of the audit see the checklist', async () => {
    const made = await given.project(app.db);
    const slug = `own-${randomUUID().slice(0, 13)}`;
    await importChecklist(made.maintainer, slug);
    const opened = await app
      .as(made.maintainer)
      .send('mutation($input: OpenAuditInput!) { openAudit(input: $input) { id } }', {
        input: { projectId: made.project.id, checklist: slug },
      });
    const auditId: string = opened.data.openAudit.id;
    const customId = await addTo(auditId, made.contributor, { section: 'rig' });
    const { data, errors } = await app
      .as(made.contributor)
      .send(PROPOSE, { input: { auditItemId: customId, key: 'rig/new', why: 'W' } });
    expect(errors).toEqual([]);
    expect(data.proposeItem).toMatchObject({ checklist: { slug }, item: { section: { key: 'rig' } } });
    const { id } = data.proposeItem;
    expect(await refused(app, app.as(made.reviewer), DECIDE, { id, version: 1, status: 'ACCEPTED' })).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Proposals for a personal checklist are decided by its owner',
    });
    expect(await decide(id, made.maintainer)).toMatchObject({ status: 'ACCEPTED' });
  });
});

describe('decideProposal', () => {
  it('accepts for a shipped checklist by an editor, once, on a closed audit too', async () => {
    const made = await custom();
    const { id } = await propose(made);
    await app.db.audit.update({ where: { id: made.audit.id }, data: { status: 'CLOSED' } });
    const input = { clientMutationId: `accept-${id}`, comment: 'Good' };
    const decided = await decide(id, editor, input);
    expect(decided).toMatchObject({
      version: 2,
      status: 'ACCEPTED',
      decision: 'Good',
      decidedBy: { name: 'editor' },
      decidedAt: expect.any(String),
    });
    expect(await decide(id, editor, input)).toEqual(decided);
    expect(await refused(app, app.as(editor), DECIDE, { id, version: 2, status: 'REJECTED', comment: 'No' })).toMatchObject({
      code: 'CONFLICT',
      message: 'This proposal is ACCEPTED already',
      extensions: { current: { id, version: 2, status: 'ACCEPTED', decision: 'Good' } },
    });
    const entries = await app.db.historyEntry.findMany({ where: { subjectId: id, field: 'status' } });
    expect(entries).toEqual([
      expect.objectContaining({ viewerId: editor.id, before: 'OPEN', after: 'ACCEPTED', reason: 'Good' }),
    ]);
    expect(await app.db.auditItem.findUniqueOrThrow({ where: { id: made.customId } })).toMatchObject({ version: 1 });
  }); // prettier-ignore

  it('rejects with a comment only', async () => {
    const made = await custom();
    const { id } = await propose(made);
    const input = { id, version: 1, status: 'REJECTED' };
    for (const comment of [undefined, null, ' ']) {
      expect(await refused(app, app.as(editor), DECIDE, { ...input, comment })).toMatchObject({
        code: 'INVALID_INPUT',
        message: 'comment is empty',
      });
    }
    expect(await decide(id, editor, { status: 'REJECTED', comment: 'Known' })).toMatchObject({
      status: 'REJECTED',
      decision: 'Known',
    });
  });

  it('refuses members of the project, strangers, nobody, and another version', async () => {
    const made = await custom();
    const { id } = await propose(made);
    const refusedDecide = (who: { id: string } | null, input: object = {}) =>
      refused(app, app.as(who), DECIDE, { id, version: 1, status: 'ACCEPTED', ...input });
    for (const who of [made.viewer, made.maintainer]) {
      expect(await refusedDecide(who)).toMatchObject({
        code: 'FORBIDDEN',
        message: 'Proposals for a shipped checklist are decided by a CATALOG_EDITOR or an ADMIN',
      });
    }
    expect(await refusedDecide(made.stranger)).toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no proposal "${id}"`,
    });
    expect(await refusedDecide(null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await refusedDecide(editor, { version: 2 })).toMatchObject({
      code: 'CONFLICT',
      message: 'This proposal changed meanwhile: it is at version 1, and your change is based on 2',
    });
    const reader = await given.chineseMember(app.db, made.project.id, 'VIEWER');
    expect((await refusedDecide(reader)).message).toBe('内置清单的提案由 CATALOG_EDITOR 或 ADMIN 决定');
  });

  it('refuses whoever proposed it, but for the owner of a single-user installation', async () => {
    const made = await custom();
    const both = await app.db.user.create({ data: { name: 'both', role: 'ADMIN' } });
    const { id } = await propose(made, {}, both);
    expect(await refused(app, app.as(both), DECIDE, { id, version: 1, status: 'ACCEPTED' })).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Whoever proposed an item does not decide about it: another person does',
    });
    expect(await decide(id, editor)).toMatchObject({ status: 'ACCEPTED' });
    const other = await custom();
    const own = await propose(other, {}, { id: 'owner' });
    expect(await decide(own.id, { id: 'owner' })).toMatchObject({ status: 'ACCEPTED' });
  });
});

describe('withdrawProposal', () => {
  it('is for whoever proposed it, while it is open', async () => {
    const made = await custom();
    const { id } = await propose(made);
    const input = { id, version: 1 };
    const refusedWithdraw = (who: { id: string } | null, more: object = {}) =>
      refused(app, app.as(who), WITHDRAW, { ...input, ...more });
    for (const who of [made.maintainer, editor]) {
      expect(await refusedWithdraw(who)).toMatchObject({
        code: 'FORBIDDEN',
        message: 'A proposal is withdrawn by whoever made it; others may decide it',
      });
    }
    expect(await refusedWithdraw(made.stranger)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusedWithdraw(null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await refusedWithdraw(made.contributor, { version: 3 })).toMatchObject({ code: 'CONFLICT' });
    const { data, errors } = await app.as(made.contributor).send(WITHDRAW, { input });
    expect(errors).toEqual([]);
    expect(data.withdrawProposal).toMatchObject({
      version: 2,
      status: 'WITHDRAWN',
      decision: null,
      decidedBy: { name: 'contributor' },
    });
    expect(await refusedWithdraw(made.contributor, { version: 2 })).toMatchObject({ code: 'CONFLICT', message: 'This proposal is WITHDRAWN already' });
  }); // prettier-ignore
});
