import { Injectable } from '@nestjs/common';
import { forbidden, notFound } from '../../domain/errors.js';
import { optionalText, requiredText } from '../../domain/text-limits.js';
import { timeOf } from '../../domain/time.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { RequestContext, Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { once } from '../../platform/database/once.js';
import { groupByKey, oneByKey, perRequest, perRequestPages } from '../../platform/graphql/loader.js';
import { badCursor, toCursor } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { CommentsService } from '../audits/comments.service.js';
import type { Person } from '../projects/projects.types.js';
import type { AddCommentInput, Comment, EditCommentInput } from './discussion.types.js';

/** What people say to each other about audit items, in threads. */
@Injectable()
export class DiscussionService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly audits: AuditsService,
    private readonly comments: CommentsService,
  ) {}

  readonly byId = perRequest(async (ids: readonly string[]): Promise<(Comment | null)[]> => {
    const rows = await this.db.comment.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  /** How many comments an item has, answers included. */
  readonly countOfItem = perRequest(async (itemIds: readonly string[]): Promise<number[]> => {
    const counts = await this.db.comment.groupBy({
      by: ['auditItemId'],
      where: { auditItemId: { in: [...itemIds] } },
      _count: { _all: true },
    });
    return oneByKey(itemIds, counts, ({ auditItemId }) => auditItemId).map((row) => row?._count._all ?? 0);
  });

  /** Whom a comment calls, by name. */
  readonly mentions = perRequest(async (commentIds: readonly string[]): Promise<Person[][]> => {
    const rows = await this.db.commentMention.findMany({
      where: { commentId: { in: [...commentIds] } },
      select: { commentId: true, user: { select: { id: true, name: true, isMachine: true } } },
      orderBy: [{ user: { name: 'asc' } }, { userId: 'asc' }],
    });
    return groupByKey(commentIds, rows, ({ commentId }) => commentId).map((group) => group.map(({ user }) => user));
  });

  /** The openers of the threads of items, oldest first. */
  readonly threads = perRequestPages(
    async (itemIds, take, after) => {
      const items = await this.db.auditItem.findMany({
        where: { id: { in: [...itemIds] } },
        select: {
          id: true,
          _count: { select: { comments: { where: { parentId: null } } } },
          comments: { where: { parentId: null, ...behind(after) }, orderBy: oldestFirst, take },
        },
      });
      return items.map(({ id, comments, _count }) => ({ parentId: id, rows: comments, totalCount: _count.comments }));
    },
    placeOf,
    (row): Comment => row,
    async (itemIds, key) => {
      const where = { auditItemId: { in: [...itemIds] }, parentId: null };
      return (await this.at(key, where)).map(({ auditItemId }) => auditItemId);
    },
  );

  /** The answers in the threads that these comments opened, oldest first. */
  readonly replies = perRequestPages(
    async (commentIds, take, after) => {
      const openers = await this.db.comment.findMany({
        where: { id: { in: [...commentIds] } },
        select: {
          id: true,
          _count: { select: { replies: true } },
          replies: { where: behind(after), orderBy: oldestFirst, take },
        },
      });
      return openers.map(({ id, replies, _count }) => ({ parentId: id, rows: replies, totalCount: _count.replies }));
    },
    placeOf,
    (row): Comment => row,
    async (commentIds, key) =>
      (await this.at(key, { parentId: { in: [...commentIds] } })).map(({ parentId }) => parentId ?? ''),
  );

  /** A comment that was found, if the viewer may still see it. */
  async hit(viewer: Viewer, request: RequestContext, id: string): Promise<Comment | null> {
    return this.access.visible(viewer, await this.byId(request).load(id));
  }

  /** The comment at a place, if it is among these. */
  private async at(place: string, among: Prisma.CommentWhereInput): Promise<Comment[]> {
    const [, id = ''] = place.split(' ');
    const rows = await this.db.comment.findMany({ where: { AND: [among, { id }] } });
    return rows.filter((row) => placeOf(row) === place);
  }

  /** Says something of an item, closed audits included; an answer goes into the thread of what it answers. */
  async add(viewer: Viewer, input: AddCommentInput): Promise<Comment> {
    const item = await this.audits.requireItem(viewer, 'WRITE_AUDITS', input.auditItemId);
    const body = bodyOf(input.body);
    const mentioned = await this.comments.mentionedIn(item.projectId, body, input.mentionIds ?? []);
    const id = await once(this.db, viewer, 'addComment', input, (tx) =>
      this.comments.write(tx, viewer, item, { body, replyTo: input.replyTo ?? null, mentioned }),
    );
    return this.db.comment.findUniqueOrThrow({ where: { id } });
  }

  /** Replaces the text of one's own comment. */
  async edit(viewer: Viewer, input: EditCommentInput): Promise<Comment> {
    const { id, version } = input;
    const found = await this.access.require(
      viewer,
      'WRITE_AUDITS',
      await this.db.comment.findUnique({ where: { id }, include: { auditItem: true } }),
      notFound({ en: `There is no comment "${id}"`, zh: `没有评论“${id}”` }, { id }),
    );
    if (found.authorId !== viewer.id) throw notTheAuthor();
    const body = bodyOf(input.body);
    const mentioned = input.mentionIds
      ? await this.comments.mentionedIn(found.projectId, body, input.mentionIds)
      : await this.comments.mentionedAfter(found, body);
    await once(this.db, viewer, 'editComment', input, async (tx) => {
      await this.comments.edit(tx, viewer, found.auditItem, id, { version, body, mentioned });
      return id;
    });
    return this.db.comment.findUniqueOrThrow({ where: { id } });
  }
}

/** The text as it is, since blanks at its beginning can be Markdown; INVALID_INPUT where nothing is said. */
function bodyOf(body: string): string {
  return optionalText(body, 'body') ?? requiredText(body, 'body');
}

const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];

/** Where a comment stands among others: imported ones keep their time and get new ids. */
function placeOf({ createdAt, id }: Comment): string {
  return `${createdAt.toISOString()} ${id}`;
}

function behind(place: string | null) {
  if (place === null) return {};
  const [time = '', id] = place.split(' ');
  const createdAt = timeOf(time);
  if (id === undefined || createdAt === null) throw badCursor(toCursor(place));
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] };
}

function notTheAuthor() {
  return forbidden({
    en: 'Only its author changes a comment; answer it instead',
    zh: '只有作者本人能修改评论；可以改为回复',
  });
}
