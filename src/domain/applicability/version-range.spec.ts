import { describe, expect, it } from '@jest/globals';
import { isVersionRange, placeOf, type VersionPlace } from './version-range.js';

function satisfies(version: string, range: string): boolean | null {
  const place = placeOf(version, range);
  return place === null ? null : place === 'WITHIN';
}

describe('satisfies', () => {
  it.each([
    ['580.159.03', '>=580.95.05', true],
    ['580.65.06', '>=580.95.05', false],
    ['550.54.14', '>=550 <580', true],
    ['580.159.03', '>=550 <580', false],
    ['570.133.20', '>=550, <580', true],
    ['2.11.0+cu130', '>=2.9', true],
    ['2.8.0+cu128', '>=2.9', false],
    ['2.11.0', '>=2.9', true],
    ['2.11.0+cu130', '2.x', true],
    ['3.0.0', '2.x', false],
    ['12.6', '>=12.6', true],
    ['12.6', '>12.6', false],
    ['12.6.85', '<=12.6', true],
    ['13.0', '12.8 || >=13', true],
    ['12.9', '12.8 || >=13', false],
    ['v0.11.0rc1', '>=0.11', false],
    ['v0.11.0rc1', '<0.11', true],
    ['v0.11.0rc1', '>=0.10.2', true],
    ['0.11.0rc2', '>=0.11.0rc1', true],
    ['2.9.0.dev20250801+cu128', '>=2.9', false],
    ['2.9.0.dev20250801+cu128', '<2.9.0a1', true],
    ['25.3.1.post1', '>=25.3.1', true],
    ['25.3.1.post1', '=25.3.1', true],
    ['25.04-py3', '>=25.03', true],
    ['6.8.0-45-generic', '>=6.8', true],
    ['5.15.0-1042-nvidia', '>=6.2', false],
    ['6.12.0-rc3', '>=6.12', false],
    ['8.0.RC3', '>=8.0', false],
    ['8.0.RC3.alpha001', '>=8.0.RC2', true],
    ['9.1.0.70', '>=9.1', true],
    ['1.2.3', '~1.2', true],
    ['1.3.0', '~1.2', false],
    ['0.11.4', '^0.11', true],
    ['0.12.0', '^0.11', false],
    ['2.9.0a0+145a3a7bda.nv25.10', '>=2.9', false],
    ['7', '*', true],
    ['2.27.3', '>= 2.27', true],
  ])('reads version %s in range %s as %s', (version, range, expected) => {
    expect(satisfies(version, range)).toBe(expected);
  });

  it.each([
    ['latest', '>=2.9'],
    ['', '>=2.9'],
    ['12.6abc', '>=12'],
    ['nvcr.io/nvidia/pytorch', '>=2.9'],
    ['2.9.0', 'new enough'],
    ['2.9.0', ''],
  ])('does not guess about version "%s" and range "%s"', (version, range) => {
    expect(satisfies(version, range)).toBeNull();
  });
});

describe('placeOf', () => {
  it.each<[string, string, VersionPlace | null]>([
    ['2.8.0', '<2.9', 'WITHIN'],
    ['2.9.0', '<2.9', 'ABOVE'],
    ['2.9.0rc1', '<2.9', 'WITHIN'],
    ['2.11.0+cu130', '<2.9', 'ABOVE'],
    ['2.8.0', '>=2.9', 'OUTSIDE'],
    ['535.54.03', '>=550 <580', 'OUTSIDE'],
    ['580.65.06', '>=550 <580', 'ABOVE'],
    ['12.9', '12.8 || >=13', 'OUTSIDE'],
    ['2.10.0', '<2.9 || 2.11', 'OUTSIDE'],
    ['2.12.0', '<2.9 || 2.11', 'ABOVE'],
    ['2.11.7', '<2.9 || 2.11', 'WITHIN'],
    ['12.6.85', '<=12.6', 'WITHIN'],
    ['12.7', '<=12.6', 'ABOVE'],
    ['12.6', '>12.6', 'OUTSIDE'],
    ['1.2.9', '~1.2', 'WITHIN'],
    ['1.3.0', '~1.2', 'ABOVE'],
    ['1.1.9', '~1.2', 'OUTSIDE'],
    ['2', '*', 'WITHIN'],
    ['25.04-py3', '<25.04', 'ABOVE'],
    ['latest', '<2.9', null],
    ['2.9', 'old', null],
  ])('puts version %s %s: %s', (version, range, expected) => {
    expect(placeOf(version, range)).toBe(expected);
    expect(satisfies(version, range)).toBe(expected === null ? null : expected === 'WITHIN');
  });

  it('answers the same when it is asked again, also after many other questions', () => {
    expect(placeOf('2.10', '<2.9')).toBe('ABOVE');
    for (let patch = 0; patch < 6_000; patch += 1) placeOf(`1.0.${patch}`, '<2');
    expect(placeOf('2.10', '<2.9')).toBe('ABOVE');
    expect(placeOf('nightly', '<2.9')).toBeNull();
    expect(placeOf('nightly', '<2.9')).toBeNull();
  });
});

describe('isVersionRange', () => {
  it.each(['>=2.9', '>=550 <580', '2.x', '>=12.6,<13', '>=0.11.0rc1', '~1.2 || ^2', '*'])('understands %s', (range) => {
    expect(isVersionRange(range)).toBe(true);
  });

  it.each(['', '>=', '2.9 or newer', '!=2.9', '==2.9', '>=9.1.0.70', '>=2.x.rc1'])('refuses "%s"', (range) => {
    expect(isVersionRange(range)).toBe(false);
  });
});
