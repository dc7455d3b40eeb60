import { describe, expect, it } from '@jest/globals';
import { importers, readContent } from '../../src/domain/importers/index.js';
import type { ReadRun } from '../../src/domain/importers/importer.js';
import { fixture, fixtures, messages, observation, onlyRun, readFixture } from '../support/tool-output.js';

const tools = ['perftest', 'nvbandwidth-text', 'nvbandwidth-json', 'nccl-tests', 'nccl-tests-json', 'iperf3-json', 'iperf-text', 'fio-json', 'fio-text']; // prettier-ignore
const own = fixtures.filter(({ tool }) => tools.includes(tool));

/** Observations as `metric dimensions value unit`. */
const lines = (run: ReadRun): readonly string[] =>
  run.observations.map(({ metric, dimensions, value, unit }) =>
    [metric, ...Object.entries(dimensions).map(([name, at]) => `${name}=${at}`), value, unit].join(' '),
  );
const runsOf = (name: string): readonly ReadRun[] => readFixture(name).reading.runs;

const CUT_TABLE = 'The table ends without its closing line: larger sizes may be missing';
const PARTIAL_FIO = 'fio was stopped, or the output ends before its summary: the run is partial';
const NO_SUMMARY = 'The summary at the end is missing: the rate is the mean of the intervals';

