import { describe, expect, it } from '@jest/globals';
import { facts, factsIn, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { rocmSmi } from './rocm-smi.js';

const problems = (text: string): readonly string[] =>
  read(rocmSmi, text).flatMap((reading) => reading.problems.map(({ line, message }) => `${line} ${message.en}`));

const banner = `${'='.repeat(20)} ROCm System Management Interface ${'='.repeat(20)}`;
const end = `${'='.repeat(20)} End of ROCm SMI Log ${'='.repeat(20)}`;
const title = (name: string): string => `${'='.repeat(20)} ${name} ${'='.repeat(20)}`;
const rule = '='.repeat(60);

describe('rocm-smi', () => {
  it('reads the default table and the link types as two places', () => {
    const [table, topology, ...more] = read(rocmSmi, output('rocm-smi/concise-and-topology.txt'));
    expect(factsIn(table)).toEqual({
      vendor: 'amd',
      'gpu.per_node': 8,
      'gpu.count': 8,
      'gpu.partition': 'SPX',
      'gpu.power_limit': 750,
    });
    expect(factsIn(topology)).toEqual({
      vendor: 'amd',
      'gpu.per_node': 8,
      'gpu.count': 8,
      'gpu.link': 'xgmi',
      'capability.infinity-fabric': true,
    });
    expect([table?.firstLine, table?.lastLine, topology?.firstLine, more]).toEqual([4, 18, 22, []]);
  });

  it('counts accelerators where partitions are listed', () => {
    const text = output('rocm-smi/concise-cpx.txt');
    expect(facts(rocmSmi, text)).toMatchObject({ 'gpu.count': 2, 'gpu.partition': 'CPX' });
    expect(problems(text)).toEqual(['8 Partitions listed: 16. Accelerators, which are counted: 2']);
  });

  it('counts no partitions without ids', () => {
    const text = output('rocm-smi/concise-cpx.txt').replace(/(CPX), \d/g, '$1   ');
    expect(facts(rocmSmi, text)).toEqual({ vendor: 'amd', 'gpu.partition': 'CPX', 'gpu.power_limit': 750 });
    expect(problems(text)).toEqual(['8 These are partitions of accelerators: the number of GPUs is not taken']);
  });

  it('reads names of the table of ROCm 6.0', () => {
    expect(facts(rocmSmi, output('rocm-smi/concise-with-names.txt'))).toMatchObject({
      'gpu.name': 'AMD Instinct MI300X',
      'gpu.count': 2,
      'gpu.power_limit': 750,
    });
  });

  it('reads sections, the decimal target, and no limit of the second die of an MI250', () => {
    const text = output('rocm-smi/sections-mi250.txt');
    expect(facts(rocmSmi, text)).toEqual({
      vendor: 'amd',
      architecture: 'cdna2',
      'gpu.name': 'AMD INSTINCT MI250 (MCM) OAM AC MBA',
      'gpu.per_node': 4,
      'gpu.count': 4,
      'gpu.memory': 64,
      'gpu.power_limit': 560,
      'gpu.ecc': 'enabled',
      driver: '6.8.0-45-generic',
    });
    expect(problems(text)).toEqual(['22 Each of the 4 devices is one die (GCD): an MI250 package has two']);
  });

  it('counts the PCI devices of the hardware table', () => {
    expect(facts(rocmSmi, output('rocm-smi/showhw-dpx.txt'))).toEqual({
      vendor: 'amd',
      architecture: 'cdna3',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.ecc': 'enabled',
    });
  });

  it('reads JSON of all devices, in one line or indented', () => {
    const text = output('rocm-smi/all.json');
    const all = {
      vendor: 'amd',
      architecture: 'cdna3',
      'gpu.name': 'AMD Instinct MI300X',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.partition': 'SPX',
      'gpu.memory': 192,
      'gpu.power_limit': 750,
      driver: '6.10.5',
      'gpu.link': 'pcie',
      'capability.infinity-fabric': false,
    };
    expect(facts(rocmSmi, text)).toEqual(all);
    const value: unknown = JSON.parse(text);
    const [indented] = read(rocmSmi, JSON.stringify(value, null, 2));
    expect(factsIn(indented)).toEqual(all);
    expect(indented?.findings.find(({ key }) => key === 'gpu.memory')?.line).toBe(8);
  });

  it('reads a section whose banner is cut off, and counts nothing where its end is', () => {
    const section = [title('Product Info'), 'GPU[0]\t\t: Card Series: \t\tAMD Instinct MI210', rule, end].join('\n');
    expect(facts(rocmSmi, section)).toMatchObject({ 'gpu.name': 'AMD Instinct MI210', 'gpu.count': 1 });
    const cut = section.split('\n').slice(0, 2).join('\n');
    expect(facts(rocmSmi, cut)).toEqual({ vendor: 'amd', 'gpu.name': 'AMD Instinct MI210' });
    expect(problems(cut)).toEqual(['2 The output is cut: the number of GPUs is not taken']);
  });

  it('counts nothing where some GPUs were asked for, or their numbers have gaps', () => {
    const row = (index: number) => `GPU[${index}]\t\t: VRAM Total Memory (B): 68702699520`;
    const asked = ['$ rocm-smi -d 0 --showmeminfo vram', banner, title('Memory Usage (Bytes)'), row(0), rule, end];
    expect(facts(rocmSmi, asked.join('\n'))).toEqual({ vendor: 'amd', 'gpu.memory': 64 });
    const gap = [banner, title('Memory Usage (Bytes)'), row(0), row(2), rule, end].join('\n');
    expect(problems(gap)).toEqual(['3 Some GPU numbers are missing here: the number of GPUs is not taken']);
  });

  it('lists what differs, and names the kinds', () => {
    const row = (index: number, name: string) => `GPU[${index}] : Card Series: ${name}`;
    const text = [banner, title('Product Info'), row(0, 'Radeon RX 7900 XTX'), row(1, 'Radeon RX 9070 XT'), rule, end];
    expect(facts(rocmSmi, text.join('\n'))['gpu.name']).toEqual(['Radeon RX 7900 XTX', 'Radeon RX 9070 XT']);
    expect(problems(text.join('\n'))).toEqual(['3 2 kinds of GPU here: Radeon RX 7900 XTX, Radeon RX 9070 XT']);
  });

  it.each([
    ['XGMI within two halves', 'XGMI', ['xgmi', 'pcie'], undefined],
    ['a link that could not be read', 'XXXX', undefined, undefined],
    ['PCIe alone', 'PCIE', 'pcie', false],
  ])('says of %s what holds for all pairs', (_, near, link, capability) => {
    const cell = (row: number, column: number) => (row === column ? '0' : row >> 1 === column >> 1 ? near : 'PCIE');
    const rows = [0, 1, 2, 3].map((row) => `GPU${row}  ${[0, 1, 2, 3].map((column) => cell(row, column)).join('  ')}`);
    const text = [banner, title('Link Type between two GPUs'), '   GPU0  GPU1  GPU2  GPU3', ...rows, end].join('\n');
    const found = facts(rocmSmi, text);
    expect([found['gpu.link'], found['capability.infinity-fabric']]).toEqual([link, capability]);
  });

  it('leaves tools of other vendors alone that print the same', () => {
    const text = [
      banner,
      title('Product Info'),
      'GPU[0] : Card Series: BW',
      'GPU[0] : Card Vendor: Example Ltd',
      rule,
      end,
    ];
    expect(read(rocmSmi, text.join('\n'))).toEqual([]);
    expect(read(rocmSmi, '{"card0": {"Card Series": "BW", "Card Vendor": "Example Ltd."}}')).toEqual([]);
    expect(read(rocmSmi, '{"card0": {"Holder": "a person"}}\nGPU[0]: started\n')).toEqual([]);
    expect(read(rocmSmi, output('npu-smi/910b3.txt'))).toEqual([]);
  });

  it('survives broken text', () => {
    const names = ['concise-and-topology.txt', 'concise-cpx.txt', 'sections-mi250.txt', 'showhw-dpx.txt', 'all.json'];
    expect(
      faultsWhenBroken(
        rocmSmi,
        names.map((name) => output(`rocm-smi/${name}`)),
      ),
    ).toEqual([]);
  });
});
