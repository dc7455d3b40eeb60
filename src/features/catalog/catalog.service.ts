import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../domain/errors.js';
import type { LocalizedText } from '../../domain/locale.js';
import { nearestNames } from '../../domain/search/nearest-names.js';
import type { HardwareProfile as HardwareProfileRow, Prisma } from '../../generated/prisma/client.js';
import { Access, isVisibleTo } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { groupByKey, oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import {
  findRelease,
  itemWithRevision,
  newestItems,
  newestReleases,
  releaseWithChecklist,
  shipped,
  visibleTo,
  type ItemRow,
} from './catalog.queries.js';
import { toChecklist, toItem } from './catalog.rows.js';
import type { Applicability, Checklist, HardwareProfile, Item, Metric, Section } from './catalog.types.js';
import { knownOf, RulesService, toApplicability } from './rules.service.js';

/** Names an item by its checklist and key. */
interface ItemKey {
  readonly checklist: string;
  readonly key: string;
}

/** A release with all its items, in order. */
interface ReleaseItems {
  readonly releaseId: string;
  readonly version: string;
  readonly title: LocalizedText;
  readonly items: readonly ItemRow[];
}

/** What the catalog holds: checklists in their releases, items, metrics, hardware, and what applies where. */
@Injectable()
export class CatalogService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly rules: RulesService,
  ) {}

  readonly checklistOfRelease = perRequest(async (releaseIds: readonly string[]) => {
    const rows = await this.db.release.findMany({
      where: { id: { in: [...releaseIds] } },
      include: releaseWithChecklist,
    });
    return oneByKey(releaseIds, rows.map(toChecklist), ({ releaseId }) => releaseId);
  });

  readonly sectionsOfRelease = perRequest(async (releaseIds: readonly string[]) => {
    const rows = await this.db.section.findMany({
      where: { releaseId: { in: [...releaseIds] } },
      orderBy: { order: 'asc' },
    });
    return groupByKey(releaseIds, rows.map(toSection), ({ releaseId }) => releaseId);
  });

  readonly section = perRequest(async (ids: readonly string[]) => {
    const rows = await this.db.section.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows.map(toSection), ({ id }) => id);
  });

  readonly itemsOfSection = perRequest(async (sectionIds: readonly string[]) => {
    const rows = await this.db.releaseItem.findMany({
      where: { sectionId: { in: [...sectionIds] } },
      include: itemWithRevision,
      orderBy: { order: 'asc' },
    });
    return groupByKey(sectionIds, rows.map(toItem), ({ sectionId }) => sectionId);
  });

  readonly itemCountOfRelease = perRequest(async (releaseIds: readonly string[]) => {
    const groups = await this.db.releaseItem.groupBy({
      by: ['releaseId'],
      where: { releaseId: { in: [...releaseIds] } },
      _count: { _all: true },
    });
    const counts = new Map(groups.map(({ releaseId, _count }) => [releaseId, _count._all]));
    return releaseIds.map((id) => counts.get(id) ?? 0);
  });

  readonly itemOfRelease = perRequest(async (ids: readonly string[]) => {
    const rows = await this.db.releaseItem.findMany({ where: { id: { in: [...ids] } }, include: itemWithRevision });
    return oneByKey(ids, rows.map(toItem), ({ id }) => id);
  });

  private readonly newestItem = perRequest(async (itemIds: readonly string[]) =>
    oneByKey(itemIds, await newestItems(this.db, itemIds), ({ revision }) => revision.itemId),
  );

  /** The practices as the newest releases have them, in their order; without those that the viewer may not see. */
  async newestItems(viewer: Viewer, request: object, itemIds: readonly string[]): Promise<Item[]> {
    const rows = await Promise.all(itemIds.map((id) => this.newestItem(request).load(id)));
    const owners = await this.access.visibleOwners(viewer);
    return rows.flatMap((row) => (row && isVisibleTo(owners, row.release.checklist) ? [toItem(row)] : []));
  }

  /** Metrics of the catalog by their keys; null for one that the catalog lacks. */
  readonly catalogMetric = perRequest(async (keys: readonly string[]): Promise<(Metric | null)[]> => {
    const rows = await this.db.metric.findMany({ where: { scope: '', key: { in: [...keys] } } });
    return oneByKey(keys, rows.map(toMetric), ({ key }) => key);
  });

  readonly metricById = perRequest(async (ids: readonly string[]): Promise<(Metric | null)[]> => {
    const rows = await this.db.metric.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows.map(toMetric), ({ id }) => id);
  });

  readonly profileById = perRequest(async (ids: readonly string[]) => {
    const rows = await this.db.hardwareProfile.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  private readonly profileBySlug = perRequest(async (slugs: readonly string[]) => {
    const rows = await this.db.hardwareProfile.findMany({ where: { slug: { in: [...slugs] } } });
    return oneByKey(slugs, rows, ({ slug }) => slug);
  });

  async checklists(viewer: Viewer): Promise<Checklist[]> {
    return (await newestReleases(this.db, await this.visibleTo(viewer))).map(toChecklist);
  }

  async checklist(viewer: Viewer, slug: string, version: string | null): Promise<Checklist | null> {
    const row = await findRelease(this.db, await this.visibleTo(viewer), slug, version);
    return row && toChecklist(row);
  }

  async item(viewer: Viewer, checklist: string, key: string): Promise<Item | null> {
    const release = await findRelease(this.db, await this.visibleTo(viewer), checklist, null);
    if (!release) return null;
    const row = await this.db.releaseItem.findUnique({
      where: { releaseId_key: { releaseId: release.id, key } },
      include: itemWithRevision,
    });
    return row && toItem(row);
  }

  async metrics(): Promise<Metric[]> {
    return (await this.db.metric.findMany({ where: { scope: '' }, orderBy: { order: 'asc' } })).map(toMetric);
  }

  hardwareProfiles(vendor: string | null): Promise<HardwareProfile[]> {
    return this.db.hardwareProfile.findMany({ where: vendor === null ? {} : { vendor }, orderBy: { order: 'asc' } });
  }

  /** Whether an item applies to a hardware profile; INVALID_INPUT for a slug that no profile has. */
  async applicabilityTo(request: object, item: Item, hardware: string): Promise<Applicability> {
    const profile = await this.profileBySlug(request).load(hardware);
    if (!profile) throw await this.noHardware(hardware);
    return toApplicability((await this.rules.rules()).answer(item.predicate, knownOf(profile, {})));
  }

  /** The profile of this slug; INVALID_INPUT where there is none. */
  async profile(slug: string): Promise<HardwareProfileRow> {
    const found = await this.db.hardwareProfile.findUnique({ where: { slug } });
    if (!found) throw await this.noHardware(slug);
    return found;
  }

  /** The release to open an audit of, with its items; NOT_FOUND by name. */
  async releaseItems(viewer: Viewer, slug: string, version: string | null): Promise<ReleaseItems> {
    const release = await findRelease(this.db, await this.visibleTo(viewer), slug, version);
    if (!release) throw noChecklist(slug, version);
    const items = await this.db.releaseItem.findMany({
      where: { releaseId: release.id },
      include: itemWithRevision,
      orderBy: { position: 'asc' },
    });
    return { releaseId: release.id, version: release.version, title: toLocalizedText(release.title), items };
  }

  /** The practices of these keys; NOT_FOUND names the first that is not there, or that the viewer may not see. */
  async itemIds(viewer: Viewer, keys: readonly ItemKey[]): Promise<string[]> {
    const ids = await this.idsAmong(await this.visibleTo(viewer), this.db, keys);
    return ids.map((id, index) => {
      const { checklist, key } = keys[index] ?? { checklist: '', key: '' };
      if (id !== null) return id;
      throw notFound({
        en: `The checklist "${checklist}" has no item "${key}"`,
        zh: `清单“${checklist}”中没有条目“${key}”`,
      });
    });
  }

  /** The practices of these keys in the shipped checklists; null for one that no release has. */
  shippedItemIds(db: Db, keys: readonly ItemKey[]): Promise<(string | null)[]> {
    return this.idsAmong(shipped, db, keys);
  }

  private async idsAmong(
    among: Prisma.ChecklistWhereInput,
    db: Db,
    keys: readonly ItemKey[],
  ): Promise<(string | null)[]> {
    const rows = await db.item.findMany({
      where: { OR: keys.map(({ checklist, key }) => ({ key, checklist: { AND: [among, { slug: checklist }] } })) },
      include: { checklist: true },
    });
    return keys.map(
      ({ checklist, key }) => rows.find((row) => row.key === key && row.checklist.slug === checklist)?.id ?? null,
    );
  }

  /** The checklists that the viewer may see. */
  async visibleTo(viewer: Viewer): Promise<Prisma.ChecklistWhereInput> {
    return visibleTo(await this.access.visibleOwners(viewer));
  }

  private async noHardware(slug: string) {
    const rows = await this.db.hardwareProfile.findMany({ select: { slug: true }, orderBy: { order: 'asc' } });
    const nearest = nearestNames(
      slug,
      rows.map((row) => row.slug),
    );
    const meant = {
      en: nearest.length === 0 ? '' : ` (did you mean ${nearest.join(', ')}?)`,
      zh: nearest.length === 0 ? '' : `（是否指 ${nearest.join('、')}？）`,
    };
    return invalidInput(
      {
        en: `There is no hardware profile "${slug}"${meant.en}; the query hardwareProfiles lists all`,
        zh: `没有硬件配置“${slug}”${meant.zh}；查询 hardwareProfiles 可列出全部`,
      },
      { hardware: slug, nearest },
    );
  }
}

export { toRelations } from './catalog.rows.js';

function toSection(row: {
  id: string;
  releaseId: string;
  key: string;
  order: number;
  title: unknown;
  summary: unknown;
}): Section {
  return { ...row, title: toLocalizedText(row.title), summary: toLocalizedText(row.summary) };
}

/** A metric row with its name as text. */
export function toMetric<R extends { name: unknown }>(row: R): Omit<R, 'name'> & Pick<Metric, 'name'> {
  return { ...row, name: toLocalizedText(row.name) };
}

/** What to throw for a checklist or release that is not there, or hidden. */
export function noChecklist(slug: string, version: string | null) {
  const release = version === null ? '' : ` ${version}`;
  return notFound({ en: `There is no checklist "${slug}"${release}`, zh: `没有清单“${slug}”${release}` });
}
