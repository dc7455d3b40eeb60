import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import { AuditItem } from '../audits/audits.types.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Metric } from '../catalog/catalog.types.js';
import { Project } from '../projects/projects.types.js';
import { MeasurementsService } from './measurements.service.js';
import {
  Comparison,
  CreateTrialInput,
  Observation,
  ObservationConnection,
  RecordMeasurementInput,
  Run,
  RunConnection,
  Trial,
} from './measurements.types.js';
import { TrialsService } from './trials.service.js';

@Resolver(() => Run)
export class RunsResolver {
  constructor(private readonly measurements: MeasurementsService) {}

  @Query(() => Run, { nullable: true, description: 'One run, if the viewer may see it' })
  run(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'Id of the run' }) id: string,
  ): Promise<Run | null> {
    return this.measurements.findRun(viewer, id);
  }

  @ResolveField(() => ObservationConnection, { description: 'What it says, in the order of the file' })
  observations(
    @Parent() run: Run,
    @Context() request: RequestContext,
    @First(100) first: number,
    @After() after: string | null,
  ): Promise<ObservationConnection> {
    return this.measurements.observationsOfRun(request).load({ parentId: run.id, page: { first, after } });
  }
}

@Resolver(() => Observation)
export class ObservationResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Metric, { description: 'What was measured' })
  metric(@Parent() observation: Observation, @Context() request: RequestContext): Promise<Metric | null> {
    return this.catalog.metricById(request).load(observation.metricId);
  }
}

@Resolver(() => Trial)
export class TrialsResolver {
  constructor(
    private readonly measurements: MeasurementsService,
    private readonly made: TrialsService,
    private readonly catalog: CatalogService,
    private readonly audits: AuditsService,
  ) {}

  @Query(() => Trial, { nullable: true, description: 'One trial, if the viewer may see it' })
  trial(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'Id of the trial' }) id: string,
  ): Promise<Trial | null> {
    return this.measurements.findTrial(viewer, id);
  }

  @Mutation(() => Trial, {
    description: 'The short way: two arms of one metric typed in by hand. Each value is one run.',
  })
  recordMeasurement(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: RecordMeasurementInput,
  ): Promise<Trial> {
    return this.made.record(viewer, input);
  }

  @Mutation(() => Trial, {
    description:
      'Makes a trial of runs and compares its arms; without runs it is a plan. The same runs of an item with the same ' +
      'metrics, variable, threshold and hypothesis are the trial that is there.',
  })
  createTrial(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: CreateTrialInput,
  ): Promise<Trial> {
    return this.made.createTrial(viewer, input);
  }

  @ResolveField(() => Boolean, {
    description: 'True in the answer of the request that made it; false where the same trial was there before',
  })
  isNew(@Parent() { isNew }: Trial): boolean {
    return isNew ?? false;
  }

  @ResolveField(() => AuditItem, { description: 'The audit item that it is about' })
  auditItem(@Parent() trial: Trial, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(trial.auditItemId);
  }

  @ResolveField(() => Metric, { description: 'The metric that decides' })
  primaryMetric(@Parent() trial: Trial, @Context() request: RequestContext): Promise<Metric | null> {
    return this.catalog.metricById(request).load(trial.primaryMetricId);
  }

  @ResolveField(() => [Run], { description: 'The runs without the change, in the order of measurement' })
  async beforeRuns(@Parent() trial: Trial, @Context() request: RequestContext): Promise<Run[]> {
    return (await this.measurements.runsOfTrial(request).load(trial.id)).before;
  }

  @ResolveField(() => [Run], { description: 'The runs with the change, in the order of measurement' })
  async afterRuns(@Parent() trial: Trial, @Context() request: RequestContext): Promise<Run[]> {
    return (await this.measurements.runsOfTrial(request).load(trial.id)).after;
  }

  @ResolveField(() => [Comparison], {
    description: 'The newest comparisons: the primary metric, the guardrails, then the rest; at most 100',
  })
  comparisons(@Parent() trial: Trial, @Context() request: RequestContext): Promise<Comparison[]> {
    return this.measurements.comparisonsOfTrial(request).load(trial.id);
  }
}

@Resolver(() => Comparison)
export class ComparisonResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Metric, { description: 'What was compared' })
  metric(@Parent() comparison: Comparison, @Context() request: RequestContext): Promise<Metric | null> {
    return this.catalog.metricById(request).load(comparison.metricId);
  }
}

@Resolver(() => AuditItem)
export class AuditItemTrialsResolver {
  constructor(private readonly measurements: MeasurementsService) {}

  @ResolveField(() => [Trial], { description: 'Its trials, oldest first; the newest 100' })
  trials(@Parent() item: AuditItem, @Context() request: RequestContext): Promise<Trial[]> {
    return this.measurements.trialsOfItem(request).load(item.id);
  }
}

@Resolver(() => Project)
export class ProjectRunsResolver {
  constructor(private readonly measurements: MeasurementsService) {}

  @ResolveField(() => RunConnection, { description: 'Its runs, newest first' })
  runs(
    @Parent() project: Project,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<RunConnection> {
    return this.measurements.runsOfProject(request).load({ parentId: project.id, page: { first, after } });
  }
}
