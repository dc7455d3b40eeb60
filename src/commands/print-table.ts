import { displayWidth, padded } from '../domain/comparison/display-width.js';
import type { Cell, ComparisonView, Tone } from '../domain/comparison/view.js';

/** What is known of where the text goes. */
export interface Screen {
  /** Columns of the terminal; null where it is none, and nothing has to fit. */
  readonly width: number | null;
  readonly colors: 'COLORS' | 'NO_COLORS';
}

/** The screen of this process. NO_COLOR switches colors off, whatever its value, and so does anything but a terminal. */
export function screenOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Screen {
  if (!stream.isTTY) return { width: null, colors: 'NO_COLORS' };
  const isPlain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  return { width: stream.columns > 0 ? stream.columns : null, colors: isPlain ? 'NO_COLORS' : 'COLORS' };
}

/** A comparison as text for people: aligned columns, or one block a row where the columns do not fit. */
export function tableText(view: ComparisonView, screen: Screen): string {
  const paint = (cell: Cell, text: string) => painted(cell.tone, text, screen);
  const head = [view.headline, ...view.reasons].map((cell, index) =>
    paint(cell, cleanText(index === 0 ? cell.text : `- ${cell.text}`)),
  );
  const sections = view.sections.map(({ title, lines }) =>
    [`${title}${view.colon}`, ...lines.map((line) => `  ${cleanText(line)}`)].join('\n'),
  );
  return `${[head.join('\n'), rowsText(view, screen, paint), ...sections].join('\n\n')}\n`;
}

function rowsText(view: ComparisonView, screen: Screen, paint: (cell: Cell, text: string) => string): string {
  const { columns, rows } = view;
  const widths = columns.map(({ head }, index) =>
    Math.max(displayWidth(head), ...rows.map((row) => displayWidth(cleanText(row[index]?.text ?? '')))),
  );
  const total = widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1));
  if (screen.width !== null && total > screen.width) return blocksText(view, paint);
  const line = (cells: readonly string[]) => cells.join('  ').trimEnd();
  return [
    line(columns.map(({ head, align }, index) => padded(head, widths[index] ?? 0, align))),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) =>
      line(
        row.map((cell, index) => {
          const text = padded(cleanText(cell.text), widths[index] ?? 0, columns[index]?.align ?? 'START');
          return paint(cell, index === row.length - 1 ? text.trimEnd() : text);
        }),
      ),
    ),
  ].join('\n');
}

function blocksText({ columns, rows }: ComparisonView, paint: (cell: Cell, text: string) => string): string {
  const width = Math.max(...columns.map(({ head }) => displayWidth(head)));
  const block = ([first, ...cells]: readonly Cell[]) =>
    [
      cleanText(first?.text ?? ''),
      ...cells.map(
        (cell, index) =>
          `  ${padded(columns[index + 1]?.head ?? '', width, 'START')}  ${paint(cell, cleanText(cell.text))}`,
      ),
    ].join('\n');
  return rows.map(block).join('\n');
}

/** What a file says must not steer the terminal. */
export function cleanText(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}

const codes: Readonly<Record<Exclude<Tone, 'PLAIN'>, number>> = { GOOD: 32, BAD: 31, OPEN: 33 };

function painted(tone: Tone, text: string, { colors }: Screen): string {
  if (tone === 'PLAIN' || colors === 'NO_COLORS') return text;
  const escape = String.fromCharCode(27);
  return `${escape}[${codes[tone]}m${text}${escape}[0m`;
}
