/** Most items that are named one by one; with more, whoever follows reads the audit anew. */
const MOST_ITEMS = 100;

/** What is new in an audit. */
export interface AuditNews {
  /** MISSED: changes may have been lost, so that all is to be read anew. */
  readonly kind: 'CHANGED' | 'MISSED';
  /** The items that changed, none where it was the audit itself; null where they are too many to name. */
  readonly itemIds: readonly string[] | null;
}

/** The news of one audit for one reader. What comes while the reader is busy is joined, so that it never piles up. */
export class Follower implements AsyncIterableIterator<AuditNews> {
  private pending: AuditNews | null = null;
  private waiting: ((result: IteratorResult<AuditNews>) => void) | null = null;
  private isOver = false;

  constructor(private readonly left: () => void) {}

  tell(news: AuditNews): void {
    if (this.isOver) return;
    this.pending = this.pending === null ? news : joined(this.pending, news);
    this.deliver();
  }

  next(): Promise<IteratorResult<AuditNews>> {
    if (this.isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((settle) => {
      this.waiting = settle;
      this.deliver();
    });
  }

  return(): Promise<IteratorResult<AuditNews>> {
    if (!this.isOver) {
      this.isOver = true;
      this.left();
      this.waiting?.({ done: true, value: undefined });
      this.waiting = null;
    }
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private deliver(): void {
    if (this.pending === null || this.waiting === null) return;
    const [value, settle] = [this.pending, this.waiting];
    this.pending = null;
    this.waiting = null;
    settle({ done: false, value });
  }
}

function joined(one: AuditNews, other: AuditNews): AuditNews {
  const kind = one.kind === 'MISSED' || other.kind === 'MISSED' ? 'MISSED' : 'CHANGED';
  if (one.itemIds === null || other.itemIds === null) return { kind, itemIds: null };
  const itemIds = [...new Set([...one.itemIds, ...other.itemIds])];
  return { kind, itemIds: itemIds.length > MOST_ITEMS ? null : itemIds };
}
