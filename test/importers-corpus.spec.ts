import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { environmentKeysFile, metricsFile } from '../src/domain/content/schema.js';
import { readContent, recognize } from '../src/domain/importers/index.js';
import { convert, dimensionOf } from '../src/domain/measurement/unit.js';
import { fixture, fixtures, messages, pathTo, textAt } from './support/tool-output.js';

const metrics = metricsFile.parse(parse(textAt('../content/metrics.yaml')));
const environmentKeys = environmentKeysFile.parse(parse(textAt('../content/environment-keys.yaml')));

const corpus = '../../shared/corpus';
const evidence = '../../shared/evidence/h200';
const hasShared = existsSync(pathTo(`${corpus}/INDEX.tsv`)) && existsSync(pathTo(`${evidence}/INDEX.tsv`));
const describeShared = hasShared ? describe : describe.skip;
const because = hasShared ? '' : ' (skipped: ../shared is not there)';

const tools: Readonly<Record<string, string>> = {
  'vllm-bench-serve-json': 'vllm-bench-serve',
  'nccl-tests': 'nccl-tests',
  'hyperfine-json': 'hyperfine',
};

interface Truth {
  readonly metric: string;
  readonly value: number | null;
  readonly unit: string;
  readonly label: string;
}

interface Stored {
  readonly path: string;
  readonly tool: string | undefined;
  readonly truths: readonly Truth[];
}

function storedFiles(): readonly Stored[] {
  if (!hasShared) return [];
  const rows = textAt(`${corpus}/INDEX.tsv`).trim().split('\n').slice(1);
  return rows.map((row) => {
    const columns = row.split('\t');
    const truths: readonly Truth[] = JSON.parse(columns[6] ?? '[]');
    return { path: columns[0] ?? '', tool: tools[columns[1] ?? ''], truths };
  });
}

function filesBelow(folder: string): readonly string[] {
  if (!hasShared) return [];
  return readdirSync(pathTo(folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
}

const stored = storedFiles();
const ours = stored.filter(({ tool }) => tool !== undefined);
const labFiles = filesBelow(evidence).filter(
  (path) => path.endsWith('.json') && textAt(path).includes('"tool": "tunebook-lab"'),
);

const unitNames: Readonly<Record<string, string>> = { 'tok/s': 'tokens/s', 'req/s': 'requests/s' };

describe('the registries', () => {
  it('give every metric the dimension of its unit, and no key twice', () => {
    expect(metrics.filter(({ unit, dimension }) => dimensionOf(unit) !== dimension)).toEqual([]);
    expect(new Set(metrics.map(({ key }) => key)).size).toBe(metrics.length);
    expect(new Set(environmentKeys.map(({ key }) => key)).size).toBe(environmentKeys.length);
  });

  it('have every metric, unit and key that importers use', () => {
    const texts = [...fixtures.map(({ name }) => fixture(name)), ...[...labFiles, ...ours.map(({ path }) => `${corpus}/${path}`)].map(textAt)]; // prettier-ignore
    const runs = texts.flatMap((text) => readContent(text).reading.runs);
    const found = new Map(runs.flatMap(({ observations }) => observations.map(({ metric, unit }) => [metric, unit])));
    const byKey = new Map(metrics.map((metric) => [metric.key, metric]));
    expect([...found.keys()].filter((key) => !byKey.has(key))).toEqual([]);
    for (const [key, unit] of found) expect(convert(1, unit, byKey.get(key)?.unit ?? '')).toBeGreaterThan(0);

    const known = (key: string) =>
      environmentKeys.some(
        (entry) => entry.key === key || (entry.key.endsWith('.*') && key.startsWith(entry.key.slice(0, -1))),
      );
    const keys = new Set(runs.flatMap(({ environment, workload }) => Object.keys({ ...environment, ...workload })));
    expect([...keys].filter((key) => !known(key))).toEqual([]);
  });
});

describeShared(`real output of tools${because}`, () => {
  it.each(stored)('$path is recognized by its importer alone, or by none', ({ path, tool }) => {
    expect(recognize(textAt(`${corpus}/${path}`)).map((importer) => importer.tool)).toEqual(tool ? [tool] : []);
  });

  it.each(ours.filter(({ path }) => !path.includes('handedited')))(
    '$path gives the known values',
    ({ path, truths }) => {
      const { runs, problems } = readContent(textAt(`${corpus}/${path}`)).reading;
      expect(problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
      for (const { metric, value, unit, label } of truths.filter((truth) => truth.value !== null)) {
        const bytes = /^(\d+) B\b/.exec(label)?.[1];
        const found = runs
          .flatMap(({ observations }) => observations)
          .filter((each) => each.metric === metric && each.value === value && each.unit === (unitNames[unit] ?? unit));
        expect(found).toHaveLength(1);
        if (bytes) expect(found[0]?.dimensions).toEqual({ bytes: Number(bytes) });
      }
    },
  );

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
