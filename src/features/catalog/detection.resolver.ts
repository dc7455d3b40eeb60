import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { RequestContext } from '../../platform/auth/viewer.js';
import { After, First, pageOf, rowsAfter } from '../../platform/graphql/page.js';
import { Applies } from '../../generated/prisma/enums.js';
import { CatalogService } from './catalog.service.js';
import { Checklist, Item } from './catalog.types.js';
import { DetectionService } from './detection.service.js';
import {
  ApplicabilityReport,
  DetectedEnvironment,
  ItemApplicability,
  ItemApplicabilityConnection,
} from './detection.types.js';

@Resolver()
export class DetectionResolver {
  constructor(private readonly detection: DetectionService) {}

  @Query(() => DetectedEnvironment, {
    description:
      'Reads facts of a machine from the output of tools, one or several in one text: nvidia-smi -q (text and XML), topo -m, --query-gpu, rocm-smi, amd-smi, npu-smi, lscpu, numactl, ibstat, nvcc, collect_env and others. Nothing is stored.',
  })
  detectEnvironment(
    @Args('content', { description: 'The text; at most 2,000,000 characters in 50,000 lines' }) content: string,
  ): Promise<DetectedEnvironment> {
    return this.detection.detect(content);
  }
}

@Resolver(() => ApplicabilityReport)
export class ApplicabilityReportResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Checklist, { description: 'The checklist, in the release that was asked about' })
  checklist(@Parent() report: ApplicabilityReport, @Context() request: RequestContext): Promise<Checklist | null> {
    return this.catalog.checklistOfRelease(request).load(report.releaseId);
  }

  @ResolveField(() => ItemApplicabilityConnection, {
    description: 'The items with their answers, in the order of the checklist',
  })
  items(
    @Parent() { answers }: ApplicabilityReport,
    @Args('answers', {
      type: () => [Applies],
      nullable: true,
      description: 'Any of these answers; all where absent, none for an empty list',
    })
    wanted: Applies[] | null,
    @First(100) first: number,
    @After() after: string | null,
  ): ItemApplicabilityConnection {
    const page = { first, after };
    const shown = wanted ? answers.filter(({ applicability }) => wanted.includes(applicability.answer)) : answers;
    const keyOf = ({ releaseItemId }: ItemApplicability) => releaseItemId;
    return pageOf(rowsAfter(shown, page, keyOf), page, shown.length, keyOf, (one) => one);
  }
}

@Resolver(() => ItemApplicability)
export class ItemApplicabilityResolver {
  constructor(private readonly catalog: CatalogService) {}

  @ResolveField(() => Item, { description: 'The item' })
  item(@Parent() { releaseItemId }: ItemApplicability, @Context() request: RequestContext): Promise<Item | null> {
    return this.catalog.itemOfRelease(request).load(releaseItemId);
  }
}