describe('perftest', () => {
  it('reads a sweep in bits', () => {
    const read = readFixture('perftest/write-bw-sweep.txt');
    const run = onlyRun(read);
    expect(messages(read)).toEqual([]);
    expect({ ...run, observations: lines(run) }).toEqual({
      status: 'OK',
      tool: 'perftest',
      toolVersion: null,
      variant: 'mlx5_2',
      startedAt: null,
      command: 'ib_write_bw -d mlx5_2 -a -q 2 --report_gbits [redacted]',
      environment: { 'fabric.kind': 'infiniband' },
      workload: {
        'workload.tool': 'perftest',
        'workload.operation': 'ib_write_bw',
        'workload.iterations': 5000,
        'workload.settings.queue_pairs': 2,
        'workload.settings.connection': 'RC',
        'workload.settings.shared_receive_queue': 'OFF',
        'workload.settings.relaxed_ordering': 'ON',
        'workload.settings.tx_depth': 128,
        'workload.settings.cq_moderation': 100,
        'workload.settings.mtu': 4096,
        'workload.settings.inline_bytes': 0,
        'workload.settings.dual_port': 'OFF',
        'workload.settings.rdma_cm': 'OFF',
      },
      session: null,
      block: null,
      observations: [
        'network.rdma_bandwidth_peak bytes=2 0.1015 Gbit/s',
        'network.rdma_bandwidth bytes=2 0.10025 Gbit/s',
        'network.message_rate bytes=2 6.265625 Mmsg/s',
        'network.rdma_bandwidth_peak bytes=65536 190.2 Gbit/s',
        'network.rdma_bandwidth bytes=65536 188.5 Gbit/s',
        'network.message_rate bytes=65536 0.359535 Mmsg/s',
        'network.rdma_bandwidth_peak bytes=8388608 391.04 Gbit/s',
        'network.rdma_bandwidth bytes=8388608 390.61 Gbit/s',
        'network.message_rate bytes=8388608 0.005821 Mmsg/s',
      ],
    });
  });

  it('counts what both sides print once, whether one behind the other or line by line', () => {
    const appended = onlyRun(readFixture('perftest/both-sides-appended.txt'));
    expect(lines(appended)).toEqual([
      'network.rdma_data_rate_peak bytes=4194304 11520.5 MiB/s',
      'network.rdma_data_rate bytes=4194304 11518.25 MiB/s',
      'network.message_rate bytes=4194304 0.00288 Mmsg/s',
    ]);
    expect(appended.environment).toEqual({ 'fabric.kind': 'roce' });
    const interleaved = readFixture('perftest/both-sides-interleaved.txt');
    expect(messages(interleaved)).toEqual([]);
    expect(lines(onlyRun(interleaved)).filter((line) => line.includes('rdma_bandwidth '))).toEqual([
      'network.rdma_bandwidth bytes=4096 79.5 Gbit/s',
      'network.rdma_bandwidth bytes=8192 119.25 Gbit/s',
    ]);
    expect(onlyRun(interleaved).observations.every(({ samples }) => samples === undefined)).toBe(true);
  });

  it('reads latencies, and warns of a CPU that is not at its highest frequency', () => {
    const read = readFixture('perftest/read-lat.txt');
    expect(lines(onlyRun(read))).toEqual([
      'network.latency bytes=2 1.92 us',
      'network.latency_mean bytes=2 1.95 us',
      'network.latency_p99 bytes=2 2.35 us',
      'network.latency_p999 bytes=2 8.05 us',
    ]);
    expect(observation(onlyRun(read), 'network.latency', { bytes: 2 }).distribution).toEqual({
      count: 1000,
      mean: 1.95,
      sd: null,
      min: 1.85,
      p50: 1.92,
      p90: null,
      p99: 2.35,
      max: 9.25,
    });
    expect(messages(read)).toEqual([expect.stringContaining('The CPU did not run at its highest frequency')]);
    expect(lines(onlyRun(readFixture('perftest/latency-duration.txt')))).toEqual([
      'network.latency_mean bytes=64 2.25 us',
    ]);
    const cycles = readContent(fixture('perftest/read-lat.txt').replaceAll('[usec]', '[cycles]'));
    expect(messages(cycles)).toContainEqual(expect.stringContaining('The latencies in cycles were left out'));
    expect(cycles.reading.runs).toEqual([]);
  });

  it('takes the lines of an endless run as what happens inside it, without the peak that was not measured', () => {
    const run = onlyRun(readFixture('perftest/run-infinitely.txt'));
    expect(lines(run)).toEqual([
      'network.rdma_bandwidth bytes=65536 180.1 Gbit/s',
      'network.message_rate bytes=65536 0.343513 Mmsg/s',
    ]);
    expect(run.observations[0]).toMatchObject({
      samples: [180.1, 180.3, 179.9],
      distribution: { count: 3, max: 180.3 },
    });
    expect(run.observations[0]?.repeats).toBeUndefined();
  });

  it('reads utilization, ports and both directions', () => {
    const both = onlyRun(readFixture('perftest/bidirectional-cpu-util.txt'));
    expect(both.workload['workload.operation']).toBe('ib_write_bidirectional_bw');
    expect(lines(both)).toContain('host.cpu_utilization bytes=65536 3.25 %');
    expect(lines(onlyRun(readFixture('perftest/dual-port.txt')))).toEqual([
      'network.rdma_bandwidth_peak bytes=65536 380.4 Gbit/s',
      'network.rdma_bandwidth bytes=65536 380 Gbit/s',
      'network.message_rate bytes=65536 0.724792 Mmsg/s',
      'network.rdma_bandwidth bytes=65536 port=1 190.25 Gbit/s',
      'network.message_rate bytes=65536 port=1 0.362873 Mmsg/s',
      'network.rdma_bandwidth bytes=65536 port=2 189.75 Gbit/s',
      'network.message_rate bytes=65536 port=2 0.361919 Mmsg/s',
    ]);
  });

  it('keeps nodes apart, and says what is missing', () => {
    const nodes = readFixture('perftest/two-nodes-by-pdsh.txt');
    expect(nodes.reading.runs.map((run) => observation(run, 'network.rdma_bandwidth', { bytes: 65536 }).value)).toEqual([196.5, 197.5]); // prettier-ignore
    expect(JSON.stringify(nodes)).not.toContain('gpu-1');
    const cut = readFixture('perftest/row-cut.txt');
    expect(onlyRun(cut).status).toBe('PARTIAL');
    expect(messages(cut)).toEqual(['WARNING 21 Rows that could not be read and were left out: 1']);
    const sweep = `${fixture('perftest/write-bw-sweep.txt').split('\n').slice(0, -2).join('\n')}\n`;
    expect(messages(readContent(sweep))).toEqual([`WARNING 3 ${CUT_TABLE}`]);
    const text = fixture('perftest/write-bw-sweep.txt');
    const table = text.slice(text.indexOf(' #bytes'));
    expect(messages(readContent(table))).toEqual([
      'WARNING 1 The output does not name the test: give it as workload.operation',
    ]);
    const head = fixture('perftest/write-bw-sweep.txt').split('\n').slice(0, 18).join('\n');
    expect(messages(readContent(head))).toEqual([
      'ERROR - The output of perftest stops before its table: there is no result',
    ]);
  });
});

