import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import type { Reading } from '../../src/domain/importers/importer.js';
import {
  columnMapping,
  columnsOf,
  guessMapping,
  readMapped,
  tableOf,
} from '../../src/domain/importers/mapped/index.js';
import { mutated, seeded } from '../support/mutated-text.js';
import { fixture } from '../support/tool-output.js';

const units = new Map([
  ['time.latency', 'ms'],
  ['time.mean', 's'],
  ['throughput.bytes', 'MB/s'],
  ['throughput.requests', 'requests/s'],
  ['memory.peak_allocated', 'MiB'],
  ['own.file_size', 'B'],
  ['own.accuracy', 'percent'],
]);

type Input = z.input<typeof columnMapping>;

const read = (text: string, mapping: Input): Reading => readMapped(text, columnMapping.parse(mapping), units);
const told = ({ problems }: Reading): readonly string[] =>
  problems.map(({ severity, line, message }) => `${severity} ${line ?? '-'} ${message.en}`);
const found = ({ runs }: Reading) =>
  runs.map(({ observations }) =>
    observations.map(({ metric, dimensions, value, unit, repeats }) => ({
      at: [metric, ...Object.entries(dimensions).map(([name, at]) => `${name}=${at}`)].join(' '),
      value: `${value} ${unit}`,
      ...(repeats ? { repeats } : {}),
    })),
  );

const names = (text: string): readonly string[] => columnsOf(text).columns.map(({ name }) => name);

