import type { BothLanguages } from '../locale.js';
import type { FactValue } from '../measurement/environment-diff.js';
import type { KnownFacts } from './facts.js';
import { capabilityFact, isOpen } from './facts.js';
import type { Condition } from './predicate.js';

/** The names that people know capabilities and facts by. */
export interface Vocabulary {
  capabilityName(key: string): BothLanguages;
  factName(key: string): BothLanguages;
}

/** What people call a key of the facts: of `capability.<key>` the capability. */
export function nameOfKey(key: string, vocabulary: Vocabulary): BothLanguages {
  return key.startsWith(capabilityFact)
    ? vocabulary.capabilityName(key.slice(capabilityFact.length))
    : vocabulary.factName(key);
}

/** Whether the item asks for something, or stays away from it (the inside of `not`). */
export type Sense = 'REQUIRED' | 'EXCLUDED';

export const noCondition: BothLanguages = { en: 'applies to every environment', zh: '适用于所有环境' };

/** Says why a capability decides: met, missing, or not known. */
export function capabilityReason(
  capability: string,
  found: boolean | null,
  sense: Sense,
  known: KnownFacts,
  vocabulary: Vocabulary,
): BothLanguages {
  const name = vocabulary.capabilityName(capability);
  const hardware = hardwareOf(known);
  if (found === null) {
    const doubt = doubtOf([capability], known);
    return sense === 'REQUIRED'
      ? { en: `needs ${name.en}; ${doubt.en}`, zh: `${spaced('需要', name.zh)}，但${doubt.zh}` }
      : {
          en: `is not for hardware with ${name.en}; ${doubt.en}`,
          zh: `${spaced('不适用于具备', name.zh, '的硬件')}，但${doubt.zh}`,
        };
  }
  return withCause(knownCapabilityReason(name, hardware, found, sense), `capability.${capability}`, known);
}

function knownCapabilityReason(
  name: BothLanguages,
  hardware: BothLanguages,
  found: boolean,
  sense: Sense,
): BothLanguages {
  const has = found ? '具备' : '不具备';
  if ((sense === 'REQUIRED') === found) {
    return {
      en: `${hardware.en} ${found ? 'has' : 'does not have'} ${name.en}`,
      zh: spaced(hardware.zh, has, name.zh),
    };
  }
  return sense === 'REQUIRED'
    ? {
        en: `needs ${name.en}; ${hardware.en} does not have it`,
        zh: `${spaced('需要', name.zh)}，${spaced('而', hardware.zh, has)}`,
      }
    : {
        en: `is not for hardware with ${name.en}; ${hardware.en} has it`,
        zh: `${spaced('不适用于具备', name.zh, '的硬件')}，${spaced('而', hardware.zh, has)}`,
      };
}

/** Says why a fact is not there: the hardware cannot have it (a CUDA version on an AMD GPU). */
export function platformReason(fact: string, sense: Sense, known: KnownFacts, vocabulary: Vocabulary): BothLanguages {
  const name = vocabulary.factName(fact);
  const hardware = hardwareOf(known);
  return sense === 'REQUIRED'
    ? {
        en: `needs ${name.en}; ${hardware.en} does not have it`,
        zh: `${spaced('需要', name.zh)}，${spaced('而', hardware.zh, '不具备')}`,
      }
    : { en: `${hardware.en} does not have ${name.en}`, zh: spaced(hardware.zh, '不具备', name.zh) };
}

/** A condition on a fact with the answer; `met` is null where the fact is missing or cannot be compared. */
interface Asked {
  readonly fact: string;
  readonly condition: Condition;
  readonly met: boolean | null;
  readonly sense: Sense;
}

/** Says why the value of a fact decides. */
export function factReason(
  { fact, condition, met, sense }: Asked,
  known: KnownFacts,
  vocabulary: Vocabulary,
): BothLanguages {
  if (met !== null && met === (sense === 'REQUIRED')) {
    const name = vocabulary.factName(fact);
    const actual = shownFact(fact, known);
    return { en: `${name.en} is ${actual.en}`, zh: spaced(name.zh, '为', actual.zh) };
  }
  return unmetReason(fact, demandOf(condition, sense), met === null ? 'UNKNOWN' : 'NO', known, vocabulary);
}

/** Says that a fact is not what it must be, or that nobody can tell; a missing one with the key to set. */
export function unmetReason(
  fact: string,
  demand: BothLanguages,
  answer: 'NO' | 'UNKNOWN',
  known: KnownFacts,
  vocabulary: Vocabulary,
): BothLanguages {
  const name = vocabulary.factName(fact);
  const value = known.facts[fact];
  const actual = shownFact(fact, known);
  if ((value === undefined || value === null) && answer === 'UNKNOWN') {
    return {
      en: `${name.en} is not known (${fact} ${demand.en})`,
      zh: `${spaced(name.zh, '未知')}（${spaced(fact, demand.zh)}）`,
    };
  }
  const zh = spaced(name.zh, demand.zh);
  return answer === 'UNKNOWN'
    ? {
        en: `${name.en} ${demand.en}; "${shown(value, ', ')}" cannot be compared with that`,
        zh: `${zh}，但“${shown(value, '、')}”无法与之比较`,
      }
    : { en: `${name.en} ${demand.en}; it is ${actual.en}`, zh: `${zh}，${spaced('实际为', actual.zh)}` };
}

