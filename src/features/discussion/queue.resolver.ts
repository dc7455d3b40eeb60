import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { AuditItem } from '../audits/audits.types.js';
import { ViewerType } from '../projects/projects.types.js';
import { DiscussionService } from './discussion.service.js';
import { Comment } from './discussion.types.js';
import { QueueService } from './queue.service.js';
import { MarkMentionsSeenInput, QueueCount, QueueEntry, QueueEntryConnection, QueueKind } from './queue.types.js';

@Resolver(() => ViewerType)
export class ViewerQueueResolver {
  constructor(private readonly queueService: QueueService) {}

  @Mutation(() => ViewerType, { description: 'The viewer has seen comments that call them: they wait no longer' })
  async markMentionsSeen(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: MarkMentionsSeenInput,
  ): Promise<ViewerType> {
    await this.queueService.markSeen(viewer, input);
    return viewer;
  }

  @ResolveField(() => QueueEntryConnection, {
    description:
      'What waits for the viewer in open audits, and mentions in closed ones: overdue first, then by due date, priority and age. An item stands once for ' +
      'each kind.',
  })
  queue(
    @CurrentViewer() viewer: Viewer,
    @Args('kinds', {
      type: () => [QueueKind],
      nullable: true,
      description: 'Only these kinds; all where absent, none for an empty list',
    })
    kinds: QueueKind[] | null,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<QueueEntryConnection> {
    return this.queueService.entries(viewer, kinds ?? Object.values(QueueKind), { first, after });
  }

  @ResolveField(() => [QueueCount], { description: 'How much of each kind waits for the viewer' })
  queueCounts(@CurrentViewer() viewer: Viewer): Promise<QueueCount[]> {
    return this.queueService.counts(viewer);
  }
}

@Resolver(() => QueueEntry)
export class QueueEntryResolver {
  constructor(
    private readonly audits: AuditsService,
    private readonly discussion: DiscussionService,
  ) {}

  @ResolveField(() => AuditItem, { description: 'The audit item' })
  auditItem(@Parent() entry: QueueEntry, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(entry.auditItemId);
  }

  @ResolveField(() => Comment, {
    nullable: true,
    description: 'The oldest comment that calls the viewer, for MENTION; what the reviewer said, for RETURNED',
  })
  comment(@Parent() entry: QueueEntry, @Context() request: RequestContext): Promise<Comment | null> {
    if (entry.commentId === null) return Promise.resolve(null);
    return this.discussion.byId(request).load(entry.commentId);
  }
}
