import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import {
  ApplicabilityResolver,
  EnvironmentResolver,
  ItemInEnvironmentResolver,
  ProjectsResolver,
  ViewerResolver,
} from './projects.resolver.js';
import { EnvironmentsService } from './environments.service.js';
import { PeopleService } from './people.service.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [CatalogModule],
  providers: [
    ProjectsService,
    EnvironmentsService,
    PeopleService,
    ProjectsResolver,
    ViewerResolver,
    EnvironmentResolver,
    ApplicabilityResolver,
    ItemInEnvironmentResolver,
  ],
  exports: [ProjectsService, EnvironmentsService, PeopleService],
})
export class ProjectsModule {}
