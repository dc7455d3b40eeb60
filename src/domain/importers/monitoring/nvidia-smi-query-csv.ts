import { csvColumnsOf, nvidiaSmiCsv, smiTimeOf } from '../../applicability/facts/nvidia-smi-csv.js';
import { unquoted } from '../../applicability/facts/nvidia-devices.js';
import { error, warning, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines, linesOf, type LabeledLine } from '../labeled-lines.js';
import { isNoValue } from '../number.js';
import { startedAtOf } from '../started-at.js';
import { ClockLimits, limitsOfMask } from './clock-limits.js';
import { gpu } from './gpu-columns.js';
import { joinedReadings, LeftOut, monitorReading, plainNumber, sourceOf } from './monitor-run.js';
import { nvidiaFacts, withoutCounts } from './nvidia-facts.js';
import { Monitor, type Column, type Device } from './ticks.js';

/** The CSV of `nvidia-smi --query-gpu` with its heading: one row for each GPU, or many rows over time. */
export const nvidiaSmiQueryCsv: Importer = {
  tool: 'nvidia-smi-query-csv',
  what: 'nvidia-smi --query-gpu=… --format=csv',
  hasTicks: true,

  recognizes: (text) => hasTable(text),

  nearMiss(text) {
    let number = 0;
    for (const line of linesOf(text.slice(0, LOOKED_AT))) {
      number += 1;
      const columns = csvColumnsOf(unquoted(line));
      if (columns && columns.names.some((name) => /^(?:pci|pcie|memory|power|clocks|ecc|mig)\.|^driver_/.test(name))) {
        return withoutReadings(number);
      }
      if (withUnits.test(line) || (withTime.test(line) && line.split(', ').length > 2)) return withoutHeading(number);
    }
    return null;
  },

  read(text): Reading {
    const plain: string[] = [];
    const tables: Table[] = [];
    let open: Table | null = null;
    let lastLine = 0;
    for (const line of labeledLines(text)) {
      const whole = unquoted(line.text).trim();
      plain.push(whole);
      if (whole === '') continue;
      lastLine = line.number;
      const columns = csvColumnsOf(whole);
      // a loop in a shell prints the heading before each row
      if (columns && columns.line === open?.heading) continue;
      if (columns) {
        open = new Table(columns.names, columns.line, line.number);
        tables.push(open);
      } else open?.take(whole, line);
    }
    const withRows = tables.filter(({ lastRow }) => lastRow > 0);
    const used = withRows.length > 0 ? withRows : tables.slice(0, 1);
    return joinedReadings(used.map((table) => table.reading(plain, lastLine)));
  },
};

/** Of what nobody recognizes, the beginning is enough. */
const LOOKED_AT = 65_536;
const withUnits = /^[^|]{0,200}\d (?:%|MiB|W|MHz), (?:[^|]{0,200}, )?\d{1,9}(?:\.\d{1,3})? (?:%|MiB|W|MHz)(?:,|\s*$)/;
const withTime = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d{3}, /;

function withoutHeading(line: number): ImportProblem {
  return error(
    line,
    'This looks like nvidia-smi --query-gpu with noheader: without the names of the columns it cannot be read. Put the list of fields above it, separated by ", "',
    '这看起来像带 noheader 的 nvidia-smi --query-gpu 输出，没有列名就无法读取。请在首行补上以“, ”分隔的字段列表',
  );
}

function withoutReadings(line: number): ImportProblem {
  return error(
    line,
    'This output of nvidia-smi --query-gpu has no column that is measured: ask for power.draw, utilization.gpu, memory.used, clocks.sm or temperature.gpu, and keep the rows',
    '该 nvidia-smi --query-gpu 输出中没有测量数据：请查询 power.draw、utilization.gpu、memory.used、clocks.sm 或 temperature.gpu，并保留数据行',
  );
}

