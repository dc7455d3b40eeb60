import { incomplete, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { isNoValue, numberOf } from '../number.js';
import { cellsOf } from '../piped-table.js';
import type { GuideStatistics } from './guidellm-metrics.js';
import { guideResult, strategyOf, type GuideBenchmark } from './guidellm-run.js';
import { readOldTables } from './guidellm-old-console.js';
import { readingOf } from './requests.js';

const latencyTitle = /Request Latency Statistics \(Completed Requests\)/;
const rateTitle = /Server Throughput Statistics(?: \((All Requests)\))?\s*$/;
const summaryTitle = /Run Summary Info\s*$/;
const tokenTitle = /Request Token Statistics \(Completed Requests\)/;

/** The tables that GuideLLM prints at the end. */
export const guidellmConsole: Importer = {
  tool: 'guidellm-console',
  what: 'guidellm benchmark, guidellm run (console)',

  recognizes: (text) =>
    (latencyTitle.test(text) && /Server Throughput Statistics/.test(text)) ||
    (/Benchmarks Stats:/.test(text) && /Tot Tok\/sec\s{0,20}\|/.test(text)),

  read: (text): Reading => (latencyTitle.test(text) ? readTables(text) : readOldTables(text)),
};

/** A table whose columns are named by group, name and statistic: `TTFT/ms/Mdn`. */
interface Table {
  readonly line: number;
  readonly isOfAll: boolean;
  readonly rows: readonly { readonly line: number; readonly of: (column: string) => number | null; readonly name: string }[];
} // prettier-ignore

type Kind = 'latency' | 'rates' | 'summary' | 'tokens';

function readTables(text: string): Reading {
  const found = tablesIn(text);
  const results = (found.get('latency') ?? []).flatMap((latency, table) => {
    const of = (kind: Kind): Table | undefined => found.get(kind)?.[table];
    const [rates, summary, tokens] = [of('rates'), of('summary'), of('tokens')];
    return latency.rows.map((row, index) => {
      const [rate, about, lengths] = [rates?.rows[index], summary?.rows[index], tokens?.rows[index]];
      const unfinished = (about?.of('Input Tokens/Inc/Tot') ?? 0) + (about?.of('Input Tokens/Err/Tot') ?? 0);
      const benchmark: GuideBenchmark = {
        strategy: strategyOf(row.name) ?? { type: row.name, concurrency: null, rate: null },
        line: row.line,
        metrics: new Map([...latenciesOf(row.of), ...(rate ? ratesOf(rate.of) : [])]),
        successful: null,
        incomplete: null,
        errored: null,
        duration: about?.of('Timings/Dur/Sec') ?? null,
        inputTokens: lengths?.of('Input Tok/Per Req/Mdn') ?? null,
        outputTokens: lengths?.of('Output Tok/Per Req/Mdn') ?? null,
        problems: rates?.isOfAll === true && unfinished > 0 ? [ratesOfAll(rate?.line ?? row.line)] : [],
      };
      return guideResult('guidellm-console', benchmark);
    });
  });
  return readingOf(results);
}

function latenciesOf(of: (column: string) => number | null): readonly (readonly [string, GuideStatistics])[] {
  const groups = [
    ['request_latency', 'Request Latency/Sec'],
    ['time_to_first_token_ms', 'TTFT/ms'],
    ['time_to_first_output_token_ms', 'TTFOT/ms'],
    ['inter_token_latency_ms', 'ITL/ms'],
    ['time_per_output_token_ms', 'TPOT/ms'],
  ] as const;
  return groups.flatMap(([name, title]) => withStatistics(name, { median: of(`${title}/Mdn`), p95: of(`${title}/p95`) }));
} // prettier-ignore

function ratesOf(of: (column: string) => number | null): readonly (readonly [string, GuideStatistics])[] {
  const groups = [
    ['requests_per_second', 'Requests/Per Sec'],
    ['request_concurrency', 'Requests/Concurrency'],
    ['prompt_tokens_per_second', 'Input Tokens/Per Sec'],
    ['output_tokens_per_second', 'Output Tokens/Per Sec'],
    ['tokens_per_second', 'Total Tokens/Per Sec'],
  ] as const;
  return groups.flatMap(([name, title]) => withStatistics(name, { mean: of(`${title}/Mean`) }));
}

function withStatistics(name: string, found: Readonly<Record<string, number | null>>): readonly (readonly [string, GuideStatistics])[] {
  const values = Object.entries(found).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  return values.length === 0 ? [] : [[name, { values: Object.fromEntries(values) }]];
} // prettier-ignore

function kindOf(line: string): Kind | null {
  if (latencyTitle.test(line)) return 'latency';
  if (rateTitle.test(line)) return 'rates';
  if (summaryTitle.test(line)) return 'summary';
  return tokenTitle.test(line) ? 'tokens' : null;
}

interface Open {
  readonly kind: Kind;
  readonly line: number;
  readonly isOfAll: boolean;
  readonly header: (readonly string[])[];
  readonly rows: { line: number; cells: readonly string[] }[];
  isInRows: boolean;
}

/** The tables of each kind, in their order: a log may hold several reports. */
function tablesIn(text: string): ReadonlyMap<Kind, readonly Table[]> {
  const tables = new Map<Kind, Table[]>();
  let open: Open | null = null;
  const close = (): void => {
    if (open) tables.set(open.kind, [...(tables.get(open.kind) ?? []), tableOf(open)]);
    open = null;
  };
  let count = 0;
  for (const { number, text: line } of labeledLines(text)) {
    const kind = line.includes('|') ? null : kindOf(line);
    if (kind) {
      close();
      count += 1;
      open = { kind, line: number, isOfAll: line.includes('All Requests'), header: [], rows: [], isInRows: false };
    } else if (open) {
      if (/^\s{0,10}\|[-|]{3,}\|\s*$/.test(line)) open.isInRows = true;
      else if (/^\s{0,10}\|[=|]{3,}\|\s*$/.test(line)) {
        if (open.isInRows) close();
      } else if (!line.includes('|')) {
        if (line.trim() !== '') close();
      } else if (open.isInRows) open.rows.push({ line: number, cells: cellsOf(line) });
      else if (open.header.length < 10) open.header.push(cellsOf(line));
    }
    if (count > 2_000) break;
  }
  close();
  return tables;
}

/** A cell without text goes on with the one before it. */
function tableOf({ line, isOfAll, header, rows }: Open): Table {
  const filled = header.map((cells) => {
    let last = '';
    return cells.map((cell) => {
      if (cell !== '') last = cell;
      return last;
    });
  });
  const columns = (filled[0] ?? []).map((_, index) => filled.map((cells) => cells[index] ?? '').join('/'));
  return {
    line,
    isOfAll,
    rows: rows.map(({ line: at, cells }) => ({
      line: at,
      name: cells[0] ?? '',
      of: (column) => numberIn(cells[columns.indexOf(column)]),
    })),
  };
}

function numberIn(cell: string | undefined): number | null {
  const number = cell === undefined || isNoValue(cell) ? null : numberOf(cell);
  return number !== null && Number.isFinite(number) ? number : null;
}

function ratesOfAll(line: number): ImportProblem {
  return incomplete(
    line,
    'The rates count requests that were not completed as well: they are no rates of completed requests',
    '吞吐量包含未完成的请求，不等于已完成请求的吞吐量',
  );
}
