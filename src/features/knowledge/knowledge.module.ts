import { Module } from '@nestjs/common';
import { AuditsModule } from '../audits/audits.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { MeasurementsModule } from '../measurements/measurements.module.js';
import { AuditItemOriginResolver, NoteHitResolver, NotesResolver } from './knowledge.resolver.js';
import { KnowledgeService } from './knowledge.service.js';

@Module({
  imports: [CatalogModule, AuditsModule, MeasurementsModule],
  providers: [KnowledgeService, NotesResolver, AuditItemOriginResolver, NoteHitResolver],
  exports: [KnowledgeService],
})
export class KnowledgeModule {}
