import { Injectable } from '@nestjs/common';
import type { Locale } from '../../domain/locale.js';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { AuditRecordService } from './audit-record.service.js';
import { renderCsv } from './render/csv.js';
import { renderHtml } from './render/html.js';
import { renderMarkdown } from './render/markdown.js';
import type { AuditExport, ExportFormat } from './reports.types.js';

/** How each format is written; only that which is read again has what happened inside the runs. */
const formats: Readonly<
  Record<
    `${ExportFormat}`,
    {
      readonly extension: string;
      readonly mediaType: string;
      readonly samples: 'WITH_SAMPLES' | 'WITHOUT_SAMPLES';
      readonly render: (record: AuditRecord, locale: Locale) => string;
    }
  >
> = {
  JSON: {
    extension: 'json',
    mediaType: 'application/json',
    samples: 'WITH_SAMPLES',
    render: (record) => `${JSON.stringify(record, null, 2)}\n`,
  },
  MARKDOWN: { extension: 'md', mediaType: 'text/markdown', samples: 'WITHOUT_SAMPLES', render: renderMarkdown },
  HTML: { extension: 'html', mediaType: 'text/html', samples: 'WITHOUT_SAMPLES', render: renderHtml },
  CSV: { extension: 'csv', mediaType: 'text/csv', samples: 'WITHOUT_SAMPLES', render: renderCsv },
};

/** Audits as files. */
@Injectable()
export class AuditExportsService {
  constructor(private readonly records: AuditRecordService) {}

  /** One audit as a file; NOT_FOUND for a stranger. */
  async export(viewer: Viewer, auditId: string, format: `${ExportFormat}`, locale: Locale): Promise<AuditExport> {
    const { extension, mediaType, samples, render } = formats[format];
    const record = await this.records.of(viewer, auditId, samples);
    // JSON has every text in both languages
    const language = format === 'JSON' ? '' : `-${locale.toLowerCase()}`;
    return {
      fileName: `${fileNameOf(record)}${language}.${extension}`,
      mediaType,
      content: render(record, locale),
    };
  }
}

/** Project and day, and enough of the id to tell audits of one day apart: no text of a person is in the name of a file. */
function fileNameOf({ audit, project, exportedAt }: AuditRecord): string {
  return `tunebook-${project.slug}-${audit.id.slice(-12)}-${exportedAt.slice(0, 10)}`;
}