/** The value of a fact; where nobody stated it, with what it follows from. */
function shownFact(fact: string, known: KnownFacts): BothLanguages {
  const bound = known.atLeast.get(fact);
  const value = known.facts[fact];
  if ((value === undefined || value === null) && bound !== undefined) {
    return { en: `at least ${bound}`, zh: `${bound} 或更多` };
  }
  return withCause({ en: shown(value, ', '), zh: shown(value, '、') }, fact, known);
}

/** Adds in parentheses what a fact follows from, where nobody stated it. */
function withCause({ en, zh }: BothLanguages, fact: string, known: KnownFacts): BothLanguages {
  const cause = known.derived.get(fact);
  return cause ? { en: `${en} (${cause.en})`, zh: `${zh}（${cause.zh}）` } : { en, zh };
}

/** Says what a fact must be, or must not be: "must be at least 2". */
export function demandOf(condition: Condition, sense: Sense): BothLanguages {
  return sense === 'REQUIRED' ? demanded(condition) : excluded(condition);
}

/** Says why nothing is known of these capabilities, and what to set. */
export function doubtOf(capabilities: readonly string[], known: KnownFacts): BothLanguages {
  if (!capabilities.some((capability) => isOpen(known, capability))) {
    return { en: 'the hardware is not known', zh: '硬件未知' };
  }
  const hardware = hardwareOf(known);
  const keys = capabilities.map((capability) => `capability.${capability}`);
  return {
    en: `${hardware.en} alone does not tell, set ${keys.join(' or ')}`,
    zh: `${spaced('仅凭', hardware.zh, '无法判断')}，请填写 ${keys.join(' 或 ')}`,
  };
}

function demanded(condition: Condition): BothLanguages {
  if (typeof condition !== 'object') return { en: `must be ${condition}`, zh: spaced('须为', String(condition)) };
  if ('in' in condition) {
    const [only] = condition.in;
    return condition.in.length === 1
      ? { en: `must be ${only}`, zh: spaced('须为', String(only)) }
      : { en: `must be one of ${condition.in.join(', ')}`, zh: spaced('须为', condition.in.join('、'), '之一') };
  }
  if ('not' in condition) return { en: `must not be ${condition.not}`, zh: spaced('不得为', String(condition.not)) };
  if ('name' in condition) {
    return {
      en: `must be ${condition.name} with a tag in ${condition.version}`,
      zh: spaced('须为', condition.name, '且标签版本满足', condition.version),
    };
  }
  if ('version' in condition) {
    return { en: `must be version ${condition.version}`, zh: spaced('版本须满足', condition.version) };
  }
  const { atLeast, atMost } = condition;
  if (atLeast === undefined) return { en: `must be at most ${atMost}`, zh: spaced('须不大于', String(atMost)) };
  if (atMost === undefined) return { en: `must be at least ${atLeast}`, zh: spaced('须不小于', String(atLeast)) };
  return {
    en: `must be from ${atLeast} to ${atMost}`,
    zh: spaced('须在', String(atLeast), '到', String(atMost), '之间'),
  };
}

function excluded(condition: Condition): BothLanguages {
  if (typeof condition !== 'object') return { en: `must not be ${condition}`, zh: spaced('不得为', String(condition)) };
  if ('in' in condition) {
    return { en: `must not be ${condition.in.join(' or ')}`, zh: spaced('不得为', condition.in.join('、')) };
  }
  if ('not' in condition) return { en: `must be ${condition.not}`, zh: spaced('须为', String(condition.not)) };
  if ('name' in condition) {
    return {
      en: `must not be ${condition.name} with a tag in ${condition.version}`,
      zh: spaced('不得为', condition.name, '且标签版本满足', condition.version),
    };
  }
  if ('version' in condition) {
    return { en: `must not be version ${condition.version}`, zh: spaced('版本不得满足', condition.version) };
  }
  const { atLeast, atMost } = condition;
  if (atLeast === undefined) return { en: `must be above ${atMost}`, zh: spaced('须大于', String(atMost)) };
  if (atMost === undefined) return { en: `must be below ${atLeast}`, zh: spaced('须小于', String(atLeast)) };
  return {
    en: `must be outside ${atLeast} to ${atMost}`,
    zh: spaced('须在', String(atLeast), '到', String(atMost), '之外'),
  };
}

/** The hardware by its name. */
export function hardwareOf(known: KnownFacts): BothLanguages {
  return known.hardwareName === null
    ? { en: 'this environment', zh: '该环境' }
    : { en: known.hardwareName, zh: known.hardwareName };
}

function shown(value: FactValue | undefined, separator: string): string {
  return Array.isArray(value) ? value.join(separator) : String(value);
}

const latinAtEnd = /[A-Za-z0-9%)]$/;
const latinAtStart = /^[A-Za-z0-9<>=~^*(]/;
const hanAtEnd = /\p{Script=Han}$/u;
const hanAtStart = /^\p{Script=Han}/u;

/** Joins by the rules of Chinese typesetting: a space where Han meets Latin letters or digits, none between Han. */
export function spaced(...parts: readonly string[]): string {
  return parts.reduce((line, part) => line + gap(line, part) + part);
}

function gap(before: string, after: string): string {
  const meets =
    (hanAtEnd.test(before) && latinAtStart.test(after)) ||
    (latinAtEnd.test(before) && (hanAtStart.test(after) || latinAtStart.test(after)));
  return meets ? ' ' : '';
}
