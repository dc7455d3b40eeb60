import { isAnchored, type SearchQuery } from '../../domain/search/query.js';
import type { Alternative, Group } from '../../domain/search/query-groups.js';
import { languageLexeme, TITLE_PREFIX, titleLexeme } from '../../domain/search/tokens.js';
import { storablePart } from '../../domain/storable.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { SearchRequest } from './search-engine.js';

/** With more groups the tsquery for half of them would become long. */
const WEIGHED_LIMIT = 10;
const ENOUGH_WEIGHT = 2;

// Every value goes to the database as a parameter; a tsquery in text form is made of quoted lexemes only.

/** A tsquery that every document satisfies that has all groups; a plain word is not asked of another language. */
export function allGroups(query: SearchQuery): Prisma.Sql {
  const anchored = isAnchored(query);
  return conjunction(query.groups.map((group) => (anchored ? waived(group) : groupQuery(group))));
}

/** As `allGroups`, without exception; null where it would be the same. */
export function everyGroup(query: SearchQuery): Prisma.Sql | null {
  if (!isAnchored(query) || query.groups.every(({ language }) => language === null)) return null;
  return conjunction(query.groups.map(groupQuery));
}

/**
 * The groups that count most, at most ten, and a tsquery that every document satisfies that has half of their weight, or
 * a term, an identifier or two words: neither half of a mixed query is dropped. The index answers it by itself.
 */
export function halfOfGroups(query: SearchQuery): {
  readonly groups: readonly Group[];
  /** The part of what a tsquery for the group finds that has enough; what the group alone finds often has. */
  readonly within: (group: Group, tsquery: Prisma.Sql) => Prisma.Sql;
} {
  const groups = [...query.groups].sort((one, other) => other.weight - one.weight).slice(0, WEIGHED_LIMIT);
  const needed = Math.min(groups.reduce((sum, { weight }) => sum + weight, 0) / 2, ENOUGH_WEIGHT);
  const half = enoughOf(groups, needed) ?? conjunction(groups.map(groupQuery));
  return { groups, within: ({ weight }, tsquery) => (weight >= needed ? tsquery : conjunction([tsquery, half])) };
}

/** Documents that have groups of this weight together; null where all groups together do not weigh so much. */
function enoughOf(groups: readonly Group[], needed: number): Prisma.Sql | null {
  const [first, ...others] = groups;
  if (first === undefined) return null;
  const withFirst = needed > first.weight ? enoughOf(others, needed - first.weight) : undefined;
  const without = enoughOf(others, needed);
  const here = withFirst === undefined ? groupQuery(first) : withFirst && conjunction([groupQuery(first), withFirst]);
  if (here === null || without === null) return here ?? without;
  return Prisma.sql`(${here} || ${without})`;
}

/** A tsquery for one group. */
export function groupQuery({ alternatives }: Group): Prisma.Sql {
  return disjunction(alternatives);
}

/** A tsquery that every document satisfies that has all groups in its title and identifiers. */
export function titleGroups(query: SearchQuery): Prisma.Sql {
  return conjunction(query.groups.map(groupInTitle));
}

/** A tsquery for one group in the title and the identifiers. */
export function groupInTitle({ alternatives }: Group): Prisma.Sql {
  return disjunction(alternatives, 'TITLE');
}

/** A tsquery with everything that makes a document a better answer: for ranking. */
export function anyOf(query: SearchQuery): Prisma.Sql {
  return disjunction(query.groups.flatMap(({ alternatives }) => alternatives));
}

/**
 * The condition that nothing of its own matches. The title, the identifiers and the tags of an audit item are those of
 * its item, which is the better answer to them; what was written in the audit is its body.
 */
export function matchesByItemOnly(query: SearchQuery): Prisma.Sql {
  return Prisma.sql`(d.kind = 'AUDIT_ITEM' AND NOT ts_filter(d.terms, '{d}') @@ ${anyOf(query)})`;
}

/** A tsquery for documents that have the very identifier in their title or among their identifiers. */
export function exactIdentifiers(query: SearchQuery): Prisma.Sql | null {
  if (query.exact.length === 0) return null;
  return Prisma.sql`${query.exact.map((lexeme) => `${quoted(lexeme)}:A`).join(' | ')}::tsquery`;
}

/** The condition that a document is there and may be seen. */
export function isVisible({ visibleProjectIds }: SearchRequest): Prisma.Sql {
  if (visibleProjectIds === 'ALL') return Prisma.sql`d."isPresent"`;
  return Prisma.sql`d."isPresent" AND (d."projectId" IS NULL OR d."projectId" = ANY(${[...visibleProjectIds]}::text[]))`;
}

