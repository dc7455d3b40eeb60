import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Prisma } from '../../src/generated/prisma/client.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { open } from '../support/own-audit.js';
import { importRelease } from '../support/own-release.js';

const ITEMS = `query($id: ID!, $filter: AuditItemFilter, $first: Int = 200, $after: String) {
  audit(id: $id) {
    items(filter: $filter, first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { cursor node { item { key } } }
    }
  }
}`;

interface Edge {
  readonly cursor: string;
  readonly node: { readonly item: { readonly key: string } };
}

describe('the items of an audit', () => {
  let app: TestApp;
  let made: given.GivenAudit;
  let rows: Prisma.ReleaseItemGetPayload<{ include: { revision: true; section: true } }>[];
  let keys: string[];
  beforeAll(async () => {
    app = await startApp();
    made = await given.audit(app.db);
    rows = await app.db.releaseItem.findMany({
      where: { releaseId: made.audit.releaseId },
      orderBy: { position: 'asc' },
      include: { revision: true, section: true },
    });
    keys = rows.map(({ key }) => key);
    await change('precision/tf32', { work: 'DONE', outcome: 'APPLIED', applies: 'UNKNOWN', remark: '100% of the step; snake_case, C:\\temp' });
    await change('precision/bf16', { work: 'DONE', outcome: 'REJECTED', reasonCode: 'OTHER', reason: '显存 is fine' });
    await change('io/pinned-memory', { work: 'IN_REVIEW', outcome: 'APPLIED', applies: 'NO', expectation: 'Half a % more' });
    await change('io/small-files', { work: 'IN_PROGRESS', applies: 'NO', overruled: 'UNKNOWN' });
    await change('io/striping', { applies: 'YES', overruled: 'NO' });
  }); // prettier-ignore
  afterAll(() => app.close());

  const change = (key: string, data: Prisma.AuditItemUpdateInput) =>
    app.db.auditItem.update({ where: { id: made.item(key).id }, data });

  async function page(variables: object) {
    const { data, errors } = await app.as(made.viewer).send(ITEMS, { id: made.audit.id, ...variables });
    expect(errors).toEqual([]);
    return data.audit.items as { totalCount: number; pageInfo: Record<string, unknown>; edges: Edge[] };
  }
  const keysOf = (edges: readonly Edge[]) => edges.map(({ node }) => node.item.key);
  async function filtered(filter: object | null): Promise<string[]> {
    const { edges, totalCount } = await page({ filter });
    expect(totalCount).toBe(edges.length);
    return keysOf(edges);
  }

  it.each([
    [{ work: ['DONE'] }, ['precision/bf16', 'precision/tf32']],
    [{ work: ['IN_REVIEW', 'IN_PROGRESS', 'IN_REVIEW'] }, ['io/pinned-memory', 'io/small-files']],
    [{ work: [] }, []],
    [{ tags: [] }, []],
    [{ outcome: ['APPLIED'] }, ['io/pinned-memory', 'precision/tf32']],
    [{ outcome: ['APPLIED', 'REJECTED'] }, ['io/pinned-memory', 'precision/bf16', 'precision/tf32']],
    [{ applies: ['UNKNOWN'] }, ['io/small-files', 'precision/tf32']],
    [{ applies: ['NO'] }, ['io/pinned-memory', 'io/striping']],
    [{ tags: ['nope'] }, []],
    [{ tags: ['tensor-cores', 'one-line-change'] }, ['precision/bf16', 'precision/tf32']],
    [{ text: 'TF32' }, ['precision/tf32']],
    [{ text: ' pinned host ' }, ['io/pinned-memory']],
    [{ text: '锁页' }, ['host-os/locked-memory-limit', 'io/pinned-memory']],
    [{ text: '显存 IS' }, ['precision/bf16']],
    [{ text: 'torch.set_float32_matmul_precision' }, ['precision/tf32']],
    [{ text: '%_%' }, []],
    [{ text: '% more' }, ['io/pinned-memory']],
    [{ text: '_case' }, ['precision/tf32']],
    [{ text: 's_ake' }, []],
    [{ text: '\\' }, ['precision/tf32']],
    [{ text: 'C:\\t' }, ['precision/tf32']],
    [{ text: '\\%' }, []],
    [{ text: `' OR 1=1 --` }, []],
    [{ text: 'x'.repeat(100_000) }, []],
    [{ text: 'tf32', work: ['DONE'], outcome: ['APPLIED'], applies: ['UNKNOWN'], section: 'precision', tags: ['matmul'] }, ['precision/tf32']],
    [{ text: 'tf32', work: ['DONE'], outcome: ['APPLIED'], applies: ['UNKNOWN'], section: 'io', tags: ['matmul'] }, []],
    [{ work: ['DONE'], outcome: ['REJECTED', 'DEFERRED'] }, ['precision/bf16']],
  ])('are filtered by %j', async (filter, expected) => {
    expect(await filtered(filter)).toEqual(expected);
  }); // prettier-ignore

  it.each([
    ['EN', /^filter\.section "nope" is no section of this audit; it has [a-z-]+(, [a-z-]+)+/],
    ['ZH', /^filter\.section“nope”不是该审计的章节；该审计的章节有：[a-z-]+(、[a-z-]+)+/],
  ] as const)('are not filtered by a section that the audit lacks, in %s', async (locale, message) => {
    const who = locale === 'EN' ? made.viewer : await given.chineseMember(app.db, made.project.id, 'VIEWER');
    const { errors, errorCode } = await app.as(who).send(ITEMS, { id: made.audit.id, filter: { section: 'nope' } });
    const inOrder = [...new Set(rows.map(({ section }) => section.key))];
    expect([errorCode, errors[0]?.message]).toEqual(['INVALID_INPUT', expect.stringMatching(message)]);
    expect(errors[0]?.extensions).toMatchObject({
      place: 'filter.section',
      value: 'nope',
      sections: inOrder.slice(0, 20),
    });
  });

  it('are filtered by the sections of archived items and of those of the audit alone too, and twenty are listed', async () => {
    const team = await given.project(app.db);
    const slug = `many-${randomUUID().slice(0, 13)}`;
    const item = (at: number) => ({ key: `part-${at}/any`, title: { en: 'Any' } });
    const parts = Array.from({ length: 22 }, (_, index) => item(index + 10));
    await importRelease(app, team.contributor, { slug, version: '1.0.0', items: parts });
    const id = await open(app, team, slug);
    const inPart = (at: number) => ({ auditId: id, releaseItem: { key: `part-${at}/any` } });
    await app.db.auditItem.updateMany({ where: inPart(10), data: { isArchived: true } });
    const own = { releaseItemId: null, custom: { title: { en: 'Own' }, summary: {} }, customKey: 'custom/own' };
    await app.db.auditItem.updateMany({ where: inPart(11), data: { ...own, customSection: 'earlier' } });
    const counted = async (section: string) => {
      const { data, errors } = await app.as(team.viewer).send(ITEMS, { id, filter: { section } });
      return data?.audit?.items.totalCount ?? errors[0]?.message;
    };
    expect([await counted('part-10'), await counted('part-12'), await counted('earlier')]).toEqual([0, 1, 1]);
    const listed = parts.slice(0, 20).map(({ key }) => key.replace('/any', ''));
    expect(await counted('part-9')).toBe(
      `filter.section "part-9" is no section of this audit; it has ${listed.join(', ')}, …`,
    );
  });

  it('are filtered by section and tags as the catalog has them', async () => {
    const inIo = rows.filter(({ section }) => section.key === 'io').map(({ key }) => key);
    expect(await filtered({ section: 'io' })).toEqual(inIo);
    const withTag = rows.filter(({ revision }) => revision.tags.includes('bandwidth')).map(({ key }) => key);
    expect(await filtered({ tags: ['bandwidth'] })).toEqual(withTag);
    expect(withTag.length).toBeGreaterThan(3);
  });

  it.each([[null], [{}], [{ section: null, work: null, outcome: null, applies: null, tags: null, text: null }]])(
    'are all there with the filter %j',
    async (filter) => {
      expect(await filtered(filter)).toEqual(keys);
    },
  ); // prettier-ignore

  it('take a text in a title as it is', async () => {
    const id = rows.find(({ key }) => key === 'io/client-cache')?.revisionId ?? '';
    const title = { en: 'A \\ 50%_off "title"', zh: '标题 90%_满' };
    await app.db.itemRevision.update({ where: { id }, data: { title } });
    for (const text of ['50%_off', '\\ 50', 'OFF "TITLE"', '90%_满']) {
      expect(await filtered({ text })).toEqual(['io/client-cache']);
    }
    for (const text of ['5_%', '50_%off', '\\\\ 50', '9%满']) expect(await filtered({ text })).toEqual([]);
  });

  it.each([1, 7, 29, 30, 500])('come in pages of %i without gaps', async (first) => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let isFirst = true; ; isFirst = false) {
      const { edges, pageInfo, totalCount } = await page({ first, after });
      seen.push(...keysOf(edges));
      expect(totalCount).toBe(keys.length);
      expect(pageInfo).toEqual({
        hasNextPage: seen.length < keys.length,
        hasPreviousPage: !isFirst,
        startCursor: edges[0]?.cursor,
        endCursor: edges.at(-1)?.cursor,
      });
      after = edges.at(-1)?.cursor ?? null;
      if (seen.length >= keys.length) break;
    }
    expect(seen).toEqual(keys);
    expect(await page({ first, after })).toMatchObject({ totalCount: keys.length, edges: [], pageInfo: { hasNextPage: false, endCursor: null } });
  }); // prettier-ignore

  it('keep their place when one goes that was before the cursor, and count what a filter lets through', async () => {
    const filter = { outcome: ['NOT_ASSESSED'] };
    const { edges, totalCount } = await page({ first: 2, filter });
    expect(totalCount).toBe(keys.length - 3);
    const [first, second] = keysOf(edges);
    await change(first ?? '', { isArchived: true });
    const next = await page({ first: 1, filter, after: edges[1]?.cursor });
    await change(first ?? '', { isArchived: false });
    const left = keys.filter((key) => !['precision/tf32', 'precision/bf16', 'io/pinned-memory'].includes(key));
    expect(keysOf(next.edges)).toEqual([left[left.indexOf(second ?? '') + 1]]);
    expect(next.totalCount).toBe(totalCount - 1);
  });

  it('take null for what is absent', async () => {
    const { edges } = await page({ first: null, after: null, filter: null });
    expect(keysOf(edges)).toEqual(keys);
  });

  it.each([
    [{ first: 0 }, 'first must be 1 to 500, and is 0'],
    [{ first: 501 }, 'first must be 1 to 500, and is 501'],
    [{ first: -1 }, 'first must be 1 to 500, and is -1'],
    [{ first: 2_147_483_647 }, 'first must be 1 to 500, and is 2147483647'],
    [{ first: 2_147_483_648 }, 'Int cannot represent non 32-bit signed integer value: 2147483648'],
    [{ first: 1.5 }, 'Int cannot represent non-integer value: 1.5'],
    [{ first: '5' }, 'Int cannot represent non-integer value: "5"'],
    [{ after: '' }, '"" is not a cursor of this list'],
    [{ after: 'garbage' }, '"garbage" is not a cursor of this list'],
    [{ after: '锁页' }, '"锁页" is not a cursor of this list'],
    [{ after: Buffer.from('v1:-1').toString('base64url') }, '"djE6LTE" is not a cursor of this list'],
    [{ after: Buffer.from('v1:99999999999').toString('base64url') }, 'is not a cursor of this list'],
    [{ after: 'a\0' }, '$after contains U+0000'],
    [{ filter: { text: '\ud800' } }, '$filter.text contains half of a surrogate pair'],
    [{ filter: { tags: ['a', '\0'] } }, '$filter.tags[1] contains U+0000'],
    [{ filter: { work: ['LATER'] } }, 'Value "LATER" does not exist in "Work" enum'],
    [{ filter: { nope: 1 } }, 'Field "nope" is not defined by type "AuditItemFilter"'],
  ])('refuse %j', async (variables, message) => {
    const answer = await app.as(made.viewer).send(ITEMS, { id: made.audit.id, ...variables });
    expect([answer.errorCode, answer.errors[0]?.message]).toEqual(['INVALID_INPUT', expect.stringContaining(message)]);
  });

  it('take very long lists of conditions', async () => {
    const filter = { work: Array(50_000).fill('DONE'), applies: Array(50_000).fill('UNKNOWN'), outcome: Array(50_000).fill('APPLIED') };
    expect(await filtered(filter)).toEqual(['precision/tf32']);
    expect(await filtered({ tags: Array(20_000).fill('nope') })).toEqual([]);
  }); // prettier-ignore
});
