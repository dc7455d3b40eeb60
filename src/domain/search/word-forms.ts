/** Shorter words have too many accidental relatives: `cast` is not `casting`. */
const SHORTEST = 5;

/**
 * Other forms of an English word of the field that mean the same: `checkpointing` of `checkpoint`, `throttle` of
 * `throttling`, `quantized` of `quantization`. Spelling rules only, so some of them are no words; none for a name with
 * capitals or digits, or a short word. Plurals are not among them.
 */
export function formsOf(word: string): readonly string[] {
  if (word.length < SHORTEST || !/^[a-z]+$/.test(word)) return [];
  if (word.endsWith('ization')) {
    const stem = word.slice(0, -'ization'.length);
    return ['ize', 'ized', 'izing', 'isation'].map((ending) => `${stem}${ending}`);
  }
  if (!word.endsWith('ing')) return [`${word.replace(/e$/, '')}ing`];
  const stem = word.slice(0, -'ing'.length);
  // `pruning` is of `prune`, since of `prun` it would be `prunning`.
  if (/[^aeiou][aeiou][^aeiouwxy]$/.test(stem)) return [`${stem}e`];
  // Which one is the word depends on how it sounds: prefetch, throttl(e), pad(d).
  return [stem, `${stem}e`, ...(/([bdgmnprt])\1$/.test(stem) ? [stem.slice(0, -1)] : [])];
}
