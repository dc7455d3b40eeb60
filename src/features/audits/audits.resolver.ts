import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { Filter } from '../../platform/graphql/filter.js';
import { After, First } from '../../platform/graphql/page.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Checklist, Item } from '../catalog/catalog.types.js';
import { EnvironmentsService } from '../projects/environments.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { Environment, Project } from '../projects/projects.types.js';
import { SearchHit } from '../search/search.types.js';
import { AuditsService } from './audits.service.js';
import {
  Audit,
  AuditConnection,
  AuditItem,
  AuditItemConnection,
  AuditItemFilter,
  OpenAuditInput,
  Progress,
} from './audits.types.js';
import { CustomItemsService } from './custom-items.service.js';

@Resolver(() => Audit)
export class AuditsResolver {
  constructor(
    private readonly audits: AuditsService,
    private readonly catalog: CatalogService,
    private readonly projects: ProjectsService,
    private readonly environments: EnvironmentsService,
  ) {}

  @Query(() => Audit, { nullable: true, description: 'One audit, if the viewer may see it' })
  audit(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'Id of the audit' }) id: string,
  ): Promise<Audit | null> {
    return this.audits.find(viewer, id);
  }

  @Mutation(() => Audit, { description: 'Opens an audit of a project on one release of a checklist' })
  openAudit(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: OpenAuditInput,
  ): Promise<Audit> {
    return this.audits.open(viewer, input);
  }

  @ResolveField(() => Project, { description: 'The project' })
  project(@Parent() audit: Audit, @Context() request: RequestContext): Promise<Project | null> {
    return this.projects.byId(request).load(audit.projectId);
  }

  @ResolveField(() => Checklist, { description: 'The checklist, in the release that the audit is on' })
  checklist(@Parent() audit: Audit, @Context() request: RequestContext): Promise<Checklist | null> {
    return this.catalog.checklistOfRelease(request).load(audit.releaseId);
  }

  @ResolveField(() => Environment, { nullable: true, description: 'The environment that scopes it' })
  environment(@Parent() audit: Audit, @Context() request: RequestContext): Promise<Environment | null> {
    if (audit.environmentId === null) return Promise.resolve(null);
    return this.environments.byId(request).load(audit.environmentId);
  }

  @ResolveField(() => Progress, { description: 'How far it is' })
  progress(@Parent() audit: Audit, @Context() request: RequestContext): Promise<Progress> {
    return this.audits.progress(request).load(audit.id);
  }

  @ResolveField(() => AuditItemConnection, { description: 'Its items, in the order of the checklist' })
  items(
    @Parent() audit: Audit,
    @Filter(AuditItemFilter)
    filter: AuditItemFilter | null,
    @First(200, 500) first: number,
    @After() after: string | null,
  ): Promise<AuditItemConnection> {
    return this.audits.items(audit, filter ?? {}, { first, after });
  }
}

@Resolver(() => AuditItem)
export class AuditItemResolver {
  constructor(
    private readonly audits: AuditsService,
    private readonly customItems: CustomItemsService,
  ) {}

  @Query(() => AuditItem, {
    nullable: true,
    description: 'What an audit says about one item, if the viewer may see it',
  })
  auditItem(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'Id of the audit item' }) id: string,
  ): Promise<AuditItem | null> {
    return this.audits.findItem(viewer, id);
  }

  @ResolveField(() => Audit, { description: 'The audit' })
  audit(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Audit | null> {
    return this.audits.byId(request).load(item.auditId);
  }

  @ResolveField(() => Item, {
    description: 'The item, as the release of the audit has it, or as the audit alone has it',
  })
  item(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Item | null> {
    return this.customItems.itemOf(request, item);
  }
}

@Resolver(() => Project)
export class ProjectAuditsResolver {
  constructor(private readonly audits: AuditsService) {}

  @ResolveField('audits', () => AuditConnection, { description: 'Its audits, newest first' })
  list(
    @Parent() project: Project,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<AuditConnection> {
    return this.audits.auditsOfProject(request).load({ parentId: project.id, page: { first, after } });
  }
}

@Resolver(() => SearchHit)
export class AuditItemHitResolver {
  constructor(private readonly audits: AuditsService) {}

  @ResolveField(() => AuditItem, { nullable: true, description: 'The audit item, for a hit of kind AUDIT_ITEM' })
  auditItem(@Parent() hit: SearchHit, @Context() request: RequestContext): Promise<AuditItem | null> {
    if (hit.kind !== 'AUDIT_ITEM') return Promise.resolve(null);
    return this.audits.itemById(request).load(hit.id);
  }
}
