import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '../../src/domain/errors.js';
import type { SearchDocument } from '../../src/domain/search/document.js';
import { PostgresEngine } from '../../src/features/search/postgres-engine.js';
import type {
  SearchConditions,
  SearchEngine,
  SearchPage,
  SearchRequest,
} from '../../src/features/search/search-engine.js';
import { Database } from '../../src/platform/database/database.js';
import { SearchIndex } from '../../src/platform/search-index/search-index.service.js';
import { openTestDatabase } from '../support/database.js';
import {
  equalDocuments,
  glossaryEntries,
  hiddenDocuments,
  manyDocuments,
  nestedTermDocuments,
  publicDocuments,
  repeatingDocuments,
  searchDocument,
} from './search-documents.js';

interface Subject {
  readonly engine: SearchEngine;
  put(documents: readonly SearchDocument[]): Promise<void>;
  remove(documents: readonly SearchDocument[]): Promise<void>;
  close(): Promise<void>;
}

async function postgres(): Promise<Subject> {
  const db = new Database(await openTestDatabase());
  // The shipped content would be found too.
  await db.searchDocument.deleteMany();
  await db.glossaryTerm.deleteMany();
  const terms = glossaryEntries.map(({ synonymsEn = [], synonymsZh = [], ...term }) => ({
    ...term,
    synonymsEn: [...synonymsEn],
    synonymsZh: [...synonymsZh],
  }));
  await db.glossaryTerm.createMany({ data: terms });
  const index = new SearchIndex();
  return {
    engine: new PostgresEngine(db, index),
    put: (documents) => index.put(db, documents),
    remove: (documents) => index.remove(db, documents),
    close: () => db.onApplicationShutdown(),
  };
}

const engines = [{ name: 'PostgreSQL', open: postgres }];

