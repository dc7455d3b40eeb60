import { Module } from '@nestjs/common';
import { MeasurementsModule } from '../measurements/measurements.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ProjectFleetResolver, RunDerivedResolver, TrialSavingsResolver } from './derived.resolver.js';
import { DerivedService } from './derived.service.js';
import { FleetService } from './fleet.service.js';

@Module({
  imports: [ProjectsModule, MeasurementsModule],
  providers: [FleetService, DerivedService, ProjectFleetResolver, RunDerivedResolver, TrialSavingsResolver],
  exports: [DerivedService, FleetService],
})
export class DerivedModule {}
