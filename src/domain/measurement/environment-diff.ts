import { plainName } from '../applicability/match-profile.js';
import { isMeasuredMean, isSameLength, lengthGroups, lengthsOf } from './measured-lengths.js';
import { ownValue } from '../own-value.js';

export type DifferenceTier = 'BLOCK' | 'WARN' | 'INFO';
export type FactValue = string | number | boolean | readonly (string | number | boolean)[] | null;
/** Flat; keys are paths: `gpu.sku`, `env.NCCL_ALGO`, `workload.model`. */
export type Facts = Readonly<Record<string, FactValue>>;

export interface EnvironmentDifference {
  readonly key: string;
  /** Null where it is not known: an unknown value is never equal to a known one. */
  readonly before: string | null;
  readonly after: string | null;
  readonly tier: DifferenceTier;
  readonly isDeclared: boolean;
}

/**
 * What differs between the arms, worst tier first, then by key. `tiers` is the registry; its keys may end in a wildcard.
 * Measured lengths that are near each other do not differ, unless the length is what was declared to be changed.
 */
export function environmentDifferences(input: {
  before: Facts;
  after: Facts;
  declared: readonly string[];
  tiers: ReadonlyMap<string, DifferenceTier>;
}): readonly EnvironmentDifference[] {
  const keys = new Set([...Object.keys(input.before), ...Object.keys(input.after)]);
  return [...keys]
    .map((key) => ({
      key,
      before: textOfFact(ownFact(input.before, key)),
      after: textOfFact(ownFact(input.after, key)),
      tier: tierOf(key, input.tiers),
      isDeclared: input.declared.some((name) => covers(name, key)),
    }))
    .filter(({ key, before, after }) => before !== after && !isSameProduct(key, before, after, input))
    .filter(({ key, isDeclared }) => isDeclared || !isNearby(key, input))
    .sort((a, b) => severity[a.tier] - severity[b.tier] || inOrder(a.key, b.key));
}

function isNearby(key: string, facts: { readonly before: Facts; readonly after: Facts }): boolean {
  return isMeasuredMean(key) && isSameLength(ownFact(facts.before, key), ownFact(facts.after, key));
}

/** A SKU that was taken from the name that the driver prints, beside the one that the catalog has for that name. */
function isSameProduct(
  key: string,
  before: string | null,
  after: string | null,
  facts: { readonly before: Facts; readonly after: Facts },
): boolean {
  if (key !== 'gpu.sku' || before === null || after === null) return false;
  const [one, other] = [textOfFact(ownFact(facts.before, 'gpu.name')), textOfFact(ownFact(facts.after, 'gpu.name'))];
  if (one === null || one !== other) return false;
  return [before, after].some((sku) => plainName(sku) === plainName(one));
}

/**
 * The facts of all runs of one arm. Where the runs disagree the value is the sorted list of what they say, which differs
 * from a single value of the other arm; a run that does not know the key says nothing. Measured lengths near each other
 * are one value, their mean.
 */
export function factsOfArm(runs: readonly Facts[]): Facts {
  const joined = (key: string) => joinedLengths(runs.map((run) => ownFact(run, key)));
  return Object.fromEntries(
    Object.entries(exactFactsOfArm(runs)).map(([key, value]) => [
      key,
      isMeasuredMean(key) ? (joined(key) ?? value) : value,
    ]),
  );
}

/** Null where runs say no numbers. */
function joinedLengths(values: readonly FactValue[]): FactValue {
  const known = values.filter((value) => textOfFact(value) !== null);
  const lengths = known.map(lengthsOf);
  const all = lengths.flatMap((own) => own ?? []);
  if (lengths.includes(null) || new Set(all).size <= 1) return null;
  const groups = [...new Set(lengthGroups(all).values())];
  return groups.length === 1 ? (groups[0] ?? null) : groups.map(String);
}

/** As `factsOfArm`, with every measured length as each run says it. */
export function exactFactsOfArm(runs: readonly Facts[]): Facts {
  const keys = new Set(runs.flatMap((run) => Object.keys(run)));
  return Object.fromEntries([...keys].sort(inOrder).map((key) => [key, agreed(runs.map((run) => ownFact(run, key)))]));
}

/** True where one side does not know the key. */
export function isUnknownOnOneSide(difference: EnvironmentDifference): boolean {
  return difference.before === null || difference.after === null;
}

const severity: Readonly<Record<DifferenceTier, number>> = { BLOCK: 0, WARN: 1, INFO: 2 };

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Names such as `constructor` are keys like others. */
function ownFact(facts: Facts, key: string): FactValue {
  return ownValue(facts, key) ?? null;
}

/** Equal texts are equal facts, so that 8 typed by hand is the 8 that a tool wrote. An empty text is not known. */
export function textOfFact(value: FactValue): string | null {
  if (value === null) return null;
  const text = typeof value === 'object' ? value.map(String).join(', ') : String(value).trim();
  return text === '' ? null : text;
}

function agreed(values: readonly FactValue[]): FactValue {
  const byText = new Map<string, FactValue>();
  for (const value of values) {
    const text = textOfFact(value);
    if (text !== null && !byText.has(text)) byText.set(text, value);
  }
  if (byText.size <= 1) return [...byText.values()][0] ?? null;
  return [...byText.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The tier of a key: its own, else that of the longest wildcard that covers it, else BLOCK for a workload and WARN. */
export function tierOf(key: string, tiers: ReadonlyMap<string, DifferenceTier>): DifferenceTier {
  const exact = tiers.get(key);
  if (exact) return exact;
  let found: { readonly length: number; readonly tier: DifferenceTier } | null = null;
  for (const [pattern, tier] of tiers) {
    const prefix = /^(.*\.)(\*|<[^<>]+>)$/.exec(pattern)?.[1];
    if (prefix && key.startsWith(prefix) && prefix.length > (found?.length ?? 0))
      found = { length: prefix.length, tier };
  }
  return found?.tier ?? (isPath('workload', key) ? 'BLOCK' : 'WARN');
}

/**
 * A declared name covers its key and the keys below it; `NCCL_ALGO` also means `env.NCCL_ALGO`, `model` also
 * `workload.model`. `workload` alone names no single thing that was changed, so it covers nothing below it.
 */
export function covers(declared: string, key: string): boolean {
  const name = declared.trim().replace(/\.\*$/, '');
  if (name === '') return false;
  if (name === 'workload') return key === name;
  return isPath(name, key) || isPath(`env.${name}`, key) || isPath(`workload.${name}`, key);
}

function isPath(prefix: string, key: string): boolean {
  return key === prefix || key.startsWith(`${prefix}.`);
}

/** What the verdict rule makes of differences: with a known one that blocks there is no verdict. */
export type Comparability = 'COMPARABLE' | 'CONFOUNDED' | 'NOT_COMPARABLE';

export function comparabilityOf(differences: readonly EnvironmentDifference[]): Comparability {
  const undeclared = differences.filter(({ isDeclared, tier }) => !isDeclared && tier !== 'INFO');
  if (undeclared.some((difference) => difference.tier === 'BLOCK' && !isUnknownOnOneSide(difference))) {
    return 'NOT_COMPARABLE';
  }
  return undeclared.length > 0 ? 'CONFOUNDED' : 'COMPARABLE';
}
