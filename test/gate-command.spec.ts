import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import { MeasuredFiles } from './support/measured-files.js';

const steady = [100, 101, 99, 100.5, 99.5, 100.2];
const noisy = [80, 125, 95, 130, 70, 110];
const times = (values: readonly number[], factor: number) => values.map((value) => Number((value * factor).toFixed(3)));
const ttft = ['--metric', 'serving.ttft.mean', '--separate-sessions'];

let files: MeasuredFiles;
beforeAll(async () => {
  files = await MeasuredFiles.make();
  await files.serving('base', steady);
  await files.serving('slower', times(steady, 1.1));
  await files.serving('faster', times(steady, 0.8));
  await files.serving('noisy', noisy);
  await files.serving('other-model', steady, { model_id: 'example/Model-13B' });
  await files.serving('failing', times(steady, 0.8), { failed: 5, num_prompts: 105 });
  await files.serving('crashed', times(steady, 0.8), { failed: 100, completed: 0 });
  await files.write('empty.json', '');
  await files.write('notes.md', '# What was measured\n');
});
afterAll(() => files.remove());

const gate = (...args: readonly string[]) => tunebook(['gate', ...args], { cwd: files.folder });
const arms = (before: string, after: string, ...more: readonly string[]) => [
  '--before', ...steady.map((_, index) => `${before}-${index + 1}.json`),
  '--after', ...steady.map((_, index) => `${after}-${index + 1}.json`), ...more,
]; // prettier-ignore
const head = ({ code, out }: { code: number | null; out: string }) => ({
  code,
  lines: (out.split('\n\n')[0] ?? '').split('\n'),
});

