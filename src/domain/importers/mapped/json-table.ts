import { bencherMetrics } from '../harnesses/bencher-metric-format.js';
import { error, type ImportProblem } from '../importer.js';
import { isObject, readJson, type Json, type JsonObject } from '../json.js';
import { distinct, noTable, sizeProblem, type Cell, type Table } from './table.js';

const MAX_DEPTH = 5;

interface Found {
  readonly line: number;
  readonly object: JsonObject;
}

/**
 * The table of an array of objects, of JSON Lines, of an object that holds one array of objects (its own single values stand
 * in every row), or of a report in Bencher Metric Format.
 */
export function jsonTable(text: string, rowsAt?: string): Table {
  const json = readJson(text);
  if (json.problem) return noTable('json', json.problem);
  const [first, second] = json.documents;
  if (second)
    return rowsOf(json.documents.flatMap(({ value, line }) => (isObject(value) ? [{ object: value, line }] : [])));
  const value: Json = first?.value ?? null;
  if (Array.isArray(value)) return rowsOf(elements(text, value, 0), first?.line);
  if (!isObject(value)) return noTable('json', noObjects());
  const metrics = bencherMetrics(value);
  if (metrics) {
    return rowsOf(
      metrics.map(({ benchmark, measure, value: found, lower, upper }) => ({
        line: first?.line ?? 1,
        object: { benchmark, measure, value: found, lower_value: lower, upper_value: upper },
      })),
    );
  }
  const lists = rowsAt === undefined ? listsIn([{ path: [], object: value }]) : listsAt(value, rowsAt);
  if (rowsAt !== undefined && lists.length === 0) return noTable('json', noList(rowsAt));
  if (lists.length > 1) return noTable('json', severalLists(lists.map(({ path }) => path.join('.'))));
  const [list] = lists;
  if (!list) return rowsOf([{ object: value, line: first?.line ?? 1 }]);
  const around = flat(value);
  return rowsOf(elements(text, list.values, list.path.length), first?.line, around);
}

interface Level {
  readonly path: readonly string[];
  readonly object: JsonObject;
}

interface List {
  readonly path: readonly string[];
  readonly values: readonly Json[];
}

/** Those of the shallowest level that has any: what lies deeper belongs to something else. */
function listsIn(level: readonly Level[], depth = 1): readonly List[] {
  const lists: List[] = [];
  const deeper: Level[] = [];
  for (const { path, object } of level) {
    for (const [key, value] of Object.entries(object)) {
      if (Array.isArray(value)) {
        const values: readonly Json[] = value;
        if (values.some(isObject)) lists.push({ path: [...path, key], values });
      } else if (isObject(value)) deeper.push({ path: [...path, key], object: value });
    }
  }
  return lists.length > 0 || deeper.length === 0 || depth >= MAX_DEPTH ? lists : listsIn(deeper, depth + 1);
}

/** The list that lies under these keys, joined by dots. */
function listsAt(object: JsonObject, rowsAt: string, path: readonly string[] = []): readonly List[] {
  return Object.entries(object).flatMap(([key, value]): readonly List[] => {
    const here = [...path, key];
    const name = here.join('.');
    if (Array.isArray(value)) return name === rowsAt && value.some(isObject) ? [{ path: here, values: value }] : [];
    return isObject(value) && rowsAt.startsWith(`${name}.`) ? listsAt(value, rowsAt, here) : [];
  });
}

/** The objects of a list that lies under so many keys, with their lines. */
function elements(text: string, values: readonly Json[], keys: number): readonly Found[] {
  const objects = values.filter(isObject);
  const lines = linesOfElements(text, keys + 1);
  return objects.map((object, index) => ({ object, line: lines[index] ?? 1 }));
}

/** The lines where objects begin that stand in an array, in so many brackets. */
function linesOfElements(text: string, depth: number): readonly number[] {
  const lines: number[] = [];
  const open: string[] = [];
  let line = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n') line += 1;
    else if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') {
      if (character === '{' && open.length === depth && open.at(-1) === '[') lines.push(line);
      open.push(character);
    } else if (character === '}' || character === ']') open.pop();
  }
  return lines;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function rowsOf(
  found: readonly Found[],
  line: number | null = null,
  around: ReadonlyMap<string, Cell> = new Map(),
): Table {
  if (found.length === 0) return noTable('json', noObjects());
  const flattened = found.map(({ object, line: at }) => ({ line: at, cells: flat(object) }));
  const columns = [...new Set([...around.keys(), ...flattened.flatMap(({ cells }) => [...cells.keys()])])];
  const tooLarge = sizeProblem(columns.length, found.length, line);
  if (tooLarge) return noTable('json', tooLarge);
  const rows = flattened.map(({ line: at, cells }) => ({
    line: at,
    cells: columns.map((name) => (cells.has(name) ? (cells.get(name) ?? null) : (around.get(name) ?? null))),
  }));
  return { kind: 'json', columns: distinct(columns), line: null, rows, problems: [], leftOut: 0 };
}

/** Single values under their keys joined by dots; lists are left out. */
function flat(object: JsonObject): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Cell>();
  const walk = (part: JsonObject, prefix: string, depth: number): void => {
    for (const [key, value] of Object.entries(part)) {
      const name = prefix === '' ? key : `${prefix}.${key}`;
      if (isObject(value)) {
        if (depth < MAX_DEPTH) walk(value, name, depth + 1);
      } else if (isCell(value)) cells.set(name, value);
    }
  };
  walk(object, '', 1);
  return cells;
}

function isCell(value: Json | undefined): value is Cell {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function noObjects(): ImportProblem {
  return error(null, 'The JSON holds no list of objects that could be rows', 'JSON 中没有可作为行的对象列表', {
    code: 'NO_TABLE',
  });
}

function noList(rowsAt: string): ImportProblem {
  const name = rowsAt.slice(0, 100);
  return error(null, `The JSON holds no list of objects under ${name}`, `JSON 中 ${name} 处没有对象列表`, {
    code: 'NO_TABLE',
  });
}

function severalLists(names: readonly string[]): ImportProblem {
  const shown = names.slice(0, 10).join(', ');
  return error(
    null,
    `The JSON holds several lists of objects: ${shown}. Say in the mapping which one has the rows (rowsAt)`,
    `JSON 中有多个对象列表：${shown}。请在映射中用 rowsAt 指明含数据行的列表`,
    { code: 'SEVERAL_LISTS', value: shown },
  );
}
