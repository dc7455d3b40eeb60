import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { assess, itemOf, open, ownAudit, type OwnAudit, type OwnItem } from '../support/own-audit.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';
import { causes, CHANGE, none, touched } from '../support/scope-change.js';

const PREVIEW = `query($auditId: ID!, $environmentId: ID) {
  previewAuditEnvironment(auditId: $auditId, environmentId: $environmentId) { ${CHANGE} }
}`;
const SET = `mutation($input: SetAuditEnvironmentInput!) { setAuditEnvironment(input: $input) { ${CHANGE} } }`;

const rig: readonly OwnItem[] = [
  { key: 'any' },
  { key: 'amd', applicability: { vendor: 'amd' } },
  { key: 'tf32', applicability: { capability: 'tf32-tensor-cores' } },
  { key: 'torch', applicability: { torch: { version: '>=2.8' } } },
];
const machine = { hardware: 'h200-sxm', facts: { torch: '2.7.1' } };
const cluster = { name: 'cluster', hardware: 'mi300x', facts: { torch: '2.9.0' } };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Moves the audit at the version that it has. */
async function set(made: OwnAudit, environmentId: string | null) {
  const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId } });
  const input = { auditId: made.auditId, version, environmentId };
  const { data, errors } = await app.as(made.contributor).send(SET, { input });
  expect(errors).toEqual([]);
  return data.setAuditEnvironment;
}

async function preview(made: OwnAudit, environmentId: string | null) {
  const { data, errors } = await app.as(made.viewer).send(PREVIEW, { auditId: made.auditId, environmentId });
  expect(errors).toEqual([]);
  return data.previewAuditEnvironment;
}

/** The audit with its scope, as the API shows it. */
async function audit(made: OwnAudit) {
  const { data } = await app
    .as(made.viewer)
    .send('query($id: ID!) { audit(id: $id) { version environment { name } scope { facts at hardware { slug } } } }', {
      id: made.auditId,
    });
  return data.audit;
}

describe('previewAuditEnvironment', () => {
  it('says what another environment would do, and writes nothing', async () => {
    const made = await ownAudit(app, rig, machine);
    const other = await given.environment(app.db, made.project.id, cluster);
    const before = await rowsOf(app.db);
    const row = await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId }, include: { items: true } });
    const change = await preview(made, other.id);
    expect(change).toMatchObject({
      environment: { id: other.id, version: 1, name: 'cluster', hardware: { slug: 'mi300x' }, facts: cluster.facts },
      hardware: { slug: 'mi300x' },
      facts: cluster.facts,
      closedAuditCount: 0,
      auditCount: 1,
    });
    const keys = change.differences.map(({ key }: { key: string }) => key);
    expect(keys.slice(0, 3)).toEqual(['architecture', 'gpu.sku', 'vendor']);
    expect(change.differences).toContainEqual({
      key: 'torch',
      name: { en: 'PyTorch', zh: 'PyTorch' },
      before: '2.7.1',
      after: '2.9.0',
    });
    expect(change.audits[0].counts).toEqual({ ...none, comesIn: 2, goesOut: 1, unchanged: 1 });
    expect(touched(change.audits[0])).toEqual([
      ['amd', ['COMES_IN']],
      ['tf32', ['GOES_OUT']],
      ['torch', ['COMES_IN']],
    ]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId }, include: { items: true } })).toEqual(
      row,
    );
  });

  it('says what it is to know nothing of the machine', async () => {
    const made = await ownAudit(app, rig, machine);
    const change = await preview(made, null);
    expect(change).toMatchObject({ environment: null, hardware: null, facts: {}, closedAuditCount: 0 });
    expect(touched(change.audits[0])).toEqual([
      ['amd', ['COMES_IN']],
      ['tf32', ['ANSWER_CHANGED']],
      ['torch', ['COMES_IN']],
    ]);
    expect(change.differences.every(({ after }: { after: string | null }) => after === null)).toBe(true);
  });
});

