import type { BothLanguages } from '../locale.js';
import type { FactValue } from '../measurement/environment-diff.js';
import type { Cause } from './alternatives.js';
import { alternatives } from './alternatives.js';
import type { KnownFacts } from './facts.js';
import { hasCapability, isOpen } from './facts.js';
import { isImageNamed, readImage } from './image.js';
import type { Condition, Predicate } from './predicate.js';
import type { Sense, Vocabulary } from './reasons.js';
import { capabilityReason, factReason, noCondition, platformReason } from './reasons.js';
import { placeOf, type VersionPlace } from './version-range.js';

export type Applies = 'YES' | 'NO' | 'UNKNOWN';

export interface Answer {
  readonly answer: Applies;
  /** What decided, each said once: what is met (YES), what fails (NO), what is not known (UNKNOWN). */
  readonly reasons: readonly BothLanguages[];
  /** NO only because a version is newer than the item's range: what it works around is gone. */
  readonly isPast: boolean;
  /** Where the answer is UNKNOWN the keys that would settle it: facts, `capability.<key>`, or `hardware`. */
  readonly missing: readonly string[];
}

/**
 * Whether an item applies, by Kleene's three-valued logic: one failing part of `all` is NO whatever else is unknown.
 * Text compares without case; a fact with several values is equal to each of them.
 */
export function applicability(predicate: Predicate | null, known: KnownFacts, vocabulary: Vocabulary): Answer {
  if (predicate === null) return { answer: 'YES', reasons: [noCondition], isPast: false, missing: [] };
  const { answer, causes } = ask(predicate, 'REQUIRED', known, vocabulary);
  return {
    answer,
    reasons: [...new Map(causes.map(({ reason }) => [reason.en, reason])).values()],
    isPast: answer === 'NO' && causes.some(isNewer) && isOnlyNewer(predicate, known, vocabulary),
    missing: answer === 'UNKNOWN' ? [...new Set(causes.flatMap((cause) => missingOf(cause, known)))] : [],
  };
}

function isNewer(cause: Cause): boolean {
  return cause.about === 'alternatives'
    ? cause.parts.some((part) => part.some(isNewer))
    : cause.about === 'fact' && cause.isNewer;
}

/** Whether versions that are too new alone rule the item out: with older ones it would not be, with newer ones it is. */
function isOnlyNewer(predicate: Predicate, known: KnownFacts, vocabulary: Vocabulary): boolean {
  const answerTo = (newer: Newer) => ask(predicate, 'REQUIRED', known, vocabulary, newer).answer;
  return answerTo('NEWER_IS_WITHIN') !== 'NO' && answerTo('OLDER_IS_WITHIN') === 'NO';
}

function missingOf(cause: Cause, known: KnownFacts): readonly string[] {
  if (cause.about === 'alternatives') return cause.parts.flat().flatMap((part) => missingOf(part, known));
  if (cause.about === 'platform') return [];
  // The GPUs of one node are known: the number of nodes says how many there are in all
  if (cause.about === 'fact') return [known.atLeast.has(cause.fact) ? 'nodes.count' : cause.fact];
  return [
    known.capabilities === null && !isOpen(known, cause.capability) ? 'hardware' : `capability.${cause.capability}`,
  ];
}

/** How a version above its range is taken: as outside, or, to see whether it alone decides, as within. */
type Newer = 'NEWER_IS_OUTSIDE' | 'NEWER_IS_WITHIN' | 'OLDER_IS_WITHIN';

/** An answer with its causes, which are put into words together where they are alternatives. */
interface Outcome {
  readonly answer: Applies;
  readonly causes: readonly Cause[];
}

