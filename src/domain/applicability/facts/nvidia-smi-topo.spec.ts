import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { invented, onlyPlace, seen, smiOutput } from '../../../../test/support/nvidia-smi-readings.js';
import { pathTo, textAt } from '../../../../test/support/tool-output.js';
import { nvidiaSmiTopo } from './nvidia-smi-topo.js';

const fixture = (name: string) => smiOutput(`nvidia-smi-topo/${name}`);
const read = (name: string) => onlyPlace(nvidiaSmiTopo, fixture(name));

describe('nvidiaSmiTopo', () => {
  it('reads the links between all GPUs, the switches that they need, and the RDMA devices', () => {
    const { facts, lines, place, problems } = read('four-gpus-with-switches.txt');
    expect(facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 4,
      'gpu.count': 4,
      'gpu.link': 'nvlink',
      'gpu.links': 18,
      'capability.nvlink': true,
      'capability.nvswitch': true,
      'nic.count': 4,
    });
    expect([lines['gpu.link'], lines['nic.count'], place, problems]).toEqual([1, 21, [1, 26], []]);
  });

  it('finds PCIe where the legend knows NVLink and no pair has it', () => {
    expect(read('four-gpus-on-pcie.txt').facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 4,
      'gpu.count': 4,
      'gpu.link': 'pcie',
      'capability.nvlink': false,
    });
  });

  it.each([
    ['pairs-with-bridges.txt', '1 Some pairs of GPUs are connected by NVLink and others are not'],
    [
      'pci-only.txt',
      '2 This is the output of nvidia-smi topo -mp, which leaves NVLink out: paste that of nvidia-smi topo -m',
    ],
  ])('finds no kind of link in %s, and says why', (name, problem) => {
    const { facts, problems } = read(name);
    expect([problems, facts['gpu.link'], facts['capability.nvlink']]).toEqual([[problem], undefined, undefined]);
  });

  it('does not take missing NVLink for PCIe where the legend is missing', () => {
    const matrix = fixture('four-gpus-on-pcie.txt').split('\n').slice(0, 5).join('\n');
    const { facts, problems } = onlyPlace(nvidiaSmiTopo, matrix);
    expect(facts).toEqual({ 'gpu.per_node': 4, 'gpu.count': 4 });
    expect(problems).toEqual([
      '1 No NVLink here, but the legend is missing: paste the whole output of nvidia-smi topo -m',
    ]);
  });

  it('finds no number of links where pairs differ, and the devices that an old driver puts at the head', () => {
    const { facts } = read('old-driver-names-nics.txt');
    expect(facts).toMatchObject({ 'gpu.link': 'nvlink', 'nic.count': 2 });
    for (const key of ['gpu.links', 'capability.nvswitch']) expect(facts).not.toHaveProperty([key]);
  });

  it('reads cells that a narrow terminal ran together, and does not count devices of an unknown kind', () => {
    const { facts, place } = read('narrow-terminal.txt');
    expect(facts).toMatchObject({ 'gpu.count': 2, 'gpu.link': 'nvlink', 'gpu.links': 6 });
    expect(facts).not.toHaveProperty(['nic.count']);
    expect(place).toEqual([2, 16]);
  });

  it('counts a single GPU and says nothing about links', () => {
    const single = '\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0-15\t0\t\tN/A\n';
    const [place] = seen(nvidiaSmiTopo, `\u001b[4m${single}\u001b[0m`);
    expect(place?.facts).toEqual({ 'gpu.per_node': 1, 'gpu.count': 1 });
    expect(place?.problems).toEqual([]);
  });

  it('says that rows are missing where no row shows a pair', () => {
    const lines = fixture('four-gpus-with-switches.txt').split('\n');
    const { facts, problems } = onlyPlace(nvidiaSmiTopo, lines.slice(0, 3).join('\n'));
    expect(facts).toMatchObject({ 'gpu.count': 4, 'capability.nvswitch': true });
    expect(facts).not.toHaveProperty(['gpu.link']);
    expect(problems).toEqual(['1 Rows are missing from this matrix']);
  });

  it.each([
    ['topo -p2p', fixture('peer-to-peer.txt')],
    ['rocm-smi --showtopo', '       GPU0         GPU1\nGPU0   0            XGMI\nGPU1   XGMI         0\n'],
    ['a list', 'GPU0 GPU1 CPU Affinity\nGPU0 is fine\n'],
  ])('leaves %s to others', (_, text) => expect(seen(nvidiaSmiTopo, text)).toEqual([]));

  it('invents nothing in damaged text', () => {
    const facts = invented(nvidiaSmiTopo, fixture('four-gpus-with-switches.txt'));
    expect(facts.filter((fact) => !fact.startsWith('nic.count'))).toEqual([]);
    expect(invented(nvidiaSmiTopo, fixture('pairs-with-bridges.txt'))).toEqual([]);
  });
});

const shared = '../../shared';
const hasShared = existsSync(pathTo(`${shared}/corpus/INDEX.tsv`));

(hasShared ? describe : describe.skip)(`real output${hasShared ? '' : ' (skipped: ../shared is not there)'}`, () => {
  it.each([
    ['corpus/nvidia-smi-topo/stas00-perf-topo.txt', { 'gpu.count': 8, 'gpu.links': 18, 'capability.nvswitch': true }],
    ['corpus/nvidia-smi-topo/stas00-topo-2gpu-nv2.txt', { 'gpu.count': 2, 'gpu.links': 2, 'gpu.link': 'nvlink' }],
    ['evidence/h200/machine/nvidia_smi_topo.txt', { 'gpu.count': 1, vendor: 'nvidia' }],
  ])('%s', (name, facts) => {
    expect(onlyPlace(nvidiaSmiTopo, textAt(`${shared}/${name}`)).facts).toMatchObject(facts);
  });
});
