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

  it.each([
    ['decimal commas between semicolons', 'compute;12,5 ms\ncommunication;3,75 ms\ninput;1,25 ms\nhost;2,5 ms\ntotal;25 ms\n', { compute: 0.5, communication: 0.15, input: 0.05, host: 0.1 }],
    ['shares with decimal commas', 'compute;0,9\ncommunication;0,091\n', { compute: 0.9, communication: 0.091 }],
    ['percent with decimal commas and a head', 'Anteil;Prozent (%)\ncompute;62,5\nhost;2,5\n', { compute: 0.625, host: 0.025 }],
    ['the separator that Excel names', 'sep=;\ncompute;host\n0,6;0,25\n', { compute: 0.6, host: 0.25 }],
    ['tabs', 'compute\t0,6\nhost\t0,25\n', { compute: 0.6, host: 0.25 }],
    ['thousands by the mark of the file', 'compute;1.250,5 ms\nhost;1.000 ms\ntotal;2.501,0 ms\n', { compute: 0.5, host: 0.399840064 }],
    ['thousands and decimal points', 'compute,"1,250.5 ms"\nhost,"1,000 ms"\ntotal,2501.0 ms\n', { compute: 0.5, host: 0.399840064 }],
    ['a quoted decimal comma', 'compute,"0,6"\nhost,"0,25"\n', { compute: 0.6, host: 0.25 }],
    ['text in JSON', '{"compute":"12,5 ms","host":"2,5 ms","step":"25 ms"}', { compute: 0.5, host: 0.1 }],
    ['a percent sign on the name', 'compute%;host%\n62,5;12,5\n', { compute: 0.625, host: 0.125 }],
  ])('is read with %s', (_, text, shares) => {
    const found = read(text);
    expect(found.problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
    expect(found.shares).toMatchObject(shares);
  }); // prettier-ignore

  it.each([
    ['a comma before three digits', 'compute;1,234 ms\nhost;500 us\n', 1, 'compute "1,234 ms" can be 1.234 or 1234, and the file does not tell which: write numbers with a decimal point and without separators of thousands'],
    ['a point before three digits between semicolons', 'compute;1.234 ms\nhost;500 us\n', 1, 'compute "1.234 ms" can be 1.234 or 1234, and the file does not tell which: write numbers with a decimal point and without separators of thousands'],
    ['both marks in one file', 'compute;12.5 ms\nhost;2,5 ms\ninput;1,234 ms\n', 3, 'input "1,234 ms" can be 1.234 or 1234, and the file does not tell which: write numbers with a decimal point and without separators of thousands'],
    ['a comma that cuts a number', 'compute,12,5 ms\ncommunication,3,5 ms\n', 1, 'There are 3 cells here, and 2 are expected: put a number with a comma into quotes, or part the cells with ";"'],
    ['commas that cut numbers under a head', 'part,time (ms)\ncompute,12,5\nhost,2\n', 2, 'There are 3 cells here, and 2 are expected: put a number with a comma into quotes, or part the cells with ";"'],
    ['commas that cut a row', 'compute,communication\n0,5,0,25\n', 2, 'There are 4 cells here, and 2 are expected: put a number with a comma into quotes, or part the cells with ";"'],
    ['groups of wrong size', 'compute;1,23,456 ms\nhost;2 ms\n', 1, 'compute "1,23,456 ms" is no share, percentage or time'],
    ['a value that is no finite number', 'compute_s,communication_s\n1e999,5\n', 2, 'compute_s "1e999" is too large'],
    ['a value whose sums would not be finite', 'compute_s,communication_s,input_s\n1e308,1e308,1\n', 2, 'compute_s "1e308" is too large'],
    ['an infinite number of JSON', '{"compute":1e999,"host":1}', 1, 'compute "Infinity" is no share, percentage or time'],
  ])('is refused with %s', (_, text, line, message) => {
    const { shares, problems } = read(text);
    expect(shares).toBeNull();
    expect(problems[0]).toMatchObject({ line, severity: 'ERROR', message: { en: message } });
  }); // prettier-ignore

  it('says in Chinese alone what it cannot read', () => {
    expect(read('compute;1,234 ms\nhost;500 us\n').problems[0]?.message.zh).toBe(
      'compute 的值“1,234 ms”可以读作 1.234 或 1234，而文件本身无法说明是哪一个：请使用小数点，不要使用千位分隔符',
    );
    expect(read('compute,0.6\nhost,0.1').problems.map(({ message: { zh } }) => zh)).toEqual(['未给出，因此未知：通信、输入']);
    expect(read('hello').problems[0]?.message.zh).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/);
  }); // prettier-ignore

  it('is JSON whatever names it has', () => {
    expect(read('{"other":0.1,"kernel":0.5,"dataloader":0.1,"runtime":0.1}').format).toBe('named-shares');
  });
});
