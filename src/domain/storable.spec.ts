import { describe, expect, it } from '@jest/globals';
import { isStorable, storablePart, unstorableText } from './storable.js';

describe('a text that is to be stored', () => {
  it.each([
    ['a\0b', 'U+0000', 'U+0000'],
    ['a\ud800b', 'half of a surrogate pair (U+D800 to U+DFFF)', '不成对的代理项（U+D800 至 U+DFFF）'],
    ['a\udfff\0b', 'U+0000', 'U+0000'],
  ])('is refused with %j, which is named, or loses it', (text, en, zh) => {
    expect(isStorable(text)).toBe(false);
    expect(unstorableText(text)).toEqual({ en: `contains ${en}, which cannot be stored`, zh: `含有无法存储的字符：${zh}` });
    expect(storablePart(text)).toBe('ab');
  }); // prettier-ignore

  it.each(['', 'plain', '显存', '🚀', 'a\u0001\n'])('may be %j', (text) => {
    expect([isStorable(text), unstorableText(text), storablePart(text)]).toEqual([true, null, text]);
  });
});
