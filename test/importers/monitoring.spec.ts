import { describe, expect, it } from '@jest/globals';
import type { ReadRun } from '../../src/domain/importers/importer.js';
import { readContent, type ContentReading } from '../../src/domain/importers/index.js';
import { monitoringImporters } from '../../src/domain/importers/monitoring/index.js';
import { fixture, fixtures, messages, observation, onlyRun, readFixture } from '../support/tool-output.js';

const tools = new Set(monitoringImporters.map(({ tool }) => tool));
const own = fixtures.filter(({ tool }) => tools.has(tool));

/** Each observation as `metric name=value … = value unit`, without the metrics that a test is not about. */
const told = (run: ReadRun, wanted = /./): readonly string[] =>
  run.observations
    .filter(({ metric }) => wanted.test(metric))
    .map(({ metric, dimensions, value, unit }) => {
      const point = Object.entries(dimensions).map(([name, at]) => ` ${name}=${at}`).join(''); // prettier-ignore
      return `${metric}${point} = ${Number(value.toPrecision(12))} ${unit}`;
    });
const samplesOf = (read: ContentReading, metric: string, dimensions = {}) =>
  observation(onlyRun(read), metric, dimensions).samples;

describe('nvidia-smi --query-gpu', () => {
  it('gives the mean, the ticks and the peak of each GPU over time, with what the rows say of the machine', () => {
    const read = readFixture('nvidia-smi-query-csv/two-gpus-over-time.csv');
    const run = onlyRun(read);
    expect({ ...run, observations: [] }).toEqual({
      status: 'OK',
      tool: 'nvidia-smi-query-csv',
      toolVersion: null,
      variant: null,
      startedAt: '2026-03-04T10:00:00.120Z',
      command: null,
      environment: {
        vendor: 'nvidia',
        driver: '575.57.08',
        'gpu.count': 2,
        'gpu.per_node': 2,
        'gpu.name': 'NVIDIA H200',
        'gpu.sku': 'H200',
      },
      workload: { 'workload.tool': 'nvidia-smi-query-csv' },
      session: null,
      block: null,
      observations: [],
    });
    expect(told(run)).toEqual([
      'gpu.power_draw gpu=0 = 697 W',
      'gpu.power_draw_peak gpu=0 = 702 W',
      'gpu.utilization gpu=0 = 99 %',
      'gpu.memory_used gpu=0 = 41000 MiB',
      'gpu.memory_used_peak gpu=0 = 42000 MiB',
      'gpu.temperature gpu=0 = 62 C',
      'gpu.sm_clock_mean gpu=0 = 1910 MHz',
      'gpu.power_draw gpu=1 = 510.5 W',
      'gpu.power_draw_peak gpu=1 = 520.5 W',
      'gpu.utilization gpu=1 = 85 %',
      'gpu.memory_used gpu=1 = 30200 MiB',
      'gpu.memory_used_peak gpu=1 = 30600 MiB',
      'gpu.temperature gpu=1 = 55 C',
      'gpu.sm_clock_mean gpu=1 = 1980 MHz',
      'gpu.clock_limited_share gpu=0 = 0.666666666667 ratio',
      'gpu.clock_limited_share gpu=1 = 0 ratio',
    ]);
    expect(observation(run, 'gpu.utilization', { gpu: 1 })).toMatchObject({
      samples: [90, 80],
      distribution: { count: 2, mean: 85, min: 80, max: 90 },
    });
    expect(messages(read)).toEqual([
      'WARNING 2 GPU 0: its clocks were kept down in 2 of 3 readings (sw_power_cap, hw_thermal_slowdown)',
    ]);
  });

  it('goes on where a loop prints the heading again, and reads masks of reasons', () => {
    const read = readFixture('nvidia-smi-query-csv/nounits-in-a-loop.csv');
    expect(samplesOf(read, 'gpu.power_draw', { gpu: 0 })).toEqual([100.5, 200.5]);
    expect(messages(read)).toEqual([
      'WARNING 2 GPU 0: its clocks were kept down in 1 of 2 readings (hw_slowdown, hw_thermal_slowdown)',
    ]);
  });

  it.each([
    ['not-available-under-mig', 'OK', ['gpu.power_draw = 401.25 W', 'gpu.memory_used = 12000 MiB'], []],
    [
      'last-line-cut',
      'PARTIAL',
      [
        'gpu.power_draw gpu=0 = 310 W',
        'gpu.power_draw_peak gpu=0 = 320 W',
        'gpu.memory_used gpu=0 = 1100 MiB',
        'gpu.memory_used_peak gpu=0 = 1200 MiB',
        'gpu.power_draw gpu=1 = 310 W',
        'gpu.memory_used gpu=1 = 1100 MiB',
      ],
      ['WARNING 5 The last line is cut and was left out'],
    ],
    [
      'rows-do-not-tell-gpus-apart',
      'OK',
      ['gpu.power_draw = 160 W', 'gpu.power_draw_peak = 220 W', 'gpu.temperature = 46 C'],
      [
        'WARNING 1 The rows do not tell the GPUs apart: the values are those of all rows together. Ask for index as well',
      ],
    ],
    [
      'told-apart-by-uuid',
      'OK',
      [
        'gpu.sm_clock_mean gpu=0 = 1405 MHz',
        'gpu.memory_clock gpu=0 = 1593 MHz',
        'gpu.sm_clock_mean gpu=1 = 1205 MHz',
        'gpu.memory_clock gpu=1 = 1593 MHz',
      ],
      [],
    ],
  ])('reads %s', (name, status, observations, problems) => {
    const read = readFixture(`nvidia-smi-query-csv/${name}.csv`);
    expect(onlyRun(read).status).toBe(status);
    expect(told(onlyRun(read))).toEqual(observations);
    expect(messages(read)).toEqual(problems);
  });

  it('keeps no UUID', () => {
    expect(JSON.stringify(readFixture('nvidia-smi-query-csv/told-apart-by-uuid.csv'))).not.toMatch(/1a2b3c4d|5e6f7a8b/);
  });

  it('tells the processes of a launcher apart, and does not know how many GPUs there are then', () => {
    const run = onlyRun(readFixture('nvidia-smi-query-csv/two-nodes-through-mpirun.csv'));
    expect(told(run, /utilization/)).toEqual([
      'gpu.utilization gpu=0 source=source 1 = 51 %',
      'gpu.utilization gpu=0 source=source 2 = 61 %',
    ]);
    expect(run.environment).toEqual({ vendor: 'nvidia' });
  });

  it('makes a run of each query, and reads a decimal comma', () => {
    const read = readFixture('nvidia-smi-query-csv/two-queries.csv');
    expect(read.reading.runs.map((run) => told(run))).toEqual([
      ['gpu.power_draw gpu=0 = 70 W', 'gpu.power_draw gpu=1 = 71 W'],
      ['gpu.memory_used gpu=0 = 512 MiB', 'gpu.memory_used gpu=1 = 12.5 MiB'],
    ]);
    expect(messages(read)).toEqual([]);
  });

  it.each([
    ['100 %, 32362 MiB, 627.40 W\n98 %, 32362 MiB, 620.00 W\n', 'ERROR 1 This looks like nvidia-smi --query-gpu with noheader'],
    ['2026/03/04 10:00:00.120, 0, 100, 690.0\n', 'ERROR 1 This looks like nvidia-smi --query-gpu with noheader'],
    ['name, driver_version, memory.total [MiB]\nNVIDIA H200, 575.57.08, 143771 MiB\n', 'ERROR 1 This output of nvidia-smi --query-gpu has no column that is measured'],
  ])('says what is missing in %j', (text, message) => {
    expect(messages(readContent(text))).toEqual([expect.stringContaining(message)]);
  }); // prettier-ignore
});

