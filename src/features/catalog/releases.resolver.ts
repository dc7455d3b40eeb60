import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { Checklist } from './catalog.types.js';
import { ReleasesService } from './releases.service.js';
import { ItemChangeConnection, Release, ReleaseDifference } from './releases.types.js';

@Resolver(() => ReleaseDifference)
export class ReleaseDifferenceResolver {
  constructor(private readonly releases: ReleasesService) {}

  @Query(() => ReleaseDifference, { description: 'What changed from one release of a checklist to another' })
  releaseDifference(
    @CurrentViewer() viewer: Viewer,
    @Args('checklist', { description: 'Slug of the checklist' }) checklist: string,
    @Args('from', { description: 'Version of the earlier release' }) from: string,
    @Args('to', {
      type: () => String,
      nullable: true,
      description: 'Version of the later release; the newest where absent',
    })
    to: string | null,
  ): Promise<ReleaseDifference> {
    return this.releases.difference(viewer, checklist, from, to ?? null);
  }

  @ResolveField(() => ItemChangeConnection, {
    description: 'The items that differ, in the order of the later release, and then those that it lacks',
  })
  changes(
    @Parent() difference: ReleaseDifference,
    @First(50) first: number,
    @After() after: string | null,
  ): ItemChangeConnection {
    return this.releases.changes(difference, { first, after });
  }
}

@Resolver(() => Checklist)
export class ChecklistReleasesResolver {
  constructor(private readonly service: ReleasesService) {}

  @ResolveField(() => [Release], {
    description: 'All its releases, the newest first, at most 100; of a private checklist of others only this one',
  })
  async releases(
    @Parent() { releaseId }: Checklist,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
  ): Promise<Release[]> {
    return this.service.releasesOf(viewer, request, releaseId);
  }
}
