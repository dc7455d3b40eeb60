import { describe, expect, it } from '@jest/globals';
import { nearestNames } from './nearest-names.js';

const slugs = [
  'h100-sxm',
  'h100-pcie',
  'h100-nvl',
  'h200-sxm',
  'a100-sxm',
  'gb200-nvl72',
  'l4',
  'mi300x',
  'ascend-910b',
];

describe('nearestNames', () => {
  it.each<[string, readonly string[]]>([
    ['H100', ['h100-sxm', 'h100-pcie', 'h100-nvl']],
    ['H100 SXM', ['h100-sxm', 'h200-sxm', 'a100-sxm']],
    ['h100-sxm5', ['h100-sxm', 'h200-sxm', 'a100-sxm']],
    ['h100_smx', ['h100-sxm', 'h200-sxm', 'a100-sxm']],
    ['mi300', ['mi300x']],
    ['MI300A', ['mi300x']],
    ['910B', ['ascend-910b']],
    ['NVIDIA H100 80GB HBM3', ['h100-sxm', 'h100-pcie', 'h100-nvl']],
    ['AMD Instinct MI300X', ['mi300x']],
    ['nvl72', ['gb200-nvl72']],
    ['gaudi', []],
    ['', []],
    ['-', []],
    ['x', []],
    ['x'.repeat(61), []],
  ])('finds for "%s" %j', (asked, expected) => {
    expect(nearestNames(asked, slugs)).toEqual(expected);
  });

  it('gives at most as many as asked for', () => {
    expect(nearestNames('h100', slugs, 1)).toEqual(['h100-sxm']);
  });
});
