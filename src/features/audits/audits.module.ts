import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditStateResolver } from './audit-state.resolver.js';
import { AuditStateService } from './audit-state.service.js';
import { AuditItemHitResolver, AuditItemResolver, AuditsResolver, ProjectAuditsResolver } from './audits.resolver.js';
import { AuditsService } from './audits.service.js';
import { BulkResolver, BulkItemResultResolver } from './bulk.resolver.js';
import { BulkService } from './bulk.service.js';
import { CommentsService } from './comments.service.js';
import { ExpiryService } from './expiry.service.js';
import {
  AuditHistoryResolver,
  AuditItemHistoryResolver,
  HistoryResolver,
  ProjectHistoryResolver,
} from './history.resolver.js';
import { HistoryService } from './history.service.js';
import { ItemChangesResolver } from './item-changes.resolver.js';
import { ItemChangesService } from './item-changes.service.js';
import { CustomItemsResolver } from './custom-items.resolver.js';
import { CustomItemsService } from './custom-items.service.js';
import { LiveResolver } from './live.resolver.js';
import { LiveService } from './live.service.js';
import { ItemWarningsService } from './item-warnings.service.js';
import { MilestonesService } from './milestones.service.js';
import { OverrulingService } from './overruling.service.js';
import { AuditItemProposalsResolver, ProposalsResolver } from './proposals.resolver.js';
import { ProposalsService } from './proposals.service.js';
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
import { AuditSectionsResolver, SectionProgressResolver } from './sections.resolver.js';
import { SectionsService } from './sections.service.js';

@Module({
  imports: [CatalogModule, ProjectsModule],
  providers: [
    AuditsService,
    CommentsService,
    ScopingService,
    MilestonesService,
    OverrulingService,
    ItemWarningsService,
    CustomItemsService,
    CustomItemsResolver,
    ProposalsService,
    ProposalsResolver,
    AuditItemProposalsResolver,
    ItemChangesService,
    ItemChangesResolver,
    BulkService,
    BulkResolver,
    BulkItemResultResolver,
    AuditStateService,
    AuditStateResolver,
    ExpiryService,
    HistoryService,
    HistoryResolver,
    AuditHistoryResolver,
    AuditItemHistoryResolver,
    ProjectHistoryResolver,
    SectionsService,
    AuditSectionsResolver,
    SectionProgressResolver,
    LiveService,
    LiveResolver,
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
  exports: [AuditsService, CommentsService, MilestonesService, ScopingService],
})
export class AuditsModule {}
