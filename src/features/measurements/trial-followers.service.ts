import { Injectable } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';

/** Does in the transaction what follows from new computations of trials of these items. */
export type TrialFollower = (tx: Db, auditItemIds: readonly string[]) => Promise<void>;

/** Tells features that measurements know nothing of what their own data must follow. */
@Injectable()
export class TrialFollowersService {
  private readonly followers: TrialFollower[] = [];

  add(follower: TrialFollower): void {
    this.followers.push(follower);
  }

  async tell(tx: Db, auditItemIds: readonly string[]): Promise<void> {
    for (const follower of this.followers) await follower(tx, auditItemIds);
  }
}
