import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { medianOf, samplesWithDistribution } from '../distribution.js';
import {
  warning,
  error,
  type Importer,
  type ImportProblem,
  type Reading,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import type { ProblemCode } from '../problem-codes.js';
import { headerOf, rowOf, startsRow, type Figure, type Header, type Row } from './perftest-tables.js';

/** The tables of perftest (`ib_write_bw`, `ib_read_lat` …): one run for each test, whichever sides printed it. */
export const perftest: Importer = {
  tool: 'perftest',
  what: 'perftest: ib_write_bw, ib_read_bw, ib_send_bw, ib_write_lat …',

  recognizes: hasHeader,

  nearMiss: (text) =>
    titleLine.test(text)
      ? error(
          null,
          'The output of perftest stops before its table: there is no result',
          'perftest 的输出在结果表之前中断，没有结果',
        )
      : null,

  read(text): Reading {
    const readers = new Map<string, TestReader>();
    for (const { text: line, number, label } of labeledLines(text)) {
      if (line === '') continue;
      const key = label ?? '';
      let reader = readers.get(key);
      if (!reader) readers.set(key, (reader = new TestReader()));
      reader.take(line, number);
    }
    const tests = withoutSecondSides([...readers.values()].flatMap((reader) => reader.finish()));
    const found = tests.filter(({ rows }) => rows.some(({ figures }) => figures.length > 0));
    return { runs: found.map(runOf), problems: tests.flatMap(problemsOf) };
  },
};

const titleLine =
  /^[ \t]{0,60}(Send|Send_imm|RDMA_Write|RDMA_Write_imm|RDMA_Read|Atomic)\b((?: [\w-]{1,30}){0,6}) (BW|Latency)(?: [\w-]{1,30}){0,2} Test\s{0,20}$/m;
const programs = /\b((?:ib|raw_ethernet)_(?:write|read|send|atomic)_(?:bw|lat)) ?(.{0,2000})$/;

function hasHeader(text: string): boolean {
  let at = text.indexOf('#bytes');
  for (let tried = 0; at !== -1 && tried < 100; tried += 1) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, Math.min(end === -1 ? text.length : end, at + 400));
    if (headerOf(line)) return true;
    at = end === -1 ? -1 : text.indexOf('#bytes', end);
  }
  return false;
}

/** One test as one side printed it, or both sides line by line. */
interface Test {
  line: number;
  operation: string | null;
  command: string | null;
  header: Header | null;
  readonly rows: Row[];
  readonly broken: number[];
  readonly parameters: Record<string, string>;
  /** What the two sides call each other: local and remote queue pair. */
  readonly ends: string[];
  isInterleaved: boolean;
  isClosed: boolean;
  /** `--run_infinitely` prints a line every few seconds. */
  isEndless: boolean;
  hasSlowClock: boolean;
}

class TestReader {
  private readonly tests: Test[] = [];
  private test: Test | null = null;
  private command: { readonly program: string; readonly text: string } | null = null;
  private hasSlowClock = false;

  take(text: string, line: number): void {
    const title = titleLine.exec(text);
    if (title) return this.takeTitle(title, line);
    const header = headerOf(text);
    if (header) return this.takeHeader(header, line);
    const command = programs.exec(text);
    if (command?.[1] && !/\bTest\b/.test(text)) {
      this.command = { program: command[1], text: command[0].slice(0, 2_000) };
    }
    if (/Conflicting CPU frequency values detected/.test(text)) this.hasSlowClock = true;
    if (this.test) this.takeLine(this.test, text, line);
  }

  finish(): readonly Test[] {
    return this.tests.filter(({ header }) => header !== null);
  }

  private takeTitle([, verb = '', words = '', kind]: RegExpExecArray, line: number): void {
    const name = verb.toLowerCase().replace(/^rdma_/, '');
    const direction = / Bidirectional/.test(words) ? '_bidirectional' : '';
    const operation = `ib_${name}${direction}_${kind === 'BW' ? 'bw' : 'lat'}`;
    // both sides in one terminal: the second title comes before the first table
    if (this.test && this.test.header === null && this.test.operation === operation) this.test.isInterleaved = true;
    else this.open(line, operation);
  }

