import { DomainError } from '../../errors.js';
import { convertGiven } from '../../measurement/given-unit.js';
import { dimensionOf } from '../../measurement/unit.js';
import { error, warning, type ImportProblem } from '../importer.js';
import { columnWords } from './column-words.js';
import type { ColumnMapping, ColumnRole } from './mapping.js';
import { normalized, type Table } from './table.js';
import { unitDifference, unitInName, type UnitDifference } from './unit-in-name.js';

/** The unit in which each metric is kept, by its key: those of the catalog and those of the project. */
export type MetricUnits = ReadonlyMap<string, string>;

/** What of the mapping cannot be, whatever the rows hold. Each is an error. */
export function mappingProblems(mapping: ColumnMapping, table: Table, units: MetricUnits): readonly ImportProblem[] {
  const layout = layoutProblem(mapping);
  return [
    ...unknownColumns(mapping, table),
    ...(layout ? [layout] : []),
    ...doubled(mapping),
    ...unitProblems(mapping, units),
  ];
}

function unknownColumns({ columns }: ColumnMapping, table: Table): readonly ImportProblem[] {
  const there = new Set(table.columns.map(normalized));
  const named = columns.flatMap((role) =>
    role.role === 'METRIC' && role.unitColumn ? [role.column, role.unitColumn] : [role.column],
  );
  const missing = [...new Set(named.filter((name) => !there.has(normalized(name))))];
  if (missing.length === 0) return [];
  const [names, columnNames] = [shown(missing), shown(table.columns)];
  return [
    error(
      table.line,
      `The mapping names columns that the file does not have: ${names}. It has: ${columnNames}`,
      `映射中的列在文件中不存在：${names}。文件中的列：${columnNames}`,
      { code: 'COLUMN_MISSING', value: names },
    ),
  ];
}

/** The first names of a list. */
export function shown(names: readonly string[]): string {
  const first = names.slice(0, 20).map((name) => name.slice(0, 60)).join(', '); // prettier-ignore
  return names.length > 20 ? `${first} (+${names.length - 20})` : first;
}

const long = ['METRIC_NAME', 'VALUE', 'UNIT'];

function layoutProblem({ layout, columns, metrics }: ColumnMapping): ImportProblem | null {
  const count = (role: ColumnRole['role']): number => columns.filter((each) => each.role === role).length;
  if (layout === 'WIDE') {
    if (count('METRIC') === 0) return error(null, 'No column of the mapping is a METRIC', '映射中没有 METRIC 列');
    const others = columns.filter(({ role }) => long.includes(role)).map(({ column }) => column);
    const names = shown(others);
    return others.length === 0
      ? null
      : error(
          null,
          `These columns have a role that only the layout LONG knows: ${names}`,
          `这些列的角色仅用于 LONG 布局：${names}`,
        );
  }
  if (count('METRIC') > 0) {
    return error(
      null,
      'The layout LONG has no METRIC columns: give METRIC_NAME and VALUE',
      'LONG 布局没有 METRIC 列，请指定 METRIC_NAME 和 VALUE',
    );
  }
  if (count('METRIC_NAME') !== 1 || count('VALUE') !== 1 || count('UNIT') > 1) {
    return error(
      null,
      'The layout LONG needs one METRIC_NAME column, one VALUE column and at most one UNIT column',
      'LONG 布局需要一个 METRIC_NAME 列、一个 VALUE 列，UNIT 列至多一个',
    );
  }
  return metrics.length > 0
    ? null
    : error(null, 'The mapping says for no name which metric it stands for', '映射没有说明任何名称对应的指标');
}

/** A column, a dimension or a fact that stands twice would let one value hide the other. */
function doubled({ columns, metrics }: ColumnMapping): readonly ImportProblem[] {
  const single = ['VARIANT', 'SESSION', 'BLOCK', 'STARTED_AT'];
  const names = [
    ...twice(columns.map(({ column }) => normalized(column))),
    ...twice(columns.flatMap((role) => (role.role === 'DIMENSION' ? [role.name] : []))),
    ...twice(columns.flatMap((role) => (role.role === 'WORKLOAD' || role.role === 'ENVIRONMENT' ? [role.key] : []))),
    ...twice(columns.flatMap(({ role }) => (single.includes(role) ? [role] : []))),
    ...twice(metrics.map(({ name }) => normalized(name))),
  ];
  if (names.length === 0) return [];
  return [error(null, `The mapping gives these twice: ${shown(names)}`, `映射中重复给出：${shown(names)}`)];
}

