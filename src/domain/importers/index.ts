import { cutText } from '../cut-text.js';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { redactCommand, redactFacts, redactText } from '../measurement/redact.js';
import { withinBounds } from './bounds.js';
import { callerWords } from './caller-words.js';
import { readWithCommas } from './decimal-commas.js';
import { fabricImporters } from './fabric/index.js';
import { harnessImporters } from './harnesses/index.js';
import { error, type Importer, type ImportProblem, type Reading, type ReadRun } from './importer.js';
import { seriesKeyOf } from './in-unit.js';
import { truncationOf } from './json.js';
import { monitoringImporters } from './monitoring/index.js';
import { MAX_CONTENT_BYTES, prepare } from './prepare.js';
import { readToEnd } from './open-end.js';
import { profilerImporters } from './profilers/index.js';
import { withoutEqualRuns, withoutRepetition } from './repeated-content.js';
import { servingImporters } from './serving/index.js';
import { storageImporters } from './storage/index.js';
import { trainingImporters } from './training/index.js';
import { otherContent } from './other-content.js';
import { withoutPaste } from './pasted.js';

/** Every tool whose output is understood. */
export const importers: readonly Importer[] = [
  ...servingImporters,
  ...fabricImporters,
  ...storageImporters,
  ...trainingImporters,
  ...profilerImporters,
  ...monitoringImporters,
  ...harnessImporters,
];

const MAX_RUNS = 1_000;
const MAX_OBSERVATIONS = 20_000;

/** A format that a content may be of, and what its importer finds there. */
export interface Candidate {
  readonly format: string;
  readonly runCount: number;
  readonly observationCount: number;
  /** Keys of the metrics, in the order of the file; at most 20. */
  readonly metrics: readonly string[];
}

export interface ContentReading {
  /** The importer that read it, or null. */
  readonly format: string | null;
  /** The formats that it may be, with what each found; one where that is settled. */
  readonly candidates: readonly Candidate[];
  readonly reading: Reading;
}

/** Texts longer than this are looked at in part first. */
const SHORT = 1024 * 1024;
const HEAD = 64 * 1024;
const TAIL = 16 * 1024;

/**
 * The importers that take the text for output of their tool. Of a long text the beginning and the end are looked at
 * first, and only those that they show are asked about the whole of it; where they show none, all are.
 */
export function recognize(text: string): readonly Importer[] {
  if (text.length > SHORT) {
    const shown = [text.slice(0, HEAD), text.slice(-TAIL)];
    const likely = importers.filter((importer) => shown.some((part) => importer.recognizes(part)));
    const found = likely.filter((importer) => importer.recognizes(text));
    if (found.length > 0) return found;
  }
  return importers.filter((importer) => importer.recognizes(text));
}

/**
 * Reads the output of a benchmark tool: of the one that `format` names, else of the only one that recognizes it. Facts,
 * commands and variants come back redacted. Never throws for bad content: a problem says what is wrong with it.
 */
export function readContent(content: string, format?: string, maxBytes: number = MAX_CONTENT_BYTES): ContentReading {
  const prepared = prepare(content, maxBytes);
  return 'problem' in prepared ? refused(prepared.problem) : readText(prepared.text, format);
}

/** As `readContent`, of a text that is prepared. */
export function readText(prepared: string, format?: string): ContentReading {
  const text = withoutPaste(prepared);
  if (format !== undefined) {
    const named = importers.find((importer) => importer.tool === format);
    return named ? readBy(named, text) : refused(unknownFormat(format));
  }
  const found = recognize(text);
  const [first, second] = found;
  if (!first) return refused(...whyUnrecognized(text));
  if (second) {
    return {
      ...refused(ambiguous(found)),
      candidates: found.map((importer) => candidateOf(importer.tool, withinBounds(importer.read(text)).runs)),
    };
  }
  return readBy(first, text);
}

function readBy(importer: Importer, text: string): ContentReading {
  const { tool } = importer;
  const once = withoutRepetition(text);
  const read = readToEnd(importer, once.text, (part) => readWithCommas(importer, part));
  const { runs, problems } = withoutEqualRuns(read);
  const reading = checked(tool, { runs, problems: [...once.problems, ...problems] });
  return { format: tool, candidates: [candidateOf(tool, reading.runs)], reading };
}

/**
 * What was read without the numbers that no measurement gives, with its limits checked, each point told apart, and nothing
 * of a person, a machine or a secret in it.
 */
export function checked(tool: string, reading: Reading): Reading {
  const { runs, problems } = withinBounds(reading);
  const distinct = runs.map(withDistinctSeries);
  const added = hasError(problems) ? [] : missing(tool, distinct);
  const isAnyGood = distinct.some(({ status }) => status !== 'FAILED');
  return {
    runs: distinct.slice(0, MAX_RUNS).map(redacted),
    problems: [...problems.map((problem) => toldOfRun(problem, isAnyGood)), ...added].map(redactedProblem),
  };
}

/** A point of a sweep at which everything failed is a FAILED run beside others, and refuses only a file of its own. */
function toldOfRun(problem: ImportProblem, isAnyGood: boolean): ImportProblem {
  return isAnyGood && problem.code === 'NO_MEASUREMENT' ? { ...problem, severity: 'WARNING' } : problem;
}

