import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { deviceCategory } from '../../importers/profilers/kernel-category.js';
import { MAX_BREAKDOWN_BYTES, readBreakdown, type StepTime } from './index.js';

const alone: StepTime = { stepSeconds: null, steps: null, devices: null };
const read = (text: string, step: Partial<StepTime> = {}) => readBreakdown(text, { ...alone, ...step });
const saying = (text: string, step: Partial<StepTime> = {}) => {
  const { format, shares, problems } = read(text, step);
  return { format, shares, problems: problems.map(({ severity, message }) => `${severity}: ${message.en}`) };
};

const KERNELS_CSV = `Generating SQLite file report.sqlite

 ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):

Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
70.0,"700,000,000",100,7000000.0,7000000.0,1,2,0.0,"void gemm<float, int>(const T1 *, T2)"
30.0,300000000,100,3000000.0,3000000.0,1,2,0.0,"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096>)"

Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation
80.0,80000000,10,1.0,1.0,1,2,0.0,[CUDA memcpy Host-to-Device]
20.0,20000000,10,1.0,1.0,1,2,0.0,[CUDA memcpy Device-to-Host]

Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation
500.0,10,50.0,50.0,1.0,2.0,0.0,[CUDA memcpy Host-to-Device]
`;

const KERNELS_TABLE = `[5/8] Executing 'cuda_api_sum' stats report

 Time (%)  Total Time (ns)  Num Calls  Avg (ns)  Name
 --------  ---------------  ---------  --------  ----------------
    100.0        9,000,000         10   900,000  cudaLaunchKernel

[6/8] Executing 'cuda_gpu_kern_sum' stats report

 Time (%)  Total Time (ns)  Instances  Avg (ns)  Name
 --------  ---------------  ---------  --------  ---------------------------------
     90.0        1,800,000         10   180,000  void work<int>(const int *, int)…
     10.0          200,000         10    20,000  ncclKernel_SendRecv
`;

describe('summaries of nsys stats', () => {
  it('are shares of device time where nothing relates them to a step', () => {
    expect(saying(KERNELS_CSV)).toEqual({
      format: 'nsys-stats',
      shares: { compute: 0.636363636, communication: 0.272727273, input: 0.0727272727, host: null },
      problems: [
        'WARNING: These are shares of 1.1 s of device time, not of the step: the time in which the device waits is not in them, and the share of the host is unknown. Give stepSeconds to relate them to the step',
      ],
    });
    expect(read(KERNELS_CSV).of).toBe('DEVICE_TIME');
  });

  it('are shares of the step once its time is known', () => {
    const { of, shares, lines, problems } = read(KERNELS_CSV, { stepSeconds: 0.2, steps: 10 });
    expect(of).toBe('STEP');
    expect(shares).toEqual({ compute: 0.35, communication: 0.15, input: 0.04, host: null });
    expect(lines.map(({ category, seconds, share }) => [category, seconds, share])).toEqual([
      ['compute', 0.7, 0.35],
      ['communication', 0.3, 0.15],
      ['input', 0.08, 0.04],
      ['other', 0.02, 0.01],
    ]);
    expect(lines[0]?.name).toBe('void gemm<float, int>(const T1 *, T2)');
    expect(problems.map(({ message }) => message.en)).toEqual([
      'The file does not tell what the processor does while the device waits: the share of the host is unknown, and part of the rest',
    ]);
  });

  it('count devices that the file adds up', () => {
    expect(read(KERNELS_CSV, { stepSeconds: 1, devices: 2 }).shares).toEqual({
      compute: 0.35,
      communication: 0.15,
      input: 0.04,
      host: null,
    });
  });

  it('count communication only as far as computation does not hide it', () => {
    const { shares, problems } = read(KERNELS_CSV, { stepSeconds: 0.8 });
    expect(shares).toEqual({ compute: 0.875, communication: 0.125, input: 0, host: null });
    expect(problems[0]?.message.en).toBe(
      'Work on the device overlaps: it adds up to 1.08 s in 0.8 s. Communication and input count only as far as computation does not hide them',
    );
  });

  it('refuse a step that the work of the device cannot be of', () => {
    expect(saying(KERNELS_CSV, { stepSeconds: 0.5 })).toEqual({
      format: 'nsys-stats',
      shares: null,
      problems: [
        'ERROR: The device works for 1.08 s, and the steps take 0.5 s: give steps and devices that the file covers',
      ],
    });
  });

  it('are read from tables with separators of thousands, and say that a summary of kernels has no copies', () => {
    const { format, shares, lines, problems } = read(KERNELS_TABLE, { stepSeconds: 0.004 });
    expect([format, shares]).toEqual(['nsys-stats', { compute: 0.45, communication: 0.05, input: null, host: null }]);
    expect(lines[0]).toEqual({
      name: 'void work<int>(const int *, int)…',
      category: 'compute',
      seconds: 0.0018,
      share: 0.45,
    });
    expect(problems[0]?.message.en).toBe(
      'Copies are not in a summary of kernels, so the share of input is unknown: add --report cuda_gpu_mem_time_sum',
    );
  });

  it('refuse reports that tell nothing of the device', () => {
    const ofApi = KERNELS_TABLE.slice(0, KERNELS_TABLE.indexOf('[6/8]'));
    expect(saying(ofApi)).toEqual({
      format: 'nsys-stats',
      shares: null,
      problems: [
        'ERROR: There is no summary of GPU time here: run nsys stats with --report cuda_gpu_kern_sum,cuda_gpu_mem_time_sum',
      ],
    });
  });
});

