import { incomplete, type Importer, type ImportProblem, type ReadRun } from '../importer.js';
import { labeledLines, linesOf } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { benchmarkRun, notKept } from './benchmark-run.js';
import { bytesRate, doubtsOf, observationsOf, type Rate, type Row } from './google-benchmark-rows.js';

/** The table that Google Benchmark prints. */
export const googleBenchmarkConsole: Importer = {
  tool: 'google-benchmark-console',
  what: 'Google Benchmark (table on the console)',

  recognizes(text) {
    if (!text.includes('Iterations')) return false;
    for (const line of linesOf(text)) if (header.test(line)) return true;
    return false;
  },

  read(text) {
    const reader = new Reader();
    for (const { number, text: line } of labeledLines(text)) reader.take(line, number);
    return reader.reading();
  },
};

const header =
  /(?:^|\s)Benchmark\s{1,1000}Time(?:\((ns|us|ms|s)\))?\s{1,60}CPU(?:\((?:ns|us|ms|s)\))?\s{1,60}Iterations(?:\s{1,60}(\S.{0,5000}))?$/;
const row =
  /\s(\d[\d.]{0,30}(?:e[+-]?\d{1,3})?) {1,4}(ns|us|ms|s)\s{1,60}(\d[\d.]{0,30}(?:e[+-]?\d{1,3})?) {1,4}(ns|us|ms|s)\s{1,60}(\d{1,18})(?=\s|$)/;
/** Where the header says the unit. */
const plainRow =
  /\s(\d[\d.]{0,30}(?:e[+-]?\d{1,3})?)\s{1,60}(\d[\d.]{0,30}(?:e[+-]?\d{1,3})?)\s{1,60}(\d{1,18})(?=\s|$)/;
/** A name and not all of its times; shares of aggregates are no times. */
const broken =
  /^\S[^%]{0,1000}\s{2}\d[\d.]{0,30}(?: {1,4}(?:n|u|m|ns|us|ms|s)(?:\s{1,60}\d[\d.]{0,30}(?: {1,4}[a-z]{1,2})?)?)?\s{0,60}$/;
/** The variation of repetitions, which versions write that count these under `Iterations` of an aggregate. */
const variation = /_cv\s{1,1000}\d[\d.]{0,30}(?:e[+-]?\d{1,3})? {1,4}%/;
const refusal = /^(\S.{0,1000}?)\s{1,1000}(ERROR OCCURRED|SKIPPED): '/;

interface Section {
  readonly rows: Row[];
  readonly failed: Set<string>;
  readonly skipped: Set<string>;
  date: { readonly text: string; readonly line: number } | null;
  command: string | null;
  cpus: number | null;
  isDebug: boolean;
  isScaling: boolean;
  isCut: boolean;
  /** Whether aggregates say how many repetitions they are of: before version 1.5 they state the iterations of one. */
  isCounted: boolean;
  line: number | null;
}

const section = (): Section => ({
  rows: [],
  failed: new Set(),
  skipped: new Set(),
  date: null,
  command: null,
  cpus: null,
  isDebug: false,
  isScaling: false,
  isCut: false,
  isCounted: false,
  line: null,
});

class Reader {
  private open = section();
  private readonly sections = [this.open];
  private readonly counters = new Set<string>();
  private readonly problems: ImportProblem[] = [];
  /** Of the table: null before it, an empty text where each row says its unit. */
  private unit: string | null = null;
  private columns: readonly string[] = [];
  private last: { readonly text: string; readonly line: number } | null = null;

  take(line: string, number: number): void {
    if (line.trim() === '' || /^[-\s]{10,5000}$/.test(line)) return;
    const title = header.exec(line);
    if (title) {
      this.unit = title[1] ?? '';
      this.columns = /^(?:UserCounters|MetaData)\.\.\./.test(title[2] ?? '') ? [] : (title[2] ?? '').trim().split(/\s+/).filter(Boolean);
      this.open.line ??= number;
      return;
    } // prettier-ignore
    if (this.context(line, number)) return;
    if (this.unit === null) return;
    if (variation.test(line)) this.open.isCounted = true;
    this.last = this.result(line) ? null : { text: line, line: number };
  }

  reading() {
    if (this.last && broken.test(this.last.text)) {
      this.open.isCut = true;
      this.problems.push(
        incomplete(this.last.line, 'The table is cut: its last row has no result', '表格不完整：最后一行没有结果'),
      );
    }
    const parts = this.sections.filter(({ rows, failed }) => rows.length + failed.size > 0).map(read);
    return {
      runs: parts.flatMap(({ run }) => (run ? [run] : [])),
      problems: [...parts.flatMap(({ problems }) => problems), ...this.problems, ...notKept(this.counters)],
    };
  }

