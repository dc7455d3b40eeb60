import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../domain/errors.js';
import { momentsOf } from '../../domain/measurement/order-statistics.js';
import { tierOf, type Facts } from '../../domain/measurement/environment-diff.js';
import { runsNeeded, type KnownNoise } from '../../domain/measurement/runs-needed.js';
import { runsNeededText } from '../../domain/measurement/runs-needed-text.js';
import { measuredText, plainPercent } from '../../domain/report/figures.js';
import { contextReader } from '../../domain/measurement/noise-context.js';
import { storedFactsReader, type FactRules } from '../../domain/measurement/normal-facts.js';
import type { Metric, NoiseFloor as FloorRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { factsOf } from '../../platform/database/json.js';
import { perRequestPages } from '../../platform/graphql/loader.js';
import { RulesService } from '../catalog/rules.service.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { measuredRuns, requireMetric, toDefinition, type MeasuredRun } from './measurements.queries.js';
import type { NoiseFloor, RunsNeeded, RunsNeededInput } from './noise.types.js';
import { storedFacts } from './noise-floors.js';
import { noiseContext } from './trial-reading.js';

interface FoundNoise {
  readonly noise: KnownNoise;
  readonly floor: FloorRow | null;
}

/** What is known of the noise of environments, and what follows for a plan. */
@Injectable()
export class NoiseService {
  constructor(
    private readonly db: Database,
    private readonly projects: ProjectsService,
    private readonly rules: RulesService,
    private readonly environments: EnvironmentsService,
  ) {}

  readonly floorsOfProject = perRequestPages(
    async (projectIds, take, after) => {
      const projects = await this.db.project.findMany({
        where: { id: { in: [...projectIds] } },
        select: {
          id: true,
          _count: { select: { noiseFloors: true } },
          noiseFloors: { where: after === null ? {} : { id: { lt: after } }, orderBy: { id: 'desc' }, take },
        },
      });
      const newest = await this.db.noiseFloor.findMany({
        where: { projectId: { in: [...projectIds] } },
        distinct: ['projectId', 'metricId', 'contextKey'],
        orderBy: { id: 'desc' },
        select: { id: true, projectId: true, metricId: true, contextKey: true, facts: true },
      });
      const contextOf = await this.contextOf();
      const current = new Map<string, string>();
      for (const floor of newest) {
        const place = `${floor.projectId} ${floor.metricId} ${contextOf(floor)}`;
        if (!current.has(place)) current.set(place, floor.id);
      }
      const currentIds = new Set(current.values());
      return projects.map(({ id, noiseFloors, _count }) => ({
        parentId: id,
        rows: noiseFloors.map((row) => ({ ...row, isCurrent: currentIds.has(row.id) })),
        totalCount: _count.noiseFloors,
      }));
    },
    ({ id }) => id,
    (row): NoiseFloor => row,
    async (projectIds, id) => {
      const where = { id, projectId: { in: [...projectIds] } };
      const rows = await this.db.noiseFloor.findMany({ where, select: { projectId: true } });
      return rows.map(({ projectId }) => projectId);
    },
  );

  /** About how many runs show a change; it says so plainly where nothing is known of the noise. */
  async runsNeeded(viewer: Viewer, input: RunsNeededInput): Promise<RunsNeeded> {
    const { id: projectId } = await this.projects.require(viewer, 'READ_PROJECT', input.projectId);
    const metric = await requireMetric(this.db, projectId, input.metric);
    const effect = checkedEffect(input.smallestEffect ?? metric.smallestEffect, metric);
    const { noise, floor } = await this.noiseOf(projectId, metric, input);
    const answer = runsNeeded(toDefinition(metric), effect, noise);
    const { perArm, pairs, threshold, spread } = answer;
    const quantity = (change: number) => {
      if (metric.direction !== 'TARGET') return plainPercent(change);
      const text = measuredText(change, metric.unit);
      return { en: text, zh: text };
    };
    return {
      ...{ perArm, pairs, threshold, spread },
      smallestEffect: effect,
      source: noise.kind,
      noiseFloor: floor && { ...floor, isCurrent: await this.isCurrent(floor) },
      message: runsNeededText(answer, noise, effect, quantity),
    };
  }

  private async noiseOf(projectId: string, metric: Metric, input: RunsNeededInput): Promise<FoundNoise> {
    const { runId, auditId, noiseFloorId } = input;
    const given = [runId, auditId, noiseFloorId].filter((id) => id !== null && id !== undefined);
    if (given.length !== 1) throw oneContext();
    const factRules = await this.rules.factRules();
    if (noiseFloorId) return known(await this.floor(projectId, metric, noiseFloorId));
    if (runId) return this.noiseOfRun(projectId, metric, runId, factRules);
    return known(await this.floorOfAudit(projectId, metric, auditId ?? '', factRules));
  }

  private async floor(projectId: string, metric: Metric, id: string): Promise<FloorRow> {
    const found = await this.db.noiseFloor.findFirst({ where: { id, projectId, metricId: metric.id } });
    if (found) return found;
    throw notFound(
      {
        en: `There is no noise floor "${id}" of "${metric.key}" in this project`,
        zh: `该项目中没有“${metric.key}”的噪声下限“${id}”`,
      },
      { id },
    );
  }

  /** The newest floor of its environment and workload, else the spread of its own repetitions. */
  private async noiseOfRun(projectId: string, metric: Metric, id: string, factRules: FactRules): Promise<FoundNoise> {
    const isThere = (await this.db.run.count({ where: { id, projectId } })) > 0;
    const run = isThere ? (await measuredRuns(this.db, [id])).get(id) : undefined;
    if (!run) {
      throw notFound({ en: `There is no run "${id}" in this project`, zh: `该项目中没有运行“${id}”` }, { runId: id });
    }
    const { key, exactKey } = noiseContext([run], factRules);
    const contextOf = await this.contextOf();
    const floors = await this.floorsOf(projectId, metric);
    const floor = floors.find((one) => [key, exactKey].includes(contextOf(one)));
    return floor ? known(floor) : { noise: repetitionsOf(run, metric), floor: null };
  }

  /** The newest floor whose machine is that of the audit: all of it that matters is the same, and unknown is not. */
  private async floorOfAudit(
    projectId: string,
    metric: Metric,
    id: string,
    factRules: FactRules,
  ): Promise<FloorRow | null> {
    const audit = await this.db.audit.findFirst({
      where: { id, projectId },
      select: { environment: { include: { hardware: true } } },
    });
    if (!audit)
      throw notFound({ en: `There is no audit "${id}" in this project`, zh: `该项目中没有审计“${id}”` }, { id });
    const inWords = storedFactsReader(factRules.words);
    const machine = inWords(this.environments.snapshot(audit.environment));
    const isOf = ({ facts }: FloorRow) =>
      facts !== null && isSameMachine(inWords(factsOf(facts)), machine, factRules.tiers);
    return (await this.floorsOf(projectId, metric)).find(isOf) ?? null;
  }

  /** Those of one metric, the newest first. */
  private floorsOf(projectId: string, { id: metricId }: Metric): Promise<FloorRow[]> {
    return this.db.noiseFloor.findMany({ where: { projectId, metricId }, orderBy: { id: 'desc' } });
  }

  private async isCurrent(floor: FloorRow): Promise<boolean> {
    const { id, projectId, metricId } = floor;
    const newer = await this.db.noiseFloor.findMany({
      where: { projectId, metricId, id: { gt: id } },
      distinct: ['contextKey'],
      select: { contextKey: true, facts: true },
    });
    const contextOf = await this.contextOf();
    return newer.every((one) => contextOf(one) !== contextOf(floor));
  }

  /** Names what a floor is of. */
  private async contextOf(): Promise<(floor: Pick<FloorRow, 'contextKey' | 'facts'>) => string> {
    const nameOf = contextReader(await this.rules.factRules());
    return ({ contextKey, facts }) => nameOf({ contextKey, facts: storedFacts(facts) });
  }
}

function known(floor: FloorRow | null): FoundNoise {
  return { noise: floor ? { kind: 'NOISE_FLOOR', floor: floor.value } : { kind: 'UNKNOWN' }, floor };
}

/** Facts of the workload are not the machine's. */
function isSameMachine(floor: Facts, machine: Facts, tiers: FactRules['tiers']): boolean {
  const keys = new Set([...Object.keys(floor), ...Object.keys(machine)]);
  return [...keys].every(
    (key) =>
      key.startsWith('workload.') ||
      tierOf(key, tiers) === 'INFO' ||
      String(floor[key] ?? '').trim() === String(machine[key] ?? '').trim(),
  );
}

/** Points of different dimensions have different values, so only a metric that the run has once tells the spread. */
function repetitionsOf({ run }: MeasuredRun, metric: Metric): KnownNoise {
  const [one, ...others] = run.observations.filter((observation) => observation.metric === metric.key);
  if (!one || others.length > 0) return { kind: 'UNKNOWN' };
  const { repeats, summary } = one;
  if (repeats.length >= 2 && repeats.every((value) => value > 0)) {
    return { kind: 'REPETITIONS', sd: momentsOf(repeats.map(Math.log)).sd ?? 0, count: repeats.length };
  }
  if (summary && summary.mean > 0 && (summary.n ?? 0) >= 2) {
    return { kind: 'REPETITIONS', sd: summary.sd / summary.mean, count: summary.n ?? 0 };
  }
  return { kind: 'UNKNOWN' };
}

function checkedEffect(effect: number, { direction }: Metric): number {
  if (effect > 0 && (effect < 1 || direction === 'TARGET')) return effect;
  throw invalidInput(
    {
      en: `smallestEffect is a fraction above zero, 0.05 for 5 %, and is ${effect}`,
      zh: `smallestEffect 是大于零的比例，5% 应写作 0.05，现为 ${effect}`,
    },
    { smallestEffect: effect },
  );
}

function oneContext() {
  return invalidInput({
    en: 'Give exactly one of runId, auditId and noiseFloorId',
    zh: '须且只须给出 runId、auditId 与 noiseFloorId 之一',
  });
}