const table = (rows: readonly string[], footer: string): string => {
  const names = ['Name', 'Self CPU %', 'Self CPU', 'CPU total', 'Self CUDA', 'CUDA total', '# of Calls'];
  const width = (index: number) => (index === 0 ? 55 : 12);
  const line = (cells: readonly string[]) => cells.map((cell, index) => cell.padStart(width(index))).join('  ');
  const dashes = names.map((_, index) => '-'.repeat(width(index))).join('  ');
  return [dashes, line(names), dashes, ...rows.map((row) => line(row.split('|'))), dashes, footer].join('\n');
};
const KERNELS = [
  'aten::mm|10.00%|10.000ms|20.000ms|600.000ms|600.000ms|100',
  'ampere_sgemm_128x64_tn|0.00%|0.000us|0.000us|600.000ms|600.000ms|100',
  'nccl:all_reduce|0.00%|0.000us|0.000us|100.000ms|100.000ms|10',
  'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevK...|0.00%|0.000us|0.000us|100.000ms|100.000ms|10',
  'Memcpy HtoD (Pinned -> Device)|0.00%|0.000us|0.000us|50.000ms|50.000ms|10',
];
const STEPS = [
  'ProfilerStep*|20.00%|100.000ms|1.000s|0.000us|0.000us|10',
  'ProfilerStep*|0.00%|0.000us|0.000us|900.000ms|900.000ms|10',
  'enumerate(DataLoader)#_MultiProcessingDataLoader...|5.00%|50.000ms|60.000ms|0.000us|0.000us|10',
  'cudaDeviceSynchronize|70.00%|700.000ms|700.000ms|0.000us|0.000us|10',
];
const FOOTER = 'Self CPU time total: 950.000ms\nSelf CUDA time total: 750.000ms';