describe('nvbandwidth', () => {
  it('reads matrices cell by cell, both directions apart, and no sum of latencies', () => {
    const read = readFixture('nvbandwidth-text/two-gpus-verbose.txt');
    const run = onlyRun(read);
    expect(messages(read)).toEqual([]);
    expect(run).toMatchObject({ status: 'OK', tool: 'nvbandwidth', toolVersion: '0.8', command: './nvbandwidth -v' });
    expect(run.environment).toEqual({
      vendor: 'nvidia',
      'gpu.name': 'NVIDIA H100 80GB HBM3',
      'gpu.sku': 'H100 80GB HBM3',
      'gpu.count': 2,
      driver: '570.12.34',
      'driver.cuda': '12.8',
    });
    const p2p = 'fabric.p2p_bandwidth test=device_to_device_bidirectional_memcpy_read_ce';
    expect(lines(run)).toEqual([
      'io.h2d_bandwidth test=host_to_device_memcpy_ce gpu=0 55.25 GB/s',
      'io.h2d_bandwidth test=host_to_device_memcpy_ce gpu=1 54.75 GB/s',
      'io.h2d_bandwidth test=host_to_device_memcpy_ce aggregate=sum 110 GB/s',
      `${p2p} part=read 1 gpu=1 peer=0 360.25 GB/s`,
      `${p2p} part=read 1 gpu=0 peer=1 360.25 GB/s`,
      `${p2p} part=read 1 aggregate=sum 720.5 GB/s`,
      `${p2p} part=read 2 gpu=1 peer=0 360.75 GB/s`,
      `${p2p} part=read 2 gpu=0 peer=1 360.75 GB/s`,
      `${p2p} part=read 2 aggregate=sum 721.5 GB/s`,
      `${p2p} part=total gpu=1 peer=0 721 GB/s`,
      `${p2p} part=total gpu=0 peer=1 721 GB/s`,
      `${p2p} part=total aggregate=sum 1442 GB/s`,
      'io.host_device_latency test=host_device_latency_sm gpu=0 641.5 ns',
      'io.host_device_latency test=host_device_latency_sm gpu=1 655.25 ns',
      'memory.local_copy_bandwidth test=device_local_copy gpu=0 1250.5 GB/s',
      'memory.local_copy_bandwidth test=device_local_copy gpu=1 1251.5 GB/s',
      'memory.local_copy_bandwidth test=device_local_copy aggregate=sum 2502 GB/s',
    ]);
    expect(JSON.stringify(read)).not.toMatch(/node-17|18:00/);
  });

  it.each([
    ['matrix-elided.txt', 'PARTIAL', 'WARNING 1 Parts of the matrices were left out of the file ("...")'],
    ['test-without-result.txt', 'PARTIAL', 'WARNING 22 Tests without a whole result: device_to_host_memcpy_ce'],
    ['sum-edited.txt', 'OK', 'WARNING 2 The sum of host_to_device_memcpy_ce (118) was left out: it is not the sum of the cells'],
  ])('says of %s what is missing', (name, status, message) => {
    const read = readFixture(`nvbandwidth-text/${name}`);
    expect(onlyRun(read).status).toBe(status);
    expect(messages(read)).toContain(message);
  }); // prettier-ignore

  it('reads pairs of nodes, and each execution of a log as a run', () => {
    const text = fixture('nvbandwidth-text/multinode.txt');
    const run = onlyRun(readContent(text));
    expect(run.environment).toMatchObject({ 'gpu.name': 'NVIDIA GB200', 'gpu.count': 2, 'driver.cuda': '12.9' });
    expect(lines(run).slice(0, 1)).toEqual([
      'fabric.p2p_bandwidth test=multinode_device_to_device_memcpy_read_ce gpu=1 peer=0 397.25 GB/s',
    ]);
    expect(JSON.stringify(run)).not.toContain('rack1');
    expect(readContent(text + text.replace('397.25', '397.50').replace('795.00', '795.25')).reading.runs).toHaveLength(
      2,
    );
    const prefixed = text.split('\n').map((line) => (line === '' ? '' : `[1,0]<stdout>:${line}`)).join('\n'); // prettier-ignore
    expect(readContent(prefixed).reading.runs).toEqual([run]);
  });

  it('reads JSON, whose cells are texts and whose matrices of both directions stand below each other', () => {
    const read = readFixture('nvbandwidth-json/two-gpus.json');
    const run = onlyRun(read);
    const p2p = 'fabric.p2p_bandwidth test=device_to_device_bidirectional_memcpy_read_ce';
    expect(messages(read)).toEqual([]);
    expect(run).toMatchObject({ tool: 'nvbandwidth', toolVersion: '0.8', environment: { 'gpu.count': 2, 'gpu.sku': 'H100 80GB HBM3', 'driver.cuda': '12.8' } }); // prettier-ignore
    expect(lines(run)).toEqual([
      'io.h2d_bandwidth test=host_to_device_memcpy_ce gpu=0 55.2512 GB/s',
      'io.h2d_bandwidth test=host_to_device_memcpy_ce gpu=1 54.7488 GB/s',
      'io.h2d_bandwidth test=host_to_device_memcpy_ce aggregate=sum 110 GB/s',
      `${p2p} part=read 1 gpu=1 peer=0 360.25 GB/s`,
      `${p2p} part=read 1 gpu=0 peer=1 360.5 GB/s`,
      `${p2p} part=read 2 gpu=1 peer=0 361.25 GB/s`,
      `${p2p} part=read 2 gpu=0 peer=1 361.5 GB/s`,
      `${p2p} part=total gpu=1 peer=0 721.5 GB/s`,
      `${p2p} part=total gpu=0 peer=1 722 GB/s`,
      `${p2p} part=total aggregate=sum 1443.5 GB/s`,
      'fabric.p2p_latency test=device_to_device_latency_sm gpu=1 peer=0 812.5 ns',
      'fabric.p2p_latency test=device_to_device_latency_sm gpu=0 peer=1 815.75 ns',
    ]);
    expect(JSON.stringify(read)).not.toContain('node-17');
    const failed = readFixture('nvbandwidth-json/test-failed.json');
    expect(onlyRun(failed).status).toBe('PARTIAL');
    expect(messages(failed)).toEqual([
      'WARNING 1 Tests without a whole result: device_to_host_memcpy_ce',
      'WARNING 1 The buffer is smaller than the default: the bandwidth may be below its peak',
    ]);
    expect(messages(readFixture('nvbandwidth-json/program-failed.json'))[0]).toBe(
      'ERROR 1 nvbandwidth failed: CUDA_ERROR_NO_DEVICE: no device',
    );
  });
});

