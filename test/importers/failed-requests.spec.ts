import { describe, expect, it } from '@jest/globals';
import { readContent } from '../../src/domain/importers/index.js';
import { fixture, onlyRun } from '../support/tool-output.js';

const lengthsIn = (text: string) => {
  const { workload } = onlyRun(readContent(text));
  return [workload['workload.input_tokens'], workload['workload.output_tokens']];
};

/** Four requests of equal lengths, of which the last failed: as a client writes them, or with what is changed. */
const detailed = (name: string, change: object = {}): string =>
  JSON.stringify({
    ...JSON.parse(fixture(name)),
    completed: 3,
    total_input_tokens: 3 * 1027,
    total_output_tokens: 3 * 131,
    input_lens: [1027, 1027, 1027, 1027],
    output_lens: [131, 131, 131, 0],
    ...change,
  });

describe('the lengths of requests, of which clients count those that were completed', () => {
  it.each(['vllm-bench-serve/per-request-arrays.json', 'sglang-bench-serving/details.jsonl'])(
    'are those of the others where one failed: %s',
    (name) => {
      expect(lengthsIn(detailed(name))).toEqual([1027, 131]);
      expect(lengthsIn(detailed(name, { output_lens: [131, 131, 131], input_lens: [1027, 1027, 1027] }))).toEqual([1027, 131]);
      expect(lengthsIn(detailed(name, { input_lens: undefined, output_lens: undefined }))).toEqual([1027, 131]);
    },
  ); // prettier-ignore

  it.each(['vllm-bench-serve/per-request-arrays.json', 'sglang-bench-serving/details.jsonl'])(
    'are not shifted by the prompt that failed, where the totals are missing: %s',
    (name) => {
      const change = { input_lens: [1027, 1027, 1027, 9000], total_input_tokens: undefined, total_output_tokens: undefined };
      expect(lengthsIn(detailed(name, change))).toEqual([1027, 131]);
    },
  ); // prettier-ignore

  it('are kept to the token where the requests differ', () => {
    const change = { total_output_tokens: 396, output_lens: [131, 132, 133, 0] };
    expect(lengthsIn(detailed('vllm-bench-serve/per-request-arrays.json', change))).toEqual([1027, 132]);
  });

  it('are totals divided by what was completed on the console', () => {
    const text = fixture('bench-serving-console/few-requests.txt')
      .replace(/^(Successful requests:\s+)\d+/m, '$130')
      .replace(/^(Failed requests:\s+)\d+/m, '$110')
      .replace(/^(Total input tokens:\s+)\d+/m, `$1${30 * 1027}`)
      .replace(/^(Total generated tokens:\s+)\d+/m, `$1${30 * 131}`);
    const { workload } = readContent(text).reading.runs[0] ?? { workload: {} };
    expect(workload).toMatchObject({ 'workload.input_tokens': 1027, 'workload.output_tokens': 131, 'workload.num_prompts': 40 });
  }); // prettier-ignore

  it('are those of the records of AIPerf without an error', () => {
    const record = (input: number, output: number, error: object | null): string =>
      JSON.stringify({
        metadata: { benchmark_phase: 'profiling', request_start_ns: 1770091506000000000, request_end_ns: 1770091507000000000 },
        metrics: {
          input_sequence_length: { value: input, unit: 'tokens' },
          output_sequence_length: { value: output, unit: 'tokens' },
          request_latency: { value: 1000, unit: 'ms' },
          time_to_first_token: { value: 50, unit: 'ms' },
        },
        error,
      }); // prettier-ignore
    const text = [record(1027, 131, null), record(9000, 0, { code: 500 }), record(1027, 131, null)].join('\n');
    expect(lengthsIn(text)).toEqual([1027, 131]);
  });

  it('are those of the successful requests of GuideLLM', () => {
    const text = fixture('guidellm-json/concurrent-0-6.json');
    const count = (mean: number) => ({ successful: { mean }, errored: { mean: 9000 }, incomplete: { mean: 9000 }, total: { mean: 9000 } });
    const file = JSON.parse(text);
    file.benchmarks[0].metrics.prompt_token_count = count(1027);
    file.benchmarks[0].metrics.output_token_count = count(131);
    const { workload } = readContent(JSON.stringify(file)).reading.runs[0] ?? { workload: {} };
    expect(workload).toMatchObject({ 'workload.input_tokens': 1027, 'workload.output_tokens': 131 });
  }); // prettier-ignore
});
