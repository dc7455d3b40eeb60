import { CsvError, parse } from 'csv-parse/sync';
import { error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { linesOf } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { host } from './host-columns.js';
import { joinedReadings, LeftOut, monitorReading, plainNumber, sinceBoot } from './monitor-run.js';
import { months, twoDigits } from './nvidia-facts.js';
import { Monitor, type Column, type Device } from './ticks.js';
import { ownValue } from '../../own-value.js';

/** What `dstat --output` writes. The columns of each group stand in the order that the command asks for. */
export const dstat: Importer = {
  tool: 'dstat',
  what: 'dstat --output (CSV)',
  hasTicks: true,

  recognizes: (text) => title.test(text),

  nearMiss(text) {
    if (/^\s{0,100}"?pcp-dstat [\d.]{1,20} CSV [Oo]utput"?/.test(text)) {
      return error(
        1,
        'The CSV of pcp-dstat is not read: use dstat 0.7, or vmstat and iostat',
        '不读取 pcp-dstat 的 CSV，请使用 dstat 0.7，或 vmstat 与 iostat',
      );
    }
    let number = 0;
    for (const line of linesOf(text.slice(0, 65_536))) {
      number += 1;
      if (/"total cpu usage"|"dsk\/total"|"net\/total"/.test(line)) {
        return error(
          number,
          'This looks like the CSV of dstat without its first lines: send the file from "Dstat … CSV output" on',
          '这看起来像缺少开头几行的 dstat CSV，请从“Dstat … CSV output”那一行开始上传',
        );
      }
    }
    return null;
  },

  read(text): Reading {
    const reports: Report[] = [];
    let number = 0;
    let lastLine = 0;
    for (const line of linesOf(text)) {
      number += 1;
      if (line.trim() === '') continue;
      lastLine = number;
      const version = titleLine.exec(line)?.[1];
      const last = reports.at(-1);
      if (version !== undefined) reports.push(new Report(version, number));
      // to a file that is there dstat appends without the title
      else if (line.startsWith('"Host:"') && last?.hasColumns) reports.push(new Report(last.version, number));
      else last?.take(line, number);
    }
    return joinedReadings(reports.map((report) => report.reading(lastLine)));
  },
};

const title = /(?:^|\n)"Dstat \d[\w.]{0,20} CSV output"/;
const titleLine = /^"Dstat (\d[\w.]{0,20}) CSV output"/;

/** By the name of the group and that of the column. Rates are per second, sizes in bytes. */
const measured: Readonly<Record<string, Column>> = {
  'cpu usr': host.cpuUser,
  'cpu sys': host.cpuSystem,
  'cpu idl': host.cpuIdle,
  'cpu wai': host.cpuWait,
  'cpu stl': host.cpuSteal,
  'cpu siq': host.softInterrupts,
  'procs run': host.runnable,
  'procs blk': host.blocked,
  'system int': host.interrupts,
  'system csw': host.contextSwitches,
  'dsk read': host.diskRead,
  'dsk writ': host.diskWrite,
  'net recv': host.received,
  'net send': host.sent,
  'paging in': host.swapIn,
  'paging out': host.swapOut,
  'memory usage used': host.memoryUsed,
  'swap used': host.swapUsed,
};

interface Place {
  readonly column: Column;
  readonly dimensions: Readonly<Record<string, string | number>>;
}

/** The meaning of one column, null for one that is not read. */
function placeOf(group: string, column: string): Place | null {
  // with several CPUs, disks or interfaces the group stands before the column too
  const name = column.split(':').at(-1) ?? '';
  const cpu = /^(total cpu|cpu(\d{1,4})) usage$/.exec(group);
  const [, kind = '', device = ''] = /^(dsk|net)\/([\w.:-]{1,30})$/.exec(group) ?? [];
  const key = `${cpu ? 'cpu' : kind || group} ${name}`;
  const meaning = ownValue(measured, key);
  if (!meaning) return null;
  if (cpu?.[2] !== undefined) return { column: meaning, dimensions: { cpu: Number(cpu[2]) } };
  return { column: meaning, dimensions: device === '' || device === 'total' ? {} : { device } };
}

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

class Report {
  private readonly monitor = new Monitor();
  private readonly devices = new Map<Place, Device>();
  private readonly leftOut = new LeftOut();
  private groups: readonly string[] | null = null;
  private places: readonly (Place | null)[] | null = null;
  private command: string | null = null;
  private date: { readonly text: string; readonly line: number } | null = null;
  private first: Row | null = null;
  private rows = 0;

  constructor(
    readonly version: string,
    private readonly line: number,
  ) {}

  get hasColumns(): boolean {
    return this.places !== null;
  }

  take(text: string, line: number): void {
    if (!text.startsWith('"')) return this.takeRow(text, line);
    const cells = cellsOf(text);
    if (cells === null) this.leftOut.row(line);
    else if (cells[0] === 'Cmdline:') this.keepCommand(cells, line);
    else if (/^(?:Author|Host|User|URL):$/.test(cells[0] ?? '')) return;
    else if (this.groups === null) this.groups = cells;
    else if (this.places === null) this.places = this.placesOf(this.groups, cells);
  }

  private keepCommand(cells: readonly string[], line: number): void {
    this.command = cells[1]?.slice(0, 4_000) ?? null;
    const at = cells.indexOf('Date:');
    if (at >= 0) this.date = { text: cells[at + 1] ?? '', line };
  }

  /** A group is named above its first column only. */
  private placesOf(groups: readonly string[], columns: readonly string[]): readonly (Place | null)[] {
    let group = '';
    return columns.map((column, at) => {
      group = groups[at] || group;
      return placeOf(group, column);
    });
  }

  private takeRow(text: string, line: number): void {
    const { places } = this;
    if (!places) return;
    const cells = text.split(',').map((cell) => cell.trim());
    if (cells.length !== places.length) return this.leftOut.row(line);
    this.rows += 1;
    if (this.rows === 1) this.first = { cells, line };
    else this.keep({ cells, line }, places);
  }

  private keep({ cells, line }: Row, places: readonly (Place | null)[]): void {
    for (const [at, place] of places.entries()) {
      const cell = cells[at] ?? '';
      const value = place ? plainNumber(cell) : null;
      if (place && value !== null) this.deviceAt(place).add(place.column, value);
      else if (place && cell !== '' && cell !== '-') this.leftOut.cell(line, cell);
    }
  }

  private deviceAt(place: Place): Device {
    const device = this.devices.get(place) ?? this.monitor.device(place.dimensions);
    this.devices.set(place, device);
    return device;
  }

  reading(lastLine: number): Reading {
    const { first, places } = this;
    const isAlone = this.rows < 2;
    if (first && places && isAlone) this.keep(first, places);
    const boot: readonly ImportProblem[] = first ? [sinceBoot(first.line, isAlone ? 'ONLY' : 'FIRST_OF_SEVERAL')] : [];
    const iso = isoOf(this.date?.text ?? '');
    const started = this.date && iso !== null ? startedAtOf(iso, this.date.text, this.date.line) : null;
    return monitorReading({
      tool: 'dstat',
      toolVersion: this.version,
      startedAt: started?.startedAt ?? null,
      command: this.command,
      environment: { os: 'Linux' },
      observations: this.monitor.observations(),
      isPartial: !this.leftOut.isEmpty,
      problems: [...boot, ...this.leftOut.problems(lastLine), ...(started?.problems ?? [])],
      line: this.line,
    });
  }
}

/** The cells of a line with quotes; null where the quotes do not close. */
function cellsOf(line: string): readonly string[] | null {
  if ((line.match(/"/g)?.length ?? 0) % 2 !== 0) return null;
  try {
    const [cells]: string[][] = parse(line, { relax_column_count: true, relax_quotes: true });
    return cells ?? null;
  } catch (fault) {
    if (fault instanceof CsvError) return null;
    throw fault;
  }
}

/** `31 Jan 2019 14:44:21 EST`: the time of the machine. Names of zones are not unique, so it is taken as UTC. */
function isoOf(text: string): string | null {
  const found = /^(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d)/.exec(text);
  const month = months.indexOf(found?.[2] ?? '') + 1;
  if (!found || month === 0) return null;
  return `${found[3]}-${twoDigits(month)}-${twoDigits(Number(found[1]))}T${found[4]}Z`;
}
