import { describe, expect, it } from '@jest/globals';
import { misusedTerms, termRules } from './terms.js';

const rules = termRules([
  { en: 'all-reduce', zh: '全归约', avoidZh: ['全规约', '归约'] },
  { en: 'device memory', zh: '显存', synonymsEn: ['GPU memory'], avoidZh: ['设备内存'] },
  { en: 'reduction', zh: '归约' },
]);
const found = (en: string, zh: string) => misusedTerms(en, zh, rules).map((message) => message.en);

describe('misusedTerms', () => {
  it('finds a word that the glossary refuses, where the English has the term', () => {
    expect(found('One all-reduce a step.', '每步一次全规约。')).toEqual([
      'the glossary has “全归约” for "all-reduce", not “全规约”',
    ]);
    expect(misusedTerms('GPU memories fill up.', '设备内存占满。', rules)).toEqual([]);
    expect(misusedTerms('The GPU memory fills up.', '设备内存占满。', rules).map(({ zh }) => zh)).toEqual([
      '术语表中“device memory”译为“显存”，不用“设备内存”',
    ]);
  });

  it('lets a word stand inside a longer word of the glossary', () => {
    expect(found('All-reduces of gradients.', '梯度的全归约。')).toEqual([]);
    expect(found('All-reduces of gradients.', '梯度的归约。')).toHaveLength(1);
  });

  it('says nothing where the English does not have the term, or only as a part of another word', () => {
    expect(found('A sum over all ranks.', '全规约。')).toEqual([]);
    expect(found('An all-reduced tensor, and a non-all-reduce.', '全规约。')).toEqual([]);
  });

  it('passes over code', () => {
    expect(found('Call `all-reduce`.', '调用全规约。')).toEqual([]);
    expect(found('One all-reduce.', '一次 `全规约`。')).toEqual([]);
  });
});
