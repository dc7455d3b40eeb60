import { z } from 'zod';
import type { SearchQuery } from '../../domain/search/query.js';
import { Prisma } from '../../generated/prisma/client.js';
import {
  allGroups,
  anyOf,
  everyGroup,
  everything,
  exactIdentifiers,
  groupInTitle,
  groupQuery,
  halfOfGroups,
  isVisible,
  matchesByItemOnly,
  passes,
  titleGroups,
} from './postgres-query.js';
import { FACET_FIELDS, type SearchRequest } from './search-engine.js';

const localizedText = z.object({ en: z.string().nullable(), zh: z.string().nullable() });

/** What one statement answers: a page of hits with the total and the facets of the whole result. */
export const answerShape = z.object({
  total: z.number(),
  /** How many documents speak for this way of matching, whatever the filter; not counted beyond ENOUGH. */
  support: z.number(),
  hits: z.array(
    z.object({
      kind: z.enum(['ITEM', 'NOTE', 'AUDIT_ITEM', 'COMMENT']),
      subjectId: z.string(),
      key: z.string().nullable(),
      title: localizedText,
      body: localizedText,
      score: z.number(),
    }),
  ),
  facets: z.array(z.object({ field: z.enum(FACET_FIELDS), value: z.string(), count: z.number() })),
});
export type Answer = z.infer<typeof answerShape>;

/** Which documents are found and how they are ordered. */
export interface Matching {
  /** Common table expressions; the last one is `matched` (place, revision, tier and the facets' columns). */
  readonly tables: Prisma.Sql;
  /** The answer's `support`: the filter has no part in it, so that a filter only narrows what was found without it. */
  readonly support: Prisma.Sql;
  /** A tsquery for the documents of a tier that come first, if the tier is too large to be ranked. */
  readonly inTitle: Prisma.Sql | null;
  /** The rank within a tier, from a row `d` of the table. */
  readonly rank: Prisma.Sql;
}

/**
 * Ranking reads the terms of a document from where the database keeps long values, which is slow. So only this many
 * are ranked at a time: of a larger result those in the highest tier, then those with the words in a title of their
 * own, then items, notes, audit items and comments (the order of the enum), then the newest.
 */
export const RANKED_LIMIT = 500;

/** With so many documents that have all that was asked for nobody misses those that have most of it. */
export const ENOUGH = 10;

/** What a part of the query counts in addition, of its weight, when it stands in the title or the identifiers. */
const IN_TITLE = 0.5;

/**
 * How much less a part of the query tells that more documents have: with 0.25, half as much as the rarest part when 55
 * times as many have it. The rarest part and not the size of the index is the measure, which needs no count of all.
 */
const COMMONNESS = 0.25;

/** What of its rank an audit item keeps that only repeats the words of its item: however short, it follows the item. */
const REPEATED = 0.01;

/** Values of a facet that are given, the commonest first. */
const FACET_VALUES_LIMIT = 100;

const columns = Prisma.sql`d.ctid AS place, d.revision, d.kind, d.checklist, d.section, d.tags, d.hardware,
  d.frameworks, d.languages, d.outcome, d.verdict`;

/** Everything that may be seen, the newest first. */
export function matchingAnything(request: SearchRequest): Matching {
  return {
    tables: Prisma.sql`
      matched AS MATERIALIZED (
        SELECT ${columns}, d.revision AS tier FROM "SearchDocument" d WHERE ${isVisible(request)} AND ${passes(request)})`,
    support: Prisma.sql`0`,
    inTitle: null,
    rank: Prisma.sql`0`,
  };
}

/** What has all groups; behind it what lacks only words that its language cannot have. */
export function matchingAll(query: SearchQuery, request: SearchRequest): Matching {
  const every = everyGroup(query);
  const all = allGroups(query);
  const complete = every === null ? Prisma.empty : Prisma.sql`complete AS MATERIALIZED (${placesOf(every)}),`;
  const tier = every === null ? Prisma.sql`1` : Prisma.sql`(d.ctid IN (SELECT place FROM complete))::int`;
  const filter = passes(request);
  const supporting =
    filter === everything
      ? Prisma.sql`SELECT 1 FROM matched WHERE tier = 1 LIMIT ${ENOUGH}`
      : Prisma.sql`
          WITH supporting AS MATERIALIZED (${visible(every ?? all, request)})
          SELECT 1 FROM supporting LIMIT ${ENOUGH}`;
  return {
    tables: Prisma.sql`
      ${complete}
      matched AS MATERIALIZED (
        SELECT ${columns}, ${tier} AS tier
        FROM "SearchDocument" d WHERE ${found(all)} AND ${isVisible(request)} AND ${filter})`,
    support: Prisma.sql`(SELECT count(*)::int FROM (${supporting}) AS few)`,
    inTitle: titleGroups(query),
    rank: rankOf(query),
  };
}

