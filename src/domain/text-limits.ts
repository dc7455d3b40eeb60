import { invalidInput } from './errors.js';

/** Longest texts, in UTF-16 code units. */
export const TEXT_LIMITS = { name: 200, tag: 64, long: 100_000 } as const;

/** The text without blanks around it; INVALID_INPUT where nothing is left or it is too long. */
export function requiredText(value: string, place: string, limit: number = TEXT_LIMITS.name): string {
  const text = value.trim();
  if (text.length === 0) throw invalidInput({ en: `${place} is empty`, zh: `${place} 为空` }, { place });
  return withinLimit(text, place, limit);
}

/** The text as it is, or null; INVALID_INPUT where it is too long. Blank text is null. */
export function optionalText(
  value: string | null | undefined,
  place: string,
  limit: number = TEXT_LIMITS.long,
): string | null {
  if (value === null || value === undefined || value.trim().length === 0) return null;
  return withinLimit(value, place, limit);
}

function withinLimit(text: string, place: string, limit: number): string {
  if (text.length > limit) {
    throw invalidInput(
      {
        en: `${place} has ${text.length} characters; at most ${limit} are kept`,
        zh: `${place} 有 ${text.length} 个字符，最多 ${limit} 个`,
      },
      { place, limit },
    );
  }
  return text;
}

/** The words of a list without blanks and repeats; INVALID_INPUT where one is empty or too long, or there are too many. */
export function textList(values: readonly string[], place: string, most: number): string[] {
  if (values.length > most) {
    throw invalidInput(
      {
        en: `${place} has ${values.length} entries; at most ${most} are kept`,
        zh: `${place} 有 ${values.length} 项，最多 ${most} 项`,
      },
      { place, limit: most },
    );
  }
  return [...new Set(values.map((value, index) => requiredText(value, `${place}[${index}]`)))];
}
