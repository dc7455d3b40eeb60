import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { PeopleService } from '../projects/people.service.js';
import { Person } from '../projects/projects.types.js';
import { AuditStateService } from './audit-state.service.js';
import { Audit } from './audits.types.js';
import { CloseAuditInput, ReopenAuditInput, UpdateAuditInput } from './state.types.js';

@Resolver(() => Audit)
export class AuditStateResolver {
  constructor(
    private readonly state: AuditStateService,
    private readonly people: PeopleService,
  ) {}

  @Mutation(() => Audit, { description: 'Changes the title of an audit, or whether its items need a review' })
  updateAudit(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: UpdateAuditInput,
  ): Promise<Audit> {
    return this.state.update(viewer, input);
  }

  @Mutation(() => Audit, {
    description:
      'Closes an audit and keeps a milestone of how it stands. A reviewer does. It can still be read, commented, exported and cloned.',
  })
  closeAudit(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: CloseAuditInput,
  ): Promise<Audit> {
    return this.state.close(viewer, input);
  }

  @Mutation(() => Audit, { description: 'Opens a closed audit again; a maintainer does' })
  reopenAudit(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: ReopenAuditInput,
  ): Promise<Audit> {
    return this.state.reopen(viewer, input);
  }

  @ResolveField(() => Person, { nullable: true, description: 'Who opened it' })
  createdBy(@Parent() audit: Audit, @Context() request: RequestContext): Promise<Person | null> {
    return this.people.byId(request).load(audit.createdById);
  }
}