describe('nccl-tests', () => {
  it('reads the table with times of iterations and time of day, and refuses times of the CPU', () => {
    const read = readFixture('nccl-tests/per-iteration-report.txt');
    expect(messages(read)).toEqual([]);
    expect(observation(onlyRun(read), 'fabric.busbw.in_place', { bytes: 2097152 }).value).toBe(60);
    expect(onlyRun(read).observations).toHaveLength(2 * 6 + 2);
    expect(messages(readFixture('nccl-tests/cpu-time.txt'))).toContain(
      'ERROR 10 The times are those of the CPU (-C): they say nothing of the bandwidth',
    );
  });

  it('reads the JSON as the table, with all digits, and nothing of the environment but what NCCL reads', () => {
    const read = readFixture('nccl-tests-json/all-reduce.json');
    const run = onlyRun(read);
    expect(messages(read)).toEqual([]);
    expect({ ...run, observations: lines(run) }).toEqual({
      status: 'OK',
      tool: 'nccl-tests',
      toolVersion: null,
      variant: null,
      startedAt: '2026-02-03T04:05:06.000Z',
      command: './build/all_reduce_perf -b 1M -e 2M -J out.json',
      environment: {
        vendor: 'nvidia',
        'gpu.name': 'NVIDIA H100 80GB HBM3',
        'gpu.sku': 'H100 80GB HBM3',
        'gpu.count': 4,
        'nodes.count': 2,
        nccl: '2.29.7',
        'env.NCCL_ALGO': 'Ring',
      },
      workload: {
        'workload.tool': 'nccl-tests',
        'workload.operation': 'all_reduce',
        'workload.data_type': 'half',
        'workload.reduction': 'sum',
        'workload.min_bytes': 1048576,
        'workload.max_bytes': 2097152,
        'workload.size_step': '2(factor)',
        'workload.warmup_iterations': 1,
        'workload.iterations': 20,
        'workload.aggregated_iterations': 1,
        'workload.cuda_graph_launches': 0,
      },
      session: null,
      block: null,
      observations: [
        'fabric.time.out_of_place bytes=1048576 40 us',
        'fabric.time.out_of_place bytes=2097152 64 us',
        'fabric.time.in_place bytes=1048576 41 us',
        'fabric.time.in_place bytes=2097152 65 us',
        'fabric.algbw.out_of_place bytes=1048576 26.2144 GB/s',
        'fabric.algbw.out_of_place bytes=2097152 32.768 GB/s',
        'fabric.algbw.in_place bytes=1048576 25.575024 GB/s',
        'fabric.algbw.in_place bytes=2097152 32.263877 GB/s',
        'fabric.busbw.out_of_place bytes=1048576 39.3216 GB/s',
        'fabric.busbw.out_of_place bytes=2097152 49.152 GB/s',
        'fabric.busbw.in_place bytes=1048576 38.362537 GB/s',
        'fabric.busbw.in_place bytes=2097152 48.395815 GB/s',
        'fabric.busbw.avg 43.807988 GB/s',
        'fabric.wrong_values 0 count',
      ],
    });
  });

  it('takes the times of iterations as what happened inside a run', () => {
    const run = onlyRun(readFixture('nccl-tests-json/per-iteration.json'));
    expect(observation(run, 'fabric.time.out_of_place', { bytes: 1048576 })).toMatchObject({
      value: 40,
      samples: [40, 39.5, 40.5],
      distribution: { count: 3, min: 39.5, max: 40.5 },
    });
  });

  it('marks runs with wrong values, leaves out what is no number, and refuses times of the CPU', () => {
    const wrong = readFixture('nccl-tests-json/wrong-values.json');
    expect(onlyRun(wrong).status).toBe('FAILED');
    expect(messages(wrong)).toEqual([
      'WARNING 1 The check failed: 7 wrong values. The run is invalid',
      'WARNING 1 NCCL reports an error: unhandled system error',
    ]);
    const nan = readFixture('nccl-tests-json/not-a-number.json');
    expect(onlyRun(nan).status).toBe('PARTIAL');
    expect(messages(nan)).toEqual(['WARNING 1 Rows that could not be read and were left out: 1']);
    expect(messages(readFixture('nccl-tests-json/cpu-time.json'))).toContain(
      'ERROR 1 The times are those of the CPU (-C): they say nothing of the bandwidth',
    );
  });
});

