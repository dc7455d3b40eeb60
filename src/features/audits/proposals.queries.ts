import { WORDS_LIMIT } from '../../domain/content/schema.js';
import { conflict, forbidden, invalidInput, notFound } from '../../domain/errors.js';
import type { AuditItem as AuditItemRow, Prisma, Proposal as ProposalRow } from '../../generated/prisma/client.js';
import type { ProposalStatus } from '../../generated/prisma/enums.js';
import type { VisibleProjects } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Db } from '../../platform/database/database.js';

const withChecklist = {
  checklist: { include: { team: true } },
  auditItem: { select: { auditId: true } },
} satisfies Prisma.ProposalInclude;
export type FoundProposal = Prisma.ProposalGetPayload<{ include: typeof withChecklist }>;

const withNewest = {
  releases: {
    orderBy: { rank: 'desc' },
    take: 1,
    select: { id: true, sections: { orderBy: { order: 'asc' }, select: { key: true } } },
  },
} satisfies Prisma.ChecklistInclude;
/** A checklist with its newest release and the sections of it. */
export type TargetChecklist = Prisma.ChecklistGetPayload<{ include: typeof withNewest }>;

/** Proposals for checklists that somebody may decide about. */
function decidableBy({ id: userId, role }: Viewer): Prisma.ChecklistWhereInput[] {
  const own = [{ ownerId: userId }, { team: { members: { some: { userId, role: 'MAINTAINER' as const } } } }];
  return role === 'CATALOG_EDITOR' ? [...own, { teamId: null, ownerId: null }] : own;
}

/** The proposals that somebody may see: those of their projects, and those that they may decide. */
export function proposalsWhere(viewer: Viewer, projects: VisibleProjects): Prisma.ProposalWhereInput {
  if (projects === 'ALL') return {};
  return { OR: [{ projectId: { in: [...projects] } }, { checklist: { OR: decidableBy(viewer) } }] };
}

/** The proposal with this id among these; NOT_FOUND for one that is hidden. */
export async function findProposal(db: Db, among: Prisma.ProposalWhereInput, id: string): Promise<FoundProposal> {
  const found = await db.proposal.findFirst({ where: { AND: [among, { id }] }, include: withChecklist });
  if (found) return found;
  throw notFound({ en: `There is no proposal "${id}"`, zh: `没有提案“${id}”` }, { id });
}

/** A checklist with its newest release; null where there is none among these. */
export function findTarget(db: Db, among: Prisma.ChecklistWhereInput): Promise<TargetChecklist | null> {
  return db.checklist.findFirst({ where: { AND: [among, { releases: { some: {} } }] }, include: withNewest });
}

/** The checklists with these ids and their newest releases. */
export function targets(db: Db, ids: readonly string[]): Promise<TargetChecklist[]> {
  return db.checklist.findMany({ where: { id: { in: [...ids] } }, include: withNewest });
}

/** How the history names a proposal. */
export function proposalSubject(
  { id, projectId, auditItemId }: Pick<ProposalRow, 'id' | 'projectId' | 'auditItemId'>,
  { auditId }: Pick<AuditItemRow, 'auditId'>,
) {
  return { projectId, auditId, auditItemId, subject: 'proposal', subjectId: id } as const;
}

/** What to throw for a change of a proposal that is not as the caller has seen it. */
export function staleProposal({ id, version, status, decision }: ProposalRow, given: number) {
  const current = { id, version, status, decision };
  if (status !== 'OPEN') {
    return conflict({ en: `This proposal is ${status} already`, zh: `该提案已是 ${status} 状态` }, { current });
  }
  return conflict(
    {
      en: `This proposal changed meanwhile: it is at version ${version}, and your change is based on ${given}`,
      zh: `该提案已被修改：当前版本为 ${version}，而本次修改基于 ${given}`,
    },
    { current },
  );
}

/** What to throw for a second proposal of an item while one is open. */
export function proposedAlready({ id, version, status, key }: ProposalRow) {
  return conflict(
    {
      en: `The item is proposed already, as "${key}"; withdraw that proposal first`,
      zh: `该条目已被提案为“${key}”，请先撤回该提案`,
    },
    { current: { id, version, status, key } },
  );
}

/** An accepted proposal, and the item of an audit alone that it is of. */
export interface AcceptedProposal {
  readonly auditItemId: string;
  readonly id: string;
  readonly version: number;
  readonly status: ProposalStatus;
  readonly key: string;
  readonly checklistId: string;
}

/**
 * The accepted proposals of the items of one audit alone, oldest first. An item of a clone is the one with its key in the
 * audits that the clone comes from, whatever has become of it there, unless the clone has the accepted item already, or
 * somebody added it to the clone: what a clone brings along was created with a reason.
 */
