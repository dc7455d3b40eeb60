import { warning, type ImportProblem, type ReadObservation } from '../importer.js';

type Dimensions = ReadObservation['dimensions'];

interface Limited {
  ticks: number;
  limited: number;
  readonly line: number;
  readonly reasons: Map<string, number>;
}

/** More GPUs are not named one by one. */
const MOST_NAMED = 16;

/** Bits of the clock event reasons of NVML that keep clocks down by power or heat. */
const bits: readonly (readonly [bigint, string])[] = [
  [0x4n, 'sw_power_cap'],
  [0x8n, 'hw_slowdown'],
  [0x20n, 'sw_thermal_slowdown'],
  [0x40n, 'hw_thermal_slowdown'],
  [0x80n, 'hw_power_brake_slowdown'],
];

/** The reasons in a mask such as `0x0000000000000004`, null where the text is none. */
export function limitsOfMask(text: string): readonly string[] | null {
  if (!/^(?:0x[0-9a-fA-F]{1,16}|\d{1,19})$/.test(text)) return null;
  const mask = BigInt(text);
  return bits.filter(([bit]) => (mask & bit) !== 0n).map(([, name]) => name);
}

/** In how many ticks power or heat kept the clocks of each GPU down. */
export class ClockLimits {
  private readonly gpus = new Map<Dimensions, Limited>();

  /** `dimensions` are those of the device, the same object at each tick. */
  take(dimensions: Dimensions, reasons: readonly string[], line: number): void {
    const found = this.gpus.get(dimensions) ?? { ticks: 0, limited: 0, line, reasons: new Map<string, number>() };
    this.gpus.set(dimensions, found);
    found.ticks += 1;
    if (reasons.length > 0) found.limited += 1;
    for (const reason of reasons) found.reasons.set(reason, (found.reasons.get(reason) ?? 0) + 1);
  }

  /** A share of a single tick says nothing. */
  observations(): readonly ReadObservation[] {
    return [...this.gpus].flatMap(([dimensions, { ticks, limited }]) =>
      ticks < 2 ? [] : [{ metric: 'gpu.clock_limited_share', dimensions, value: limited / ticks, unit: 'ratio' }],
    );
  }

  problems(): readonly ImportProblem[] {
    return [...this.gpus]
      .filter(([, { limited }]) => limited > 0)
      .slice(0, MOST_NAMED)
      .map(([{ gpu }, { ticks, limited, line, reasons }]) => {
        const names = [...reasons.keys()].join(', ');
        const [en, zh] = gpu === undefined ? ['The GPU', '该 GPU'] : [`GPU ${gpu}`, `GPU ${gpu} `];
        return warning(
          line,
          `${en}: its clocks were kept down in ${limited} of ${ticks} readings (${names})`,
          `${zh}的频率在 ${ticks} 次读数中有 ${limited} 次受限（${names}）`,
          { code: 'CLOCKS_VARY' },
        );
      });
  }
}
