import { describe, expect, it } from '@jest/globals';
import type { ReadObservation } from '../../src/domain/importers/importer.js';
import { readContent } from '../../src/domain/importers/index.js';
import { monitoringImporters } from '../../src/domain/importers/monitoring/index.js';
import { becauseNoCorpus, corpus, hasCorpus, importerOf, storedFiles, type Truth } from '../support/corpus.js';
import { directionsOf, isNoResult, isValueOf, metricOf, unitOf } from '../support/corpus-names.js';
import { messages, textAt } from '../support/tool-output.js';

const describeCorpus = hasCorpus ? describe : describe.skip;
const files = storedFiles(monitoringImporters.map(({ tool }) => tool));

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
    const metric = metricOf(truth, tool);
    const observations = read.reading.runs.flatMap((run) => run.observations);
    const found = observations.filter((each) => each.metric === metric && at(each, truth));
    if (truth.value === null) return expect(found).toEqual([]);
    const direction = directionsOf(truth, tool);
    expect(direction.found).toBe(direction.expected);
    const values = found.flatMap((each) => valuesOf(each, truth.label));
    if (isNoResult(truth)) return expect(values).not.toContain(truth.value);
    expect(values.filter((value) => isValueOf(truth, value ?? NaN))).not.toEqual([]);
    expect(new Set(found.map(({ unit }) => unit))).toEqual(new Set([unitOf(truth, tool)]));
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
