import { Injectable } from '@nestjs/common';
import type { GivenFleet } from '../../domain/derived/fleet.js';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { noAudit } from '../audits/audits.service.js';
import { fleetOfHead, readAudit, type Reading } from './audit-record.queries.js';
import { toAuditRecord } from './audit-record.rows.js';

/** An audit, and what its project says of the fleet that runs it. */
export interface ReportedAudit {
  readonly record: AuditRecord;
  readonly fleet: GivenFleet | null;
}

/** Gathers everything that one audit is. */
@Injectable()
export class AuditRecordService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
  ) {}

  /**
   * The record of an audit that the viewer may see, as it is at one moment. What a report does not show is not read for
   * one: the history, and what runs observed.
   */
  async of(viewer: Viewer, auditId: string, reading: Reading): Promise<ReportedAudit> {
    const rows = await this.db.$transaction((tx) => readAudit(tx, auditId, reading), {
      isolationLevel: 'RepeatableRead',
    });
    if (!rows) throw noAudit(auditId);
    const notes = await this.access.allVisible(viewer, rows.notes);
    const record = toAuditRecord(rows, new Map(notes.map((note) => [note.id, note])), new Date());
    return { record, fleet: fleetOfHead(rows.head) };
  }

  /** The record of an audit that was written in an open transaction, without what happened inside the runs. */
  async inTransaction(tx: Db, auditId: string): Promise<AuditRecord> {
    const rows = await readAudit(tx, auditId, 'WITHOUT_SAMPLES');
    if (!rows) throw noAudit(auditId);
    // Whoever wrote it linked only notes that they may see
    return toAuditRecord(rows, new Map(rows.notes.map((note) => [note.id, note])), new Date());
  }
}
