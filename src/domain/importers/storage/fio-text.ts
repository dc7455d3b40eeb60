import { leftOut, error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { jobProblems, settled } from './fio-problems.js';
import { runsOf, directions, type Direction, type Job, type Latency, type Percentiles } from './fio-results.js';
import { settingsOf } from './fio-settings.js';
import type { Facts } from '../../measurement/environment-diff.js';

/** The report that fio prints: of version 2 (`io=.., bw=.., iops=..`) and of version 3 (`IOPS=.., BW=..`). */
export const fioText: Importer = {
  tool: 'fio-text',
  what: 'fio (text)',

  recognizes: (text) => jobLine.test(text) && rateMark.test(text),

  nearMiss: (text) =>
    /^[2-5];(?:fio-)?[^;\n]{1,200};[^;\n]{0,200};\d{1,6};\d{1,6};(?:[^;\n]{0,100};){40}/m.test(text)
      ? error(
          null,
          'This is the terse output of fio, whose columns depend on the version. Run it with --output-format=json',
          '这是 fio 的 terse 输出，各列含义随版本而变。请使用 --output-format=json 运行',
        )
      : null,

  read(text): Reading {
    const readers = new Map<string, FioReader>();
    for (const { text: line, number, label } of labeledLines(text)) {
      if (line === '') continue;
      const key = label ?? '';
      let reader = readers.get(key);
      if (!reader) readers.set(key, (reader = new FioReader()));
      reader.take(line, number);
    }
    const parts = [...readers.values()].map((reader) => reader.finish());
    const runs = parts.flatMap((part) => part.runs);
    return { runs, problems: settled(runs, parts.flatMap(({ problems }) => problems)) }; // prettier-ignore
  },
};

const jobLine = /: \(groupid=\d{1,9}, jobs=\d{1,9}\): err= ?\d/;
const rateMark = /\biops=\s{0,10}\d|\bIOPS=\d/;

const headLine = /^(.{1,200}?): \(g=(\d{1,9})\): rw=(\w{1,30}), (.{1,400})$/;
const startLine =
  /^(.{1,200}?): \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err=\s{0,5}(\d{1,9})(?: \(.{0,300}\))?: pid=\d{1,10}(?:: (.{1,40}))?/;
const newRates =
  /^\s{1,20}(read|write|trim|mixed)\s{0,5}: IOPS=([\d.]{1,20})([kMGTP]?), BW=([\d.]{1,20})([KMGTPkE]?i?)(B|bit)\/s/;
const oldRates =
  /^\s{1,20}(read|write|trim|mixed)\s{0,5}:\s{0,5}io=\s{0,10}[\d.]{1,20}[A-Za-z]{0,4}, bw=\s{0,10}([\d.]{1,20})([KMGTP]?)(i?)B\/s, iops=\s{0,10}([\d.]{1,20})([kKMGTP]?)/;
const latencyLine =
  /^\s{1,20}(clat|lat|sync)\s{0,5}\((nsec|usec|msec)\): min=\s{0,10}([\d.]{1,20})([kKMGTP]?), max=\s{0,10}([\d.]{1,20})([kKMGTP]?), avg=\s{0,10}([\d.]{1,20})([kKMGTP]?), stdev=\s{0,10}([\d.]{1,20})([kKMGTP]?)/;
const percentilesLine = /^\s{1,20}(clat|slat|lat|sync) percentiles \((nsec|usec|msec)\):/;

const decimalFactors: Readonly<Record<string, number>> = { '': 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };
const unitOf = (name: string): Latency['unit'] => (name === 'nsec' ? 'ns' : name === 'usec' ? 'us' : 'ms');
const directionOf = (name: string): Direction => directions.find((direction) => direction === name) ?? 'mixed';
const scaled = (digits: string, suffix: string): number => {
  const value = Number(digits) * (decimalFactors[suffix] ?? NaN);
  // a suffix multiplies by a power of ten, which may leave a remainder in the last digit
  return suffix === '' ? value : Number(value.toPrecision(12));
};

interface Head {
  readonly name: string;
  readonly group: number;
  readonly settings: Facts;
}

/** One execution at a time. */
class FioReader {
  private readonly readings: Reading[] = [];
  private heads: Head[] = [];
  private jobs: Job[] = [];
  private version: string | null = null;
  private command: string | null = null;
  private date: { readonly text: string; readonly line: number } | null = null;
  private isSummed = false;
  private isStopped = false;
  private problems: ImportProblem[] = [];
  private latencies: Latency[] = [];
  private percentiles: Percentiles | null = null;

  take(given: string, line: number): void {
    // in client/server mode the server's lines come with its name
    const text = given.replace(/^<[^<>]{1,100}> /, '');
    if (this.takeLatency(text)) return;
    const command = /^(?:.{0,60}[$#] )?((?:sudo )?fio [-\w./].{0,2000})$/.exec(text)?.[1];
    if (command && this.jobs.length === 0) this.command = command;
    const head = headLine.exec(text);
    if (head) return this.takeHead(head);
    const version = /^fio-(\d{1,3}\.\d{1,5}\S{0,40})\s*$/.exec(text)?.[1];
    if (version) {
      if (this.jobs.length > 0) this.close();
      this.version = version;
      return;
    }
    const start = startLine.exec(text);
    if (start) return this.takeStart(start, line);
    if (/^\s{0,20}Run status group \d/.test(text)) this.isSummed = true;
    if (/^fio: terminating on signal/.test(text)) this.isStopped = true;
    this.takeRates(text, line);
    this.takeCounts(text);
  }

  finish(): Reading {
    this.close();
    const runs = this.readings.flatMap((reading) => reading.runs);
    return { runs, problems: this.readings.flatMap((reading) => reading.problems) };
  }

  private takeHead([, name = '', group = '', rw = '', rest = '']: RegExpExecArray): void {
    if (this.jobs.length > 0) this.close();
    const options: Record<string, string> = { rw };
    const sizes = /\bbs=((?:\([RWT]\) [\dA-Za-z.-]{1,40}(?:, )?){1,3}|[\dA-Za-z./-]{1,100})/.exec(rest)?.[1];
    if (sizes) options.bs = sizes.replace(/, $/, '');
    for (const key of ['ioengine', 'iodepth']) {
      const value = new RegExp(`\\b${key}=([\\w.-]{1,60})`).exec(rest)?.[1];
      if (value) options[key] = value;
    }
    this.heads.push({ name, group: Number(group), settings: settingsOf(options) });
  }

  private takeStart([, name = '', group = '', members = '1', err = '0', date]: RegExpExecArray, line: number): void {
    const isTotal = name === 'All clients';
    const head = this.heads.find((each) => each.name === name && each.group === Number(group)) ?? this.heads.find((each) => each.name === name); // prettier-ignore
    const numjobs: Facts = Number(members) > 1 ? { 'workload.settings.numjobs': Number(members) } : {};
    this.jobs.push({
      name,
      group: Number(group),
      client: null,
      line,
      isTotal,
      error: Number(err),
      transfers: [],
      syncs: [],
      settings: { ...head?.settings, ...numjobs },
    });
    this.latencies = [];
    this.isSummed = false;
    if (date) this.date ??= { text: date, line };
  }

  private takeRates(text: string, line: number): void {
    const job = this.jobs.at(-1);
    if (!job) return;
    const found = newRates.exec(text);
    const old = found ? null : oldRates.exec(text);
    if (!found && !old) return;
    const direction = directionOf((found ?? old)?.[1] ?? '');
    // version 2 writes KB for 1024 bytes
    const bandwidth = found
      ? { value: Number(found[4]), unit: `${found[5] ?? ''}${found[6] ?? ''}/s` }
      : { value: Number(old?.[2]), unit: old?.[3] ? `${old[3]}iB/s` : 'B/s' };
    const iops = found ? scaled(found[2] ?? '', found[3] ?? '') : scaled(old?.[5] ?? '', old?.[6] ?? '');
    const inBits = bandwidth.unit.includes('bit');
    if (inBits) {
      this.problems.push(
        leftOut(
          line,
          `The bandwidth in bits (${bandwidth.value} ${bandwidth.unit}) was left out: run fio without unit_base=1`,
          `未采用以 bit 计的带宽（${bandwidth.value} ${bandwidth.unit}），请去掉 unit_base=1 重新运行`,
        ),
      );
    }
    this.latencies = [];
    job.transfers.push({
      direction,
      bandwidth: inBits || !Number.isFinite(bandwidth.value) ? null : bandwidth,
      iops: Number.isFinite(iops) ? iops : null,
      requests: null,
      latencies: this.latencies,
    });
  }

  /** `issued rwts: total=8,4,0,0` in version 3, `issued : total=r=8/w=4/d=0` in version 2. */
  private takeCounts(text: string): void {
    const found = /^\s{1,20}issued\s{0,5}(?:rwts?)?\s{0,5}: total=(?:r=)?(\d{1,15})[,/](?:w=)?(\d{1,15})[,/](?:d=)?(\d{1,15})/.exec(text); // prettier-ignore
    if (!found) return;
    for (const transfer of this.jobs.at(-1)?.transfers ?? []) {
      const at = directions.indexOf(transfer.direction);
      if (at < 3) transfer.requests = Number(found[at + 1]);
    }
  }

  /** True for a line of latencies or percentiles. */
  private takeLatency(text: string): boolean {
    const job = this.jobs.at(-1);
    if (!job) return false;
    const header = percentilesLine.exec(text);
    if (header) {
      const [, kind, unit = ''] = header;
      const list = kind === 'sync' ? job.syncs : this.latencies;
      const own = list.find((each) => each.kind === (kind === 'sync' ? 'lat' : kind));
      this.percentiles = own?.percentiles ?? null;
      if (own) own.percentiles.unit = unitOf(unit);
      return true;
    }
    if (/^\s{1,20}\| /.test(text)) {
      for (const [, percentile, value] of text.slice(0, 400).matchAll(/(\d{1,3}\.\d{1,8})th=\[\s{0,20}(\d{1,20})\]/g)) {
        this.percentiles?.values.set(Number(percentile), Number(value));
      }
      return true;
    }
    const found = latencyLine.exec(text);
    if (!found) return false;
    const [, kind, unit = '', min = '', minUnit = '', max = '', maxUnit = '', mean = '', meanUnit = '', sd = '', sdUnit = ''] = found; // prettier-ignore
    const latency: Latency = {
      kind: kind === 'clat' ? 'clat' : 'lat',
      unit: unitOf(unit),
      mean: scaled(mean, meanUnit),
      sd: scaled(sd, sdUnit),
      min: scaled(min, minUnit),
      max: scaled(max, maxUnit),
      percentiles: { unit: unitOf(unit), values: new Map() },
    };
    if (!Number.isFinite(latency.mean)) return true;
    if (kind === 'sync') job.syncs.push(latency);
    else if (!this.latencies.some((each) => each.kind === latency.kind)) this.latencies.push(latency);
    return true;
  }

  private close(): void {
    if (this.jobs.length > 0) {
      const line = this.jobs[0]?.line ?? 1;
      const { startedAt, problems } = startOf(this.date);
      const execution = {
        toolVersion: this.version,
        startedAt,
        command: this.command,
        environment: {},
        jobs: this.jobs,
        isCut: this.isStopped || !this.isSummed,
      };
      this.readings.push({
        runs: runsOf(execution),
        problems: [...this.problems, ...problems, ...jobProblems(execution, line)],
      });
    }
    this.heads = [];
    this.jobs = [];
    this.version = null;
    this.command = null;
    this.date = null;
    this.isSummed = false;
    this.isStopped = false;
    this.problems = [];
    this.latencies = [];
    this.percentiles = null;
  }
}

/** `Fri Feb  9 12:56:50 2018`: a local time without zone, at the end of the job; taken as UTC, for want of better. */
function startOf(date: { readonly text: string; readonly line: number } | null): ReturnType<typeof startedAtOf> {
  const found = /^\w{3} (\w{3}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})/.exec(date?.text ?? '');
  const month = months.indexOf(found?.[1] ?? '') + 1;
  if (!date || !found || month === 0) return { startedAt: null, problems: [] };
  const [, , day = '', time = '', year = ''] = found;
  const iso = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}T${time}Z`;
  return startedAtOf(iso, date.text, date.line);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
