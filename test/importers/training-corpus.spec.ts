import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { metricsFile } from '../../src/domain/content/schema.js';
import type { ReadObservation } from '../../src/domain/importers/importer.js';
import { readContent } from '../../src/domain/importers/index.js';
import { convert } from '../../src/domain/measurement/unit.js';
import { becauseNoCorpus, corpus, hasCorpus, importerOf, storedFiles } from '../support/corpus.js';
import { directionsOf, isValueOf, metricOf, unitOf } from '../support/corpus-names.js';
import { messages, textAt } from '../support/tool-output.js';

const tools = ['hf-trainer', 'megatron-log', 'deepspeed-flops-profiler', 'nemo-log', 'mlperf-mllog', 'dllogger', 'dlio', 'speedrun-log']; // prettier-ignore
const files = storedFiles(tools);
const describeCorpus = hasCorpus ? describe : describe.skip;
const units = new Map(metricsFile.parse(parse(textAt('../content/metrics.yaml'))).map(({ key, unit }) => [key, unit]));

/** The flops profiler was off in this log of Megatron-DeepSpeed: what is known of it are the iterations. */
const readAs: Readonly<Record<string, string>> = {
  'deepspeed-flops-profiler/superbench-megatron-deepspeed.txt': 'megatron-log',
  'other-speedrun-log/modded-nanogpt-record-muon-log.txt': 'speedrun-log',
};

/** Where the label says which of the samples it is: the place among those that are left without warm-up. */
function sampleOf({ samples = [] }: ReadObservation, label: string): number | undefined {
  if (/^iteration 5/.test(label)) return samples[3];
  if (/last line|last tracked_stats|^(?:step 49|global_step 48)$/.test(label)) return samples.at(-1);
  if (label === 'global_step 19' || label === 'second sample') return samples[0];
  return undefined;
}

describeCorpus(`real output of training${becauseNoCorpus}`, () => {
  it('has files of each format', () => {
    expect([...new Set(files.map(({ format }) => importerOf[format]))].sort()).toEqual([...tools].sort());
    expect(files).toHaveLength(14);
    expect(files.flatMap(({ truths }) => truths)).toHaveLength(37);
  });

  it.each(files)('$path gives every known value', ({ path, format, truths }) => {
    const tool = readAs[path] ?? importerOf[format] ?? '';
    const { reading } = readContent(textAt(`${corpus}/${path}`), tool);
    expect(reading.problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
    // labels of a collection name the row
    const runs = path.endsWith('.csv') ? reading.runs.slice(0, 1) : reading.runs;
    expect(runs).toHaveLength(1);
    for (const truth of truths) {
      const metric = metricOf(truth, tool);
      const unit = unitOf(truth, tool);
      const found = runs.flatMap(({ observations }) => observations).filter((each) => each.metric === metric);
      const isAt = (each: ReadObservation): boolean => {
        const value = sampleOf(each, truth.label) ?? each.value;
        return isValueOf(truth, convert(value, each.unit, unit));
      };
      const points = found.filter(isAt);
      expect([path, metric, truth.value, points.length]).toEqual([path, metric, truth.value, 1]);
      if (tool === 'dlio') expect(points[0]?.dimensions).toEqual({ epoch: 1, block: 'block1' });
      const direction = directionsOf(truth, tool);
      expect([metric, direction.found]).toEqual([metric, direction.expected]);
      expect(convert(1, unit, units.get(metric) ?? '')).toBeGreaterThan(0);
    }
  });

  it.each([
    ['hf-trainer/bigscience-gpt2-ds-n16-log.txt', ['WARNING 1567 train_steps_per_second of 0.007 was left out: it is rounded to three decimals']],
    ['hf-trainer/fms-a100-80gb-refs.csv', ['WARNING 18 Rows without a result (train_samples_per_second) left out: 39']],
    ['hf-trainer/whisper-large-v2-trainer-state.json', []],
    ['megatron-log/bigscience-gpt2-n16-ds-off.txt', ['WARNING 853 Left out as warm-up: the first 1 of 62 logged steps', 'WARNING 983 The log ends at step 62 of 1000: the training was stopped, or the log is not complete']],
    ['nemo-log/gpu-recipes-nemo-dllogger.json', ['WARNING 2 Left out as warm-up: the first 5 of 50 logged steps']],
    ['dllogger-text/2xh100-bert-base-squad-fp16.txt', []],
    ['mlperf-mllog/v40-nvidia-eos-llama2-lora-r3.txt', []],
  ])('%s is warned of as far as there is reason', (path, expected) => {
    expect(messages(readContent(textAt(`${corpus}/${path}`)))).toEqual(expected);
  }); // prettier-ignore

  it('gives each of the 85 results of a collection once, and one of a log of 64 ranks', () => {
    expect(readContent(textAt(`${corpus}/hf-trainer/fms-a100-80gb-refs.csv`)).reading.runs).toHaveLength(85);
    expect(readContent(textAt(`${corpus}/hf-trainer/bigscience-gpt2-ds-n16-log.txt`)).reading.runs).toHaveLength(1);
  });

  it('leaves out the timer of DeepSpeed that Megatron contradicts', () => {
    const text = textAt(`${corpus}/deepspeed-flops-profiler/superbench-megatron-deepspeed.txt`);
    const read = readContent(text, 'deepspeed-flops-profiler');
    expect(messages(read)).toEqual([
      'WARNING 1434 SamplesPerSec of 315.6 was left out: the iterations of Megatron in the same log say 27.22 samples/s',
    ]);
    expect(read.reading.runs.flatMap(({ observations }) => observations)).toEqual([
      { metric: 'memory.peak_allocated', dimensions: {}, value: 66.97, unit: 'GiB' },
    ]);
  });

  it('names no host, user or folder of the files', () => {
    const all = files.map(({ path, format }) => readContent(textAt(`${corpus}/${path}`), readAs[path] ?? importerOf[format] ?? ''));
    expect(JSON.stringify(all.map(({ reading }) => reading))).not.toMatch(/host-7|node1|\/home\/|\/root\/|192\.0\.2|workspace/);
  }); // prettier-ignore
});
