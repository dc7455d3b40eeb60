// `npm run bench:hostile`: what each importer takes for texts that are made to take long: nested, endless, one beginning
// over and over. Four times the text may take four times as long, and some more for chance, and never longer than a
// bound. `npm run bench:hostile -- 4` asks with four times the size.
import { importers, recognize } from '../src/domain/importers/index.js';
import { columnMapping, columnsOf, readMapped } from '../src/domain/importers/mapped/index.js';
import { hostileOutputs, hostileText } from '../test/support/hostile-outputs.js';

const [factor = 1] = process.argv.slice(2).map(Number);
const SMALL = 250_000 * factor;
const LARGE = 4 * SMALL;
/** Below it nothing is said about proportions: chance and the collector of garbage decide. */
const LEAST_MS = 150;
const MOST_MS = 6_000 * factor;

const used = (work: () => unknown): number => {
  const start = process.cpuUsage();
  work();
  return process.cpuUsage(start).user / 1000;
};

const mapping = columnMapping.parse({
  layout: 'WIDE',
  rows: 'GROUPED',
  columns: [{ column: 'latency', role: 'METRIC', metric: 'time.latency', unit: 'ms' }],
});
const units = new Map([['time.latency', 'ms']]);

interface Case {
  readonly tool: string;
  readonly text: string;
  readonly small: number;
  readonly large: number;
}

const isBad = ({ small, large }: Pick<Case, 'small' | 'large'>) =>
  large > MOST_MS || (large > LEAST_MS && large > 8 * Math.max(small, 5));

/** What looks bad is timed again: a busy machine or the collector of garbage may have taken one of the times. */
function timed(of: (text: string) => unknown, small: string, large: string): Pick<Case, 'small' | 'large'> {
  const times = () => ({ small: used(() => of(small)), large: used(() => of(large)) });
  let found = times();
  for (let again = 0; again < 3 && isBad(found); again += 1) found = times();
  return found;
}

const cases: Case[] = [];
for (const hostile of hostileOutputs) {
  const [small, large] = [hostileText(hostile, SMALL), hostileText(hostile, LARGE)];
  const text = `${hostile.head.slice(0, 30)} ${hostile.piece.slice(0, 50)}`.replaceAll('\n', '⏎');
  const add = (tool: string, of: (text: string) => unknown) => cases.push({ tool, text, ...timed(of, small, large) });
  add('detection', recognize);
  add('column mapping', (content) => [columnsOf(content), readMapped(content, mapping, units)]);
  for (const importer of importers)
    add(importer.tool, (content) => [importer.nearMiss?.(content), importer.read(content)]);
}

const slowest = [...cases].sort((a, b) => b.large - a.large).slice(0, 25);
console.table(
  slowest.map(({ tool, text, small, large }) => ({
    tool,
    text,
    [`ms of ${SMALL / 1000} kB`]: Math.round(small),
    [`ms of ${LARGE / 1000} kB`]: Math.round(large),
    ratio: Number((large / Math.max(small, 1)).toFixed(1)),
  })),
);
const bad = cases.filter(isBad);
for (const { tool, text, small, large } of bad) {
  console.log(`out of proportion: ${tool}, ${text}: ${Math.round(small)} and ${Math.round(large)} ms`);
}
console.log(`${hostileOutputs.length} hostile texts, ${importers.length} importers: ${bad.length} out of proportion`);
process.exitCode = bad.length === 0 ? 0 : 1;
