import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  evidenceAnswer,
  evidenceForm,
  evidencePath,
  refusalAnswer,
  streamed,
  type EvidenceForm,
  type StreamedRequest,
} from '../evidence-form.js';
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
  const { timeoutSeconds } = options;
  return {
    ask: (query, variables) =>
      withRetries(options, async () => {
        const headers = headersOf(token, 'application/json');
        const body = JSON.stringify({ query, variables });
        const { response, text } = await sent(url, { headers, body }, timeoutSeconds);
        return answerOf(url, response, text);
      }),
    upload: (projectId, file) =>
      withRetries(options, async () => {
        const form = evidenceForm(file);
        const to = new URL(url);
        to.pathname = url.pathname.replace(/\/graphql$/, evidencePath(projectId));
        const headers = headersOf(token, form.contentType);
        const { response, text } = await sent(to, { headers, form }, timeoutSeconds);
        return evidenceOf(to, response, text);
      }),
    close: () => Promise.resolve(),
  };
}

async function withRetries<T>({ retries }: RemoteOptions, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (attempt >= retries) throw new CommandError(exit.UNREACHABLE, error.message, { cause: error });
      await sleep(Math.min(LONGEST_PAUSE_MS, error.pauseMs ?? FIRST_PAUSE_MS * 2 ** attempt));
    }
  }
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

function headersOf(token: string | null, contentType: string): Headers {
  const headers = new Headers({ 'content-type': contentType });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  // Where no token is shown, an upload says by this that no page of another site sends it
  else headers.set('x-tunebook', '1');
  return headers;
}

interface Sending {
  readonly headers: Headers;
  readonly body?: string;
  /** A file in place of a body: every piece that leaves proves that the server is still there. */
  readonly form?: EvidenceForm;
}

async function sent(url: URL, { headers, body, form }: Sending, timeoutSeconds: number) {
  const silence = new Silence(timeoutSeconds);
  const request: StreamedRequest = {
    method: 'POST',
    headers,
    ...(form ? { body: streamed(silence.endedBy(form.pieces())) } : { body }),
    duplex: 'half',
    // a token must not follow to wherever an answer points
    redirect: 'manual',
    signal: silence.signal,
  };
  try {
    const response = await fetch(url, request);
    return { response, text: await response.text() };
  } catch (cause) {
    throw silence.signal.aborted
      ? new Unreachable(`${url.origin} did not answer within ${timeoutSeconds} s`)
      : unreached(url, cause);
  } finally {
    silence.end();
  }
}

/** Ends a request in which nothing happens for so many seconds. */
class Silence {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(seconds: number) {
    this.timer = setTimeout(() => this.controller.abort(), seconds * 1000);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async *endedBy(pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.timer.refresh();
      yield piece;
    }
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

function answerOf(url: URL, response: Response, text: string): ServiceAnswer {
  const answer = parsed(text);
  const message = answer?.errors?.map((error) => error.message).join('\n');
  refuseFailure(url, response, answer?.errors?.[0]?.extensions?.code, message);
  if (answer) return answer;
  throw noTunebook(url, response);
}

function evidenceOf(url: URL, response: Response, text: string): string {
  const answer = jsonOf(text);
  const refusal = refusalAnswer.safeParse(answer).data;
  refuseFailure(url, response, refusal?.code, refusal?.message);
  if (refusal) throw new CommandError(exit.REFUSED, refusal.message);
  const evidence = evidenceAnswer.safeParse(answer).data;
  if (evidence) return evidence.id;
  throw noTunebook(url, response);
}

/** Throws where the status, or the code of an error, says that nothing was done. */
function refuseFailure(
  url: URL,
  { status, headers }: Response,
  code: string | undefined,
  message: string | undefined,
): void {
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
}

function noTunebook(url: URL, { status }: Response): CommandError {
  return new CommandError(exit.UNREACHABLE, `What answers at ${url.href} is no Tunebook (HTTP ${status})`);
}

const answerShape = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }))
    .optional(),
});

function parsed(text: string): ServiceAnswer | null {
  const value = jsonOf(text);
  const isAnswer = typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);
  return isAnswer ? (answerShape.safeParse(value).data ?? null) : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A certificate that is refused stays refused; all else may have been a moment of the network. */
function unreached(url: URL, error: unknown): Error {
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
