/** A table of a terminal: dashes under the names of the columns, blanks between them. */
export interface DashedTable {
  /** Line of the names, from 1. */
  readonly line: number;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** The first lines behind the table. */
  readonly footer: readonly string[];
}

const FOOTER_LINES = 4;
/** No tool prints more: each row is cut once for each of them. */
const MOST_COLUMNS = 100;

/** The tables whose line of names is one that `isHeader` knows. The dashes say where each column begins and ends. */
export function dashedTables(text: string, isHeader: (line: string) => boolean): readonly DashedTable[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index): DashedTable[] => {
    const dashes = lines[index + 1] ?? '';
    if (!isDashes(dashes) || !isHeader(line)) return [];
    const spans = spansOf(dashes);
    if (spans.length > MOST_COLUMNS) return [];
    const cut = (row: string) => {
      // Tools count characters, not code units
      const characters = /\p{Surrogate}|[^\0-\uffff]/u.test(row) ? [...row] : null;
      const part = (start: number, end: number | undefined) =>
        characters === null ? row.slice(start, end) : characters.slice(start, end).join('');
      return spans.map(([start, end]) => part(start, end).trim());
    };
    const rows: { line: number; cells: string[] }[] = [];
    let at = index + 2;
    for (; at < lines.length; at += 1) {
      const row = lines[at] ?? '';
      if (row.trim() === '' || isDashes(row)) break;
      rows.push({ line: at + 1, cells: cut(row) });
    }
    const footer = lines.slice(at, at + FOOTER_LINES).filter((one) => one.trim() !== '' && !isDashes(one));
    return [{ line: index + 1, columns: cut(line), rows, footer }];
  });
}

function isDashes(line: string): boolean {
  return /^\s*-{3}[-\s]*$/.test(line);
}

/** From each run of dashes to the end of it; the last column goes on to the end of the line. */
function spansOf(dashes: string): readonly (readonly [number, number | undefined])[] {
  const runs = [...dashes.matchAll(/-+/g)];
  return runs.map((run, index) => [run.index, index === runs.length - 1 ? undefined : run.index + run[0].length]);
}
