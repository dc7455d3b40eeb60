import type { Facts } from '../../measurement/environment-diff.js';
import { error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines, linesOf, type LabeledLine } from '../labeled-lines.js';
import { decimalSignOf, isNoValue, numberOf, type DecimalSign } from '../number.js';
import { startedAtOf } from '../started-at.js';
import { host } from './host-columns.js';
import { LeftOut, monitorReading, sinceBoot, sourceOf } from './monitor-run.js';
import { Monitor, type Column } from './ticks.js';
import { ownValue } from '../../own-value.js';

/** The reports of iostat of sysstat, with or without -x, -k, -m, -t and -y: of the CPUs and of each block device. */
export const iostat: Importer = {
  tool: 'iostat',
  what: 'iostat',
  hasTicks: true,

  recognizes(text) {
    if (!/avg-cpu|Device/.test(text)) return false;
    for (const { text: line } of labeledLines(text)) if (isCpuHeading(line) || columnsOf(line)) return true;
    return false;
  },

  nearMiss(text) {
    if (/^\s{0,100}\{\s{0,100}"sysstat"\s{0,100}:/.test(text)) {
      return error(
        1,
        'The JSON of sysstat is not read: send the output of iostat without -o JSON',
        '不读取 sysstat 的 JSON，请上传不带 -o JSON 的 iostat 输出',
      );
    }
    let number = 0;
    for (const line of linesOf(text.slice(0, LOOKED_AT))) {
      number += 1;
      if (system.test(line)) {
        return error(
          number,
          'Of sysstat only the reports of iostat are read',
          'sysstat 系列工具中只读取 iostat 的报告',
        );
      }
    }
    return null;
  },

  read(text): Reading {
    const lines: LabeledLine[] = [];
    for (const line of labeledLines(text)) if (line.text !== '') lines.push(line);
    const sign = decimalSignOf(cellsOf(lines));
    if (sign === null) {
      const doubtful = lines.find(({ text: line }) => /(?:^|\s)\d{1,3},\d{3}(?:\s|$)/.test(line));
      const value = /\d{1,3},\d{3}/.exec(doubtful?.text ?? '')?.[0] ?? '';
      return { runs: [], problems: [ambiguous(doubtful?.number ?? 1, value)] };
    }
    const human = lines.find(({ text: line }) => /(?:^|\s)\d{1,9}[.,]\d[kMGT%](?:\s|$)/.test(line));
    if (human) return { runs: [], problems: [rounded(human.number)] };
    const reports = new Reports(sign);
    for (const line of lines) reports.take(line);
    return reports.reading();
  },
};

const LOOKED_AT = 65_536;
const system = /^Linux (\S{1,60}) \([^)]{0,255}\)\s{1,10}(\S{1,40})\s{1,10}_([\w-]{1,20})_\s{1,10}\(\d{1,6} CPU\)/;

function ambiguous(line: number, value: string): ImportProblem {
  return error(
    line,
    `The value ${value} may be a number with a decimal comma or with a separator of thousands: repeat with LC_ALL=C`,
    `值 ${value} 中的逗号可能是小数点，也可能是千位分隔符：请设置 LC_ALL=C 后重新采集`,
  );
}

function rounded(line: number): ImportProblem {
  return error(
    line,
    'The numbers are rounded and their units differ: repeat iostat without -h and --human',
    '数值已取整且单位不一致：请去掉 -h 和 --human 后重新采集',
  );
}

const cpu: Readonly<Record<string, Column>> = {
  '%user': host.cpuUser,
  '%system': host.cpuSystem,
  '%iowait': host.cpuWait,
  '%steal': host.cpuSteal,
  '%idle': host.cpuIdle,
};

