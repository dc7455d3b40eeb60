import { Injectable } from '@nestjs/common';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { AuditsService, noAudit } from '../audits/audits.service.js';
import { readAudit } from './audit-record.queries.js';
import { toAuditRecord } from './audit-record.rows.js';

/** Gathers everything that one audit is. */
@Injectable()
export class AuditRecordService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly audits: AuditsService,
  ) {}

  /**
   * The record of an audit as it is at one moment; NOT_FOUND for a stranger. `samples` inside runs can be many: a report
   * that shows none leaves them out.
   */
  async of(viewer: Viewer, auditId: string, samples: 'WITH_SAMPLES' | 'WITHOUT_SAMPLES'): Promise<AuditRecord> {
    await this.audits.require(viewer, 'READ_PROJECT', auditId);
    const rows = await this.db.$transaction((tx) => readAudit(tx, auditId, samples), {
      isolationLevel: 'RepeatableRead',
    });
    if (!rows) throw noAudit(auditId);
    const notes = await this.access.allVisible(viewer, rows.notes);
    return toAuditRecord(rows, new Map(notes.map((note) => [note.id, note])), new Date());
  }

  /** The record of an audit that was written in an open transaction, without what happened inside the runs. */
  async inTransaction(tx: Db, auditId: string): Promise<AuditRecord> {
    const rows = await readAudit(tx, auditId, 'WITHOUT_SAMPLES');
    if (!rows) throw noAudit(auditId);
    // Whoever wrote it linked only notes that they may see
    return toAuditRecord(rows, new Map(rows.notes.map((note) => [note.id, note])), new Date());
  }
}
