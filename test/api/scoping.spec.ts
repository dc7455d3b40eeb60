import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { assess, itemOf, open, ownAudit, type OwnAudit, type OwnItem } from '../support/own-audit.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';
import { CHANGE, none, touched } from '../support/scope-change.js';

const PREVIEW = `query($input: UpdateEnvironmentInput!) { previewEnvironmentChange(input: $input) { ${CHANGE} } }`;
const UPDATE = `mutation($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { ${CHANGE} } }`;

const rig: readonly OwnItem[] = [
  { key: 'any' },
  { key: 'amd', applicability: { vendor: 'amd' } },
  { key: 'tf32', applicability: { capability: 'tf32-tensor-cores' } },
  { key: 'many', applicability: { 'gpu.count': { atLeast: 2 } } },
  { key: 'torch', applicability: { torch: { version: '>=2.8' } } },
  { key: 'workaround', applicability: { nccl: { version: '<2.25' } } },
  { key: 'bf16', applicability: { 'workload.precision': 'bf16' } },
];
const machine = {
  hardware: 'h200-sxm',
  facts: { 'gpu.count': 1, torch: '2.7.1', nccl: '2.24.3', 'workload.precision': 'bf16' },
};
/** Comes in: many, torch. Goes out: workaround. Not known any more: bf16. */
const upgrade = { 'gpu.count': 8, torch: '2.9.0', nccl: '2.27.3', 'workload.precision': null };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Changes an environment at the version that it has. */
async function update(made: OwnAudit, change: object, who: { id: string } = made.maintainer) {
  const { id, version } = await app.db.environment.findUniqueOrThrow({ where: { id: made.environment.id } });
  const { data, errors } = await app.as(who).send(UPDATE, { input: { id, version, ...change } });
  expect(errors).toEqual([]);
  return data.updateEnvironment;
}

async function preview(made: OwnAudit, change: object, who: { id: string } = made.viewer) {
  const { data, errors } = await app
    .as(who)
    .send(PREVIEW, { input: { id: made.environment.id, version: 1, ...change } });
  expect(errors).toEqual([]);
  return data.previewEnvironmentChange;
}

