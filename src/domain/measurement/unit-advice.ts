import type { BothLanguages } from '../locale.js';
import { distanceOf } from '../search/spelling.js';

interface Known {
  readonly dimension: string;
}

/** What somebody may have meant by a unit that is not known; `why` says that it can be read in several ways. */
export interface UnitAdvice {
  readonly suggestions: readonly string[];
  readonly why: BothLanguages | null;
}

const MOST = 4;

/** Advice on a unit that is not known. With `goal` units of its dimension come first. */
export function unitAdvice(unit: string, goal: string | null, units: ReadonlyMap<string, Known>): UnitAdvice {
  const dimension = goal === null ? undefined : units.get(goal)?.dimension;
  const fits = (name: string) => dimension === undefined || units.get(name)?.dimension === dimension;
  const readings = readingsOf(unit);
  if (readings.length > 0) {
    return {
      suggestions: [...readings].sort((a, b) => Number(fits(b)) - Number(fits(a))).slice(0, MOST),
      why: { en: `"${unit}" can be read in more than one way`, zh: `“${unit}”可以有多种读法` },
    };
  }
  const folded = unit.trim().toLowerCase();
  const sameLetters = [...units.keys()].filter((name) => name.toLowerCase() === folded);
  if (sameLetters.length > 0) return { suggestions: sameLetters.slice(0, MOST), why: null };
  return { suggestions: nearest(folded, [...units.keys()].filter(fits)), why: null };
}

/** Two readings of one spelling differ by 2.4 %, by 7 % or by a factor of 8: nobody but its author knows which is meant. */
function readingsOf(unit: string): readonly string[] {
  const [, prefix = '', per = ''] = /^([kKmMgGtTpP]?)b((?:\/(?:s|sec|second|min|h)|ps)?)$/.exec(unit) ?? [];
  if (prefix !== '' || /^b(?:$|\/)/.test(unit)) return ofBits(prefix, per === 'ps' ? '/s' : per);
  // 1000 by the rules of units, 1024 as most tools of storage print it
  const [, bytes, rate = ''] = /^K(B|[bB]ytes?)((?:\/(?:s|sec|second|min|h)|ps)?)$/.exec(unit) ?? [];
  if (bytes !== undefined) return ['kB', 'KiB'].map((name) => name + (rate === 'ps' ? '/s' : rate));
  const [, thousand = ''] = /^([KMGTP]i)b((?:\/s|ps)?)$/.exec(unit) ?? [];
  if (thousand !== '') return [`${thousand}B`, `${thousand}bit`].map((name) => (/s$/.test(unit) ? `${name}/s` : name));
  const [, flops] = /^([kMGTP]?)FLOPs$/.exec(unit) ?? [];
  if (flops !== undefined) return [`${flops}FLOP/s`, `${flops}FLOP`];
  return readings.get(unit) ?? [];
}

function ofBits(prefix: string, per: string): readonly string[] {
  const large = prefix === 'k' || prefix === 'K' ? 'k' : prefix.toUpperCase();
  const binary = prefix === '' ? [] : [`${prefix.toUpperCase()}iB${per}`];
  return [`${large}B${per}`, ...binary, `${large}bit${per}`];
}

const readings: ReadonlyMap<string, readonly string[]> = new Map([
  ...['k', 'K', 'M', 'G', 'T'].map((prefix): [string, string[]] => [
    prefix,
    [`${prefix === 'K' ? 'k' : prefix}B`, `${prefix.toUpperCase()}iB`, 'count'],
  ]),
  ['tps', ['tokens/s', 'requests/s']],
  ['TPS', ['tokens/s', 'requests/s']],
  ['T/s', ['tokens/s', 'requests/s', 'TB/s']],
  ['t/s', ['tokens/s', 'requests/s']],
  ['ops', ['operations/s', 'OPS', 'count']],
  ['m', ['min', 'ms']],
  ['M/s', ['Mrequests/s', 'MB/s', 'Mbit/s']],
  ['ms/s', ['ms', 's']],
]);

/** Names that begin alike or differ by one slip in four letters, the nearest first. */
function nearest(folded: string, names: readonly string[]): readonly string[] {
  if (folded.length < 2 || folded.length > 40) return [];
  const most = Math.max(1, Math.floor(folded.length / 4));
  return names
    .map((name) => ({ name, distance: distanceOf(folded, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || b.name.length - a.name.length)
    .slice(0, MOST)
    .map(({ name }) => name);
}
