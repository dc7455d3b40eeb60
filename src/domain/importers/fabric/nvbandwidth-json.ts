import { embeddedJson, holdsObject } from '../embedded-json.js';
import { failedRun, type Importer, type ImportProblem } from '../importer.js';
import { isObject, objectsOf, readJson, type JsonObject } from '../json.js';
import { numberOf } from '../number.js';
import type { Matrix } from './nvbandwidth-cells.js';
import { newExecution, partOf, problemsOf, runOf, type Execution } from './nvbandwidth-runs.js';

/** What `nvbandwidth --json` writes: cells are texts, and a bidirectional test puts its matrices one below the other. */
export const nvbandwidthJson: Importer = {
  tool: 'nvbandwidth-json',
  what: 'nvbandwidth --json',

  recognizes: (text) =>
    text.includes('"nvbandwidth"') &&
    holdsObject(text) &&
    /"nvbandwidth"\s{0,10}:\s{0,20}\{/.test(text) &&
    /"testcases"\s{0,10}:/.test(text),

  read(text) {
    const json = readJson(embeddedJson(text));
    if (json.problem) return { runs: [], problems: [json.problem] };
    const found = objectsOf(json).flatMap(({ object, line }) =>
      isObject(object.nvbandwidth) ? [{ object: object.nvbandwidth, line }] : [],
    );
    const executions = found.map(({ object, line }) => executionOf(object, line));
    const runs = executions.map(runOf).filter(({ observations }) => observations.length > 0);
    const failures = found.flatMap(({ object, line }) => failureOf(object, line));
    return { runs, problems: [...failures, ...executions.flatMap(problemsOf)] };
  },
};

/** A failure of the whole program: tests after it did not run. */
function failureOf(object: JsonObject, line: number): readonly ImportProblem[] {
  if (typeof object.error !== 'string') return [];
  const reason = object.error.slice(0, 200);
  return [failedRun(line, `nvbandwidth failed: ${reason}`, `nvbandwidth 运行失败：${reason}`)];
}

function executionOf(object: JsonObject, line: number): Execution {
  const execution = newExecution(line);
  execution.version = typeof object.version === 'string' ? object.version.replace(/^v/, '').slice(0, 40) : null;
  execution.driver = typeof object['Driver Version'] === 'string' ? object['Driver Version'].slice(0, 40) : null;
  // what is called the version of the runtime is asked of the driver
  const cuda = object['CUDA Runtime Version'];
  execution.cuda = typeof cuda === 'number' && Number.isFinite(cuda) && cuda >= 1000 ? cuda : null;
  execution.isSmallBuffer = typeof object.warning === 'string' && object.warning.includes('smaller than the default');
  for (const [index, name] of listIn(object['GPU Device list']).slice(0, 10_000).entries()) {
    // number, name, address of the device, host: only the name is kept
    const found = typeof name === 'string' ? /^\d{1,6}: (.{1,100}?) \([\da-fA-F]{4,8}:/.exec(name)?.[1] : undefined;
    if (found !== undefined) execution.devices.set(String(index), found);
  }
  for (const test of listIn(object.testcases).filter(isObject)) takeTest(execution, test);
  return execution;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function takeTest(execution: Execution, found: JsonObject): void {
  const test = typeof found.name === 'string' ? found.name.slice(0, 100) : '';
  const rows = listIn(found.bandwidth_matrix).map((row) => listIn(row).map(cellOf));
  if (rows.length === 0 || found.status !== 'Passed') {
    if (found.status !== 'Waived' && test !== '') execution.lost.push({ test, line: execution.line });
    return;
  }
  const title = typeof found.bandwidth_description === 'string' ? found.bandwidth_description : '';
  const sum = typeof found.sum === 'number' && Number.isFinite(found.sum) ? found.sum : null;
  execution.matrices.push(...matricesOf(test, title, rows, sum, execution.line));
}

/** A cell is a text of six digits. */
function cellOf(value: unknown): number | null {
  return typeof value === 'string'
    ? numberOf(value, /^\d+,\d+$/.test(value) ? ',' : '.')
    : typeof value === 'number' && Number.isFinite(value)
      ? value
      : null;
}

/** Three square matrices below each other are both directions and, at last, their sum, to which `sum` belongs. */
function matricesOf(
  test: string,
  title: string,
  rows: readonly (readonly (number | null)[])[],
  sum: number | null,
  line: number,
): readonly Matrix[] {
  const width = rows[0]?.length ?? 0;
  const matrix = (
    part: readonly (readonly (number | null)[])[],
    name: string | null,
    total: number | null,
  ): Matrix => ({
    test,
    line,
    part: name,
    columns: Array.from({ length: width }, (_, index) => String(index)),
    rows: part.map((cells, index) => ({ name: String(index), cells })),
    sum: total,
  });
  if (partOf(title) !== 'total' || rows.length !== 3 * width) return [matrix(rows, partOf(title), sum)];
  const kind = test.includes('write') ? 'write' : 'read';
  return [
    matrix(rows.slice(0, width), `${kind} 1`, null),
    matrix(rows.slice(width, 2 * width), `${kind} 2`, null),
    matrix(rows.slice(2 * width), 'total', sum),
  ];
}
