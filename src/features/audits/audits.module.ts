import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditItemHitResolver, AuditItemResolver, AuditsResolver, ProjectAuditsResolver } from './audits.resolver.js';
import { AuditsService } from './audits.service.js';
import { ItemWarningsService } from './item-warnings.service.js';
import { OverrulingService } from './overruling.service.js';
import {
  AuditItemScopeResolver,
  AuditScopeChangeResolver,
  AuditScopeResolver,
  EnvironmentChangeResolver,
  ItemScopeChangeResolver,
  ItemWarningResolver,
  ScopeHardwareResolver,
  ScopingResolver,
} from './scoping.resolver.js';
import { ScopingService } from './scoping.service.js';

@Module({
  imports: [CatalogModule, ProjectsModule],
  providers: [
    AuditsService,
    ScopingService,
    OverrulingService,
    ItemWarningsService,
    AuditsResolver,
    AuditItemResolver,
    ProjectAuditsResolver,
    AuditItemHitResolver,
    ScopingResolver,
    EnvironmentChangeResolver,
    AuditScopeChangeResolver,
    ItemScopeChangeResolver,
    AuditScopeResolver,
    ScopeHardwareResolver,
    AuditItemScopeResolver,
    ItemWarningResolver,
  ],
  exports: [AuditsService],
})
export class AuditsModule {}
