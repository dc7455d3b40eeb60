import { incomplete, leftOut, error, type ImportProblem, type Reading } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { decimalSignOf, isNoValue, numberOf, type DecimalSign } from '../number.js';
import { pipedTables, type PipedTable } from '../piped-table.js';
import { withoutHosts } from './profile-config.js';
import { loadUnknown, profileResult, type Profile } from './profile-result.js';
import { averageOf, isStatistic, titleOf, type ProfileMetric } from './profile-statistics.js';
import { readingOf, roundingProblem, type Result } from './requests.js';
import { modelName, WorkloadFacts } from './workload.js';

/** The tables of one of the two tools in a log, each with the settings of the command before it. */
export function readTables(text: string, tool: Profile['tool'], title: RegExp): Reading {
  const lines = [...labeledLines(text)].map((line) => line.text);
  const tables = pipedTables(lines.join('\n'), isHeader, 'JOINED').filter((table) => isTitled(lines, table, title));
  const settings = new Settings();
  let seen = 0;
  const results = tables.flatMap((table): readonly Result[] => {
    for (; seen < table.line - 1; seen += 1) settings.note(lines[seen] ?? '');
    if (!settings.isLoadKnown) settings.noteBehind(lines, table);
    const result = readTable(table, lines, tool, settings);
    // the next table is of another command
    if (result) settings.reset();
    return result ? [result] : [];
  });
  return readingOf(results);
}

function isHeader(cells: readonly string[]): boolean {
  return /^(?:Statistic|Metric)$/.test(cells[0] ?? '') && cells.includes('avg');
}

/** The title stands right above the upper border. */
function isTitled(lines: readonly string[], { line }: PipedTable, title: RegExp): boolean {
  return lines.slice(Math.max(line - 5, 0), line - 1).some((above) => title.test(above));
}

/** Tables of GPUs and of connections have none of these. */
const ofRequests = /^(?:request_(?:latency|throughput|count)|time_to_first_token|output_token_throughput)$/;

function readTable(table: PipedTable, lines: readonly string[], tool: Profile['tool'], settings: Settings): Result | null {
  const sign = decimalSignOf(table.rows.flatMap(({ cells }) => cells.slice(1).map(joined)));
  if (sign === null) return { run: null, refusal: ambiguous(table), problems: [] };
  const rows = table.rows.map((row) => ({ ...titleOf(row.cells[0] ?? ''), row }));
  const cut = rows.filter(({ row }) => row.cells.some((cell) => cell.includes('…')));
  const metrics = [
    ...rows.map(({ key, unit, row }): ProfileMetric => ({ key, unit, statistics: numbersOf(table.columns, row.cells, sign), line: row.line })),
    ...ratesBelow(lines, table, sign),
  ].filter(({ key, statistics }) => Object.keys(statistics).length > 0 && !(statistics.avg === undefined && cut.some((row) => row.key === key)));
  if (!metrics.some(({ key }) => ofRequests.test(key))) return null;
  const rate = metrics.find(({ key }) => key === 'request_throughput');
  const isClosed = isBorder(lines[(table.rows.at(-1)?.line ?? table.line)] ?? '') || hasBorderSoon(lines, table);
  return profileResult({
    tool,
    format: `${tool}-console`,
    line: table.line,
    metrics,
    workload: settings.workload(),
    command: settings.command,
    isPartial: !isClosed,
    problems: [
      ...(cut.length > 0 ? [cutOff(cut.map(({ key }) => key), table.line)] : []),
      ...(isClosed ? [] : [notClosed(table.line)]),
      ...roundingProblem(averageOf(metrics, 'request_throughput'), rate?.line ?? table.line),
      ...(settings.isLoadKnown ? [] : [loadUnknown(table.line)]),
    ],
    rounding: 0.005,
  });
} // prettier-ignore

function isBorder(line: string): boolean {
  return /^\s{0,200}[└╰+|]/.test(line) && /[─━-]{3}/.test(line);
}

/** A name that goes on leaves a line between the last row and the border. */
function hasBorderSoon(lines: readonly string[], table: PipedTable): boolean {
  const last = table.rows.at(-1)?.line ?? table.line;
  return lines.slice(last, last + 3).some(isBorder);
}

const joined = (cell: string): string => cell.replace(/\s+/g, '');

