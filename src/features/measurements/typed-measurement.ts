import { invalidInput } from '../../domain/errors.js';
import type { LocalizedText } from '../../domain/locale.js';
import type { Facts } from '../../domain/measurement/environment-diff.js';
import { workloadKey } from '../../domain/measurement/fact-key.js';
import { normalizeFacts, redactFacts } from '../../domain/measurement/redact.js';
import { dimensionOf } from '../../domain/measurement/unit.js';
import { optionalText, requiredText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { Metric } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { toJson } from '../../platform/database/json.js';
import type { RecordMeasurementInput } from './measurements.types.js';

/** Largest threshold, which only a metric with a target in its own unit can come near to. */
const LARGEST_THRESHOLD = 1e6;

/** Smallest effect of a metric that a project named itself: the default for throughput and mean latency. */
const OWN_SMALLEST_EFFECT = 0.02;

/** Facts that somebody gave: checked, flat, without secrets and names. */
export function givenFacts(facts: unknown, place: string): Facts {
  return facts === null || facts === undefined ? {} : redactFacts(normalizeFacts(facts, place)).facts;
}

/** Workload keys that somebody gave, with or without the prefix of the registry. */
export function givenWorkload(workload: unknown, place: string): Facts {
  const facts = givenFacts(workload, place);
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [workloadKey(key), value]));
}

/** Refuses a threshold that no gain can be held against. */
export function checkThreshold(threshold: number | null | undefined): number | null {
  if (threshold === null || threshold === undefined) return null;
  if (threshold < 0 || threshold > LARGEST_THRESHOLD) {
    throw invalidInput(
      {
        en: `threshold must be 0 or more, and is ${threshold}`,
        zh: `threshold 不能为负，现为 ${threshold}`,
      },
      { threshold },
    );
  }
  return threshold;
}

/** Refuses a threshold that was meant as a percentage: 5 would be 500 %. A TARGET metric has one in its own unit. */
export function checkFraction(threshold: number | null, { key, direction }: Pick<Metric, 'key' | 'direction'>): void {
  if (threshold === null || threshold < 1 || direction === 'TARGET') return;
  throw invalidInput(
    {
      en: `threshold is a fraction of "${key}", 0.05 for 5 %, and is ${threshold}`,
      zh: `threshold 是“${key}”的比例，5% 应写作 0.05，现为 ${threshold}`,
    },
    { threshold },
  );
}

/**
 * The metric of a typed-in measurement: one of the catalog or of the project, or a new one of the project by name, unit
 * and direction. INVALID_INPUT where the name is new and one of them is missing, or they disagree with what is known.
 */
export async function metricFor(tx: Db, projectId: string, input: RecordMeasurementInput): Promise<Metric> {
  const key = requiredText(input.metric, 'metric');
  const known = await tx.metric.findFirst({
    where: { key, scope: { in: ['', projectId] } },
    orderBy: { scope: 'asc' },
  });
  if (known) return agreeing(known, input);
  const { direction, unit } = input;
  optionalText(unit, 'unit', TEXT_LIMITS.tag);
  if (!direction || unit === null || unit === undefined) {
    throw invalidInput(
      {
        en: `There is no metric "${key}"; for one of your own give unit and direction too`,
        zh: `没有指标“${key}”；自定义指标须同时给出 unit 和 direction`,
      },
      { metric: key },
    );
  }
  if (direction === 'TARGET') {
    throw invalidInput(
      {
        en: `A metric of your own is HIGHER_IS_BETTER or LOWER_IS_BETTER: "${key}" has no target to come near to`,
        zh: `自定义指标只能是 HIGHER_IS_BETTER 或 LOWER_IS_BETTER：“${key}”没有目标值`,
      },
      { metric: key, direction },
    );
  }
  const named = (await nameMetrics(tx, projectId, [{ key, name: { en: key, zh: key }, unit, direction }])).get(key);
  if (!named) throw new Error(`The metric ${key} is gone`);
  return agreeing(named, input);
}

/** A metric that a project names itself. */
export interface OwnMetric {
  readonly key: string;
  readonly name: LocalizedText;
  readonly unit: string;
  readonly direction: 'HIGHER_IS_BETTER' | 'LOWER_IS_BETTER';
}

/** The metrics of a project with these keys; new ones where there are none. */
export async function nameMetrics(
  tx: Db,
  projectId: string,
  metrics: readonly OwnMetric[],
): Promise<ReadonlyMap<string, Metric>> {
  if (metrics.length === 0) return new Map();
  // Somebody may name the same metric at this moment: the first one stands, and this waits for it.
  await tx.metric.createMany({
    data: metrics.map(({ name, ...metric }) => ({
      ...metric,
      scope: projectId,
      name: toJson(name),
      dimension: dimensionOf(metric.unit) ?? 'other',
      smallestEffect: OWN_SMALLEST_EFFECT,
      role: 'PRIMARY' as const,
    })),
    skipDuplicates: true,
  });
  const keys = metrics.map(({ key }) => key);
  const rows = await tx.metric.findMany({ where: { scope: projectId, key: { in: keys } } });
  return new Map(rows.map((metric) => [metric.key, metric]));
}

/** The metric, unless it is known with another direction than the caller names. */
function agreeing(known: Metric, { direction }: RecordMeasurementInput): Metric {
  if (!direction || direction === known.direction) return known;
  const { key } = known;
  throw invalidInput(
    {
      en: `The metric "${key}" is ${known.direction ?? 'without a direction'}, not ${direction}`,
      zh: `指标“${key}”的方向为 ${known.direction ?? '无'}，而不是 ${direction}`,
    },
    { metric: key, direction: known.direction },
  );
}
