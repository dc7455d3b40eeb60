import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { assess, ownAudit, type OwnAudit, type OwnItem } from '../support/own-audit.js';
import { causes, CHANGE, none, touched } from '../support/scope-change.js';

const UPDATE = `mutation($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { ${CHANGE} } }`;
const OVERRULE = 'mutation($input: OverruleApplicabilityInput!) { overruleApplicability(input: $input) { version } }';

const rig: readonly OwnItem[] = [
  { key: 'any' },
  { key: 'tf32', applicability: { capability: 'tf32-tensor-cores' } },
  { key: 'many', applicability: { 'gpu.count': { atLeast: 2 } } },
  { key: 'torch', applicability: { torch: { version: '>=2.8' } } },
  { key: 'workaround', applicability: { nccl: { version: '<2.25' } } },
  { key: 'bf16', applicability: { 'workload.precision': 'bf16' } },
  { key: 'both', applicability: { all: [{ torch: { version: '>=2.6' } }, { vendor: 'nvidia' }] } },
];
const machine = {
  hardware: 'h200-sxm',
  facts: { 'gpu.count': 1, torch: '2.7.1', nccl: '2.24.3', 'workload.precision': 'bf16' },
};
const rejected = { outcome: 'REJECTED', reasonCode: 'OTHER', reason: 'One GPU' };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Changes the facts or the hardware of the environment of an audit. */
async function update(made: OwnAudit, change: object) {
  const { id, version } = await app.db.environment.findUniqueOrThrow({ where: { id: made.environment.id } });
  const { data, errors } = await app.as(made.maintainer).send(UPDATE, { input: { id, version, ...change } });
  expect(errors).toEqual([]);
  return data.updateEnvironment.audits[0];
}

const facts = (factChanges: object) => ({ factChanges });

async function assessed(made: OwnAudit, key: string, change: object): Promise<void> {
  await assess(app, made.contributor, (await made.item(key)).id, change);
}

/** The mark of an item as the API shows it; null where it has none. */
async function recheckOf(made: OwnAudit, key: string) {
  const { id } = await made.item(key);
  const query = 'query($id: ID!) { auditItem(id: $id) { recheck { code since cause { en zh } } } }';
  const { data, errors } = await app.as(made.viewer).send(query, { id });
  expect(errors).toEqual([]);
  return data.auditItem.recheck;
}

