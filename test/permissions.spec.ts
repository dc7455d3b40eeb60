import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { EvidenceStore } from '../src/platform/evidence/evidence-store.js';
import * as given from './support/given.js';
import { startApp, type Client, type TestApp } from './support/app.js';
import { refused } from './support/refused.js';

// schema.spec.ts proves that this file is the schema of the application.
const schema = buildSchema(readFileSync(join(import.meta.dirname, '../src/schema.graphql'), 'utf8'));
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const queries = Object.values(schema.getQueryType()?.getFields() ?? {});

/** Mutations that need nothing but somebody who is signed in. */
const forEverybody = ['createProject', 'importChecklist', 'markMentionsSeen'];

/** Mutations that a service token which ingests may make. */
const forIngest = ['createTrial', 'deleteColumnMapping', 'extendTrial', 'importRun', 'recomputeTrial', 'recordMeasurement', 'saveColumnMapping']; // prettier-ignore

/** What the `id` of an input is, where it is not that of an audit item. */
const idOf: Readonly<Record<string, string>> = {
  UpdateEnvironmentInput: 'environmentId',
  EditCommentInput: 'commentId',
  UpdateCustomItemInput: 'customItemId',
  ArchiveCustomItemInput: 'customItemId',
  DecideProposalInput: 'proposalId',
  WithdrawProposalInput: 'proposalId',
  RevokeServiceTokenInput: 'serviceTokenId',
  ExtendTrialInput: 'trialId',
};

/** Queries of one object that is for everybody. */
const shipped = ['checklist', 'item'];

/** Queries that say why they give nothing. */
const exports = ['auditExport', 'historyExport'];

type Field = GraphQLField<unknown, unknown>;
type Ids = Readonly<Record<string, string | readonly string[]>>;

