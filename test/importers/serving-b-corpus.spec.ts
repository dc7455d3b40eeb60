import { describe, expect, it } from '@jest/globals';
import type { ReadRun } from '../../src/domain/importers/importer.js';
import { readContent } from '../../src/domain/importers/index.js';
import { convert } from '../../src/domain/measurement/unit.js';
import { becauseNoCorpus, corpus, hasCorpus, importerOf, storedFiles, type Truth } from '../support/corpus.js';
import { directionsOf, metricOf, unitOf } from '../support/corpus-names.js';
import { textAt } from '../support/tool-output.js';

const describeCorpus = hasCorpus ? describe : describe.skip;

const files = storedFiles([
  'genai-perf-json', 'genai-perf-csv', 'genai-perf-console', 'aiperf-json', 'perf-analyzer-console', 'perf-analyzer-csv',
  'guidellm-json', 'llama-bench-md', 'llama-bench-json', 'llama-bench-csv', 'llama-bench-sql', 'trtexec',
]); // prettier-ignore
const truths = files.flatMap(({ path, format, truths: all }) =>
  all.map((truth, index) => ({ path, tool: importerOf[format] ?? '', index, truth })),
);

/** The runs that the label of a truth leaves. */
function runsOf(runs: readonly ReadRun[], label: string): readonly ReadRun[] {
  const block = /^(first|second) (?:measurement )?block/.exec(label)?.[1];
  if (block !== undefined) return block === 'first' ? runs.slice(0, 1) : runs.slice(1, 2);
  const concurrency = /concurrency (\d+)/.exec(label)?.[1];
  const isInFile = concurrency !== undefined && !label.includes('only in the file path');
  return isInFile ? runs.filter(({ workload }) => workload['workload.concurrency'] === Number(concurrency)) : runs;
}

/** The point that a label such as `pp512 d1024`, `n_prompt 512` or `tg32 @ d32768` names; null where it names none. */
function pointOf(label: string): Readonly<Record<string, number>> | null {
  const [, prompt] = /(?:\bpp|n_prompt )(\d+)/.exec(label) ?? [];
  const [, generated] = /(?:\btg|n_gen )(\d+)/.exec(label) ?? [];
  const [, depth] = /\bd(\d+)/.exec(label) ?? [];
  if (prompt === undefined && generated === undefined) return null;
  return {
    ...(prompt === undefined ? {} : { n_prompt: Number(prompt) }),
    ...(generated === undefined ? {} : { n_gen: Number(generated) }),
    ...(depth === undefined || depth === '0' ? {} : { n_depth: Number(depth) }),
  };
}

function found(runs: readonly ReadRun[], truth: Truth, tool: string): readonly number[] {
  const point = pointOf(truth.label);
  return runs.flatMap(({ observations }) =>
    observations
      .filter((each) => each.metric === metricOf(truth, tool))
      .filter(({ dimensions }) => point === null || JSON.stringify(dimensions) === JSON.stringify(point))
      .map((each) => convert(each.value, each.unit, unitOf(truth, tool))),
  );
}

describeCorpus(`real output of inference benchmarks${becauseNoCorpus}`, () => {
  it('is there for each importer that has some', () => {
    expect(files).toHaveLength(14);
    expect(truths).toHaveLength(46);
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

  it('gives every truth a value', () => {
    expect(truths.filter(({ truth }) => truth.value === null)).toEqual([]);
  });

  it('has the direction of the catalog for every metric', () => {
    const directions = truths.map(({ truth, tool }) => ({ truth, ...directionsOf(truth, tool) }));
    expect(directions.filter((each) => each.found !== each.expected)).toEqual([]);
  });

  it('keeps the runs of a log of perf_analyzer apart by load and length', () => {
    const { runs } = readContent(textAt(`${corpus}/perf-analyzer-console/dgxc-llama32-1b-openai.txt`)).reading;
    const loads = runs.map(({ workload }) => [
      workload['workload.concurrency'],
      workload['workload.settings.input_tokens_mean'],
    ]);
    expect(loads).toEqual(
      [1, 25, 50, 100].flatMap((concurrency) => [128, 4096].map((length) => [concurrency, length])),
    );
    expect(new Set(runs.map(({ workload }) => JSON.stringify(workload))).size).toBe(8);
  });

  it('gives each repetition of llama-bench', () => {
    const { runs } = readContent(textAt(`${corpus}/llama-bench-json/brayniac-llm-performance.json`)).reading;
    expect(runs[0]?.observations[0]?.repeats).toEqual([3027.56, 3026.61, 3023.79, 3021.28, 3022.78]);
  });

  it('gives no throughput where trtexec printed zero', () => {
    const { runs } = readContent(textAt(`${corpus}/other-tensorrt/trtexec-resnet50-int8.txt`)).reading;
    expect(runs[0]?.observations.filter(({ metric }) => metric.includes('throughput'))).toEqual([]);
  });

  it('counts a GPU once that two exporters show, and keeps no identity', () => {
    const { runs } = readContent(textAt(`${corpus}/aiperf-json/qwen-concurrency1.json`)).reading;
    expect(runs[0]?.observations.filter(({ metric }) => metric === 'gpu.power_draw')).toHaveLength(1);
    expect(JSON.stringify(runs)).not.toMatch(/GPU-0|host1|9400/);
  });
});
