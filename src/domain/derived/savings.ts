import type { BothLanguages } from '../locale.js';
import { same } from '../report/figures.js';
import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';
import { figureInput, missingFigure, type DerivedInput, type Fleet, type FleetKey, type Missing } from './fleet.js';
import { remarksOf, savingsText } from './savings-text.js';

/** A gain that was measured; fractions, plus is better: work per hour is multiplied by 1 + gain. */
export interface MeasuredGain {
  readonly gain: number | null;
  readonly gainLow: number | null;
  readonly gainHigh: number | null;
  /** Null for the product of several trials. */
  readonly verdict: Verdict | null;
  readonly evidence: EvidenceLevel | null;
  readonly isConfounded: boolean;
  /** Whether the requests came at a fixed rate: then throughput shows what was asked for, not what could be done. */
  readonly isLoadFixed?: boolean;
  /** Mean power of one GPU in each arm, in W, where both measured it. */
  readonly power?: { readonly before: number; readonly after: number } | null;
}

/** A quantity per month. Minus is a loss. */
export interface Amount {
  readonly value: number;
  /** The ends of the interval of the gain carried through; null where it has none. */
  readonly low: number | null;
  readonly high: number | null;
  /** GPU-h, kWh, or the currency of the prices. */
  readonly unit: string;
}

/** When what was spent on a change has come back. */
export interface Payback {
  /** What the engineering hours cost, in the currency of the prices; null without their price. */
  readonly cost: number | null;
  /** Null where it never comes back, or where no money is known. */
  readonly months: number | null;
  /** By the upper end of the saving; null as `months` is. */
  readonly monthsLow: number | null;
  /** By the lower end of the saving; null where that never pays back. */
  readonly monthsHigh: number | null;
  readonly gpuHoursPerEngineeringHour: number | null;
}

/** What a gain is worth to a fleet in a month. */
export interface Savings {
  readonly gpuHours: Amount | null;
  readonly money: Amount | null;
  readonly energy: Amount | null;
  readonly energyMoney: Amount | null;
  readonly payback: Payback | null;
  readonly formula: BothLanguages;
  readonly inputs: readonly DerivedInput[];
  readonly missing: readonly Missing[];
  /** Why there is nothing to say, whatever is known of the fleet; null where there is. */
  readonly reason: BothLanguages | null;
  readonly remarks: readonly BothLanguages[];
  /** In words, rounded for people. */
  readonly text: BothLanguages;
}

/** GPU hours first; the other amounts follow from them. */
export const SAVINGS_FORMULA = same(
  'GPU hours = gpus × busyShare × hoursPerMonth × (1 − 1 ÷ (1 + gain)); money = GPU hours × pricePerGpuHour; kWh = GPU hours × powerPerGpu × pue ÷ 1,000',
);

/** Verdicts under which no change was shown: the saving can be none. */
const unshown: readonly (Verdict | null)[] = ['INCONCLUSIVE', 'NO_MEANINGFUL_CHANGE'];

