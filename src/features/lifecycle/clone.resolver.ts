import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { AuditsService } from '../audits/audits.service.js';
import { Audit } from '../audits/audits.types.js';
import { CloneService } from './clone.service.js';
import { CloneAuditInput } from './clone.types.js';

@Resolver(() => Audit)
export class CloneResolver {
  constructor(
    private readonly clones: CloneService,
    private readonly audits: AuditsService,
  ) {}

  @Mutation(() => Audit, {
    description:
      'Opens an audit that begins where another one stands, open or closed, on the same release. What is carried is for the caller to say; an applied item is UNVERIFIED until it is measured in the clone. Archived items stay behind.',
  })
  cloneAudit(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: CloneAuditInput,
  ): Promise<Audit> {
    return this.clones.clone(viewer, input);
  }

  @ResolveField(() => Audit, {
    nullable: true,
    description: 'The audit that it was cloned from; null where it was not',
  })
  clonedFrom(@Parent() { clonedFromId }: Audit, @Context() request: RequestContext): Promise<Audit | null> {
    if (clonedFromId === null) return Promise.resolve(null);
    return this.audits.byId(request).load(clonedFromId);
  }
}
