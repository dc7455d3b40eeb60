import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { invented, onlyPlace, seen, smiOutput } from '../../../../test/support/nvidia-smi-readings.js';
import { pathTo, textAt } from '../../../../test/support/tool-output.js';
import { nvidiaSmiQ } from './nvidia-smi-q.js';

const read = (name: string) => onlyPlace(nvidiaSmiQ, smiOutput(`nvidia-smi-q/${name}`));
const superchips = smiOutput('nvidia-smi-q/two-superchips.txt');

describe('nvidiaSmiQ', () => {
  it('reads the facts of all GPUs, each at the line of the first, and lists values that differ', () => {
    const { facts, lines, place, problems } = onlyPlace(nvidiaSmiQ, superchips);
    expect(facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 2,
      'gpu.count': 2,
      driver: '575.51.03',
      'driver.cuda': '12.9',
      'gpu.name': 'NVIDIA GH200 480GB',
      architecture: 'hopper',
      'gpu.memory': 95.6,
      'gpu.mig': 'none',
      'gpu.ecc': 'enabled',
      'gpu.persistence': 'enabled',
      'gpu.power_limit': [900, 700],
      'pcie.generation': 5,
      'pcie.width': 16,
      'host.virtual': false,
      'capability.nvlink-c2c': true,
    });
    expect([lines['gpu.count'], lines['gpu.name'], lines['gpu.power_limit']]).toEqual([8, 10, 53]);
    expect([place, problems]).toEqual([[2, 129], []]);
  });

  it('takes the memory of the GPU, not that of its MIG devices', () => {
    const { facts } = read('mig-in-virtual-machine.txt');
    expect(facts).toMatchObject({ 'gpu.count': 1, 'gpu.memory': 79.6, 'gpu.mig': 'enabled', 'host.virtual': true });
  });

  it('takes the name of a vGPU, not that of its license, and leaves out what a guest cannot see', () => {
    const { facts } = read('vgpu-guest.txt');
    expect(facts).toMatchObject({ 'gpu.name': 'GRID A100D-20C', 'gpu.memory': 20, 'host.virtual': true });
    expect(Object.keys(facts)).not.toEqual(expect.arrayContaining(['pcie.generation']));
    expect(facts).not.toHaveProperty(['gpu.power_limit']);
  });

  it('counts the attached GPUs where one was chosen, and says so; takes the enforced limit of an old driver', () => {
    const { facts, problems } = read('old-driver-one-of-three.txt');
    expect(facts).toMatchObject({ 'gpu.count': 3, 'gpu.ecc': 'disabled', 'gpu.power_limit': 200, driver: '390.48' });
    expect(facts).toMatchObject({ 'host.virtual': false });
    expect(facts).not.toHaveProperty(['gpu.mig']);
    expect(facts).not.toHaveProperty(['driver.cuda']);
    expect(problems).toEqual(['7 The tool states 3 attached GPUs and prints 1 here']);
  });

  it('takes versions without the remark behind them; does not take Windows or WSL for a machine of its own', () => {
    const { facts, lines } = read('deprecated-words-on-windows.txt');
    expect(facts).toMatchObject({ driver: '610.31', 'driver.cuda': '13.3', architecture: 'ada', 'gpu.mig': 'none' });
    expect([lines.driver, lines['driver.cuda']]).toEqual([7, 8]);
    for (const key of ['host.virtual', 'gpu.persistence', 'gpu.ecc']) expect(facts).not.toHaveProperty([key]);
  });

  it('finds nothing where a Jetson says N/A or Not Supported', () => {
    expect(Object.keys(read('jetson.txt').facts).sort()).toEqual([
      'architecture',
      'driver',
      'driver.cuda',
      'gpu.count',
      'gpu.mig',
      'gpu.name',
      'gpu.per_node',
      'vendor',
    ]);
  });

  it('reads the header where only the clocks were asked for', () => {
    expect(read('clocks-alone.txt').facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 2,
      'gpu.count': 2,
      driver: '470.256.02',
      'driver.cuda': '11.4',
    });
  });

  it('knows no number of GPUs where the beginning is cut off', () => {
    const { facts, problems } = onlyPlace(nvidiaSmiQ, superchips.slice(superchips.indexOf('GPU 00000019')));
    expect(facts).toMatchObject({ 'gpu.name': 'NVIDIA GH200 480GB', 'gpu.power_limit': 700 });
    expect(facts).not.toHaveProperty(['gpu.count']);
    expect(problems).toEqual([
      '1 The number of attached GPUs is missing: paste the output of nvidia-smi -q from its first line',
    ]);
  });

  it('finds each place among other text, quoted or indented, with any ends of lines', () => {
    const quoted = superchips.replace(/^/gm, '> ');
    const indented = smiOutput('nvidia-smi-q/jetson.txt').replace(/^/gm, '    ');
    const text = `# nvidia-smi -q\n${quoted}Architecture:   x86_64\n    CPU(s):  8\n${indented}$ exit\n`;
    const places = seen(nvidiaSmiQ, text.replaceAll('\n', '\r\n'));
    expect(places.map(({ place }) => place)).toEqual([
      [3, 130],
      [134, 152],
    ]);
    expect(places.map(({ facts }) => facts['gpu.name'])).toEqual(['NVIDIA GH200 480GB', 'Orin (nvgpu)']);
  });

  it('takes no name or number from a last line that may be cut', () => {
    const upTo = (end: string) => superchips.slice(0, superchips.indexOf(end) + end.length);
    expect(onlyPlace(nvidiaSmiQ, upTo('NVIDIA GH200 48')).facts).not.toHaveProperty(['gpu.name']);
    expect(onlyPlace(nvidiaSmiQ, upTo('NVIDIA GH200 480GB\n')).facts).toHaveProperty(['gpu.name']);
  });

  it('invents nothing in damaged text', () => {
    expect(invented(nvidiaSmiQ, superchips)).toEqual([]);
    expect(invented(nvidiaSmiQ, smiOutput('nvidia-smi-q/deprecated-words-on-windows.txt'))).toEqual([]);
  });

  it.each([
    'nvidia-smi-table/two-gpus-one-in-mig.txt',
    'nvidia-smi-xml/old-driver.xml',
    'nvidia-smi-table/nvlink-status.txt',
  ])('leaves %s to others', (name) => expect(seen(nvidiaSmiQ, smiOutput(name))).toEqual([]));
});

