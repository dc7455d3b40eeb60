import { describe, expect, it } from '@jest/globals';
import { readContent } from '../src/domain/importers/index.js';
import { hasCorpus, becauseNoCorpus, corpus } from './support/corpus.js';
import { fixture, messages, textAt } from './support/tool-output.js';

const describeCorpus = hasCorpus ? describe : describe.skip;

const block = (name: string): string => `\`\`\`\n${fixture(name)}\`\`\`\n`;
/** What is found of each tool: its runs and observations. */
const found = (text: string): readonly string[] =>
  readContent(text).candidates.map(
    ({ format, runCount, observationCount }) => `${format}: ${runCount}, ${observationCount}`,
  );

describe('a content that holds the output of several tools', () => {
  it.each([
    ['fio as text and then as JSON', ['fio-text/version-3-randrw.txt', 'fio-json/client-server.json'], ['fio-json: 1, 18', 'fio-text: 1, 12']],
    ['nccl-tests behind the table of nvidia-smi', ['nvidia-smi-table/two-gpus.txt', 'nccl-tests/all-reduce.txt'], ['nccl-tests: 1, 20', 'nvidia-smi-table: 1, 8']],
    ['two monitors', ['nvidia-smi-dmon/two-gpus.txt', 'dcgmi-dmon/profiling.txt'], ['nvidia-smi-dmon: 1, 23', 'dcgmi-dmon: 1, 16']],
    ['iterations of Megatron and a profile of DeepSpeed', ['megatron-log/hosts-print-the-same.txt', 'deepspeed-flops-profiler/two-profiles.txt'], ['megatron-log: 1, 13', 'deepspeed-flops-profiler: 2, 18']],
  ])('lists what each found: %s', (_, names, expected) => {
    const text = names.map(fixture).join('\n');
    expect(found(text)).toEqual(expected);
    expect(readContent(text)).toMatchObject({ format: null, reading: { runs: [] } });
    expect(messages(readContent(text))[0]).toMatch(/^ERROR - The content looks like the output of several tools/);
    for (const line of expected) {
      const [format = '', runCount = ''] = line.split(/: |,/);
      const read = readContent(text, format);
      expect([format, read.reading.runs.length]).toEqual([format, Number(runCount)]);
      expect(messages(read).filter((message) => message.startsWith('ERROR'))).toEqual([]);
    }
  }); // prettier-ignore

  it('gives each result of one tool, with what is between them', () => {
    const readme = ['few-requests', 'broken-stream', 'altered-throughput']
      .map((name) => `## ${name}\n\n${block(`bench-serving-console/${name}.txt`)}`)
      .join('\nSome words about it.\n\n');
    const { format, reading } = readContent(`# Results\n\n${readme}`);
    expect(format).toBe('bench-serving-console');
    expect(reading.runs.map(({ observations }) => observations.length)).toEqual([20, 12, 19]);
  });

  it('keeps the good points of a sweep, and the one that failed as failed', () => {
    const { reading } = readContent(fixture('vllm-bench-serve/one-point-without-numbers.jsonl'));
    expect(reading.runs.map(({ status, observations }) => [status, observations.length])).toEqual([
      ['OK', 22],
      ['FAILED', 2],
    ]);
    expect(reading.problems.map(({ severity }) => severity)).toEqual(['WARNING']);
  });
});

describeCorpus(`real logs that hold several things${becauseNoCorpus}`, () => {
  it.each([
    ['other-speedrun-log/modded-nanogpt-record-muon-log.txt', ['speedrun-log: 1, 4', 'nvidia-smi-table: 1, 32']],
    ['perf-analyzer-console/dgxc-llama32-1b-openai.txt', ['perf-analyzer-console: 8, 64']],
    ['deepspeed-flops-profiler/superbench-megatron-deepspeed.txt', ['megatron-log: 1, 8']],
    ['sglang-bench-serving-console/sglang-results-multi.txt', ['bench-serving-console: 6, 71']],
  ])('%s', (path, expected) => {
    expect(found(textAt(`${corpus}/${path}`))).toEqual(expected);
  });
});
