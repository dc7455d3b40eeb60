import { describe, expect, it } from '@jest/globals';
import { glossaryIndex } from './glossary-index.js';
import { plainText } from './plain-text.js';
import { queryOf } from './query.js';
import { roughStem, SNIPPET_LIMIT, snippetOf } from './snippet.js';

const glossary = glossaryIndex([{ en: 'device memory', zh: '显存', synonymsEn: ['GPU memory'] }]);

/** The snippet with its matches in square brackets. */
function snippet(markdown: string, typed: string): string {
  const { text } = snippetOf(markdown, queryOf(typed, glossary).marks, glossary);
  return text.replaceAll('\ue000', '[').replaceAll('\ue001', ']');
}

describe('snippetOf', () => {
  it.each([
    ['Copies were slow.', 'copying', '[Copies] were slow.'],
    ['把并发调大后显存占用升到 92%。', '显存', '把并发调大后[显存]占用升到 92%。'],
    ['The GPU memory was full.', '显存', 'The [GPU memory] was full.'],
    ['显存不够。', 'GPU memory', '[显存]不够。'],
    ['提高利用率。', '提高利用率', '[提高利用率]。'],
    ['Set `NCCL_IB_HCA=mlx5_0`.', 'ib_hca', 'Set [NCCL_IB_HCA]=mlx5_0.'],
    ['Use ＮＣＣＬ here', 'nccl', 'Use [ＮＣＣＬ] here'],
    ['顯存不足', '显存', '[顯存]不足'],
    ['Kernels', 'kern', '[Kernels]'],
    ['Nothing of it.', 'kernel', 'Nothing of it.'],
    ['a \ue000trick\ue001 b', 'trick', 'a [trick] b'],
  ])('marks in "%s" what "%s" asks for', (markdown, typed, expected) => {
    expect(snippet(markdown, typed)).toBe(expected);
  });

  it('shows the part with most of what was asked for', () => {
    const text = `${'Memory. '.repeat(60)}At the end the copy of a tensor was slow. ${'More. '.repeat(60)}`;
    const shown = snippet(text, 'slow tensor copy memory');
    expect(shown).toContain('the [copy] of a [tensor] was [slow].');
    expect(shown.startsWith('…')).toBe(true);
    expect(shown.endsWith('…')).toBe(true);
  });

  it('is short, and parts no character', () => {
    for (const text of [
      '🚀'.repeat(400),
      `${'🚀'.repeat(301)}kernel${'🚀'.repeat(400)}`,
      '显'.repeat(900),
      'x'.repeat(900),
    ]) {
      const { text: shown } = snippetOf(text, queryOf('kernel', glossary).marks, glossary);
      expect(shown.replace(/[\ue000\ue001]/g, '').length).toBeLessThanOrEqual(SNIPPET_LIMIT);
      expect(shown).not.toMatch(/\p{Surrogate}/u);
    }
  });
});

describe('plainText', () => {
  it.each([
    ['# Head\n\n- one\n- **two** and *three*\n\n> quoted', 'Head one two and three quoted'],
    ['Run `nvidia-smi -pl 500`:\n```sh\nnvidia-smi\n```\ndone', 'Run nvidia-smi -pl 500: nvidia-smi done'],
    ['See [the guide](https://example.org/a) and ![a chart](x.png)', 'See the guide and a chart'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['a * b and snake_case_name', 'a * b and snake_case_name'],
    ['一行\n另一行\nEnglish', '一行另一行 English'],
    ['a<br>b <sub>c</sub> <cuda.h>', 'a b c <cuda.h>'],
  ])('of %j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  it('reads any 100 kB at once', () => {
    for (const mark of ['[', '*', '`', '|', '<', '![](', '# ', '\n']) plainText(mark.repeat(100_000 / mark.length));
    expect(plainText('x')).toBe('x');
  });
});

describe('roughStem', () => {
  it.each([
    ['pinned', 'pinning'],
    ['copies', 'copy'],
    ['caches', 'cached'],
    ['fragmentation', 'fragmented'],
  ])('is the same for %s and %s', (one, other) => {
    expect(roughStem(one)).toBe(roughStem(other));
  });
});
