import { describe, expect, it } from '@jest/globals';
import { guessMapping, openUnits, readMapped, tableOf } from '../../src/domain/importers/mapped/index.js';

const units = new Map([
  ...['ttft', 'tpot', 'itl', 'e2e_latency'].flatMap((family) =>
    ['mean', 'median', 'std', 'p50', 'p90', 'p95', 'p99'].map((of) => [`serving.${family}.${of}`, 'ms'] as const),
  ),
  ['serving.output_token_throughput', 'tokens/s'],
  ['serving.output_token_throughput_per_gpu', 'tokens/s'],
  ['serving.total_token_throughput', 'tokens/s'],
  ['serving.input_token_throughput', 'tokens/s'],
  ['serving.request_throughput', 'requests/s'],
  ['training.token_throughput', 'tokens/s'],
  ['training.throughput', 'samples/s'],
  ['training.step_time', 'ms'],
  ['memory.peak_allocated', 'MiB'],
  ['memory.peak_reserved', 'MiB'],
  ['gpu.memory_used', 'MiB'],
  ['gpu.power_draw', 'W'],
]);
const known = [...units].map(([key, unit]) => ({ key, unit }));

const guess = (text: string) => guessMapping(tableOf(text), known);
const roles = (text: string) =>
  Object.fromEntries(
    guess(text).columns.map((role) => [
      role.column,
      role.role === 'METRIC' ? `${role.metric} ${role.unit ?? '?'}` : 'key' in role ? role.key : role.role,
    ]),
  );
/** A column with two numbers beside one that tells of a server. */
const beside = (column: string, other = 'ttft_p50_ms') => roles(`${column},${other}\n1.5,10\n2.5,11\n`)[column];

