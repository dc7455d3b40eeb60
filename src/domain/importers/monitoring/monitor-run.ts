import type { Facts } from '../../measurement/environment-diff.js';
import {
  leftOut,
  error,
  warning,
  type ImportProblem,
  type Reading,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';

/** What a monitor showed, from its first tick to its last. */
export interface Monitored {
  readonly tool: string;
  readonly toolVersion?: string | null;
  readonly startedAt?: string | null;
  readonly command?: string | null;
  readonly environment?: Facts;
  readonly workload?: Facts;
  readonly observations: readonly ReadObservation[];
  readonly isPartial: boolean;
  readonly problems: readonly ImportProblem[];
  /** Where the output begins; 0 where no line of the text is known to be of it. */
  readonly line: number;
}

/** The run, or an error where the output holds no value. */
export function monitorReading(monitored: Monitored): Reading {
  const { tool, observations, problems, line } = monitored;
  if (observations.length === 0) {
    return {
      runs: [],
      problems: [
        ...problems,
        error(line || null, `The output of ${tool} holds no value that is read`, `${tool} 的输出中没有可读取的值`),
      ],
    };
  }
  const run: ReadRun = {
    status: monitored.isPartial ? 'PARTIAL' : 'OK',
    tool,
    toolVersion: monitored.toolVersion ?? null,
    variant: null,
    startedAt: monitored.startedAt ?? null,
    command: monitored.command ?? null,
    environment: monitored.environment ?? {},
    workload: { 'workload.tool': tool, ...monitored.workload },
    session: null,
    block: null,
    observations,
  };
  return { runs: [run], problems };
}

/** Several readings of one file as one: an error among them is none of the file where another has a run. */
export function joinedReadings(readings: readonly Reading[]): Reading {
  const runs = readings.flatMap((reading) => reading.runs);
  const problems = readings.flatMap((reading) =>
    runs.length > 0 && reading.runs.length === 0
      ? reading.problems.filter(({ severity }) => severity === 'WARNING')
      : reading.problems,
  );
  return { runs, problems };
}

/** Lines and cells that were not taken. */
export class LeftOut {
  private readonly lines: number[] = [];
  private cells = 0;
  private firstCell: { readonly line: number; readonly text: string } | null = null;

  row(line: number): void {
    this.lines.push(line);
  }

  cell(line: number, text: string): void {
    this.cells += 1;
    this.firstCell ??= { line, text: text.slice(0, 40) };
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  /** `lastLine` is the last line of the text that is not blank: what is cut there was cut by the end of the log. */
  problems(lastLine: number): readonly ImportProblem[] {
    const isCut = this.lines.at(-1) === lastLine;
    const others = isCut ? this.lines.slice(0, -1) : this.lines;
    const [first] = others;
    return [
      ...(first === undefined
        ? []
        : [
            leftOut(
              first,
              `Left out, since not every column has a value: lines ${shown(others)}`,
              `未采用以下行，列数与表头不符：${shown(others)}`,
            ),
          ]),
      ...(isCut ? [leftOut(lastLine, 'The last line is cut and was left out', '最后一行不完整，未采用')] : []),
      ...(this.firstCell
        ? [
            leftOut(
              this.firstCell.line,
              `Values that are no numbers were left out: ${this.cells}, the first is "${this.firstCell.text}"`,
              `有 ${this.cells} 个值不是数字，未采用，第一个是“${this.firstCell.text}”`,
            ),
          ]
        : []),
    ];
  }
}

function shown(lines: readonly number[]): string {
  const first = lines.slice(0, 5).join(', ');
  return lines.length > 5 ? `${first}, … (${lines.length})` : first;
}

/** Shown where a tool prints the average since the start of the machine before its first interval. */
export function sinceBoot(line: number, rows: 'ONLY' | 'FIRST_OF_SEVERAL'): ImportProblem {
  return rows === 'ONLY'
    ? warning(
        line,
        'The only report is the average since the machine started, not one of the benchmark. Give an interval',
        '唯一的一次报告是开机以来的平均值，并非测试期间的数据，请指定采样间隔',
        { code: 'WARM_UP_INCLUDED' },
      )
    : leftOut(
        line,
        'The first report was left out: it is the average since the machine started',
        '未采用第一次报告：它是开机以来的平均值',
      );
}

/** What tells apart the devices of several machines whose outputs a launcher mixed. */
export const sourceOf = (label: string | null): Readonly<Record<string, string>> =>
  label === null ? {} : { source: label };

/** A number as monitors print it, without separators of thousands; null for anything else. */
export function plainNumber(text: string): number | null {
  return /^[+-]?\d{1,20}(?:\.\d{1,20})?$/.test(text) ? Number(text) : null;
}
