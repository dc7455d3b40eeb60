import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { timeOf } from '../../domain/time.js';
import { changesBetween, classifier, isDeclared, type RunFacts } from '../../domain/series/environment-class.js';
import { pointValue } from '../../domain/series/point-value.js';
import { Database } from '../../platform/database/database.js';
import { groupByKey } from '../../platform/graphql/loader.js';
import {
  badCursor,
  fromCursor,
  pageOf,
  pageSize,
  toCursor,
  type Connection,
  type PageRequest,
} from '../../platform/graphql/page.js';
import { RulesService } from '../catalog/rules.service.js';
import { readArms, readFacts, readPoints, type PointRow } from './series.queries.js';
import type { Series, SeriesPoint } from './series.types.js';

/** Most points of one page of a series. */
export const POINT_LIMIT = 1_000;

interface Asked {
  readonly series: Series;
  readonly page: PageRequest;
}

/** The points of series, with what changed from one to the next. */
@Injectable()
export class SeriesPointsService {
  private readonly loaders = new WeakMap<object, DataLoader<Asked, Connection<SeriesPoint>, string>>();

  constructor(
    private readonly db: Database,
    private readonly rules: RulesService,
  ) {}

  /** The points of a series, newest first. Series that are asked for the same page are read at once. */
  ofSeries(request: object, asked: Asked): Promise<Connection<SeriesPoint>> {
    let loader = this.loaders.get(request);
    if (!loader) {
      loader = new DataLoader((keys: readonly Asked[]) => this.read(keys), {
        cacheKeyFn: ({ series, page }) => JSON.stringify([series.id, series.request.filter, page]),
      });
      this.loaders.set(request, loader);
    }
    return loader.load(asked);
  }

  private async read(keys: readonly Asked[]): Promise<(Connection<SeriesPoint> | Error)[]> {
    const pages = new Map<string, Asked[]>();
    for (const key of keys) {
      const { projectId, metricId, filter } = key.series.request;
      const same = JSON.stringify([key.page, projectId, metricId, filter]);
      pages.set(same, [...(pages.get(same) ?? []), key]);
    }
    const found = new Map<Asked, Connection<SeriesPoint> | Error>();
    for (const asked of pages.values()) {
      const answers = await this.page(asked);
      asked.forEach((one, index) => found.set(one, answers[index] ?? new Error('A series was not read')));
    }
    return keys.map((key) => found.get(key) ?? new Error('A series was not read'));
  }

  /** The same page of series of one project, metric and filter. */
  private async page(asked: readonly Asked[]): Promise<(Connection<SeriesPoint> | Error)[]> {
    const [one] = asked;
    if (!one) return [];
    const { page } = one;
    const first = pageSize(page.first, POINT_LIMIT);
    const upTo = page.after === undefined || page.after === null ? null : placeIn(page.after);
    // The row of the cursor itself, the page, and the point before its last one
    const rows = await readPoints(
      this.db,
      asked.map(({ series }) => series.request),
      first + 2,
      upTo,
    );
    const arms = await readArms(
      this.db,
      rows.map(({ runId }) => runId),
    );
    const armsOf = new Map<string, typeof arms>();
    for (const arm of arms) armsOf.set(arm.runId, [...(armsOf.get(arm.runId) ?? []), arm]);
    const keys = [...new Set(rows.map(({ factsKey }) => factsKey))];
    const { tiers, words } = await this.rules.factRules();
    const facts = await readFacts(this.db, one.series.request.projectId, keys, words);
    const classify = classifier(tiers);
    const segments = new Map([...facts].map(([key, said]) => [key, classify(said).segment]));
    const between = new Map<string, ReturnType<typeof changesBetween>>();
    const changes = (before: string, after: string) => {
      if (before === after) return [];
      const pair = `${before} ${after}`;
      const known = between.get(pair) ?? changesBetween(saidBy(facts, before), saidBy(facts, after), tiers);
      between.set(pair, known);
      return known;
    };
    const indexes = asked.map((_, index) => index);
    const node = (row: PointRow, before: PointRow | undefined): SeriesPoint => {
      const own = armsOf.get(row.runId) ?? [];
      const declared = own.flatMap(({ variable }) => variable ?? []);
      const changed = before ? changes(before.factsKey, row.factsKey) : [];
      return {
        ...pointValue(row.value, row.repeats),
        runId: row.runId,
        at: row.at,
        timeSource: row.isStarted ? 'STARTED' : 'RECORDED',
        source: row.source,
        status: row.status,
        segment: segments.get(row.factsKey) ?? '',
        arms: own.map(({ trialId, arm }) => ({ trialId, arm })),
        changes: changed.map((change) => ({ ...change, declared: isDeclared(change.key, declared) })),
      };
    };
    return groupByKey(indexes, rows, ({ index }) => index).map((own, index) => {
      const [head] = own;
      if (upTo && (!head || keyOf(head) !== keyOf(upTo))) return badCursor(page.after ?? '');
      const behind = upTo ? own.slice(1) : own;
      const before = new Map(behind.map((row, place) => [row, behind[place + 1]]));
      const total = asked[index]?.series.pointCount ?? 0;
      return pageOf(behind.slice(0, first + 1), page, total, keyOf, (row) => node(row, before.get(row)));
    });
  }
}

function saidBy(facts: ReadonlyMap<string, RunFacts>, key: string): RunFacts {
  return facts.get(key) ?? { environment: {}, workload: {}, tool: null, toolVersion: null };
}

/** Where a point stands in its series. */
function keyOf({ at, runId }: Pick<PointRow, 'at' | 'runId'>): string {
  return `${at.toISOString()} ${runId}`;
}

function placeIn(cursor: string): Pick<PointRow, 'at' | 'runId'> {
  const key = fromCursor(cursor);
  const [, time = '', runId] = /^(\S{24}) ([0-9a-f-]{1,64})$/.exec(key) ?? [];
  const at = timeOf(time);
  if (runId === undefined || at === null) throw badCursor(toCursor(key));
  return { at, runId };
}
