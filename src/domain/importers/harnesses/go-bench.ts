import { dimensionOf } from '../../measurement/unit.js';
import { error, warning, type Importer, type ImportProblem, type ReadRun } from '../importer.js';
import { labeledLines, linesOf } from '../labeled-lines.js';
import { numberOf } from '../number.js';
import { Points } from '../repeated.js';
import type { ProblemCode } from '../problem-codes.js';
import { benchmarkName, benchmarkRun, cpuArchitecture, notKept, listed } from './benchmark-run.js';

/** What `go test -bench` prints: a line for each benchmark, again for each of `-count`. */
export const goBench: Importer = {
  tool: 'go-bench',
  what: 'go test -bench',

  recognizes(text) {
    if (!text.includes('Benchmark')) return false;
    for (const line of linesOf(text)) if (signature.test(line)) return true;
    return false;
  },

  nearMiss: (text) =>
    /^\{"(?:Time|Action)":/.test(text) && text.includes('ns/op')
      ? error(
          null,
          'This is the output of go test -json: send what go test -bench prints without -json',
          '这是 go test -json 的输出，请上传不带 -json 的 go test -bench 输出',
        )
      : null,

  read(text) {
    const reader = new Reader();
    for (const { number, text: line, label } of labeledLines(text)) reader.take(line, number, label);
    return reader.reading();
  },
};

/** Somewhere in a line, since launchers put something before it. */
const signature =
  /(?:^|\s)Benchmark\S{0,1000}\s{1,500}\d{1,15}\s{1,100}\d[\d.e+-]{0,30}\s(?:ns\/op|B\/op|allocs\/op|MB\/s)/;
const nameAlone = /^\s{0,20}(Benchmark(?![a-z])\S{0,1000})(?:\s|$)/;
/** Rounds, then numbers with their units. */
const result = /^\s{0,600}(\d{1,15})\s{1,100}(\d[\s\S]{0,2000})$/;
const setting = /^\s{0,20}(goos|goarch|pkg|cpu|note): {0,20}(\S.{0,300})$/;

interface Home {
  readonly metric: string;
  readonly unit: string;
}

const homes: Readonly<Record<string, Home>> = {
  'ns/op': { metric: 'time.per_operation', unit: 'ns' },
  'sec/op': { metric: 'time.per_operation', unit: 's' },
  'MB/s': { metric: 'throughput.bytes', unit: 'MB/s' },
  'B/op': { metric: 'memory.bytes_per_operation', unit: 'B/op' },
  'allocs/op': { metric: 'memory.allocations_per_operation', unit: 'allocs/op' },
};

/** Rates that a benchmark reports by a unit of its own. */
const rates: Readonly<Record<string, string>> = {
  'data-rate': 'throughput.bytes',
  'bit-rate': 'throughput.bits',
  'operation-rate': 'throughput.operations',
  'item-rate': 'throughput.items',
  'request-rate': 'throughput.requests',
  'image-rate': 'throughput.images',
  'row-rate': 'throughput.rows',
  'sequence-rate': 'throughput.sequences',
};

function homeOf(unit: string): Home | null {
  if (Object.hasOwn(homes, unit)) return homes[unit] ?? null;
  const metric = rates[dimensionOf(unit) ?? ''];
  return metric ? { metric, unit } : null;
}

type Settings = Readonly<Record<string, string>>;

class Reader {
  private settings: Settings = {};
  private readonly runs = new Map<string, { readonly settings: Settings; readonly points: Points }>();
  /** Where something failed or ends early, it may be missing in any of the runs. */
  private isPartial = false;
  private readonly problems: ImportProblem[] = [];
  private readonly unknown = new Set<string>();
  private readonly failed = new Set<string>();
  /** A benchmark whose result is on a later line, since it printed something itself. */
  private waiting: { readonly name: string; readonly line: number } | null = null;

  take(line: string, number: number, label: string | null): void {
    const [, key, value] = setting.exec(line) ?? [];
    if (key && value) {
      this.settings = { ...this.settings, [key]: value.trim() };
      return;
    }
    const failed = /--- FAIL: (Benchmark\S{0,1000})|^FAIL\s{1,20}(\S{1,300})/.exec(line);
    if (failed) {
      this.fail(failed[1] ?? failed[2] ?? '', number);
      return;
    }
    const name = nameAlone.exec(line)?.[1];
    const rest = name === undefined ? line : line.slice(line.indexOf(name) + name.length);
    const of = name ?? this.waiting?.name;
    const [, , measurements] = result.exec(rest) ?? [];
    if (of !== undefined && measurements !== undefined && /\S\/(?:op|s)(?:\s|$)/.test(measurements)) {
      this.result(of, measurements, number, label);
      this.waiting = null;
    } else if (name !== undefined) this.waiting = { name, line: number };
  }

  reading() {
    if (this.waiting && this.runs.size > 0 && !this.failed.has(this.waiting.name)) {
      this.isPartial = true;
      const { name, line } = this.waiting;
      this.warn(
        'INCOMPLETE',
        line,
        `${cut(name)} has no result: the output ends there`,
        `${cut(name)} 没有结果：输出在此中断`,
      );
    }
    const runs = [...this.runs.values()].map(({ settings, points }): ReadRun =>
      benchmarkRun('go-bench', points.observations(), {
        status: this.isPartial ? 'PARTIAL' : 'OK',
        variant: settings.note ?? null,
        environment: {
          ...(settings.goos ? { os: settings.goos } : {}),
          ...(settings.goarch ? { 'cpu.architecture': cpuArchitecture(settings.goarch) } : {}),
          ...(settings.cpu ? { 'cpu.name': settings.cpu } : {}),
        },
      }),
    );
    return { runs, problems: [...this.problems, ...notKept(this.unknown)] };
  }

  private result(name: string, measurements: string, line: number, label: string | null): void {
    const tokens = measurements.trim().split(/\s+/);
    const run = this.run();
    const dimensions = dimensionsOf(name, this.settings.pkg, label);
    const seen = new Set<string>();
    for (let at = 0; at < tokens.length; at += 2) {
      const [cell = '', unit = ''] = tokens.slice(at, at + 2);
      const value = numberOf(cell);
      const home = homeOf(unit);
      if (value === null || !Number.isFinite(value) || unit === '') {
        this.isPartial = true;
        const shown = `${cell} ${unit}`.trim().slice(0, 60);
        this.warn(
          'LEFT_OUT',
          line,
          `"${shown}" of ${cut(name)} is no value with a unit`,
          `${cut(name)} 的“${shown}”不是带单位的值`,
        );
        // what follows is out of step
        return;
      }
      if (home === null || seen.has(home.metric)) this.unknown.add(unit);
      else run.points.add({ ...home, dimensions }, value);
      if (home) seen.add(home.metric);
    }
  }

  private run() {
    const { goos, goarch, cpu, note } = this.settings;
    const key = JSON.stringify([goos, goarch, cpu, note]);
    const found = this.runs.get(key) ?? { settings: this.settings, points: new Points() };
    this.runs.set(key, found);
    return found;
  }

  private fail(name: string, line: number): void {
    this.isPartial = true;
    this.failed.add(name);
    this.warn('PART_FAILED', line, `${cut(name)} failed`, `${cut(name)} 失败`);
    this.waiting = null;
  }

  private warn(code: ProblemCode, line: number, en: string, zh: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(warning(line, en, zh, { code }));
  }
}

const MAX_PROBLEMS = 100;

const cut = (name: string): string => listed([name]);

/** `BenchmarkNew/size=5M-8` is New/size=5M with 8 threads (GOMAXPROCS); nothing stands for one. */
function dimensionsOf(name: string, pkg: string | undefined, label: string | null) {
  const [, plain = name, threads] = /^Benchmark(\S{1,1000}?)(?:-(\d{1,5}))?$/.exec(name) ?? [];
  return {
    benchmark: benchmarkName(plain),
    ...(threads ? { gomaxprocs: Number(threads) } : {}),
    ...(pkg ? { package: pkg.slice(0, 300) } : {}),
    ...(label === null ? {} : { source: label }),
  };
}