describe.each(engines)('search with $name', ({ open }) => {
  let subject: Subject;

  beforeAll(async () => {
    subject = await open();
    await subject.put([...publicDocuments, ...hiddenDocuments, ...manyDocuments]);
    await subject.put([...nestedTermDocuments, ...repeatingDocuments, ...equalDocuments]);
  });
  afterAll(() => subject.close());

  /** What an anonymous viewer finds, unless the request says otherwise. */
  const search = (query: string, more: Partial<SearchRequest> = {}): Promise<SearchPage> =>
    subject.engine.search({ query, filter: {}, visibleProjectIds: [], locale: 'EN', first: 20, after: null, ...more });
  const found = async (query: string, more?: Partial<SearchRequest>): Promise<readonly string[]> =>
    (await search(query, more)).hits.map(({ subjectId }) => subjectId);
  const first = async (query: string): Promise<string | undefined> => (await found(query))[0];

  describe('English', () => {
    it('finds a word in its other forms', async () => {
      expect(await found('recompilation')).toContain('compiled-model');
      expect(await found('fragmenting')).toEqual(['fragmented-pool']);
    });

    it('ranks a title before a text', async () => {
      expect(await found('allocation')).toEqual(['async-allocator', 'fragmented-pool']);
    });

    it('finds a word of which only the beginning is typed', async () => {
      expect(await found('expan')).toEqual(['fragmented-pool']);
      expect(await found('expandab')).toEqual(['fragmented-pool']);
    });

    it('finds words in quotation marks only side by side', async () => {
      expect(await found('"staging buffer"')).toEqual(['pinned-buffers']);
      expect(await found('"buffer staging"')).toEqual([]);
    });

    it('forgives a slip', async () => {
      expect(await first('pined memory')).toBe('pinned-buffers');
      expect(await first('nccl_ib_hac')).toBe('network-card');
    });
  });

  describe('Chinese', () => {
    it('finds a word in the middle of a sentence', async () => {
      expect(await found('显存')).toContain('memory-utilization');
      expect(await found('利用率')).toEqual(['memory-utilization']);
      expect(await found('启动')).toEqual(['memory-utilization']);
      expect(await found('线程束')).toEqual(['divergent-threads']);
    });

    it('finds a single character', async () => {
      expect(await found('列')).toEqual(['bank-conflicts']);
    });

    it('finds simplified text by traditional characters', async () => {
      expect(await found('顯存')).toEqual(await found('显存'));
    });

    it('leaves out how a question is asked', async () => {
      expect(await first('怎么提高显存的利用率')).toBe('memory-utilization');
      for (const query of ['线程束分化怎么办', '为什么线程束分化', '线程束分化是什么呢', '请问线程束分化如何解决？']) {
        expect(await found(query)).toEqual(['divergent-threads']);
      }
    });
  });

  describe('identifiers', () => {
    it('ranks the very identifier before similar ones', async () => {
      expect((await found('NCCL_IB_HCA')).slice(0, 2)).toEqual(['network-card', 'network-lists']);
    });

    it.each([
      ['ib_hca', 'network-card'],
      ['IB-HCA', 'network-card'],
      ['nccl_ib_h', 'network-card'],
      ['nccl_ib_hca', 'network-card'],
      ['ＮＣＣＬ_IB_HCA', 'network-card'],
      ['torch.compile', 'compiled-model'],
      ['torchcompile', 'compiled-model'],
      ['--enable-chunked-prefill', 'prefill-chunks'],
      ['enable_chunked_prefill', 'prefill-chunks'],
      ['chunked-prefill', 'prefill-chunks'],
      ['cudamallocasync', 'async-allocator'],
      ['cudaMallocAsync', 'async-allocator'],
      ['malloc', 'async-allocator'],
      ['net.core.rmem_max', 'socket-buffers'],
      ['rmem_max', 'socket-buffers'],
      ['nvidia-smi -pl', 'socket-buffers'],
      ['PYTORCH_CUDA_ALLOC_CONF', 'fragmented-pool'],
      ['io/pinned-buffers', 'pinned-buffers'],
    ])('finds %s', async (query, subjectId) => {
      expect(await found(query)).toContain(subjectId);
    });

    it('finds full-width letters', async () => {
      expect(await found('ＮＣＣＬ')).toEqual(await found('nccl'));
      expect(await found('ＮＣＣＬ')).toContain('network-card');
    });
  });

  describe('across the languages', () => {
    it('finds English by a Chinese term', async () => {
      expect(await found('显存')).toContain('fragmented-pool');
      expect(await found('固定内存')).toContain('pinned-buffers');
    });

    it('finds Chinese by an English term', async () => {
      expect(await found('GPU memory')).toContain('memory-utilization');
      expect(await found('warps')).toEqual(['divergent-threads']);
      expect(await found('cold starts')).toEqual(['memory-utilization']);
    });

    it('finds a term within a longer term, after what is about the term itself', async () => {
      const member = { visibleProjectIds: ['project-terms'], filter: { project: 'project-terms' } };
      const hits = await found('quantization', member);
      expect([...hits].sort()).toEqual(['cache-quantization', 'quantized-model', 'weight-quantization']);
      expect(hits[0]).toBe('quantized-model');
      expect([...(await found('检查点', member))].sort()).toEqual(['activation-checkpointing', 'checkpoint-stalls']);
      expect(await found('weight-only quantization', member)).toEqual(['weight-quantization']);
      expect(await found('激活检查点', member)).toEqual(['activation-checkpointing']);
    });

    it('does not take the end of a longer term for another term', async () => {
      expect(await found('host memory')).not.toContain('bank-conflicts');
    });

    it('does not take an everyday word for the term that it may shorten', async () => {
      expect(await found('核函数启动')).not.toContain('cluster-launch');
      expect(await found('张量核心')).not.toContain('cluster-launch');
    });

    it('shows the name in the other language as the match', async () => {
      const { hits } = await search('显存', { filter: { kinds: ['NOTE'], languages: ['EN'] } });
      expect(hits.map(({ snippet }) => snippet)).toEqual([
        expect.stringContaining('Expandable segments gave back 3 GiB.'),
      ]);
      const [pinned] = (await search('page-locked memory', { locale: 'ZH' })).hits;
      expect(pinned?.subjectId).toBe('pinned-buffers');
    });
  });

  describe('mixed queries', () => {
    it('ranks what has both halves first', async () => {
      expect(await first('torch.compile 图断裂')).toBe('both-halves');
    });

    it('drops neither half when nothing has both', async () => {
      const hits = await found('cudaMallocAsync 存储体冲突');
      expect(hits).toContain('async-allocator');
      expect(hits).toContain('bank-conflicts');
    });

    it('finds the best answers to a long sentence', async () => {
      const query =
        'why does the server run slowly and how can I set the number of ports with NCCL_IB_HCA on our nodes';
      expect(await first(query)).toBe('network-card');
    });
  });

  describe('kinds', () => {
    const repeats = { visibleProjectIds: ['project-repeats'], filter: { project: 'project-repeats' } };

    it.each(['astrolabe', '星盘', 'allow_astrolabe', 'precision/astrolabe'])(
      'put an item before an audit item that only repeats it, for %s',
      async (query) => {
        const hits = await found(query, repeats);
        expect(hits).toContain('c-item');
        expect(hits.indexOf('a-silent-audit')).toBeGreaterThan(hits.indexOf('c-item'));
      },
    );

    it('put an audit item in which nobody wrote of it behind everything else', async () => {
      const hits = await found('astrolabe', repeats);
      expect([...hits].sort()).toEqual(['a-silent-audit', 'b-speaking-audit', 'c-item', 'd-note']);
      expect(hits.at(-1)).toBe('a-silent-audit');
    });

    it('come in the order item, note, audit item, comment where the rank is equal', async () => {
      const equals = { visibleProjectIds: ['project-equals'], filter: { project: 'project-equals' } };
      const { hits } = await search('orrery', equals);
      expect(hits.map(({ kind }) => kind)).toEqual(['ITEM', 'NOTE', 'AUDIT_ITEM', 'COMMENT']);
    });
  });

  describe('snippets', () => {
    it('mark the matches in plain text', async () => {
      const { hits } = await search('pin_memory');
      expect(hits[0]?.snippet).toBe(
        'Why: a copy from pageable memory waits in a staging buffer. Set \ue000pin_memory\ue001=True in the loader.',
      );
    });

    it('are in the language of the viewer where both fit', async () => {
      const { hits } = await search('pin_memory', { locale: 'ZH' });
      expect(hits[0]?.snippet).toContain('在加载器里设置 \ue000pin_memory\ue001=True');
    });
  });

  describe('filters', () => {
    const members = ['project-a', 'project-b', 'project-pages'];
    it.each<[string, SearchConditions, string, readonly string[]]>([
      ['kinds', { kinds: ['COMMENT', 'AUDIT_ITEM'] }, '', ['audit-remark', 'secret-comment']],
      ['project', { project: 'project-b' }, '', ['secret-comment']],
      ['team', { team: 'team-a' }, '', ['audit-remark', 'secret-note']],
      ['checklist', { checklist: 'ai-systems-performance', kinds: ['AUDIT_ITEM'] }, '', ['audit-remark']],
      ['section', { section: 'network' }, '', ['network-card', 'network-lists']],
      ['tags', { tags: ['rdma', 'dataloader'] }, '', ['network-card', 'pinned-buffers']],
      ['hardware', { hardware: ['nvidia/h200', 'amd/mi300x'] }, '', ['memory-utilization', 'secret-note']],
      ['frameworks', { frameworks: ['vllm'] }, '', ['memory-utilization', 'prefill-chunks']],
      ['languages', { languages: ['ZH'] }, '显存', ['memory-utilization', 'secret-comment']],
      ['outcome', { outcome: ['HURT', 'NEUTRAL'] }, '', ['async-allocator', 'compiled-model']],
      ['verdict', { verdict: ['REGRESSED'] }, '', ['compiled-model']],
      ['minGain', { minGain: 0.05 }, '', ['memory-utilization']],
      [
        'conditions that are null',
        { kinds: null, project: null, minGain: null, section: 'io' },
        '',
        ['audit-remark', 'pinned-buffers'],
      ],
      ['a list without values', { tags: [] }, '', []],
    ])('keep to %s', async (_, filter, query, expected) => {
      const hits = await found(query, { filter, visibleProjectIds: members });
      expect([...hits].sort()).toEqual(expected);
    });
  });

  describe('facets', () => {
    it('are what is left when their value becomes a filter', async () => {
      const query = 'why is the copy from memory slow on our GPU';
      const { facets } = await search(query);
      const kinds = facets.find(({ field }) => field === 'kind')?.values ?? [];
      expect(kinds.length).toBeGreaterThan(1);
      for (const { value, count } of kinds) {
        const kind = value === 'ITEM' ? 'ITEM' : 'NOTE';
        expect((await search(query, { filter: { kinds: [kind] } })).totalCount).toBe(count);
      }
    });

    it('count every value over the whole result', async () => {
      const { facets, totalCount } = await search('NCCL_IB_HCA', { first: 1 });
      expect(totalCount).toBe(2);
      expect(facets).toEqual([
        { field: 'kind', values: [{ value: 'ITEM', count: 2 }] },
        { field: 'checklist', values: [{ value: 'ai-systems-performance', count: 2 }] },
        { field: 'section', values: [{ value: 'network', count: 2 }] },
        {
          field: 'tag',
          values: [
            { value: 'nccl', count: 2 },
            { value: 'rdma', count: 1 },
          ],
        },
        {
          field: 'language',
          values: [
            { value: 'EN', count: 2 },
            { value: 'ZH', count: 2 },
          ],
        },
      ]);
    });

    it('count outcomes, verdicts, hardware and frameworks', async () => {
      const { facets } = await search('显存');
      expect(facets.filter(({ field }) => ['hardware', 'framework', 'outcome', 'verdict'].includes(field))).toEqual([
        {
          field: 'hardware',
          values: [
            { value: 'nvidia/h100-sxm', count: 1 },
            { value: 'nvidia/h200', count: 1 },
          ],
        },
        {
          field: 'framework',
          values: [
            { value: 'pytorch', count: 1 },
            { value: 'vllm', count: 1 },
          ],
        },
        { field: 'outcome', values: [{ value: 'HELPED', count: 2 }] },
        { field: 'verdict', values: [{ value: 'IMPROVED', count: 2 }] },
      ]);
    });
  });

  describe('visibility', () => {
    it('hides documents of other projects from hits, totals and facets', async () => {
      expect(await search('zeppelin')).toEqual({ hits: [], totalCount: 0, facets: [], hasNextPage: false });
      expect(await search('zeppelin-tag')).toEqual({ hits: [], totalCount: 0, facets: [], hasNextPage: false });
      const { facets, totalCount } = await search('显存');
      expect(totalCount).toBe(2);
      expect(JSON.stringify(facets)).not.toMatch(/COMMENT|mi300x|zeppelin/);
    });

    it('hides them when a filter names the project', async () => {
      const page = await search('', { filter: { project: 'project-a' }, visibleProjectIds: ['project-b'] });
      expect(page).toEqual({ hits: [], totalCount: 0, facets: [], hasNextPage: false });
    });

    it('does not correct a misspelled word to one of a hidden project', async () => {
      expect(await found('zepelin')).toEqual([]);
    });

    it('shows a member the documents of the project', async () => {
      expect(await found('zeppelin', { visibleProjectIds: ['project-a'] })).toEqual(['secret-note']);
      const all = await found('zeppelin', { visibleProjectIds: 'ALL' });
      expect([...all].sort()).toEqual(['secret-comment', 'secret-note']);
    });
  });

  describe('pages', () => {
    it.each(['gyroscope drift', ''])('have no gaps and no repeats for "%s"', async (query) => {
      const seen: string[] = [];
      const request = { visibleProjectIds: ['project-pages'], filter: { project: 'project-pages' }, first: 10 };
      let after: string | null = null;
      let pages = 0;
      for (let hasNextPage = true; hasNextPage; pages++) {
        const page: SearchPage = await search(query, { ...request, after });
        expect(page.totalCount).toBe(57);
        seen.push(...page.hits.map(({ subjectId }) => subjectId));
        after = page.hits.at(-1)?.cursor ?? null;
        hasNextPage = page.hasNextPage;
      }
      expect(pages).toBe(6);
      expect([...seen].sort()).toEqual(manyDocuments.map(({ subjectId }) => subjectId));
    });

    it('keep the total behind the last hit', async () => {
      const request = { visibleProjectIds: ['project-pages'], filter: { project: 'project-pages' } };
      const last = (await search('gyroscope', { ...request, first: 57 })).hits.at(-1);
      const page = await search('gyroscope', { ...request, after: last?.cursor ?? null });
      expect(page).toMatchObject({ hits: [], totalCount: 57, hasNextPage: false });
    });

    it('refuse a cursor that is none', async () => {
      await expect(search('gyroscope', { after: 'bm9uZQ' })).rejects.toThrow(DomainError);
    });
  });

  describe('strange input', () => {
    it.each([
      '',
      '   ',
      '!!!',
      '& | ! <-> :*',
      'memory:* & !(copy <-> from) | \\',
      "it's 'quoted' \"unclosed",
      '""',
      '“”',
      '\'; DROP TABLE "SearchDocument"; --',
      '\\\\ \\x00 \\',
      'nul\u0000byte',
      '\ud800 lone \udfff',
      '🚀🔥',
      '👩‍💻 memory 🚀',
      '𠮷野家',
      '--',
      '-_-',
      '%_%',
      'the of and',
      '的',
      'ﬁle ㎓ ①',
      'a'.repeat(10_000),
      '显'.repeat(10_000),
      'NCCL_IB_HCA '.repeat(900),
      '_'.repeat(10_000),
      `"${'x y '.repeat(3_000)}"`,
      'é à ü ñ Ω я',
      '한국어 カタカナ ひらがな',
    ])('gets an answer: %.40s', async (query) => {
      const page = await search(query);
      expect(page.totalCount).toBeGreaterThanOrEqual(page.hits.length);
    });

    it.each(['的', 'a', 'the of and', '怎么办', '为什么呢？', '"the"'])(
      'finds nothing by stop words: %s',
      async (query) => {
        expect(await search(query)).toEqual({ hits: [], totalCount: 0, facets: [], hasNextPage: false });
      },
    );

    it('lists the newest without a word', async () => {
      const changed = publicDocuments.slice(3, 4);
      await subject.put(changed);
      const newest = await search('?!', { first: 1 });
      expect(newest.totalCount).toBe(publicDocuments.length);
      expect(newest.hits.map(({ subjectId }) => subjectId)).toEqual(changed.map(({ subjectId }) => subjectId));
    });
  });

  describe('changes', () => {
    const changing = searchDocument('changing', {
      projectId: 'project-changes',
      title: { en: 'Before theodolite', zh: null },
    });
    const visible = { visibleProjectIds: ['project-changes'] };

    it('are found at once, and the old text no longer', async () => {
      await subject.put([changing]);
      expect(await found('theodolite', visible)).toEqual(['changing']);
      await subject.put([{ ...changing, title: { en: 'After sextant', zh: null } }]);
      expect(await found('theodolite', visible)).toEqual([]);
      expect(await found('sextant', visible)).toEqual(['changing']);
    });

    it('include removal, and coming back', async () => {
      await subject.put([changing]);
      await subject.remove([changing]);
      expect(await found('theodolite', visible)).toEqual([]);
      await subject.put([changing]);
      expect(await found('theodolite', visible)).toEqual(['changing']);
    });

    it('take any text', async () => {
      const texts = [
        'x'.repeat(1_000_000),
        'word '.repeat(300_000),
        Array.from({ length: 200_000 }, (_, number) => `w${number.toString(36)}`).join(' '),
        Array.from({ length: 120_000 }, (_, number) => String.fromCodePoint(0x4e00 + ((number * 7919) % 20_000))).join(
          '',
        ),
        Array.from({ length: 30_000 }, (_, number) => `A${number}_B${number}.C${number}`).join(' '),
        'a_'.repeat(200_000),
        '\u0000\u0001\ud800\udc00\udfff\ufffe\\\'"',
        '🚀'.repeat(50_000),
        '['.repeat(100_000),
        '`*_#|>'.repeat(20_000),
      ];
      await subject.put(
        texts.map((text, number) => ({
          ...changing,
          subjectId: `strange-${number}`,
          title: { en: `Theodolite ${text}`, zh: text },
          body: { en: text, zh: text },
          identifiers: [text, '\u0000', ''],
          tags: [text],
        })),
      );
      expect((await search('theodolite', visible)).totalCount).toBeGreaterThanOrEqual(texts.length);
      await subject.remove(texts.map((_, number) => ({ ...changing, subjectId: `strange-${number}` })));
    });
  });
});
