import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { AuditsService } from '../audits/audits.service.js';
import { Audit } from '../audits/audits.types.js';
import { PeopleService } from '../projects/people.service.js';
import { Person } from '../projects/projects.types.js';
import { TimeBreakdownService } from './time-breakdown.service.js';
import {
  ImportTimeBreakdownInput,
  SetTimeBreakdownInput,
  TimeBreakdown,
  TimeBreakdownReport,
} from './time-breakdown.types.js';

@Resolver(() => Audit)
export class AuditTimeBreakdownResolver {
  constructor(private readonly breakdowns: TimeBreakdownService) {}

  @Mutation(() => Audit, {
    description: 'Says where the time of one step or request goes: the plan takes its ceilings from it',
  })
  setTimeBreakdown(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: SetTimeBreakdownInput,
  ): Promise<Audit> {
    return this.breakdowns.set(viewer, input);
  }

  @Mutation(() => TimeBreakdownReport, {
    description: 'Reads from the output of a profiler where the time goes, and says how it was read',
  })
  importTimeBreakdown(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: ImportTimeBreakdownInput,
  ): Promise<TimeBreakdownReport> {
    return this.breakdowns.import(viewer, input);
  }

  @ResolveField(() => TimeBreakdown, {
    nullable: true,
    description: 'Where the time of one step or request goes; null where nobody said',
  })
  timeBreakdown(@Parent() audit: Audit): TimeBreakdown | null {
    return this.breakdowns.of(audit);
  }
}

@Resolver(() => TimeBreakdown)
export class TimeBreakdownResolver {
  constructor(private readonly people: PeopleService) {}

  @ResolveField(() => Person, { nullable: true, description: 'Who gave it; null where it came with an imported audit' })
  by(@Parent() breakdown: TimeBreakdown, @Context() request: RequestContext): Promise<Person | null> {
    return breakdown.byId === null ? Promise.resolve(null) : this.people.byId(request).load(breakdown.byId);
  }
}

@Resolver(() => TimeBreakdownReport)
export class TimeBreakdownReportResolver {
  constructor(private readonly audits: AuditsService) {}

  @ResolveField(() => Audit, { description: 'The audit, as it is now' })
  audit(@Parent() report: TimeBreakdownReport, @Context() request: RequestContext): Promise<Audit | null> {
    return this.audits.byId(request).load(report.auditId);
  }
}
