import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditPlanResolver, PlanEntryResolver } from './plan.resolver.js';
import { PlanService } from './plan.service.js';
import {
  AuditTimeBreakdownResolver,
  TimeBreakdownReportResolver,
  TimeBreakdownResolver,
} from './time-breakdown.resolver.js';
import { TimeBreakdownService } from './time-breakdown.service.js';

@Module({
  imports: [AuditsModule, ProjectsModule],
  providers: [
    PlanService,
    AuditPlanResolver,
    PlanEntryResolver,
    TimeBreakdownService,
    AuditTimeBreakdownResolver,
    TimeBreakdownResolver,
    TimeBreakdownReportResolver,
  ],
  exports: [PlanService, TimeBreakdownService],
})
export class PlanningModule {}
