import { badRun, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { plainLines, type Line } from '../lines.js';
import { Launch, startsLaunch } from './nccl-launch.js';
import { beforeLogMessage, columnsOf, lengthOfRow, looksLikeRow, rowOf, startsRow, type Columns } from './nccl-rows.js';
import { runOf, tableProblems, timeOfCpu, withoutContradictions, type Table } from './nccl-runs.js';

/** The tables of nccl-tests and rccl-tests: one run for each table, so for each collective. */
export const ncclTests: Importer = {
  tool: 'nccl-tests',
  what: 'nccl-tests and rccl-tests (text)',

  recognizes: (text) => text.includes('# Avg bus bandwidth') || hasHeader(text),

  read(text): Reading {
    const reader = new TableReader();
    for (const line of plainLines(text)) reader.take(line);
    const tables = reader.finish().map(withoutContradictions);
    const refusals = reader.refusals;
    if (refusals.length > 0) return { runs: [], problems: refusals };
    const found = tables.filter(({ rows, average }) => rows.length > 0 || average !== null);
    return { runs: found.map(runOf), problems: tables.flatMap(tableProblems) };
  },
};

/** Looks at the lines around `algbw` only, so that long texts cost little. */
function hasHeader(text: string): boolean {
  let at = text.indexOf('algbw');
  for (let tried = 0; at !== -1 && tried < 100; tried += 1) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    const line = text.slice(start, Math.min(end === -1 ? text.length : end, start + 400));
    if (columnsOf(line)) return true;
    at = end === -1 ? -1 : text.indexOf('algbw', end);
  }
  return false;
}

class TableReader {
  readonly refusals: ImportProblem[] = [];
  private readonly tables: Table[] = [];
  private launch = new Launch({});
  private table: Table | null = null;
  private columns: Columns = { hasRoot: true, countsWrong: true };
  /** The words of a row of which more may come. */
  private fragment: readonly string[] = [];
  private fragmentLine = 0;

  take(line: Line): void {
    const own = beforeLogMessage(line.text);
    if (own === null) this.takePlain(line);
    else {
      this.launch.takeMessage(line.text);
      if (own !== '') this.takeWords(own.split(/\s+/), line.number);
    }
  }

  finish(): readonly Table[] {
    this.dropFragment();
    return this.tables;
  }

  private takePlain({ text, number }: Line): void {
    const columns = columnsOf(text);
    if (columns === 'cut') this.refuse(number);
    else if (columns === 'cputime') this.refusals.push(timeOfCpu(number));
    else if (columns) {
      this.dropFragment();
      this.columns = columns;
      this.openTable(number);
    } else if (this.table && /^\s*(\.\.\.|\[\.\.\.\]|…)\s*$/.test(text)) this.table.elided += 1;
    else if (this.table && looksLikeRow(text)) this.takeWords(text.trim().split(/\s+/), number);
    else this.takeComment(text, number);
  }

  private openTable(line: number): Table {
    const table: Table = {
      line,
      launch: this.launch,
      collective: this.launch.collective,
      countsWrong: this.columns.countsWrong,
      rows: [],
      broken: [],
      contradictions: [],
      empty: 0,
      elided: 0,
      average: null,
      check: null,
    };
    this.table = table;
    this.tables.push(table);
    return table;
  }

  private takeWords(words: readonly string[], line: number): void {
    if (!this.table) return;
    if (words.some((word) => /^\d{1,3}(_\d{3})+$/.test(word))) return this.refuse(line);
    if (startsRow(words)) {
      this.dropFragment();
      this.fragment = words;
      this.fragmentLine = line;
    } else if (this.fragment.length > 0) this.fragment = [...this.fragment, ...words];
    else {
      this.table.broken.push(line);
      return;
    }
    if (this.fragment.length < lengthOfRow(this.fragment, this.columns)) return;
    const row = rowOf(this.fragment, this.columns, line);
    this.fragment = [];
    if (!row) this.table.broken.push(line);
    else if (row.bytes === 0) this.table.empty += 1;
    else this.table.rows.push(row);
  }

  /** A row whose rest never came is not a row. */
  private dropFragment(): void {
    if (this.fragment.length > 0) this.table?.broken.push(this.fragmentLine);
    this.fragment = [];
  }

  private takeComment(text: string, line: number): void {
    if (startsLaunch(text) && this.tables.at(-1)?.launch === this.launch) {
      this.dropFragment();
      this.launch = new Launch(this.launch.environment);
      this.table = null;
    }
    this.launch.take(text);
    if (text.includes('Collective test concluded')) this.conclude();
    const average = /#\s*Avg bus bandwidth\s*:\s*(\d{1,12}(?:\.\d+)?(?:e[+-]?\d{1,2})?)\s*$/i.exec(text)?.[1];
    const check = /#\s*Out of bounds values\s*:\s*(\d{1,15})\s+(OK|FAILED)/.exec(text);
    if (average === undefined && !check) return;
    this.dropFragment();
    // output that was cut before its table still has the summary
    const table = this.table ?? this.openTable(line);
    if (average !== undefined) table.average = Number(average);
    if (check) table.check = { wrong: Number(check[1]), hasFailed: check[2] === 'FAILED' };
  }

  /** The last line of a launch names the collective too, for output whose first lines are missing. */
  private conclude(): void {
    this.dropFragment();
    if (this.table) this.table.collective ??= this.launch.collective;
    this.launch = new Launch(this.launch.environment);
    this.table = null;
  }

  private refuse(line: number): void {
    if (this.refusals.length > 0) return;
    this.refusals.push(
      badRun(
        line,
        'The table was edited by hand: columns are missing or numbers carry underscores. Send the output as it was written',
        '表格被手工改动过：缺少列，或数字中带有下划线。请上传原始输出',
      ),
    );
  }
}
