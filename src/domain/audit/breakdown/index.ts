import { cutText } from '../../cut-text.js';
import { error, warning, type ImportProblem } from '../../importers/importer.js';
import { startsLikeJson, truncationOf } from '../../importers/json.js';
import { lineAt } from '../../importers/line-at.js';
import { endsInNumber, lastWordOf } from '../../importers/open-end.js';
import { prepare } from '../../importers/prepare.js';
import type { BothLanguages } from '../../locale.js';
import { timeParts, type TimePart, type TimeShares } from '../time-breakdown.js';
import { holisticTraceAnalysis } from './holistic-trace-analysis.js';
import { namedShares } from './named-shares.js';
import { nsysStats } from './nsys-stats.js';
import type { BreakdownReader, BreakdownReading, Category, TimeRow } from './reader.js';
import { stepTimeCsv } from './step-time-csv.js';
import { torchProfilerTable } from './torch-profiler-table.js';

/** Every output that is understood; the first that recognizes a text reads it, and people's own files come last. */
export const breakdownReaders: readonly BreakdownReader[] = [
  torchProfilerTable, nsysStats, holisticTraceAnalysis, stepTimeCsv, namedShares,
]; // prettier-ignore

/** 4 MiB: a summary is small. */
export const MAX_BREAKDOWN_BYTES = 4 * 1024 * 1024;
/** More lines, and longer ones, are of no tool that is known here. JSON, which may be one line, is read apart. */
const LONGEST_LINE = 10_000;
const MOST_TEXT_LINES = 50_000;

/** What relates the times of a file to a step, where the file itself does not. */
export interface StepTime {
  /** Seconds that one step takes by the clock on the wall. */
  readonly stepSeconds: number | null;
  /** How many steps the file covers; what the file says, else 1, where null. */
  readonly steps: number | null;
  /** How many devices the file adds up; 1 where null. */
  readonly devices: number | null;
}

/** One thing that takes time. `share` is of the step where its time is known, else of the time of the device. */
export interface BreakdownLine {
  /** As the file names it; in both languages where the name is ours. */
  readonly name: string | BothLanguages;
  readonly category: Category;
  readonly seconds: number | null;
  readonly share: number;
}

export interface ReadBreakdown {
  /** The reader that took it, or null. */
  readonly format: string | null;
  /** Null where a problem is an error. */
  readonly shares: TimeShares | null;
  /** What the shares are of. */
  readonly of: 'STEP' | 'DEVICE_TIME';
  /** The largest first, at most 20. */
  readonly lines: readonly BreakdownLine[];
  readonly problems: readonly ImportProblem[];
}

const MOST_LINES = 20;
const MOST_PROBLEMS = 50;

/** Reads where the time goes. Never throws for bad content: a problem says what is wrong with it. */
export function readBreakdown(content: string, step: StepTime): ReadBreakdown {
  const prepared = prepare(content, MAX_BREAKDOWN_BYTES);
  if ('problem' in prepared) return failed(null, [prepared.problem]);
  const { text } = prepared;
  const unbounded = startsLikeJson(text) ? null : beyondBounds(text);
  if (unbounded) return failed(null, [unbounded]);
  const reader = breakdownReaders.find((one) => one.recognizes(text));
  if (!reader) return failed(null, [truncationOf(text) ?? unrecognized()]);
  const reading = reader.read(text);
  if (hasError(reading.problems)) return failed(reader.format, reading.problems);
  if (!reader.isWrittenByHand && isOpen(text, reading, reader)) return failed(reader.format, [mayBeCut(text)]);
  return { ...breakdownOf(reading, step), format: reader.format };
}

/** Whether the last number would be another one if the text went on. */
function isOpen(text: string, { rows, wallSeconds, steps }: BreakdownReading, reader: BreakdownReader): boolean {
  if (!endsInNumber(text)) return false;
  const longer = reader.read(`${text}7`);
  const said = [rows, wallSeconds, steps];
  return JSON.stringify([longer.rows, longer.wallSeconds, longer.steps]) !== JSON.stringify(said);
}

