/** What the system or Node.js calls an error of its own, such as `ENOENT`; null for any other. */
export function codeOf(error: unknown): string | null {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}