describe('the table of torch.profiler', () => {
  it('counts kernels, not the operators and ranges that have their time too', () => {
    const { format, shares, lines, of } = read(table(KERNELS, FOOTER));
    expect([format, of]).toEqual(['torch-profiler-table', 'DEVICE_TIME']);
    expect(shares).toEqual({ compute: 0.8, communication: 0.133333333, input: 0.0666666667, host: null });
    expect(lines.map(({ category, seconds }) => [category, seconds])).toEqual([
      ['compute', 0.6],
      ['communication', 0.1],
      ['input', 0.05],
    ]);
  });

  it('gives the host the time in which the device is idle where the steps were marked', () => {
    // 1 s of steps, 0.75 s of it on the device; 0.06 s wait for data, and 0.95 − 0.7 − 0.06 s are left for the host
    const { shares, lines, of, problems } = read(table([...KERNELS, ...STEPS], FOOTER));
    expect(of).toBe('STEP');
    expect(shares).toEqual({ compute: 0.6, communication: 0.1, input: 0.11, host: 0.19 });
    expect(lines.slice(1, 3)).toEqual([
      {
        name: { en: 'CPU (device idle)', zh: 'CPU（设备空闲）' },
        category: 'host',
        seconds: 0.19,
        share: 0.19,
      },
      {
        name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevK...',
        category: 'communication',
        seconds: 0.1,
        share: 0.1,
      },
    ]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message.en).toMatch(/^Host and DataLoader count as far as the device is idle meanwhile/);
  });

  it('takes the number of steps from the table where their time is given', () => {
    const { shares } = read(table([...KERNELS, ...STEPS], FOOTER), { stepSeconds: 0.2 });
    expect(shares).toMatchObject({ compute: 0.3, communication: 0.05 });
  });

  it('says that a table was cut off', () => {
    const { shares, lines, problems } = read(table(KERNELS.slice(0, 2), FOOTER));
    expect(shares).toEqual({ compute: 0.8, communication: 0, input: 0, host: null });
    expect(lines[1]).toEqual({
      name: { en: '(not in the table)', zh: '（不在表中）' },
      category: 'other',
      seconds: 0.15,
      share: 0.2,
    });
    expect(problems[0]?.message).toEqual({
      en: 'The table is cut off: 20 % of the device time is not in it. Print it with row_limit=-1',
      zh: '表不完整：设备时间的 20% 不在其中。请以 row_limit=-1 打印',
    });
  });

  it('reads tables with further columns, whose names may be longer than the columns', () => {
    const names = ['Name', 'Self CPU', 'CPU total', 'Self CUDA', 'CUDA time avg', 'Self CUDA Mem', '# of Calls', 'Input Shapes'];
    const widths = names.map((_, index) => (index === 0 ? 20 : 12));
    const line = (cells: readonly string[]) => cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  ');
    const dashes = widths.map((width) => '-'.repeat(width)).join('  ');
    const rows = ['gemm|0.000us|0.000us|60.000us|6.000us|0 B|10|[]', 'ncclDevKernel|0.000us|0.000us|40.000us|4.000us|0 B|10|[]'];
    const text = [line(names), dashes, ...rows.map((row) => line(row.split('|'))), dashes, 'Self CUDA time total: 100.000us'];
    expect(read([dashes, ...text].join('\n')).shares).toEqual({ compute: 0.6, communication: 0.4, input: 0, host: null });
  }); // prettier-ignore

  it('reads old tables, which list operators alone', () => {
    const { shares } = read(table(KERNELS.slice(0, 1), 'Self CPU time total: 1.000s\nSelf CUDA time total: 600.000ms'));
    expect(shares).toEqual({ compute: 1, communication: 0, input: 0, host: null });
  });

  it.each([
    ['two tables', `${table(KERNELS, FOOTER)}\n\n${table(KERNELS, FOOTER)}`, 'There are 2 tables here, in lines 2, 14: send the one that counts'],
    ['a table without a device', table(KERNELS, FOOTER).replace('Self CUDA', ' CUDA Mem'), 'The table has no times of a device: profile with ProfilerActivity.CUDA'],
    ['a profile without kernels', table(['aten::mm|1.00%|1.000ms|1.000ms|0.000us|0.000us|1'], FOOTER), 'Nothing in the table ran on the device'],
  ])('refuses %s', (_, text, message) => {
    expect(saying(text)).toEqual({ format: 'torch-profiler-table', shares: null, problems: [`ERROR: ${message}`] });
  }); // prettier-ignore
});

describe('the step time breakdown of the PyTorch Profiler', () => {
  const names = 'Kernel,Memcpy,Memset,Communication,Runtime,DataLoader,CPU Exec,Other';

  it('is a whole step, with the host', () => {
    const { format, of, shares, lines } = read(
      `Step,${names}\n0,600,50,10,100,20,30,100,90\n1,600,50,10,100,20,30,100,90\n`,
    );
    expect([format, of]).toEqual(['step-time-csv', 'STEP']);
    expect(shares).toEqual({ compute: 0.61, communication: 0.1, input: 0.08, host: 0.12 });
    expect(lines[0]).toEqual({ name: 'Kernel', category: 'compute', seconds: 0.0012, share: 0.6 });
  });

  it('is read with a line for each category, and has no share of communication without it', () => {
    const text =
      'Category,Time Duration (us),Percentage (%)\nAverage Step Time,"1,000",100\nKernel,600,60\nDataLoader,100,10\nRuntime,100,10\nCPU Exec,200,20\n';
    expect(saying(text)).toEqual({
      format: 'step-time-csv',
      shares: { compute: 0.6, communication: null, input: 0.1, host: 0.3 },
      problems: [
        'WARNING: There is no category Communication, so its share is unknown; kernels of NCCL would be in Kernel, which counts as compute',
      ],
    });
  });

  it('names the line of what is no time', () => {
    expect(read(`Step,${names}\n0,600,x,10,100,20,30,100,90\n`).problems).toEqual([
      {
        line: 2,
        code: 'UNREADABLE',
        scope: 'FILE',
        severity: 'ERROR',
        message: { en: 'Memcpy "x" is no time', zh: 'Memcpy 的值“x”不是时间' },
      },
    ]);
  });
});

