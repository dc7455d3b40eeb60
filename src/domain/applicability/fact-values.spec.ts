import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors.js';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { inKnownWords, plainWord, type KeyValues } from './fact-values.js';

const keys: ReadonlyMap<string, KeyValues> = new Map([
  [
    'fabric.kind',
    {
      isClosed: true,
      least: null,
      values: [
        { value: 'infiniband', also: ['ib', 'Infini Band'] },
        { value: 'roce', also: ['rocev2'] },
        { value: 'none', also: ['no'] },
      ],
    },
  ],
  [
    'workload.precision',
    {
      isClosed: false,
      least: null,
      values: [
        { value: 'bf16', also: ['bfloat16'] },
        { value: 'fp8', also: [] },
      ],
    },
  ],
  ['gpu.ecc', { isClosed: false, least: null, values: [{ value: 'enabled', also: ['true', '1'] }] }],
]);

const inWords = (facts: Facts) => inKnownWords(facts, keys, 'facts');

function refusalOf(facts: Facts): DomainError {
  try {
    inWords(facts);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('a refusal expected');
}

describe('plainWord', () => {
  it.each([
    ['Train', 'train'],
    [' pre_training ', 'pre-training'],
    ['Fine  Tuning', 'fine-tuning'],
    ['RoCE-v2', 'roce-v2'],
    ['推理', '推理'],
    ['  ', ''],
  ])('takes "%s" for "%s"', (word, expected) => expect(plainWord(word)).toBe(expected));
});

describe('inKnownWords', () => {
  it.each<[string, FactValue, FactValue]>([
    ['fabric.kind', 'infiniband', 'infiniband'],
    ['fabric.kind', ' IB ', 'infiniband'],
    ['fabric.kind', 'infini_band', 'infiniband'],
    ['fabric.kind', ['RoCEv2', 'ib'], ['roce', 'infiniband']],
    ['fabric.kind', null, null],
    ['fabric.kind', '', ''],
    ['fabric.kind', ' ', ' '],
    ['fabric.kind', [], []],
    ['workload.precision', 'BF16', 'bf16'],
    ['workload.precision', ['bfloat16', 'NVFP4'], ['bf16', 'NVFP4']],
    ['workload.precision', 4, 4],
    ['gpu.ecc', true, 'enabled'],
    ['gpu.ecc', 1, 'enabled'],
    ['gpu.ecc', false, false],
    ['driver', 'IB', 'IB'],
  ])('says %s %j as %j', (key, value, expected) => {
    expect(inWords({ [key]: value })).toEqual({ [key]: expected });
  });

  it('keeps the order of the facts', () => {
    expect(Object.keys(inWords({ torch: '2.9', 'fabric.kind': 'ib', driver: '1' }))).toEqual([
      'torch',
      'fabric.kind',
      'driver',
    ]);
  });

  it('refuses a word that a closed key does not have, with what may have been meant', () => {
    const { code, text, details } = refusalOf({ driver: '1', 'fabric.kind': 'Infinband' });
    expect(code).toBe('INVALID_INPUT');
    expect(text).toEqual({
      en: 'facts.fabric.kind "Infinband" is none of infiniband, roce, none; did you mean infiniband?',
      zh: 'facts.fabric.kind 的取值“Infinband”不在 infiniband、roce、none 之列，是否指 infiniband？',
    });
    expect(details).toEqual({
      place: 'facts',
      key: 'fabric.kind',
      value: 'Infinband',
      values: ['infiniband', 'roce', 'none'],
    });
  });

  it('refuses without a guess where no word is near, also one of several values', () => {
    expect(refusalOf({ 'fabric.kind': ['ib', 'ethernet'] }).text).toEqual({
      en: 'facts.fabric.kind "ethernet" is none of infiniband, roce, none',
      zh: 'facts.fabric.kind 的取值“ethernet”不在 infiniband、roce、none 之列',
    });
    expect(refusalOf({ 'fabric.kind': true }).details['value']).toBe(true);
  });

  it('takes whole numbers from the smallest on for what is counted, also as text', () => {
    const counted = new Map([['nodes.count', { isClosed: false, least: 1, values: [] }]]);
    expect(inKnownWords({ 'nodes.count': ' 4 ' }, counted, 'facts')).toEqual({ 'nodes.count': 4 });
    expect(inKnownWords({ 'nodes.count': null }, counted, 'facts')).toEqual({ 'nodes.count': null });
    for (const value of [0, -3, 2.5, 'eight', true]) {
      expect(() => inKnownWords({ 'nodes.count': value }, counted, 'facts')).toThrow(
        `facts.nodes.count must be a whole number of at least 1, and is "${value}"`,
      );
    }
  });
});
