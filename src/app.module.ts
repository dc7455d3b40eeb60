import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from './features/accounts/accounts.module.js';
import { AuditsModule } from './features/audits/audits.module.js';
import { CatalogModule } from './features/catalog/catalog.module.js';
import { ContentModule } from './features/content/content.module.js';
import { DerivedModule } from './features/derived/derived.module.js';
import { DiscussionModule } from './features/discussion/discussion.module.js';
import { EvidenceModule } from './features/evidence/evidence.module.js';
import { KnowledgeModule } from './features/knowledge/knowledge.module.js';
import { LifecycleModule } from './features/lifecycle/lifecycle.module.js';
import { MeasurementsModule } from './features/measurements/measurements.module.js';
import { PlanningModule } from './features/planning/planning.module.js';
import { ProjectsModule } from './features/projects/projects.module.js';
import { ReportsModule } from './features/reports/reports.module.js';
import { SearchModule } from './features/search/search.module.js';
import { SeriesModule } from './features/series/series.module.js';
import type { Config } from './platform/config.js';
import type { OpenedDatabase } from './platform/database/connect.js';
import { ApiModule } from './platform/graphql/graphql.module.js';
import { PlatformModule } from './platform/platform.module.js';

@Module({
  imports: [
    ApiModule,
    CatalogModule,
    ProjectsModule,
    AccountsModule,
    AuditsModule,
    MeasurementsModule,
    EvidenceModule,
    DerivedModule,
    KnowledgeModule,
    DiscussionModule,
    LifecycleModule,
    PlanningModule,
    ReportsModule,
    SearchModule,
    SeriesModule,
    ContentModule,
  ],
})
export class AppModule {
  /** The whole application on an opened and migrated database. */
  static on(config: Config, opened: OpenedDatabase, secret: string | null = null): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.on(config, opened, secret)] };
  }
}