describe('data frames of Holistic Trace Analysis', () => {
  it('tell computation of the temporal breakdown, all ranks together', () => {
    const text =
      ',rank,idle_time(us),compute_time(us),non_compute_time(us),kernel_time(us),idle_time_pctg\n0,0,100,600,300,1000,10\n1,1,300,400,300,1000,30\n';
    const { format, of, shares, problems } = read(text);
    expect([format, of]).toEqual(['holistic-trace-analysis', 'STEP']);
    expect(shares).toEqual({ compute: 0.5, communication: null, input: null, host: null });
    expect(problems).toHaveLength(1);
  });

  it('tell communication that is not hidden of the kinds of kernels', () => {
    const text =
      'kernel_type,sum,percentage\nCOMPUTATION,600,60\nCOMMUNICATION,200,20\nMEMORY,50,5\nCOMPUTATION overlapping COMMUNICATION,150,15\n';
    expect(read(text).shares).toEqual({ compute: 0.75, communication: 0.2, input: null, host: null });
    expect(read(text, { stepSeconds: 0.002 }).shares).toEqual({
      compute: 0.375,
      communication: 0.1,
      input: null,
      host: null,
    });
  });
});

describe('a number at the very end of a breakdown', () => {
  it('refuses the text, since it may be cut', () => {
    const text = 'kernel_type,sum,percentage\nCOMPUTATION,600,75\nCOMMUNICATION,200,25\nMEMORY,50';
    const { shares, problems } = read(text);
    expect([shares, problems.map(({ line, code, value }) => [line, code, value])]).toEqual([null, [[4, 'LAST_LINE_OPEN', 'MEMORY,50']]]);
    expect(read(`${text}\n`).shares).toEqual({ compute: 0.705882353, communication: 0.235294118, input: null, host: null });
  }); // prettier-ignore
});

describe('numbers of tools', () => {
  const names = 'Kernel;Memcpy;Memset;Communication;Runtime;DataLoader;CPU Exec;Other';

  it('are read with decimal commas where semicolons part the cells', () => {
    const step = read(`Step;${names}\n0;600,5;50,5;10;100;20;30;100;89\n`);
    expect([step.format, step.shares]).toEqual([
      'step-time-csv',
      { compute: 0.6105, communication: 0.1, input: 0.0805, host: 0.12 },
    ]);
    const long = read('Kernel;12,5\nMemcpy;3,1\nRuntime;2,5\nDataLoader;0,9\nOther;1,0\n');
    expect(long.shares).toEqual({ compute: 0.625, communication: null, input: 0.2, host: 0.125 });
    const nsys = read('Time (%);Total Time (ns);Instances;Name\n75,5;755.000.000;10;gemm\n24,5;245.000.000;10;ncclDevKernel_AllReduce\n'); // prettier-ignore
    expect(nsys.shares).toEqual({ compute: 0.755, communication: 0.245, input: null, host: null });
    const hta = read('idle_time(us);compute_time(us);non_compute_time(us);kernel_time(us)\n100,5;599,5;300;1000\n');
    expect(hta.shares).toEqual({ compute: 0.5995, communication: null, input: null, host: null });
  });

  it('are refused with their line where they are too large or tell nothing', () => {
    const wide = names.replaceAll(';', ',');
    for (const [text, line, message] of [
      [`${wide}\n1,1,1,1,1,1,1,1\n1e999,1,1,1,1,1,1,1\n`, 3, 'Kernel "1e999" is too large'],
      [`${wide}\n1e308,1e308,1e308,1e308,1,1,1,1\n`, 2, 'Kernel "1e308" is too large'],
      [`${wide}\n"1,234",1,1,1,1,1,1,1\n`, 2, 'Kernel "1,234" can be 1.234 or 1234, and the file does not tell which: write numbers with a decimal point and without separators of thousands'],
      [`${wide}\n1,5,1,1,1,1,1,1,1\n`, 2, 'There are 9 cells here, and 8 are expected: put a number with a comma into quotes, or part the cells with ";"'],
      [`${wide},Kernel (us)\n1,1,1,1,1,1,1,1,1\n`, 1, 'There are two columns "Kernel"'],
      ['Time (%),Total Time (ns),Instances,Name\n1,5,1,gemm\n1,1e999,1,nccl\n', 3, 'Total Time (ns) "1e999" is too large'],
      ['Time (%),Total Time (ns),Instances,Name\n70,5,1,gemm\n70,5,1,000,1,nccl\n', 3, 'There are 6 cells here, and 4 are expected: put a number with a comma into quotes, or part the cells with ";"'],
      ['kernel_type,sum\nCOMPUTATION,1e999\n', 2, 'COMPUTATION "1e999" is too large'],
      [table(['mm|0.00%|0.000us|0.000us|1e999us|1.000us|1'], FOOTER), 4, 'Self CUDA "1e999us" is too large'],
    ] as const) {
      const { shares, problems } = read(text);
      expect(shares).toBeNull();
      expect(problems.find(({ severity }) => severity === 'ERROR')).toMatchObject({ line, message: { en: message } });
    } // prettier-ignore
  });

  it('are times alone: what is negative is left out', () => {
    expect(saying('Time (%),Total Time (ns),Instances,Name\n1,-5,1,nccl\n1,5,1,gemm\n').problems[0]).toBe(
      'WARNING: "-5" is no time; the line is left out',
    );
  });
});

