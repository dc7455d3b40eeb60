import { Injectable } from '@nestjs/common';
import { effectiveApplies } from '../../domain/audit/progress.js';
import { relationWarnings, type RelatedItem } from '../../domain/audit/relation-warnings.js';
import { inBoth } from '../../domain/locale.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { Database } from '../../platform/database/database.js';
import { textsOf } from '../../platform/database/json.js';
import { groupByKey, perRequest } from '../../platform/graphql/loader.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { toRelations } from '../catalog/catalog.service.js';
import type { ItemWarning } from './scoping.types.js';

const relatedRow = {
  id: true,
  auditId: true,
  applies: true,
  appliesReasons: true,
  overruled: true,
  isPast: true,
  adoptedFromId: true,
  work: true,
  outcome: true,
  releaseItem: { select: { key: true, revision: { select: { title: true, relations: true } } } },
} satisfies Prisma.AuditItemSelect;
type RelatedRow = Prisma.AuditItemGetPayload<{ select: typeof relatedRow }>;

/** What to know of the items of an audit because of other ones: conflicts, what is missing, what is replaced. */
@Injectable()
export class ItemWarningsService {
  constructor(private readonly db: Database) {}

  /** All warnings of an audit, in the order of the checklist. */
  readonly ofAudit = perRequest(async (auditIds: readonly string[]): Promise<ItemWarning[][]> => {
    const rows = await this.db.auditItem.findMany({
      where: { auditId: { in: [...auditIds] }, isArchived: false },
      select: relatedRow,
      orderBy: { position: 'asc' },
    });
    return groupByKey(auditIds, rows, ({ auditId }) => auditId).map((ofAudit) => {
      const warnings = relationWarnings(ofAudit.flatMap(toRelated));
      return ofAudit.flatMap(({ id }) => (warnings.get(id) ?? []).map((warning) => ({ ...warning, auditItemId: id })));
    });
  });
}

function toRelated(row: RelatedRow): readonly RelatedItem[] {
  const { id, releaseItem, isPast, adoptedFromId, work, outcome, appliesReasons } = row;
  if (releaseItem === null) return [];
  const { requires, conflictsWith, supersedes, reasons } = toRelations(releaseItem.revision.relations);
  return [
    {
      id,
      key: releaseItem.key,
      title: inBoth(toLocalizedText(releaseItem.revision.title)),
      applies: effectiveApplies(row),
      isPast,
      isAdopted: adoptedFromId !== null,
      work,
      outcome,
      reasons: textsOf(appliesReasons),
      relations: {
        requires,
        conflictsWith,
        supersedes,
        because: new Map(reasons.map(({ item, reason }) => [item, inBoth(reason)])),
      },
    },
  ];
}
