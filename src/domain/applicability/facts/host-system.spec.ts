import { describe, expect, it } from '@jest/globals';
import { faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { hostSystem } from './host-system.js';

const text = output('host-system/os-release-and-uname.txt');

describe('os-release and uname', () => {
  it('gives the system, the kernel and the architecture, and never the name of the host', () => {
    const readings = read(hostSystem, text);
    expect(readings.map(({ tool, firstLine, lastLine }) => [tool, firstLine, lastLine])).toEqual([
      ['cat /etc/os-release', 2, 7],
      ['uname -a', 9, 9],
    ]);
    expect(readings.flatMap(({ findings }) => findings)).toEqual([
      { key: 'os', value: 'Ubuntu 22.04.5 LTS', line: 2 },
      { key: 'kernel', value: '6.8.0-1021-nvidia', line: 9 },
      { key: 'cpu.architecture', value: 'aarch64', line: 9 },
    ]);
    expect(JSON.stringify(readings)).not.toContain('trainer');
  });

  it('reads kernels of other systems', () => {
    const debian = 'Linux db1 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01) x86_64 GNU/Linux';
    expect(read(hostSystem, debian)[0]?.findings.map(({ value }) => value)).toEqual(['6.1.0-18-amd64', 'x86_64']);
  });

  it('leaves alone a lone PRETTY_NAME, and Darwin', () => {
    expect(read(hostSystem, 'PRETTY_NAME="Not an os-release"\n\nDarwin m1 23.5.0 Darwin Kernel Version arm64')).toEqual([]); // prettier-ignore
  });

  it('reads broken copies without a fault', () => {
    expect(faultsWhenBroken(hostSystem, [text])).toEqual([]);
  });
});
