import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First, pageOf, rowsAfter } from '../../platform/graphql/page.js';
import { AuditsService } from './audits.service.js';
import { AuditItem } from './audits.types.js';
import { BulkService } from './bulk.service.js';
import {
  BulkEffect,
  BulkItemResult,
  BulkItemResultConnection,
  BulkUpdate,
  BulkUpdateAuditItemsInput,
} from './bulk.types.js';

@Resolver(() => BulkUpdate)
export class BulkResolver {
  constructor(private readonly bulk: BulkService) {}

  @Mutation(() => BulkUpdate, {
    description:
      'Changes many items of an audit at once, at most 500 and with 1,000,000 characters of remarks and reasons: `next` says where to go on. What the rules refuse for an item leaves it out with the reason, and a patch that no item can take is refused; with dryRun nothing is written. Acceptance by a reviewer is given item by item.',
  })
  bulkUpdateAuditItems(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: BulkUpdateAuditItemsInput,
  ): Promise<BulkUpdate> {
    return this.bulk.update(viewer, input);
  }

  @ResolveField('results', () => BulkItemResultConnection, {
    description: 'What becomes of each item, in the order of the checklist',
  })
  list(
    @Parent() { results }: BulkUpdate,
    @Args('effects', {
      type: () => [BulkEffect],
      nullable: true,
      description: 'Those with any of these effects; all where absent, none for an empty list',
    })
    effects: (keyof typeof BulkEffect)[] | null,
    @First(100) first: number,
    @After() after: string | null,
  ): BulkItemResultConnection {
    const page = { first, after };
    const wanted = effects ? results.filter(({ effect }) => effects.includes(effect)) : results;
    const keyOf = ({ auditItemId }: BulkItemResult) => auditItemId;
    return pageOf(rowsAfter(wanted, page, keyOf), page, wanted.length, keyOf, (result) => result);
  }
}

@Resolver(() => BulkItemResult)
export class BulkItemResultResolver {
  constructor(private readonly audits: AuditsService) {}

  @ResolveField(() => AuditItem, { description: 'The audit item, as it is stored' })
  auditItem(@Parent() { auditItemId }: BulkItemResult, @Context() request: RequestContext): Promise<AuditItem | null> {
    return this.audits.itemById(request).load(auditItemId);
  }
}
