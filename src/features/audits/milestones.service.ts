import { Injectable } from '@nestjs/common';
import type { MilestoneSnapshot } from '../../domain/audit/milestone.js';
import { conflict } from '../../domain/errors.js';
import { freeName, isSameName } from '../../domain/free-name.js';
import { textIn, type BothLanguages } from '../../domain/locale.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { snapshotOf } from './milestones.queries.js';

/** Keeps how an audit stands, for good. */
@Injectable()
export class MilestonesService {
  /**
   * Takes a milestone in the caller's transaction; its id. Whether the audit may be changed is for the caller to see, who
   * holds it: CONFLICT where it has a milestone of this name.
   */
  async take(tx: Db, viewer: Viewer, auditId: string, name: string): Promise<string> {
    const same = (await namesOf(tx, auditId)).find((one) => isSameName(one.name, name));
    if (same) throw nameTaken(same);
    return this.keep(tx, viewer, auditId, name);
  }

  /** As `take`, under a name that is given by itself and can come again: then it has a number. */
  async takeNumbered(tx: Db, viewer: Viewer, auditId: string, name: BothLanguages): Promise<string> {
    const taken = (await namesOf(tx, auditId)).map((one) => one.name);
    const nameOf = (count: number) => textIn(count === 1 ? name : numbered(name, count), viewer.locale);
    return this.keep(tx, viewer, auditId, freeName(nameOf, taken));
  }

  private async keep(tx: Db, viewer: Viewer, auditId: string, name: string): Promise<string> {
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

interface NamedMilestone {
  readonly id: string;
  readonly name: string;
}

function namesOf(tx: Db, auditId: string): Promise<NamedMilestone[]> {
  return tx.milestone.findMany({ where: { auditId }, select: { id: true, name: true }, orderBy: { id: 'asc' } });
}

function numbered({ en, zh }: BothLanguages, count: number): BothLanguages {
  return { en: `${en} (${count})`, zh: `${zh}（${count}）` };
}

function nameTaken({ id, name }: NamedMilestone) {
  return conflict(
    {
      en: `The audit has a milestone "${name}" already; choose another name`,
      zh: `该审计已有里程碑“${name}”，请换一个名称`,
    },
    { current: { id, name } },
  );
}
