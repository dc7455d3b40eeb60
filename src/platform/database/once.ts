import { digestOf } from '../../domain/content/digest.js';
import { invalidInput } from '../../domain/errors.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Viewer } from '../auth/viewer.js';
import type { Database, Db } from './database.js';

/** What a mutation gives back to be kept for a repeated request: an id, or a JSON value. */
type Kept = string | Prisma.InputJsonObject;

interface Request {
  readonly clientMutationId?: string | null | undefined;
}

/**
 * Runs a change in one transaction. With a `clientMutationId` the same request again changes nothing and gives the same
 * result; the same id with another input is INVALID_INPUT. A change that fails is not remembered.
 */
export async function once<T extends Kept, I extends Request>(
  db: Database,
  viewer: Viewer,
  mutation: string,
  input: I,
  change: (tx: Db) => Promise<T>,
): Promise<T> {
  const { clientMutationId } = input;
  if (clientMutationId === undefined || clientMutationId === null) return db.$transaction(change);
  if (clientMutationId.length === 0 || clientMutationId.length > 200) {
    throw invalidInput({
      en: `clientMutationId needs 1 to 200 characters, and has ${clientMutationId.length}`,
      zh: `clientMutationId 须为 1 至 200 个字符，现为 ${clientMutationId.length} 个`,
    });
  }
  const inputDigest = digestOf(input);
  const key = { viewerId: viewer.id, clientMutationId };
  return db.$transaction(async (tx) => {
    // Waits for another request with the same id that is still under way; then finds what it left.
    const { count } = await tx.handledRequest.createMany({
      data: [{ ...key, mutation, inputDigest }],
      skipDuplicates: true,
    });
    if (count === 0) {
      const handled = await tx.handledRequest.findUniqueOrThrow({ where: { viewerId_clientMutationId: key } });
      if (handled.mutation !== mutation || handled.inputDigest !== inputDigest) {
        throw invalidInput(
          {
            en: `clientMutationId "${clientMutationId}" was used for another request`,
            zh: `clientMutationId“${clientMutationId}”已用于另一个请求`,
          },
          { clientMutationId },
        );
      }
      // Only `change` below ever writes this column, and it wrote a T for this mutation.
      return handled.result as T;
    }
    const result = await change(tx);
    await tx.handledRequest.update({ where: { viewerId_clientMutationId: key }, data: { result } });
    return result;
  });
}
