import { Injectable } from '@nestjs/common';
import { inReport } from '../../domain/measurement/report-family.js';
import { Database } from '../../platform/database/database.js';
import { groupByKey, perRequest } from '../../platform/graphql/loader.js';
import type { AuditMeasurements } from './audit-measurements.types.js';
import { newestRows, toComparison } from './measurements.queries.js';

/** Most comparisons that are shown; the correction is over all. */
const LIST_LIMIT = 1_000;

/** What the trials of audits say together. */
@Injectable()
export class AuditMeasurementsService {
  constructor(private readonly db: Database) {}

  /** In two statements for any number of audits. */
  readonly ofAudit = perRequest(async (auditIds: readonly string[]): Promise<AuditMeasurements[]> => {
    const trials = await this.db.trial.findMany({
      where: { auditItem: { auditId: { in: [...auditIds] } }, verdict: { not: null } },
      orderBy: { id: 'asc' },
      select: { id: true, isControl: true, looks: true, auditItem: { select: { auditId: true } } },
    });
    const ids = trials.map(({ id }) => id);
    const rows = groupByKey(ids, await newestRows(this.db, ids, 'PRIMARY'), ({ trialId }) => trialId ?? '');
    const primary = trials.flatMap(({ id, isControl, looks, auditItem }, index) =>
      (rows[index] ?? []).map((row) => ({ ...row, trialId: id, isControl, looks, auditId: auditItem.auditId })),
    );
    return groupByKey(auditIds, primary, ({ auditId }) => auditId).map((own) => {
      const judged = inReport(own);
      const comparisons = own.map(({ auditId: _, isControl: __, looks: ___, ...row }, index) => ({
        trialId: row.trialId,
        comparison: toComparison(row),
        reportAdjustedP: judged[index]?.reportAdjustedP ?? null,
        survivesReport: judged[index]?.survivesReport ?? null,
      }));
      return {
        claimCount: judged.filter(({ survivesReport }) => survivesReport !== null).length,
        survivingCount: judged.filter(({ survivesReport }) => survivesReport === true).length,
        comparisons: comparisons.slice(0, LIST_LIMIT),
      };
    });
  });
}
