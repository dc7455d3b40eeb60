import type { BothLanguages } from '../locale.js';
import type { Facts } from '../measurement/environment-diff.js';

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
}

/** `ERROR`: nothing of the file may be stored. `line` counts from 1. */
export interface ImportProblem {
  readonly line: number | null;
  readonly message: BothLanguages;
  readonly severity: 'ERROR' | 'WARNING';
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
  /** Strict: true only for text that this tool alone writes. Takes time in proportion to the text at most. */
  recognizes(text: string): boolean;
  /** For text that nobody recognizes: what keeps it from being output of this tool, or null where it resembles none. */
  nearMiss?(text: string): ImportProblem | null;
  /** Never throws for bad content: what is wrong becomes problems. */
  read(text: string): Reading;
}

export function error(line: number | null, en: string, zh: string): ImportProblem {
  return { line, message: { en, zh }, severity: 'ERROR' };
}

export function warning(line: number | null, en: string, zh: string): ImportProblem {
  return { line, message: { en, zh }, severity: 'WARNING' };
}
