import { createHash } from 'node:crypto';
import {
  covers,
  environmentDifferences,
  textOfFact,
  tierOf,
  type DifferenceTier,
  type Facts,
} from '../measurement/environment-diff.js';
import { isMeasuredMean, isSameLength, groupedValue } from '../measurement/measured-lengths.js';
import { contextKeyOf, exactContextKeyOf } from '../measurement/noise-context.js';
import { ownValue } from '../own-value.js';

export type Tiers = ReadonlyMap<string, DifferenceTier>;

/** What one or many runs say of environment, workload and tool. */
export interface RunFacts {
  readonly environment: Facts;
  readonly workload: Facts;
  readonly tool: string | null;
  readonly toolVersion: string | null;
}

/** Hardware and workload as runs of one class agree on them. */
export interface EnvironmentClass {
  /** SHA-256 over `identity`: the same wherever and whenever it is asked for. */
  readonly id: string;
  /** The known facts of tier BLOCK, by key; measured lengths as runs are grouped by them, to two digits. */
  readonly identity: Facts;
  /** SHA-256 over the facts of tiers BLOCK and WARN: points of one segment have the same. */
  readonly segment: string;
  /** The context that noise floors are kept by, and how those that keep no facts name it. */
  readonly noiseContexts: readonly string[];
}

/** The facts in one namespace; the tool of the run stands in where the workload does not name it. */
export function factsOfSeries({ environment, workload, tool, toolVersion }: RunFacts): Facts {
  return {
    ...(tool === null ? {} : { 'workload.tool': tool }),
    ...(toolVersion === null ? {} : { 'workload.tool_version': toolVersion }),
    ...environment,
    ...workload,
  };
}

/** Names the class of a run. A key that is not known is no part of it, so that unknown is never taken for equal. */
export function classifier(tiers: Tiers): (run: RunFacts) => EnvironmentClass {
  const known = new Map<string, DifferenceTier>();
  const tier = (key: string): DifferenceTier => {
    const found = known.get(key) ?? tierOf(key, tiers);
    known.set(key, found);
    return found;
  };
  return (run) => {
    const own = [{ environment: run.environment, workload: run.workload, variant: null }];
    const facts = Object.entries(factsOfSeries(run))
      .map(([key, value]) => [key, textOfFact(groupedValue(key, value))] as const)
      .filter((entry): entry is readonly [string, string] => entry[1] !== null && entry[0] !== 'variant')
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const identity = facts.filter(([key]) => tier(key) === 'BLOCK');
    const telling = facts.filter(([key]) => tier(key) !== 'INFO');
    return {
      id: hashOf(JSON.stringify(identity)),
      identity: Object.fromEntries(identity),
      segment: hashOf(JSON.stringify(telling)),
      noiseContexts: [contextKeyOf(own, tiers), exactContextKeyOf(own, tiers)],
    };
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A fact that matters and differs between two neighbors of a series. */
export interface SeriesChange {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly tier: DifferenceTier;
  /** Whether a trial that the later run is of meant to change it. */
  readonly isDeclared: boolean;
}

/** What changed between two neighbors, the worst tier first; what only tells runs apart is left out. */
export function changesBetween(
  before: RunFacts,
  after: RunFacts,
  tiers: Tiers,
): readonly Omit<SeriesChange, 'isDeclared'>[] {
  const found = environmentDifferences({
    before: factsOfSeries(before),
    after: factsOfSeries(after),
    declared: [],
    tiers,
  });
  return found
    .filter(({ key, tier }) => tier !== 'INFO' && key !== 'variant')
    .map(({ isDeclared, ...change }) => change);
}

/** Whether one of the declared names covers the key. */
export function isDeclared(key: string, declared: readonly string[]): boolean {
  return declared.some((name) => covers(name, key));
}

/** The classes of the runs before and after a change that was applied. */
export interface ClassLink {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * One class goes on in another where an applied item changed what the class is known by, such as the precision: the runs
 * before and after it are one history. Gives for each class the one that its history began with, which no link leads to;
 * of several, or in a circle, the first by its id.
 */
export function beginnings(links: readonly ClassLink[]): (id: string) => string {
  const parent = new Map<string, string>();
  const top = (id: string): string => {
    let at = id;
    for (let next = parent.get(at); next !== undefined && next !== at; next = parent.get(at)) at = next;
    return at;
  };
  const reached = new Set<string>();
  for (const { before, after } of links) {
    const ids = [...before, ...after];
    const [first] = ids;
    if (first === undefined) continue;
    for (const id of ids) {
      if (!parent.has(id)) parent.set(id, id);
      parent.set(top(id), top(first));
    }
    for (const id of after) if (!before.includes(id)) reached.add(id);
  }
  const members = new Map<string, string[]>();
  for (const id of parent.keys()) members.set(top(id), [...(members.get(top(id)) ?? []), id]);
  const beginning = new Map<string, string>();
  for (const ids of members.values()) {
    const sorted = [...ids].sort();
    const start = sorted.find((id) => !reached.has(id)) ?? sorted[0] ?? '';
    for (const id of ids) beginning.set(id, start);
  }
  return (id) => beginning.get(id) ?? id;
}

/** Whether facts agree with those that are asked for, as texts; measured lengths where they are near. */
export function agrees(facts: Facts, wanted: Facts): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    const own = ownValue(facts, key) ?? null;
    return textOfFact(own) === textOfFact(value) || (isMeasuredMean(key) && isSameLength(own, value));
  });
}

/** Keys in which these facts do not all agree, in order. */
export function distinguishingKeys(all: readonly Facts[]): readonly string[] {
  const keys = [...new Set(all.flatMap((facts) => Object.keys(facts)))].sort();
  return keys.filter((key) => new Set(all.map((facts) => textOfFact(facts[key] ?? null))).size > 1);
}
