import { describe, expect, it } from '@jest/globals';
import type { ReadRun } from '../../src/domain/importers/importer.js';
import { readContent } from '../../src/domain/importers/index.js';
import { profilerImporters } from '../../src/domain/importers/profilers/index.js';
import { convert, dimensionOf } from '../../src/domain/measurement/unit.js';
import { becauseNoCorpus, corpus, hasCorpus, importerOf, storedFiles, type Truth } from '../support/corpus.js';
import { directionsOf, isValueOf, metricOf, unitOf } from '../support/corpus-names.js';
import { textAt } from '../support/tool-output.js';

/** Where a value stands, by the words of its label: the run by its number, and parts of dimensions. */
const places: readonly (readonly [path: RegExp, label: RegExp, run: number, dimensions: readonly string[]])[] = [
  [/cudamode-square/, /first kernel/, 0, ['distribution_elementwise_grid_stride_kernel']],
  [/cudamode-square/, /second kernel/, 0, ['square_kernel_0d1d234']],
  [/cudamode-triton/, /kernel 1/, 0, ['distribution_elementwise_grid_stride_kernel']],
  [/cudamode-triton/, /kernel 2/, 0, ['square_kernel_0d1d234']],
  [/vllm-qwen25/, /(?:)/, 0, ['ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_tn']],
  [/a100-vector-add/, /(?:)/, 0, ['vectorAdd(const float *']],
  [/accelerate/, /baseline inference 1x128/, 0, ['Baseline', 'Inference time (1x128)']],
  [/accelerate/, /full compilation 1x128/, 0, ['Full compilation', '(1x128)']],
  [/accelerate/, /regional compilation 1x128/, 0, ['Regional compilation', '(1x128)']],
  [/affine/, /Eager PR/, 0, ['Eager (2.1.0a0+git1afae24) PR']],
  [/affine/, /Compiled PR/, 0, ['Compiled (2.1.0a0+git1afae24) PR']],
  [/upsample/, /Eager PR/, 0, ['Eager (2.3.0a0+git76ea7ac) PR', 'bicubic', 'torch.uint8', 'contiguous', 'align_corners: True', '(256, 256)']],
  [/terminal/, /table 1|slow/, 0, []],
  [/terminal/, /table 2|optimized/, 1, []],
]; // prettier-ignore

const tools = profilerImporters.map(({ tool }) => tool);
const files = storedFiles(tools).map((file) => ({ ...file, tool: importerOf[file.format] ?? '' }));
const describeCorpus = hasCorpus ? describe : describe.skip;

function expectFound(path: string, tool: string, runs: readonly ReadRun[], truth: Truth): void {
  const metric = metricOf(truth, tool);
  const place = places.find(([of, label]) => of.test(path) && label.test(truth.label));
  const [, , at, parts] = place ?? [null, null, 0, []];
  const run = runs[at];
  const unit = unitOf(truth, tool);
  expect(dimensionOf(unit)).not.toBeNull();
  const isHere = (dimensions: object): boolean => parts.every((part) => Object.values(dimensions).some((value) => String(value).includes(part))); // prettier-ignore
  const found = (run?.observations ?? []).filter(
    (each) =>
      each.metric === metric &&
      isHere(each.dimensions) &&
      dimensionOf(each.unit) === dimensionOf(unit) &&
      isValueOf(truth, convert(each.value, each.unit, unit)),
  );
  expect([path, truth.label, metric, found.length]).toEqual([path, truth.label, metric, 1]);
  const direction = directionsOf(truth, tool);
  expect([metric, direction.found]).toEqual([metric, direction.expected]);
}

describeCorpus(`real output of profilers${becauseNoCorpus}`, () => {
  it('is there for each of the formats but two, of which only their sources tell', () => {
    expect(files).toHaveLength(16);
    const without = tools.filter((tool) => !files.some((file) => file.tool === tool));
    expect(without).toEqual(['torch-benchmark-timer', 'torch-memory-summary']);
  });

  it.each(files)('$path gives the known values', ({ path, tool, truths }) => {
    const { format, reading } = readContent(textAt(`${corpus}/${path}`));
    expect(format).toBe(tool);
    expect(reading.problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
    expect(truths.length).toBeGreaterThan(0);
    for (const truth of truths) {
      if (truth.value !== null) expectFound(path, tool, reading.runs, truth);
      // two versions of PyTorch stand in the file, so none is that of its runs
      else expect(reading.runs.map(({ environment }) => environment.torch)).toEqual(reading.runs.map(() => undefined));
    }
  });

  it('adds the kernels of a table up to the total below it', () => {
    for (const [name, total] of [['ao-fp8-sdpa', 31.997], ['ao-regular-sdpa', 17.631]] as const) {
      const [run] = readContent(textAt(`${corpus}/torch-profiler-table/${name}.txt`)).reading.runs;
      const kernels = (run?.observations ?? []).filter(({ metric }) => metric === 'kernel.time_total');
      expect(kernels.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(total, 2);
    }
  }); // prettier-ignore

  it('takes no ratio for a time', () => {
    const { runs } = readContent(textAt(`${corpus}/torch-benchmark-compare/vfdev-affine-grid-sampler.md`)).reading;
    expect(runs.map(({ observations }) => observations.length)).toEqual([48, 48]);
    expect(JSON.stringify(runs)).not.toContain('speed-up');
  });

  it('names no machine, user or process', () => {
    for (const { path } of files) {
      const { reading } = readContent(textAt(`${corpus}/${path}`));
      expect(JSON.stringify(reading)).not.toMatch(/127\.0\.0\.1|\/home\/|user@host|371693|6153/);
    }
  });
});
