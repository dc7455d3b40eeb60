import type { BothLanguages } from '../locale.js';
import { convert } from '../measurement/unit.js';
import { figureInput, missingFigure, type DerivedInput, type Fleet, type Missing } from './fleet.js';
import { CURRENCY, quantities, type Need, type Quantity } from './quantities.js';
import {
  factOf,
  gpusOf,
  isOfPart,
  powerOf,
  valueOf,
  type DerivableRun,
  type Dimensions,
  type Found,
  type ObservedPoint,
} from './run-inputs.js';

/** A value that follows from what a run observed, with all that it was computed from. */
export interface DerivedValue {
  readonly key: string;
  readonly name: BothLanguages;
  /** The point of the metric that it is of. */
  readonly dimensions: Dimensions;
  /** Null where something is missing. */
  readonly value: number | null;
  /** A unit of unit.ts, or the currency of the prices; null for a price whose currency is not known. */
  readonly unit: string | null;
  /** The ends that the smallest and the largest repetition give; null without repetitions. */
  readonly low: number | null;
  readonly high: number | null;
  readonly formula: BothLanguages;
  readonly inputs: readonly DerivedInput[];
  readonly missing: readonly Missing[];
}

/** Most points of one quantity that are derived. */
const POINT_LIMIT = 100;

/**
 * What follows from what the run observed, for each quantity whose metric it has. What is needed and not known is named
 * in `missing`, and the value is null. `gpus` is how many GPUs the run used, where the caller says so.
 */
export function derivedValues(
  run: DerivableRun,
  metricName: (key: string) => BothLanguages,
  fleet: Fleet,
  gpus: number | null,
): readonly DerivedValue[] {
  return quantities.flatMap((quantity) => {
    const metric = quantity.metrics.find((key) => run.observations.some((one) => one.metric === key));
    const points = run.observations.filter((one) => one.metric === metric);
    const whole = points.filter(({ dimensions }) => !isOfPart(dimensions));
    if (metric === undefined || points.length === 0) return [];
    if (whole.length === 0) return [ofPartsOnly(quantity, metric, fleet)];
    return whole
      .slice(0, POINT_LIMIT)
      .map((point) => derived(quantity, run, point, whole.length === 1, metricName(metric), fleet, gpus));
  });
}

function derived(
  quantity: Quantity,
  run: DerivableRun,
  point: ObservedPoint,
  isOnlyPoint: boolean,
  name: BothLanguages,
  fleet: Fleet,
  gpus: number | null,
): DerivedValue {
  const counted = gpusOf(run, gpus);
  const needs = quantity.needs.map((need) => found(need, run, point, isOnlyPoint, counted, fleet));
  const inUnit = (value: number) => convert(value, point.unit, quantity.metricUnit);
  const measured = inUnit(valueOf(point));
  const inputs: DerivedInput[] = [
    { key: point.metric, name, value: measured, unit: quantity.metricUnit, source: 'OBSERVATION' },
    ...needs.flatMap((need) => ('input' in need ? [need.input] : [])),
  ];
  const missing = [
    ...(measured > 0 ? [] : [notPositive(point.metric)]),
    ...needs.flatMap((need) => ('missing' in need ? [need.missing] : [])),
  ];
  const numbers = needs.map((need) => ('input' in need ? need.input.value : NaN));
  const at = (value: number) => quantity.of(value, ...numbers);
  const ends = missing.length > 0 || point.repeats.length < 2 ? null : endsOf(point.repeats.map(inUnit).map(at));
  return {
    ...shown(quantity, fleet),
    dimensions: point.dimensions,
    value: missing.length > 0 ? null : finite(at(measured)),
    low: ends?.low ?? null,
    high: ends?.high ?? null,
    inputs,
    missing,
  };
}

function shown(quantity: Quantity, fleet: Fleet): Pick<DerivedValue, 'key' | 'name' | 'unit' | 'formula'> {
  const { key, name, unit, formula } = quantity;
  return { key, name, unit: unit === CURRENCY ? fleet.currency : unit, formula };
}

function found(
  need: Need,
  run: DerivableRun,
  point: ObservedPoint,
  isOnlyPoint: boolean,
  counted: Found,
  fleet: Fleet,
): Found {
  switch (need) {
    case 'gpus':
      return counted;
    case 'power':
      return powerFor(run, point, isOnlyPoint, counted, fleet);
    case 'flopsPerToken':
      return factOf(run, 'workload.flops_per_token');
    case 'peakFlops':
      return factOf(run, 'gpu.peak_flops');
    case 'pricePerGpuHour':
    case 'pricePerKwh':
    case 'pue': {
      const figure = fleet.figure(need);
      return figure ? { input: figureInput(need, figure, fleet) } : { missing: missingFigure(need, fleet) };
    }
  }
}

/** What was measured, else what the caller says of this run; the mean of a fleet says nothing of one run. */
function powerFor(run: DerivableRun, point: ObservedPoint, isOnlyPoint: boolean, counted: Found, fleet: Fleet): Found {
  const gpus = 'input' in counted ? counted.input.value : null;
  const measured = powerOf(run, point.dimensions, isOnlyPoint, gpus);
  const said = fleet.figure('powerPerGpu');
  if ('input' in measured || said?.source !== 'ARGUMENT') return measured;
  if (gpus === null) return counted;
  return {
    input: {
      key: 'powerPerGpu × gpu.count',
      name: { en: 'Mean power of all GPUs of the run', zh: '本次运行全部 GPU 的平均功率' },
      value: said.value * gpus,
      unit: 'W',
      source: 'ARGUMENT',
    },
  };
}

/** Throughput of one engine is not that of the run. */
function ofPartsOnly(quantity: Quantity, metric: string, fleet: Fleet): DerivedValue {
  return {
    ...shown(quantity, fleet),
    dimensions: {},
    value: null,
    low: null,
    high: null,
    inputs: [],
    missing: [
      {
        key: metric,
        reason: {
          en: `${metric} was observed of parts of the run only, such as one engine or one rank, and not of all of it`,
          zh: `${metric} 只有部分（如单个引擎或单个 rank）的观测值，没有整次运行的值`,
        },
      },
    ],
  };
}

function notPositive(metric: string): Missing {
  return {
    key: metric,
    reason: {
      en: `${metric} is not above zero: nothing can be divided by it`,
      zh: `${metric} 不大于零，无法作为除数`,
    },
  };
}

function endsOf(values: readonly number[]): { readonly low: number | null; readonly high: number | null } {
  return { low: finite(Math.min(...values)), high: finite(Math.max(...values)) };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