const shared = '../../shared';
const hasShared = existsSync(pathTo(`${shared}/corpus/INDEX.tsv`));

(hasShared ? describe : describe.skip)(`real output${hasShared ? '' : ' (skipped: ../shared is not there)'}`, () => {
  it('of an H200 in a virtual machine', () => {
    const { facts } = onlyPlace(nvidiaSmiQ, textAt(`${shared}/evidence/h200/machine/nvidia_smi_q.txt`));
    expect(facts).toMatchObject({ 'gpu.name': 'NVIDIA H200', 'gpu.memory': 140.4, 'gpu.power_limit': 700 });
    expect(facts).toMatchObject({ driver: '580.159.04', 'driver.cuda': '13.0', 'host.virtual': true });
  });

  it.each([
    ['l40s-load-q.txt', { 'gpu.name': 'NVIDIA L40S', architecture: 'ada', 'gpu.memory': 45, 'pcie.generation': 4 }],
    ['old-driver-gpu0.txt', { 'gpu.name': 'GeForce GTX 1080', 'gpu.count': 4, 'gpu.power_limit': 180 }],
  ])('%s', (name, facts) => {
    expect(onlyPlace(nvidiaSmiQ, textAt(`${shared}/corpus/nvidia-smi-q/${name}`)).facts).toMatchObject(facts);
  });
});
