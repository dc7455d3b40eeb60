import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type Client, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { labFile } from '../support/lab-file.js';
import { refused } from '../support/refused.js';
import { added, rowsOf, textOfRows } from '../support/rows.js';

const CREATE = `mutation($input: CreateServiceTokenInput!) {
  createServiceToken(input: $input) {
    token
    serviceToken { id name prefix right expiresAt lastUsedAt revokedAt projects { slug } createdBy { name isMachine } }
  }
}`;
const REVOKE = `mutation($input: RevokeServiceTokenInput!) {
  revokeServiceToken(input: $input) { id revokedAt }
}`;
const LIST = `query($slug: String!, $first: Int, $after: String) {
  project(slug: $slug) {
    serviceTokens(first: $first, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { id projects { slug } } }
    }
  }
}`;
const IMPORT = `mutation($input: ImportRunInput!) {
  importRun(input: $input) { runs { id isNew source createdBy { name isMachine } } }
}`;
const WHO = '{ viewer { id name isMachine } }';
const WRONG = 'The token is neither a service token nor the secret of this data folder';

let app: TestApp;
let team: given.GivenAudit;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  team = await given.audit(app.db);
});
afterAll(() => app.close());

const DAY_MS = 86_400_000;
const input = (change: object = {}) => ({ name: 'nightly', projectIds: [team.project.id], right: 'INGEST', ...change });

async function created(client: Client, change: object = {}) {
  const { data, errors } = await client.send(CREATE, { input: input(change) });
  expect(errors).toEqual([]);
  return data.createServiceToken;
}

/** What somebody who shows this is told. */
async function told(secret: string): Promise<[string | undefined, string | undefined]> {
  const { errorCode, errors } = await app.withToken(secret).send(WHO);
  return [errorCode, errors[0]?.message];
}

const history = (projectId: string) =>
  app.db.historyEntry.findMany({ where: { projectId, subject: 'serviceToken' }, orderBy: { id: 'asc' } });

