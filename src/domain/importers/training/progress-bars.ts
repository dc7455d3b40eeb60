import { leadingNumber } from './leading-number.js';

/** One state of a progress bar of tqdm: `Epoch 0:  12%|█▏  | 12/100 [00:10<01:15,  1.17it/s, loss=2.1]`. */
export interface Bar {
  /** What stands before the percentage. */
  readonly title: string;
  readonly done: number;
  /** Null where the bar does not know how much there is to do. */
  readonly planned: number | null;
  /** Null where no rate is shown. tqdm shows s/it where one takes longer than a second. */
  readonly secondsPerIteration: number | null;
  /** What stands in the brackets behind the times. */
  readonly rest: string;
}

const counter = /(\d{1,9})(?:\/(\d{1,9})|it) \[\d[\d:]{3,11}/g;
const MAX_HEAD = 400;
const MAX_REST = 2_000;

/** The bars of a line: several where processes, or a bar and a message, wrote over each other. */
export function barsOf(line: string): readonly Bar[] {
  const bars: Bar[] = [];
  let end = 0;
  const counters = [...line.matchAll(counter)];
  for (const [index, found] of counters.entries()) {
    const next = counters[index + 1]?.index ?? line.length;
    const head = line.slice(Math.max(end, found.index - MAX_HEAD), found.index);
    end = found.index + found[0].length;
    const [behind = ''] = line.slice(end, Math.min(next, end + MAX_REST)).split(']', 1);
    const [, rate = '', unit] = /^(?:<[^,]{1,20})?, {0,4}([\d.]{1,12}) ?(it\/s|s\/it)/.exec(behind) ?? [];
    const value = leadingNumber(rate);
    bars.push({
      title: titleOf(head),
      done: Number(found[1]),
      planned: found[2] === undefined ? null : Number(found[2]),
      secondsPerIteration: value === null || value <= 0 ? null : unit === 'it/s' ? 1 / value : value,
      rest: behind,
    });
  }
  return bars;
}

function titleOf(head: string): string {
  const percent = head.lastIndexOf('%|');
  const before = percent === -1 ? head : head.slice(0, percent).replace(/\d{1,3}$/, '');
  return /([A-Za-z][\w .()/-]{0,59}?)\s{0,5}:[:\s]{0,10}$/.exec(before)?.[1] ?? '';
}
