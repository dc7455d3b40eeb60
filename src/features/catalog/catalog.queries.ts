import type { Prisma } from '../../generated/prisma/client.js';
import type { VisibleOwners } from '../../platform/auth/access.js';
import type { Db } from '../../platform/database/database.js';

/** A release with what names it. */
export const releaseWithChecklist = { checklist: true } satisfies Prisma.ReleaseInclude;
export type ReleaseRow = Prisma.ReleaseGetPayload<{ include: typeof releaseWithChecklist }>;

/** An item of a release with its wording. */
export const itemWithRevision = { revision: true } satisfies Prisma.ReleaseItemInclude;
export type ItemRow = Prisma.ReleaseItemGetPayload<{ include: typeof itemWithRevision }>;

/** What a list of items is filtered by, without the long texts. */
export const itemOutline = {
  id: true,
  key: true,
  section: { select: { key: true } },
  revision: {
    select: {
      title: true, summary: true, layer: true, phases: true, tags: true, settings: true, applicability: true,
    }, // prettier-ignore
  },
} satisfies Prisma.ReleaseItemSelect;
export type ItemOutline = Prisma.ReleaseItemGetPayload<{ select: typeof itemOutline }>;

/** Checklists that are for everybody. */
export const shipped = { teamId: null, ownerId: null } satisfies Prisma.ChecklistWhereInput;

/** The checklists that somebody may see: the shipped ones, their own, and those of their teams. */
export function visibleTo(owners: VisibleOwners): Prisma.ChecklistWhereInput {
  if (owners === 'ALL') return {};
  return { OR: [shipped, { ownerId: owners.userId }, { teamId: { in: [...owners.teamIds] } }] };
}

/** The newest release of every checklist among these, the shipped ones first, then by slug. */
export async function newestReleases(db: Db, where: Prisma.ChecklistWhereInput): Promise<ReleaseRow[]> {
  const checklists = await db.checklist.findMany({
    where,
    orderBy: { slug: 'asc' },
    include: { releases: { orderBy: { rank: 'desc' }, take: 1, include: releaseWithChecklist } },
  });
  const isShipped = ({ teamId, ownerId }: { teamId: string | null; ownerId: string | null }) =>
    teamId === null && ownerId === null;
  return [...checklists.filter(isShipped), ...checklists.filter((one) => !isShipped(one))].flatMap(
    ({ releases }) => releases,
  );
}

/** The release of this version, or the newest where none is named, of a checklist among these. */
export function findRelease(
  db: Db,
  among: Prisma.ChecklistWhereInput,
  slug: string,
  version: string | null,
): Promise<ReleaseRow | null> {
  return db.release.findFirst({
    where: { checklist: { AND: [among, { slug }] }, ...(version === null ? {} : { version }) },
    orderBy: { rank: 'desc' },
    include: releaseWithChecklist,
  });
}

const itemWithOwner = {
  ...itemWithRevision,
  release: { select: { checklist: { select: { teamId: true, ownerId: true } } } },
} satisfies Prisma.ReleaseItemInclude;
export type OwnedItemRow = Prisma.ReleaseItemGetPayload<{ include: typeof itemWithOwner }>;

/** The items of these practices in the newest release that has them, in the order of the practices. */
export async function newestItems(db: Db, itemIds: readonly string[]): Promise<OwnedItemRow[]> {
  const rows = await db.releaseItem.findMany({
    where: { revision: { itemId: { in: [...itemIds] } } },
    include: itemWithOwner,
    orderBy: { release: { rank: 'asc' } },
  });
  const newest = new Map(rows.map((row) => [row.revision.itemId, row]));
  return itemIds.flatMap((id) => newest.get(id) ?? []);
}
