import { z } from 'zod';
import { dimensionOf } from '../../measurement/unit.js';
import { incomplete, badRun, type Importer, type ImportProblem, type Reading } from '../importer.js';
import { objectsOf, readJson } from '../json.js';
import { csvRecords } from '../mapped/csv-records.js';
import { measured, Points } from '../repeated.js';
import { benchmarkName, benchmarkRun } from './benchmark-run.js';

/** `raw.csv` or `sample.json` of criterion.rs: the time of each sample, which is one of so many iterations together. */
export const criterionRaw: Importer = {
  tool: 'criterion-raw',
  what: 'raw.csv or sample.json of criterion.rs',

  recognizes: (text) => header.test(text) || sample.test(text),

  read: (text) => (header.test(text) ? readCsv(text) : readSample(text)),
};

/** Up to version 0.2 `sample_time_nanos` was the time; 0.3 added the throughput and other units. */
const header =
  /^\s{0,100}group,function,value,(?:throughput_num,throughput_type,)?(?:sample_measured_value,unit|sample_time_nanos),iteration_count\s{0,10}(?:\n|$)/;
const sample =
  /^\s{0,1000}\{\s{0,100}(?:"sampling_mode"\s{0,100}:\s{0,100}"\w{1,20}"\s{0,100},\s{0,100})?"iters"\s{0,100}:\s{0,100}\[[\d.,eE+\s]*\]\s{0,100},\s{0,100}"times"\s{0,100}:/;

function readCsv(text: string): Reading {
  const { records, problem } = csvRecords(text, ',');
  if (problem) return { runs: [], problems: [problem] };
  const [{ cells: names } = { cells: [] }, ...rows] = records;
  const at = (name: string): number => names.findIndex((each) => each.trim() === name);
  const [group, fn, value, unitAt, count] = ['group', 'function', 'value', 'unit', 'iteration_count'].map(at);
  const time = Math.max(at('sample_measured_value'), at('sample_time_nanos'));
  const points = new Points();
  const problems: ImportProblem[] = [];
  let isPartial = false;
  for (const { cells, line } of rows) {
    const cell = (column: number | undefined): string => cells[column ?? -1]?.trim() ?? '';
    // the header again, of a file put behind another
    if (cell(group) === 'group' && cell(count) === 'iteration_count') continue;
    const unit = unitAt === -1 ? 'ns' : cell(unitAt);
    const [measuredTime, iterations] = [plainNumber(cell(time)), plainNumber(cell(count))];
    if (measuredTime === null || iterations === null || iterations < 1 || cells.length !== names.length) {
      isPartial = true;
      if (problems.length < MAX_PROBLEMS) problems.push(brokenRow(line));
    } else if (dimensionOf(unit) !== 'time') {
      if (problems.length === 0) problems.push(otherUnit(unit, line));
    } else {
      const name = [cell(group), cell(fn), cell(value)].filter((part) => part !== '').join('/');
      points.add(
        { metric: 'time.per_operation', unit, dimensions: { benchmark: benchmarkName(name) } },
        measuredTime / iterations,
      );
    }
  }
  const observations = points.observations();
  const status = isPartial ? ('PARTIAL' as const) : ('OK' as const);
  return { runs: observations.length > 0 ? [benchmarkRun('criterion-raw', observations, { status })] : [], problems };
}

const MAX_PROBLEMS = 100;

function plainNumber(cell: string): number | null {
  return /^\d{1,300}(?:\.\d{0,300})?(?:[eE][+-]?\d{1,3})?$/.test(cell) && Number.isFinite(Number(cell))
    ? Number(cell)
    : null;
}

function brokenRow(line: number): ImportProblem {
  return incomplete(line, 'The row is incomplete or its numbers are none', '此行不完整，或其中的数字无效');
}

function otherUnit(unit: string, line: number): ImportProblem {
  const shown = unit.slice(0, 40);
  return badRun(line, `The samples are no times: their unit is "${shown}"`, `样本不是耗时：单位为“${shown}”`);
}

const sampleFile = z.object({ iters: z.array(z.number().min(1)).min(1), times: z.array(z.number()).min(1) });

/** Nanoseconds; the name of the benchmark is that of the folder. */
function readSample(text: string): Reading {
  const json = readJson(text);
  if (json.problem) return { runs: [], problems: [json.problem] };
  const parts = objectsOf(json).map(({ object, line }): Reading => {
    const parsed = sampleFile.safeParse(object);
    if (!parsed.success || parsed.data.iters.length !== parsed.data.times.length) {
      return {
        runs: [],
        problems: [
          badRun(
            line,
            'Not a sample.json of criterion: it needs as many times as iters',
            '不是 criterion 的 sample.json：times 与 iters 的个数应相同',
          ),
        ],
      };
    }
    const { iters, times } = parsed.data;
    const each = times.map((total, index) => total / (iters[index] ?? NaN));
    const point = { metric: 'time.per_operation', dimensions: {}, unit: 'ns' };
    return { runs: [benchmarkRun('criterion-raw', measured(point, each))], problems: [] };
  });
  return { runs: parts.flatMap(({ runs }) => runs), problems: parts.flatMap(({ problems }) => problems) };
}
