import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type Client, type TestApp } from '../support/app.js';
import { exportedRecord, importedBy } from '../support/exported.js';
import { connected, follow, listening } from '../support/follow.js';
import * as given from '../support/given.js';
import { labFile } from '../support/lab-file.js';
import { refused } from '../support/refused.js';

// What machines may do that act by a service token, and what becomes of it.

const IMPORT = `mutation($input: ImportRunInput!) {
  importRun(input: $input) { runs { id isNew source createdBy { name isMachine } } }
}`;
const RECORD = `mutation($input: RecordMeasurementInput!) {
  recordMeasurement(input: $input) { id verdict createdBy { id name isMachine } beforeRuns { source } }
}`;
const WHO = '{ viewer { id } }';
const metric = 'training.throughput';

let app: TestApp;
let team: given.GivenAudit;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  team = await given.audit(app.db);
});
afterAll(() => app.close());

describe('what a token may do', () => {
  const projectsOf = (secret: string) =>
    app.withToken(secret).send('{ projects { totalCount edges { node { viewerCan } } } }');

  it.each([
    ['INGEST', ['READ_PROJECT', 'WRITE_MEASUREMENTS']],
    ['READ_ONLY', ['READ_PROJECT']],
  ] as const)('is what %s says, in its projects and in no other one', async (right, viewerCan) => {
    await given.project(app.db);
    const { secret } = await given.token(app.db, team.maintainer, [team.project.id], { right });
    expect((await projectsOf(secret)).data.projects).toEqual({ totalCount: 1, edges: [{ node: { viewerCan } }] });
  });

  it('is never more than its creator may, who is asked about at each request', async () => {
    const { secret } = await given.token(app.db, team.maintainer, [team.project.id]);
    const membership = { projectId_userId: { projectId: team.project.id, userId: team.maintainer.id } };
    await app.db.projectMember.update({ where: membership, data: { role: 'VIEWER' } });
    expect((await projectsOf(secret)).data.projects.edges).toEqual([{ node: { viewerCan: ['READ_PROJECT'] } }]);
    await app.db.projectMember.delete({ where: membership });
    expect((await projectsOf(secret)).data.projects.totalCount).toBe(0);
    const send = app.withToken(secret).send('query($id: ID!) { audit(id: $id) { id } }', { id: team.audit.id });
    expect(await send).toMatchObject({ data: { audit: null }, errors: [] });
    const file = { projectId: team.project.id, fileName: 'before.json', content: labFile('before') };
    expect(await refused(app, app.withToken(secret), IMPORT, file)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is what a creator by a team, or an administrator, may', async () => {
    const slug = `team-${randomUUID().slice(0, 8)}`;
    const members = { create: { userId: team.stranger.id, role: 'MAINTAINER' as const } };
    const { id: teamId } = await app.db.team.create({ data: { slug, name: 'Team', members } });
    await app.db.project.update({ where: { id: team.project.id }, data: { teamId } });
    await app.owner.send(WHO);
    for (const creator of [team.stranger, { id: 'owner' }]) {
      const { secret } = await given.token(app.db, creator, [team.project.id]);
      const { totalCount, edges } = (await projectsOf(secret)).data.projects;
      expect([totalCount, edges]).toEqual([1, [{ node: { viewerCan: ['READ_PROJECT', 'WRITE_MEASUREMENTS'] } }]]);
    }
  });

  it('is to read the catalog, and its projects alone in portfolio, search and queue', async () => {
    const elsewhere = await given.audit(app.db);
    for (const one of [team, elsewhere]) {
      const note = { auditItemId: one.item('precision/tf32').id, title: 'Zymurgy', body: 'Zymurgy', locale: 'EN', outcome: 'HELPED' }; // prettier-ignore
      const publish = 'mutation($input: PublishNoteInput!) { publishNote(input: $input) { id } }';
      expect((await app.as(one.contributor).send(publish, { input: note })).errors).toEqual([]);
    }
    await app.db.auditItem.updateMany({ where: { auditId: team.audit.id }, data: { work: 'IN_REVIEW' } });
    const { secret } = await given.token(app.db, team.maintainer, [team.project.id]);
    const { data, errors } = await app.withToken(secret).send(`{
      checklist(slug: "ai-systems-performance") { slug }
      portfolio { auditCount }
      search(query: "zymurgy", filter: { kinds: [NOTE] }) { totalCount }
      viewer { queueCounts { count } queue { totalCount } }
    }`);
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      checklist: { slug: 'ai-systems-performance' },
      portfolio: { auditCount: 1 },
      search: { totalCount: 1 },
      viewer: { queueCounts: Array.from({ length: 5 }, () => ({ count: 0 })), queue: { totalCount: 0 } },
    });
  });
});

