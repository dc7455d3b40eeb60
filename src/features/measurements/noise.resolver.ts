import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Metric } from '../catalog/catalog.types.js';
import { Project } from '../projects/projects.types.js';
import { MeasurementsService } from './measurements.service.js';
import { Trial } from './measurements.types.js';
import { NoiseService } from './noise.service.js';
import { NoiseFloor, NoiseFloorConnection, RunsNeeded, RunsNeededInput } from './noise.types.js';

@Resolver(() => Project)
export class ProjectNoiseResolver {
  constructor(private readonly noise: NoiseService) {}

  @ResolveField(() => NoiseFloorConnection, { description: 'The noise floors that its A/A runs told, newest first' })
  noiseFloors(
    @Parent() project: Project,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<NoiseFloorConnection> {
    return this.noise.floorsOfProject(request).load({ parentId: project.id, page: { first, after } });
  }
}

@Resolver(() => NoiseFloor)
export class NoiseFloorResolver {
  constructor(
    private readonly catalog: CatalogService,
    private readonly measurements: MeasurementsService,
    private readonly noise: NoiseService,
  ) {}

  @Query(() => RunsNeeded, {
    description:
      'About how many runs show a change of a metric with 80 % power, and what the noise floor says cannot be seen',
  })
  runsNeeded(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What is to be seen, and where' }) input: RunsNeededInput,
  ): Promise<RunsNeeded> {
    return this.noise.runsNeeded(viewer, input);
  }

  @ResolveField(() => Metric, { description: 'The metric that it is of' })
  metric(@Parent() floor: NoiseFloor, @Context() request: RequestContext): Promise<Metric | null> {
    return this.catalog.metricById(request).load(floor.metricId);
  }

  @ResolveField(() => Trial, {
    nullable: true,
    description: 'The A/A run that told it; null for one of an old version',
  })
  async trial(@Parent() floor: NoiseFloor, @Context() request: RequestContext): Promise<Trial | null> {
    return floor.trialId === null ? null : this.measurements.trialById(request).load(floor.trialId);
  }
}
