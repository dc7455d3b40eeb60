import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { invalidInput } from '../../domain/errors.js';
import type { LocalizedText } from '../../domain/locale.js';
import type { GlossaryIndex } from '../../domain/search/glossary-index.js';
import { asUnfinished, loosened, queryOf, type SearchQuery } from '../../domain/search/query.js';
import { snippetOf } from '../../domain/search/snippet.js';
import { isStopWord } from '../../domain/search/stop-words.js';
import { similarWords } from '../../domain/search/spelling.js';
import { Database } from '../../platform/database/database.js';
import { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { groupQuery } from './postgres-query.js';
import {
  answerOf,
  answerShape,
  ENOUGH,
  matchingAll,
  matchingAny,
  matchingAnything,
  matchingHalf,
  probeOf,
  type Answer,
  type Matching,
} from './postgres-statement.js';
import {
  FACET_FIELDS,
  type SearchEngine,
  type SearchEngineHit,
  type SearchPage,
  type SearchRequest,
} from './search-engine.js';

const probeShape = z.object({ found: z.array(z.boolean()), words: z.array(z.string()) });

/** Corrections of a misspelled word that are tried. */
const CORRECTIONS_LIMIT = 5;

const nothing: SearchPage = { hits: [], totalCount: 0, facets: [], hasNextPage: false };

/** Search on the database itself: it needs no other service. The index is written by `putSearchDocuments`. */
@Injectable()
export class PostgresEngine implements SearchEngine {
  readonly name = 'postgres';

  constructor(
    private readonly db: Database,
    private readonly index: SearchIndex,
  ) {}

  /**
   * Asks for all parts of the query. When nothing has them all, misspelled words are corrected; when little has, what
   * has most of them follows, and Chinese names are also found by their words.
   */
  async search(request: SearchRequest): Promise<SearchPage> {
    const offset = offsetAfter(request.after);
    const glossary = await this.index.glossary(this.db);
    const answered = (matching: Matching) => this.answer(matching, request, offset);
    const asPage = (answer: Answer, query: SearchQuery) => pageOf(answer, query, glossary, request, offset);

    let query = queryOf(request.query, glossary);
    if (query.groups.length === 0 && query.hasWords) return nothing;
    if (query.groups.length === 0) return asPage(await answered(matchingAnything(request)), query);
    let all = await answered(matchingAll(query, request));
    const meant = all.support > 0 ? query : await this.corrected(query, request, glossary);
    if (meant !== query) {
      query = meant;
      if (query.groups.length === 0) return nothing;
      all = await answered(matchingAll(query, request));
    }
    if (all.support >= ENOUGH) return asPage(all, query);
    const loose = loosened(query);
    if (query.groups.length < 2 && loose === query) return asPage(all, query);
    query = loose;
    if (query.groups.length < 2) return asPage(await answered(matchingAll(query, request)), query);
    const half = await answered(matchingHalf(query, request));
    return asPage(half.support > 0 ? half : await answered(matchingAny(query, request)), query);
  }

  private async answer(matching: Matching, request: SearchRequest, offset: number): Promise<Answer> {
    const [row] = await this.db.$queryRaw<[unknown]>(answerOf(matching, request, offset));
    return answerShape.parse(row);
  }

  /** The query with its misspelled words replaced; the very same query when there are none. */
  private async corrected(query: SearchQuery, request: SearchRequest, glossary: GlossaryIndex): Promise<SearchQuery> {
    const doubtful = query.groups.filter(({ spelling }) => spelling !== null);
    if (doubtful.length === 0) return query;
    const [row] = await this.db.$queryRaw<[unknown]>(probeOf(doubtful.map(groupQuery), request));
    const { found, words: known } = probeShape.parse(row);
    const vocabulary = [...glossary.words, ...known];
    let meant = query;
    // From the last word to the first, so that the places of those before stay right.
    for (const [place, group] of [...doubtful.entries()].reverse()) {
      if (found[place] !== false || group.spelling === null) continue;
      const { text } = meant;
      // A stop word would leave nothing of the word to ask for.
      const words = similarWords(group.spelling, vocabulary, CORRECTIONS_LIMIT).filter((word) => !isStopWord(word));
      const queries = words.map((word) =>
        queryOf(`${text.slice(0, group.start)}${word}${text.slice(group.end)}`, glossary),
      );
      // A correction that makes a term of the glossary with its neighbors is the likeliest.
      const [likeliest] = queries.sort((one, other) => one.groups.length - other.groups.length);
      meant = likeliest ?? asUnfinished(meant, group);
    }
    return meant;
  }
}

function pageOf(
  answer: Answer,
  query: SearchQuery,
  glossary: GlossaryIndex,
  request: SearchRequest,
  offset: number,
): SearchPage {
  const hits = answer.hits.map(({ body, ...hit }, place): SearchEngineHit => ({
    ...hit,
    snippet: snippetIn(body, query, glossary, request),
    cursor: cursorAt(offset + place + 1),
  }));
  const facets = FACET_FIELDS.map((field) => ({
    field,
    values: answer.facets.filter((facet) => facet.field === field).map(({ value, count }) => ({ value, count })),
  }));
  return {
    hits,
    totalCount: answer.total,
    facets: facets.filter(({ values }) => values.length > 0),
    hasNextPage: hits.length > 0 && offset + hits.length < answer.total,
  };
}

/** In the viewer's language where something matches in it, else in the other. */
function snippetIn(
  body: LocalizedText,
  query: SearchQuery,
  glossary: GlossaryIndex,
  { locale }: SearchRequest,
): string {
  const [own, other] = locale === 'ZH' ? [body.zh, body.en] : [body.en, body.zh];
  const inOwn = own === null ? null : snippetOf(own, query.marks, glossary);
  if (other === null || (inOwn !== null && inOwn.score > 0)) return inOwn?.text ?? '';
  const inOther = snippetOf(other, query.marks, glossary);
  return inOwn === null || inOther.score > 0 ? inOther.text : inOwn.text;
}

function cursorAt(offset: number): string {
  return Buffer.from(`search:${offset}`).toString('base64url');
}

function offsetAfter(cursor: string | null): number {
  if (cursor === null) return 0;
  const [, offset] = /^search:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (offset !== undefined) return Number(offset);
  throw invalidInput({ en: `"${cursor}" is not a cursor of a search`, zh: `“${cursor}”不是搜索的游标` }, { cursor });
}