describe('nvidia-smi dmon and pmon', () => {
  it('reads each GPU over time, through headings that come again', () => {
    const read = readFixture('nvidia-smi-dmon/two-gpus.txt');
    expect(messages(read)).toEqual([]);
    expect(told(onlyRun(read), /power|temperature|clock|utilization$/)).toEqual([
      'gpu.power_draw gpu=0 = 310 W',
      'gpu.power_draw_peak gpu=0 = 320 W',
      'gpu.temperature gpu=0 = 52 C',
      'gpu.memory_temperature gpu=0 = 62 C',
      'gpu.utilization gpu=0 = 92 %',
      'gpu.memory_utilization gpu=0 = 42 %',
      'gpu.encoder_utilization gpu=0 = 0 %',
      'gpu.decoder_utilization gpu=0 = 0 %',
      'gpu.jpeg_utilization gpu=0 = 0 %',
      'gpu.optical_flow_utilization gpu=0 = 0 %',
      'gpu.memory_clock gpu=0 = 2619 MHz',
      'gpu.sm_clock_mean gpu=0 = 1880 MHz',
      'gpu.power_draw gpu=1 = 202 W',
      'gpu.power_draw_peak gpu=1 = 204 W',
      'gpu.temperature gpu=1 = 45 C',
      'gpu.utilization gpu=1 = 12 %',
      'gpu.memory_utilization gpu=1 = 5 %',
      'gpu.encoder_utilization gpu=1 = 0 %',
      'gpu.decoder_utilization gpu=1 = 0 %',
      'gpu.jpeg_utilization gpu=1 = 0 %',
      'gpu.optical_flow_utilization gpu=1 = 0 %',
      'gpu.memory_clock gpu=1 = 2619 MHz',
      'gpu.sm_clock_mean gpu=1 = 1980 MHz',
    ]);
  });

  it('reads dates, memory, PCIe and violations', () => {
    const read = readFixture('nvidia-smi-dmon/date-time-and-violations.txt');
    const run = onlyRun(read);
    expect(run.startedAt).toBe('2026-03-04T09:30:00.000Z');
    expect(told(run, /memory_used|pcie|ecc|temperature|sm_clock/)).toEqual([
      'gpu.temperature gpu=0 = 70 C',
      'gpu.sm_clock_mean gpu=0 = 1305 MHz',
      'gpu.memory_used gpu=0 = 20500 MiB',
      'gpu.memory_used_peak gpu=0 = 21000 MiB',
      'gpu.ecc_uncorrected gpu=0 = 0 count',
      'gpu.pcie_received gpu=0 = 200 MB/s',
      'gpu.pcie_sent gpu=0 = 30 MB/s',
    ]);
    expect(messages(read)).toEqual([
      'WARNING 3 GPU 0: its clocks were kept down in 1 of 2 readings (thermal violation)',
      'WARNING 1 The power limit kept the clocks down for 15.0 % of the time (pviol)',
    ]);
  });

  it('tells the processes of pmon apart without their ids', () => {
    expect(told(onlyRun(readFixture('nvidia-smi-dmon/processes.txt')), /utilization$|used$/)).toEqual([
      'gpu.utilization gpu=0 process=python3 = 42 %',
      'gpu.memory_utilization gpu=0 process=python3 = 21 %',
      'gpu.memory_used gpu=0 process=python3 = 3000 MiB',
      'gpu.utilization gpu=0 process=python3 process_number=2 = 52 %',
      'gpu.memory_utilization gpu=0 process=python3 process_number=2 = 11 %',
      'gpu.memory_used gpu=0 process=python3 process_number=2 = 2050 MiB',
      'gpu.memory_used gpu=1 process=my server = 100 MiB',
    ]);
  });

  it('reads --format csv, and the names of an old driver to its last whole line', () => {
    expect(samplesOf(readFixture('nvidia-smi-dmon/separated-by-commas.txt'), 'gpu.power_draw', { gpu: 0 })).toEqual([
      120, 122,
    ]);
    const cut = readFixture('nvidia-smi-dmon/old-driver-last-line-cut.txt');
    expect(onlyRun(cut).status).toBe('PARTIAL');
    expect(samplesOf(cut, 'gpu.temperature', { gpu: 0 })).toEqual([50, 51]);
    expect(messages(cut)).toEqual(['WARNING 5 The last line is cut and was left out']);
  });

  it.each([
    ['    0    300     50     60     90     40      0      0      0      0   2619   1900\n'.repeat(4), 'ERROR 1 This looks like nvidia-smi dmon without the two lines that begin with #'],
    ['# gpu   pwr gtemp\n    0   300    50\n', 'ERROR 1 The second line of the heading of nvidia-smi dmon is missing'],
  ])('asks for the heading', (text, message) => {
    expect(messages(readContent(text))).toEqual([expect.stringContaining(message)]);
  }); // prettier-ignore
});