function mayBeCut(text: string): ImportProblem {
  const line = lineAt(text, text.length);
  const word = lastWordOf(text);
  return error(
    line,
    `Line ${line} is the last one and does not end: what stands at its end, "${word}", may be cut. Send the whole file, or end the line where it is whole`,
    `第 ${line} 行是最后一行且没有换行：末尾的“${word}”可能被截断。请上传完整文件；若内容已完整，请在末尾加上换行`,
    { code: 'LAST_LINE_OPEN', value: word },
  );
}

function beyondBounds(text: string): ImportProblem | null {
  let line = 1;
  for (let start = 0; start < text.length; line += 1) {
    if (line > MOST_TEXT_LINES) return tooManyLines(line);
    const found = text.indexOf('\n', start);
    const length = (found < 0 ? text.length : found) - start;
    if (length > LONGEST_LINE) return lineTooLong(line, length);
    start += length + 1;
  }
  return null;
}

function hasError(problems: readonly ImportProblem[]): boolean {
  return problems.some(({ severity }) => severity === 'ERROR');
}

function failed(format: string | null, problems: readonly ImportProblem[]): ReadBreakdown {
  return { format, shares: null, of: 'STEP', lines: [], problems: problems.slice(0, MOST_PROBLEMS) };
}

/** The shares of a reading, and how they came about. They never add up to more than 1. */
function breakdownOf(reading: BreakdownReading, step: StepTime): Omit<ReadBreakdown, 'format'> {
  const wall = reading.unit === 'SHARES' ? 1 : wallOf(reading, step);
  const { rows, hasProcessor } = withProcessor(reading, wall);
  const whole = wall ?? sumOf(rows);
  const busy = sumOf(rows.filter(({ category }) => category !== 'other'));
  if (whole <= 0) return failed(null, [error(null, 'All times are 0', '所有时间都是 0')]);
  if (wall !== null && busy > MOST_OVERLAP * wall) return failed(null, [...reading.problems, tooLong(busy, wall)]);
  const tells: readonly TimePart[] = hasProcessor ? [...reading.tells, 'host'] : reading.tells;
  const wanted = timeParts.map((part): [TimePart, number | null] => [
    part,
    tells.includes(part) ? sumOf(rows.filter(({ category }) => category === part)) / whole : null,
  ]);
  const shares = fitted(wanted);
  const secondsOf = (row: TimeRow): number | null => {
    if (reading.unit === 'SECONDS') return rounded(row.seconds);
    const seconds = step.stepSeconds ?? reading.wallSeconds;
    return seconds === null ? null : rounded(row.seconds * seconds);
  };
  const lines = rows
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, MOST_LINES)
    .map((row) => ({
      name: typeof row.name === 'string' ? cutText(row.name, LONGEST_NAME) : row.name,
      category: row.category,
      seconds: secondsOf(row),
      share: rounded(row.seconds / whole),
    }));
  const problems = [
    ...reading.problems,
    ...(wall === null ? [ofDeviceTime(reading)] : []),
    ...(wall !== null && busy > wall * (1 + ROUNDING) ? [overlaps(busy, wall)] : []),
    ...(hasProcessor ? [estimatedHost()] : []),
    ...(step.stepSeconds !== null && !tells.includes('host') && reading.unit === 'SECONDS' ? [withoutHost()] : []),
  ];
  return { shares, of: wall === null ? 'DEVICE_TIME' : 'STEP', lines, problems: problems.slice(0, MOST_PROBLEMS) };
}

const LONGEST_NAME = 300;
const ROUNDING = 1e-6;
/** Kernels and copies that run at the same time may pass the time of the step; twice of it is another number of steps or devices. */
const MOST_OVERLAP = 2;

function wallOf(reading: BreakdownReading, { stepSeconds, steps, devices }: StepTime): number | null {
  const one = stepSeconds === null ? reading.wallSeconds : stepSeconds * (steps ?? reading.steps ?? 1);
  return one === null ? null : one * (devices ?? 1);
}

/** Of the time in which the device is idle, what the processor works and waits for input: at most this can be its share. */
function withProcessor(
  { rows, processor }: BreakdownReading,
  wall: number | null,
): { rows: readonly TimeRow[]; hasProcessor: boolean } {
  if (wall === null || processor === null) return { rows, hasProcessor: false };
  const idle = Math.max(0, wall - sumOf(rows));
  const input = Math.min(idle, processor.waitForInput);
  const host = Math.min(idle - input, processor.work);
  return {
    rows: [
      ...rows,
      ...(input > 0 ? [{ name: waiting, category: 'input' as const, seconds: input }] : []),
      ...(host > 0 ? [{ name: working, category: 'host' as const, seconds: host }] : []),
    ],
    hasProcessor: true,
  };
}

