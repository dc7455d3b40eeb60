import { describe, expect, it } from '@jest/globals';
import type { ReadObservation } from '../importers/importer.js';
import type { BothLanguages } from '../locale.js';
import type { MetricDefinition } from '../measurement/metric.js';
import type { TrialRun } from '../measurement/trial.js';
import { compareArms } from './compare-arms.js';
import { toTrialObservation } from './trial-observation.js';

const step: MetricDefinition = {
  key: 'training.step_time',
  unit: 'ms',
  dimension: 'time',
  direction: 'LOWER_IS_BETTER',
  target: null,
  isExact: false,
  smallestEffect: 0.02,
  role: 'PRIMARY',
};
const metrics = new Map([[step.key, step]]);

/** Mean and deviation in seconds, where the metric is in milliseconds. */
const inSeconds = (mean: number, sd: number, n: number | null): ReadObservation => ({
  metric: step.key,
  dimensions: { batch: 8 },
  value: mean,
  unit: 's',
  summary: { mean, sd, n },
});

function read(observation: ReadObservation) {
  const told: [string, BothLanguages][] = [];
  const read = toTrialObservation(observation, metrics, (severity, message) => told.push([severity, message]));
  return { read, told };
}

function run(id: string, observation: ReadObservation, session: string | null = null): TrialRun {
  const found = read(observation).read;
  const observations = found === null ? [] : [found];
  return { id, status: 'OK', session, block: null, variant: null, environment: {}, workload: {}, observations };
}

function compared(before: readonly TrialRun[], after: readonly TrialRun[]) {
  const rules = { primary: null, guardrails: null, others: 'NONE', variable: [], threshold: null } as const;
  const outcome = compareArms({ before, after, ...rules, noiseFloor: null, metrics, tiers: new Map() });
  if ('nothing' in outcome) throw new Error('Nothing was compared');
  const [row] = outcome.rows;
  if (!row) throw new Error('There is no row');
  return row;
}

describe('toTrialObservation', () => {
  it('keeps the summary of repetitions that are not listed, in the unit of the metric', () => {
    expect(read(inSeconds(0.1, 0.002, 10))).toEqual({
      read: {
        metric: step.key,
        dimensions: { batch: 8 },
        seriesKey: 'batch=8',
        value: 100,
        repeats: [],
        blocks: [],
        summary: { mean: 100, sd: 2, n: 10, sampling: 'ONE_SESSION' },
      },
      told: [],
    });
    expect(read({ ...inSeconds(0.1, 0.002, null), metric: 'x' }).told).toEqual([['WARNING', expect.anything()]]);
    expect(read({ ...inSeconds(0.1, 0.002, null), unit: 'GiB' })).toEqual({
      read: null,
      told: [['ERROR', expect.anything()]],
    });
  });

  // By hand: v = (2/100)²/10 + (3/106)²/8 = 1.401246e-4, t = ln(106/100) / √v = 4.922432 with 12.196263 degrees of
  // freedom, whose two-sided p is 3.359806e-4 and whose 97.5 % point is 2.174931; the gain is 1/ratio − 1.
  it('compares files that give mean, deviation and count by Welch on their summaries', () => {
    const { result, warnings } = compared(
      [run('b', inSeconds(0.1, 0.002, 10))],
      [run('a', inSeconds(0.106, 0.003, 8))],
    );
    expect(result).toMatchObject({
      method: 'WELCH_LOG',
      nBefore: 10,
      nAfter: 8,
      medianBefore: null,
      medianAfter: null,
      evidence: 'INDICATIVE',
      verdict: 'REGRESSED',
      isStrong: true,
    });
    expect(result.ratio).toBeCloseTo(1.06, 12);
    expect(result.gain).toBeCloseTo(-0.0566037735849, 12);
    expect(result.gainLow).toBeCloseTo(-0.0805820591188, 9);
    expect(result.gainHigh).toBeCloseTo(-0.0320001378685, 9);
    expect(result.pValue).toBeCloseTo(3.359806481832e-4, 12);
    expect(warnings.map(({ code }) => code)).toEqual(['ONE_SESSION_ARM', 'SUMMARY_ARM', 'SUMMARY_ARM']);
  });

  it('takes an unknown count as two, and says so', () => {
    const { result, warnings } = compared(
      [run('b', inSeconds(0.1, 0.002, null))],
      [run('a', inSeconds(0.106, 0.003, null))],
    );
    expect(result).toMatchObject({ method: 'WELCH_LOG', nBefore: 0, nAfter: 0, verdict: 'INCONCLUSIVE' });
    expect(warnings.map(({ code }) => code)).toEqual([
      'ONE_SESSION_ARM',
      'SUMMARY_COUNT_UNKNOWN',
      'SUMMARY_COUNT_UNKNOWN',
    ]);
  });

  it('takes each mean as one value where an arm has several files', () => {
    const arm = (id: string, means: readonly number[]) =>
      means.map((mean, index) => run(`${id}${index}`, inSeconds(mean, 0.05, 10), `${id}${index}`));
    const { result } = compared(arm('b', [0.1, 0.101, 0.099, 0.1]), arm('a', [0.11, 0.111, 0.109, 0.11]));
    expect(result).toMatchObject({ nBefore: 4, nAfter: 4, medianBefore: 100, medianAfter: 110 });
    expect(result.method).not.toBe('NONE');
  });
});