  private takeHeader(header: Header, line: number): void {
    const { test } = this;
    if (test && test.header === null) test.header = header;
    else if (test?.isInterleaved && test.header?.names.join() === header.names.join()) return;
    else {
      // a table without its title
      const program = this.command && test === null ? this.command.program : null;
      this.open(line, program).header = header;
    }
  }

  private open(line: number, operation: string | null): Test {
    const test: Test = {
      line,
      operation,
      command: this.command?.text ?? null,
      header: null,
      rows: [],
      broken: [],
      parameters: {},
      ends: [],
      isInterleaved: false,
      isClosed: false,
      isEndless: this.command?.text.includes('run_infinitely') ?? false,
      hasSlowClock: this.hasSlowClock,
    };
    this.test = test;
    this.tests.push(test);
    this.command = null;
    this.hasSlowClock = false;
    return test;
  }

  private takeLine(test: Test, text: string, line: number): void {
    if (test.header) {
      if (startsRow(text)) {
        const row = rowOf(text, test.header, line);
        if (row) test.rows.push(row);
        else test.broken.push(line);
      } else if (/^\s{0,20}-{20,}/.test(text) && test.rows.length > 0) test.isClosed = true;
      return;
    }
    for (const [, key = '', value = ''] of text.slice(0, 300).matchAll(parameter)) test.parameters[key.trim()] = value;
    const end = /^\s{0,20}(local|remote) address:.{0,60}?\bQPN (0x[0-9a-f]{1,8}) PSN (0x[0-9a-f]{1,8})/.exec(text);
    if (end) test.ends.push(`${end[1]} ${end[2]} ${end[3]}`);
  }
}

const parameter = /(?:^|\t|\s{2,})\s{0,30}([A-Za-z][\w*. -]{1,24}?)\s{0,20}: ([\w[\].-]{1,40})/g;

/** Both sides print what they know of one test: what is the same counts once. */
function withoutSecondSides(tests: readonly Test[]): readonly Test[] {
  const kept: Test[] = [];
  const byEnds = new Map<string, Test>();
  for (const test of tests) {
    const rows = test.rows.map(({ text }) => text);
    if (test.isInterleaved) {
      const once = test.rows.filter((_, index) => index === 0 || rows[index] !== rows[index - 1]);
      test.rows.splice(0, test.rows.length, ...once);
    }
    const mirrored = test.ends.map((end) => (end.startsWith('local') ? end.replace('local', 'remote') : end.replace('remote', 'local'))); // prettier-ignore
    const other = byEnds.get(mirrored.sort().join());
    if (test.ends.length > 0 && other && other.rows.map(({ text }) => text).join() === rows.join()) {
      other.isClosed ||= test.isClosed;
      other.hasSlowClock ||= test.hasSlowClock;
      continue;
    }
    kept.push(test);
    byEnds.set([...test.ends].sort().join(), test);
  }
  return kept;
}

function runOf(test: Test): ReadRun {
  return {
    status: isPartial(test) ? 'PARTIAL' : 'OK',
    tool: 'perftest',
    toolVersion: null,
    variant: test.parameters.Device ?? null,
    startedAt: null,
    command: test.command,
    environment: environmentOf(test),
    workload: workloadOf(test),
    session: null,
    block: null,
    observations: observationsOf(test),
  };
}

/** A sweep that ends without its closing line may lack sizes; a single size is whole. */
function isPartial(test: Test): boolean {
  return test.broken.length > 0 || (!test.isClosed && new Set(test.rows.map(({ bytes }) => bytes)).size > 1);
}

function environmentOf({ parameters }: Test): Facts {
  const link = parameters['Link type'];
  const isOfIb = parameters['Transport type'] === 'IB';
  const kind = link === 'IB' ? 'infiniband' : link === 'Ethernet' && isOfIb ? 'roce' : null;
  return kind === null ? {} : { 'fabric.kind': kind };
}

