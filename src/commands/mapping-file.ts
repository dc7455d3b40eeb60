import { readContentFile } from '../domain/content/content-file.js';
import { givenMapping, type ColumnMapping } from '../domain/importers/mapped/index.js';
import { usageError } from './command-error.js';
import { readInputs } from './input-files.js';

/** How tables of a person's own are read. */
export interface MappingOptions {
  readonly format?: string;
  readonly formatBefore?: string;
  readonly formatAfter?: string;
  readonly mapping?: string;
  readonly mappingName?: string;
}

/** A mapping reads all files, so that no importer has a part in it. */
export function checkMappingOptions(options: MappingOptions): void {
  const format = options.format ?? options.formatBefore ?? options.formatAfter;
  if (format === undefined || (options.mapping ?? options.mappingName) === undefined) return;
  throw usageError('--mapping reads tables that no importer knows, so --format has no part in it');
}

/** What `--mapping` names: JSON or YAML in the shape of the API's ColumnMappingInput. Each fault is told with its place. */
export async function mappingIn(path: string): Promise<ColumnMapping> {
  const [file, ...others] = await readInputs([path]);
  if (!file || others.length > 0) throw usageError(`--mapping takes one file, and ${path} is a folder`);
  const reading = readContentFile(path, file.text, givenMapping);
  if ('read' in reading) return reading.read.data;
  const lines = reading.problems.map(({ line, path: place, message }) => {
    const at = [line === null ? path : `${path}:${line}`, place].filter((part) => part !== '').join(' ');
    return `  ${at}: ${message.en}`;
  });
  throw usageError([`the mapping in ${path} cannot be used`, ...lines].join('\n'));
}
