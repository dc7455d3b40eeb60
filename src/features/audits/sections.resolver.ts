import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { RequestContext } from '../../platform/auth/viewer.js';
import { Section } from '../catalog/catalog.types.js';
import { Audit } from './audits.types.js';
import { SectionsService } from './sections.service.js';
import { SectionProgress } from './sections.types.js';

@Resolver(() => Audit)
export class AuditSectionsResolver {
  constructor(private readonly service: SectionsService) {}

  @ResolveField(() => [SectionProgress], {
    description: 'How far it is in each section, in the order of the checklist',
  })
  sections(@Parent() audit: Audit, @Context() request: RequestContext): Promise<SectionProgress[]> {
    return this.service.of(request, audit);
  }
}

@Resolver(() => SectionProgress)
export class SectionProgressResolver {
  constructor(private readonly service: SectionsService) {}

  @ResolveField(() => Section, {
    nullable: true,
    description: 'The section; null where the release of the audit does not have it any more, and custom items do',
  })
  section(@Parent() progress: SectionProgress, @Context() request: RequestContext): Promise<Section | null> {
    return this.service.section(request, progress);
  }
}
