import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { invalidInput } from '../../domain/errors.js';
import { Access } from '../../platform/auth/access.js';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { After, First } from '../../platform/graphql/page.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { RulesService } from '../catalog/rules.service.js';
import { Applicability, HardwareProfile, Item } from '../catalog/catalog.types.js';
import { ApplicabilityReport } from '../catalog/detection.types.js';
import { EnvironmentsService } from './environments.service.js';
import { PeopleService } from './people.service.js';
import { ProjectsService } from './projects.service.js';
import {
  CreateEnvironmentInput,
  CreateProjectInput,
  Environment,
  factsDescription,
  Permission,
  Person,
  Project,
  ProjectConnection,
  ViewerType,
  type PermissionName,
} from './projects.types.js';

@Resolver(() => Project)
export class ProjectsResolver {
  constructor(
    private readonly projects: ProjectsService,
    private readonly environmentsService: EnvironmentsService,
    private readonly access: Access,
    private readonly peopleService: PeopleService,
  ) {}

  @Query(() => ViewerType, { description: 'Whoever is asking' })
  viewer(@CurrentViewer() viewer: Viewer): ViewerType {
    return viewer;
  }

  @Query(() => ProjectConnection, {
    name: 'projects',
    description: 'The projects that the viewer may see, newest first',
  })
  list(
    @CurrentViewer() viewer: Viewer,
    @First(50) first: number,
    @After() after: string | null,
  ): Promise<ProjectConnection> {
    return this.projects.list(viewer, { first, after });
  }

  @Query(() => Project, { nullable: true, description: 'One project, if the viewer may see it' })
  project(
    @CurrentViewer() viewer: Viewer,
    @Args('slug', { description: 'Slug of the project' }) slug: string,
  ): Promise<Project | null> {
    return this.projects.find(viewer, slug);
  }

  @Mutation(() => Project, { description: 'Creates a project; whoever does is its maintainer' })
  createProject(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: CreateProjectInput,
  ): Promise<Project> {
    return this.projects.create(viewer, input);
  }

  @Mutation(() => Environment, { description: 'Adds an environment to a project' })
  createEnvironment(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: CreateEnvironmentInput,
  ): Promise<Environment> {
    return this.projects.createEnvironment(viewer, input);
  }

  @ResolveField(() => [Environment], { description: 'Its environments, oldest first' })
  environments(@Parent() project: Project, @Context() request: RequestContext): Promise<Environment[]> {
    return this.environmentsService.ofProject(request).load(project.id);
  }

  @ResolveField(() => [Person], {
    description: 'Who can be given work, mentioned or asked for a review: members and administrators, by name',
  })
  people(@Parent() project: Project): Promise<Person[]> {
    return this.peopleService.ofProject(project.id);
  }

  @ResolveField(() => [Permission], { description: 'What the viewer may do in the project' })
  async viewerCan(@Parent() project: Project, @CurrentViewer() viewer: Viewer): Promise<PermissionName[]> {
    return [...(await this.access.permissionsIn(project.id, viewer))];
  }
}

@Resolver(() => Environment)
export class EnvironmentResolver {
  constructor(
    private readonly catalog: CatalogService,
    private readonly rules: RulesService,
  ) {}

  @ResolveField(() => HardwareProfile, { nullable: true, description: 'The known hardware, null for any other' })
  hardware(@Parent() environment: Environment, @Context() request: RequestContext): Promise<HardwareProfile | null> {
    if (environment.hardwareId === null) return Promise.resolve(null);
    return this.catalog.profileById(request).load(environment.hardwareId);
  }

  @ResolveField(() => [String], {
    description:
      'Keys of `facts` that `environmentKeys` and the capabilities do not have: they are kept and shown, and no rule uses them',
  })
  unknownKeys(@Parent() environment: Environment): Promise<string[]> {
    return this.rules.unknownKeys(environment.facts);
  }
}

@Resolver(() => ViewerType)
export class ViewerResolver {
  @ResolveField(() => Boolean, { description: 'Whether it is a machine, which acts by a service token' })
  isMachine(@Parent() { tokenId }: Viewer): boolean {
    return tokenId !== undefined;
  }
}

/** What of a checklist is for a machine: a profile, typed facts, or an environment of a project. */
@Resolver()
export class ApplicabilityResolver {
  constructor(private readonly environments: EnvironmentsService) {}

  @Query(() => ApplicabilityReport, {
    description:
      'What of a checklist applies to a machine, what does not, and why, without any audit. The machine is a hardware profile, facts, both, or an environment; with none of them nothing is known.',
  })
  applicability(
    @CurrentViewer() viewer: Viewer,
    @Args('checklist', { description: 'Slug of the checklist' }) checklist: string,
    @Args('version', {
      type: () => String,
      nullable: true,
      description: 'Version of the release; the newest where absent',
    })
    version: string | null,
    @Args('hardware', { type: () => String, nullable: true, description: 'Slug of a hardware profile' })
    hardware: string | null,
    @Args('facts', { type: () => GraphQLJSON, nullable: true, description: factsDescription }) facts: unknown,
    @Args('environmentId', {
      type: () => ID,
      nullable: true,
      description: 'Id of an environment, instead of hardware and facts',
    })
    environmentId: string | null,
  ): Promise<ApplicabilityReport> {
    return this.environments.applicabilityReport(
      viewer,
      { checklist, version: version ?? null },
      { hardware, facts, environmentId: environmentId ?? null },
    );
  }
}

/** What an item is for an environment: the item knows the rule, the project the facts. */
@Resolver(() => Item)
export class ItemInEnvironmentResolver {
  constructor(
    private readonly catalog: CatalogService,
    private readonly environments: EnvironmentsService,
  ) {}

  @ResolveField(() => Applicability, {
    description: 'Whether the item applies, and why. Exactly one of the two arguments, else INVALID_INPUT.',
  })
  applicability(
    @Parent() item: Item,
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
    @Args('hardware', { type: () => String, nullable: true, description: 'Slug of a hardware profile' })
    hardware: string | null,
    @Args('environmentId', { type: () => ID, nullable: true, description: 'Id of an environment' })
    environmentId: string | null,
  ): Promise<Applicability> {
    const [profile, environment] = [hardware ?? null, environmentId ?? null];
    if (profile !== null && environment === null) return this.catalog.applicabilityTo(request, item, profile);
    if (profile === null && environment !== null) {
      return this.environments.applicabilityIn(viewer, request, item, environment);
    }
    throw invalidInput({
      en: 'Give exactly one of hardware and environmentId',
      zh: '须且只须给出 hardware 与 environmentId 之一',
    });
  }
}
