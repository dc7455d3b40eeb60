import { Args, Context, Float, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { Run, Trial } from '../measurements/measurements.types.js';
import { Project } from '../projects/projects.types.js';
import { DerivedService } from './derived.service.js';
import { DerivedValue, TrialSavings } from './derived.types.js';
import { FleetService } from './fleet.service.js';
import { Fleet, FleetInput, SetFleetInput } from './fleet.types.js';

@Resolver(() => Project)
export class ProjectFleetResolver {
  constructor(private readonly fleets: FleetService) {}

  @Mutation(() => Fleet, {
    description: 'Says what the GPUs of a project cost and how much they work; gains are turned into money by it',
  })
  setFleet(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: SetFleetInput,
  ): Promise<Fleet> {
    return this.fleets.set(viewer, input);
  }

  @ResolveField(() => Fleet, { nullable: true, description: 'What its GPUs cost and do; null where nothing is set' })
  fleet(@Parent() project: Project, @Context() request: RequestContext): Promise<Fleet | null> {
    return this.fleets.ofProject(request).load(project.id);
  }
}

@Resolver(() => Run)
export class RunDerivedResolver {
  constructor(private readonly derived: DerivedService) {}

  @ResolveField(() => [DerivedValue], {
    name: 'derived',
    description:
      'Cost, energy and throughput per GPU, for each quantity whose metric the run observed. What cannot be computed says which input is missing.',
  })
  derivedValues(
    @Parent() run: Run,
    @Context() request: RequestContext,
    @Args('fleet', { type: () => FleetInput, nullable: true, description: 'Figures over those of the project' })
    fleet: FleetInput | null,
    @Args('gpus', {
      type: () => Float,
      nullable: true,
      description: 'How many GPUs the run used, where its facts do not say',
    })
    gpus: number | null,
  ): Promise<DerivedValue[]> {
    return this.derived.ofRun(request, run, fleet ?? null, gpus ?? null);
  }
}

@Resolver(() => Trial)
export class TrialSavingsResolver {
  constructor(private readonly derived: DerivedService) {}

  @ResolveField(() => TrialSavings, {
    description: 'What its gain is worth to the fleet in a month, with the interval carried through',
  })
  savings(
    @Parent() trial: Trial,
    @Context() request: RequestContext,
    @Args('fleet', { type: () => FleetInput, nullable: true, description: 'Figures over those of the project' })
    fleet: FleetInput | null,
    @Args('metric', {
      type: () => String,
      nullable: true,
      description: 'Key of a metric that the trial compared; its primary metric where absent',
    })
    metric: string | null,
    @Args('dimensions', {
      type: () => GraphQLJSON,
      nullable: true,
      description: 'The series of the metric, where the trial compared several',
    })
    dimensions: unknown,
  ): Promise<TrialSavings> {
    return this.derived.ofTrial(request, trial, { fleet: fleet ?? null, metric: metric ?? null, dimensions });
  }
}
