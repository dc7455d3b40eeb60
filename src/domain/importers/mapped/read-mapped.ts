import type { FactValue } from '../../measurement/environment-diff.js';
import { redactFacts, redactText } from '../../measurement/redact.js';
import { error, warning, type ImportProblem, type Reading, type ReadRun } from '../importer.js';
import { readToEnd } from '../open-end.js';
import { Points } from '../repeated.js';
import { startedAtOf } from '../started-at.js';
import { decimalOf, isNumeric, noNumber, numberCell } from './cell-reader.js';
import { textOf } from './columns.js';
import type { ColumnMapping, ColumnRole } from './mapping.js';
import { mappingProblems, otherUnits, shown, unitProblem, type MetricUnits } from './mapping-problems.js';
import { pooledProblems } from './pooled-rows.js';
import { normalized, type Cell, type Table } from './table.js';
import { tableOf } from './table-of.js';

/**
 * The runs of a table whose columns a mapping explains, in the units that it says; facts and variants come back redacted.
 * Columns of the same metric and dimensions hold repetitions. Of the same prepared text as importers get; `table` is what
 * `tableOf` makes of it.
 */
export function readMapped(
  text: string,
  mapping: ColumnMapping,
  units: MetricUnits,
  table: Table = tableOf(text, mapping.rowsAt),
): Reading {
  return readToEnd({}, text, (part) =>
    readMappedTable(part === text ? table : tableOf(part, mapping.rowsAt), mapping, units),
  );
}

function readMappedTable(table: Table, mapping: ColumnMapping, units: MetricUnits): Reading {
  if (hasError(table.problems)) return { runs: [], problems: table.problems };
  const problems = mappingProblems(mapping, table, units);
  if (problems.length > 0) return { runs: [], problems };
  const decimal = decimalOf(table, numberColumns(mapping, table), mapping.decimal);
  if (decimal.problem) return { runs: [], problems: [decimal.problem] };
  const reader = new MappedReader(table, mapping, units, decimal.sign);
  for (const row of table.rows) reader.take(row);
  const reading = reader.reading();
  const all = [
    ...table.problems,
    ...unmapped(mapping, table),
    ...otherUnits(mapping, table),
    ...pooledProblems(mapping, table),
    ...reading.problems,
  ];
  const isRefused = all.some(({ severity, scope }) => severity === 'ERROR' && scope === 'FILE');
  return { runs: isRefused ? [] : reading.runs, problems: all };
}

const hasError = (problems: readonly ImportProblem[]): boolean => problems.some(({ severity }) => severity === 'ERROR');

function placeOf(table: Table, column: string): number {
  return table.columns.findIndex((name) => normalized(name) === normalized(column));
}

function numberColumns({ columns }: ColumnMapping, table: Table): readonly number[] {
  return columns.flatMap(({ role, column }) => (role === 'METRIC' || role === 'VALUE' ? [placeOf(table, column)] : []));
}

function unmapped({ columns }: ColumnMapping, table: Table): readonly ImportProblem[] {
  const named = new Set(columns.flatMap((role) => (role.role === 'METRIC' && role.unitColumn ? [role.column, role.unitColumn] : [role.column])).map(normalized));
  const rest = table.columns.filter((name) => !named.has(normalized(name)));
  if (rest.length === 0) return [];
  return [warning(table.line, `The mapping says nothing about these columns: ${shown(rest)}`, `映射未提及这些列：${shown(rest)}`, { code: 'COLUMN_NOT_MAPPED', value: shown(rest) })];
} // prettier-ignore

type Row = Table['rows'][number];
type MetricRole = Extract<ColumnRole, { role: 'METRIC' }>;
type Target = Pick<MetricRole, 'metric' | 'unit' | 'dimensions'>;

interface OpenRun {
  readonly said: Pick<ReadRun, 'variant' | 'environment' | 'workload' | 'session' | 'block'>;
  readonly points: Points;
  startedAt: string | null;
  leftOut: number;
}

const MAX_RUNS = 1_000;
const MAX_OBSERVATIONS = 20_000;
/** Problems of one kind. */
const MAX_TOLD = 1_000;
const MAX_TEXT = 500;

class MappedReader {
  private readonly runs = new Map<string, OpenRun>();
  private readonly problems: ImportProblem[] = [];
  private readonly untold = { count: 0 };
  private readonly badUnits = new Set<string>();
  private readonly otherNames = new Set<string>();
  private readonly numbers = new Map<string, number>();
  private readonly texts = new Map<string, { readonly line: number; readonly cell: Cell }>();
  private readonly places: ReadonlyMap<string, number>;
  private readonly numeric: ReadonlySet<number>;
  private readonly metrics: ReadonlyMap<string, Target>;