/** For each thing measured the columns that hold it; the first one with a value counts. */
const measured: readonly (readonly [Column, readonly string[]])[] = [
  [gpu.power, ['power.draw', 'power.draw.average', 'power.draw.instant']],
  [gpu.utilization, ['utilization.gpu']],
  [gpu.memoryUtilization, ['utilization.memory']],
  [gpu.encoder, ['utilization.encoder']],
  [gpu.decoder, ['utilization.decoder']],
  [gpu.jpeg, ['utilization.jpeg']],
  [gpu.opticalFlow, ['utilization.ofa']],
  [gpu.memoryUsed, ['memory.used']],
  [gpu.temperature, ['temperature.gpu']],
  [gpu.memoryTemperature, ['temperature.memory']],
  [gpu.coreClock, ['clocks.current.sm', 'clocks.sm']],
  [gpu.memoryClock, ['clocks.current.memory', 'clocks.mem']],
  [gpu.uncorrectedErrors, ['ecc.errors.uncorrected.volatile.total']],
];
const measuredNames = new Set(measured.flatMap(([, names]) => names));
const limits =
  /^clocks_(?:throttle|event)_reasons\.(sw_power_cap|hw_slowdown|sw_thermal_slowdown|hw_thermal_slowdown|hw_power_brake_slowdown)$/;
const limitMask = /^clocks_(?:throttle|event)_reasons\.active$/;
const ids = ['uuid', 'gpu_uuid', 'pci.bus_id', 'gpu_bus_id', 'serial'];

/** A heading with a measured column, and a row of as many cells below it. */
function hasTable(text: string): boolean {
  if (![...measuredNames].some((name) => text.includes(name))) return false;
  let expected: readonly string[] | null = null;
  for (const { text: line } of labeledLines(text)) {
    const whole = unquoted(line).trim();
    if (whole === '') continue;
    if (expected && isRow(whole, expected)) return true;
    const columns: ReturnType<typeof csvColumnsOf> = csvColumnsOf(whole);
    expected = columns && columns.names.some((name) => measuredNames.has(name)) ? columns.names : null;
  }
  return false;
}

function isRow(line: string, names: readonly string[]): boolean {
  if (names.length > 1) return line.split(', ').length === names.length;
  return valueOf(line, measured.find(([, known]) => known.includes(names[0] ?? ''))?.[0].unit ?? '') !== null;
}

/** The number of a cell such as `627.40 W` or, with nounits, `627.40`. */
function valueOf(cell: string, unit: string): number | null {
  const end = ` ${unit}`;
  return plainNumber(cell.endsWith(end) ? cell.slice(0, -end.length) : cell);
}

/** The rows below one heading. */
class Table {
  private readonly monitor = new Monitor();
  private readonly limits = new ClockLimits();
  private readonly leftOut = new LeftOut();
  private readonly ordinals = new Map<string, number>();
  private readonly places: readonly { readonly column: Column; readonly at: readonly number[] }[];
  private readonly limitPlaces: readonly { readonly at: number; readonly reason: string | null }[];
  private readonly timePlace: number;
  private readonly indexPlace: number;
  private readonly idPlaces: readonly number[];
  private firstTime: { readonly text: string; readonly time: number; readonly line: number } | null = null;
  lastRow = 0;
  private rows = 0;
  private isMixedByLauncher = false;

  constructor(
    private readonly names: readonly string[],
    readonly heading: string,
    private readonly line: number,
  ) {
    const placesOf = (wanted: readonly string[]) => wanted.map((name) => names.indexOf(name)).filter((at) => at >= 0);
    this.places = measured
      .map(([column, wanted]) => ({ column, at: placesOf(wanted) }))
      .filter(({ at }) => at.length > 0);
    this.limitPlaces = names.flatMap((name, at) => {
      const reason = limits.exec(name)?.[1];
      return reason !== undefined || limitMask.test(name) ? [{ at, reason: reason ?? null }] : [];
    });
    this.timePlace = names.indexOf('timestamp');
    this.indexPlace = names.indexOf('index');
    this.idPlaces = placesOf(ids);
  }

