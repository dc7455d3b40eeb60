import type { BothLanguages } from './locale.js';

export type ErrorCode = 'NOT_FOUND' | 'FORBIDDEN' | 'UNAUTHENTICATED' | 'CONFLICT' | 'INVALID_INPUT' | 'LIMIT_EXCEEDED';

/** What a caller can understand and act on. Everything else that is thrown is a bug. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** One sentence for a person, in both languages, that names the bad value. */
    readonly text: BothLanguages,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(text.en);
    this.name = 'DomainError';
  }
}

type Details = Readonly<Record<string, unknown>>;

/** Nothing with this name or id exists, or the viewer may not know that it does. */
export function notFound(text: BothLanguages, details?: Details): DomainError {
  return new DomainError('NOT_FOUND', text, details);
}

/** The viewer may see the object, but lacks the right that the action needs. */
export function forbidden(text: BothLanguages, details?: Details): DomainError {
  return new DomainError('FORBIDDEN', text, details);
}

/** Nobody is signed in, and the action needs somebody. */
export function unauthenticated(text: BothLanguages, details?: Details): DomainError {
  return new DomainError('UNAUTHENTICATED', text, details);
}

/** The object changed meanwhile, or its state refuses the action. `details.current` is its state now. */
export function conflict(text: BothLanguages, details?: Details): DomainError {
  return new DomainError('CONFLICT', text, details);
}

/** A value that the caller gave cannot be used. The text names the place and the value. */
export function invalidInput(text: BothLanguages, details?: Details): DomainError {
  return new DomainError('INVALID_INPUT', text, details);
}

/** A size, depth or rate limit was passed. The text says which one and what it is. */
export function limitExceeded(text: BothLanguages, details?: Details): DomainError {
  return new DomainError('LIMIT_EXCEEDED', text, details);
}