describe('nvidia-smi -q', () => {
  it('takes each value from its section, and adds up what is uncorrected', () => {
    const read = readFixture('nvidia-smi-q/two-gpus.txt');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read).startedAt).toBe('2026-03-04T08:00:00.000Z');
    expect(onlyRun(read).environment).toEqual({
      vendor: 'nvidia',
      driver: '575.57.08',
      'driver.cuda': '12.9',
      'gpu.count': 2,
      'gpu.per_node': 2,
      'gpu.name': 'NVIDIA H100 80GB HBM3',
      'gpu.sku': 'H100 80GB HBM3',
      'gpu.mig': 'none',
      'gpu.persistence': 'enabled',
      'gpu.power_limit': 700,
    });
    expect(told(onlyRun(read))).toEqual([
      'gpu.power_draw gpu=0 = 400.5 W',
      'gpu.temperature gpu=0 = 60 C',
      'gpu.memory_temperature gpu=0 = 70 C',
      'gpu.utilization gpu=0 = 95 %',
      'gpu.memory_utilization gpu=0 = 20 %',
      'gpu.encoder_utilization gpu=0 = 0 %',
      'gpu.memory_used gpu=0 = 1000 MiB',
      'gpu.sm_clock_mean gpu=0 = 1900 MHz',
      'gpu.memory_clock gpu=0 = 2619 MHz',
      'gpu.ecc_uncorrected gpu=0 = 1 count',
      // where the average is not available the moment is told
      'gpu.power_draw gpu=1 = 999 W',
      'gpu.temperature gpu=1 = 50 C',
      'gpu.memory_temperature gpu=1 = 70 C',
      'gpu.memory_utilization gpu=1 = 20 %',
      'gpu.encoder_utilization gpu=1 = 0 %',
      'gpu.memory_used gpu=1 = 2000 MiB',
      'gpu.sm_clock_mean gpu=1 = 1980 MHz',
      'gpu.memory_clock gpu=1 = 2619 MHz',
      'gpu.ecc_uncorrected gpu=1 = 3 count',
    ]);
    expect(JSON.stringify(read)).not.toMatch(/444444|4321/);
  });

  it('makes ticks of outputs one after another, with the words of an old driver', () => {
    const read = readFixture('nvidia-smi-q/two-ticks-of-an-old-driver.txt');
    expect(samplesOf(read, 'gpu.power_draw', { gpu: 0 })).toEqual([100.25, 120.25]);
    expect(samplesOf(read, 'gpu.utilization', { gpu: 0 })).toEqual([10, 30]);
    expect(observation(onlyRun(read), 'gpu.ecc_uncorrected', { gpu: 0 }).value).toBe(0);
    expect(messages(read)).toEqual([
      'WARNING 9 GPU 0: its clocks were kept down in 1 of 2 readings (SW Power Cap, HW Slowdown, HW Thermal Slowdown)',
    ]);
  });

  it('says that GPUs are missing', () => {
    const read = readFixture('nvidia-smi-q/gpus-missing.txt');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(messages(read)).toEqual(['WARNING 2 The tool states 8 attached GPUs and prints 1 here']);
  });

  it.each([
    ['<?xml version="1.0" ?>\n<nvidia_smi_log>\n</nvidia_smi_log>\n', 'ERROR 1 The XML of nvidia-smi -q -x is not read'],
    ['    Temperature\n        GPU Current Temp      : 54 C\n', 'ERROR 2 This looks like nvidia-smi -q without its first lines'],
  ])('says what to send in place of %j', (text, message) => {
    expect(messages(readContent(text))).toEqual([expect.stringContaining(message)]);
  }); // prettier-ignore
});

