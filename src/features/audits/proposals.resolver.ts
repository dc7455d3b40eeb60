import { Args, Context, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { customItemOf } from '../../domain/audit/custom-item.js';
import { proposedItemText } from '../../domain/audit/proposed-item.js';
import { ProposalStatus } from '../../generated/prisma/enums.js';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { Checklist, Item } from '../catalog/catalog.types.js';
import { PeopleService } from '../projects/people.service.js';
import { Person } from '../projects/projects.types.js';
import { AuditItem } from './audits.types.js';
import { ProposalsService } from './proposals.service.js';
import {
  DecideProposalInput,
  Proposal,
  ProposalConnection,
  ProposeItemInput,
  WithdrawProposalInput,
} from './proposals.types.js';

@Resolver(() => Proposal)
export class ProposalsResolver {
  constructor(
    private readonly all: ProposalsService,
    private readonly people: PeopleService,
  ) {}

  @Query(() => ProposalConnection, {
    description: 'Proposals of projects that the viewer may see, and those that they may decide; the newest first',
  })
  proposals(
    @CurrentViewer() viewer: Viewer,
    @Args('status', { type: () => ProposalStatus, nullable: true, description: 'Those with this status' })
    status: ProposalStatus | null,
    @Args('checklist', { type: () => String, nullable: true, description: 'Those for the checklist of this slug' })
    checklist: string | null,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<ProposalConnection> {
    return this.all.list(viewer, { status: status ?? null, checklist: checklist ?? null }, { first, after });
  }

  @Mutation(() => Proposal, {
    description:
      'Proposes an item of one audit for a checklist, as it is now; later changes of the item leave the proposal as it is. One proposal of an item can be open, and an item that was accepted is not proposed again.',
  })
  proposeItem(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: ProposeItemInput,
  ): Promise<Proposal> {
    return this.all.propose(viewer, input);
  }

  @Mutation(() => Proposal, {
    description:
      'Accepts or rejects a proposal of somebody else: for a shipped checklist a CATALOG_EDITOR or an ADMIN, for one of a team its maintainers, for a personal one its owner. The audit may be closed.',
  })
  decideProposal(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: DecideProposalInput,
  ): Promise<Proposal> {
    return this.all.decide(viewer, input);
  }

  @Mutation(() => Proposal, { description: 'Takes back an open proposal of one’s own. The audit may be closed.' })
  withdrawProposal(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: WithdrawProposalInput,
  ): Promise<Proposal> {
    return this.all.withdraw(viewer, input);
  }

  @ResolveField(() => Checklist, {
    nullable: true,
    description: 'The checklist that it is for, in its newest release; null where the viewer may not see it',
  })
  checklist(
    @CurrentViewer() viewer: Viewer,
    @Parent() proposal: Proposal,
    @Context() request: RequestContext,
  ): Promise<Checklist | null> {
    return this.all.checklistOf(viewer, request, proposal);
  }

  @ResolveField(() => Item, { description: 'The item as it was proposed' })
  item(
    @CurrentViewer() viewer: Viewer,
    @Parent() proposal: Proposal,
    @Context() request: RequestContext,
  ): Promise<Item | null> {
    return this.all.itemOf(viewer, request, proposal);
  }

  @ResolveField(() => AuditItem, {
    nullable: true,
    description: 'The audit item as it is now, with its trials; null where the viewer may not see its project',
  })
  auditItem(
    @CurrentViewer() viewer: Viewer,
    @Parent() proposal: Proposal,
    @Context() request: RequestContext,
  ): Promise<AuditItem | null> {
    return this.all.auditItemOf(viewer, request, proposal);
  }

  @ResolveField(() => Person, { description: 'Who proposed it' })
  proposedBy(@Parent() { proposedById }: Proposal, @Context() request: RequestContext): Promise<Person | null> {
    return this.people.byId(request).load(proposedById);
  }

  @ResolveField(() => Person, { nullable: true, description: 'Who decided or withdrew it' })
  decidedBy(@Parent() { decidedById }: Proposal, @Context() request: RequestContext): Promise<Person | null> {
    return decidedById === null ? Promise.resolve(null) : this.people.byId(request).load(decidedById);
  }

  @ResolveField(() => String, {
    description:
      'The item as a file `content/checklists/<slug>/<section>/<topic>.yaml`, without the fields that nobody said: see `missing`',
  })
  contentYaml(@Parent() { content }: Proposal): string {
    return proposedItemText(customItemOf(content));
  }

  @ResolveField(() => [String], {
    description:
      'What the check of the content would ask for: fields such as `signals`, one language of a text such as `title.zh`, and tags that tags.yaml does not have',
  })
  missing(@Parent() proposal: Proposal, @Context() request: RequestContext): Promise<string[]> {
    return this.all.missing(request, proposal);
  }
}

@Resolver(() => AuditItem)
export class AuditItemProposalsResolver {
  constructor(private readonly all: ProposalsService) {}

  @ResolveField('proposals', () => [Proposal], {
    description: 'Proposals to have it in a checklist, the newest first; at most 100',
  })
  list(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Proposal[]> {
    return this.all.ofItem(request).load(item.id);
  }
}
