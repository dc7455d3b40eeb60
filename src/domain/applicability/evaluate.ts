import type { BothLanguages } from '../locale.js';
import type { FactValue } from '../measurement/environment-diff.js';
import type { Cause } from './alternatives.js';
import { alternatives } from './alternatives.js';
import type { KnownFacts } from './facts.js';
import { hasCapability } from './facts.js';
import type { Condition, Predicate } from './predicate.js';
import type { Sense, Vocabulary } from './reasons.js';
import { capabilityReason, factReason, noCondition, platformReason } from './reasons.js';
import { satisfies } from './version-range.js';

export type Applies = 'YES' | 'NO' | 'UNKNOWN';

export interface Answer {
  readonly answer: Applies;
  /** What decided, each said once: what is met (YES), what fails (NO), what is not known (UNKNOWN). */
  readonly reasons: readonly BothLanguages[];
}

/**
 * Whether an item applies, by Kleene's three-valued logic: one failing part of `all` is NO whatever else is unknown.
 * Text compares without case; a fact with several values is equal to each of them.
 */
export function applicability(predicate: Predicate | null, known: KnownFacts, vocabulary: Vocabulary): Answer {
  if (predicate === null) return { answer: 'YES', reasons: [noCondition] };
  const { answer, causes } = ask(predicate, 'REQUIRED', known, vocabulary);
  return { answer, reasons: [...new Map(causes.map(({ reason }) => [reason.en, reason])).values()] };
}

/** An answer with its causes, which are put into words together where they are alternatives. */
interface Outcome {
  readonly answer: Applies;
  readonly causes: readonly Cause[];
}

// `not` is carried down to the leaves (De Morgan), so that every leaf can say what it wanted
function ask(predicate: Predicate, sense: Sense, known: KnownFacts, vocabulary: Vocabulary): Outcome {
  if (isNot(predicate)) return ask(predicate.not, sense === 'REQUIRED' ? 'EXCLUDED' : 'REQUIRED', known, vocabulary);
  if (isAll(predicate)) {
    const outcomes = predicate.all.map((part) => ask(part, sense, known, vocabulary));
    return sense === 'REQUIRED' ? every(outcomes) : some(outcomes, known, vocabulary);
  }
  if (isAny(predicate)) {
    const outcomes = predicate.any.map((part) => ask(part, sense, known, vocabulary));
    return sense === 'REQUIRED' ? some(outcomes, known, vocabulary) : every(outcomes);
  }
  return askLeaf(predicate, sense, known, vocabulary);
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

function askLeaf(leaf: Exclude<Predicate, Combined>, sense: Sense, known: KnownFacts, vocabulary: Vocabulary): Outcome {
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
  const met = isMissing(value) ? null : meets(value, condition);
  const reason = factReason(key, condition, value, met, sense, vocabulary);
  return outcomeOf(met, sense, { about: 'fact', fact: key, condition, sense, reason });
}

function outcomeOf(met: boolean | null, sense: Sense, cause: Cause): Outcome {
  if (met === null) return { answer: 'UNKNOWN', causes: [cause] };
  return { answer: met === (sense === 'REQUIRED') ? 'YES' : 'NO', causes: [cause] };
}

type Scalar = string | number | boolean;

/** Null where the value cannot be compared with the condition, or several values disagree. */
function meets(value: Scalar | readonly Scalar[], condition: Condition): boolean | null {
  const values = typeof value === 'object' ? value : [value];
  if (values.length === 0) return null;
  if (typeof condition !== 'object') return values.some((one) => isEqual(one, condition));
  if ('in' in condition) return values.some((one) => condition.in.some((wanted) => isEqual(one, wanted)));
  if ('not' in condition) return !values.some((one) => isEqual(one, condition.not));
  const answers = new Set(
    values.map((one) =>
      'version' in condition ? satisfies(String(one), condition.version) : isWithin(one, condition),
    ),
  );
  const [first = null] = answers;
  return answers.size === 1 ? first : null;
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
  if (typeof value === 'string' && !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return null;
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
