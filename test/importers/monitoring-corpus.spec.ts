import { describe, expect, it } from '@jest/globals';
import type { ReadObservation } from '../../src/domain/importers/importer.js';
import { readContent } from '../../src/domain/importers/index.js';
import { monitoringImporters } from '../../src/domain/importers/monitoring/index.js';
import {
  becauseNoCorpus,
  corpus,
  directionOf,
  hasCorpus,
  importerOf,
  storedFiles,
  type Truth,
} from '../support/corpus.js';
import { messages, textAt } from '../support/tool-output.js'; // prettier-ignore

const describeCorpus = hasCorpus ? describe : describe.skip;
const files = storedFiles(monitoringImporters.map(({ tool }) => tool));

/** The names of the corpus -> the metrics of the catalog. */
const metricNames: Readonly<Record<string, string>> = {
  'gpu.temperature': 'gpu.core_temperature',
  'gpu.sm_clock': 'gpu.core_clock',
  'gpu.utilization_sm': 'gpu.utilization',
  'gpu.utilization_enc': 'gpu.encoder_utilization',
  'serving.num_requests_running': 'serving.requests_running',
  'serving.kv_cache_usage': 'serving.kv_cache_utilization',
  'host.net_recv': 'host.network_received',
  'host.cpu_usr': 'host.cpu_user',
  'host.cpu_sys': 'host.cpu_system',
  'host.csw': 'host.context_switches',
  'storage.await': 'io.device_latency',
  'storage.read_iops': 'io.device_read_iops',
  'storage.tps': 'io.device_iops',
  'storage.read_bw': 'io.device_read_bandwidth',
  up: 'monitor.value',
};
/** The kB of iostat is 1024 bytes. */
const unitNames: Readonly<Record<string, string>> = {
  '1/s of storage.tps': 'IOPS',
  'kB/s of storage.read_bw': 'KiB/s',
};
/** The utilization of a GPU is context by section 0 of the formats: the corpus calls it better where it is higher. */
const isContext = new Set(['gpu.utilization', 'gpu.encoder_utilization']);
/** What a label says of the point. */
const pointOf = (label: string): Readonly<Record<string, string | number>> => {
  const gpu = /(?:gpu|GPU|index) (\d)/.exec(label)?.[1];
  const device = /\b(sda)\b/.exec(label)?.[1];
  return {
    ...(gpu === undefined ? {} : { gpu: Number(gpu) }),
    ...(device === undefined ? {} : { device }),
    ...(label.startsWith('job prometheus') ? { job: 'prometheus' } : {}),
  };
};
/** The row of a monitor that a label means, counted without the average since boot; null for all rows together. */
const rowOf = (label: string): number | null => {
  if (/^(first sample|sample 1|second row)/.test(label)) return 0;
  if (label.startsWith('third row')) return 1;
  return label === 'last sample' ? -1 : null;
};
/** Rows that are no measurement of the benchmark: an importer must not give them as one. */
const isSkipped = (label: string): boolean => /skip|first report/.test(label);

function at(found: ReadObservation, { label }: Truth): boolean {
  return Object.entries(pointOf(label)).every(([name, value]) => found.dimensions[name] === value);
}

/** The value that the observation has where the truth means one row, else that of all rows or of any. */
function valuesOf({ value, samples = [] }: ReadObservation, label: string): readonly (number | undefined)[] {
  const row = rowOf(label);
  return row === null ? [value, ...samples] : [samples.at(row) ?? value];
}

const cases = files.flatMap(({ path, format, truths }) =>
  truths.map((truth) => ({ path, tool: importerOf[format] ?? '', truth, label: `${truth.metric} ${truth.label}` })),
);

