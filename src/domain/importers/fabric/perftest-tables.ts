import type { Distribution, ReadObservation } from '../importer.js';
import { ownValue } from '../../own-value.js';

/** What a column of perftest says, and of what. */
interface Column {
  readonly pattern: RegExp;
  readonly metric: string | null;
  readonly dimension?: readonly [string, string | number];
}

/** The columns of all versions, in any order. The unit stands in brackets. */
const columns: readonly Column[] = [
  { pattern: /^#bytes$/, metric: null, dimension: ['bytes', 0] },
  { pattern: /^#sl$/, metric: null, dimension: ['sl', 0] },
  { pattern: /^#iterations$/, metric: null },
  { pattern: /^BW peak\[/, metric: 'peak' },
  { pattern: /^BW average\[/, metric: 'average' },
  { pattern: /^MsgRate\[Mpps\]$/, metric: 'network.message_rate' },
  { pattern: /^BW Port1\[/, metric: 'average', dimension: ['port', 1] },
  { pattern: /^BW Port2\[/, metric: 'average', dimension: ['port', 2] },
  { pattern: /^MsgRate Port1\[Mpps\]$/, metric: 'network.message_rate', dimension: ['port', 1] },
  { pattern: /^MsgRate Port2\[Mpps\]$/, metric: 'network.message_rate', dimension: ['port', 2] },
  { pattern: /^t_typical\[/, metric: 'network.latency' },
  { pattern: /^t_avg\[/, metric: 'network.latency_mean' },
  { pattern: /^99% percentile\[/, metric: 'network.latency_p99' },
  { pattern: /^99\.9% percentile\[/, metric: 'network.latency_p999' },
  { pattern: /^CPU_Util\[%\]$/, metric: 'host.cpu_utilization' },
  { pattern: /^(?:t_(?:min|max|stdev)\[|tps average$)/, metric: null },
];

const names =
  /#bytes|#sl|#iterations|BW (?:peak|average|Port[12]) {0,3}\[[\w/]{1,10}\]|MsgRate(?: Port[12])? {0,3}\[Mpps\]|t_(?:min|max|typical|avg|stdev) {0,3}\[\w{1,10}\]|99(?:\.9)?% percentile {0,3}\[\w{1,10}\]|CPU_Util {0,3}\[%\]|tps average/g;

export interface Header {
  readonly names: readonly string[];
  readonly kind: 'BANDWIDTH' | 'LATENCY';
}

/** The columns that the header of a table names, or null for any other line. */
export function headerOf(line: string): Header | null {
  if (line.length > 400 || !/#bytes\s{1,20}(?:#sl\s{1,20})?#iterations\s/.test(line)) return null;
  const found = [...line.matchAll(names)].map(([name]) => name.replace(/ {1,3}\[/, '['));
  if (found.some((name) => name.startsWith('BW average'))) return { names: found, kind: 'BANDWIDTH' };
  return found.some((name) => /^t_(typical|avg)/.test(name)) ? { names: found, kind: 'LATENCY' } : null;
}

export interface Row {
  readonly line: number;
  readonly text: string;
  readonly bytes: number;
  readonly iterations: number;
  readonly figures: readonly Figure[];
}

export interface Figure {
  readonly metric: string;
  readonly dimensions: ReadObservation['dimensions'];
  readonly value: number;
  readonly unit: string;
  readonly distribution?: Distribution;
}

/** True for a line that begins as a row does. */
export function startsRow(line: string): boolean {
  return /^\s{0,20}\d{1,15}\s{1,30}\d{1,15}(?:\s|$)/.test(line);
}

/** A row with as many numbers as the header has names, or null. */
export function rowOf(text: string, header: Header, line: number): Row | null {
  const words = text.trim().split(/\s+/);
  if (words.length !== header.names.length || !words.every((word) => /^\d{1,15}(?:\.\d{1,12})?$/.test(word)))
    return null;
  const values = new Map(header.names.map((name, index) => [name, Number(words[index])]));
  const bytes = values.get('#bytes');
  if (bytes === undefined) return null;
  const sl = values.get('#sl');
  const base = { bytes, ...(sl === undefined ? {} : { sl }) };
  const iterations = values.get('#iterations') ?? 0;
  const distribution = distributionOf(values, iterations);
  const figures = [...values]
    .flatMap(([name, value]) => figureOf(name, value, base))
    .map((figure) => (figure.metric === 'network.latency' ? { ...figure, distribution } : figure));
  return { line, text: words.join(' '), bytes, iterations, figures };
}

/** Without the deviation, which perftest cuts to whole numbers before it squares. */
function distributionOf(values: ReadonlyMap<string, number>, count: number): Distribution {
  const at = (name: string) => values.get(`${name}[usec]`) ?? null;
  return {
    count,
    mean: at('t_avg'),
    sd: null,
    min: at('t_min'),
    p50: at('t_typical'),
    p90: null,
    p99: at('99% percentile'),
    max: at('t_max'),
  };
}

function figureOf(name: string, value: number, base: Readonly<Record<string, number>>): readonly Figure[] {
  const column = columns.find(({ pattern }) => pattern.test(name));
  const unit = unitOf(name);
  // a peak of 0 was not measured
  if (!column?.metric || unit === null || (column.metric === 'peak' && value === 0)) return [];
  const dimensions = column.dimension ? { ...base, [column.dimension[0]]: column.dimension[1] } : base;
  return [{ metric: metricOf(column.metric, unit), dimensions, value, unit }];
}

/** Bits and bytes are measures of their own: neither is made of the other. */
function metricOf(name: string, unit: string): string {
  if (name !== 'peak' && name !== 'average') return name;
  const kind = unit === 'Gbit/s' ? 'network.rdma_bandwidth' : 'network.rdma_data_rate';
  return name === 'peak' ? `${kind}_peak` : kind;
}

/** MB counts 2^20 bytes here, as newer versions write. Null for cycles, of which the frequency is not known. */
function unitOf(name: string): string | null {
  const unit = /\[(.{1,10})\]$/.exec(name)?.[1] ?? '';
  return ownValue(units, unit) ?? null;
}

const units = { 'MB/sec': 'MiB/s', 'MiB/sec': 'MiB/s', 'Gb/sec': 'Gbit/s', Mpps: 'Mmsg/s', usec: 'us', '%': '%' };