describe('the table of nvidia-smi', () => {
  it('gives what each GPU shows', () => {
    const read = readFixture('nvidia-smi-table/two-gpus.txt');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read)).toMatchObject({
      status: 'OK',
      startedAt: '2026-03-04T08:15:00.000Z',
      environment: { driver: '575.57.08', 'driver.cuda': '12.9', 'gpu.count': 2, 'gpu.sku': 'H200', 'gpu.power_limit': 700 },
    });
    expect(told(onlyRun(read))).toEqual([
      'gpu.power_draw gpu=0 = 600 W',
      'gpu.temperature gpu=0 = 50 C',
      'gpu.utilization gpu=0 = 97 %',
      'gpu.memory_used gpu=0 = 30000 MiB',
      'gpu.power_draw gpu=1 = 120 W',
      'gpu.temperature gpu=1 = 40 C',
      'gpu.utilization gpu=1 = 0 %',
      'gpu.memory_used gpu=1 = 500 MiB',
    ]);
  }); // prettier-ignore

  it('makes ticks of tables one after another', () => {
    const read = readFixture('nvidia-smi-table/printed-again-and-again.txt');
    expect(samplesOf(read, 'gpu.power_draw', { gpu: 0 })).toEqual([600, 610]);
    expect(observation(onlyRun(read), 'gpu.memory_used_peak', { gpu: 0 }).value).toBe(31000);
  });

  it('gives no utilization under MIG, where there is none', () => {
    expect(told(onlyRun(readFixture('nvidia-smi-table/mig.txt')))).toEqual([
      'gpu.power_draw gpu=0 = 600 W',
      'gpu.temperature gpu=0 = 50 C',
      'gpu.memory_used gpu=0 = 30000 MiB',
    ]);
  });

  it('warns of a table that is cut', () => {
    const read = readFixture('nvidia-smi-table/cut-within-a-gpu.txt');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(messages(read)).toEqual(['WARNING 13 The table is cut after this line']);
  });

  it('tells the nodes of srun apart', () => {
    const run = onlyRun(readFixture('nvidia-smi-table/two-nodes-through-srun.txt'));
    expect(told(run, /utilization/)).toEqual([
      'gpu.utilization gpu=0 source=rank 0 = 75 %',
      'gpu.utilization gpu=0 source=rank 1 = 85 %',
    ]);
    expect(run.environment).not.toHaveProperty(['gpu.count']);
  });

  it('asks for the first lines of the table', () => {
    const rows = fixture('nvidia-smi-table/two-gpus.txt').split('\n').slice(8).join('\n');
    expect(messages(readContent(rows))).toEqual([
      expect.stringContaining('ERROR 2 This looks like the table of nvidia-smi without its first lines'),
    ]);
  });
});

describe('dcgmi dmon', () => {
  it('reads ratios of the counters as ratios, and the growth of the energy', () => {
    const read = readFixture('dcgmi-dmon/profiling.txt');
    expect(messages(read)).toEqual([]);
    expect(told(onlyRun(read))).toEqual([
      'gpu.power_draw gpu=0 = 420 W',
      'gpu.power_draw_peak gpu=0 = 430 W',
      'gpu.energy gpu=0 = 850000 mJ',
      'gpu.sm_active gpu=0 = 0.81 ratio',
      'gpu.sm_occupancy gpu=0 = 0.41 ratio',
      'kernel.tensor_active gpu=0 = 0.26 ratio',
      'gpu.dram_active gpu=0 = 0.62 ratio',
      'gpu.nvlink_sent gpu=0 = 2000000000 B/s',
      // the last value is DCGM's word for none
      'gpu.power_draw gpu=1 = 395 W',
      'gpu.power_draw_peak gpu=1 = 400 W',
      'gpu.energy gpu=1 = 800000 mJ',
      'gpu.sm_active gpu=1 = 0.71 ratio',
      'gpu.sm_occupancy gpu=1 = 0.31 ratio',
      'kernel.tensor_active gpu=1 = 0.21 ratio',
      'gpu.dram_active gpu=1 = 0.51 ratio',
      'gpu.nvlink_sent gpu=1 = 2000000000 B/s',
    ]);
  });

  it('reads slices of MIG, through headings that come again and the word of a signal', () => {
    const read = readFixture('dcgmi-dmon/mig-slices-of-an-old-version.txt');
    expect(messages(read)).toEqual([]);
    expect(told(onlyRun(read))).toEqual([
      'gpu.engine_active gpu_instance=1 = 0.6 ratio',
      'gpu.dram_active gpu_instance=1 = 0.2 ratio',
      'gpu.engine_active gpu_instance=2 = 0.3 ratio',
      'gpu.dram_active gpu_instance=2 = 0.06 ratio',
    ]);
  });

  it('leaves a last line out that is cut', () => {
    const read = readFixture('dcgmi-dmon/last-line-cut.txt');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(samplesOf(read, 'gpu.memory_used', { gpu: 0 })).toEqual([5000, 6000]);
    expect(messages(read)).toEqual(['WARNING 5 The last line is cut and was left out']);
  });

  it('asks for the heading', () => {
    expect(messages(readContent('GPU 0     0.800    0.400\nGPU 1     0.700    0.300\n'))).toEqual([
      expect.stringContaining('ERROR 1 This looks like dcgmi dmon without its heading'),
    ]);
  });
});