describe('iperf3 JSON', () => {
  it('gives both ends of a TCP test, with the intervals behind the warm-up on the end that measured them', () => {
    const read = readFixture('iperf3-json/tcp-two-streams.json');
    const run = onlyRun(read);
    expect(messages(read)).toEqual([]);
    expect(run).toMatchObject({
      status: 'OK',
      tool: 'iperf3',
      toolVersion: '3.16',
      startedAt: '2026-02-03T04:05:06.000Z',
    });
    expect(run.environment).toEqual({ os: 'Linux', kernel: '5.15.0-105-generic' });
    expect(run.workload).toMatchObject({ 'workload.operation': 'tcp', 'workload.concurrency': 2, 'workload.settings.congestion_control': 'cubic' }); // prettier-ignore
    expect(lines(run)).toEqual([
      'network.bandwidth 20500000000 bit/s',
      'network.sent_bandwidth 21000000000 bit/s',
      'network.retransmits 3 count',
      'network.round_trip_time stream=1 150 us',
      'network.round_trip_time stream=2 170 us',
      'host.cpu_utilization side=local 35.5 %',
      'host.cpu_utilization side=remote 60.25 %',
    ]);
    expect(observation(run, 'network.sent_bandwidth').samples).toEqual([20e9, 22e9, 21e9]);
    expect(observation(run, 'network.bandwidth').samples).toBeUndefined();
    expect(JSON.stringify(read)).not.toMatch(/node-a|192\.0\.2/);
    expect(onlyRun(readFixture('iperf3-json/stream.jsonl')).observations).toEqual(run.observations);
  });

  it('gives loss and jitter of UDP, and knows that old versions say only what was sent', () => {
    expect(lines(onlyRun(readFixture('iperf3-json/udp.json')))).toEqual([
      'network.bandwidth 4900000000 bit/s',
      'network.sent_bandwidth 4950000000 bit/s',
      'network.jitter 0.012 ms',
      'network.packet_loss 0.0289 %',
      'host.cpu_utilization side=local 35.5 %',
    ]);
    expect(lines(onlyRun(readFixture('iperf3-json/udp-without-sides.json')))).toEqual([
      'network.sent_bandwidth 4950000000 bit/s',
      'network.jitter 0.012 ms',
      'network.packet_loss 0.0289 %',
      'host.cpu_utilization side=local 35.5 %',
    ]);
  });

  it('keeps the two directions of one test apart', () => {
    expect(lines(onlyRun(readFixture('iperf3-json/both-directions.json'))).slice(0, 6)).toEqual([
      'network.bandwidth direction=forward 8900000000 bit/s',
      'network.sent_bandwidth direction=forward 9000000000 bit/s',
      'network.retransmits direction=forward 0 count',
      'network.bandwidth direction=reverse 7900000000 bit/s',
      'network.sent_bandwidth direction=reverse 8000000000 bit/s',
      'network.retransmits direction=reverse 4 count',
    ]);
  });

  it('reads tests one after another, refuses a file without any result and leaves failed ones out', () => {
    expect(messages(readFixture('iperf3-json/failed.json'))[0]).toBe(
      'ERROR 1 The test failed ("unable to connect to server: Connection refused"): it is no measurement',
    );
    const three = readFixture('iperf3-json/one-of-three-failed.json');
    expect(three.reading.runs.map((run) => observation(run, 'network.bandwidth').value)).toEqual([20.5e9, 20.6e9]);
    expect(messages(three)).toEqual([expect.stringMatching(/^WARNING 152 The test failed/)]);
  });
});

