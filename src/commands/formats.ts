import { importers } from '../domain/importers/index.js';

/** The formats that are read, with those of a person's own. */
const own = [
  {
    format: 'mapped',
    reads: 'a CSV, TSV, Markdown table or JSON of your own, by its columns',
    isRecognized: false,
    how: '--mapping',
  },
  {
    format: 'plain-values',
    reads: 'a file of plain numbers',
    isRecognized: false,
    how: '--metric, --unit, --direction',
  },
];

/** Prints the formats: what each reads, and whether it is told by the content alone or has to be named. */
export function printFormats({ json }: { readonly json?: true }): void {
  const known = importers.map(({ tool, what }) => ({
    format: tool,
    reads: what,
    isRecognized: true,
    how: 'by content',
  }));
  const formats = [...known, ...own];
  if (json) return console.log(JSON.stringify(formats, null, 2));
  const head = { format: 'FORMAT', how: 'RECOGNIZED', reads: 'READS' };
  const widths = (['format', 'how'] as const).map((column) =>
    Math.max(...[head, ...formats].map((one) => one[column].length)),
  );
  for (const { format, how, reads } of [head, ...formats])
    console.log(`${format.padEnd(widths[0] ?? 0)}  ${how.padEnd(widths[1] ?? 0)}  ${reads}`);
}
