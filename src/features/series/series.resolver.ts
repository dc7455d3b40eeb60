import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { RequestContext } from '../../platform/auth/viewer.js';
import { Filter } from '../../platform/graphql/filter.js';
import { After, First } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { AuditItem } from '../audits/audits.types.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import { Run, Trial } from '../measurements/measurements.types.js';
import { Project } from '../projects/projects.types.js';
import { POINT_LIMIT, SeriesPointsService } from './series-points.service.js';
import { SERIES_LIMIT, SeriesService } from './series.service.js';
import {
  AppliedMark,
  PointArm,
  Series,
  SeriesConnection,
  SeriesFilter,
  SeriesPoint,
  SeriesPointConnection,
} from './series.types.js';

@Resolver(() => Project)
export class ProjectSeriesResolver {
  constructor(private readonly series: SeriesService) {}

  @ResolveField(() => SeriesConnection, {
    name: 'series',
    description:
      'The history of a metric: one series for each environment class and point of its dimensions, those with the newest points first. Failed runs are no points.',
  })
  seriesOf(
    @Parent() project: Project,
    @Args('metric', { description: 'Key of the metric' }) metric: string,
    @Filter(SeriesFilter) filter: SeriesFilter | null,
    @First(20, SERIES_LIMIT) first: number,
    @After() after: string | null,
  ): Promise<SeriesConnection> {
    return this.series.ofProject(project.id, metric, filter ?? {}, { first, after });
  }
}

@Resolver(() => Series)
export class SeriesResolver {
  constructor(private readonly pointsService: SeriesPointsService) {}

  @ResolveField(() => SeriesPointConnection, { description: 'Its points, newest first' })
  points(
    @Parent() series: Series,
    @Context() request: RequestContext,
    @First(200, POINT_LIMIT) first: number,
    @After() after: string | null,
  ): Promise<SeriesPointConnection> {
    return this.pointsService.ofSeries(request, { series, page: { first, after } });
  }

  @ResolveField(() => [AppliedMark], {
    description:
      'The items that were applied since the first point, newest first, at most 500; none of an audit of other hardware',
  })
  marks(@Parent() series: Series): AppliedMark[] {
    return series.marks;
  }
}

@Resolver(() => SeriesPoint)
export class SeriesPointResolver {
  constructor(private readonly series: SeriesService) {}

  @ResolveField(() => Run, { description: 'The run' })
  run(@Parent() point: SeriesPoint, @Context() request: RequestContext): Promise<Run | null> {
    return this.series.runById(request).load(point.runId);
  }
}

@Resolver(() => PointArm)
export class PointArmResolver {
  constructor(private readonly measurements: MeasurementsService) {}

  @ResolveField(() => Trial, { description: 'The trial' })
  trial(@Parent() { trialId }: PointArm, @Context() request: RequestContext): Promise<Trial | null> {
    return this.measurements.trialById(request).load(trialId);
  }
}

@Resolver(() => AppliedMark)
export class AppliedMarkResolver {
  constructor(
    private readonly audits: AuditsService,
    private readonly measurements: MeasurementsService,
  ) {}

  @ResolveField(() => AuditItem, { description: 'What the audit says of the item' })
  auditItem(@Parent() mark: AppliedMark, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(mark.auditItemId);
  }

  @ResolveField(() => Trial, { nullable: true, description: 'The trial that tells of it; null where none does' })
  trial(@Parent() { trialId }: AppliedMark, @Context() request: RequestContext): Promise<Trial | null> {
    return trialId === null ? Promise.resolve(null) : this.measurements.trialById(request).load(trialId);
  }
}
