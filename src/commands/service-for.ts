import { localService, type LocalService } from '../local-service.js';
import { readConfig } from '../platform/config.js';
import { explain } from '../platform/explain.js';
import { CommandError, exit, usageError } from './command-error.js';
import { remoteService } from './remote-service.js';

export interface ServerOptions {
  readonly server?: string;
  readonly token?: string;
  readonly retries?: string;
  readonly timeout?: string;
}

/** The API that a command is for: a server that is named, else the instance on this machine. */
export async function serviceFor({ server, token, retries, timeout }: ServerOptions): Promise<LocalService> {
  const address = server ?? process.env.TUNEBOOK_SERVER ?? '';
  if (address !== '') {
    return remoteService({
      server: address,
      token: token ?? process.env.TUNEBOOK_TOKEN ?? null,
      retries: wholeNumber(retries ?? '4', '--retries'),
      timeoutSeconds: wholeNumber(timeout ?? '120', '--timeout'),
    });
  }
  try {
    return await localService(readConfig(process.env));
  } catch (error) {
    throw new CommandError(exit.UNREACHABLE, explain(error), { cause: error });
  }
}

function wholeNumber(text: string, option: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw usageError(`${option} takes a whole number, not "${text}"`);
}
