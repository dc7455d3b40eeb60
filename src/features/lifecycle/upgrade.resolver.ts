import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First, pageOf, rowsAfter } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { Audit, AuditItem, Recheck } from '../audits/audits.types.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Checklist, Item } from '../catalog/catalog.types.js';
import { UpgradeService } from './upgrade.service.js';
import { AuditUpgrade, ItemUpgrade, ItemUpgradeConnection, UpgradeAuditInput, UpgradeEffect } from './upgrade.types.js';

@Resolver(() => AuditUpgrade)
export class UpgradeResolver {
  constructor(
    private readonly upgrades: UpgradeService,
    private readonly audits: AuditsService,
    private readonly catalog: CatalogService,
  ) {}

  @Query(() => AuditUpgrade, { description: 'What `upgradeAudit` would do. Nothing is written.' })
  previewAuditUpgrade(
    @CurrentViewer() viewer: Viewer,
    @Args('auditId', { type: () => ID, description: 'The audit; it must be open' }) auditId: string,
    @Args('release', {
      type: () => String,
      nullable: true,
      description: 'Version of a newer release of the same checklist; the newest where absent',
    })
    release: string | null,
  ): Promise<AuditUpgrade> {
    return this.upgrades.preview(viewer, auditId, release ?? null);
  }

  @Mutation(() => AuditUpgrade, {
    description:
      'Moves an open audit to a newer release of its checklist. Nothing that people said is lost: a result whose check changed gets a re-check mark, an item that the release lacks is archived.',
  })
  upgradeAudit(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: UpgradeAuditInput,
  ): Promise<AuditUpgrade> {
    return this.upgrades.upgrade(viewer, input);
  }

  @ResolveField(() => Audit, { description: 'The audit, as it is stored' })
  audit(@Parent() { auditId }: AuditUpgrade, @Context() request: RequestContext): Promise<Audit | null> {
    return this.audits.byId(request).load(auditId);
  }

  @ResolveField(() => Checklist, { description: 'The checklist in the release before' })
  from(@Parent() { fromId }: AuditUpgrade, @Context() request: RequestContext): Promise<Checklist | null> {
    return this.catalog.checklistOfRelease(request).load(fromId);
  }

  @ResolveField(() => Checklist, { description: 'The checklist in the newer release' })
  to(@Parent() { toId }: AuditUpgrade, @Context() request: RequestContext): Promise<Checklist | null> {
    return this.catalog.checklistOfRelease(request).load(toId);
  }

  @ResolveField(() => ItemUpgradeConnection, {
    description:
      'The items in the order of the newer release, then those of the audit alone, then those that are archived by it',
  })
  items(
    @Parent() { changes }: AuditUpgrade,
    @Args('effects', {
      type: () => [UpgradeEffect],
      nullable: true,
      description: 'Those with any of these effects; all where absent, none for an empty list',
    })
    effects: (keyof typeof UpgradeEffect)[] | null,
    @First(100) first: number,
    @After() after: string | null,
  ): ItemUpgradeConnection {
    const page = { first, after };
    const wanted = effects
      ? changes.filter((change) => effects.some((effect) => change.effects.includes(effect)))
      : changes;
    const keyOf = ({ key }: ItemUpgrade) => key;
    return pageOf(rowsAfter(wanted, page, keyOf), page, wanted.length, keyOf, (change) => change);
  }
}

@Resolver(() => ItemUpgrade)
export class ItemUpgradeResolver {
  constructor(private readonly audits: AuditsService) {}

  @ResolveField(() => AuditItem, {
    nullable: true,
    description: 'The audit item, as it is stored; null for a new one in a preview',
  })
  auditItem(@Parent() change: ItemUpgrade, @Context() request: RequestContext): Promise<AuditItem | null> {
    if (change.auditItemId === null) return Promise.resolve(null);
    return this.audits.itemById(request).load(change.auditItemId);
  }
}

@Resolver(() => Recheck)
export class RecheckItemResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Item, {
    nullable: true,
    description: 'The item as it was when the result was given, where its check changed since',
  })
  item(@Parent() { itemId }: Recheck, @Context() request: RequestContext): Promise<Item | null> {
    if (itemId === null) return Promise.resolve(null);
    return this.catalog.itemOfRelease(request).load(itemId);
  }
}
