import { Injectable } from '@nestjs/common';
import { auditSavings } from '../../domain/derived/audit-savings.js';
import { waterfallsOf } from '../../domain/report/waterfall.js';
import { Database } from '../../platform/database/database.js';
import { perRequest } from '../../platform/graphql/loader.js';
import type { Audit } from '../audits/audits.types.js';
import { DerivedService } from '../derived/derived.service.js';
import type { FleetInput } from '../derived/fleet.types.js';
import type { AuditSavings } from './audit-savings.types.js';
import { waterfallInputs } from './waterfall.queries.js';

/** What the applied items of audits are worth to the fleet. */
@Injectable()
export class AuditSavingsService {
  constructor(
    private readonly db: Database,
    private readonly derived: DerivedService,
  ) {}

  private readonly inputs = perRequest(async (auditIds: readonly string[]) => {
    const found = await waterfallInputs(this.db, auditIds);
    return auditIds.map((id) => found.get(id) ?? null);
  });

  /** One for each waterfall of an audit that the viewer may see. */
  async ofAudit(request: object, audit: Audit, given: FleetInput | null): Promise<AuditSavings[]> {
    const fleet = await this.derived.fleet(request, audit.projectId, given);
    const input = await this.inputs(request).load(audit.id);
    if (!input) return [];
    return waterfallsOf(input).map((waterfall) => {
      const metric = input.metricsById.get(waterfall.metric);
      const scope = metric?.scope === '' ? 'CATALOG' : 'PROJECT';
      const { metric: metricId, steps, remarks, ...rest } = auditSavings(waterfall, scope, fleet, metric?.key ?? '');
      return {
        ...rest,
        metricId,
        steps: steps.map(({ itemKey, ...step }) => ({ ...step, auditItemId: input.itemIds.get(itemKey) ?? itemKey })),
        remarks: [...remarks],
      };
    });
  }
}
