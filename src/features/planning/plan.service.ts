import { Injectable } from '@nestjs/common';
import { customItemOf } from '../../domain/audit/custom-item.js';
import { planOf, type PlannableItem, type PlanEntry as Planned } from '../../domain/audit/plan.js';
import { isMeasurementOf, measuredOnce, type Original } from '../../domain/audit/plan-evidence.js';
import { DEFAULT_THRESHOLD, saysTime, type MeasuredGain, type StatedGain } from '../../domain/audit/plan-gain.js';
import { noBreakdown, ofDeviceTime } from '../../domain/audit/plan-text.js';
import { effectiveApplies } from '../../domain/audit/progress.js';
import { timeBreakdownOf } from '../../domain/audit/time-breakdown.js';
import { inBoth, type BothLanguages, type LocalizedText } from '../../domain/locale.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { textsOf } from '../../platform/database/json.js';
import { groupByKey, perRequest } from '../../platform/graphql/loader.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { pageOf, pageSize, rowsAfter, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import type { Audit } from '../audits/audits.types.js';
import { toRelations } from '../catalog/catalog.service.js';
import {
  measuredByNote,
  measuredByTrial,
  originalsOf,
  plannedRows,
  primaryMetricOf,
  referenceRows,
  trialRows,
  trialRowsOfNotes,
  writtenGains,
  type NoteRow,
  type PlannedRow,
  type TrialRow,
  type WrittenGain,
} from './plan.queries.js';
import type { PlanEntry } from './plan.types.js';

/** Most entries that a page of a plan may hold: a whole plan. */
export const PLAN_PAGE_LIMIT = 500;

/** Which plan of which audit, for whom: evidence is from the projects that the viewer may see. */
export interface PlanKey {
  readonly audit: Audit;
  readonly viewer: Viewer;
  readonly which: 'OPEN' | 'ALL';
}

interface Evidence {
  readonly trials: readonly TrialRow[];
  readonly ofNotes: readonly TrialRow[];
  readonly originals: ReadonlyMap<string, Original>;
  readonly notes: readonly NoteRow[];
  /** What the items state that they may bring, by the ids of the audit items. */
  readonly written: ReadonlyMap<string, readonly WrittenGain[]>;
}

/** What the catalog says of a metric; the smallest effect that matters is a fraction, null for a target. */
interface KnownMetric {
  readonly isOfTime: boolean;
  readonly smallestEffect: number | null;
}

/** In which order the items of an audit are worth a try, and why. */
@Injectable()
export class PlanService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
  ) {}

  /** All entries of the plans that one request asks for. */
  readonly entries = perRequest(async (keys: readonly PlanKey[]): Promise<(readonly PlanEntry[])[]> => {
    const auditIds = [...new Set(keys.map(({ audit }) => audit.id))];
    const rows = await plannedRows(this.db, auditIds);
    const [first] = keys;
    const visible = first ? await this.access.visibleProjects(first.viewer) : [];
    const itemIds = distinct(rows.map(({ itemId }) => itemId));
    const adopted = distinct(rows.map(({ adoptedFromId }) => adoptedFromId));
    const customIds = rows.filter(({ itemId }) => itemId === null).map(({ id }) => id);
    const trials = await trialRows(this.db, visible, itemIds, customIds);
    const ofNotes = adopted.length === 0 ? [] : await trialRowsOfNotes(this.db, visible, adopted);
    const written = new Map(rows.map((row) => [row.id, writtenGains(row)]));
    const named = distinct([...written.values()].flat().map(({ note }) => note ?? null));
    const evidence = {
      trials,
      ofNotes,
      originals: await originalsOf(this.db, [...trials, ...ofNotes]),
      notes: await referenceRows(this.db, named, adopted),
      written,
    };
    const metrics = await this.metrics();
    const ofAudits = new Map(
      groupByKey(auditIds, rows, ({ auditId }) => auditId).map((own, index) => [
        auditIds[index],
        plannable(own, evidence, metrics),
      ]),
    );
    const now = new Date();
    return keys.map(({ audit, which }) =>
      planOf(ofAudits.get(audit.id) ?? [], timeBreakdownOf(audit.timeBreakdown), now, which).map(toEntry),
    );
  });

  /** A page of the plan, with what holds for the whole of it. */
  async page(
    request: object,
    key: PlanKey,
    page: PageRequest,
  ): Promise<Connection<PlanEntry> & { remarks: LocalizedText[] }> {
    // A size that is refused is refused before the work
    pageSize(page.first, PLAN_PAGE_LIMIT);
    const entries = await this.entries(request).load(key);
    const keyOf = ({ id }: PlanEntry) => id;
    const rows = rowsAfter(entries, page, keyOf, PLAN_PAGE_LIMIT);
    const breakdown = timeBreakdownOf(key.audit.timeBreakdown);
    const remarks = breakdown === null ? [noBreakdown] : breakdown.of === 'STEP' ? [] : [ofDeviceTime];
    return { ...pageOf(rows, page, entries.length, keyOf, (entry) => entry), remarks }; // prettier-ignore
  }

  /** The metrics of the catalog by key. */
  private async metrics(): Promise<ReadonlyMap<string, KnownMetric>> {
    const metrics = await this.db.metric.findMany({
      where: { scope: '' },
      select: { key: true, smallestEffect: true, dimension: true, direction: true },
    });
    return new Map(
      metrics.map(({ key, smallestEffect, ...metric }) => [
        key,
        { isOfTime: saysTime(metric), smallestEffect: metric.direction === 'TARGET' ? null : smallestEffect },
      ]),
    );
  }
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}

