import type { BothLanguages } from '../locale.js';
import type { KnownFacts } from './facts.js';
import type { Condition } from './predicate.js';
import type { Sense, Vocabulary } from './reasons.js';
import { demandOf, doubtOf, hardwareOf, spaced, unmetReason } from './reasons.js';

interface CapabilityCause {
  readonly about: 'capability';
  readonly capability: string;
  readonly sense: Sense;
  readonly reason: BothLanguages;
}

interface FactCause {
  readonly about: 'fact';
  readonly fact: string;
  readonly condition: Condition;
  readonly sense: Sense;
  readonly reason: BothLanguages;
  /** The version lies above its range. */
  readonly isNewer: boolean;
}

/** What decided: a leaf of the predicate, or several parts of which one must hold. */
export type Cause =
  | CapabilityCause
  | FactCause
  | { readonly about: 'platform'; readonly reason: BothLanguages }
  | { readonly about: 'alternatives'; readonly parts: readonly Part[]; readonly reason: BothLanguages };

/** The causes of one part, which hold together. */
type Part = readonly Cause[];

/** One cause for parts of which one must hold and none does (NO) or is known to (UNKNOWN); a single part stays as it is. */
export function alternatives(
  given: readonly Part[],
  answer: 'NO' | 'UNKNOWN',
  known: KnownFacts,
  vocabulary: Vocabulary,
): readonly Cause[] {
  const parts = distinct(given.flatMap(partsOf).filter((part) => part.length > 0));
  const [first = []] = parts;
  if (parts.length < 2) return first;
  return [{ about: 'alternatives', parts, reason: reasonOf(parts, answer, known, vocabulary) }];
}

function partsOf(part: Part): readonly Part[] {
  const [only] = part;
  return part.length === 1 && only?.about === 'alternatives' ? only.parts : [part];
}

function distinct(parts: readonly Part[]): readonly Part[] {
  const byText = new Map<string, Part>();
  for (const part of parts) byText.set(part.map(({ reason }) => reason.en).join('\n'), part);
  return [...byText.values()];
}

function reasonOf(parts: readonly Part[], answer: 'NO' | 'UNKNOWN', known: KnownFacts, vocabulary: Vocabulary) {
  const leaves = parts.every((part) => part.length === 1) ? parts.flat() : [];
  const [first] = leaves;
  if (first?.about === 'capability') {
    const same = leaves.filter((leaf) => leaf.about === 'capability').filter(({ sense }) => sense === first.sense);
    if (same.length === parts.length) return capabilitiesReason(same, first.sense, answer, known, vocabulary);
  }
  if (first?.about === 'fact') {
    const same = leaves.filter((leaf) => leaf.about === 'fact').filter(({ fact }) => fact === first.fact);
    if (same.length === parts.length) {
      return unmetReason(first.fact, anyDemand(same), answer, known, vocabulary);
    }
  }
  return listReason(parts, answer);
}

function capabilitiesReason(
  causes: readonly CapabilityCause[],
  sense: Sense,
  answer: 'NO' | 'UNKNOWN',
  known: KnownFacts,
  vocabulary: Vocabulary,
): BothLanguages {
  const keys = causes.map(({ capability }) => capability);
  const names = keys.map((key) => vocabulary.capabilityName(key));
  const [en, zh] = [names.map((name) => name.en).join(', '), names.map((name) => name.zh).join('、')];
  const hardware = hardwareOf(known);
  const demand =
    sense === 'REQUIRED'
      ? { en: `needs one of: ${en}`, zh: `需要以下任意一项：${zh}` }
      : { en: `is not for hardware with all of: ${en}`, zh: spaced('不适用于同时具备', zh, '的硬件') };
  if (answer === 'UNKNOWN') {
    const doubt = doubtOf(keys, known);
    return { en: `${demand.en}; ${doubt.en}`, zh: `${demand.zh}，但${doubt.zh}` };
  }
  return sense === 'REQUIRED'
    ? {
        en: `${demand.en}; ${hardware.en} has none of them`,
        zh: `${demand.zh}，${spaced('而', hardware.zh, '均不具备')}`,
      }
    : { en: `${demand.en}; ${hardware.en} has them all`, zh: `${demand.zh}，${spaced('而', hardware.zh, '均具备')}` };
}

/** Demands on one fact as one: values are listed together, all else is joined by "or". */
function anyDemand(causes: readonly FactCause[]): BothLanguages {
  const values = causes.map(({ condition, sense }) => valuesOf(condition, sense));
  if (values.every((wanted) => wanted !== null)) return demandOf({ in: [...new Set(values.flat())] }, 'REQUIRED');
  const demands = causes.map(({ condition, sense }) => demandOf(condition, sense));
  return {
    en: demands.map(({ en }) => en).join(' or '),
    zh: demands.map(({ zh }) => zh).reduce((line, zh) => spaced(line, '或', zh)),
  };
}

function valuesOf(condition: Condition, sense: Sense) {
  if (sense === 'EXCLUDED') return typeof condition === 'object' && 'not' in condition ? [condition.not] : null;
  if (typeof condition !== 'object') return [condition];
  return 'in' in condition ? condition.in : null;
}

function listReason(parts: readonly Part[], answer: 'NO' | 'UNKNOWN'): BothLanguages {
  const reasons = parts.map((part) => [...new Map(part.map(({ reason }) => [reason.en, reason])).values()]);
  const en = reasons.map((part, index) => `(${index + 1}) ${part.map((reason) => reason.en).join(', and ')}`);
  const zh = reasons.map(
    (part, index) =>
      `（${index + 1}）${part.map((reason) => reason.zh).reduce((line, zh) => `${line}，${spaced('且', zh)}`)}`,
  );
  return answer === 'NO'
    ? {
        en: `one of these must hold, and none does: ${en.join('; ')}`,
        zh: `以下条件须满足其一，但均不满足：${zh.join('；')}`,
      }
    : {
        en: `one of these must hold, and none is known to hold: ${en.join('; ')}`,
        zh: `以下条件须满足其一，但均无法确认：${zh.join('；')}`,
      };
}