describe('the columns of a file', () => {
  it.each([
    ['commas', 'size,latency (ms)\n1024,2.5\n2048,3.5\n'],
    ['semicolons and decimal commas', 'size;latency (ms)\n1024;2,5\n2048;3,5\n'],
    ['tabs', 'size\tlatency (ms)\n1024\t2.5\n'],
    ['bars', 'size | latency (ms)\n1024 | 2.5\n2048 | 3.5\n'],
    ['Markdown', '| size | latency (ms) |\n|---:|:---|\n| 1024 | 2.5 |\n'],
    ['quotation marks', '"size","latency (ms)"\n"1024","2.5"\n'],
    ['a comment as header', '# written by a script\n# size,latency (ms)\n1024,2.5\n'],
    ['comments and blank lines above', '# a script\n\nsize,latency (ms)\n1024,2.5\n'],
    ['an array of objects', '[{"size":1024,"latency (ms)":2.5}]'],
    ['JSON Lines', '{"size":1024,"latency (ms)":2.5}\n{"size":2048,"latency (ms)":3.5}\n'],
    ['an object with an array of objects', '{"tags":["a"],"results":[{"size":1024,"latency (ms)":2.5}]}'],
  ])('are found by %s', (_, text) => {
    const { columns, problems } = columnsOf(text);
    expect(problems).toEqual([]);
    expect(columns.map(({ name }) => name)).toEqual(['size', 'latency (ms)']);
    expect(columns[0]?.examples[0]).toBe('1024');
  });

  it('show the first values that differ', () => {
    const text = `name,value\n${['a', 'a', '', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name},1`).join('\n')}\n`;
    expect(columnsOf(text).columns).toEqual([
      { name: 'name', examples: ['a', 'b', 'c', 'd', 'e'] },
      { name: 'value', examples: ['1'] },
    ]);
  });

  it('tell names apart that stand twice or not at all', () => {
    expect(names('a,b,a,,A\n1,2,3,4,5\n')).toEqual(['a', 'b', 'a (2)', 'column 4', 'A (3)']);
  });

  it('of nested objects have dots, and what stands around a list is in every row', () => {
    const text =
      '{"model":"m","when":{"date":"2026-01-05"},"results":[{"latency":{"p50":1,"p99":2},"all":[1,2]},{"latency":{"p50":3}}]}';
    expect(columnsOf(text).columns).toEqual([
      { name: 'model', examples: ['m'] },
      { name: 'when.date', examples: ['2026-01-05'] },
      { name: 'latency.p50', examples: ['1', '3'] },
      { name: 'latency.p99', examples: ['2'] },
    ]);
  });

  it('of a report for Bencher are benchmark, measure and value', () => {
    const text = fixture('bencher-metric-format/other-measures.json');
    expect(names(text)).toEqual(['benchmark', 'measure', 'value', 'lower_value', 'upper_value']);
  });

  it('have the same signature in any order, letter case and blanks, and another one in another kind of file', () => {
    const { signature } = columnsOf('Size, Latency  (ms)\n1,2\n');
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    expect(columnsOf('latency (ms);size\n9;8\n7;6\n').signature).toBe(signature);
    expect(columnsOf('size,latency\n1,2\n').signature).not.toBe(signature);
    expect(columnsOf('[{"size":1,"latency (ms)":2}]').signature).not.toBe(signature);
  });

  it.each([
    ['no table at all', 'hello\nworld\n', 'ERROR 1 No separator was found'],
    ['no header', '1,2,3\n4,5,6\n', 'ERROR 1 The first row holds numbers'],
    ['a quotation mark that is never closed', 'a,b\n1,"2\n3,4\n', 'ERROR 3 The CSV cannot be read'],
    [
      'several lists',
      '{"a":[{"x":1}],"b":[{"y":1}]}',
      'ERROR - The JSON holds several lists of objects: a, b. Say in the mapping',
    ],
    ['no objects', '[1,2,3]', 'ERROR - The JSON holds no list of objects'],
    ['broken JSON', '[{"a":1},{"a"', 'ERROR 1 The JSON is truncated'],
    ['too many columns', `${'a,'.repeat(1_200)}a\n1,2\n`, 'ERROR 1 The table has more than 1000 columns'],
  ])('are missing with a reason: %s', (_, text, message) => {
    const { columns, problems } = columnsOf(text);
    expect(columns).toEqual([]);
    expect(problems.map(({ severity, line, message: { en } }) => `${severity} ${line ?? '-'} ${en}`)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it('of one column need no separator where all else is numbers', () => {
    expect(names('seconds\n1.5\n1.6\n')).toEqual(['seconds']);
  });
});

const latency = { column: 'latency', role: 'METRIC', metric: 'time.latency', unit: 'ms' } as const;
const size = { column: 'size', role: 'DIMENSION', name: 'bytes' } as const;

describe('a wide table', () => {
  it('makes a run of the rows that have the same workload, and repetitions of those at the same point', () => {
    const text = [
      'model,engine,arm,size,latency,rate',
      'm-7b,1.2,base,64,10,100',
      'm-7b,1.2,base,64,12,90',
      'm-7b,1.2,base,128,20,60',
      'm-7b,1.2,tuned,64,8,120',
      'm-13b,1.2,base,64,30,',
      '',
    ].join('\n');
    const reading = read(text, {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [
        { column: 'model', role: 'WORKLOAD', key: 'workload.model' },
        { column: 'engine', role: 'ENVIRONMENT', key: 'vllm' },
        { column: 'arm', role: 'VARIANT' },
        size,
        latency,
        { column: 'rate', role: 'METRIC', metric: 'throughput.requests', unit: 'req/s' },
      ],
    });
    expect(told(reading)).toEqual([]);
    expect(reading.runs.map(({ variant, workload, environment }) => ({ variant, ...workload, ...environment }))).toEqual([
      { variant: 'base', 'workload.model': 'm-7b', vllm: 1.2 },
      { variant: 'tuned', 'workload.model': 'm-7b', vllm: 1.2 },
      { variant: 'base', 'workload.model': 'm-13b', vllm: 1.2 },
    ]);
    expect(found(reading)).toEqual([
      [
        { at: 'time.latency bytes=64', value: '11 ms', repeats: [10, 12] },
        { at: 'throughput.requests bytes=64', value: '95 req/s', repeats: [100, 90] },
        { at: 'time.latency bytes=128', value: '20 ms' },
        { at: 'throughput.requests bytes=128', value: '60 req/s' },
      ],
      [
        { at: 'time.latency bytes=64', value: '8 ms' },
        { at: 'throughput.requests bytes=64', value: '120 req/s' },
      ],
      [{ at: 'time.latency bytes=64', value: '30 ms' }],
    ]);
  }); // prettier-ignore

  it('makes a run of each row where the mapping says so, with its session, block and start', () => {
    const text = 'when,session,block,latency\n2026-01-05T10:30:00+01:00,s1,b1,10\n2026-01-05 09:31:00,s1,b2,11\n';
    const reading = read(text, {
      layout: 'WIDE',
      rows: 'EACH_ROW',
      columns: [
        { column: 'when', role: 'STARTED_AT' },
        { column: 'session', role: 'SESSION' },
        { column: 'block', role: 'BLOCK' },
        latency,
      ],
    });
    expect(reading.runs.map(({ startedAt, session, block, tool, status }) => [startedAt, session, block, tool, status])).toEqual([
      ['2026-01-05T09:30:00.000Z', 's1', 'b1', 'mapped', 'OK'],
      ['2026-01-05T09:31:00.000Z', 's1', 'b2', 'mapped', 'OK'],
    ]);
  }); // prettier-ignore

  it.each([
    ['1767605400', '2026-01-05T09:30:00.000Z'],
    ['1767605400.5', '2026-01-05T09:30:00.500Z'],
    ['1767605400000', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05', '2026-01-05T00:00:00.000Z'],
    ['2026-01-05 10:30:00 +0100', '2026-01-05T09:30:00.000Z'],
    ['2026/01/05 09:30', '2026-01-05T09:30:00.000Z'],
    ['n/a', null],
  ])('reads %s as the start %s', (given, startedAt) => {
    const columns = [{ column: 'when', role: 'STARTED_AT' } as const, latency];
    const reading = read(`when;latency\n${given};1\n`, { layout: 'WIDE', rows: 'GROUPED', columns });
    expect(told(reading)).toEqual([]);
    expect(reading.runs[0]?.startedAt).toBe(startedAt);
  });

  it('warns of a start that is no time', () => {
    const columns = [{ column: 'when', role: 'STARTED_AT' } as const, latency];
    const reading = read('when;latency\n05.01.2026;1\n', { layout: 'WIDE', rows: 'GROUPED', columns });
    expect(told(reading)).toEqual([
      'WARNING 2 The date "05.01.2026" was left out: it is no time between 1970 and 2100',
    ]);
  });

  it('takes columns of one metric as repetitions, and as points where the mapping tells them apart', () => {
    const mapping = (of: readonly { readonly op?: string }[]): Input => ({
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: of.map((dimensions, index) => ({
        column: `t${index + 1}`,
        role: 'METRIC',
        metric: 'time.mean',
        unit: 's',
        dimensions: { ...dimensions },
      })),
    });
    const text = 't1,t2,t3\n1,2,4\n';
    expect(found(read(text, mapping([{}, {}, {}])))).toEqual([[{ at: 'time.mean', value: '2 s', repeats: [1, 2, 4] }]]);
    expect(found(read(text, mapping([{ op: 'read' }, { op: 'write' }, { op: 'list' }])))[0]).toHaveLength(3);
  });

  it('takes the unit of each row from another column and merges repetitions in the first', () => {
    const text = 'size;time;unit\n1;1500;us\n1;2.5;ms\n2;3;\n';
    const reading = read(text, {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [size, { column: 'time', role: 'METRIC', metric: 'time.latency', unit: 's', unitColumn: 'unit' }],
    });
    expect(told(reading)).toEqual([]);
    expect(found(reading)).toEqual([
      [
        { at: 'time.latency bytes=1', value: '2000 us', repeats: [1500, 2500] },
        { at: 'time.latency bytes=2', value: '3 s' },
      ],
    ]);
  });

  it.each([
    ['decimal points', 'size;latency\n1;1234.5\n', '1234.5 ms'],
    ['decimal commas', 'size;latency\n1;1,25\n', '1.25 ms'],
    ['thousands and decimal commas', 'size;latency\n1;1.234,5\n', '1234.5 ms'],
    ['thousands', 'size;latency\n1;1,234,567\n', '1234567 ms'],
    ['the unit behind the number', 'size;latency\n1;12.5 ms\n', '12.5 ms'],
    ['an exponent', 'size;latency\n1;1.5e-3\n', '0.0015 ms'],
    ['JSON', '[{"size":1,"latency":12.5}]', '12.5 ms'],
    ['JSON with a number as text', '[{"size":1,"latency":"12.5"}]', '12.5 ms'],
  ])('reads numbers with %s', (_, text, value) => {
    const reading = read(text, { layout: 'WIDE', rows: 'GROUPED', columns: [size, latency] });
    expect(told(reading)).toEqual([]);
    expect(found(reading)).toEqual([[{ at: 'time.latency bytes=1', value }]]);
  });

  it('asks for the decimal sign where a comma may be either, with the line and the value', () => {
    const text = 'size;latency\n1;7\n2;1,234\n';
    const mapping: Input = { layout: 'WIDE', rows: 'GROUPED', columns: [size, latency] };
    expect(told(read(text, mapping))).toEqual([
      'ERROR 3 "1,234" may be a fraction or thousands: say in the mapping which decimal sign the file uses',
    ]);
    expect(found(read(text, { ...mapping, decimal: ',' }))[0]?.[1]?.value).toBe('1.234 ms');
    expect(found(read(text, { ...mapping, decimal: '.' }))[0]?.[1]?.value).toBe('1234 ms');
  });

  it('takes no value for none, names texts among numbers, and calls the run partial', () => {
    const text = 'size,latency\n1,10\n2,N/A\n3,\n4,OOM\n5,-\n6,1e999\n';
    const reading = read(text, { layout: 'WIDE', rows: 'GROUPED', columns: [size, latency] });
    expect(told(reading)).toEqual(['ERROR 5 "OOM" in latency is no number', 'ERROR 7 "1e999" in latency is no number']);
    expect(reading.runs.map(({ status }) => status)).toEqual(['PARTIAL']);
    expect(found(reading)).toEqual([[{ at: 'time.latency bytes=1', value: '10 ms' }]]);
  });

  it('refuses a metric column without any number', () => {
    const reading = read('size,latency\n1,fast\n2,slow\n', {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [size, latency],
    });
    expect(reading.runs).toEqual([]);
    expect(told(reading)).toContain('ERROR 2 latency holds no number, but texts such as "fast"');
  });

  it('leaves out rows that are out of step', () => {
    const text = 'size,latency\n1,10\n2,20,30\n3,30,\n4';
    const reading = read(text, { layout: 'WIDE', rows: 'GROUPED', columns: [size, latency] });
    expect(told(reading)).toEqual([
      'WARNING 3 The row was left out: it has 3 cells, the header 2',
      'WARNING 5 The row was left out: it has 1 cells, the header 2',
    ]);
    expect(reading.runs[0]?.status).toBe('PARTIAL');
    expect(reading.runs[0]?.observations.map(({ value }) => value)).toEqual([10, 30]);
  });

  it('names the line of a row of JSON', () => {
    const text = '{\n "results": [\n  {"size": 1, "latency": 1},\n  {"size": "{", "latency": "late"}\n ]\n}';
    const reading = read(text, { layout: 'WIDE', rows: 'GROUPED', columns: [size, latency] });
    expect(told(reading)).toEqual(['ERROR 4 "late" in latency is no number']);
  });

  it('keeps numbers, names with leading zeros and truths apart', () => {
    const text = 'gpus,job,compiled,latency\n8,007,true,1\n16,012,false,2\n';
    const reading = read(text, {
      layout: 'WIDE',
      rows: 'EACH_ROW',
      columns: [
        { column: 'gpus', role: 'ENVIRONMENT', key: 'gpu.count' },
        { column: 'job', role: 'DIMENSION', name: 'job' },
        { column: 'compiled', role: 'WORKLOAD', key: 'workload.settings.compiled' },
        latency,
      ],
    });
    expect(reading.runs.map(({ environment, workload }) => ({ ...environment, ...workload }))).toEqual([
      { 'gpu.count': 8, 'workload.settings.compiled': true },
      { 'gpu.count': 16, 'workload.settings.compiled': false },
    ]);
    expect(reading.runs[0]?.observations[0]?.dimensions).toEqual({ job: '007' });
  });

  it('redacts facts and variants', () => {
    const text = 'path,who,latency\n/home/alice/model,alice@example.com,1\n';
    const reading = read(text, {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [
        { column: 'path', role: 'WORKLOAD', key: 'workload.model' },
        { column: 'who', role: 'VARIANT' },
        latency,
      ],
    });
    expect(JSON.stringify(reading.runs)).not.toContain('alice');
  });

  it('warns of columns that the mapping leaves out, without those that it ignores', () => {
    const text = 'size,latency,note,date\n1,2,x,y\n';
    const columns = [size, latency, { column: 'note', role: 'IGNORED' } as const];
    expect(told(read(text, { layout: 'WIDE', rows: 'GROUPED', columns }))).toEqual([
      'WARNING 1 The mapping says nothing about these columns: date',
    ]);
  });

  it('finds columns in spite of letter case and blanks', () => {
    const text = 'Size ,  LATENCY\n1,2\n';
    expect(found(read(text, { layout: 'WIDE', rows: 'GROUPED', columns: [size, latency] }))).toEqual([
      [{ at: 'time.latency bytes=1', value: '2 ms' }],
    ]);
  });
});

describe('a long table', () => {
  const text = 'test,metric,value,unit\na,p50,1.5,ms\na,size,4096,B\na,colour,7,x\nb,p50,2.5,ms\na,p50,2.5,ms\n';
  const columns = [
    { column: 'test', role: 'DIMENSION', name: 'test' } as const,
    { column: 'metric', role: 'METRIC_NAME' } as const,
    { column: 'value', role: 'VALUE' } as const,
    { column: 'unit', role: 'UNIT' } as const,
  ];

  it('gives each name its metric, and names what it gives none', () => {
    const reading = read(text, {
      layout: 'LONG',
      rows: 'GROUPED',
      columns,
      metrics: [
        { name: 'p50', metric: 'time.latency', dimensions: { statistic: 'p50' } },
        { name: 'SIZE', metric: 'own.file_size' },
      ],
    });
    expect(told(reading)).toEqual(['WARNING - Left out, since the mapping gives them no metric: colour']);
    expect(found(reading)).toEqual([
      [
        { at: 'time.latency test=a statistic=p50', value: '2 ms', repeats: [1.5, 2.5] },
        { at: 'own.file_size test=a', value: '4096 B' },
        { at: 'time.latency test=b statistic=p50', value: '2.5 ms' },
      ],
    ]);
  });

  it('takes units from the table of names where no column says them', () => {
    const reading = read(fixture('bencher-metric-format/other-measures.json'), {
      layout: 'LONG',
      rows: 'GROUPED',
      columns: [
        { column: 'benchmark', role: 'DIMENSION', name: 'benchmark' },
        { column: 'measure', role: 'METRIC_NAME' },
        { column: 'value', role: 'VALUE' },
        { column: 'lower_value', role: 'IGNORED' },
        { column: 'upper_value', role: 'IGNORED' },
      ],
      metrics: [
        { name: 'file-size', metric: 'own.file_size', unit: 'B' },
        { name: 'latency', metric: 'time.latency', unit: 'ns' },
        { name: 'build-time', metric: 'time.mean', unit: 's' },
      ],
    });
    expect(told(reading)).toEqual([]);
    expect(found(reading)).toEqual([
      [
        { at: 'own.file_size benchmark=my_binary', value: '4096 B' },
        { at: 'time.latency benchmark=my_binary', value: '12 ns' },
        { at: 'time.mean benchmark=build', value: '87 s' },
      ],
    ]);
  });

  it('names the line of a unit that is none of the metric, once', () => {
    const reading = read(text.replaceAll('ms', 'MiB'), {
      layout: 'LONG',
      rows: 'GROUPED',
      columns,
      metrics: [{ name: 'p50', metric: 'time.latency' }],
    });
    expect(reading.runs).toEqual([]);
    expect(told(reading)).toContain('ERROR 2 time.latency: Cannot convert MiB to ms: MiB is a data-size, ms a time.');
    expect(told(reading).filter((each) => each.startsWith('ERROR'))).toHaveLength(1);
  });
});

describe('a mapping', () => {
  const text = 'size,latency,kind\n1,2,x\n';

  it.each<[string, Partial<Input>, string]>([
    ['a column that is not there', { columns: [size, { ...latency, column: 'delay' }] }, 'ERROR 1 The mapping names columns that the file does not have: delay. It has: size, latency, kind'],
    ['a unit column that is not there', { columns: [{ ...latency, unitColumn: 'unit' }] }, 'ERROR 1 The mapping names columns that the file does not have: unit. It has: size, latency, kind'],
    ['a unit of another dimension', { columns: [{ ...latency, unit: 'MiB' }] }, 'ERROR - time.latency: Cannot convert MiB to ms: MiB is a data-size, ms a time.'],
    ['a unit that may be two', { columns: [{ ...latency, metric: 'throughput.bytes', unit: 'KB/s' }] }, 'ERROR - throughput.bytes: Cannot convert KB/s to MB/s: "KB/s" can be read in more than one way. Write kB/s or KiB/s.'],
    ['bits for bytes', { columns: [{ ...latency, metric: 'throughput.bytes', unit: 'Mbit/s' }] }, 'ERROR - throughput.bytes: Cannot convert Mbit/s to MB/s: Mbit/s is a bit-rate, MB/s a data-rate.'],
    ['no unit', { columns: [{ column: 'latency', role: 'METRIC', metric: 'time.latency' }] }, 'ERROR - The mapping says no unit for latency'],
    ['an unknown metric', { columns: [{ ...latency, metric: 'time.nothing' }] }, 'ERROR - There is no metric time.nothing'],
    ['no metric', { columns: [size] }, 'ERROR - No column of the mapping is a METRIC'],
    ['roles of the other layout', { columns: [latency, { column: 'kind', role: 'UNIT' }] }, 'ERROR - These columns have a role that only the layout LONG knows: kind'],
    ['a column twice', { columns: [latency, { column: 'Latency', role: 'IGNORED' }] }, 'ERROR - The mapping gives these twice: latency'],
    ['a dimension twice', { columns: [latency, size, { ...size, column: 'kind' }] }, 'ERROR - The mapping gives these twice: bytes'],
    ['METRIC in a long table', { layout: 'LONG', columns: [latency] }, 'ERROR - The layout LONG has no METRIC columns: give METRIC_NAME and VALUE'],
    ['no value column in a long table', { layout: 'LONG', columns: [{ column: 'kind', role: 'METRIC_NAME' }] }, 'ERROR - The layout LONG needs one METRIC_NAME column, one VALUE column and at most one UNIT column'],
    ['no names in a long table', { layout: 'LONG', columns: [{ column: 'kind', role: 'METRIC_NAME' }, { column: 'size', role: 'VALUE' }] }, 'ERROR - The mapping says for no name which metric it stands for'],
  ])('is refused for %s', (_, change, message) => {
    const reading = read(text, { layout: 'WIDE', rows: 'GROUPED', columns: [latency], ...change });
    expect(reading.runs).toEqual([]);
    expect(told(reading)).toEqual([message]);
    expect(reading.problems.every(({ message: { zh } }) => /\p{Script=Han}/u.test(zh))).toBe(true);
  }); // prettier-ignore

  it.each([
    { layout: 'TALL', rows: 'GROUPED', columns: [latency] },
    { layout: 'WIDE', rows: 'GROUPED', columns: [] },
    { layout: 'WIDE', rows: 'GROUPED', columns: [{ ...latency, metric: 'latency' }] },
    { layout: 'WIDE', rows: 'GROUPED', columns: [latency, { column: 'a', role: 'DIMENSION', name: 'Has Blanks' }] },
    { layout: 'WIDE', rows: 'GROUPED', columns: [latency, { column: 'a', role: 'WORKLOAD' }] },
    { layout: 'WIDE', rows: 'GROUPED', columns: [latency], sum: true },
  ])('has a shape: %j is none', (mapping) => {
    expect(columnMapping.safeParse(mapping).success).toBe(false);
  });
});

describe('a unit in the name of a column', () => {
  it('says nothing where a column of units decides', () => {
    const reading = read('ttft_ms,u\n120.5,ms\n', {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [{ column: 'ttft_ms', role: 'METRIC', metric: 'time.latency', unit: 's', unitColumn: 'u' }],
    });
    expect(told(reading)).toEqual([]);
    expect(found(reading)).toEqual([[{ at: 'time.latency', value: '120.5 ms' }]]);
  });

  const of = (column: string, metric: string, unit: string, value = '1') =>
    read(`size,${column}\n64,${value}\n`, {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [size, { column, role: 'METRIC', metric, unit }],
    });

  it.each([
    ['latency_s', 'time.latency', 'ms', 'latency_s" in ms, and its name says s: check which one the numbers are in'],
    ['time_us', 'time.mean', 's', 'time_us" in s, and its name says us: check which one the numbers are in'],
    ['throughput_MBps', 'throughput.bytes', 'GB/s', 'throughput_MBps" in GB/s, and its name says MBps: check which one the numbers are in'],
    ['latencyMs', 'time.latency', 's', 'latencyMs" in s, and its name says ms: check which one the numbers are in'],
    ['load_ms', 'throughput.bytes', 'MB/s', 'load_ms" in MB/s, and its name says ms, which is a time and no data-rate: check which one the numbers are in'],
  ])('that differs from the mapping is told: %s of %s in %s', (column, metric, unit, message) => {
    const reading = of(column, metric, unit);
    expect(told(reading)).toEqual([`WARNING 1 The mapping reads "${message}`]);
    expect(reading.problems[0]).toMatchObject({ code: 'UNIT_DIFFERS', message: { zh: expect.stringContaining(`映射按 ${unit} 读取“${column}”`) } });
    expect(reading.runs).toHaveLength(1);
  });

  it.each([
    ['latency_ms', 'time.latency', 'ms'],
    ['Latency (ms)', 'time.latency', 'milliseconds'],
    ['requests_s', 'throughput.requests', 'req/s'],
    ['requests_per_s', 'throughput.requests', 'requests/s'],
    ['mem_gb', 'memory.peak_allocated', 'GiB'],
    ['mem_GB', 'memory.peak_allocated', 'GiB'],
    ['bytes', 'own.file_size', 'MB'],
    ['batch_s', 'time.mean', 'ms'],
    ['accuracy', 'own.accuracy', 'percent'],
  ])('that is the same, or none for certain, is not told: %s of %s in %s', (column, metric, unit) => {
    expect(told(of(column, metric, unit))).toEqual([]);
  });

  it('stands in the names of a long table too', () => {
    const reading = read('name,value\nlatency_s,0.5\nrate,3\n', {
      layout: 'LONG',
      rows: 'GROUPED',
      columns: [{ column: 'name', role: 'METRIC_NAME' }, { column: 'value', role: 'VALUE' }],
      metrics: [{ name: 'latency_s', metric: 'time.latency', unit: 'ms' }, { name: 'rate', metric: 'throughput.requests', unit: 'req/s' }],
    });
    expect(told(reading)).toEqual(['WARNING - The mapping reads "latency_s" in ms, and its name says s: check which one the numbers are in']);
  });
}); // prettier-ignore

