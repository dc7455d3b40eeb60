import type { PipeTransform } from '@nestjs/common';
import { Args } from '@nestjs/graphql';
import { invalidInput } from '../../domain/errors.js';

// In every filter a condition that is absent or null asks nothing, an empty list lets nothing through, and an empty text
// is refused: what a caller forgot to fill in must not widen what is listed or changed.

type FilterClass = abstract new (...args: never[]) => object;

/** INVALID_INPUT for a condition that is an empty text, or blanks alone; it names the condition. */
export function checkFilter(filter: object | null | undefined): void {
  for (const [name, value] of Object.entries(filter ?? {})) {
    if (typeof value !== 'string' || value.trim() !== '') continue;
    const place = `filter.${name}`;
    throw invalidInput(
      { en: `${place} is empty: leave it out to ask nothing of it`, zh: `${place} 为空：如不限制该条件，请省略此字段` },
      { place },
    );
  }
}

class NoEmptyText implements PipeTransform<object | null | undefined, object | null | undefined> {
  transform(filter: object | null | undefined): object | null | undefined {
    checkFilter(filter);
    return filter;
  }
}

/** The argument that says what of a list is wanted. */
export const Filter = (type: FilterClass, description = 'Which of them; all where absent'): ParameterDecorator =>
  Args('filter', { type: () => type, nullable: true, description }, new NoEmptyText());
