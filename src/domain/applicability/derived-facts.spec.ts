import { describe, expect, it } from '@jest/globals';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { derivedFacts } from './derived-facts.js';

const links = ['nvlink', 'nvswitch', 'nvlink-multicast', 'infinity-fabric', 'hccs'];

/** What follows, where these capabilities are open. */
function follows(facts: Facts, open: readonly string[] = []) {
  return derivedFacts(new Map(Object.entries(facts)), (capability) => open.includes(capability));
}

const values = (facts: Facts, open: readonly string[] = []): Readonly<Record<string, FactValue>> =>
  Object.fromEntries(follows(facts, open).map(({ key, value }) => [key, value]));

const capabilities = (names: readonly string[], value: boolean) =>
  Object.fromEntries(names.map((name) => [`capability.${name}`, value]));

describe('derivedFacts', () => {
  it('says nothing of facts that nothing follows from', () => {
    expect(values({ driver: '580.65.06', torch: '2.11.0', 'gpu.memory': 80, 'gpu.form': 'sxm' }, links)).toEqual({});
  });

  it.each<[Facts, Facts]>([
    // the build of PyTorch
    [{ torch: '2.11.0+cu130' }, { cuda: '13.0' }],
    [{ torch: '2.8.0+cu128' }, { cuda: '12.8' }],
    [{ torch: '1.7.1+cu92' }, { cuda: '9.2' }],
    [{ torch: '2.11.0+rocm7.0' }, { rocm: '7.0' }],
    [{ torch: '2.8.0+rocm6.2.4' }, { rocm: '6.2.4' }],
    [{ torch: '2.8.0+cu128', cuda: null }, { cuda: '12.8' }],
    [{ torch: '2.8.0+cu128', cuda: '12.9' }, {}],
    [{ torch: '2.8.0+cpu' }, {}],
    [{ torch: '2.9.0a0+145a3a7bda.nv25.10' }, {}],
    [{ torch: ['2.8.0+cu128', '2.9.0+cu130'] }, {}],
    // counts
    [{ 'gpu.count': 1 }, { 'gpu.per_node': 1, 'nodes.count': 1 }],
    [{ 'gpu.count': ' 1 ' }, { 'gpu.per_node': 1, 'nodes.count': 1 }],
    [{ 'gpu.count': 1, 'gpu.per_node': 8 }, { 'nodes.count': 1 }],
    [{ 'gpu.per_node': 8, 'nodes.count': 4 }, { 'gpu.count': 32 }],
    [{ 'gpu.per_node': '8', 'nodes.count': '2' }, { 'gpu.count': 16 }],
    [{ 'gpu.count': 72, 'nodes.count': 18 }, { 'gpu.per_node': 4 }],
    [{ 'gpu.count': 30, 'nodes.count': 4 }, {}],
    [{ 'gpu.count': 32, 'gpu.per_node': 8, 'nodes.count': 5 }, {}],
    [{ 'gpu.per_node': 8 }, {}],
    [{ 'gpu.per_node': 8, 'nodes.count': 0 }, {}],
    [{ 'gpu.per_node': 7.5, 'nodes.count': 2 }, {}],
    [{ 'gpu.per_node': [4, 8], 'nodes.count': 2 }, {}],
    [{ 'gpu.per_node': 'eight', 'nodes.count': 2 }, {}],
    // RDMA
    [{ 'fabric.kind': 'infiniband' }, { 'fabric.rdma': true }],
    [{ 'fabric.kind': 'roce' }, { 'fabric.rdma': true }],
    [{ 'fabric.kind': 'none' }, { 'fabric.rdma': false }],
    [{ 'fabric.kind': 'ethernet' }, {}],
    [{ 'fabric.kind': ['roce', 'none'] }, {}],
    [{ 'fabric.kind': 'infiniband', 'fabric.rdma': false }, {}],
  ])('of %j it follows that %j', (facts, expected) => {
    expect(values(facts)).toEqual(expected);
  });

  it.each<[Facts, Facts]>([
    [{ vendor: 'nvidia' }, { cuda: true, rocm: false, cann: false }],
    [{ vendor: ' AMD ' }, { cuda: false, rocm: true, cann: false }],
    [{ vendor: 'huawei' }, { cuda: false, rocm: false, cann: true }],
    [{ vendor: 'intel' }, {}],
    [{ vendor: ['nvidia', 'amd'] }, {}],
  ])('knows what runs on hardware of %j', (facts, expected) => {
    const derived = Object.entries(expected).map(([platform, runs]) => [`capability.${platform}`, runs]);
    expect(values(facts, ['cuda', 'rocm', 'cann'])).toEqual(Object.fromEntries(derived));
  });

  it('leaves a platform alone that is listed or ruled out', () => {
    expect(values({ vendor: 'amd' }, ['cuda'])).toEqual({ 'capability.cuda': false });
    expect(values({ vendor: 'amd' })).toEqual({});
  });

  it('takes a platform that the hardware leaves open only where its version is known', () => {
    const radeon = { vendor: 'amd', 'capability.rocm': 'unknown' };
    expect(values(radeon, ['rocm'])).toEqual({});
    expect(values({ ...radeon, rocm: '7.0' }, ['rocm'])).toEqual({ 'capability.rocm': true });
    expect(values({ ...radeon, torch: '2.11.0+rocm7.0' }, ['rocm'])).toEqual({ rocm: '7.0', 'capability.rocm': true });
    expect(values({ ...radeon, cuda: '12.8' }, ['rocm'])).toEqual({});
  });

  it.each<[FactValue]>([['1g.18gb'], ['enabled'], [true], [['1g.18gb', '3g.71gb']]])(
    'takes the links from a slice of a GPU, also those that the hardware has, and leaves the switches: MIG %j',
    (mig) => {
      const lost = links.filter((link) => link !== 'nvswitch');
      expect(values({ 'gpu.mig': mig })).toEqual(capabilities(lost, false));
    },
  );

  it('knows that hardware can do MIG where it does', () => {
    expect(values({ 'gpu.mig': '1g.18gb' }, ['mig'])['capability.mig']).toBe(true);
    expect(values({ 'gpu.mig': 'none' }, ['mig'])).toEqual({});
  });

  it.each<[FactValue]>([
    ['none'],
    ['None '],
    ['N/A'],
    ['unknown'],
    ['off'],
    ['disabled'],
    [false],
    [''],
    [null],
    [[]],
    [['1g.18gb', 'none']],
  ])('leaves the links where MIG is %j', (mig) => {
    expect(values({ 'gpu.mig': mig }, links)).toEqual({});
  });

  it('takes the links that are open from a GPU that has no partner', () => {
    expect(values({ 'gpu.count': 1 }, ['nvlink', 'hccs'])).toEqual({
      'gpu.per_node': 1,
      'nodes.count': 1,
      ...capabilities(['nvlink', 'hccs'], false),
    });
  });

  it.each<[Facts, readonly string[]]>([
    [{ architecture: 'hopper', 'gpu.form': 'sxm', 'gpu.per_node': 8 }, ['nvswitch', 'nvlink-multicast']],
    [{ architecture: 'blackwell', 'gpu.form': 'sxm', 'gpu.per_node': 8 }, ['nvswitch', 'nvlink-multicast']],
    [{ architecture: 'ampere', 'gpu.form': 'sxm', 'gpu.per_node': 16 }, ['nvswitch']],
    [{ architecture: 'hopper', 'gpu.form': 'sxm', 'gpu.count': 64, 'nodes.count': 8 }, ['nvswitch', 'nvlink-multicast']],
    [{ architecture: 'volta', 'gpu.form': 'sxm', 'gpu.per_node': 8 }, []],
    [{ architecture: 'hopper', 'gpu.form': 'sxm', 'gpu.per_node': 4 }, []],
    [{ architecture: 'hopper', 'gpu.form': 'pcie', 'gpu.per_node': 8 }, []],
    [{ 'gpu.form': 'sxm', 'gpu.per_node': 8 }, []],
    [{ architecture: 'cdna3', 'gpu.form': 'oam', 'gpu.per_node': 8 }, []],
  ])('knows the switches of a board: %j', (facts, switches) => {
    const derived = follows(facts, links).filter(({ key }) => key.startsWith('capability.'));
    expect(derived.map(({ key, value }) => [key, value])).toEqual(switches.map((key) => [`capability.${key}`, true]));
  }); // prettier-ignore

  it.each<[Facts, string, string, string]>([
    [{ torch: '2.11.0+cu130' }, 'cuda', 'PyTorch is 2.11.0+cu130', 'PyTorch 为 2.11.0+cu130'],
    [{ 'gpu.count': 1 }, 'nodes.count', 'there is one GPU', '只有一块 GPU'],
    [{ 'gpu.per_node': 8, 'nodes.count': 4 }, 'gpu.count', '4 nodes of 8', '4 个节点，每个 8 块'],
    [{ 'gpu.per_node': 8, 'nodes.count': 1 }, 'gpu.count', 'one node of 8', '1 个节点，每个 8 块'],
    [{ 'gpu.count': 32, 'nodes.count': 4 }, 'gpu.per_node', '32 GPUs on 4 nodes', '4 个节点共 32 块'],
    [{ 'gpu.count': 8, 'nodes.count': 1 }, 'gpu.per_node', '8 GPUs on one node', '1 个节点共 8 块'],
    [{ 'fabric.kind': 'roce' }, 'fabric.rdma', 'the fabric is roce', '互连类型为 roce'],
    [{ vendor: 'nvidia' }, 'capability.rocm', 'the vendor is nvidia', '厂商为 nvidia'],
    [{ vendor: 'amd', rocm: '7.0', 'capability.rocm': 'unknown' }, 'capability.rocm', 'rocm is 7.0', 'rocm 为 7.0'],
    [{ 'gpu.mig': '1g.18gb' }, 'capability.nvlink', 'MIG instances reach no other GPU', 'MIG 实例无法访问其他 GPU'],
    [{ 'gpu.mig': ['1g.18gb', '2g.35gb'] }, 'capability.mig', 'gpu.mig is 1g.18gb, 2g.35gb', 'gpu.mig 为 1g.18gb、2g.35gb'],
    [{ 'gpu.count': 1 }, 'capability.hccs', 'there is one GPU', '只有一块 GPU'],
    [{ architecture: 'hopper', 'gpu.form': 'sxm', 'gpu.per_node': 8 }, 'capability.nvswitch', 'boards of 8 SXM modules have NVSwitch', '8 块 SXM 模组的基板带有 NVSwitch'],
  ])('gives the reason in both languages: of %j for %s', (facts, key, en, zh) => {
    const derived = follows(facts, [...links, 'cuda', 'rocm', 'cann', 'mig']);
    expect(derived.find((each) => each.key === key)?.because).toEqual({ en, zh });
  }); // prettier-ignore
});
