import { incomplete, leftOut, error, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { cellsOf } from '../piped-table.js';
import { noTests, repetitionsIn, runsOf, type LlamaTest } from './llama-bench-tests.js';

const header = /\|\s{0,60}model\s{0,60}\|\s{0,60}size\s{0,60}\|\s{0,60}params\s{0,60}\|\s{0,60}backend\s{0,60}\|/;
const testName = /^(?:pp ?(\d{1,9}))?(?:\s?\+\s?)?(?:tg ?(\d{1,9}))?(?:\s?@\s?d(\d{1,9}))?$/;
/** The sign between mean and deviation is lost where the encoding was taken for another one. */
const measured =
  /^(\d{1,15}(?:\.\d{1,10})?)(?:\s{0,5}(?:±|Â±|Â|\uFFFD{1,3}|\+\/-|\+-|\?)\s{0,5}(\d{1,15}(?:\.\d{1,10})?))?$/;

/** The table of llama-bench, its default output. */
export const llamaBenchMd: Importer = {
  tool: 'llama-bench-md',
  what: 'llama-bench (-o md)',

  recognizes: (text) => header.test(text) && /\|\s{0,60}test\s{0,60}\|\s{0,60}t\/s\s{0,60}\|/.test(text) && hasRow(text),

  nearMiss(text) {
    if (header.test(text) || !/\|\s{0,40}(?:pp|tg)\d{1,9}(?: @ d\d{1,9})?\s{0,5}\|\s{0,40}[\d.]{1,20} ± [\d.]{1,20}\s{0,5}\|/.test(text)) return null;
    return error(
      null,
      'Rows of llama-bench without the line of names above them: send the table with its header',
      '这是缺少表头的 llama-bench 表格行，请连同表头一起上传',
    );
  },

  read(text): Reading {
    const { tests, problems, hasBuild, line } = testsIn(text);
    if (tests.length === 0) return { runs: [], problems: [...problems, noTests(line)] };
    const reading = runsOf('llama-bench-md', tests);
    return { runs: reading.runs, problems: [...problems, ...reading.problems, ...(hasBuild ? [] : [withoutBuild(line)])] };
  },
}; // prettier-ignore

function hasRow(text: string): boolean {
  return /\|\s{0,40}(?:pp|tg) ?\d{1,9}[^|\n]{0,40}\|\s{0,40}\d/.test(text);
}

/** The full names of columns that the table shortens. */
const fullNames: Readonly<Record<string, string>> = {
  ngl: 'n_gpu_layers',
  sm: 'split_mode',
  mg: 'main_gpu',
  threads: 'n_threads',
  nkvo: 'no_kv_offload',
  fa: 'flash_attn',
  mmap: 'use_mmap',
  dio: 'use_direct_io',
  lm: 'load_mode',
  embd: 'embeddings',
  nopo: 'no_op_offload',
  noh: 'no_host',
  dev: 'devices',
  ts: 'tensor_split',
  ot: 'tensor_buft_overrides',
  fitt: 'fit_target',
  fitc: 'fit_min_ctx',
  backend: 'backends',
  model: 'model_type',
};
/** What says the same as the model, in other words. */
const notFields = new Set(['size', 'params', 'test', 't/s']);

interface Tables {
  readonly tests: readonly LlamaTest[];
  readonly problems: readonly ImportProblem[];
  readonly hasBuild: boolean;
  readonly line: number | null;
}

function testsIn(text: string): Tables {
  const tests: LlamaTest[] = [];
  const problems: ImportProblem[] = [];
  let open: LlamaTest[] = [];
  let columns: readonly string[] = [];
  let devices: string[] = [];
  let repetitions: number | null = null;
  let hasBuild = true;
  let first: number | null = null;
  const close = (build: Readonly<Record<string, string>>): void => {
    if (open.length > 0) hasBuild &&= Object.keys(build).length > 0;
    tests.push(...open.map((test) => ({ ...test, fields: { ...test.fields, ...build } })));
    open = [];
  };
  for (const { number, text: line } of labeledLines(text)) {
    if (line === '') continue;
    const device = deviceIn(line);
    const said = repetitionsIn(line);
    if (said !== undefined) repetitions = said;
    else if (device !== null) {
      if (open.length > 0) {
        close({});
        [columns, devices] = [[], []];
      }
      if (devices.length < 100) devices.push(device);
    } else if (header.test(line)) {
      close({});
      columns = cellsOf(line);
      first ??= number;
    } else if (columns.length > 0 && line.includes('|')) {
      const row = rowOf(columns, cellsOf(line), devices);
      if (typeof row === 'string') {
        if (problems.length < 50) problems.push(badRow(number, row));
      } else if (row) open.push({ ...row, repetitions, line: number });
    } else {
      const [, commit, build] = /^\s{0,20}build: ([0-9a-f]{5,40}) \((\d{1,9})\)/.exec(line) ?? [];
      if (commit !== undefined && build !== undefined) {
        close({ build_commit: commit, build_number: build });
        [columns, devices] = [[], []];
        repetitions = null;
      }
    }
    if (tests.length + open.length > 10_000) break;
  }
  close({});
  return { tests, problems, hasBuild, line: first };
}

/** The test of a row, its text where it cannot be read, or null for a line that is no row. */
function rowOf(
  columns: readonly string[],
  cells: readonly string[],
  devices: readonly string[],
): Omit<LlamaTest, 'line' | 'repetitions'> | string | null {
  const of = (name: string): string => (cells[columns.indexOf(name)] ?? '').trim();
  const [, prompt, generated, depth] = testName.exec(of('test')) ?? [];
  if (prompt === undefined && generated === undefined) return null;
  const [, mean, deviation] = measured.exec(of('t/s')) ?? [];
  if (mean === undefined || cells.length !== columns.length) return `${of('test')} ${of('t/s')}`.slice(0, 60);
  const settings = columns.flatMap((column, index) => {
    const cell = (cells[index] ?? '').trim();
    return notFields.has(column) || cell === '' ? [] : [[fullNames[column] ?? column, cell] as const];
  });
  return {
    fields: {
      ...Object.fromEntries(settings),
      ...(devices.length > 0 ? { gpu_info: devices.join(', ') } : {}),
      n_prompt: Number(prompt ?? 0),
      n_gen: Number(generated ?? 0),
      n_depth: Number(depth ?? 0),
      avg_ts: Number(mean),
      ...(deviation === undefined ? {} : { stddev_ts: Number(deviation) }),
    },
    samplesTs: [],
    samplesNs: [],
  };
}

/** CUDA, HIP and SYCL list devices as `Device 0: NVIDIA H200, compute capability 9.0`. */
function deviceIn(line: string): string | null {
  return /^\s{0,10}Device \d{1,3}: ([^,|]{2,100}),(?: compute capability| gfx\d| VMM)/.exec(line)?.[1]?.trim() ?? null;
}

function badRow(line: number, row: string): ImportProblem {
  return leftOut(line, `The row "${row}" was left out: its numbers cannot be read`, `未采用“${row}”行：数字无法读取`);
}

function withoutBuild(line: number | null): ImportProblem {
  return incomplete(
    line,
    'The line "build:" after the table is missing: the build is not known, and rows may be missing',
    '表格之后缺少“build:”行：无法得知构建版本，表格也可能不完整',
  );
}
