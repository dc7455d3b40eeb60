import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

interface Found {
  readonly id: string;
  readonly slug: string;
  readonly outcome: string;
  readonly title: { readonly en: string | null; readonly zh: string | null };
  readonly body: { readonly en: string | null; readonly zh: string | null };
  readonly caveats: { readonly en: string | null; readonly zh: string | null };
  readonly items: readonly { readonly key: string }[];
  readonly comparisons: readonly { readonly verdict: string; readonly evidence: string; readonly nBefore: number }[];
}

/** All reference notes, as nobody in particular sees them. */
async function all(): Promise<Found[]> {
  const found: Found[] = [];
  let after: string | null = null;
  do {
    const { data, errors } = await app.as(null).send(
      `query($after: String) { notes(first: 100, after: $after) {
         pageInfo { hasNextPage endCursor }
         edges { node {
           id slug outcome measuredOn trials { id } title { en zh } body { en zh } caveats { en zh } items { key }
           comparisons { verdict evidence nBefore }
         } }
       } }`,
      { after },
    );
    expect(errors).toEqual([]);
    found.push(...data.notes.edges.map(({ node }: { node: Found }) => node));
    after = data.notes.pageInfo.hasNextPage ? data.notes.pageInfo.endCursor : null;
  } while (after !== null);
  return found;
}

const verdictsOf: Readonly<Record<string, readonly string[]>> = {
  HELPED: ['IMPROVED'],
  HURT: ['REGRESSED', 'BLOCKED_BY_GUARDRAIL'],
  NEUTRAL: ['NO_MEANINGFUL_CHANGE'],
  INCONCLUSIVE: ['INCONCLUSIVE', 'NOT_COMPARABLE'],
};

describe('reference notes', () => {
  it('are there for everybody, in both languages, with items, caveats and measurements', async () => {
    const notes = await all();
    expect(notes.length).toBeGreaterThanOrEqual(60);
    expect(notes.filter(({ outcome }) => outcome !== 'HELPED').length).toBeGreaterThanOrEqual(15);
    for (const { slug, title, body, caveats, items, comparisons, outcome } of notes) {
      for (const text of [title, body, caveats]) expect([slug, text.en && text.zh]).toEqual([slug, expect.any(String)]);
      expect([slug, caveats.en]).toEqual([slug, expect.stringMatching(/one.*H200/i)]);
      expect([slug, items.length > 0, comparisons.length > 0]).toEqual([slug, true, true]);
      expect(verdictsOf[outcome]).toContain(comparisons[0]?.verdict);
    }
  });

  it('never claim more than one session can show', async () => {
    const levels = new Set((await all()).flatMap(({ comparisons }) => comparisons.map(({ evidence }) => evidence)));
    expect([...levels].sort()).toEqual(['INDICATIVE', 'NONE']);
  });

  it('carry the verdict of the method of the product', async () => {
    const { data } = await app.as(null).send(`{
      notes(filter: { item: "precision/tf32", hardware: "h200-sxm", outcome: [HELPED] }, first: 100) { edges { node {
        slug measuredOn context change
        comparisons {
          metric { key } nBefore nAfter medianBefore medianAfter gain gainLow gainHigh method evidence verdict isConfounded
          warnings { code } environmentDifferences { key declared } samples { arm value }
        }
      } } }
    }`);
    const nodes: { slug: string; comparisons: Record<string, never>[] }[] = data.notes.edges.map(
      ({ node }: { node: object }) => node,
    );
    const note = nodes.find(({ slug }) => slug === 'train-step-tf32');
    expect(note).toMatchObject({
      context: { hardware: 'h200-sxm', environment: { 'gpu.sku': expect.stringMatching(/h200/i), torch: '2.11.0+cu130' } },
    }); // prettier-ignore
    const [row] = note?.comparisons ?? [];
    expect(row).toMatchObject({
      metric: { key: 'training.step_time' }, method: 'MANN_WHITNEY', evidence: 'INDICATIVE', verdict: 'IMPROVED', isConfounded: false,
    }); // prettier-ignore
    expect(row?.['gain']).toBeCloseTo(2.363, 2);
    expect(row?.['warnings']).toContainEqual({ code: 'ONE_SESSION_ARM' });
  });

  it('are found by search in either language', async () => {
    const slugsFor = async (query: string): Promise<string[]> => {
      const { data } = await app.as(null).send(
        'query($query: String!) { search(query: $query, filter: { kinds: [NOTE] }, first: 5) { edges { node { note { slug } } } } }',
        { query },
      ); // prettier-ignore
      return data.search.edges.map(({ node }: { node: { note: { slug: string } } }) => node.note.slug);
    };
    expect(await slugsFor('bank conflicts')).toContain('bank-conflicts');
    expect(await slugsFor('激活检查点')).toContain('activation-checkpointing');
    expect(await slugsFor('pinned memory')).toContain('h2d-pinned');
    const { data } = await app.as(null).send(
      '{ search(query: "", filter: { kinds: [NOTE], outcome: [HURT] }, first: 1) { totalCount facets { field values { value count } } } }',
    ); // prettier-ignore
    const verdicts = data.search.facets.find(({ field }: { field: string }) => field === 'verdict');
    expect(verdicts.values).toEqual([{ value: 'REGRESSED', count: data.search.totalCount }]);
  });

  it('stand behind the items that they are about when the key of an item is typed, and are found by their own name', async () => {
    for (const [query, expected] of [['precision/tf32', 'ITEM'], ['train-step-tf32', 'NOTE']] as const) {
      const { data } = await app.as(null).send(
        'query($query: String!) { search(query: $query, first: 1) { edges { node { kind key note { slug } } } } }',
        { query },
      );
      const [hit] = data.search.edges;
      expect(hit.node.kind).toBe(expected);
      expect(hit.node.key ?? hit.node.note.slug).toBe(query);
    }
    const { data } = await app.as(null).send('{ notes(filter: { slug: "matmul-tf32" }) { edges { node { slug } } } }');
    expect(data.notes.edges).toEqual([{ node: { slug: 'matmul-tf32' } }]);
  }); // prettier-ignore

  it('can be adopted as a plan, with what was measured as the expectation', async () => {
    const { audit, contributor } = await given.audit(app.db);
    const note = (await all()).find(({ slug }) => slug === 'train-step-tf32');
    const { data, errors } = await app.as(contributor).send(
      `mutation($input: AdoptNoteInput!) {
         adoptNote(input: $input) { item { key } outcome proof expectation plannedChange adoptedFrom { slug } }
       }`,
      { input: { noteId: note?.id, auditId: audit.id, itemKey: 'precision/tf32' } },
    );
    expect(errors).toEqual([]);
    expect(data.adoptNote).toMatchObject({ item: { key: 'precision/tf32' }, outcome: 'NOT_ASSESSED', proof: null, adoptedFrom: { slug: 'train-step-tf32' } }); // prettier-ignore
    expect(data.adoptNote.expectation).toContain('training.step_time');
    expect(Object.keys(data.adoptNote.plannedChange).length).toBeGreaterThan(0);
  });
});