describe('a Prometheus exposition', () => {
  it('of vLLM gives the state of the engines and what counted since the start', () => {
    const read = readFixture('prometheus-exposition/vllm.txt');
    expect(onlyRun(read).workload).toEqual({
      'workload.tool': 'prometheus-exposition',
      'workload.model': 'example-8b',
      'workload.backend': 'vllm',
      'workload.settings.block_size': '16',
      'workload.settings.cache_dtype': 'fp8',
      'workload.settings.enable_prefix_caching': 'True',
      'workload.settings.gpu_memory_utilization': '0.9',
    });
    expect(told(onlyRun(read))).toEqual([
      'serving.requests_running engine=0 = 12 count',
      'serving.requests_running engine=1 = 10 count',
      'serving.requests_waiting engine=0 = 3 count',
      'serving.kv_cache_utilization engine=0 = 0.25 ratio',
      'serving.prompt_tokens_total engine=0 = 120000 count',
      'serving.generation_tokens_total engine=0 = 45000 count',
      'serving.preemptions engine=0 = 2 count',
      'serving.completed_requests engine=0 = 190 count',
      'serving.failed_requests engine=0 = 10 count',
      'serving.ttft.mean engine=0 = 0.125 s',
      'serving.queue_time engine=0 = 0.02 s',
      'serving.kv_hit_ratio engine=0 = 0.4 ratio',
      'serving.kv_hit_ratio engine=0 tier=external = 0.25 ratio',
      'serving.acceptance_length engine=0 = 2.6 ',
    ]);
    expect(observation(onlyRun(read), 'serving.ttft.mean', { engine: 0 }).distribution).toEqual({
      count: 200,
      mean: 0.125,
      sd: null,
      min: null,
      p50: null,
      p90: null,
      p99: null,
      max: null,
    });
    expect(messages(read)).toEqual([
      expect.stringContaining('WARNING 6 Counts and mean times are those since the start of the server'),
      'WARNING 6 10 of 200 requests were aborted or ended with an error (5.0 %)',
    ]);
  });

  it('of SGLang gives what happened between two scrapes', () => {
    const read = readFixture('prometheus-exposition/sglang-before-and-after.txt');
    expect(messages(read)).toEqual([]);
    expect(told(onlyRun(read))).toEqual([
      'serving.requests_running = 5 count',
      'serving.requests_waiting = 0.5 count',
      'serving.kv_cache_utilization = 0.3 ratio',
      'serving.prompt_tokens_total = 4000 count',
      'serving.generation_tokens_total = 2000 count',
      'serving.completed_requests = 40 count',
      'serving.failed_requests = 0 count',
      'serving.ttft.mean = 0.2 s',
      'serving.e2e_latency.mean = 2 s',
      // a source of cached tokens that was not there before began at zero
      'serving.kv_hit_ratio = 0.25 ratio',
    ]);
  });

  it('of DCGM tells GPUs apart once each, knows its word for no value, and warns of faults', () => {
    const read = readFixture('prometheus-exposition/dcgm-exporter.txt');
    expect(told(onlyRun(read))).toEqual([
      'gpu.memory_temperature gpu=1 = 41 C',
      'gpu.sm_clock_mean gpu=0 = 1980 MHz',
      'gpu.sm_clock_mean gpu=1 = 345 MHz',
      'kernel.tensor_active gpu=0 = 0.35 ratio',
      'gpu.pcie_received gpu=0 = 2500000 B/s',
    ]);
    expect(onlyRun(read).environment).toEqual({
      vendor: 'nvidia',
      driver: '575.57.08',
      'gpu.name': 'NVIDIA H200',
      'gpu.sku': 'H200',
    });
    expect(messages(read)).toEqual([
      'WARNING 15 GPU 0: its clocks were kept down in 1 of 1 readings (sw_power_cap)',
      'WARNING 13 GPU 1 reports XID error 79',
    ]);
    expect(JSON.stringify(read)).not.toMatch(/node-a|GPU-0a|job-1/);
  });

  it('numbers the machines where GPUs of several are in one file', () => {
    const one = fixture('prometheus-exposition/dcgm-exporter.txt');
    const run = onlyRun(readContent(one + one.replaceAll('node-a', 'node-b').replaceAll('GPU-0a', 'GPU-0c')));
    expect(told(run, /tensor/)).toEqual([
      'kernel.tensor_active gpu=0 node=1 = 0.35 ratio',
      'kernel.tensor_active gpu=0 node=2 = 0.35 ratio',
    ]);
  });

  it.each([
    [1, 2, 0],
    [5, 5, 1],
  ])('of processes that started at %d and %d gives %d runs', (before, after, runs) => {
    const scrape = (start: number, running: number) => `process_start_time_seconds ${start}\nvllm:num_requests_running{engine="0"} ${running}\n`;
    const read = readContent(scrape(before, 3) + scrape(after, 5));
    expect(read.reading.runs).toHaveLength(runs);
    if (runs === 0) expect(messages(read)).toEqual([expect.stringContaining('ERROR 2 The scrapes are of several processes')]);
  }); // prettier-ignore

  it('of another program is refused with what is read', () => {
    expect(messages(readContent('\n# TYPE node_load1 gauge\nnode_load1 3.5\n'))).toEqual([
      expect.stringContaining('ERROR 2 Of Prometheus expositions only the metrics of vLLM, SGLang and DCGM are read'),
    ]);
  });
});

