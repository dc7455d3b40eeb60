import { digestOf } from '../../domain/content/digest.js';
import { invalidInput } from '../../domain/errors.js';
import type { Viewer } from '../auth/viewer.js';
import type { Database, Db } from './database.js';
import { toJson } from './json.js';

/** What a mutation gives back to be kept for a repeated request: an id, or what cannot be derived from one again. */
type Kept = string | object;

interface Request {
  readonly clientMutationId?: string | null | undefined;
}

/**
 * Runs a change in one transaction. With a `clientMutationId` the same request again changes nothing and gives the same
 * result; the same id with another input is INVALID_INPUT. A change that fails is not remembered. What is no id is given back
 * as its JSON says it, the first time too.
 */
export async function once<T extends Kept, I extends Request>(
  db: Database,
  viewer: Viewer,
  mutation: string,
  input: I,
  change: (tx: Db) => Promise<T>,
): Promise<T> {
  const { clientMutationId } = input;
  const made = async (tx: Db): Promise<T> => asKept(await change(tx));
  if (clientMutationId === undefined || clientMutationId === null) return db.$transaction(made);
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
      // Only `made` below ever writes this column, and it wrote a T for this mutation.
      return handled.result as T;
    }
    const result = await made(tx);
    await tx.handledRequest.update({ where: { viewerId_clientMutationId: key }, data: { result } });
    return result;
  });
}

/** An object of our own types as the JSON that a repeated request gets of it. */
function asKept<T extends Kept>(result: T): T {
  if (typeof result === 'string') return result;
  const json: object = toJson(result);
  return json as T;
}
