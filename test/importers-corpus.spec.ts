import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { environmentKeysFile, metricsFile } from '../src/domain/content/schema.js';
import type { ReadRun } from '../src/domain/importers/importer.js';
import { importers, readContent, recognize } from '../src/domain/importers/index.js';
import { convert, dimensionOf } from '../src/domain/measurement/unit.js';
import { corpus, importerOf, storedFiles } from './support/corpus.js';
import {
  directionsOf,
  isNoResult,
  isRefused,
  isToBeMapped,
  isValueOf,
  metricOf,
  unitOf,
} from './support/corpus-names.js';
import { fixture, fixtures, messages, pathTo, textAt } from './support/tool-output.js';

const metrics = metricsFile.parse(parse(textAt('../content/metrics.yaml')));
const environmentKeys = environmentKeysFile.parse(parse(textAt('../content/environment-keys.yaml')));

const evidence = '../../shared/evidence/h200';
const hasShared = existsSync(pathTo(`${corpus}/INDEX.tsv`)) && existsSync(pathTo(`${evidence}/INDEX.tsv`));
const describeShared = hasShared ? describe : describe.skip;
const because = hasShared ? '' : ' (skipped: ../shared is not there)';

function filesBelow(folder: string): readonly string[] {
  if (!hasShared) return [];
  return readdirSync(pathTo(folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
}

const known = new Set(importers.map(({ tool }) => tool));
const stored = storedFiles().map((file) => ({ ...file, tool: importerOf[file.format] ?? null }));
/** Files that hold the output of several tools: each is read by naming the format. */
const several: Readonly<Record<string, readonly string[]>> = {
  // iterations of Megatron; the flops profiler was off
  'deepspeed-flops-profiler/superbench-megatron-deepspeed.txt': ['megatron-log'],
  // preceded by the table of nvidia-smi
  'other-speedrun-log/modded-nanogpt-record-muon-log.txt': ['speedrun-log', 'nvidia-smi-table'],
};
const truths = stored.flatMap(({ path, tool, truths: all }) =>
  all.map((truth) => ({ path, tool: several[path]?.[0] ?? tool, truth })),
);
const readings = new Map<string, ReturnType<typeof readContent>>();

/** What reading a file says about one of its truths. The specs of the families look at the point and the run, too. */
function answerOf({ path, tool, truth }: (typeof truths)[number]): string {
  if (isToBeMapped(path)) return 'by a column mapping';
  if (tool === null) return 'no value, as it must be';
  const read = readings.get(path) ?? readContent(textAt(`${corpus}/${path}`), tool);
  readings.set(path, read);
  const { reading } = read;
  if (isRefused(path)) return reading.runs.length === 0 ? 'refused, as it must be' : 'MISSED: it is read';
  const [metric, unit] = [metricOf(truth, tool), unitOf(truth, tool)];
  const found = reading.runs.flatMap(({ observations }) => observations).filter((each) => each.metric === metric);
  const numbers = found
    .filter((each) => dimensionOf(each.unit) === dimensionOf(unit))
    .flatMap((each) =>
      [each.value, ...(each.repeats ?? []), ...(each.samples ?? [])].map((value) => convert(value, each.unit, unit)),
    );
  const isFound = numbers.some((number) => isValueOf(truth, number));
  if (isNoResult(truth)) {
    const isAbsent = truth.value === null ? found.length === 0 : !isFound;
    return isAbsent ? 'no value, as it must be' : 'MISSED: there is a value';
  }
  const direction = directionsOf(truth, tool);
  if (direction.found !== direction.expected) return `MISSED: ${metric} is better ${direction.found}`;
  return isFound ? 'found' : `MISSED: ${metric} is ${numbers.slice(0, 5).join(', ')} ${unit}`;
}

const readable = stored.filter(({ tool }) => tool !== null && known.has(tool));
const labFiles = filesBelow(evidence).filter(
  (path) => path.endsWith('.json') && textAt(path).includes('"tool": "tunebook-lab"'),
);

/** What every importer reads from all there is: of a file that several recognize, what each of them reads. */
const allRuns = once((): readonly ReadRun[] => {
  const own = fixtures.flatMap(({ name, tool }) => readContent(fixture(name), tool).reading.runs);
  const texts = [...labFiles, ...readable.map(({ path }) => `${corpus}/${path}`)].map(textAt);
  return [...own, ...texts.flatMap((text) => recognize(text).flatMap(({ tool }) => readContent(text, tool).reading.runs))];
}); // prettier-ignore

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

describe('the registries', () => {
  it('give every metric the dimension of its unit, and no key twice', () => {
    expect(metrics.filter(({ unit, dimension }) => dimensionOf(unit) !== dimension)).toEqual([]);
    expect(new Set(metrics.map(({ key }) => key)).size).toBe(metrics.length);
    expect(new Set(environmentKeys.map(({ key }) => key)).size).toBe(environmentKeys.length);
  });

  it('have every importer in the table of formats, which says what it is written from', () => {
    const table = textAt('../CONTRIBUTING.md');
    expect(importers.map(({ tool }) => tool).filter((tool) => !table.includes(`\`${tool}\``))).toEqual([]);
  });

  it('have every metric, unit and key that importers use', () => {
    const runs = allRuns();
    const byKey = new Map(metrics.map((metric) => [metric.key, metric]));
    const isOf = (metric: string, unit: string) => dimensionOf(unit) === (byKey.get(metric)?.dimension ?? null);
    const used = runs.flatMap(({ observations }) => observations.map(({ metric, unit }) => `${metric} ${unit}`));
    const pairs = [...new Set(used)].map((pair) => pair.split(' '));
    expect(pairs.filter(([metric = '']) => !byKey.has(metric))).toEqual([]);
    expect(pairs.filter(([metric = '', unit = '']) => !isOf(metric, unit))).toEqual([]);
    for (const [key = '', unit = ''] of pairs) expect(convert(1, unit, byKey.get(key)?.unit ?? '')).toBeGreaterThan(0);

    const isKnown = (key: string) =>
      environmentKeys.some(
        (entry) => entry.key === key || (entry.key.endsWith('.*') && key.startsWith(entry.key.slice(0, -1))),
      );
    const keys = new Set(runs.flatMap(({ environment, workload }) => Object.keys({ ...environment, ...workload })));
    expect([...keys].filter((key) => !isKnown(key))).toEqual([]);
    expect([...keys].filter((key) => !/^[a-z][A-Za-z_]{1,30}(?:\.[\w-]{1,80}){0,4}$/.test(key))).toEqual([]);
  });

  it('are not needed for dimensions, which are short names in one manner', () => {
    const named = allRuns().flatMap(({ observations }) => observations.flatMap((each) => Object.keys(each.dimensions)));
    expect([...new Set(named)].filter((name) => !/^[a-z][a-z0-9_]{0,30}$/.test(name))).toEqual([]);
  });
});

describeShared(`real output of tools${because}`, () => {
  it.each(stored)('$path is recognized by its importer alone, or by none', ({ path, tool }) => {
    const expected = (several[path] ?? (tool === null ? [] : [tool])).filter((each) => known.has(each));
    expect(recognize(textAt(`${corpus}/${path}`)).map((importer) => importer.tool)).toEqual(expected);
  });

  it('is of an importer in every row, or measures nothing', () => {
    expect(stored.filter(({ tool }) => tool === null || !known.has(tool)).map(({ format }) => format)).toEqual([
      'nvidia-smi-topo',
      'nvidia-smi-topo',
    ]);
    // 126 rows: with a row more, or a truth, all that follows has to find it
    expect([stored.length, truths.length, truths.filter(({ truth }) => truth.value === null).length]).toEqual([
      126, 340, 6,
    ]);
  });

  it(`gives the ${truths.length} values of the ${stored.length} files, with unit and direction`, () => {
    const answers = truths.map((each) => ({ ...each, answer: answerOf(each) }));
    const missed = answers.filter(({ answer }) => answer.startsWith('MISSED'));
    expect(missed.map(({ path, truth, answer }) => `${path} ${truth.metric} ${truth.label}: ${answer}`)).toEqual([]);
    const count = (wanted: string) => answers.filter(({ answer }) => answer === wanted).length;
    expect(
      Object.fromEntries([...new Set(answers.map(({ answer }) => answer))].map((each) => [each, count(each)])),
    ).toEqual({
      found: 327,
      'no value, as it must be': 9,
      'refused, as it must be': 2,
      'by a column mapping': 2,
    });
  });

  it.each([
    ['nccl-tests/stas00-a100-handedited-underscores.txt', 'ERROR 4 The table was edited by hand'],
    ['nccl-tests/aws-p4-mpirun-prefix.txt', 'WARNING 2 Rows were left out of the file'],
    ['hyperfine-json/delta-broken-run.json', 'WARNING 4 The command is marked [ERROR]'],
    ['vllm-bench-serve-json/vllm084-dsr1-h200-30000in-100out.json', 'WARNING 1 Only 50 requests were completed'],
  ])('%s is refused or warned of', (path, message) => {
    expect(messages(readContent(textAt(`${corpus}/${path}`)))[0]).toContain(message);
  });

  it('joins all rows that log messages cut', () => {
    const read = readContent(textAt(`${corpus}/nccl-tests/a100-pcie-2gpu-debug-info.txt`));
    expect(messages(read)).toEqual([]);
    expect(read.reading.runs[0]?.observations).toHaveLength(6 * 11 + 2);
    expect(JSON.stringify(read)).not.toMatch(/node0|64904|192\.0\.2/);
  });

  it('reads every file of our own evidence, with the median that it states', () => {
    expect(labFiles).toHaveLength(298);
    for (const path of labFiles) {
      const stated: { statistics: { median: number } } = JSON.parse(textAt(path));
      const read = readContent(textAt(path));
      expect([path, ...messages(read)]).toEqual([path]);
      const value = read.reading.runs[0]?.observations[0]?.value ?? NaN;
      expect(Math.abs(value / stated.statistics.median - 1)).toBeLessThan(1e-4);
    }
  });

  it('has a direction in the catalog for each metric of the evidence that the file states, pitfalls excepted', () => {
    const byKey = new Map(metrics.map((metric) => [metric.key, metric]));
    for (const path of labFiles) {
      const { direction, metric }: { direction: string; metric: string } = JSON.parse(textAt(path));
      const found = byKey.get(readContent(textAt(path)).reading.runs[0]?.observations[0]?.metric ?? '');
      const expected = metric.startsWith('reported_') ? null : `${direction.toUpperCase()}_IS_BETTER`;
      expect([path, found?.direction]).toEqual([path, expected]);
    }
  });
});