describe('a suggested mapping', () => {
  const file = [
    'run,conc,out_tps,p99_ttft_ms,peak_mem_gb,net',
    '1,8,900.5,50.1,61,ib',
    '2,8,910.5,51.2,61,ib',
    '1,16,1500.5,80.3,63,roce',
    '2,16,1510.5,81.4,63,roce',
    '',
  ].join('\n');

  it('takes no rows of different settings as repetitions, and asks for the unit that can be read in two ways', () => {
    const mapping = guess(file);
    expect(roles(file)).toEqual({
      run: 'IGNORED',
      conc: 'workload.concurrency',
      out_tps: 'serving.output_token_throughput tokens/s',
      p99_ttft_ms: 'serving.ttft.p99 ms',
      peak_mem_gb: 'memory.peak_allocated ?',
      net: 'IGNORED',
    });
    expect(mapping.rows).toBe('EACH_ROW');
    expect(openUnits(mapping, units).map(({ code, value, severity }) => [code, value, severity])).toEqual([
      ['AMBIGUOUS_UNIT', 'peak_mem_gb', 'WARNING'],
    ]);
    const refused = readMapped(file, mapping, units);
    expect(refused.problems.map(({ code }) => code)).toEqual(['NO_UNIT']);
    expect(refused.problems[0]?.message.en).toMatch(/^The mapping says no unit for peak_mem_gb\. memory\.peak_allocated: 1 GB of .* Write GiB or 10\^9 B\.$/);
    const columns = mapping.columns.map((role) => (role.role === 'METRIC' && role.unit === undefined ? { ...role, unit: 'GiB' } : role));
    const { runs } = readMapped(file, { ...mapping, columns }, units);
    expect(runs.map(({ workload }) => workload)).toEqual([8, 8, 16, 16].map((conc) => ({ 'workload.concurrency': conc })));
  });

  it('that was changed to GROUPED says which columns are lost', () => {
    const columns = guess(file).columns.filter(({ column }) => column !== 'peak_mem_gb');
    const mapping = { ...guess(file), rows: 'GROUPED' as const, columns };
    const { runs, problems } = readMapped(file, mapping, units);
    expect(runs).toHaveLength(2);
    expect(problems.map(({ code, value, severity }) => [code, value, severity])).toEqual([
      ['COLUMN_NOT_MAPPED', 'peak_mem_gb', 'WARNING'],
      ['ROWS_POOLED', 'run', 'WARNING'],
    ]);
    const pooled = columns.map((role) => (role.column === 'conc' ? { column: 'conc', role: 'IGNORED' as const } : role));
    expect(readMapped(file, { ...mapping, columns: pooled }, units).problems[1]).toMatchObject({ code: 'ROWS_POOLED', value: 'run, conc, peak_mem_gb, net' });
  });

  it('groups rows that differ in nothing but what was measured', () => {
    expect(guess('conc,ttft_p99_ms,note\n8,50,warm\n8,51,warm\n16,80,cold\n').rows).toBe('GROUPED');
    expect(guess('size,time_us,algbw\n8,1,x\n16,2,y\n').rows).toBe('GROUPED');
  });

  it.each([
    ['ttft_p99_ms', 'serving.ttft.p99 ms'],
    ['P99 TTFT (ms)', 'serving.ttft.p99 ms'],
    ['ttft_ms_p90', 'serving.ttft.p90 ms'],
    ['ttft.p95', 'serving.ttft.p95 ?'],
    ['mean_tpot_ms', 'serving.tpot.mean ms'],
    ['ITL median [ms]', 'serving.itl.median ms'],
    ['e2e_p50_s', 'serving.e2e_latency.p50 s'],
    ['latency_p99_ms', 'serving.e2e_latency.p99 ms'],
    ['首 token 延迟 P99（ms）', 'serving.ttft.p99 ms'],
    ['首字延迟(毫秒)', 'serving.ttft.mean ms'],
    ['端到端时延 p95 (ms)', 'serving.e2e_latency.p95 ms'],
    ['tps', 'serving.output_token_throughput tokens/s'],
    ['tok_s', 'serving.output_token_throughput tok/s'],
    ['tokens_per_sec', 'serving.output_token_throughput tokens/s'],
    ['throughput tok/s', 'serving.output_token_throughput tok/s'],
    ['throughput', 'serving.output_token_throughput ?'],
    ['total_tps', 'serving.total_token_throughput tokens/s'],
    ['prompt_tok_s', 'serving.input_token_throughput tok/s'],
    ['tps_per_gpu', 'serving.output_token_throughput_per_gpu tokens/s'],
    ['输出吞吐（tok/s）', 'serving.output_token_throughput tok/s'],
    ['qps', 'serving.request_throughput requests/s'],
    ['rps', 'serving.request_throughput requests/s'],
    ['req/s', 'serving.request_throughput req/s'],
    ['mem', 'memory.peak_allocated ?'],
    ['peak_mem_gib', 'memory.peak_allocated GiB'],
    ['peak_mem (GB)', 'memory.peak_allocated ?'],
    ['显存峰值(MiB)', 'memory.peak_allocated MiB'],
    ['power (W)', 'gpu.power_draw W'],
    ['luck', 'IGNORED'],
  ])('knows the metric %s', (column, expected) => {
    expect(beside(column)).toBe(expected);
  });

  it.each([
    ['c', 'workload.concurrency'],
    ['并发', 'workload.concurrency'],
    ['bs', 'workload.batch_size'],
    ['batch', 'workload.batch_size'],
    ['isl', 'workload.input_tokens'],
    ['输出长度', 'workload.output_tokens'],
    ['request_rate', 'workload.request_rate'],
    ['GPUs', 'gpu.count'],
    ['tp', 'workload.parallelism.tp'],
  ])('knows the setting %s', (column, expected) => {
    expect(beside(column)).toBe(expected);
  });

  it('knows words by what they are, and numbers under a name of words are none', () => {
    const text = 'gpu,model,dtype,引擎,ttft_p50_ms\nH200,m,fp8,vllm,10\n';
    expect(roles(text)).toMatchObject({
      gpu: 'gpu.sku',
      model: 'workload.model',
      dtype: 'workload.precision',
      引擎: 'workload.framework',
    });
    expect(beside('gpu')).toBe('IGNORED');
  });

  it('takes whole numbers of requests per second beside a throughput for what was asked for', () => {
    const text = 'qps,out_tps,ttft_p50_ms\n1,900.5,10\n2,1800.5,11\n';
    expect(roles(text)).toMatchObject({ qps: 'workload.request_rate' });
    expect(roles(text.replace('\n1,', '\n1.02,'))).toMatchObject({ qps: 'serving.request_throughput requests/s' });
  });

  it('leaves a table of a training alone', () => {
    expect(beside('throughput (tok/s)', 'step_time_ms')).toBe('training.token_throughput tok/s');
    expect(beside('tps', 'step_time_ms')).toBe('serving.output_token_throughput ?');
  });
}); // prettier-ignore