function plannable(
  rows: readonly PlannedRow[],
  { trials, ofNotes, originals, notes, written: writtenOf }: Evidence,
  metrics: ReadonlyMap<string, KnownMetric>,
): PlannableItem[] {
  const trialsOf = listsBy(trials, ({ subjectId }) => [subjectId]);
  const trialsOfNote = listsBy(ofNotes, ({ noteId }) => (noteId === null ? [] : [noteId]));
  const noteBySlug = new Map(notes.map((note) => [note.slug, note]));
  const noteById = new Map(notes.map((note) => [note.noteId, note]));
  return rows.map((row): PlannableItem => {
    const of = wordsOf(row);
    const metric = primaryMetricOf(row);
    const adopted = row.adoptedFromId === null ? undefined : noteById.get(row.adoptedFromId);
    const found = [...(trialsOf.get(row.itemId ?? row.id) ?? []), ...(trialsOfNote.get(row.adoptedFromId ?? '') ?? [])];
    const once = measuredOnce(found, originals).map((trial) => measuredByTrial(trial, row.hardwareId));
    const fromNote: MeasuredGain[] = adopted ? [measuredByNote(adopted, row.hardware)] : [];
    const written = writtenOf.get(row.id) ?? [];
    const named = new Set(written.map(({ note }) => noteBySlug.get(note ?? '')).filter((note) => note !== undefined));
    const measuring = [...named].filter((note) => written.some((gain) => isMeasurementOf(gain, note)));
    const { id, position, work, outcome, hasRecheck, expiresAt, key } = row;
    return {
      id, key, position, work, outcome, hasRecheck, expiresAt, metric, ...of,
      applies: effectiveApplies(row),
      appliesReasons: reasonsOf(row),
      threshold: (metric === null ? null : metrics.get(metric)?.smallestEffect) ?? DEFAULT_THRESHOLD,
      stated: written.map((gain) => toStatedGain(gain, metrics)),
      trials: [...once, ...fromNote],
      notes: measuring.filter((note) => note !== adopted).map((note) => measuredByNote(note, row.hardware)),
    }; // prettier-ignore
  });
}

function toStatedGain({ basis, metric, ratio }: WrittenGain, metrics: ReadonlyMap<string, KnownMetric>): StatedGain {
  const isOfTime = metrics.get(metric)?.isOfTime ?? false;
  return { basis, metric, isOfTime, ratioFrom: ratio.from, ratioTo: ratio.to };
}

function listsBy<R>(rows: readonly R[], keysOf: (row: R) => readonly string[]): ReadonlyMap<string, readonly R[]> {
  const lists = new Map<string, R[]>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const list = lists.get(key) ?? [];
      if (list.length === 0) lists.set(key, list);
      list.push(row);
    }
  }
  return lists;
}

/** What the release says of the item, or a person of a custom one. */
function wordsOf(row: PlannedRow): Pick<PlannableItem, 'title' | 'bottleneck' | 'effort' | 'requires'> {
  if (row.itemId === null) {
    const { title, bottleneck, effort } = customItemOf(row.custom);
    return { title: inBoth(title), bottleneck, effort, requires: [] };
  }
  const { title, bottleneck, relations } = row;
  // What a team's own item does not say is UNSPECIFIED, which no table of the plan knows
  const effort = row.effort !== null && ['XS', 'S', 'M', 'L', 'XL'].includes(row.effort) ? row.effort : null;
  return { title: inBoth(toLocalizedText(title)), bottleneck, effort, requires: toRelations(relations).requires };
}

function reasonsOf({ overruled, overruleReason, appliesReasons }: PlannedRow): readonly BothLanguages[] {
  if (overruled === null) return textsOf(appliesReasons);
  return overruleReason === null ? [] : [{ en: overruleReason, zh: overruleReason }];
}

function toEntry({ expected, explanation, ...entry }: Planned): PlanEntry {
  const { gain, basis, metric, weight } = expected;
  return {
    ...entry,
    expectedGain: gain,
    gainBasis: basis,
    gainMetric: metric,
    evidenceWeight: weight,
    explanation: explanation.map(({ en, zh }) => ({ en, zh })),
  };
}
