import { readFile, stat } from 'node:fs/promises';
import { decoded } from '../decoded-text.js';
import { isPlainNumbers, plainNumbersUnsaid, plainValues } from '../domain/comparison/plain-values.js';
import type { ColumnMapping } from '../domain/importers/mapped/index.js';
import { catalogLists } from './catalog-lists.js';
import { usageError } from './command-error.js';
import type { FileProblemReport } from './measure-report.js';

/** What somebody says of files of plain numbers. */
export interface PlainOptions {
  readonly metric?: string;
  readonly unit?: string;
  readonly direction?: 'higher' | 'lower';
}

/** A file of plain numbers as the API takes it, or why it is refused. */
export type PlainFile =
  { readonly content: string; readonly mapping: ColumnMapping } | { readonly problem: FileProblemReport };

/** Lists of numbers that people wrote are short. */
const LONGEST = 1024 * 1024;

/** Refuses what describes plain numbers in part, or other than the catalog does. */
export async function checkPlainOptions({ metric, unit, direction }: PlainOptions): Promise<void> {
  if ((unit ?? direction) === undefined) return;
  if (unit === undefined) throw usageError('--direction is of files of plain numbers, and needs --unit');
  if (metric === undefined) throw usageError('--unit and --direction describe one --metric');
  if (direction === undefined) return;
  const known = (await catalogLists()).metrics.get(metric)?.direction ?? null;
  const wanted = direction === 'higher' ? 'HIGHER_IS_BETTER' : 'LOWER_IS_BETTER';
  if (known !== null && known !== wanted)
    throw usageError(`the catalog says of ${metric} ${known}, so it is not "${direction}"`);
}

/** The numbers of a file that holds nothing else, as a table of one column; null for any other file. */
export async function plainFile(path: string, { metric, unit }: PlainOptions): Promise<PlainFile | null> {
  if ((await stat(path)).size > LONGEST) return null;
  const text = decoded(await readFile(path));
  if (!isPlainNumbers(text)) return null;
  if (metric === undefined || unit === undefined) return { problem: blocking(null, plainNumbersUnsaid.en) };
  const reading = plainValues(text, { key: metric, unit });
  const [problem] = reading?.problems ?? [];
  if (problem) return { problem: blocking(problem.line, problem.message.en) };
  const values = (reading?.runs ?? []).flatMap(({ observations }) =>
    observations.flatMap(({ repeats = [], value }) => (repeats.length > 0 ? repeats : [value])),
  );
  return { content: ['value', ...values.map(String), ''].join('\n'), mapping: mappingOf(metric, unit) };
}

function mappingOf(metric: string, unit: string): ColumnMapping {
  return {
    layout: 'WIDE',
    rows: 'GROUPED',
    decimal: '.',
    columns: [{ column: 'value', role: 'METRIC', metric, unit, dimensions: {} }],
    fixed: { environment: {}, workload: {}, dimensions: {} },
    metrics: [],
  };
}

function blocking(line: number | null, message: string): FileProblemReport {
  return { line, message, isBlocking: true };
}