describe('iperf text', () => {
  it.each([
    ['iperf3-parallel', 'iperf3', ['network.sent_bandwidth 19.3 Gbit/s', 'network.retransmits 4 count', 'network.bandwidth 18.9 Gbit/s']],
    ['iperf3-udp-reverse', 'iperf3', ['network.sent_bandwidth 1 Gbit/s', 'network.bandwidth 995 Mbit/s', 'network.jitter 0.014 ms', 'network.packet_loss 0.025 %']],
    ['iperf3-megabytes', 'iperf3', ['network.data_rate 1024 MiB/s']],
    ['iperf2-parallel', 'iperf2', ['network.bandwidth 9.35 Gbit/s']],
    ['iperf2-udp', 'iperf2', ['network.bandwidth 985 Mbit/s', 'network.jitter 0.015 ms', `network.packet_loss ${(100 * 2547) / 169780} %`]],
    ['iperf3-both-directions', 'iperf3', [
      'network.sent_bandwidth direction=forward 9.45 Gbit/s', 'network.retransmits direction=forward 6 count', 'network.bandwidth direction=forward 9.36 Gbit/s',
      'network.sent_bandwidth direction=reverse 7.59 Gbit/s', 'network.retransmits direction=reverse 8 count', 'network.bandwidth direction=reverse 7.55 Gbit/s',
    ]],
  ])('reads %s', (name, tool, expected) => {
    const read = readFixture(`iperf-text/${name}.txt`);
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read)).toMatchObject({ status: 'OK', tool });
    expect(lines(onlyRun(read))).toEqual(expected);
  }); // prettier-ignore

  it('takes intervals of one unit, without those of the warm-up', () => {
    const run = onlyRun(readFixture('iperf-text/iperf3-parallel.txt'));
    expect(observation(run, 'network.sent_bandwidth').samples).toEqual([19.3, 0.95]);
    expect(run.workload).toEqual({
      'workload.tool': 'iperf3',
      'workload.operation': 'tcp',
      'workload.concurrency': 2,
      'workload.settings.blksize': 131072,
      'workload.settings.omit': 1,
      'workload.settings.duration': 2,
      'workload.settings.tos': 0,
    });
    expect(observation(onlyRun(readFixture('iperf-text/iperf2-parallel.txt')), 'network.bandwidth').samples).toEqual([9.31, 9.4]); // prettier-ignore
  });

  it('marks what is cut or broken off as partial, and adds nothing up', () => {
    const cut = readFixture('iperf-text/iperf3-cut.txt');
    expect(messages(cut)).toEqual([`WARNING 4 ${NO_SUMMARY}`]);
    expect(onlyRun(cut).status).toBe('PARTIAL');
    expect(observation(onlyRun(cut), 'network.bandwidth').value).toBeCloseTo(8.7, 12);
    const broken = readFixture('iperf-text/iperf3-broken-off.txt');
    expect(messages(broken)).toEqual([
      'WARNING 4 The test was broken off: control socket has closed unexpectedly',
      `WARNING 3 ${NO_SUMMARY}`,
    ]);
    expect(lines(onlyRun(readFixture('iperf-text/iperf2-two-clients.txt')))).toEqual([
      'network.bandwidth stream=1 9.02 Gbit/s',
      'network.bandwidth stream=2 7.09 Gbit/s',
    ]);
    expect(messages(readContent('iperf3: error - unable to connect to server: No route to host'))).toEqual([
      'ERROR - iperf ended with an error and measured nothing: unable to connect to server: No route to host',
    ]);
  });
});