interface Ends {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The hours that the same work no longer takes, and what they cost, with the interval of the gain carried through: all of
 * it rises with the gain. `share` is the part of the hours that is left by what was applied before, 1 for all.
 */
export function savingsOf(measured: MeasuredGain, fleet: Fleet, share = 1): Savings {
  const reason = withoutGain(measured);
  const gain = gainOf(measured);
  if (reason !== null || gain === null) return nothingOf(reason ?? noGain);
  const needed = (['gpus', 'busyShare', 'hoursPerMonth'] as const).map((key) => ({ key, figure: fleet.figure(key) }));
  const missing = needed.flatMap(({ key, figure }) => (figure ? [] : [missingFigure(key, fleet)]));
  const inputs: DerivedInput[] = [
    ...gainInputs(gain),
    ...(share === 1 ? [] : [{ key: 'share', name: shareName, value: share, unit: 'fraction', source: 'COMPUTED' as const }]),
    ...needed.flatMap(({ key, figure }) => (figure ? [figureInput(key, figure, fleet)] : [])),
  ];
  const also = (key: FleetKey): number | null => {
    const figure = fleet.figure(key);
    if (!figure) return null;
    inputs.push(figureInput(key, figure, fleet));
    return figure.value;
  };
  const need = (key: FleetKey): number | null => {
    const value = also(key);
    if (value === null) missing.push(missingFigure(key, fleet));
    return value;
  };
  const hours = missing.length > 0 ? null : needed.reduce((all, { figure }) => all * (figure?.value ?? 0), share);
  const gpuHours = hours === null ? null : amount(gain, 'GPU-h', (g) => hours * savedShare(g));
  const price = need('pricePerGpuHour');
  const money = gpuHours && price !== null ? times(gpuHours, price, fleet.currency ?? '') : null;
  const energy = energyOf(measured, gain, hours, { also, need, inputs });
  const tariff = energy === null ? null : also('pricePerKwh');
  const energyMoney = energy && tariff !== null ? times(energy, tariff, fleet.currency ?? '') : null;
  const engineering = also('engineeringHours');
  const payback = engineering === null ? null : paybackOf(engineering, also('pricePerEngineeringHour'), gpuHours, money);
  const remarks = remarksOf(measured, { hasEnergy: energy !== null, hasPue: fleet.figure('pue') !== null });
  const amounts = { gpuHours, money, energy, energyMoney, payback };
  return {
    ...amounts,
    formula: SAVINGS_FORMULA,
    inputs,
    missing,
    reason: null,
    remarks,
    text: savingsText(amounts, remarks),
  };
} // prettier-ignore

const shareName = { en: 'Part of the hours left by the steps before', zh: '前面各步之后剩余的时间比例' };

/** Part of the hours that a gain frees: 1 − 1 ÷ (1 + gain), written so that small gains keep their digits. */
export function savedShare(gain: number): number {
  return gain / (1 + gain);
}

const noGain = { en: 'The trial gives no gain: see its warnings', zh: '该试验没有给出收益，请看其警告' };

function withoutGain({ verdict, gain }: MeasuredGain): BothLanguages | null {
  if (verdict === 'NOT_COMPARABLE') {
    return {
      en: 'The arms are not comparable: what was saved cannot be said',
      zh: '两组数据不可比，无法得出节省量',
    };
  }
  return gain === null || gain <= -1 ? noGain : null;
}

/** The interval to carry through: it includes zero where no change was shown, and exact values have none to add. */
function gainOf({ gain, gainLow, gainHigh, verdict, evidence }: MeasuredGain): Ends | null {
  if (gain === null || gain <= -1) return null;
  const known = gainLow !== null && gainHigh !== null && gainLow > -1;
  const ends = known ? { low: gainLow, high: gainHigh } : evidence === 'EXACT' ? { low: gain, high: gain } : null;
  if (ends === null) return { value: gain, low: null, high: null };
  if (!unshown.includes(verdict)) return { value: gain, ...ends };
  return { value: gain, low: Math.min(ends.low, gain, 0), high: Math.max(ends.high, gain, 0) };
}

function gainInputs({ value, low, high }: Ends): DerivedInput[] {
  const input = (key: string, name: BothLanguages, given: number | null): DerivedInput[] =>
    given === null ? [] : [{ key, name, value: given, unit: 'fraction', source: 'COMPARISON' }];
  return [
    ...input('gain', { en: 'Gain', zh: '收益' }, value),
    ...input('gainLow', { en: 'Lower end of its 95 % interval', zh: '收益 95% 区间下限' }, low),
    ...input('gainHigh', { en: 'Upper end of its 95 % interval', zh: '收益 95% 区间上限' }, high),
  ];
}

/** `of` rises with the gain. */
function amount({ value, low, high }: Ends, unit: string, of: (gain: number) => number): Amount {
  return { value: of(value), low: low === null ? null : of(low), high: high === null ? null : of(high), unit };
}

function times({ value, low, high }: Amount, factor: number, unit: string): Amount {
  return { value: value * factor, low: low === null ? null : low * factor, high: high === null ? null : high * factor, unit };
} // prettier-ignore

interface Asked {
  readonly also: (key: FleetKey) => number | null;
  readonly need: (key: FleetKey) => number | null;
  readonly inputs: DerivedInput[];
}

/**
 * Energy in kWh: the power that was measured in both arms, else that of the fleet, which is taken for unchanged. Without
 * a PUE it is that of the GPUs alone.
 */
function energyOf(measured: MeasuredGain, gain: Ends, hours: number | null, { also, need, inputs }: Asked): Amount | null {
  const { power } = measured;
  if (power) {
    inputs.push(
      { key: 'powerBefore', name: { en: 'Mean power of one GPU before', zh: '改动前单卡平均功率' }, value: power.before, unit: 'W', source: 'OBSERVATION' },
      { key: 'powerAfter', name: { en: 'Mean power of one GPU after', zh: '改动后单卡平均功率' }, value: power.after, unit: 'W', source: 'OBSERVATION' },
    );
  }
  const stated = power ? null : need('powerPerGpu');
  const arms = power ?? (stated === null ? null : { before: stated, after: stated });
  if (arms === null) return null;
  const factor = also('pue') ?? 1;
  if (hours === null) return null;
  // before − after ÷ (1 + gain), written so that equal powers give exactly the share of the hours
  const kilowatts = (g: number) => (arms.before * savedShare(g) + (arms.before - arms.after) / (1 + g)) / 1000;
  return amount(gain, 'kWh', (g) => hours * kilowatts(g) * factor);
} // prettier-ignore

function paybackOf(hours: number, price: number | null, gpuHours: Amount | null, money: Amount | null): Payback {
  const cost = price === null ? null : hours * price;
  const months = (saved: number | null): number | null =>
    cost === null || saved === null || saved <= 0 ? null : cost / saved;
  const middle = months(money?.value ?? null);
  return {
    cost,
    months: middle,
    monthsLow: middle === null ? null : months(money?.high ?? null),
    monthsHigh: middle === null ? null : months(money?.low ?? null),
    gpuHoursPerEngineeringHour: gpuHours === null || hours === 0 ? null : gpuHours.value / hours,
  };
}

/** Savings of which nothing can be said, and why. */
export function nothingOf(reason: BothLanguages): Savings {
  return {
    gpuHours: null,
    money: null,
    energy: null,
    energyMoney: null,
    payback: null,
    formula: SAVINGS_FORMULA,
    inputs: [],
    missing: [],
    reason,
    remarks: [],
    text: reason,
  };
}
