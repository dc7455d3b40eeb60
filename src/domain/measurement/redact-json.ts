import type { FactValue } from './environment-diff.js';
import { redactCommand, redactFacts } from './redact.js';

/** Names in JSON under which facts, settings or a command stand. */
const factNames = new Set(['facts', 'environment', 'workload', 'scope', 'scopeFacts', 'plannedChange', 'change']);

/**
 * JSON of settings or facts, however nested, as `redactFacts` leaves it: each value by its own name and by those above
 * it, so that `{ "env.TOKEN": { "before": … } }` loses what the setting names. What goes altogether leaves a mark.
 */
export function redactSettings(json: unknown, names: readonly string[] = []): unknown {
  if (Array.isArray(json)) return json.map((entry: unknown) => redactSettings(entry, names));
  if (isObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, redactSettings(value, [...names, name])]));
  }
  return isScalar(json) ? names.reduce<FactValue>(redactedUnder, json) : json;
} // prettier-ignore

function redactedUnder(value: FactValue, name: string): FactValue {
  const { facts, removed } = redactFacts({ [name]: value });
  return removed.length === 0 ? value : (facts[name] ?? '[redacted]');
}

/**
 * What the history keeps of a change of this field, without secrets: facts, settings and commands in it as those of a
 * run. Texts of people and ids stay.
 */
export function redactChanged(field: string, json: unknown): unknown {
  if (factNames.has(field)) return redactSettings(json);
  if (field === 'command') return typeof json === 'string' ? redactCommand(json) : json;
  if (Array.isArray(json)) return json.map((entry: unknown) => redactChanged('', entry));
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, redactChanged(name, value)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
