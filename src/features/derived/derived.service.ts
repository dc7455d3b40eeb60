import { Injectable } from '@nestjs/common';
import { derivedValues } from '../../domain/derived/derive.js';
import { checkFleet, fleetOf, type Fleet } from '../../domain/derived/fleet.js';
import { gpusOf, numberOf, powerOf } from '../../domain/derived/run-inputs.js';
import { nothingOf, savingsOf, type MeasuredGain } from '../../domain/derived/savings.js';
import { convertible } from '../../domain/derived/work-metrics.js';
import { invalidInput } from '../../domain/errors.js';
import { seriesKeyOf } from '../../domain/importers/in-unit.js';
import { medianOf } from '../../domain/measurement/order-statistics.js';
import { dimensionsShape } from '../../domain/measurement/stored.js';
import { Database } from '../../platform/database/database.js';
import { oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import type { Comparison, Run, Trial } from '../measurements/measurements.types.js';
import { derivableRuns, type RunForDerived } from './derived.queries.js';
import type { DerivedValue, TrialSavings } from './derived.types.js';
import { FleetService } from './fleet.service.js';
import type { FleetInput } from './fleet.types.js';

/** What of a trial the savings are asked of. */
export interface SavingsQuestion {
  readonly fleet: FleetInput | null;
  /** The primary metric where null. */
  readonly metric: string | null;
  readonly dimensions: unknown;
}

/** What follows from runs and trials: cost, energy, and what a gain is worth. */
@Injectable()
export class DerivedService {
  constructor(
    private readonly db: Database,
    private readonly fleets: FleetService,
    private readonly measurements: MeasurementsService,
  ) {}

  private readonly runById = perRequest(async (ids: readonly string[]): Promise<(RunForDerived | null)[]> => {
    const found = await derivableRuns(this.db, ids);
    return ids.map((id) => found.get(id) ?? null);
  });

  private readonly metricById = perRequest(async (ids: readonly string[]) => {
    const rows = await this.db.metric.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  /** The fleet of a project with what the viewer gives over it. */
  async fleet(request: object, projectId: string, given: FleetInput | null): Promise<Fleet> {
    return fleetOf(await this.fleets.ofProject(request).load(projectId), given);
  }

  /** What follows from what a run observed. */
  async ofRun(request: object, run: Run, given: FleetInput | null, gpus: number | null): Promise<DerivedValue[]> {
    checkFleet({ gpus }, '');
    const fleet = await this.fleet(request, run.projectId, given);
    const found = await this.runById(request).load(run.id);
    return found ? [...derivedValues(found, found.metricName, fleet, gpus)] : [];
  }

  /** What the gain of a trial is worth; INVALID_INPUT for a metric or series that it did not compare. */
  async ofTrial(request: object, trial: Trial, question: SavingsQuestion): Promise<TrialSavings> {
    const fleet = await this.fleet(request, trial.projectId, question.fleet);
    const comparisons = await this.measurements.comparisonsOfTrial(request).load(trial.id);
    const metrics = await Promise.all(comparisons.map(({ metricId }) => this.metricById(request).load(metricId)));
    const primary = await this.metricById(request).load(trial.primaryMetricId);
    const key = question.metric ?? primary?.key ?? '';
    const series = comparisons.filter((_, index) => metrics[index]?.key === key);
    const bare = { metric: key, dimensions: null, verdict: null, evidence: null, isConfounded: false };
    if (trial.verdict === null) return { ...bare, ...nothingOf(isPlan) };
    if (trial.isControl) return { ...bare, ...nothingOf(isControl) };
    const chosen = chosenOf(series, question.dimensions, key);
    if (chosen === null) return { ...bare, ...nothingOf(severalSeries(series.length)) };
    const { dimensions, evidence, isConfounded } = chosen;
    const scope = metrics[comparisons.indexOf(chosen)]?.scope === '' ? 'CATALOG' : 'PROJECT';
    const verdict = isBlocked(trial, chosen) ? 'BLOCKED_BY_GUARDRAIL' : chosen.verdict;
    const told = { metric: key, dimensions, verdict, evidence, isConfounded };
    const { reason } = convertible(key, scope);
    if (reason !== null) return { ...told, ...nothingOf(reason) };
    const arms = await this.armsOf(request, trial);
    const gain: MeasuredGain = { ...chosen, verdict, power: powerOfArms(arms), isLoadFixed: isLoadFixed(key, arms) };
    return { ...told, ...savingsOf(gain, fleet) };
  }

  private async armsOf(request: object, trial: Trial): Promise<Arms> {
    const runs = await this.measurements.runsOfTrial(request).load(trial.id);
    const read = async (arm: readonly Run[]) => {
      const found = await Promise.all(arm.map(({ id }) => this.runById(request).load(id)));
      return found.filter((run) => run !== null);
    };
    const [before, after] = await Promise.all([read(runs.before), read(runs.after)]);
    return { before, after };
  }
}

interface Arms {
  readonly before: readonly RunForDerived[];
  readonly after: readonly RunForDerived[];
}

const isPlan = { en: 'The trial is a plan: nothing was measured yet', zh: '试验仍是计划，尚未测量' };
const isControl = {
  en: 'The trial is an A/A run: nothing was changed between its arms',
  zh: '该试验是 A/A 对照，两组之间没有改动',
};
const severalSeries = (count: number) => ({
  en: `The metric has ${count} series in this trial: name one by \`dimensions\``,
  zh: `该指标在此试验中有 ${count} 个序列：请用 \`dimensions\` 指明其一`,
});

/** The one series that is asked for; null where there are several and none is named. */
function chosenOf(series: readonly Comparison[], dimensions: unknown, metric: string): Comparison | null {
  const [only, ...others] = series;
  const wanted = dimensions === null || dimensions === undefined ? null : dimensionsShape.safeParse(dimensions);
  if (wanted === null && only) return others.length === 0 ? only : null;
  const key = wanted?.success ? seriesKeyOf(wanted.data) : null;
  const found = series.find((one) => seriesKeyOf(dimensionsShape.parse(one.dimensions)) === key);
  if (found) return found;
  throw invalidInput(
    {
      en: `The trial compared no series ${dimensions ? JSON.stringify(dimensions) : ''} of "${metric}"`.replace('  ', ' '),
      zh: `该试验没有对比“${metric}”的序列${dimensions ? ` ${JSON.stringify(dimensions)}` : ''}`,
    },
    { metric },
  );
} // prettier-ignore

/** An improvement that a guardrail blocks is blocked on every metric of the trial. */
function isBlocked(trial: Trial, { verdict }: Comparison): boolean {
  return trial.verdict === 'BLOCKED_BY_GUARDRAIL' && verdict === 'IMPROVED';
}

/** Mean power of one GPU in each arm; null unless every run of both tells it. */
function powerOfArms({ before, after }: Arms): MeasuredGain['power'] {
  const [one, other] = [powerOfArm(before), powerOfArm(after)];
  return one === null || other === null ? null : { before: one, after: other };
}

function powerOfArm(runs: readonly RunForDerived[]): number | null {
  const values = runs.map((run) => {
    const gpus = gpusOf(run, null);
    if (!('input' in gpus)) return null;
    const power = powerOf(run, {}, true, gpus.input.value);
    return 'input' in power ? power.input.value / gpus.input.value : null;
  });
  const known = values.filter((value) => value !== null);
  return known.length === 0 || known.length < runs.length ? null : medianOf(known);
}

function isLoadFixed(metric: string, { before, after }: Arms): boolean {
  if (!/^serving\..*(throughput|goodput)$/.test(metric)) return false;
  return [...before, ...after].some((run) => numberOf(run.workload, 'workload.request_rate') !== null);
}
