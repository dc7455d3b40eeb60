import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type Client, type TestApp } from '../support/app.js';
import { refused as refusedBy } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const CREATE_PROJECT = `mutation($input: CreateProjectInput!) {
  createProject(input: $input) {
    id slug name description viewerCan
    environments { id name hardware { slug vendor } facts }
    audits { totalCount } runs { totalCount }
  }
}`;
const CREATE_ENVIRONMENT = `mutation($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) { id name hardware { slug } facts }
}`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

let number = 0;
const newSlug = (): string => `spec-${(number += 1)}`;

const refused = (client: Client, mutation: string, input: object) => refusedBy(app, client, mutation, input);

describe('createProject', () => {
  it('makes a project whose maintainer is whoever asked', async () => {
    const somebody = await given.user(app.db);
    const slug = newSlug();
    const { data, errors } = await app.as(somebody).send(CREATE_PROJECT, {
      input: { slug, name: '  Llama serving ', description: 'Chat, 4k context', hardware: 'h100-sxm', facts: { gpu: { count: 8 }, 'env.NCCL_ALGO': 'Ring' } },
    }); // prettier-ignore
    expect(errors).toEqual([]);
    expect(data.createProject).toMatchObject({
      slug,
      name: 'Llama serving',
      description: 'Chat, 4k context',
      viewerCan: [
        'READ_PROJECT',
        'WRITE_AUDITS',
        'WRITE_MEASUREMENTS',
        'WRITE_NOTES',
        'REVIEW_AUDITS',
        'MANAGE_PROJECT',
      ],
      environments: [
        {
          name: 'default',
          hardware: { slug: 'h100-sxm', vendor: 'nvidia' },
          facts: { 'gpu.count': 8, 'env.NCCL_ALGO': 'Ring' },
        },
      ],
      audits: { totalCount: 0 },
      runs: { totalCount: 0 },
    });
    const history = await app.db.historyEntry.findMany({
      where: { projectId: data.createProject.id },
      orderBy: { id: 'asc' },
    });
    expect(history).toMatchObject([
      { subject: 'project', field: 'created', viewerId: somebody.id, after: { slug, name: 'Llama serving' } },
      { subject: 'environment', field: 'created', viewerId: somebody.id, after: { name: 'default' } },
    ]);
    const found = await app.as(somebody).send('query($slug: String!) { project(slug: $slug) { id } }', { slug });
    expect(found.data.project.id).toBe(data.createProject.id);
  });

  it('makes no environment without hardware and facts', async () => {
    const { data } = await app.owner.send(CREATE_PROJECT, { input: { slug: newSlug(), name: 'Bare' } });
    expect(data.createProject).toMatchObject({ description: null, environments: [] });
  });

  it('keeps secrets, hosts and addresses out of the facts', async () => {
    const facts = {
      host: { name: 'node-17' },
      env: { HF_TOKEN: 'hf_abcdefghijklmnopqrst', MASTER_ADDR: '10.1.2.3', NCCL_DEBUG: 'INFO' },
    };
    const { data } = await app.owner.send(CREATE_PROJECT, { input: { slug: newSlug(), name: 'Secrets', facts } });
    expect(data.createProject.environments).toMatchObject([{ facts: { 'env.NCCL_DEBUG': 'INFO' } }]);
    expect(JSON.stringify(data)).not.toMatch(/node-17|hf_abc|10\.1\.2\.3/);
  });

  it('takes a capability that the hardware leaves open', async () => {
    const { data, errors } = await app.owner.send(CREATE_PROJECT, {
      input: { slug: newSlug(), name: 'Cooled', hardware: 'h100-sxm', facts: { 'capability.liquid-cooling': true } },
    });
    expect(errors).toEqual([]);
    expect(data.createProject.environments[0].facts).toEqual({ 'capability.liquid-cooling': true });
  });

  it('refuses nobody', async () => {
    expect(await refused(app.as(null), CREATE_PROJECT, { slug: newSlug(), name: 'Nobody' })).toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it.each([
    ['an empty slug', { slug: '' }, 'slug "" needs 1 to 64 lower-case letters'],
    ['upper case in the slug', { slug: 'Llama' }, 'slug "Llama" needs'],
    ['two hyphens in the slug', { slug: 'a--b' }, 'slug "a--b" needs'],
    ['a Chinese slug', { slug: '训练' }, 'slug "训练" needs'],
    ['a slug of 65 characters', { slug: 'a'.repeat(65) }, 'needs 1 to 64'],
    ['an empty name', { name: '' }, 'name is empty'],
    ['a blank name', { name: ' \t' }, 'name is empty'],
    ['a name of 300 characters', { name: 'x'.repeat(300) }, 'name has 300 characters; at most 200 are kept'],
    ['U+0000 in the name', { name: 'a\0b' }, '$input.name contains U+0000'],
    ['half a surrogate pair in the name', { name: '\udfff' }, '$input.name contains half of a surrogate pair'],
    ['a long description', { description: 'x'.repeat(100_001) }, 'description has 100001 characters'],
    ['an unknown hardware profile', { hardware: 'h900' }, 'There is no hardware profile "h900"'],
    ['an empty hardware profile', { hardware: '' }, 'There is no hardware profile ""'],
    ['an empty clientMutationId', { clientMutationId: '' }, 'clientMutationId needs 1 to 200 characters, and has 0'],
    ['a field that there is not', { nmae: 'x' }, 'Field "nmae" is not defined'],
  ])('refuses %s', async (_, input, message) => {
    expect(await refused(app.owner, CREATE_PROJECT, { slug: newSlug(), name: 'Name', ...input })).toEqual({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
      extensions: expect.anything(),
    });
  });

  it('refuses a slug that is taken, without telling of whom', async () => {
    const team = await given.project(app.db);
    const { slug } = team.project;
    expect(await refused(app.as(team.stranger), CREATE_PROJECT, { slug, name: 'Mine' })).toMatchObject({
      code: 'CONFLICT',
      message: `The slug "${slug}" is taken by another project`,
      extensions: { current: { slug } },
    });
  });

  it('answers a repeated request with the same project, and refuses its id for another', async () => {
    const input = { slug: newSlug(), name: 'Twice', facts: { a: 1 }, clientMutationId: `project-${number}` };
    const first = await app.owner.send(CREATE_PROJECT, { input });
    const before = await rowsOf(app.db);
    const second = await app.owner.send(CREATE_PROJECT, { input });
    expect(second.data).toEqual(first.data);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await refused(app.owner, CREATE_PROJECT, { ...input, name: 'Other' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: `clientMutationId "${input.clientMutationId}" was used for another request`,
    });
  });

  it('makes one project of five equal requests at once', async () => {
    const input = { slug: newSlug(), name: 'At once', hardware: 'l4', clientMutationId: `at-once-${number}` };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => app.owner.send(CREATE_PROJECT, { input })));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(new Set(answers.map(({ data }) => data.createProject.id)).size).toBe(1);
    expect(await app.db.project.count({ where: { slug: input.slug } })).toBe(1);
  });

  it('gives a slug to one of five who want it at once', async () => {
    const input = { slug: newSlug(), name: 'Wanted' };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => app.owner.send(CREATE_PROJECT, { input })));
    expect(answers.map(({ errorCode }) => errorCode).sort()).toEqual([...Array(4).fill('CONFLICT'), undefined]);
  });
});