describe('fio JSON', () => {
  it('makes a run of each group, with options of both levels, sizes in bytes and durations in seconds', () => {
    const read = readFixture('fio-json/json-plus-two-groups.json');
    const [random, write] = read.reading.runs;
    expect(messages(read)).toEqual([]);
    expect(random).toMatchObject({ status: 'OK', tool: 'fio', toolVersion: '3.36', variant: 'randread', startedAt: '2026-02-03T04:05:06.000Z' }); // prettier-ignore
    expect(random?.workload).toEqual({
      'workload.tool': 'fio',
      'workload.operation': 'randread',
      'workload.settings.ioengine': 'io_uring',
      'workload.settings.direct': 1,
      'workload.settings.bs': 4096,
      'workload.settings.runtime': 10,
      'workload.settings.time_based': 1,
      'workload.settings.iodepth': 32,
    });
    expect(random && lines(random)).toEqual([
      'io.read_bandwidth 104857600 B/s',
      'io.read_iops 25600.5 IOPS',
      'io.read_latency latency=clat 250000 ns',
      'io.tail_read_latency latency=clat percentile=99 500000 ns',
      'io.tail_read_latency latency=clat percentile=99.9 1000000 ns',
      'io.read_latency latency=lat 251000 ns',
    ]);
    expect(random?.observations[2]?.distribution).toEqual({ count: 1000, mean: 250000, sd: 62500, min: 125000, p50: 250000, p90: 375000, p99: 500000, max: 1250000 }); // prettier-ignore
    expect(write?.workload).toMatchObject({ 'workload.settings.bs': 1048576, 'workload.settings.fsync': 1 });
    expect(write && lines(write)).toContain('io.sync_latency 75000 ns');
    expect(JSON.stringify(read)).not.toContain('jane');
  });

  it('adds up the rates of the processes of a job, and no latencies', () => {
    const read = readFixture('fio-json/processes-of-one-job.json');
    const run = onlyRun(read);
    expect(lines(run).slice(0, 7)).toEqual([
      'io.read_bandwidth 2200000 B/s',
      'io.read_iops 551 IOPS',
      'io.write_bandwidth 1100000 B/s',
      'io.write_iops 275.5 IOPS',
      'io.read_bandwidth process=1 1000000 B/s',
      'io.read_iops process=1 250.5 IOPS',
      'io.read_latency process=1 latency=clat 1000000 ns',
    ]);
    expect(run.status).toBe('PARTIAL');
    expect(messages(read)).toEqual([
      `WARNING 2 ${PARTIAL_FIO}`,
      'WARNING 2 Only 60 requests stand behind a p99: it is close to the maximum',
    ]);
  });

  it('takes the sum of all clients as fio made it, and names no host', () => {
    const read = readFixture('fio-json/client-server.json');
    expect(messages(read)).toEqual([]);
    expect(onlyRun(read).environment).toEqual({ 'nodes.count': 2 });
    expect(lines(onlyRun(read)).filter((line) => line.includes('iops'))).toEqual([
      'io.read_iops 1401 IOPS',
      'io.read_iops client=1 700.5 IOPS',
      'io.read_iops client=2 700.5 IOPS',
    ]);
    expect(JSON.stringify(read)).not.toContain('node-');
  });

  it('reads version 2, which counts KiB and microseconds', () => {
    expect(lines(onlyRun(readFixture('fio-json/version-2.json')))).toEqual([
      'io.read_bandwidth 51200 KiB/s',
      'io.read_iops 12800.5 IOPS',
      'io.read_latency latency=clat 150.25 us',
      'io.tail_read_latency latency=clat percentile=99 300 us',
      'io.tail_read_latency latency=clat percentile=99.9 900 us',
      'io.read_latency latency=lat 152.75 us',
    ]);
  });

  it('takes the last of the states that --status-interval writes', () => {
    const read = readFixture('fio-json/status-interval.json');
    expect(observation(onlyRun(read), 'io.read_iops').value).toBe(270.5);
    expect(messages(read)).toEqual(['WARNING - Intermediate states of a run that went on were left out: 1']);
  });

  it('marks failed jobs, and refuses where nothing succeeded', () => {
    const one = readFixture('fio-json/one-job-failed.json');
    expect(onlyRun(one).status).toBe('FAILED');
    expect(lines(onlyRun(one)).some((line) => line.startsWith('io.read_iops 4'))).toBe(false);
    expect(messages(one)).toEqual([expect.stringMatching(/^WARNING 1 1 of 2 jobs ended with an error/)]);
    const failed = fixture('fio-json/every-job-failed.json');
    expect(messages(readContent(failed))).toEqual([expect.stringMatching(/^ERROR 1 Every job ended with an error/)]);
    const beside = readContent(`${failed}\n${fixture('fio-json/version-2.json')}`);
    expect(beside.reading.runs.map(({ status }) => status)).toEqual(['FAILED', 'OK']);
    expect(messages(beside)).toEqual([expect.stringMatching(/^WARNING 1 Every job/)]);
    expect(messages(readFixture('fio-json/nothing-transferred.json'))[0]).toBe(
      'ERROR 1 No job transferred anything: there is no result',
    );
    const cut = fixture('fio-json/version-2.json').slice(0, 900);
    expect(messages(readContent(cut))[0]).toMatch(/^ERROR \d+ The JSON is truncated/);
  });
});

