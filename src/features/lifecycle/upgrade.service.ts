import { Injectable } from '@nestjs/common';
import { upgradeOf, type UpgradeEffect } from '../../domain/audit/upgrade.js';
import { Access, type VisibleOwners } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { factsOf, textsOf } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { AuditsService, auditSubject } from '../audits/audits.service.js';
import type { Audit } from '../audits/audits.types.js';
import { CommentsService } from '../audits/comments.service.js';
import { knownOf, RulesService, toApplicability, type Rules } from '../catalog/rules.service.js';
import { itemsToUpgrade, targetOf, type Target } from './upgrade.queries.js';
import type { AuditUpgrade, ItemUpgrade, UpgradeAuditInput } from './upgrade.types.js';
import { addItems, placed, upgradeChanges, writeUpgrade, type Placed } from './upgrade.writes.js';

/** Moves audits to newer releases of their checklist. */
@Injectable()
export class UpgradeService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly audits: AuditsService,
    private readonly comments: CommentsService,
    private readonly rules: RulesService,
  ) {}

  /** What `upgrade` would do; nothing is written. */
  async preview(viewer: Viewer, auditId: string, release: string | null): Promise<AuditUpgrade> {
    const audit = await this.audits.require(viewer, 'READ_PROJECT', auditId);
    await this.audits.requireOpen(auditId);
    const owners = await this.access.visibleOwners(viewer);
    const { target, items } = await planned(this.db, await this.rules.rules(), owners, audit, release);
    return { ...upgradeAnswer(audit, target, items.map((item) => changeOf(item, storedId(item)))), isPreview: true }; // prettier-ignore
  }

  /** Moves an open audit to a newer release, all at once; INVALID_INPUT for one that is not newer. */
  async upgrade(viewer: Viewer, input: UpgradeAuditInput): Promise<AuditUpgrade> {
    const { id } = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const owners = await this.access.visibleOwners(viewer);
    const rules = await this.rules.rules();
    return once(this.db, viewer, 'upgradeAudit', input, async (tx) => {
      const audit = await this.audits.touchOpenAt(tx, id, input.version);
      const { target, items } = await planned(tx, rules, owners, audit, input.release ?? null);
      await this.write(tx, viewer, audit, target, items);
      const answer = upgradeAnswer(audit, target, items.map((item) => changeOf(item, item.id))); // prettier-ignore
      return { ...answer, isPreview: false };
    });
  }

  private async write(tx: Db, viewer: Viewer, audit: Audit, target: Target, items: readonly Placed[]): Promise<void> {
    const { id, projectId } = audit;
    const key = { auditId: id, projectId };
    const from = await tx.release.findUniqueOrThrow({ where: { id: audit.releaseId }, select: { version: true } });
    await tx.audit.update({ where: { id }, data: { releaseId: target.id, version: { increment: 1 } } });
    await writeUpgrade(tx, items);
    await addItems(tx, items, key);
    await record(tx, viewer, [
      { ...auditSubject(audit), field: 'release', before: from.version, after: target.version },
      ...upgradeChanges(items, key, viewer),
    ]);
    const changed = items.filter(readsDifferently).map((item) => item.id);
    await this.audits.reindex(tx, ...changed);
    await this.comments.reindex(tx, ...changed);
  }
}

/** What a newer release would make of an audit as it is. */
async function planned(db: Db, rules: Rules, owners: VisibleOwners, audit: Audit, release: string | null) {
  const target = await targetOf(db, owners, audit.releaseId, release);
  const hardware =
    audit.scopeHardwareId === null
      ? null
      : await db.hardwareProfile.findUniqueOrThrow({ where: { id: audit.scopeHardwareId } });
  const known = knownOf(hardware, factsOf(audit.scopeFacts));
  const released = target.items.map((item) => ({ ...item, answer: rules.answer(item.wording.applicability, known) }));
  const items = await itemsToUpgrade(db, audit.id, target.checklistId);
  const upgrades = upgradeOf(items, { version: target.version, items: released }, rules.registry.vocabulary);
  return { target, items: placed(upgrades, target) };
}

/** Whether the search has to read it anew: it has other words, or an item of the audit alone stands in another section. */
function readsDifferently({ item, next, section }: Placed): boolean {
  if (item === null) return false;
  if (next === null) return section !== item.row.customSection;
  return item.row.releaseItem?.revision.id !== next.revisionId;
}

function storedId({ item }: Placed): string | null {
  return item?.row.id ?? null;
}

function changeOf({ item, next, effects, changedTexts, isAnswered, recheck }: Placed, id: string | null): ItemUpgrade {
  const before = item && {
    answer: item.row.applies,
    reasons: textsOf(item.row.appliesReasons),
    isPast: item.row.isPast,
  };
  const after = isAnswered && next ? toApplicability(next.answer) : before;
  return {
    auditItemId: id,
    key: next?.key ?? item?.key ?? '',
    title: (next ?? item)?.wording.texts['title'] ?? { en: null, zh: null },
    effects: [...effects],
    changedTexts: [...changedTexts],
    cause: recheck?.cause ?? null,
    before,
    after: effects.includes('ARCHIVED') ? null : after,
  };
}

function upgradeAnswer(audit: Audit, target: Target, all: readonly ItemUpgrade[]) {
  const count = (effect: UpgradeEffect) => all.filter(({ effects }) => effects.includes(effect)).length;
  return {
    auditId: audit.id,
    fromId: audit.releaseId,
    toId: target.id,
    counts: {
      carried: count('CARRIED'),
      recheck: count('RECHECK'),
      updated: count('UPDATED'),
      new: count('NEW'),
      archived: count('ARCHIVED'),
      returned: count('RETURNED'),
      becomesItem: count('BECOMES_ITEM'),
    },
    // What was archived before, and stays so, is no matter of the upgrade
    changes: all.filter(({ effects }) => effects.length > 0),
  };
}
