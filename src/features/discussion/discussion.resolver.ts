import { Args, Context, Int, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { AuditItem } from '../audits/audits.types.js';
import { PeopleService } from '../projects/people.service.js';
import { Person } from '../projects/projects.types.js';
import { SearchHit } from '../search/search.types.js';
import { DiscussionService } from './discussion.service.js';
import { AddCommentInput, Comment, CommentConnection, EditCommentInput } from './discussion.types.js';

@Resolver(() => Comment)
export class CommentsResolver {
  constructor(
    private readonly discussion: DiscussionService,
    private readonly audits: AuditsService,
    private readonly people: PeopleService,
  ) {}

  @Mutation(() => Comment, { description: 'Says something of an audit item, or answers another comment' })
  addComment(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: AddCommentInput,
  ): Promise<Comment> {
    return this.discussion.add(viewer, input);
  }

  @Mutation(() => Comment, { description: 'Changes a comment of the viewer; its old text stays in the history' })
  editComment(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: EditCommentInput,
  ): Promise<Comment> {
    return this.discussion.edit(viewer, input);
  }

  @ResolveField(() => Person, {
    nullable: true,
    description: 'Who wrote it; null for one that came with an imported audit',
  })
  author(@Parent() comment: Comment, @Context() request: RequestContext): Promise<Person | null> {
    if (comment.authorId === null) return Promise.resolve(null);
    return this.people.byId(request).load(comment.authorId);
  }

  @ResolveField(() => String, { description: 'The name of who wrote it, also where it came with an imported audit' })
  async authorName(@Parent() comment: Comment, @Context() request: RequestContext): Promise<string> {
    const author = await this.author(comment, request);
    return author?.name ?? comment.authorName ?? '';
  }

  @ResolveField(() => [Person], { description: 'Whom it calls, by name' })
  mentions(@Parent() comment: Comment, @Context() request: RequestContext): Promise<Person[]> {
    return this.discussion.mentions(request).load(comment.id);
  }

  @ResolveField(() => CommentConnection, {
    description: 'The answers in the thread that it opened, oldest first; an answer itself has none',
  })
  replies(
    @Parent() comment: Comment,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<CommentConnection> {
    return this.discussion.replies(request).load({ parentId: comment.id, page: { first, after } });
  }

  @ResolveField(() => AuditItem, { description: 'The audit item that it is about' })
  auditItem(@Parent() comment: Comment, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(comment.auditItemId);
  }
}

@Resolver(() => AuditItem)
export class AuditItemCommentsResolver {
  constructor(private readonly discussion: DiscussionService) {}

  @ResolveField(() => CommentConnection, {
    description: 'The comments that opened a thread, oldest first; `replies` has the answers',
  })
  comments(
    @Parent() item: AuditItem,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<CommentConnection> {
    return this.discussion.threads(request).load({ parentId: item.id, page: { first, after } });
  }

  @ResolveField(() => Int, { description: 'How many comments it has, answers included' })
  commentCount(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<number> {
    return this.discussion.countOfItem(request).load(item.id);
  }
}

@Resolver(() => SearchHit)
export class CommentHitResolver {
  constructor(private readonly discussion: DiscussionService) {}

  @ResolveField(() => Comment, { nullable: true, description: 'The comment, for a hit of kind COMMENT' })
  comment(
    @Parent() hit: SearchHit,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
  ): Promise<Comment | null> {
    if (hit.kind !== 'COMMENT') return Promise.resolve(null);
    return this.discussion.hit(viewer, request, hit.id);
  }
}