function redactedProblem(problem: ImportProblem): ImportProblem {
  const { en, zh } = problem.message;
  const value = problem.value === undefined ? {} : { value: cutText(redactText(problem.value), 200) };
  return { ...problem, message: { en: redactText(en), zh: redactText(zh) }, ...value };
}

/** A run says one thing about a metric at one point: what stands there again gets a number of its own. */
function withDistinctSeries(run: ReadRun): ReadRun {
  const seen = new Map<string, number>();
  return {
    ...run,
    observations: run.observations.map((observation) => {
      const series = `${observation.metric} ${seriesKeyOf(observation.dimensions)}`;
      const count = (seen.get(series) ?? 0) + 1;
      seen.set(series, count);
      return count === 1
        ? observation
        : { ...observation, dimensions: { ...observation.dimensions, occurrence: count } };
    }),
  };
}

/** Most metrics that a candidate names. */
const NAMED_METRICS = 20;

function candidateOf(format: string, runs: readonly ReadRun[]): Candidate {
  const observations = runs.flatMap((run) => run.observations);
  const metrics = [...new Set(observations.map(({ metric }) => metric))].slice(0, NAMED_METRICS);
  return { format, runCount: runs.length, observationCount: observations.length, metrics };
}

function missing(tool: string, runs: readonly ReadRun[]): readonly ImportProblem[] {
  if (runs.length > MAX_RUNS) {
    return [
      error(null, `The file holds more than ${MAX_RUNS} runs: split it`, `文件中的运行超过 ${MAX_RUNS} 个，请拆分`, {
        code: 'TOO_LARGE',
      }),
    ];
  }
  const observations = runs.reduce((sum, run) => sum + run.observations.length, 0);
  if (observations > MAX_OBSERVATIONS) {
    const [count, most] = [observations, MAX_OBSERVATIONS].map((number) => number.toLocaleString('en-US'));
    return [
      error(
        null,
        `The file holds ${count} observations; at most ${most} are taken: split it`,
        `文件含 ${count} 个观测值，最多接受 ${most} 个，请拆分`,
        { code: 'TOO_LARGE' },
      ),
    ];
  }
  if (runs.length > 0) return [];
  return [
    error(null, `No result of ${tool} was found in the content`, `内容中没有找到 ${tool} 的结果`, {
      code: 'NO_RESULT',
    }),
  ];
}

function hasError(problems: readonly ImportProblem[]): boolean {
  return problems.some(({ severity }) => severity === 'ERROR');
}

function redacted(run: ReadRun): ReadRun {
  const clean = new Map<string, string>();
  const dimension = (value: string | number): string | number => {
    if (typeof value === 'number') return value;
    const known = clean.get(value) ?? redactText(value);
    clean.set(value, known);
    return known;
  };
  return {
    ...run,
    variant: run.variant === null ? null : cutText(redactText(run.variant), 500),
    command: run.command === null ? null : redactCommand(run.command),
    session: run.session === null ? null : cutText(redactText(run.session), 200),
    block: run.block === null ? null : cutText(redactText(run.block), 200),
    environment: wellFormed(redactFacts(run.environment).facts),
    workload: wellFormed(redactFacts(run.workload).facts),
    observations: run.observations.map((observation) => ({
      ...observation,
      dimensions: Object.fromEntries(
        Object.entries(observation.dimensions).map(([name, value]) => [name, dimension(value)]),
      ),
    })),
  };
}

/** A text that was cut may end with half of a surrogate pair, which no database stores. */
function wellFormed(facts: Facts): Facts {
  const whole = (value: FactValue) => (typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : value);
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, whole(value)]));
}

function refused(...problems: readonly ImportProblem[]): ContentReading {
  return { format: null, candidates: [], reading: { runs: [], problems } };
}

function toolNames(list: readonly Importer[]): string {
  return list.map(({ tool }) => tool).join(', ');
}

function unknownFormat(format: string): ImportProblem {
  const name = cutText(format, 100);
  return error(
    null,
    `The format "${name}" is not known; ${callerWords.formatsListed.api.en} those that are`,
    `未知格式“${name}”，${callerWords.formatsListed.api.zh}`,
    { code: 'UNKNOWN_FORMAT', value: name },
  );
}

function whyUnrecognized(text: string): readonly ImportProblem[] {
  const other = otherContent(text);
  if (other) return [other];
  const truncation = truncationOf(text);
  if (truncation) return [truncation, unrecognized()];
  const misses = importers.map((importer) => importer.nearMiss?.(text) ?? null).filter((miss) => miss !== null);
  return misses.length > 0 ? misses : [unrecognized()];
}

function unrecognized(): ImportProblem {
  const count = importers.length;
  return error(
    null,
    `The content is of none of the ${count} formats that are known; ${callerWords.formatsListed.api.en} them`,
    `内容不属于已知的 ${count} 种格式，${callerWords.formatsListed.api.zh}`,
    { code: 'UNRECOGNIZED' },
  );
}

function ambiguous(found: readonly Importer[]): ImportProblem {
  const names = toolNames(found);
  return error(
    null,
    `The content looks like the output of several tools: ${names}. ${callerWords.formatNamed.api.en}`,
    `内容同时像多个工具的输出：${names}。${callerWords.formatNamed.api.zh}其中一个后重试`,
    { code: 'SEVERAL_FORMATS' },
  );
}