describe('a result', () => {
  it('is to be looked at again where the rules turn, or a version that its rule bounds is another one', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, 'any', { outcome: 'APPLIED', work: 'DONE' });
    await assessed(made, 'many', { ...rejected, remark: 'Ask again' });
    await assessed(made, 'torch', { outcome: 'DEFERRED' });
    await assessed(made, 'workaround', { outcome: 'APPLIED', work: 'DONE' });
    await assessed(made, 'bf16', { outcome: 'APPLIED' });
    await assessed(made, 'both', { outcome: 'ALREADY_IN_PLACE', remark: 'Since 2.6' });
    const change = await update(
      made,
      facts({ 'gpu.count': 8, torch: '2.9.0', nccl: '2.27.3', 'workload.precision': null }),
    );
    expect(change.counts).toEqual({
      comesIn: 2,
      goesOut: 1,
      answerChanged: 1,
      recheck: 4,
      noLongerNeeded: 1,
      unchanged: 2,
    });
    expect(touched(change)).toEqual([
      ['many', ['COMES_IN', 'RECHECK']],
      ['torch', ['COMES_IN', 'RECHECK']],
      ['workaround', ['GOES_OUT', 'RECHECK', 'NO_LONGER_NEEDED']],
      ['bf16', ['ANSWER_CHANGED']],
      ['both', ['RECHECK']],
    ]);
    expect(causes(change)).toEqual({
      many: {
        en: 'Number of GPUs on all nodes was 1, is 8; it applies now: Number of GPUs on all nodes is 8',
        zh: 'GPU 总数（所有节点合计）由 1 变为 8；现已适用：GPU 总数（所有节点合计）为 8',
      },
      torch: {
        en: 'PyTorch was 2.7.1, is 2.9.0; it applies now: PyTorch is 2.9.0',
        zh: 'PyTorch 由 2.7.1 变为 2.9.0；现已适用：PyTorch 为 2.9.0',
      },
      workaround: {
        en: 'NCCL was 2.24.3, is 2.27.3; no longer needed: NCCL must be version <2.25; it is 2.27.3',
        zh: 'NCCL 由 2.24.3 变为 2.27.3；已不再需要：NCCL 版本须满足 <2.25，实际为 2.27.3',
      },
      both: {
        en: 'PyTorch was 2.7.1, is 2.9.0; the result is from before',
        zh: 'PyTorch 由 2.7.1 变为 2.9.0；原有结论得自变更之前',
      },
    });
    for (const key of ['many', 'torch', 'workaround', 'both']) {
      expect(await recheckOf(made, key)).toMatchObject({ code: 'ENVIRONMENT_CHANGED', cause: causes(change)[key] });
    }
    for (const key of ['any', 'tf32', 'bf16']) expect(await recheckOf(made, key)).toBeNull();
  });

  it('stays as a person said it, with its texts', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, 'many', { ...rejected, work: 'DONE', remark: 'Ask again' });
    await update(made, facts({ 'gpu.count': 8 }));
    const said = { work: 'DONE', outcome: 'REJECTED', reasonCode: 'OTHER', reason: 'One GPU', remark: 'Ask again' };
    expect(await made.item('many')).toMatchObject({ ...said, version: 3, applies: 'YES' });
  });

  it('is not asked for again where a fact was not known, or is not known any more, and may still apply', async () => {
    const made = await ownAudit(app, rig, { hardware: 'h200-sxm' });
    for (const { key } of rig) await assessed(made, key, { outcome: 'DEFERRED' });
    const known = await update(made, facts({ torch: '2.9.0', 'workload.precision': 'bf16', nccl: '2.24.3' }));
    expect(known.counts).toEqual({ ...none, answerChanged: 4, unchanged: 3 });
    const unknown = await update(made, facts({ torch: null, 'workload.precision': null, nccl: null }));
    expect(unknown.counts).toEqual({ ...none, answerChanged: 4, unchanged: 3 });
  });

  it('is asked for again where a fact that was not known rules the item out', async () => {
    const made = await ownAudit(app, rig, { hardware: 'h200-sxm' });
    await assessed(made, 'bf16', { outcome: 'APPLIED' });
    const change = await update(made, facts({ 'workload.precision': 'fp16' }));
    expect(touched(change)).toEqual([['bf16', ['GOES_OUT', 'RECHECK']]]);
    expect(causes(change)['bf16']).toEqual({
      en: 'Precision was unknown, is fp16; it does not apply any more: Precision must be bf16; it is fp16',
      zh: '精度由未知变为 fp16；已不再适用：精度须为 bf16，实际为 fp16',
    });
    const back = await update(made, facts({ 'workload.precision': null }));
    expect(causes(back)['bf16']).toEqual({
      en: 'Precision was fp16, is unknown; it may apply now: Precision is not known (workload.precision must be bf16)',
      zh: '精度由 fp16 变为未知；现可能适用：精度未知（workload.precision 须为 bf16）',
    });
  });

  it('is asked for again where other hardware lacks what the item needs', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, 'tf32', { outcome: 'APPLIED' });
    const change = await update(made, { hardware: 'mi300x' });
    expect(causes(change)).toEqual({
      tf32: {
        en: 'GPU model (SKU) was H200 SXM, is MI300X; it does not apply any more: needs TF32 Tensor Cores; MI300X does not have it',
        zh: 'GPU 型号（SKU）由 H200 SXM 变为 MI300X；已不再适用：需要 TF32 张量核心，而 MI300X 不具备',
      },
    });
  });

  it('is to be looked at again on other hardware, measured or not', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, 'any', { outcome: 'APPLIED' });
    await assessed(made, 'both', { outcome: 'APPLIED' });
    await assessed(made, 'bf16', { outcome: 'APPLIED' });
    for (const key of ['any', 'bf16']) {
      const { errors } = await app
        .as(made.contributor)
        .send('mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }', {
          input: { auditItemId: (await made.item(key)).id, metric: 'training.throughput', before: [1], after: [2] },
        });
      expect(errors).toEqual([]);
    }
    const change = await update(made, { hardware: 'h100-sxm' });
    expect(change.counts).toEqual({ ...none, recheck: 3, unchanged: 4 });
    const cause = {
      en: 'GPU model (SKU) was H200 SXM, is H100 SXM; it was measured before that',
      zh: 'GPU 型号（SKU）由 H200 SXM 变为 H100 SXM；原有测量是变更之前做的',
    };
    const notMeasured = {
      en: 'GPU model (SKU) was H200 SXM, is H100 SXM; the result is from before',
      zh: 'GPU 型号（SKU）由 H200 SXM 变为 H100 SXM；原有结论得自变更之前',
    };
    expect(causes(change)).toEqual({ any: cause, bf16: cause, both: notMeasured });
    const both = await update(made, { hardware: 'h200-sxm', ...facts({ 'workload.precision': 'fp16' }) });
    expect(causes(both)['bf16']?.en).toBe(
      'Precision was bf16, is fp16; GPU model (SKU) was H100 SXM, is H200 SXM; it does not apply any more: Precision must be bf16; it is fp16',
    );
  });

  it('is to be looked at again where a fact changed that the item names', async () => {
    const made = await ownAudit(app, [{ key: 'driven', recheckOn: ['driver', 'fabric.kind'] }, { key: 'other' }], {
      hardware: 'h200-sxm',
      facts: { driver: '570.86.15', 'fabric.kind': 'infiniband', torch: '2.7.1' },
    });
    for (const key of ['driven', 'other']) await assessed(made, key, { outcome: 'APPLIED' });
    expect((await update(made, facts({ torch: '2.9.0' }))).counts).toEqual({ ...none, unchanged: 2 });
    const change = await update(made, facts({ driver: '580.95.05', 'fabric.kind': 'rocev2' }));
    expect(causes(change)).toEqual({
      driven: {
        en: 'GPU driver was 570.86.15, is 580.95.05; Kind of fabric was infiniband, is roce; the result is from before',
        zh: 'GPU 驱动由 570.86.15 变为 580.95.05；互连类型由 infiniband 变为 roce；原有结论得自变更之前',
      },
    });
  });

  it('that was only measured, and not said to be anything, gets no mark', async () => {
    const made = await ownAudit(app, rig, machine);
    await app.db.auditItem.update({ where: { id: (await made.item('any')).id }, data: { measuredProof: 'VERIFIED' } });
    expect((await update(made, { hardware: 'h100-sxm' })).counts).toEqual({ ...none, unchanged: 7 });
  });
});