describe('createServiceToken', () => {
  it('makes a token of a project and a right, whose secret makes a machine of its own', async () => {
    const before = Date.now();
    const { token, serviceToken } = await created(app.as(team.maintainer));
    expect(token).toMatch(/^tb_[0-9a-f]{10}_[A-Za-z0-9_-]{43}$/);
    expect(serviceToken).toEqual({
      id: expect.any(String),
      name: 'nightly',
      prefix: token.slice(0, 13),
      right: 'INGEST',
      expiresAt: expect.any(String),
      lastUsedAt: null,
      revokedAt: null,
      projects: [{ slug: team.project.slug }],
      createdBy: { name: 'maintainer', isMachine: false },
    });
    const days = (Date.parse(serviceToken.expiresAt) - before) / DAY_MS;
    expect(Math.round(days)).toBe(90);
    const row = await app.db.serviceToken.findUniqueOrThrow({ where: { id: serviceToken.id } });
    expect((await app.withToken(token).send(WHO)).data.viewer).toEqual({
      id: row.userId,
      name: 'nightly',
      isMachine: true,
    });
  });

  it('keeps the secret nowhere: no column of any table has it, in whole or in part', async () => {
    const { token } = await created(app.as(team.maintainer), { clientMutationId: 'kept' });
    await app.withToken(token).send(IMPORT, {
      input: { projectId: team.project.id, fileName: 'before.json', content: labFile('before') },
    });
    const text = await textOfRows(app.db, Object.keys(await rowsOf(app.db)));
    const random = token.slice(14);
    expect(text).toContain(createHash('sha256').update(token).digest('hex'));
    expect(text).toContain(token.slice(0, 13));
    for (const part of [token, random, random.slice(0, 12), Buffer.from(random, 'base64url').toString('hex')]) {
      expect(text).not.toContain(part);
    }
  });

  it('makes one token for a repeated request, and shows its secret the first time only', async () => {
    const change = { clientMutationId: 'again', expiresAt: new Date(Date.now() + DAY_MS).toISOString() };
    const first = await created(app.as(team.maintainer), change);
    const before = await rowsOf(app.db);
    const second = await created(app.as(team.maintainer), change);
    expect(second).toEqual({ token: null, serviceToken: first.serviceToken });
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const other = { input: input({ ...change, right: 'READ_ONLY' }) };
    expect((await app.as(team.maintainer).send(CREATE, other)).errorCode).toBe('INVALID_INPUT');
  });

  it('shows the secret once where the same request comes twice at once', async () => {
    const change = { clientMutationId: 'at-once' };
    const both = await Promise.all([1, 2].map(() => created(app.as(team.maintainer), change)));
    expect(both.filter(({ token }) => token !== null)).toHaveLength(1);
    expect(both[0].serviceToken).toEqual(both[1].serviceToken);
  });

  it('writes it into the history of each project, without the secret and the other projects', async () => {
    const other = await given.project(app.db);
    await app.db.projectMember.create({ data: { projectId: other.project.id, userId: team.maintainer.id, role: 'MAINTAINER' } }); // prettier-ignore
    const { token, serviceToken } = await created(app.as(team.maintainer), {
      projectIds: [team.project.id, other.project.id, team.project.id],
    });
    for (const { id } of [team.project, other.project]) {
      expect(await history(id)).toEqual([
        expect.objectContaining({
          subjectId: serviceToken.id,
          viewerId: team.maintainer.id,
          field: 'created',
          after: { name: 'nightly', prefix: token.slice(0, 13), right: 'INGEST', expiresAt: serviceToken.expiresAt },
        }),
      ]);
    }
    const told = await app.as(team.viewer).send(
      `query($slug: String!) { project(slug: $slug) {
         history(filter: { subjects: [SERVICE_TOKEN] }) { edges { node { text { en zh } } } }
       } }`,
      { slug: team.project.slug },
    );
    expect(told.data.project.history.edges).toEqual([
      { node: { text: { en: 'Service token created: “nightly”', zh: '创建服务令牌“nightly”' } } },
    ]);
  });

  it('needs the right to manage every project', async () => {
    const other = await given.project(app.db);
    const both = { projectIds: [team.project.id, other.project.id] };
    expect(await refused(app, app.as(team.maintainer), CREATE, input(both))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(app, app.as(team.reviewer), CREATE, input())).toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each([
    ['no project', { projectIds: [] }, 'projectIds has 0 projects; 1 to 50 are needed'],
    ['51 projects', { projectIds: Array.from({ length: 51 }, () => randomUUID()) }, 'projectIds has 51 projects; 1 to 50 are needed'],
    ['an empty name', { name: ' ' }, 'name is empty'],
    ['a time that is past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future and at most 2 years away'],
    ['a time that is far away', { expiresAt: '2999-01-01T00:00:00Z' }, 'and is 2999-01-01T00:00:00.000Z'],
  ])('refuses %s', async (_, change, message) => {
    const refusal = await refused(app, app.as(team.maintainer), CREATE, input(change));
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });
  }); // prettier-ignore
});

