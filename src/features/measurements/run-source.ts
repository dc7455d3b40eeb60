import type { RunSource } from '../../generated/prisma/enums.js';
import type { Viewer } from '../../platform/auth/viewer.js';

/** Where a run came from: from CI whenever a machine sent it, however it did. */
export function sourceFor({ tokenId }: Viewer, byPerson: RunSource): RunSource {
  return tokenId === undefined ? byPerson : 'CI';
}
