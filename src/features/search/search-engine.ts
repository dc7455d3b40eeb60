import type { Locale, LocalizedText } from '../../domain/locale.js';
import type { SearchDocumentKey, SearchKind, SearchOutcome, SearchVerdict } from '../../domain/search/document.js';

/** The token by which Nest injects the engine that is set up. */
export const SEARCH_ENGINE = Symbol('SearchEngine');

/** Conditions are joined by "and", the values of one condition by "or". An absent or null condition asks nothing. */
export interface SearchConditions {
  readonly kinds?: readonly SearchKind[] | null;
  /** Id of a project. */
  readonly project?: string | null;
  /** Id of a team. */
  readonly team?: string | null;
  readonly checklist?: string | null;
  readonly section?: string | null;
  readonly tags?: readonly string[] | null;
  readonly hardware?: readonly string[] | null;
  readonly frameworks?: readonly string[] | null;
  readonly languages?: readonly Locale[] | null;
  readonly outcome?: readonly SearchOutcome[] | null;
  readonly verdict?: readonly SearchVerdict[] | null;
  /** A fraction: 0.05 is 5 %. */
  readonly minGain?: number | null;
}

export interface SearchRequest {
  /** As typed. Without a word in it the newest documents are listed; with stop words only nothing is found. */
  readonly query: string;
  readonly filter: SearchConditions;
  /** Ids of the projects that the viewer may read. What belongs to no project everybody may read. */
  readonly visibleProjectIds: readonly string[] | 'ALL';
  /** The language in which a snippet is shown where both fit. */
  readonly locale: Locale;
  readonly first: number;
  /** The cursor of the hit after which the page begins. */
  readonly after: string | null;
}

export interface SearchEngineHit extends SearchDocumentKey {
  readonly key: string | null;
  readonly title: LocalizedText;
  /** Plain text; matches lie between U+E000 and U+E001. */
  readonly snippet: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  readonly cursor: string;
}

export const FACET_FIELDS = [
  'kind',
  'checklist',
  'section',
  'tag',
  'hardware',
  'framework',
  'outcome',
  'verdict',
  'language',
] as const;
export type FacetField = (typeof FACET_FIELDS)[number];

export interface SearchEngineFacet {
  readonly field: FacetField;
  /** The commonest first, at most 100. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

export interface SearchPage {
  readonly hits: readonly SearchEngineHit[];
  /** Over all pages, as are the facets. */
  readonly totalCount: number;
  /** In the order of FACET_FIELDS; a field that no hit has a value of is left out. */
  readonly facets: readonly SearchEngineFacet[];
  readonly hasNextPage: boolean;
}

/** One implementation of search. Any query is answered; only a cursor that no engine made is refused. */
export interface SearchEngine {
  readonly name: string;
  search(request: SearchRequest): Promise<SearchPage>;
}
