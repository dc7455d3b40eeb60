import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { ChecklistExportsService } from './checklist-exports.service.js';
import { ChecklistImportsService } from './checklist-imports.service.js';
import { ChecklistBundleResolver, ChecklistImportsResolver } from './content.resolver.js';
import { CONTENT_FOLDER, shippedContent } from './content-files.js';
import { ContentService } from './content.service.js';

@Module({
  imports: [CatalogModule, KnowledgeModule],
  providers: [
    { provide: CONTENT_FOLDER, useValue: shippedContent },
    ContentService,
    ChecklistImportsService,
    ChecklistExportsService,
    ChecklistImportsResolver,
    ChecklistBundleResolver,
  ],
  exports: [ContentService],
})
export class ContentModule {}
