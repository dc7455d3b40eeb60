import { dimensionOf } from '../../measurement/unit.js';
import { groupedBy } from '../grouped.js';
import { warning, type Importer, type ImportProblem, type ReadObservation } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { numberOf } from '../number.js';
import { measured } from '../repeated.js';
import { firstNames, profileRun, workName } from './profile-run.js';

/** What a `Measurement` of `torch.utils.benchmark.Timer` prints. The median of each is a value. */
export const torchBenchmarkTimer: Importer = {
  tool: 'torch-benchmark-timer',
  what: 'torch.utils.benchmark.Timer (Measurement)',

  recognizes: (text) => measurementsOf(text).length > 0,

  read(text) {
    const measurements = measurementsOf(text);
    const observations = pointsOf(measurements);
    const problems = problemsOf(measurements);
    const runs = observations.length === 0 ? [] : [profileRun('torch-benchmark-timer', { observations })];
    return { runs, problems };
  },
};

interface Measurement {
  readonly line: number;
  /** Label, description and setup, a line each. */
  readonly about: readonly string[];
  readonly value: number;
  readonly unit: string;
  readonly count: number;
  readonly threads: number;
  isNoisy: boolean;
}

const startLine = /^[\s[,]{0,20}<torch\.utils\.benchmark\.utils\.common\.Measurement object at 0x[0-9a-f]{1,20}>/;
/** With one measurement there is no word before the time. */
const valueLine = /^\s{1,8}(?:Median: {0,4})?(\d{1,12}(?:\.\d{1,6})?) (ns|us|ms|s)\s{0,8}$/;
const countLine =
  /^\s{1,8}(\d{1,9}) measurements?, (\d{1,12}) runs {1,3}(?:per measurement)?, {0,2}(\d{1,6}) threads?[\s\],>]{0,8}$/;
const noiseLine = /^\s{1,12}WARNING: Interquartile range is (\d{1,9}(?:\.\d{1,3})?)% of the median/;
/** More lines of a statement are not kept. */
const MOST_LINES = 40;

interface Open {
  about: string[];
  value: { readonly value: number; readonly unit: string; readonly line: number } | null;
  last: Measurement | null;
}

/** The line `object at` may be missing: people cut it off. What stands above the time then tells what was measured. */
function measurementsOf(text: string): readonly Measurement[] {
  if (!/ \d{1,9} measurements?, \d/.test(text)) return [];
  const measurements: Measurement[] = [];
  const streams = new Map<string | null, Open>();
  for (const { number, text: line, label } of labeledLines(text)) {
    let open = streams.get(label);
    if (!open) streams.set(label, (open = { about: [], value: null, last: null }));
    const value = valueLine.exec(line);
    const count = open.value === null ? null : countLine.exec(line);
    if (startLine.test(line)) Object.assign(open, { about: [], value: null, last: null });
    else if (value) {
      const found = numberOf(value[1] ?? '');
      const unit = value[2] ?? '';
      open.value = found === null || dimensionOf(unit) !== 'time' ? null : { value: found, unit, line: number };
    } else if (count && open.value) {
      open.last = {
        ...open.value,
        about: open.about,
        count: Number(count[1]),
        threads: Number(count[3]),
        isNoisy: false,
      };
      measurements.push(open.last);
      open.about = [];
      open.value = null;
    } else if (open.last && noiseLine.test(line)) open.last.isNoisy = true;
    else if (line.trim() === '') open.about = [];
    else if (!/^\s{1,12}(?:IQR: |This (?:could|suggests) )/.test(line)) {
      open.value = null;
      if (open.about.length < MOST_LINES) open.about.push(line.trim());
    }
  }
  return measurements;
}

/** What is measured again is another value of the same point. */
function pointsOf(measurements: readonly Measurement[]): readonly ReadObservation[] {
  const groups = groupedBy(measurements, ({ about, threads, unit }) => JSON.stringify([about, threads, unit]));
  return [...groups.values()].flatMap((group): readonly ReadObservation[] => {
    const [first] = group;
    if (!first) return [];
    const point = { metric: 'time.median', dimensions: dimensionsOf(first), unit: first.unit };
    if (group.length > 1) return measured(point, group.map(({ value }) => value)); // prettier-ignore
    return [{ ...point, value: first.value, distribution: inside(first) }];
  });
}

function dimensionsOf({ about, threads }: Measurement): ReadObservation['dimensions'] {
  const [benchmark, ...others] = about;
  const description = others.filter((line) => !line.startsWith('setup:')).join(' ');
  return {
    ...(benchmark === undefined ? {} : { benchmark: workName(benchmark) }),
    ...(description === '' ? {} : { description: workName(description) }),
    threads,
  };
}

/** Of the measurements the text tells how many there are, and their median. */
function inside({ count, value }: Measurement): NonNullable<ReadObservation['distribution']> {
  return { count, mean: null, sd: null, min: null, p50: value, p90: null, p99: null, max: null };
}

function problemsOf(measurements: readonly Measurement[]): readonly ImportProblem[] {
  const noisy = measurements.filter(({ isNoisy }) => isNoisy);
  const [first] = noisy;
  if (!first) return [];
  const names = firstNames(noisy.map(({ about }) => about[0] ?? '?'));
  return [
    warning(
      first.line,
      `PyTorch warns of a wide spread: the interquartile range is over a tenth of the median. ${names}`,
      `PyTorch 提示波动较大：四分位距超过中位数的十分之一。${names}`,
      { code: 'UNSTABLE' },
    ),
  ];
}