describe('query_range of Prometheus', () => {
  it('gives each series over time, with gaps and points without a number told', () => {
    const read = readFixture('prometheus-query-range/gpu-power-of-two-nodes.json');
    expect(onlyRun(read).startedAt).toBe('2026-03-04T04:53:20.000Z');
    expect(told(onlyRun(read))).toEqual([
      'gpu.power_draw gpu=0 node=1 = 410.5 W',
      'gpu.power_draw_peak gpu=0 node=1 = 420.5 W',
      'gpu.power_draw gpu=0 node=2 = 304 W',
      'gpu.power_draw_peak gpu=0 node=2 = 308 W',
    ]);
    expect(samplesOf(read, 'gpu.power_draw', { gpu: 0, node: 1 })).toEqual([400.5, 410.5, 420.5]);
    expect(messages(read)).toEqual([
      'WARNING - 1 points are no numbers and were left out',
      'WARNING - 1 points are missing: the series have gaps',
    ]);
    expect(JSON.stringify(read)).not.toMatch(/node-[ab]/);
  });

  it('gives the growth of counters and the rates that mean something, through a restart', () => {
    const read = readFixture('prometheus-query-range/counters-of-a-server.json');
    expect(told(onlyRun(read))).toEqual([
      'serving.generation_tokens_total = 10500 count',
      'serving.output_token_throughput = 350 tokens/s',
      'serving.completed_requests = 60 count',
      'serving.request_throughput = 2 requests/s',
      'serving.failed_requests = 3 count',
    ]);
    expect(onlyRun(read).workload).toMatchObject({ 'workload.model': 'example-8b', 'workload.backend': 'vllm' });
    expect(messages(read)).toEqual([
      'WARNING - Parts of histograms were left out: vllm:time_to_first_token_seconds_sum. Send the exposition (/metrics) instead',
    ]);
  });

  it('reads an instant query, and keeps a series that no metric means as a number', () => {
    const read = readFixture('prometheus-query-range/instant-vector.json');
    expect(told(onlyRun(read))).toEqual([
      'serving.kv_cache_utilization = 0.5 ratio',
      'monitor.value series=node_load1 job=node = 3.25 ',
    ]);
    expect(messages(read)).toEqual([
      'WARNING - No metric is known for these series, they are kept as numbers without a unit: node_load1',
    ]);
  });

  it.each([
    [fixture('prometheus-query-range/expression-without-a-name.json'), 'ERROR - The series have no name, since the query is an expression'],
    ['{"status":"error","errorType":"bad_data","error":"parse error"}', 'ERROR 1 Prometheus answered with an error'],
    ['{"status":"success","data":{"resultType":"streams","result":[]}}', 'ERROR 1 This is an answer of Loki'],
    ['{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}', 'ERROR 1 The query gives a single number'],
    ['{"status":"success","data":{"resultType":"matrix","result":[{"metric":', 'ERROR 1 The JSON is truncated'],
    ['{"status":"success","data":{"resultType":"matrix","result":[]}}', 'ERROR 1 The output of prometheus-query-range holds no value that is read'],
  ])('refuses %j', (text, message) => {
    const read = readContent(text);
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)[0]).toContain(message);
  }); // prettier-ignore
});

