/** The beginning of a text whose length, as lengths of texts are limited, is at most `most`; through no surrogate pair. */
export function cutToLength(text: string, most: number): string {
  return text.slice(0, most).replace(/\p{Surrogate}$/u, '');
}

/** The first `most` characters of a text, counted as code points: no half of a surrogate pair is left at its end. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
