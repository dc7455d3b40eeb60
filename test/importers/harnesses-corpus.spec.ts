import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { metricsFile } from '../../src/domain/content/schema.js';
import type { Reading, ReadObservation } from '../../src/domain/importers/importer.js';
import { readContent } from '../../src/domain/importers/index.js';
import { columnMapping, readMapped } from '../../src/domain/importers/mapped/index.js';
import { becauseNoCorpus, corpus, hasCorpus, importerOf, storedFiles, type Truth } from '../support/corpus.js';
import { directionsOf, isToBeMapped, isValueOf, metricOf, unitOf } from '../support/corpus-names.js';
import { messages, textAt } from '../support/tool-output.js';

const tools = [
  'pytest-benchmark', 'google-benchmark-json', 'google-benchmark-console', 'go-bench', 'criterion-estimates',
  'criterion-raw', 'criterion-text', 'bencher-metric-format',
]; // prettier-ignore
const files = storedFiles(tools).map((file) => ({ ...file, tool: importerOf[file.format] ?? '' }));
const describeCorpus = hasCorpus ? describe : describe.skip;

const points = ({ runs }: Reading): readonly ReadObservation[] => runs.flatMap(({ observations }) => observations);

/** Where a label begins with the name of a benchmark, the value is of no other one. */
function isAt({ dimensions }: ReadObservation, label: string): boolean {
  const { benchmark } = dimensions;
  const name = label.split(/, first|, sample|; | \(/)[0] ?? '';
  if (benchmark === undefined || name === '' || /^sample \d/.test(label)) return true;
  return String(benchmark).endsWith(name);
}

function expectFound(reading: Reading, truth: Truth, metric: string, unit: string): void {
  const found = points(reading).filter(
    (each) =>
      each.metric === metric &&
      each.unit === unit &&
      isAt(each, truth.label) &&
      [each.value, ...(each.repeats ?? [])].some((value) => isValueOf(truth, value)),
  );
  expect(found).toHaveLength(1);
}

describeCorpus(`real output of harnesses${becauseNoCorpus}`, () => {
  it('is there for each of the formats', () => {
    expect(files).toHaveLength(18);
    expect(new Set(files.map(({ tool }) => tool))).toEqual(new Set(tools));
  });

  it.each(files.filter(({ path }) => !isToBeMapped(path)))('$path gives the known values', ({ path, tool, truths }) => {
    const { format, reading } = readContent(textAt(`${corpus}/${path}`));
    expect(format).toBe(tool);
    expect(reading.problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
    for (const truth of truths) {
      const [metric, unit, direction] = [metricOf(truth, tool), unitOf(truth, tool), directionsOf(truth, tool)];
      if (truth.value === null) {
        expect(points(reading).filter((each) => each.metric === metric && isAt(each, truth.label))).toEqual([]);
        continue;
      }
      expect([truth.metric, direction.found]).toEqual([truth.metric, direction.expected]);
      expectFound(reading, truth, metric, unit);
    }
  });

  it('tells mean, median and bounds of a change apart', () => {
    const reading = readContent(textAt(`${corpus}/criterion-estimates-json/rdd-btree10-change.json`)).reading;
    expect(points(reading).map(({ dimensions, value }) => [dimensions.statistic, dimensions.bound, value])).toEqual([
      ['mean', 'estimate', 0.05174835812270029],
      ['mean', 'lower', 0.0036632701921144126],
      ['mean', 'upper', 0.1309833900449181],
      ['median', 'estimate', 0.06120417943005774],
      ['median', 'lower', 0.024892077352890403],
      ['median', 'upper', 0.11779252883557736],
    ]);
    expect(messages({ format: null, candidates: [], reading })).toEqual([
      expect.stringContaining('WARNING 1 This is change/estimates.json'),
    ]);
  });

  it('takes the slope of criterion as the time where there is one', () => {
    const reading = readContent(textAt(`${corpus}/criterion-estimates-json/rdd-btree10-new.json`)).reading;
    expect(points(reading)[0]).toMatchObject({ metric: 'time.per_operation', value: 91931444.46233766, unit: 'ns' });
  });

  it('finds ten repetitions of each Go benchmark, and names no machine', () => {
    for (const { path, tool } of files) {
      const { reading } = readContent(textAt(`${corpus}/${path}`));
      expect(JSON.stringify(reading)).not.toMatch(/host1|my-host/);
      if (tool !== 'go-bench' || !path.includes('golang-perf')) continue;
      expect(new Set(points(reading).map(({ repeats }) => repeats?.length))).toEqual(new Set([10]));
    }
  });

  it.each(files.filter(({ path }) => isToBeMapped(path)))(
    '$path needs to be told what it measures',
    ({ path, truths }) => {
      const text = textAt(`${corpus}/${path}`);
      expect(messages(readContent(text))[0]).toContain('Final Blocks, Final Bytes, Max Blocks, Max Bytes');
      const catalog = metricsFile.parse(parse(textAt('../content/metrics.yaml')));
      // metrics that a project adds for itself, with the direction that it gives them
      const own = { 'Total Bytes': ['own.total_bytes', 'B'], 'Max Blocks': ['own.max_blocks', 'count'] } as const;
      const reading = readMapped(
        text,
        columnMapping.parse({
          layout: 'LONG',
          rows: 'GROUPED',
          columns: [
            { column: 'benchmark', role: 'DIMENSION', name: 'benchmark' },
            { column: 'measure', role: 'METRIC_NAME' },
            { column: 'value', role: 'VALUE' },
            { column: 'lower_value', role: 'IGNORED' },
            { column: 'upper_value', role: 'IGNORED' },
          ],
          metrics: Object.entries(own).map(([name, [metric, unit]]) => ({ name, metric, unit })),
        }),
        new Map([...catalog.map(({ key, unit }) => [key, unit] as const), ...Object.values(own)]),
      );
      expect(reading.problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
      expect(truths).toHaveLength(2);
      for (const truth of truths) {
        const [metric, unit] = own[truth.metric as keyof typeof own];
        expectFound(reading, truth, metric, unit);
      }
    },
  );
});