function numbersOf(columns: readonly string[], cells: readonly string[], sign: DecimalSign): ProfileMetric['statistics'] {
  const found: Record<string, number> = {};
  columns.forEach((name, index) => {
    const cell = joined(cells[index] ?? '');
    const number = isStatistic(name) && !isNoValue(cell) ? numberOf(cell, sign) : null;
    if (number !== null && Number.isFinite(number)) found[name] = number;
  });
  return found;
} // prettier-ignore

/** Releases of 2024 printed the rates below the table. */
function ratesBelow(lines: readonly string[], table: PipedTable, sign: DecimalSign): readonly ProfileMetric[] {
  const last = table.rows.at(-1)?.line ?? table.line;
  return lines.slice(last, last + 6).flatMap((line, index) => {
    const [, name, value = ''] = /^\s{0,20}((?:Output token|Request) throughput \(per sec\)): ([\d.,]{1,30})\s*$/i.exec(line) ?? []; // prettier-ignore
    const number = numberOf(value, sign);
    if (name === undefined || number === null || !Number.isFinite(number)) return [];
    return [{ ...titleOf(name), statistics: { avg: number }, line: last + index + 1 }];
  });
}

/** What the commands in a log say, the last of each. */
class Settings {
  command: string | null = null;
  private options: Readonly<Record<string, string>> = {};

  reset(): void {
    this.command = null;
    this.options = {};
  }

  /** AIPerf repeats the command below the table. */
  noteBehind(lines: readonly string[], table: PipedTable): void {
    const last = table.rows.at(-1)?.line ?? table.line;
    for (const line of lines.slice(last, last + 40)) {
      if (/^\s{0,20}CLI Command: /.test(line)) this.note(line);
      if (/NVIDIA (?:GenAI-Perf|AIPerf) \|/.test(line)) return;
    }
  }

  note(line: string): void {
    const start = /\b(?:genai-perf|aiperf) profile\b|\bperf_analyzer -m\b/.exec(line);
    if (!start) return;
    const command = line.slice(start.index, start.index + 4_000);
    const found = [...command.matchAll(/\s--?([a-zA-Z][\w-]{0,60})(?:=|\s{1,4})("[^"]{0,300}"|'[^']{0,300}'|[^\s'"-][^\s'"]{0,300})/g)]; // prettier-ignore
    const options = Object.fromEntries(found.map(([, name = '', value = '']) => [name, value.replace(/["']/g, '')]));
    // perf_analyzer says again what the command before it said
    const isOwn = !start[0].startsWith('perf');
    this.options = isOwn ? options : { ...options, ...this.options };
    if (isOwn) this.command = withoutHosts(command.trim());
  }

  get isLoadKnown(): boolean {
    return this.number('concurrency', 'concurrency-range', 'request-rate', 'request-rate-range') !== null;
  }

  workload(): WorkloadFacts {
    const model = this.options.m ?? this.options.model ?? null;
    return new WorkloadFacts()
      .set('model', model === null ? null : modelName(model))
      .set('backend', this.options['endpoint-type'])
      .set('concurrency', this.number('concurrency', 'concurrency-range'))
      .set('request_rate', this.number('request-rate', 'request-rate-range'))
      .set('num_prompts', this.number('request-count'))
      .set('settings.input_tokens_mean', this.number('synthetic-input-tokens-mean'))
      .set('settings.output_tokens_mean', this.number('output-tokens-mean'));
  }

  private number(...names: readonly string[]): number | null {
    const text = names.map((name) => this.options[name]).find((value) => value !== undefined);
    const [, number, end = number] = /^(\d{1,9}(?:\.\d{1,6})?)(?::(\d{1,9}(?:\.\d{1,6})?)(?::[\d.]{1,20})?)?$/.exec(text ?? '') ?? []; // prettier-ignore
    return number === undefined || number !== end ? null : Number(number);
  }
}

function ambiguous(table: PipedTable): ImportProblem {
  return error(
    table.line,
    'The numbers of the table have a comma before three digits each: it may separate thousands or be a decimal sign. Send the JSON file of the tool',
    '表中数字的逗号后都恰好有三位，无法判断是千分位还是小数点，请上传工具生成的 JSON 文件',
  );
}

function cutOff(keys: readonly string[], line: number): ImportProblem {
  const names = keys.slice(0, 10).join(', ');
  return leftOut(
    line,
    `The terminal was too narrow and cut numbers of ${names}: they were left out. The JSON file of the tool is better`,
    `终端过窄，${names} 的数字被截断，未采用；建议改用工具生成的 JSON 文件`,
  );
}

function notClosed(line: number): ImportProblem {
  return incomplete(line, 'The table has no lower border: the output is not complete', '表格缺少下边框，输出不完整');
}
