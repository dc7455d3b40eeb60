import { invalidInput } from '../errors.js';
import type { BothLanguages } from '../locale.js';

/** Hours of a month: 365.25 × 24 ÷ 12. */
export const HOURS_PER_MONTH = 730.5;

/** What a fleet can be told by, each a number; `currency` is that of every price. */
export interface FleetFigures {
  /** GPUs of the fleet that do this work. */
  readonly gpus?: number | null | undefined;
  /** Share of the hours in which they do it: 0.6 is 60 %. */
  readonly busyShare?: number | null | undefined;
  readonly hoursPerMonth?: number | null | undefined;
  readonly pricePerGpuHour?: number | null | undefined;
  readonly pricePerKwh?: number | null | undefined;
  readonly pue?: number | null | undefined;
  /** Mean power of one GPU at this work, in W. */
  readonly powerPerGpu?: number | null | undefined;
  readonly pricePerEngineeringHour?: number | null | undefined;
  /** Spent on the change, or expected. */
  readonly engineeringHours?: number | null | undefined;
}

export interface GivenFleet extends FleetFigures {
  readonly currency?: string | null | undefined;
}

export type FleetKey = keyof FleetFigures;

/** Where a number comes from. */
export type InputSource =
  'OBSERVATION' | 'COMPARISON' | 'ENVIRONMENT' | 'WORKLOAD' | 'SETTING' | 'ARGUMENT' | 'DEFAULT' | 'COMPUTED';

/** A number of the fleet with where it comes from. */
export interface FleetFigure {
  readonly value: number;
  readonly source: InputSource;
}

/** What is known of a fleet: a figure that nobody gave is null. */
export interface Fleet {
  /** ISO 4217; null where nobody named one. */
  readonly currency: string | null;
  readonly figure: (key: FleetKey) => FleetFigure | null;
}

interface Rule {
  readonly name: BothLanguages;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  /** Whether the least value itself is none: no fleet has 0 GPUs. */
  readonly isLeastOut?: true;
  readonly isPrice?: true;
}

/** What each figure is called, its unit, and between which values it can be. */
export const fleetRules: Readonly<Record<FleetKey, Rule>> = {
  gpus: { name: { en: 'GPUs of the fleet', zh: '集群 GPU 数' }, unit: 'count', least: 0, most: 1e7, isLeastOut: true },
  busyShare: {
    name: { en: 'Share of the hours in which they are busy', zh: '忙碌时间占比' },
    unit: 'fraction',
    least: 0,
    most: 1,
    isLeastOut: true,
  },
  hoursPerMonth: {
    name: { en: 'Hours per month', zh: '每月小时数' },
    unit: 'h',
    least: 0,
    most: 744,
    isLeastOut: true,
  },
  pricePerGpuHour: {
    name: { en: 'Price per GPU hour', zh: '每 GPU 小时价格' },
    unit: '',
    least: 0,
    most: 1e9,
    isPrice: true,
  },
  pricePerKwh: { name: { en: 'Price per kWh', zh: '每千瓦时电价' }, unit: '', least: 0, most: 1e9, isPrice: true },
  pue: { name: { en: 'Power usage effectiveness (PUE)', zh: '电能利用效率（PUE）' }, unit: '', least: 1, most: 10 },
  powerPerGpu: {
    name: { en: 'Mean power of one GPU', zh: '单卡平均功率' },
    unit: 'W',
    least: 0,
    most: 1e5,
    isLeastOut: true,
  },
  pricePerEngineeringHour: {
    name: { en: 'Price per engineering hour', zh: '每工程师小时成本' },
    unit: '',
    least: 0,
    most: 1e9,
    isPrice: true,
  },
  engineeringHours: { name: { en: 'Engineering hours', zh: '投入的工程师小时' }, unit: 'h', least: 0, most: 1e7 },
};

const keys = Object.keys(fleetRules).filter((key): key is FleetKey => key in fleetRules);

/** The figures that are prices. */
export const priceKeys: readonly FleetKey[] = keys.filter((key) => fleetRules[key].isPrice === true);

