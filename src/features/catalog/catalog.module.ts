import { Module } from '@nestjs/common';
import {
  CatalogResolver,
  ChecklistResolver,
  ItemHitResolver,
  ItemResolver,
  SectionResolver,
} from './catalog.resolver.js';
import { CatalogService } from './catalog.service.js';

@Module({
  providers: [CatalogService, CatalogResolver, ChecklistResolver, SectionResolver, ItemResolver, ItemHitResolver],
  exports: [CatalogService],
})
export class CatalogModule {}
