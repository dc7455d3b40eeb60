import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { AuditsService } from '../audits/audits.service.js';
import { Audit, AuditItem } from '../audits/audits.types.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Metric } from '../catalog/catalog.types.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import { Trial } from '../measurements/measurements.types.js';
import { WaterfallService } from './waterfall.service.js';
import { EndToEndCheck, SetEndToEndTrialInput, Waterfall, WaterfallStep } from './waterfall.types.js';

@Resolver(() => Audit)
export class AuditWaterfallResolver {
  constructor(
    private readonly waterfalls: WaterfallService,
    private readonly measurements: MeasurementsService,
    private readonly catalog: CatalogService,
  ) {}

  @Mutation(() => Audit, {
    description:
      'Names the trial that measured all applied items of an audit together; its waterfalls are held against it. It proves nothing of the item that it was recorded on, whose proof comes from its other trials.',
  })
  setEndToEndTrial(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: SetEndToEndTrialInput,
  ): Promise<Audit> {
    return this.waterfalls.setEndToEndTrial(viewer, input);
  }

  @ResolveField(() => [Waterfall], {
    description:
      'What the applied items did one after the other, for each metric and series that their trials decide by',
  })
  async waterfall(
    @Parent() audit: Audit,
    @Context() request: RequestContext,
    @Args('metric', { type: () => String, nullable: true, description: 'Key of the metric; all where absent' })
    metric: string | null,
  ): Promise<Waterfall[]> {
    const waterfalls = await this.waterfalls.ofAudit(request).load(audit.id);
    if (metric === null || metric === undefined) return waterfalls;
    const ids = waterfalls.map(({ metricId }) => metricId);
    const metrics = await Promise.all(ids.map((id) => this.catalog.metricById(request).load(id)));
    return waterfalls.filter((_, index) => metrics[index]?.key === metric);
  }

  @ResolveField(() => Trial, { nullable: true, description: 'The trial that measured all applied items together' })
  endToEndTrial(@Parent() audit: Audit, @Context() request: RequestContext): Promise<Trial | null> {
    const { endToEndTrialId } = audit;
    return endToEndTrialId === null
      ? Promise.resolve(null)
      : this.measurements.trialById(request).load(endToEndTrialId);
  }
}

@Resolver(() => Waterfall)
export class WaterfallResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Metric, { description: 'What was measured' })
  metric(@Parent() waterfall: Waterfall, @Context() request: RequestContext): Promise<Metric | null> {
    return this.catalog.metricById(request).load(waterfall.metricId);
  }
}

@Resolver(() => WaterfallStep)
export class WaterfallStepResolver {
  constructor(
    private readonly audits: AuditsService,
    private readonly measurements: MeasurementsService,
  ) {}

  @ResolveField(() => AuditItem, { description: 'The applied item' })
  auditItem(@Parent() step: WaterfallStep, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(step.auditItemId);
  }

  @ResolveField(() => Trial, { description: 'Its newest trial with a verdict on the metric' })
  trial(@Parent() step: WaterfallStep, @Context() request: RequestContext): Promise<Trial | null> {
    return this.measurements.trialById(request).load(step.trialId);
  }
}

@Resolver(() => EndToEndCheck)
export class EndToEndCheckResolver {
  constructor(private readonly measurements: MeasurementsService) {}

  @ResolveField(() => Trial, { nullable: true, description: 'The trial that was named for it; null without one' })
  trial(@Parent() { trialId }: EndToEndCheck, @Context() request: RequestContext): Promise<Trial | null> {
    return trialId === null ? Promise.resolve(null) : this.measurements.trialById(request).load(trialId);
  }
}
