import { z } from 'zod';
import { medianOf } from '../domain/importers/distribution.js';
import { dimensionsShape } from '../domain/measurement/stored.js';
import { REPORT_FIELDS } from './measure-report.js';

/** Most observations in one list of an answer. */
const PAGE = 1_000;
/** Most observations of a file. */
const MOST = 20_000;

/** What a dry run of an import is asked, in as many lists as there are observations. */
export function previewQuery(observationCount: number): string {
  const pages = Math.max(1, Math.ceil(Math.min(observationCount, MOST) / PAGE));
  const lists = Array.from(
    { length: pages },
    (_, page) =>
      `page${page}: observations(first: ${PAGE}, skip: ${page * PAGE}) {
        metric { key unit direction } dimensions value repeats summary { n }
      }`,
  );
  return `
    mutation($input: ImportRunInput!) {
      importRun(input: $input) {
        ${REPORT_FIELDS}
        wouldWrite { index knownRunId status variant session environment workload observationCount }
        ${lists.join('\n')}
      }
    }`;
}

/** Whether the first list of observations holds all of them. */
export const isOnOnePage = (observationCount: number): boolean => observationCount <= PAGE;

const observation = z.object({
  metric: z.object({ key: z.string(), unit: z.string(), direction: z.string().nullable() }),
  dimensions: dimensionsShape,
  value: z.number(),
  repeats: z.array(z.number()),
  summary: z.object({ n: z.number().nullable() }).nullable(),
});

const facts = z.record(z.string(), z.unknown());
const preview = z.object({
  index: z.number(),
  knownRunId: z.string().nullable(),
  status: z.string(),
  variant: z.string().nullable(),
  session: z.string().nullable(),
  environment: facts,
  workload: facts,
  observationCount: z.number(),
});

/** What a run says of a metric at one point. */
export interface PreviewedValue {
  readonly metric: string;
  readonly unit: string;
  readonly direction: string | null;
  readonly dimensions: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** How many values it stands for; null where nobody says. */
  readonly count: number | null;
  readonly statistic: 'VALUE' | 'MEDIAN' | 'MEAN';
}

/** A run as it would be written. */
export interface PreviewedRun extends Omit<z.infer<typeof preview>, 'observationCount'> {
  readonly observations: readonly PreviewedValue[];
}

/** The runs that a dry run shows, at most 100, and whether those are all. */
export interface Previews {
  readonly runs: readonly PreviewedRun[];
  readonly areAll: boolean;
}

/** The runs of the answer to `previewQuery`, each with its observations, which stand one run after the other. */
export function previewsIn(answer: Readonly<Record<string, unknown>>): Previews {
  const observations = Object.keys(answer)
    .filter((name) => /^page\d+$/.test(name))
    .sort((one, other) => Number(one.slice(4)) - Number(other.slice(4)))
    .flatMap((name) => z.array(observation).parse(answer[name]));
  let at = 0;
  const runs = z
    .array(preview)
    .parse(answer['wouldWrite'])
    .map(({ observationCount, ...run }): PreviewedRun => {
      const own = observations.slice(at, at + observationCount);
      at += observationCount;
      return { ...run, observations: own.map(valueOf) };
    });
  return { runs, areAll: runs.length < 100 || at >= observations.length };
}

function valueOf({ metric, dimensions, value, repeats, summary }: z.infer<typeof observation>): PreviewedValue {
  const { key, unit, direction } = metric;
  const said = { metric: key, unit, direction, dimensions };
  if (summary) return { ...said, value, count: summary.n, statistic: 'MEAN' };
  if (repeats.length > 1)
    return { ...said, value: medianOf(repeats) ?? value, count: repeats.length, statistic: 'MEDIAN' };
  return { ...said, value, count: 1, statistic: 'VALUE' };
}
