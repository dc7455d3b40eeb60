import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { releaseDifference, type ItemDifference, type ItemState } from '../../domain/content/release-difference.js';
import { Access, isVisibleTo } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { LocalizedText } from '../../domain/locale.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { Database } from '../../platform/database/database.js';
import { groupByKey, perRequest } from '../../platform/graphql/loader.js';
import { pageOf, rowsAfter, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import { itemWithRevision, type ItemRow } from './catalog.queries.js';
import { toItem } from './catalog.rows.js';
import { CatalogService, noChecklist } from './catalog.service.js';
import type { ItemChange, Release, ReleaseComparison, ReleaseDifference } from './releases.types.js';

/** Most releases of a checklist that are listed. */
const RELEASE_LIMIT = 100;

type StateRow = ItemRow & { readonly section: { readonly key: string } };

/** The releases of a checklist, and what changed between two of them. */
@Injectable()
export class ReleasesService {
  constructor(
    private readonly db: Database,
    private readonly catalog: CatalogService,
    private readonly access: Access,
  ) {}

  /** By the id of any release: the releases of its checklist, the newest first. */
  private readonly releasesBeside = perRequest(async (releaseIds: readonly string[]) => {
    const own = await this.db.release.findMany({
      where: { id: { in: [...releaseIds] } },
      select: { id: true, checklistId: true },
    });
    const rows = await this.db.release.findMany({
      where: { checklistId: { in: own.map(({ checklistId }) => checklistId) } },
      include: { checklist: { select: { teamId: true, ownerId: true } } },
      orderBy: { rank: 'desc' },
    });
    const checklists = releaseIds.map((id) => own.find((one) => one.id === id)?.checklistId ?? '');
    return groupByKey(checklists, rows, ({ checklistId }) => checklistId).map((all) => all.slice(0, RELEASE_LIMIT));
  });

  /** The releases of the checklist that this one is of; this one alone where the checklist is hidden from the viewer. */
  async releasesOf(viewer: Viewer, request: object, releaseId: string): Promise<Release[]> {
    const owners = await this.access.visibleOwners(viewer);
    const all = await this.releasesBeside(request).load(releaseId);
    return all.filter(({ id, checklist }) => id === releaseId || isVisibleTo(owners, checklist));
  }

  /** Both sides of a difference, and its counts; NOT_FOUND for a release that is not there. */
  async difference(viewer: Viewer, slug: string, from: string, to: string | null): Promise<ReleaseDifference> {
    const [earlier, later] = [
      await this.catalog.checklist(viewer, slug, from),
      await this.catalog.checklist(viewer, slug, to),
    ];
    if (!earlier) throw noChecklist(slug, from);
    if (!later) throw noChecklist(slug, to);
    const comparison = await this.compare(earlier.releaseId, later.releaseId);
    const { differences, after } = comparison;
    const count = (wanted: (one: ItemDifference) => boolean) => differences.filter(wanted).length;
    return {
      comparison,
      from: earlier,
      to: later,
      addedCount: count(({ kind }) => kind === 'ADDED'),
      removedCount: count(({ kind }) => kind === 'REMOVED'),
      changedCount: count(({ kind }) => kind === 'CHANGED'),
      checkChangedCount: count(({ isCheckChanged }) => isCheckChanged),
      unchangedCount: after.length - count(({ kind }) => kind !== 'REMOVED'),
    };
  }

  /** The items that differ, in the order of the later release, and then those that it lacks. */
  changes({ comparison }: ReleaseDifference, page: PageRequest): Connection<ItemChange> {
    const { differences, before, after } = comparison;
    const itemOf = (rows: readonly ItemRow[], key: string) => {
      const row = rows.find((one) => one.key === key);
      return row ? toItem(row) : null;
    };
    const shown = rowsAfter(differences, page, ({ key }) => key);
    return pageOf(shown, page, differences.length, ({ key }) => key, (one): ItemChange => ({
      ...one,
      changedTexts: [...one.changedTexts],
      changedTranslations: [...one.changedTranslations],
      changedFields: [...one.changedFields],
      before: itemOf(before, one.key),
      after: itemOf(after, one.key),
    })); // prettier-ignore
  }

  private async compare(fromId: string, toId: string): Promise<ReleaseComparison> {
    const [before, after] = [await this.rowsOf(fromId), await this.rowsOf(toId)];
    return { before, after, differences: releaseDifference(before.map(stateOf), after.map(stateOf)) };
  }

  private rowsOf(releaseId: string): Promise<StateRow[]> {
    return this.db.releaseItem.findMany({
      where: { releaseId },
      include: { ...itemWithRevision, section: { select: { key: true } } },
      orderBy: { position: 'asc' },
    });
  }
}

function stateOf(row: StateRow): ItemState {
  const { title, summary, why, check, apply, measure, avoid, rollback, ...item } = toItem(row);
  const { revision } = row;
  return {
    key: row.key,
    section: row.section.key,
    order: row.order,
    checkDigest: revision.checkDigest,
    texts: { title, summary, why, check, apply, measure, avoid, rollback, ...ownBody(revision.texts) },
    fields: {
      layer: item.layer,
      bottleneck: item.bottleneck,
      workload: item.workload,
      frameworks: item.frameworks,
      tags: item.tags,
      settings: item.settings,
      applicability: revision.applicability,
      signals: item.signals,
      metrics: item.metricKeys,
      expectedGains: item.expectedGains,
      effort: item.effort,
      risk: item.risk,
      isReversible: item.isReversible,
      relations: item.relations,
      sources: item.sources,
      reviewBy: item.reviewBy,
    },
  };
}

const bodyShape = z.object({ body: z.unknown().optional() });

/** The text of a private item that stands in none of the parts. */
function ownBody(texts: unknown): { body?: LocalizedText } {
  const { body } = bodyShape.parse(texts);
  return body === undefined ? {} : { body: toLocalizedText(body) };
}
