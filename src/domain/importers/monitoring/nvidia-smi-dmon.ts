import { error, warning, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines, linesOf, type LabeledLine } from '../labeled-lines.js';
import { isNoValue } from '../number.js';
import { startedAtOf } from '../started-at.js';
import { ClockLimits } from './clock-limits.js';
import { gpu } from './gpu-columns.js';
import { joinedReadings, LeftOut, monitorReading, plainNumber, sourceOf } from './monitor-run.js';
import { Monitor, type Column } from './ticks.js';
import { ownValue } from '../../own-value.js';

/** The scrolling tables of `nvidia-smi dmon` (one row for each GPU and tick) and `nvidia-smi pmon` (for each process). */
export const nvidiaSmiDmon: Importer = {
  tool: 'nvidia-smi-dmon',
  what: 'nvidia-smi dmon, nvidia-smi pmon',
  hasTicks: true,

  recognizes(text) {
    if (!text.includes('gpu') || !text.includes('Idx')) return false;
    let isHeading = false;
    for (const { text: line } of labeledLines(text)) {
      if (isHeading && isUnits(line)) return true;
      isHeading = columnsOf(line) !== null;
    }
    return false;
  },

  nearMiss(text) {
    let number = 0;
    let rows = 0;
    for (const line of linesOf(text.slice(0, LOOKED_AT))) {
      number += 1;
      if (columnsOf(line)) return cutHeading(number);
      rows = bareRow.test(line) ? rows + 1 : 0;
      if (rows === 3) return withoutHeading(number - 2);
    }
    return null;
  },

  read(text): Reading {
    const devices = new Table('GPUS');
    const processes = new Table('PROCESSES');
    let open: Table | null = null;
    let lastLine = 0;
    for (const line of labeledLines(text)) {
      if (line.text.trim() !== '') lastLine = line.number;
      const columns = columnsOf(line.text);
      if (columns) {
        open = columns.includes('pid') ? processes : devices;
        open.start(columns, line.number);
      } else if (!/^\s*#/.test(line.text)) open?.take(line);
    }
    return joinedReadings([devices, processes].filter(({ line }) => line > 0).map((table) => table.reading(lastLine)));
  },
};

const LOOKED_AT = 65_536;
/** A GPU and at least eight readings of dmon. */
const bareRow = /^ {4}\d {1,6}(?:\d{1,5}|-)(?: {2,6}(?:\d{1,5}|-)){8,20}\s*$/;

function withoutHeading(line: number): ImportProblem {
  return error(
    line,
    'This looks like nvidia-smi dmon without the two lines that begin with #: the names of the columns are needed',
    '这看起来像去掉了两行 # 表头的 nvidia-smi dmon 输出，需要列名才能读取',
  );
}

function cutHeading(line: number): ImportProblem {
  return error(
    line,
    'The second line of the heading of nvidia-smi dmon is missing, which begins with "# Idx"',
    '缺少 nvidia-smi dmon 表头的第二行（以“# Idx”开头）',
  );
}

const measured: Readonly<Record<string, Column>> = {
  pwr: gpu.power,
  gtemp: gpu.temperature,
  temp: gpu.temperature,
  mtemp: gpu.memoryTemperature,
  sm: gpu.utilization,
  mem: gpu.memoryUtilization,
  enc: gpu.encoder,
  dec: gpu.decoder,
  jpg: gpu.jpeg,
  ofa: gpu.opticalFlow,
  mclk: gpu.memoryClock,
  pclk: gpu.coreClock,
  // printed as MB, counted as MiB
  fb: gpu.memoryUsed,
  dbecc: gpu.uncorrectedErrors,
  rxpci: { ...gpu.pcieReceived, unit: 'MB/s' },
  txpci: { ...gpu.pcieSent, unit: 'MB/s' },
};

/** Names of the columns of a heading, `gpu` among the first three; null where the line is none. */
function columnsOf(line: string): readonly string[] | null {
  if (!/^\s{0,20}#\s{0,4}(?:gpu|date|time|yyyymmdd|hh:mm:ss)\b/i.test(line)) return null;
  const words = wordsOf(line.replace(/^\s*#/, '')).map((word) => word.toLowerCase());
  const at = words.indexOf('gpu');
  if (at < 0 || at > 2) return null;
  return words.slice(at + 1).some((word) => word === 'pid' || Object.hasOwn(measured, word)) ? words : null;
}

const isUnits = (line: string) => /^\s{0,20}#/.test(line) && /(?:^|[\s#,])Idx\b/.test(line);
/** With `--format csv` commas stand between the columns. */
const wordsOf = (line: string) => line.trim().split(/[\s,]+/);

class Table {
  line = 0;
  private columns: readonly string[] = [];
  private readonly monitor = new Monitor();
  private readonly limits = new ClockLimits();
  private readonly leftOut = new LeftOut();
  /** For each GPU and name the ids of the processes, which say nothing themselves. */
  private readonly processes = new Map<string, Map<string, number>>();
  private first: { readonly date: string; readonly time: string; readonly line: number } | null = null;
  private powerTicks = 0;
  private powerShare = 0;

  constructor(private readonly rows: 'GPUS' | 'PROCESSES') {}

  start(columns: readonly string[], line: number): void {
    this.columns = columns;
    if (this.line === 0) this.line = line;
  }

  take(line: LabeledLine): void {
    const words = wordsOf(line.text);
    if (words[0] === '') return;
    const cells = this.rows === 'GPUS' ? words : joinedCommand(words, this.columns.length);
    const cellOf = (name: string) => cells[this.columns.indexOf(name)] ?? '';
    const index = cellOf('gpu');
    const isComplete = cells.length === this.columns.length && /^\d{1,4}$/.test(index);
    if (!isComplete) {
      // what a program prints between the rows is no row
      if (/^\d+$/.test(words[0] ?? '')) this.leftOut.row(line.number);
      return;
    }
    this.keepTime(cells, line.number);
    const process = this.rows === 'GPUS' ? {} : this.processOf(index, cellOf('pid'), cellOf('command'));
    if (process === null) return;
    const device = this.monitor.device({ gpu: Number(index), ...process, ...sourceOf(line.label) });
    for (const [place, name] of this.columns.entries()) {
      const column = ownValue(measured, name);
      const cell = cells[place] ?? '';
      const value = plainNumber(cell);
      if (column && value !== null) device.add(column, value);
      else if (column && !isNoValue(cell)) this.leftOut.cell(line.number, cell);
    }
    const [power, thermal] = [plainNumber(cellOf('pviol')), plainNumber(cellOf('tviol'))];
    if (thermal !== null) this.limits.take(device.dimensions, thermal > 0 ? ['thermal violation'] : [], line.number);
    if (power !== null) this.powerTicks += 1;
    this.powerShare += power ?? 0;
  }

  private keepTime(cells: readonly string[], line: number): void {
    if (this.first || this.columns.indexOf('gpu') !== 2) return;
    const [date = '', time = ''] = cells;
    if (/^\d{8}$/.test(date) && /^\d\d:\d\d:\d\d$/.test(time)) this.first = { date, time, line };
  }

  /** Null for a GPU without processes. */
  private processOf(index: string, pid: string, command: string): Readonly<Record<string, string | number>> | null {
    if (!/^\d{1,10}$/.test(pid)) return null;
    const name = command.split(/[/\\]/).at(-1)?.slice(0, 60) ?? '';
    const key = `${index} ${name}`;
    const pids = this.processes.get(key) ?? new Map<string, number>();
    this.processes.set(key, pids);
    const number = pids.get(pid) ?? pids.size + 1;
    pids.set(pid, number);
    return { process: name, ...(number > 1 ? { process_number: number } : {}) };
  }

  reading(lastLine: number): Reading {
    const start = this.first;
    const date = start?.date.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
    const started = start && startedAtOf(`${date}T${start.time}Z`, `${start.date} ${start.time}`, start.line);
    return monitorReading({
      tool: 'nvidia-smi-dmon',
      startedAt: started?.startedAt ?? null,
      environment: { vendor: 'nvidia' },
      observations: this.monitor.observations(),
      isPartial: !this.leftOut.isEmpty,
      problems: [
        ...this.limits.problems(),
        ...this.powerProblem(),
        ...this.leftOut.problems(lastLine),
        ...(started?.problems ?? []),
      ],
      line: this.line,
    });
  }

  private powerProblem(): readonly ImportProblem[] {
    if (this.powerShare === 0) return [];
    const share = (this.powerShare / this.powerTicks).toFixed(1);
    return [
      warning(
        this.line,
        `The power limit kept the clocks down for ${share} % of the time (pviol)`,
        `功率上限使频率受限的时间占 ${share} %（pviol）`,
        { code: 'CLOCKS_VARY' },
      ),
    ];
  }
}

/** The command is the last column and may hold blanks. */
function joinedCommand(words: readonly string[], columns: number): readonly string[] {
  return words.length <= columns ? words : [...words.slice(0, columns - 1), words.slice(columns - 1).join(' ')];
}
