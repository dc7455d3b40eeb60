import { convert, dimensionOf } from '../../measurement/unit.js';
import { meanOf, samplesWithDistribution } from '../distribution.js';
import type { ReadObservation } from '../importer.js';

const rowLine =
  /^\s{0,20}\[ {0,4}(SUM|\*?\d{1,5})\](?:\[([TR]X-[CS])\])? {0,10}(\d{1,9}\.\d{1,6})- {0,10}(\d{1,9}\.\d{1,6}) {1,4}sec {1,6}([\d.]{1,20}) ([KMGT]?)Bytes {1,6}([\d.]{1,20}) ([KMGT]?)(bits|Bytes)\/sec(.{0,200})$/;

/** Of a stream. */
export type Side = 'sent' | 'received';

export interface Row {
  readonly line: number;
  readonly stream: string;
  /** `forward` from the client to the server; null where only one direction was tested. */
  readonly direction: 'forward' | 'reverse' | null;
  /** Which side of the stream printed it, where the line tells. */
  readonly role: Side | null;
  readonly begin: number;
  readonly end: number;
  readonly rate: number;
  readonly unit: string;
  readonly rest: string;
}

/** The interval or the summary that a line tells of, or null for any other line. */
export function rowOf(text: string, line: number): Row | null {
  const found = rowLine.exec(text);
  if (!found) return null;
  const [, stream = '', role, begin, end, , , rate, prefix = '', kind, rest = ''] = found;
  return {
    line,
    stream,
    direction: role ? (role === 'TX-C' || role === 'RX-S' ? 'forward' : 'reverse') : null,
    role: role ? (role.startsWith('TX') ? 'sent' : 'received') : null,
    begin: Number(begin),
    end: Number(end),
    rate: Number(rate),
    // bits count by 1000, bytes by 1024
    unit: kind === 'bits' ? `${prefix === 'K' ? 'k' : prefix}bit/s` : `${prefix === '' ? '' : `${prefix}i`}B/s`,
    rest,
  };
}

export interface Summary {
  readonly observations: readonly ReadObservation[];
  /** The lines at the end are missing: the values are means of the intervals. */
  readonly isCut: boolean;
  /** Several streams without a sum. */
  readonly isApart: boolean;
}

/** iperf3 marks the lines of its summary with `sender` and `receiver`. `own` is the side that printed the intervals. */
export function summaryOf(rows: readonly Row[], own: Side): Summary {
  const found: ReadObservation[] = [];
  let [isCut, isApart] = [false, false];
  const directions = [...new Set(rows.map(({ direction }) => direction))];
  for (const direction of directions) {
    const mine = rows.filter((row) => row.direction === direction);
    const dimensions: Record<string, string> = direction === null || directions.length === 1 ? {} : { direction };
    const intervals = intervalsOf(mine.filter(({ rest }) => sideOf(rest) === null));
    const marked = mine.filter(({ rest }) => sideOf(rest) !== null);
    const side = intervals[0]?.role ?? (intervals.some(({ rest }) => retransmissions.test(rest)) ? 'sent' : own);
    if (marked.length === 0) {
      isCut = true;
      found.push(...meanOfIntervals(intervals, dimensions, side));
      continue;
    }
    const sums = marked.filter(({ stream }) => stream === 'SUM');
    const streams = new Map(
      [...new Set(marked.map(({ stream }) => stream))].map((stream, index) => [stream, index + 1]),
    );
    const used = sums.length > 0 ? sums : marked;
    if (sums.length === 0 && streams.size > 1) isApart = true;
    for (const row of used) {
      const at = isApart ? { ...dimensions, stream: streams.get(row.stream) ?? 0 } : dimensions;
      const of = sideOf(row.rest) ?? side;
      found.push(...rowFigures(row, at, of, of === side && !isApart ? intervals : []));
    }
  }
  return { observations: found, isCut, isApart };
}

/** iperf 2 ends with one line for each stream that spans the whole test, and a sum where there are several. */
export function summaryOfSecond(all: readonly Row[], own: Side): Summary {
  const rows = all.filter(({ rest }) => !cutDatagrams.test(rest));
  const sums = rows.filter(({ stream }) => stream === 'SUM');
  const streams = [...new Set(rows.map(({ stream }) => stream).filter((stream) => stream !== 'SUM'))];
  const groups = sums.length > 0 ? ['SUM'] : streams;
  let isCut = rows.length < all.length;
  const byStream = new Map(groups.map((stream): [string, Row[]] => [stream, []]));
  for (const row of rows) byStream.get(row.stream)?.push(row);
  const found = groups.flatMap((stream, index) => {
    const mine = byStream.get(stream) ?? [];
    const dimensions: Record<string, number> = groups.length > 1 ? { stream: index + 1 } : {};
    const whole = wholeOf(mine);
    // a server's report of datagrams says what arrived
    const side = whole && datagrams(whole.rest) ? 'received' : own;
    if (whole)
      return rowFigures(
        whole,
        dimensions,
        side,
        mine.filter((row) => !isSpanning(row, whole.end)),
      );
    isCut = true;
    return meanOfIntervals(mine, dimensions, side);
  });
  return { observations: found, isCut, isApart: groups.length > 1 };
}