  constructor(
    private readonly table: Table,
    private readonly mapping: ColumnMapping,
    private readonly units: MetricUnits,
    private readonly sign: '.' | ',',
  ) {
    this.places = new Map(table.columns.map((name, at) => [normalized(name), at]));
    const named = mapping.columns.filter(
      ({ role }) => role === 'DIMENSION' || role === 'WORKLOAD' || role === 'ENVIRONMENT',
    );
    this.numeric = new Set(named.map(({ column }) => this.placeOf(column)).filter((at) => isNumeric(table, at)));
    this.metrics = new Map(mapping.metrics.map(({ name, ...target }) => [normalized(name), target]));
  }

  take(row: Row): void {
    const run = this.runOf(row);
    const dimensions = this.dimensionsOf(row);
    if (this.mapping.layout === 'WIDE') {
      for (const role of this.mapping.columns) {
        if (role.role !== 'METRIC') continue;
        const unit = role.unitColumn === undefined ? '' : this.text(row, role.unitColumn);
        this.measure(run, row, role.column, { ...role, unit: unit || role.unit }, dimensions);
      }
      return;
    }
    const [name, value, unit] = (['METRIC_NAME', 'VALUE', 'UNIT'] as const).map((role) => this.columnOf(role));
    const found = name === undefined ? '' : this.text(row, name);
    const target = this.metrics.get(normalized(found));
    if (!target || value === undefined) this.otherNames.add(found);
    else {
      const said = unit === undefined ? '' : this.text(row, unit);
      this.measure(run, row, value, { ...target, unit: said || target.unit }, dimensions);
    }
  }

  reading(): Reading {
    for (const [column, { line, cell }] of this.texts) if (!this.numbers.has(column)) this.problems.push(noNumbers(column, cell, line));
    if (this.untold.count > 0) this.problems.push(more(this.untold.count));
    if (this.otherNames.size > 0) this.problems.push(otherNames([...this.otherNames]));
    const runs = [...this.runs.values()].flatMap((run): readonly ReadRun[] => {
      const observations = run.points.observations();
      const left = run.leftOut + this.table.leftOut;
      const status = left > 0 ? 'PARTIAL' : 'OK';
      const plain = { tool: 'mapped', toolVersion: null, command: null };
      return observations.length > 0 ? [{ ...plain, status, startedAt: run.startedAt, ...run.said, observations, leftOut: left }] : [];
    });
    const count = runs.reduce((sum, { observations }) => sum + observations.length, 0);
    if (runs.length === 0 && !hasError(this.problems)) this.problems.push(nothing());
    if (runs.length > MAX_RUNS) this.problems.push(tooMany(`${MAX_RUNS} runs`, `${MAX_RUNS} 个运行`));
    if (count > MAX_OBSERVATIONS) this.problems.push(tooMany(`${MAX_OBSERVATIONS} observations`, `${MAX_OBSERVATIONS} 个观测值`));
    return { runs, problems: this.problems };
  } // prettier-ignore

  private measure(run: OpenRun, row: Row, column: string, target: Target, dimensions: Readonly<Record<string, string | number>>): void {
    const cell = row.cells[this.placeOf(column)] ?? null;
    const { metric, unit } = target;
    const found = numberCell(cell, this.sign, unit ?? '');
    if (found === 'NO_VALUE') return;
    if (found === 'NO_NUMBER') {
      run.leftOut += 1;
      if (!this.texts.has(column)) this.texts.set(column, { line: row.line, cell });
      this.tell(noNumber(column, cell, row.line));
      return;
    }
    this.numbers.set(column, row.line);
    const problem =
      unit === undefined
        ? withoutUnit(column, row.line)
        : unitProblem(metric, unit, row.line, this.units, found.value);
    if (unit !== undefined && !problem) {
      run.points.add({ metric, unit, dimensions: { ...this.mapping.fixed.dimensions, ...dimensions, ...target.dimensions } }, found.value);
    } else if (problem) {
      run.leftOut += 1;
      if (this.badUnits.has(`${metric} ${unit ?? ''}`)) return;
      this.badUnits.add(`${metric} ${unit ?? ''}`);
      this.problems.push(problem);
    }
  } // prettier-ignore

  private tell(problem: ImportProblem): void {
    if (this.problems.length < MAX_TOLD) this.problems.push(problem);
    else this.untold.count += 1;
  }

  private runOf(row: Row): OpenRun {
    const [workload, environment] = [this.factsOf(row, 'WORKLOAD'), this.factsOf(row, 'ENVIRONMENT')];
    const [variant, session, block] = (['VARIANT', 'SESSION', 'BLOCK'] as const).map((role) => this.label(row, role));
    const said = { variant: variant ?? null, environment, workload, session: session ?? null, block: block ?? null };
    const key = this.mapping.rows === 'EACH_ROW' ? `${this.runs.size}` : JSON.stringify(said);
    const startedAt = this.startOf(row);
    const found = this.runs.get(key);
    if (found) {
      // a group began when its first row did
      if (startedAt !== null && (found.startedAt === null || startedAt < found.startedAt)) found.startedAt = startedAt;
      return found;
    }
    const run: OpenRun = { said, points: new Points(), startedAt, leftOut: 0 };
    this.runs.set(key, run);
    return run;
  }

