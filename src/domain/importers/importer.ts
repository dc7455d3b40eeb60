import type { BothLanguages } from '../locale.js';
import type { Facts } from '../measurement/environment-diff.js';
import type { ProblemCode } from './problem-codes.js';

/** What happened inside a run; null where it cannot be said, such as the deviation of a single value. */
export interface Distribution {
  readonly count: number;
  readonly mean: number | null;
  readonly sd: number | null;
  readonly min: number | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/** What a run says about one metric. All numbers are finite and in `unit`; whoever stores them converts. */
export interface ReadObservation {
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly unit: string;
  /** Values that count one by one: the median of each round, or each repetition. */
  readonly repeats?: readonly number[];
  /** For each of `repeats` the block that it shares with the other arm. */
  readonly blocks?: readonly string[];
  /**
   * Mean and deviation over repetitions that the file does not list, in `unit`; `n` is null where it does not say how many.
   * `value` is then the mean, and there are no `repeats`.
   */
  readonly summary?: { readonly mean: number; readonly sd: number; readonly n: number | null };
  /** At most 10,000, taken evenly. */
  readonly samples?: readonly number[];
  readonly distribution?: Distribution;
}

export interface ReadRun {
  readonly status: 'OK' | 'PARTIAL' | 'FAILED';
  readonly tool: string;
  readonly toolVersion: string | null;
  readonly variant: string | null;
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly command: string | null;
  readonly environment: Facts;
  readonly workload: Facts;
  readonly session: string | null;
  readonly block: string | null;
  readonly observations: readonly ReadObservation[];
  /** How many values of the file are not among them, though they should be. */
  readonly leftOut?: number;
}

/**
 * How much of a file a problem is about: all of it; one result of it, which is not among the runs or is FAILED there; or
 * one value, which is in no run.
 */
export type ProblemScope = 'FILE' | 'RUN' | 'VALUE';

/** `ERROR`: what `scope` names may not be stored, and the rest only where the caller asks for it. */
export interface ImportProblem {
  /** From 1. */
  readonly line: number | null;
  readonly message: BothLanguages;
  readonly severity: 'ERROR' | 'WARNING';
  readonly scope: ProblemScope;
  /** The kind of problem, the same in every version. */
  readonly code: ProblemCode;
  /** What stands there, as far as one value is meant. */
  readonly value?: string;
}

export interface Reading {
  readonly runs: readonly ReadRun[];
  readonly problems: readonly ImportProblem[];
}

/** Reads what one tool writes. The text has no byte order mark, no colors, and \n ends its lines. */
export interface Importer {
  /** Also the name of the file, of the fixture folder, and the `format` of the interface. */
  readonly tool: string;
  /** What it reads: the command or file as its users know it, such as `hyperfine --export-json`. */
  readonly what: string;
  /** The tool itself writes `1,234` for a thousand and more, beside numbers with decimal points. */
  readonly partsThousands?: true;
  /** It finds out itself which signs its numbers have, and asks where nothing tells. */
  readonly readsCommas?: true;
  /** A monitor: its last line is one tick of many. */
  readonly hasTicks?: true;
  /** Strict: true only for text that this tool alone writes. Takes time in proportion to the text at most. */
  recognizes(text: string): boolean;
  /** For text that nobody recognizes: what keeps it from being output of this tool, or null where it resembles none. */
  nearMiss?(text: string): ImportProblem | null;
  /** Never throws for bad content: what is wrong becomes problems. */
  read(text: string): Reading;
}

type Details = Partial<Pick<ImportProblem, 'scope' | 'code' | 'value'>>;
/** Every warning says of which kind it is. */
type WarningDetails = Details & Pick<ImportProblem, 'code'>;

/** Nothing of the file may be stored, where `scope` says nothing else. */
export function error(line: number | null, en: string, zh: string, details: Details = {}): ImportProblem {
  return { line, message: { en, zh }, severity: 'ERROR', scope: 'FILE', code: 'UNREADABLE', ...details };
}

/** One result of the file cannot be read; the others can. */
export function badRun(line: number | null, en: string, zh: string): ImportProblem {
  return error(line, en, zh, { scope: 'RUN', code: 'UNREADABLE_RUN' });
}

/** One result of the file is no measurement, such as a point of a sweep at which everything failed. */
export function failedRun(line: number | null, en: string, zh: string): ImportProblem {
  return error(line, en, zh, { scope: 'RUN', code: 'NO_MEASUREMENT' });
}

/** How much of a file a warning is about, where that is not all of it. */
const scopes: Readonly<Partial<Record<ProblemCode, ProblemScope>>> = {
  LEFT_OUT: 'VALUE',
  PART_FAILED: 'RUN',
  FEW_SAMPLES: 'RUN',
};

export function warning(line: number | null, en: string, zh: string, details: WarningDetails): ImportProblem {
  return { line, message: { en, zh }, severity: 'WARNING', scope: scopes[details.code] ?? 'FILE', ...details };
}

/** Values of the file are not among the observations. */
export function leftOut(line: number | null, en: string, zh: string): ImportProblem {
  return warning(line, en, zh, { code: 'LEFT_OUT' });
}

/** The file ends early, or lacks a part that its tool writes. */
export function incomplete(line: number | null, en: string, zh: string): ImportProblem {
  return warning(line, en, zh, { code: 'INCOMPLETE' });
}

/** Part of what was run failed; the numbers are of the rest. */
export function partFailed(line: number | null, en: string, zh: string): ImportProblem {
  return warning(line, en, zh, { code: 'PART_FAILED' });
}

/** Too little was measured for what the numbers seem to say, such as a p99 of 20 requests. */
export function fewSamples(line: number | null, en: string, zh: string): ImportProblem {
  return warning(line, en, zh, { code: 'FEW_SAMPLES' });
}
