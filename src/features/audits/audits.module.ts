import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditItemHitResolver, AuditItemResolver, AuditsResolver, ProjectAuditsResolver } from './audits.resolver.js';
import { AuditsService } from './audits.service.js';

@Module({
  imports: [CatalogModule, ProjectsModule],
  providers: [AuditsService, AuditsResolver, AuditItemResolver, ProjectAuditsResolver, AuditItemHitResolver],
  exports: [AuditsService],
})
export class AuditsModule {}