describe('dstat', () => {
  it('reads groups in any order, and runs that were appended to one file', () => {
    const read = readFixture('dstat/appended-per-cpu.csv');
    const [first, second] = read.reading.runs;
    expect(first).toMatchObject({
      status: 'OK',
      toolVersion: '0.7.3',
      startedAt: '2026-03-04T07:00:00.000Z',
      command: 'dstat -t -cdngy --output out.csv 1 4',
      environment: { os: 'Linux' },
    });
    expect(first && told(first)).toEqual([
      'host.cpu_user = 25 %',
      'host.cpu_system = 6 %',
      'host.cpu_idle = 65 %',
      'host.cpu_iowait = 3 %',
      'network.softirq_share = 1 %',
      'host.disk_read = 2097152 B/s',
      'host.disk_write = 2097152 B/s',
      'host.network_received = 501 B/s',
      'host.network_sent = 601.5 B/s',
      'host.swap_in = 0 B/s',
      'host.swap_out = 2048 B/s',
      'host.interrupts = 1100 1/s',
      'host.context_switches = 3200 1/s',
    ]);
    expect(second?.status).toBe('PARTIAL');
    expect(second && told(second, /idle|network_|memory/)).toEqual([
      'host.cpu_idle cpu=0 = 49 %',
      'host.cpu_idle cpu=1 = 38 %',
      'host.network_received device=eth0 = 1000 B/s',
      'host.network_sent device=eth0 = 2000 B/s',
      'host.memory_used = 3000000000 B',
    ]);
    expect(messages(read)).toEqual([
      'WARNING 8 The first report was left out: it is the average since the machine started',
      'WARNING 17 The first report was left out: it is the average since the machine started',
      'WARNING 19 The last line is cut and was left out',
    ]);
    expect(JSON.stringify(read)).not.toMatch(/node-a|someone/);
  });

  it('warns where there is nothing but the average since boot', () => {
    const read = readFixture('dstat/only-since-boot.csv');
    expect(observation(onlyRun(read), 'host.cpu_idle').value).toBe(97.5);
    expect(messages(read)).toEqual([
      'WARNING 5 The only report is the average since the machine started, not one of the benchmark. Give an interval',
    ]);
  });

  it.each([
    ['"pcp-dstat 5.3.7 CSV Output"\n', 'ERROR 1 The CSV of pcp-dstat is not read'],
    ['"total cpu usage",,\n"usr","sys","idl"\n1,2,97\n', 'ERROR 1 This looks like the CSV of dstat without its first lines'],
  ])('says what to send in place of %j', (text, message) => {
    expect(messages(readContent(text))).toEqual([expect.stringContaining(message)]);
  }); // prettier-ignore
});

describe('vmstat', () => {
  it('leaves the report since boot out, and reads through headings that come again', () => {
    const read = readFixture('vmstat/interval.txt');
    expect(onlyRun(read).status).toBe('PARTIAL');
    expect(samplesOf(read, 'host.disk_read')).toEqual([1024, 2048, 3072]);
    expect(told(onlyRun(read))).toEqual([
      'host.runnable_processes = 5 count',
      'host.blocked_processes = 1 count',
      'host.swap_in = 2.66666666667 KiB/s',
      'host.swap_out = 5.33333333333 KiB/s',
      'host.disk_read = 2048 KiB/s',
      'host.disk_write = 512 KiB/s',
      'host.interrupts = 6000 1/s',
      'host.context_switches = 9200 1/s',
      'host.cpu_user = 45 %',
      'host.cpu_system = 10 %',
      'host.cpu_idle = 40 %',
      'host.cpu_iowait = 5 %',
      'host.cpu_steal = 0 %',
    ]);
    expect(messages(read)).toEqual([
      'WARNING 4 The first report was left out: it is the average since the machine started',
      'WARNING 10 The last line is cut and was left out',
    ]);
  });

  it('reads wide output with times and guests', () => {
    const run = onlyRun(readFixture('vmstat/wide-with-time.txt'));
    expect(run.startedAt).toBe('2026-03-04T06:00:00.000Z');
    expect(told(run, /cpu/)).toEqual([
      'host.cpu_user = 20 %',
      'host.cpu_system = 5 %',
      'host.cpu_idle = 75 %',
      'host.cpu_iowait = 0 %',
      'host.cpu_steal = 0 %',
    ]);
  });

  it('keeps the first row of vmstat -y, and no rate of swapping in a unit that -S chose', () => {
    const text = fixture('vmstat/interval.txt');
    const without = readContent(text.replace('vmstat 1 4', 'vmstat -y 1 4'));
    expect(samplesOf(without, 'host.disk_read')).toEqual([10, 1024, 2048, 3072]);
    expect(told(onlyRun(readContent(text.replace('vmstat 1 4', 'vmstat -S M 1 4'))), /swap/)).toEqual([]);
  });

  it('warns where there is nothing but the average since boot', () => {
    const read = readFixture('vmstat/only-since-boot.txt');
    expect(observation(onlyRun(read), 'host.cpu_idle').value).toBe(91);
    expect(messages(read)).toEqual([
      'WARNING 3 The only report is the average since the machine started, not one of the benchmark. Give an interval',
    ]);
  });

  it.each([
    ['disk- ------------reads------------ ------------writes----------- -----IO------\n', 'ERROR 1 Of vmstat only the report over time is read'],
    ['      7834448 K total memory\n', 'ERROR 1 Of vmstat only the report over time is read'],
    [' r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n', 'ERROR 1 The line that begins with "procs" is missing'],
  ])('says what to send in place of %j', (text, message) => {
    expect(messages(readContent(text))).toEqual([expect.stringContaining(message)]);
  }); // prettier-ignore
});