describe('what a token recorded', () => {
  let client: Client;
  let token: given.GivenToken;
  beforeEach(async () => {
    token = await given.token(app.db, team.maintainer, [team.project.id]);
    client = app.withToken(token.secret);
  });
  const measured = async () => {
    const auditItemId = team.item('precision/tf32').id;
    const arms = { before: [100, 101, 99, 100], after: [120, 121, 119, 120], sampling: 'SEPARATE_SESSIONS' };
    const { data, errors } = await client.send(RECORD, { input: { auditItemId, metric, ...arms } });
    expect(errors).toEqual([]);
    return data.recordMeasurement;
  };

  it('is a run from CI; the same file by a person is one that was imported', async () => {
    const content = { fileName: 'before.json', content: labFile('before') };
    const other = await given.project(app.db);
    const sent = async (by: Client, projectId: string) =>
      (await by.send(IMPORT, { input: { ...content, projectId } })).data.importRun.runs;
    expect(await sent(client, team.project.id)).toEqual([
      { id: expect.any(String), isNew: true, source: 'CI', createdBy: { name: 'nightly', isMachine: true } },
    ]);
    expect(await sent(app.as(other.contributor), other.project.id)).toEqual([
      { id: expect.any(String), isNew: true, source: 'IMPORT', createdBy: { name: 'contributor', isMachine: false } },
    ]);
  });

  it('is marked as the work of a machine, by its name in the history', async () => {
    const trial = await measured();
    expect(trial).toMatchObject({
      verdict: 'IMPROVED',
      createdBy: { id: token.userId, name: 'nightly', isMachine: true },
      beforeRuns: [{ source: 'CI' }, { source: 'CI' }, { source: 'CI' }, { source: 'CI' }],
    });
    const { data } = await app.as(team.viewer).send(
      `query($id: ID!) { audit(id: $id) { history(filter: { subjects: [TRIAL] }) {
         edges { node { subjectId by { id name isMachine } } }
       } } }`,
      { id: team.audit.id },
    );
    expect(data.audit.history.edges).toEqual([
      { node: { subjectId: trial.id, by: { id: token.userId, name: 'nightly', isMachine: true } } },
    ]);
  });

  it('leaves work and outcome of the item to people', async () => {
    const { id } = team.item('precision/tf32');
    const said = { work: 'DONE', outcome: 'REJECTED', reasonCode: 'OTHER', reason: 'Too slow' } as const;
    await app.db.auditItem.update({ where: { id }, data: said });
    const before = await app.db.auditItem.findUniqueOrThrow({ where: { id } });
    await measured();
    const { measuredProof, ...after } = await app.db.auditItem.findUniqueOrThrow({ where: { id } });
    expect(measuredProof).toBe('VERIFIED');
    expect({ ...after, measuredProof: null }).toEqual(before);
  });

  it('stays its own where a maintainer imports the audit again, and is theirs elsewhere', async () => {
    await measured();
    const record = await exportedRecord(app.as(team.maintainer), team.audit.id);
    const elsewhere = await given.project(app.db);
    const makerIn = async (maintainer: { id: string }, projectId: string) => {
      const { audit } = await importedBy(app.as(maintainer), projectId, record);
      const { trials, runs } = await exportedRecord(app.as(maintainer), audit.id);
      return [trials[0]?.createdBy.id, runs[0]?.source];
    };
    expect(await makerIn(team.maintainer, team.project.id)).toEqual([token.userId, 'CI']);
    expect(await makerIn(elsewhere.maintainer, elsewhere.project.id)).toEqual([elsewhere.maintainer.id, 'CI']);
  });

  it('makes nobody of it who can be given work or mentioned, even with a role', async () => {
    await app.db.projectMember.create({ data: { projectId: team.project.id, userId: token.userId, role: 'MAINTAINER' } }); // prettier-ignore
    const { data } = await app
      .as(team.maintainer)
      .send('query($slug: String!) { project(slug: $slug) { people { id isMachine } } }', { slug: team.project.slug });
    expect(data.project.people.map(({ isMachine }: { isMachine: boolean }) => isMachine)).not.toContain(true);
    const { id } = team.item('precision/tf32');
    const assign = 'mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }';
    const mention = 'mutation($input: AddCommentInput!) { addComment(input: $input) { id } }';
    const as = app.as(team.maintainer);
    expect(await refused(app, as, assign, { id, version: 1, assigneeId: token.userId })).toMatchObject({ code: 'INVALID_INPUT' }); // prettier-ignore
    expect(await refused(app, as, mention, { auditItemId: id, body: 'x', mentionIds: [token.userId] })).toMatchObject({ code: 'INVALID_INPUT' }); // prettier-ignore
    expect((await client.send('{ projects { edges { node { viewerCan } } } }')).data.projects.edges).toEqual([
      { node: { viewerCan: ['READ_PROJECT', 'WRITE_MEASUREMENTS'] } },
    ]);
  });
});

