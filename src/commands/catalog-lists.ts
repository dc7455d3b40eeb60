import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readContentFile } from '../domain/content/content-file.js';
import { definitionOf } from '../domain/content/metric-definition.js';
import { environmentKeyOf, profilesOf } from '../domain/content/registry-entries.js';
import { contentFiles } from '../domain/content/schema.js';
import type { DifferenceTier } from '../domain/measurement/environment-diff.js';
import type { MetricDefinition } from '../domain/measurement/metric.js';
import { normalWords, type NormalWords } from '../domain/measurement/normal-facts.js';
import { OperatorError } from '../platform/operator-error.js';
import { root } from '../platform/root.js';

/** What comparing needs of the shipped catalog. */
export interface CatalogLists {
  readonly metrics: ReadonlyMap<string, MetricDefinition>;
  readonly tiers: ReadonlyMap<string, DifferenceTier>;
  /** How values of facts are written. */
  readonly words: NormalWords;
}

const cacheFile = join(root, '.cache/catalog-lists.json');

const cacheShape = z.object({
  digest: z.string(),
  metrics: contentFiles.metrics.shape,
  keys: contentFiles['environment-keys'].shape,
  vendors: z.array(contentFiles.hardware.shape),
});
type Cache = z.infer<typeof cacheShape>;

/** Reads what comparing needs of the shipped content, without any database. */
export async function catalogLists(): Promise<CatalogLists> {
  const { metrics, keys, vendors } = await lists();
  return {
    metrics: new Map(metrics.map((entry) => [entry.key, definitionOf(entry)])),
    tiers: new Map(keys.map(({ key, tier }) => [key, tier])),
    words: normalWords(keys.map(environmentKeyOf), vendors.flatMap(profilesOf)),
  };
}

/** YAML takes a second to read, so what it says is kept as JSON for as long as the files are the same. */
async function lists(): Promise<Cache> {
  const vendorNames = (await readdir(join(root, 'content/hardware'))).sort().map((name) => `hardware/${name}`);
  const names = ['metrics.yaml', 'environment-keys.yaml', ...vendorNames];
  const texts = await Promise.all(names.map((name) => readFile(join(root, 'content', name), 'utf8')));
  const [metrics = '', keys = '', ...vendors] = texts;
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  const kept = await readCache();
  if (kept?.digest === digest) return kept;
  const read = {
    digest,
    metrics: listIn('metrics.yaml', metrics, contentFiles.metrics.shape),
    keys: listIn('environment-keys.yaml', keys, contentFiles['environment-keys'].shape),
    vendors: vendors.map((text, index) => listIn(vendorNames[index] ?? '', text, contentFiles.hardware.shape)),
  };
  await writeCache(read);
  return read;
}

function listIn<T>(name: string, text: string, shape: z.ZodType<T>): T {
  const reading = readContentFile(name, text, shape);
  if ('read' in reading) return reading.read.data;
  throw new OperatorError(`content/${name} is broken: see \`tunebook content check\``);
}

async function readCache(): Promise<Cache | null> {
  try {
    return cacheShape.safeParse(JSON.parse(await readFile(cacheFile, 'utf8'))).data ?? null;
  } catch {
    // None, or one that was cut off: it is written anew.
    return null;
  }
}

/** Others may read it meanwhile, so it appears as a whole; where nothing can be written, the next start takes longer. */
async function writeCache(cache: Cache): Promise<void> {
  const unfinished = `${cacheFile}.${process.pid}`;
  try {
    await mkdir(dirname(cacheFile), { recursive: true });
    await writeFile(unfinished, JSON.stringify(cache));
    await rename(unfinished, cacheFile);
  } catch {
    return;
  }
}
