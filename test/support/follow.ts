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