it('names are cut between characters', () => {
  const { lines } = read(`Time (%),Total Time (ns),Instances,Name\n1,5,1,${'a'.repeat(299)}😀😀\n`);
  expect(lines[0]?.name).toBe(`${'a'.repeat(299)}😀`);
});

describe('other content', () => {
  it.each([
    ['text of no format', 'hello, world', /^This is none of the outputs that are understood: torch\.profiler/],
    ['truncated JSON', '{"compute": 0.5, "comm', /^The JSON is truncated/],
    ['nothing', '  \n', /^The content is empty$/],
    ['too much', 'x'.repeat(MAX_BREAKDOWN_BYTES + 1), /^The content is larger than 4 MiB$/],
  ])('is refused: %s', (_, text, message) => {
    const { format, shares, problems } = read(text);
    expect([format, shares]).toEqual([null, null]);
    expect(problems[0]?.message.en).toMatch(message);
  });
});

it.each([
  ['ncclDevKernel_AllGather_RING_LL', 'communication'],
  ['rcclGenericKernel<1>', 'communication'],
  ['HcomAllReduce_hcom_allreduce_', 'communication'],
  ['void vllm::cross_device_reduce_1stage<__half, 2>', 'communication'],
  ['Memcpy PtoP (Device -> Device)', 'communication'],
  ['Memcpy HtoD (Pageable -> Device)', 'input'],
  ['CopyHostToDevice', 'input'],
  ['Memcpy DtoH (Device -> Pinned)', 'other'],
  ['[CUDA memcpy Device-to-Device]', 'compute'],
  ['Memset (Device)', 'compute'],
  ['ampere_bf16_s16816gemm_bf16_128x64', 'compute'],
])('takes the kernel %s for %s', (name, category) => {
  expect(deviceCategory(name)).toBe(category);
});

const corpus = '../shared/corpus';
const withCorpus = existsSync(corpus) ? describe : describe.skip;
withCorpus('real output (skipped where ../shared/corpus is missing)', () => {
  const of = (file: string) => read(readFileSync(`${corpus}/${file}`, 'utf8'));

  it('of nsys stats has the times that the tool printed', () => {
    const csv = of('nsys-stats-csv/vllm-qwen25-7b-kernsum.csv');
    expect(csv.lines[0]).toMatchObject({ seconds: 0.665015457, category: 'compute' });
    expect(csv.lines[0]?.share).toBeCloseTo(0.32, 2);
    const text = of('nsys-stats-text/a100-vector-add-launch-bound.txt');
    expect(text.lines.map(({ seconds }) => seconds)).toEqual([0.001831281, 0.000002432, 0.000002336]);
  });

  it('of torch.profiler adds up to the time of the device that its footer states', () => {
    for (const [file, seconds] of [['ao-fp8-sdpa', 31.997e-6], ['ao-regular-sdpa', 17.631e-6]] as const) {
      const { shares, lines } = of(`torch-profiler-table/${file}.txt`);
      expect(shares?.compute).toBe(1);
      expect(lines.reduce((sum, line) => sum + (line.seconds ?? 0), 0)).toBeCloseTo(seconds, 8);
    } // prettier-ignore
  });
});
