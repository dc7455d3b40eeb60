import { Args, Context, ID, Parent, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { invalidInput } from '../../domain/errors.js';
import {
  CurrentViewer,
  type RequestContext,
  type SubscriptionContext,
  type Viewer,
} from '../../platform/auth/viewer.js';
import { AuditsService } from './audits.service.js';
import { Audit, AuditItem } from './audits.types.js';
import { LiveService, type LiveEvent } from './live.service.js';
import { AuditNews } from './live.types.js';

@Resolver(() => AuditNews)
export class LiveResolver {
  constructor(
    private readonly live: LiveService,
    private readonly audits: AuditsService,
  ) {}

  @Subscription(() => AuditNews, {
    description:
      'Says what changes in an audit, whoever changes it. The first event comes at once; a change comes when it is committed. It ends when the viewer may not see the audit any more.',
    resolve: (event: LiveEvent, _: unknown, context: SubscriptionContext): AuditNews => {
      if ('refusal' in event) throw event.refusal;
      context.event = {};
      context.viewer = { ...context.viewer };
      return event.news;
    },
  })
  auditChanged(
    @CurrentViewer() viewer: Viewer,
    @Args('auditId', { type: () => ID, description: 'The audit' }) auditId: string,
  ): Promise<AsyncIterableIterator<LiveEvent>> {
    if (!/^[\x21-\x7e]{1,100}$/.test(auditId)) {
      throw invalidInput({ en: 'auditId is no id', zh: 'auditId 不是有效的 id' }, { place: 'auditId' });
    }
    return this.live.follow(viewer, auditId);
  }

  @ResolveField(() => Audit, { description: 'The audit, as it is now' })
  audit(@Parent() { auditId }: AuditNews, @Context() request: RequestContext): Promise<Audit | null> {
    return this.audits.byId(request).load(auditId);
  }

  @ResolveField(() => [AuditItem], {
    description: 'The items that changed, as they are now; none where it was the audit itself, or `isWhole`',
  })
  async items(@Parent() { itemIds }: AuditNews, @Context() request: RequestContext): Promise<AuditItem[]> {
    const items = await Promise.all((itemIds ?? []).map((id) => this.audits.itemById(request).load(id)));
    return items.filter((item) => item !== null);
  }
}