/**
 * What has at least half of the groups, by weight; in the title they count more. Each is looked up by itself to know how
 * much a document has.
 */
export function matchingHalf(query: SearchQuery, request: SearchRequest): Matching {
  const { groups, within } = halfOfGroups(query);
  return weighed(
    groups.flatMap((group) => [
      [group.weight, within(group, groupQuery(group))],
      [group.weight * IN_TITLE, within(group, groupInTitle(group))],
    ]),
    query,
    request,
  );
}

/** What has any group, and at least half of what the best document has. */
export function matchingAny(query: SearchQuery, request: SearchRequest): Matching {
  return weighed(
    query.groups.map((group) => [group.weight, groupQuery(group)]),
    query,
    request,
  );
}

/** What is found by any of the lookups, by the sum of their weights; a rare part of the query weighs more than a common. */
function weighed(
  lookups: readonly (readonly [weight: number, tsquery: Prisma.Sql])[],
  query: SearchQuery,
  request: SearchRequest,
): Matching {
  const names = lookups.map((_, number) => Prisma.raw(`lookup${number}`));
  const tables = lookups.map(
    ([, tsquery], number) => Prisma.sql`
      ${names[number]} AS MATERIALIZED (
        SELECT d.ctid AS place, count(*) OVER () AS found
        FROM "SearchDocument" d WHERE ${found(tsquery)} AND ${isVisible(request)})`,
  );
  const counts = names.map((name) => Prisma.sql`(SELECT found FROM ${name} LIMIT 1)`);
  const selects = lookups.map(
    ([weight], number) => Prisma.sql`
      SELECT place, ${weight}::float8 / (1 + ${COMMONNESS}::float8 * ln(found::float8 / fewest)) AS weight
      FROM ${names[number]}, rarest`,
  );
  return {
    tables: Prisma.sql`
      ${Prisma.join(tables)},
      rarest AS (SELECT least(${Prisma.join(counts)}) AS fewest),
      weighed AS MATERIALIZED (
        SELECT place, sum(weight) AS weight FROM (${Prisma.join(selects, ' UNION ALL ')}) AS one GROUP BY place),
      matched AS MATERIALIZED (
        SELECT ${columns}, w.weight AS tier
        FROM weighed w JOIN "SearchDocument" d ON d.ctid = w.place
        WHERE w.weight * 2 >= (SELECT max(weight) FROM weighed) AND ${passes(request)})`,
    support: Prisma.sql`(SELECT least(count(*), ${ENOUGH})::int FROM weighed)`,
    inTitle: null,
    rank: rankOf(query),
  };
}

/** The page behind `offset`, its total and its facets, in one statement. */
export function answerOf(
  { tables, support, inTitle, rank }: Matching,
  { first }: SearchRequest,
  offset: number,
): Prisma.Sql {
  const block = Math.floor(offset / RANKED_LIMIT) * RANKED_LIMIT;
  const titled = inTitle === null ? Prisma.empty : Prisma.sql`titled AS MATERIALIZED (${placesOf(inTitle)}),`;
  const title =
    inTitle === null ? Prisma.empty : Prisma.sql`(kind <> 'AUDIT_ITEM' AND place IN (SELECT place FROM titled)) DESC,`;
  return Prisma.sql`
    WITH ${tables},
    ${titled}
    ranked AS MATERIALIZED (
      SELECT place, tier FROM matched
      ORDER BY tier DESC, ${title} kind, revision DESC LIMIT ${RANKED_LIMIT} OFFSET ${block}),
    page AS (
      SELECT d.kind, d."subjectId", d.key, d.title, d.body, r.tier::float8 * 8 + ${rank} AS score
      FROM ranked r JOIN "SearchDocument" d ON d.ctid = r.place
      ORDER BY score DESC, d.kind, d."subjectId" COLLATE "C" LIMIT ${first} OFFSET ${offset - block}),
    grouped AS MATERIALIZED (${groupedCounts}),
    counted AS (${facetCounts})
    SELECT
      (SELECT count::int FROM grouped WHERE is_total) AS total,
      ${support} AS support,
      (SELECT coalesce(jsonb_agg(to_jsonb(p) ORDER BY p.score DESC, p.kind, p."subjectId" COLLATE "C"), '[]')
        FROM page p) AS hits,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('field', field, 'value', value, 'count', count)
          ORDER BY count DESC, value COLLATE "C"), '[]')
        FROM counted WHERE place <= ${FACET_VALUES_LIMIT}) AS facets`;
}

