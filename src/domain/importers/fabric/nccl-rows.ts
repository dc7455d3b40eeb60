import type { BothLanguages } from '../../locale.js';

/** Which columns the header of a table announces. */
export interface Columns {
  readonly hasRoot: boolean;
  /** `#wrong` counts wrong values; the older `error` is a rounding error and says nothing of the kind. */
  readonly countsWrong: boolean;
  /** Four columns of the times of single iterations behind each half (`--per_iter_report`). */
  readonly hasIterations?: boolean;
  /** Date and time at the end of each row (`-S`). */
  readonly hasTimestamp?: boolean;
}

export interface Half {
  /** Microseconds. */
  readonly time: number;
  /** GB/s, 10^9 bytes. */
  readonly algbw: number;
  readonly busbw: number;
  /** Null where the values were not checked. */
  readonly wrong: number | null;
}

export interface Row {
  /** Where the row ends in the file. */
  readonly line: number;
  readonly bytes: number;
  readonly type: string;
  readonly redop: string | null;
  readonly outOfPlace: Half;
  readonly inPlace: Half;
}

/**
 * The columns of a header line, `cut` for one from which somebody removed columns, `cputime` where the times are those of
 * the CPU, null for any other line.
 */
export function columnsOf(line: string): Columns | 'cut' | 'cputime' | null {
  if (line.length > 400 || !/\bsize\b.*\balgbw\s+busbw\b/.test(line)) return null;
  const words = line.replace(/^[#\s]+/, '').trim().split(/\s+/).join(' '); // prettier-ignore
  const found =
    /^size count type( redop)?( root)? (time|cputime) algbw busbw (#wrong|error)( i_min i_max i_p99 i_cv%)? \3 algbw busbw \4(\5)( timestamp)?$/.exec(
      words,
    );
  if (!found) return 'cut';
  if (found[3] === 'cputime') return 'cputime';
  return {
    hasRoot: found[2] !== undefined,
    countsWrong: found[4] === '#wrong',
    hasIterations: found[5] !== undefined,
    hasTimestamp: found[7] !== undefined,
  };
}

/** True for words with which a row begins: size, count, type. */
export function startsRow(words: readonly string[]): boolean {
  return /^\d{1,15}$/.test(words[0] ?? '') && /^\d+$/.test(words[1] ?? '') && /^[a-z][a-z0-9_]*$/i.test(words[2] ?? '');
}

/** How many words a whole row has. Old versions leave reduction and root blank where the collective has none. */
export function lengthOfRow(words: readonly string[], columns: Columns): number {
  const hasRedop = /^[a-z]\w*$/i.test(words[3] ?? '');
  const own = 11 + (hasRedop ? 1 : 0) + (columns.hasRoot && hasRedop ? 1 : 0);
  return own + (columns.hasIterations ? 8 : 0) + (columns.hasTimestamp ? 2 : 0);
}

/** The words that every table has. */
function ownWords(words: readonly string[], columns: Columns): readonly string[] {
  const timed = columns.hasTimestamp ? words.slice(0, -2) : words;
  return columns.hasIterations ? [...timed.slice(0, -12), ...timed.slice(-8, -4)] : timed;
}

/** True for a line of numbers, types and N/A only: a row or the rest of one. */
export function looksLikeRow(line: string): boolean {
  return (
    line.length <= 400 &&
    /^\s*-?\d[\d_.]*(\s+(N\/A|-?[\d_.]+(e[+-]?\d+)?|[a-z]\w*|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d))*\s*$/i.test(line)
  );
}

/** A row from its words, or null where they do not make one. */
export function rowOf(all: readonly string[], columns: Columns, line: number): Row | null {
  if (!startsRow(all) || all.length !== lengthOfRow(all, columns)) return null;
  const words = ownWords(all, columns);
  // a word between reduction and time is the root; one that cannot be a rank is glued to a host name
  if (words.length === 13 && !/^(-1|0|[1-9]\d*)$/.test(words[4] ?? '')) return null;
  const bytes = Number(words[0]);
  const outOfPlace = halfOf(words.slice(-8, -4), columns);
  const inPlace = halfOf(words.slice(-4), columns);
  if (!outOfPlace || !inPlace) return null;
  const redop = words.length > 11 ? (words[3] ?? null) : null;
  return { line, bytes, type: words[2] ?? '', redop, outOfPlace, inPlace };
}

/** Equal as far as two decimals can tell. */
function isNear(printed: number, exact: number): boolean {
  return Math.abs(printed - exact) <= 0.011 + 0.02 * exact;
}

/**
 * In which of its numbers a row contradicts itself, or null. The bandwidth of an algorithm is size over time, which that
 * of a row glued together from two is not; the bus bandwidth is that times a constant of the collective, where it is known.
 */
export function contradictionOf(
  { bytes, outOfPlace, inPlace }: Row,
  collective: string | null,
  factor: number | null,
): BothLanguages | null {
  for (const [place, { time, algbw, busbw }] of [['out-of-place', outOfPlace], ['in-place', inPlace]] as const) {
    // hypercube sends a part of the size only
    if (collective !== 'hypercube' && !(time > 0 && isNear(algbw, bytes / time / 1000))) {
      return {
        en: `the ${place} algbw of ${algbw} GB/s is not size / time (${bytes} B / ${time} us)`,
        zh: `${place} 的 algbw（${algbw} GB/s）不等于大小除以时间（${bytes} B / ${time} us）`,
      };
    }
    if (factor !== null && !isNear(busbw, algbw * factor)) {
      const times = Number(factor.toPrecision(4));
      return {
        en: `the ${place} busbw of ${busbw} GB/s is not the algbw of ${algbw} GB/s times ${times}, as in the other rows`,
        zh: `${place} 的 busbw（${busbw} GB/s）不等于 algbw（${algbw} GB/s）乘以其他行的比值 ${times}`,
      };
    }
  } // prettier-ignore
  return null;
}

function halfOf(words: readonly string[], { countsWrong }: Columns): Half | null {
  const [time, algbw, busbw] = words.slice(0, 3).map(decimal);
  const last = words[3] ?? '';
  if (time == null || algbw == null || busbw == null) return null;
  if (!(last === 'N/A' || (countsWrong ? /^(0|[1-9]\d{0,14})$/.test(last) : decimal(last) !== null))) return null;
  return { time, algbw, busbw, wrong: countsWrong && last !== 'N/A' ? Number(last) : null };
}

function decimal(word: string): number | null {
  return /^\d{1,15}(\.\d+)?(e[+-]?\d{1,2})?$/i.test(word) ? Number(word) : null;
}

const logMark = /:\d+:\d+ \[\d+\] (?:[\w.:/-]+ )?(?:NCCL|RCCL) [A-Z]+/;

/**
 * What the benchmark itself wrote of a line that a log message of NCCL cuts off, without the host name glued to it; null
 * for a line without a message. A host name that begins with a digit cannot be told from a number: that word is lost.
 */
export function beforeLogMessage(line: string): string | null {
  const found = logMark.exec(line);
  if (!found) return null;
  const before = line.slice(0, found.index);
  const words = before.split(/\s+/);
  const last = words.pop() ?? '';
  const number = /^(-?\d+(?:\.\d+)?|N\/A)(?=[A-Za-z])(?!\d*e[+-]?\d)/.exec(last)?.[1] ?? '';
  return [...words, number].join(' ').trim();
}
