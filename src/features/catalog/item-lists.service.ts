import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { pageOf, pageSize, rowsAfter, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import { itemOutline, itemWithRevision, newestReleases, shipped, type ItemOutline } from './catalog.queries.js';
import { toItem } from './catalog.rows.js';
import { CatalogService, noChecklist } from './catalog.service.js';
import type { Item, ItemFilter } from './catalog.types.js';
import { knownOf, RulesService } from './rules.service.js';

/** Lists of items: filtered, in the order of the checklists, page by page. */
@Injectable()
export class ItemListsService {
  constructor(
    private readonly db: Database,
    private readonly catalog: CatalogService,
    private readonly rules: RulesService,
  ) {}

  /** Items of the newest releases, in the order of the checklists: of the shipped ones where none is named. */
  async items(
    viewer: Viewer,
    checklist: string | null,
    filter: ItemFilter,
    page: PageRequest,
  ): Promise<Connection<Item>> {
    // A size beyond the limit is refused before anything is read.
    pageSize(page.first);
    const among = checklist === null ? shipped : { AND: [await this.catalog.visibleTo(viewer), { slug: checklist }] };
    const releases = await newestReleases(this.db, among);
    if (checklist !== null && releases.length === 0) throw noChecklist(checklist, null);
    const matches = await this.outlines(
      releases.map(({ id }) => id),
      filter,
    );
    const shown = rowsAfter(matches, page, ({ id }) => id);
    const rows = await this.db.releaseItem.findMany({
      where: { id: { in: shown.map(({ id }) => id) } },
      include: itemWithRevision,
    });
    const byId = new Map(rows.map((row) => [row.id, row]));
    const inOrder = shown.flatMap(({ id }) => byId.get(id) ?? []);
    return pageOf(inOrder, page, matches.length, ({ id }) => id, toItem);
  }

  private async outlines(releaseIds: readonly string[], filter: ItemFilter): Promise<ItemOutline[]> {
    const rows = await this.db.releaseItem.findMany({
      where: {
        releaseId: { in: [...releaseIds] },
        // To have all of no tags would be true of every item
        ...(filter.tags?.length === 0 ? { id: { in: [] } } : {}),
        ...(filter.section ? { section: { key: filter.section } } : {}),
        revision: {
          ...(filter.tags?.length ? { tags: { hasEvery: filter.tags } } : {}),
          ...(filter.layer ? { layer: filter.layer } : {}),
          ...(filter.workload ? { phases: { hasSome: [filter.workload, 'all'] } } : {}),
        },
      },
      select: itemOutline,
      orderBy: [{ release: { checklist: { slug: 'asc' } } }, { position: 'asc' }],
    });
    const mentioning = filter.text ? rows.filter((row) => mentions(row, filter.text ?? '')) : rows;
    const withText = filter.translation ? await this.withTranslation(mentioning, filter.translation) : mentioning;
    if (!filter.hardware) return withText;
    const known = knownOf(await this.catalog.profile(filter.hardware), {});
    const { answer } = await this.rules.rules();
    return withText.filter(({ revision }) => answer(revision.applicability, known).answer !== 'NO');
  }

  /** Those with a text whose translation stands so. */
  private async withTranslation(
    outlines: readonly ItemOutline[],
    status: NonNullable<ItemFilter['translation']>,
  ): Promise<ItemOutline[]> {
    const rows = await this.db.releaseItem.findMany({
      where: { id: { in: outlines.map(({ id }) => id) } },
      include: itemWithRevision,
    });
    const found = rows.map(toItem).filter(({ translations }) => translations.some((one) => one.status === status));
    const ids = new Set(found.map(({ id }) => id));
    return outlines.filter(({ id }) => ids.has(id));
  }
}

function mentions({ key, revision }: ItemOutline, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const [title, summary] = [toLocalizedText(revision.title), toLocalizedText(revision.summary)];
  return [key, title.en, title.zh, summary.en, summary.zh, ...revision.settings].some((one) =>
    one?.toLowerCase().includes(wanted),
  );
}