describe('fio text', () => {
  it('reads version 3 behind progress and terse lines', () => {
    const read = readFixture('fio-text/version-3-randrw.txt');
    const run = onlyRun(read);
    expect(messages(read)).toEqual([]);
    expect(run).toMatchObject({
      status: 'OK',
      toolVersion: '3.28',
      variant: 'randrw',
      startedAt: '2026-02-03T04:05:06.000Z',
      command: 'fio --name=randrw --rw=randrw --directory=~/data --group_reporting',
      workload: { 'workload.operation': 'randrw', 'workload.settings.bs': 4096, 'workload.settings.iodepth': 32, 'workload.settings.numjobs': 4 },
    }); // prettier-ignore
    expect(lines(run)).toEqual([
      'io.read_bandwidth 48 MiB/s',
      'io.read_iops 12300 IOPS',
      'io.read_latency latency=clat 444.48 us',
      'io.tail_read_latency latency=clat percentile=99 1244 us',
      'io.tail_read_latency latency=clat percentile=99.9 3620 us',
      'io.read_latency latency=lat 446.56 us',
      'io.write_bandwidth 20.4 MiB/s',
      'io.write_iops 5210 IOPS',
      'io.write_latency latency=clat 50500.25 ns',
      'io.tail_write_latency latency=clat percentile=99 80384 ns',
      'io.tail_write_latency latency=clat percentile=99.9 95744 ns',
      'io.write_latency latency=lat 51500.25 ns',
    ]);
    expect(run.observations[2]?.distribution).toMatchObject({ count: 123010, p50: 417, max: 10175 });
    expect(onlyRun(readFixture('fio-text/client-server.txt')).observations).toEqual(run.observations);
  });

  it('reads version 2, whose KB are 1024 bytes', () => {
    expect(lines(onlyRun(readFixture('fio-text/version-2.txt')))).toEqual([
      'io.write_bandwidth 1.5 GiB/s',
      'io.write_iops 1536 IOPS',
      'io.write_latency latency=clat 610.5 us',
      'io.tail_write_latency latency=clat percentile=99 900 us',
      'io.tail_write_latency latency=clat percentile=99.9 5000 us',
      'io.write_latency latency=lat 645.75 us',
      'io.sync_latency 2.25 ms',
    ]);
  });

  it('adds up jobs of a group in one unit', () => {
    expect(lines(onlyRun(readFixture('fio-text/two-jobs-of-a-group.txt'))).slice(0, 4)).toEqual([
      'io.read_bandwidth 2048 KiB/s',
      'io.read_iops 32 IOPS',
      'io.read_bandwidth job=job1 512 KiB/s',
      'io.read_iops job=job1 8 IOPS',
    ]);
  });

  it('says what is partial, in bits or failed, and what terse output lacks', () => {
    const cut = readFixture('fio-text/summary-missing.txt');
    expect(onlyRun(cut).status).toBe('PARTIAL');
    expect(messages(cut)).toEqual([`WARNING 5 ${PARTIAL_FIO}`]);
    expect(messages(readFixture('fio-text/in-bits.txt'))).toEqual([
      'WARNING 6 The bandwidth in bits (403 Mibit/s) was left out: run fio without unit_base=1',
    ]);
    expect(runsOf('fio-text/in-bits.txt')[0]?.observations[0]?.metric).toBe('io.read_iops');
    expect(messages(readFixture('fio-text/job-failed.txt'))[0]).toMatch(/^ERROR 5 Every job ended with an error/);
    const terse = fixture('fio-text/version-3-randrw.txt').split('\n').find((line) => line.includes('3;fio-3.28')) ?? ''; // prettier-ignore
    expect(messages(readContent(terse.slice(terse.lastIndexOf('\r') + 1)))).toEqual([
      expect.stringContaining('This is the terse output of fio'),
    ]);
  });
});

describe('text of these tools, as people send it,', () => {
  it.each(own)('is read alike with other ends of lines and colors: $name', ({ tool, name }) => {
    const text = fixture(name);
    const read = readContent(text);
    expect(readContent(text.replace(/\r?\n/g, '\r\n'))).toEqual(read);
    if (!tool.includes('json')) expect(readContent(text.replaceAll(': ', '\u001b[1m: \u001b[0m'))).toEqual(read);
  });

  it('is known by its own importer among all', () => {
    expect(importers.filter(({ tool }) => tools.includes(tool))).toHaveLength(tools.length);
  });
});
