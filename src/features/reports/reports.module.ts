import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { DerivedModule } from '../derived/derived.module.js';
import { MeasurementsModule } from '../measurements/measurements.module.js';
import { PlanningModule } from '../planning/planning.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditExportsService } from './audit-exports.service.js';
import { AuditImportService } from './audit-import.service.js';
import { AuditSavingsMetricResolver, AuditSavingsResolver, SavingStepResolver } from './audit-savings.resolver.js';
import { AuditSavingsService } from './audit-savings.service.js';
import { AuditRecordService } from './audit-record.service.js';
import { ImportTargetService } from './import-target.service.js';
import { GainSummaryResolver, PortfolioProjectResolver, PortfolioResolver } from './portfolio.resolver.js';
import { PortfolioService } from './portfolio.service.js';
import { RecordWriterService } from './record-writer.service.js';
import { ReportsResolver } from './reports.resolver.js';
import {
  AuditWaterfallResolver,
  EndToEndCheckResolver,
  WaterfallResolver,
  WaterfallStepResolver,
} from './waterfall.resolver.js';
import { WaterfallService } from './waterfall.service.js';

@Module({
  imports: [AuditsModule, CatalogModule, DerivedModule, MeasurementsModule, PlanningModule, ProjectsModule],
  providers: [
    AuditRecordService,
    AuditExportsService,
    ImportTargetService,
    RecordWriterService,
    AuditImportService,
    ReportsResolver,
    PortfolioService,
    PortfolioResolver,
    PortfolioProjectResolver,
    GainSummaryResolver,
    WaterfallService,
    AuditWaterfallResolver,
    WaterfallResolver,
    WaterfallStepResolver,
    EndToEndCheckResolver,
    AuditSavingsService,
    AuditSavingsResolver,
    AuditSavingsMetricResolver,
    SavingStepResolver,
  ],
})
export class ReportsModule {}