/** The line from 0 to the end that comes behind its intervals; a server reports again what it received, and that counts. */
function wholeOf(rows: readonly Row[]): Row | null {
  const [first] = rows;
  if (!first) return null;
  if (rows.length === 1) return first;
  const end = rows.reduce((most, row) => Math.max(most, row.end), 0);
  return rows.filter((row) => isSpanning(row, end)).at(-1) ?? null;
}

function isSpanning(row: Row, end: number): boolean {
  return row.begin < 0.01 && row.end >= 0.99 * end;
}

/** Intervals of the sum where there are several streams, without those of the warm-up. */
function intervalsOf(rows: readonly Row[]): readonly Row[] {
  const counted = rows.filter(({ rest }) => !/\(omitted\)/.test(rest));
  const sums = counted.filter(({ stream }) => stream === 'SUM');
  return sums.length > 0 ? sums : new Set(counted.map(({ stream }) => stream)).size === 1 ? counted : [];
}

function meanOfIntervals(
  rows: readonly Row[],
  dimensions: ReadObservation['dimensions'],
  side: Side,
): readonly ReadObservation[] {
  const [first] = rows;
  const rates = rows.map((row) => rateIn(row, first?.unit ?? ''));
  const value = meanOf(rates.filter(Number.isFinite));
  if (!first || value === null || value <= 0) return [];
  return [
    { metric: metricOf(side, first.unit), dimensions, value, unit: first.unit, ...samplesWithDistribution(rates) },
  ];
}

function rowFigures(
  row: Row,
  dimensions: ReadObservation['dimensions'],
  side: Side,
  intervals: readonly Row[],
): readonly ReadObservation[] {
  const found: ReadObservation[] = [];
  const samples = samplesWithDistribution(intervals.map((each) => rateIn(each, row.unit))) ?? {};
  if (row.rate > 0) {
    found.push({ metric: metricOf(side, row.unit), dimensions, value: row.rate, unit: row.unit, ...samples });
  }
  const retransmits = side === 'sent' && datagrams(row.rest) === null ? /^ {1,10}(\d{1,9}) {4,}sender/.exec(row.rest)?.[1] : undefined; // prettier-ignore
  if (retransmits !== undefined) {
    found.push({ metric: 'network.retransmits', dimensions, value: Number(retransmits), unit: 'count' });
  }
  const figures = side === 'received' ? datagrams(row.rest) : null;
  if (figures) {
    found.push({ metric: 'network.jitter', dimensions, value: figures.jitter, unit: 'ms' });
    const { lost, sent } = figures;
    if (lost !== null && sent > 0) {
      found.push({ metric: 'network.packet_loss', dimensions, value: (100 * lost) / sent, unit: '%' });
    }
  }
  return found;
}

function sideOf(rest: string): Side | null {
  const found = /\b(sender|receiver)\s{0,20}$/.exec(rest)?.[1];
  return found === undefined ? null : found === 'sender' ? 'sent' : 'received';
}

/** Only a sender counts them. */
const retransmissions = /^ {1,10}\d{1,9} {2,10}[\d.]{1,10} [KMG]?Bytes/;

/** Each line chooses its own prefix. */
function rateIn(row: Row, unit: string): number {
  return dimensionOf(row.unit) === dimensionOf(unit) ? convert(row.rate, row.unit, unit) : NaN;
}

/** The figures of a server's report as far as a cut line has them: without the rest it looks like a client's line. */
const cutDatagrams = /^ {1,10}\d{1,9}(?:\.\d{0,6}(?: (?:m(?:s {0,6}(?:\d{0,12}\/?|U[a-z]{0,6}\/?) {0,10})?)?)?)?$/;

function datagrams(
  rest: string,
): { readonly jitter: number; readonly lost: number | null; readonly sent: number } | null {
  const found = /^ {1,10}(\d{1,9}\.\d{1,6}) ms {1,6}(\d{1,12}|Unknown)\/ {0,10}(\d{1,12})\b/.exec(rest);
  if (!found) return null;
  return { jitter: Number(found[1]), lost: found[2] === 'Unknown' ? null : Number(found[2]), sent: Number(found[3]) };
}

/** Bits and bytes are measures of their own: neither is made of the other. */
function metricOf(side: Side, unit: string): string {
  const inBytes = unit.endsWith('B/s');
  if (side === 'received') return inBytes ? 'network.data_rate' : 'network.bandwidth';
  return inBytes ? 'network.sent_data_rate' : 'network.sent_bandwidth';
}
