import { Injectable } from '@nestjs/common';
import { mentionedIn } from '../../domain/audit/mentions.js';
import { conflict, invalidInput, notFound } from '../../domain/errors.js';
import type { AuditItem as AuditItemRow, Comment as CommentRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record, type Change } from '../../platform/database/history.js';
import { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { PeopleService, type Member } from '../projects/people.service.js';
import { indexComments } from './comments.search.js';

type CommentedItem = Pick<AuditItemRow, 'id' | 'auditId' | 'projectId'>;

export interface NewComment {
  readonly body: string;
  /** Any comment of the same item; the answer goes into its thread. */
  readonly replyTo?: string | null;
  readonly decision?: 'ACCEPTED' | 'REJECTED' | null;
  /** Who is called, as `mentionedIn` says. */
  readonly mentioned: readonly string[];
}

export interface CommentEdit {
  readonly version: number;
  readonly body: string;
  readonly mentioned: readonly string[];
}

/** The writing of comments: their row, whom they call, the history and the search, all in one transaction. */
@Injectable()
export class CommentsService {
  constructor(
    private readonly db: Database,
    private readonly people: PeopleService,
    private readonly index: SearchIndex,
  ) {}

  /**
   * Whom a comment calls: these people, and those whom its text names after an @. INVALID_INPUT for somebody who may not
   * see the project. Asks the database outside of any transaction.
   */
  async mentionedIn(projectId: string, body: string, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0 && !/[@＠]/.test(body)) return [];
    const people = await this.people.ofProject(projectId);
    const known = new Set(people.map(({ id }) => id));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw nobodyToMention(unknown);
    return [...new Set([...ids, ...mentionedIn(body, people)])];
  }

  /**
   * Whom a comment calls after another text replaces its own: people are named anew, and whoever was called beside the
   * text stays, also where they have left the project since.
   */
  async mentionedAfter({ id, projectId, body: before }: CommentRow, body: string): Promise<string[]> {
    const called = await this.db.commentMention.findMany({ where: { commentId: id }, select: { userId: true } });
    const people: Member[] = await this.people.ofProject(projectId);
    const namedBefore = new Set(mentionedIn(before, people));
    const kept = called.map(({ userId }) => userId).filter((userId) => !namedBefore.has(userId));
    return [...new Set([...kept, ...mentionedIn(body, people)])];
  }

  /** Writes a comment; its id. An answer says that its author has seen the mentions of the thread. */
  async write(tx: Db, viewer: Viewer, item: CommentedItem, comment: NewComment): Promise<string> {
    const { body, decision = null, mentioned } = comment;
    await holdAudit(tx, item.auditId);
    const parentId = await threadOf(tx, item.id, comment.replyTo ?? null);
    const { id } = await tx.comment.create({
      data: { auditItemId: item.id, projectId: item.projectId, authorId: viewer.id, parentId, body, decision },
      select: { id: true },
    });
    await addMentions(tx, viewer, id, mentioned);
    if (parentId !== null) await markThreadSeen(tx, viewer, parentId);
    const after = { body, replyTo: parentId, decision, mentioned: [...mentioned] };
    await record(tx, viewer, [{ ...commentSubject(item, id), field: 'created', after }]);
    await indexComments(tx, this.index, { id });
    return id;
  }

  /** Replaces the text of a comment, and whom it calls. The old ones stay in the history. CONFLICT for a stale version. */
  async edit(tx: Db, viewer: Viewer, item: CommentedItem, id: string, edit: CommentEdit): Promise<void> {
    const { version, body, mentioned } = edit;
    await holdAudit(tx, item.auditId);
    const current = await tx.comment.findUniqueOrThrow({
      where: { id },
      include: { mentions: { select: { userId: true }, orderBy: { userId: 'asc' } } },
    });
    if (current.version !== version) throw staleComment(current, version);
    const before = current.mentions.map(({ userId }) => userId);
    const [gone, added] = [without(before, mentioned), without(mentioned, before)];
    const subject = commentSubject(item, id);
    const changes: Change[] = [];
    if (body !== current.body) changes.push({ ...subject, field: 'body', before: current.body, after: body });
    if (gone.length > 0 || added.length > 0) {
      changes.push({ ...subject, field: 'mentioned', before, after: [...mentioned].sort() });
    }
    if (changes.length === 0) return;
    const { count } = await tx.comment.updateMany({
      where: { id, version },
      data: { body, editedAt: new Date(), version: { increment: 1 } },
    });
    if (count === 0) throw staleComment(await tx.comment.findUniqueOrThrow({ where: { id } }), version);
    await tx.commentMention.deleteMany({ where: { commentId: id, userId: { in: gone } } });
    await addMentions(tx, viewer, id, added);
    await record(tx, viewer, changes);
    if (body !== current.body) await indexComments(tx, this.index, { id });
  }

  /** Writes into the search index all comments on these items: after they were copied, or their items changed. */
  async reindex(tx: Db, ...auditItemIds: string[]): Promise<void> {
    if (auditItemIds.length === 0) return;
    await indexComments(tx, this.index, { auditItemId: { in: auditItemIds } });
  }
}

/** Until the end of the transaction nobody gives the item another title, under which the search would not know the comment. */
async function holdAudit(tx: Db, auditId: string): Promise<void> {
  await tx.$queryRaw`SELECT "id" FROM "Audit" WHERE "id" = ${auditId} FOR SHARE`;
}

/** The comment that opened the thread of a comment of this item; null where a new thread is to begin. */
async function threadOf(tx: Db, auditItemId: string, replyTo: string | null): Promise<string | null> {
  if (replyTo === null) return null;
  const found = await tx.comment.findFirst({
    where: { id: replyTo, auditItemId },
    select: { id: true, parentId: true },
  });
  if (found === null) {
    throw notFound(
      { en: `There is no comment "${replyTo}" on this item`, zh: `该条目下没有评论“${replyTo}”` },
      { id: replyTo },
    );
  }
  return found.parentId ?? found.id;
}

/** Whoever calls themselves need not be told. */
async function addMentions(tx: Db, viewer: Viewer, commentId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const now = new Date();
  await tx.commentMention.createMany({
    data: userIds.map((userId) => ({ commentId, userId, seenAt: userId === viewer.id ? now : null })),
  });
}

async function markThreadSeen(tx: Db, viewer: Viewer, opener: string): Promise<void> {
  await tx.commentMention.updateMany({
    where: { userId: viewer.id, seenAt: null, comment: { OR: [{ id: opener }, { parentId: opener }] } },
    data: { seenAt: new Date() },
  });
}

function commentSubject({ id, auditId, projectId }: CommentedItem, commentId: string) {
  return { projectId, auditId, auditItemId: id, subject: 'comment', subjectId: commentId } as const;
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  return ids.filter((id) => !others.includes(id));
}

/** What to throw for a change that is based on an older version of the comment. */
function staleComment({ id, version, body, editedAt }: CommentRow, given: number) {
  return conflict(
    {
      en: `This comment changed meanwhile: it is at version ${version}, and your change is based on ${given}`,
      zh: `该评论已被修改：当前版本为 ${version}，而本次修改基于 ${given}`,
    },
    { current: { id, version, body, editedAt } },
  );
}

function nobodyToMention(id: string) {
  return invalidInput(
    {
      en: `mentionIds: "${id}" is nobody who may see this project; Project.people lists who is`,
      zh: `mentionIds：“${id}”不是可查看该项目的人员；可用 Project.people 查询`,
    },
    { place: 'mentionIds', id },
  );
}
