import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { RequestContext } from '../../platform/auth/viewer.js';
import { AuditsService } from '../audits/audits.service.js';
import { Audit, AuditItem } from '../audits/audits.types.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Metric } from '../catalog/catalog.types.js';
import { FleetInput } from '../derived/fleet.types.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import { Trial } from '../measurements/measurements.types.js';
import { AuditSavingsService } from './audit-savings.service.js';
import { AuditSavings, SavingStep } from './audit-savings.types.js';

@Resolver(() => Audit)
export class AuditSavingsResolver {
  constructor(private readonly savingsService: AuditSavingsService) {}

  @ResolveField(() => [AuditSavings], {
    description:
      'What its applied items are worth to the fleet in a month, for each metric and series that their trials decide by',
  })
  savings(
    @Parent() audit: Audit,
    @Context() request: RequestContext,
    @Args('fleet', { type: () => FleetInput, nullable: true, description: 'Figures over those of the project' })
    fleet: FleetInput | null,
  ): Promise<AuditSavings[]> {
    return this.savingsService.ofAudit(request, audit, fleet ?? null);
  }
}

@Resolver(() => AuditSavings)
export class AuditSavingsMetricResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Metric, { description: 'What was measured' })
  metric(@Parent() { metricId }: AuditSavings, @Context() request: RequestContext): Promise<Metric | null> {
    return this.catalog.metricById(request).load(metricId);
  }
}

@Resolver(() => SavingStep)
export class SavingStepResolver {
  constructor(
    private readonly audits: AuditsService,
    private readonly measurements: MeasurementsService,
  ) {}

  @ResolveField(() => AuditItem, { description: 'The applied item' })
  auditItem(@Parent() { auditItemId }: SavingStep, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(auditItemId);
  }

  @ResolveField(() => Trial, { description: 'Its newest trial with a verdict on the metric' })
  trial(@Parent() { trialId }: SavingStep, @Context() request: RequestContext): Promise<Trial | null> {
    return this.measurements.trialById(request).load(trialId);
  }
}
