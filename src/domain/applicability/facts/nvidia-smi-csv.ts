import {
  choosesDevices,
  countOfIndexes,
  isNvidiaName,
  nvidiaDevice,
  nvidiaReading,
  partly,
  printedOf,
  statedCount,
  unquoted,
  type NvidiaCount,
  type NvidiaDevice,
  type NvidiaPlaces,
  type Printed,
} from './nvidia-devices.js';
import type { FactReader, ReadingProblem, ToolReading } from './reader.js';

const MOST_LINE_LENGTH = 40_000;
/** Rows that name no GPU and no time are those of one moment; more of them are surely not. */
const MOST_NAMELESS_ROWS = 16;
/** Rows of one moment are printed within this time. */
const ONE_MOMENT_MS = 500;

const places: NvidiaPlaces = {
  driverModel: 'driver_model.current',
  properties: [
    ['name', 'gpu.name'],
    ['memory.total', 'gpu.memory'],
    ['compute_cap', 'gpu.computeCapability'],
    ['mig.mode.current', 'gpu.mig'],
    ['ecc.mode.current', 'gpu.ecc'],
    ['persistence_mode', 'gpu.persistence'],
    ['enforced.power.limit', 'gpu.power_limit'],
    ['power.limit', 'gpu.power_limit'],
    ['pcie.link.gen.max', 'pcie.generation'],
    ['pcie.link.width.max', 'pcie.width'],
    ['c2c.mode', 'capability.nvlink-c2c'],
  ],
};
/** Units that the columns have, for the rows of `nounits`. */
const units: Readonly<Record<string, string>> = {
  'memory.total': ' MiB',
  'enforced.power.limit': ' W',
  'power.limit': ' W',
  'pcie.link.width.max': 'x',
};
const withUnit = (name: string, { text, line }: Printed): Printed =>
  /^\d+(?:\.\d+)?$/.test(text) ? { text: `${text}${units[name] ?? ''}`, line } : { text, line };
const wanted = new Set([...places.properties.map(([place]) => place), places.driverModel]);

/** Names of columns that `--query-gpu` alone prints. */
const ownColumn =
  /^(?:driver_version|kmd_version|vbios_version|persistence_mode|compute_mode|compute_cap|pstate|fan\.speed|gpu_recovery_action|(?:pci|pcie\.link|memory|utilization|temperature|power|enforced\.power|clocks|clocks_throttle_reasons|clocks_event_reasons|ecc\.mode|ecc\.errors|mig\.mode|encoder\.stats|driver_model|inforom|gom)\.[\w.]+)$/;
/** Names in the queries for processes and for pages of memory, which print a row for each of those. */
const foreignColumn = /^(?:pid|process_name|gpu_name|gpu_uuid|gpu_bus_id|gpu_serial)$/;
/** With these alone, the rows must show that the GPUs are those of NVIDIA. */
const commonColumn = /^(?:index|name|uuid|count|serial|timestamp|hostname)$/;

export interface CsvColumns {
  readonly names: readonly string[];
  readonly line: string;
}

/** The columns of a heading, without their units; null where the line is none. */
export function csvColumnsOf(raw: string): CsvColumns | null {
  const line = raw.trim();
  if (line.length > MOST_LINE_LENGTH || !/^[a-z]/.test(line)) return null;
  const names = line.split(', ').map((name) => name.replace(/ \[[\w%/]{1,9}\]$/, ''));
  if (!names.every((name) => /^[A-Za-z][\w.]*$/.test(name)) || new Set(names).size !== names.length) return null;
  if (names.some((name) => foreignColumn.test(name))) return null;
  const isOwn = names.some((name) => ownColumn.test(name));
  return isOwn || names.every((name) => commonColumn.test(name)) ? { names, line } : null;
}

/** The rows below a heading, as far as they are of use. */
class Table {
  lastLine: number;
  rows = 0;
  count: NvidiaCount | null = null;
  /** False where the heading could be that of another tool, and no row names a GPU of NVIDIA. */
  isNvidia: boolean;
  readonly devices: NvidiaDevice[] = [];
  readonly versions = new Map<string, Printed>();
  readonly times: number[] = [];
  private readonly ids = new Map<string, Set<string>>();
  private readonly seen = new Set<string>();

  constructor(
    readonly columns: CsvColumns,
    readonly firstLine: number,
  ) {
    this.lastLine = firstLine;
    this.isNvidia = columns.names.some((name) => ownColumn.test(name));
  }

  /** False where the line is no row of this table. */
  take(raw: string, line: number): boolean {
    const text = raw.trim();
    const { names } = this.columns;
    const cells = text.length > MOST_LINE_LENGTH || text === this.columns.line ? [] : text.split(', ');
    if (text === '' || cells.length !== names.length) return false;
    const printed = new Map(names.map((name, column) => [name, { text: (cells[column] ?? '').trim(), line }]));
    const name = printed.get('name')?.text;
    const isOther = name !== undefined && !name.startsWith('[') && !isNvidiaName(name);
    if (isOther || (names.length === 1 && !isPlausible(text))) return false;
    this.keep(printed);
    this.isNvidia ||= (name !== undefined && isNvidiaName(name)) || /^GPU-/.test(printed.get('uuid')?.text ?? '');
    this.lastLine = line;
    this.rows += 1;
    return true;
  }

