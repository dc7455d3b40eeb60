import { describe, expect, it } from '@jest/globals';
import type { ReadRun } from '../../src/domain/importers/importer.js';
import { readContent } from '../../src/domain/importers/index.js';
import { convert } from '../../src/domain/measurement/unit.js';
import { becauseNoCorpus, corpus, hasCorpus, importerOf, storedFiles, type Truth } from '../support/corpus.js';
import { directionsOf, metricOf, unitOf } from '../support/corpus-names.js';
import { textAt } from '../support/tool-output.js';

const describeCorpus = hasCorpus ? describe : describe.skip;

const files = storedFiles([
  'vllm-bench-serve', 'bench-serving-console', 'vllm-bench-offline', 'sglang-bench-serving', 'trtllm-bench',
  'gptmanager-benchmark', 'mlperf-loadgen-summary',
]); // prettier-ignore
const truths = files.flatMap(({ path, format, truths: all }) =>
  all.map((truth, index) => ({ path, tool: importerOf[format] ?? '', index, truth })),
);

/** The runs that the label of a truth leaves: it names a row, a block, or settings. */
function runsOf(runs: readonly ReadRun[], label: string): readonly ReadRun[] {
  const place = /^(?:row|block) (\d+)/.exec(label)?.[1];
  if (place !== undefined) return runs.slice(Number(place) - 1, Number(place));
  const rate = /request_rate (\d+\.\d)/.exec(label)?.[1];
  const dataset = /dataset (\w+)/.exec(label)?.[1];
  const concurrency = /max_concurrency (\d+)/.exec(label)?.[1];
  const requests = /(\d+) requests?/.exec(label)?.[1];
  const lengths = /\b(\d+)\/(\d+)\b/.exec(label);
  const scenario = /^Offline/.test(label) ? 'Offline' : undefined;
  const says = (run: ReadRun, key: string, value: unknown) => run.workload[`workload.${key}`] === value;
  return runs.filter(
    (run) =>
      (rate === undefined || says(run, 'request_rate', Number(rate))) &&
      (dataset === undefined || says(run, 'dataset', dataset)) &&
      (concurrency === undefined || says(run, 'concurrency', Number(concurrency))) &&
      (scenario === undefined || says(run, 'settings.scenario', scenario)) &&
      (requests === undefined || counted(run) === Number(requests)) &&
      (lengths === null || run.tool !== 'trtllm-bench' || says(run, 'input_tokens', Number(lengths[1]))),
  );
}

function counted(run: ReadRun): unknown {
  const completed = run.observations.find(({ metric }) => metric === 'serving.completed_requests')?.value;
  return completed ?? run.workload['workload.num_prompts'];
}

function found(runs: readonly ReadRun[], truth: Truth, tool: string): readonly number[] {
  const name = metricOf(truth, tool);
  return runs.flatMap(({ observations }) =>
    observations
      .filter((each) => each.metric === name)
      .map((each) => convert(each.value, each.unit, unitOf(truth, tool))),
  );
}

describeCorpus(`real output of serving benchmarks${becauseNoCorpus}`, () => {
  it('is there for each importer that has some', () => {
    expect(files).toHaveLength(21);
    expect(truths).toHaveLength(78);
  });

  it.each(truths.filter(({ truth }) => truth.value !== null))(
    '$path says $truth.metric ($index) at the right point',
    ({ path, tool, truth }) => {
      const { runs, problems } = readContent(textAt(`${corpus}/${path}`)).reading;
      expect(problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
      const values = found(runsOf(runs, truth.label), truth, tool);
      expect(values.filter((value) => value === truth.value)).toEqual([truth.value]);
    },
  );

  it.each(truths.filter(({ truth }) => truth.value === null))('$path gives no value', ({ path }) => {
    const { runs, problems } = readContent(textAt(`${corpus}/${path}`)).reading;
    expect(runs).toEqual([]);
    expect(problems.map(({ severity }) => severity)).toEqual(['ERROR']);
  });

  it('has the direction of the catalog for every metric', () => {
    const measured = truths.filter(({ truth }) => truth.value !== null);
    const directions = measured.map(({ truth, tool }) => ({ truth, ...directionsOf(truth, tool) }));
    const wrong = directions.filter((each) => each.found !== each.expected);
    expect(wrong).toEqual([]);
  });

  it('leaves out the gaps between tokens that a broken stream gave', () => {
    const text = textAt(`${corpus}/sglang-bench-serving-console/sglang-results-multi.txt`);
    const { runs } = readContent(text).reading;
    expect(runs.map(({ workload }) => workload['workload.request_rate'])).toEqual([2, 4, 8, 16, 32, 64]);
    const metrics = runs.flatMap(({ observations }) => observations.map(({ metric }) => metric));
    expect(metrics.filter((metric) => /tpot|itl/.test(metric))).toEqual([]);
    expect(JSON.stringify(runs)).not.toMatch(/127\.0\.0\.1|workspace/);
  });

  it('keeps no text that a request was answered with', () => {
    for (const { path } of files.filter(({ format }) => format === 'vllm-bench-serve-json')) {
      const text = textAt(`${corpus}/${path}`);
      const answer = /"generated_texts": \["(.{12})/.exec(text)?.[1] ?? '的的的';
      expect(JSON.stringify(readContent(text))).not.toContain(answer);
    }
  });

  it('keeps the latencies of the requests, of which the stated means are the means', () => {
    const path = 'vllm-bench-serve-json/vllm-llama31-8b-fp16-h100-c16.json';
    const { runs } = readContent(textAt(`${corpus}/${path}`)).reading;
    for (const metric of ['serving.ttft.mean', 'serving.itl.mean']) {
      const observation = runs[0]?.observations.find((each) => each.metric === metric);
      const mean = observation?.distribution?.mean ?? NaN;
      expect(Math.abs(mean / (observation?.value ?? NaN) - 1)).toBeLessThan(1e-9);
    }
  });
});