describe('iostat', () => {
  it('reads CPUs and devices over time, without the latency of no request and without names of people', () => {
    const read = readFixture('iostat/extended.txt');
    expect(onlyRun(read)).toMatchObject({
      startedAt: '2026-03-04T05:00:00.000Z',
      environment: { os: 'Linux', kernel: '6.8.0-52-generic', 'cpu.architecture': 'x86_64' },
    });
    expect(told(onlyRun(read))).toEqual([
      'host.cpu_user = 15 %',
      'host.cpu_system = 5 %',
      'host.cpu_iowait = 3 %',
      'host.cpu_steal = 0 %',
      'host.cpu_idle = 77 %',
      'io.device_read_iops device=nvme0n1 = 1500 IOPS',
      'io.device_read_bandwidth device=nvme0n1 = 750 MiB/s',
      'io.device_read_latency device=nvme0n1 = 0.3 ms',
      'io.device_write_iops device=nvme0n1 = 5 IOPS',
      'io.device_write_bandwidth device=nvme0n1 = 0.05 MiB/s',
      'io.device_queue_length device=nvme0n1 = 0.5 count',
      'io.device_utilization device=nvme0n1 = 60 %',
      'io.device_write_latency device=nvme0n1 = 1.5 ms',
      'io.device_read_iops device=other 1 = 1 IOPS',
      'io.device_read_bandwidth device=other 1 = 1 MiB/s',
      'io.device_read_latency device=other 1 = 0.2 ms',
      'io.device_write_iops device=other 1 = 0 IOPS',
      'io.device_write_bandwidth device=other 1 = 0 MiB/s',
      'io.device_queue_length device=other 1 = 0.2 count',
      'io.device_utilization device=other 1 = 40 %',
    ]);
    expect(messages(read)).toEqual([
      'WARNING 4 The first report was left out: it is the average since the machine started',
    ]);
    expect(JSON.stringify(read)).not.toMatch(/node-a|mapper-of-x/);
  });

  it('reads decimal commas', () => {
    expect(told(onlyRun(readFixture('iostat/decimal-commas.txt')), /io|idle/)).toEqual([
      'host.cpu_iowait = 0.25 %',
      'host.cpu_idle = 96 %',
      'io.device_iops device=sda = 12.5 IOPS',
      'io.device_read_bandwidth device=sda = 100.25 KiB/s',
      'io.device_write_bandwidth device=sda = 50.75 KiB/s',
    ]);
  });

  it('reads old names, tables of devices alone, and the first report of -y', () => {
    const read = readFixture('iostat/devices-only-old-names.txt');
    expect(messages(read)).toEqual([]);
    expect(told(onlyRun(read))).toEqual([
      'io.device_read_iops device=sda = 150 IOPS',
      'io.device_write_iops device=sda = 25 IOPS',
      'io.device_read_bandwidth device=sda = 6144 KiB/s',
      'io.device_write_bandwidth device=sda = 1024 KiB/s',
      'io.device_queue_length device=sda = 2 count',
      'io.device_latency device=sda = 11 ms',
      'io.device_read_latency device=sda = 10 ms',
      'io.device_write_latency device=sda = 14 ms',
      'io.device_utilization device=sda = 40 %',
    ]);
  });

  it('reads tables that --pretty cuts in parts', () => {
    expect(told(onlyRun(readFixture('iostat/pretty-in-parts.txt')))).toEqual([
      'io.device_read_iops device=sda = 8 IOPS',
      'io.device_read_bandwidth device=sda = 333 KiB/s',
      'io.device_read_latency device=sda = 13.5 ms',
      'io.device_write_iops device=sda = 2.5 IOPS',
      'io.device_write_bandwidth device=sda = 67 KiB/s',
      'io.device_write_latency device=sda = 8.5 ms',
      'io.device_queue_length device=sda = 0.2 count',
      'io.device_utilization device=sda = 0.65 %',
    ]);
  });

  it.each([
    [fixture('iostat/rounded-for-people.txt'), 'ERROR 4 The numbers are rounded and their units differ: repeat iostat without -h and --human'],
    [fixture('iostat/decimal-commas.txt').replace(/\d+,(\d\d)\b/g, '2,$15'), 'ERROR 4 The value 2,505 may be a number with a decimal comma or with a separator of thousands'],
    ['{"sysstat": {"hosts": []}}', 'ERROR 1 The JSON of sysstat is not read'],
    ['Linux 6.8.0 (node-a) \t03/04/2026 \t_x86_64_\t(64 CPU)\n\n10:00:00 AM  CPU  %usr\n', 'ERROR 1 Of sysstat only the reports of iostat are read'],
  ])('refuses %#', (text, message) => {
    const read = readContent(text);
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)[0]).toContain(message);
  }); // prettier-ignore
});

describe('every monitor', () => {
  it.each(own)('reads $name the same with \\r\\n, a byte order mark, colors and lines of a progress bar', ({ name, tool }) => {
    const text = fixture(name);
    const plain = readContent(text);
    expect(plain.format).toBe(tool);
    const escape = String.fromCharCode(27);
    const first = text.search(/\S/);
    const colored = `${text.slice(0, first)}${escape}[1;32m${text.slice(first, first + 1)}${escape}[0m${text.slice(first + 1)}`;
    for (const variant of [text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `\uFEFF${text}`, colored]) {
      expect(readContent(variant)).toEqual(plain);
    }
  }); // prettier-ignore
});