describe('damaged and hostile tables', () => {
  const texts = [
    'size;latency\n1;1,5\n2;"2,5"\n3;x\n',
    '| size | latency |\n|---|---|\n| 1 | 1.5 |\n| 2 | 2.5 |\n',
    '{"tag":"a","rows":[{"size":1,"latency":1.5},{"size":2,"latency":{"p50":3}}]}\n',
    '{"size":1,"latency":1.5}\n{"size":2,"latency":"2,5"}\n',
  ];
  const mapping: Input = { layout: 'WIDE', rows: 'GROUPED', columns: [size, latency] };

  it.each(texts)('give problems, never an exception or a number that is none: %j', (text) => {
    const random = seeded(text.length);
    for (let round = 0; round < 60; round += 1) {
      const at = Math.floor(random() * text.length);
      const damaged = [
        () => text.slice(0, at),
        () => mutated(text, random),
        () => text.slice(0, at) + String.fromCharCode(1 + Math.floor(random() * 0xfffe)) + text.slice(at + 1),
        () => text.replace(/\d/g, (digit) => (random() < 0.3 ? '9'.repeat(400) : digit)),
      ][round % 4]?.();
      const reading = read(damaged ?? text, mapping);
      expect(reading.runs.length + reading.problems.length).toBeGreaterThan(0);
      const numbers = reading.runs.flatMap(({ observations }) => observations.map(({ value }) => value));
      expect(numbers.every(Number.isFinite)).toBe(true);
    }
  });

  it.each(['a,', 'size,latency\n', 'size,latency\n1,2\n', '"', '"a",', '| ', '#\n', '\n', '{', '[{', '{"a":', '{"size":1,"latency":1}\n', ';,|\t'])(
    'are answered when they repeat one piece: %j',
    (token) => {
      const text = token.repeat(Math.ceil(20_000 / token.length));
      columnsOf(text);
      const { runs, problems } = read(text, mapping);
      expect(runs.length + problems.length).toBeGreaterThan(0);
    },
  ); // prettier-ignore

  it('are split where they make more runs than are stored', () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => `${index},1`).join('\n');
    const reading = read(`size,latency\n${rows}\n`, { ...mapping, rows: 'EACH_ROW' });
    expect(reading.runs).toEqual([]);
    expect(told(reading)).toEqual(['ERROR - The table makes more than 1000 runs: split it']);
  });
});

