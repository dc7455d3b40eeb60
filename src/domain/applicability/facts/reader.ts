import type { BothLanguages } from '../../locale.js';

type Scalar = string | number | boolean;

/** One fact as a tool printed it. `line` counts from 1 over the whole text. */
export interface Finding {
  /** A key of environment-keys.yaml, or `capability.<key>`. */
  readonly key: string;
  /** Several values where the devices of one machine differ, each once, in the order of the devices. */
  readonly value: Scalar | readonly Scalar[];
  readonly line: number;
}

/** Something that whoever pasted the text must know: a cut table, devices that differ. */
export interface ReadingProblem {
  readonly line: number;
  readonly message: BothLanguages;
}

/** What one place of the text says. */
export interface ToolReading {
  /** The command as people call it: `nvidia-smi -q`. */
  readonly tool: string;
  /** First and last line of the place, counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly findings: readonly Finding[];
  readonly problems: readonly ReadingProblem[];
}

/** A complete JSON value within the text, or an XML document as its lines. */
export interface JsonBlock {
  readonly value: unknown;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A text of tools: without colors, byte order mark and carriage returns. */
export interface ToolText {
  readonly lines: readonly string[];
  /** Objects and arrays that begin at the start of a line, in order. */
  readonly json: readonly JsonBlock[];
}

/**
 * Reads what one tool prints, wherever it stands in a text that may hold the output of several. Strict: a place that
 * another tool could have written is left alone. Never throws for bad content, and takes time in proportion to the text.
 * Only facts are taken: no serial numbers, UUIDs, bus ids, host names, user names or addresses.
 */
export interface FactReader {
  /** The commands that it reads, as people call them. */
  readonly tools: readonly string[];
  read(text: ToolText): readonly ToolReading[];
}
