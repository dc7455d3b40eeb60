import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { PeopleService } from '../projects/people.service.js';
import { Person, Project } from '../projects/projects.types.js';
import { ServiceTokensService } from './service-tokens.service.js';
import {
  CreatedServiceToken,
  CreateServiceTokenInput,
  RevokeServiceTokenInput,
  ServiceToken,
  ServiceTokenConnection,
} from './service-tokens.types.js';

@Resolver(() => ServiceToken)
export class ServiceTokensResolver {
  constructor(
    private readonly tokens: ServiceTokensService,
    private readonly people: PeopleService,
  ) {}

  @Mutation(() => CreatedServiceToken, {
    description: 'Makes a service token, by whoever manages all its projects. The secret is in this answer alone.',
  })
  createServiceToken(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: CreateServiceTokenInput,
  ): Promise<CreatedServiceToken> {
    return this.tokens.create(viewer, input);
  }

  @Mutation(() => ServiceToken, {
    description: 'Ends a service token at once, in all its projects. Whoever manages one of them may.',
  })
  revokeServiceToken(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: RevokeServiceTokenInput,
  ): Promise<ServiceToken> {
    return this.tokens.revoke(viewer, input);
  }

  @ResolveField(() => [Project], { description: 'Those of its projects that the viewer may see' })
  projects(
    @Parent() token: ServiceToken,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
  ): Promise<Project[]> {
    return this.tokens.projectsOf(viewer, request, token);
  }

  @ResolveField(() => Person, { description: 'Who made it, and what it may do at most' })
  createdBy(@Parent() { createdById }: ServiceToken, @Context() request: RequestContext): Promise<Person | null> {
    return this.people.byId(request).load(createdById);
  }
}

@Resolver(() => Project)
export class ProjectTokensResolver {
  constructor(private readonly tokens: ServiceTokensService) {}

  @ResolveField(() => ServiceTokenConnection, {
    nullable: true,
    description:
      'Its service tokens, newest first, those that ended included; null for whoever may not manage the project',
  })
  serviceTokens(
    @Parent() project: Project,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<ServiceTokenConnection | null> {
    return this.tokens.ofProject(viewer, request, project.id, { first, after });
  }
}