describe('what is of several lists, fixed, or wrong in part', () => {
  it('is read from the list that the mapping names', () => {
    const text = '{"model":"m","warm":[{"latency":9}],"main":{"results":[{"latency":2},{"latency":4}]}}';
    const reading = read(text, { layout: 'WIDE', rows: 'GROUPED', rowsAt: 'main.results', columns: [latency] });
    expect(found(reading)).toEqual([[{ at: 'time.latency', value: '3 ms', repeats: [2, 4] }]]);
    const missing = read(text, { layout: 'WIDE', rows: 'GROUPED', rowsAt: 'main.rows', columns: [latency] });
    expect(told(missing)).toEqual(['ERROR - The JSON holds no list of objects under main.rows']);
  });

  it('has fixed facts and dimensions, over which columns stand', () => {
    const reading = read('latency,model\n1,own\n2,\n', {
      layout: 'WIDE',
      rows: 'EACH_ROW',
      columns: [latency, { column: 'model', role: 'WORKLOAD', key: 'workload.model' }],
      fixed: {
        workload: { 'workload.model': 'fixed', 'workload.batch_size': 8 },
        environment: { 'gpu.count': 4 },
        dimensions: { phase: 'decode' },
      },
    });
    expect(reading.runs.map(({ workload, environment }) => ({ ...workload, ...environment }))).toEqual([
      { 'workload.model': 'own', 'workload.batch_size': 8, 'gpu.count': 4 },
      { 'workload.model': 'fixed', 'workload.batch_size': 8, 'gpu.count': 4 },
    ]);
    expect(reading.runs[0]?.observations[0]?.dimensions).toEqual({ phase: 'decode' });
  });

  it('keeps the rows that are right, and counts the others', () => {
    const text = 'size;time;unit\n1;15;ms\n2;3;GB\n3;4;GB\n4;5;ms\n';
    const reading = read(text, {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [size, { column: 'time', role: 'METRIC', metric: 'time.latency', unitColumn: 'unit' }],
    });
    expect(reading.problems.filter(({ severity }) => severity === 'ERROR')).toEqual([
      expect.objectContaining({ line: 3, scope: 'VALUE', code: 'WRONG_UNIT', value: '3 GB' }),
    ]);
    expect(reading.runs.map(({ status, leftOut }) => [status, leftOut])).toEqual([['PARTIAL', 2]]);
    expect(found(reading)[0]?.map(({ value }) => value)).toEqual(['15 ms', '5 ms']);
  });

  it('refuses GB of memory and 50 as a ratio, with the line', () => {
    const memory = read('memory\n1\n', {
      layout: 'WIDE',
      rows: 'GROUPED',
      columns: [{ column: 'memory', role: 'METRIC', metric: 'memory.peak_allocated', unit: 'GB' }],
    });
    expect(memory.problems.map(({ code, scope, line }) => [code, scope, line])).toEqual([['AMBIGUOUS_UNIT', 'FILE', null]]);
  });
}); // prettier-ignore

