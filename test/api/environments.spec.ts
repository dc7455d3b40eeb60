import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type Client, type TestApp } from '../support/app.js';
import { refused as refusedBy } from '../support/refused.js';

const CREATE_PROJECT = `mutation($input: CreateProjectInput!) { createProject(input: $input) { id } }`;
const CREATE_ENVIRONMENT = `mutation($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) { id name hardware { slug } facts }
}`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const refused = (client: Client, mutation: string, input: object) => refusedBy(app, client, mutation, input);

const nested = (levels: number): object => {
  let value: object = { a: 1 };
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
};
const keys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

/** Facts that neither mutation takes, and what it says about them. */
const badFacts: [string, unknown, string | RegExp][] = [
  ['an array', [1, 2], 'facts must be an object'],
  ['a number', 5, 'facts must be an object'],
  ['a text', 'H100', 'facts must be an object'],
  ['40 levels', nested(40), /^\$input\.facts(\.a)+ is nested deeper than 32 levels$/],
  ['9 levels', nested(9), 'facts.a.a.a.a.a.a.a.a.a is nested more than 8 deep'],
  ['10,000 keys', keys(10_000), 'facts.k500 is one of more than 500 keys'],
  ['a list in a list', { a: [[1]] }, /^facts\.a must be a text, a finite number/],
  ['a long text', { a: 'x'.repeat(4_001) }, 'facts.a is longer than 4000 characters'],
  ['a key that is no path', { 'GPU count': 8 }, /^facts\.GPU count is not a path/],
  ['one key twice', { gpu: { count: 1 }, 'gpu.count': 2 }, 'facts.gpu.count is given twice with different values'],
  ['U+0000 in a value', { a: ['x\0'] }, '$input.facts.a[0] contains U+0000, which cannot be stored'],
  ['U+0000 in a key', { 'a\0': 1 }, 'a key of $input.facts contains U+0000, which cannot be stored'],
  ['half a surrogate pair', { a: { b: '\ud800' } }, /^\$input\.facts\.a\.b contains half of a surrogate pair/],
  ['half a surrogate pair in a key', { '\udc00': 1 }, /^a key of \$input\.facts contains half of a surrogate pair/],
];

