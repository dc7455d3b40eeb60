import { unitAdvice } from '../../measurement/unit-advice.js';
import { dimensionOf } from '../../measurement/unit.js';

/** The name of a column in parts: what it is about, and the unit that it tells. */
export interface ColumnWords {
  /** In lower case, Han and Latin apart, each between blanks, so that ` p99 ` finds a word. */
  readonly text: string;
  readonly words: readonly string[];
  /** As it can be written; null where the name tells none, or one that can be read in several ways. */
  readonly unit: string | null;
  /** What stands where a unit would, and can be read in several ways: `GB/s` is none of them, `gb` is. */
  readonly doubtful: string | null;
}

/** `TTFT p99 (ms)`, `ttft_p99_ms`, `p99-ttft-ms`, `首 token 延迟（ms）`, `Throughput [tok/s]` and `out_tok_s` in parts. */
export function columnWords(column: string): ColumnWords {
  const name = column.trim().slice(0, MAX_NAME);
  const [, before = name, bracket] = /^([^([（【]{1,200})[([（【]([^)\]）】]{1,40})[)\]）】]\s*$/.exec(name) ?? [];
  if (bracket !== undefined) return parted(before, bracket.trim());
  const [rate, thing] = /(?:^|[_\s-])((tok|toks|tokens?|reqs?|requests?|samples?|images?|imgs?|steps?)(?:[_\s-]?per[_\s-]|[_\s-]?\/\s?|[_\s-])(?:s|secs?|seconds?))$/i.exec(name)?.slice(1) ?? [];
  if (rate !== undefined && thing !== undefined) return parted(name.slice(0, -rate.length), `${thing.toLowerCase()}/s`);
  const last = /(?:^|[_\s-])([A-Za-z%/µμ°]{1,20})$/.exec(name)?.[1] ?? '';
  const found = last === '' || last.length === name.length ? null : unitOf(last);
  // What is no unit for certain is a word as well, such as tps
  if (found) return parted(found.unit === null ? name : name.slice(0, -last.length), last);
  const inside = name.split(/[_\s-]/).find((word, at) => at > 0 && /^(?:ms|us|µs|ns|sec|seconds)$/i.test(word));
  return parted(name, inside ?? '');
} // prettier-ignore

const MAX_NAME = 250;

/** Names as people write them in any order: lower case, without marks between the words. */
export function plainWords(name: string): readonly string[] {
  return (
    name
      .replace(/([a-z])([A-Z][a-z])/g, '$1 $2')
      .toLowerCase()
      .replace(/([\u4e00-\u9fff])([a-z0-9])/g, '$1 $2')
      .replace(/([a-z0-9])([\u4e00-\u9fff])/g, '$1 $2')
      // 99.9 is a number, the dot of a path is none
      .split(/[^a-z0-9.\u4e00-\u9fff]+|\.(?!\d)|(?<!\d)\./)
      .filter((word) => word !== '')
  );
}

function parted(name: string, given: string): ColumnWords {
  const words = plainWords(name);
  const found = given === '' ? null : unitOf(given);
  return { text: ` ${words.join(' ')} `, words, unit: found?.unit ?? null, doubtful: found?.doubtful ?? null };
}

function unitOf(given: string): Pick<ColumnWords, 'unit' | 'doubtful'> | null {
  if (dimensionOf(given) !== null) return { unit: given, doubtful: null };
  const spelled = unitSpellings[given.toLowerCase()];
  if (spelled !== undefined) return { unit: spelled, doubtful: null };
  return isDoubtful(given) ? { unit: null, doubtful: given } : null;
}

/** Whether a unit can be read in more than one way. */
function isDoubtful(unit: string): boolean {
  return unitAdvice(unit, null, new Map()).why !== null || /^[kmgt]b(?:ps|\/s)?$/i.test(unit);
}

/** Spellings of units that names have in any letter case and that mean one thing. */
export const unitSpellings: Readonly<Record<string, string>> = {
  ms: 'ms', us: 'us', ns: 'ns', s: 's', sec: 's', secs: 's', seconds: 's', kib: 'KiB', mib: 'MiB', gib: 'GiB', tib: 'TiB',
  w: 'W', kw: 'kW', tflops: 'TFLOPS', gflops: 'GFLOPS', percent: 'percent', pct: 'percent', 毫秒: 'ms', 秒: 's', 微秒: 'us',
}; // prettier-ignore
