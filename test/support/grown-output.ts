import { fixture, fixtures } from './tool-output.js';

/** How an output becomes longer and stays one of its tool. */
interface Growth {
  /** The fixture to begin with; the longest one of the tool where it is not said. */
  readonly from?: string;
  /** The lines that are written again and again; without it the whole text is. */
  readonly rows?: RegExp;
  /** A number of these lines that rises from copy to copy. */
  readonly rising?: RegExp;
}

/** Logs and monitors grow by rows; what is not here by whole results one behind the other. */
const growths: Readonly<Record<string, Growth>> = {
  'criterion-raw': { from: 'two-benchmarks.csv', rows: /^(?!group)\S/ },
  'criterion-estimates': { from: 'with-slope.json' },
  'dcgmi-dmon': { from: 'profiling.txt', rows: /^GPU \d/ },
  dstat: { from: 'only-since-boot.csv', rows: /^[\d.]+,/ },
  'megatron-log': { rows: /iteration +\d/, rising: /iteration +(\d+)/ },
  'nvidia-smi-dmon': { from: 'two-gpus.txt', rows: /^ +\d/ },
  'nvidia-smi-query-csv': { from: 'two-gpus-over-time.csv', rows: /\d W/ },
  'aiperf-records': { rows: /^\{/ },
  'llama-bench-csv': { rows: /^"/ },
  'perf-analyzer-csv': { rows: /^\d/ },
  'speedrun-log': { rows: /^step:/, rising: /step:(\d+)/ },
  'nemo-log': { from: 'running-mean.txt', rows: /"step": \d/, rising: /"step": (\d+)/ },
  vmstat: { from: 'interval.txt', rows: /^ *\d/ },
};

/** An output of the tool, of at least this many characters: longer lists of the same, more rows, or more results. */
export function grownOutput(tool: string, size: number): string {
  const growth = growths[tool] ?? {};
  const own = fixtures.filter(
    (each) => each.tool === tool && (growth.from === undefined || each.name.endsWith(growth.from)),
  );
  const text = own
    .map(({ name }) => fixture(name))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  if (text === '') throw new Error(`no fixture of ${tool} is called ${growth.from ?? 'anything'}`);
  const json = parsed(text);
  if (json !== undefined && growth.rows === undefined) return grownJson(json, size);
  return growth.rows
    ? grownRows(text, growth.rows, growth.rising, size)
    : text.padEnd(text.length + 1, '\n').repeat(Math.ceil(size / (text.length + 1)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The list that takes most of the file, with its elements again and again. */
function grownJson(json: unknown, size: number): string {
  const own = JSON.stringify(json).length;
  const largest = listsIn(json).sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
  if (!largest || largest.length === 0) return JSON.stringify(json);
  const part = JSON.stringify(largest).length;
  const elements = [...largest];
  for (let length = own; length < size; length += part) largest.push(...structuredClone(elements));
  return JSON.stringify(json);
}

function listsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(listsIn);
  return Array.isArray(value) ? [value, ...inside] : inside;
}

function grownRows(text: string, rows: RegExp, rising: RegExp | undefined, size: number): string {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (rows.test(line) ? [index] : []));
  const [first = 0, last = -1] = [places[0], places.at(-1)];
  const block = lines.slice(first, last + 1);
  if (block.length === 0) throw new Error(`no line is like ${rows.source}`);
  const grown = lines.slice(0, last + 1);
  let number = block.length;
  for (let length = text.length; length < size;) {
    for (const line of block) {
      const next = rising
        ? line.replace(rising, (whole, digits: string) => whole.replace(digits, String((number += 1))))
        : line;
      grown.push(next);
      length += next.length + 1;
    }
  }
  return [...grown, ...lines.slice(last + 1)].join('\n');
}
