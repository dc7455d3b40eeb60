import type { Condition } from '../domain/comparison/where.js';
import type { Locale } from '../domain/locale.js';
import type { Facts } from '../domain/measurement/environment-diff.js';
import { redactFacts } from '../domain/measurement/redact.js';
import { usageError } from './command-error.js';

/** Gathers an option that may stand several times, each time with one value or several with commas between them. */
export function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((part) => part.trim()).filter((part) => part !== '')]; // prettier-ignore
}

/** Gathers an option that may stand several times, and whose values may hold commas. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** `0.02` and `2%` are the same fraction. A number that is meant in percent, such as 5, is refused: it would be 500 %. */
export function fraction(text: string, option: string): number {
  const [, digits, sign] = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)\s*$/.exec(text) ?? [];
  const value = digits === undefined ? NaN : Number(digits) / (sign === '%' ? 100 : 1);
  if (digits !== undefined && sign === '' && value >= 1) {
    const small = value < 100 ? ` or ${Number((value / 100).toPrecision(12))}` : '';
    throw usageError(
      `${option} ${digits} would be ${Number((value * 100).toPrecision(12))} %: write ${digits}%${small}`,
    );
  }
  if (value > 0 && value < 10) return value;
  throw usageError(`${option} takes a fraction above zero, such as 0.02 or 2%, not "${text}"`);
}

/** `key=value` pairs; the value may hold further equals signs. */
export function pairsOf(texts: readonly string[], option: string): readonly Condition[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    if (at > 0 && name !== '' && value !== '') return { name, value };
    throw usageError(`${option} takes key=value, not "${text}"`);
  });
}

/** Facts that somebody gave; secrets, addresses and names of people are taken out. */
export function factsOf(texts: readonly string[], option: string): Facts {
  const facts = pairsOf(texts, option).map(({ name, value }) => [name, value] as const);
  return redactFacts(Object.fromEntries(facts)).facts;
}

/** The language of what is printed: as asked for, else that of the shell. */
export function localeOf(asked: string | undefined, env: NodeJS.ProcessEnv): Locale {
  const language = asked ?? (env.LC_ALL || env.LC_MESSAGES || env.LANG || 'en');
  return /^zh/i.test(language) ? 'ZH' : 'EN';
}
