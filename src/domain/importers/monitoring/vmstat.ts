import { error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines, linesOf, type LabeledLine } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { host } from './host-columns.js';
import { LeftOut, monitorReading, plainNumber, sinceBoot, sourceOf } from './monitor-run.js';
import { Monitor, type Column } from './ticks.js';
import { ownValue } from '../../own-value.js';

/** The rows of `vmstat <interval>`, with or without -a, -w and -t. */
export const vmstat: Importer = {
  tool: 'vmstat',
  what: 'vmstat',
  hasTicks: true,

  recognizes(text) {
    if (!text.includes('swpd')) return false;
    let isHeading = false;
    for (const { text: line } of labeledLines(text)) {
      if (isHeading && columnsOf(line)) return true;
      isHeading = isGroups(line);
    }
    return false;
  },

  nearMiss(text) {
    let number = 0;
    for (const line of linesOf(text.slice(0, LOOKED_AT))) {
      number += 1;
      if (/^disk- -+reads-+ -+writes-+/.test(line) || /^ {1,20}\d{1,15} \w total memory$/.test(line)) {
        return error(
          number,
          'Of vmstat only the report over time is read: send vmstat <seconds>, without -d, -D, -m, -p and -s',
          '只读取 vmstat 的时间序列报告：请上传 vmstat <秒数> 的输出，不带 -d、-D、-m、-p、-s',
        );
      }
      if (columnsOf(line)) {
        return error(
          number,
          'The line that begins with "procs" is missing above the names of the columns of vmstat',
          'vmstat 列名上方缺少以“procs”开头的那一行',
        );
      }
    }
    return null;
  },

  read(text): Reading {
    const report = new Report();
    for (const line of labeledLines(text)) report.take(line);
    return report.reading();
  },
};

const LOOKED_AT = 65_536;

const measured: Readonly<Record<string, Column>> = {
  r: host.runnable,
  b: host.blocked,
  // in KiB/s unless -S says otherwise
  si: { ...host.swapIn, unit: 'KiB/s' },
  so: { ...host.swapOut, unit: 'KiB/s' },
  // always blocks of 1 KiB
  bi: { ...host.diskRead, unit: 'KiB/s' },
  bo: { ...host.diskWrite, unit: 'KiB/s' },
  in: host.interrupts,
  cs: host.contextSwitches,
  us: host.cpuUser,
  sy: host.cpuSystem,
  id: host.cpuIdle,
  wa: host.cpuWait,
  st: host.cpuSteal,
};
const names = new Set([...Object.keys(measured), 'swpd', 'free', 'buff', 'cache', 'inact', 'active', 'gu']);

const isGroups = (line: string) => /^\s{0,20}-{0,4}procs-{0,4} -{3,40}memory-{3,40} -{1,9}swap-/.test(line);

/** The columns of the second line of the heading, before the zone that -t adds. */
function columnsOf(line: string): readonly string[] | null {
  if (!/^\s{0,20}r +b +swpd +free +/.test(line)) return null;
  const words = line.trim().split(/\s+/);
  const end = words.findIndex((word) => !names.has(word));
  const columns = end < 0 ? words : words.slice(0, end);
  return columns.includes('us') && columns.includes('id') ? columns : null;
}

interface Row {
  readonly cells: readonly string[];
  readonly line: LabeledLine;
}

class Report {
  private columns: readonly string[] | null = null;
  private firstLine = 0;
  private lastLine = 0;
  private readonly monitor = new Monitor();
  private readonly leftOut = new LeftOut();
  /** The first row of each process that printed, until a second one shows that it can be left out. */
  private readonly held = new Map<string | null, Row>();
  private readonly started = new Set<string | null>();
  private command: string | null = null;
  private firstTime: { readonly text: string; readonly line: number } | null = null;

  take(line: LabeledLine): void {
    if (line.text.trim() === '') return;
    this.lastLine = line.number;
    const columns = columnsOf(line.text);
    if (columns) {
      this.columns = columns;
      this.firstLine ||= line.number;
    } else if (this.columns) this.takeRow(line, this.columns);
    else this.command = /\bvmstat( [\w -]{0,100})$/.exec(line.text.slice(0, 400))?.[1] ?? this.command;
  }

  private takeRow(line: LabeledLine, columns: readonly string[]): void {
    const words = line.text.trim().split(/\s+/);
    const cells = words.slice(0, columns.length);
    if (cells.length < columns.length || !cells.every((cell) => /^\d{1,20}$/.test(cell))) {
      if (/^\d+$/.test(words[0] ?? '') && words.length > 2) this.leftOut.row(line.number);
      return;
    }
    this.keepTime(words.slice(columns.length).join(' '), line.number);
    const row = { cells, line };
    if (this.started.has(line.label) || this.startsAtOnce) this.keep(row, columns);
    else this.held.set(line.label, row);
    this.started.add(line.label);
  }

  /** -y leaves the report since the start of the machine out. */
  private get startsAtOnce(): boolean {
    return /\s-\w{0,10}y/.test(this.command ?? '');
  }

  private keepTime(text: string, line: number): void {
    if (!this.firstTime && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) this.firstTime = { text, line };
  }

  private keep({ cells, line }: Row, columns: readonly string[]): void {
    const device = this.monitor.device(sourceOf(line.label));
    for (const [place, name] of columns.entries()) {
      const column = ownValue(measured, name);
      const value = plainNumber(cells[place] ?? '');
      const isInOtherUnit = (name === 'si' || name === 'so') && /\s-\w{0,10}S/.test(this.command ?? '');
      if (column && value !== null && !isInOtherUnit) device.add(column, value);
    }
  }

  reading(): Reading {
    const isAlone = this.monitor.observations().length === 0;
    const rows = [...this.held.values()];
    if (isAlone) for (const row of rows) this.keep(row, this.columns ?? []);
    const start = this.firstTime;
    const started = start && startedAtOf(`${start.text.replace(' ', 'T')}Z`, start.text, start.line);
    const boot: readonly ImportProblem[] = rows.slice(0, 1).map(({ line }) => sinceBoot(line.number, isAlone ? 'ONLY' : 'FIRST_OF_SEVERAL')); // prettier-ignore
    return monitorReading({
      tool: 'vmstat',
      startedAt: started?.startedAt ?? null,
      environment: { os: 'Linux' },
      observations: this.monitor.observations(),
      isPartial: !this.leftOut.isEmpty,
      problems: [...boot, ...this.leftOut.problems(this.lastLine), ...(started?.problems ?? [])],
      line: this.firstLine,
    });
  }
}
