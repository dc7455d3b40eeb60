import { error, warning, type Importer, type ImportProblem, type Reading, type ReadObservation } from './importer.js';
import { linesOf } from './labeled-lines.js';
import { numberOf } from './number.js';
import { lineAt } from './line-at.js';

/** A number with a comma inside, such as tools print under locales of people. */
interface Token {
  readonly start: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly kind: Kind;
}

/** What its signs tell: `1,5`, `1,234`, `1,234.5`, `1.5`, `1.234`, and `1,234,5`, which is no number. */
type Kind = 'DECIMAL' | 'DOUBTFUL' | 'THOUSANDS' | 'POINT' | 'DOUBTFUL_POINT' | 'BROKEN';

const numbers = /(?<![\w.,"’])\d[\d.,]{0,60}\d/g;

/**
 * Reads a text that may hold decimal commas. `126640,6` can only be one, and is read as 126640.6; so is `1,234` where other
 * numbers of the text have such commas. Where nothing tells, and it makes a difference, a problem names line and value.
 */
export function readWithCommas(importer: Importer, text: string): Reading {
  if (isJson(text)) return withProblems(importer.read(text), mixedLists(text));
  const asIs = importer.read(text);
  if (importer.readsCommas || !/\d,\d/.test(text)) return asIs;
  const { tokens, kinds } = tokensOf(text);
  const of = (...wanted: readonly Kind[]) => tokens.filter(({ kind }) => wanted.includes(kind));
  const hasCommas = kinds.has('DECIMAL');
  const hasPoints = kinds.has('THOUSANDS') || kinds.has('POINT');
  const isToldByCommas = hasCommas && !hasPoints && importer.partsThousands !== true;
  const told = isToldByCommas ? of('DECIMAL', 'DOUBTFUL') : of('DECIMAL');
  const isToldByPoints = kinds.has('THOUSANDS') || (hasPoints && importer.partsThousands === true);
  const doubted: readonly Kind[] = hasCommas ? [isToldByCommas ? 'DOUBTFUL_POINT' : 'DOUBTFUL'] : isToldByPoints ? [] : ['DOUBTFUL']; // prettier-ignore
  const open = of('BROKEN', ...doubted);
  const plain = told.length === 0 ? text : replaced(text, told, decimalOf);
  const reading = told.length === 0 ? asIs : better(asIs, importer.read(plain), told);
  return open.length === 0 ? reading : withDoubts(importer, plain, open, reading);
}

function isJson(text: string): boolean {
  return /^\s{0,1000}(?:\{\s{0,1000}["}]|\[\s{0,1000}["{[\]]|\[\s{1,1000}[\d-])/.test(text);
}

/** More than these tell nothing that these do not. */
const MOST_TOKENS = 200_000;

function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly kinds: ReadonlySet<Kind> } {
  const tokens: Token[] = [];
  const kinds = new Set<Kind>();
  let [line, start] = [0, 0];
  for (const part of linesOf(text)) {
    line += 1;
    for (const { 0: found, index } of part.matchAll(numbers)) {
      if (!/[.,]/.test(found)) continue;
      const exponent = /^[eE][+-]?\d{1,4}/.exec(part.slice(index + found.length, index + found.length + 6))?.[0] ?? '';
      if (!isFree(part, index, index + found.length + exponent.length)) continue;
      const isPower = exponent !== '' && /^\d+,\d+$/.test(found);
      const kind = isPower ? 'DECIMAL' : kindOf(found);
      if (kind === null) continue;
      kinds.add(kind);
      if (kind !== 'POINT' && kind !== 'THOUSANDS') tokens.push({ start: start + index, text: found, line, kind });
    }
    if (tokens.length >= MOST_TOKENS) break;
    const end = text.indexOf('\n', start);
    start = end === -1 ? text.length : end + 1;
  }
  return { tokens, kinds };
}

/** Not part of a name, a date, a time, a list such as `[0,1]`, or a line of cells that commas part. */
function isFree(line: string, start: number, end: number): boolean {
  const [before, after] = [line[start - 1] ?? '', line[end] ?? ''];
  if (/\d:$/.test(line.slice(Math.max(0, start - 2), start)) || /["’_\d]/.test(after)) return false;
  if ((before === "'") !== (after === "'")) return false;
  if (after === ',' && !/^\s?$/.test(line[end + 1] ?? '')) return false;
  return !['[]', '()', '<>', '{}'].includes(before + after);
}

function kindOf(text: string): Kind | null {
  const [point, comma] = [numberOf(text, '.'), numberOf(text, ',')];
  const hasComma = text.includes(',');
  if (point !== null && comma !== null) return hasComma ? 'DOUBTFUL' : 'DOUBTFUL_POINT';
  if (comma !== null) return hasComma ? 'DECIMAL' : null;
  if (point === null) return brokenGroups.test(text) ? 'BROKEN' : null;
  return hasComma ? 'THOUSANDS' : 'POINT';
}

const brokenGroups = /^\d{1,3}(?:,\d{3}){1,8},\d{1,30}$/;

const decimalOf = (token: string): string => {
  if (!token.includes(',')) return token;
  const at = token.lastIndexOf(',');
  return String(numberOf(token, ',') ?? `${wholeOf(token.slice(0, at))}.${token.slice(at + 1)}`);
};
const wholeOf = (token: string): string => token.replace(/[.,]/g, '');

/** As long as before, since columns may be found by their place. */
function replaced(text: string, tokens: readonly Token[], by: (token: string) => string): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { start, text: token } of [...tokens].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(kept, start), plainly(token, by));
    kept = start + token.length;
  }
  return parts.join('') + text.slice(kept);
}

function plainly(token: string, by: (token: string) => string): string {
  const isSimple = by === decimalOf && /^\d+,\d+$/.test(token);
  const parted = isSimple ? token.replace(',', '.') : by(token);
  return parted.padStart(token.length);
}

/** What was read of the numbers with points, with names and lists as they stand in the text. */
function better(asIs: Reading, plain: Reading, tokens: readonly Token[]): Reading {
  if (sameNumbers(asIs, plain)) return asIs;
  const originals = new Map<string, string>();
  const points = new Map(tokens.map(({ text }) => [text, plainly(text, decimalOf)]));
  const keep = (value: unknown): void => {
    if (typeof value !== 'string' || !value.includes(',')) return;
    const changed = value.replace(numbers, (found) => points.get(found)?.trim() ?? found);
    if (changed !== value) originals.set(changed, value);
  };
  for (const { environment, workload, observations } of asIs.runs) {
    for (const value of [...Object.values(environment), ...Object.values(workload)]) keep(value);
    for (const { dimensions } of observations) for (const value of Object.values(dimensions)) keep(value);
  }
  if (originals.size === 0) return plain;
  const restored = <V>(all: Readonly<Record<string, V>>): Readonly<Record<string, V | string>> =>
    Object.fromEntries(Object.entries(all).map(([key, value]) => [key, (typeof value === 'string' ? originals.get(value) : undefined) ?? value])); // prettier-ignore
  return {
    ...plain,
    runs: plain.runs.map((run) => ({
      ...run,
      environment: restored(run.environment),
      workload: restored(run.workload),
      observations: run.observations.map((each) => ({ ...each, dimensions: restored(each.dimensions) })),
    })),
  };
}

/** Whether two readings say the same, texts left aside. */
function sameNumbers(one: Reading, other: Reading): boolean {
  return numbersOf(one) === numbersOf(other);
}

function numbersOf({ runs }: Reading): string {
  return JSON.stringify(
    runs.map(({ observations, environment, workload }) => [
      observations.map(measuredIn),
      Object.entries({ ...environment, ...workload }).filter(([, value]) => typeof value === 'number'),
    ]),
  );
}

function measuredIn({ metric, dimensions, value, repeats, samples, distribution, summary }: ReadObservation): unknown {
  return [metric, Object.keys(dimensions).length, value, repeats, samples, distribution, summary];
}

/** So many lines are looked at one by one, and of a text no longer than this. */
const LINES_ASKED = 20;
const LONGEST_ASKED = 256 * 1024;

/** Names the doubtful numbers that make a difference; what is the same by either reading is read. */
function withDoubts(importer: Importer, text: string, open: readonly Token[], read: Reading): Reading {
  const decimals = importer.read(replaced(text, open, decimalOf));
  const [said, asDecimals] = [numbersOf(read), numbersOf(decimals)];
  const asWholes = numbersOf(importer.read(replaced(text, open, wholeOf)));
  if (asDecimals === asWholes) return said === asDecimals ? read : better(read, decimals, open);
  if (read.problems.some(({ severity, scope }) => severity === 'ERROR' && scope === 'FILE')) return read;
  const lines = [...new Set(open.map(({ line }) => line))];
  const asked = text.length > LONGEST_ASKED ? [] : lines.slice(0, LINES_ASKED);
  const mattering = asked.filter((line) => {
    const [one, other] = [decimalOf, wholeOf].map((by) => numbersOf(importer.read(replaced(text, open.filter((token) => token.line === line), by)))); // prettier-ignore
    return one !== other;
  });
  const named = mattering.length > 0 ? mattering : lines.slice(0, 1);
  const taken = said === asWholes ? wholeOf : said === asDecimals ? decimalOf : null;
  return withProblems(read, named.flatMap((line) => open.filter((token) => token.line === line).slice(0, 1)).map((token) => doubt(token, taken))); // prettier-ignore
}

function doubt({ line, text }: Token, taken: ((token: string) => string) | null): ImportProblem {
  const [whole, decimal] = [wholeOf(text), decimalOf(text)];
  const details = { code: 'AMBIGUOUS_NUMBER', value: text } as const;
  if (taken === null) {
    return error(
      line,
      `"${text}" can be ${whole} or ${decimal}, and the file does not tell which: write it with a decimal point`,
      `“${text}”可以读作 ${whole} 或 ${decimal}，而文件本身无法说明是哪一个：请使用小数点`,
      details,
    );
  }
  const [is, other] = taken === wholeOf ? [whole, decimal] : [decimal, whole];
  return warning(
    line,
    `"${text}" was taken for ${is}: if it is ${other}, write it without a comma`,
    `“${text}”按 ${is} 读取；若应为 ${other}，请改写为不含逗号的形式`,
    details,
  );
}

const list = /\[[\d\s.,eE+-]{3,20000}\]/g;

/** Decimal commas in a list of numbers make more of them: `[1,5, 2,5]` holds four. Lists part all alike. */
function mixedLists(text: string): readonly ImportProblem[] {
  for (const { 0: found, index } of text.matchAll(list)) {
    const close = /\d,\d/.exec(found);
    if (!close || !/\d,\s/.test(found)) continue;
    const value = /\d{1,30},\d{1,30}/.exec(found)?.[0] ?? close[0];
    const line = lineAt(text, index + close.index);
    return [
      error(
        line,
        `"${value}" in a list can be two numbers or one with a decimal comma: write numbers with a decimal point`,
        `列表中的“${value}”可能是两个数，也可能是带小数逗号的一个数：请使用小数点`,
        { code: 'AMBIGUOUS_NUMBER', value },
      ),
    ];
  }
  return [];
}

function withProblems(reading: Reading, problems: readonly ImportProblem[]): Reading {
  return problems.length === 0 ? reading : { ...reading, problems: [...reading.problems, ...problems] };
}