const waiting: BothLanguages = { en: 'DataLoader (device idle)', zh: 'DataLoader（设备空闲）' };
const working: BothLanguages = { en: 'CPU (device idle)', zh: 'CPU（设备空闲）' };

function sumOf(rows: readonly TimeRow[]): number {
  return rows.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** In the order of the parts, each what is left of the whole: what is hidden behind computation cannot be saved. */
function fitted(wanted: readonly (readonly [TimePart, number | null])[]): TimeShares {
  let left = 1;
  const shares: Record<TimePart, number | null> = { compute: null, communication: null, input: null, host: null };
  for (const [part, share] of wanted) {
    if (share === null) continue;
    const given = Math.min(left, rounded(share));
    shares[part] = given;
    left = rounded(Math.max(0, left - given));
  }
  return shares;
}

/** To nine digits, which is more than anybody measures and less than what adding up blurs. */
function rounded(value: number): number {
  return Number(value.toPrecision(9));
}

const seconds = (value: number): string => `${Number(value.toPrecision(4))} s`;

function unrecognized(): ImportProblem {
  const known = breakdownReaders.map(({ what }) => what);
  return error(
    null,
    `This is none of the outputs that are understood: ${known.map(({ en }) => en).join('; ')}`,
    `无法识别的输出，可识别的有：${known.map(({ zh }) => zh).join('；')}`,
  );
}

function lineTooLong(line: number, length: number): ImportProblem {
  return error(
    line,
    `Line ${line} has ${length} characters; lines of at most ${LONGEST_LINE} are read`,
    `第 ${line} 行有 ${length} 个字符，每行最多读取 ${LONGEST_LINE} 个`,
  );
}

function tooManyLines(line: number): ImportProblem {
  return error(
    line,
    `There are more than ${MOST_TEXT_LINES} lines: send a summary`,
    `超过 ${MOST_TEXT_LINES} 行，请提交汇总`,
  );
}

function tooLong(busy: number, wall: number): ImportProblem {
  return error(
    null,
    `The device works for ${seconds(busy)}, and the steps take ${seconds(wall)}: give steps and devices that the file covers`,
    `设备工作 ${seconds(busy)}，而各步共 ${seconds(wall)}：请用 steps 和 devices 给出文件涵盖的步数与设备数`,
  );
}

function ofDeviceTime({ rows }: BreakdownReading): ImportProblem {
  const sum = seconds(sumOf(rows));
  return warning(
    null,
    `These are shares of ${sum} of device time, not of the step: the time in which the device waits is not in them, and the share of the host is unknown. Give stepSeconds to relate them to the step`,
    `这些是设备时间（${sum}）的占比，而不是整步的占比：设备等待的时间不在其中，主机占比未知。请给出 stepSeconds，以换算为整步的占比`,
    { code: 'SHARE_UNKNOWN' },
  );
}

function overlaps(busy: number, wall: number): ImportProblem {
  return warning(
    null,
    `Work on the device overlaps: it adds up to ${seconds(busy)} in ${seconds(wall)}. Communication and input count only as far as computation does not hide them`,
    `设备上的工作有重叠：${seconds(wall)} 内合计 ${seconds(busy)}。通信与输入只计入未被计算掩盖的部分`,
    { code: 'OVERLAPPING' },
  );
}

function estimatedHost(): ImportProblem {
  return warning(
    null,
    'Host and DataLoader count as far as the device is idle meanwhile, at most; work that overlaps on the device makes them seem smaller',
    '主机与 DataLoader 最多只计入设备空闲的时间；若设备上的工作有重叠，二者会显得偏小',
    { code: 'OVERLAPPING' },
  );
}

function withoutHost(): ImportProblem {
  return warning(
    null,
    'The file does not tell what the processor does while the device waits: the share of the host is unknown, and part of the rest',
    '文件没有说明设备等待时处理器在做什么：主机占比未知，包含在其余时间中',
    { code: 'SHARE_UNKNOWN' },
  );
}
