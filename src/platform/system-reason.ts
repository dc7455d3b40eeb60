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
  if (code !== null && Object.hasOwn(reasons, code)) return reasons[code] ?? code;
  return cause instanceof Error ? cause.message : String(cause);
}

/** What the system calls an error of its own; null for any other. */
export function codeOf(cause: unknown): string | null {
  const code: unknown = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : null;
}
