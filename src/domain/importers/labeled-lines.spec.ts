import { describe, expect, it } from '@jest/globals';
import { labeledLines } from './labeled-lines.js';

const read = (text: string) => [...labeledLines(text)].map(({ number, text: line, label }) => [number, line, label]);

describe('lines that a launcher marked', () => {
  it('lose what mpirun, Ray and torchrun put before them, and keep who printed them', () => {
    expect(read('[1,0]<stdout>:step 1\n[1,3]<stderr>: step 2\nstep 3')).toEqual([
      [1, 'step 1', 'source 1'],
      [2, 'step 2', 'source 2'],
      [3, 'step 3', null],
    ]);
    expect(read('(train, pid=4112) a\n(train pid=4113, ip=192.0.2.7) b')).toEqual([
      [1, 'a', 'source 1'],
      [2, 'b', 'source 2'],
    ]);
    expect(read('[rank12]: loss 3')).toEqual([[1, 'loss 3', 'rank 12']]);
  });

  it('lose the number of srun, the host of pdsh and the mark of a quotation only where most lines have them', () => {
    const both = ['0: a', '1: a', '0: b', '1: b', '0: c', '1: c', '0: d', '0: e', '1: e'];
    expect(read(both.join('\n'))[1]).toEqual([2, 'a', 'rank 1']);
    expect(read(['node-7: a', 'node-7: b', 'node-7: c'].join('\n'))[2]).toEqual([3, 'c', 'source 1']);
    expect(read(['# a', '# b', '#', '# d'].join('\n'))).toEqual([
      [1, 'a', null],
      [2, 'b', null],
      [3, '', null],
      [4, 'd', null],
    ]);
    expect(read(['Device: a', 'Link: b', 'Mtu: c', 'Qps: d'].join('\n'))[0]).toEqual([1, 'Device: a', null]);
    expect(read(['0: a', 'b', 'c', 'd'].join('\n'))[0]).toEqual([1, '0: a', null]);
  });

  it('keep blank lines and the numbers of lines', () => {
    expect(read('a\n\nb')).toEqual([
      [1, 'a', null],
      [2, '', null],
      [3, 'b', null],
    ]);
  });

  it('are cut where they are longer than any tool prints', () => {
    expect(read('x'.repeat(1_000_000))[0]?.[1]).toHaveLength(20_000);
  });
});
