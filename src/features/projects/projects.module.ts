import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { EnvironmentResolver, ItemApplicabilityResolver, ProjectsResolver } from './projects.resolver.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [CatalogModule],
  providers: [ProjectsService, ProjectsResolver, EnvironmentResolver, ItemApplicabilityResolver],
  exports: [ProjectsService],
})
export class ProjectsModule {}