describe('projects', () => {
  const PROJECTS = `query($first: Int, $after: String) {
    projects(first: $first, after: $after) {
      totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { cursor node { slug environments { name hardware { slug } } audits { totalCount edges { node { title status progress { total } } } } } }
    }
  }`;
  let member: { id: string };
  const slugs: string[] = [];

  async function addProject(): Promise<void> {
    const { audit, project } = await given.audit(app.db, { hardware: 'h100-sxm' });
    await app.db.projectMember.create({ data: { projectId: project.id, userId: member.id, role: 'VIEWER' } });
    await app.db.audit.update({ where: { id: audit.id }, data: { title: `Audit of ${project.slug}` } });
    slugs.unshift(project.slug);
  }
  beforeAll(async () => {
    member = await given.user(app.db);
    for (let count = 0; count < 3; count += 1) await addProject();
  });

  it('lists those of the viewer, newest first, in pages without gaps', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 3; page += 1) {
      const { data, errors } = await app.as(member).send(PROJECTS, { first: 1, after });
      expect(errors).toEqual([]);
      const { edges, pageInfo, totalCount } = data.projects;
      expect(totalCount).toBe(3);
      expect(pageInfo).toEqual({
        hasNextPage: page < 2,
        hasPreviousPage: page > 0,
        startCursor: edges[0].cursor,
        endCursor: edges[0].cursor,
      });
      seen.push(edges[0].node.slug);
      after = pageInfo.endCursor;
    }
    expect(seen).toEqual(slugs);
    const { data } = await app.as(member).send(PROJECTS, {});
    expect(data.projects.edges[0].node).toMatchObject({
      environments: [{ name: 'default', hardware: { slug: 'h100-sxm' } }],
      audits: { totalCount: 1, edges: [{ node: { title: `Audit of ${slugs[0]}`, status: 'OPEN' } }] },
    });
  });

  it('shows nothing to strangers and to nobody, and all to the owner', async () => {
    const stranger = await given.user(app.db);
    for (const client of [app.as(stranger), app.as(null)]) {
      expect((await client.send(PROJECTS, {})).data.projects).toMatchObject({ totalCount: 0, edges: [] });
      const one = await client.send('query($slug: String!) { project(slug: $slug) { id } }', { slug: slugs[0] });
      expect(one).toMatchObject({ data: { project: null }, errors: [] });
    }
    const { data } = await app.owner.send(PROJECTS, { first: 100 });
    expect(data.projects.totalCount).toBe(await app.db.project.count());
  });

  it.each([
    [{ first: 0 }, 'first must be 1 to 100, and is 0'],
    [{ first: -1 }, 'first must be 1 to 100, and is -1'],
    [{ first: 101 }, 'first must be 1 to 100, and is 101'],
    [{ first: 2_147_483_648 }, 'Int cannot represent non 32-bit signed integer value'],
    [{ after: '' }, '"" is not a cursor of this list'],
    [{ after: 'garbage' }, '"garbage" is not a cursor of this list'],
  ])('refuses the page %j', async (page, message) => {
    const { errorCode, errors } = await app.as(member).send(PROJECTS, page);
    expect([errorCode, errors[0]?.message]).toEqual(['INVALID_INPUT', expect.stringContaining(message)]);
  });

  it('takes as many statements for many projects as for few', async () => {
    const list = () => app.as(member).send(PROJECTS, { first: 50 });
    const few = await app.statementsOf(list);
    for (let count = 0; count < 4; count += 1) await addProject();
    expect(await app.statementsOf(list)).toBe(few);
    expect(few).toBeLessThanOrEqual(10);
  });

  it('comes to members of the team that owns a project, with their role there', async () => {
    const { project, stranger } = await given.project(app.db);
    const owners = await app.db.team.create({
      data: { slug: project.slug, name: 'Owners', members: { create: { userId: stranger.id, role: 'CONTRIBUTOR' } } },
    });
    await app.db.project.update({ where: { id: project.id }, data: { teamId: owners.id } });
    const { data } = await app.as(stranger).send('query($slug: String!) { project(slug: $slug) { viewerCan } }', {
      slug: project.slug,
    });
    expect(data.project.viewerCan).toEqual(['READ_PROJECT', 'WRITE_AUDITS', 'WRITE_MEASUREMENTS', 'WRITE_NOTES']);
    const environment = { projectId: project.id, name: 'Not mine' };
    expect(await refused(app.as(stranger), CREATE_ENVIRONMENT, environment)).toMatchObject({ code: 'FORBIDDEN' });
  });
});
