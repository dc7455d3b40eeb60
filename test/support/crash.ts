import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/database/connect.js';
import { startProcess } from './processes.js';

export interface CrashRound {
  /** When the writer was killed, after its first acknowledged row. */
  readonly killedAfterMs: number;
  readonly acknowledged: number;
  /** Acknowledged rows that are not there any more. */
  readonly lost: readonly number[];
  /** Rows that are there without having been acknowledged: the one that was under way, at most. */
  readonly unacknowledged: readonly number[];
}

/**
 * Starts a process that writes into the data folder, kills it at a moment that the seed decides, opens the folder again
 * and compares. A folder can be used for many rounds.
 */
export async function crashRound(dataFolder: string, seed: number, image?: string): Promise<CrashRound> {
  const killedAfterMs = Math.round(20 + 480 * fraction(seed));
  const writer = startProcess('write-rows.ts', dataFolder, ...(image === undefined ? [] : [image]));
  await writer.firstLine;
  await sleep(killedAfterMs);
  writer.process.kill('SIGKILL');
  await writer.ended;
  const acknowledged = writer.lines.map(Number);

  const database = await openDatabase({ databaseUrl: null, dataFolder });
  try {
    const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM written ORDER BY id');
    const found = new Set(rows.map((row) => row.id));
    const last = acknowledged.at(-1) ?? 0;
    return {
      killedAfterMs,
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((id) => !found.has(id)),
      unacknowledged: [...found].filter((id) => id > last),
    };
  } finally {
    await database.close();
  }
}

/** A number from 0 to 1 that depends on the seed alone (the finalizer of MurmurHash3). */
function fraction(seed: number): number {
  let bits = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
