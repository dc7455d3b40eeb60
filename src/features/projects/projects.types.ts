import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { allPermissions, type Permission as PermissionName } from '../../domain/permissions.js';
import type { Locale as LocaleValue } from '../../domain/locale.js';
import { Locale } from '../../generated/prisma/enums.js';
import { connectionOf } from '../../platform/graphql/page.js';

/** The permissions as an object, as GraphQL wants enums. */
const Permission = Object.fromEntries(allPermissions.map((name) => [name, name]));
registerEnumType(Permission, {
  name: 'Permission',
  description: 'What somebody may do in a project',
  valuesMap: {
    READ_PROJECT: { description: 'See the project and all in it' },
    WRITE_AUDITS: { description: 'Open audits and say what items are' },
    WRITE_MEASUREMENTS: { description: 'Import runs and make trials' },
    WRITE_NOTES: { description: 'Publish notes' },
    REVIEW_AUDITS: { description: 'Accept or reject what others say of items' },
    MANAGE_PROJECT: { description: 'Change the project, its environments and members' },
  },
});
export { Permission };

@ObjectType('Viewer', { description: 'Whoever is asking' })
export class ViewerType {
  @Field(() => ID, { description: 'Id of the viewer' }) id!: string;
  @Field({ description: 'Name to show' }) name!: string;
  @Field(() => Locale, { description: 'The language that texts and messages come in where none is asked for' })
  locale!: LocaleValue;
}

@ObjectType({ description: 'Somebody who works with the service, or a machine that acts by a service token' })
export class Person {
  @Field(() => ID, { description: 'Id of the person' }) id!: string;
  @Field({ description: 'Name to show; of a machine that of its token' }) name!: string;
  @Field({ description: 'Whether it is a machine: it is never given work, mentioned or asked for a review' })
  isMachine!: boolean;
}

@ObjectType({ description: 'A workload that is tuned, with its environments, audits and runs' })
export class Project {
  teamId!: string | null;
  @Field(() => ID, { description: 'Id of the project' }) id!: string;
  @Field({ description: 'Name in addresses' }) slug!: string;
  @Field({ description: 'Name' }) name!: string;
  @Field(() => String, { nullable: true, description: 'What the workload is' }) description!: string | null;
  @Field({ description: 'When it was created' }) createdAt!: Date;
}

@ObjectType({ description: 'What runs run on: hardware, counts, versions, settings' })
export class Environment {
  projectId!: string;
  hardwareId!: string | null;
  @Field(() => ID, { description: 'Id of the environment' }) id!: string;
  @Field(() => Int, { description: 'Send it back with a change: a stale one gets CONFLICT' }) version!: number;
  @Field({ description: 'Name within the project' }) name!: string;
  @Field(() => GraphQLJSON, {
    description:
      'Facts by key: gpu.sku, gpu.count, driver, env.NCCL_ALGO, workload.model. They stand over those of `hardware`; the query `environmentKeys` lists the keys.',
  })
  facts!: unknown;
}

export const factsDescription =
  'Facts by key, flat or nested; the query `environmentKeys` lists the keys and the values that rules ask for, and `detectEnvironment` reads facts from the output of tools. Other words for a value are understood (BF16 is bf16); workload.phase inference is prefill and decode.';

@InputType({ description: 'A new project. With `hardware` or `facts` it gets a first environment named `default`.' })
export class CreateProjectInput {
  @Field({ description: 'Name in addresses: lower-case letters, digits and hyphens, 1 to 64' }) slug!: string;
  @Field({ description: 'Name, 1 to 200 characters' }) name!: string;
  @Field(() => String, { nullable: true, description: 'What the workload is' }) description?: string | null;
  @Field(() => String, { nullable: true, description: 'Slug of a hardware profile' }) hardware?: string | null;
  @Field(() => GraphQLJSON, { nullable: true, description: factsDescription }) facts?: unknown;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'A further environment of a project' })
export class CreateEnvironmentInput {
  @Field(() => ID, { description: 'The project' }) projectId!: string;
  @Field({ description: 'Name within the project, 1 to 200 characters' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Slug of a hardware profile' }) hardware?: string | null;
  @Field(() => GraphQLJSON, { nullable: true, description: factsDescription }) facts?: unknown;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({
  description:
    'A change of an environment: absent is left alone. Open audits in it are scoped anew; `previewEnvironmentChange` says how.',
})
export class UpdateEnvironmentInput {
  @Field(() => ID, { description: 'The environment' }) id!: string;
  @Field(() => Int, { description: 'The version that the change is based on' }) version!: number;
  @Field(() => String, { nullable: true, description: 'Name within the project, 1 to 200 characters' })
  name?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Slug of a hardware profile; null for hardware that is not known',
  })
  hardware?: string | null;
  @Field(() => GraphQLJSON, { nullable: true, description: `All facts anew. ${factsDescription}` }) facts?: unknown;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'Facts that change, over those that are there or over `facts`; null takes one away: { driver: "590.48.01", nccl: null }',
  })
  factChanges?: unknown;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@ObjectType({ description: 'A page of projects' })
export class ProjectConnection extends connectionOf(Project, 'Project') {}

export type { PermissionName };