describe('a guess', () => {
  const known = [
    { key: 'serving.ttft.p99', unit: 'ms' },
    { key: 'serving.output_token_throughput', unit: 'tokens/s' },
    { key: 'memory.peak_allocated', unit: 'MiB' },
    { key: 'time.mean', unit: 's' },
  ];
  const guessed = (text: string) => {
    const { columns, ...mapping } = guessMapping(tableOf(text), known);
    return { ...mapping, columns: columns.map(({ column, ...said }) => [column, ...Object.values(said)]) };
  };

  it('of a wide table takes metrics by their words and units, and facts by their names', () => {
    const text = 'date,model,GPU,TTFT p99 (ms),output_throughput (tok/s),note,requests\n2026-01-05,m,H200,50,900,ok,7\n';
    expect(guessed(text)).toMatchObject({
      layout: 'WIDE',
      rows: 'EACH_ROW',
      columns: [
        ['date', 'STARTED_AT'],
        ['model', 'WORKLOAD', 'workload.model'],
        ['GPU', 'ENVIRONMENT', 'gpu.sku'],
        ['TTFT p99 (ms)', 'METRIC', 'serving.ttft.p99', 'ms', {}],
        ['output_throughput (tok/s)', 'METRIC', 'serving.output_token_throughput', 'tok/s', {}],
        ['note', 'IGNORED'],
        ['requests', 'IGNORED'],
      ],
    });
  });

  it('of a long table takes the metrics by the names in it', () => {
    const text = 'metric,value,unit\nttft p99,50,ms\npeak memory allocated,900,MiB\nluck,1,count\n';
    const { layout, columns, metrics } = guessed(text);
    expect({ layout, columns }).toEqual({
      layout: 'LONG',
      columns: [
        ['metric', 'METRIC_NAME'],
        ['value', 'VALUE'],
        ['unit', 'UNIT'],
      ],
    });
    expect(metrics).toEqual([
      { name: 'ttft p99', metric: 'serving.ttft.p99', dimensions: {} },
      { name: 'peak memory allocated', metric: 'memory.peak_allocated', dimensions: {} },
    ]);
  });

  it('can be used as it is', () => {
    const text = 'model,time mean (s)\nm,1.5\nm,1.7\n';
    const mapping = guessMapping(tableOf(text), known);
    expect(columnMapping.parse(mapping)).toEqual(mapping);
    expect(found(readMapped(text, mapping, units))).toEqual([[{ at: 'time.mean', value: '1.6 s', repeats: [1.5, 1.7] }]]);
  });
}); // prettier-ignore
