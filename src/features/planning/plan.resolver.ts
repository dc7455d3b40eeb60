import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { Audit, AuditItem } from '../audits/audits.types.js';
import { PLAN_PAGE_LIMIT, PlanService } from './plan.service.js';
import { PlanEntry, PlanEntryConnection } from './plan.types.js';

@Resolver(() => Audit)
export class AuditPlanResolver {
  constructor(private readonly plans: PlanService) {}

  @ResolveField(() => PlanEntryConnection, {
    description:
      'What to try next: the open items, ranked by weight of the evidence × share of the time × time saved / effort, with the evidence behind each rank. What an item needs is moved up to right before it; what cannot matter here sinks, and dead ends come last. Evidence is from the projects that the viewer may see.',
  })
  plan(
    @Parent() audit: Audit,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
    @First(50, PLAN_PAGE_LIMIT) first: number,
    @After() after: string | null,
    @Args('isOpenOnly', {
      type: () => Boolean,
      nullable: true,
      defaultValue: true,
      description: 'Only items for which something is left to do; with false all that may apply',
    })
    isOpenOnly: boolean | null,
  ): Promise<PlanEntryConnection> {
    return this.plans.page(request, { audit, viewer, which: (isOpenOnly ?? true) ? 'OPEN' : 'ALL' }, { first, after });
  }
}

@Resolver(() => PlanEntry)
export class PlanEntryResolver {
  constructor(private readonly audits: AuditsService) {}

  @ResolveField(() => AuditItem, { description: 'What the audit says about the item; its priority stands there' })
  auditItem(@Parent() entry: PlanEntry, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(entry.id);
  }
}