/** No condition. */
export const everything = Prisma.sql`true`;

/** The condition that a document passes the filter; `true` where it asks nothing. */
export function passes({ filter }: SearchRequest): Prisma.Sql {
  const conditions: Prisma.Sql[] = [];
  const add = (condition: Prisma.Sql) => conditions.push(condition);
  if (filter.kinds) add(Prisma.sql`d.kind = ANY(${[...filter.kinds]}::text[]::"SearchKind"[])`);
  if (isGiven(filter.project)) add(Prisma.sql`d."projectId" = ${storablePart(filter.project)}`);
  if (isGiven(filter.team)) add(Prisma.sql`d."teamId" = ${storablePart(filter.team)}`);
  if (isGiven(filter.checklist)) add(Prisma.sql`d.checklist = ${storablePart(filter.checklist)}`);
  if (isGiven(filter.section)) add(Prisma.sql`d.section = ${storablePart(filter.section)}`);
  if (filter.tags) add(Prisma.sql`d.tags && ${filter.tags.map(storablePart)}::text[]`);
  if (filter.hardware) add(Prisma.sql`d.hardware && ${filter.hardware.map(storablePart)}::text[]`);
  if (filter.frameworks) add(Prisma.sql`d.frameworks && ${filter.frameworks.map(storablePart)}::text[]`);
  if (filter.languages) add(Prisma.sql`d.languages && ${[...filter.languages]}::text[]::"Locale"[]`);
  if (filter.outcome) add(Prisma.sql`d.outcome = ANY(${[...filter.outcome]}::text[]::"NoteOutcome"[])`);
  if (filter.verdict) add(Prisma.sql`d.verdict = ANY(${[...filter.verdict]}::text[]::"Verdict"[])`);
  if (isGiven(filter.minGain)) add(Prisma.sql`d.gain >= ${filter.minGain}`);
  return conditions.length === 0 ? everything : Prisma.join(conditions, ' AND ');
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function waived(group: Group): Prisma.Sql {
  if (group.language === null) return groupQuery(group);
  return Prisma.sql`(${groupQuery(group)} || ${`!${quoted(languageLexeme(group.language))}`}::tsquery)`;
}

function conjunction(queries: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(queries, ' && ')})`;
}

function disjunction(alternatives: readonly Alternative[], place: 'ANYWHERE' | 'TITLE' = 'ANYWHERE'): Prisma.Sql {
  const words = new Set<string>();
  const lexemes = new Set<string>();
  const phrases = new Set<string>();
  const stored = (lexeme: string) => quoted(place === 'TITLE' ? titleLexeme(lexeme) : lexeme);
  for (const alternative of alternatives) {
    if (alternative.kind === 'LEXEMES') {
      const joint = alternative.match === 'PHRASE' && place === 'ANYWHERE' ? ' <-> ' : ' & ';
      lexemes.add(`(${alternative.lexemes.map(stored).join(joint)})`);
    } else if (alternative.kind === 'LEXEME_PREFIX') lexemes.add(`${stored(alternative.lexeme)}:*`);
    else if (alternative.kind === 'WORD_PREFIX') words.add(`${alternative.word}:*`);
    else if (alternative.match === 'ALL' || place === 'TITLE') words.add(`(${alternative.words.join(' & ')})`);
    else phrases.add(alternative.words.join(' '));
  }
  const queries = Array.from(phrases, (phrase) => Prisma.sql`phraseto_tsquery('english', ${phrase})`);
  if (words.size > 0) queries.push(stemmed([...words].join(' | '), place));
  if (lexemes.size > 0) queries.push(Prisma.sql`${[...lexemes].join(' | ')}::tsquery`);
  return Prisma.sql`(${Prisma.join(queries, ' || ')})`;
}

/** Stems are ASCII letters and digits, so that each of them is what stands between two quotation marks. */
function stemmed(words: string, place: 'ANYWHERE' | 'TITLE'): Prisma.Sql {
  if (place === 'ANYWHERE') return Prisma.sql`to_tsquery('english', ${words})`;
  const replacement = `'${TITLE_PREFIX}\\1'`;
  return Prisma.sql`regexp_replace(to_tsquery('english', ${words})::text, '''([^'']+)''', ${replacement}, 'g')::tsquery`;
}

function quoted(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}
