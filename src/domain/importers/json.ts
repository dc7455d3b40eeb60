import { error, type ImportProblem } from './importer.js';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** One value of the text and the line where it begins. */
export interface JsonDocument {
  readonly value: Json;
  readonly line: number;
}

export interface JsonReading {
  readonly documents: readonly JsonDocument[];
  readonly problem: ImportProblem | null;
  /** True where the text stops in the middle of a value. */
  readonly isTruncated: boolean;
}

const MAX_DEPTH = 64;
const MAX_DOCUMENTS = 10_000;

class Fault extends Error {
  constructor(
    readonly at: number,
    readonly en: string,
    readonly zh: string,
    readonly isTruncation = false,
  ) {
    super(en);
  }
}

/** What of a large file need not be kept. */
export interface JsonSelection {
  /** Keys, at any depth, whose values are passed over: they are read as null, and only their brackets are checked. */
  readonly skip?: ReadonlySet<string>;
  /** For arrays under these keys: gets each element in turn, and the array itself is read as empty. */
  readonly each?: Readonly<Record<string, (element: Json) => void>>;
}

/**
 * All values of a text of one value, of JSON Lines, or of values one after another. Benchmark tools write NaN and
 * Infinity, which are read as numbers here. A key that stands twice is refused if the values differ.
 */
export function readJson(text: string, selection: JsonSelection = {}): JsonReading {
  const documents: JsonDocument[] = [];
  const reader = new Reader(text, selection);
  let line = 1;
  let counted = 0;
  try {
    for (reader.skipBlanks(); !reader.isAtEnd(); reader.skipBlanks()) {
      line += lineBreaks(text, counted, reader.position);
      counted = reader.position;
      if (documents.length >= MAX_DOCUMENTS) {
        throw new Fault(counted, `more than ${MAX_DOCUMENTS} values`, `超过 ${MAX_DOCUMENTS} 个值`);
      }
      documents.push({ value: reader.value(0), line });
    }
    return { documents, problem: null, isTruncated: false };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { documents, problem: problemOf(text, fault), isTruncated: fault.isTruncation };
  }
}

