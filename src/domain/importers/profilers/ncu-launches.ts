import type { Facts } from '../../measurement/environment-diff.js';
import { convert } from '../../measurement/unit.js';
import { medianOf, samplesWithDistribution } from '../distribution.js';
import { architectureOf } from '../gpu.js';
import { groupedBy } from '../grouped.js';
import { leftOut, error, warning, type ImportProblem, type ReadObservation, type Reading } from '../importer.js';
import { decimalSignOf, isNoValue, numberOf, type DecimalSign } from '../number.js';
import { isKnownName, metricOf } from './ncu-metrics.js';
import { MOST_NAMED, profileRun, tooManyNamed, workName } from './profile-run.js';

/** A value that ncu printed. */
export interface NcuValue {
  readonly line: number;
  readonly name: string;
  readonly unit: string;
  readonly cell: string;
}

/** A kernel that ran once under ncu, or the mean of several launches that ncu made itself. */
export interface NcuLaunch {
  readonly line: number;
  readonly kernel: string;
  /** Grid and block, such as `(1024, 1, 1)x(256, 1, 1)`; empty where they are not told. */
  readonly shape: string;
  readonly device: string | null;
  /** Compute capability, such as `9.0`. */
  readonly capability: string | null;
  values: NcuValue[];
}

/** Collects what is printed: values of metrics that are not kept tell at least the decimal sign. */
export class NcuLaunches {
  readonly launches: NcuLaunch[] = [];
  readonly otherCells: string[] = [];
  private readonly texts = new Map<string, string>();

  add(launch: NcuLaunch, value: NcuValue): void {
    if (isKnownName(value.name)) {
      const { line, name, unit, cell } = value;
      const shared = { line, name: this.shared(name), unit: this.shared(unit), cell };
      // a list that grows from none reserves room for many, and there may be a launch in every row
      if (launch.values.length === 0) launch.values = [shared];
      else launch.values.push(shared);
    } else if (this.otherCells.length < MOST_CELLS) this.otherCells.push(value.cell);
  }

  /** The same text where it came up before: millions of rows have the same few names. */
  shared(text: string): string {
    const known = this.texts.get(text);
    if (known === undefined) this.texts.set(text, text);
    return known ?? text;
  }
}

const MOST_CELLS = 5_000;

/** One run of all launches. Launches of the same kernel are samples of it, as are those of the same shape where shapes differ. */
export function ncuReading(tool: string, { launches, otherCells }: NcuLaunches, text: string): Reading {
  const measured = launches.filter(({ values }) => values.length > 0);
  const [first] = launches;
  if (measured.length === 0) return { runs: [], problems: [first ? nothingKnown(first.line) : noKernel()] };
  const sign = decimalSignOf(cellsOf(measured, otherCells));
  if (sign === null) return { runs: [], problems: [ambiguous(measured)] };
  const problems: ImportProblem[] = [];
  const groups = groupsOf(measured);
  const observed = groups.map((group) => observationsOf(group, sign, problems));
  const kept = mostTime(observed, problems);
  const toolVersion = /Nsight[- ]Compute[- /]{1,3}(\d{4}\.\d{1,2}(?:\.\d{1,3})?)/i.exec(text)?.[1] ?? null;
  const observations = kept.flat();
  const without = launches.length - measured.length;
  if (without > 0) problems.push(notKept(without));
  if (observations.length === 0) return { runs: [], problems: [...problems, nothingKnown(measured[0]?.line ?? null)] };
  const status = without > 0 ? 'PARTIAL' : 'OK';
  return {
    runs: [profileRun(tool, { status, toolVersion, environment: deviceFacts(launches), observations })],
    problems,
  };
}

function* cellsOf(launches: readonly NcuLaunch[], others: readonly string[]): Iterable<string> {
  for (const { values } of launches) for (const { cell } of values) yield cell;
  yield* others;
}

interface Group {
  readonly dimensions: ReadObservation['dimensions'];
  readonly launches: readonly NcuLaunch[];
}

function groupsOf(launches: readonly NcuLaunch[]): readonly Group[] {
  const severalDevices = new Set(launches.map(({ device }) => device)).size > 1;
  const shapes = new Map<string, Set<string>>();
  for (const { kernel, shape } of launches) {
    const found = shapes.get(kernel);
    if (found) found.add(shape);
    else shapes.set(kernel, new Set([shape]));
  }
  const dimensionsOf = ({ kernel, shape, device }: NcuLaunch): ReadObservation['dimensions'] => ({
    kernel: workName(kernel),
    ...((shapes.get(kernel)?.size ?? 0) > 1 ? { launch: shape } : {}),
    ...(severalDevices && device !== null ? { gpu: device } : {}),
  });
  const groups = groupedBy(launches, (launch) => JSON.stringify(dimensionsOf(launch)));
  return [...groups.values()].flatMap((group) => (group[0] ? [{ dimensions: dimensionsOf(group[0]), launches: group }] : [])); // prettier-ignore
}

