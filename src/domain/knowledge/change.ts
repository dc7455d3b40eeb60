import { z } from 'zod';
import { invalidInput } from '../errors.js';
import { redactFacts } from '../measurement/redact.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const leaf = z.union([scalar, z.array(scalar), z.null()]);
const value = z.union([leaf, z.record(z.string(), leaf)]);
const change = z.record(z.string().min(1).max(200), value);

/** Longest change as JSON text, in UTF-16 code units, and most settings in it. */
const LIMITS = { text: 20_000, settings: 100 };

export type Change = z.infer<typeof change>;

/**
 * What a note says was changed: for each setting a value, a list, or values by name such as before and after. Secrets
 * and names of people and machines come out redacted. INVALID_INPUT for another shape.
 */
export function changeOf(given: unknown): Change {
  const read = change.safeParse(given);
  const settings = Object.keys(read.data ?? {}).length;
  if (!read.success || settings > LIMITS.settings || JSON.stringify(given).length > LIMITS.text) {
    throw invalidInput(
      {
        en: `change must be an object of at most ${LIMITS.settings} settings, each with a value, a list, or { before, after }`,
        zh: `change 须为对象，最多 ${LIMITS.settings} 项设置，每项为一个值、一个列表或 { before, after }`,
      },
      { place: 'change' },
    );
  }
  return Object.fromEntries(
    Object.entries(read.data).map(([setting, one]) => [
      setting,
      typeof one === 'object' && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, redacted(setting, inner)]))
        : redacted(setting, one),
    ]),
  );
}

/** A value as redaction leaves it under the name of its setting. */
function redacted(setting: string, one: z.infer<typeof leaf>): z.infer<typeof leaf> {
  const { facts, removed } = redactFacts({ [setting]: one });
  return removed.length === 0 ? one : textOf(facts[setting]);
}

function textOf(left: unknown): string {
  return typeof left === 'string' ? left : '[redacted]';
}
