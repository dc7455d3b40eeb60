import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../../test/support/ends.js';
import { readBreakdown } from './index.js';

const read = (text: string) => readBreakdown(text, { stepSeconds: null, steps: null, devices: null });

/** A line as often as one megabyte holds it. */
const often = (line: string): string =>
  Array.from({ length: Math.floor(1_000_000 / (line.length + 1)) }, () => line).join('\n');
const LONG = 9_900;
const steps = 'Kernel,Memcpy,Memset,Communication,Runtime,DataLoader,CPU Exec,Other';
const kernels = 'Time (%),Total Time (ns),Instances,Name';
const dashed = (names: readonly string[], widths: readonly number[]): string =>
  [names.map((name, at) => name.padStart(widths[at] ?? 0)), widths.map((width) => '-'.repeat(width))]
    .map((cells) => cells.join('  '))
    .join('\n');
const torch = dashed(['Name', 'Self CPU', 'CPU total', 'Self CUDA', '# of Calls'], [10, LONG - 60, 12, 10, 10]);

describe('text that is made to take long', () => {
  it.each([
    ['digits and no number', `${steps}\n${often(`${'1'.repeat(LONG - 20)}x,1`)}`],
    ['digits in every cell', `${steps}\n${often(Array.from({ length: 8 }, () => `${'1'.repeat(1_200)}x`).join(','))}`],
    ['brackets in a head', `${steps},${'('.repeat(LONG - 100)}\n${often('1,1,1,1,1,1,1,1')}`],
    ['brackets in the head of a column', `Category,Time (${'('.repeat(LONG - 100)}\n${often('Kernel,1')}\nMemcpy,1\nRuntime,1\nOther,1`],
    ['a column that comes back', `${Array.from({ length: 1_400 }, () => 'Kernel').join(',')}\n${often('1')}`],
    ['blanks in a name of JSON', JSON.stringify({ [`compute${' '.repeat(1_000_000)}x`]: 0.5 })],
    ['many names of JSON', JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`${'('.repeat(80)}${at}`, 0.5])))],
    ['many names for the rest', JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`other${at}`, 1e-6])))],
    ['a value of digits', JSON.stringify({ compute: `${'1'.repeat(500_000)}!`, communication: '1,'.repeat(250_000) })],
    ['letters for a time', `${torch}\n${often(`${'k'.padStart(10)}  ${'e'.repeat(LONG - 61)}!  ${'0.000us'.padStart(12)}  ${'1.0us'.padStart(10)}  ${'1'.padStart(10)}`)}`],
    ['heads of tables', often(`Name ${' Self CPU # of Calls'.repeat(490)} x\n---`)],
    ['a table of thousands of columns', `Name${' Self CPU'.repeat(1_000)} # of Calls\n---${' -'.repeat(4_800)}\n${often('a')}`],
    ['words of copies', `${kernels}\n${often(`1,1,1,${'memcpy'.repeat(1_600)}`)}`],
    ['words of copies to the device', `${kernels}\n${often(`1,1,1,${'copy h to '.repeat(950)}`)}`],
    ['tables that begin again', often(kernels)],
    ['kinds that overlap', `kernel_type,sum\n${often(`${'COMPUTATION overlapping '.repeat(400)},1`)}`],
    ['quotes', often('"'.repeat(LONG))],
    ['commas', often(','.repeat(LONG))],
  ])('is read in good time: %s', (_, text) => {
    ends(() => read(text));
  }); // prettier-ignore

  it.each([
    ['digits', '1'.repeat(1_000_000), 'Line 1 has 1000000 characters; lines of at most 10000 are read'],
    ['blanks', `${kernels}\n1,1,1,a${' '.repeat(1_000_000)}x`, 'Line 2 has 1000008 characters; lines of at most 10000 are read'],
    ['dots', '.'.repeat(10_001), 'Line 1 has 10001 characters; lines of at most 10000 are read'],
    ['lines', 'a\n'.repeat(50_001), 'There are more than 50000 lines: send a summary'],
  ])('is refused where it has too many: %s', (_, text, message) => {
    const { format, shares, problems } = read(text);
    expect([format, shares]).toEqual([null, null]);
    expect(problems.map(({ message: { en } }) => en)).toEqual([message]);
  }); // prettier-ignore

  it('names the line that is too long, in both languages', () => {
    expect(read(`a\n\n${'b'.repeat(10_001)}`).problems).toEqual([
      {
        code: 'UNREADABLE',
        scope: 'FILE',
        line: 3,
        severity: 'ERROR',
        message: {
          en: 'Line 3 has 10001 characters; lines of at most 10000 are read',
          zh: '第 3 行有 10001 个字符，每行最多读取 10000 个',
        },
      },
    ]);
  });
});
