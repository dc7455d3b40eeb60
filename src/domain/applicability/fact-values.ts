import { invalidInput } from '../errors.js';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { nearestNames } from '../search/nearest-names.js';

/** What the registry says of the values of one key. */
export interface KeyValues {
  readonly values: readonly { readonly value: string; readonly also: readonly string[] }[];
  /** No values but these. */
  readonly isClosed: boolean;
}

/** A word as it is compared: `Train`, `train ` and `TRAIN` are one. */
export function plainWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
}

/**
 * Facts in the words that rules ask for: `BF16` becomes `bf16`, `ib` becomes `infiniband`. A word that a key with a closed
 * list does not have is INVALID_INPUT, which names the key, the word and what may have been meant.
 */
export function inKnownWords(facts: Facts, keys: ReadonlyMap<string, KeyValues>, place: string): Facts {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => {
      const known = keys.get(key);
      return [key, known ? knownValue(value, key, known, place) : value];
    }),
  );
}

function knownValue(value: FactValue, key: string, known: KeyValues, place: string): FactValue {
  if (value === null) return null;
  if (typeof value !== 'object') return knownWord(value, key, known, place);
  return value.map((one) => knownWord(one, key, known, place));
}

function knownWord(
  word: string | number | boolean,
  key: string,
  { values, isClosed }: KeyValues,
  place: string,
): string | number | boolean {
  const asked = plainWord(String(word));
  const found = values.find(({ value, also }) => [value, ...also].some((one) => plainWord(one) === asked));
  if (found) return found.value;
  if (!isClosed || asked === '') return word;
  const names = values.map(({ value }) => value);
  const [meant] = nearestNames(asked, names, 1);
  throw invalidInput(
    {
      en: `${place}.${key} "${word}" is none of ${names.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      zh: `${place}.${key} 的取值“${word}”不在 ${names.join('、')} 之列${meant === undefined ? '' : `，是否指 ${meant}？`}`,
    },
    { place, key, value: word, values: names },
  );
}
