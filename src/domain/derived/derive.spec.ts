import { describe, expect, it } from '@jest/globals';
import { derivedValues, type DerivedValue } from './derive.js';
import { fleetOf, type GivenFleet } from './fleet.js';
import { quantities } from './quantities.js';
import type { DerivableRun, ObservedPoint } from './run-inputs.js';

const point = (metric: string, value: number, unit: string, extra: Partial<ObservedPoint> = {}): ObservedPoint => ({
  metric,
  unit,
  value,
  dimensions: {},
  repeats: [],
  ...extra,
});
const run = (observations: readonly ObservedPoint[], facts: DerivableRun['environment'] = { 'gpu.count': 8 }) => ({
  environment: facts,
  workload: {},
  observations,
});
const priced: GivenFleet = { currency: 'USD', pricePerGpuHour: 2.5, pricePerKwh: 0.1, pue: 1.25 };
const derived = (of: DerivableRun, given: GivenFleet = priced, gpus: number | null = null): readonly DerivedValue[] =>
  derivedValues(of, (key) => ({ en: key, zh: key }), fleetOf(null, given), gpus);
const valueOf = (of: DerivableRun, key: string, given?: GivenFleet, gpus?: number): DerivedValue => {
  const found = derived(of, given, gpus ?? null).find((one) => one.key === key);
  if (!found) throw new Error(`No ${key}`);
  return found;
};

const OUTPUT = 'serving.output_token_throughput';
const serving = [
  point(OUTPUT, 10_000, 'tokens/s'),
  point('power.average', 5600, 'W', { dimensions: { boundary: 'gpus' } }),
];
const training = [
  point('training.step_time', 720, 'ms'),
  point('training.token_throughput', 50_000, 'tokens/s'),
  point('power.average', 5600, 'W', { dimensions: { boundary: 'gpus' } }),
]; // prettier-ignore