const settings: readonly (readonly [string, string])[] = [
  ['Number of qps', 'queue_pairs'],
  ['Connection type', 'connection'],
  ['Using SRQ', 'shared_receive_queue'],
  ['PCIe relax order', 'relaxed_ordering'],
  ['TX depth', 'tx_depth'],
  ['RX depth', 'rx_depth'],
  ['CQ Moderation', 'cq_moderation'],
  ['Post List', 'post_list'],
  ['Mtu', 'mtu'],
  ['Max inline data', 'inline_bytes'],
  ['Outstand reads', 'outstanding_reads'],
  ['Dual-port', 'dual_port'],
  ['rdma_cm QPs', 'rdma_cm'],
  ['Use ROCm memory', 'rocm_memory'],
];

function workloadOf({ operation, parameters, isEndless, rows }: Test): Facts {
  const facts: Record<string, FactValue> = { 'workload.tool': 'perftest' };
  if (operation !== null) facts['workload.operation'] = operation;
  for (const [name, key] of settings) {
    const value = parameters[name]?.replace(/\[B\]$/, '');
    if (value !== undefined) facts[`workload.settings.${key}`] = /^\d{1,15}$/.test(value) ? Number(value) : value;
  }
  const [iterations, others] = [...new Set(rows.map((row) => row.iterations))];
  if (isEndless) facts['workload.settings.run_infinitely'] = true;
  else if (iterations !== undefined && others === undefined) facts['workload.iterations'] = iterations;
  return facts;
}

/** Lines of one size are states of a test that goes on, not repetitions of it. */
function observationsOf(test: Test): readonly ReadObservation[] {
  const points = new Map<string, { first: Figure; values: number[] }>();
  for (const figure of test.rows.flatMap(({ figures }) => figures)) {
    const key = `${figure.metric} ${JSON.stringify(figure.dimensions)}`;
    const point = points.get(key);
    if (point) point.values.push(figure.value);
    else points.set(key, { first: figure, values: [figure.value] });
  }
  return [...points.values()].map(({ first, values }) =>
    values.length > 1
      ? { ...first, value: medianOf(values) ?? first.value, ...samplesWithDistribution(values) }
      : first,
  );
}

function problemsOf(test: Test): readonly ImportProblem[] {
  const found: ImportProblem[] = [];
  const { line, broken, rows } = test;
  const say = (code: ProblemCode) => (at: number, en: string, zh: string) => found.push(warning(at, en, zh, { code }));
  const [warn, lacking] = [say('LEFT_OUT'), say('INCOMPLETE')];
  if (broken.length > 0) {
    warn(
      broken[0] ?? line,
      `Rows that could not be read and were left out: ${broken.length}`,
      `${broken.length} 行无法读取，未采用`,
    );
  } else if (isPartial(test)) {
    lacking(
      line,
      'The table ends without its closing line: larger sizes may be missing',
      '表格缺少结尾的分隔线，可能缺少更大的消息大小',
    );
  }
  if (rows.length === 0) lacking(line, 'The table has no rows', '表格没有数据行');
  if (test.header?.names.some((name) => name.includes('[cycles]')) === true) {
    warn(
      line,
      'The latencies in cycles were left out: run perftest without --report-cycles',
      '未采用以 cycles 计的延迟，请去掉 --report-cycles 重新运行',
    );
  }
  if (test.operation === null) {
    say('WORKLOAD_UNKNOWN')(
      line,
      'The output does not name the test: give it as workload.operation',
      '输出中没有测试名称，请用 workload.operation 给出',
    );
  }
  if (test.hasSlowClock) {
    say('CLOCKS_VARY')(
      line,
      'The CPU did not run at its highest frequency, by which perftest measures time: set the governor to performance',
      'CPU 未运行在最高频率，而 perftest 用它计时，请将调频策略设为 performance',
    );
  }
  return found;
}