// `not` is carried down to the leaves (De Morgan), so that every leaf can say what it wanted
function ask(
  predicate: Predicate,
  sense: Sense,
  known: KnownFacts,
  vocabulary: Vocabulary,
  newer: Newer = 'NEWER_IS_OUTSIDE',
): Outcome {
  if (isNot(predicate)) {
    return ask(predicate.not, sense === 'REQUIRED' ? 'EXCLUDED' : 'REQUIRED', known, vocabulary, newer);
  }
  if (isAll(predicate)) {
    const outcomes = predicate.all.map((part) => ask(part, sense, known, vocabulary, newer));
    return sense === 'REQUIRED' ? every(outcomes) : some(outcomes, known, vocabulary);
  }
  if (isAny(predicate)) {
    const outcomes = predicate.any.map((part) => ask(part, sense, known, vocabulary, newer));
    return sense === 'REQUIRED' ? some(outcomes, known, vocabulary) : every(outcomes);
  }
  return askLeaf(predicate, sense, known, vocabulary, newer);
}

/** All parts must hold: each that does not is a cause of its own. */
function every(outcomes: readonly Outcome[]): Outcome {
  const answer = firstOf(['NO', 'UNKNOWN', 'YES'], outcomes);
  return { answer, causes: outcomes.flatMap((given) => (given.answer === answer ? given.causes : [])) };
}

/** One part must hold: those that do not are one cause together. */
function some(outcomes: readonly Outcome[], known: KnownFacts, vocabulary: Vocabulary): Outcome {
  const answer = firstOf(['YES', 'UNKNOWN', 'NO'], outcomes);
  const given = outcomes.filter((outcome) => outcome.answer === answer).map(({ causes }) => causes);
  return { answer, causes: answer === 'YES' ? given.flat() : alternatives(given, answer, known, vocabulary) };
}

/** The first answer of the order that anybody gave. */
function firstOf(order: readonly Applies[], outcomes: readonly Outcome[]): Applies {
  return order.find((candidate) => outcomes.some(({ answer }) => answer === candidate)) ?? 'UNKNOWN';
}

// A version of one of these can only be missing for good where the hardware lacks the capability of the same name
const platforms: ReadonlySet<string> = new Set(['cuda', 'rocm', 'cann']);

function askLeaf(
  leaf: Exclude<Predicate, Combined>,
  sense: Sense,
  known: KnownFacts,
  vocabulary: Vocabulary,
  newer: Newer,
): Outcome {
  const [key, condition] = Object.entries(leaf)[0] ?? [];
  if (key === undefined || condition === undefined) return { answer: 'UNKNOWN', causes: [] };
  if (key === 'capability' && typeof condition === 'string') {
    const found = hasCapability(known, condition) ?? null;
    const reason = capabilityReason(condition, found, sense, known, vocabulary);
    return outcomeOf(found, sense, { about: 'capability', capability: condition, sense, reason });
  }
  const value = known.facts[key];
  if (isMissing(value) && platforms.has(key) && hasCapability(known, key) === false) {
    return outcomeOf(false, sense, { about: 'platform', reason: platformReason(key, sense, known, vocabulary) });
  }
  // What is to stay out of a range does so above it: only a range that is asked for can have been left behind
  const taken = sense === 'REQUIRED' ? newer : 'NEWER_IS_OUTSIDE';
  const met = isMissing(value) ? metByBound(known.atLeast.get(key), condition) : meets(value, condition, taken);
  const reason = factReason({ fact: key, condition, met, sense }, known, vocabulary);
  // A GPU of a newer kind is no workaround that is over
  const isAbove =
    !/^(gpu|pcie)\./.test(key) &&
    !isMissing(value) &&
    met === false &&
    sense === 'REQUIRED' &&
    isAboveRange(value, condition);
  return outcomeOf(met, sense, { about: 'fact', fact: key, condition, sense, reason, isNewer: isAbove });
}

/** A count that is not known is settled by what it is at least, or not at all. */
function metByBound(bound: number | undefined, condition: Condition): boolean | null {
  if (bound === undefined) return null;
  const isTooSmall = (one: Scalar): boolean => bound > (numberOf(one) ?? Infinity);
  if (typeof condition !== 'object') return isTooSmall(condition) ? false : null;
  if ('in' in condition) return condition.in.every(isTooSmall) ? false : null;
  if ('not' in condition) return isTooSmall(condition.not) ? true : null;
  if ('atMost' in condition && condition.atMost !== undefined) return bound > condition.atMost ? false : null;
  return 'atLeast' in condition && condition.atLeast !== undefined && bound >= condition.atLeast ? true : null;
}