export function acceptedProposals(db: Db, auditId: string): Promise<AcceptedProposal[]> {
  return db.$queryRaw<AcceptedProposal[]>`
    WITH RECURSIVE line AS (
      SELECT "id", "clonedFromId" FROM "Audit" WHERE "id" = ${auditId}
      UNION
      SELECT before."id", before."clonedFromId" FROM "Audit" before JOIN line ON before."id" = line."clonedFromId"
    ), accepted AS (
      SELECT p."id", p."version", p."status"::text AS "status", p."key", p."checklistId",
        origin."id" AS "originId", origin."auditId" = ${auditId} AS "isOwn",
        coalesce(origin."customKey", (
          SELECT h."before" ->> 'key' FROM "HistoryEntry" h
          WHERE h."auditItemId" = origin."id" AND h."subject" = 'auditItem' AND h."field" = 'custom'
          ORDER BY h."id" DESC LIMIT 1
        )) AS "customKey"
      FROM line
      JOIN "AuditItem" origin ON origin."auditId" = line."id"
      JOIN "Proposal" p ON p."auditItemId" = origin."id" AND p."status" = 'ACCEPTED'
    )
    SELECT item."id" AS "auditItemId", a."id", a."version", a."status", a."key", a."checklistId"
    FROM "AuditItem" item
    JOIN accepted a ON CASE WHEN a."isOwn" THEN a."originId" = item."id" ELSE a."customKey" = item."customKey" AND NOT EXISTS (
      SELECT FROM "HistoryEntry" h WHERE h."auditItemId" = item."id" AND h."subject" = 'auditItem' AND h."field" = 'created'
        AND h."reason" IS NULL
    ) AND NOT EXISTS (
      SELECT FROM "AuditItem" there JOIN "ReleaseItem" r ON r."id" = there."releaseItemId"
      WHERE there."auditId" = ${auditId} AND r."key" = a."key"
    ) END
    WHERE item."auditId" = ${auditId} AND item."releaseItemId" IS NULL
    ORDER BY a."id"`;
}

/** What to throw for another proposal of an item that was accepted. */
export function acceptedAlready({ id, version, status, key }: AcceptedProposal) {
  return conflict(
    {
      en: `The item was accepted already, as "${key}"; upgradeAudit makes it that item as soon as a release has it`,
      zh: `该条目的提案已被接受，键为“${key}”；版本收录后，upgradeAudit 会将其转为该条目`,
    },
    { current: { id, version, status, key } },
  );
}

/** What to throw for a second item under a key that was accepted. */
export function keyAccepted({ id, version, status, key }: ProposalRow) {
  return conflict(
    {
      en: `Another item was accepted as "${key}" already: reject this one, or have it proposed under another key`,
      zh: `已有另一条目以键“${key}”被接受：请拒绝本提案，或改用其他键重新提案`,
    },
    { current: { id, version, status, key } },
  );
}

/** What to throw for a key that cannot be that of a new item. */
export function badKey(key: string) {
  return invalidInput(
    {
      en: `key "${key}" must be section/topic, both lower-case words joined by hyphens, at most ${WORDS_LIMIT} characters each`,
      zh: `key“${key}”须为 section/topic 形式，两部分均为以连字符连接的小写单词，各最多 ${WORDS_LIMIT} 个字符`,
    },
    { place: 'key', value: key, limit: WORDS_LIMIT },
  );
}

/** What to throw for a key that an item has, or had. */
export function usedKey(key: string, checklist: string) {
  return invalidInput(
    {
      en: `The key "${key}" was given to an item of the checklist "${checklist}"; a key is never given again`,
      zh: `键“${key}”已分配给清单“${checklist}”的条目；键不会重复分配`,
    },
    { place: 'key', value: key },
  );
}

/** What to throw for somebody who sees a proposal and may not decide it. */
export function notDecider({ team, ownerId }: FoundProposal['checklist']) {
  if (team) {
    return forbidden(
      {
        en: 'Proposals for a checklist of a team are decided by its maintainers',
        zh: '团队清单的提案由该团队的维护者决定',
      },
      { needed: 'MAINTAINER' },
    );
  }
  if (ownerId !== null) {
    return forbidden({
      en: 'Proposals for a personal checklist are decided by its owner',
      zh: '个人清单的提案由其所有者决定',
    });
  }
  return forbidden(
    {
      en: 'Proposals for a shipped checklist are decided by a CATALOG_EDITOR or an ADMIN',
      zh: '内置清单的提案由 CATALOG_EDITOR 或 ADMIN 决定',
    },
    { needed: 'CATALOG_EDITOR' },
  );
}

export function ownProposal() {
  return forbidden({
    en: 'Whoever proposed an item does not decide about it: another person does',
    zh: '提案人不能决定自己的提案，须由另一人决定',
  });
}

export function notProposer() {
  return forbidden({
    en: 'A proposal is withdrawn by whoever made it; others may decide it',
    zh: '提案只能由提案人撤回；其他人可以对其作出决定',
  });
}
