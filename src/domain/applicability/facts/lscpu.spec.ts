import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { facts, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { pathTo, textAt } from '../../../../test/support/tool-output.js';
import { lscpu } from './lscpu.js';

const evidence = '../../shared/evidence/h200/machine/lscpu.txt';
const hasShared = existsSync(pathTo(evidence));
const describeShared = hasShared ? describe : describe.skip;

describe('lscpu', () => {
  it('reads a guest, and counts the cores of all sockets', () => {
    expect(facts(lscpu, output('lscpu/guest-flat.txt'))).toEqual({
      'cpu.architecture': 'x86_64',
      'cpu.name': 'AMD EPYC 9454 48-Core Processor',
      'cpu.cores': 24,
      'cpu.sockets': 2,
      'cpu.threads_per_core': 2,
      'numa.nodes': 2,
      'host.virtual': true,
    });
  });

  it('takes VT-x for a capability, and flags of a host for a machine without hypervisor', () => {
    expect(facts(lscpu, output('lscpu/bare-metal-old-layout.txt'))).toEqual({
      'cpu.architecture': 'x86_64',
      'cpu.name': 'Intel(R) Xeon(R) Platinum 8268 CPU @ 2.90GHz',
      'cpu.cores': 48,
      'cpu.sockets': 2,
      'cpu.threads_per_core': 2,
      'numa.nodes': 2,
      'host.virtual': false,
    });
  });

  it('finds the flag of a guest where a narrow terminal broke it', () => {
    const text = output('lscpu/bare-metal-old-layout.txt').replace('rdrand lahf_lm', 'rdrand hyperv\nisor lahf_lm');
    expect(facts(lscpu, text)['host.virtual']).toBe(true);
  });

  it('does not count memory of GPUs as NUMA nodes, and says nothing of a hypervisor that Arm does not print', () => {
    expect(facts(lscpu, output('lscpu/grace-memory-nodes.txt'))).toEqual({
      'cpu.architecture': 'aarch64',
      'cpu.name': 'Neoverse-V2',
      'cpu.cores': 144,
      'cpu.sockets': 2,
      'cpu.threads_per_core': 1,
      'numa.nodes': 2,
    });
  });

  it('says nothing of NUMA nodes where some of them are cut off', () => {
    const cut = output('lscpu/grace-memory-nodes.txt').split('  NUMA node18')[0] ?? '';
    expect(facts(lscpu, cut)).not.toHaveProperty(['numa.nodes']);
  });

  it('adds up the cores of two kinds in one socket', () => {
    expect(facts(lscpu, output('lscpu/two-kinds-of-cores.txt'))).toMatchObject({
      'cpu.name': ['Cortex-X925', 'Cortex-A725'],
      'cpu.cores': 20,
      'cpu.sockets': 1,
      'cpu.threads_per_core': 1,
    });
  });

  it('counts the cores of clusters where the sockets are not known, in a quoted text', () => {
    expect(facts(lscpu, output('lscpu/clusters.txt'))).toEqual({
      'cpu.architecture': 'aarch64',
      'cpu.name': 'Kunpeng 920-4826',
      'cpu.cores': 192,
      'cpu.threads_per_core': 1,
      'numa.nodes': 4,
    });
  });

  it('reads the Chinese names of the fields', () => {
    expect(facts(lscpu, output('lscpu/chinese-guest.txt'))).toEqual({
      'cpu.architecture': 'x86_64',
      'cpu.name': 'Intel(R) Xeon(R) Gold 6338N CPU @ 2.20GHz',
      'cpu.cores': 16,
      'cpu.sockets': 2,
      'cpu.threads_per_core': 2,
      'numa.nodes': 1,
      'host.virtual': true,
    });
  });

  it('reads JSON, each finding with the line where it is printed', () => {
    const [reading] = read(lscpu, `lscpu -J\n${output('lscpu/sections.json')}`);
    expect(reading?.findings).toEqual([
      { key: 'cpu.architecture', value: 'x86_64', line: 5 },
      { key: 'cpu.name', value: 'AMD EPYC 7543 32-Core Processor', line: 18 },
      { key: 'cpu.cores', value: 64, line: 22 },
      { key: 'cpu.sockets', value: 2, line: 23 },
      { key: 'cpu.threads_per_core', value: 1, line: 21 },
      { key: 'numa.nodes', value: 2, line: 32 },
      { key: 'host.virtual', value: false, line: 24 },
    ]);
  });

  it('gives one reading for each of two outputs', () => {
    const text = `${output('lscpu/guest-flat.txt')}\n$ lscpu\n${output('lscpu/grace-memory-nodes.txt')}`;
    expect(read(lscpu, text).map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([[1, 26], [29, 55]]); // prettier-ignore
  });

  it('leaves alone what only looks like it', () => {
    const virsh = 'CPU model:  x86_64\nCPU(s): 32\nCPU socket(s): 1\nCore(s) per socket: 16\nThread(s) per core: 2\n';
    const hostnamectl = 'Virtualization: kvm\nKernel: Linux 6.8.0\nArchitecture: x86-64\n';
    expect(read(lscpu, virsh + hostnamectl)).toEqual([]);
  });

  it('reads broken copies without a fault', () => {
    const names = ['guest-flat.txt', 'bare-metal-old-layout.txt', 'grace-memory-nodes.txt', 'chinese-guest.txt', 'sections.json']; // prettier-ignore
    expect(faultsWhenBroken(lscpu, names.map((name) => output(`lscpu/${name}`)))).toEqual([]); // prettier-ignore
  });
});

describeShared(`lscpu of our machine${hasShared ? '' : ' (skipped: ../shared is not there)'}`, () => {
  it('is a guest with 16 cores', () => {
    expect(facts(lscpu, textAt(evidence))).toEqual({
      'cpu.architecture': 'x86_64',
      'cpu.name': 'Intel(R) Xeon(R) Processor',
      'cpu.cores': 16,
      'cpu.sockets': 1,
      'cpu.threads_per_core': 1,
      'numa.nodes': 1,
      'host.virtual': true,
    });
  });
});
