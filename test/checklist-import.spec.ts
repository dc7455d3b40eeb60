import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BundleItem, ChecklistBundle } from '../src/domain/content/bundle.js';
import { readChecklist, type ImportedChecklist, type Undecided } from '../src/domain/content/import/imported.js';
import { bundleText } from '../src/domain/content/import/read-bundle.js';
import { lostOf, mutated, seeded } from './support/mutated-text.js';

// The two texts that the shipped checklists go back to. They are not part of the repository: without them the spec is
// skipped.

const shared = join(import.meta.dirname, '../../shared');
const isThere = existsSync(join(shared, 'source')) && existsSync(join(shared, 'catalog/items.tsv'));
const describeSource = isThere ? describe : describe.skip;
const why = isThere ? '' : ' (skipped: ../shared/source is not there)';

const source = (name: string): string => (isThere ? readFileSync(join(shared, 'source', name), 'utf8') : '');

/** The ids of a checklist by section, in the order of the catalog. */
function catalogued(checklist: string): string[][] {
  const [, ...rows] = readFileSync(join(shared, 'catalog/items.tsv'), 'utf8').trim().split('\n');
  const sections = new Map<string, string[]>();
  for (const row of rows) {
    const [owner, key = '', id = ''] = row.split('\t');
    const [section = ''] = key.split('/');
    if (owner === checklist) sections.set(section, [...(sections.get(section) ?? []), id]);
  }
  return [...sections.values()];
}

function imported(name: string): ImportedChecklist {
  const read = readChecklist(source(name), { fileName: name });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.checklist;
}

const lines = (name: string): string[] => source(name).split('\n');

