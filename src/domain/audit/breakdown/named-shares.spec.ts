import { describe, expect, it } from '@jest/globals';
import { readBreakdown, type StepTime } from './index.js';

const alone: StepTime = { stepSeconds: null, steps: null, devices: null };
const read = (text: string, step: Partial<StepTime> = {}) => readBreakdown(text, { ...alone, ...step });

describe("a person's own file", () => {
  it.each([
    ['shares in JSON', '{"compute":0.6,"communication":0.2,"input":0.05,"host":0.1}', { compute: 0.6, communication: 0.2, input: 0.05, host: 0.1 }],
    ['other words', '{"timeBreakdown":{"Kernels":0.6,"NCCL":0.2,"data loading":0.05,"cpu_overhead":0.1}}', { compute: 0.6, communication: 0.2, input: 0.05, host: 0.1 }],
    ['Chinese words', '类别,占比\n计算,60%\n通信,20%\n输入,5%\n主机,10%', { compute: 0.6, communication: 0.2, input: 0.05, host: 0.1 }],
    ['percentages in JSON', '{"compute":"62 %","comm":"20%","host":null}', { compute: 0.62, communication: 0.2, input: null, host: null }],
    ['bare percentages that add up', 'compute,communication,input,host,idle\n60,20,5,10,5\n', { compute: 0.6, communication: 0.2, input: 0.05, host: 0.1 }],
    ['percent in the header', 'category,share (%)\ncompute,60\nidle,30\nhost,10\n', { compute: 0.6, communication: null, input: null, host: 0.1 }],
    ['times and the time of the step', '{"compute_ms":6,"comm_ms":2,"step_ms":10}', { compute: 0.6, communication: 0.2, input: null, host: null }],
    ['times with units', 'compute;6 ms\nhost;500 us\ntotal;0.01 s\n', { compute: 0.6, communication: null, input: null, host: 0.05 }],
    ['bare parts of a bare whole', '{"compute":6,"host":2,"total":10}', { compute: 0.6, communication: null, input: null, host: 0.2 }],
    ['percentages rounded up', 'compute,communication,input,host\n50.5%,49.5%,0.5%,0.5%\n', { compute: 0.5, communication: 0.49009901, input: 0.00495049505, host: 0.00495049505 }],
  ])('is read with %s', (_, text, shares) => {
    const found = read(text);
    expect(found.format).toBe('named-shares');
    for (const [part, share] of Object.entries(shares)) {
      const value = found.shares?.[part as keyof typeof shares] ?? null;
      if (share === null) expect(value).toBeNull();
      else expect(value).toBeCloseTo(share, 8);
    }
  }); // prettier-ignore

  it('has times of the step where that is given', () => {
    const { lines } = read('{"compute":0.6,"host":0.1}', { stepSeconds: 2 });
    expect(lines.map(({ name, seconds }) => [name, seconds])).toEqual([
      ['compute', 1.2],
      ['host', 0.2],
    ]);
  });

  it.each([
    ['numbers without a unit', '{"compute":12.3,"comm":4}', 'The values add up to 16.3 and say no unit: write shares up to 1, "62 %", or times such as "12.3 ms"'],
    ['units that are mixed', '{"compute":"60 %","comm":0.2}', 'Shares, percentages and times are mixed: give all values alike'],
    ['more than the whole', '{"compute":"80 %","comm":"30 %"}', 'The parts add up to 110 % of the whole'],
    ['a part that stands twice', '{"compute":0.5,"kernels":0.2}', '"kernels" names a part that is there already'],
    ['words for numbers', '{"compute":0.5,"host":"much"}', 'host "much" is no share, percentage or time'],
    ['negative values', '{"compute":0.5,"host":-0.1}', 'host "-0.1" is no share, percentage or time'],
    ['zeros alone', '{"compute":0,"host":0}', 'All values are 0'],
  ])('is refused with %s', (_, text, message) => {
    const { shares, problems } = read(text);
    expect(shares).toBeNull();
    expect(problems.find(({ severity }) => severity === 'ERROR')?.message.en).toBe(message);
  }); // prettier-ignore
});
