import { describe, expect, it } from '@jest/globals';
import type { Facts } from '../measurement/environment-diff.js';
import { matchProfiles, type DeviceFacts, type MatchableProfile } from './match-profile.js';

const profile = (slug: string, architecture: string, printed: readonly string[], facts: Facts): MatchableProfile => ({
  slug,
  vendor: 'nvidia',
  architecture,
  isGeneric: false,
  printed,
  capabilities: [],
  facts,
});
const generic = (slug: string, architecture: string, printed: readonly string[], facts: Facts): MatchableProfile => ({
  ...profile(slug, architecture, printed, facts),
  isGeneric: true,
});

const profiles: readonly MatchableProfile[] = [
  profile('h100-sxm', 'hopper', ['NVIDIA H100 80GB HBM3', 'H100-SXM5*'], { 'gpu.memory': 80, 'gpu.sku': 'H100 SXM' }),
  profile('gh200', 'hopper', ['NVIDIA GH200 480GB'], { 'gpu.memory': 96 }),
  profile('gh200-141', 'hopper', ['NVIDIA GH200 480GB', 'NVIDIA GH200 144G*'], { 'gpu.memory': 144 }),
  profile('gb200-nvl72', 'blackwell', ['NVIDIA GB200'], { 'gpu.memory': 186, 'gpu.count': 72 }),
  profile('gb200-nvl4', 'blackwell', ['NVIDIA GB200'], { 'gpu.memory': 186, 'gpu.count': 4 }),
  profile('gb200', 'blackwell', ['NVIDIA GB200'], { 'gpu.memory': 186 }),
  profile('gb300-nvl72', 'blackwell', ['NVIDIA GB300'], { 'gpu.memory': 279, 'gpu.count': 72 }),
  profile('a100', 'ampere', ['A100*'], {}),
  profile('a100-80', 'ampere', ['A100 80GB*'], {}),
  { ...profile('mi250', 'cdna2', ['AMD Instinct MI250*'], { 'gpu.memory': 128, 'gpu.dies': 2 }), vendor: 'amd' },
  generic('hopper', 'hopper', [], { 'gpu.computeCapability': '9.0' }),
  generic('blackwell-10', 'blackwell', [], { 'gpu.computeCapability': '10.0' }),
  generic('blackwell-12', 'blackwell', ['GeForce RTX 50*'], { 'gpu.computeCapability': '12.0' }),
  generic('blackwell', 'blackwell', [], {}),
  generic('ada', 'ada', ['GeForce RTX 40*'], { 'gpu.computeCapability': '8.9' }),
  generic('maxwell-5', 'maxwell', [], { 'gpu.computeCapability': '5.0' }),
  generic('maxwell-52', 'maxwell', [], { 'gpu.computeCapability': '5.2' }),
  { ...generic('cdna2', 'cdna2', [], {}), vendor: 'amd' },
];

const unknown: DeviceFacts = {
  name: null,
  vendor: null,
  architecture: null,
  computeCapability: null,
  memory: null,
  perNode: null,
};
const matches = (device: Partial<DeviceFacts>) =>
  matchProfiles({ ...unknown, ...device }, profiles).map(({ slug }) => slug);

