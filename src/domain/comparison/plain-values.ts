import { error, type Reading } from '../importers/importer.js';
import { measured } from '../importers/repeated.js';
import type { MetricDefinition } from '../measurement/metric.js';

/** Most values of a file. */
const MOST_VALUES = 1_000;

/**
 * A text of nothing but numbers, by lines, blanks or commas, with comments behind `#`: repeated measurements of the metric,
 * in its unit. Null where anything else stands in it.
 */
export function plainValues(text: string, metric: MetricDefinition): Reading | null {
  const words = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, ''))
    .join(' ')
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
  if (words.length === 0 || !words.every((word) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word))) return null;
  const values = words.map(Number);
  if (values.length > MOST_VALUES || !values.every(Number.isFinite)) {
    const problem = error(
      null,
      `The file holds ${values.length} values; at most ${MOST_VALUES} finite ones are taken`,
      `文件含 ${values.length} 个值，最多接受 ${MOST_VALUES} 个有限数值`,
    );
    return { runs: [], problems: [problem] };
  }
  const run = {
    status: 'OK',
    tool: 'plain-values',
    toolVersion: null,
    variant: null,
    startedAt: null,
    command: null,
    environment: {},
    workload: {},
    session: null,
    block: null,
    observations: measured({ metric: metric.key, dimensions: {}, unit: metric.unit }, values),
  } as const;
  return { runs: [run], problems: [] };
}
