import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../domain/errors.js';
import { Access, type VisibleProjects } from '../../platform/auth/access.js';
import { requirePerson, type Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { once } from '../../platform/database/once.js';
import { pageOf, pageSize, startAfterOne, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import { queueCounts, queueEntries, type QueueScope } from './queue.queries.js';
import { QueueKind, type MarkMentionsSeenInput, type QueueCount, type QueueEntry } from './queue.types.js';

const allKinds = Object.values(QueueKind);

/** Most comments that are marked at once. */
const MOST_COMMENTS = 100;

/** What waits for a person, over all projects that they may see now. */
@Injectable()
export class QueueService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
  ) {}

  async entries(viewer: Viewer, kinds: readonly QueueKind[], page: PageRequest): Promise<Connection<QueueEntry>> {
    const first = pageSize(page.first);
    const scope = await this.scopeOf(viewer);
    const after = await startAfterOne(page, (key) => this.isPlace(key, scope));
    const rows = await queueEntries(this.db, scope, kinds, { after, take: first + 1 });
    const isWhole = rows.length <= first && after === null;
    const totalCount = isWhole ? rows.length : sumOf(await queueCounts(this.db, scope), kinds);
    return pageOf(
      rows,
      page,
      totalCount,
      ({ key }) => key,
      (row) => row,
    );
  }

  /** How much of each kind waits, those of which nothing does included. */
  async counts(viewer: Viewer): Promise<QueueCount[]> {
    const counts = await queueCounts(this.db, await this.scopeOf(viewer));
    return allKinds.map((kind) => ({ kind, count: sumOf(counts, [kind]) }));
  }

  /** The viewer has seen these comments. NOT_FOUND for one that does not call the viewer, or that is hidden. */
  async markSeen(viewer: Viewer, input: MarkMentionsSeenInput): Promise<void> {
    requirePerson(viewer);
    const ids = [...new Set(input.commentIds)];
    if (ids.length > MOST_COMMENTS) throw tooMany(ids.length);
    const own = await this.db.commentMention.findMany({
      where: { userId: viewer.id, commentId: { in: ids } },
      select: { comment: { select: { id: true, projectId: true } } },
    });
    const seen = await this.access.allVisible(
      viewer,
      own.map(({ comment }) => comment),
    );
    const missing = ids.find((id) => !seen.some((comment) => comment.id === id));
    if (missing !== undefined) throw notMentioned(missing);
    await once(this.db, viewer, 'markMentionsSeen', input, async (tx) => {
      await tx.commentMention.updateMany({
        where: { userId: viewer.id, commentId: { in: ids }, seenAt: null },
        data: { seenAt: new Date() },
      });
      return viewer.id;
    });
  }

  /** Whether a text is the place of an entry, be it done in the meantime: of one kind, and of an item in sight. */
  private async isPlace(key: string, { visible }: QueueScope): Promise<boolean> {
    const [, kind, id] = /^[01]\|(?:\d{17}|~)\|[0-2]\|\d{17}\|([A-Z]+)\|(.+)$/.exec(key) ?? [];
    if (id === undefined || !allKinds.some((one) => one === kind)) return false;
    const item = await this.db.auditItem.findUnique({ where: { id }, select: { projectId: true } });
    return item !== null && (visible === 'ALL' || visible.includes(item.projectId));
  }

  private async scopeOf(viewer: Viewer): Promise<QueueScope> {
    const visible = await this.access.visibleProjects(viewer);
    const reviewable = visible === 'ALL' ? visible : await this.reviewable(viewer, visible);
    return { viewerId: viewer.id, visible, reviewable, now: new Date() };
  }

  private async reviewable(viewer: Viewer, projectIds: readonly string[]): Promise<VisibleProjects> {
    const granted = await Promise.all(projectIds.map((id) => this.access.permissionsIn(id, viewer)));
    return projectIds.filter((_, place) => granted[place]?.includes('REVIEW_AUDITS'));
  }
}

function sumOf(counts: readonly QueueCount[], kinds: readonly QueueKind[]): number {
  return counts.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { count }) => sum + count, 0);
}

function tooMany(given: number) {
  return invalidInput(
    {
      en: `commentIds has ${given} entries; at most ${MOST_COMMENTS} are taken`,
      zh: `commentIds 有 ${given} 项，最多 ${MOST_COMMENTS} 项`,
    },
    { place: 'commentIds', limit: MOST_COMMENTS },
  );
}

function notMentioned(id: string) {
  return notFound(
    { en: `There is no comment "${id}" that calls you`, zh: `没有提到你的评论“${id}”` },
    { place: 'commentIds', id },
  );
}
