import { Args, Context, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { Filter } from '../../platform/graphql/filter.js';
import { After, First } from '../../platform/graphql/page.js';
import { SearchHit } from '../search/search.types.js';
import { CatalogService } from './catalog.service.js';
import { ItemListsService } from './item-lists.service.js';
import { RulesService } from './rules.service.js';
import {
  Checklist,
  EnvironmentKey,
  HardwareProfile,
  Item,
  ItemConnection,
  ItemFilter,
  Metric,
  Section,
} from './catalog.types.js';

@Resolver()
export class CatalogResolver {
  constructor(
    private readonly catalog: CatalogService,
    private readonly lists: ItemListsService,
    private readonly rules: RulesService,
  ) {}

  @Query(() => [Checklist], {
    description: 'The newest release of every checklist that the viewer may see, the shipped ones first',
  })
  checklists(@CurrentViewer() viewer: Viewer): Promise<Checklist[]> {
    return this.catalog.checklists(viewer);
  }

  @Query(() => Checklist, { nullable: true, description: 'The newest release of a checklist, or the one named' })
  checklist(
    @CurrentViewer() viewer: Viewer,
    @Args('slug', { description: 'Slug of the checklist' }) slug: string,
    @Args('version', { type: () => String, nullable: true, description: 'Version of the release' })
    version: string | null,
  ): Promise<Checklist | null> {
    return this.catalog.checklist(viewer, slug, version ?? null);
  }

  @Query(() => Item, { nullable: true, description: 'One item, as the newest release of its checklist has it' })
  item(
    @CurrentViewer() viewer: Viewer,
    @Args('checklist', { description: 'Slug of the checklist' }) checklist: string,
    @Args('key', { description: '`section/topic`' }) key: string,
  ): Promise<Item | null> {
    return this.catalog.item(viewer, checklist, key);
  }

  @Query(() => ItemConnection, { description: 'Items of the newest releases, of one checklist or of all shipped ones' })
  items(
    @CurrentViewer() viewer: Viewer,
    @Args('checklist', {
      type: () => String,
      nullable: true,
      description: 'Slug of a checklist; all shipped ones where absent',
    })
    checklist: string | null,
    @Filter(ItemFilter)
    filter: ItemFilter | null,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<ItemConnection> {
    return this.lists.items(viewer, checklist ?? null, filter ?? {}, { first, after });
  }

  @Query(() => [Metric], { description: 'The metrics that items and importers use' })
  metrics(): Promise<Metric[]> {
    return this.catalog.metrics();
  }

  @Query(() => [EnvironmentKey], {
    description: 'The keys that facts of environments and workloads may have, by key; other keys are kept too',
  })
  environmentKeys(): Promise<EnvironmentKey[]> {
    return this.rules.environmentKeys();
  }

  @Query(() => [HardwareProfile], { description: 'Known accelerators and systems, of one vendor or of all' })
  hardwareProfiles(
    @Args('vendor', { type: () => String, nullable: true, description: 'nvidia, amd or huawei; all where absent' })
    vendor: string | null,
  ): Promise<HardwareProfile[]> {
    return this.catalog.hardwareProfiles(vendor ?? null);
  }
}

@Resolver(() => Checklist)
export class ChecklistResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => [Section], { description: 'Its sections, in order' })
  sections(@Parent() checklist: Checklist, @Context() request: RequestContext): Promise<Section[]> {
    return this.catalog.sectionsOfRelease(request).load(checklist.releaseId);
  }

  @ResolveField(() => Int, { description: 'How many items it has' })
  itemCount(@Parent() checklist: Checklist, @Context() request: RequestContext): Promise<number> {
    return this.catalog.itemCountOfRelease(request).load(checklist.releaseId);
  }
}

@Resolver(() => Section)
export class SectionResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => [Item], { description: 'Its items, in order' })
  items(@Parent() section: Section, @Context() request: RequestContext): Promise<Item[]> {
    return this.catalog.itemsOfSection(request).load(section.id);
  }
}

@Resolver(() => Item)
export class ItemResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Checklist, { description: 'The checklist, in the release that this item is of' })
  checklist(@Parent() item: Item, @Context() request: RequestContext): Promise<Checklist | null> {
    return this.catalog.checklistOfRelease(request).load(item.releaseId);
  }

  @ResolveField(() => Section, { description: 'The section that it stands in' })
  section(@Parent() item: Item, @Context() request: RequestContext): Promise<Section | null> {
    return this.catalog.section(request).load(item.sectionId);
  }

  @ResolveField(() => [Metric], { description: 'The metrics to record, the primary one first' })
  async metrics(@Parent() item: Item, @Context() request: RequestContext): Promise<Metric[]> {
    const loader = this.catalog.catalogMetric(request);
    const found = await Promise.all(item.metricKeys.map(({ key }) => loader.load(key)));
    return found.filter((metric) => metric !== null);
  }
}

@Resolver(() => SearchHit)
export class ItemHitResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Item, { nullable: true, description: 'The item, for a hit of kind ITEM' })
  item(@Parent() hit: SearchHit, @Context() request: RequestContext): Promise<Item | null> {
    if (hit.kind !== 'ITEM') return Promise.resolve(null);
    return this.catalog.itemOfRelease(request).load(hit.id);
  }
}
