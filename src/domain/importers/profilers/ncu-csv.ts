import { cut } from '../cells.js';
import { leftOut, error, type Importer, type ImportProblem } from '../importer.js';
import { linesOf } from '../labeled-lines.js';
import { NcuLaunches, ncuReading, type NcuLaunch } from './ncu-launches.js';

/**
 * `ncu --csv`: the details page has a row for each metric, the raw page a column for each and the units in its second row,
 * --print-summary the mean over launches. Lines of ncu and of the program may stand around.
 */
export const ncuCsv: Importer = {
  tool: 'ncu-csv',
  what: 'ncu --csv --page details, or --page raw',
  readsCommas: true,

  recognizes: (text) => header.test(text),

  nearMiss: (text) => nearMissOf(text),

  read(text) {
    const found = new NcuLaunches();
    const torn = readLines(text, found);
    const { runs, problems } = ncuReading('ncu-csv', found, text);
    return { runs, problems: torn === 0 ? problems : [...problems, tornRows(torn)] };
  },
};

const header =
  /^(?:"?ID"?,)?"?Process ID"?,[^\n]{0,200}"?Kernel Name"?,[^\n]{0,300}(?:"?Metric Name"?,"?Metric Unit"?,|[a-z0-9]{2,20}__\w)/m;

interface Header {
  readonly columns: readonly string[];
  /** Where the metrics of the raw page stand; empty on the others. */
  readonly metrics: readonly number[];
  units: readonly string[];
}

/** The launches of one table: by device, shape and kernel, and then by their number. */
type Launches = Map<string, Map<string, NcuLaunch>>;

/** The values of all tables of a text. Gives how many rows have another number of cells than the names above. */
function readLines(text: string, found: NcuLaunches): number {
  if (!header.test(text)) return 0;
  const launches: Launches = new Map();
  let [number, torn, table] = [0, 0, null as Header | null];
  for (const line of linesOf(text)) {
    number += 1;
    if (!/^"|^\d|^,|^(?:ID|Process ID),/.test(line)) continue;
    const cells = cut(line, ',');
    if (cells.includes('Kernel Name') && cells.includes('Process ID')) {
      table = headerOf(cells);
      launches.clear();
    } else if (table && cells.length < table.columns.length - 5) torn += line.startsWith('"') ? 1 : 0;
    else if (table && table.metrics.length > 0) readRaw(table, cells, number, found);
    else if (table) readDetail(table, cells, number, launches, found);
  }
  return torn;
}

function headerOf(columns: readonly string[]): Header {
  const isDetails = columns.includes('Metric Name');
  const metrics = isDetails ? [] : columns.flatMap((name, at) => (/^[a-z0-9]{2,20}__/.test(name) ? [at] : []));
  return { columns, metrics, units: [] };
}

function launchOf({ columns }: Header, cells: readonly string[], line: number, found: NcuLaunches): NcuLaunch {
  const cell = (name: string) => found.shared(cells[columns.indexOf(name)] ?? '');
  const [grid, block] = [cell('Grid Size'), cell('Block Size')];
  return {
    line,
    kernel: cell('Kernel Name'),
    shape: grid === '' ? '' : found.shared(`${grid}x${block}`),
    device: cell('Device') || null,
    capability: cell('CC') || null,
    values: [],
  };
}

/** Rows of rules have no metric. */
function readDetail(
  table: Header,
  cells: readonly string[],
  line: number,
  launches: Launches,
  found: NcuLaunches,
): void {
  const { columns } = table;
  const name = cells[columns.indexOf('Metric Name')] ?? '';
  if (name === '') return;
  const own = launchOf(table, cells, line, found);
  const place = [own.device, own.shape, own.kernel].join('\n');
  const ofPlace = launches.get(place) ?? new Map<string, NcuLaunch>();
  if (ofPlace.size === 0) launches.set(place, ofPlace);
  const id = cells[columns.indexOf('ID')] ?? '';
  let launch = ofPlace.get(id);
  if (!launch) {
    launch = own;
    ofPlace.set(id, launch);
    found.launches.push(launch);
  }
  const at = columns.includes('Metric Value') ? columns.indexOf('Metric Value') : columns.indexOf('Average');
  found.add(launch, { line, name, unit: cells[columns.indexOf('Metric Unit')] ?? '', cell: cells[at] ?? '' });
}

/** The row of units has no ID. */
function readRaw(table: Header, cells: readonly string[], line: number, found: NcuLaunches): void {
  const { columns, metrics, units } = table;
  if ((cells[columns.indexOf('Kernel Name')] ?? '') === '') {
    table.units = cells;
    return;
  }
  const launch = launchOf(table, cells, line, found);
  found.launches.push(launch);
  for (const at of metrics) {
    found.add(launch, { line, name: columns[at] ?? '', unit: units[at] ?? '', cell: cells[at] ?? '' });
  }
}

function tornRows(count: number): ImportProblem {
  return leftOut(null, `Rows that are not complete were left out: ${count}`, `有 ${count} 行不完整，未采用`);
}

/** Output of ncu without a table: the profile went into a file, or counters are not permitted. */
function nearMissOf(text: string): ImportProblem | null {
  if (text.includes('ERR_NVGPUCTRPERM')) {
    return error(
      null,
      'ncu was not permitted to read the counters of the GPU (ERR_NVGPUCTRPERM): nothing was measured',
      'ncu 没有读取 GPU 性能计数器的权限（ERR_NVGPUCTRPERM），没有测得任何数据',
    );
  }
  if (!/^==PROF== /m.test(text)) return null;
  return error(
    null,
    'There is no table of ncu here. Print the report with ncu --import FILE.ncu-rep --page details --csv',
    '其中没有 ncu 的表格。请用 ncu --import FILE.ncu-rep --page details --csv 输出报告',
  );
}
