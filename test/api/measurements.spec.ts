import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { added, rowsOf } from '../support/rows.js';

const RECORD = `mutation($input: RecordMeasurementInput!) {
  recordMeasurement(input: $input) {
    id verdict isControl hypothesis variable
    primaryMetric { key unit direction }
    comparisons {
      metric { key } role verdict evidence method methodVersion nBefore nAfter medianBefore medianAfter ratio gain gainLow
      gainHigh pValue threshold requiredGain isStrong isConfounded moreRunsPerArm
      warnings { code message { en zh } }
      environmentDifferences { key before after tier declared }
      samples { arm value runId session block }
    }
  }
}`;

const throughput = {
  metric: 'training.throughput',
  before: [100, 101, 99, 100.5],
  after: [110, 111, 109, 110.5],
  sampling: 'SEPARATE_SESSIONS',
};
const latency = {
  metric: 'time.latency',
  before: [99, 100, 100, 101],
  after: [49.5, 50, 50, 50.5],
  sampling: 'SEPARATE_SESSIONS',
};

describe('recordMeasurement', () => {
  let app: TestApp;
  let shared: given.GivenAudit;
  let auditItemId: string;
  beforeAll(async () => {
    app = await startApp();
    shared = await given.audit(app.db);
    auditItemId = shared.item('precision/tf32').id;
  });
  afterAll(() => app.close());

  const send = (input: object) => app.as(shared.contributor).send(RECORD, { input: { auditItemId, ...input } });

  /** The one comparison of a measurement that is expected to be accepted. */
  async function compared(input: object) {
    const { data, errors } = await send(input);
    expect(errors).toEqual([]);
    return data.recordMeasurement.comparisons[0];
  }
  const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

  it('compares four separated values an arm and keeps all that it was told', async () => {
    const before = await rowsOf(app.db);
    const { data, errors } = await send({ ...throughput, hypothesis: 'Faster', variable: ['precision'] });
    expect(errors).toEqual([]);
    expect(data.recordMeasurement).toMatchObject({
      verdict: 'IMPROVED',
      isControl: false,
      hypothesis: 'Faster',
      variable: ['precision'],
      primaryMetric: { key: 'training.throughput', unit: 'samples/s', direction: 'HIGHER_IS_BETTER' },
      comparisons: [
        {
          role: 'PRIMARY',
          verdict: 'IMPROVED',
          evidence: 'STATISTICAL',
          method: 'MANN_WHITNEY',
          methodVersion: '1.1.0',
          nBefore: 4,
          nAfter: 4,
          medianBefore: 100.25,
          medianAfter: 110.25,
          threshold: 0.02,
          requiredGain: 0.02,
          isStrong: true,
          isConfounded: false,
          moreRunsPerArm: null,
          warnings: [{ code: 'VARIABLE_UNCHANGED' }],
          environmentDifferences: [],
        },
      ],
    });
    const [comparison] = data.recordMeasurement.comparisons;
    expect(comparison.pValue).toBeCloseTo(0.0286, 4);
    expect(comparison.gain).toBeCloseTo(0.0998, 3);
    expect(comparison.samples.map(({ arm, value }: { arm: string; value: number }) => [arm, value])).toEqual([
      ...throughput.before.map((value) => ['BEFORE', value]),
      ...throughput.after.map((value) => ['AFTER', value]),
    ]);
    expect(new Set(comparison.samples.map(({ session }: { session: string }) => session)).size).toBe(8);
    expect(added(before, await rowsOf(app.db))).toEqual({
      Comparison: 1,
      HistoryEntry: 1,
      Observation: 8,
      Run: 8,
      Trial: 1,
      TrialRun: 8,
    });
  });

  it('finds p = 0.0079 for five separated values an arm', async () => {
    const { pValue } = await compared({ ...throughput, before: [1, 2, 3, 4, 5], after: [11, 12, 13, 14, 15] });
    expect(pValue).toBeCloseTo(2 / 252, 6);
  });

  it('reads half the latency as improved, with ratio 0.5 and gain 1.0', async () => {
    const comparison = await compared(latency);
    expect(comparison).toMatchObject({ verdict: 'IMPROVED', medianBefore: 100, medianAfter: 50 });
    expect(comparison.ratio).toBeCloseTo(0.5, 3);
    expect(comparison.gain).toBeCloseTo(1, 2);
  });

  it('mirrors the verdict when the arms are swapped', async () => {
    const one = await compared(latency);
    const other = await compared({ ...latency, before: latency.after, after: latency.before });
    expect(other).toMatchObject({ verdict: 'REGRESSED', evidence: 'STATISTICAL', pValue: one.pValue });
    expect((1 + one.gain) * (1 + other.gain)).toBeCloseTo(1, 9);
    expect((1 + one.gainLow) * (1 + other.gainHigh)).toBeCloseTo(1, 9);
    expect(one.ratio * other.ratio).toBeCloseTo(1, 9);
  });

  it('claims no more than INDICATIVE for three values an arm', async () => {
    const comparison = await compared({ ...throughput, before: [100, 101, 99], after: [130, 131, 129] });
    expect(comparison).toMatchObject({
      verdict: 'IMPROVED',
      evidence: 'INDICATIVE',
      method: 'RANGE_GAP',
      pValue: null,
      requiredGain: 0.04,
    });
  });

  it('gives no verdict on one value an arm without a noise floor', async () => {
    const comparison = await compared({ ...throughput, before: [100], after: [200] });
    expect(comparison).toMatchObject({ verdict: 'INCONCLUSIVE', evidence: 'SINGLE_RUN', moreRunsPerArm: 3 });
    expect(comparison.gain).toBeCloseTo(1, 9);
    expect(codes(comparison)).toContain('NO_NOISE_FLOOR');
  });

  it.each([
    ['ONE_SESSION', ['ONE_SESSION_ARM']],
    ['UNKNOWN', ['SESSIONS_UNKNOWN']],
    [undefined, ['SESSIONS_UNKNOWN']],
  ])('warns and claims less for sampling %s', async (sampling, warnings) => {
    const comparison = await compared({ ...throughput, sampling });
    expect(comparison).toMatchObject({ verdict: 'IMPROVED', evidence: 'INDICATIVE', method: 'MANN_WHITNEY' });
    expect(codes(comparison)).toEqual(warnings);
    expect(comparison.warnings[0].message.zh).toMatch(/会话/);
  });

  it('compares six pairs by their differences, and five as two arms', async () => {
    const before = [100, 200, 300, 400, 500, 600];
    const after = before.map((value) => value * 1.1);
    const six = await compared({ ...throughput, before, after, pairs: true });
    expect(six).toMatchObject({ verdict: 'IMPROVED', evidence: 'PAIRED', method: 'SIGNED_RANK', pValue: 0.03125 });
    expect(six.samples.slice(0, 2).map(({ block }: { block: string }) => block)).toEqual([
      expect.stringMatching(/^\S+ pair 1$/),
      expect.stringMatching(/^\S+ pair 2$/),
    ]);
    const five = await compared({ ...throughput, before: before.slice(1), after: after.slice(1), pairs: true });
    expect(five).toMatchObject({ verdict: 'INCONCLUSIVE', method: 'MANN_WHITNEY' });
  });

  it('takes the threshold of the caller', async () => {
    const small = { ...throughput, after: throughput.before.map((value) => value * 1.03) };
    expect(await compared(small)).toMatchObject({ verdict: 'IMPROVED', threshold: 0.02 });
    expect(await compared({ ...small, threshold: 0.1 })).toMatchObject({
      verdict: 'NO_MEANINGFUL_CHANGE',
      threshold: 0.1,
      requiredGain: 0.1,
    });
    expect(await compared({ ...small, threshold: 0.001 })).toMatchObject({ threshold: 0.02 });
  });

  it('refuses to compare two GPU models, unless they are the variable', async () => {
    const models = { environmentBefore: { gpu: { sku: 'H100' } }, environmentAfter: { 'gpu.sku': 'H200' } };
    const undeclared = await compared({ ...throughput, ...models });
    expect(undeclared).toMatchObject({
      verdict: 'NOT_COMPARABLE',
      evidence: 'NONE',
      gain: null,
      environmentDifferences: [{ key: 'gpu.sku', before: 'H100', after: 'H200 SXM', tier: 'BLOCK', declared: false }],
    });
    expect(undeclared.warnings[0].message.en).toBe(
      'Not declared as the variable, and different: gpu.sku (H100 before, H200 SXM after).',
    );
    const declared = await compared({ ...throughput, ...models, variable: ['gpu.sku'] });
    expect(declared).toMatchObject({
      verdict: 'IMPROVED',
      evidence: 'STATISTICAL',
      environmentDifferences: [{ declared: true }],
    });
  });

  it('keeps the verdict and labels it where the driver differs too', async () => {
    const comparison = await compared({
      ...throughput,
      environmentBefore: { driver: '570.1' },
      environmentAfter: { driver: '580.2' },
    });
    expect(comparison).toMatchObject({ verdict: 'IMPROVED', evidence: 'INDICATIVE', isConfounded: true });
    expect(codes(comparison)).toEqual(['CONFOUNDED']);
  });

  it('takes a workload key with and without its prefix', async () => {
    const comparison = await compared({
      ...throughput,
      workloadBefore: { model: 'a' },
      workloadAfter: { workload: { model: 'b' } },
    });
    expect(comparison).toMatchObject({
      verdict: 'NOT_COMPARABLE',
      environmentDifferences: [{ key: 'workload.model', before: 'a', after: 'b' }],
    });
  });

  it('has no verdict on a metric without a direction', async () => {
    const comparison = await compared({ ...throughput, metric: 'gpu.utilization', unit: '%' });
    expect(comparison).toMatchObject({ verdict: 'NOT_COMPARABLE', medianBefore: 1.0025, gain: null });
    expect(codes(comparison)).toEqual(['NO_DIRECTION']);
  });

  it.each([
    ['time.latency', 's', 100, 100_000],
    ['time.latency', 'us', 250, 0.25],
    ['io.h2d_bandwidth', 'GiB/s', 10, 10.73741824],
    ['io.h2d_bandwidth', 'MB/s', 500, 0.5],
  ])('converts %s from %s', async (metric, unit, value, stored) => {
    const comparison = await compared({ ...throughput, metric, unit, before: [value], after: [value] });
    expect(comparison.medianBefore).toBeCloseTo(stored, 9);
  });

  it('makes a metric of the project from a name, a unit and a direction', async () => {
    const own = { ...throughput, metric: 'frames', unit: 'frames/s', direction: 'HIGHER_IS_BETTER' };
    expect((await send(own)).data.recordMeasurement.primaryMetric).toEqual({
      key: 'frames',
      unit: 'frames/s',
      direction: 'HIGHER_IS_BETTER',
    });
    expect(await compared({ ...throughput, metric: 'frames' })).toMatchObject({ verdict: 'IMPROVED' });
    expect(await app.db.metric.count({ where: { key: 'frames', scope: shared.project.id } })).toBe(1);
    const contrary = await send({ ...own, direction: 'LOWER_IS_BETTER' });
    expect(contrary).toMatchObject({
      errorCode: 'INVALID_INPUT',
      errors: [{ message: 'The metric "frames" is HIGHER_IS_BETTER, not LOWER_IS_BETTER' }],
    });
    const other = await given.audit(app.db);
    const elsewhere = await app.owner.send(RECORD, {
      input: { ...throughput, metric: 'frames', auditItemId: other.item('precision/tf32').id },
    });
    expect(elsewhere.errors[0]?.message).toMatch(/^There is no metric "frames"/);
  });

  it.each([
    ['zero', [0, 1, 2, 3]],
    ['negative values', [-4, -3, -2, -1]],
  ])('shows the raw difference alone for %s', async (_, before) => {
    const comparison = await compared({ ...throughput, before });
    expect(comparison).toMatchObject({ verdict: 'INCONCLUSIVE', ratio: null, gain: null, pValue: null });
    expect(codes(comparison)).toContain('NOT_POSITIVE');
  });

  it.each([
    ['the largest', [1e300, 9e299, 8e299, 7e299]],
    ['the smallest', [5e-324, 5e-324, 5e-324, 5e-324]],
  ])('compares %s numbers there are', async (_, before) => {
    const comparison = await compared({ ...throughput, before });
    expect(comparison).toMatchObject({ nBefore: 4, verdict: expect.stringMatching(/IMPROVED|REGRESSED/) });
    expect(comparison.pValue).toBeLessThan(0.05);
  });

  it('compares a thousand values an arm', async () => {
    const before = Array.from({ length: 1000 }, (_, index) => 100 + (index % 7));
    const after = before.map((value) => value * 1.05);
    const comparison = await compared({ ...throughput, before, after });
    expect(comparison).toMatchObject({ nBefore: 1000, nAfter: 1000, verdict: 'IMPROVED', evidence: 'STATISTICAL' });
    expect(comparison.samples).toHaveLength(2000);
  });

  it('keeps secrets and names of people and machines out of the facts', async () => {
    await compared({
      ...throughput,
      environmentBefore: { driver: '580.1', hostname: 'node7', env: { HF_TOKEN: 'hf_abcdefghijklmnopqrstu' } },
      environmentAfter: { driver: '580.1', user: 'alice' },
    });
    const runs = await app.db.run.findMany({ where: { projectId: shared.project.id }, select: { environment: true } });
    expect(JSON.stringify(runs)).not.toMatch(/node7|alice|hf_abc/);
  });
});
