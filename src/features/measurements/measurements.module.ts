import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
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

@Module({
  imports: [CatalogModule, ProjectsModule, AuditsModule],
  providers: [
    MeasurementsService,
    ImportsService,
    RunsResolver,
    ObservationResolver,
    TrialsResolver,
    ComparisonResolver,
    AuditItemTrialsResolver,
    ProjectRunsResolver,
    RunCreatorResolver,
    TrialCreatorResolver,
  ],
  exports: [MeasurementsService],
})
export class MeasurementsModule {}
