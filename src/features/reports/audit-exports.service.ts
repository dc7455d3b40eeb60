import { Injectable } from '@nestjs/common';
import type { GivenFleet } from '../../domain/derived/fleet.js';
import { inBoth, type Locale } from '../../domain/locale.js';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { AuditsService } from '../audits/audits.service.js';
import type { Audit } from '../audits/audits.types.js';
import { PlanService } from '../planning/plan.service.js';
import type { Reading } from './audit-record.queries.js';
import { AuditRecordService } from './audit-record.service.js';
import { renderCsv } from './render/csv.js';
import { renderHtml } from './render/html.js';
import { renderMarkdown } from './render/markdown.js';
import type { NextStep } from './render/report-summary.js';
import type { AuditExport, ExportFormat } from './reports.types.js';

/** How each format is written; only that which is read again has what happened inside the runs. */
const formats: Readonly<
  Record<
    `${ExportFormat}`,
    {
      readonly extension: string;
      readonly mediaType: string;
      readonly reading: Reading;
      /** Whether it says what is next by the plan, and what the gains are worth to the fleet of the project. */
      readonly plan: 'WITH_PLAN' | 'WITHOUT_PLAN';
      readonly render: (
        record: AuditRecord,
        locale: Locale,
        next: readonly NextStep[],
        fleet: GivenFleet | null,
      ) => string;
    }
  >
> = {
  JSON: {
    extension: 'json',
    mediaType: 'application/json',
    reading: 'WITH_SAMPLES',
    plan: 'WITHOUT_PLAN',
    render: (record) => `${JSON.stringify(record, null, 2)}\n`,
  },
  MARKDOWN: {
    extension: 'md',
    mediaType: 'text/markdown',
    reading: 'FOR_REPORT',
    plan: 'WITH_PLAN',
    render: renderMarkdown,
  },
  HTML: {
    extension: 'html',
    mediaType: 'text/html',
    reading: 'FOR_REPORT',
    plan: 'WITH_PLAN',
    render: renderHtml,
  },
  CSV: { extension: 'csv', mediaType: 'text/csv', reading: 'FOR_REPORT', plan: 'WITHOUT_PLAN', render: renderCsv },
};

/** Audits as files. */
@Injectable()
export class AuditExportsService {
  constructor(
    private readonly records: AuditRecordService,
    private readonly audits: AuditsService,
    private readonly plans: PlanService,
  ) {}

  /** One audit as a file; NOT_FOUND for a stranger. */
  async export(viewer: Viewer, auditId: string, format: `${ExportFormat}`, locale: Locale): Promise<AuditExport> {
    const { extension, mediaType, reading, plan, render } = formats[format];
    const audit = await this.audits.require(viewer, 'READ_PROJECT', auditId);
    const { record, fleet } = await this.records.of(viewer, auditId, reading);
    const next = plan === 'WITH_PLAN' ? await this.next(viewer, audit) : [];
    // JSON has every text in both languages
    const language = format === 'JSON' ? '' : `-${locale.toLowerCase()}`;
    return {
      fileName: `${fileNameOf(record)}${language}.${extension}`,
      mediaType,
      content: render(record, locale, next, fleet),
    };
  }

  /** The first items of the plan; none where the audit is closed. */
  private async next(viewer: Viewer, audit: Audit): Promise<readonly NextStep[]> {
    if (audit.status === 'CLOSED') return [];
    const entries = await this.plans.entries({}).load({ audit, viewer, which: 'OPEN' });
    return entries.slice(0, NEXT_STEPS).map(({ id, explanation }) => ({
      itemId: id,
      explanation: explanation.map(inBoth),
    }));
  }
}

const NEXT_STEPS = 5;

/** Project and day, and enough of the id to tell audits of one day apart: no text of a person is in the name of a file. */
function fileNameOf({ audit, project, exportedAt }: AuditRecord): string {
  return `tunebook-${project.slug}-${audit.id.slice(-12)}-${exportedAt.slice(0, 10)}`;
}
