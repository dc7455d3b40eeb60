import { error, warning, type Importer, type ImportProblem } from '../importer.js';
import { labeledLines, linesOf } from '../labeled-lines.js';
import { Points } from '../repeated.js';
import type { ProblemCode } from '../problem-codes.js';
import { benchmarkName, benchmarkRun, notKept, listed } from './benchmark-run.js';
import { ownValue } from '../../own-value.js';

/** What `cargo bench` prints with criterion.rs: the estimate stands between the bounds of its confidence interval. */
export const criterionText: Importer = {
  tool: 'criterion-text',
  what: 'cargo bench (criterion.rs on the console)',

  recognizes(text) {
    if (!text.includes('time: ')) return false;
    for (const line of linesOf(text)) if (time.test(line)) return true;
    return false;
  },

  nearMiss: (text) =>
    /^\{"reason":"benchmark-complete",/m.test(text)
      ? error(
          null,
          'These are messages of cargo criterion --message-format=json: send what it prints without the option, or estimates.json',
          '这是 cargo criterion --message-format=json 的消息，请上传不带该选项的输出，或 estimates.json',
        )
      : null,

  read(text) {
    const reader = new Reader();
    for (const { number, text: line } of labeledLines(text)) reader.take(line, number);
    return reader.reading();
  },
};

const bound = String.raw`(\d[\d.]{0,30}(?:e[+-]?\d{1,3})?) {1,4}([^\s\]\d%]\S{0,20})`;
/** Changes are shares, so that the `time:` of a change is none of these. */
const time = new RegExp(
  String.raw`time: {1,10}\[ {0,6}\d[\d.]{0,30} {1,4}((?:ps|ns|us|ms|s|Âµs|[µμ\uFFFD]{1,2}s)) {1,10}\d`,
);
const estimates = new RegExp(String.raw`(time|thrpt): {1,10}\[ {0,6}${bound} {1,10}${bound} {1,10}${bound} {0,4}\]`);
const progress =
  /^\s{0,20}Benchmarking (\S.{0,1000}?)(?:: (?:Warming up for|Collecting|Analyzing|Profiling for|Complete)\b.*)?$/;
/** No name of a benchmark. */
const remark =
  /^\s{0,20}(?:Warning:|Found \d|\d{1,9} \(\d|Gnuplot |Running |test |change:|Finished |Compiling |\S{1,20} {2,}\[)/;

const units: Readonly<Record<string, readonly [metric: string, unit: string, factor: number]>> = {
  'elem/s': ['throughput.items', 'items/s', 1],
  'Kelem/s': ['throughput.items', 'kitems/s', 1],
  'Melem/s': ['throughput.items', 'Mitems/s', 1],
  'Gelem/s': ['throughput.items', 'Mitems/s', 1e3],
  'B/s': ['throughput.bytes', 'B/s', 1],
  'KiB/s': ['throughput.bytes', 'KiB/s', 1],
  'MiB/s': ['throughput.bytes', 'MiB/s', 1],
  'GiB/s': ['throughput.bytes', 'GiB/s', 1],
  // the K of criterion is decimal where it writes no i
  'KB/s': ['throughput.bytes', 'kB/s', 1],
  'MB/s': ['throughput.bytes', 'MB/s', 1],
  'GB/s': ['throughput.bytes', 'GB/s', 1],
  'b/s': ['throughput.bits', 'bit/s', 1],
  'Kb/s': ['throughput.bits', 'kbit/s', 1],
  'Mb/s': ['throughput.bits', 'Mbit/s', 1],
  'Gb/s': ['throughput.bits', 'Gbit/s', 1],
};

function homeOf(kind: string, unit: string) {
  if (kind === 'thrpt') return ownValue(units, unit) ?? null;
  if (/^(?:Âµ|[µμ\uFFFD]{1,2})s$/.test(unit)) return ['time.per_operation', 'us', 1] as const;
  return /^(?:ps|ns|us|ms|s)$/.test(unit) ? (['time.per_operation', unit, 1] as const) : null;
}

class Reader {
  private readonly points = new Points();
  private readonly problems: ImportProblem[] = [];
  private readonly unknown = new Set<string>();
  /** Begun, and the line where; those that have a result are taken out. */
  private readonly begun = new Map<string, number>();
  private before = '';
  private name: string | null = null;

  take(line: string, number: number): void {
    const begun = progress.exec(line)?.[1];
    if (begun !== undefined) {
      if (!this.begun.has(begun)) this.begun.set(begun, number);
      this.before = begun;
      return;
    }
    const found = estimates.exec(line);
    if (!found) {
      if (line.trim() !== '' && !remark.test(line)) this.before = line.trim();
      return;
    }
    const [, kind = '', , , estimate, unit = ''] = found;
    if (kind === 'time') {
      const own = line.slice(0, found.index).trim();
      this.name = own === '' ? this.before : own;
      this.begun.delete(this.name);
    }
    if (this.name === null || this.name === '') {
      this.warn(
        'LEFT_OUT',
        number,
        'The name of the benchmark is missing above this line',
        '此行上方缺少基准测试的名称',
      );
      return;
    }
    const home = homeOf(kind, unit);
    if (home === null) this.unknown.add(unit);
    else {
      const [metric, known, factor] = home;
      this.points.add(
        { metric, unit: known, dimensions: { benchmark: benchmarkName(this.name) } },
        Number(estimate) * factor,
      );
    }
  }

  reading() {
    const observations = this.points.observations();
    const [first] = this.begun.values();
    if (first !== undefined) {
      const names = listed(this.begun.keys());
      this.warn(
        'PART_FAILED',
        first,
        `Without a result, since they failed or the output is cut: ${names}`,
        `执行失败或输出不完整，没有结果：${names}`,
      );
    }
    const status = this.begun.size > 0 ? ('PARTIAL' as const) : ('OK' as const);
    const runs = observations.length > 0 ? [benchmarkRun('criterion-text', observations, { status })] : [];
    return { runs, problems: [...this.problems, ...notKept(this.unknown)] };
  }

  private warn(code: ProblemCode, line: number | null, en: string, zh: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(warning(line, en, zh, { code }));
  }
}

const MAX_PROBLEMS = 100;
