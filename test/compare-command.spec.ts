import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import { MeasuredFiles } from './support/measured-files.js';

const steady = [100, 101, 99, 100.5, 99.5, 100.2];
const times = (factor: number) => steady.map((value) => Number((value * factor).toFixed(3)));
const ownMetric = ['--metric', 'my.latency', '--unit', 'ms', '--direction', 'lower', '--threshold', '5%'];
const ttft = ['--metric', 'serving.ttft.mean'];

let files: MeasuredFiles;
beforeAll(async () => {
  files = await MeasuredFiles.make();
  await files.serving('base', steady);
  await files.serving('slower', times(1.1));
  await files.serving('faster', times(0.8));
  await files.serving('same', times(1.002));
  await files.serving('other-model', times(0.8), { model_id: 'example/Model-13B' });
  await files.write('before.txt', '10.0 10.1 9.9 10.05 9.95 10.02\n');
  await files.write('after.txt', '# of the branch\n9.0, 9.1, 8.9, 9.05, 8.95, 9.02\n');
});
afterAll(() => files.remove());

const compare = (...args: readonly string[]) => tunebook(['compare', ...args], { cwd: files.folder });
const arms = (before: string, after: string) => [
  '--before', ...steady.map((_, index) => `${before}-${index + 1}.json`),
  '--after', ...steady.map((_, index) => `${after}-${index + 1}.json`),
]; // prettier-ignore

