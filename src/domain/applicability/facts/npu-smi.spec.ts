import { describe, expect, it } from '@jest/globals';
import { facts, factsIn, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { npuSmi } from './npu-smi.js';

const problems = (text: string): readonly string[] =>
  read(npuSmi, text).flatMap((reading) => reading.problems.map(({ line, message }) => `${line} ${message.en}`));

describe('npu-smi', () => {
  it('reads eight 910B3 that are joined by HCCS', () => {
    const [table, topology] = read(npuSmi, output('npu-smi/910b3.txt'));
    expect(factsIn(table)).toEqual({
      driver: '24.1.rc3',
      vendor: 'huawei',
      architecture: 'ascend',
      'gpu.name': '910B3',
      'gpu.per_node': 8,
      'gpu.count': 8,
      'gpu.memory': 64,
    });
    expect(factsIn(topology)).toEqual({
      vendor: 'huawei',
      'gpu.per_node': 8,
      'gpu.count': 8,
      'gpu.link': 'hccs',
      'capability.hccs': true,
    });
    expect([table?.firstLine, table?.lastLine, topology?.firstLine, topology?.lastLine]).toEqual([3, 32, 52, 60]);
    expect(table?.findings.map(({ line }) => line)).toEqual([3, 8, 8, 8, 8, 8, 9]);
  });

  it('counts every chip of a card with two', () => {
    const text = output('npu-smi/910c-two-chips.txt');
    const [table, topology] = read(npuSmi, text);
    expect(factsIn(table)).toMatchObject({ 'gpu.name': 'Ascend910', 'gpu.count': 4, 'gpu.memory': 64 });
    expect(factsIn(topology)).toMatchObject({ 'gpu.count': 4, 'gpu.link': 'hccs', 'capability.hccs': true });
    expect(problems(text)).toEqual(['7 Cards: 2, chips: 4. Every chip counts as a device, as programs see it']);
  });

  it('says nothing of HCCS where it joins some pairs only', () => {
    const [table, topology] = read(npuSmi, output('npu-smi/910a-groups.txt'));
    expect(factsIn(table)).toMatchObject({ driver: '22.0.4', 'gpu.name': '910A', 'gpu.memory': 32 });
    expect(factsIn(topology)).toEqual({
      vendor: 'huawei',
      'gpu.per_node': 4,
      'gpu.count': 4,
      'gpu.link': ['hccs', 'pcie'],
    });
  });

  it('finds no HCCS between cards on PCIe', () => {
    const text = ['      NPU0   NPU1   CPU Affinity', 'NPU0  X      PHB    0-23', 'NPU1  PHB    X      0-23'].join(
      '\n',
    );
    expect(facts(npuSmi, text)).toMatchObject({ 'gpu.link': 'pcie', 'capability.hccs': false });
  });

  it('reads 310P cards: the version of the driver, and the memory without HBM', () => {
    expect(facts(npuSmi, output('npu-smi/310p-cards.txt'))).toEqual({
      driver: '23.0.rc3',
      vendor: 'huawei',
      architecture: 'ascend',
      'gpu.name': '310P3',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.memory': 43.2,
    });
  });

  it('reads details of one NPU without counting', () => {
    const readings = read(npuSmi, output('npu-smi/board-and-usages.txt'));
    expect(readings.map(({ tool }) => tool)).toEqual([
      'npu-smi info -t board',
      'npu-smi info -t board',
      'npu-smi info -t usages',
    ]);
    const same = { vendor: 'huawei', architecture: 'ascend' };
    expect(readings.map(factsIn)).toEqual([
      { ...same, driver: '23.0.5' },
      { ...same, 'gpu.name': '910B2' },
      { ...same, 'gpu.memory': 64 },
    ]);
  });

  it('counts nothing of a table that is cut or shortened', () => {
    const lines = output('npu-smi/910b3.txt').split('\n');
    const cut = lines.slice(0, 12).join('\n');
    expect(Object.keys(facts(npuSmi, cut))).not.toContain('gpu.count');
    expect(problems(cut)).toEqual(['12 The table is cut: the number of NPUs is not taken']);
    const shortened = [...lines.slice(0, 10), '...', ...lines.slice(28, 32)].join('\n');
    expect(Object.keys(facts(npuSmi, shortened))).not.toContain('gpu.count');
  });

  it('says where a container may see a part of the machine', () => {
    const lines = output('npu-smi/910b3.txt').split('\n');
    const part = [...lines.slice(2, 7), ...lines.slice(19, 25)].join('\n');
    expect(facts(npuSmi, part)).toMatchObject({ 'gpu.count': 2 });
    expect(problems(part)).toEqual(['6 2 NPUs are listed, not numbered from 0: the machine may have more']);
  });

  it('needs no line of versions', () => {
    const table = output('npu-smi/910b3.txt').split('\n').slice(4).join('\n');
    expect(Object.keys(factsIn(read(npuSmi, table)[0]))).not.toContain('driver');
    expect(factsIn(read(npuSmi, table)[0])).toMatchObject({ 'gpu.count': 8 });
  });

  it('leaves other text alone', () => {
    expect(read(npuSmi, output('amd-smi/table-26.txt'))).toEqual([]);
    expect(read(npuSmi, '      GPU0   NIC0\nGPU0  X      PIX\nNIC0  PIX    X\n')).toEqual([]);
    expect(read(npuSmi, 'NPU ID   : 3\nHealth   : OK\n| NPU     Name |\n')).toEqual([]);
  });

  it('survives broken text', () => {
    const names = ['910b3.txt', '910c-two-chips.txt', '910a-groups.txt', '310p-cards.txt', 'board-and-usages.txt'];
    expect(
      faultsWhenBroken(
        npuSmi,
        names.map((name) => output(`npu-smi/${name}`)),
      ),
    ).toEqual([]);
  });
});
