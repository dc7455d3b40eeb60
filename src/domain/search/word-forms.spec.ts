import { describe, expect, it } from '@jest/globals';
import { formsOf } from './word-forms.js';

describe('formsOf', () => {
  it.each([
    ['checkpoint', ['checkpointing']],
    ['decode', ['decoding']],
    ['throttling', ['throttl', 'throttle']],
    ['striping', ['stripe']],
    ['padding', ['padd', 'padde', 'pad']],
    ['quantization', ['quantize', 'quantized', 'quantizing', 'quantisation']],
  ])('of %s', (word, forms) => {
    expect(formsOf(word)).toEqual(forms);
  });

  it.each(['cast', 'Docker', 'NVMe', 'int8', '检查点'])('are none for %s', (word) => {
    expect(formsOf(word)).toEqual([]);
  });
});
