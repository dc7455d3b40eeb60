import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { surveyContent } from '../src/domain/content/content-survey.js';
import { parseContent } from '../src/domain/content/parse-content.js';
import { RulesService } from '../src/features/catalog/rules.service.js';
import { digestOfFiles, readContentFolder, shippedContent } from '../src/features/content/content-files.js';
import { ContentService } from '../src/features/content/content.service.js';
import { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { SearchIndex } from '../src/platform/search-index/search-index.service.js';
import * as given from './support/given.js';
import { startApp, type TestApp } from './support/app.js';
import { added, rowsOf } from './support/rows.js';

const CHECKLIST = 'ai-systems-performance';
const itemsFile = join(import.meta.dirname, '../../shared/catalog/items.tsv');

describe('the shipped content', () => {
  it('has no problems', async () => {
    const parsed = parseContent(await readContentFolder(shippedContent));
    expect('problems' in parsed ? parsed.problems : []).toEqual([]);
  });
});

const describeItems = existsSync(itemsFile) ? describe : describe.skip;
describeItems(`the list of items${existsSync(itemsFile) ? '' : ' (skipped: ../shared/catalog is not there)'}`, () => {
  it('is in the checklists whole, each key once', async () => {
    const parsed = parseContent(await readContentFolder(shippedContent));
    const shipped = 'catalog' in parsed ? parsed.catalog.checklists : [];
    const lines = readFileSync(itemsFile, 'utf8').trim().split('\n').slice(1);
    const listed = lines.map((line) => line.split('\t')).map(([checklist, key = '']) => ({ checklist, key }));
    expect(listed).toHaveLength(206);
    for (const { slug, sections } of shipped) {
      const own = listed.filter(({ checklist }) => checklist === slug).map(({ key }) => key);
      expect(sections.flatMap(({ items }) => items.map(({ key }) => key)).sort()).toEqual([...own].sort());
    }
    expect(shipped.map(({ slug, sections }) => [slug, sections.length])).toEqual([
      ['ai-systems-performance', 18],
      ['application-level', 3],
    ]);
  });
});

describe('the reference notes', () => {
  it('are at least sixty, fifteen of them without a gain, and each is about an item', async () => {
    const parsed = parseContent(await readContentFolder(shippedContent));
    const notes = 'catalog' in parsed ? parsed.catalog.notes : [];
    expect(notes.length).toBeGreaterThanOrEqual(60);
    expect(notes.filter(({ outcome }) => outcome !== 'HELPED').length).toBeGreaterThanOrEqual(15);
  });
});

describe('the check of the content', () => {
  it('finds every translation current, and no review due when it was made', async () => {
    expect(surveyContent(await readContentFolder(shippedContent), '2026-12-01').problems).toEqual([]);
  });

  it('counts at least 45 hardware profiles of three vendors, and 80 metrics', async () => {
    const parsed = parseContent(await readContentFolder(shippedContent));
    const { hardware = [], metrics = [] } = 'catalog' in parsed ? parsed.catalog : {};
    expect(hardware.map(({ vendor }) => vendor).sort()).toEqual(['amd', 'huawei', 'nvidia']);
    expect(hardware.flatMap(({ profiles }) => profiles).length).toBeGreaterThanOrEqual(45);
    expect(metrics.length).toBeGreaterThanOrEqual(80);
  });
});

describe('loading content', () => {
  let app: TestApp;
  let folder: string;
  let content: ContentService;
  let shipped: string;
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeAll(async () => {
    app = await startApp();
    shipped = (await releases())[0]?.version ?? '';
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tunebook-content-'));
    await cp(shippedContent, folder, { recursive: true });
    const find = <T>(type: abstract new (...args: never[]) => T): T => app.nest.get<T>(type, { strict: false });
    content = new ContentService(app.db, find(SearchIndex), find(RulesService), find(KnowledgeService), folder);
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(async () => {
    warn.mockRestore();
    await rm(folder, { recursive: true, force: true });
  });

  async function edit(file: string, from: RegExp, to: string): Promise<void> {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(from);
    await writeFile(path, text.replace(from, to));
  }
  const editTf32 = (title: string) =>
    edit(`checklists/${CHECKLIST}/precision/tf32.yaml`, /^( +en: ).*$/m, `$1${title}`);
  const raiseRelease = (version: string) =>
    edit(`checklists/${CHECKLIST}/checklist.yaml`, /^release: .*$/m, `release: ${version}`);

  const tf32 = async (version?: string) => {
    const { data } = await app.as(null).send(
      `query($version: String) { checklist(slug: "${CHECKLIST}", version: $version) {
         version digest sections { items { id key title { en } checkDigest } }
       } }`,
      { version },
    );
    const { sections, ...checklist } = data.checklist;
    const items: { id: string; key: string; title: { en: string } }[] = sections.flatMap(
      ({ items: own }: { items: object[] }) => own,
    );
    return { ...checklist, item: items.find(({ key }) => key === 'precision/tf32'), count: items.length };
  };
  const searchItems = async (query: string): Promise<string[]> => {
    const { data } = await app.as(null).send(
      'query($query: String!) { search(query: $query, filter: { kinds: [ITEM] }) { edges { node { id } } } }',
      { query },
    ); // prettier-ignore
    return data.search.edges.map(({ node }: { node: { id: string } }) => node.id);
  };
  const releases = () =>
    app.db.release.findMany({ where: { checklist: { slug: CHECKLIST } }, orderBy: { rank: 'asc' }, include: { items: true } }); // prettier-ignore

  it('writes nothing when the content is the same', async () => {
    await content.load();
    const [rows, load] = [await rowsOf(app.db), await app.db.contentLoad.findMany()];
    expect(load[0]?.digest).toContain(digestOfFiles(await readContentFolder(folder)));
    expect(await app.statementsOf(() => content.load())).toBe(1);
    expect(added(rows, await rowsOf(app.db))).toEqual({});
    expect(await app.db.contentLoad.findMany()).toEqual(load);
  });

  it('leaves a published release as it is when its files change, and warns', async () => {
    await content.load();
    const before = await tf32(shipped);
    const rows = await rowsOf(app.db);
    await editTf32('Zanzibarian products');
    await content.load();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toBe(
      `content/checklists/${CHECKLIST} differs from its release ${before.version}, which is published and stays as it is: ` +
        'raise "release" in checklist.yaml to publish the change',
    );
    expect(await tf32(shipped)).toEqual(before);
    expect(await searchItems('zanzibarian')).toEqual([]);
    expect(added(rows, await rowsOf(app.db))).toEqual({});
  });

  it('publishes a raised version beside the old one, and search knows only the new', async () => {
    const old = await tf32(shipped);
    const audited = await given.audit(app.db);
    await editTf32('Quixotic products');
    await raiseRelease('7.0.0');
    await content.load();
    expect(warn).not.toHaveBeenCalled();

    const current = await tf32();
    expect(current).toMatchObject({ version: '7.0.0', count: old.count, item: { title: { en: 'Quixotic products' } } });
    expect(current.digest).not.toBe(old.digest);
    expect(current.item.checkDigest).toBe(old.item.checkDigest);
    expect(await tf32(shipped)).toEqual(old);

    const all = await releases();
    const [oldRelease, newRelease] = [shipped, '7.0.0'].map((version) => all.find((one) => one.version === version));
    const revisions = new Map(oldRelease?.items.map(({ key, revisionId }) => [key, revisionId]));
    const changed = newRelease?.items.filter(({ key, revisionId }) => revisions.get(key) !== revisionId);
    expect(changed?.map(({ key }) => key)).toEqual(['precision/tf32']);

    const id = audited.item('precision/tf32').id;
    const { data } = await app
      .as(audited.viewer)
      .send('query($id: ID!) { auditItem(id: $id) { item { id title { en } checklist { version } } } }', { id });
    expect(data.auditItem.item).toEqual({
      id: old.item.id,
      title: old.item.title,
      checklist: { version: old.version },
    });

    expect(await searchItems('quixotic')).toEqual([current.item.id]);
    const everywhere = await searchItems('TF32');
    expect(everywhere).toContain(current.item.id);
    expect(everywhere).not.toContain(old.item.id);
    const indexed = await app.db.searchDocument.findMany({
      where: { kind: 'ITEM', isPresent: true, checklist: CHECKLIST },
    });
    expect(indexed.map(({ subjectId }) => subjectId).sort()).toEqual(newRelease?.items.map((item) => item.id).sort());

    const opened = await app.as(audited.contributor).send(
      'mutation($input: OpenAuditInput!) { openAudit(input: $input) { checklist { version } } }',
      { input: { projectId: audited.project.id, checklist: CHECKLIST, version: shipped } },
    ); // prettier-ignore
    expect(opened.data.openAudit.checklist.version).toBe(shipped);
  });

  it('tells what changed between two releases', async () => {
    const tf32File = `checklists/${CHECKLIST}/precision/tf32.yaml`;
    await edit(tf32File, /^effort: .*$/m, 'effort: XL');
    await edit(tf32File, /^title:[^]*?summary:/m, 'title: { en: Quixotic, zh: 奇特 }\nsummary:');
    await edit(`checklists/${CHECKLIST}/io/striping.yaml`, /^signals:[^]*?\nmetrics:/m, 'signals: []\nmetrics:');
    await raiseRelease('7.5.0');
    await content.load();
    const query = `query($from: String!, $to: String, $first: Int!, $after: String) {
      releaseDifference(checklist: "${CHECKLIST}", from: $from, to: $to) {
        from { version } to { version } addedCount removedCount changedCount checkChangedCount unchangedCount
        changes(first: $first, after: $after) {
          totalCount pageInfo { hasNextPage endCursor }
          edges { node {
            kind key isCheckChanged isMoved changedTexts changedTranslations changedFields
            before { title { zh } } after { title { zh } }
          } }
        }
      }
    }`;
    const ask = async (variables: object) => {
      const { data, errors } = await app.as(null).send(query, { first: 50, to: '7.5.0', ...variables });
      expect(errors).toEqual([]);
      return data.releaseDifference;
    };
    const total = (await tf32('7.5.0')).count;
    const found = await ask({ from: shipped });
    const nodes = found.changes.edges.map(({ node }: { node: object }) => node);
    expect(found).toMatchObject({
      from: { version: shipped }, to: { version: '7.5.0' },
      addedCount: 0, removedCount: 0, changedCount: 2, checkChangedCount: 1, unchangedCount: total - 2,
    }); // prettier-ignore
    expect(nodes).toContainEqual({
      kind: 'CHANGED', key: 'precision/tf32', isCheckChanged: false, isMoved: false,
      changedTexts: ['title'], changedTranslations: ['title'], changedFields: ['effort'],
      before: { title: { zh: expect.stringContaining('TF32') } }, after: { title: { zh: '奇特' } },
    }); // prettier-ignore
    expect(nodes).toContainEqual(
      expect.objectContaining({
        key: 'io/striping',
        isCheckChanged: true,
        changedTexts: [],
        changedFields: ['signals'],
      }),
    );
    const first = await ask({ from: shipped, first: 1 });
    expect(first.changes).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
    const rest = await ask({ from: shipped, first: 1, after: first.changes.pageInfo.endCursor });
    expect([...first.changes.edges, ...rest.changes.edges].map(({ node }: { node: object }) => node)).toEqual(nodes);
    expect(await ask({ from: '7.5.0' })).toMatchObject({ changedCount: 0, unchangedCount: total });
    const { errorCode } = await app.as(null).send(query, { from: '0.0.9', first: 50 });
    expect(errorCode).toBe('NOT_FOUND');

    const { data } = await app.as(null).send(`{ checklist(slug: "${CHECKLIST}") { releases { version digest } } }`);
    const versions = data.checklist.releases.map(({ version }: { version: string }) => version);
    expect(versions).toEqual([...(await releases()).map(({ version }) => version)].reverse());
  });

  it('shows which translations are stale, and lists their items', async () => {
    await edit(`checklists/${CHECKLIST}/precision/tf32.yaml`, /^( +en: ).*$/m, '$1Quixotic and new in English only');
    await raiseRelease('7.6.0');
    await content.load();
    const { data } = await app.as(null).send(`{
      item(checklist: "${CHECKLIST}", key: "precision/tf32") { translations { field status } }
      stale: items(checklist: "${CHECKLIST}", filter: { translation: STALE }) { edges { node { key } } }
      missing: items(checklist: "${CHECKLIST}", filter: { translation: MISSING }) { totalCount }
      current: items(checklist: "${CHECKLIST}", filter: { translation: CURRENT, section: "precision" }) { totalCount }
    }`);
    const fields = ['summary', 'why', 'check', 'apply', 'measure', 'avoid', 'rollback'];
    expect(data.item.translations).toEqual([
      { field: 'title', status: 'STALE' },
      ...fields.map((field) => ({ field, status: 'CURRENT' })),
    ]);
    expect(data.stale.edges).toEqual([{ node: { key: 'precision/tf32' } }]);
    expect(data.missing.totalCount).toBe(0);
    expect(data.current.totalCount).toBe(10);
  });

  it('drops an item that a new version no longer has, and keeps it where it was audited', async () => {
    const audited = await given.audit(app.db);
    const gone = 'io/checkpoint-and-log-overhead'; // the last of its section
    await rm(join(folder, `checklists/${CHECKLIST}/${gone}.yaml`));
    await rm(join(folder, `checklists/${CHECKLIST}/translations.yaml`));
    for (const name of (await readContentFolder(folder)).keys()) {
      const text = await readFile(join(folder, name), 'utf8');
      if (text.includes(gone)) await writeFile(join(folder, name), text.replaceAll(gone, 'precision/bf16'));
    }
    await raiseRelease('8.0.0');
    await content.load();
    const query = `{ item(checklist: "${CHECKLIST}", key: "${gone}") { id } }`;
    expect((await app.as(null).send(query)).data).toEqual({ item: null });
    const id = audited.item(gone).id;
    const { data } = await app
      .as(audited.viewer)
      .send('query($id: ID!) { auditItem(id: $id) { item { key title { en } } } }', { id });
    expect(data.auditItem.item.key).toBe(gone);
  }); // prettier-ignore

  it('keeps the highest release as the newest, and warns of a lower one', async () => {
    const newest = (await releases()).at(-1)?.version;
    await editTf32('Lower products');
    await raiseRelease('0.0.5');
    await content.load();
    expect(warn.mock.calls[0]?.[0]).toContain('has release 0.0.5, and a higher one is published');
    expect((await releases()).at(-1)?.version).toBe(newest);
  });

  it('takes a name from a private checklist, which stays under another', async () => {
    const owner = await given.user(app.db);
    const slug = 'application-level-two';
    await app.db.checklist.create({ data: { slug, ownerId: owner.id } });
    await cp(join(folder, 'checklists/application-level'), join(folder, 'checklists', slug), { recursive: true });
    await content.load();
    const rows = await app.db.checklist.findMany({ where: { slug: { startsWith: slug } }, orderBy: { slug: 'asc' } });
    expect(rows.map(({ ownerId }) => ownerId)).toEqual([null, owner.id]);
    expect(rows[1]?.slug).toMatch(/^application-level-two-[0-9a-f]{12}$/);
  });

  it('publishes one release when two processes load at once', async () => {
    await raiseRelease('9.0.0');
    await Promise.all([content.load(), content.load()]);
    expect((await releases()).filter(({ version }) => version === '9.0.0')).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
  });

  it('changes the lists beside the checklists at once', async () => {
    await edit('metrics.yaml', /(key: training\.step_time[\s\S]*?name:\s*\{?\s*en: )[^,\n}]+/, '$1Quixotic time');
    await content.load();
    const { data } = await app.as(null).send('{ metrics { key name { en } } }');
    expect(data.metrics).toContainEqual({ key: 'training.step_time', name: { en: 'Quixotic time' } });
  });

  it('refuses a broken file with every problem, and writes nothing', async () => {
    const [rows, load] = [await rowsOf(app.db), await app.db.contentLoad.findMany()];
    await edit(`checklists/${CHECKLIST}/precision/tf32.yaml`, /^effort: .*$/m, 'effort: HUGE');
    await edit(`checklists/${CHECKLIST}/io/striping.yaml`, /^layer: .*$/m, 'layer: [');
    const message = await content.load().then(String, String);
    expect(message).toContain('The content has ');
    expect(message).toContain(`checklists/${CHECKLIST}/precision/tf32.yaml:`);
    expect(message).toContain(`checklists/${CHECKLIST}/io/striping.yaml:`);
    expect(added(rows, await rowsOf(app.db))).toEqual({});
    expect(await app.db.contentLoad.findMany()).toEqual(load);
  });
});
