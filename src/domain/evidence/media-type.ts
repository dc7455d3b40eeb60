import { ownValue } from '../own-value.js';
const UNKNOWN = 'application/octet-stream';

/** What no browser runs or renders, as it is sent. */
const inert: Readonly<Record<string, string>> = {
  'text/plain': 'text/plain; charset=utf-8',
  'text/csv': 'text/csv; charset=utf-8',
  'application/json': 'application/json',
  'application/x-ndjson': 'application/x-ndjson',
  'application/gzip': 'application/gzip',
  'application/zip': 'application/zip',
  'application/zstd': 'application/zstd',
};

/** The media type that an upload names for a file, without its parameters; `application/octet-stream` for none. */
export function declaredMediaType(given: string): string {
  const [type = ''] = given.split(';');
  const name = type.trim().toLowerCase();
  return name.length <= 100 && /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/.test(name) ? name : UNKNOWN;
}

/** The media type under which a file is sent: whoever uploaded it may have named one that a browser would render. */
export function servedMediaType(declared: string): string {
  return ownValue(inert, declared) ?? UNKNOWN;
}