/** The objects of a reading: those of an array count one by one. Other values are left out. */
export function objectsOf(reading: JsonReading): readonly { readonly object: JsonObject; readonly line: number }[] {
  return reading.documents.flatMap(({ value, line }) =>
    (Array.isArray(value) ? value : [value]).filter(isObject).map((object) => ({ object, line })),
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function startsLikeJson(text: string): boolean {
  return /^\s{0,1000}[{[]/.test(text);
}

/** Where text that is JSON from its first character stops in the middle, else null. */
export function truncationOf(text: string): ImportProblem | null {
  if (!/^\s{0,1000}(\{\s*"|\[\s*[{["])/.test(text)) return null;
  const { problem, isTruncated } = readJson(text);
  return isTruncated ? problem : null;
}

function problemOf(text: string, fault: Fault): ImportProblem {
  const line = 1 + lineBreaks(text, 0, fault.at);
  return fault.isTruncation
    ? error(
        line,
        `The JSON is truncated: it ends in line ${line}, ${fault.en}`,
        `JSON 不完整：在第 ${line} 行中断，${fault.zh}`,
        { code: 'TRUNCATED' },
      )
    : error(line, `This is not valid JSON: line ${line}, ${fault.en}`, `JSON 无效：第 ${line} 行，${fault.zh}`, {
        code: 'INVALID_JSON',
      });
}

/** Looks at nothing after `to`, so that counting on from value to value reads the text once. */
function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}

const words: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
];

class Reader {
  position = 0;
  private readonly number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  private readonly blanks = /[ \t\n\r]*/y;

  constructor(
    private readonly text: string,
    private readonly selection: JsonSelection,
  ) {}

  isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  skipBlanks(): void {
    this.blanks.lastIndex = this.position;
    this.blanks.test(this.text);
    this.position = this.blanks.lastIndex;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw this.fault('nested too deeply', '嵌套过深');
    const first = this.next();
    if (first === '{') return this.object(depth);
    if (first === '[') return this.array(depth);
    if (first === '"') return this.string();
    return this.scalar();
  }

  private object(depth: number): JsonObject {
    const entries = new Map<string, Json>();
    this.position += 1;
    for (let first = this.next(); first !== '}'; first = this.next()) {
      if (first !== '"') throw this.fault('a key in quotes is expected', '此处应为带引号的键名');
      const at = this.position;
      const key = this.string();
      if (this.next() !== ':') throw this.fault(`":" is expected after "${key}"`, `“${key}”之后应为“:”`);
      this.position += 1;
      const value = this.member(key, depth + 1);
      if (entries.has(key) && JSON.stringify(entries.get(key)) !== JSON.stringify(value)) {
        throw new Fault(at, `the key "${key}" stands twice with different values`, `键“${key}”出现两次，且值不同`);
      }
      entries.set(key, value);
      this.separator('}');
    }
    this.position += 1;
    return Object.fromEntries(entries);
  }

  private member(key: string, depth: number): Json {
    const { skip, each } = this.selection;
    if (skip?.has(key)) return this.passOver();
    const take = each && Object.hasOwn(each, key) ? each[key] : undefined;
    if (!take || this.next() !== '[') return this.value(depth);
    if (depth > MAX_DEPTH) throw this.fault('nested too deeply', '嵌套过深');
    this.elements(depth, take);
    return [];
  }

  private array(depth: number): readonly Json[] {
    const values: Json[] = [];
    this.elements(depth, (value) => values.push(value));
    return values;
  }

  private elements(depth: number, take: (value: Json) => void): void {
    this.position += 1;
    while (this.next() !== ']') {
      take(this.value(depth + 1));
      this.separator(']');
    }
    this.position += 1;
  }

  /** Goes behind a value without looking into it. */
  private passOver(): null {
    const closing: string[] = [];
    do {
      const first = this.next();
      if (first === '"') this.string();
      else if (first === '{' || first === '[') {
        closing.push(first === '{' ? '}' : ']');
        this.position += 1;
      } else if (first === closing.at(-1)) {
        closing.pop();
        this.position += 1;
      } else if (closing.length > 0 && (first === ',' || first === ':')) this.position += 1;
      else this.scalar();
    } while (closing.length > 0);
    return null;
  }

  /** Leaves the reader before the next member or before the end. */
  private separator(end: string): void {
    const found = this.next();
    if (found === ',') {
      this.position += 1;
      if (this.next() === end) throw this.fault(`there is a comma before "${end}"`, `“${end}”之前有多余的逗号`);
    } else if (found !== end) throw this.fault(`"," or "${end}" is expected`, `此处应为“,”或“${end}”`);
  }

  private string(): string {
    const start = this.position;
    let end = start;
    let isEscaped = true;
    while (isEscaped) {
      end = this.text.indexOf('"', end + 1);
      if (end === -1) throw this.truncation('inside a text', '停在字符串中间');
      let backslash = end - 1;
      while (this.text[backslash] === '\\') backslash -= 1;
      isEscaped = (end - backslash) % 2 === 0;
    }
    this.position = end + 1;
    const inner = this.text.slice(start + 1, end);
    return inner.includes('\\') ? unescaped(inner) : inner;
  }

  private scalar(): Json {
    for (const [word, value] of words) {
      if (this.text.startsWith(word, this.position)) {
        this.position += word.length;
        return value;
      }
    }
    this.number.lastIndex = this.position;
    const found = this.number.exec(this.text)?.[0] ?? '';
    const rest = this.text.slice(this.position + found.length, this.position + found.length + 10);
    if (found === '' ? rest.length < 9 && isStartOfScalar(rest) : /^(\.|[eE][+-]?)$/.test(rest)) {
      throw this.truncation('inside a value', '停在值中间');
    }
    if (found === '') throw this.fault('a value is expected', '此处应为一个值');
    this.position += found.length;
    return Number(found);
  }

  private next(): string {
    this.skipBlanks();
    const character = this.text[this.position];
    if (character === undefined) throw this.truncation('before it is closed', '尚未结束');
    return character;
  }

  private fault(en: string, zh: string): Fault {
    return new Fault(this.position, en, zh);
  }

  private truncation(en: string, zh: string): Fault {
    return new Fault(this.text.length, en, zh, true);
  }
}

function isStartOfScalar(text: string): boolean {
  return text === '-' || words.some(([word]) => word.startsWith(text));
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * An escape that JSON does not know stands for its character. U+0000 and halves of a surrogate pair, which no database
 * stores, become U+FFFD.
 */
function unescaped(text: string): string {
  return text
    .replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, character: string) =>
      code === undefined ? (escapes[character] ?? character) : String.fromCharCode(parseInt(code, 16) || 0xfffd),
    )
    .replace(/\p{Surrogate}/gu, '\uFFFD');
}
