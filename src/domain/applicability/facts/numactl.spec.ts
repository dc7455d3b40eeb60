import { describe, expect, it } from '@jest/globals';
import { facts, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { numactl } from './numactl.js';

describe('numactl --hardware', () => {
  it('counts nodes and adds up their memory, in GiB of what numactl calls MB', () => {
    expect(read(numactl, output('numactl/two-nodes.txt'))).toEqual([
      {
        tool: 'numactl --hardware',
        firstLine: 2,
        lastLine: 8,
        findings: [
          { key: 'numa.nodes', value: 2, line: 2 },
          { key: 'host.memory', value: 503.6, line: 4 },
        ],
        problems: [],
      },
    ]);
  });

  it('leaves out nodes without CPUs, which are memory of GPUs', () => {
    expect(facts(numactl, output('numactl/memory-of-gpus.txt'))).toEqual({ 'numa.nodes': 2, 'host.memory': 957.3 });
  });

  it('says that nodes are cut off instead of counting those that are left', () => {
    const [reading] = read(numactl, output('numactl/two-nodes.txt').split('node 1 cpus')[0] ?? '');
    expect(reading?.findings).toEqual([]);
    expect(reading?.problems.map(({ message }) => message)).toEqual([
      {
        en: 'The output of numactl is cut: 1 of 2 NUMA nodes are printed',
        zh: 'numactl 的输出不完整：只有 1 个 NUMA 节点（共 2 个）',
      },
    ]);
  });

  it('reads two outputs apart, and none where there is no NUMA', () => {
    expect(read(numactl, output('numactl/two-nodes.txt') + output('numactl/memory-of-gpus.txt'))).toHaveLength(2);
    expect(read(numactl, 'available: 3 nodes in the pool\nNo NUMA support available on this system.\n')).toEqual([]);
  });

  it('reads broken copies without a fault', () => {
    expect(faultsWhenBroken(numactl, [output('numactl/two-nodes.txt'), output('numactl/memory-of-gpus.txt')])).toEqual([]); // prettier-ignore
  });
});
