import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First, pageOf, rowsAfter } from '../../platform/graphql/page.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { HardwareProfile, Item } from '../catalog/catalog.types.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import { Environment, UpdateEnvironmentInput } from '../projects/projects.types.js';
import { AuditsService } from './audits.service.js';
import { Audit, AuditItem } from './audits.types.js';
import { CustomItemsService } from './custom-items.service.js';
import { ItemWarningsService } from './item-warnings.service.js';
import { OverrulingService } from './overruling.service.js';
import { ScopingService } from './scoping.service.js';
import {
  AuditScope,
  AuditScopeChange,
  EnvironmentChange,
  ItemScopeChange,
  ItemScopeChangeConnection,
  ItemWarning,
  OverruleApplicabilityInput,
  Overruling,
  ScopeEffect,
  SetAuditEnvironmentInput,
} from './scoping.types.js';

@Resolver()
export class ScopingResolver {
  constructor(
    private readonly scoping: ScopingService,
    private readonly overruling: OverrulingService,
  ) {}

  @Query(() => EnvironmentChange, {
    description:
      'What `updateEnvironment` would do with the same input: which items come in, go out or need a re-check, and why. Nothing is written.',
  })
  previewEnvironmentChange(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The change; its version is not looked at' }) input: UpdateEnvironmentInput,
  ): Promise<EnvironmentChange> {
    return this.scoping.preview(viewer, input);
  }

  @Query(() => EnvironmentChange, { description: 'What `setAuditEnvironment` would do. Nothing is written.' })
  previewAuditEnvironment(
    @CurrentViewer() viewer: Viewer,
    @Args('auditId', { type: () => ID, description: 'The audit' }) auditId: string,
    @Args('environmentId', {
      type: () => ID,
      nullable: true,
      description: 'An environment of the project; null for none',
    })
    environmentId: string | null,
  ): Promise<EnvironmentChange> {
    return this.scoping.previewAudit(viewer, auditId, environmentId ?? null);
  }

  @Mutation(() => EnvironmentChange, {
    description:
      'Changes an environment, and scopes the open audits in it anew. What people found and decided stays; a re-check mark says what is to be looked at again.',
  })
  updateEnvironment(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: UpdateEnvironmentInput,
  ): Promise<EnvironmentChange> {
    return this.scoping.update(viewer, input);
  }

  @Mutation(() => EnvironmentChange, { description: 'Moves an open audit to another environment of its project' })
  setAuditEnvironment(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: SetAuditEnvironmentInput,
  ): Promise<EnvironmentChange> {
    return this.scoping.setAuditEnvironment(viewer, input);
  }

  @Mutation(() => AuditItem, {
    description:
      "Puts a person's word over that of the rules for one item, or takes it back. The rules' answer stays in `derived`. Where the audit requires reviews, an item that is DONE is IN_PROGRESS again.",
  })
  overruleApplicability(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: OverruleApplicabilityInput,
  ): Promise<AuditItem> {
    return this.overruling.overrule(viewer, input);
  }
}

@Resolver(() => EnvironmentChange)
export class EnvironmentChangeResolver {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly catalog: CatalogService,
  ) {}

  @ResolveField(() => Environment, { nullable: true, description: 'The environment, as it is stored; null for none' })
  environment(@Parent() change: EnvironmentChange, @Context() request: RequestContext): Promise<Environment | null> {
    if (change.environmentId === null) return Promise.resolve(null);
    return this.environments.byId(request).load(change.environmentId);
  }

  @ResolveField(() => HardwareProfile, { nullable: true, description: 'The hardware after the change' })
  hardware(@Parent() change: EnvironmentChange, @Context() request: RequestContext): Promise<HardwareProfile | null> {
    if (change.hardwareId === null) return Promise.resolve(null);
    return this.catalog.profileById(request).load(change.hardwareId);
  }
}

@Resolver(() => AuditScopeChange)
export class AuditScopeChangeResolver {
  constructor(private readonly audits: AuditsService) {}

  @ResolveField(() => Audit, { description: 'The audit' })
  audit(@Parent() change: AuditScopeChange, @Context() request: RequestContext): Promise<Audit | null> {
    return this.audits.byId(request).load(change.auditId);
  }

