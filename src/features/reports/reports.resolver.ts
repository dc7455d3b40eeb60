import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { Locale } from '../../generated/prisma/enums.js';
import { CurrentViewer, type Viewer } from '../../platform/auth/viewer.js';
import { AuditExportsService } from './audit-exports.service.js';
import { AuditImportService } from './audit-import.service.js';
import { AuditExport, AuditImportReport, ExportFormat, ImportAuditInput } from './reports.types.js';

@Resolver()
export class ReportsResolver {
  constructor(
    private readonly exports: AuditExportsService,
    private readonly imports: AuditImportService,
  ) {}

  @Query(() => AuditExport, { description: 'All of one audit as a file, for whoever may read it' })
  auditExport(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'Id of the audit' }) id: string,
    @Args('format', { type: () => ExportFormat, description: 'What kind of file' }) format: ExportFormat,
    @Args('locale', {
      type: () => Locale,
      nullable: true,
      description: "Language of a report; the viewer's where absent",
    })
    locale: Locale | null,
  ): Promise<AuditExport> {
    return this.exports.export(viewer, id, format, locale ?? viewer.locale);
  }

  @Mutation(() => AuditImportReport, {
    description:
      'An exported audit becomes one of a project. Its checklist must be there in the same release. Runs that the project ' +
      'has are used as they are. A file is the word of whoever imports it: decisions of reviewers need their right, and ' +
      'nothing of it may lie in the future. Where a problem is blocking, nothing is written.',
  })
  importAudit(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: ImportAuditInput,
  ): Promise<AuditImportReport> {
    return this.imports.importAudit(viewer, input);
  }
}
