import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** What somebody is told who listens to a channel of the database. */
export interface Listener {
  /** A message that somebody sent, once the transaction that sent it is committed. */
  heard(payload: string): void;
  /** Messages may have been lost, because the connection was. */
  missed(): void;
}

/** Listens to a channel until the function that it gives back is called. */
export type Listen = (channel: string, listener: Listener) => Promise<() => Promise<void>>;

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** Listens on a connection of its own, and connects again for as long as it takes when that one breaks. */
export function listenOnServer(databaseUrl: string): Listen {
  return async (channel, listener) => {
    let isStopped = false;
    const stopping = new AbortController();
    let client = await connect(databaseUrl, channel, listener);
    const follow = async (): Promise<void> => {
      while (!isStopped) {
        await client.lost;
        for (let wait = FIRST_WAIT_MS; !isStopped; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
          await sleep(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
          if (isStopped) return;
          const again = await connect(databaseUrl, channel, listener).catch(() => null);
          if (again === null) continue;
          client = again;
          listener.missed();
          break;
        }
      }
    };
    const following = follow();
    return async () => {
      isStopped = true;
      stopping.abort();
      await client.end();
      await following;
    };
  };
}

interface ListeningClient {
  /** Settles when the connection is gone. */
  readonly lost: Promise<void>;
  end(): Promise<void>;
}

async function connect(databaseUrl: string, channel: string, listener: Listener): Promise<ListeningClient> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'tunebook events',
    connectionTimeoutMillis: LONGEST_WAIT_MS,
    keepAlive: true,
  });
  const lost = new Promise<void>((settle) => {
    client.on('error', () => settle());
    client.on('end', () => settle());
  });
  client.on('notification', ({ payload }) => listener.heard(payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return { lost, end: () => client.end().catch(() => undefined) };
}