describe('tunebook compare', () => {
  it('prints an aligned table, its verdict first, and says what it rests on', async () => {
    const { code, out, err } = await compare(...arms('base', 'slower'), ...ttft, '--separate-sessions');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'Regressed: serving.ttft.mean −9.1 % [−10.0, −8.2]',
      '',
      'Metric                               Better      n    Before     After           Gain [95 %]  Evidence     Verdict',
      '-----------------------------------  ------  -----  --------  --------  --------------------  -----------  -----------------',
      'serving.ttft.mean                    lower   6 / 6  100.1 ms  110.1 ms  −9.1 % [−10.0, −8.2]  statistical  regressed; strong',
      'serving.failed_requests (guardrail)  lower   6 / 6   0 count   0 count                     –  none         not worse',
      '',
      'How it was judged:',
      '  Primary: serving.ttft.mean.',
      '  Guardrails: serving.failed_requests.',
      '  Plus is better. Gains between −2.0 % and +2.0 % do not matter.',
      '',
      'Warnings:',
      '  serving.failed_requests: Ratio and gain need values above zero. The raw difference, after minus before, is 0 count.',
      '',
    ]);
  });

  it('compares runs whose prompts differ by a token, not those of another length', async () => {
    const of = (total: number) => ({ completed: 100, num_prompts: 100, total_input_tokens: total });
    await files.serving('whole', steady, of(204_800));
    await files.serving('token-less', times(0.8), of(204_799));
    await files.serving('long', times(0.8), of(409_600));
    const near = await compare(...arms('whole', 'token-less'), ...ttft, '--separate-sessions');
    expect(near.out.split('\n')[0]).toBe('Improved: serving.ttft.mean +25.0 % [23.8, 26.3]');
    expect((await compare(...arms('whole', 'long'), ...ttft)).out).toContain('workload.input_tokens: 2048 → 4096');
  });

  it('aligns Chinese by the width that a terminal gives it', async () => {
    const { code, out } = await tunebook(['compare', ...arms('base', 'same'), ...ttft, '--separate-sessions'], {
      cwd: files.folder,
      env: { LC_ALL: 'zh_CN.UTF-8' },
    });
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 6)).toEqual([
      '无实质变化：serving.ttft.mean −0.20% [−1.19, 0.80]',
      '',
      '指标                            更优      n    改动前    改动后            收益 [95%]  证据  结论',
      '------------------------------  ----  -----  --------  --------  --------------------  ----  ----------',
      'serving.ttft.mean               越低  6 / 6  100.1 ms  100.3 ms  −0.20% [−1.19, 0.80]  统计  无实质变化',
      'serving.failed_requests (护栏)  越低  6 / 6   0 count   0 count                     –  无    未变差',
    ]);
  });

  it('takes the primary metrics of the catalog, and corrects their p values over all of them', async () => {
    const { out } = await compare(...arms('base', 'faster'), '--separate-sessions', '--output', 'json');
    const { primaryFrom, familySize, verdict, evidence, rows } = JSON.parse(out);
    expect({ primaryFrom, familySize, verdict, evidence }).toEqual({
      primaryFrom: 'PRIMARY',
      familySize: 5,
      verdict: 'IMPROVED',
      evidence: 'STATISTICAL',
    });
    expect(
      rows.map(({ metric, role, verdict: own, gain, pValue, adjustedP }: Record<string, unknown>) => ({
        metric,
        role,
        verdict: own,
        gain,
        pValue,
        adjustedP,
      })),
    ).toEqual([
      ...[
        'serving.request_throughput',
        'serving.output_token_throughput',
        'serving.ttft.mean',
        'serving.ttft.median',
      ].map((metric) => ({
        metric,
        role: 'PRIMARY',
        verdict: 'IMPROVED',
        gain: expect.closeTo(0.25, 3),
        pValue: expect.closeTo(2 / 924, 8),
        adjustedP: expect.closeTo(2 / 924, 8),
      })),
      {
        metric: 'serving.tpot.mean',
        role: 'PRIMARY',
        verdict: 'NO_MEANINGFUL_CHANGE',
        gain: 0,
        pValue: 1,
        adjustedP: 1,
      },
      {
        metric: 'serving.failed_requests',
        role: 'GUARDRAIL',
        verdict: 'INCONCLUSIVE',
        gain: null,
        pValue: null,
        adjustedP: null,
      },
    ]);
  });

  it('gives JSON of a stable shape', async () => {
    const { code, out } = await compare('before.txt', 'after.txt', ...ownMetric, '--output', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      format: 'tunebook-comparison/1',
      verdict: 'IMPROVED',
      verdictText: { en: 'likely improved', zh: '很可能改善' },
      evidence: 'INDICATIVE',
      isConfounded: false,
      nBefore: 6,
      nAfter: 6,
      primary: ['my.latency'],
      primaryFrom: 'NAMED',
      guardrails: [],
      familySize: 1,
      files: {
        before: [{ name: 'before.txt', format: 'plain-values', runCount: 1 }],
        after: [{ name: 'after.txt', format: 'plain-values', runCount: 1 }],
      },
      rows: [
        {
          metric: 'my.latency',
          unit: 'ms',
          direction: 'LOWER_IS_BETTER',
          role: 'PRIMARY',
          dimensions: {},
          nBefore: 6,
          nAfter: 6,
          medianBefore: expect.closeTo(10.01, 8),
          medianAfter: expect.closeTo(9.01, 8),
          ratio: expect.closeTo(0.9, 3),
          gain: expect.closeTo(0.111, 3),
          gainLow: expect.closeTo(0.099, 3),
          gainHigh: expect.closeTo(0.123, 3),
          gainLow90: expect.any(Number),
          gainHigh90: expect.any(Number),
          pValue: expect.closeTo(2 / 924, 8),
          adjustedP: null,
          threshold: 0.05,
          thresholdLoss: expect.closeTo(-0.047619, 6),
          requiredGain: 0.05,
          method: 'MANN_WHITNEY',
          methodVersion: expect.any(String),
          evidence: 'INDICATIVE',
          verdict: 'IMPROVED',
          verdictText: { en: 'likely improved', zh: '很可能改善' },
          isStrong: true,
          isConfounded: false,
          moreRunsPerArm: null,
          warnings: [
            {
              code: 'ONE_SESSION_ARM',
              details: { arms: ['BEFORE', 'AFTER'] },
              message: { en: expect.any(String), zh: expect.any(String) },
            },
          ],
        },
      ],
      differences: [],
      oneSided: [],
      problems: [],
      gate: null,
    });
  });

  it('gives Markdown for a pull request, with what the files say as text alone', async () => {
    await files.serving('sly', times(0.8), { model_id: '<img src=x> @team #12 [a](b) | x' });
    const { out } = await compare(...arms('base', 'sly'), ...ttft, '--variable', 'nothing', '--output', 'markdown');
    expect(out.split('\n')).toEqual([
      '**⚠️ Tunebook: Not comparable: serving.ttft.mean**',
      '',
      '| Metric | Better | n | Before | After | Gain \\[95 %] | Evidence | Verdict |',
      '| --- | --- | ---: | ---: | ---: | ---: | --- | --- |',
      '| serving.ttft.mean | lower | 6 / 6 | 100.1 ms | 80.08 ms | – | none | ⚠️ not comparable |',
      '| serving.failed_requests (guardrail) | lower | 6 / 6 | 0 count | 0 count | – | none | ⚠️ not comparable |',
      '',
      '<details>',
      '<summary>How it was judged (3)</summary>',
      '',
      '- Primary: serving.ttft.mean.',
      '- Guardrails: serving.failed_requests.',
      '- Plus is better. Gains between −2.0 % and +2.0 % do not matter.',
      '',
      '</details>',
      '',
      '<details>',
      '<summary>Warnings (3)</summary>',
      '',
      '- Not declared as the variable, and different: workload.model (example/Model-7B before, \\<img src=x> @\u200bteam #\u200b12 \\[a](b) | x after).',
      '- serving.ttft.mean: The guardrail serving.failed_requests is not shown to hold: its arms are not comparable.',
      '- Declared as the variable, and in none of the runs: nothing. Check the name, or say what each arm had.',
      '',
      '</details>',
      '',
      '<details>',
      '<summary>Undeclared differences (1)</summary>',
      '',
      '- blocking: workload.model: example/Model-7B → \\<img src=x> @\u200bteam #\u200b12 \\[a](b) | x',
      '',
      '</details>',
      '',
    ]);
  });

  it('ends with 2 where another model was measured, and compares once that was declared', async () => {
    const refused = await compare(...arms('base', 'other-model'), ...ttft);
    expect(refused).toMatchObject({ code: 2, err: '' });
    expect(refused.out).toContain('blocking: workload.model: example/Model-7B → example/Model-13B');
    const declared = await compare(...arms('base', 'other-model'), ...ttft, '--variable', 'model');
    expect(declared.code).toBe(0);
    expect(declared.out).toContain('Likely improved: serving.ttft.mean +25.0 % [23.8, 26.3]');
  });

  it('labels as confounded what a fact tells apart that nobody declared', async () => {
    const facts = ['--set', 'gpu.sku=H200', '--set-before', 'driver=570.1', '--set-after', 'driver=580.2'];
    const { code, out } = await compare(...arms('base', 'faster'), ...ttft, '--separate-sessions', ...facts);
    expect(code).toBe(0);
    expect(out).toMatch(/indicative {2}likely improved; strong; confounded$/m);
    expect(out).toContain('warning: driver: 570.1 → 580.2');
    expect(out).not.toContain('gpu.sku');
  });

  it('takes two words for the same thing as one', async () => {
    const words = ['--set-before', 'workload.precision=bf16', '--set-after', 'workload.precision=bfloat16'];
    const skus = ['--set-before', 'gpu.sku=H100 SXM', '--set-after', 'gpu.sku=NVIDIA H100 80GB HBM3'];
    const where = ['--where', 'workload.precision=torch.bfloat16'];
    const { code, out } = await compare(
      ...arms('base', 'faster'),
      ...ttft,
      '--separate-sessions',
      ...words,
      ...skus,
      ...where,
    );
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^Improved: serving\.ttft\.mean /);
    expect(out).not.toContain('confounded');
  });

  it('compares a sweep point by point, or one point of it', async () => {
    const sweep = async (name: string, factor: number) =>
      files.write(
        name,
        JSON.stringify(
          await Promise.all(
            [1, 8].flatMap((concurrency) =>
              steady.map(async (_, index) => ({
                ...JSON.parse(await readFile(join(files.folder, `base-${index + 1}.json`), 'utf8')),
                max_concurrency: concurrency,
                mean_ttft_ms: (steady[index] ?? 0) * (concurrency === 8 ? factor * 3 : 1),
              })),
            ),
          ),
        ),
      );
    await sweep('sweep-before.json', 1);
    await sweep('sweep-after.json', 1.2);
    const all = await compare(
      'sweep-before.json',
      'sweep-after.json',
      ...ttft,
      '--session-before',
      'a',
      '--session-after',
      'b',
    );
    expect(all.out).toMatch(/^serving\.ttft\.mean +concurrency = 1 +lower +6 \/ 6 .* likely no meaningful change$/m);
    expect(all.out).toMatch(
      /^serving\.ttft\.mean +concurrency = 8 +lower +6 \/ 6 +300\.3 ms +360\.4 ms .* likely regressed; strong$/m,
    );
    const one = await compare(
      'sweep-before.json',
      'sweep-after.json',
      ...ttft,
      '--where',
      'concurrency=8',
      '--output',
      'json',
    );
    expect(JSON.parse(one.out).rows).toHaveLength(2);
  });

  it('pairs files by their order', async () => {
    const drifting = [100, 110, 90, 120, 80, 130];
    await files.serving('drift', drifting);
    await files.serving('drift-faster', drifting.map((value) => value * 0.95)); // prettier-ignore
    const { out } = await compare(...arms('drift', 'drift-faster'), ...ttft, '--separate-sessions', '--pairs');
    expect(out).toMatch(/\+5\.3 % \[5\.3, 5\.3\] +paired +improved; strong$/m);
    const uneven = await compare('--before', 'base-1.json', '--after', 'same-1.json', 'same-2.json', '--pairs');
    expect(uneven).toMatchObject({
      code: 64,
      err: 'error: --pairs needs as many files after as before, here 1 before and 2 after\n',
    });
  });

  it('reads folders, files packed by gzip, UTF-16 and the standard input', async () => {
    await mkdir(join(files.folder, 'main/nested'), { recursive: true });
    const plain = await readFile(join(files.folder, 'before.txt'));
    await writeFile(join(files.folder, 'main/nested/values.txt.gz'), gzipSync(plain));
    await writeFile(join(files.folder, 'main/.hidden'), 'not read');
    await files.write('utf16.txt', Buffer.from(`\uFEFF${plain.toString()}`, 'utf16le'));
    const args = ['compare', '--before', 'main', '--after', '-', ...ownMetric];
    const { code, out } = await tunebook(args, { cwd: files.folder, input: '9 9.1 8.9 9.05 8.95 9.02\n' });
    expect({ code, first: out.split('\n')[0] }).toEqual({
      code: 0,
      first: 'Likely improved: my.latency +11.1 % [9.9, 12.3]',
    });
    const twin = await compare('before.txt', 'utf16.txt', ...ownMetric);
    expect(twin.code).toBe(2);
    expect(twin.out).toContain('utf16.txt: error: The content is that of before.txt, which is in the other arm');
  });

  it('counts the same content once', async () => {
    await files.write('copy.txt', await readFile(join(files.folder, 'before.txt')));
    const { out } = await compare('--before', 'before.txt', 'copy.txt', '--after', 'after.txt', ...ownMetric);
    expect(out).toContain('copy.txt: warning: The content is that of before.txt: it counts once');
    expect(out).toMatch(/^my\.latency +lower +6 \/ 6/m);
  });

  it.each([
    [['missing.json', 'after.txt'], 2, 'missing.json cannot be read: there is no such file or folder'],
    [['before.txt'], 64, 'error: two files or folders are compared, before and after, and 1 were given'],
    [['--before', 'before.txt'], 64, 'error: both --before and --after are needed'],
    [['-', '-'], 64, 'error: the standard input (-) can be read once'],
    [['before.txt', 'after.txt', '--metric', 'a.b', '--unit', 'parsecs', '--direction', 'lower'], 64, 'error: the unit "parsecs" is not known'],
    ...['b/s', 'Gb'].map((unit): [string[], number, string] => [['before.txt', 'after.txt', '--metric', 'a.b', '--unit', unit, '--direction', 'lower'], 64, `error: "${unit}" can be read in more than one way. Write ${unit === 'Gb' ? 'GB or GiB or Gbit' : 'B/s or bit/s'}`]),
    [['before.txt', 'after.txt', '--metric', 'io.read_bandwidth', '--unit', 'gb/s'], 64, 'error: "gb/s" can be read in more than one way. Write GB/s or GiB/s or Gbit/s'],
    [['before.txt', 'after.txt', '--metric', 'memory.peak_allocated', '--unit', 'GB'], 64, 'error: 1 GB of "memory.peak_allocated" can be read in two ways: tools of memory print GB for GiB too. Write GiB or 10^9 B.'],
    [['before.txt', 'after.txt', '--metric', 'a.b'], 64, 'error: the metric "a.b" is not in the catalog: describe it by --unit and --direction'],
    [['base-1.json', 'same-1.json', '--metric', 'serving.ttft.mean', '--direction', 'higher'], 64, 'error: the catalog says of serving.ttft.mean LOWER_IS_BETTER, so it is not "higher"'],
    [['base-1.json', 'same-1.json', '--metric', 'serving.ttft.mean', '--unit', 'GB'], 64, 'error: serving.ttft.mean is in ms, and "GB" measures another dimension'],
    [['base-1.json', 'same-1.json', '--threshold', '5'], 64, 'error: --threshold 5 would be 500 %: write 5% or 0.05'],
    [['base-1.json', 'same-1.json', '--threshold', '1.0'], 64, 'error: --threshold 1.0 would be 100 %: write 1.0% or 0.01'],
    [['base-1.json', 'same-1.json', '--noise-floor', '2'], 64, 'error: --noise-floor 2 would be 200 %: write 2% or 0.02'],
    [['base-1.json', 'same-1.json', '--threshold', '150'], 64, 'error: --threshold 150 would be 15000 %: write 150%'],
    [['base-1.json', 'same-1.json', '--threshold', '0'], 64, 'error: --threshold takes a fraction above zero, such as 0.02 or 2%, not "0"'],
    [['base-1.json', 'same-1.json', '--output', 'yaml'], 64, "error: option '--output <form>' argument 'yaml' is invalid"],
  ])('says what is wrong with %j', async (args, code, message) => {
    const ended = await compare(...args);
    expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' });
    expect(ended.err).toContain(message);
  }); // prettier-ignore

  it('makes no data folder', async () => {
    expect(await readdir(files.folder)).not.toContain('data');
  });
});
