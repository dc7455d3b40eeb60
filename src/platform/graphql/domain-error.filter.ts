import { Catch, Logger, type ExceptionFilter } from '@nestjs/common';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { MercuriusContext, MercuriusOptions } from 'mercurius';
import { cutText } from '../../domain/cut-text.js';
import { DomainError } from '../../domain/errors.js';
import { textIn, type BothLanguages, type Locale } from '../../domain/locale.js';
import { QUERY_LIMITS } from './input-check.js';

const log = new Logger('GraphQL');

interface Cause {
  readonly originalError?: unknown;
  readonly cause?: unknown;
}

/** The error that a resolver threw, under what GraphQL wrapped around it. */
function thrown(error: unknown): unknown {
  let inner = error;
  for (let depth = 0; depth < 5; depth++) {
    if (inner instanceof DomainError || typeof inner !== 'object' || inner === null) return inner;
    const { originalError } = inner as Cause;
    if (originalError === undefined || originalError === null) return inner;
    inner = originalError;
  }
  return inner;
}

/** Lets errors that a caller can understand through as they are: without it, Nest logs each of them as a failure. */
@Catch(DomainError)
export class DomainErrorFilter implements ExceptionFilter<DomainError> {
  catch(error: DomainError): never {
    throw error;
  }
}

/** Errors of the request itself: syntax, validation, variables, HTTP. Their text speaks of the caller's own query. */
function requestErrors(error: unknown): readonly GraphQLError[] | null {
  if (error instanceof GraphQLError) return error.path === undefined || error.path.length === 0 ? [error] : null;
  if (typeof error !== 'object' || error === null) return null;
  const { errors, code, statusCode, message } = error as {
    errors?: unknown;
    code?: unknown;
    statusCode?: unknown;
    message?: unknown;
  };
  if (Array.isArray(errors) && errors.every((one) => one instanceof Error)) {
    return errors.map((one) => (one instanceof GraphQLError ? one : new GraphQLError(one.message)));
  }
  if (typeof code === 'string' && typeof statusCode === 'number' && statusCode < 500) {
    return [new GraphQLError(String(message))];
  }
  return null;
}

/** The limit of the service that a request passed, in words. */
function passedLimit(error: unknown): BothLanguages | null {
  if (typeof error !== 'object' || error === null) return null;
  const { statusCode, errors } = error as { statusCode?: unknown; errors?: unknown };
  if (statusCode === 413) {
    return { en: 'The request body is larger than the limit of the service', zh: '请求体超过服务的大小上限' };
  }
  const { depth, tokens } = QUERY_LIMITS;
  for (const { code, name, message } of Array.isArray(errors) ? (errors as { [key: string]: unknown }[]) : []) {
    // A query that the parser cannot follow has used the stack up.
    if (code === 'MER_ERR_GQL_QUERY_DEPTH' || name === 'RangeError') {
      return { en: `The query is nested deeper than ${depth} levels`, zh: `查询嵌套超过 ${depth} 层` };
    }
    if (/Document contains more that \d+ tokens/.test(String(message))) {
      return { en: `The query has more than ${tokens} tokens`, zh: `查询超过 ${tokens} 个词元` };
    }
  }
  return null;
}

/** Longest message: enough for a sentence that names a value, not for the value of a whole file. */
const MESSAGE_LIMIT = 1_000;

function shortened(message: string): string {
  return message.length > MESSAGE_LIMIT ? `${cutText(message, MESSAGE_LIMIT)} …` : message;
}

/** An error that a caller can understand, in their language. */
function inWords({ code, text, details }: DomainError, locale: Locale) {
  return { message: shortened(textIn(text, locale)), extensions: { ...details, code } };
}

function formatted(error: GraphQLError, locale: Locale): GraphQLFormattedError[] {
  const { path, locations } = error;
  const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  const inner = thrown(error);
  if (inner instanceof DomainError) return [{ ...inWords(inner, locale), ...place }];
  const limit = passedLimit(inner);
  if (limit) return [{ message: textIn(limit, locale), extensions: { code: 'LIMIT_EXCEEDED' } }];
  const ofRequest = requestErrors(inner);
  if (ofRequest) {
    return ofRequest.map((one) => {
      const refused = thrown(one);
      const said = refused instanceof DomainError ? inWords(refused, locale) : null;
      return {
        message: said?.message ?? shortened(one.message),
        ...(one.locations ? { locations: one.locations } : {}),
        ...(one.path ? { path: one.path } : {}),
        extensions: said?.extensions ?? { code: 'INVALID_INPUT' },
      };
    });
  }
  log.error(inner instanceof Error ? (inner.stack ?? inner.message) : String(inner));
  const message = textIn({ en: 'Something went wrong in the service', zh: '服务内部出错' }, locale);
  return [{ message, ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
}

/** An error as one that the library sends as it is: where it formats none itself. */
export function spoken(error: unknown, locale: Locale): GraphQLError {
  const whole = error instanceof GraphQLError ? error : new GraphQLError('', { originalError: asError(error) });
  const [{ message, extensions } = { message: '' }] = formatted(whole, locale);
  return new GraphQLError(message, extensions ? { extensions } : {});
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function localeOf(context: unknown): Locale {
  const viewer = (context as { viewer?: { locale?: Locale } } | null)?.viewer;
  return viewer?.locale ?? 'EN';
}

/**
 * Turns errors into the answer: a DomainError by its code, text and details; an error of the request as INVALID_INPUT;
 * anything else is a bug, is logged, and shows nothing of itself.
 */
export const errorFormatter: NonNullable<MercuriusOptions['errorFormatter']> = (
  execution,
  context: MercuriusContext,
) => ({
  statusCode: 200,
  response: {
    data: execution.data ?? null,
    errors: (execution.errors ?? []).flatMap((error) => formatted(error, localeOf(context))) as GraphQLError[],
  },
});
