import { describe, expect, it } from '@jest/globals';
import type { TextField } from './schema.js';
import { checkDigestOf, digestOf, textDigestsOf, translationRecord, translationStatus } from './digest.js';
import type { ItemFile } from './schema.js';

const both = (en: string) => ({ en, zh: '说明' });
const item: Pick<ItemFile, TextField | 'applicability' | 'signals'> = {
  title: both('Preheated stone'),
  summary: both('Heat the stone.'),
  why: both('It rises.'),
  check: both('1. Read the dial.\n2. Wait.'),
  apply: both('Set `heat=250`.'),
  measure: both('Take the time.'),
  avoid: both('Flat bread.'),
  rollback: both('Set `heat=0`.'),
  applicability: { all: [{ capability: 'hot-air' }, { firmware: { version: '>=2.1' } }] },
  signals: [{ tool: 'dial', metric: 'heat', operator: '<', value: 200 }],
};

describe('digestOf', () => {
  it('is the SHA-256 of canonical JSON', () => {
    expect(digestOf({ b: 1, a: [true, null] })).toBe(
      '51705a2c9eb3e7e410a58f696a770c3ac3885a0cf43eb7fc88f5e47c11d4d30d',
    );
    expect(digestOf({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });

  it('does not depend on the order of keys, nor on members that are undefined', () => {
    expect(digestOf({ b: { d: 1, c: 2 }, a: 3 })).toBe(digestOf({ a: 3, b: { c: 2, d: 1 }, e: undefined }));
  });

  it('depends on the order of a list and on the type of a value', () => {
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
    expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: '1' }));
  });
});

describe('checkDigestOf', () => {
  const digest = checkDigestOf(item);

  it.each([
    ['the check wraps elsewhere', { ...item, check: both('1. Read the\n dial. 2. Wait.\n') }],
    ['the Chinese changes', { ...item, apply: { ...item.apply, zh: '设置温度' } }],
    ['the reason changes', { ...item, why: both('It rises more.') }],
  ])('stays where %s', (_, changed) => {
    expect(checkDigestOf(changed)).toBe(digest);
  });

  it.each([
    ['the check', { ...item, check: both('Read the dial twice.') }],
    ['the way to apply it', { ...item, apply: both('Set `heat=260`.') }],
    ['where it applies', { ...item, applicability: { capability: 'hot-air' } }],
    ['that it applies everywhere', { ...item, applicability: undefined }],
    ['what points at it', { ...item, signals: [] }],
  ])('changes with %s', (_, changed) => {
    expect(checkDigestOf(changed)).not.toBe(digest);
  });
});

describe('textDigestsOf', () => {
  const records = { why: translationRecord(item.why), check: translationRecord(both('Read the dial.')) };
  const digests = textDigestsOf(item, records);

  it('says for each field which English the Chinese was made from', () => {
    expect(Object.keys(digests)).toEqual(['title', 'summary', 'why', 'check', 'apply', 'measure', 'avoid', 'rollback']);
    expect(digests.why).toEqual({ en: digestOf('It rises.'), zhFrom: digestOf('It rises.') });
    expect(digests.check.zhFrom).toBe(digestOf('Read the dial.').slice(0, 12));
    expect(digests.apply.zhFrom).toBeNull();
  });

  it('makes of it whether the translation is current', () => {
    expect(translationStatus(item.why, digests.why)).toBe('CURRENT');
    expect(translationStatus(item.check, digests.check)).toBe('STALE');
    expect(translationStatus(item.apply, digests.apply)).toBe('STALE');
    expect(translationStatus({ en: 'Wait.', zh: null }, undefined)).toBe('MISSING');
    expect(translationStatus({ en: null, zh: '等待' }, undefined)).toBe('MISSING');
  });
});

describe('translationRecord', () => {
  it('is short, and changes with either language', () => {
    expect(translationRecord(both('It rises.'))).toMatch(/^[0-9a-f]{12} [0-9a-f]{12}$/);
    expect(translationRecord({ en: 'It rises.', zh: '变高' })).not.toBe(translationRecord(both('It rises.')));
    expect(translationRecord(both('It rose.'))).not.toBe(translationRecord(both('It rises.')));
  });
});
