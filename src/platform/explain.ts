import { codeOf } from '../domain/error-code.js';
import { ConfigError } from './config.js';
import { DatabaseUnavailableError } from './database/connect.js';
import { DataFolderBusyError } from './database/data-folder-lock.js';
import { MigrationError } from './database/migrate.js';
import { OperatorError } from './operator-error.js';

export { OperatorError };

/** What to say where listening failed because another program listens there; null for any other error. */
export function portTaken(error: unknown, host: string, port: number): OperatorError | null {
  if (codeOf(error) !== 'EADDRINUSE') return null;
  const message = `Port ${port} on ${host} is taken by another program: stop it, or set PORT.`;
  return new OperatorError(message, { cause: error });
}

/** Errors whose message says all, so that a stack would only hide it. */
const forTheOperator = [OperatorError, ConfigError, DatabaseUnavailableError, DataFolderBusyError, MigrationError];

/** What to print of an error that ends a program: the message where it says all, else with the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = forTheOperator.some((kind) => error instanceof kind);
  return isExpected ? error.message : (error.stack ?? error.message);
}
