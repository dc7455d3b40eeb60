import { codeOf } from '../domain/error-code.js';
import { ownValue } from '../domain/own-value.js';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of its path is no folder',
  ELOOP: 'its links go in a circle',
  ENOSPC: 'no space is left on the device',
  EROFS: 'the file system can only be read',
};

/** Why the system refused it, in words where the code is a common one. */
export function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  const reason = code === null ? undefined : ownValue(reasons, code);
  if (reason !== undefined) return reason;
  return cause instanceof Error ? cause.message : String(cause);
}