describe('permissions', () => {
  let app: TestApp;
  let team: given.GivenAudit;
  /** Private objects that exist, by the names that inputs and queries call their ids. */
  let ids: Ids;
  let machines: Record<'ingest' | 'readOnly' | 'foreign', Client>;
  beforeAll(async () => {
    app = await startApp();
    team = await given.audit(app.db);
    const projectId = team.project.id;
    const auditItemId = team.item('precision/tf32').id;
    const member = app.as(team.contributor);
    const made = async (mutation: string, type: string, input: object): Promise<string> => {
      const { data, errors } = await member.send(
        `mutation($input: ${type}!) { made: ${mutation}(input: $input) { id } }`,
        { input },
      );
      expect(errors).toEqual([]);
      return data.made.id;
    };
    const metric = 'training.throughput';
    const trial = await made('recordMeasurement', 'RecordMeasurementInput', { auditItemId, metric, before: [1], after: [2] });
    const note = await made('publishNote', 'PublishNoteInput', { auditItemId, title: 'Note', body: 'Quixotic', locale: 'EN', outcome: 'HELPED' });
    const { runId } = await app.db.trialRun.findFirstOrThrow({ where: { trialId: trial } });
    const { id: environmentId } = await given.environment(app.db, projectId);
    const own = { audit: team.audit.id, auditItem: auditItemId, note, project: team.project.slug, run: runId, trial };
    const customItemId = await made('addCustomItem', 'AddCustomItemInput', { auditId: team.audit.id, section: 'precision', topic: 'warm-up', title: 'Warm-up', locale: 'EN' });
    const proposalId = await made('proposeItem', 'ProposeItemInput', { auditItemId: customItemId, key: 'precision/warm-up', why: 'It helps' });
    const commentId = await made('addComment', 'AddCommentInput', { auditItemId, body: 'Quick' });
    const milestone = await made('createMilestone', 'CreateMilestoneInput', { auditId: team.audit.id, name: 'Before' });
    const ingest = await given.token(app.db, team.maintainer, [projectId]);
    const readOnly = await given.token(app.db, team.maintainer, [projectId], { right: 'READ_ONLY' });
    const elsewhere = await given.project(app.db);
    const foreign = await given.token(app.db, elsewhere.maintainer, [elsewhere.project.id]);
    machines = { ingest: app.withToken(ingest.secret), readOnly: app.withToken(readOnly.secret), foreign: app.withToken(foreign.secret) };
    const sha256 = await app.nest.get(EvidenceStore).put(Buffer.from('{}'));
    const evidence = await app.db.evidence.create({ data: { projectId, sha256, fileName: 'trace.json', mediaType: 'application/json', size: 1 } });
    const attachmentId = await made('attachEvidence', 'AttachEvidenceInput', { evidenceId: evidence.id, auditItemId });
    await app.db.columnMapping.create({ data: { projectId, name: 'text', signature: 'text', columns: ['text'], mapping: {}, createdById: team.contributor.id } });
    const files = { evidence: evidence.id, evidenceId: evidence.id, attachmentId };
    const links = { projectId, auditItemId, auditId: team.audit.id, noteId: note, id: auditItemId, environmentId };
    ids = { ...own, ...links, ...files, customItemId, proposalId, commentId, milestone, serviceTokenId: ingest.id, projectIds: [projectId], beforeRunIds: [runId], afterRunIds: [runId], trialIds: [trial], trialId: trial };
  }); // prettier-ignore
  afterAll(() => app.close());

  /** The least that a type takes, with the ids of what exists wherever they fit. */
  function valid(type: GraphQLInputType, name: string): unknown {
    if (isNonNullType(type)) return valid(type.ofType, name);
    if (name in ids && !isInputObjectType(type)) return ids[name];
    if (isListType(type)) return [valid(type.ofType, name)];
    if (isEnumType(type)) return type.getValues()[0]?.name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || field.name in ids);
      const own = (field: string): string => (field === 'id' ? (idOf[type.name] ?? field) : field);
      return Object.fromEntries(fields.map((field) => [field.name, valid(field.type, own(field.name))]));
    }
    return { ID: 'id', String: 'text', Int: 1, Float: 1, Boolean: true, JSON: {}, DateTime: new Date() }[type.name];
  }

  /** The mutation as a text, and an input of its type. */
  function example({ name, args }: Field): { text: string; input: object } {
    const [arg] = args;
    if (!arg) throw new Error(`${name} has no input`);
    return {
      text: `mutation($input: ${arg.type.toString()}) { ${name}(input: $input) { __typename } }`,
      input: valid(arg.type, arg.name) as object,
    };
  }

  describe.each(mutations.map((field) => [field.name, field] as const))('for %s', (name, field) => {
    it('are refused to nobody', async () => {
      const { text, input } = example(field);
      expect(await refused(app, app.as(null), text, input)).toMatchObject({
        code: 'UNAUTHENTICATED',
        message: 'Sign in to do this',
      });
    });

    it('are refused to service tokens, but for what they are for', async () => {
      const { text, input } = example(field);
      const { ingest, readOnly, foreign } = machines;
      const hidden = forEverybody.includes(name) ? 'FORBIDDEN' : 'NOT_FOUND';
      expect(await refused(app, foreign, text, input)).toMatchObject({ code: hidden });
      expect(await refused(app, readOnly, text, input)).toMatchObject({ code: 'FORBIDDEN' });
      if (!forIngest.includes(name)) {
        expect(await refused(app, ingest, text, input)).toMatchObject({ code: 'FORBIDDEN' });
        return;
      }
      // What is taken of it then is for other specs: the right is there
      const { errorCode } = await ingest.send(text, { input });
      expect([undefined, 'INVALID_INPUT']).toContain(errorCode);
    });

    if (forEverybody.includes(name)) return;
    it('are refused to strangers as if nothing were there, and to readers', async () => {
      const { text, input } = example(field);
      expect(await refused(app, app.as(team.stranger), text, input)).toMatchObject({ code: 'NOT_FOUND' });
      expect(await refused(app, app.as(team.viewer), text, input)).toMatchObject({ code: 'FORBIDDEN' });
    });
  });

  const ofOneObject = queries.filter(
    ({ name, args }) =>
      ![...shipped, ...exports].includes(name) && args.some(({ name: arg }) => arg === 'id' || arg === 'slug'),
  );

  it.each(ofOneObject.map((field) => [field.name, field] as const))(
    'show %s to members, and not to others',
    async (name, { args: [arg] }) => {
      if (!arg) throw new Error(`${name} has no argument`);
      const text = `query($key: ${arg.type.toString()}) { found: ${name}(${arg.name}: $key) { id } }`;
      const variables = { key: ids[name] };
      expect((await app.as(team.viewer).send(text, variables)).data.found).toMatchObject({ id: expect.any(String) });
      for (const viewer of [team.stranger, null]) {
        expect(await app.as(viewer).send(text, variables)).toMatchObject({ data: { found: null }, errors: [] });
      }
      for (const machine of [machines.ingest, machines.readOnly]) {
        expect((await machine.send(text, variables)).data.found).toMatchObject({ id: expect.any(String) });
      }
      expect(await machines.foreign.send(text, variables)).toMatchObject({ data: { found: null }, errors: [] });
    },
  );

  it.each([
    ['auditExport', 'query($id: ID!) { auditExport(id: $id, format: JSON) { content } }'],
    ['historyExport', 'query($id: ID!) { historyExport(auditId: $id, format: JSON) { content } }'],
  ])('give %s to members, and nothing to others', async (name, text) => {
    const variables = { id: team.audit.id };
    expect((await app.as(team.viewer).send(text, variables)).data[name]).toMatchObject({ content: expect.any(String) });
    expect(await app.as(team.stranger).send(text, variables)).toMatchObject({ data: null, errorCode: 'NOT_FOUND' });
    expect(await app.as(null).send(text, variables)).toMatchObject({ data: null, errorCode: 'UNAUTHENTICATED' });
    expect((await machines.readOnly.send(text, variables)).data[name]).toMatchObject({ content: expect.any(String) });
    expect(await machines.foreign.send(text, variables)).toMatchObject({ data: null, errorCode: 'NOT_FOUND' });
  });

  it('show lists to members, and to others what is for everybody', async () => {
    const query = `{
      projects { totalCount }
      notes { edges { node { id } } }
      search(query: "quixotic") { totalCount facets { field values { value count } } edges { node { id } } }
    }`;
    const seen = async (client: Client) => {
      const { data, errors } = await client.send(query);
      expect(errors).toEqual([]);
      return {
        projects: data.projects.totalCount,
        notes: data.notes.edges.map(({ node }: { node: { id: string } }) => node.id),
        hits: data.search.totalCount,
        facets: data.search.facets.flatMap(({ values }: { values: unknown[] }) => values),
      };
    };
    const member = await seen(app.as(team.viewer));
    expect(member).toMatchObject({ projects: 1, hits: 1 });
    expect(member.notes).toContain(ids['note']);
    expect(await seen(machines.readOnly)).toEqual(member);
    const others = [app.as(team.stranger), app.as(null), machines.foreign];
    for (const [index, client] of others.entries()) {
      const other = await seen(client);
      expect(other).toMatchObject({ projects: index === 2 ? 1 : 0, hits: 0, facets: [] });
      expect(other.notes).not.toContain(ids['note']);
    }
  });

  const item = 'item(checklist: "ai-systems-performance", key: "precision/tf32")';
  it.each([
    ['an item is asked about', 'NOT_FOUND', `${item} { applicability(environmentId: $environmentId) { answer } }`],
    ['a checklist is asked about', 'NOT_FOUND', 'applicability(checklist: "ai-systems-performance", environmentId: $environmentId) { counts { yes } }'],
    ['would change', 'UNAUTHENTICATED', 'previewEnvironmentChange(input: { id: $environmentId, version: 1, name: "Other" }) { auditCount }'],
    ['an audit would move to', 'UNAUTHENTICATED', 'previewAuditEnvironment(auditId: $auditId, environmentId: $environmentId) { auditCount }'],
    ['an audit would leave', 'UNAUTHENTICATED', 'previewAuditEnvironment(auditId: $auditId) { auditCount }'],
  ])('hide the environment that %s', async (_, codeForNobody, field) => {
    const declared = ['environmentId', 'auditId'].filter((name) => field.includes(`$${name}`));
    const query = `query(${declared.map((name) => `$${name}: ID!`).join(' ')}) { ${field} }`;
    const variables = Object.fromEntries(declared.map((name) => [name, ids[name]]));
    const unknown = Object.fromEntries(declared.map((name) => [name, 'no-such-id']));
    const ask = async (viewer: { id: string } | null, of: object = variables) =>
      (await app.as(viewer).send(query, { ...of })).errorCode;
    expect(await ask(team.viewer)).toBeUndefined();
    expect([await ask(team.stranger), await ask(null)]).toEqual(['NOT_FOUND', codeForNobody]);
    expect([await ask(team.stranger, unknown), await ask(null, unknown)]).toEqual(['NOT_FOUND', codeForNobody]);
  }); // prettier-ignore

  it('are found out again for every request', async () => {
    const query = 'query($id: ID!) { audit(id: $id) { id } }';
    const someone = await given.user(app.db);
    const ask = async () => (await app.as(someone).send(query, { id: team.audit.id })).data.audit;
    expect(await ask()).toBeNull();
    const member = { projectId: team.project.id, userId: someone.id };
    await app.db.projectMember.create({ data: { ...member, role: 'VIEWER' } });
    expect(await ask()).toEqual({ id: team.audit.id });
    await app.db.projectMember.delete({ where: { projectId_userId: member } });
    expect(await ask()).toBeNull();
  });

  it('take a role in the project before one by the team', async () => {
    const someone = await given.user(app.db);
    const { project } = await given.project(app.db);
    const members = { create: { userId: someone.id, role: 'MAINTAINER' as const } };
    const { id: teamId } = await app.db.team.create({ data: { slug: project.slug, name: 'Team', members } });
    await app.db.project.update({ where: { id: project.id }, data: { teamId } });
    const rights = async (): Promise<string[]> => {
      const query = 'query($slug: String!) { project(slug: $slug) { viewerCan } }';
      return (await app.as(someone).send(query, { slug: project.slug })).data.project.viewerCan;
    };
    expect(await rights()).toContain('MANAGE_PROJECT');
    await app.db.projectMember.create({ data: { projectId: project.id, userId: someone.id, role: 'VIEWER' } });
    expect(await rights()).toEqual(['READ_PROJECT']);
  });
});