describeCorpus(`real output of monitors${becauseNoCorpus}`, () => {
  it('is there for each importer', () => {
    expect(new Set(files.map(({ format }) => importerOf[format])).size).toBe(monitoringImporters.length);
    expect(cases).toHaveLength(48);
  });

  it.each(cases)('$path holds $label', ({ path, tool, truth }) => {
    const read = readContent(textAt(`${corpus}/${path}`), tool);
    expect(read.reading.problems.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
    const metric = metricNames[truth.metric] ?? truth.metric;
    const observations = read.reading.runs.flatMap((run) => run.observations);
    const found = observations.filter((each) => each.metric === metric && at(each, truth));
    if (truth.value === null) return expect(found).toEqual([]);
    expect(directionOf(metric)).toBe(isContext.has(metric) ? 'context' : truth.direction);
    const values = found.flatMap((each) => valuesOf(each, truth.label));
    if (isSkipped(truth.label)) return expect(values).not.toContain(truth.value);
    // a quotient of the file is told to six digits
    expect(values.filter((value) => Math.abs((value ?? NaN) - (truth.value ?? NaN)) < 1e-6)).not.toEqual([]);
    expect(new Set(found.map(({ unit }) => unit))).toEqual(
      new Set([unitNames[`${truth.unit} of ${truth.metric}`] ?? truth.unit]),
    );
  });

  it.each([
    ['vmstat/jc-centos77-awt.txt', ['WARNING 3 The only report is the average since the machine started']],
    ['vmstat/jc-centos77-at-5-10.txt', ['WARNING 3 The first report was left out: it is the average']],
    ['iostat/rocksdb-read-nvme.txt', ['WARNING 3 The first report was left out: it is the average']],
    ['iostat/sandisk-iostat-short.txt', ['WARNING 3 The only report is the average since the machine started']],
    ['nvidia-smi-q/old-driver-gpu0.txt', ['WARNING 2 The tool states 4 attached GPUs and prints 1 here']],
    ['dcgm-exporter-prom/netdata-testdata-valid.prom', ['WARNING 11 GPU 0 reports XID error 31', 'WARNING 15 GPU 0 could not remap a row']],
    ['prometheus-exposition/vllm-0251-metrics-loaded.txt', ['WARNING 39 Counts and mean times are those since the start of the server']],
    ['nvidia-smi-dmon/h200-load-dmon.txt', []],
    ['nvidia-smi-query-csv/h100x8-boxstate.csv', []],
  ])('%s is warned of as it must be', (path, expected) => {
    expect(messages(readContent(textAt(`${corpus}/${path}`)))).toEqual(expected.map((text) => expect.stringContaining(text)));
  }); // prettier-ignore

  it('reads the machine from what nvidia-smi says, and the table within the log of a training', () => {
    const environments = files
      .filter(({ format }) => format.startsWith('nvidia-smi-') && !format.endsWith('dmon'))
      .map(({ path }) => [path, readContent(textAt(`${corpus}/${path}`)).reading.runs[0]?.environment['gpu.sku']]);
    expect(Object.fromEntries(environments)).toEqual({
      'nvidia-smi-q/l40s-load-q.txt': 'L40S',
      'nvidia-smi-q/old-driver-gpu0.txt': 'GeForce GTX 1080',
      'nvidia-smi-query-csv/h100-mig-load.csv': 'H100 80GB HBM3',
      'nvidia-smi-query-csv/h100x8-boxstate.csv': undefined,
      'nvidia-smi-query-csv/h200-idle-all-fields.csv': 'H200',
      'nvidia-smi-query-csv/win-rtx2080s-load-all-fields.csv': 'GeForce RTX 2080 SUPER',
      'nvidia-smi-table/h200-load-table.txt': 'H200',
    });
    const log = textAt(`${corpus}/other-speedrun-log/modded-nanogpt-record-muon-log.txt`);
    const power = readContent(log, 'nvidia-smi-table').reading.runs[0]?.observations.filter(
      ({ metric }) => metric === 'gpu.power_draw',
    );
    expect(power?.map(({ value }) => value)).toEqual([111, 112, 116, 119, 115, 115, 117, 113]);
  });

  it('keeps no name of a machine, UUID or folder', () => {
    for (const { path } of files) {
      const { runs } = readContent(textAt(`${corpus}/${path}`)).reading;
      expect([path, JSON.stringify(runs)]).toEqual([path, expect.not.stringMatching(/host1|GPU-[0-9a-f]{3}|localhost|myuser|\/home\//)]);
    }
  }); // prettier-ignore
});
