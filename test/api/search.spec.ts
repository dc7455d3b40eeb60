import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { pathTo } from '../support/tool-output.js';

const SEARCH = `query($query: String!, $filter: SearchFilter, $locale: Locale, $first: Int, $after: String) {
  search(query: $query, filter: $filter, locale: $locale, first: $first, after: $after) {
    totalCount engine degraded
    pageInfo { hasNextPage hasPreviousPage endCursor }
    facets { field values { value count } }
    edges { cursor node {
      kind id key snippet title { en zh } item { key title { en } } note { slug title { en zh } } auditItem { remark item { key } }
    } }
  }
}`;

interface Hit {
  readonly kind: string;
  readonly id: string;
  readonly key: string | null;
  readonly snippet: string;
  readonly title: { readonly en: string | null; readonly zh: string | null };
  readonly note: { readonly slug: string | null } | null;
}
interface Found {
  readonly totalCount: number;
  readonly hits: readonly Hit[];
  readonly titles: readonly string[];
  readonly facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly next: string | null;
}

/** Where several items answer a query equally well, `keys` has them all; each with its checklist. */
const golden = readFileSync(pathTo('golden/queries.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [query = '', items = '', kind = ''] = line.split('\t');
    const keys = items.split('|').map((key) => (key.includes(':') ? key : `ai-systems-performance:${key}`));
    return { query, keys, kind };
  });