describe('createEnvironment', () => {
  let team: given.Team;
  let projectId: string;
  beforeAll(async () => {
    team = await given.project(app.db);
    projectId = team.project.id;
  });

  it('adds an environment with its hardware and facts', async () => {
    const { data, errors } = await app.as(team.maintainer).send(CREATE_ENVIRONMENT, {
      input: { projectId, name: 'Cluster B', hardware: 'mi300x', facts: { rocm: '7.0', 'gpu.mig': null } },
    });
    expect(errors).toEqual([]);
    expect(data.createEnvironment).toMatchObject({
      name: 'Cluster B',
      hardware: { slug: 'mi300x' },
      facts: { rocm: '7.0', 'gpu.mig': null },
    });
    const bare = await app.as(team.maintainer).send(CREATE_ENVIRONMENT, { input: { projectId, name: 'Bare' } });
    expect(bare.data.createEnvironment).toMatchObject({ name: 'Bare', hardware: null, facts: {} });
    const history = await app.db.historyEntry.findMany({ where: { subjectId: data.createEnvironment.id } });
    expect(history).toMatchObject([
      { projectId, subject: 'environment', field: 'created', viewerId: team.maintainer.id },
    ]);
  });

  it('names the keys that no rule uses', async () => {
    const facts = {
      nodes: 2,
      gpu: { vendor: 'amd', sku: 'MI300X' },
      'nodes.count': 2,
      env: { NCCL_ALGO: 'Ring' },
      'capability.nvlink': false,
      'capability.nvlnk': true,
      capabilities: ['ecc'],
    };
    const { data, errors } = await app
      .as(team.maintainer)
      .send(CREATE_ENVIRONMENT.replace('facts }', 'facts unknownKeys }'), {
        input: { projectId, name: 'Typed by hand', facts },
      });
    expect(errors).toEqual([]);
    expect(data.createEnvironment.unknownKeys).toEqual(['capability.nvlnk', 'gpu.vendor', 'nodes']);
    expect(data.createEnvironment.facts).toMatchObject({ nodes: 2, 'gpu.vendor': 'amd' });
  });

  it('refuses members without the right, strangers and nobody', async () => {
    const input = { projectId, name: 'Refused' };
    for (const member of [team.viewer, team.contributor, team.reviewer]) {
      expect(await refused(app.as(member), CREATE_ENVIRONMENT, input)).toMatchObject({
        code: 'FORBIDDEN',
        message: 'This needs the right MANAGE_PROJECT in the project',
      });
    }
    expect(await refused(app.as(team.stranger), CREATE_ENVIRONMENT, input)).toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no project "${projectId}"`,
    });
    expect(await refused(app.as(null), CREATE_ENVIRONMENT, input)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it.each([
    ['an empty name', { name: '' }, 'name is empty'],
    ['a name of 300 characters', { name: 'x'.repeat(300) }, 'name has 300 characters; at most 200 are kept'],
    [
      'an unknown hardware profile',
      { hardware: 'H100' },
      'There is no hardware profile "H100" (did you mean h100-sxm, h100-pcie, h100-nvl?)',
    ],
    ['U+0000 in the hardware', { hardware: '\0' }, '$input.hardware contains U+0000'],
    ['a clientMutationId of 201 characters', { clientMutationId: 'x'.repeat(201) }, 'and has 201'],
  ])('refuses %s', async (_, input, message) => {
    const answer = await refused(app.as(team.maintainer), CREATE_ENVIRONMENT, { projectId, name: 'Name', ...input });
    expect(answer).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });
  });

  it('refuses a name that the project has already, and an unknown project', async () => {
    await given.environment(app.db, projectId, { name: 'taken' });
    expect(await refused(app.as(team.maintainer), CREATE_ENVIRONMENT, { projectId, name: ' taken' })).toMatchObject({
      code: 'CONFLICT',
      message: 'The project has an environment "taken" already',
      extensions: { current: { name: 'taken' } },
    });
    for (const id of ['', 'no-such-project', '00000000-0000-7000-8000-000000000000']) {
      expect(await refused(app.owner, CREATE_ENVIRONMENT, { projectId: id, name: 'Name' })).toMatchObject({
        code: 'NOT_FOUND',
        message: `There is no project "${id}"`,
      });
    }
  });

  it('makes one environment of five equal requests at once, and refuses their id for another', async () => {
    const input = { projectId, name: 'At once', clientMutationId: 'environment-at-once' };
    const client = app.as(team.maintainer);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => client.send(CREATE_ENVIRONMENT, { input })));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(new Set(answers.map(({ data }) => data.createEnvironment.id)).size).toBe(1);
    expect(await app.db.environment.count({ where: { projectId, name: 'At once' } })).toBe(1);
    expect(await refused(client, CREATE_ENVIRONMENT, { ...input, name: 'Other' })).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('speaks Chinese to whoever reads Chinese', async () => {
    const member = await given.chineseMember(app.db, projectId, 'MAINTAINER');
    const said = async (input: object) => (await refused(app.as(member), CREATE_ENVIRONMENT, input)).message;
    expect(await said({ projectId, name: '' })).toBe('name 为空');
    expect(await said({ projectId: 'x', name: 'a' })).toBe('没有项目“x”');
    expect(await said({ projectId, name: 'a', facts: 1 })).toBe('facts 必须是对象');
    expect(await said({ projectId, name: 'a', hardware: 'MI300' })).toBe(
      '没有硬件配置“MI300”（是否指 mi300x、mi300a、mi350x？）；查询 hardwareProfiles 可列出全部',
    );
    expect(await said({ projectId, name: 'a\0' })).toBe('$input.name 含有无法存储的字符：U+0000');
  });
});

describe('the facts of an environment', () => {
  it.each(badFacts)('may not be %s', async (_, facts, message) => {
    const { project, maintainer } = await given.project(app.db);
    const client = app.as(maintainer);
    const expected = {
      code: 'INVALID_INPUT',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    };
    const input = { name: 'Name', facts };
    expect(await refused(client, CREATE_PROJECT, { ...input, slug: 'facts' })).toMatchObject(expected);
    expect(await refused(client, CREATE_ENVIRONMENT, { ...input, projectId: project.id })).toMatchObject(expected);
  });
});
