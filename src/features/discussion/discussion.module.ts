import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditItemCommentsResolver, CommentHitResolver, CommentsResolver } from './discussion.resolver.js';
import { DiscussionService } from './discussion.service.js';
import { QueueEntryResolver, ViewerQueueResolver } from './queue.resolver.js';
import { QueueService } from './queue.service.js';

@Module({
  imports: [AuditsModule, ProjectsModule],
  providers: [
    DiscussionService,
    QueueService,
    CommentsResolver,
    AuditItemCommentsResolver,
    CommentHitResolver,
    ViewerQueueResolver,
    QueueEntryResolver,
  ],
  exports: [DiscussionService],
})
export class DiscussionModule {}
