import { Module } from '@nestjs/common';
import {
  CatalogResolver,
  ChecklistResolver,
  ItemHitResolver,
  ItemResolver,
  SectionResolver,
} from './catalog.resolver.js';
import { CatalogService } from './catalog.service.js';
import { ChecklistReleasesResolver, ReleaseDifferenceResolver } from './releases.resolver.js';
import { ItemListsService } from './item-lists.service.js';
import { ReleasesService } from './releases.service.js';

@Module({
  providers: [
    CatalogService,
    ItemListsService,
    ReleasesService,
    CatalogResolver,
    ChecklistResolver,
    SectionResolver,
    ItemResolver,
    ItemHitResolver,
    ChecklistReleasesResolver,
    ReleaseDifferenceResolver,
  ],
  exports: [CatalogService],
})
export class CatalogModule {}
