import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { MilestoneItem as MilestoneItemValue } from '../../domain/audit/milestone.js';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First, pageOf, rowsAfter } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { Audit } from '../audits/audits.types.js';
import { PeopleService } from '../projects/people.service.js';
import { Person } from '../projects/projects.types.js';
import { AuditMilestonesService } from './audit-milestones.service.js';
import { toMilestoneItem } from './milestones.queries.js';
import {
  CreateMilestoneInput,
  Milestone,
  MilestoneConnection,
  MilestoneDifference,
  MilestoneDifferenceKind,
  MilestoneItemConnection,
  MilestoneItemDifferenceConnection,
} from './milestones.types.js';

@Resolver(() => Milestone)
export class MilestonesResolver {
  constructor(
    private readonly milestones: AuditMilestonesService,
    private readonly audits: AuditsService,
    private readonly people: PeopleService,
  ) {}

  @Query(() => Milestone, { nullable: true, description: 'One milestone, if the viewer may see it' })
  milestone(
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
    @Args('id', { type: () => ID, description: 'Id of the milestone' }) id: string,
  ): Promise<Milestone | null> {
    return this.milestones.find(viewer, request, id);
  }

  @Query(() => MilestoneDifference, {
    description:
      'What changed from a milestone to another one, or to its audit as it is now. Both are of one checklist, of the same audit or not; items are matched by key.',
  })
  milestoneDifference(
    @CurrentViewer() viewer: Viewer,
    @Args('before', { type: () => ID, description: 'Id of the earlier milestone' }) before: string,
    @Args('after', {
      type: () => ID,
      nullable: true,
      description: 'Id of the later milestone; where absent the audit of the earlier one, as it is now',
    })
    after: string | null,
  ): Promise<MilestoneDifference> {
    return this.milestones.difference(viewer, before, after ?? null);
  }

  @Mutation(() => Milestone, { description: 'Keeps how an open audit stands now, for good' })
  createMilestone(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: CreateMilestoneInput,
  ): Promise<Milestone> {
    return this.milestones.create(viewer, input);
  }

  @ResolveField(() => Audit, { description: 'The audit, as it is now' })
  audit(@Parent() milestone: Milestone, @Context() request: RequestContext): Promise<Audit | null> {
    return this.audits.byId(request).load(milestone.auditId);
  }

  @ResolveField(() => Person, { nullable: true, description: 'Who took it; null where it came with an imported audit' })
  createdBy(@Parent() { createdById }: Milestone, @Context() request: RequestContext): Promise<Person | null> {
    if (createdById === null) return Promise.resolve(null);
    return this.people.byId(request).load(createdById);
  }

  @ResolveField(() => String, { nullable: true, description: 'Name of whoever took it, also of an imported one' })
  async createdByName(@Parent() milestone: Milestone, @Context() request: RequestContext): Promise<string | null> {
    return milestone.importedName ?? (await this.createdBy(milestone, request))?.name ?? null;
  }

  @ResolveField(() => MilestoneItemConnection, {
    description: 'The items as they were, in the order of the audit, the archived ones last',
  })
  async items(
    @Parent() { id }: Milestone,
    @Context() request: RequestContext,
    @First(100) first: number,
    @After() after: string | null,
  ): Promise<MilestoneItemConnection> {
    const page = { first, after };
    const items = await this.milestones.itemsOf(request).load(id);
    const keyOf = ({ key }: MilestoneItemValue) => key;
    return pageOf(rowsAfter(items, page, keyOf), page, items.length, keyOf, toMilestoneItem);
  }
}

@Resolver(() => MilestoneDifference)
export class MilestoneDifferenceResolver {
  @ResolveField(() => MilestoneItemDifferenceConnection, {
    description: 'The items that differ, in the order of the later state, and then those that it lacks',
  })
  items(
    @Parent() { changes }: MilestoneDifference,
    @Args('kinds', {
      type: () => [MilestoneDifferenceKind],
      nullable: true,
      description: 'Those that differ in any of these; all where absent, none for an empty list',
    })
    kinds: (keyof typeof MilestoneDifferenceKind)[] | null,
    @First(100) first: number,
    @After() after: string | null,
  ): MilestoneItemDifferenceConnection {
    const page = { first, after };
    const wanted = kinds ? changes.filter((change) => kinds.some((kind) => change.kinds.includes(kind))) : changes;
    const keyOf = ({ key }: (typeof changes)[number]) => key;
    return pageOf(rowsAfter(wanted, page, keyOf), page, wanted.length, keyOf, (change) => ({
      key: change.key,
      title: (change.after ?? change.before)?.title ?? { en: null, zh: null },
      kinds: [...change.kinds],
      before: change.before && toMilestoneItem(change.before),
      after: change.after && toMilestoneItem(change.after),
    }));
  }
}

@Resolver(() => Audit)
export class AuditMilestonesResolver {
  constructor(private readonly milestones: AuditMilestonesService) {}

  @ResolveField('milestones', () => MilestoneConnection, { description: 'Its milestones, newest first' })
  list(
    @Parent() audit: Audit,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<MilestoneConnection> {
    return this.milestones.ofAudit(request).load({ parentId: audit.id, page: { first, after } });
  }
}
