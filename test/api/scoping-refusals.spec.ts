import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { open, ownAudit, type OwnAudit } from '../support/own-audit.js';
import { refused } from '../support/refused.js';

const UPDATE = 'mutation($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { auditCount } }';
const PREVIEW = 'query($input: UpdateEnvironmentInput!) { previewEnvironmentChange(input: $input) { auditCount } }';
const SET = 'mutation($input: SetAuditEnvironmentInput!) { setAuditEnvironment(input: $input) { auditCount } }';
const PREVIEW_SET = `query($auditId: ID!, $environmentId: ID) {
  previewAuditEnvironment(auditId: $auditId, environmentId: $environmentId) { auditCount }
}`;

const phases = 'training, inference, prefill, decode, data';
const keys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

let app: TestApp;
let made: OwnAudit;
beforeAll(async () => {
  app = await startApp();
  made = await ownAudit(app, [{ key: 'any' }], { hardware: 'h200-sxm', facts: { torch: '2.7.1' } });
});
afterAll(() => app.close());

/** Everything that a change of the environment could touch. */
async function stored() {
  return [
    await app.db.environment.findUniqueOrThrow({ where: { id: made.environment.id } }),
    await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId }, include: { items: true } }),
  ];
}

describe('updateEnvironment', () => {
  const refusedUpdate = async (input: object, who: { id: string } | null = made.maintainer) => {
    const before = await stored();
    const refusal = await refused(app, app.as(who), UPDATE, { id: made.environment.id, version: 1, ...input });
    expect(await stored()).toEqual(before);
    return refusal;
  };

  it('refuses members without the right, strangers and nobody', async () => {
    for (const member of [made.viewer, made.contributor, made.reviewer]) {
      expect(await refusedUpdate({ name: 'x' }, member)).toMatchObject({
        code: 'FORBIDDEN',
        message: 'This needs the right MANAGE_PROJECT in the project',
      });
    }
    expect(await refusedUpdate({ name: 'x' }, made.stranger)).toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no environment "${made.environment.id}" in this project`,
    });
    expect(await refusedUpdate({ name: 'x' }, null)).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'Sign in to do this',
    });
    expect(await refusedUpdate({ id: 'nope', name: 'x' })).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no environment "nope" in this project',
    });
  });

  it.each([
    ['an empty name', { name: ' ' }, 'name is empty'],
    ['a name that is null', { name: null }, 'name is empty'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name has 201 characters; at most 200 are kept'],
    ['unknown hardware', { hardware: 'H100' }, 'There is no hardware profile "H100" (did you mean h100-sxm, h100-pcie, h100-nvl?)'],
    ['facts that are a list', { facts: [1] }, 'facts must be an object'],
    ['changes that are a text', { factChanges: 'torch' }, 'factChanges must be an object'],
    ['a key that is no path', { factChanges: { 'GPU count': 8 } }, 'factChanges.GPU count is not a path'],
    ['one key twice', { factChanges: { gpu: { count: 1 }, 'gpu.count': 2 } }, 'factChanges.gpu.count is given twice with different values'],
    ['an unknown word in the facts', { facts: { workload: { phase: 'trainig' } } }, `facts.workload.phase "trainig" is none of ${phases}; did you mean training?`],
    ['an unknown word in the changes', { factChanges: { 'workload.phase': ['decode', 'prefil'] } }, `factChanges.workload.phase "prefil" is none of ${phases}; did you mean prefill?`],
    ['a word that is like none', { factChanges: { 'workload.phase': 'xyzzy' } }, `factChanges.workload.phase "xyzzy" is none of ${phases}`],
    ['more facts than are kept', { factChanges: keys(500) }, 'facts.k499 is one of more than 500 keys'],
    ['U+0000 in a fact', { factChanges: { torch: '\0' } }, '$input.factChanges.torch contains U+0000, which cannot be stored'],
    ['a clientMutationId of 201 characters', { clientMutationId: 'x'.repeat(201) }, 'clientMutationId needs 1 to 200 characters, and has 201'],
  ])('refuses %s, as its preview does', async (title, input, message) => {
    const expected = { code: 'INVALID_INPUT', message: expect.stringContaining(message) };
    expect(await refusedUpdate(input)).toMatchObject(expected);
    // A preview writes nothing that could be repeated.
    if (title.includes('clientMutationId')) return;
    const asked = { id: made.environment.id, version: 1, ...input };
    expect(await refused(app, app.as(made.maintainer), PREVIEW, asked)).toMatchObject(expected);
  }); // prettier-ignore

  it('refuses the name of another environment of the project', async () => {
    await given.environment(app.db, made.project.id, { name: 'taken' });
    expect(await refusedUpdate({ name: ' taken ' })).toMatchObject({
      code: 'CONFLICT',
      message: 'The project has an environment "taken" already',
      extensions: { current: { name: 'taken' } },
    });
  });

  it('refuses a change that is based on another version, and says what is there now', async () => {
    const other = await given.environment(app.db, made.project.id, { hardware: 'mi300x', facts: { rocm: '7.0' } });
    const { errors } = await app
      .as(made.maintainer)
      .send(UPDATE, { input: { id: other.id, version: 1, name: 'Newer' } });
    expect(errors).toEqual([]);
    for (const version of [1, 3, 0]) {
      expect(await refusedUpdate({ id: other.id, version, name: 'Stale' })).toMatchObject({
        code: 'CONFLICT',
        message: `This environment changed meanwhile: it is at version 2, and your change is based on ${version}`,
        extensions: {
          current: { id: other.id, version: 2, name: 'Newer', hardware: 'mi300x', facts: { rocm: '7.0' } },
        },
      });
    }
  });

  it('speaks Chinese to whoever reads Chinese', async () => {
    const member = await given.chineseMember(app.db, made.project.id, 'MAINTAINER');
    const reader = await given.chineseMember(app.db, made.project.id, 'VIEWER');
    const said = async (input: object, who = member) => (await refusedUpdate(input, who)).message;
    expect(await said({ name: '' })).toBe('name 为空');
    expect(await said({ name: 'x' }, reader)).toBe('此操作需要项目权限 MANAGE_PROJECT');
    expect(await said({ id: 'nope' })).toBe('该项目中没有环境“nope”');
    expect(await said({ version: 7 })).toBe('该环境已被修改：当前版本为 1，而本次修改基于 7');
    await given.environment(app.db, made.project.id, { name: '占用' });
    expect(await said({ name: '占用' })).toBe('该项目已有名为“占用”的环境');
    expect(await said({ factChanges: { 'workload.phase': 'trainig' } })).toBe(
      'factChanges.workload.phase 的取值“trainig”不在 training、inference、prefill、decode、data 之列，是否指 training？',
    );
  });
});

describe('setAuditEnvironment', () => {
  const refusedSet = async (input: object, who: { id: string } | null = made.contributor) => {
    const before = await stored();
    const refusal = await refused(app, app.as(who), SET, { auditId: made.auditId, version: 1, ...input });
    expect(await stored()).toEqual(before);
    return refusal;
  };
  const previewed = async (variables: object, who: { id: string } | null = made.viewer) => {
    const { errors, errorCode } = await app.as(who).send(PREVIEW_SET, { auditId: made.auditId, ...variables });
    return { code: errorCode, message: errors[0]?.message };
  };

  it('refuses members without the right, strangers and nobody', async () => {
    expect(await refusedSet({ environmentId: null }, made.viewer)).toMatchObject({
      code: 'FORBIDDEN',
      message: 'This needs the right WRITE_AUDITS in the project',
    });
    const hidden = { code: 'NOT_FOUND', message: `There is no audit "${made.auditId}"` };
    expect(await refusedSet({ environmentId: null }, made.stranger)).toMatchObject(hidden);
    expect(await previewed({}, made.stranger)).toEqual(hidden);
    const nobody = { code: 'UNAUTHENTICATED', message: 'Sign in to do this' };
    expect(await refusedSet({ environmentId: null }, null)).toMatchObject(nobody);
    expect(await previewed({}, null)).toEqual(nobody);
    expect(await previewed({})).toEqual({ code: undefined, message: undefined });
  });

  it('refuses an environment of another project, and what does not exist', async () => {
    const other = await given.project(app.db);
    const foreign = await given.environment(app.db, other.project.id);
    for (const id of [foreign.id, '', 'nope']) {
      const expected = { code: 'NOT_FOUND', message: `There is no environment "${id}" in this project` };
      expect(await refusedSet({ environmentId: id })).toMatchObject(expected);
      expect(await previewed({ environmentId: id })).toEqual(expected);
    }
    expect(await refusedSet({ auditId: 'nope', environmentId: null })).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no audit "nope"',
    });
  });

  it('refuses a change that is based on another version, and says what is there now', async () => {
    for (const environmentId of [null, made.environment.id]) {
      expect(await refusedSet({ environmentId, version: 2 })).toMatchObject({
        code: 'CONFLICT',
        message: 'This audit changed meanwhile: it is at version 1, and your change is based on 2',
        extensions: { current: { id: made.auditId, version: 1, environmentId: made.environment.id } },
      });
    }
  });

  it('refuses a closed audit, for which the preview has nothing to say', async () => {
    const closed = await open(app, made, made.checklist);
    await app.db.audit.update({ where: { id: closed }, data: { status: 'CLOSED' } });
    expect(await refusedSet({ auditId: closed, environmentId: null })).toMatchObject({
      code: 'CONFLICT',
      message: 'This audit is closed; a maintainer can reopen it',
      extensions: { current: { id: closed, status: 'CLOSED' } },
    });
    const { data } = await app.as(made.viewer).send(PREVIEW_SET, { auditId: closed, environmentId: null });
    expect(data.previewAuditEnvironment).toEqual({ auditCount: 0 });
  });

  it('speaks Chinese to whoever reads Chinese', async () => {
    const member = await given.chineseMember(app.db, made.project.id);
    const said = async (input: object) => (await refusedSet({ environmentId: null, ...input }, member)).message;
    expect(await said({ version: 2 })).toBe('该审计已被修改：当前版本为 1，而本次修改基于 2');
    expect(await said({ environmentId: 'x' })).toBe('该项目中没有环境“x”');
    expect(await said({ auditId: 'x' })).toBe('没有审计“x”');
    const closed = await open(app, made, made.checklist);
    await app.db.audit.update({ where: { id: closed }, data: { status: 'CLOSED' } });
    expect(await said({ auditId: closed })).toBe('该审计已关闭，可由维护者重新打开');
  });
});