describe('setAuditEnvironment', () => {
  it('does to this audit alone what the preview said', async () => {
    const made = await ownAudit(app, rig, machine);
    const second = await open(app, made, made.checklist);
    const other = await given.environment(app.db, made.project.id, cluster);
    const closed = await open(app, made, made.checklist, other.id);
    await app.db.audit.update({ where: { id: closed }, data: { status: 'CLOSED' } });
    const untouched = await app.db.audit.findUniqueOrThrow({ where: { id: second }, include: { items: true } });
    await assess(app, made.contributor, (await made.item('tf32')).id, { outcome: 'APPLIED', remark: 'Fast' });
    const said = await preview(made, other.id);
    const opened = await audit(made);
    expect(await set(made, other.id)).toEqual(said);
    expect(said.closedAuditCount).toBe(1);
    const moved = await audit(made);
    expect(moved).toEqual({
      version: 2,
      environment: { name: 'cluster' },
      scope: { facts: cluster.facts, hardware: { slug: 'mi300x' }, at: moved.scope.at },
    });
    expect(Date.parse(moved.scope.at)).toBeGreaterThan(Date.parse(opened.scope.at));
    expect(await app.db.audit.findUniqueOrThrow({ where: { id: second }, include: { items: true } })).toEqual(
      untouched,
    );
    expect(causes(said.audits[0])).toEqual({
      tf32: {
        en: 'GPU model (SKU) was H200 SXM, is MI300X; it does not apply any more: needs TF32 Tensor Cores; MI300X does not have it',
        zh: 'GPU 型号（SKU）由 H200 SXM 变为 MI300X；已不再适用：需要 TF32 张量核心，而 MI300X 不具备',
      },
    });
    expect(await made.item('tf32')).toMatchObject({
      version: 3,
      applies: 'NO',
      outcome: 'APPLIED',
      remark: 'Fast',
      recheckCode: 'ENVIRONMENT_CHANGED',
      recheckCause: causes(said.audits[0])['tf32'],
    });
    expect(await made.item('any')).toMatchObject({ version: 1 });
  });

  it('keeps in the history where the audit went, and what the rules then said', async () => {
    const made = await ownAudit(app, rig, machine);
    const other = await given.environment(app.db, made.project.id, cluster);
    await set(made, other.id);
    await set(made, null);
    const entries = await app.db.historyEntry.findMany({
      where: { auditId: made.auditId, field: 'environment' },
      orderBy: { id: 'asc' },
    });
    expect(entries).toMatchObject([
      { subject: 'audit', viewerId: made.contributor.id, before: 'default', after: 'cluster' },
      { subject: 'audit', viewerId: made.contributor.id, before: 'cluster', after: null },
    ]);
    const torch = await app.db.historyEntry.findMany({
      where: { auditItemId: (await made.item('torch')).id },
      orderBy: { id: 'asc' },
    });
    expect(torch.map(({ field, before, after, reason }) => [field, before, after, reason])).toEqual([
      ['applies', 'NO', 'YES', 'PyTorch is 2.9.0'],
      ['applies', 'YES', 'UNKNOWN', 'PyTorch is not known (torch must be version >=2.8)'],
    ]);
    expect(await audit(made)).toMatchObject({ version: 3, environment: null, scope: { facts: {}, hardware: null } });
  });

  it('keeps the version of an audit that stays where it is, and writes no history', async () => {
    const made = await ownAudit(app, rig, machine);
    const history = await app.db.historyEntry.count();
    const change = await set(made, made.environment.id);
    expect(change.differences).toEqual([]);
    expect(change.audits[0].counts).toEqual({ ...none, unchanged: 4 });
    expect(await audit(made)).toMatchObject({ version: 1, environment: { name: 'default' } });
    expect(await app.db.historyEntry.count()).toBe(history);
  });

  it('makes later changes of the new environment count, and no longer those of the old one', async () => {
    const made = await ownAudit(app, rig, machine);
    const other = await given.environment(app.db, made.project.id, cluster);
    await set(made, other.id);
    const update = async (id: string) => {
      const { data, errors } = await app
        .as(made.maintainer)
        .send('mutation($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { auditCount } }', {
          input: { id, version: 1, factChanges: { torch: '2.10.0' } },
        });
      expect(errors).toEqual([]);
      return data.updateEnvironment.auditCount;
    };
    expect([await update(made.environment.id), await update(other.id)]).toEqual([0, 1]);
    expect((await audit(made)).scope.facts).toEqual({ torch: '2.10.0' });
  });

  it('makes search find the audit item by the hardware it is now on', async () => {
    const made = await ownAudit(app, rig, machine);
    const other = await given.environment(app.db, made.project.id, cluster);
    await assess(app, made.contributor, (await made.item('any')).id, { remark: 'bilby' });
    const found = async (hardware: string) => {
      const { data } = await app.as(made.viewer).send(
        'query($filter: SearchFilter) { search(query: "bilby", filter: $filter) { totalCount } }',
        { filter: { kinds: ['AUDIT_ITEM'], project: made.project.slug, hardware: [hardware] } },
      ); // prettier-ignore
      return data.search.totalCount;
    };
    expect([await found('h200-sxm'), await found('mi300x')]).toEqual([1, 0]);
    await set(made, other.id);
    expect([await found('h200-sxm'), await found('mi300x')]).toEqual([0, 1]);
  });

  it('gives the same answer to a repeated request', async () => {
    const made = await ownAudit(app, rig, machine);
    const other = await given.environment(app.db, made.project.id, cluster);
    const input = { auditId: made.auditId, version: 1, environmentId: other.id, clientMutationId: 'move' };
    const client = app.as(made.contributor);
    const first = await client.send(SET, { input });
    expect(first.errors).toEqual([]);
    const before = await rowsOf(app.db);
    expect(await client.send(SET, { input })).toEqual(first);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await itemOf(app, made.auditId, 'torch')).toMatchObject({ version: 2 });
    expect(await refused(app, client, SET, { ...input, environmentId: null })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'clientMutationId "move" was used for another request',
    });
  });
});