describe('matchProfiles', () => {
  it.each<[string, Partial<DeviceFacts>, readonly string[]]>([
    ['a name as it is printed', { name: 'NVIDIA H100 80GB HBM3' }, ['h100-sxm']],
    ['without the vendor, in other letters', { name: 'h100-80gb_HBM3' }, ['h100-sxm']],
    ['the name of the product', { name: 'H100 SXM' }, ['h100-sxm']],
    ['a beginning', { name: 'NVIDIA H100-SXM5 96GB' }, ['h100-sxm']],
    ['the longest beginning', { name: 'NVIDIA A100 80GB PCIe' }, ['a100-80']],
    ['a beginning that another one goes beyond', { name: 'NVIDIA A100-SXM4-40GB' }, ['a100']],
    ['a brand before the name', { name: 'Tesla A100-SXM4-40GB' }, ['a100']],
    ['a part of a system, which is only possible', { name: 'NVIDIA GB300', perNode: 1 }, ['blackwell', 'gb300-nvl72']],
    ['a whole system', { name: 'NVIDIA GB300', perNode: 72 }, ['gb300-nvl72']],
    ['a name of another vendor', { name: 'NVIDIA H100 80GB HBM3', vendor: 'amd' }, []],
    ['a name that only begins like an exact one', { name: 'NVIDIA H100 80GB HBM3e' }, []],
    ['nothing', {}, []],
  ])('finds %s', (_, device, expected) => expect(matches(device)).toEqual(expected));

  it.each<[number, readonly string[]]>([
    [95.6, ['gh200']],
    [143.8, ['gh200-141']],
    // by 9 % less than the vendor states, by 3 % more
    [96 * 0.92, ['gh200']],
    [96 * 0.9, []],
    [96 * 1.02, ['gh200']],
    [96 * 1.04, []],
  ])('tells products of one name apart by their memory: %s GiB', (memory, expected) => {
    expect(matches({ name: 'NVIDIA GH200 480GB', memory })).toEqual(expected);
  });

  it('gives all products of a name where the memory is not known', () => {
    expect(matches({ name: 'NVIDIA GH200 480GB' })).toEqual(['gh200', 'gh200-141']);
  });

  it('compares the memory of one die where tools list dies', () => {
    expect(matches({ name: 'AMD Instinct MI250X', memory: 64, vendor: 'amd' })).toEqual(['mi250']);
    expect(matches({ name: 'AMD Instinct MI250X', memory: 128, vendor: 'amd', architecture: 'cdna2' })).toEqual([
      'cdna2',
    ]);
  });

  it.each<[number | null, readonly string[]]>([
    [4, ['gb200-nvl4', 'gb200', 'gb200-nvl72']],
    [72, ['gb200-nvl72', 'gb200', 'gb200-nvl4']],
    [2, ['gb200', 'gb200-nvl72', 'gb200-nvl4']],
    [null, ['gb200', 'gb200-nvl72', 'gb200-nvl4']],
  ])('puts the system with %s GPUs first', (perNode, expected) => {
    expect(matches({ name: 'NVIDIA GB200', perNode })).toEqual(expected);
  });

  it.each<[string, Partial<DeviceFacts>, readonly string[]]>([
    ['the compute capability', { name: 'NVIDIA H20', architecture: 'hopper', computeCapability: '9.0' }, ['hopper']],
    ['the compute capability alone', { computeCapability: '12.0' }, ['blackwell-12']],
    ['the compute capability over the name', { name: 'GeForce RTX 4090', computeCapability: '12.0' }, ['blackwell-12']],
    ['the name', { name: 'NVIDIA GeForce RTX 4090' }, ['ada']],
    ['the name within the architecture', { name: 'GeForce RTX 5090', architecture: 'blackwell' }, ['blackwell-12']],
    ['the architecture over a name of another', { name: 'GeForce RTX 4090', architecture: 'hopper' }, ['hopper']],
    ['the architecture, where one profile has it', { name: 'NVIDIA H20', architecture: 'hopper' }, ['hopper']],
    ['the architecture, left open where several have it', { name: 'NVIDIA B30', architecture: 'blackwell' }, ['blackwell']],
    ['no profile where each would say something wrong', { name: 'GeForce GTX 980', architecture: 'maxwell' }, []],
    ['no profile of another architecture', { name: 'NVIDIA X', architecture: 'rubin', computeCapability: '11.9' }, []],
    ['a memory that no product of the name has', { name: 'NVIDIA H100 80GB HBM3', memory: 40, architecture: 'hopper' }, ['hopper']],
  ])('takes for an unlisted product the generic profile by %s', (_, device, expected) => {
    expect(matches(device)).toEqual(expected);
  }); // prettier-ignore

  it('knows nothing without profiles', () => {
    expect(matchProfiles({ ...unknown, name: 'NVIDIA H100 80GB HBM3', architecture: 'hopper' }, [])).toEqual([]);
  });
});
