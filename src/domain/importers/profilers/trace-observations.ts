import { medianOf, samplesWithDistribution } from '../distribution.js';
import type { ImportProblem, ReadObservation } from '../importer.js';
import { deviceCategory } from './kernel-category.js';
import { MOST_NAMED, tooManyNamed, workName } from './profile-run.js';
import { spanOf, unionOf, within, type DeviceWork, type Interval, type TraceEvents } from './trace-events.js';

type Dimensions = ReadObservation['dimensions'];

/** What the events of one process measure. Kernels of several streams overlap: their sum is no time of the clock. */
export function traceObservations(
  events: TraceEvents,
  share: { readonly rank: number } | null,
  problems: ImportProblem[],
): readonly ReadObservation[] {
  const ofRank: Dimensions = share ? { rank: share.rank } : {};
  const { devices } = events;
  const at = (device: number): Dimensions => (devices.length > 1 ? { ...ofRank, gpu: device } : ofRank);
  return [
    { metric: 'profile.events', dimensions: ofRank, value: events.count, unit: 'count' },
    ...samples('time.profiled_step', ofRank, events.steps.durations),
    ...devices.flatMap((device) => deviceObservations(events, device, at(device))),
    ...mostTime(events.kernels, problems).flatMap((work) => ofKernel(work, at(work.device))),
    ...mostTime(events.copies, problems).flatMap((work) => ofCopy(work, at(work.device))),
  ]; // prettier-ignore
}

function deviceObservations(events: TraceEvents, device: number, dimensions: Dimensions): readonly ReadObservation[] {
  const kernels = [...events.kernels.values()].filter((work) => work.device === device);
  const isCommunication = ({ name }: DeviceWork) => deviceCategory(name) === 'communication';
  const [communication, others] = [kernels.filter(isCommunication), kernels.filter((work) => !isCommunication(work))];
  const all = intervalsOf(kernels);
  const window = spanOf(events.steps.intervals) ?? spanOf(all);
  const total = totalOf(kernels.flatMap(({ durations }) => durations));
  return [
    { metric: 'kernel.time_total', dimensions, value: total, unit: 'us' },
    ...(window === null ? [] : [utilization(all, window, dimensions)]),
    ...(communication.length === 0 || total <= 0
      ? []
      : [
          {
            metric: 'gpu.communication_share',
            dimensions,
            value: totalOf(communication.flatMap(({ durations }) => durations)) / total,
            unit: 'ratio',
          },
          {
            metric: 'gpu.exposed_communication_time',
            dimensions,
            value: rounded(unionOf(all) - unionOf(intervalsOf(others))),
            unit: 'us',
          },
        ]),
  ];
}

/** Of the time of the steps where they are marked, else from the first kernel to the end of the last one. */
function utilization(kernels: readonly Interval[], window: Interval, dimensions: Dimensions): ReadObservation {
  const value = unionOf(within(kernels, window)) / (window[1] - window[0]);
  return { metric: 'gpu.utilization', dimensions, value, unit: 'ratio' };
}

function mostTime(works: ReadonlyMap<string, DeviceWork>, problems: ImportProblem[]): readonly DeviceWork[] {
  const sorted = [...works.values()]
    .map((work) => ({ work, total: totalOf(work.durations) }))
    .sort((a, b) => b.total - a.total);
  if (sorted.length > MOST_NAMED) problems.push(tooManyNamed(sorted.length, null));
  return sorted.slice(0, MOST_NAMED).map(({ work }) => work);
}

function ofKernel({ name, durations }: DeviceWork, dimensions: Dimensions): readonly ReadObservation[] {
  const named = { kernel: workName(name), ...dimensions };
  return [
    { metric: 'kernel.time_total', dimensions: named, value: totalOf(durations), unit: 'us' },
    ...samples('kernel.time', named, durations),
    { metric: 'kernel.instances', dimensions: named, value: durations.length, unit: 'count' },
  ]; // prettier-ignore
}

function ofCopy({ name, durations }: DeviceWork, dimensions: Dimensions): readonly ReadObservation[] {
  const named = { operation: workName(name), ...dimensions };
  return [
    { metric: 'gpu.copy_time', dimensions: named, value: totalOf(durations), unit: 'us' },
    { metric: 'gpu.copies', dimensions: named, value: durations.length, unit: 'count' },
  ];
}

/** The median, with what happened inside the run. */
function samples(metric: string, dimensions: Dimensions, values: readonly number[]): readonly ReadObservation[] {
  const value = medianOf(values);
  if (value === null) return [];
  return [{ metric, dimensions, value, unit: 'us', ...(values.length > 1 ? samplesWithDistribution(values) : {}) }];
}

const intervalsOf = (works: readonly DeviceWork[]): readonly Interval[] => works.flatMap(({ intervals }) => intervals);

/** Kineto writes nanoseconds at the finest: what adding up blurs is cut off. */
const rounded = (microseconds: number): number => Math.round(microseconds * 1_000) / 1_000;

function totalOf(durations: readonly number[]): number {
  return rounded(durations.reduce((sum, duration) => sum + duration, 0));
}
