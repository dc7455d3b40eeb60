/**
 * Words of the vocabulary that a misspelled word may have meant, the likeliest first: at most one slip (a letter too
 * many, missing, wrong, or two swapped), two from eight letters on. Words with digits are never taken for misspelled:
 * FP4 is not FP8. Restricted Damerau–Levenshtein distance (optimal string alignment).
 */
export function similarWords(word: string, vocabulary: Iterable<string>, limit = 5): readonly string[] {
  if (word.length < 4 || word.length > 60 || /\d/.test(word)) return [];
  const allowed = word.length >= 8 ? 2 : 1;
  const found = new Map<string, number>();
  for (const candidate of vocabulary) {
    if (candidate.length < 3 || Math.abs(candidate.length - word.length) > allowed || found.has(candidate)) continue;
    const distance = distanceOf(word, candidate);
    // Few people miss the first letter, and it costs a candidate half a slip.
    if (distance > 0 && distance <= allowed) found.set(candidate, distance + (candidate[0] === word[0] ? 0 : 0.5));
  }
  return [...found]
    .sort(([one, first], [other, second]) => first - second || (one < other ? -1 : 1))
    .slice(0, limit)
    .map(([candidate]) => candidate);
}

/** Slips between two words: letters too many, missing, wrong, or two neighbors swapped (optimal string alignment). */
export function distanceOf(one: string, other: string): number {
  const width = other.length + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, place) => place);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column < width; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      let least = Math.min(replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwapped) least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[width - 1] ?? 0;
}
