import { invalidInput } from '../errors.js';
import { unitAdvice } from './unit-advice.js';

/** `factor` counts the smallest unit of the dimension, a whole number, so that conversions stay exact. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
}

type Factors = Readonly<Record<string, number>>;

const decimal: Factors = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };
const binary: Factors = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50 };
const seconds: Factors = { s: 1, min: 60, h: 3600 };
const picoseconds: Factors = { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12, min: 6e13, h: 3.6e15 };

/** A rate of its own kind: requests are not tokens. The second list holds other spellings of the thing counted. */
const countedThings: Readonly<Record<string, readonly string[]>> = {
  requests: ['request', 'req', 'reqs'],
  tokens: ['token', 'tok', 'toks'],
  samples: ['sample', 'samp'],
  sequences: ['sequence', 'seq', 'seqs'],
  images: ['image', 'img', 'imgs'],
  rows: ['row'],
  items: ['item'],
  operations: ['operation', 'op', 'ops', 'IO', 'io'],
  iterations: ['iteration', 'iter', 'iters', 'it'],
  steps: ['step'],
  files: ['file'],
  packets: ['packet', 'pkt', 'pkts'],
  messages: ['message', 'msg', 'msgs'],
  queries: ['query'],
  batches: ['batch'],
  examples: ['example'],
  frames: ['frame'],
  events: ['event', '1'],
};

const singular = (plural: string): string =>
  plural === 'queries' ? 'query' : plural === 'batches' ? 'batch' : plural.replace(/s$/, '');

const units = new Map<string, Unit>();

function add(dimension: string, factor: number, ...names: readonly string[]): void {
  for (const name of names) units.set(name, { dimension, factor });
}

for (const [name, factor] of Object.entries(picoseconds)) add('time', factor, name);
add('time', 1e3, 'nsec', 'nanoseconds', 'nsecond');
add('time', 1e6, 'µs', 'μs', 'usec', 'microseconds', 'usecond'); // U+00B5 and U+03BC look the same
add('time', 1e9, 'msec', 'milliseconds', 'msecond');
add('time', 1e12, 'sec', 'secs', 'second', 'seconds');
add('time', 6e13, 'minutes', 'minute');
add('time', 3.6e15, 'hours', 'hour', 'hr');
add('time', 8.64e16, 'd', 'days', 'day');
add('gpu-hours', 1, 'GPU-h');
add('money', 1, 'USD');

for (const [prefix, factor] of [...Object.entries(decimal), ...Object.entries(binary)]) {
  const bytes = [
    `${prefix}B`,
    ...(prefix === '' ? ['byte', 'bytes', 'Byte', 'Bytes'] : [`${prefix}bytes`, `${prefix}Bytes`]),
  ];
  const bits = [`${prefix}bit`, `${prefix}bits`];
  // `Gb/s` and `Gbps` are gigabits wherever links are measured; a bare `Gb` may be a misspelt GB, `kb/s` kilobytes
  const linkBits = ['M', 'G', 'T', 'P'].includes(prefix) ? [`${prefix}b`] : [];
  add('data-size', factor, ...bytes);
  add('bit-size', factor, ...bits);
  for (const [time, length] of Object.entries(seconds)) {
    const suffixes = time === 's' ? ['/s', '/sec', '/second'] : [`/${time}`];
    // counted per hour, so that a rate per hour is a whole number too
    add('data-rate', (factor * 3600) / length, ...bytes.flatMap((name) => suffixes.map((suffix) => name + suffix)));
    const rates = [...bits, ...linkBits].flatMap((name) => suffixes.map((suffix) => name + suffix));
    add('bit-rate', (factor * 3600) / length, ...rates);
  }
  add('data-rate', factor * 3600, `${prefix}Bps`);
  add('bit-rate', factor * 3600, ...(Object.hasOwn(decimal, prefix) ? [`${prefix}bps`] : []), `${prefix}bitps`);
}
// Decimal sizes in words that nobody takes for binary ones
for (const exponent of [3, 6, 9, 12]) add('data-size', 10 ** exponent, `10^${exponent} B`);

for (const [prefix, factor] of Object.entries(decimal)) {
  add('frequency', factor, `${prefix}Hz`);
  add('compute', factor, `${prefix}FLOP`);
  add('compute-rate', factor, `${prefix}FLOP/s`, `${prefix}FLOPs/s`, `${prefix}FLOPS`, `${prefix}FLOP/sec`);
  add('integer-compute-rate', factor, `${prefix}OP/s`, `${prefix}OPS`);
}
add('frequency', 1e9, 'Ghz', 'ghz');
add('frequency', 1e6, 'Mhz', 'mhz');
add('frequency', 1, 'hz');

