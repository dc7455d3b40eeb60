import type { BothLanguages } from '../locale.js';
import { plainName } from '../applicability/match-profile.js';
import { isMeasuredMean, isSameLength } from './measured-lengths.js';
import { countConflicts, type CountConflict } from './gpu-counts.js';
import { covers, textOfFact, tierOf, type DifferenceTier, type Facts, type FactValue } from './environment-diff.js';
import { exactness, isSameFact } from './same-fact.js';

/** Who said a fact: the file, whoever imported it, or an environment of the project. */
export type FactSource = 'FILE' | 'CALLER' | 'ENVIRONMENT';

export interface SaidFacts {
  readonly file: Facts;
  readonly caller: Facts;
  readonly environment: Facts;
}

/** A key of which two say different things. */
interface ValueConflict {
  readonly kind: 'VALUE';
  readonly key: string;
  readonly first: { readonly source: 'FILE' | 'CALLER'; readonly value: string };
  readonly second: { readonly source: 'CALLER' | 'ENVIRONMENT'; readonly value: string };
  /** Whether it makes runs incomparable, or is of another machine, and nobody said that it is meant. */
  readonly isBlocking: boolean;
}

export type FactConflict = ValueConflict | CountConflict;

export interface JoinedFacts {
  readonly facts: Facts;
  /** Of the facts that are not of the file. */
  readonly sources: Readonly<Record<string, Exclude<FactSource, 'FILE'>>>;
  readonly conflicts: readonly FactConflict[];
}

/** What tells one machine from another. */
const identity: ReadonlySet<string> = new Set(['vendor', 'architecture', 'gpu.sku']);

/**
 * One snapshot of what the file, the caller and the environment say. The caller's word stands over the file, and never
 * silently: where they differ it is a conflict, which blocks for keys of tier BLOCK unless `override` names the key. The
 * environment fills what neither says; it was described at another time, so the others stand over it, and it blocks only
 * where it is of another machine. Numbers of GPUs and nodes that cannot all be true are a conflict too.
 */
export function joinedFacts(
  { file, caller, environment }: SaidFacts,
  tiers: ReadonlyMap<string, DifferenceTier>,
  override: readonly string[],
): JoinedFacts {
  const facts = new Map<string, FactValue>(Object.entries(file));
  const sources = new Map<string, Exclude<FactSource, 'FILE'>>();
  const conflicts: ValueConflict[] = [];
  const isMeant = (key: string): boolean => override.some((name) => covers(name, key));
  for (const [key, value] of Object.entries(caller)) {
    const [said, there] = [textOfFact(value), textOfFact(facts.get(key) ?? null)];
    if (said === null || value === null) continue;
    const isSaid = isSame(key, value, facts.get(key)) || isSameProduct(key, caller, file);
    if (isSaid && !isMoreExact(key, value, facts.get(key))) continue;
    if (there !== null && !isSaid && !isToldBySku(key, file, caller)) {
      const isBlocking = tierOf(key, tiers) === 'BLOCK' && !isMeant(key);
      const first = { source: 'FILE', value: there } as const;
      conflicts.push({ kind: 'VALUE', key, first, second: { source: 'CALLER', value: said }, isBlocking });
    }
    facts.set(key, value);
    sources.set(key, 'CALLER');
  }
  for (const [key, value] of Object.entries(environment)) {
    const [said, there] = [textOfFact(value), textOfFact(facts.get(key) ?? null)];
    if (said === null || value === null || isSame(key, value, facts.get(key))) continue;
    if (isSameProduct(key, environment, Object.fromEntries(facts))) continue;
    if (there === null) {
      facts.set(key, value);
      sources.set(key, 'ENVIRONMENT');
      continue;
    }
    const isOther = identity.has(key) && !isMeant(key);
    const source = sources.get(key) === undefined ? 'FILE' : 'CALLER';
    // what the caller says of this run is newer than the description of the environment
    if (source === 'CALLER' && !isOther) continue;
    if (isToldBySku(key, file, environment)) continue;
    const second = { source: 'ENVIRONMENT', value: said } as const;
    conflicts.push({ kind: 'VALUE', key, first: { source, value: there }, second, isBlocking: isOther });
  }
  const blocked = new Set(conflicts.filter(({ isBlocking }) => isBlocking).map(({ key }) => key));
  const counts = countConflicts(facts, sources, isMeant, blocked);
  for (const key of counts.flatMap(({ leftOut }) => leftOut)) {
    facts.delete(key);
    sources.delete(key);
  }
  return {
    facts: Object.fromEntries(facts),
    sources: Object.fromEntries(sources),
    conflicts: [...conflicts, ...counts],
  };
}

type Given = Exclude<FactValue, null>;

