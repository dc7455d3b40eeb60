/** Rows of one statement: few enough for its parameters. */
const BATCH = 500;

/** Parts of a list, each few enough for one statement. */
export function* batches<T>(rows: readonly T[], size = BATCH): Generator<T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}
