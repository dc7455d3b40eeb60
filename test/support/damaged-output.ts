import { pickedBy, type Pick } from './picked.js';

/** What is damaged, and another output to mix it with. */
export interface Damageable {
  readonly text: string;
  readonly other: string;
}

type Damage = (given: Damageable, random: () => number) => string;

const at = (text: string, random: () => number): number => Math.floor(random() * (text.length + 1));
const strange = '\u0001\u0007\t"\'{}[](),:;-#|=% 9eE.%éΩµ语\uFFFD\uD83D±│\u2028';
const odd = ['0', '-1', '-0.00', '1,234', '1.234.567,8', '9'.repeat(400), '1e999', '-1e308', '1e-400', 'NaN', 'nan', 'Infinity', '-inf', 'N/A', 'xxx', '...', 'null', '""', '[]', '{}', '1_000']; // prettier-ignore
const units = [
  'ns',
  'us',
  'ms',
  's',
  'B/s',
  'KB/s',
  'MB/s',
  'GiB/s',
  'Gbit/s',
  'Gb/s',
  '%',
  'W',
  'C',
  'tok/s',
  'parsecs',
];
const knownUnits =
  /\b(?:ns|us|usec|ms|msec|sec|s|[KMG]i?B(?:\/s(?:ec)?)?|[KMG]bits?\/s(?:ec)?|tok(?:ens)?\/s(?:ec)?|req\/s|MHz|W|C|%)(?![\w/])/g;

/** Changes lines, by the chance that one is touched. */
function perLine(change: (line: string, random: () => number, lines: readonly string[]) => readonly string[]): Damage {
  return ({ text }, random) => {
    const rate = random() ** 2 * 0.4;
    const lines = text.split('\n');
    return lines.flatMap((line) => (random() < rate ? change(line, random, lines) : [line])).join('\n');
  };
}

function inserted(text: string, random: () => number, piece: string): string {
  const place = at(text, random);
  return text.slice(0, place) + piece + text.slice(place);
}

function swapped(text: string, random: () => number): string {
  const lines = text.split('\n');
  for (let times = 0; times < 1 + lines.length * 0.1; times += 1) {
    const [one, two] = [at(text, random) % lines.length, at(text, random) % lines.length];
    const [first = '', second = ''] = [lines[one], lines[two]];
    [lines[one], lines[two]] = [second, first];
  }
  return lines.join('\n');
}

/** Valid JSON, or lines of it, in which keys are gone, values are others, and lists are longer; else the text as it is. */
function reshapedJson(text: string, random: () => number): string {
  const rate = random() ** 2 * 0.2;
  const reshaped = (value: unknown): unknown => {
    if (random() < rate) return pickedBy(random)([null, '', 'x', 0, -1, 1e308, '1e999', true, [], {}, [value, value], { value }]);
    if (Array.isArray(value)) return value.map(reshaped);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(() => random() >= rate);
    return Object.fromEntries(kept.map(([key, each]) => [random() < rate / 4 ? `${key}x` : key, reshaped(each)]));
  };
  const each = (json: string): string => {
    try {
      return JSON.stringify(reshaped(JSON.parse(json)));
    } catch {
      return json;
    }
  };
  const whole = each(text);
  return whole === text ? text.split('\n').map((line) => (line.startsWith('{') ? each(line) : line)).join('\n') : whole;
} // prettier-ignore