function isSame(key: string, one: Given, other: FactValue | undefined): boolean {
  if (other === null || other === undefined || textOfFact(other) === null) return false;
  if (isMeasuredMean(key) && isSameLength(textOfFact(one), textOfFact(other))) return true;
  if (isNameOfProduct(key) && plainName(String(one)) === plainName(String(other))) return true;
  return isSameFact(key, one, other);
}

function isNameOfProduct(key: string): boolean {
  return key === 'gpu.sku' || key === 'gpu.name';
}

/** A version or MIG profile that says more than the same one cut short. */
function isMoreExact(key: string, one: Given, other: FactValue | undefined): boolean {
  if (typeof one !== 'string' || typeof other !== 'string' || isNameOfProduct(key) || isMeasuredMean(key)) return false;
  return exactness(one) > exactness(other);
}

/** A SKU that was taken from the name that the driver prints, beside the one that the catalog has for that name. */
function isSameProduct(key: string, one: Facts, other: Facts): boolean {
  if (key !== 'gpu.sku' || textOfFact(other[key] ?? null) === null) return false;
  const [own, name] = [textOfFact(one['gpu.name'] ?? null), textOfFact(other['gpu.name'] ?? null)];
  return own !== null && name !== null && plainName(own) === plainName(name);
}

/** Drivers name one product differently, and its SKU says whether it is the same. */
function isToldBySku(key: string, one: Facts, other: Facts): boolean {
  return key === 'gpu.name' && [one, other].every((facts) => textOfFact(facts['gpu.sku'] ?? null) !== null);
}

/** A conflict in words. */
export function conflictText(conflict: FactConflict): BothLanguages {
  if (conflict.kind === 'COUNTS') return countText(conflict);
  const { key, first, second, isBlocking } = conflict;
  const said = {
    en: `${first.source === 'FILE' ? 'The file says' : 'You say'} ${key} = "${first.value}", ${second.source === 'CALLER' ? 'you say' : 'the environment'} "${second.value}"`,
    zh: `${first.source === 'FILE' ? `文件中 ${key} 为` : `给出的 ${key} 为`}“${first.value}”，${second.source === 'CALLER' ? '而给出的是' : '环境中为'}“${second.value}”`,
  };
  const then = thenText(conflict, isBlocking);
  return { en: `${said.en}${then.en}`, zh: `${said.zh}${then.zh}` };
}

function thenText({ key, second }: ValueConflict, isBlocking: boolean): BothLanguages {
  if (second.source === 'ENVIRONMENT') {
    return isBlocking
      ? {
          en: `, which is another machine: name the environment that it ran in, or ${key} in override`,
          zh: `，不是同一台机器：请指定实际运行的环境，或在 override 中列出 ${key}`,
        }
      : { en: ': the file stands', zh: '：以文件为准' };
  }
  return isBlocking
    ? {
        en: `, and runs that differ in it cannot be compared: leave it out, or name ${key} in override`,
        zh: `，该项不同的运行无法比较：请不要给出该项，或在 override 中列出 ${key}`,
      }
    : { en: ': yours is kept', zh: '：保留给出的值' };
}

const sourceNames: Readonly<Record<FactSource, BothLanguages>> = {
  FILE: { en: 'the file', zh: '文件' },
  CALLER: { en: 'you', zh: '给出的值' },
  ENVIRONMENT: { en: 'the environment', zh: '环境' },
};

function countText({ said, leftOut, isBlocking, isPart }: CountConflict): BothLanguages {
  const en = said.map(({ key, value, source }) => `${key} = ${value} (${sourceNames[source].en})`).join(', ');
  const zh = said.map(({ key, value, source }) => `${key} = ${value}（${sourceNames[source].zh}）`).join('、');
  if (isBlocking) {
    const [key = ''] = said.filter(({ source }) => source !== 'FILE').map((one) => one.key);
    return {
      en: `${en} cannot all be true of one run: leave out what is wrong, or name ${key} in override`,
      zh: `${zh}不可能同时成立：请去掉错误的值，或在 override 中列出 ${key}`,
    };
  }
  if (leftOut.length === 0)
    return { en: `${en} cannot all be true: yours is kept`, zh: `${zh}不可能同时成立：保留给出的值` };
  const part = isPart
    ? { en: 'the run used part of the machine, so ', zh: '该运行只用了机器的一部分，' }
    : { en: '', zh: '' };
  return {
    en: `${en} do not fit together: ${part.en}${leftOut.join(' and ')} ${leftOut.length === 1 ? 'is' : 'are'} left out`,
    zh: `${zh}不相符：${part.zh}不采用 ${leftOut.join('、')}`,
  };
}

/** The keys and values of a conflict, shortly. */
export function conflictValue(conflict: FactConflict): string {
  return conflict.kind === 'VALUE'
    ? `${conflict.key}: ${conflict.first.value}, ${conflict.second.value}`
    : conflict.said.map(({ key, value }) => `${key}: ${value}`).join(', ');
}
