import { Injectable } from '@nestjs/common';
import type { MilestoneSnapshot } from '../../domain/audit/milestone.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { snapshotOf } from './milestones.queries.js';

/** Keeps how an audit stands, for good. */
@Injectable()
export class MilestonesService {
  /** Takes a milestone in the caller's transaction; its id. Whether the audit may be changed is for the caller to see. */
  async take(tx: Db, viewer: Viewer, auditId: string, name: string): Promise<string> {
    const { projectId } = await tx.audit.findUniqueOrThrow({ where: { id: auditId }, select: { projectId: true } });
    const snapshot = await snapshotOf(tx, auditId);
    const { id } = await tx.milestone.create({
      data: { auditId, projectId, name, snapshot: toJson(snapshot), createdById: viewer.id },
      select: { id: true },
    });
    const after = { name, release: snapshot.release, progress: snapshot.progress };
    await record(tx, viewer, [
      { projectId, auditId, subject: 'milestone', subjectId: id, field: 'created', after: toJson(after) },
    ]);
    return id;
  }

  /** What a milestone would keep of an audit now. */
  now(db: Db, auditId: string): Promise<MilestoneSnapshot> {
    return snapshotOf(db, auditId);
  }
}