describe('tunebook gate', () => {
  it('passes what got better', async () => {
    expect(head(await gate(...arms('base', 'faster'), ...ttft))).toEqual({
      code: 0,
      lines: ['Gate passed: nothing is shown to be worse. Improved: serving.ttft.mean +25.0 % [23.8, 26.3]'],
    });
  });

  it('ends with 1 for a regression', async () => {
    expect(head(await gate(...arms('base', 'slower'), ...ttft))).toEqual({
      code: 1,
      lines: [
        'Gate failed: it got worse. Regressed: serving.ttft.mean −9.1 % [−10.0, −8.2]',
        '- serving.ttft.mean: got worse, −9.1 % [−10.0, −8.2]; threshold −2.0 %.',
      ],
    });
  });

  it('ends with 2 where a number that decides may be cut', async () => {
    const log = (latency: string) =>
      `[BENCHMARK] num_samples 200\n[BENCHMARK] total_latency(ms) 40000.00\n[BENCHMARK] seq_throughput(seq/sec) 5.00\n[BENCHMARK] avg_sequence_latency(ms) ${latency}`;
    await files.write('whole.txt', `${log('2239.20')}\n`);
    await files.write('cut.txt', log('22'));
    const latency = ['--metric', 'serving.e2e_latency.mean'];
    for (const [before, after] of [['whole.txt', 'cut.txt'], ['cut.txt', 'whole.txt']]) {
      const { code, lines } = head(await gate(before ?? '', after ?? '', ...latency));
      expect([code, lines.join('\n')]).toEqual([2, expect.stringContaining('cut.txt:4: error: Line 4 is the last one and does not end: what stands at its end, "22", may be cut and was left out.')]);
    }
  }); // prettier-ignore

  it('says gain and threshold on one scale, in each form', async () => {
    await files.serving('third', times(steady, 3.367));
    const limits = [...arms('base', 'third'), ...ttft, '--threshold', '90%'];
    expect(head(await gate(...limits)).lines[1]).toMatch(
      /^- serving\.ttft\.mean: got worse, −70\.3 % \[.*\]; threshold −47\.4 %\.$/,
    );
    const scope = 'Plus is better. Gains between −47.4 % and +90.0 % do not matter.';
    expect((await gate(...limits)).out).toContain(scope);
    expect((await gate(...limits, '--output', 'markdown')).out).toContain(scope);
    expect((await gate(...limits, '--lang', 'zh')).out).toContain('正值表示更好。−47.4% 与 +90.0% 之间的收益不计。');
    const [row] = JSON.parse((await gate(...limits, '--output', 'json')).out).rows;
    expect(row).toMatchObject({ threshold: 0.9, thresholdLoss: expect.closeTo(-0.47368, 5), gain: expect.closeTo(-0.703, 3) });
  }); // prettier-ignore

  it.each(['faster', 'slower'])('says nothing of what is %s where nobody reads it', async (after) => {
    const ended = await tunebook(['gate', ...arms('base', after), ...ttft], { cwd: files.folder, isUnread: true });
    expect(ended).toEqual({ code: 70, out: '', err: '' });
  });

  it('says so in Chinese, and in JSON', async () => {
    expect(head(await gate(...arms('base', 'slower'), ...ttft, '--lang', 'zh'))).toEqual({
      code: 1,
      lines: [
        '门禁未通过：出现退化。退化：serving.ttft.mean −9.1% [−10.0, −8.2]',
        '- serving.ttft.mean：变差，−9.1% [−10.0, −8.2]；阈值 −2.0%。',
      ],
    });
    const { out } = await gate(...arms('base', 'slower'), ...ttft, '--output', 'json');
    expect(JSON.parse(out).gate).toEqual({
      outcome: 'REGRESSED',
      exitCode: 1,
      reasons: [
        {
          code: 'REGRESSED',
          effect: 'FAILS',
          text: {
            en: 'serving.ttft.mean: got worse, −9.1 % [−10.0, −8.2]; threshold −2.0 %.',
            zh: 'serving.ttft.mean：变差，−9.1% [−10.0, −8.2]；阈值 −2.0%。',
          },
        },
      ],
    });
  });

  it('fails a gain whose guardrail got worse, also where it began at zero', async () => {
    expect(head(await gate(...arms('base', 'failing'), ...ttft))).toEqual({
      code: 1,
      lines: [
        'Gate failed: it got worse. Improved, but a guardrail failed: serving.ttft.mean +25.0 % [23.8, 26.3]',
        '- serving.failed_requests: a guardrail, got worse, every value after is worse than every value before.',
      ],
    });
  });

  it('passes what is not settled, loudly, unless it is told to refuse it', async () => {
    const passed = await gate(...arms('base', 'noisy'), ...ttft);
    expect(passed.code).toBe(0);
    expect(passed.out).toMatch(
      /^- serving\.ttft\.mean: not settled, the data allow both a change and none\. About \d+ more runs in each arm would settle it\.$/m,
    );
    expect(await gate(...arms('base', 'noisy'), ...ttft, '--fail-on', 'inconclusive')).toMatchObject({ code: 2 });
  });

  it('does not judge arms of different models', async () => {
    expect(head(await gate(...arms('base', 'other-model'), ...ttft))).toEqual({
      code: 2,
      lines: [
        'Gate not passed: it cannot be judged. Not comparable: serving.ttft.mean',
        '- serving.ttft.mean; serving.failed_requests: not comparable. Not declared as the variable, and different: workload.model (example/Model-7B before, example/Model-13B after).',
      ],
    });
  });

  it('does not judge by single runs, but by a noise floor that is given', async () => {
    const single = ['base-1.json', 'slower-1.json', '--metric', 'serving.ttft.mean'];
    const unjudged = await gate(...single);
    expect(unjudged.code).toBe(2);
    expect(unjudged.out).toContain('- serving.ttft.mean: one value an arm cannot be judged.');
    const judged = await gate(...single, '--noise-floor', '1%');
    expect(judged.code).toBe(1);
    expect(judged.out).toContain('Gate failed: it got worse. Signs of a regression: serving.ttft.mean −9.1 %');
  });

  it('refuses evidence that is weaker than asked for', async () => {
    const oneSession = arms('base', 'faster', '--metric', 'serving.ttft.mean');
    expect(await gate(...oneSession, '--require-evidence', 'indicative')).toMatchObject({ code: 0 });
    expect(head(await gate(...oneSession, '--require-evidence', 'statistical'))).toEqual({
      code: 2,
      lines: [
        'Gate not passed: it cannot be judged. Likely improved: serving.ttft.mean +25.0 % [23.8, 26.3]',
        '- serving.ttft.mean: the evidence is "indicative", weaker than "statistical", which is asked for.',
      ],
    });
  });

  it.each([
    ['empty', 'empty.json', 'The content is empty'],
    ['of no known format', 'notes.md', 'The content is of none of the'],
    ['of nothing but failed requests', 'crashed-1.json', 'No request was completed'],
  ])('never passes for a file that is %s, even where the others are well', async (_, file, message) => {
    const alone = await gate('base-1.json', file);
    expect(alone.code).toBe(2);
    expect(alone.out).toContain(message);
    const withOthers = await gate(...arms('base', 'faster'), file, ...ttft);
    expect(head(withOthers)).toEqual({
      code: 2,
      lines: [
        expect.stringContaining('Gate not passed: it cannot be judged. Improved'),
        expect.stringContaining(message),
      ],
    });
    expect(await gate(...arms('base', 'faster'), file, ...ttft, '--allow-missing')).toMatchObject({ code: 0 });
  });

  it('never passes where a metric is gone', async () => {
    const without = JSON.parse(await readFile(join(files.folder, 'faster-1.json'), 'utf8'));
    delete without.median_ttft_ms;
    await files.write('without.json', JSON.stringify(without));
    const floor = ['--noise-floor', '1%'];
    const lost = await gate('base-1.json', 'without.json', ...floor);
    expect(lost.code).toBe(2);
    expect(lost.out).toContain('- serving.ttft.median was measured before, and is missing after.');
    expect(await gate('base-1.json', 'without.json', ...floor, '--allow-missing')).toMatchObject({ code: 0 });
    const named = await gate(
      'base-1.json',
      'without.json',
      '--metric',
      'serving.ttft.median',
      ...floor,
      '--allow-missing',
    );
    expect(named.code).toBe(2);
    expect(named.out).toContain('No value of serving.ttft.median is in both arms.');
    const guard = await gate('base-1.json', 'faster-1.json', ...ttft, ...floor, '--guardrail', 'quality.score');
    expect(guard.code).toBe(2);
    expect(guard.out).toContain('- quality.score is not in both arms.');
  });

  it('does not let chance in one of many rows be a regression', async () => {
    const rows = (values: readonly (readonly number[])[]) => [
      'Benchmark',
      ...values.flatMap((one, row) => one.map((value) => `BenchmarkRow${row}-8 100 ${value} ns/op`)),
    ];
    const turned = (by: number) => [...steady.slice(by % 6), ...steady.slice(0, by % 6)];
    const others = (factor: number) =>
      Array.from({ length: 9 }, (_, row) => times(turned(row), factor + (row * row) / 1e4));
    const before = [[100, 101, 102, 109, 110, 111], ...others(1)];
    const after = [[108, 112, 113, 114, 115, 116], ...others(1.0002).reverse()];
    const text = (values: readonly (readonly number[])[]) =>
      ['goos: linux', 'pkg: example/rows', ...rows(values).slice(1), 'PASS'].join('\n');
    await files.write('many-before.txt', text(before));
    await files.write('many-after.txt', text(after));
    const sessions = ['--session-before', 'a', '--session-after', 'b'];
    const { code, out } = await gate('many-before.txt', 'many-after.txt', ...sessions);
    expect(out).toContain('corrected over 10 of them');
    expect(out).toMatch(
      /looks worse \(−\d+\.\d % \[.*\]\), but not once corrected for the number of rows: it may be chance\.$/m,
    );
    expect(code).toBe(0);
  });

  it('fails where all rows got worse, and passes nothing that it could never fail', async () => {
    const four = (name: string) => [1, 2, 3, 4].map((index) => `${name}-${index}.json`);
    // Four runs an arm, two rows: no correction may hide what all rows show
    const all = await gate('--before', ...four('base'), '--after', ...four('slower'), '--separate-sessions');
    expect(all.code).toBe(1);
    const table = (rows: readonly (readonly number[])[]) =>
      ['goos: linux', 'pkg: example/rows', ...rows.flatMap((one, row) => one.map((value) => `BenchmarkRow${row}-8 100 ${value} ns/op`)), 'PASS'].join('\n');
    const same = [[100, 102, 101, 103], [50, 51, 52, 53], [70, 73, 71, 72], [90, 91, 93, 92]];
    await files.write('four-before.txt', table([[100, 101, 102, 103], ...same]));
    await files.write('four-after.txt', table([[150, 151, 152, 153], ...same.map((row) => [...row].reverse())]));
    const sessions = ['--session-before', 'a', '--session-after', 'b'];
    const { code, out } = await gate('four-before.txt', 'four-after.txt', ...sessions);
    expect(code).toBe(2);
    expect(out).toContain(
      'One row of 5 cannot be told from chance with so few: measure at least 5 runs in each arm, or name the metric that decides by --metric.',
    );
  }); // prettier-ignore

  it('ends with 64 for a wrong command line, so that 1 means a regression', async () => {
    expect(await gate()).toMatchObject({ code: 64, out: '' });
    expect(await gate('--fail-on', 'anything', 'base-1.json', 'base-2.json')).toMatchObject({ code: 64, out: '' });
    expect(await gate('base-1.json', 'nowhere.json')).toMatchObject({ code: 2, out: '' });
    const help = await gate('--help');
    expect(help.code).toBe(0);
    expect(help.out).toContain('Example: tunebook gate --before main/*.json --after branch/*.json');
  });
});
