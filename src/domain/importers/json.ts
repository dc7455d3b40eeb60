import { error, type ImportProblem } from './importer.js';
import { Fault, Reader } from './json-reader.js';
import { lineAt, lineBreaks } from './line-at.js';

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

const MAX_DOCUMENTS = 10_000;

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
      documents.push({ value: reader.document(), line });
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
  const line = lineAt(text, fault.at);
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