function twice(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function unitProblems(mapping: ColumnMapping, units: MetricUnits): readonly ImportProblem[] {
  const { layout, columns, metrics } = mapping;
  const hasUnitColumn = columns.some(({ role }) => role === 'UNIT');
  const targets = [
    ...columns.flatMap((role) =>
      role.role === 'METRIC' ? [{ ...role, of: role.column, hasColumn: role.unitColumn !== undefined }] : [],
    ),
    ...(layout === 'LONG' ? metrics.map((each) => ({ ...each, of: each.name, hasColumn: hasUnitColumn })) : []),
  ];
  return targets.flatMap(({ metric, unit, of, hasColumn }) => {
    const problem =
      unit === undefined ? (hasColumn ? null : withoutUnit(of, metric, units)) : unitProblem(metric, unit, null, units);
    return problem ? [problem] : units.has(metric) ? [] : [unknownMetric(metric)];
  });
}

/** Columns and names that tell another unit than the mapping reads them in. */
export function otherUnits({ layout, columns, metrics }: ColumnMapping, table: Table): readonly ImportProblem[] {
  // a column of units decides over all names
  if (columns.some(({ role }) => role === 'UNIT')) return [];
  const named = [
    ...columns.flatMap((role) =>
      role.role === 'METRIC' && role.unitColumn === undefined ? [{ ...role, of: role.column, line: table.line }] : [],
    ),
    ...(layout === 'LONG' ? metrics.map((each) => ({ ...each, of: each.name, line: null })) : []),
  ];
  return named.flatMap(({ of, unit, line }) => {
    const own = unit === undefined ? null : unitInName(of);
    const difference = unit === undefined || own === null ? null : unitDifference(own, unit);
    if (unit === undefined || own === null || difference === null) return [];
    return [otherUnit(shown([of]), own, unit, difference, line)];
  });
}

function otherUnit(
  name: string,
  own: string,
  unit: string,
  difference: UnitDifference,
  line: number | null,
): ImportProblem {
  const [one, other] = [dimensionOf(own), dimensionOf(unit)];
  const more =
    difference === 'SCALE'
      ? { en: '', zh: '' }
      : { en: `, which is a ${one} and no ${other}`, zh: `（量纲是 ${one}，不是 ${other}）` };
  return warning(
    line,
    `The mapping reads "${name}" in ${unit}, and its name says ${own}${more.en}: check which one the numbers are in`,
    `映射按 ${unit} 读取“${name}”，而名称中的单位是 ${own}${more.zh}：请确认数值实际使用的单位`,
    { code: 'UNIT_DIFFERS', value: `${name}: ${own}, ${unit}` },
  );
}

function withoutUnit(of: string, metric: string, units: MetricUnits): ImportProblem {
  const name = shown([of]);
  const doubt = doubtIn(of, metric, units);
  const why = doubt ? { en: `. ${doubt.message.en}`, zh: `。${doubt.message.zh}` } : { en: '', zh: '' };
  return error(null, `The mapping says no unit for ${name}${why.en}`, `映射没有给出 ${name} 的单位${why.zh}`, { code: 'NO_UNIT' });
} // prettier-ignore

/** What the unit in the name of a column may mean, where it can be read in several ways. */
function doubtIn(column: string, metric: string, units: MetricUnits): ImportProblem | null {
  const { unit, doubtful } = columnWords(column);
  // `gb` of memory is the GB that tools print for GiB
  const bytes = /^[kmgtp]b$/i.test(doubtful ?? '') ? [`${doubtful?.slice(0, 1).toUpperCase() ?? ''}B`] : [];
  const problems = [...bytes, doubtful ?? unit].flatMap((given) =>
    given === null ? [] : (unitProblem(metric, given, null, units) ?? []),
  );
  return problems.find(({ code }) => code === 'AMBIGUOUS_UNIT') ?? null;
}

/** What a person has to say before a suggested mapping can be used: the units that it leaves open. */
export function openUnits(mapping: ColumnMapping, units: MetricUnits): readonly ImportProblem[] {
  return mapping.columns.flatMap((role) => {
    if (role.role !== 'METRIC' || role.unit !== undefined || role.unitColumn !== undefined) return [];
    const doubt = doubtIn(role.column, role.metric, units);
    const name = shown([role.column]);
    const [unit] = [units.get(role.metric) ?? ''];
    const { en, zh } = doubt?.message ?? { en: `${role.metric} is kept in ${unit}`, zh: `${role.metric} 的单位是 ${unit}` };
    return [
      warning(null, `Say the unit of ${name}: ${en}`, `请说明 ${name} 的单位：${zh}`, {
        code: doubt ? 'AMBIGUOUS_UNIT' : 'NO_UNIT',
        value: role.column.slice(0, 60),
      }),
    ];
  });
} // prettier-ignore

function unknownMetric(metric: string): ImportProblem {
  return error(null, `There is no metric ${metric}`, `没有指标 ${metric}`, { code: 'UNKNOWN_METRIC', value: metric });
}

/** Why numbers in this unit are none of the metric, or null. */
export function unitProblem(
  metric: string,
  unit: string,
  line: number | null,
  units: MetricUnits,
  value = 1,
): ImportProblem | null {
  const to = units.get(metric);
  if (to === undefined) return unknownMetric(metric);
  try {
    convertGiven(value, unit, { key: metric, unit: to });
    return null;
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault;
    return error(line, `${metric}: ${fault.text.en}`, `${metric}：${fault.text.zh}`, {
      // A unit of the mapping is that of every row
      scope: line === null ? 'FILE' : 'VALUE',
      code: fault.details['isAmbiguous'] === true ? 'AMBIGUOUS_UNIT' : 'WRONG_UNIT',
      value: line === null ? unit : `${value} ${unit}`,
    });
  }
}