const readRate = { metric: 'io.device_read_bandwidth', unit: 'B/s' };
const writeRate = { metric: 'io.device_write_bandwidth', unit: 'B/s' };
/** iostat writes kB, MB and GB for powers of 1024. A block or sector is 512 bytes. */
const sizes: readonly (readonly [string, { readonly unit: string; readonly scale?: number }])[] = [
  ['kB', { unit: 'KiB/s' }],
  ['MB', { unit: 'MiB/s' }],
  ['GB', { unit: 'GiB/s' }],
  ['Blk', { unit: 'B/s', scale: 512 }],
  ['sec', { unit: 'B/s', scale: 512 }],
];

const disk: Readonly<Record<string, Column>> = {
  tps: { metric: 'io.device_iops', unit: 'IOPS' },
  'r/s': { metric: 'io.device_read_iops', unit: 'IOPS' },
  'w/s': { metric: 'io.device_write_iops', unit: 'IOPS' },
  await: { metric: 'io.device_latency', unit: 'ms' },
  r_await: { metric: 'io.device_read_latency', unit: 'ms' },
  w_await: { metric: 'io.device_write_latency', unit: 'ms' },
  'avgqu-sz': { metric: 'io.device_queue_length', unit: 'count' },
  'aqu-sz': { metric: 'io.device_queue_length', unit: 'count' },
  '%util': { metric: 'io.device_utilization', unit: '%' },
  ...Object.fromEntries(
    sizes.flatMap(([name, size]) => [
      [`${name}_read/s`, { ...readRate, ...size }],
      [`${name}_wrtn/s`, { ...writeRate, ...size }],
      [`r${name}/s`, { ...readRate, ...size }],
      [`w${name}/s`, { ...writeRate, ...size }],
    ]),
  ),
};

const isCpuHeading = (line: string) => /^\s{0,20}avg-cpu: {1,10}%user +%nice +%system +%iowait/.test(line);

/** The columns of a table of devices, with `Device` first or, with --pretty, last; null where the line is none. */
function columnsOf(line: string): readonly string[] | null {
  if (!/^\s{0,20}Device:? |\sDevice:?\s*$/.test(line)) return null;
  const names = line.trim().split(/\s+/).map((name) => name.replace(/^Device:$/, 'Device')); // prettier-ignore
  const isOurs = names.filter((name) => Object.hasOwn(disk, name)).length >= 2;
  return isOurs && names.indexOf('Device') === names.lastIndexOf('Device') ? names : null;
}

function* cellsOf(lines: readonly LabeledLine[]): Iterable<string> {
  for (const { text } of lines) {
    if (text.startsWith('Linux')) continue;
    for (const cell of text.trim().split(/\s+/).slice(0, 40)) yield cell;
  }
}

interface Tick {
  readonly device: Readonly<Record<string, string>>;
  readonly column: Column;
  readonly value: number;
}

class Reports {
  private readonly monitor = new Monitor();
  private readonly leftOut = new LeftOut();
  private readonly ordinals = new Map<string, number>();
  private columns: readonly string[] | null = null;
  private place: 'CPU' | 'DEVICES' | 'ELSEWHERE' = 'ELSEWHERE';
  private report = 0;
  /** The tables of devices of this report, by their columns. */
  private readonly parts = new Set<string>();
  private environment: Facts = { os: 'Linux' };
  private startsAtOnce = false;
  /** What the first report says, until a second one shows that it can be left out. */
  private readonly held: Tick[] = [];
  private firstLine = 0;
  private lastLine = 0;
  private firstTime: { readonly text: string; readonly line: number } | null = null;

  constructor(private readonly decimal: DecimalSign) {}