  /** What stands above a table. A new execution begins where it comes after results. */
  private context(line: string, number: number): boolean {
    const [, date] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2}))\s{0,20}$/.exec(line) ?? [];
    const [, command] = /^Running (\S.{0,2000})$/.exec(line) ?? [];
    const [, cpus] = /^Run on \((\d{1,6}) X [\d.e+]{1,20} MHz CPU/.exec(line) ?? [];
    if (date !== undefined || command !== undefined || cpus !== undefined) {
      if (this.open.rows.length > 0) this.begin();
      if (date !== undefined) this.open.date = { text: date, line: number };
      if (command !== undefined) this.open.command = command.trim();
      if (cpus !== undefined) this.open.cpus = Number(cpus);
      return true;
    }
    if (!line.startsWith('***WARNING***')) return false;
    if (line.includes('CPU scaling is enabled')) this.open.isScaling = true;
    if (line.includes('built as DEBUG')) this.open.isDebug = true;
    return true;
  }

  private begin(): void {
    this.open = section();
    this.sections.push(this.open);
    this.unit = null;
  }

  private result(line: string): boolean {
    const [, refused = '', how] = refusal.exec(line) ?? [];
    if (how) {
      (how === 'SKIPPED' ? this.open.skipped : this.open.failed).add(refused.trim());
      return true;
    }
    const found = this.unit === '' ? row.exec(line) : plainRow.exec(line);
    if (!found) return false;
    const [real, unit, cpu, , iterations] =
      this.unit === '' ? found.slice(1) : [found[1], this.unit ?? '', found[2], '', found[3]];
    const name = line.slice(0, found.index).trim();
    if (name === '') return false;
    this.open.rows.push({
      name,
      aggregate: undefined,
      real: Number(real),
      cpu: Number(cpu),
      unit: unit ?? null,
      repetitions: Number(iterations),
      rates: this.rates(line.slice(found.index + found[0].length)),
    });
    return true;
  }

  /** Behind the columns of times: `name=value` each, a value under each name of the header, or the rates of old versions. */
  private rates(rest: string): readonly Rate[] {
    const tokens = rest.trim().split(/\s+/).filter(Boolean);
    if (this.columns.length > 0) {
      return tokens.length < this.columns.length
        ? []
        : this.columns.flatMap((name, index) => this.rate(name, tokens[index] ?? ''));
    }
    const old = oldRates(rest);
    if (old.length > 0) return old;
    return tokens.flatMap((token) => {
      const [, name, value] = /^([^\s=]{1,200})=(\S{1,100})$/.exec(token) ?? [];
      return name === undefined || value === undefined ? [] : this.rate(name, value);
    });
  }

  private rate(name: string, cell: string): readonly Rate[] {
    const [, mantissa, prefix = ''] = /^(-?\d[\d.]{0,30}(?:e[+-]?\d{1,3})?)([kKMGTP]i?)?\/s$/.exec(cell) ?? [];
    if (mantissa !== undefined && name === 'bytes_per_second') return [bytesRate(Number(mantissa), prefix)];
    if (mantissa !== undefined && name === 'items_per_second' && !prefix.endsWith('i')) {
      return [{ metric: 'throughput.items', value: Number(mantissa) * (thousands[prefix] ?? NaN), unit: 'items/s' }];
    }
    // an aggregate's share has no name of its own
    if (/^\S{1,100}$/.test(name) && /^-?\d/.test(cell) && !cell.endsWith('%')) this.counters.add(name);
    return [];
  }
}

const thousands: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };

/** Up to version 1.4 the prefixes of both rates count 1024, those of items too. */
function oldRates(rest: string): readonly Rate[] {
  const [, bytes, bytesPrefix = ''] =
    /(?:^|\s)(\d[\d.]{0,30}(?:e[+-]?\d{1,3})?)([kKMGTP]i?)?B\/s(?=\s|$)/.exec(rest) ?? [];
  const [, items, itemsPrefix = ''] =
    /(?:^|\s)(\d[\d.]{0,30}(?:e[+-]?\d{1,3})?)([kKMGTP]i?)? items\/s(?=\s|$)/.exec(rest) ?? [];
  const power = itemsPrefix === '' ? 0 : 'kMGTP'.indexOf(itemsPrefix.replace('K', 'k').charAt(0)) + 1;
  return [
    ...(bytes === undefined ? [] : [bytesRate(Number(bytes), bytesPrefix)]),
    ...(items === undefined
      ? []
      : [{ metric: 'throughput.items', value: Number(items) * 1024 ** power, unit: 'items/s' }]),
  ];
}

function read(found: Section): { readonly run: ReadRun | null; readonly problems: readonly ImportProblem[] } {
  const { rows, failed, date, command, cpus, isCut, isCounted, line } = found;
  const observations = observationsOf(rows.map((row) => ({ ...row, repetitions: repetitionsOf(row, isCounted) })));
  const start = date ? startedAtOf(date.text, date.text, date.line) : { startedAt: null, problems: [] };
  const few = fewRepetitions(rows, line);
  const run = benchmarkRun('google-benchmark-console', observations, {
    status: failed.size > 0 || isCut || few ? 'PARTIAL' : 'OK',
    startedAt: start.startedAt,
    command,
    environment: cpus === null ? {} : { 'cpu.logical': cpus },
  });
  return {
    run: observations.length > 0 ? run : null,
    problems: [...doubtsOf(found, line), ...(few ? [few] : []), ...start.problems],
  };
}

/** The name tells the repetitions where the code of the benchmark asks for them. */
function repetitionsOf({ name, repetitions }: Row, isCounted: boolean): number | null {
  const said = /\/repeats:(\d{1,6})(?:\/|_|$)/.exec(name)?.[1];
  return said === undefined ? (isCounted ? repetitions : null) : Number(said);
}

/** Where the name tells the repetitions, fewer rows of it than these are what is left of a table. */
function fewRepetitions(rows: readonly Row[], line: number | null): ImportProblem | null {
  const counts = new Map<string, number>();
  for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
  const hasOwn = (name: string) => !/_(?:mean|median|stddev|cv|min|max)$/.test(name);
  const lacking = [...counts].find(([name, count]) => {
    const said = Number(/\/repeats:(\d{1,6})(?:\/|$)/.exec(name)?.[1] ?? 0);
    return hasOwn(name) && said > count;
  });
  return lacking
    ? incomplete(
        line,
        `The table is cut: ${lacking[0].slice(0, 100)} has ${lacking[1]} rows`,
        `表格不完整：${lacking[0].slice(0, 100)} 只有 ${lacking[1]} 行`,
      )
    : null;
}
