import { joinedCause } from '../../domain/audit/rescope.js';
import type { ItemUpgrade, ReleasedItem } from '../../domain/audit/upgrade.js';
import { textIn } from '../../domain/locale.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Db } from '../../platform/database/database.js';
import type { Change } from '../../platform/database/history.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { itemSubject } from '../audits/audits.service.js';
import type { Target, TargetItem, UpgradedItem, UpgradedRow } from './upgrade.queries.js';

/** An item of the newer release with the answer of the rules. */
export type Released = TargetItem & ReleasedItem;

/** What becomes of an item, where it is to stand, and the id that it has or is to have. */
export type Placed = ItemUpgrade<UpgradedItem, Released> & {
  readonly id: string;
  readonly position: number;
  /** Of an item of the audit alone. */
  readonly section: string | null;
};

/**
 * Places the items: those of the release as it orders them, all others behind in their order. An item of the audit alone
 * whose section the release does not have moves to its last section.
 */
export function placed(
  upgrades: readonly ItemUpgrade<UpgradedItem, Released>[],
  { items, sections }: Target,
): Placed[] {
  let last = Math.max(0, ...items.map(({ position }) => position));
  return upgrades.map((upgrade) => {
    const section = upgrade.item?.row.customSection ?? null;
    const isKept = section === null || sections.includes(section);
    return {
      ...upgrade,
      id: upgrade.item?.row.id ?? uuidv7(),
      position: upgrade.next?.position ?? (last += 1),
      section: isKept ? section : (sections.at(-1) ?? section),
    };
  });
}

/** Writes what becomes of the items that the audit has, in one statement. */
export async function writeUpgrade(tx: Db, upgrades: readonly Placed[]): Promise<void> {
  const rows = upgrades.flatMap((upgrade) => {
    const { item, next, id, position, section } = upgrade;
    return item ? [{ id, position, section, ...nextRow(upgrade, item.row), becomes: isTakenUp(item.row, next) }] : [];
  });
  if (rows.length === 0) return;
  await tx.$executeRaw`
    UPDATE "AuditItem" AS item SET
      "releaseItemId" = coalesce(next."releaseItemId", item."releaseItemId"),
      "custom" = CASE WHEN next.becomes THEN NULL ELSE item."custom" END,
      "customKey" = CASE WHEN next.becomes THEN NULL ELSE item."customKey" END,
      "customSection" = CASE WHEN next.becomes THEN NULL ELSE next.section END,
      "position" = next.position,
      "isArchived" = next.archived,
      "applies" = coalesce(next.applies::"Applies", item."applies"),
      "appliesReasons" = coalesce(next.reasons, item."appliesReasons"),
      "isPast" = coalesce(next.past, item."isPast"),
      "recheckCode" = coalesce(next.code::"RecheckCode", item."recheckCode"),
      "recheckCause" = coalesce(next.cause, item."recheckCause"),
      "recheckSince" = CASE WHEN next.code IS NULL THEN item."recheckSince" ELSE coalesce(item."recheckSince", now()) END,
      "recheckOfId" = CASE WHEN next.code = 'CHECK_CHANGED' THEN coalesce(item."recheckOfId", item."releaseItemId")
        ELSE item."recheckOfId" END,
      "version" = CASE WHEN next.changes THEN item."version" + 1 ELSE item."version" END,
      "updatedAt" = CASE WHEN next.changes THEN now() ELSE item."updatedAt" END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS next(
      id text, position int, section text, "releaseItemId" text, archived boolean, applies text, reasons jsonb,
      past boolean, code text, cause jsonb, changes boolean, becomes boolean)
    WHERE item."id" = next.id`;
}

function nextRow({ next, effects, isAnswered, recheck, section }: Placed, row: UpgradedRow) {
  const isArchived = next === null && (row.isArchived || effects.includes('ARCHIVED'));
  return {
    releaseItemId: next?.id ?? null,
    archived: isArchived,
    applies: isAnswered && next ? next.answer.answer : null,
    reasons: isAnswered && next ? next.answer.reasons : null,
    past: isAnswered && next ? next.answer.isPast : null,
    code: recheck?.code ?? null,
    cause: recheck && joinedCause(earlierCause(row), recheck.cause),
    // Another place in the order is no change of what is said
    changes: next !== null || isArchived !== row.isArchived || section !== row.customSection,
  };
}

function isTakenUp(row: UpgradedRow, next: Released | null): boolean {
  return next !== null && row.releaseItemId === null;
}

function earlierCause({ recheckCode, recheckCause }: UpgradedRow) {
  const { en, zh } = toLocalizedText(recheckCause ?? {});
  return recheckCode === null || en === null || zh === null ? null : { en, zh };
}

/** Writes the items that are new, in one statement. */
export async function addItems(tx: Db, upgrades: readonly Placed[], audit: AuditKey): Promise<void> {
  const data = upgrades.flatMap(({ item, next, id, position }) => {
    if (item !== null || next === null) return [];
    const { answer, isPast, reasons } = next.answer;
    const appliesReasons = reasons.map(({ en, zh }) => ({ en, zh }));
    return [{ ...audit, id, releaseItemId: next.id, position, applies: answer, isPast, appliesReasons }];
  });
  await tx.auditItem.createMany({ data });
}

export interface AuditKey {
  readonly auditId: string;
  readonly projectId: string;
}

/** What the history says of the items; the texts of what became an item of the checklist are kept there. */
export function upgradeChanges(
  upgrades: readonly Placed[],
  { auditId, projectId }: AuditKey,
  viewer: Viewer,
): Change[] {
  return upgrades.flatMap(({ item, next, id, effects, isAnswered, recheck, section }): Change[] => {
    const subject = itemSubject({ id, auditId, projectId });
    if (item === null) return next ? [{ ...subject, field: 'created', after: { key: next.key } }] : [];
    const { row } = item;
    const [reason] = next?.answer.reasons ?? [];
    const changes: Change[] = [];
    if (isTakenUp(row, next)) {
      const own = toJson({ key: row.customKey, section: row.customSection, custom: row.custom });
      changes.push({ ...subject, field: 'custom', before: own, after: null });
    } else if (section !== row.customSection) {
      changes.push({ ...subject, field: 'section', before: row.customSection, after: section });
    }
    if (effects.includes('ARCHIVED')) changes.push({ ...subject, field: 'archived', before: false, after: true });
    if (effects.includes('RETURNED')) changes.push({ ...subject, field: 'archived', before: true, after: false });
    if (isAnswered && next && next.answer.answer !== row.applies) {
      changes.push({
        ...subject,
        field: 'applies',
        before: row.applies,
        after: next.answer.answer,
        reason: reason ? textIn(reason, viewer.locale) : null,
      });
    }
    if (recheck) {
      const cause = textIn(recheck.cause, viewer.locale);
      changes.push({ ...subject, field: 'recheck', before: row.recheckCode, after: recheck.code, reason: cause });
    }
    return changes;
  });
}