/** Every kind of damage that a copy, a terminal, an editor, a broken disk or a hostile sender does to an output. */
export const damages: Readonly<Record<string, Damage>> = {
  'end cut off': ({ text }, random) => text.slice(0, at(text, random)),
  'start cut off': ({ text }, random) => text.slice(at(text, random)),
  'middle cut out': ({ text }, random) => text.slice(0, at(text, random)) + text.slice(at(text, random)),
  'lines removed': perLine(() => []),
  'lines doubled': perLine((line) => [line, line]),
  'lines split': perLine((line, random) => [line.slice(0, at(line, random)), line.slice(at(line, random))]),
  'lines joined': ({ text }, random) => text.replaceAll('\n', () => (random() < 0.1 ? '' : '\n')),
  'lines swapped': ({ text }, random) => swapped(text, random),
  'headers repeated': ({ text }, random) => {
    const lines = text.split('\n');
    const header = lines.slice(0, 1 + (at(text, random) % 6));
    return lines.flatMap((line) => (random() < 0.2 ? [...header, line] : [line])).join('\n');
  },
  'digits changed': ({ text }, random) =>
    text.replace(/\d/g, (digit) => (random() < 0.1 ? String(Math.floor(random() * 10)) : digit)),
  'numbers changed': ({ text }, random) =>
    text.replace(/\d[\d.,]*/g, (number) => (random() < 0.1 ? pickedBy(random)(odd) : number)),
  'numbers grown': ({ text }, random) =>
    text.replace(/\d+/g, (digits) => (random() < 0.1 ? '9'.repeat(1 + Math.floor(random() * 330)) : digits)),
  'exponents added': ({ text }, random) =>
    text.replace(/\d[\d.]*/g, (number) => (random() < 0.1 ? `${number}e${Math.floor(random() * 700) - 350}` : number)),
  'decimal commas': ({ text }) => text.replace(/(\d)\.(\d)/g, '$1,$2'),
  'units changed': ({ text }, random) =>
    text.replace(knownUnits, (unit) => (random() < 0.3 ? pickedBy(random)(units) : unit)),
  'strange characters': ({ text }, random) => {
    let result = text;
    for (let times = 0; times < 1 + random() * 10; times += 1)
      result = inserted(result, random, pickedBy(random)([...strange]).repeat(1 + Math.floor(random() * 3)));
    return result;
  },
  'random bytes': ({ text }, random) => {
    const bytes = Array.from({ length: 1 + Math.floor(random() * 40) }, () => 1 + Math.floor(random() * 255));
    return inserted(text, random, Buffer.from(bytes).toString(random() < 0.5 ? 'utf8' : 'latin1'));
  },
  'nested braces': ({ text }, random) =>
    inserted(
      text,
      random,
      pickedBy(random)(['{', '[', '{"a":', '[[', '(', '<']).repeat(1 + Math.floor(random() * 3000)),
    ),
  'deep JSON': ({ text }, random) => {
    const depth = 1 + Math.floor(random() * 2000);
    return text.replace(/:\s*(?:-?\d[\d.eE+-]*|"[^"\n]*")/g, (value) =>
      random() < 0.03 ? `: ${'['.repeat(depth)}1${']'.repeat(depth)}` : value,
    );
  },
  'values of another type': ({ text }, random) =>
    text.replace(/(?<=:\s{0,4})(?:-?\d[\d.eE+-]*|"[^"\n]{0,200}"|null|true|false)/g, (value) =>
      random() < 0.05
        ? pickedBy(random)(['null', '"x"', '{}', '[]', 'true', '[1,"a",null]', '{"a":{"value":1}}', '-1', '1e999'])
        : value,
    ),
  'JSON of another shape': ({ text }, random) => reshapedJson(text, random),
  'mixed with another output': ({ text, other }, random) =>
    pickedBy(random)([`${text}\n${other}`, `${other}\n${text}`, inserted(text, random, other)]),
  'interleaved with another output': ({ text, other }, random) => {
    const others = other.split('\n');
    return text.split('\n').flatMap((line) => (random() < 0.5 ? [line] : [line, others.shift() ?? ''])).join('\n'); // prettier-ignore
  },
  'another output within its lines': ({ text, other }, random) => {
    const rows = other.split('\n');
    return text.split('\n').map((line) => (random() < 0.05 ? inserted(line, random, pickedBy(random)(rows)) : line)).join('\n'); // prettier-ignore
  },
  'other ends of lines': ({ text }, random) =>
    text.replaceAll('\n', () => pickedBy(random)(['\n', '\r\n', '\r', '\n\r', '\u2028'])),
  'byte order marks': ({ text }, random) => `\uFEFF${inserted(text, random, '\uFEFF')}`,
  colors: ({ text }, random) =>
    text.replace(/ /g, () =>
      random() < 0.2 ? pickedBy(random)([' \u001b[1;32m', '\u001b[0m ', '\u001b[K ', ' \u001b[']) : ' ',
    ),
  'very long lines': ({ text }, random) => {
    const lines = text.split('\n');
    const line = pickedBy(random)(lines);
    return inserted(
      text,
      random,
      `${line === '' ? '-' : line} `.repeat(Math.ceil((60_000 * random()) / (line.length + 1))),
    );
  },
  'prefixes of launchers': ({ text }, random) => {
    const prefix = pickedBy(random)(['[1,0]<stdout>:', '(train pid=7) ', '0: ', '[rank1]: ', '# ', '    ', '> ']);
    return text.replace(/^/gm, () => (random() < 0.9 ? prefix : ''));
  },
};

const kinds = Object.keys(damages);

export interface Damaged {
  readonly text: string;
  readonly kinds: readonly string[];
}

/** The output damaged in one way, or in up to three after each other. */
export function damagedOutput(given: Damageable, random: () => number): Damaged {
  const pick: Pick = pickedBy(random);
  const chosen = Array.from({ length: random() < 0.5 ? 1 : random() < 0.7 ? 2 : 3 }, () => pick(kinds));
  const text = chosen.reduce((now, kind) => damages[kind]?.({ ...given, text: now }, random) ?? now, given.text);
  return { text, kinds: chosen };
}
