import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { AuditMilestonesService } from './audit-milestones.service.js';
import { CloneResolver } from './clone.resolver.js';
import { CloneService } from './clone.service.js';
import { AuditMilestonesResolver, MilestoneDifferenceResolver, MilestonesResolver } from './milestones.resolver.js';
import { ItemUpgradeResolver, RecheckItemResolver, UpgradeResolver } from './upgrade.resolver.js';
import { UpgradeService } from './upgrade.service.js';

@Module({
  imports: [AuditsModule, ProjectsModule, CatalogModule],
  providers: [
    AuditMilestonesService,
    MilestonesResolver,
    MilestoneDifferenceResolver,
    AuditMilestonesResolver,
    CloneService,
    CloneResolver,
    UpgradeService,
    UpgradeResolver,
    ItemUpgradeResolver,
    RecheckItemResolver,
  ],
})
export class LifecycleModule {}
