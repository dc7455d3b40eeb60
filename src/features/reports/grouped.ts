/** The rows by what they are of, in their order; the groups stand in the order in which their keys come first. */
export function grouped<R>(rows: readonly R[], keyOf: (row: R) => string): ReadonlyMap<string, readonly R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const known = groups.get(keyOf(row));
    if (known) known.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
