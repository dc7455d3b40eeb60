import type { Importer, Reading } from '../importer.js';
import { error } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { isNoValue } from '../number.js';
import type { Matrix } from './nvbandwidth-cells.js';
import { newExecution, partOf, problemsOf, runOf, type Execution } from './nvbandwidth-runs.js';

/** The matrices that nvbandwidth prints: one run for each execution. */
export const nvbandwidthText: Importer = {
  tool: 'nvbandwidth-text',
  what: 'nvbandwidth (text)',

  recognizes: (text) => ['(GB/s)', '(ns)', ' CE BW'].some((mark) => text.includes(mark)) && titleMark.test(text),

  nearMiss: (text) =>
    /^nvbandwidth Version: v?\d/m.test(text)
      ? error(
          null,
          'The output of nvbandwidth holds no matrix: no test was run to its end',
          'nvbandwidth 的输出中没有矩阵，没有测试运行到结束',
        )
      : null,

  read(text): Reading {
    const reader = new MatrixReader();
    for (const line of labeledLines(text)) reader.take(line.text, line.number);
    const executions = reader.finish();
    return { runs: executions.map(runOf).filter(({ observations }) => observations.length > 0), problems: executions.flatMap(problemsOf) }; // prettier-ignore
  },
};

const titleMark =
  /^.{0,80}\b(?:(?:memcpy|multicast) (?:CE|SM|local) .{1,80}bandwidth \(GB\/s\)|(?:memory latency|Device to Device Latency) SM .{1,80}\(ns\)|Bisect benchmarking, simultaneous write CE BW)\s{0,20}$/m;

class MatrixReader {
  private readonly executions: Execution[] = [];
  private test: { readonly name: string; readonly line: number; found: number } | null = null;
  private title: { readonly text: string; readonly line: number } | null = null;
  private matrix: (Matrix & { rows: Matrix['rows'][number][] }) | null = null;
  private command: string | null = null;

  take(text: string, line: number): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    if (this.title && this.takeColumns(trimmed)) return;
    if (this.matrix && this.takeRow(trimmed)) return;
    this.takeFacts(trimmed, line);
  }

  finish(): readonly Execution[] {
    this.closeTest();
    return this.executions;
  }

  private get execution(): Execution {
    return this.executions.at(-1) ?? this.open(1);
  }

  private open(line: number): Execution {
    const execution = newExecution(line);
    execution.command = this.command;
    this.command = null;
    this.executions.push(execution);
    return execution;
  }

  private takeFacts(text: string, line: number): void {
    const version = /^nvbandwidth Version: v?(\d[\w.-]{0,40})/.exec(text)?.[1];
    if (version !== undefined) {
      this.closeTest();
      this.open(line).version = version;
      return;
    }
    const command = /^(?:.{0,60}[$#] )?((?:\S{0,100}\/)?nvbandwidth(?: -.{0,2000})?)$/.exec(text)?.[1];
    if (command !== undefined && / |\//.test(command)) {
      this.command = command;
      return;
    }
    const running = /^Running (\w{1,100})\.$/.exec(text)?.[1];
    if (running !== undefined) {
      this.closeTest();
      this.test = { name: running, line, found: 0 };
      return;
    }
    if (titleMark.test(text)) {
      this.matrix = null;
      this.title = { text, line };
      return;
    }
    this.takeSum(text);
    if (/^\[?\.\.\.\]?$|^…$/.test(text)) this.execution.elided += 1;
    if (/smaller than the default buffer size/.test(text)) this.execution.isSmallBuffer = true;
    const cuda = /^CUDA Driver Version: (\d{4,6})$/.exec(text)?.[1];
    if (cuda !== undefined) this.execution.cuda = Number(cuda);
    const driver = /^Driver Version: ([\d.]{1,30})$/.exec(text)?.[1];
    if (driver !== undefined) this.execution.driver = driver;
    // the address of the device and the host before it are left out
    const device = /^(?:Process {1,6}(\d{1,6}) \(.{1,200}?\): device {1,4}\d{1,4}|Device (\d{1,6})): (.{1,100}?)(?: \([\da-fA-F]{4,8}:[\da-fA-F:.]{2,12}\))?$/.exec(text); // prettier-ignore
    if (device?.[3] !== undefined) this.execution.devices.set(device[1] ?? device[2] ?? '', device[3]);
  }

  private takeColumns(text: string): boolean {
    const { title } = this;
    this.title = null;
    const columns = text.split(/\s+/);
    if (
      !title ||
      !columns.every((name) => /^[A-Za-z\d_.:-]{1,40}$/.test(name)) ||
      columns.some((name) => name.includes('.'))
    ) {
      return false;
    }
    const matrix = {
      test: this.test?.name ?? '',
      line: title.line,
      part: partOf(title.text),
      columns,
      rows: [],
      sum: null,
    };
    if (matrix.test === '') matrix.test = testOf(title.text);
    this.matrix = matrix;
    this.execution.matrices.push(matrix);
    if (this.test) this.test.found += 1;
    return true;
  }

  private takeRow(text: string): boolean {
    const { matrix } = this;
    const [name = '', ...words] = text.split(/\s+/);
    if (!matrix) return false;
    if (words.length === 0 || !words.every((word) => isNoValue(word) || /^\d{1,12}(?:\.\d{1,6})?$/.test(word)))
      return false;
    if (words.some((word) => /^\[?\.\.\.\]?$/.test(word)) || words.length !== matrix.columns.length) {
      this.execution.elided += 1;
      return true;
    }
    matrix.rows.push({ name, cells: words.map((word) => (isNoValue(word) ? null : Number(word))) });
    return true;
  }

  private takeSum(text: string): void {
    const found = /^(?:SUM|&&&& PERF) (\w{1,100}) {1,4}(\d{1,12}(?:\.\d{1,6})?)(?: [+-](?:GB\/s|ns))?$/.exec(text);
    if (!found || !this.matrix || found[1] !== this.matrix.test) return;
    this.matrix.sum = Number(found[2]);
    this.matrix = null;
  }

  private closeTest(): void {
    const { test } = this;
    const { matrix } = this;
    // the sum stands below each matrix, or below the last one of a test
    const isOpen =
      matrix !== null && (matrix.rows.length === 0 || this.execution.matrices.some(({ sum }) => sum !== null));
    if (test && (test.found === 0 || isOpen)) this.execution.lost.push({ test: test.name, line: test.line });
    this.test = null;
    this.title = null;
    this.matrix = null;
  }
}

/** The key of the test where only its matrix was copied: what the title alone can tell. */
function testOf(title: string): string {
  const engine = / SM /.test(title) ? 'sm' : 'ce';
  if (/CPU\(row\) -> GPU/.test(title)) return `host_to_device_memcpy_${engine}`;
  if (/CPU\(row\) <- GPU/.test(title)) return `device_to_host_memcpy_${engine}`;
  if (/memory latency SM CPU/.test(title)) return 'host_device_latency_sm';
  if (/Device to Device Latency/.test(title)) return 'device_to_device_latency_sm';
  if (/memcpy local GPU/.test(title)) return 'device_local_copy';
  return title.replace(/\W+/g, '_').slice(0, 60);
}