describe('a re-check mark', () => {
  it('joins what changes later, the newest first, since the first change', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, 'torch', { outcome: 'DEFERRED' });
    await update(made, facts({ torch: '2.9.0' }));
    const first = await recheckOf(made, 'torch');
    const second = await update(made, facts({ torch: '2.10.0' }));
    expect(causes(second)['torch']?.en).toBe('PyTorch was 2.9.0, is 2.10.0; the result is from before');
    expect(await recheckOf(made, 'torch')).toEqual({
      code: 'ENVIRONMENT_CHANGED',
      since: first.since,
      cause: {
        en: 'PyTorch was 2.9.0, is 2.10.0; the result is from before. Before: PyTorch was 2.7.1, is 2.9.0; it applies now: PyTorch is 2.9.0',
        zh: 'PyTorch 由 2.9.0 变为 2.10.0；原有结论得自变更之前。此前：PyTorch 由 2.7.1 变为 2.9.0；现已适用：PyTorch 为 2.9.0',
      },
    });
    const unrelated = await update(made, facts({ 'gpu.count': 8 }));
    expect(touched(unrelated)).toEqual([['many', ['COMES_IN']]]);
    expect((await recheckOf(made, 'torch')).since).toBe(first.since);
  });

  it('is cleared by a new assessment, after which only new causes count', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, 'torch', { outcome: 'DEFERRED', work: 'DONE' });
    await update(made, facts({ torch: '2.9.0' }));
    const progress = async () => {
      const query = 'query($id: ID!) { audit(id: $id) { progress { applicable assessed } } }';
      return (await app.as(made.viewer).send(query, { id: made.auditId })).data.audit.progress;
    };
    expect(await progress()).toEqual({ applicable: 6, assessed: 0 });
    await assessed(made, 'torch', { remark: 'Not looked at yet' });
    expect(await recheckOf(made, 'torch')).not.toBeNull();
    await assessed(made, 'torch', { outcome: 'DEFERRED' });
    expect(await recheckOf(made, 'torch')).toBeNull();
    expect(await progress()).toEqual({ applicable: 6, assessed: 1 });
    await update(made, facts({ torch: '2.10.0' }));
    expect((await recheckOf(made, 'torch')).cause.en).toBe('PyTorch was 2.9.0, is 2.10.0; the result is from before');
  });

  it('joins what a new release said of the check', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, 'torch', { outcome: 'DEFERRED' });
    const { id } = await made.item('torch');
    const since = new Date('2026-11-01T00:00:00Z');
    const earlier = { recheckCode: 'CHECK_CHANGED', recheckCause: { en: 'The check changed', zh: '检查项已变更' } } as const;
    await app.db.auditItem.update({ where: { id }, data: { ...earlier, recheckSince: since } });
    await update(made, facts({ torch: '2.9.0' }));
    expect(await recheckOf(made, 'torch')).toEqual({
      code: 'ENVIRONMENT_CHANGED',
      since: since.toISOString(),
      cause: {
        en: 'PyTorch was 2.7.1, is 2.9.0; it applies now: PyTorch is 2.9.0. Before: The check changed',
        zh: 'PyTorch 由 2.7.1 变为 2.9.0；现已适用：PyTorch 为 2.9.0。此前：检查项已变更',
      },
    });
  }); // prettier-ignore

  it('is put where the rules turn against what a person decided, whose word stays', async () => {
    const made = await ownAudit(app, rig, machine);
    const overrule = async (key: string, answer: string) => {
      const { id, version } = await made.item(key);
      const input = { id, version, answer, reason: 'We know better' };
      expect((await app.as(made.contributor).send(OVERRULE, { input })).errors).toEqual([]);
    };
    await overrule('many', 'NO');
    await overrule('workaround', 'YES');
    await overrule('bf16', 'YES');
    const change = await update(made, facts({ 'gpu.count': 8, nccl: '2.27.3', 'workload.precision': null }));
    expect(touched(change)).toEqual([
      ['many', ['RECHECK']],
      ['workaround', ['RECHECK']],
    ]);
    expect(causes(change)['workaround']?.zh).toBe(
      'NCCL 由 2.24.3 变为 2.27.3；已不再需要：NCCL 版本须满足 <2.25，实际为 2.27.3',
    );
    expect(await made.item('many')).toMatchObject({
      applies: 'YES',
      overruled: 'NO',
      overruleReason: 'We know better',
      overruledById: made.contributor.id,
      outcome: 'NOT_ASSESSED',
    });
    expect(await made.item('bf16')).toMatchObject({ applies: 'UNKNOWN', overruled: 'YES', recheckCode: null });
  });

  it('names at most four facts that changed', async () => {
    const keys = ['torch', 'nccl', 'cudnn', 'vllm', 'triton'];
    const all = keys.map((key) => ({ [key]: { version: '>=2' } }));
    const old = Object.fromEntries(keys.map((key) => [key, '1.0']));
    const made = await ownAudit(app, [{ key: 'stack', applicability: { all } }], { facts: old });
    await assessed(made, 'stack', rejected);
    const change = await update(made, facts(Object.fromEntries(keys.map((key) => [key, '2.0']))));
    expect(causes(change)['stack']?.en).toBe(
      'cuDNN was 1.0, is 2.0; NCCL was 1.0, is 2.0; PyTorch was 1.0, is 2.0; Triton was 1.0, is 2.0; it applies now: PyTorch is 2.0',
    );
  });
});
