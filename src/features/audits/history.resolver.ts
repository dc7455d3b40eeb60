import { Args, Context, ID, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Locale } from '../../generated/prisma/enums.js';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { Filter } from '../../platform/graphql/filter.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { After, First } from '../../platform/graphql/page.js';
import { PeopleService } from '../projects/people.service.js';
import { Person, Project } from '../projects/projects.types.js';
import { AuditsService } from './audits.service.js';
import { Audit, AuditItem } from './audits.types.js';
import { HistoryService } from './history.service.js';
import { HistoryConnection, HistoryEntry, HistoryExport, HistoryFilter, HistoryFormat } from './history.types.js';

@Resolver(() => HistoryEntry)
export class HistoryResolver {
  constructor(
    private readonly history: HistoryService,
    private readonly audits: AuditsService,
    private readonly people: PeopleService,
  ) {}

  @Query(() => HistoryExport, {
    description: "All of an audit's history as a file, oldest first; NOT_FOUND where the viewer may not see the audit",
  })
  historyExport(
    @CurrentViewer() viewer: Viewer,
    @Args('auditId', { type: () => ID, description: 'The audit' }) auditId: string,
    @Args('format', { type: () => HistoryFormat, description: 'What kind of file' }) format: HistoryFormat,
    @Args('locale', {
      type: () => Locale,
      nullable: true,
      description: "The language of a CSV file; the viewer's where absent",
    })
    locale: Locale | null,
  ): Promise<HistoryExport> {
    return this.history.export(viewer, auditId, format, locale ?? viewer.locale);
  }

  @ResolveField(() => Person, {
    nullable: true,
    description: 'Who did it; null for a rule, such as a date that was reached, and for somebody of elsewhere',
  })
  by(@Parent() { viewerId }: HistoryEntry, @Context() request: RequestContext): Promise<Person | null> {
    return viewerId === null ? Promise.resolve(null) : this.people.byId(request).load(viewerId);
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'The name of whoever did it, also where it came with an imported audit; null for a rule',
  })
  byName(@Parent() entry: HistoryEntry, @Context() request: RequestContext): Promise<string | null> {
    return this.history.nameOf(request, entry);
  }

  @ResolveField(() => AuditItem, { nullable: true, description: 'The audit item that it is of, if it is of one' })
  auditItem(@Parent() { auditItemId }: HistoryEntry, @Context() request: RequestContext): Promise<AuditItem | null> {
    return auditItemId === null ? Promise.resolve(null) : this.audits.itemById(request).load(auditItemId);
  }

  @ResolveField(() => LocalizedText, {
    description: 'The change as one sentence: `Outcome: not assessed → applied`; long texts are cut in it',
  })
  text(@Parent() entry: HistoryEntry, @Context() request: RequestContext): Promise<LocalizedText> {
    return this.history.textOf(request, entry);
  }
}

@Resolver(() => Audit)
export class AuditHistoryResolver {
  constructor(private readonly service: HistoryService) {}

  @ResolveField(() => HistoryConnection, { description: 'Every change of it and of its items, newest first' })
  history(
    @Parent() { id: ownerId }: Audit,
    @Context() request: RequestContext,
    @Filter(HistoryFilter) filter: HistoryFilter | null,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<HistoryConnection> {
    return this.service.ofAudit(request).load({ ownerId, filter: filter ?? {}, page: { first, after } });
  }
}

@Resolver(() => AuditItem)
export class AuditItemHistoryResolver {
  constructor(private readonly service: HistoryService) {}

  @ResolveField(() => HistoryConnection, {
    description: 'Every change of it, newest first, with those of its comments, trials and notes',
  })
  history(
    @Parent() { id: ownerId }: AuditItem,
    @Context() request: RequestContext,
    @Filter(HistoryFilter) filter: HistoryFilter | null,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<HistoryConnection> {
    return this.service.ofItem(request).load({ ownerId, filter: filter ?? {}, page: { first, after } });
  }
}

@Resolver(() => Project)
export class ProjectHistoryResolver {
  constructor(private readonly service: HistoryService) {}

  @ResolveField(() => HistoryConnection, {
    description: 'Every change of it and of all that is in it, newest first',
  })
  history(
    @Parent() { id: ownerId }: Project,
    @Context() request: RequestContext,
    @Filter(HistoryFilter) filter: HistoryFilter | null,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<HistoryConnection> {
    return this.service.ofProject(request).load({ ownerId, filter: filter ?? {}, page: { first, after } });
  }
}