describeSource(`the checklist in two languages${why}`, () => {
  const name = 'checklist-en-zh.txt';
  let bundle: ChecklistBundle;
  let format: string;
  let undecided: readonly Undecided[];
  let items: BundleItem[];

  beforeAll(() => {
    ({ bundle, format, undecided } = imported(name));
    items = bundle.sections.flatMap((section) => section.items);
  });

  it('has the sections and the number of items of the catalog', () => {
    expect(format).toBe('bilingual-text');
    const counts = bundle.sections.map((section) => section.items.length);
    expect(counts).toEqual(catalogued('ai-systems-performance').map((ids) => ids.length));
    expect(counts).toEqual([12, 9, 8, 6, 8, 14, 10, 11, 12, 11, 23, 5, 10, 8, 9, 11, 4, 9]);
    expect(items).toHaveLength(180);
  });

  it('has the sections of the catalog by name', () => {
    const plain = (text: string) => text.replace(/[“”]/g, '"');
    const [, ...rows] = readFileSync(join(shared, 'catalog/items.tsv'), 'utf8').trim().split('\n');
    const cells = rows.map((row) => row.split('\t'));
    const named = cells.filter(([owner]) => owner === 'ai-systems-performance').map((row) => plain(row[3] ?? ''));
    expect(bundle.sections.map(({ title }) => plain(`${title.en} · ${title.zh}`))).toEqual([...new Set(named)]);
  });

  it('has every title where a line of the text has it, in order', () => {
    const all = lines(name);
    const places = items.map(({ title }) => all.indexOf(`${title.en}${title.zh}`));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it('has both languages of every title and body, and never mixes them up', () => {
    const texts = items.flatMap(({ title, body }) => [title, body]);
    const wrong = texts.filter(
      (text) => !text?.en || !text.zh || /\p{Script=Han}/u.test(text.en) || !/\p{Script=Han}/u.test(text.zh),
    );
    expect(wrong).toEqual([]);
  });

  it('ends no body in the middle of a sentence, and begins none there', () => {
    const cut = items.filter(
      ({ body }) => !/[.!?:][)”"]?$/.test(body?.en ?? '') || !/[。！？：.][）”"]?$/.test(body?.zh ?? ''),
    );
    expect(cut.map(({ key }) => key)).toEqual([]);
    const paragraphs = items.flatMap(({ body }) => (body?.en ?? '').split('\n\n'));
    expect(paragraphs.filter((text) => /^[a-z]/.test(text) || !/[.!?:][)”"]?$/.test(text))).toEqual([]);
  });

  it('puts names together that a page break cut', () => {
    const text = (part: string) =>
      items.filter(({ body }) => body?.en?.includes(part) && body.zh?.includes(part)).length;
    expect(text('torch.set_float32_matmul_precision("high")')).toBe(1);
    expect(text('SHARP_COLL_NUM_COLL_GROUP_RESOURCE_ALLOC_THRESHOLD=0')).toBe(1);
  });

  it('has the introduction as its summary, and reports the conclusion', () => {
    const [first = '', second = ''] = bundle.summary?.en?.split('\n\n') ?? [];
    expect([lines(name)[10]?.indexOf(first), lines(name)[12]?.indexOf(second)]).toEqual([0, 0]);
    expect(Math.min(first.length, second.length)).toBeGreaterThan(200);
    expect(undecided.map(({ line }) => line)).toEqual([3, 919, 923, 925, 927, 929, 931, 933]);
  });
});

describeSource(`the checklist of tables and lists${why}`, () => {
  const name = 'application-level.txt';
  let bundle: ChecklistBundle;
  let format: string;
  let undecided: readonly Undecided[];

  beforeAll(() => {
    ({ bundle, format, undecided } = imported(name));
  });

  it('has the sections and the number of items of the catalog', () => {
    expect(format).toBe('markdown');
    expect(bundle.sections.map(({ title }) => title.en)).toEqual(['Training', 'Inference', 'Profiling tools']);
    expect(bundle.sections.map((section) => section.items.length)).toEqual(
      catalogued('application-level').map((ids) => ids.length),
    );
  });

  it('has the items in the order of the catalog', () => {
    const marks = [
      [/BF16/, /FP8/, /torch\.compile/, /Flash/, /batch/, /checkpoint/, /FSDP/, /CUDA Graphs/, /comm/, /AdamW/],
      [/engine/, /batching/, /KV-cache/, /INT8/, /Specul/, /prefill/, /routing/, /TensorRT/, /Triton/, /Right/],
      [/Systems/, /Compute/, /PyTorch/, /DCGM/, /in a pod/, /NVreg_RestrictProfilingToAdminUsers=0/],
    ];
    const titles = bundle.sections.map((section) => section.items.map(({ title }) => title.en ?? ''));
    expect(titles.map((part, at) => part.filter((title, index) => marks[at]?.[index]?.test(title)).length)).toEqual([
      10, 10, 6,
    ]); // prettier-ignore
    const all = source(name).replace(/\s+/g, '');
    const places = titles.flat().map((title) => all.indexOf(title.replace(/\s+/g, '')));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it('has rows together that were broken', () => {
    const [training] = bundle.sections;
    expect(training?.items[2]?.body?.en).toMatch(/^\*\*Gain\*\*: 1\.2–2×\n\n\*\*Notes\*\*: \S/);
    expect(training?.items[9]?.body?.en).toMatch(/^\*\*Gain\*\*: 5–15%\n\n\*\*Notes\*\*: \S/);
  });

  it('reports what it decided', () => {
    expect(undecided.map(({ line }) => line)).toEqual([32, 36, 39]);
  });
});

describeSource(`both texts${why}`, () => {
  const names = ['checklist-en-zh.txt', 'application-level.txt'];

  it.each(names)('lose no line of %s', (name) => {
    expect(lostOf(source(name), readChecklist(source(name), { fileName: name }))).toEqual([]);
  });

  it.each(names)('lose no line of %s when damaged', (name) => {
    const random = seeded(3);
    const lost: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const content = mutated(source(name), random);
      lost.push(...lostOf(content, readChecklist(content, { fileName: name })));
    }
    expect(lost).toEqual([]);
  });

  it.each(names)('come back equal from the bundle of %s', (name) => {
    const { bundle } = imported(name);
    expect(readChecklist(bundleText(bundle))).toEqual({ checklist: { bundle, format: 'bundle', undecided: [] } });
  });
});
