import { convert, dimensionOf } from '../../measurement/unit.js';
import { plainWords, unitSpellings } from './column-words.js';

const MAX_NAME = 250;

/** Words that are units and more often something else in a name: a minimum, a column, a number of things. */
const uncertain: ReadonlySet<string> = new Set(['min', 'd', 'h', 'hr', 'day', 'days', 'it', 'op', 'ops', 'io', 'b', 'c', 'count', 'counts', 'ratio', 'fraction', '1']); // prettier-ignore

/** What a unit of one letter is of. */
const letters: Readonly<Record<string, RegExp>> = { w: / (?:power|draw|watt) |功/, j: / energy |能/ };

const statistic = '(?:p\\d+(?:[._]\\d+)?|mean|avg|average|median|med|min|max|std|stddev|sd|total|sum)';

/**
 * The unit that a name tells for certain: `latency_ms`, `Latency (ms)`, `time [us]`, `latencyMs`, `ttft_ms_p99`,
 * `tokens_per_s`. Null where it tells none, or what may be something else: `batch_s`, `mem_gb`, `latency_min`.
 */
export function unitInName(column: string): string | null {
  const name = column.trim().slice(0, MAX_NAME);
  const [, before, bracket] = /^(.{1,220}?)\s*[([（【]([^()[\]（）【】]{1,40})[)\]）】]$/.exec(name) ?? [];
  if (before === undefined || bracket === undefined) return unitAtEnd(name);
  // `Request(s)` is one or several
  if (bracket === 's' && isCounted(/[A-Za-z]+$/.exec(before)?.[0] ?? '')) return null;
  return knownUnit(bracket.trim()) ?? unitAtEnd(before);
}

function unitAtEnd(name: string): string | null {
  const [, thing, per] = /(?:^|[^A-Za-z%])([A-Za-zµμ]{1,12})[_\s-]per[_\s-]([A-Za-z]{1,12})$/i.exec(name) ?? [];
  if (thing !== undefined && per !== undefined) return rateOf(thing, per);
  if (/[_\s-]per[_\s-][A-Za-z]+$/i.test(name)) return null;
  const statistics = new RegExp(`[_\\s.-](ms|us|µs|ns|sec|seconds)(?:[_\\s.-]${statistic})+$`, 'i').exec(name)?.[1];
  if (statistics !== undefined) return knownUnit(statistics);
  const [, rest, last] = /^(.+)[_\s.-]([A-Za-z%/µμ°]{1,20})$/.exec(name) ?? [];
  if (rest !== undefined && last !== undefined) return certainAt(rest, last);
  const camel = /[a-z\d](Ms|Us|Ns|Secs?|Seconds|Millis|Micros|Nanos|[KMGT]iB|[kMGT]B|[MG]Bps|[MG]bps|[MG]Hz|Pct|Percent)$/.exec(name)?.[1]; // prettier-ignore
  return camel === undefined ? null : knownUnit(camelWords[camel] ?? camel);
}

const camelWords: Readonly<Record<string, string>> = { Millis: 'ms', Micros: 'us', Nanos: 'ns' };

function certainAt(rest: string, last: string): string | null {
  const words = plainWords(rest);
  const previous = words.at(-1) ?? '';
  const text = ` ${words.join(' ')} `;
  // `99 %` is a percentile
  if (last === '%' && /\d$/.test(rest)) return null;
  const own = letters[last.toLowerCase()];
  if (own !== undefined) return own.test(text) ? last.toUpperCase() : null;
  const unit = knownUnit(last);
  if (unit === null || dimensionOf(unit) !== 'time') return unit;
  // `requests_s`, `MB_s` and `batch_s` may be rates, `users_s` too
  const isOfThing = isCounted(previous) || dimensionOf(sizeIn(rest)) !== null;
  const isRate = / (?:rate|throughput|thpt|tput|bandwidth|bw|speed|tps|qps|rps|iops) /.test(text);
  return convert(1, unit, 's') === 1 && (isOfThing || isRate || /[^s]s$/.test(previous)) ? null : unit;
}

function sizeIn(rest: string): string {
  const last = /[A-Za-z]+$/.exec(rest)?.[0] ?? '';
  const upper = `${last.slice(0, 1).toUpperCase()}${last.slice(1)}`;
  return [last, upper, upper.replace(/b$/, 'B')].find((unit) => /size$/.test(dimensionOf(unit) ?? '')) ?? 'none';
}

/** Things of which rates are counted: requests, tokens, a batch. */
function isCounted(word: string): boolean {
  return [word, `${word}s`].some((one) => /-rate$/.test(dimensionOf(`${one.toLowerCase()}/s`) ?? ''));
}

function rateOf(thing: string, per: string): string | null {
  const time = unitSpellings[per.toLowerCase()] ?? per.toLowerCase();
  const found = [thing, thing.toLowerCase()].map((one) => `${unitSpellings[one] ?? one}/${time}`);
  return found.find((unit) => dimensionOf(unit) !== null) ?? null;
}

function knownUnit(given: string): string | null {
  if (given === '' || uncertain.has(given.toLowerCase())) return null;
  if (dimensionOf(given) !== null) return given;
  return unitSpellings[given.toLowerCase()] ?? null;
}

/** SCALE: a unit of the same dimension. DIMENSION: a unit of something else. */
export type UnitDifference = 'SCALE' | 'DIMENSION';

/** How the unit that a name tells differs from the one that numbers are read in; null where it may be the same. */
export function unitDifference(named: string, read: string): UnitDifference | null {
  const [one, other] = [perThing(named), perThing(read)];
  const isSameThing = one.thing === null || other.thing === null || one.thing === other.thing;
  if (!isSameThing) return null;
  const [from, to] = one.thing === null || other.thing === null ? [one.amount, other.amount] : [named, read];
  const [a, b] = [dimensionOf(from), dimensionOf(to)];
  if (a === null || b === null) return null;
  if (a !== b) return mayMean(a, b, from) ? null : 'DIMENSION';
  // Tools of memory print GB for GiB
  if (a === 'data-size' && /^[kMGT]B$/.test(from) && to === `${from.slice(0, 1).toUpperCase()}iB`) return null;
  return convert(1, from, to) === 1 ? null : 'SCALE';
}

/** `ms/token` is milliseconds of a token. */
function perThing(unit: string): { readonly amount: string; readonly thing: string | null } {
  const thing = /^(?:time|data|energy|allocations)-per-(.+)$/.exec(dimensionOf(unit) ?? '')?.[1] ?? null;
  return { amount: thing === null ? unit : (unit.split('/')[0] ?? unit), thing };
}

const ofMachines = /^(?:data|bit|compute|integer-compute)-rate$/;

/** Things are counted under several names, and FLOPS are an amount as well as a rate. */
function mayMean(one: string, other: string, named: string): boolean {
  const isCount = (dimension: string) => /-rate$/.test(dimension) && !ofMachines.test(dimension);
  if (isCount(one) && isCount(other)) return one !== 'token-rate' && other !== 'token-rate';
  if ([one, other].every((dimension) => /compute/.test(dimension))) return true;
  return named === 's' && /-rate$/.test(other);
}
