import { describe, expect, it } from '@jest/globals';
import { facts, factsIn, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { amdSmi } from './amd-smi.js';

const places = (text: string) => read(amdSmi, text).map(({ tool, firstLine, lastLine }) => [tool, firstLine, lastLine]);
const problems = (text: string): readonly string[] =>
  read(amdSmi, text).flatMap((reading) => reading.problems.map(({ line, message }) => `${line} ${message.en}`));

describe('amd-smi', () => {
  it('reads version, static and topology as text', () => {
    const text = output('amd-smi/version-static-topology.txt');
    expect(places(text)).toEqual([
      ['amd-smi version', 2, 2],
      ['amd-smi static', 4, 122],
      ['amd-smi topology', 135, 138],
    ]);
    const [version, devices, topology] = read(amdSmi, text);
    expect(factsIn(version)).toEqual({ rocm: '6.3.1' });
    expect(factsIn(devices)).toEqual({
      vendor: 'amd',
      architecture: 'cdna3',
      'gpu.name': 'AMD Instinct MI300X',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.partition': 'SPX',
      'gpu.memory': 192,
      'gpu.power_limit': [650, 750],
      'gpu.ecc': 'enabled',
      driver: '6.10.5',
    });
    expect(factsIn(topology)).toEqual({
      vendor: 'amd',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.link': 'xgmi',
      'capability.infinity-fabric': true,
    });
  });

  it('reads the JSON of release 26, and names the lines', () => {
    const [version, devices, topology] = read(amdSmi, output('amd-smi/version-static-topology.json.txt'));
    expect(factsIn(version)).toEqual({ driver: '6.16.6', rocm: '7.2.0' });
    expect(factsIn(devices)).toEqual({
      vendor: 'amd',
      architecture: 'cdna4',
      'gpu.name': 'AMD Instinct MI355X',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.memory': 288,
      'gpu.power_limit': 1400,
      'gpu.ecc': 'enabled',
      driver: '6.16.6',
    });
    expect(devices?.findings.find(({ key }) => key === 'gpu.name')?.line).toBe(18);
    expect(factsIn(topology)).toMatchObject({ 'gpu.link': 'xgmi', 'capability.infinity-fabric': true });
  });

  it('reads the JSON of releases before 26', () => {
    const device = { gpu: 0, asic: { market_name: 'AMD Instinct MI210', vendor_id: '0x1002' } };
    const text = JSON.stringify([{ ...device, limit: { socket_power: { value: 300, unit: 'W' } } }]);
    expect(facts(amdSmi, text)).toMatchObject({
      'gpu.name': 'AMD Instinct MI210',
      'gpu.power_limit': 300,
      'gpu.count': 1,
    });
  });

  it('reads the table of release 26', () => {
    expect(facts(amdSmi, output('amd-smi/table-26.txt'))).toEqual({
      vendor: 'amd',
      'gpu.name': 'AMD Instinct MI325X',
      'gpu.per_node': 8,
      'gpu.count': 8,
      'gpu.partition': 'SPX',
      'gpu.memory': 256,
      'gpu.power_limit': 1000,
      driver: '6.14.14',
      rocm: '7.0.2',
      'host.virtual': false,
    });
  });

  it('counts accelerators by PCI device, and takes no memory of a partition', () => {
    const text = output('amd-smi/table-27-cpx.txt');
    expect(facts(amdSmi, text)).toEqual({
      vendor: 'amd',
      'gpu.name': 'AMD Instinct MI300X',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.partition': 'CPX',
      'gpu.power_limit': 750,
      driver: '6.19.4',
      rocm: '7.14.0',
      'host.virtual': true,
    });
    expect(problems(text)).toEqual(['11 Partitions listed: 8. Accelerators, which are counted: 2']);
  });

  it('takes no version that the table cut', () => {
    const text = output('amd-smi/table-26.txt').replace('6.14.14 ', 'Linuxver').replace('7.0.2', 'N/A  ');
    expect(Object.keys(facts(amdSmi, text))).not.toContain('driver');
    expect(Object.keys(facts(amdSmi, text))).not.toContain('rocm');
  });

  it('takes no memory of the host for that of an APU, and no name that is cut', () => {
    const row = (name: string) =>
      output('amd-smi/table-26.txt').replaceAll('   AMD Instinct MI325X', name.padStart(22));
    expect(Object.keys(facts(amdSmi, row('AMD Instinct MI300A')))).not.toContain('gpu.memory');
    expect(Object.keys(facts(amdSmi, row('...nstinct MI325X OAM ')))).not.toContain('gpu.name');
  });

  it('counts nothing of a table that is cut', () => {
    const text = output('amd-smi/table-26.txt').split('\n').slice(0, 14).join('\n');
    expect(Object.keys(facts(amdSmi, text))).not.toContain('gpu.count');
    expect(problems(text)).toEqual(['8 The output is cut: the number of GPUs is not taken']);
  });

  it('reads the default JSON', () => {
    expect(facts(amdSmi, output('amd-smi/default.json'))).toEqual({
      vendor: 'amd',
      'gpu.name': 'AMD Instinct MI300X',
      'gpu.per_node': 1,
      'gpu.count': 1,
      'gpu.partition': 'SPX',
      'gpu.memory': 192,
      'gpu.power_limit': 750,
      driver: '6.14.14',
      rocm: '7.0.2',
    });
  });

  it('counts accelerators in a list of partitions, and reads the mode', () => {
    const [list, partition] = read(amdSmi, output('amd-smi/list-and-partition-dpx.txt'));
    expect([list?.tool, factsIn(list)]).toEqual(['amd-smi list', { vendor: 'amd', 'gpu.per_node': 2, 'gpu.count': 2 }]);
    expect([partition?.tool, factsIn(partition)]).toEqual([
      'amd-smi partition',
      { vendor: 'amd', 'gpu.per_node': 2, 'gpu.count': 2, 'gpu.partition': 'DPX' },
    ]);
  });

  it('reads CSV, and no version that may be that of the VBIOS', () => {
    const [version, devices] = read(amdSmi, output('amd-smi/csv.txt'));
    expect(factsIn(version)).toEqual({ driver: '6.16.6', rocm: '7.2.0' });
    expect(factsIn(devices)).toEqual({
      vendor: 'amd',
      architecture: 'cdna2',
      'gpu.name': 'AMD Instinct MI210',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.memory': 64,
      'gpu.power_limit': 300,
      'gpu.ecc': 'enabled',
    });
  });

  it('reads the release of the kernel, and not who built it, for a driver of the kernel', () => {
    const version = (driver: string) =>
      `AMDSMI Tool: 26.0.2+0123abcd | AMDSMI Library version: 26.0.2 | ROCm version: N/A | amdgpu version: ${driver}`;
    expect(facts(amdSmi, version('6.14.14'))).toEqual({ driver: '6.14.14' });
    expect(facts(amdSmi, version('Linuxversion6.8.0-60-generic(who@where)(gcc)'))).toEqual({
      driver: '6.8.0-60-generic',
    });
  });

  it('counts nothing where one GPU was asked for', () => {
    const block = output('amd-smi/list-and-partition-dpx.txt').split('\n').slice(1, 7).join('\n');
    expect(read(amdSmi, `$ amd-smi list -g 0\n${block}`)[0]?.findings.map(({ key }) => key)).toEqual(['vendor']);
    expect(read(amdSmi, `$ amd-smi list --gpu all\n${block}`)[0]?.findings).toHaveLength(3);
  });

  it('leaves other text alone', () => {
    expect(read(amdSmi, output('rocm-smi/concise-and-topology.txt'))).toEqual([]);
    expect(read(amdSmi, 'GPU: 0\n    USAGE:\n        GFX_ACTIVITY: 0 %\n')).toEqual([]);
    expect(read(amdSmi, '[{"gpu": 0, "driver": {"version": "550.1"}, "name": "other"}]\n{"tool": "x"}\n')).toEqual([]);
    expect(read(amdSmi, '[{"gpu": 0, "asic": {"market_name": "x", "vendor_id": "0x10de"}}]')).toEqual([]);
  });

  it('survives broken text', () => {
    const names = ['version-static-topology.txt', 'version-static-topology.json.txt', 'table-27-cpx.txt', 'csv.txt'];
    const texts = [...names, 'list-and-partition-dpx.txt', 'default.json'].map((name) => output(`amd-smi/${name}`));
    expect(faultsWhenBroken(amdSmi, texts)).toEqual([]);
  });
});
