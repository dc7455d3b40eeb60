import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../domain/errors.js';
import type { Facts } from '../../domain/measurement/environment-diff.js';
import { contextReader } from '../../domain/measurement/noise-context.js';
import { normalPrintedFacts } from '../../domain/measurement/normal-facts.js';
import { normalizeFacts } from '../../domain/measurement/redact.js';
import { dimensionsShape } from '../../domain/measurement/stored.js';
import {
  agrees,
  beginnings,
  classifier,
  distinguishingKeys,
  factsOfSeries,
  type EnvironmentClass,
  type RunFacts,
} from '../../domain/series/environment-class.js';
import { Database } from '../../platform/database/database.js';
import { factsOf as readStored } from '../../platform/database/json.js';
import { oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { pageOf, rowsAfter, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import { RulesService } from '../catalog/rules.service.js';
import type { Run } from '../measurements/measurements.types.js';
import { marksOf } from './series-marks.js';
import {
  readApplied,
  readAppliedArms,
  readFacts,
  readGroups,
  readNoiseFloors,
  requireMetric,
  type Group,
  type PointFilter,
} from './series.queries.js';
import type { Series, SeriesFilter } from './series.types.js';

/** Most series of one page. */
export const SERIES_LIMIT = 50;

/** What series are made of. */
interface Material {
  readonly factsOf: (factsKey: string) => RunFacts;
  readonly classOf: (factsKey: string) => EnvironmentClass;
  /** The context that a stored noise floor is of. */
  readonly contextOf: ReturnType<typeof contextReader>;
  /** The class that the history of a class began with. */
  readonly beginning: (classId: string) => string;
}

/** The histories of metrics over a project. */
@Injectable()
export class SeriesService {
  constructor(
    private readonly db: Database,
    private readonly rules: RulesService,
  ) {}

  readonly runById = perRequest(async (ids: readonly string[]): Promise<(Run | null)[]> => {
    const rows = await this.db.run.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(
      ids,
      rows.map((row) => ({ ...row, isNew: false })),
      ({ id }) => id,
    );
  });

  /** The series of a metric, those with the newest points first; INVALID_INPUT for a metric that there is not. */
  async ofProject(
    projectId: string,
    metricKey: string,
    filter: SeriesFilter,
    page: PageRequest,
  ): Promise<Connection<Series>> {
    const metric = await requireMetric(this.db, projectId, metricKey);
    const points = pointFilter(filter);
    const asked = normalizeFacts(filter.environment, 'filter.environment');
    const wanted = normalPrintedFacts(asked, await this.rules.normalWords());
    const groups = await readGroups(this.db, projectId, metric.id, points);
    const arms = await readAppliedArms(this.db, projectId);
    const material = await this.material(projectId, [...groups, ...arms], arms);
    const found = seriesOf(groups, material, wanted, filter.classId ?? null);
    const rows = rowsAfter(found, page, (one) => idOf(metric.id, one), SERIES_LIMIT);
    const shown = rows.slice(0, page.first);
    const applied = shown.length === 0 ? [] : await readApplied(this.db, projectId, points);
    const floors = shown.length === 0 ? [] : await readNoiseFloors(this.db, projectId, metric.id);
    const contexts = new Map(
      floors.map(({ id, contextKey, facts }) => [
        id,
        material.contextOf({ contextKey, facts: facts === null ? null : readStored(facts) }),
      ]),
    );
    const differing = distinguishingKeys(found.map(({ identity }) => identity));
    const classIdOf = (factsKey: string) => material.beginning(material.classOf(factsKey).id);
    const node = (one: Gathered): Series => {
      const own = new Set(one.groups.flatMap(({ factsKey }) => material.classOf(factsKey).noiseContexts));
      const floor = floors.find(({ id, contextKey }) => own.has(contexts.get(id) ?? contextKey)) ?? null;
      return {
        id: idOf(metric.id, one),
        classId: one.classId,
        classIds: [...new Set(one.groups.map(({ factsKey }) => material.classOf(factsKey).id))].sort(),
        identity: one.identity,
        distinguishing: Object.fromEntries(differing.map((key) => [key, one.identity[key] ?? null])),
        dimensions: one.dimensions,
        pointCount: one.groups.reduce((sum, { count }) => sum + count, 0),
        firstAt: one.firstAt,
        lastAt: one.lastAt,
        noiseFloor: floor,
        marks: marksOf(one, applied, arms, classIdOf),
        request: {
          projectId,
          metricId: metric.id,
          seriesKey: one.seriesKey,
          factsKeys: one.groups.map(({ factsKey }) => factsKey),
          filter: points,
        },
      };
    };
    return pageOf(rows, page, found.length, (one) => idOf(metric.id, one), node);
  }

  private async material(
    projectId: string,
    keyed: readonly { readonly factsKey: string }[],
    arms: Awaited<ReturnType<typeof readAppliedArms>>,
  ): Promise<Material> {
    const factRules = await this.rules.factRules();
    const keys = [...new Set(keyed.map(({ factsKey }) => factsKey))];
    const facts = await readFacts(this.db, projectId, keys, factRules.words);
    const classify = classifier(factRules.tiers);
    const classes = new Map([...facts].map(([key, one]) => [key, classify(one)]));
    const factsOf = (key: string) => facts.get(key) ?? nothing;
    const classOf = (key: string) => classes.get(key) ?? classify(nothing);
    const trials = new Map<string, { before: string[]; after: string[] }>();
    for (const { trialId, verdict, arm, factsKey } of arms) {
      // What could not be compared is not one history
      if (verdict === 'NOT_COMPARABLE') continue;
      const trial = trials.get(trialId) ?? { before: [], after: [] };
      (arm === 'BEFORE' ? trial.before : trial.after).push(classOf(factsKey).id);
      trials.set(trialId, trial);
    }
    return { factsOf, classOf, contextOf: contextReader(factRules), beginning: beginnings([...trials.values()]) };
  }
}

const nothing: RunFacts = { environment: {}, workload: {}, tool: null, toolVersion: null };

/** The groups of one class at one point of the dimensions. */
export interface Gathered {
  readonly classId: string;
  readonly seriesKey: string;
  readonly dimensions: Group['dimensions'];
  /** Of the newest group. */
  readonly identity: Facts;
  readonly groups: readonly Group[];
  readonly firstAt: Date;
  readonly lastAt: Date;
}

function seriesOf(
  groups: readonly Group[],
  { factsOf, classOf, beginning }: Material,
  wanted: Facts,
  classId: string | null,
): Gathered[] {
  // Any class that a history runs through names it
  const asked = classId === null ? null : beginning(classId);
  const gathered = new Map<string, Group[]>();
  for (const group of groups) {
    const own = beginning(classOf(group.factsKey).id);
    if (asked !== null && own !== asked) continue;
    if (!agrees(factsOfSeries(factsOf(group.factsKey)), wanted)) continue;
    const key = `${own} ${group.seriesKey}`;
    const same = gathered.get(key);
    if (same) same.push(group);
    else gathered.set(key, [group]);
  }
  return [...gathered.entries()]
    .map(([key, own]): Gathered => {
      const newest = own.reduce((one, other) => (other.lastAt > one.lastAt ? other : one));
      const oldest = own.reduce((one, other) => (other.firstAt < one.firstAt ? other : one));
      return {
        classId: key.slice(0, key.indexOf(' ')),
        seriesKey: newest.seriesKey,
        dimensions: newest.dimensions,
        identity: classOf(newest.factsKey).identity,
        groups: own,
        firstAt: oldest.firstAt,
        lastAt: newest.lastAt,
      };
    })
    .sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime() || inOrder(placeOf(one), placeOf(other)));
}

const placeOf = ({ classId, dimensions }: Gathered): string => `${classId} ${JSON.stringify(dimensions)}`;

function inOrder(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function idOf(metricId: string, { classId, seriesKey }: Pick<Gathered, 'classId' | 'seriesKey'>): string {
  return createHash('sha256').update(`${classId} ${metricId} ${seriesKey}`).digest('hex').slice(0, 32);
}

function pointFilter({ dimensions, tool, since, until }: SeriesFilter): PointFilter {
  const given = dimensions ?? null;
  const read = given === null ? null : dimensionsShape.safeParse(given);
  if (read !== null && !read.success) {
    throw invalidInput(
      {
        en: 'filter.dimensions must be an object of texts and numbers, such as { "concurrency": 64 }',
        zh: 'filter.dimensions 须为由文本或数字组成的对象，例如 { "concurrency": 64 }',
      },
      { place: 'filter.dimensions' },
    );
  }
  return { dimensions: read?.data ?? null, tool: tool ?? null, since: since ?? null, until: until ?? null };
}
