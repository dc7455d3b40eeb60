import { invalidInput } from '../errors.js';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { capabilityFact } from './facts.js';
import { nearestNames } from '../search/nearest-names.js';

/** What the registry says of the values of one key. */
export interface KeyValues {
  readonly values: readonly { readonly value: string; readonly also: readonly string[] }[];
  /** No values but these. */
  readonly isClosed: boolean;
  /** The smallest value of a key that counts things; null for other keys. */
  readonly least: number | null;
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
      const known = key.startsWith(capabilityFact) ? capabilityWords : keys.get(key);
      return [key, known ? knownValue(value, key, known, place) : value];
    }),
  );
}

/** Whether hardware has a capability, in the words that people write. */
const capabilityWords: KeyValues = {
  values: [
    { value: 'true', also: ['yes', 'on', '1'] },
    { value: 'false', also: ['no', 'off', '0'] },
    { value: 'unknown', also: [] },
  ],
  isClosed: true,
  least: null,
};

function knownValue(value: FactValue, key: string, known: KeyValues, place: string): FactValue {
  if (value === null) return null;
  if (typeof value !== 'object') return knownWord(value, key, known, place);
  return value.map((one) => knownWord(one, key, known, place));
}

function knownWord(
  word: string | number | boolean,
  key: string,
  { values, isClosed, least }: KeyValues,
  place: string,
): string | number | boolean {
  if (least !== null) return knownCount(word, key, least, place);
  const asked = plainWord(String(word));
  const found = values.find(({ value, also }) => [value, ...also].some((one) => plainWord(one) === asked));
  if (found) return found.value === 'true' || found.value === 'false' ? found.value === 'true' : found.value;
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

function knownCount(word: string | number | boolean, key: string, least: number, place: string): number {
  const number = typeof word === 'string' && /^\s*\d{1,9}\s*$/.test(word) ? Number(word) : word;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least) return number;
  throw invalidInput(
    {
      en: `${place}.${key} must be a whole number of at least ${least}, and is "${word}"`,
      zh: `${place}.${key} 须为不小于 ${least} 的整数，现为“${word}”`,
    },
    { place, key, value: word, least },
  );
}