function outcomeOf(met: boolean | null, sense: Sense, cause: Cause): Outcome {
  if (met === null) return { answer: 'UNKNOWN', causes: [cause] };
  return { answer: met === (sense === 'REQUIRED') ? 'YES' : 'NO', causes: [cause] };
}

type Scalar = string | number | boolean;

/** Null where the value cannot be compared with the condition, or several values disagree. */
function meets(value: Scalar | readonly Scalar[], condition: Condition, newer: Newer): boolean | null {
  const values = valuesOf(value);
  if (values.length === 0) return null;
  if (typeof condition !== 'object') return values.some((one) => isEqual(one, condition));
  if ('in' in condition) return values.some((one) => condition.in.some((wanted) => isEqual(one, wanted)));
  if ('not' in condition) return !values.some((one) => isEqual(one, condition.not));
  const answers = new Set(values.map((one) => meetsOne(one, condition, newer)));
  const [first = null] = answers;
  return answers.size === 1 ? first : null;
}

function meetsOne(
  one: Scalar,
  condition: Exclude<Condition, Scalar | { in: unknown } | { not: unknown }>,
  newer: Newer,
): boolean | null {
  if (!('version' in condition)) return isWithin(one, condition);
  if ('name' in condition && !isImageNamed(readImage(String(one)).name, condition.name)) return false;
  const place = versionPlaceOf(one, condition);
  if (place === null || place === 'WITHIN') return place === null ? null : true;
  return place === 'ABOVE' ? newer === 'NEWER_IS_WITHIN' : newer === 'OLDER_IS_WITHIN';
}

function versionPlaceOf(one: Scalar, condition: { version: string; name?: string }): VersionPlace | null {
  const version = condition.name === undefined ? String(one) : readImage(String(one)).tag;
  return version === null ? null : placeOf(version, condition.version);
}

function isAboveRange(value: Scalar | readonly Scalar[], condition: Condition): boolean {
  if (typeof condition !== 'object' || !('version' in condition)) return false;
  return valuesOf(value).every(
    (one) =>
      (!('name' in condition) || isImageNamed(readImage(String(one)).name, condition.name)) &&
      versionPlaceOf(one, condition) === 'ABOVE',
  );
}

function valuesOf(value: Scalar | readonly Scalar[]): readonly Scalar[] {
  return typeof value === 'object' ? value : [value];
}

// Two texts compare as texts: the versions 12.1 and 12.10 are not the same number
function isEqual(a: Scalar, b: Scalar): boolean {
  if (typeof a === 'number' || typeof b === 'number') {
    const [left, right] = [numberOf(a), numberOf(b)];
    if (left !== null && right !== null) return left === right;
  }
  return String(a).trim().toLowerCase() === String(b).trim().toLowerCase();
}

function isWithin(value: Scalar, range: { atLeast?: number | undefined; atMost?: number | undefined }): boolean | null {
  const number = numberOf(value);
  if (number === null) return null;
  return number >= (range.atLeast ?? -Infinity) && number <= (range.atMost ?? Infinity);
}

function numberOf(value: Scalar): number | null {
  if (typeof value === 'boolean') return null;
  if (typeof value === 'string' && !/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return null;
  return Number(value);
}

function isMissing(value: FactValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

type All = { readonly all: readonly Predicate[] };
type Any = { readonly any: readonly Predicate[] };
type Not = { readonly not: Predicate };
type Combined = All | Any | Not;

export function isAll(predicate: Predicate): predicate is All {
  return 'all' in predicate && Array.isArray(predicate.all);
}

export function isAny(predicate: Predicate): predicate is Any {
  return 'any' in predicate && Array.isArray(predicate.any);
}

export function isNot(predicate: Predicate): predicate is Not {
  return 'not' in predicate;
}