describe('previewEnvironmentChange', () => {
  let made: OwnAudit;
  beforeAll(async () => {
    made = await ownAudit(app, rig, machine);
  });

  it('says what comes in, goes out and changes its answer, with the reasons, and writes nothing', async () => {
    const before = await rowsOf(app.db);
    const change = await preview(made, { factChanges: upgrade });
    expect(change).toMatchObject({
      environment: { id: made.environment.id, version: 1, name: 'default', facts: machine.facts },
      hardware: { slug: 'h200-sxm' },
      facts: { 'gpu.count': 8, torch: '2.9.0', nccl: '2.27.3' },
      closedAuditCount: 0,
      auditCount: 1,
    });
    const [audit] = change.audits;
    expect(audit.audit.id).toBe(made.auditId);
    expect(audit.counts).toEqual({ ...none, comesIn: 2, goesOut: 1, answerChanged: 1, unchanged: 3 });
    expect(audit.items.edges.map(({ node }: { node: object }) => node)).toEqual([
      {
        effects: ['COMES_IN'],
        cause: null,
        item: { key: 'rig/many' },
        auditItem: { id: (await made.item('many')).id },
        before: {
          answer: 'NO',
          isPast: false,
          reasons: [
            {
              en: 'Number of GPUs on all nodes must be at least 2; it is 1',
              zh: 'GPU 总数（所有节点合计）须不小于 2，实际为 1',
            },
          ],
        },
        after: {
          answer: 'YES',
          isPast: false,
          reasons: [{ en: 'Number of GPUs on all nodes is 8', zh: 'GPU 总数（所有节点合计）为 8' }],
        },
      },
      {
        effects: ['COMES_IN'],
        cause: null,
        item: { key: 'rig/torch' },
        auditItem: { id: (await made.item('torch')).id },
        before: {
          answer: 'NO',
          isPast: false,
          reasons: [{ en: 'PyTorch must be version >=2.8; it is 2.7.1', zh: 'PyTorch 版本须满足 >=2.8，实际为 2.7.1' }],
        },
        after: { answer: 'YES', isPast: false, reasons: [{ en: 'PyTorch is 2.9.0', zh: 'PyTorch 为 2.9.0' }] },
      },
      {
        effects: ['GOES_OUT'],
        cause: null,
        item: { key: 'rig/workaround' },
        auditItem: { id: (await made.item('workaround')).id },
        before: { answer: 'YES', isPast: false, reasons: [{ en: 'NCCL is 2.24.3', zh: 'NCCL 为 2.24.3' }] },
        after: {
          answer: 'NO',
          isPast: true,
          reasons: [{ en: 'NCCL must be version <2.25; it is 2.27.3', zh: 'NCCL 版本须满足 <2.25，实际为 2.27.3' }],
        },
      },
      {
        effects: ['ANSWER_CHANGED'],
        cause: null,
        item: { key: 'rig/bf16' },
        auditItem: { id: (await made.item('bf16')).id },
        before: { answer: 'YES', isPast: false, reasons: [{ en: 'Precision is bf16', zh: '精度为 bf16' }] },
        after: {
          answer: 'UNKNOWN',
          isPast: false,
          reasons: [
            {
              en: 'Precision is not known (workload.precision must be bf16)',
              zh: '精度未知（workload.precision 须为 bf16）',
            },
          ],
        },
      },
    ]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await app.db.environment.findUniqueOrThrow({ where: { id: made.environment.id } })).toEqual(
      made.environment,
    );
  });

  it('lists what differs, with what follows from the facts, worst first', async () => {
    const { differences } = await preview(made, { factChanges: upgrade });
    expect(differences.map(({ key, before, after }: Record<string, string>) => [key, before, after])).toEqual([
      ['gpu.count', '1', '8'],
      ['gpu.per_node', '1', null],
      ['nodes.count', '1', null],
      ['workload.precision', 'bf16', null],
      ['capability.nvlink-multicast', 'false', 'unknown'],
      ['capability.nvswitch', 'false', 'unknown'],
      ['nccl', '2.24.3', '2.27.3'],
      ['torch', '2.7.1', '2.9.0'],
    ]);
    expect(differences[0].name).toEqual({ en: 'Number of GPUs on all nodes', zh: 'GPU 总数（所有节点合计）' });
    expect(differences[5].name).toEqual({ en: 'NVSwitch', zh: 'NVSwitch' });
  });

  it('asks the rules about other hardware, or none', async () => {
    const amd = await preview(made, { hardware: 'mi300x' });
    expect(amd.hardware).toEqual({ slug: 'mi300x' });
    expect(touched(amd.audits[0])).toEqual([
      ['amd', ['COMES_IN']],
      ['tf32', ['GOES_OUT']],
    ]);
    const unknown = await preview(made, { hardware: null });
    expect(unknown.hardware).toBeNull();
    expect(touched(unknown.audits[0])).toEqual([
      ['amd', ['COMES_IN']],
      ['tf32', ['ANSWER_CHANGED']],
    ]);
  });

  it('pages through the items with some of the effects', async () => {
    const query = `query($input: UpdateEnvironmentInput!, $effects: [ScopeEffect!], $first: Int, $after: String) {
      previewEnvironmentChange(input: $input) { audits { items(effects: $effects, first: $first, after: $after) {
        totalCount pageInfo { hasNextPage hasPreviousPage endCursor } edges { node { item { key } } }
      } } }
    }`;
    const input = { id: made.environment.id, version: 1, factChanges: upgrade };
    const page = async (change: object) => {
      const { data, errors } = await app.as(made.viewer).send(query, { input, ...change });
      const items = data?.previewEnvironmentChange.audits[0].items;
      const keys = items?.edges.map(({ node }: { node: { item: { key: string } } }) => node.item.key);
      return { keys, ...items, message: errors[0]?.message };
    };
    expect((await page({ effects: ['GOES_OUT', 'ANSWER_CHANGED'] })).keys).toEqual(['rig/workaround', 'rig/bf16']);
    expect(await page({ effects: [] })).toMatchObject({ keys: [], totalCount: 0 });
    const first = await page({ first: 3 });
    expect(first).toMatchObject({ keys: ['rig/many', 'rig/torch', 'rig/workaround'], totalCount: 4 });
    expect(await page({ first: 3, after: first.pageInfo.endCursor })).toMatchObject({
      keys: ['rig/bf16'],
      totalCount: 4,
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    });
    expect((await page({ first: 101 })).message).toBe('first must be 1 to 100, and is 101');
    expect((await page({ after: 'eA' })).message).toBe('"eA" is not a cursor of this list');
  });

  it('answers every member whatever the version, and hides the environment from all others', async () => {
    const input = { id: made.environment.id, version: 99, factChanges: upgrade };
    for (const member of [made.viewer, made.contributor, made.reviewer, made.maintainer]) {
      expect((await preview(made, { version: 99 }, member)).auditCount).toBe(1);
    }
    expect(await refused(app, app.as(made.stranger), PREVIEW, input)).toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no environment "${input.id}" in this project`,
    });
    expect(await refused(app, app.as(null), PREVIEW, input)).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'Sign in to do this',
    });
  });
});

describe('updateEnvironment', () => {
  it('does what the preview said, at a new version of the environment and of each item that changed', async () => {
    const made = await ownAudit(app, rig, machine);
    const input = { name: 'Bigger', factChanges: upgrade };
    const said = await preview(made, input);
    const done = await update(made, input);
    const facts = { 'gpu.count': 8, torch: '2.9.0', nccl: '2.27.3' };
    expect(done.environment).toEqual({
      id: made.environment.id,
      version: 2,
      name: 'Bigger',
      hardware: { slug: 'h200-sxm' },
      facts,
    });
    expect({ ...done, environment: said.environment }).toEqual(said);
    const { data } = await app.as(made.viewer).send(
      `query($id: ID!) { audit(id: $id) {
         version scope { facts hardware { slug } } progress { total applicable }
         items { edges { node { version recheck { code } item { key } applicability { answer isPast reasons { zh } } } } }
       } }`,
      { id: made.auditId },
    );
    expect(data.audit).toMatchObject({
      version: 1,
      scope: { facts, hardware: { slug: 'h200-sxm' } },
      progress: { total: 7, applicable: 5 },
    });
    const items = data.audit.items.edges.map(({ node }: { node: Record<string, never> }) => node);
    expect(
      items.map(({ item, version, recheck, applicability }: Record<string, { [name: string]: unknown }>) => [
        item?.['key'],
        version,
        recheck,
        applicability?.['answer'],
        applicability?.['isPast'],
      ]),
    ).toEqual([
      ['rig/any', 1, null, 'YES', false],
      ['rig/amd', 1, null, 'NO', false],
      ['rig/tf32', 1, null, 'YES', false],
      ['rig/many', 2, null, 'YES', false],
      ['rig/torch', 2, null, 'YES', false],
      ['rig/workaround', 2, null, 'NO', true],
      ['rig/bf16', 2, null, 'UNKNOWN', false],
    ]);
    expect(items[5].applicability.reasons).toEqual([{ zh: 'NCCL 版本须满足 <2.25，实际为 2.27.3' }]);
  });

  it('keeps in the history what changed, and why the rules say something else', async () => {
    const made = await ownAudit(app, rig, machine);
    await assess(app, made.contributor, (await made.item('torch')).id, { outcome: 'DEFERRED' });
    const member = await given.chineseMember(app.db, made.project.id, 'MAINTAINER');
    await update(made, { name: 'Bigger', hardware: 'h100-sxm', factChanges: { torch: '2.9.0' } }, member);
    const entries = await app.db.historyEntry.findMany({
      where: { viewerId: member.id },
      orderBy: [{ subject: 'desc' }, { field: 'asc' }],
    });
    expect(entries.map(({ subject, field, before, after, reason }) => [subject, field, before, after, reason])).toEqual([
      ['environment', 'facts', machine.facts, { ...machine.facts, torch: '2.9.0' }, null],
      ['environment', 'hardware', 'h200-sxm', 'h100-sxm', null],
      ['environment', 'name', 'default', 'Bigger', null],
      ['auditItem', 'applies', 'NO', 'YES', 'PyTorch 为 2.9.0'],
      ['auditItem', 'recheck', null, 'ENVIRONMENT_CHANGED', 'PyTorch 由 2.7.1 变为 2.9.0；GPU 型号（SKU）由 H200 SXM 变为 H100 SXM；现已适用：PyTorch 为 2.9.0'],
    ]); // prettier-ignore
    const torch = await made.item('torch');
    const ofProject = { projectId: made.project.id, auditId: null, auditItemId: null };
    const ofItem = { projectId: made.project.id, auditId: made.auditId, auditItemId: torch.id };
    expect(entries).toMatchObject([ofProject, ofProject, ofProject, ofItem, ofItem]);
  });

  it('leaves a closed audit as it is, and counts it; scopes every open one, newest first', async () => {
    const made = await ownAudit(app, rig, machine);
    const second = await open(app, made, made.checklist);
    const closed = await open(app, made, made.checklist);
    const elsewhere = await given.environment(app.db, made.project.id, { facts: machine.facts });
    const other = await open(app, made, made.checklist, elsewhere.id);
    await app.db.audit.update({ where: { id: closed }, data: { status: 'CLOSED' } });
    const rowOf = (id: string) => app.db.audit.findUniqueOrThrow({ where: { id }, include: { items: true } });
    const untouched = [await rowOf(closed), await rowOf(other)];
    const change = await update(made, { factChanges: upgrade });
    expect(change).toMatchObject({ closedAuditCount: 1, auditCount: 2 });
    expect(change.audits.map(({ audit }: { audit: { id: string } }) => audit.id)).toEqual([second, made.auditId]);
    expect([await rowOf(closed), await rowOf(other)]).toEqual(untouched);
  });

  it('gives an item a new reason without an effect where the answer stays', async () => {
    const made = await ownAudit(app, rig, machine);
    const { audits } = await update(made, { factChanges: { nccl: '2.23.4' } });
    expect(audits[0].counts).toEqual({ ...none, unchanged: 7 });
    expect(await made.item('workaround')).toMatchObject({
      version: 2,
      appliesReasons: [{ en: 'NCCL is 2.23.4', zh: 'NCCL 为 2.23.4' }],
    });
    expect(await made.item('any')).toMatchObject({ version: 1 });
  });

  it('finds an audit item by its new hardware', async () => {
    const made = await ownAudit(app, rig, machine);
    await assess(app, made.contributor, (await made.item('any')).id, { remark: 'numbat' });
    const found = async (hardware: string) => {
      const { data } = await app.as(made.viewer).send(
        `query($filter: SearchFilter) { search(query: "numbat", filter: $filter) { edges { node { auditItem { remark } } } } }`,
        { filter: { kinds: ['AUDIT_ITEM'], project: made.project.slug, hardware: [hardware] } },
      ); // prettier-ignore
      return data.search.edges.length;
    };
    expect([await found('h200-sxm'), await found('mi300x')]).toEqual([1, 0]);
    await update(made, { hardware: 'mi300x' });
    expect([await found('h200-sxm'), await found('mi300x')]).toEqual([0, 1]);
    await update(made, { hardware: null });
    expect([await found('h200-sxm'), await found('mi300x')]).toEqual([0, 0]);
  });

  it.each([
    ['factChanges over those that are there', { factChanges: { torch: '2.9.0' } }, { ...machine.facts, torch: '2.9.0' }],
    ['factChanges without those that are null', { factChanges: { torch: null, nccl: null, rocm: null } }, { 'gpu.count': 1, 'workload.precision': 'bf16' }],
    ['factChanges that are nested', { factChanges: { workload: { precision: null, model: 'x' } } }, { 'gpu.count': 1, torch: '2.7.1', nccl: '2.24.3', 'workload.model': 'x' }],
    ['facts instead of those that are there', { facts: { driver: '580.1' } }, { driver: '580.1' }],
    ['facts with one that is known to be unknown', { facts: { driver: null } }, { driver: null }],
    ['factChanges over facts', { facts: { driver: '580.1', nccl: '2.27' }, factChanges: { driver: null, torch: '2.9' } }, { nccl: '2.27', torch: '2.9' }],
    ['no facts for facts that are null', { facts: null }, {}],
    ['what is there for factChanges that are null', { factChanges: null }, machine.facts],
    ['the words of the rules', { facts: { 'workload.precision': 'BF16', fabric: { kind: 'ib' } } }, { 'workload.precision': 'bf16', 'fabric.kind': 'infiniband' }],
    ['no secrets', { facts: { env: { HF_TOKEN: 'hf_abcdefghijklmnop', NCCL_ALGO: 'Ring' } } }, { 'env.NCCL_ALGO': 'Ring' }],
  ])('takes %s', async (_, change, facts) => {
    const made = await ownAudit(app, rig.slice(0, 1), machine);
    expect((await preview(made, change)).facts).toEqual(facts);
    expect((await update(made, change)).environment.facts).toEqual(facts);
    expect((await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId } })).scopeFacts).toEqual(facts);
  }); // prettier-ignore

  it('leaves what is absent alone, and keeps the version where nothing changes', async () => {
    const made = await ownAudit(app, rig, machine);
    const history = await app.db.historyEntry.count();
    for (const change of [{}, { name: 'default', hardware: 'h200-sxm', facts: machine.facts }]) {
      const { environment, audits } = await update(made, change);
      expect(environment).toMatchObject({ version: 1, name: 'default', hardware: { slug: 'h200-sxm' } });
      expect(environment.facts).toEqual(machine.facts);
      expect(audits[0].counts).toEqual({ ...none, unchanged: 7 });
    }
    expect(await app.db.historyEntry.count()).toBe(history);
    expect(await app.db.auditItem.count({ where: { auditId: made.auditId, version: 1 } })).toBe(7);
  });

  it('gives the same answer to a repeated request, with its audits and counts', async () => {
    const made = await ownAudit(app, rig, machine);
    const input = { id: made.environment.id, version: 1, factChanges: upgrade, clientMutationId: 'upgrade' };
    const client = app.as(made.maintainer);
    const first = await client.send(UPDATE, { input });
    expect(first.errors).toEqual([]);
    expect(first.data.updateEnvironment.audits[0].counts).toMatchObject({ comesIn: 2, goesOut: 1 });
    const before = await rowsOf(app.db);
    expect(await client.send(UPDATE, { input })).toEqual(first);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(await itemOf(app, made.auditId, 'torch')).toMatchObject({ version: 2 });
    expect(await refused(app, client, UPDATE, { ...input, name: 'Other' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'clientMutationId "upgrade" was used for another request',
    });
  });
});
