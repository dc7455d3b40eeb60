import { describe, expect, it } from '@jest/globals';
import type { LocalizedText } from '../locale.js';
import { itemBody, partNames } from './item-body.js';

const none: LocalizedText = { en: null, zh: null };
const empty = { why: none, check: none, apply: none, measure: none, avoid: none, rollback: none };

describe('itemBody', () => {
  it('joins the parts that a language has, each under its heading', () => {
    const parts = { ...empty, rollback: { en: 'Unset it.', zh: null }, why: { en: 'It is slow.', zh: '太慢。' } };
    expect(itemBody(parts)).toEqual({
      en: '## Why it matters\n\nIt is slow.\n\n## How to roll back\n\nUnset it.',
      zh: '## 为什么重要\n\n太慢。',
    });
  });

  it('is null where there is no part', () => {
    expect(itemBody(empty)).toEqual({ en: null, zh: null });
  });

  it('has the parts in the order in which they are read', () => {
    expect(partNames).toEqual(['why', 'check', 'apply', 'measure', 'avoid', 'rollback']);
  });
});
