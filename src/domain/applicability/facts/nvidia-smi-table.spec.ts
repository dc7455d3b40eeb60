import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { invented, onlyPlace, seen, smiOutput } from '../../../../test/support/nvidia-smi-readings.js';
import { pathTo, textAt } from '../../../../test/support/tool-output.js';
import { nvidiaSmiTable } from './nvidia-smi-table.js';

const fixture = (name: string) => smiOutput(`nvidia-smi-table/${name}`);
const read = (name: string) => onlyPlace(nvidiaSmiTable, fixture(name));
const table = fixture('two-gpus-one-in-mig.txt');

describe('the table of nvidia-smi', () => {
  it('gives the facts of all GPUs; MIG devices and processes are none', () => {
    const { facts, lines, place, problems } = onlyPlace(nvidiaSmiTable, table);
    expect(facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 2,
      'gpu.count': 2,
      driver: '575.57.08',
      'driver.cuda': '12.9',
      'gpu.name': 'NVIDIA H200 NVL',
      'gpu.memory': 140.4,
      'gpu.mig': ['enabled', 'none'],
      'gpu.ecc': 'enabled',
      'gpu.persistence': 'enabled',
      'gpu.power_limit': 600,
    });
    expect([lines.driver, lines['gpu.name'], lines['gpu.memory'], place, problems]).toEqual([3, 9, 10, [3, 35], []]);
  });

  it.each([
    ['new-words-on-windows.txt', '9', 'NVIDIA GeForce RTX 4070 ...', { driver: '610.31', 'driver.cuda': '13.3' }],
    [
      'old-driver-four-gpus.txt',
      '8',
      'Tesla V100-SXM2...',
      { 'gpu.count': 4, 'gpu.memory': 15.8, 'gpu.ecc': 'disabled' },
    ],
  ])('says that a name is cut and gives none: %s', (name, line, cut, expected) => {
    const { facts, problems } = read(name);
    expect(facts).toMatchObject(expected);
    expect(facts).not.toHaveProperty(['gpu.name']);
    expect(problems).toEqual([
      `${line} The table cuts the name of the GPU (${cut}): paste the output of nvidia-smi -L as well`,
    ]);
  });

  it('finds nothing where a Jetson says N/A', () => {
    expect(read('jetson.txt').facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 1,
      'gpu.count': 1,
      'driver.cuda': '12.2',
      'gpu.name': 'Orin (nvgpu)',
      'gpu.mig': 'none',
    });
  });

  it('does not know the number of GPUs where one was chosen', () => {
    const second = table
      .split('\n')
      .filter((_, index) => index < 8 || index > 11)
      .join('\n');
    for (const text of [second, `$ nvidia-smi --id=0\n${table}`]) {
      const { facts, problems } = onlyPlace(nvidiaSmiTable, text);
      expect(facts).not.toHaveProperty(['gpu.count']);
      expect(problems[0]).toContain('Only some GPUs of the machine are listed here');
    }
  });

  it('is found as often as it stands there, quoted or indented', () => {
    const text = `${table.replace(/^/gm, '> ')}\n${table.replace(/^/gm, '\t')}`;
    expect(seen(nvidiaSmiTable, text).map(({ place }) => place)).toEqual([
      [3, 35],
      [39, 71],
    ]);
  });

  it('invents nothing in damaged text', () => {
    expect(invented(nvidiaSmiTable, table)).toEqual([]);
  });
});

describe('the list of nvidia-smi -L', () => {
  it('gives whole names and the profiles of MIG devices', () => {
    const { tool, facts, lines, place, problems } = read('list-with-mig.txt');
    expect(facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 2,
      'gpu.count': 2,
      'gpu.name': 'NVIDIA A100-SXM4-80GB',
      'gpu.mig': ['3g.40gb', '1g.10gb+me'],
    });
    expect([tool, lines['gpu.mig'], place, problems]).toEqual(['nvidia-smi -L', 3, [2, 6], []]);
  });

  it('is one place for each machine that ran the command', () => {
    const list = 'GPU 0: NVIDIA A30 (UUID: GPU-1)\nGPU 1: NVIDIA A30 (UUID: GPU-2)\n';
    expect(seen(nvidiaSmiTable, `${list}${list}`).map(({ facts }) => facts['gpu.count'])).toEqual([2, 2]);
    expect(onlyPlace(nvidiaSmiTable, list.slice(list.indexOf('GPU 1'))).facts).not.toHaveProperty(['gpu.count']);
  });

  it.each([
    ['nvidia-smi nvlink', fixture('nvlink-status.txt')],
    ['a GPU without NVLink', 'GPU 0: NVIDIA L4 (UUID: GPU-1)\nDevice does not have or support Nvlink\n'],
    ['GPUs of another vendor', 'GPU 0: MTT S4000 (UUID: GPU-1)\n'],
    ['the list of PyTorch', 'GPU 0: NVIDIA H200\nGPU 1: NVIDIA H200\n'],
    ['a failure', "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"],
  ])('leaves %s alone', (_, text) => expect(seen(nvidiaSmiTable, text)).toEqual([]));
});

const shared = '../../shared';
const hasShared = existsSync(pathTo(`${shared}/corpus/INDEX.tsv`));

(hasShared ? describe : describe.skip)(`real output${hasShared ? '' : ' (skipped: ../shared is not there)'}`, () => {
  it.each([
    ['corpus/nvidia-smi-table/h200-load-table.txt', '590.48.01'],
    ['evidence/h200/machine/nvidia_smi.txt', '580.159.04'],
  ])('%s', (name, driver) => {
    const { facts } = onlyPlace(nvidiaSmiTable, textAt(`${shared}/${name}`));
    expect(facts).toMatchObject({ driver, 'gpu.name': 'NVIDIA H200', 'gpu.memory': 140.4, 'gpu.power_limit': 700 });
  });
});
