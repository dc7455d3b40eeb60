import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { Audit } from '../audits/audits.types.js';
import { AuditMeasurementsService } from './audit-measurements.service.js';
import { AuditMeasurements, ReportedComparison } from './audit-measurements.types.js';
import { MeasurementsService } from './measurements.service.js';
import { Trial } from './measurements.types.js';
import { OverridesService } from './overrides.service.js';
import { RecomputationService } from './recomputation.service.js';
import {
  ChangedVerdict,
  ComparabilityOverride,
  ExtendTrialInput,
  OverrideComparabilityInput,
  RecomputationReport,
  RecomputeProjectInput,
  RecomputeTrialInput,
  TrialComputation,
  WithdrawOverrideInput,
} from './trial-changes.types.js';
import { TrialExtensionService } from './trial-extension.service.js';

@Resolver(() => Trial)
export class TrialChangesResolver {
  constructor(
    private readonly measurements: MeasurementsService,
    private readonly extensions: TrialExtensionService,
    private readonly overrides: OverridesService,
    private readonly recomputation: RecomputationService,
  ) {}

  @Mutation(() => Trial, {
    description:
      'Adds runs to a trial, or gives a plan its first. It is compared again, and the old comparisons stay. Looking again ' +
      'is corrected for, unless a plan for the runs was there.',
  })
  extendTrial(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: ExtendTrialInput,
  ): Promise<Trial> {
    return this.extensions.extend(viewer, input);
  }

  @Mutation(() => Trial, {
    description:
      'A reviewer says that the arms of a trial can be compared although something that blocks differs. The verdict is ' +
      'confounded, and INDICATIVE at most.',
  })
  overrideComparability(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: OverrideComparabilityInput,
  ): Promise<Trial> {
    return this.overrides.override(viewer, input);
  }

  @Mutation(() => Trial, { description: 'Takes such a word back; the arms are not comparable again' })
  withdrawOverride(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: WithdrawOverrideInput,
  ): Promise<Trial> {
    return this.overrides.withdraw(viewer, input);
  }

  @Mutation(() => Trial, {
    description:
      'Computes a trial anew by the method and the noise floors of today; nothing happens where that is the same',
  })
  recomputeTrial(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: RecomputeTrialInput,
  ): Promise<Trial> {
    return this.recomputation.one(viewer, input);
  }

  @Mutation(() => RecomputationReport, {
    description: 'Computes all trials of a project anew, or says which verdicts would change',
  })
  recomputeProject(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: RecomputeProjectInput,
  ): Promise<RecomputationReport> {
    return this.recomputation.project(viewer, input);
  }

  @ResolveField(() => [TrialComputation], { description: 'All its computations, the newest first; none for a plan' })
  computations(@Parent() trial: Trial, @Context() request: RequestContext): Promise<TrialComputation[]> {
    return this.measurements.computationsOfTrial(request).load(trial.id);
  }

  @ResolveField(() => ComparabilityOverride, {
    nullable: true,
    description: 'What a reviewer said over differences that block; null where nobody did',
  })
  override(@Parent() trial: Trial): ComparabilityOverride | null {
    const { overrideReason: reason, overriddenByName: by, overriddenAt: at } = trial;
    return reason === null || at === null ? null : { reason, by: by ?? '', at };
  }
}

@Resolver(() => ChangedVerdict)
export class ChangedVerdictResolver {
  constructor(private readonly measurements: MeasurementsService) {}

  @ResolveField(() => Trial, { description: 'The trial' })
  trial(@Parent() { trialId }: ChangedVerdict, @Context() request: RequestContext): Promise<Trial | null> {
    return this.measurements.trialById(request).load(trialId);
  }
}

@Resolver(() => Audit)
export class AuditMeasurementsResolver {
  constructor(private readonly report: AuditMeasurementsService) {}

  @ResolveField(() => AuditMeasurements, { description: 'What its trials say on their primary metrics, as one report' })
  measurements(@Parent() audit: Audit, @Context() request: RequestContext): Promise<AuditMeasurements> {
    return this.report.ofAudit(request).load(audit.id);
  }
}

@Resolver(() => ReportedComparison)
export class ReportedComparisonResolver {
  constructor(private readonly measurements: MeasurementsService) {}

  @ResolveField(() => Trial, { description: 'The trial that it is of' })
  trial(@Parent() { trialId }: ReportedComparison, @Context() request: RequestContext): Promise<Trial | null> {
    return this.measurements.trialById(request).load(trialId);
  }
}
