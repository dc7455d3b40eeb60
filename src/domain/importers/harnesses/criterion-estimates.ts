import { z } from 'zod';
import { badRun, warning, type Importer, type ImportProblem, type Reading, type ReadObservation } from '../importer.js';
import { objectsOf, readJson, startsLikeJson, type JsonObject } from '../json.js';
import { summarized } from '../repeated.js';
import { benchmarkRun } from './benchmark-run.js';
import { ownValue } from '../../own-value.js';

/** `new/estimates.json` of criterion.rs in nanoseconds, or `change/estimates.json`, which holds shares. */
export const criterionEstimates: Importer = {
  tool: 'criterion-estimates',
  what: 'estimates.json of criterion.rs',

  recognizes: (text) =>
    startsLikeJson(text) &&
    /"[Mm]ean"\s{0,100}:\s{0,100}\{\s{0,100}"(?:confidence_interval|point_estimate|standard_error)"/.test(
      text.slice(0, 65_536),
    ) &&
    text.includes('"confidence_level"') &&
    text.includes('"point_estimate"'),

  read(text) {
    const json = readJson(text);
    if (json.problem) return { runs: [], problems: [json.problem] };
    const parts = objectsOf(json).map(({ object, line }) => readFile(object, line));
    return { runs: parts.flatMap(({ runs }) => runs), problems: parts.flatMap(({ problems }) => problems) };
  },
};

const estimate = z.object({
  point_estimate: z.number(),
  confidence_interval: z.object({ lower_bound: z.number(), upper_bound: z.number() }),
});

const deviation = z.object({ point_estimate: z.number() });

/** Version 0.3 writes the names with capitals. */
const file = z.object({ mean: estimate, median: estimate, slope: estimate.nullish(), std_dev: z.unknown().optional() });

const lowerCase: Readonly<Record<string, string>> = {
  Mean: 'mean',
  Median: 'median',
  Slope: 'slope',
  StdDev: 'std_dev',
};

function readFile(object: JsonObject, line: number): Reading {
  const renamed = Object.fromEntries(
    Object.entries(object).map(([name, value]) => [ownValue(lowerCase, name) ?? name, value]),
  );
  const parsed = file.safeParse(renamed);
  if (!parsed.success) return { runs: [], problems: [bad(parsed.error, line)] };
  const { mean, median, slope, std_dev } = parsed.data;
  if (std_dev === undefined) return changeOf(mean, median, line);
  const time = (metric: string, { point_estimate }: z.infer<typeof estimate>): ReadObservation => ({
    metric,
    dimensions: {},
    value: point_estimate,
    unit: 'ns',
  });
  // the deviation is that of the samples, of which the file does not say how many there are; it is none of the slope
  const spread = summarized(mean.point_estimate, deviation.safeParse(std_dev).data?.point_estimate, null);
  const found = [
    time('time.per_operation', slope ?? mean),
    { ...time('time.mean', mean), ...spread },
    time('time.median', median),
  ];
  return finite(found, line, []);
}

/** Against an earlier run on the same machine; only the new estimates themselves can be compared with others. */
function changeOf(mean: z.infer<typeof estimate>, median: z.infer<typeof estimate>, line: number): Reading {
  const of = (statistic: string, { point_estimate, confidence_interval }: z.infer<typeof estimate>) =>
    [
      ['estimate', point_estimate] as const,
      ['lower', confidence_interval.lower_bound] as const,
      ['upper', confidence_interval.upper_bound] as const,
    ].map(([bound, value]): ReadObservation => ({
      metric: 'time.relative_change',
      dimensions: { statistic, bound },
      value,
      unit: 'ratio',
    }));
  return finite([...of('mean', mean), ...of('median', median)], line, [
    warning(
      line,
      'This is change/estimates.json: a change relative to an earlier run, not a time. For a comparison send base/estimates.json and new/estimates.json',
      '这是 change/estimates.json：只有相对先前运行的变化，没有耗时。要做对比，请上传 base/estimates.json 和 new/estimates.json',
      { code: 'OTHER_MEANING' },
    ),
  ]);
}

function finite(observations: readonly ReadObservation[], line: number, problems: readonly ImportProblem[]): Reading {
  if (observations.every(({ value }) => Number.isFinite(value))) {
    return { runs: [benchmarkRun('criterion-estimates', observations)], problems };
  }
  return { runs: [], problems: [badRun(line, 'An estimate is no finite number', '估计值不是有限数')] };
}

function bad(fault: z.ZodError, line: number): ImportProblem {
  const places = fault.issues.slice(0, 5).map(({ path }) => path.join('.')).join(', '); // prettier-ignore
  return badRun(
    line,
    `Not an estimates.json of criterion. Bad or missing: ${places}`,
    `不是 criterion 的 estimates.json。字段有误或缺失：${places}`,
  );
}
