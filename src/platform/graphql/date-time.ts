import { GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTime } from 'graphql-scalars';
import { cutText } from '../../domain/cut-text.js';
import { invalidInput, type DomainError } from '../../domain/errors.js';
import { isWritableTime } from '../../domain/time.js';

/**
 * The times of the API. What is no time, or lies outside the years that the database can give back, is refused wherever
 * it is given: INVALID_INPUT names the value.
 */
export const DateTime = new GraphQLScalarType<Date, Date>({
  ...GraphQLDateTime.toConfig(),
  description: `${GraphQLDateTime.description ?? ''} The years 1 to 9999 in UTC are taken.`,
  parseValue: (value) => readable(value),
  parseLiteral: (literal) => readable(literal.kind === Kind.STRING ? literal.value : null),
});

function readable(value: unknown): Date {
  const at = parsed(value);
  if (at === null) throw noTime(value);
  if (!isWritableTime(at)) throw outOfRange(String(value));
  return at;
}

function parsed(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  try {
    return GraphQLDateTime.parseValue(value);
  } catch {
    // All that it throws says that the text is no date and time
    return null;
  }
}

function noTime(value: unknown): DomainError {
  const given = typeof value === 'string' ? `"${value}"` : String(JSON.stringify(value));
  const shown = cutText(given, 100);
  return invalidInput(
    {
      en: `${shown} is no time as 2026-12-01T08:00:00Z`,
      zh: `${shown} 不是 2026-12-01T08:00:00Z 这种格式的时间`,
    },
    { value: shown },
  );
}

function outOfRange(value: string): DomainError {
  return invalidInput(
    {
      en: `The time ${value} lies outside the years 1 to 9999 in UTC`,
      zh: `时间 ${value} 超出 UTC 公元 1 至 9999 年的范围`,
    },
    { value },
  );
}