  take(line: LabeledLine): void {
    const { text, number } = line;
    if (text.trim() === '') return;
    this.lastLine = number;
    const found = system.exec(text);
    if (found) this.environment = { ...this.environment, kernel: found[1] ?? '', 'cpu.architecture': found[3] ?? '' };
    else if (isCpuHeading(text)) this.startReport('CPU', text.trim().split(/\s+/).slice(1), number);
    else if (columnsOf(text)) this.startReport('DEVICES', columnsOf(text) ?? [], number);
    else if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/.test(text.trim())) this.keepTime(text.trim(), number);
    else if (this.columns) this.takeRow(line, this.columns);
    else if (/\biostat [^|;&]{0,200}/.test(text.slice(0, 400))) this.startsAtOnce ||= /\s-\w{0,10}y/.test(text);
  }

  private startReport(place: 'CPU' | 'DEVICES', columns: readonly string[], line: number): void {
    this.firstLine ||= line;
    // with -d there are no CPUs between the tables of devices; --pretty cuts a table in several
    const part = columns.join(' ');
    if (place === 'CPU' || this.report === 0 || this.parts.has(part)) this.report += 1;
    if (place === 'CPU' || this.parts.has(part)) this.parts.clear();
    if (place === 'DEVICES') this.parts.add(part);
    this.columns = columns;
    this.place = place;
  }

  private keepTime(text: string, line: number): void {
    this.columns = null;
    this.firstTime ??= { text, line };
  }

  private takeRow(line: LabeledLine, columns: readonly string[]): void {
    const cells = line.text.trim().split(/\s+/);
    if (cells.length !== columns.length) {
      if (cells.length > 2) this.leftOut.row(line.number);
      return;
    }
    const at = columns.indexOf('Device');
    const name = at < 0 ? null : this.nameOf(cells[at] ?? '');
    const device = { ...(name === null ? {} : { device: name }), ...sourceOf(line.label) };
    for (const [place, column] of columns.entries()) {
      const known = this.place === 'CPU' ? cpu : disk;
      const meaning = ownValue(known, column);
      const cell = cells[place] ?? '';
      const value = meaning ? numberOf(cell, this.decimal) : null;
      // the latency of no request at all is printed as 0
      if (meaning && value === 0 && /await$/.test(column)) continue;
      if (meaning && value !== null) this.keep({ device, column: meaning, value });
      else if (meaning && !isNoValue(cell)) this.leftOut.cell(line.number, cell);
    }
    if (this.place === 'CPU') this.columns = null;
  }

  private keep(tick: Tick): void {
    if (this.report === 1 && !this.startsAtOnce) this.held.push(tick);
    else this.monitor.device(tick.device).add(tick.column, tick.value);
  }

  /** Names of the kernel stay; others may hold serial numbers or names of people, and become numbers. */
  private nameOf(name: string): string {
    if (/^(?:[shv]d[a-z]{1,3}\d{0,3}|xvd[a-z]{1,2}\d{0,3}|nvme\d{1,3}(?:c\d{1,3})?n\d{1,3}(?:p\d{1,3})?|(?:dm-|md|sr|loop|nbd|rbd|ram|zram|pmem|mmcblk)\d{1,4}(?:p\d{1,3})?)$/.test(name)) return name; // prettier-ignore
    const ordinal = this.ordinals.get(name) ?? this.ordinals.size + 1;
    this.ordinals.set(name, ordinal);
    return `other ${ordinal}`;
  }

  reading(): Reading {
    const isAlone = this.report < 2;
    if (isAlone) for (const { device, column, value } of this.held) this.monitor.device(device).add(column, value);
    const boot = this.held.length === 0 ? [] : [sinceBoot(this.firstLine, isAlone ? 'ONLY' : 'FIRST_OF_SEVERAL')];
    const start = this.firstTime;
    const started = start && startedAtOf(start.text.replace(/(\d\d)$/, ':$1'), start.text, start.line);
    return monitorReading({
      tool: 'iostat',
      startedAt: started?.startedAt ?? null,
      environment: this.environment,
      observations: this.monitor.observations(),
      isPartial: !this.leftOut.isEmpty,
      problems: [...boot, ...this.leftOut.problems(this.lastLine), ...(started?.problems ?? [])],
      line: this.firstLine,
    });
  }
}