describe('Project.serviceTokens', () => {
  it('lists them page by page to whoever manages the project, and to nobody else', async () => {
    const { slug, id } = team.project;
    const made = [];
    for (let count = 0; count < 3; count++) made.unshift((await given.token(app.db, team.maintainer, [id])).id);
    const page = async (after: string | null) => {
      const { data } = await app.as(team.maintainer).send(LIST, { slug, first: 2, after });
      return data.project.serviceTokens;
    };
    const first = await page(null);
    const second = await page(first.pageInfo.endCursor);
    const idsOf = ({ edges }: { edges: { node: { id: string } }[] }) => edges.map(({ node }) => node.id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(made);
    expect([first.totalCount, first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([3, true, false]);

    const { secret } = await given.token(app.db, team.maintainer, [id]);
    for (const client of [app.as(team.reviewer), app.withToken(secret)]) {
      expect((await client.send(LIST, { slug })).data.project).toEqual({ serviceTokens: null });
    }
  });

  it('names only projects that the viewer may see', async () => {
    const other = await given.project(app.db);
    await app.owner.send(WHO);
    await given.token(app.db, { id: 'owner' }, [team.project.id, other.project.id]);
    const { slug } = team.project;
    const seenBy = async (client: Client) =>
      (await client.send(LIST, { slug })).data.project.serviceTokens.edges[0].node.projects.length;
    expect([await seenBy(app.owner), await seenBy(app.as(team.maintainer))]).toEqual([2, 1]);
  });
});

describe('a token that is shown', () => {
  it('is refused with one text where it is wrong, unknown, empty, or no token at all', async () => {
    const { secret } = await given.token(app.db, team.maintainer, [team.project.id]);
    const last = secret.endsWith('A') ? 'B' : 'A';
    const wrong = [
      `${secret.slice(0, -1)}${last}`,
      `tb_0123456789_${'A'.repeat(43)}`,
      secret.slice(0, 13),
      `${secret}x`,
      'tb_',
      '',
      'anything',
    ];
    for (const one of wrong) expect(await told(one)).toEqual(['UNAUTHENTICATED', WRONG]);
    const { body } = await app.nest.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: 'Basic b3duZXI6', 'accept-language': 'zh' },
      payload: { query: WHO },
    });
    expect(JSON.parse(body).errors[0].message).toBe('令牌既不是服务令牌，也不是此数据目录的密钥');
  });

  it('is refused once it expired', async () => {
    const expiresAt = new Date('2026-01-31T00:00:00Z');
    const { secret } = await given.token(app.db, team.maintainer, [team.project.id], { expiresAt });
    const message = `The service token ${secret.slice(0, 13)} expired at 2026-01-31T00:00:00.000Z`;
    expect(await told(secret)).toEqual(['UNAUTHENTICATED', message]);
  });

  it('notes its use, and again only a minute later', async () => {
    const { id, secret } = await given.token(app.db, team.maintainer, [team.project.id]);
    const used = async () => (await app.db.serviceToken.findUniqueOrThrow({ where: { id } })).lastUsedAt;
    expect(await used()).toBeNull();
    const before = new Date();
    await told(secret);
    const first = await used();
    expect(first?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    await told(secret);
    expect(await used()).toEqual(first);
    const old = new Date(before.getTime() - 61_000);
    await app.db.serviceToken.update({ where: { id }, data: { lastUsedAt: old } });
    await told(secret);
    expect((await used())?.getTime()).toBeGreaterThanOrEqual(before.getTime());
  });
});

describe('revokeServiceToken', () => {
  it('ends a token at once, and again changes nothing', async () => {
    const { token, serviceToken } = await created(app.as(team.maintainer));
    const { data } = await app.as(team.maintainer).send(REVOKE, { input: { id: serviceToken.id } });
    const { revokedAt } = data.revokeServiceToken;
    const message = `The service token ${serviceToken.prefix} was revoked at ${revokedAt}`;
    expect(await told(token)).toEqual(['UNAUTHENTICATED', message]);
    const again = await app.as(team.maintainer).send(REVOKE, { input: { id: serviceToken.id } });
    expect(again.data.revokeServiceToken).toEqual({ id: serviceToken.id, revokedAt });
    expect((await history(team.project.id)).slice(1)).toEqual([
      expect.objectContaining({ field: 'revokedAt', after: revokedAt, viewerId: team.maintainer.id }),
    ]);
  });

  it('is for whoever manages one of its projects', async () => {
    const other = await given.project(app.db);
    const { id } = await given.token(app.db, team.maintainer, [team.project.id, other.project.id]);
    const by = (user: { id: string }) => refused(app, app.as(user), REVOKE, { id });
    expect(await by(team.stranger)).toMatchObject({ code: 'NOT_FOUND', message: `There is no service token "${id}"` });
    expect(await by(other.reviewer)).toMatchObject({ code: 'FORBIDDEN' });
    expect((await app.as(other.maintainer).send(REVOKE, { input: { id } })).errors).toEqual([]);
    expect(await history(team.project.id)).toHaveLength(1);
    expect(await history(other.project.id)).toHaveLength(1);
  });
});
