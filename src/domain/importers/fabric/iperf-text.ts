import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { incomplete, warning, type Importer, type ImportProblem, type Reading, type ReadRun } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { rowOf, summaryOf, summaryOfSecond, type Row, type Side } from './iperf-rows.js';
import { iperfFailure } from './iperf3-json.js';

/** What iperf3 and iperf 2 print: one run for each test. */
export const iperfText: Importer = {
  tool: 'iperf-text',
  what: 'iperf3 and iperf 2 (text)',

  recognizes: (text) => headerLine.test(text) && /^.{0,120}\[ {0,4}(?:SUM|\d{1,4})\].{0,80}\bsec\b.{0,60}(?:bits|Bytes)\/sec/m.test(text), // prettier-ignore

  nearMiss: iperfFailure,

  read(text): Reading {
    const readers = new Map<string, IperfReader>();
    for (const { text: line, number, label } of labeledLines(text)) {
      if (line === '') continue;
      const key = label ?? '';
      let reader = readers.get(key);
      if (!reader) readers.set(key, (reader = new IperfReader()));
      reader.take(line, number);
    }
    const parts = [...readers.values()].map((reader) => reader.finish());
    return { runs: parts.flatMap(({ runs }) => runs), problems: parts.flatMap(({ problems }) => problems) };
  },
};

const headerLine = /\[ ID\](?:\[Role\])? Interval {1,20}Transfer {1,20}(?:Bitrate|Bandwidth)\b/;

class IperfReader {
  private readonly readings: Reading[] = [];
  private rows: Row[] = [];
  private settings: Record<string, FactValue> = {};
  private version: string | null = null;
  private command: string | null = null;
  private isSecond = false;
  private isServer = false;
  private failure: { readonly reason: string; readonly line: number } | null = null;

  take(text: string, line: number): void {
    const row = rowOf(text, line);
    if (row) return void this.rows.push(row);
    const reason = /^iperf3?: (?:error - |interrupt - )(.{1,200})/.exec(text)?.[1];
    if (reason) this.failure ??= { reason, line };
    const opening = /^\s{0,20}(Connecting to host|Accepted connection from|Client connecting to|Server listening on)\b/.exec(text)?.[1]; // prettier-ignore
    if (opening) {
      this.close();
      this.isSecond = /^\s{0,20}(?:Client connecting|Server listening on (?:TCP|UDP))/.test(text);
      this.isServer = opening === 'Accepted connection from';
      if (/\bUDP\b/.test(text)) this.settings['workload.operation'] = 'udp';
    }
    if (headerLine.test(text) && /Datagrams|Jitter/.test(text)) this.settings['workload.operation'] = 'udp';
    this.takeFacts(text);
  }

  finish(): Reading {
    this.close();
    return {
      runs: this.readings.flatMap(({ runs }) => runs),
      problems: this.readings.flatMap(({ problems }) => problems),
    };
  }

  private takeFacts(text: string): void {
    const version = /^\s{0,20}iperf (?:version )?(\d{1,3}\.\d{1,5}[\w.+-]{0,20})/.exec(text)?.[1];
    if (version) this.version = version;
    const command = /^(?:.{0,60}[$#] )?(iperf3? .{1,2000})$/.exec(text)?.[1];
    if (command && / -[cs]\b| --(?:client|server)\b/.test(command)) {
      this.close();
      this.command = command;
    }
    const start = /^\s{0,20}Starting Test: protocol: (\w{1,10}), (\d{1,6}) streams?, (\d{1,12}) byte blocks, omitting (\d{1,6}) seconds, (\d{1,15}) (second test|bytes to send|blocks to send)(?:, tos (\d{1,4}))?/.exec(text); // prettier-ignore
    if (start) {
      const [, protocol = '', streams, blksize, omit, amount, kind = '', tos] = start;
      this.settings['workload.operation'] = protocol.toLowerCase();
      this.settings['workload.concurrency'] = Number(streams);
      this.settings['workload.settings.blksize'] = Number(blksize);
      this.settings['workload.settings.omit'] = Number(omit);
      const of = kind.startsWith('second') ? 'duration' : kind.startsWith('bytes') ? 'bytes' : 'blocks';
      this.settings[`workload.settings.${of}`] = Number(amount);
      if (tos !== undefined) this.settings['workload.settings.tos'] = Number(tos);
    }
    if (/^\s{0,20}Reverse mode, remote host/.test(text)) this.settings['workload.settings.reverse'] = 1;
    const window = /^\s{0,20}TCP window size: {1,4}([\d.]{1,12} [KMG]?Bytes?)/.exec(text)?.[1];
    if (window) this.settings['workload.settings.window'] = window;
  }

  private close(): void {
    if (this.rows.length > 0 || this.failure) this.readings.push(this.read());
    if (this.rows.length > 0) this.command = null;
    this.rows = [];
    this.settings = {};
    this.failure = null;
  }

  private read(): Reading {
    const [first] = this.rows;
    const problems: ImportProblem[] = [];
    if (this.failure) problems.push(broken(this.failure.reason, this.failure.line));
    if (!first) return { runs: [], problems };
    const isThird = !this.isSecond && this.version?.startsWith('2') !== true;
    const isReverse = this.settings['workload.settings.reverse'] === 1;
    const own: Side = this.isServer === isReverse ? 'sent' : 'received';
    const isUdp = this.settings['workload.operation'] === 'udp';
    const summary = isThird ? summaryOf(this.rows, own) : summaryOfSecond(this.rows, isUdp ? 'sent' : 'received');
    const isCut = summary.isCut || this.failure !== null;
    if (summary.isCut) problems.push(cut(first.line));
    if (summary.isApart) problems.push(apart(first.line));
    const run: ReadRun = {
      status: isCut ? 'PARTIAL' : 'OK',
      tool: isThird ? 'iperf3' : 'iperf2',
      toolVersion: this.version,
      variant: null,
      startedAt: null,
      command: this.command,
      environment: {},
      workload: this.workloadOf(isThird ? 'iperf3' : 'iperf2'),
      session: null,
      block: null,
      observations: summary.observations,
    };
    return { runs: summary.observations.length > 0 ? [run] : [], problems };
  }

  private workloadOf(tool: string): Facts {
    const streams = new Set(this.rows.map(({ stream }) => stream).filter((stream) => stream !== 'SUM')).size;
    const directions = new Set(this.rows.map(({ direction }) => direction)).size;
    return {
      'workload.tool': tool,
      'workload.operation': 'tcp',
      ...(streams > 0 ? { 'workload.concurrency': Math.max(1, Math.round(streams / directions)) } : {}),
      ...(directions > 1 ? { 'workload.settings.bidir': 1 } : {}),
      ...this.settings,
    };
  }
}

function cut(line: number): ImportProblem {
  return incomplete(
    line,
    'The summary at the end is missing: the rate is the mean of the intervals',
    '末尾的汇总缺失，速率取各时段的平均值',
  );
}

function apart(line: number): ImportProblem {
  return warning(
    line,
    'There are several streams without a sum: each is read by itself',
    '有多个流但没有合计，逐个流读取',
    { code: 'GROUPED' },
  );
}

function broken(reason: string, line: number): ImportProblem {
  return incomplete(line, `The test was broken off: ${reason}`, `测试中断：${reason}`);
}
