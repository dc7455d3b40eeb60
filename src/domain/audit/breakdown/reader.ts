import type { ImportProblem } from '../../importers/importer.js';
import type { BothLanguages } from '../../locale.js';
import type { TimePart } from '../time-breakdown.js';

/** Where time goes; `other` is idle, unexplained, or a kind of which no share is kept. */
export type Category = TimePart | 'other';

/** One thing that takes time. Where the file gives shares only, they stand for seconds. */
export interface TimeRow {
  /** As the file names it; in both languages where the name is ours. */
  readonly name: string | BothLanguages;
  readonly category: Category;
  readonly seconds: number;
}

/** Seconds of the processor, as far as it does not wait for the device. */
export interface ProcessorTime {
  readonly work: number;
  /** Of the thread that waits for the next batch. */
  readonly waitForInput: number;
}

/** What a file says of where the time goes. */
export interface BreakdownReading {
  readonly rows: readonly TimeRow[];
  /** Whether `seconds` are seconds, or shares of the whole. */
  readonly unit: 'SECONDS' | 'SHARES';
  /** The time that was measured as a whole, of which the rows are parts; null where the file does not tell. */
  readonly wallSeconds: number | null;
  /** How many steps the file covers, where it tells. */
  readonly steps: number | null;
  /** What the processor did beside the rows, at the same time or not; null where the file does not tell. */
  readonly processor: ProcessorTime | null;
  /** The parts that this file can tell of: what it lacks of them takes no time. */
  readonly tells: readonly TimePart[];
  readonly problems: readonly ImportProblem[];
}

/** Reads what one tool says of where the time goes. The text has no byte order mark, and \n ends its lines. */
export interface BreakdownReader {
  readonly format: string;
  /** What it reads, for whoever has another file. */
  readonly what: BothLanguages;
  /** People type it, and end no line. */
  readonly isWrittenByHand?: true;
  /** Strict: true only for text of this format. */
  recognizes(text: string): boolean;
  /** Never throws for bad content: what is wrong becomes problems. */
  read(text: string): BreakdownReading;
}

/** A reading of nothing, because of this. */
export function unread(...problems: readonly ImportProblem[]): BreakdownReading {
  return { rows: [], unit: 'SECONDS', wallSeconds: null, steps: null, processor: null, tells: [], problems };
}
