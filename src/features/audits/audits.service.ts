import { Injectable } from '@nestjs/common';
import { progressOf } from '../../domain/audit/progress.js';
import { conflict, notFound } from '../../domain/errors.js';
import { textIn } from '../../domain/locale.js';
import { optionalText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { AuditItem as AuditItemRow } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { factsOf, toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { groupByKey, oneByKey, perRequest, perRequestPages } from '../../platform/graphql/loader.js';
import {
  badCursor,
  pageOf,
  pageSize,
  startAfterPosition,
  type Connection,
  type PageRequest,
} from '../../platform/graphql/page.js';
import { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { knownOf, RulesService } from '../catalog/rules.service.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import {
  archived,
  auditSubject,
  closedAudit,
  currentState,
  itemCounts,
  itemsWhere,
  staleAudit,
  toAuditItem,
  touchOpenAudit,
  touchOpenAudits,
} from './audits.queries.js';
import { indexAuditItems } from './audits.search.js';
import { authorsIn } from './review.queries.js';
import type { Audit, AuditItem, AuditItemFilter, OpenAuditInput } from './audits.types.js';
import { requireSection } from './sections.queries.js';

/** Most items a page of an audit may hold. */
const ITEM_PAGE_LIMIT = 500;

/** Audits, and what they say about their items. */
@Injectable()
export class AuditsService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly catalog: CatalogService,
    private readonly rules: RulesService,
    private readonly projects: ProjectsService,
    private readonly environments: EnvironmentsService,
    private readonly index: SearchIndex,
  ) {}

  readonly progress = perRequest(async (auditIds: readonly string[]) => {
    const counts = await itemCounts(this.db, auditIds);
    return groupByKey(auditIds, counts, ({ auditId }) => auditId).map(progressOf);
  });

  readonly byId = perRequest(async (ids: readonly string[]): Promise<(Audit | null)[]> => {
    const rows = await this.db.audit.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  readonly itemById = perRequest(async (ids: readonly string[]): Promise<(AuditItem | null)[]> => {
    const rows = await this.db.auditItem.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows.map(toAuditItem), ({ id }) => id);
  });

  readonly auditsOfProject = perRequestPages(
    async (projectIds, take, after) => {
      const projects = await this.db.project.findMany({
        where: { id: { in: [...projectIds] } },
        select: {
          id: true,
          _count: { select: { audits: true } },
          audits: { where: after === null ? {} : { id: { lt: after } }, orderBy: { id: 'desc' }, take },
        },
      });
      return projects.map(({ id, audits, _count }) => ({ parentId: id, rows: audits, totalCount: _count.audits }));
    },
    ({ id }) => id,
    (row) => row,
    async (projectIds, id) => {
      const rows = await this.db.audit.findMany({ where: { id, projectId: { in: [...projectIds] } } });
      return rows.map(({ projectId }) => projectId);
    },
  );

  async find(viewer: Viewer, id: string): Promise<Audit | null> {
    return this.access.visible(viewer, await this.db.audit.findUnique({ where: { id } }));
  }

  /** One audit item, if the viewer may see it. */
  async findItem(viewer: Viewer, id: string): Promise<AuditItem | null> {
    const row = await this.access.visible(viewer, await this.db.auditItem.findUnique({ where: { id } }));
    return row && toAuditItem(row);
  }

  /** The items of an audit in the order of the checklist; the viewer may see the audit, or would not have it. */
  async items(audit: Audit, filter: AuditItemFilter, page: PageRequest): Promise<Connection<AuditItem>> {
    const first = pageSize(page.first, ITEM_PAGE_LIMIT);
    await this.checkCursor(audit.id, page);
    if (filter.section) await requireSection(this.db, audit.id, filter.section);
    const where = itemsWhere(audit.id, filter);
    const rows = await this.db.auditItem.findMany({
      where: { AND: [where, { position: { gt: startAfterPosition(page) } }] },
      orderBy: { position: 'asc' },
      take: first + 1,
    });
    const isWhole = rows.length <= first && (page.after ?? null) === null;
    const totalCount = isWhole ? rows.length : await this.db.auditItem.count({ where });
    return pageOf(rows, page, totalCount, ({ position }) => String(position), toAuditItem);
  }

  /** What the filter leaves out holds its place too; INVALID_INPUT for a place where the audit has no item. */
  private async checkCursor(auditId: string, page: PageRequest): Promise<void> {
    const position = startAfterPosition(page);
    if (position < 0) return;
    const there = await this.db.auditItem.findFirst({ where: { auditId, position }, select: { id: true } });
    if (there === null) throw badCursor(page.after ?? '');
  }

  /** Opens an audit on a release and says for every item whether it applies to the environment. */
  async open(viewer: Viewer, input: OpenAuditInput): Promise<Audit> {
    const { id: projectId } = await this.projects.require(viewer, 'WRITE_AUDITS', input.projectId);
    const release = await this.catalog.releaseItems(viewer, input.checklist, input.version ?? null);
    const given = optionalText(input.title, 'title', TEXT_LIMITS.name)?.trim();
    const title = given ?? `${textIn(release.title, viewer.locale)} ${release.version}`;
    const environment = await this.environments.forAudit(projectId, input.environmentId ?? null);
    const facts = factsOf(environment?.facts ?? {});
    const known = knownOf(environment?.hardware ?? null, facts);
    const rules = await this.rules.rules();
    const answers = release.items.map(({ revision }) => rules.answer(revision.applicability, known));
    const id = await once(this.db, viewer, 'openAudit', input, async (tx) => {
      if (environment) await this.environments.hold(tx, environment.id, environment.version);
      const audit = await tx.audit.create({
        data: {
          projectId,
          releaseId: release.releaseId,
          environmentId: environment?.id ?? null,
          scopeFacts: toJson(facts),
          scopeHardwareId: environment?.hardwareId ?? null,
          title,
          requiresReview: input.requiresReview ?? false,
          createdById: viewer.id,
        },
      });
      await tx.auditItem.createMany({
        data: release.items.map(({ id: releaseItemId, position }, index) => ({
          auditId: audit.id,
          projectId,
          releaseItemId,
          position,
          applies: answers[index]?.answer ?? 'UNKNOWN',
          isPast: answers[index]?.isPast ?? false,
          appliesReasons: (answers[index]?.reasons ?? []).map(({ en, zh }) => ({ en, zh })),
        })),
      });
      const after = {
        title,
        checklist: input.checklist,
        version: release.version,
        environment: environment?.name ?? null,
      };
      await record(tx, viewer, [{ ...auditSubject(audit), field: 'created', after }]);
      return audit.id;
    });
    return this.db.audit.findUniqueOrThrow({ where: { id } });
  }

  /** The audit item, if the viewer has this right in its project; NOT_FOUND for a stranger. */
  async requireItem(viewer: Viewer, needed: Parameters<Access['require']>[1], id: string): Promise<AuditItemRow> {
    return this.access.require(viewer, needed, await this.db.auditItem.findUnique({ where: { id } }), noAuditItem(id));
  }

  /** The audit, if the viewer has this right in its project; NOT_FOUND for a stranger. */
  async require(viewer: Viewer, needed: Parameters<Access['require']>[1], id: string): Promise<Audit> {
    return this.access.require(viewer, needed, await this.db.audit.findUnique({ where: { id } }), noAudit(id));
  }

  /** Whether the viewer reviews what others say in the audits of a project. Asks outside of any transaction. */
  async isReviewer(viewer: Viewer, projectId: string): Promise<boolean> {
    return (await this.access.permissionsIn(projectId, viewer)).includes('REVIEW_AUDITS');
  }

  /** The authors of each item of an audit, by the id of the item; items without any are left out. */
  async authors(tx: Db, auditId: string): Promise<ReadonlyMap<string, readonly string[]>> {
    return authorsIn(tx, auditId);
  }

  /** Refuses a closed audit, outside a transaction: for a dry run of what would be refused. */
  async requireOpen(auditId: string): Promise<void> {
    const { status } = await this.db.audit.findUniqueOrThrow({ where: { id: auditId }, select: { status: true } });
    if (status === 'CLOSED') throw closedAudit(auditId);
  }

  /** Refuses a closed audit, and keeps it open until the end of the transaction. */
  async touchOpen(tx: Db, auditId: string): Promise<void> {
    await touchOpenAudit(tx, auditId);
  }

  /** Keeps the open audits of a project open until the end of the transaction. */
  async touchAllOpen(tx: Db, projectId: string): Promise<void> {
    await touchOpenAudits(tx, { projectId });
  }

  /** Refuses an item that is archived. In a transaction that holds its audit it stays what it is until the end. */
  async refuseArchived(tx: Db, auditItemId: string): Promise<void> {
    const current = await tx.auditItem.findUniqueOrThrow({ where: { id: auditItemId } });
    if (current.isArchived) throw archived(current);
  }

  /** As `touchOpen`; CONFLICT also where the audit is not at the version that the change is based on. */
  async touchOpenAt(tx: Db, auditId: string, version: number): Promise<Audit> {
    await touchOpenAudit(tx, auditId);
    const audit = await tx.audit.findUniqueOrThrow({ where: { id: auditId } });
    if (audit.version !== version) throw staleAudit(audit, version);
    return audit;
  }

  /** Writes into the search index what the audit now says of these items. */
  async reindex(tx: Db, ...auditItemIds: string[]): Promise<void> {
    await indexAuditItems(tx, this.index, auditItemIds);
  }
}

export { archived, auditSubject, itemSubject, staleAudit } from './audits.queries.js';
export { authoredBy, isAuthorOf, isReviewRequired, personId } from './review.queries.js';
export { tellsOfItem, tellsOfItemSql } from './telling-trials.js';

/** What to throw for a change that is based on an older version of the item. */
export function staleItem(current: AuditItemRow, given: number) {
  const { version } = current;
  return conflict(
    {
      en: `This item changed meanwhile: it is at version ${version}, and your change is based on ${given}`,
      zh: `该条目已被修改：当前版本为 ${version}，而本次修改基于 ${given}`,
    },
    { current: currentState(current) },
  );
}

export function noAudit(id: string) {
  return notFound({ en: `There is no audit "${id}"`, zh: `没有审计“${id}”` }, { id });
}

export function noAuditItem(id: string) {
  return notFound({ en: `There is no audit item "${id}"`, zh: `没有审计条目“${id}”` }, { id });
}
