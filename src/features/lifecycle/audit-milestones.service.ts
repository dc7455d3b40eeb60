import { Injectable } from '@nestjs/common';
import { nameOfKey } from '../../domain/applicability/reasons.js';
import {
  milestoneDifferences,
  type MilestoneDifferenceKind,
  type MilestoneItemDifference,
  type MilestoneSnapshot,
} from '../../domain/audit/milestone.js';
import { invalidInput, notFound } from '../../domain/errors.js';
import { environmentDifferences } from '../../domain/measurement/environment-diff.js';
import { storedFactsReader } from '../../domain/measurement/normal-facts.js';
import { requiredText } from '../../domain/text-limits.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { once } from '../../platform/database/once.js';
import { oneByKey, perRequest, perRequestPages } from '../../platform/graphql/loader.js';
import { PAGE_LIMIT } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { MilestonesService } from '../audits/milestones.service.js';
import type { FactDifference } from '../audits/scoping.types.js';
import { knownOf, RulesService } from '../catalog/rules.service.js';
import { itemsOfMilestones, milestones, milestonesOf, snapshotOfMilestone, stateOf } from './milestones.queries.js';
import type { AuditState, CreateMilestoneInput, Milestone, MilestoneDifference } from './milestones.types.js';

/** Milestones of audits as people take, read and compare them. */
@Injectable()
export class AuditMilestonesService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly audits: AuditsService,
    private readonly kept: MilestonesService,
    private readonly rules: RulesService,
  ) {}

  readonly ofAudit = perRequestPages<Milestone, Milestone>(
    (auditIds, take, after) => milestonesOf(this.db, auditIds, take, after),
    ({ id }) => id,
    (milestone) => milestone,
    async (auditIds, id) => {
      const where = { id, auditId: { in: [...auditIds] } };
      const rows = await this.db.milestone.findMany({ where, select: { auditId: true } });
      return rows.map(({ auditId }) => auditId);
    },
  );

  readonly itemsOf = perRequest(async (ids: readonly string[]) => {
    const items = await itemsOfMilestones(this.db, ids);
    return ids.map((id) => items.get(id) ?? []);
  });

  private readonly byId = perRequest(async (ids: readonly string[]) =>
    oneByKey(ids, await milestones(this.db, ids), ({ id }) => id),
  );

  /** The milestone, if the viewer may see it. */
  async find(viewer: Viewer, request: object, id: string): Promise<Milestone | null> {
    return this.access.visible(viewer, await this.byId(request).load(id));
  }

  /** Keeps how an open audit stands now. */
  async create(viewer: Viewer, input: CreateMilestoneInput): Promise<Milestone> {
    const { id: auditId } = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const name = requiredText(input.name, 'name');
    const id = await once(this.db, viewer, 'createMilestone', input, async (tx) => {
      await this.audits.touchOpen(tx, auditId);
      return this.kept.take(tx, viewer, auditId, name);
    });
    return this.stored(id);
  }

  /** What changed from a milestone to another one, or to its audit as it is now; INVALID_INPUT across checklists. */
  async difference(viewer: Viewer, beforeId: string, afterId: string | null): Promise<MilestoneDifference> {
    const earlier = await this.require(viewer, beforeId);
    const later = afterId === null ? null : await this.require(viewer, afterId);
    const before = await snapshotOfMilestone(this.db, earlier.id);
    const after = later ? await snapshotOfMilestone(this.db, later.id) : await this.kept.now(this.db, earlier.auditId);
    if (before.checklist !== after.checklist) throw otherChecklist(before, after);
    const changes = milestoneDifferences(before.items, after.items);
    return {
      before: toState(before, earlier),
      after: toState(after, later),
      environment: await this.environmentChanges(before, after),
      counts: countsOf(changes, before, after),
      changes,
    };
  }

  private async require(viewer: Viewer, id: string): Promise<Milestone> {
    const [found] = await milestones(this.db, [id]);
    return this.access.require(
      viewer,
      'READ_PROJECT',
      found ?? null,
      notFound({ en: `There is no milestone "${id}"`, zh: `没有里程碑“${id}”` }, { id }),
    );
  }

  private async stored(id: string): Promise<Milestone> {
    const [found] = await milestones(this.db, [id]);
    if (!found) throw new Error(`The milestone ${id} is gone`);
    return found;
  }

  /** As scoping sees it: with the facts of the hardware and what follows from them. */
  private async environmentChanges(before: MilestoneSnapshot, after: MilestoneSnapshot): Promise<FactDifference[]> {
    const { registry } = await this.rules.rules();
    const slugs = [before, after].flatMap(({ scope }) => scope.hardware ?? []);
    const profiles = await this.db.hardwareProfile.findMany({ where: { slug: { in: slugs } } });
    const [old, now] = [before, after].map(({ scope: { hardware, facts } }) => {
      const profile = profiles.find(({ slug }) => slug === hardware) ?? null;
      return knownOf(profile, facts).facts;
    });
    const inWords = storedFactsReader(registry.words);
    const differences = environmentDifferences({
      before: inWords(old ?? {}),
      after: inWords(now ?? {}),
      declared: [],
      tiers: registry.tiers,
    });
    return differences.slice(0, PAGE_LIMIT).map(({ key, before: was, after: is }) => ({
      key,
      name: nameOfKey(key, registry.vocabulary),
      before: was,
      after: is,
    }));
  }
}

function toState(snapshot: MilestoneSnapshot, milestone: Milestone | null): AuditState {
  return { ...stateOf(snapshot), milestone };
}

function countsOf(
  changes: readonly MilestoneItemDifference[],
  before: MilestoneSnapshot,
  after: MilestoneSnapshot,
): MilestoneDifference['counts'] {
  const count = (kind: MilestoneDifferenceKind) => changes.filter(({ kinds }) => kinds.includes(kind)).length;
  const changed = new Set(changes.map(({ key }) => key));
  const earlier = new Set(before.items.map(({ key }) => key));
  return {
    added: count('ADDED'),
    removed: count('REMOVED'),
    work: count('WORK'),
    outcome: count('OUTCOME'),
    proof: count('PROOF'),
    verdict: count('VERDICT'),
    applicability: count('APPLICABILITY'),
    recheck: count('RECHECK'),
    text: count('TEXT'),
    unchanged: after.items.filter(({ key, isArchived }) => !isArchived && earlier.has(key) && !changed.has(key)).length,
  };
}

function otherChecklist(before: MilestoneSnapshot, after: MilestoneSnapshot) {
  return invalidInput(
    {
      en: `The milestones are of different checklists: "${before.checklist}" and "${after.checklist}"`,
      zh: `两个里程碑属于不同的清单：“${before.checklist}”与“${after.checklist}”`,
    },
    { before: before.checklist, after: after.checklist },
  );
}
