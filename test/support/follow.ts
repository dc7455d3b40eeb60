import type { AddressInfo } from 'node:net';
import { createClient, type Client, type ExecutionResult } from 'graphql-ws';
import WebSocket from 'ws';
import type { TestApp } from './app.js';

/** A subscription that a spec reads event by event. */
export interface Following {
  /** The next event; rejects when the subscription ended, and after a time that only a hang needs. */
  next(): Promise<ExecutionResult<Record<string, unknown>>>;
  /** Whether it ended. */
  readonly isOver: () => boolean;
  stop(): Promise<void>;
}

const HANGING_MS = 20_000;

/** Lets the application listen, so that subscriptions can be made; the address. */
export async function listening(app: TestApp): Promise<string> {
  await app.nest.listen(0, '127.0.0.1');
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  return `ws://127.0.0.1:${port}/graphql`;
}

/** Connects as this viewer, as nobody for null; `headers` are sent with the upgrade. */
export function connected(
  url: string,
  viewer: { readonly id: string } | null,
  headers: Readonly<Record<string, string>> = {},
): Client {
  class Impl extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers: { ...headers, ...(viewer ? { 'x-test-viewer': viewer.id } : {}) } });
    }
  }
  return createClient({ url, webSocketImpl: Impl, retryAttempts: 0, lazy: true });
}

/** Follows by a query of a subscription. */
export function follow(client: Client, query: string, variables: Record<string, unknown> = {}): Following {
  const events = client.iterate({ query, variables });
  let isOver = false;
  return {
    isOver: () => isOver,
    next: async () => {
      let timer: NodeJS.Timeout | undefined;
      const hang = new Promise<never>((_, fail) => {
        timer = setTimeout(() => fail(new Error('No event came')), HANGING_MS);
      });
      try {
        const { done, value } = await Promise.race([events.next(), hang]);
        if (done === true) {
          isOver = true;
          throw new Error('The subscription ended');
        }
        return value as ExecutionResult<Record<string, unknown>>;
      } finally {
        clearTimeout(timer);
      }
    },
    stop: async () => {
      await events.return?.();
      await client.dispose();
    },
  };
}

export interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: unknown;
}

/** A connection on which a spec says what a well-behaved client does not. */
export interface Talk {
  say(message: object): void;
  /** The next message of this kind that was not asked for before. */
  heard(kind: (message: Message) => boolean): Promise<Message>;
  all(): readonly Message[];
  /** The code and the reason by which the service closes it. */
  closed(): Promise<[number, string]>;
  close(): Promise<void>;
}

/** Opens a connection as this viewer by the protocol graphql-transport-ws. */
export async function talking(url: string, viewer: { readonly id: string }): Promise<Talk> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers: { 'x-test-viewer': viewer.id } });
  const messages: Message[] = [];
  const taken = new Set<Message>();
  const waiting = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()) as Message);
    for (const look of [...waiting]) look();
  });
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const talk: Talk = {
    say: (message) => socket.send(JSON.stringify(message)),
    heard: (kind) =>
      new Promise((resolve, reject) => {
        const hang = setTimeout(
          () => reject(new Error(`Not heard; ${JSON.stringify(messages).slice(-500)}`)),
          HANGING_MS,
        );
        const look = (): void => {
          const found = messages.find((message) => !taken.has(message) && kind(message));
          if (!found) return;
          taken.add(found);
          waiting.delete(look);
          clearTimeout(hang);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    all: () => messages,
    closed: () => closed,
    close: async () => {
      socket.close();
      await closed;
    },
  };
  talk.say({ type: 'connection_init' });
  await talk.heard(({ type }) => type === 'connection_ack');
  return talk;
}
