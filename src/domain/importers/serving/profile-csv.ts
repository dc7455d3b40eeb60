import { parse } from 'csv-parse/sync';
import { tooFewCells, tooManyCells, wholeCells, widthOf } from '../cells.js';
import { decimalSignOf, isNoValue, numberOf, type DecimalSign } from '../number.js';
import { error, leftOut, type ImportProblem, type ReadObservation } from '../importer.js';
import { isStatistic, titleOf, type ProfileMetric } from './profile-statistics.js';
import { ofGpu } from './profile-telemetry.js';

/** The tables of a CSV file of GenAI-Perf or AIPerf. */
export interface ProfileTables {
  readonly metrics: readonly ProfileMetric[];
  readonly telemetry: readonly ReadObservation[];
  /** Names of GPUs, each once. */
  readonly gpuNames: readonly string[];
  readonly problem: ImportProblem | null;
  /** Rows that are left out. */
  readonly problems: readonly ImportProblem[];
}

type Row = readonly string[];
type Statistics = Readonly<Record<string, number>>;

/** Three tables one under the other: distributions, single values, and GPUs; each has a line of names of its own. */
export function profileTables(text: string): ProfileTables {
  const metrics: ProfileMetric[] = [];
  const telemetry = new Map<string, ReadObservation>();
  const gpuNames = new Set<string>();
  const ids = new Map<string, number>();
  const problems: ImportProblem[] = [];
  const empty = { metrics, telemetry: [], gpuNames: [], problems };
  const rows = rowsOf(text);
  const sign = decimalSignOf(rows.flatMap(({ cells }) => cells.slice(1)));
  if (sign === null) return { ...empty, problem: ambiguous(rows) };

  let columns: Row = [];
  for (const { line, cells } of rows) {
    if (isHeader(cells)) {
      columns = cells.slice(0, MAX_COLUMNS);
      continue;
    }
    if (widthOf(cells) > columns.length) {
      if (columns.length === 0) continue;
      return { ...empty, problem: tooManyCells({ line, cells }, columns.length) };
    }
    if (cells.length < columns.length) {
      problems.push(tooFewCells(line, cells.length, columns.length));
      continue;
    }
    const at = (name: string): string => cells[columns.indexOf(name)]?.trim() ?? '';
    const { key, unit } = titleOf(at('Metric'));
    const statistics = statisticsIn(columns, cells, sign);
    const bad = columns.findIndex((name, index) => isLost(name, cells[index] ?? '', sign));
    if (bad !== -1) problems.push(lostCell(line, columns[bad] ?? '', cells[bad] ?? ''));
    if (key === '' || Object.keys(statistics).length === 0) continue;
    const isOfGpu = columns.includes('GPU') || columns.includes('GPU_Index');
    if (!isOfGpu) metrics.push({ key, unit, statistics, line });
    else {
      if (at('GPU_Name') !== '') gpuNames.add(at('GPU_Name'));
      const gpu = indexOf(at('GPU_UUID') || at('GPU') || at('GPU_Index'), ids);
      const found = ofGpu({ name: key, unit, gpu }, statistics);
      // exporters may show the same GPU twice
      for (const one of found) telemetry.set(`${one.metric} ${one.dimensions.gpu ?? ''}`, one);
    }
  }
  return { metrics, telemetry: [...telemetry.values()], gpuNames: [...gpuNames], problem: null, problems };
}

interface PlacedRow {
  readonly line: number;
  readonly cells: Row;
}

/** Longer than any line of these files. */
const MAX_LINE = 20_000;
const MAX_ROWS = 20_000;
const MAX_COLUMNS = 100;

/** Line by line, since no cell goes over several lines: one bad quote then spoils one row. */
function rowsOf(text: string): readonly PlacedRow[] {
  const rows: PlacedRow[] = [];
  let line = 0;
  for (const whole of text.split('\n')) {
    line += 1;
    if (whole.trim() === '' || whole.length > MAX_LINE) continue;
    const cells = cellsOf(whole);
    if (cells) rows.push({ line, cells });
    if (rows.length >= MAX_ROWS) break;
  }
  return rows;
}

const allQuoted = /^"[^"]*"(?:,"[^"]*")*\s*$/;

/** Null for a line that is no CSV. */
export function cellsOf(line: string): Row | null {
  if (!line.includes('"')) return line.split(',');
  // every cell quoted, and none with a quote inside, is what most tools write: a parser for each line costs ten times that
  if (allQuoted.test(line)) return line.trim().slice(1, -1).split('","');
  const whole = wholeCells(line, ',');
  // two in a row stand for one inside a cell; any other one there is none of CSV
  if (whole || !line.includes('""')) return whole;
  try {
    return parse(line, { relax_column_count: true })[0] ?? null;
  } catch {
    return null;
  }
}

function isHeader(cells: Row): boolean {
  const names = cells.map((cell) => cell.trim());
  return names.includes('Metric') && (names.includes('avg') || names.includes('Value'));
}

function statisticsIn(columns: Row, cells: Row, sign: DecimalSign): Statistics {
  const found: Record<string, number> = {};
  columns.forEach((name, index) => {
    const cell = cells[index]?.trim() ?? '';
    const statistic = name.trim() === 'Value' ? 'avg' : name.trim();
    const number = isStatistic(statistic) && !isNoValue(cell) ? numberOf(cell, sign) : null;
    if (number !== null && Number.isFinite(number)) found[statistic] = number;
  });
  return found;
}

function isLost(name: string, cell: string, sign: DecimalSign): boolean {
  const statistic = name.trim() === 'Value' ? 'avg' : name.trim();
  return isStatistic(statistic) && /^\s*\d/.test(cell) && !isNoValue(cell) && numberOf(cell, sign) === null;
}

function lostCell(line: number, name: string, cell: string): ImportProblem {
  const shown = cell.trim().slice(0, 60);
  return leftOut(line, `"${shown}" of ${name} is no number and was left out`, `${name} 的“${shown}”不是数字，未采用`);
}

/** `gpu0` and `0` say it; identities of devices are counted. */
function indexOf(name: string, ids: Map<string, number>): number {
  const plain = /^(?:gpu)?(\d{1,4})$/i.exec(name)?.[1];
  if (plain !== undefined) return Number(plain);
  const known = ids.get(name) ?? ids.size;
  ids.set(name, known);
  return known;
}

function ambiguous(rows: readonly PlacedRow[]): ImportProblem {
  const bad = rows.find(({ cells }) => cells.some((cell) => /^\s*\d{1,3},\d{3}\s*$/.test(cell)));
  const value = bad?.cells.find((cell) => /^\s*\d{1,3},\d{3}\s*$/.test(cell))?.trim() ?? '';
  return error(
    bad?.line ?? null,
    `"${value}" may be ${value.replace(',', '')} or ${value.replace(',', '.')}: send the file as the tool wrote it`,
    `“${value}”可能是 ${value.replace(',', '')}，也可能是 ${value.replace(',', '.')}：请上传工具原样输出的文件`,
  );
}