  take(whole: string, line: LabeledLine): void {
    const cells = whole.split(', ').map((cell) => cell.trim());
    if (cells.length !== this.names.length) {
      // what a program prints between the rows is no row
      if (cells.length > 1 || (this.names.length > 1 && isNoValue(whole))) this.leftOut.row(line.number);
      return;
    }
    if (this.names.length === 1 && valueOf(whole, this.places[0]?.column.unit ?? '') === null) return;
    this.rows += 1;
    this.lastRow = line.number;
    if (line.label !== null) this.isMixedByLauncher = true;
    const device = this.monitor.device({ ...this.idOf(cells), ...sourceOf(line.label) });
    this.keepTime(cells[this.timePlace], line.number);
    for (const place of this.places) this.keepValue(device, place, cells, line.number);
    this.keepLimits(device, cells, line.number);
  }

  private keepValue(
    device: Device,
    { column, at }: { readonly column: Column; readonly at: readonly number[] },
    cells: readonly string[],
    line: number,
  ): void {
    for (const place of at) {
      const cell = cells[place] ?? '';
      const value = valueOf(cell, column.unit);
      if (value !== null) return device.add(column, value);
      if (!isNoValue(cell) && !/^\[|^N\/A|^ERR!/.test(cell)) this.leftOut.cell(line, cell);
    }
  }

  private keepLimits(device: Device, cells: readonly string[], line: number): void {
    const found = this.limitPlaces.map(({ at, reason }) => {
      const cell = cells[at] ?? '';
      if (reason === null) return limitsOfMask(cell);
      return cell === 'Active' ? [reason] : cell === 'Not Active' ? [] : null;
    });
    const known = found.filter((reasons) => reasons !== null);
    if (known.length > 0) this.limits.take(device.dimensions, [...new Set(known.flat())], line);
  }

  private keepTime(text: string | undefined, line: number): void {
    const time = this.firstTime ? null : smiTimeOf(text);
    if (time !== null && text !== undefined) this.firstTime = { text, time, line };
  }

  /** The number of the GPU; where only its UUID or bus id tells, the place at which it first appears. */
  private idOf(cells: readonly string[]): Readonly<Record<string, number>> {
    const index = cells[this.indexPlace] ?? '';
    if (/^\d{1,4}$/.test(index)) return { gpu: Number(index) };
    const id = this.idPlaces.map((place) => cells[place] ?? '').find((cell) => /[1-9A-Fa-f]/.test(cell.slice(4)));
    if (id === undefined || isNoValue(id)) return {};
    const ordinal = this.ordinals.get(id) ?? this.ordinals.size;
    this.ordinals.set(id, ordinal);
    return { gpu: ordinal };
  }

  reading(lines: readonly string[], lastLine: number): Reading {
    const facts = nvidiaFacts(nvidiaSmiCsv, lines, {
      firstLine: this.line,
      lastLine: Math.min(this.lastRow, this.line + ROWS_FOR_FACTS),
    });
    const isOne = facts.environment['gpu.count'] === 1 || this.rows < 2;
    const isMixed = this.indexPlace < 0 && this.idPlaces.length === 0 && !isOne;
    const start = this.firstTime;
    const started = start && startedAtOf(new Date(start.time).toISOString(), start.text, start.line);
    return monitorReading({
      tool: 'nvidia-smi-query-csv',
      startedAt: started?.startedAt ?? null,
      environment: this.isMixedByLauncher ? withoutCounts(facts.environment) : facts.environment,
      observations: [...this.monitor.observations(), ...this.limits.observations()],
      isPartial: !this.leftOut.isEmpty,
      problems: [
        ...facts.problems,
        ...(isMixed ? [mixed(this.line)] : []),
        ...this.limits.problems(),
        ...this.leftOut.problems(lastLine),
        ...(started?.problems ?? []),
      ],
      line: this.line,
    });
  }
}

/** The facts are the same in all rows. */
const ROWS_FOR_FACTS = 500;

function mixed(line: number): ImportProblem {
  return warning(
    line,
    'The rows do not tell the GPUs apart: the values are those of all rows together. Ask for index as well',
    '这些行无法区分各块 GPU，数值为所有行合计。请在查询中加上 index',
    { code: 'GROUPED' },
  );
}