/** The words of shipped items, and for each tsquery whether something is found by it. */
export function probeOf(queries: readonly Prisma.Sql[], request: SearchRequest): Prisma.Sql {
  const names = queries.map((_, number) => Prisma.raw(`probe${number}`));
  const tables = queries.map(
    (query, number) => Prisma.sql`${names[number]} AS MATERIALIZED (${visible(query, request)})`,
  );
  const exists = names.map((name) => Prisma.sql`EXISTS (SELECT 1 FROM ${name})`);
  // Only what everybody may see: what a hidden project calls things must not show in a correction.
  return Prisma.sql`
    WITH ${Prisma.join(tables)},
    items AS MATERIALIZED (
      SELECT d.identifiers || d.tags || string_to_array(d.title->>'en', ' ') AS words
      FROM "SearchDocument" d WHERE d.kind = 'ITEM' AND d."projectId" IS NULL AND d."isPresent")
    SELECT to_jsonb(ARRAY[${Prisma.join(exists)}]) AS found,
      (SELECT coalesce(jsonb_agg(DISTINCT lower(word)), '[]') FROM items, LATERAL unnest(words) AS word) AS words`;
}

/**
 * What a viewer may see of it. Of such a table the first rows can be read alone, but it is planned as a whole: where
 * the planner sees that a few rows are enough, it reads the documents one after the other in the hope of finding them.
 */
function visible(query: Prisma.Sql, request: SearchRequest): Prisma.Sql {
  return Prisma.sql`SELECT 1 FROM "SearchDocument" d WHERE ${found(query)} AND ${isVisible(request)}`;
}

/** Documents by the index. In a subquery, for else a common word makes the planner read every document instead. */
function found(query: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`d.terms @@ (SELECT ${query})`;
}

/** Places to be looked up by IN, which makes a hash of them; for a join the planner would go to each document. */
function placesOf(query: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT d.ctid AS place FROM "SearchDocument" d WHERE ${found(query)}`;
}

/**
 * An identifier found exactly, then the very title, and then how often, where (title and identifiers before tags before
 * the text) and how densely the words stand, with a little more for measured notes. An audit item in which nobody wrote
 * of it comes last.
 */
function rankOf(query: SearchQuery): Prisma.Sql {
  const title = query.text.trim().toLowerCase();
  const exact = exactIdentifiers(query);
  const density = Prisma.sql`ts_rank('{0.1, 0.2, 0.4, 1}', d.terms, ${anyOf(query)}, 1)`;
  const parts = [
    density,
    Prisma.sql`CASE WHEN lower(d.title->>'en') = ${title} OR lower(d.title->>'zh') = ${title} THEN 2 ELSE 0 END`,
    Prisma.sql`CASE WHEN d.kind = 'NOTE' AND d.verdict IS NOT NULL THEN 0.02 ELSE 0 END`,
  ];
  if (exact !== null) parts.push(Prisma.sql`CASE WHEN d.terms @@ ${exact} THEN 4 ELSE 0 END`);
  return Prisma.sql`
    (CASE WHEN ${matchesByItemOnly(query)} THEN ${REPEATED}::float8 * ${density}
      ELSE ${Prisma.join(parts, ' + ')} END)::float8`;
}

/** One pass over the result for all fields; a list of values is counted as a whole first, and parted below. */
const groupedCounts = Prisma.sql`
  SELECT kind, checklist, section, tags, hardware, frameworks, outcome, verdict, languages,
    grouping(kind) = 0 AS has_kind, grouping(checklist) = 0 AS has_checklist, grouping(section) = 0 AS has_section,
    grouping(tags) = 0 AS has_tags, grouping(hardware) = 0 AS has_hardware, grouping(frameworks) = 0 AS has_frameworks,
    grouping(outcome) = 0 AS has_outcome, grouping(verdict) = 0 AS has_verdict,
    grouping(languages) = 0 AS has_languages,
    grouping(kind, checklist, section, tags, hardware, frameworks, outcome, verdict, languages) = 511 AS is_total,
    count(*) AS count
  FROM matched
  GROUP BY GROUPING SETS (
    (kind), (checklist), (section), (tags), (hardware), (frameworks), (outcome), (verdict), (languages), ())`;

const facetCounts = Prisma.sql`
  SELECT field, value, sum(count)::int AS count,
    row_number() OVER (PARTITION BY field ORDER BY sum(count) DESC, value COLLATE "C") AS place
  FROM (
    SELECT 'kind' AS field, kind::text AS value, count FROM grouped WHERE has_kind
    UNION ALL SELECT 'checklist', checklist, count FROM grouped WHERE has_checklist
    UNION ALL SELECT 'section', section, count FROM grouped WHERE has_section
    UNION ALL SELECT 'tag', unnest(tags), count FROM grouped WHERE has_tags
    UNION ALL SELECT 'hardware', unnest(hardware), count FROM grouped WHERE has_hardware
    UNION ALL SELECT 'framework', unnest(frameworks), count FROM grouped WHERE has_frameworks
    UNION ALL SELECT 'outcome', outcome::text, count FROM grouped WHERE has_outcome
    UNION ALL SELECT 'verdict', verdict::text, count FROM grouped WHERE has_verdict
    UNION ALL SELECT 'language', unnest(languages)::text, count FROM grouped WHERE has_languages
  ) AS one WHERE value IS NOT NULL GROUP BY field, value`;