  @ResolveField(() => ItemScopeChangeConnection, {
    description: 'The items that it touches, in the order of the checklist',
  })
  items(
    @Parent() { changes }: AuditScopeChange,
    @Args('effects', {
      type: () => [ScopeEffect],
      nullable: true,
      description: 'Those with any of these effects; all where absent, none for an empty list',
    })
    effects: (keyof typeof ScopeEffect)[] | null,
    @First(100) first: number,
    @After() after: string | null,
  ): ItemScopeChangeConnection {
    const page = { first, after };
    const wanted = effects
      ? changes.filter((change) => effects.some((effect) => change.effects.includes(effect)))
      : changes;
    const keyOf = ({ auditItemId }: ItemScopeChange) => auditItemId;
    return pageOf(rowsAfter(wanted, page, keyOf), page, wanted.length, keyOf, (change) => change);
  }
}

@Resolver(() => ItemScopeChange)
export class ItemScopeChangeResolver {
  constructor(
    private readonly audits: AuditsService,
    private readonly catalog: CatalogService,
    private readonly customItems: CustomItemsService,
  ) {}

  @ResolveField(() => AuditItem, { description: 'The audit item, as it is stored' })
  auditItem(@Parent() change: ItemScopeChange, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(change.auditItemId);
  }

  @ResolveField(() => Item, { description: 'The item' })
  async item(@Parent() change: ItemScopeChange, @Context() request: RequestContext): Promise<Item | null> {
    if (change.releaseItemId !== '') return this.catalog.itemOfRelease(request).load(change.releaseItemId);
    const auditItem = await this.audits.itemById(request).load(change.auditItemId);
    return auditItem && this.customItems.itemOf(request, auditItem);
  }
}

@Resolver(() => Audit)
export class AuditScopeResolver {
  constructor(private readonly warnings: ItemWarningsService) {}

  @ResolveField(() => AuditScope, { description: 'The facts that the rules were asked about' })
  scope(@Parent() { scopeFacts, scopeHardwareId, scopedAt }: Audit): AuditScope {
    return { facts: scopeFacts, hardwareId: scopeHardwareId, at: scopedAt };
  }

  @ResolveField('warnings', () => [ItemWarning], {
    description: 'What to know of its items because of other ones, in the order of the checklist; at most 100',
  })
  async auditWarnings(@Parent() audit: Audit, @Context() request: RequestContext): Promise<ItemWarning[]> {
    return (await this.warnings.ofAudit(request).load(audit.id)).slice(0, 100);
  }
}

@Resolver(() => AuditScope)
export class ScopeHardwareResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => HardwareProfile, { nullable: true, description: 'The hardware, null where it was not known' })
  hardware(@Parent() scope: AuditScope, @Context() request: RequestContext): Promise<HardwareProfile | null> {
    if (scope.hardwareId === null) return Promise.resolve(null);
    return this.catalog.profileById(request).load(scope.hardwareId);
  }
}

@Resolver(() => AuditItem)
export class AuditItemScopeResolver {
  constructor(
    private readonly warnings: ItemWarningsService,
    private readonly overruling: OverrulingService,
  ) {}

  @ResolveField('warnings', () => [ItemWarning], {
    description: 'What to know of it because of other items of the audit, or because the machine has outgrown it',
  })
  async itemWarnings(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<ItemWarning[]> {
    const ofAudit = await this.warnings.ofAudit(request).load(item.auditId);
    return ofAudit.filter(({ auditItemId }) => auditItemId === item.id);
  }

  @ResolveField('overruling', () => Overruling, {
    nullable: true,
    description: 'What a person decided instead of the rules; null where nobody did',
  })
  overruled(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Overruling | null> {
    return this.overruling.of(request, item);
  }
}

@Resolver(() => ItemWarning)
export class ItemWarningResolver {
  constructor(private readonly audits: AuditsService) {}

  @ResolveField(() => AuditItem, { description: 'The item that is warned of' })
  auditItem(@Parent() warning: ItemWarning, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(warning.auditItemId);
  }

  @ResolveField(() => AuditItem, {
    nullable: true,
    description: 'The other item; null where the environment is the cause',
  })
  other(@Parent() warning: ItemWarning, @Context() request: RequestContext): Promise<AuditItem | null> {
    if (warning.otherId === null) return Promise.resolve(null);
    return this.audits.itemById(request).load(warning.otherId);
  }
}
