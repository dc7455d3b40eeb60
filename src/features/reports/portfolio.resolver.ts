import { Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { Filter } from '../../platform/graphql/filter.js';
import { After, First } from '../../platform/graphql/page.js';
import { AuditConnection } from '../audits/audits.types.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Metric } from '../catalog/catalog.types.js';
import { ProjectsService } from '../projects/projects.service.js';
import { Project } from '../projects/projects.types.js';
import { PortfolioService } from './portfolio.service.js';
import {
  GainSummary,
  Portfolio,
  PortfolioFilter,
  PortfolioProject,
  PortfolioProjectConnection,
} from './portfolio.types.js';

@Resolver(() => Portfolio)
export class PortfolioResolver {
  constructor(private readonly service: PortfolioService) {}

  @Query(() => Portfolio, { description: 'How the audits of all projects stand that the viewer may see' })
  portfolio(
    @CurrentViewer() viewer: Viewer,
    @Filter(PortfolioFilter)
    filter: PortfolioFilter | null,
  ): Promise<Portfolio> {
    return this.service.portfolio(viewer, filter ?? {});
  }

  @ResolveField(() => PortfolioProjectConnection, { description: 'By project, in the order of their names' })
  byProject(
    @Parent() portfolio: Portfolio,
    @First(50) first: number,
    @After() after: string | null,
  ): PortfolioProjectConnection {
    return this.service.projects(portfolio, { first, after });
  }

  @ResolveField(() => AuditConnection, { description: 'The audits that it counts, newest first' })
  audits(
    @Parent() portfolio: Portfolio,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<AuditConnection> {
    return this.service.counted(request, portfolio, { first, after });
  }
}

@Resolver(() => PortfolioProject)
export class PortfolioProjectResolver {
  constructor(private readonly projects: ProjectsService) {}

  @ResolveField(() => Project, { description: 'The project' })
  project(@Parent() { projectId }: PortfolioProject, @Context() request: RequestContext): Promise<Project | null> {
    return this.projects.byId(request).load(projectId);
  }
}

@Resolver(() => GainSummary)
export class GainSummaryResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Metric, { description: 'The metric' })
  metric(@Parent() { metricId }: GainSummary, @Context() request: RequestContext): Promise<Metric | null> {
    return this.catalog.metricById(request).load(metricId);
  }
}
