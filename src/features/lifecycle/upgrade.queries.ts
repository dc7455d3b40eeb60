import { customItemOf } from '../../domain/audit/custom-item.js';
import { customWording, type AuditedItem, type ItemWording } from '../../domain/audit/upgrade.js';
import { invalidInput } from '../../domain/errors.js';
import type { LocalizedText } from '../../domain/locale.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { isVisibleTo, type VisibleOwners } from '../../platform/auth/access.js';
import type { Db } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { acceptedProposals } from '../audits/proposals.service.js';

const wording = {
  select: { id: true, checkDigest: true, title: true, summary: true, texts: true, applicability: true, signals: true },
} as const;

const upgradedItem = {
  id: true,
  auditId: true,
  projectId: true,
  releaseItemId: true,
  custom: true,
  customKey: true,
  customSection: true,
  position: true,
  applies: true,
  appliesReasons: true,
  isPast: true,
  overruled: true,
  outcome: true,
  recheckCode: true,
  recheckCause: true,
  recheckOfId: true,
  reason: true,
  remark: true,
  expectation: true,
  isArchived: true,
  releaseItem: { select: { key: true, release: { select: { version: true } }, revision: wording } },
} satisfies Prisma.AuditItemSelect;
export type UpgradedRow = Prisma.AuditItemGetPayload<{ select: typeof upgradedItem }>;

/** An item of the audit as the upgrade sees it, with its row. */
export interface UpgradedItem extends AuditedItem {
  readonly row: UpgradedRow;
}

/** All items of an audit, archived ones too, in their order. */
export async function itemsToUpgrade(db: Db, auditId: string, checklistId: string): Promise<UpgradedItem[]> {
  const rows = await db.auditItem.findMany({
    where: { auditId },
    select: upgradedItem,
    orderBy: [{ isArchived: 'asc' }, { position: 'asc' }, { id: 'asc' }],
  });
  const accepted = await acceptedProposals(db, auditId);
  return rows.map((row) => {
    const { releaseItem, applies, isPast, overruled, outcome, recheckCode, isArchived } = row;
    return {
      row,
      key: releaseItem?.key ?? row.customKey ?? '',
      release: releaseItem?.release.version ?? null,
      wording: releaseItem ? wordingOf(releaseItem.revision) : customWording(customItemOf(row.custom)),
      isArchived,
      applies,
      isPast,
      overruled,
      outcome,
      recheckCode,
      acceptedAs: accepted
        .filter((one) => one.auditItemId === row.id && one.checklistId === checklistId)
        .map(({ key }) => key),
    };
  });
}

/** The release to upgrade to, with its items in order. */
export interface Target {
  readonly id: string;
  readonly version: string;
  readonly checklistId: string;
  /** Keys, in order. */
  readonly sections: readonly string[];
  readonly items: readonly TargetItem[];
}

export interface TargetItem {
  readonly id: string;
  readonly key: string;
  readonly position: number;
  readonly revisionId: string;
  readonly wording: ItemWording;
}

/** The newer release of this version, or the newest one; INVALID_INPUT says which there are. */
export async function targetOf(
  db: Db,
  owners: VisibleOwners,
  releaseId: string,
  version: string | null,
): Promise<Target> {
  const from = await db.release.findUniqueOrThrow({ where: { id: releaseId }, include: { checklist: true } });
  const newer = isVisibleTo(owners, from.checklist)
    ? await db.release.findMany({
        where: { checklistId: from.checklistId, rank: { gt: from.rank } },
        orderBy: { rank: 'desc' },
        select: { id: true, version: true },
      })
    : [];
  const to = version === null ? newer[0] : newer.find((one) => one.version === version);
  if (!to) {
    throw notNewer(from.checklist.slug, from.version, version, newer.map((one) => one.version)); // prettier-ignore
  }
  const sections = await db.section.findMany({
    where: { releaseId: to.id },
    orderBy: { order: 'asc' },
    select: { key: true },
  });
  const items = await db.releaseItem.findMany({
    where: { releaseId: to.id },
    select: { id: true, key: true, position: true, revisionId: true, revision: wording },
    orderBy: { position: 'asc' },
  });
  return {
    ...to,
    checklistId: from.checklistId,
    sections: sections.map(({ key }) => key),
    items: items.map(({ revision, ...item }) => ({ ...item, wording: wordingOf(revision) })),
  };
}

function wordingOf(revision: {
  readonly checkDigest: string;
  readonly title: unknown;
  readonly summary: unknown;
  readonly texts: unknown;
  readonly applicability: unknown;
  readonly signals: unknown;
}): ItemWording {
  const { checkDigest, title, summary, texts, applicability, signals } = revision;
  const all = { title, summary, ...(typeof texts === 'object' ? texts : {}) };
  return { checkDigest, texts: textsIn(all), applicability, signals };
}

function textsIn(texts: object): Readonly<Record<string, LocalizedText>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, toLocalizedText(text)]));
}

function notNewer(checklist: string, current: string, given: string | null, newer: readonly string[]) {
  const there =
    newer.length === 0
      ? { en: 'there is no newer one', zh: '没有更新的版本' }
      : { en: `newer ones are ${newer.join(', ')}`, zh: `更新的版本有：${newer.join('、')}` };
  const refused =
    given === null
      ? { en: '', zh: '' }
      : { en: `release "${given}" is no newer release of it; `, zh: `“${given}”不是其更新的版本；` };
  return invalidInput(
    {
      en: `The audit is on release ${current} of the checklist "${checklist}"; ${refused.en}${there.en}`,
      zh: `该审计使用清单“${checklist}”的版本 ${current}；${refused.zh}${there.zh}`,
    },
    { place: 'release', value: given, checklist, current, newer },
  );
}
