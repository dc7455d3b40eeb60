import type { Answer, Applies } from '../applicability/evaluate.js';
import type { PredicateKeys } from '../applicability/predicate-keys.js';
import { capabilityFact } from '../applicability/facts.js';
import { nameOfKey, spaced, type Vocabulary } from '../applicability/reasons.js';
import type { BothLanguages } from '../locale.js';
import type { EnvironmentDifference } from '../measurement/environment-diff.js';
import { effectiveApplies } from './progress.js';
import type { Outcome } from './transitions.js';

/** What a change of the environment does to an item of an audit. */
export type ScopeEffect = 'COMES_IN' | 'GOES_OUT' | 'ANSWER_CHANGED' | 'RECHECK' | 'NO_LONGER_NEEDED';

/** An item as an audit has it before its environment changes. */
export interface ScopedItem {
  readonly applies: Applies;
  readonly overruled: Applies | null;
  readonly isPast: boolean;
  readonly outcome: Outcome;
  /** Whether a trial of it has a verdict. */
  readonly isMeasured: boolean;
  readonly keys: PredicateKeys;
}

export interface ScopeChange {
  readonly effects: readonly ScopeEffect[];
  /** Why a result is to be looked at again; null where it is not. */
  readonly recheck: BothLanguages | null;
}

/**
 * What becomes of an item. What a person said stays; a result gets a re-check where the rules now say something else,
 * where a version that its predicate bounds is another one, and where the hardware is another one; a measurement also
 * where anything differs that keeps runs from being compared. A fact that was not known before, or is not known any more,
 * is no change of the machine: only the answer counts then.
 */
export function scopeChange(
  item: ScopedItem,
  next: Answer,
  differences: readonly EnvironmentDifference[],
  vocabulary: Vocabulary,
): ScopeChange {
  const before = effectiveApplies(item);
  const after = item.overruled ?? next.answer;
  const isTurned = (before === 'NO') !== (after === 'NO');
  // Rules that come to agree with a person give no reason to look again
  const isContradicted =
    item.overruled !== null &&
    (item.applies === 'NO') !== (next.answer === 'NO') &&
    (item.overruled === 'NO') !== (next.answer === 'NO');
  const isOutside = before === 'NO' && after === 'NO';
  const isAssessed = item.outcome !== 'NOT_ASSESSED';
  const changed = differences.filter(({ before: old, after: now }) => old !== null && now !== null);
  const versions = changed.filter(({ key }) => item.keys.versions.has(key));
  const elsewhere = [
    ...hardwareChange(changed),
    ...changed.filter(({ key, tier }) => item.isMeasured && tier === 'BLOCK' && !hardwareKeys.includes(key)),
  ];
  const isStale = isAssessed && !isOutside && (isTurned || versions.length > 0 || elsewhere.length > 0);
  const isOver =
    after === 'NO' &&
    next.isPast &&
    !item.isPast &&
    (item.outcome === 'APPLIED' || item.outcome === 'ALREADY_IN_PLACE');
  const effects: ScopeEffect[] = [
    ...(before === 'NO' && after !== 'NO' ? (['COMES_IN'] as const) : []),
    ...(before !== 'NO' && after === 'NO' ? (['GOES_OUT'] as const) : []),
    ...(before !== after && before !== 'NO' && after !== 'NO' ? (['ANSWER_CHANGED'] as const) : []),
    ...(isStale || isContradicted ? (['RECHECK'] as const) : []),
    ...(isOver ? (['NO_LONGER_NEEDED'] as const) : []),
  ];
  if (!isStale && !isContradicted) return { effects, recheck: null };
  const asked = differences.filter(({ key }) => item.keys.all.has(key));
  const isOther = isTurned || isContradicted;
  const shown = distinct(isOther ? [...asked, ...elsewhere] : [...versions, ...elsewhere]);
  return {
    effects,
    recheck: causeOf(shown, conclusion(next, isOther, versions.length > 0 || !item.isMeasured), vocabulary),
  };
}

/** What makes it another machine, whatever an item asks about. */
const hardwareKeys: readonly string[] = ['gpu.sku', 'architecture', 'vendor'];

/** The model names the change; architecture and vendor only where it is not known. */
function hardwareChange(changed: readonly EnvironmentDifference[]): readonly EnvironmentDifference[] {
  const [first] = hardwareKeys.flatMap((key) => changed.filter((difference) => difference.key === key));
  return first ? [first] : [];
}

/** Joins a new cause to one that nobody has looked at yet; the newest stands first. */
export function joinedCause(earlier: BothLanguages | null, now: BothLanguages): BothLanguages {
  if (earlier === null || now.en.includes(earlier.en)) return now;
  if (earlier.en.startsWith(now.en)) return earlier;
  const joined = { en: `${now.en}. Before: ${earlier.en}`, zh: `${now.zh}。此前：${earlier.zh}` };
  return joined.en.length > LONGEST_CAUSE ? now : joined;
}

/** Older causes than fit in here are in the history. */
const LONGEST_CAUSE = 2_000;
const MOST_CHANGES = 4;

function distinct(differences: readonly EnvironmentDifference[]): readonly EnvironmentDifference[] {
  return [...new Map(differences.map((difference) => [difference.key, difference])).values()];
}

function conclusion(next: Answer, isOther: boolean, isOtherBasis: boolean): BothLanguages {
  const [reason = { en: '', zh: '' }] = next.reasons;
  if (next.isPast) {
    return { en: `no longer needed: ${reason.en}`, zh: `已不再需要：${reason.zh}` };
  }
  if (isOther) {
    if (next.answer === 'NO') return { en: `it does not apply any more: ${reason.en}`, zh: `已不再适用：${reason.zh}` };
    return next.answer === 'YES'
      ? { en: `it applies now: ${reason.en}`, zh: `现已适用：${reason.zh}` }
      : { en: `it may apply now: ${reason.en}`, zh: `现可能适用：${reason.zh}` };
  }
  return isOtherBasis
    ? { en: 'the result is from before', zh: '原有结论得自变更之前' }
    : { en: 'it was measured before that', zh: '原有测量是变更之前做的' };
}

function causeOf(
  differences: readonly EnvironmentDifference[],
  end: BothLanguages,
  vocabulary: Vocabulary,
): BothLanguages {
  const changes = differences.slice(0, MOST_CHANGES).map((difference) => changeText(difference, vocabulary));
  return {
    en: [...changes.map(({ en }) => en), end.en].join('; '),
    zh: [...changes.map(({ zh }) => zh), end.zh].join('；'),
  };
}

function changeText({ key, before, after }: EnvironmentDifference, vocabulary: Vocabulary): BothLanguages {
  const isCapability = key.startsWith(capabilityFact);
  const name = nameOfKey(key, vocabulary);
  const [old, now] = [before, after].map((value) => (isCapability ? presence(value) : shown(value)));
  return {
    en: `${name.en} was ${old?.en}, is ${now?.en}`,
    zh: spaced(name.zh, '由', old?.zh ?? '', '变为', now?.zh ?? ''),
  };
}

function shown(value: string | null): BothLanguages {
  return value === null ? unknown : { en: value, zh: value.replaceAll(', ', '、') };
}

function presence(value: string | null): BothLanguages {
  if (value === 'true') return { en: 'there', zh: '有' };
  return value === 'false' ? { en: 'absent', zh: '无' } : unknown;
}

const unknown: BothLanguages = { en: 'unknown', zh: '未知' };
