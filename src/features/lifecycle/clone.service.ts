import { Injectable } from '@nestjs/common';
import { cloneTitle } from '../../domain/audit/clone.js';
import { textIn } from '../../domain/locale.js';
import { permissions } from '../../domain/permissions.js';
import { optionalText, TEXT_LIMITS } from '../../domain/text-limits.js';
import { Prisma, type Audit as AuditRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { factsOf, toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { AuditsService, auditSubject } from '../audits/audits.service.js';
import type { Audit } from '../audits/audits.types.js';
import { CommentsService } from '../audits/comments.service.js';
import { ScopingService } from '../audits/scoping.service.js';
import { RulesService } from '../catalog/rules.service.js';
import { EnvironmentsService, type EnvironmentRow } from '../projects/environments.service.js';
import { PeopleService } from '../projects/people.service.js';
import type { CloneAuditInput } from './clone.types.js';
import { clonedItem, copyComments, itemChanges, type ClonedItem, type CloneRules, type Parts } from './clone.writes.js';

/** Begins audits where others stand. */
@Injectable()
export class CloneService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
    private readonly comments: CommentsService,
    private readonly scoping: ScopingService,
    private readonly environments: EnvironmentsService,
    private readonly rules: RulesService,
    private readonly people: PeopleService,
  ) {}

  /** Makes an open audit on the same release from an open or closed one. */
  async clone(viewer: Viewer, input: CloneAuditInput): Promise<Audit> {
    const { id: fromId, projectId } = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const title = optionalText(input.title, 'title', TEXT_LIMITS.name)?.trim() ?? null;
    const parts: Parts = new Set(input.carry);
    const move = await this.moveOf(projectId, input.environmentId);
    const assignable = await this.assignable(projectId, parts);
    const rules = await this.rules.rules();
    const id = await once(this.db, viewer, 'cloneAudit', input, async (tx) => {
      if (move?.to) await this.environments.hold(tx, move.to.id, move.to.version);
      const from = await held(tx, fromId);
      const clone = await insert(tx, viewer, from, {
        title: title ?? (await freeTitle(tx, viewer, from)),
        move,
        parts,
      });
      const made: CloneRules = {
        auditId: clone.id,
        parts,
        requiresReview: from.requiresReview,
        assignable,
        authors: parts.has('STATES') ? await this.audits.authors(tx, from.id) : new Map(),
        reason: textIn({ en: `from the audit "${from.title}"`, zh: `来自审计“${from.title}”` }, viewer.locale),
      };
      await record(tx, viewer, [await createdChange(tx, clone)]);
      const items = await this.fill(tx, viewer, from, made, move);
      if (move) {
        const next = { hardware: move.to?.hardware ?? null, facts: factsOf(move.to?.facts ?? {}) };
        await this.scoping.rescopeIn(tx, rules, viewer, clone.id, next);
        await tx.auditItem.updateMany({
          where: { auditId: clone.id, measuredProof: { not: null } },
          data: { measuredProof: null },
        });
      }
      await this.audits.reindex(tx, ...items.filter(hasWords).map(({ row }) => row.id));
      return clone.id;
    });
    return this.db.audit.findUniqueOrThrow({ where: { id } });
  }

  /** The environment that a clone moves to; null where it stays in that of the audit it begins from. */
  private async moveOf(projectId: string, environmentId: string | null | undefined): Promise<Move | null> {
    if (environmentId === undefined) return null;
    return { to: environmentId === null ? null : await this.environments.inProject(projectId, environmentId) };
  }

  private async assignable(projectId: string, parts: Parts): Promise<ReadonlySet<string>> {
    if (!parts.has('ASSIGNMENTS')) return new Set();
    const people = await this.people.ofProject(projectId);
    return new Set(people.filter(({ role }) => permissions(role).includes('WRITE_AUDITS')).map(({ id }) => id));
  }

  /** Writes the items of a clone, with what is carried into them. */
  private async fill(
    tx: Db,
    viewer: Viewer,
    from: AuditRow,
    made: CloneRules,
    move: Move | null,
  ): Promise<readonly ClonedItem[]> {
    const rows = await tx.auditItem.findMany({
      where: {
        auditId: from.id,
        isArchived: false,
        ...(made.parts.has('CUSTOM_ITEMS') ? {} : { releaseItemId: { not: null } }),
      },
      orderBy: { position: 'asc' },
    });
    const items = rows.map((row) => clonedItem(row, made));
    // Another machine is another reason to look again for what was measured: the scoping is to know of it, nobody else
    const isJudged = move !== null && made.parts.has('STATES');
    await tx.auditItem.createMany({
      data: items.map(({ from: { measuredProof }, row }) => (isJudged ? { ...row, measuredProof } : row)),
    });
    await record(tx, viewer, itemChanges(items, made));
    if (made.parts.has('COMMENTS')) {
      const { itemIds, changes } = await copyComments(tx, items, made);
      await record(tx, viewer, changes);
      await this.comments.reindex(tx, ...itemIds);
    }
    return items;
  }
}

interface Move {
  readonly to: EnvironmentRow | null;
}

/** The audit as it is until the end of the transaction: whoever changes it, or an item of it, or clones it too, waits. */
async function held(tx: Db, id: string): Promise<AuditRow> {
  await tx.$queryRaw`SELECT "id" FROM "Audit" WHERE "id" = ${id} FOR NO KEY UPDATE`;
  return tx.audit.findUniqueOrThrow({ where: { id } });
}

async function freeTitle(tx: Db, { locale }: Viewer, { projectId, title }: AuditRow): Promise<string> {
  const there = await tx.audit.findMany({ where: { projectId }, select: { title: true } });
  return cloneTitle(title, locale, there.map((audit) => audit.title)); // prettier-ignore
}

interface Plan {
  readonly title: string;
  readonly move: Move | null;
  readonly parts: Parts;
}

async function insert(tx: Db, viewer: Viewer, from: AuditRow, { title, move, parts }: Plan) {
  const { projectId, releaseId, scopeFacts, scopeHardwareId, scopedAt, requiresReview, timeBreakdown } = from;
  const audit = await tx.audit.create({
    data: {
      projectId,
      releaseId,
      environmentId: move ? (move.to?.id ?? null) : from.environmentId,
      title,
      scopeFacts: toJson(factsOf(scopeFacts)),
      scopeHardwareId,
      scopedAt,
      requiresReview,
      timeBreakdown:
        parts.has('BREAKDOWN') && typeof timeBreakdown === 'object' && timeBreakdown !== null
          ? toJson(timeBreakdown)
          : Prisma.DbNull,
      clonedFromId: from.id,
      createdById: viewer.id,
    },
  });
  return { ...audit, carried: [...parts] };
}

/** As the opening of an audit is recorded, with where it began. */
async function createdChange(tx: Db, clone: AuditRow & { readonly carried: readonly string[] }) {
  const { id, title, clonedFromId, carried } = clone;
  const { release, environment } = await tx.audit.findUniqueOrThrow({
    where: { id },
    select: {
      release: { select: { version: true, checklist: { select: { slug: true } } } },
      environment: { select: { name: true } },
    },
  });
  const after = {
    title,
    checklist: release.checklist.slug,
    version: release.version,
    environment: environment?.name ?? null,
    clonedFrom: clonedFromId,
    carried,
  };
  return { ...auditSubject(clone), field: 'created', after: toJson(after) };
}

function hasWords({ row: { remark, reason, expectation, customKey } }: ClonedItem): boolean {
  return [remark, reason, expectation, customKey].some((text) => text !== null && text !== undefined);
}