  private keep(printed: ReadonlyMap<string, Printed>): void {
    for (const key of ['driver_version', 'kmd_version']) {
      const version = printed.get(key);
      if (version && !this.versions.has(key)) this.versions.set(key, version);
    }
    this.count ??= statedCount(printed.get('count'));
    for (const id of ['index', 'uuid', 'pci.bus_id']) this.keepId(id, printed.get(id)?.text);
    const time = smiTimeOf(printed.get('timestamp')?.text);
    if (time !== null) this.times.push(time);
    const used = new Map(
      [...printed].flatMap(([name, each]) => (wanted.has(name) ? [[name, withUnit(name, each)]] : [])),
    );
    const text = [...used.values()].map((each) => each.text).join(', ');
    if (!this.seen.has(text)) this.devices.push(nvidiaDevice(used, places));
    this.seen.add(text);
  }

  private keepId(id: string, text: string | undefined): void {
    if (text === undefined || !isId(text)) return;
    const found = this.ids.get(id) ?? new Set();
    this.ids.set(id, found.add(text));
  }

  /** The GPUs that the rows tell apart, and whether they are all of the machine. */
  counted(isChosen: 'chosen' | 'all'): {
    readonly count: NvidiaCount | null;
    readonly problems: readonly ReadingProblem[];
  } {
    const line = this.firstLine + 1;
    const indexes = [...(this.ids.get('index') ?? [])].map(Number).sort((a, b) => a - b);
    const others = [...this.ids.values()].map((ids) => ids.size);
    if (this.count) {
      const printed = indexes.length || Math.max(...others, 0);
      return { count: this.count, problems: printed > 0 ? printedOf(printed, this.count) : [] };
    }
    if (isChosen === 'chosen') return { count: null, problems: [partly(line)] };
    if (indexes.length > 0) return countOfIndexes(indexes, line);
    const count = others.length > 0 ? Math.max(...others) : this.rowsOfOneMoment();
    return count === null ? { count, problems: [unnamed(line)] } : { count: { count, line }, problems: [] };
  }

  private rowsOfOneMoment(): number | null {
    const [start] = this.times;
    if (start === undefined) return this.rows <= MOST_NAMELESS_ROWS ? this.rows : null;
    const end = this.times.findIndex((time) => time - start > ONE_MOMENT_MS);
    const rows = end < 0 ? this.rows : end;
    return this.times.length === this.rows && this.rows % rows === 0 && rows <= MOST_NAMELESS_ROWS ? rows : null;
  }
}

/** A table of one column has no commas by which its rows could be told: its value must look like one. */
const isPlausible = (text: string) =>
  /^(?:\d[\d.]*(?: ?(?:MiB|W|MHz|%|x))?|Enabled|Disabled|\[[\w/ ]+\]|GPU-[\w-]+|P\d\d?|Default)$/.test(text) ||
  isNvidiaName(text);

/** An index, a UUID or a bus id that was not masked: all masked GPUs would count as one. */
const isId = (text: string) =>
  /^\d{1,4}$/.test(text) ||
  (/^(?:GPU-)?[0-9A-Fa-f]{4,8}[-:][0-9A-Fa-f:.-]{4,}$/.test(text) && /[1-9A-Fa-f]/.test(text.slice(4)));

/** The time that `timestamp` prints, in milliseconds and taken as UTC; null for anything else. */
export function smiTimeOf(text: string | undefined): number | null {
  const parts = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})$/
    .exec(text ?? '')
    ?.slice(1)
    .map(Number);
  if (!parts) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, milliseconds = 0] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
}

function unnamed(line: number): ReadingProblem {
  const message = {
    en: 'The rows do not tell the GPUs apart, so their number is unknown: ask for index as well',
    zh: '这些行无法区分各块 GPU，因此 GPU 数量未知：请在查询中加上 index',
  };
  return { line, message };
}

function readingOf(table: Table, lines: readonly string[]): ToolReading {
  const { firstLine, lastLine, versions, devices } = table;
  const { count, problems } = table.counted(choosesDevices(lines, firstLine - 1) ? 'chosen' : 'all');
  const driver = versions.get('kmd_version') ?? versions.get('driver_version');
  return nvidiaReading({ tool: 'nvidia-smi --query-gpu', firstLine, lastLine, driver, count, devices, problems });
}

/** The CSV of `nvidia-smi --query-gpu`, with its heading: one row for each GPU, or many rows over time. */
export const nvidiaSmiCsv: FactReader = {
  tools: ['nvidia-smi --query-gpu'],

  read({ lines }): readonly ToolReading[] {
    const tables: Table[] = [];
    let open: Table | null = null;
    for (const [index, raw] of lines.entries()) {
      const text = unquoted(raw);
      if (open?.take(text, index + 1)) continue;
      const columns = csvColumnsOf(text);
      open = columns && new Table(columns, index + 1);
      if (open) tables.push(open);
    }
    return tables.filter(({ rows, isNvidia }) => rows > 0 && isNvidia).map((table) => readingOf(table, lines));
  },
};
