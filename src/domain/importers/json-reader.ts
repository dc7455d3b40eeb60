import type { Json, JsonObject, JsonSelection } from './json.js';
import { endOfText, hasPlainTexts, nativeValue } from './native-json.js';
import { ownValue } from '../own-value.js';

/** Deeper nesting is refused. */
const MAX_DEPTH = 64;
/** What is longer is not built as a whole before it is known what of it is kept. */
const [LONGEST_DOCUMENT, LONGEST_ELEMENT] = [16 * 1024 * 1024, 1024 * 1024];

/** Why a text is no JSON, and where. */
export class Fault extends Error {
  constructor(
    readonly at: number,
    readonly en: string,
    readonly zh: string,
    readonly isTruncation = false,
  ) {
    super(en);
  }
}

const words: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
];

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Reads values one after another. It knows what JSON.parse does not, and keeps only what is selected. */
export class Reader {
  position = 0;
  /** Where the first backslash behind what was read stands, so that texts before it are taken as they are. */
  private backslash = -1;
  /** The depths at which JSON.parse failed once: it is not tried there again. */
  private readonly own = new Set<number>();
  private readonly isPlain: boolean;

  constructor(
    private readonly text: string,
    private readonly selection: JsonSelection,
  ) {
    this.isPlain = hasPlainTexts(text);
  }

  isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  skipBlanks(): void {
    while (isBlank(this.text.charCodeAt(this.position))) this.position += 1;
  }

  document(): Json {
    return this.selection.each ? this.value(0) : this.whole(0, LONGEST_DOCUMENT);
  }

  /** A value that is kept as a whole, as far as nothing of it is skipped. */
  private whole(depth: number, length: number): Json {
    if (!this.isPlain || this.own.has(depth)) return this.value(depth);
    const native = nativeValue(this.text, this.position, { length, levels: MAX_DEPTH - depth }, this.selection);
    if (!native) {
      this.own.add(depth);
      return this.value(depth);
    }
    this.position = native.end;
    return native.value;
  }

  private value(depth: number): Json {
    if (depth > MAX_DEPTH) throw this.fault('nested too deeply', '嵌套过深');
    const first = this.next();
    if (first === '{') return this.object(depth);
    if (first === '[') return this.array(depth);
    if (first === '"') return this.string();
    return this.scalar(first);
  }

  private object(depth: number): JsonObject {
    const members: Record<string, Json> = {};
    this.position += 1;
    for (let first = this.next(); first !== '}'; first = this.next()) {
      if (first !== '"') throw this.fault('a key in quotes is expected', '此处应为带引号的键名');
      const at = this.position;
      const key = this.string();
      if (this.next() !== ':') throw this.fault(`":" is expected after "${key}"`, `“${key}”之后应为“:”`);
      this.position += 1;
      const isTwice = Object.hasOwn(members, key);
      // What was handed over once must not be handed over again
      if (isTwice && this.takerOf(key)) throw twice(at, key);
      const value = this.member(key, depth + 1);
      if (isTwice && !isSame(members[key], value)) throw twice(at, key);
      setMember(members, key, value);
      this.separator('}');
    }
    this.position += 1;
    return members;
  }

  /** What the elements under the key are handed to; undefined where they are kept or passed over. */
  private takerOf(key: string) {
    const { skip, each = {} } = this.selection;
    return skip?.has(key) ? undefined : ownValue(each, key);
  }

  private member(key: string, depth: number): Json {
    if (this.selection.skip?.has(key)) return this.passOver();
    const take = this.takerOf(key);
    if (!take || this.next() !== '[') return this.value(depth);
    if (depth > MAX_DEPTH) throw this.fault('nested too deeply', '嵌套过深');
    this.elements(() => take(this.whole(depth + 1, LONGEST_ELEMENT)));
    return [];
  }

  private array(depth: number): readonly Json[] {
    const values: Json[] = [];
    this.elements(() => values.push(this.value(depth + 1)));
    return values;
  }

  private elements(read: () => void): void {
    this.position += 1;
    while (this.next() !== ']') {
      read();
      this.separator(']');
    }
    this.position += 1;
  }

  /** Goes behind a value without looking into it. */
  private passOver(): null {
    const closing: string[] = [];
    do {
      const first = this.next();
      if (first === '"') this.position = this.endOfString() + 1;
      else if (first === '{' || first === '[') {
        closing.push(first === '{' ? '}' : ']');
        this.position += 1;
      } else if (first === closing.at(-1)) {
        closing.pop();
        this.position += 1;
      } else if (closing.length > 0 && (first === ',' || first === ':')) this.position += 1;
      else this.scalar(first);
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
    const start = this.position + 1;
    const end = this.endOfString();
    this.position = end + 1;
    if (this.backslash < start) {
      const found = this.text.indexOf('\\', start);
      this.backslash = found === -1 ? this.text.length : found;
    }
    const inner = this.text.slice(start, end);
    return this.backslash < end ? unescaped(inner) : inner;
  }

  private endOfString(): number {
    const end = endOfText(this.text, this.position);
    if (end === -1) throw this.truncation('inside a text', '停在字符串中间');
    return end;
  }

  private scalar(first: string): Json {
    if (!isDigit(first)) {
      for (const [word, value] of words) {
        if (this.text.startsWith(word, this.position)) {
          this.position += word.length;
          return value;
        }
      }
    }
    number.lastIndex = this.position;
    const end = number.test(this.text) ? number.lastIndex : this.position;
    const isNumber = end > this.position;
    if (isNumber ? this.isCutAt(end) : isStartOfScalar(this.text.slice(end, end + 10))) {
      throw this.truncation('inside a value', '停在值中间');
    }
    if (!isNumber) throw this.fault('a value is expected', '此处应为一个值');
    const value = Number(this.text.slice(this.position, end));
    this.position = end;
    return value;
  }

  /** Whether the text ends where a number has its decimals or its exponent. */
  private isCutAt(end: number): boolean {
    return end + 2 >= this.text.length && /^(\.|[eE][+-]?)$/.test(this.text.slice(end));
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

/** As their JSON says it, in which no number is null. */
function isSame(one: Json | undefined, other: Json): boolean {
  return written(one) === written(other);
}

function written(value: Json | undefined): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'number' && !Number.isFinite(inner) ? { number: String(inner) } : inner,
  );
}

function twice(at: number, key: string): Fault {
  return new Fault(at, `the key "${key}" stands twice with different values`, `键“${key}”出现两次，且值不同`);
}

/** A key may have a name that means something to JavaScript. */
function setMember(members: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isStartOfScalar(text: string): boolean {
  return text.length < 9 && (text === '-' || words.some(([word]) => word.startsWith(text)));
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
