import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type Viewer } from '../../platform/auth/viewer.js';
import { AuditItem } from './audits.types.js';
import { CustomItemsService } from './custom-items.service.js';
import { AddCustomItemInput, ArchiveCustomItemInput, UpdateCustomItemInput } from './custom-items.types.js';

@Resolver(() => AuditItem)
export class CustomItemsResolver {
  constructor(private readonly customItems: CustomItemsService) {}

  @Mutation(() => AuditItem, {
    description:
      'Adds an item to one audit alone, behind all others. It can be assessed, measured and searched as any; `proposeItem` proposes it for a checklist.',
  })
  addCustomItem(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: AddCustomItemInput,
  ): Promise<AuditItem> {
    return this.customItems.add(viewer, input);
  }

  @Mutation(() => AuditItem, {
    description:
      'Changes what an item of one audit alone says; the history keeps each text as it was. A check that reads otherwise gives a result that is DONE or measured a re-check mark; where the audit requires reviews, an item that is DONE is IN_PROGRESS again with another text, setting or metric.',
  })
  updateCustomItem(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: UpdateCustomItemInput,
  ): Promise<AuditItem> {
    return this.customItems.update(viewer, input);
  }

  @Mutation(() => AuditItem, {
    description:
      'Takes an item of one audit alone out of its lists and counts, or puts it back. Nothing that was said of it is lost.',
  })
  archiveCustomItem(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: ArchiveCustomItemInput,
  ): Promise<AuditItem> {
    return this.customItems.archive(viewer, input);
  }

  @ResolveField(() => Boolean, { description: 'Whether it is an item of this audit alone, of no checklist' })
  isCustom(@Parent() { releaseItemId }: AuditItem): boolean {
    return releaseItemId === null;
  }
}