describe('search', () => {
  let app: TestApp;
  let audit: given.GivenAudit;
  let other: given.GivenAudit;
  let outsider: { readonly id: string };
  beforeAll(async () => {
    app = await startApp();
    audit = await given.audit(app.db, { hardware: 'h200-sxm' });
    other = await given.audit(app.db);
    outsider = other.viewer;
    const measure = (after: number[]) =>
      app.owner.send(`mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }`, {
        input: {
          auditItemId: audit.item('io/pinned-memory').id,
          metric: 'training.throughput',
          before: [100, 101, 99, 100.5],
          after,
        },
      });
    await measure([120, 121, 119, 120.5]);
    await publish({
      auditItemId: audit.item('io/pinned-memory').id,
      title: 'Quokka: pinned memory for the loader',
      body: 'Copies from pinned memory overlapped. The GPU memory did not grow.',
      tags: ['quokka'],
      change: { 'env.QUOKKA_PIN_MODE': 'on' },
    });
    await publish({ title: '袋熊：量化之后显存减半', body: '权重量化后显存占用减半，精度没有变化。', locale: 'ZH' });
    await publish({ title: 'KV 缓存量化与吞吐', locale: 'ZH' });
    await publish({ title: '主机到设备带宽偏低', locale: 'ZH' });
    await publish({ title: 'Checkpointing stalls' });
    await publish({ title: 'Wombat study', body: 'More text about wombats and small batches.', outcome: 'HURT' });
    await remark('wallaby: one switch before the first product');
  });
  afterAll(() => app.close());

  async function publish(note: object): Promise<void> {
    const input = { projectId: audit.project.id, body: 'x', locale: 'EN', outcome: 'HELPED', ...note };
    const { errors } = await app.owner.send(
      `mutation($input: PublishNoteInput!) { publishNote(input: $input) { id } }`,
      { input },
    );
    expect(errors).toEqual([]);
  }
  async function remark(text: string | null): Promise<void> {
    const { id, version } = await app.db.auditItem.findUniqueOrThrow({
      where: { id: audit.item('precision/tf32').id },
    });
    const { errors } = await app.owner.send(
      `mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }`,
      { input: { id, version, remark: text } },
    );
    expect(errors).toEqual([]);
  }

  async function search(query: string, change: object = {}, who: { id: string } | null = audit.viewer): Promise<Found> {
    const { data, errors } = await app.as(who).send(SEARCH, { query, ...change });
    expect(errors).toEqual([]);
    const { totalCount, edges, facets, engine, degraded, pageInfo } = data.search;
    expect({ engine, degraded }).toEqual({ engine: 'postgres', degraded: false });
    const hits: Hit[] = edges.map(({ node }: { node: Hit }) => node);
    return {
      totalCount,
      hits,
      titles: hits.map(({ title }) => title.en ?? title.zh ?? ''),
      facets: Object.fromEntries(
        facets.map(({ field, values }: { field: string; values: { value: string; count: number }[] }) => [
          field,
          Object.fromEntries(values.map(({ value, count }) => [value, count])),
        ]),
      ),
      next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    };
  }

  describe('on the golden queries', () => {
    const ITEMS = `query($query: String!) {
      search(query: $query, first: 10, filter: { kinds: [ITEM] }) { edges { node { key item { checklist { slug } } } } }
    }`;
    const places = new Map<string, number>();
    beforeAll(async () => {
      for (const { query, keys } of golden) {
        const { data } = await app.as(null).send(ITEMS, { query });
        const edges: { node: { key: string; item: { checklist: { slug: string } } } }[] = data.search.edges;
        places.set(
          query,
          edges.findIndex(({ node }) => keys.includes(`${node.item.checklist.slug}:${node.key}`)),
        );
      }
    });
    const missed = (within: number) =>
      golden.filter(({ query }) => {
        const place = places.get(query) ?? -1;
        return place < 0 || place >= within;
      });

    it('finds every identifier and every part of one in the first three', () => {
      expect(places.size).toBeGreaterThanOrEqual(240);
      expect(missed(3).filter(({ kind }) => kind === 'identifier' || kind === 'part')).toEqual([]);
    });

    it.each([
      [0.97, 10],
      [0.95, 3],
    ])('finds at least the share %d of all in the first %i', (share, within) => {
      const names = missed(within).map(({ query, keys }) => `${query} → ${keys.join(' | ')}`);
      expect(names.length <= golden.length * (1 - share) ? [] : names).toEqual([]);
    });
  });

  it('puts what declares an identifier first', async () => {
    const { hits } = await search('NCCL_IB_HCA');
    expect(hits[0]).toMatchObject({ kind: 'ITEM', key: expect.stringMatching(/^network\//) });
    const { titles } = await search('QUOKKA_PIN_MODE');
    expect(titles[0]).toBe('Quokka: pinned memory for the loader');
    expect((await search('pin_mode')).titles).toContain('Quokka: pinned memory for the loader');
  });

  it('marks what matched in the snippet, and resolves each kind of hit', async () => {
    const { data } = await app
      .as(audit.viewer)
      .send(SEARCH, { query: 'pinned memory', filter: { kinds: ['NOTE'], project: audit.project.slug } });
    expect(data.search.edges[0].node).toMatchObject({
      kind: 'NOTE',
      key: null,
      item: null,
      auditItem: null,
      note: { slug: null, title: { en: 'Quokka: pinned memory for the loader' } },
      snippet: expect.stringContaining('\uE000pinned memory\uE001'),
    });
    const item = await app.as(null).send(SEARCH, { query: 'io/pinned-memory', filter: { kinds: ['ITEM'] } });
    expect(item.data.search.edges[0].node).toMatchObject({
      kind: 'ITEM',
      key: 'io/pinned-memory',
      item: { key: 'io/pinned-memory', title: { en: 'Pinned host memory' } },
      note: null,
    });
  });

  it.each([
    ['锁页内存', 'Quokka: pinned memory for the loader'],
    ['显存', 'Quokka: pinned memory for the loader'],
    ['GPU memory', '袋熊：量化之后显存减半'],
    ['quantization', '袋熊：量化之后显存减半'],
    ['显存 quantization', '袋熊：量化之后显存减半'],
    ['权重 GPU memory', '袋熊：量化之后显存减半'],
    ['占用减半', '袋熊：量化之后显存减半'],
    ['quantization', 'KV 缓存量化与吞吐'],
    ['检查点', 'Checkpointing stalls'],
    ['host to device bandwidth', '主机到设备带宽偏低'],
    ['H2D bandwidth', '主机到设备带宽偏低'],
    ['wombats', 'Wombat study'],
    ['batch', 'Wombat study'],
    ['womba', 'Wombat study'],
  ])('finds with %s the note "%s"', async (query, title) => {
    const filter = { kinds: ['NOTE'], project: audit.project.slug };
    expect((await search(query, { filter })).titles).toContain(title);
  });

  it.each<[object, readonly string[]]>([
    [{ outcome: ['HURT'] }, ['Wombat study']],
    [{ tags: ['quokka'] }, ['Quokka: pinned memory for the loader']],
    [{ hardware: ['h200-sxm'], kinds: ['NOTE'] }, ['Quokka: pinned memory for the loader']],
    [{ section: 'io', kinds: ['NOTE'] }, ['Quokka: pinned memory for the loader']],
    [{ checklist: 'ai-systems-performance', kinds: ['NOTE'] }, ['Quokka: pinned memory for the loader']],
    [{ minGain: 0.05 }, ['Quokka: pinned memory for the loader']],
    [{ minGain: 0.5 }, []],
    [{ verdict: ['IMPROVED'] }, ['Quokka: pinned memory for the loader']],
    [{ languages: ['ZH'], kinds: ['NOTE'] }, ['主机到设备带宽偏低', 'KV 缓存量化与吞吐', '袋熊：量化之后显存减半']],
    [{ project: 'no-such-project' }, []],
    [{ team: 'no-such-team' }, []],
    [{ kinds: [] }, []],
  ])('filters by %j', async (filter, titles) => {
    const found = await search('', { filter: { project: audit.project.slug, ...filter } });
    expect(found.titles).toEqual(titles);
    expect(found.totalCount).toBe(titles.length);
  });

  it('counts in facets what it finds over all pages', async () => {
    const { totalCount, facets, hits } = await search('memory', { first: 2 });
    expect(hits).toHaveLength(2);
    const kinds = Object.values(facets['kind'] ?? {}).reduce((sum, count) => sum + count, 0);
    expect(kinds).toBe(totalCount);
    expect(facets).toMatchObject({
      checklist: { 'ai-systems-performance': expect.any(Number) },
      outcome: { HELPED: expect.any(Number) },
    });
    const own = await search('memory', { filter: { project: audit.project.slug, kinds: ['NOTE'] } });
    expect(own.facets['outcome']).toEqual({ HELPED: 1 });
  });

  it('goes through all pages without a gap or a repeat', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    const { totalCount } = await search('memory');
    for (let page = 0; page < 40; page++) {
      const found: Found = await search('memory', { first: 17, after });
      expect(found.totalCount).toBe(totalCount);
      seen.push(...found.hits.map(({ kind, id }) => `${kind} ${id}`));
      after = found.next;
      if (after === null) break;
    }
    expect(seen).toHaveLength(totalCount);
    expect(new Set(seen).size).toBe(totalCount);
  });

  it('shows a viewer of another project no hit, facet or count of this one', async () => {
    const references = await app.db.note.count({ where: { slug: { not: null } } });
    for (const who of [outsider, audit.stranger, null]) {
      for (const query of ['quokka', '袋熊', 'wombat', 'QUOKKA_PIN_MODE']) {
        const found = await search(query, { first: 100 }, who);
        expect(found.hits.filter(({ kind }) => kind !== 'ITEM')).toEqual([]);
        expect(found.facets['outcome']).toBeUndefined();
        expect(found.facets['kind'] ?? {}).toEqual(found.totalCount === 0 ? {} : { ITEM: found.totalCount });
        expect(found.facets['tag']?.['quokka']).toBeUndefined();
      }
      for (const query of ['wallaby', '显存', 'memory', '']) {
        expect((await search(query, { filter: { kinds: ['AUDIT_ITEM', 'COMMENT'] } }, who)).totalCount).toBe(0);
        const notes = await search(query, { filter: { kinds: ['NOTE'] }, first: 100 }, who);
        expect(notes.hits.filter(({ note }) => typeof note?.slug !== 'string')).toEqual([]);
        expect(notes.totalCount).toBeLessThanOrEqual(references);
        const counted = Object.values(notes.facets['outcome'] ?? {}).reduce((sum, count) => sum + count, 0);
        expect(counted).toBe(notes.totalCount);
      }
    }
    const filtered = await search('', { filter: { project: audit.project.slug } }, outsider);
    expect(filtered).toMatchObject({ totalCount: 0, facets: {} });
    expect((await search('', { filter: { project: audit.project.slug } })).totalCount).toBeGreaterThanOrEqual(4);
  });

  it('puts an item before an audit item with a remark on something else', async () => {
    const { hits } = await search('tf32', { first: 100, filter: { kinds: ['ITEM', 'AUDIT_ITEM'] } });
    const places = ['ITEM', 'AUDIT_ITEM'].map((kind) =>
      hits.findIndex((hit) => hit.kind === kind && hit.key === 'precision/tf32'),
    );
    expect(places).toEqual([0, hits.length - 1]);
  });

  it('asks a question in Chinese as it asks for its words', async () => {
    const keys = async (query: string) => (await search(query)).hits.map(({ id }) => id);
    expect(await keys('数据加载慢怎么办？')).toEqual(await keys('数据加载慢'));
    expect((await search('怎么办')).totalCount).toBe(0);
  });

  it('forgets a remark that was removed', async () => {
    const { data } = await app.as(audit.viewer).send(SEARCH, { query: 'wallaby' });
    expect(data.search.edges[0].node).toMatchObject({
      kind: 'AUDIT_ITEM',
      key: 'precision/tf32',
      auditItem: { remark: 'wallaby: one switch before the first product', item: { key: 'precision/tf32' } },
    });
    const remarks = async (query: string) => (await search(query, { filter: { kinds: ['AUDIT_ITEM'] } })).totalCount;
    await remark('numbat: another word');
    expect([await remarks('wallaby'), await remarks('numbat')]).toEqual([0, 1]);
    await remark(null);
    expect(await remarks('numbat')).toBe(0);
    await remark('wallaby: one switch before the first product');
  });

  it.each([
    '',
    ' ',
    "'",
    '"',
    '"unclosed',
    '\'; DROP TABLE "Note"; --',
    '& | ! ( ) : * <-> \\',
    'a & !b | (c',
    ':*',
    '%_%',
    '\\',
    '。，！？',
    '🚀🚀',
    'é́́ ﷺ ＮＣＣＬ＿ＩＢ＿ＨＣＡ',
    '的',
    'the of and',
    'a'.repeat(5000),
    '显'.repeat(5000),
    'x '.repeat(3000),
    '((((((((((((((((',
    'affter',
    'betwen wihch',
    'aiter',
    '-- --',
    '\u202Eabc\u200B',
    '<script>alert(1)</script>',
    '$1 {{x}} ${y}',
  ])('answers %j', async (query) => {
    const { totalCount, hits } = await search(query, { first: 5 });
    expect(hits.length).toBeLessThanOrEqual(totalCount);
  });

  it.each([
    [{ query: 'a\u0000b' }, /^\$query contains U\+0000/],
    [{ query: 'a', after: 'nonsense' }, /^"nonsense" is not a cursor of a search$/],
    [{ query: 'a', first: 0 }, /^first must be 1 to 100, and is 0$/],
    [{ query: 'a', first: 101 }, /^first must be 1 to 100, and is 101$/],
  ])('refuses %j', async (variables, message) => {
    const { errorCode, errors } = await app.owner.send(SEARCH, variables);
    expect(errorCode).toBe('INVALID_INPUT');
    expect(errors[0]?.message).toMatch(message);
  });

  it('answers a page with its hits in at most eight statements', async () => {
    await search('memory', { first: 50 });
    const statements = await app.statementsOf(() => search('memory', { first: 50 }));
    expect(statements).toBeLessThanOrEqual(8);
  });
});
