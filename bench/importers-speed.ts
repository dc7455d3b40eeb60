// `npm run bench:importers`: how fast each importer reads, in MB/s, on an output of its tool grown to some megabytes,
// beside the least that can be done with such a text in the same run: JSON.parse of JSON, a split into lines of text. A
// split does not even look at the characters of a line: so beside both there is the time to try each cell as a number.
// Then what it costs to find out that a large text is of no tool. `npm run bench:importers -- 7 fio-json vllm-bench-serve`
// repeats seven times, and reads for these tools alone.
import { importers, readContent, recognize } from '../src/domain/importers/index.js';
import { MAX_CONTENT_BYTES, prepare } from '../src/domain/importers/prepare.js';
import { grownOutput } from '../test/support/grown-output.js';

const [repeats = '5', ...only] = process.argv.slice(2);
const ROUNDS = Number(repeats);
const SIZE = 2_000_000;
/** What is smaller is read several times in a row: a clock says nothing of so short a time. */
const LEAST_TIMED = 200_000;

interface Timed {
  readonly median: number;
  readonly spread: number;
}

let kept = 0;

/** Milliseconds of the processor, which other work on the machine hardly lengthens: the median, and half of what lies between the fastest and the slowest as a share of it. */
function timed(works: readonly (() => unknown)[]): readonly Timed[] {
  const times = works.map((): number[] => []);
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const start = process.cpuUsage();
      if (work() !== undefined) kept += 1;
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) times[index]?.push((user + system) / 1000);
    }
  }
  return times.map((list) => {
    const sorted = [...list].sort((a, b) => a - b);
    const [first = 0, middle = 0, last = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    return { median: middle, spread: (last - first) / 2 / middle };
  });
}

/** The least that a reader does: JSON as a whole or line by line, or the lines of a text. */
function floorOf(text: string): { readonly name: string; readonly work: () => unknown } {
  try {
    JSON.parse(text);
    return { name: 'JSON.parse', work: () => parsed(text) };
  } catch {
    const lines = text.trim().split('\n');
    if (lines.length > 1 && lines.every(isJson)) {
      return { name: 'JSON.parse of lines', work: () => text.trim().split('\n').map(parsed) }; // prettier-ignore
    }
    return { name: 'lines', work: () => text.split('\n').length };
  }
}

const parsed = (text: string): unknown => JSON.parse(text);

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** What stands between a split into lines and a reading: every cell of every line, tried as a number. */
function numbersIn(text: string): number {
  let count = 0;
  for (const line of text.split('\n')) {
    for (const cell of line.split(/[\s,|:"]+/)) if (cell !== '' && Number.isFinite(Number(cell))) count += 1;
  }
  return count;
}

const percent = (share: number) => `± ${Math.round(share * 100)} %`;
const rows = importers
  .filter(({ tool }) => only.length === 0 || only.includes(tool))
  .map((importer) => {
    const { tool } = importer;
    const read = (text: string) => importer.read(text);
    const text = grownOutput(tool, SIZE);
    const prepared = prepare(text, MAX_CONTENT_BYTES);
    if ('problem' in prepared) throw new Error(`${tool}: ${prepared.problem.message.en}`);
    const floor = floorOf(prepared.text);
    const { runs, problems } = read(prepared.text);
    const times = Math.max(1, Math.ceil(LEAST_TIMED / text.length));
    const again = (work: () => unknown) => (): unknown => {
      for (let time = 1; time < times; time += 1) if (work() !== undefined) kept += 1;
      return work();
    };
    const bytes = text.length * times;
    const [own, least, cells] = timed(
      [() => read(prepared.text), floor.work, () => numbersIn(prepared.text)].map(again),
    );
    if (!own || !least || !cells) throw new Error('nothing was timed');
    return {
      tool,
      MB: Number((text.length / 1e6).toFixed(1)),
      runs: runs.length,
      observations: runs.reduce((sum, run) => sum + run.observations.length, 0),
      errors: problems.filter(({ severity }) => severity === 'ERROR').length,
      'MB/s': Number((bytes / 1000 / own.median).toFixed(1)),
      spread: percent(own.spread),
      beside: floor.name,
      'MB/s of it': Number((bytes / 1000 / least.median).toFixed(0)),
      'times as long': Number((own.median / least.median).toFixed(1)),
      'times of cells': Number((own.median / cells.median).toFixed(1)),
    };
  });
const sorted = [...rows].sort((a, b) => a['MB/s'] - b['MB/s']);
console.table(sorted);
const fast = rows.filter((row) => row['MB/s'] >= 10 || row['times of cells'] <= 10);
const ofJson = rows.filter(({ beside }) => beside.startsWith('JSON')).map((row) => row['times as long']);
const middle = sorted[Math.floor(sorted.length / 2)]?.['MB/s'] ?? 0;
console.log(
  `${rows.length} importers: ${sorted[0]?.['MB/s'] ?? 0} to ${sorted.at(-1)?.['MB/s'] ?? 0} MB/s, ${middle} in the middle; ${fast.length} read 10 MB/s or take at most 10 times as long as trying each cell as a number; JSON takes ${Math.min(...ofJson)} to ${Math.max(...ofJson)} times JSON.parse`,
);

if (only.length === 0) {
  const words = 'the quick brown fox 12.5 ms | jumps = over 7 lazy dogs, 99 % of [all] days; ';
  const unknown = Array.from({ length: 70_000 }, (_, index) => words.slice(index % 40)).join('\n').slice(0, 5_000_000); // prettier-ignore
  const json = JSON.stringify(Array.from({ length: 60_000 }, (_, index) => ({ name: `case ${index}`, time: index / 7, note: 'a "text"' }))); // prettier-ignore
  const [all, found, lines, allJson, parsedJson] = timed([
    () => readContent(unknown),
    () => recognize(unknown),
    () => unknown.split('\n').length,
    () => readContent(json),
    () => parsed(json),
  ]).map(({ median }) => Math.round(median * 10) / 10);
  console.log(
    `${(unknown.length / 1e6).toFixed(1)} MB of unknown text: refused in ${all} ms, of which recognition ${found} ms; split into lines in ${lines} ms`,
  );
  const [perText, perJson] = [(all ?? 0) / (unknown.length / 1e6), (allJson ?? 0) / (json.length / 1e6)].map(
    Math.round,
  );
  console.log(
    `${(json.length / 1e6).toFixed(1)} MB of unknown JSON: refused in ${allJson} ms; JSON.parse ${parsedJson} ms`,
  );
  console.log(`A megabyte that no tool wrote is refused in ${perText} ms, one of JSON in ${perJson} ms`);
}
if (kept === 0) throw new Error('nothing was read');
