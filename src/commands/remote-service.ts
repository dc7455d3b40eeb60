import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { LocalService, ServiceAnswer } from '../local-service.js';
import { CommandError, exit, usageError } from './command-error.js';

/** Where another Tunebook is, and how long to try to reach it. */
export interface RemoteOptions {
  readonly server: string;
  readonly token: string | null;
  /** Further tries after the first, with growing pauses. */
  readonly retries: number;
  readonly timeoutSeconds: number;
}

/** The first pause; each one after it is twice as long. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** An answer that another try may better. */
class Unreachable extends Error {
  constructor(
    message: string,
    readonly pauseMs: number | null = null,
  ) {
    super(message);
  }
}

/**
 * The API of a server that is reached over the network. What does not get through is sent again, so whatever changes
 * something must carry a clientMutationId. The token is in no message.
 */
export function remoteService(options: RemoteOptions): LocalService {
  const url = addressOf(options.server);
  const token = checkedToken(options.token);
  return {
    ask: async (query, variables) => {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await ask(url, token, JSON.stringify({ query, variables }), options.timeoutSeconds);
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error;
          if (attempt >= options.retries) throw new CommandError(exit.UNREACHABLE, error.message, { cause: error });
          await sleep(Math.min(LONGEST_PAUSE_MS, error.pauseMs ?? FIRST_PAUSE_MS * 2 ** attempt));
        }
      }
    },
    close: () => Promise.resolve(),
  };
}

function addressOf(server: string): URL {
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw usageError(`--server takes an address such as https://tunebook.example.org, not "${server}"`);
  }
  const url = new URL(server);
  if (url.username !== '' || url.password !== '') throw usageError('--server takes no user or password in the address');
  if (!url.pathname.endsWith('/graphql')) url.pathname = `${url.pathname.replace(/\/$/, '')}/graphql`;
  url.search = '';
  return url;
}

/** A header with a line break would be refused by an error that repeats it. */
function checkedToken(token: string | null): string | null {
  const trimmed = token?.trim() ?? '';
  if (trimmed === '') return null;
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw usageError('the token holds characters that no token has');
}

async function ask(url: URL, token: string | null, body: string, timeoutSeconds: number): Promise<ServiceAnswer> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      // a token must not follow to wherever an answer points
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    });
    text = await response.text();
  } catch (cause) {
    throw unreached(url, cause, timeoutSeconds);
  }
  return answerOf(url, response, text);
}

function answerOf(url: URL, { status, headers }: Response, text: string): ServiceAnswer {
  const answer = parsed(text);
  const message = answer?.errors?.map((error) => error.message).join('\n');
  const code = answer?.errors?.[0]?.extensions?.code;
  if (status === 401 || code === 'UNAUTHENTICATED') {
    const hint = 'Set TUNEBOOK_TOKEN to a service token that is valid.';
    throw new CommandError(exit.REFUSED, `${url.origin} does not know who asks: ${message ?? 'HTTP 401'}. ${hint}`);
  }
  if (status === 403) throw new CommandError(exit.REFUSED, `${url.origin} refuses it: ${message ?? 'HTTP 403'}`);
  if (status === 413) throw new CommandError(exit.REFUSED, `${url.origin} does not take files of this size (HTTP 413)`);
  if (status === 429 || status >= 500) {
    const seconds = Number(headers.get('retry-after') ?? NaN);
    throw new Unreachable(`${url.origin} answers with HTTP ${status}`, seconds >= 0 ? seconds * 1000 : null);
  }
  if (status >= 300 && status < 400) {
    const to = headers.get('location') ?? 'nowhere';
    throw new CommandError(exit.UNREACHABLE, `${url.origin} points to ${to}: give that address as --server`);
  }
  if (answer) return answer;
  throw new CommandError(exit.UNREACHABLE, `What answers at ${url.href} is no Tunebook (HTTP ${status})`);
}

const answerShape = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }))
    .optional(),
});

function parsed(text: string): ServiceAnswer | null {
  try {
    const value: unknown = JSON.parse(text);
    const isAnswer = typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);
    return isAnswer ? (answerShape.safeParse(value).data ?? null) : null;
  } catch {
    return null;
  }
}

/** A certificate that is refused stays refused; all else may have been a moment of the network. */
function unreached(url: URL, error: unknown, timeoutSeconds: number): Error {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new Unreachable(`${url.origin} did not answer within ${timeoutSeconds} s`);
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER|SIGNATURE/.test(code)) {
    const hint = 'Where it is of your own authority, name the file of that in NODE_EXTRA_CA_CERTS.';
    return new CommandError(exit.UNREACHABLE, `The certificate of ${url.origin} is not trusted (${code}). ${hint}`);
  }
  const reasons: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'there is no such host',
    EAI_AGAIN: 'its name cannot be looked up',
    ECONNRESET: 'the connection was cut',
  };
  return new Unreachable(`${url.origin} cannot be reached: ${reasons[code] ?? (code || 'the network failed')}`);
}
