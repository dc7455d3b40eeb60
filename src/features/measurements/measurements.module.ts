import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditMeasurementsService } from './audit-measurements.service.js';
import { ColumnMappingsService } from './column-mappings.service.js';
import { ImportContents } from './import-contents.service.js';
import { ImportContexts } from './import-context.service.js';
import { ColumnMappingsResolver, ImportedRunResolver, ImportsResolver, RunImportResolver } from './imports.resolver.js';
import { ImportsService } from './imports.service.js';
import {
  AuditItemTrialsResolver,
  ComparisonResolver,
  ObservationResolver,
  ProjectRunsResolver,
  RunsResolver,
  TrialsResolver,
} from './measurements.resolver.js';
import { MeasurementsService } from './measurements.service.js';
import { RunCreatorResolver, TrialCreatorResolver } from './recorded-by.resolver.js';
import { NoiseFloorResolver, ProjectNoiseResolver } from './noise.resolver.js';
import { NoiseService } from './noise.service.js';
import { OverridesService } from './overrides.service.js';
import { RecomputationService } from './recomputation.service.js';
import {
  AuditMeasurementsResolver,
  ChangedVerdictResolver,
  ReportedComparisonResolver,
  TrialChangesResolver,
} from './trial-changes.resolver.js';
import { TrialChangesService } from './trial-changes.service.js';
import { TrialFollowersService } from './trial-followers.service.js';
import { TrialExtensionService } from './trial-extension.service.js';
import { TrialsService } from './trials.service.js';
import { RunDifferencesService } from './run-differences.service.js';

@Module({
  imports: [CatalogModule, ProjectsModule, AuditsModule],
  providers: [
    MeasurementsService,
    TrialsService,
    TrialChangesService,
    TrialFollowersService,
    TrialExtensionService,
    OverridesService,
    RecomputationService,
    NoiseService,
    AuditMeasurementsService,
    ImportsService,
    ImportContents,
    ImportContexts,
    ColumnMappingsService,
    RunDifferencesService,
    ImportsResolver,
    RunImportResolver,
    ImportedRunResolver,
    ColumnMappingsResolver,
    RunsResolver,
    TrialChangesResolver,
    ChangedVerdictResolver,
    AuditMeasurementsResolver,
    ReportedComparisonResolver,
    ProjectNoiseResolver,
    NoiseFloorResolver,
    ObservationResolver,
    TrialsResolver,
    ComparisonResolver,
    AuditItemTrialsResolver,
    ProjectRunsResolver,
    RunCreatorResolver,
    TrialCreatorResolver,
  ],
  exports: [MeasurementsService, TrialFollowersService],
})
export class MeasurementsModule {}
