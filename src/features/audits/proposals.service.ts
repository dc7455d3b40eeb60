import { Injectable } from '@nestjs/common';
import { customItemJson, customItemOf } from '../../domain/audit/custom-item.js';
import { missingOf } from '../../domain/audit/proposed-item.js';
import { kebab } from '../../domain/content/schema.js';
import { optionalText, requiredText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { ProposalStatus } from '../../generated/prisma/enums.js';
import { Access, isVisibleTo } from '../../platform/auth/access.js';
import { OWNER_ID } from '../../platform/auth/authenticate.js';
import { requireSignedIn, type Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { groupByKey, oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { pageOf, pageSize, startAfterOne, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import { CatalogService, noChecklist } from '../catalog/catalog.service.js';
import type { Checklist, Item } from '../catalog/catalog.types.js';
import { archived, touchOpenAudit } from './audits.queries.js';
import { AuditsService } from './audits.service.js';
import type { AuditItem } from './audits.types.js';
import { asItem } from './custom-items.rows.js';
import { CustomItemsService, noSection, requireCustom } from './custom-items.service.js';
import {
  acceptedAlready,
  acceptedProposals,
  badKey,
  findProposal,
  findTarget,
  type FoundProposal,
  keyAccepted,
  notDecider,
  notProposer,
  ownProposal,
  proposalSubject,
  proposalsWhere,
  proposedAlready,
  staleProposal,
  type TargetChecklist,
  targets,
  usedKey,
} from './proposals.queries.js';
import type { DecideProposalInput, Proposal, ProposeItemInput, WithdrawProposalInput } from './proposals.types.js';

export { acceptedProposals } from './proposals.queries.js';

/** Most proposals of one item that are listed. */
const LIST_LIMIT = 100;

/** Proposals: items of one audit that are to be in a checklist. */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly audits: AuditsService,
    private readonly catalog: CatalogService,
    private readonly customItems: CustomItemsService,
  ) {}

  /** The newest proposals of an item, the newest first; who sees the item sees them. */
  readonly ofItem = perRequest(async (auditItemIds: readonly string[]): Promise<Proposal[][]> => {
    const rows = await this.db.proposal.findMany({
      where: { auditItemId: { in: [...auditItemIds] } },
      orderBy: { id: 'desc' },
    });
    return groupByKey(auditItemIds, rows, ({ auditItemId }) => auditItemId).map((own) => own.slice(0, LIST_LIMIT));
  });

  private readonly target = perRequest(async (ids: readonly string[]) =>
    oneByKey(ids, await targets(this.db, ids), ({ id }) => id),
  );

  private readonly tag = perRequest(async (keys: readonly string[]) => {
    const rows = await this.db.tag.findMany({ where: { key: { in: [...keys] } }, select: { key: true } });
    return oneByKey(keys, rows, ({ key }) => key);
  });

  async list(
    viewer: Viewer,
    filter: { readonly status: ProposalStatus | null; readonly checklist: string | null },
    page: PageRequest,
  ): Promise<Connection<Proposal>> {
    const first = pageSize(page.first);
    const visible = proposalsWhere(viewer, await this.access.visibleProjects(viewer));
    // Decided in the meantime, it holds its place
    const isThere = async (id: string) => (await this.db.proposal.count({ where: { AND: [visible, { id }] } })) > 0;
    const after = await startAfterOne(page, isThere);
    const { status, checklist } = filter;
    const where = {
      AND: [visible, status === null ? {} : { status }, checklist === null ? {} : { checklist: { slug: checklist } }],
    };
    const rows = await this.db.proposal.findMany({
      where: { AND: [where, after === null ? {} : { id: { lt: after } }] },
      orderBy: { id: 'desc' },
      take: first + 1,
    });
    return pageOf(rows, page, await this.db.proposal.count({ where }), ({ id }) => id, (row) => row); // prettier-ignore
  }

  async propose(viewer: Viewer, input: ProposeItemInput): Promise<Proposal> {
    const item = await this.audits.requireItem(viewer, 'WRITE_AUDITS', input.auditItemId);
    requireCustom(item);
    const why = requiredText(input.why, 'why', TEXT_LIMITS.long);
    const checklist = await this.targetFor(viewer, item.auditId, input.checklist ?? null);
    const id = await once(this.db, viewer, 'proposeItem', input, async (tx) => {
      await touchOpenAudit(tx, item.auditId);
      const current = await tx.auditItem.findUniqueOrThrow({ where: { id: item.id } });
      requireCustom(current);
      if (current.isArchived) throw archived(current);
      await checkKey(tx, checklist, input.key);
      const open = await tx.proposal.findFirst({ where: { auditItemId: item.id, status: 'OPEN' } });
      if (open) throw proposedAlready(open);
      const accepted = await acceptedProposals(tx, item.auditId);
      const before = accepted.find(({ auditItemId }) => auditItemId === item.id);
      if (before) throw acceptedAlready(before);
      const proposal = await tx.proposal.create({
        data: {
          projectId: item.projectId,
          auditItemId: item.id,
          checklistId: checklist.id,
          key: input.key,
          content: toJson(customItemJson(customItemOf(current.custom))),
          why,
          proposedById: viewer.id,
        },
      });
      const after = { key: input.key, checklist: checklist.slug, why };
      await record(tx, viewer, [{ ...proposalSubject(proposal, item), field: 'created', after }]);
      return proposal.id;
    });
    return this.db.proposal.findUniqueOrThrow({ where: { id } });
  }

  async decide(viewer: Viewer, input: DecideProposalInput): Promise<Proposal> {
    const found = await this.require(viewer, input.id);
    await this.requireDecider(viewer, found);
    const comment =
      input.status === 'REJECTED'
        ? requiredText(input.comment ?? '', 'comment', TEXT_LIMITS.long)
        : optionalText(input.comment, 'comment');
    return this.end(viewer, 'decideProposal', input, found, { status: input.status, decision: comment });
  }

  async withdraw(viewer: Viewer, input: WithdrawProposalInput): Promise<Proposal> {
    const found = await this.require(viewer, input.id);
    if (found.proposedById !== viewer.id) throw notProposer();
    return this.end(viewer, 'withdrawProposal', input, found, { status: 'WITHDRAWN', decision: null });
  }

  /** The checklist that it is for, in its newest release; null where the viewer may not see it. */
  async checklistOf(
    viewer: Viewer,
    request: object,
    { checklistId, auditItemId }: Proposal,
  ): Promise<Checklist | null> {
    const releaseId = await this.visibleRelease(viewer, request, checklistId);
    if (releaseId !== null) return this.catalog.checklistOfRelease(request).load(releaseId);
    // Whoever sees an audit sees the checklist that it is on
    const [target, place] = [
      await this.target(request).load(checklistId),
      await this.customItems.place(request).load(auditItemId),
    ];
    const ofAudit = place && (await this.catalog.checklistOfRelease(request).load(place.releaseId));
    return ofAudit?.slug === target?.slug ? ofAudit : null;
  }

  /** The item as it was proposed, in its section of the checklist that it is for. */
  async itemOf(viewer: Viewer, request: object, { id, key, ...proposal }: Proposal): Promise<Item | null> {
    const place = await this.customItems.place(request).load(proposal.auditItemId);
    if (place === null) return null;
    const custom = customItemOf(proposal.content);
    const releaseId = await this.visibleRelease(viewer, request, proposal.checklistId);
    if (releaseId === null) return asItem(custom, { ...place, id, key });
    const [section = ''] = key.split('/');
    const sections = await this.catalog.sectionsOfRelease(request).load(releaseId);
    const found = sections.find((one) => one.key === section) ?? sections.at(-1);
    return asItem(custom, { id, key, releaseId, sectionId: found?.id ?? '', order: place.order });
  }

  /** The audit item that it is of, if the viewer may see its project. */
  async auditItemOf(viewer: Viewer, request: object, { auditItemId }: Proposal): Promise<AuditItem | null> {
    return this.access.visible(viewer, await this.audits.itemById(request).load(auditItemId));
  }

  /** What the check of the content would ask for. */
  async missing(request: object, { content }: Proposal): Promise<string[]> {
    const item = customItemOf(content);
    const known = await Promise.all(item.tags.map((key) => this.tag(request).load(key)));
    return missingOf(item, new Set(known.flatMap((tag) => (tag ? [tag.key] : []))));
  }

  private async visibleRelease(viewer: Viewer, request: object, checklistId: string): Promise<string | null> {
    const target = await this.target(request).load(checklistId);
    const isVisible = target !== null && isVisibleTo(await this.access.visibleOwners(viewer), target);
    return isVisible ? (target.releases[0]?.id ?? null) : null;
  }

  private async require(viewer: Viewer, id: string): Promise<FoundProposal> {
    requireSignedIn(viewer);
    return findProposal(this.db, proposalsWhere(viewer, await this.access.visibleProjects(viewer)), id);
  }

  private async requireDecider(viewer: Viewer, { checklist, proposedById }: FoundProposal): Promise<void> {
    const { team, teamId, ownerId } = checklist;
    if (!isVisibleTo(await this.access.visibleOwners(viewer), checklist)) throw notDecider(checklist);
    if (team) await this.access.requireTeam(viewer, team.slug);
    else if (ownerId !== null && ownerId !== viewer.id && viewer.role !== 'ADMIN') throw notDecider(checklist);
    const isEditor = viewer.role === 'CATALOG_EDITOR' || viewer.role === 'ADMIN';
    if (teamId === null && ownerId === null && !isEditor) throw notDecider(checklist);
    // Where there is only one person, nobody else can decide
    const isAlone = viewer.id === OWNER_ID && viewer.role === 'ADMIN';
    if (proposedById === viewer.id && !isAlone) throw ownProposal();
  }

  private async targetFor(viewer: Viewer, auditId: string, slug: string | null): Promise<TargetChecklist> {
    const ofAudit = { releases: { some: { audits: { some: { id: auditId } } } } };
    // One after the other: within OR, the empty condition of whoever sees all would find nothing
    const among = slug === null ? [ofAudit] : [ofAudit, await this.catalog.visibleTo(viewer)];
    for (const visible of among) {
      const found = await findTarget(this.db, { AND: [visible, slug === null ? {} : { slug }] });
      if (found) return found;
    }
    throw noChecklist(slug ?? '', null);
  }

  /** Ends an open proposal. The audit is not changed: it may be closed. */
  private async end<I extends { id: string; version: number; clientMutationId?: string | null }>(
    viewer: Viewer,
    mutation: string,
    input: I,
    found: FoundProposal,
    end: { readonly status: 'ACCEPTED' | 'REJECTED' | 'WITHDRAWN'; readonly decision: string | null },
  ): Promise<Proposal> {
    const { id, version } = input;
    await once(this.db, viewer, mutation, input, async (tx) => {
      if (end.status === 'ACCEPTED') await checkAcceptance(tx, found);
      const { count } = await tx.proposal.updateMany({
        where: { id, version, status: 'OPEN' },
        data: { ...end, version: { increment: 1 }, decidedById: viewer.id, decidedAt: new Date() },
      });
      if (count === 0) throw staleProposal(await tx.proposal.findUniqueOrThrow({ where: { id } }), version);
      const subject = proposalSubject(found, found.auditItem);
      await record(tx, viewer, [
        { ...subject, field: 'status', before: 'OPEN', after: end.status, reason: end.decision },
      ]);
      return id;
    });
    return this.db.proposal.findUniqueOrThrow({ where: { id } });
  }
}

async function checkKey(tx: Db, { id: checklistId, slug, releases }: TargetChecklist, key: string): Promise<void> {
  const halves = key.split('/');
  if (halves.length !== 2 || halves.some((half) => !kebab.safeParse(half).success)) throw badKey(key);
  const sections = (releases[0]?.sections ?? []).map((section) => section.key);
  const [section = ''] = halves;
  if (!sections.includes(section)) throw noSection(section, sections);
  const used = await tx.item.findUnique({ where: { checklistId_key: { checklistId, key } } });
  if (used) throw usedKey(key, slug);
}

/** CONFLICT where the item was accepted before, or another one under the same key. Decisions on one checklist wait for each other. */
async function checkAcceptance(tx: Db, { id, auditItem, auditItemId, checklistId, key }: FoundProposal): Promise<void> {
  await tx.$queryRaw`SELECT "id" FROM "Checklist" WHERE "id" = ${checklistId} FOR NO KEY UPDATE`;
  const before = (await acceptedProposals(tx, auditItem.auditId)).find((one) => one.auditItemId === auditItemId);
  if (before && before.id !== id) throw acceptedAlready(before);
  const other = await tx.proposal.findFirst({ where: { checklistId, key, status: 'ACCEPTED', id: { not: id } } });
  if (other) throw keyAccepted(other);
}