describe('a token on a subscription', () => {
  const FOLLOW = 'subscription($auditId: ID!) { auditChanged(auditId: $auditId) { kind } }';
  let url: string;
  beforeAll(async () => {
    url = await listening(app);
  });
  const following = (secret: string) =>
    follow(connected(url, null, { authorization: `Bearer ${secret}` }), FOLLOW, { auditId: team.audit.id });
  const change = async () => {
    const { id, version } = await app.db.auditItem.findUniqueOrThrow({ where: { id: team.item('precision/tf32').id } });
    const update = 'mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }';
    const said = { input: { id, version, remark: `Remark ${version}` } };
    expect((await app.as(team.contributor).send(update, said)).errors).toEqual([]);
  };

  it.each([
    ['revoked', { revokedAt: new Date('2026-01-31T00:00:00Z') }, 'was revoked at 2026-01-31T00:00:00.000Z'],
    ['expired', { expiresAt: new Date('2026-01-31T00:00:00Z') }, 'expired at 2026-01-31T00:00:00.000Z'],
  ])('tells of its audits until it is %s', async (_, data, end) => {
    const { id, secret } = await given.token(app.db, team.maintainer, [team.project.id], { right: 'READ_ONLY' });
    const events = following(secret);
    expect(await events.next()).toEqual({ data: { auditChanged: { kind: 'STARTED' } } });
    await change();
    expect(await events.next()).toEqual({ data: { auditChanged: { kind: 'CHANGED' } } });
    await app.db.serviceToken.update({ where: { id }, data });
    await change();
    const message = `The service token ${secret.slice(0, 13)} ${end}`;
    expect(await events.next()).toMatchObject({
      errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }],
    });
    await events.stop();
  });

  it('tells nothing of other audits, and nothing to a wrong token', async () => {
    const elsewhere = await given.project(app.db);
    const foreign = await given.token(app.db, elsewhere.maintainer, [elsewhere.project.id]);
    for (const [secret, code] of [
      [foreign.secret, 'NOT_FOUND'],
      [`${foreign.secret}x`, 'UNAUTHENTICATED'],
    ] as const) {
      const events = following(secret);
      const first = await events.next().catch((error: unknown) => ({ errors: error }));
      expect(first).toMatchObject({ errors: [{ extensions: { code } }] });
      await events.stop();
    }
  });
});
