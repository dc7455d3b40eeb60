import { expect } from '@jest/globals';
import type { Client, TestApp } from './app.js';
import { added, rowsOf } from './rows.js';

export interface Refusal {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly extensions: Record<string, unknown> | undefined;
}

/** Sends a mutation that must be refused, and sees that no table has another row than before. */
export async function refused(app: TestApp, client: Client, mutation: string, input: object): Promise<Refusal> {
  // The first request of all makes the owner.
  await client.send('{ viewer { id } }');
  const before = await rowsOf(app.db);
  const { data, errors, errorCode } = await client.send(mutation, { input });
  expect(added(before, await rowsOf(app.db))).toEqual({});
  expect(data).toBeNull();
  return { code: errorCode, message: errors[0]?.message, extensions: errors[0]?.extensions };
}