describe('derived values', () => {
  it.each([
    // 8 × 2.50 USD/h = 20 USD/h over 36 million tokens an hour
    ['cost.per_million_output_tokens', 0.555556, 'USD', serving],
    // 5.6 kW × 1.25 = 7 kW; a million tokens take 100 s: 0.19444 kWh at 0.10 USD
    ['cost.electricity_per_million_output_tokens', 0.0194444, 'USD', serving],
    ['energy.per_output_token', 0.56, 'J/token', serving],
    ['energy.output_tokens_per_joule', 1.785714, 'tokens/J', serving],
    ['energy.output_tokens_per_kwh', 6_428_571.43, 'tokens/kWh', serving],
    ['throughput.output_tokens_per_gpu', 1250, 'tokens/s', serving],
    // 20 USD/h ÷ 3600 s × 0.72 s
    ['cost.per_step', 0.004, 'USD', training],
    ['cost.per_million_trained_tokens', 0.111111, 'USD', training],
    ['energy.per_step', 4032, 'J/step', training],
    ['energy.per_trained_token', 0.112, 'J/token', training],
    ['cost.per_thousand_requests', 0.277778, 'USD', [point('serving.request_throughput', 20, 'requests/s')]],
    ['goodput.requests_per_gpu', 2, 'requests/s', [point('serving.request_goodput', 16, 'requests/s')]],
    ['cost.per_million_total_tokens', 0.277778, 'USD', [point('serving.total_token_throughput', 20_000, 'tokens/s')]],
    ['throughput.trained_samples_per_gpu', 12.5, 'samples/s', [point('training.throughput', 100, 'samples/s')]],
  ])('gives %s as %d %s', (key, value, unit, observations) => {
    const found = valueOf(run(observations), key);
    expect(found.missing).toEqual([]);
    expect(found.value).toBeCloseTo(value, value > 1e6 ? 1 : 5);
    expect(found.unit).toBe(unit);
  });

  it('gives the model FLOPs utilization where the facts have a peak and the arithmetic of the model', () => {
    const facts = { 'gpu.count': 8, 'gpu.peak_flops': 989 };
    const of = { ...run(training, facts), workload: { 'workload.flops_per_token': 4.8e10 } };
    // 4.8e10 × 50,000 ÷ (8 × 989e12)
    expect(valueOf(of, 'training.mfu').value).toBeCloseTo(0.303337, 6);
    const missing = valueOf(run(training), 'training.mfu');
    expect([missing.value, missing.missing.map(({ key }) => key)]).toEqual([
      null,
      ['workload.flops_per_token', 'gpu.peak_flops'],
    ]);
  });

  it('says which inputs it used and where they come from', () => {
    const { inputs, formula } = valueOf(run(serving), 'cost.per_million_output_tokens');
    expect(inputs.map(({ key, value, unit, source }) => [key, value, unit, source])).toEqual([
      [OUTPUT, 10_000, 'tokens/s', 'OBSERVATION'],
      ['gpu.count', 8, 'count', 'ENVIRONMENT'],
      ['pricePerGpuHour', 2.5, 'USD', 'ARGUMENT'],
    ]);
    expect(formula.en).toBe(`gpu.count × pricePerGpuHour ÷ (${OUTPUT} × 3,600) × 1,000,000`);
  });

  it.each([
    ['no price', serving, { 'gpu.count': 8 }, {}, 'cost.per_million_output_tokens', ['pricePerGpuHour']],
    ['no number of GPUs', serving, {}, priced, 'cost.per_million_output_tokens', ['gpu.count']],
    ['no power', [point(OUTPUT, 10, 'tokens/s')], { 'gpu.count': 1 }, priced, 'energy.per_output_token', ['power']],
    ['a throughput of zero', [point(OUTPUT, 0, 'tokens/s')], { 'gpu.count': 1 }, priced, 'throughput.output_tokens_per_gpu', [OUTPUT]],
    ['the throughput of one engine', [point(OUTPUT, 10, 'tokens/s', { dimensions: { engine: 0 } })], { 'gpu.count': 1 }, priced, 'throughput.output_tokens_per_gpu', [OUTPUT]],
    ['power that may be of one GPU', [point(OUTPUT, 10, 'tokens/s'), point('power.average', 700, 'W')], { 'gpu.count': 8 }, priced, 'energy.per_output_token', ['power']],
    ['the power of one GPU of eight', [point(OUTPUT, 10, 'tokens/s'), point('power.average', 700, 'W', { dimensions: { gpu: 0 } })], { 'gpu.count': 8 }, priced, 'energy.per_output_token', ['power']],
    ['a parallelism that uses fewer GPUs than there are', serving, { 'gpu.count': 8, 'workload.parallelism.tp': 2 }, priced, 'cost.per_million_output_tokens', ['gpu.count']],
  ])('gives nothing for %s, and says what is missing', (_, observations, facts, fleet, key, missing) => {
    const found = valueOf(run(observations, facts), key, fleet);
    expect([found.value, found.low, found.high]).toEqual([null, null, null]);
    expect(found.missing.map((one) => one.key)).toEqual(missing);
    for (const { reason } of found.missing) {
      expect(reason.en).not.toBe('');
      expect(reason.zh).toMatch(/\p{Script=Han}/u);
    }
  }); // prettier-ignore

  it.each([
    ['gpu.count as text', { 'gpu.count': '4' }, 4],
    ['nodes × GPUs of a node', { 'gpu.per_node': 8, 'nodes.count': 2 }, 16],
    ['a parallelism that is stated as a whole', { 'workload.parallelism.tp': 4, 'workload.parallelism.pp': 2, 'workload.parallelism.dp': 1 }, 8],
    ['a parallelism that agrees', { 'gpu.count': 8, 'workload.parallelism.tp': 4, 'workload.parallelism.dp': 2 }, 8],
  ])('counts GPUs by %s', (_, facts, gpus) => {
    expect(valueOf(run(serving, facts), 'throughput.output_tokens_per_gpu').value).toBe(10_000 / gpus);
  }); // prettier-ignore

  it('takes the number of GPUs that the caller says over all facts', () => {
    expect(valueOf(run(serving, { 'gpu.count': 8 }), 'throughput.output_tokens_per_gpu', priced, 2).value).toBe(5000);
  });

  it('adds the power of all devices, and takes that of the only one', () => {
    const devices = [0, 1].map((gpu) => point('gpu.power_draw', 500 + gpu * 100, 'W', { dimensions: { gpu } }));
    const of = (power: readonly ObservedPoint[], gpus: number) =>
      valueOf(run([point(OUTPUT, 1000, 'tokens/s'), ...power], { 'gpu.count': gpus }), 'energy.per_output_token').value;
    expect(of(devices, 2)).toBe(1.1);
    expect(of([point('power.average', 0.7, 'kW')], 1)).toBe(0.7);
  });

  it('takes power that the caller gives for each GPU, and none that is the mean of a fleet', () => {
    const of = run([point(OUTPUT, 1000, 'tokens/s')]);
    expect(valueOf(of, 'energy.per_output_token', { powerPerGpu: 500 }).value).toBe(4);
    const [setting] = derivedValues(of, (key) => ({ en: key, zh: key }), fleetOf({ powerPerGpu: 500 }, null), null).filter(
      ({ key }) => key === 'energy.per_output_token',
    );
    expect(setting?.missing.map(({ key }) => key)).toEqual(['power']);
  });

  it('gives one value for each point, and takes the power of that point alone', () => {
    const at = (concurrency: number) => ({ dimensions: { concurrency } });
    const power = point('power.average', 700, 'W', at(2));
    const of = run([point(OUTPUT, 100, 'tokens/s', at(1)), point(OUTPUT, 350, 'tokens/s', at(2)), power], { 'gpu.count': 1 });
    const values = derived(of).filter(({ key }) => key === 'energy.per_output_token');
    expect(values.map(({ dimensions, value }) => [dimensions, value])).toEqual([
      [{ concurrency: 1 }, null],
      [{ concurrency: 2 }, 2],
    ]);
  });

  it('carries the range of the repetitions through, and takes their median', () => {
    const found = valueOf(run([point(OUTPUT, 1, 'tokens/s', { repeats: [8000, 10_000, 12_500] })]), 'cost.per_million_output_tokens');
    expect([found.low, found.value, found.high].map((one) => one?.toFixed(4))).toEqual(['0.4444', '0.5556', '0.6944']);
  });

  it('says nothing of a run that observed none of the metrics', () => {
    expect(derived(run([point('fabric.busbw.avg', 100, 'GB/s')]))).toEqual([]);
  });

  it('does not depend on the unit of the observation', () => {
    const inMs = valueOf(run([point('training.step_time', 720, 'ms')]), 'cost.per_step').value;
    const inHours = valueOf(run([point('training.step_time', 0.0002, 'h')]), 'cost.per_step').value;
    expect(inHours).toBeCloseTo(inMs ?? NaN, 12);
  });

  it.each(quantities.map((quantity) => [quantity.key, quantity] as const))('%s rises or falls throughout', (_, quantity) => {
    const others = quantity.needs.map((__, index) => 1.5 + index);
    const values = [1, 2, 5, 100, 1e6].map((measured) => quantity.of(measured, ...others));
    const signs = new Set(values.slice(1).map((value, index) => Math.sign(value - (values[index] ?? NaN))));
    expect([...signs]).toHaveLength(1);
    expect(values.every((value) => value > 0)).toBe(true);
  });
}); // prettier-ignore
