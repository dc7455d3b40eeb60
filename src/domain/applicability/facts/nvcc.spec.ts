import { describe, expect, it } from '@jest/globals';
import { facts, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { nvcc } from './nvcc.js';

describe('nvcc --version', () => {
  it('reads the toolkit, and not the release of ptxas below', () => {
    expect(read(nvcc, output('nvcc/toolkit-12-8.txt'))).toEqual([
      {
        tool: 'nvcc --version',
        firstLine: 2,
        lastLine: 6,
        findings: [{ key: 'cuda.toolkit', value: '12.8.93', line: 5 }],
        problems: [],
      },
    ]);
  });

  it('takes the release where the version is not printed', () => {
    expect(facts(nvcc, 'Cuda compilation tools, release 13.0\r\n')).toEqual({ 'cuda.toolkit': '13.0' });
  });

  it('leaves the line of other tools alone', () => {
    expect(read(nvcc, 'NVCC: Cuda compilation tools, release 12.9, V12.9.86')).toEqual([]);
  });

  it('reads broken copies without a fault', () => {
    expect(faultsWhenBroken(nvcc, [output('nvcc/toolkit-12-8.txt')])).toEqual([]);
  });
});