/**
 * Refuses with INVALID_INPUT a figure beyond its bounds, and a currency that ISO 4217 does not have. `place` is put
 * before the name of the figure.
 */
export function checkFleet(given: GivenFleet, place: string): void {
  for (const key of keys) {
    const value = given[key];
    if (value === undefined || value === null) continue;
    const { least, most, isLeastOut } = fleetRules[key];
    if (value <= most && (isLeastOut ? value > least : value >= least)) continue;
    const from = isLeastOut
      ? { en: `above ${least}`, zh: `大于 ${least}` }
      : { en: `at least ${least}`, zh: `不小于 ${least}` };
    throw invalidInput(
      {
        en: `${place}${key} must be ${from.en} and at most ${most}, and is ${value}`,
        zh: `${place}${key} 须${from.zh}且不大于 ${most}，现为 ${value}`,
      },
      { place: `${place}${key}`, given: value },
    );
  }
  const { currency } = given;
  if (currency === undefined || currency === null || isCurrency(currency)) return;
  throw invalidInput(
    {
      en: `${place}currency "${currency}" is no code of ISO 4217 such as USD, EUR or CNY`,
      zh: `${place}currency“${currency}”不是 ISO 4217 货币代码（如 USD、EUR、CNY）`,
    },
    { place: `${place}currency`, given: currency },
  );
}

/** Refuses prices without a currency: a price of nothing named cannot be shown. */
export function requireCurrency(given: GivenFleet, place: string): void {
  const priced = priceKeys.find((key) => typeof given[key] === 'number');
  if (priced === undefined || typeof given.currency === 'string') return;
  throw invalidInput(
    {
      en: `${place}${priced} is given without ${place}currency: name its currency, such as USD`,
      zh: `给出了 ${place}${priced}，却没有 ${place}currency：请写明货币，如 USD`,
    },
    { place: `${place}currency` },
  );
}

/**
 * The fleet of a setting, with what somebody gives over it. Nothing is converted between currencies: where another one is
 * given than the setting has, the prices of the setting are not known in it.
 */
export function fleetOf(setting: GivenFleet | null, given: GivenFleet | null): Fleet {
  if (given) checkFleet(given, 'fleet.');
  const currency = given?.currency ?? setting?.currency ?? null;
  if (given) requireCurrency({ ...given, currency }, 'fleet.');
  const isOther = (setting?.currency ?? null) !== currency;
  return {
    currency,
    figure: (key) => {
      const own = given?.[key] ?? null;
      if (own !== null) return { value: own, source: 'ARGUMENT' };
      const kept = isOther && fleetRules[key].isPrice ? null : (setting?.[key] ?? null);
      if (kept !== null) return { value: kept, source: 'SETTING' };
      return key === 'hoursPerMonth' ? { value: HOURS_PER_MONTH, source: 'DEFAULT' } : null;
    },
  };
}

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/** What is needed of the fleet and was not given. */
export function missingFigure(key: FleetKey, fleet: Fleet): Missing {
  const { name, isPrice } = fleetRules[key];
  const inCurrency = isPrice && fleet.currency !== null ? fleet.currency : null;
  return {
    key,
    reason: {
      en: `${name.en}${inCurrency ? ` in ${inCurrency}` : ''} is not known: give \`${key}\`, or set it for the project`,
      zh: `缺少${name.zh}${inCurrency ? `（${inCurrency}）` : ''}：请给出 \`${key}\`，或在项目中设置`,
    },
  };
}

/** Something that is needed and is not known. */
export interface Missing {
  readonly key: string;
  readonly reason: BothLanguages;
}

/** A number that a value was computed from. */
export interface DerivedInput {
  /** The key of a metric or a fact, or the name of a figure of the fleet. */
  readonly key: string;
  readonly name: BothLanguages;
  readonly value: number;
  readonly unit: string;
  readonly source: InputSource;
}

/** A figure of the fleet as an input; prices are in its currency. */
export function figureInput(key: FleetKey, { value, source }: FleetFigure, fleet: Fleet): DerivedInput {
  const { name, unit, isPrice } = fleetRules[key];
  return { key, name, value, unit: isPrice ? (fleet.currency ?? '') : unit, source };
}
