import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { MeasurementsModule } from '../measurements/measurements.module.js';
import { SeriesPointsService } from './series-points.service.js';
import {
  AppliedMarkResolver,
  PointArmResolver,
  ProjectSeriesResolver,
  SeriesPointResolver,
  SeriesResolver,
} from './series.resolver.js';
import { SeriesService } from './series.service.js';

@Module({
  imports: [CatalogModule, AuditsModule, MeasurementsModule],
  providers: [
    SeriesService,
    SeriesPointsService,
    ProjectSeriesResolver,
    SeriesResolver,
    SeriesPointResolver,
    PointArmResolver,
    AppliedMarkResolver,
  ],
})
export class SeriesModule {}
