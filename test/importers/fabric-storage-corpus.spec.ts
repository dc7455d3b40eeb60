import { describe, expect, it } from '@jest/globals';
import type { ReadObservation, ReadRun } from '../../src/domain/importers/importer.js';
import { importers, readContent } from '../../src/domain/importers/index.js';
import { convert } from '../../src/domain/measurement/unit.js';
import { becauseNoCorpus, corpus, hasCorpus, importerOf, storedFiles, type Truth } from '../support/corpus.js';
import { directionsOf, isNoResult, isRefused, isValueOf, metricOf, unitOf } from '../support/corpus-names.js';
import { messages, textAt } from '../support/tool-output.js';

const tools = ['perftest', 'nvbandwidth-text', 'nccl-tests', 'iperf3-json', 'iperf-text', 'fio-json', 'fio-text'];
const files = storedFiles(tools);
const describeCorpus = hasCorpus ? describe : describe.skip;

/** The place that a label names, as we do; for what follows it without a label, the one before. */
function placeOf({ metric }: Truth, label: string): ReadObservation['dimensions'] {
  const [, bytes] = /^(\d+) B\b/.exec(label) ?? [];
  const [, gpu] = /^GPU (\d+)$/.exec(label) ?? [];
  return {
    ...(bytes === undefined ? {} : { bytes: Number(bytes) }),
    ...(gpu === undefined ? {} : { gpu: Number(gpu) }),
    ...(/^(jobs|client_stats)\[0\]/.test(label) ? { process: 1 } : {}),
    ...(metric.endsWith('clat_mean') ? { latency: 'clat' } : {}),
    ...(metric.endsWith('_bw_sum') ? { aggregate: 'sum' } : {}),
  };
}

function matches(truth: Truth, tool: string, label: string, run: ReadRun, observation: ReadObservation): boolean {
  const { value, unit, dimensions } = observation;
  if (observation.metric !== metricOf(truth, tool) || truth.value === null) return false;
  const hasPlace = Object.entries(placeOf(truth, label)).every(([name, at]) => dimensions[name] === at);
  const isNamed = !/^(read|write)\d+k-/.test(label) || run.variant === label;
  return hasPlace && isNamed && isValueOf(truth, convert(value, unit, unitOf(truth, tool)));
}

describeCorpus(`real output of benchmarks of links and storage${becauseNoCorpus}`, () => {
  it('is all there', () => {
    expect(files).toHaveLength(19);
    expect(files.flatMap(({ truths }) => truths)).toHaveLength(47);
  });

  it.each(files.filter(({ path }) => !isRefused(path)))('$path gives the known values', ({ path, format, truths }) => {
    const read = readContent(textAt(`${corpus}/${path}`));
    expect(messages(read).filter((message) => message.startsWith('ERROR'))).toEqual([]);
    const tool = importerOf[format] ?? '';
    let label = '';
    for (const truth of truths) {
      // in files of fio the values of one place follow each other, and only the first is labeled
      label = truth.label === '' && format.startsWith('fio') ? label : truth.label;
      const found = read.reading.runs.flatMap((run) => run.observations.filter((each) => (isNoResult(truth) ? each.metric === metricOf(truth, tool) : matches(truth, tool, label, run, each)))); // prettier-ignore
      expect([truth, found.length]).toEqual([truth, isNoResult(truth) ? 0 : 1]);
      const direction = directionsOf(truth, tool);
      expect([truth.metric, direction.found]).toEqual([truth.metric, direction.expected]);
    }
  });

  it.each(files.filter(({ path }) => isRefused(path)))('$path, edited by hand, is refused', ({ path }) => {
    const read = readContent(textAt(`${corpus}/${path}`));
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)[0]).toContain('The table was edited by hand');
  });

  it.each([
    ['perftest/cns-rhel-ib-write-bw.txt', ['WARNING 4 The table ends without its closing line: larger sizes may be missing']],
    ['perftest/dgx-spark-roce-gbits.txt', []],
    ['perftest/superbench-ib-loopback-8M.txt', []],
    ['nvbandwidth-text/superbench-gh200-v06.txt', []],
    ['iperf-text/gost-tcp-1-thread.txt', []],
    ['fio-json/pbench-fio-result.json', []],
  ])('%s is warned of where something is missing, and nowhere else', (path, expected) => {
    expect(messages(readContent(textAt(`${corpus}/${path}`)))).toEqual(expected);
  }); // prettier-ignore

  it('counts what both sides of a test print once, and an unmeasured peak not at all', () => {
    const loopback = readContent(textAt(`${corpus}/perftest/superbench-ib-loopback-8M.txt`)).reading.runs;
    expect(loopback.map(({ observations }) => observations.length)).toEqual([3]);
    const endless = readContent(textAt(`${corpus}/perftest/dgx-spark-roce-gbits.txt`)).reading.runs;
    expect(endless[0]?.observations.map(({ metric, samples }) => [metric, samples?.length])).toEqual([
      ['network.rdma_bandwidth', 5],
      ['network.message_rate', 5],
    ]);
  });

  it('holds no result of another importer of these families', () => {
    for (const { path } of files) {
      const text = textAt(`${corpus}/${path}`);
      const known = importers.filter((importer) => tools.includes(importer.tool) && importer.recognizes(text));
      expect([path, known.length]).toEqual([path, 1]);
    }
  });
});
