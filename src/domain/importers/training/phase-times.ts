import type { ReadObservation } from '../importer.js';
import { leadingNumber } from './leading-number.js';
import { seriesOf } from './steady-steps.js';

const MAX_PHASES = 60;
/** What happens once for a training is no part of its steps. */
const once = /-setup$|-checkpoint$/;

/**
 * Timers of Megatron and DeepSpeed: `time (ms) | forward-compute: 28.1 | ...`, and the list below
 * `... time across ranks (ms):`, where the slowest rank counts.
 */
export class PhaseTimes {
  private readonly phases = new Map<string, number[]>();
  private isInList = false;

  /** True where the line is one of timers. */
  take(line: string): boolean {
    if (/^\s{0,20}(?:\([a-z, ]{1,20}\)|max|min|all) ?(?:max )?time across ranks \(ms\):/.test(line)) {
      this.isInList = true;
      return true;
    }
    const at = line.indexOf('time (ms) |');
    if (at !== -1) {
      this.takeRow(line.slice(at));
      return true;
    }
    if (!this.isInList) return false;
    const found = /^ {2,20}([a-z][\w/-]{1,60}) {0,2}\.{1,80}: ?\(?([^)]{1,60})\)?/.exec(line);
    this.isInList = found !== null || /^\s{0,40}rank {1,3}\d/.test(line);
    if (!found) return this.isInList;
    // the last of (minimum, maximum)
    this.add(found[1] ?? '', leadingNumber((found[2] ?? '').split(',').at(-1) ?? ''));
    return true;
  }

  /** Without the first time of each where there are more, which is warm-up. */
  observations(): readonly ReadObservation[] {
    return [...this.phases].flatMap(([phase, times]) =>
      seriesOf('training.phase_time', 'ms', times.length > 1 ? times.slice(1) : times, { phase }),
    );
  }

  private takeRow(row: string): void {
    for (const field of row.split('|').slice(1, MAX_PHASES)) {
      const colon = field.indexOf(': ');
      if (colon !== -1) this.add(field.slice(0, colon).trim(), leadingNumber(field.slice(colon + 1)));
    }
  }

  private add(phase: string, time: number | null): void {
    if (time === null || time < 0 || once.test(phase) || !/^[\w/ -]{1,60}$/.test(phase)) return;
    const times = this.phases.get(phase);
    if (times) times.push(time);
    else if (this.phases.size < MAX_PHASES) this.phases.set(phase, [time]);
  }
}
