import { OperatorError } from '../platform/operator-error.js';

/** How the commands for measurements end, beside what they find: a gate keeps 1 for a regression alone. */
export const exit = {
  /** What was asked could not be judged, read or reached. */
  UNJUDGED: 2,
  /** The server refused it. */
  REFUSED: 1,
  UNREACHABLE: 2,
  /** The command line itself is wrong. */
  USAGE: 64,
  /** A fault of the program. */
  FAULT: 70,
} as const;

/** Ends a command with a message and an exit code of its own. */
export class CommandError extends OperatorError {
  constructor(
    readonly exitCode: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(exit.USAGE, `error: ${message}`);
}
