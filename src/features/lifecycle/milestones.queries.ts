import { z } from 'zod';
import {
  milestoneHead,
  milestoneSnapshot,
  type MilestoneHead,
  type MilestoneItem as MilestoneItemValue,
  type MilestoneSnapshot,
} from '../../domain/audit/milestone.js';
import { effectiveApplies } from '../../domain/audit/progress.js';
import { Prisma, type Milestone as MilestoneRow } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import type { ParentRows } from '../../platform/graphql/loader.js';
import type { Milestone, MilestoneItem } from './milestones.types.js';

/** A milestone without its items, which are most of it. */
type HeadRow = Omit<MilestoneRow, 'snapshot'> & { readonly head: unknown };

const head = Prisma.sql`"id", "auditId", "projectId", "name", "createdById", "createdByName", "createdAt",
  "snapshot" - 'items' AS "head"`;

/** Milestones of these ids. */
export async function milestones(db: Db, ids: readonly string[]): Promise<Milestone[]> {
  const rows = await db.$queryRaw<HeadRow[]>`SELECT ${head} FROM "Milestone" WHERE "id" = ANY (${[...ids]})`;
  return rows.map(toMilestone);
}

/** For each audit its milestones behind a cursor, newest first, and how many it has in all. */
export async function milestonesOf(
  db: Db,
  auditIds: readonly string[],
  take: number,
  after: string | null,
): Promise<ParentRows<Milestone>[]> {
  const counts = await db.milestone.groupBy({
    by: ['auditId'],
    where: { auditId: { in: [...auditIds] } },
    _count: { _all: true },
  });
  const rows = await db.$queryRaw<HeadRow[]>`
    SELECT ${head} FROM (
      SELECT *, row_number() OVER (PARTITION BY "auditId" ORDER BY "id" DESC) AS place
      FROM "Milestone"
      WHERE "auditId" = ANY (${[...auditIds]}) AND (${after}::text IS NULL OR "id" < ${after})
    ) AS found
    WHERE place <= ${take} ORDER BY "id" DESC`;
  return counts.map(({ auditId, _count }) => ({
    parentId: auditId,
    rows: rows.filter((row) => row.auditId === auditId).map(toMilestone),
    totalCount: _count._all,
  }));
}

/** The items of milestones, by the id of the milestone. */
export async function itemsOfMilestones(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly MilestoneItemValue[]>> {
  const rows = await db.$queryRaw<{ id: string; items: unknown }[]>`
    SELECT "id", "snapshot" -> 'items' AS "items" FROM "Milestone" WHERE "id" = ANY (${[...ids]})`;
  return new Map(rows.map(({ id, items }) => [id, itemsShape.parse(items)]));
}

const itemsShape = z.array(milestoneSnapshot.shape.items.element);

/** The snapshot of a milestone, whole. */
export async function snapshotOfMilestone(db: Db, id: string): Promise<MilestoneSnapshot> {
  const { snapshot } = await db.milestone.findUniqueOrThrow({ where: { id }, select: { snapshot: true } });
  return milestoneSnapshot.parse(snapshot);
}

/** A state as the API shows it. */
export function stateOf({
  checklist,
  release,
  status,
  environmentName,
  scope,
  progress,
  timeBreakdown,
}: MilestoneHead) {
  const { hardware, facts } = scope;
  return { checklist, release, status, environmentName, hardware, facts, progress, timeBreakdown };
}

/** An item of a state as the API shows it. */
export function toMilestoneItem({ applies, ...item }: MilestoneItemValue): MilestoneItem {
  return { ...item, derived: applies, applies: effectiveApplies({ applies, overruled: item.overruled }) };
}

function toMilestone({ head: json, createdByName, ...row }: HeadRow): Milestone {
  return { ...row, ...stateOf(milestoneHead.parse(json)), importedName: createdByName };
}
