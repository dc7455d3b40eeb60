import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { PeopleService } from '../projects/people.service.js';
import { Person } from '../projects/projects.types.js';
import { AuditItem, UpdateAuditItemInput } from './audits.types.js';
import { ItemChangesService } from './item-changes.service.js';
import { RejectAuditItemInput, AcceptAuditItemInput, SubmitAuditItemInput } from './review.types.js';

@Resolver(() => AuditItem)
export class ItemChangesResolver {
  constructor(
    private readonly changes: ItemChangesService,
    private readonly people: PeopleService,
  ) {}

  @Mutation(() => AuditItem, {
    description:
      'Changes what an audit says about one item. Saying its outcome again answers a re-check mark. Where the audit requires reviews, what was accepted is not changed and left DONE; only a reviewer who is not one of its authors answers its mark so that it stays accepted.',
  })
  updateAuditItem(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: UpdateAuditItemInput,
  ): Promise<AuditItem> {
    return this.changes.update(viewer, input);
  }

  @Mutation(() => AuditItem, {
    description: 'Submits what was said of an item for review: it is IN_REVIEW. CONFLICT where it is already.',
  })
  submitAuditItem(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: SubmitAuditItemInput,
  ): Promise<AuditItem> {
    return this.changes.submit(viewer, input);
  }

  @Mutation(() => AuditItem, {
    description:
      'Accepts an item that is IN_REVIEW: it is DONE. A reviewer does, who is not one of its authors: whoever submitted it, and whoever since the last acceptance said outcome, reason or date, overruled the rules, answered a re-check mark, rewrote an item of the audit alone or measured it, here or in the audit that it was cloned from.',
  })
  acceptAuditItem(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: AcceptAuditItemInput,
  ): Promise<AuditItem> {
    return this.changes.accept(viewer, input);
  }

  @Mutation(() => AuditItem, {
    description:
      'Gives an item that is IN_REVIEW back to IN_PROGRESS, with a comment that says why. A reviewer does, who is not one of its authors.',
  })
  rejectAuditItem(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: RejectAuditItemInput,
  ): Promise<AuditItem> {
    return this.changes.reject(viewer, input);
  }

  @ResolveField(() => Person, { nullable: true, description: 'Whose it is' })
  assignee(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Person | null> {
    return this.person(request, item.assigneeId);
  }

  @ResolveField(() => Person, { nullable: true, description: 'Who said outcome or reason last' })
  assessedBy(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Person | null> {
    return this.person(request, item.assessedById);
  }

  @ResolveField(() => Person, { nullable: true, description: 'Who submitted it for review' })
  submittedBy(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Person | null> {
    return this.person(request, item.submittedById);
  }

  @ResolveField(() => Person, { nullable: true, description: 'The reviewer who accepted it as it is' })
  acceptedBy(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Person | null> {
    return this.person(request, item.acceptedById);
  }

  private person(request: RequestContext, id: string | null): Promise<Person | null> {
    return id === null ? Promise.resolve(null) : this.people.byId(request).load(id);
  }
}