add('ratio', 1, 'percent', '%', 'pct');
add('ratio', 100, 'ratio', 'fraction');
add('count', 1, 'count', 'counts');
add('number', 1, '');
add('power', 1, 'mW');
add('power', 1e3, 'W', 'watts');
add('power', 1e6, 'kW');
add('power', 1e9, 'MW');
add('energy', 1, 'mJ');
add('energy', 1e3, 'J', 'joules');
add('energy', 1e6, 'kJ');
add('energy', 1e9, 'MJ');
add('energy', 3.6e6, 'Wh');
add('energy', 3.6e9, 'kWh');
add('temperature', 1, '°C', 'C', 'degC', '℃');

for (const [plural, others] of Object.entries(countedThings)) {
  const one = singular(plural);
  for (const name of [plural, ...others]) {
    for (const [time, length] of Object.entries(seconds)) add(`${one}-rate`, 3600 / length, `${name}/${time}`);
    add(`${one}-rate`, 3600, `${name}/sec`, `${name}/second`);
    for (const [prefix, factor] of [['k', 1e3], ['M', 1e6]] as const) {
      if (name !== '1') add(`${one}-rate`, factor * 3600, `${prefix}${name}/s`);
    } // prettier-ignore
    if (name === '1') continue;
    for (const [time, factor] of Object.entries({ ...picoseconds, µs: 1e6 }))
      add(`time-per-${one}`, factor, `${time}/${name}`);
    for (const [prefix, factor] of [...Object.entries(decimal), ...Object.entries(binary)]) {
      add(`data-per-${one}`, factor, `${prefix}B/${name}`);
    }
    add(`energy-per-${one}`, 1, `mJ/${name}`);
    add(`energy-per-${one}`, 1e3, `J/${name}`);
    for (const [energy, factor] of Object.entries({ J: 3.6e6, kJ: 3.6e3, Wh: 1e3, kWh: 1 })) {
      add(`${one}-per-energy`, factor, `${name}/${energy}`);
    }
    add(`allocations-per-${one}`, 1, `allocs/${name}`, `allocations/${name}`);
  }
}
add('operation-rate', 3600, 'IOPS', 'iops');
add('operation-rate', 3.6e6, 'kIOPS');
add('request-rate', 3600, 'RPS', 'rps');
add('query-rate', 3600, 'QPS', 'qps');
add('frame-rate', 3600, 'FPS', 'fps');

/**
 * The dimension of a unit ("time", "data-size", "data-rate", "token-rate" ...), or null for an unknown unit. Names are
 * case-sensitive: `Gb/s` counts bits, `GB/s` bytes. What can be read in two ways is unknown on purpose: `KB`, `Gb`, `tps`.
 */
export function dimensionOf(unit: string): string | null {
  return units.get(unit)?.dimension ?? null;
}

/** Every unit that is known, or those of one dimension. */
export function unitNames(dimension?: string): readonly string[] {
  return [...units].filter(([, unit]) => dimension === undefined || unit.dimension === dimension).map(([name]) => name);
}

/** Largest value that can be kept: PostgreSQL refuses what rounds beyond the largest double. */
export const LARGEST_VALUE = 1e300;

/**
 * The value in another unit of the same dimension. Throws INVALID_INPUT across dimensions and for unknown units, with
 * `details.suggestions`.
 */
export function convert(value: number, from: string, to: string): number {
  if (from === to) return value;
  const source = units.get(from);
  const goal = units.get(to);
  if (!source || !goal) throw unknownUnit(source ? to : from, from, to);
  if (source.dimension !== goal.dimension) throw otherDimension(source, goal, from, to);
  return (value * source.factor) / goal.factor;
}

function unknownUnit(unknown: string, from: string, to: string) {
  const { text, suggestions, isAmbiguous } = unknownUnitText(unknown, unknown === from ? to : null);
  return invalidInput(
    { en: `Cannot convert ${from} to ${to}: ${text.en}`, zh: `无法把 ${from} 换算为 ${to}：${text.zh}` },
    { from, to, unknown, suggestions, isAmbiguous },
  );
}

/** Why a unit is not taken and what may be meant, units of the dimension of `goal` first. */
export function unknownUnitText(unknown: string, goal: string | null) {
  const { suggestions, why } = unitAdvice(unknown, goal, units);
  const reason = why ?? { en: `the unit "${unknown}" is not known`, zh: `未知单位“${unknown}”` };
  const hint = {
    en: suggestions.length === 0 ? '' : ` Write ${suggestions.join(' or ')}.`,
    zh: suggestions.length === 0 ? '' : `请写作 ${suggestions.join(' 或 ')}。`,
  };
  const text = { en: `${reason.en}.${hint.en}`, zh: `${reason.zh}。${hint.zh}` };
  return { text, suggestions, isAmbiguous: why !== null };
}

function otherDimension(source: Unit, goal: Unit, from: string, to: string) {
  return invalidInput(
    {
      en: `Cannot convert ${from} to ${to}: ${from} is a ${source.dimension}, ${to} a ${goal.dimension}.`,
      zh: `无法把 ${from} 换算为 ${to}：${from} 的量纲是 ${source.dimension}，${to} 的量纲是 ${goal.dimension}。`,
    },
    { from, to, fromDimension: source.dimension, toDimension: goal.dimension },
  );
}