interface Measured {
  readonly unit: string;
  readonly values: number[];
}

function observationsOf(
  { dimensions, launches }: Group,
  sign: DecimalSign,
  problems: ImportProblem[],
): readonly ReadObservation[] {
  const metrics = new Map<string, Measured>();
  for (const { values } of launches) {
    for (const [metric, { unit, value }] of valuesOf(values, sign, problems)) {
      const found = metrics.get(metric);
      if (found) found.values.push(convert(value, unit, found.unit));
      else metrics.set(metric, { unit, values: [value] });
    }
  }
  return [...metrics].flatMap(([metric, { unit, values }]) => {
    const value = medianOf(values);
    if (value === null) return [];
    return [{ metric, dimensions, value, unit, ...(values.length > 1 ? samplesWithDistribution(values) : {}) }];
  });
}

interface Value {
  readonly value: number;
  readonly unit: string;
  readonly rank: number;
}

/** The values of one launch by metric: of several names for one metric the preferred one. */
function valuesOf(
  values: readonly NcuValue[],
  sign: DecimalSign,
  problems: ImportProblem[],
): ReadonlyMap<string, Value> {
  const found = new Map<string, Value>();
  for (const { line, name, unit, cell } of values) {
    const known = metricOf(name, unit);
    const text = cell.replace(/^\(!\)\s{0,5}/, '');
    if (known === null || isNoValue(text)) continue;
    const value = numberOf(text, sign);
    if (value === null || !Number.isFinite(value) || value < 0) problems.push(noNumber(line, name, text));
    else if ((found.get(known.metric)?.rank ?? Infinity) > known.rank)
      found.set(known.metric, { value, unit: known.unit, rank: known.rank });
  }
  return found;
}

function mostTime(
  observed: readonly (readonly ReadObservation[])[],
  problems: ImportProblem[],
): readonly (readonly ReadObservation[])[] {
  if (observed.length <= MOST_NAMED) return observed;
  problems.push(tooManyNamed(observed.length, null));
  const time = (group: readonly ReadObservation[]): number => {
    const found = group.find(({ metric }) => metric === 'kernel.time');
    return found ? convert(found.value, found.unit, 'ns') * (found.distribution?.count ?? 1) : 0;
  };
  return observed.toSorted((a, b) => time(b) - time(a)).slice(0, MOST_NAMED);
}

function deviceFacts(launches: readonly NcuLaunch[]): Facts {
  const found = new Set(launches.map(({ capability }) => capability));
  const [capability] = found;
  if (found.size !== 1 || capability === undefined || capability === null) return { vendor: 'nvidia' };
  const architecture = architectureOf(capability);
  return { vendor: 'nvidia', ...(architecture ? { architecture } : {}), 'gpu.computeCapability': capability };
}

function noKernel(): ImportProblem {
  return error(null, 'No kernel was profiled', '没有剖析到任何核函数');
}

function nothingKnown(line: number | null): ImportProblem {
  return error(
    line,
    'None of the metrics here has a counterpart: profile with --set basic, or add gpu__time_duration.sum',
    '其中的指标都没有对应项：请用 --set basic 剖析，或加上 gpu__time_duration.sum',
  );
}

function notKept(count: number): ImportProblem {
  return warning(null, `Launches without a value that is kept: ${count}`, `有 ${count} 次核函数启动没有可采用的指标`, {
    scope: 'VALUE',
    code: 'LEFT_OUT',
  });
}

function noNumber(line: number, name: string, cell: string): ImportProblem {
  const shown = cell.slice(0, 60);
  return leftOut(line, `"${shown}" of ${name} is no number and was left out`, `${name} 的值“${shown}”不是数字，未采用`);
}

/** No number of the file tells whether its commas are decimal. */
function ambiguous(launches: readonly NcuLaunch[]): ImportProblem {
  const values = launches.flatMap((launch) => launch.values);
  const { line, cell } = values.find((value) => value.cell.includes(',')) ?? { line: null, cell: '' };
  const shown = cell.slice(0, 60);
  return error(
    line,
    `"${shown}" may be a fraction or thousands, and nothing else in the file tells: run ncu with LC_ALL=C`,
    `“${shown}”可能是小数，也可能是千分位，文件中没有其他数值可以判断：请以 LC_ALL=C 运行 ncu`,
  );
}
