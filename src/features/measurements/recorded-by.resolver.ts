import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { RequestContext } from '../../platform/auth/viewer.js';
import { PeopleService } from '../projects/people.service.js';
import { Person } from '../projects/projects.types.js';
import { Run, Trial } from './measurements.types.js';

@Resolver(() => Run)
export class RunCreatorResolver {
  constructor(private readonly people: PeopleService) {}

  @ResolveField(() => Person, { description: 'Who recorded it: a person, or a machine with a service token' })
  createdBy(@Parent() { createdById }: Run, @Context() request: RequestContext): Promise<Person | null> {
    return this.people.byId(request).load(createdById);
  }
}

@Resolver(() => Trial)
export class TrialCreatorResolver {
  constructor(private readonly people: PeopleService) {}

  @ResolveField(() => Person, { description: 'Who recorded it: a person, or a machine with a service token' })
  createdBy(@Parent() { createdById }: Trial, @Context() request: RequestContext): Promise<Person | null> {
    return this.people.byId(request).load(createdById);
  }
}
