import { Module } from '@nestjs/common';
import {
  CatalogResolver,
  ChecklistResolver,
  ItemHitResolver,
  ItemResolver,
  SectionResolver,
} from './catalog.resolver.js';
import { ApplicabilityReportResolver, DetectionResolver, ItemApplicabilityResolver } from './detection.resolver.js';
import { DetectionService } from './detection.service.js';
import { CatalogService } from './catalog.service.js';
import { ChecklistReleasesResolver, ReleaseDifferenceResolver } from './releases.resolver.js';
import { ItemListsService } from './item-lists.service.js';
import { RulesService } from './rules.service.js';
import { ReleasesService } from './releases.service.js';

@Module({
  providers: [
    CatalogService,
    ItemListsService,
    ReleasesService,
    RulesService,
    DetectionService,
    DetectionResolver,
    ApplicabilityReportResolver,
    ItemApplicabilityResolver,
    CatalogResolver,
    ChecklistResolver,
    SectionResolver,
    ItemResolver,
    ItemHitResolver,
    ChecklistReleasesResolver,
    ReleaseDifferenceResolver,
  ],
  exports: [CatalogService, RulesService, DetectionService],
})
export class CatalogModule {}
