import { isObject, type Json, type JsonObject } from '../json.js';

/** Start and end in microseconds. */
export type Interval = readonly [number, number];

export interface DeviceWork {
  readonly name: string;
  readonly device: number;
  /** Of each time that it ran, in the order of the file. */
  readonly intervals: Interval[];
  /** As the file states them: the difference of two late times would lose digits. */
  readonly durations: number[];
}

/** The events of a trace, as far as they tell of times: what runs on devices, and the steps. */
export class TraceEvents {
  count = 0;
  /** The earliest start of all. */
  firstStart: number | null = null;
  readonly kernels = new Map<string, DeviceWork>();
  readonly copies = new Map<string, DeviceWork>();
  readonly steps: Pick<DeviceWork, 'intervals' | 'durations'> = { intervals: [], durations: [] };

  get hasKernels(): boolean {
    return this.kernels.size > 0;
  }

  /** The devices that ran kernels, in rising order. */
  get devices(): readonly number[] {
    return [...new Set([...this.kernels.values()].map(({ device }) => device))].sort((a, b) => a - b);
  }

  add(event: Json): void {
    this.count += 1;
    if (!isObject(event) || event.ph !== 'X') return;
    const { ts, dur, cat, name } = event;
    if (typeof ts !== 'number' || typeof dur !== 'number' || !Number.isFinite(ts + dur) || dur < 0) return;
    if (typeof cat !== 'string' || typeof name !== 'string') return;
    if (this.firstStart === null || ts < this.firstStart) this.firstStart = ts;
    const kind = cat.toLowerCase();
    if (kind === 'kernel') note(this.kernels, name, event, ts, dur);
    else if (/^(?:gpu_)?mem(?:cpy|set)$/.test(kind)) note(this.copies, name, event, ts, dur);
    else if ((kind === 'user_annotation' || kind === 'cpu_op' || kind === 'operator') && name.startsWith('ProfilerStep')) {
      this.steps.intervals.push([ts, ts + dur]);
      this.steps.durations.push(dur);
    } // prettier-ignore
  }
}

function note(works: Map<string, DeviceWork>, name: string, event: JsonObject, start: number, duration: number): void {
  const device = deviceOf(event);
  const key = `${device} ${name}`;
  let work = works.get(key);
  if (!work) works.set(key, (work = { name, device, intervals: [], durations: [] }));
  work.intervals.push([start, start + duration]);
  work.durations.push(duration);
}

function deviceOf({ args, pid }: JsonObject): number {
  const found = isObject(args) ? args.device : undefined;
  if (typeof found === 'number' && Number.isSafeInteger(found)) return found;
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid >= 0 && pid < 1_000 ? pid : 0;
}

/** How long at least one of the intervals lasts. */
export function unionOf(intervals: readonly Interval[]): number {
  let [length, end] = [0, -Infinity];
  for (const [start, stop] of intervals.toSorted(([a], [b]) => a - b)) {
    if (stop > end) {
      length += stop - Math.max(start, end);
      end = stop;
    }
  }
  return length;
}

/** The parts of intervals that lie in a window. */
export function within(intervals: readonly Interval[], [from, to]: Interval): readonly Interval[] {
  return intervals.flatMap(([start, stop]): Interval[] => {
    const part: Interval = [Math.max(start, from), Math.min(stop, to)];
    return part[1] > part[0] ? [part] : [];
  });
}

/** From the first start to the last end; null for none. */
export function spanOf(intervals: readonly Interval[]): Interval | null {
  let [first, last] = [Infinity, -Infinity];
  for (const [start, stop] of intervals) {
    first = Math.min(first, start);
    last = Math.max(last, stop);
  }
  return last > first ? [first, last] : null;
}
