import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Access } from './auth/access.js';
import { Authenticator, FOLDER_SECRET } from './auth/authenticate.js';
import type { Config } from './config.js';
import type { OpenedDatabase } from './database/connect.js';
import { Database } from './database/database.js';
import { AuditChanges, LISTEN } from './events/audit-changes.service.js';
import { EvidenceStore } from './evidence/evidence-store.js';
import { openEvidenceStore } from './evidence/open-store.js';
import { SearchIndex } from './search-index/search-index.service.js';

/** What every feature stands on. The database comes opened and migrated. */
@Global()
@Module({})
export class PlatformModule {
  static on(config: Config, opened: OpenedDatabase, secret: string | null): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: Database, useFactory: () => new Database(opened) },
        { provide: EvidenceStore, useFactory: () => openEvidenceStore(config) },
        Access,
        { provide: FOLDER_SECRET, useFactory: () => secret },
        {
          provide: Authenticator,
          inject: [Database, FOLDER_SECRET],
          useFactory: (db: Database, shown: string | null) => new Authenticator(db, shown),
        },
        SearchIndex,
        { provide: LISTEN, useFactory: () => opened.listen },
        AuditChanges,
      ],
      exports: [Database, EvidenceStore, Access, Authenticator, SearchIndex, AuditChanges],
    };
  }
}
