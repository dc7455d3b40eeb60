import { invalidInput } from '../../domain/errors.js';
import type { Facts } from '../../domain/measurement/environment-diff.js';
import { convertGiven } from '../../domain/measurement/given-unit.js';
import { LARGEST_VALUE } from '../../domain/measurement/unit.js';
import type { Metric, Prisma } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import type { RecordMeasurementInput, ValueSummaryInput } from './measurements.types.js';
import { sourceFor } from './run-source.js';

/** Most values of an arm that can be typed in. */
const VALUE_LIMIT = 1_000;

/** What GraphQL counts to. */
const LARGEST_COUNT = 2 ** 31 - 1;

type Place = 'before' | 'after';

/** What was measured of one arm: values, or no more than their mean and deviation. */
type Measured =
  | { readonly kind: 'values'; readonly values: readonly number[] }
  | { readonly kind: 'summary'; readonly mean: number; readonly sd: number; readonly n: number | null };

/** What is said of one arm. */
export interface TypedArm {
  readonly arm: Place;
  readonly measured: Measured;
  readonly environment: Facts;
  readonly workload: Facts;
}

/** What was measured of both arms. INVALID_INPUT for arms that cannot be compared as typed. */
export function typedArms(input: RecordMeasurementInput): Readonly<Record<Place, Measured>> {
  const before = measuredOf('before', input.before, input.beforeSummary ?? null);
  const after = measuredOf('after', input.after, input.afterSummary ?? null);
  if (input.pairs) checkPairs(before, after);
  return { before, after };
}

function measuredOf(place: Place, values: readonly number[], summary: ValueSummaryInput | null): Measured {
  if (summary === null) return { kind: 'values', values: checkedValues(place, values) };
  if (values.length === 0) return { kind: 'summary', ...checkedSummary(place, summary) };
  throw invalidInput(
    {
      en: `Give exactly one of ${place} and ${place}Summary`,
      zh: `${place} 与 ${place}Summary 须且只须给出其一`,
    },
    { place },
  );
}

function checkedValues(place: Place, values: readonly number[]): readonly number[] {
  if (values.length < 1 || values.length > VALUE_LIMIT) {
    throw invalidInput(
      {
        en: `${place} has ${values.length} values; 1 to ${VALUE_LIMIT} are needed`,
        zh: `${place} 有 ${values.length} 个值，须为 1 至 ${VALUE_LIMIT} 个`,
      },
      { place, given: values.length },
    );
  }
  const tooLarge = values.find((value) => Math.abs(value) > LARGEST_VALUE);
  if (tooLarge !== undefined) throw tooLargeValue(tooLarge);
  return values;
}

function checkedSummary(place: Place, { mean, sd, n }: ValueSummaryInput) {
  const tooLarge = [mean, sd].find((value) => Math.abs(value) > LARGEST_VALUE);
  if (tooLarge !== undefined) throw tooLargeValue(tooLarge);
  const count = n ?? null;
  if (sd < 0 || (count !== null && (count < 1 || count > LARGEST_COUNT))) {
    const given = { sd, n: count };
    throw invalidInput(
      {
        en: `${place}Summary needs sd of 0 or more and n of 1 or more; got sd ${sd}, n ${count ?? 'unknown'}`,
        zh: `${place}Summary 要求 sd 不小于 0 且 n 不小于 1；收到 sd ${sd}、n ${count ?? '未知'}`,
      },
      { place, ...given },
    );
  }
  return { mean, sd, n: count };
}

function checkPairs(before: Measured, after: Measured): void {
  if (before.kind === 'summary' || after.kind === 'summary') {
    throw invalidInput({
      en: 'Pairs need the single values of both arms; a summary has none',
      zh: '成对测量需要两组的逐次数值，汇总中没有',
    });
  }
  if (before.values.length === after.values.length) return;
  const counts = { before: before.values.length, after: after.values.length };
  throw invalidInput(
    {
      en: `Pairs need as many values before as after; there are ${counts.before} and ${counts.after}`,
      zh: `成对测量要求前后数量相同，现为 ${counts.before} 个和 ${counts.after} 个`,
    },
    counts,
  );
}

function tooLargeValue(value: number) {
  return invalidInput(
    {
      en: `The value ${value} is too large: at most ${LARGEST_VALUE} can be kept`,
      zh: `数值 ${value} 过大，最多可存 ${LARGEST_VALUE}`,
    },
    { value },
  );
}

/** Who recorded which metric, and how; `recording` tells the pairs of this recording from those of any other. */
export interface Recording {
  readonly projectId: string;
  readonly viewer: Viewer;
  readonly metric: Metric;
  readonly recording: string;
}

/** One run for each value of an arm, or one for its summary, in the unit of the metric. */
export function runsOf(
  { projectId, viewer, metric, recording }: Recording,
  { arm, measured, environment, workload }: TypedArm,
  { pairs, sampling, unit }: RecordMeasurementInput,
): { runs: (Prisma.RunCreateManyInput & { id: string })[]; observations: Prisma.ObservationCreateManyInput[] } {
  // Values of the two arms that were typed as one session are of the same one; separate ones are all apart.
  const shared = uuidv7();
  const sessionOf = (): string | null =>
    sampling === 'SEPARATE_SESSIONS' ? uuidv7() : sampling === 'ONE_SESSION' ? shared : null;
  const values = measured.kind === 'values' ? measured.values : [measured.mean];
  const runs = values.map((_, index) => ({
    id: uuidv7(),
    projectId,
    createdById: viewer.id,
    source: sourceFor(viewer, 'MANUAL'),
    status: 'OK' as const,
    session: sessionOf(),
    block: pairs ? `${recording} pair ${index + 1}` : null,
    environment: toJson(environment),
    workload: toJson(workload),
  }));
  const to = (value: number) => convertTo(metric, value, unit, arm);
  const observations = runs.map(({ id }, index) => ({
    runId: id,
    metricId: metric.id,
    dimensions: {},
    seriesKey: '',
    position: 0,
    value: to(values[index] ?? Number.NaN),
    ...(measured.kind === 'summary' && {
      summary: toJson({ mean: to(measured.mean), sd: to(measured.sd), n: measured.n, sampling: sampling ?? 'UNKNOWN' }),
    }),
  }));
  return { runs, observations };
}

function convertTo(metric: Metric, value: number, unit: string | null | undefined, arm: string): number {
  const given = unit ?? metric.unit;
  const converted = convertGiven(value, given, metric);
  if (Math.abs(converted) <= LARGEST_VALUE) return converted;
  throw invalidInput({
    en: `The value ${value} ${given} of ${arm} is too large in ${metric.unit}`,
    zh: `${arm} 中的值 ${value} ${given} 换算为 ${metric.unit} 后过大`,
  });
}
