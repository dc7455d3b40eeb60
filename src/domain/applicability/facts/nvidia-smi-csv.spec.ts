import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { invented, onlyPlace, seen, smiOutput } from '../../../../test/support/nvidia-smi-readings.js';
import { pathTo, textAt } from '../../../../test/support/tool-output.js';
import { nvidiaSmiCsv } from './nvidia-smi-csv.js';

const fixture = (name: string) => smiOutput(`nvidia-smi-csv/${name}`);
const read = (name: string) => onlyPlace(nvidiaSmiCsv, fixture(name));
const facts = (text: string) => onlyPlace(nvidiaSmiCsv, text).facts;

describe('nvidiaSmiCsv', () => {
  it('reads one row for each GPU and prefers the enforced limit', () => {
    const { facts, lines, place, problems } = read('four-gpus.csv');
    expect(facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 4,
      'gpu.count': 4,
      driver: '550.144.03',
      'gpu.name': 'NVIDIA L4',
      'gpu.memory': 22.5,
      'gpu.computeCapability': '8.9',
      'gpu.mig': 'none',
      'gpu.ecc': 'disabled',
      'gpu.persistence': 'enabled',
      'gpu.power_limit': [72, 60],
      'pcie.generation': 4,
      'pcie.width': 8,
    });
    expect([lines.vendor, lines['gpu.name'], place, problems]).toEqual([1, 2, [1, 5], []]);
  });

  it('counts GPUs, not rows over time, and names the kinds', () => {
    const { facts, problems } = read('two-kinds-over-time.csv');
    expect(facts).toMatchObject({ 'gpu.count': 2, 'gpu.name': ['NVIDIA A10', 'NVIDIA A40'], 'gpu.memory': [22.5, 45] });
    expect(problems).toEqual(['2 2 kinds of GPU here: NVIDIA A10, NVIDIA A40']);
  });

  it('counts the rows of one moment where nothing names the GPUs, and reads values without units', () => {
    expect(read('no-units-no-names.csv').facts).toEqual({
      vendor: 'nvidia',
      'gpu.per_node': 8,
      'gpu.count': 8,
      'gpu.memory': 80,
      'gpu.power_limit': 400,
    });
  });

  it('knows no number of GPUs where many rows name neither GPU nor time', () => {
    const { facts, problems } = onlyPlace(nvidiaSmiCsv, `power.draw [W], pstate\n${'88.10 W, P0\n'.repeat(60)}`);
    expect(facts).toEqual({ vendor: 'nvidia' });
    expect(problems).toEqual([
      '2 The rows do not tell the GPUs apart, so their number is unknown: ask for index as well',
    ]);
  });

  it('takes the number that the tool states, and says where fewer are printed', () => {
    const { facts, problems } = onlyPlace(nvidiaSmiCsv, 'index, count, pstate\n3, 8, P0\n');
    expect(facts).toMatchObject({ 'gpu.count': 8 });
    expect(problems).toEqual(['2 The tool states 8 attached GPUs and prints 1 here']);
  });

  it.each([
    ['the numbers have a gap', 'index, pstate\n2, P0\n3, P0\n'],
    ['the command chose a GPU', '$ nvidia-smi -i 0 --query-gpu=index,pstate --format=csv\nindex, pstate\n0, P0\n'],
  ])('knows no number of GPUs where %s', (_, text) => {
    const { facts, problems } = onlyPlace(nvidiaSmiCsv, text);
    expect(facts).not.toHaveProperty(['gpu.count']);
    expect(problems[0]).toContain('Only some GPUs of the machine are listed here');
  });

  it('does not count masked names as one GPU', () => {
    const row = 'GPU-00000000-0000-0000-0000-000000000000, P0\n';
    expect(facts(`uuid, pstate\n${row}${row}`)['gpu.count']).toBe(2);
  });

  it('reads one column', () => {
    expect(facts('memory.total [MiB]\n81559 MiB\n81559 MiB\n')).toMatchObject({ 'gpu.count': 2, 'gpu.memory': 79.6 });
    expect(facts('name\nNVIDIA H100 NVL\nBye\n')).toMatchObject({ 'gpu.count': 1, 'gpu.name': 'NVIDIA H100 NVL' });
  });

  it.each([
    ['a query for processes', fixture('processes.csv')],
    ['a query for pages', fixture('retired-pages.csv')],
    ['a table of names', 'index, name\n0, Alice\n1, Bob\n'],
    ['GPUs of another vendor', 'index, name, driver_version, memory.total [MiB]\n0, MTT S4000, 2.7.0, 49152 MiB\n'],
    ['a heading without rows', 'index, name, driver_version\n\n'],
    ['columns without blanks', 'index,driver_version\n0,1.2.3\n'],
  ])('leaves %s alone', (_, text) => expect(seen(nvidiaSmiCsv, text)).toEqual([]));

  it('reads two tables that follow each other', () => {
    const text = `> ${fixture('four-gpus.csv').trimEnd().replaceAll('\n', '\r\n> ')}\r\n`;
    expect(seen(nvidiaSmiCsv, `$ nvidia-smi\r\n${text}${text}`).map(({ place }) => place)).toEqual([
      [2, 6],
      [7, 11],
    ]);
  });

  it('invents nothing in damaged text', () => {
    expect(invented(nvidiaSmiCsv, fixture('four-gpus.csv'))).toEqual([]);
  });
});

const shared = '../../shared';
const hasShared = existsSync(pathTo(`${shared}/corpus/INDEX.tsv`));

(hasShared ? describe : describe.skip)(`real output${hasShared ? '' : ' (skipped: ../shared is not there)'}`, () => {
  it.each([
    [
      'h100-mig-load.csv',
      { 'gpu.name': 'NVIDIA H100 80GB HBM3', 'gpu.mig': 'enabled', 'gpu.computeCapability': '9.0' },
    ],
    ['h100x8-boxstate.csv', { 'gpu.count': 8 }],
    ['h200-idle-all-fields.csv', { 'gpu.count': 1, 'gpu.memory': 140.4, 'gpu.ecc': 'enabled', 'pcie.generation': 5 }],
    ['win-rtx2080s-load-all-fields.csv', { driver: '591.86', 'gpu.memory': 8, 'gpu.power_limit': 250 }],
  ])('%s', (name, expected) => {
    expect(facts(textAt(`${shared}/corpus/nvidia-smi-query-csv/${name}`))).toMatchObject(expected);
  });

  it('of an H200', () => {
    const text = textAt(`${shared}/evidence/h200/machine/nvidia_smi_query.csv`);
    expect(facts(text)).toMatchObject({ driver: '580.159.04', 'gpu.power_limit': 700, 'pcie.width': 16 });
  });
});
