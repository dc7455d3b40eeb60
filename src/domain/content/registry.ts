import { isAll, isAny, isNot } from '../applicability/evaluate.js';
import { isVersionRange } from '../applicability/version-range.js';
import type { Condition, Predicate } from '../applicability/predicate.js';
import type { Path, Report } from './content-file.js';

/** The keys that content may name. Null: the file that lists them is missing or broken, so nothing can be said. */
export interface Registry {
  readonly metrics: ReadonlySet<string> | null;
  readonly tags: ReadonlySet<string> | null;
  readonly capabilities: ReadonlySet<string> | null;
  readonly facts: ReadonlySet<string> | null;
  /** The values of the facts that have a closed list of them. */
  readonly closed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Slugs of the reference notes. */
  readonly notes: ReadonlySet<string>;
  /** checklist:section/topic */
  readonly items: ReadonlySet<string>;
  /** Those of the items whose section is a draft. */
  readonly drafts: ReadonlySet<string>;
}

/** True where environment-keys.yaml has the path, or a family (`env.*`) that it belongs to. */
export function isKnownFact(facts: ReadonlySet<string>, path: string): boolean {
  if (facts.has(path)) return !path.endsWith('.*');
  const parts = path.split('.');
  return parts.some((_, index) => index > 0 && facts.has(`${parts.slice(0, index).join('.')}.*`));
}

/** Reports a key that the list does not have. */
export function reportUnknown(known: ReadonlySet<string> | null, key: string, file: string, path: Path, report: Report): void {
  if (known === null || known.has(key)) return;
  report(path, { en: `"${key}" is not in ${file}`, zh: `${file} 中没有“${key}”` });
}

/** Reports each value that stands more than once in a list. */
export function reportRepeated(values: readonly string[], pathOf: (index: number) => Path, report: Report): void {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) report(pathOf(index), { en: `"${value}" stands here twice`, zh: `“${value}”重复` });
    seen.add(value);
  }
}

/** Reports capabilities and facts of a predicate that nobody knows, and version ranges that cannot be read. */
export function checkPredicate(predicate: Predicate, path: Path, registry: Registry, report: Report): void {
  if (isNot(predicate)) return checkPredicate(predicate.not, [...path, 'not'], registry, report);
  if (isAll(predicate)) return checkParts(predicate.all, [...path, 'all'], registry, report);
  if (isAny(predicate)) return checkParts(predicate.any, [...path, 'any'], registry, report);
  for (const [key, condition] of Object.entries(predicate)) {
    const here = [...path, key];
    if (key === 'capability' && typeof condition === 'string') {
      reportUnknown(registry.capabilities, condition, 'capabilities.yaml', here, report);
    } else {
      checkFact(key, condition, here, registry, report);
    }
  }
}

function checkParts(parts: readonly Predicate[], path: Path, registry: Registry, report: Report): void {
  for (const [index, part] of parts.entries()) checkPredicate(part, [...path, index], registry, report);
}

function checkFact(key: string, condition: Condition, path: Path, registry: Registry, report: Report): void {
  if (registry.facts !== null && !isKnownFact(registry.facts, key)) reportUnknownFact(key, path, report);
  for (const value of valuesOf(condition)) {
    if (registry.closed.get(key)?.has(String(value)) ?? true) continue;
    report(path, { en: `"${value}" is no value of ${key}`, zh: `“${value}”不是 ${key} 的取值` });
  }
  if (typeof condition !== 'object' || !('version' in condition) || isVersionRange(condition.version)) return;
  const range = condition.version;
  report([...path, 'version'], { en: `"${range}" is not a version range`, zh: `“${range}”不是可识别的版本范围` });
}

/** The single values that a condition names. */
function valuesOf(condition: Condition): readonly (string | number | boolean)[] {
  if (typeof condition !== 'object') return [condition];
  if ('in' in condition) return condition.in;
  return 'not' in condition ? [condition.not] : [];
}

/** Reports a fact that environment-keys.yaml does not have. */
export function reportUnknownFact(fact: string, path: Path, report: Report): void {
  report(path, { en: `"${fact}" is not in environment-keys.yaml`, zh: `environment-keys.yaml 中没有“${fact}”` });
}