  private factsOf(row: Row, role: 'WORKLOAD' | 'ENVIRONMENT') {
    const entries = this.mapping.columns.flatMap((each): readonly (readonly [string, FactValue])[] => {
      if (each.role !== role) return [];
      const value = this.value(row, each.column);
      return value === null ? [] : [[each.key, value]];
    });
    const fixed = role === 'WORKLOAD' ? this.mapping.fixed.workload : this.mapping.fixed.environment;
    return redactFacts({ ...fixed, ...Object.fromEntries(entries) }).facts;
  }

  private dimensionsOf(row: Row): Readonly<Record<string, string | number>> {
    const entries = this.mapping.columns.flatMap((each): readonly (readonly [string, string | number])[] => {
      if (each.role !== 'DIMENSION') return [];
      const value = this.value(row, each.column);
      return value === null ? [] : [[each.name, typeof value === 'boolean' ? String(value) : value]];
    });
    return Object.fromEntries(entries);
  }

  /** A number where all of the column are, a text otherwise. */
  private value(row: Row, column: string): string | number | boolean | null {
    const at = this.placeOf(column);
    const cell = row.cells[at] ?? null;
    if (cell === null || cell === '') return null;
    if (this.numeric.has(at)) return Number(cell);
    if (typeof cell === 'boolean' || cell === 'true' || cell === 'false') return cell === true || cell === 'true';
    return textOf(cell).slice(0, MAX_TEXT);
  }

  private label(row: Row, role: 'VARIANT' | 'SESSION' | 'BLOCK'): string | null {
    const column = this.columnOf(role);
    const found = column === undefined ? '' : this.text(row, column);
    return found === '' ? null : redactText(found).slice(0, MAX_TEXT);
  }

  private startOf(row: Row): string | null {
    const column = this.columnOf('STARTED_AT');
    const cell = column === undefined ? null : (row.cells[this.placeOf(column)] ?? null);
    const given = textOf(cell);
    if (given === '' || isEmptyDate(given)) return null;
    const { startedAt, problems } = startedAtOf(isoOf(given), given, row.line);
    for (const problem of problems) this.tell(problem);
    return startedAt;
  }

  private text(row: Row, column: string): string {
    return textOf(row.cells[this.placeOf(column)] ?? null);
  }

  private placeOf(column: string): number {
    return this.places.get(normalized(column)) ?? -1;
  }

  private columnOf(role: ColumnRole['role']): string | undefined {
    return this.mapping.columns.find((each) => each.role === role)?.column;
  }
}

function isEmptyDate(given: string): boolean {
  return /^(?:-+|n\/?a|nan|none|null)$/i.test(given);
}

/** Seconds or milliseconds since 1970, or a date, which is taken as UTC where it has no time zone. */
function isoOf(given: string): string {
  if (/^\d{9,10}(?:\.\d{1,9})?$/.test(given)) return isoOfMilliseconds(Number(given) * 1_000);
  if (/^\d{12,13}$/.test(given)) return isoOfMilliseconds(Number(given));
  const found = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?))?\s?(Z|[+-]\d{2}:?\d{2})?$/.exec(given);
  if (!found) return '';
  const [, year, month, day, time = '00:00', zone = 'Z'] = found;
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return `${year}-${month}-${day}T${time.replace(',', '.')}${offset}`;
} // prettier-ignore

function isoOfMilliseconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function withoutUnit(column: string, line: number): ImportProblem {
  const name = shown([column]);
  return error(line, `The unit of ${name} is missing`, `缺少 ${name} 的单位`, { scope: 'VALUE', code: 'NO_UNIT' });
}

function noNumbers(column: string, cell: Cell, line: number): ImportProblem {
  const [name, value] = [shown([column]), String(cell).slice(0, 60)];
  return error(
    line,
    `${name} holds no number, but texts such as "${value}"`,
    `${name} 中没有数字，只有“${value}”这样的文本`,
    { scope: 'VALUE', code: 'NO_NUMBER', value },
  );
}

function more(count: number): ImportProblem {
  return warning(null, `${count} more problems of this kind`, `另有 ${count} 个同类问题`, { code: 'MORE' });
}

function otherNames(names: readonly string[]): ImportProblem {
  return warning(
    null,
    `Left out, since the mapping gives them no metric: ${shown(names)}`,
    `映射未指定指标，未采用：${shown(names)}`,
    { scope: 'VALUE', code: 'LEFT_OUT', value: shown(names) },
  );
}

function nothing(): ImportProblem {
  return error(null, 'No value was found in the columns that the mapping names', '在映射指定的列中没有找到任何值', {
    code: 'NO_RESULT',
  });
}

function tooMany(en: string, zh: string): ImportProblem {
  return error(null, `The table makes more than ${en}: split it`, `表格产生的数据超过 ${zh}，请拆分`, {
    code: 'TOO_LARGE',
  });
}
