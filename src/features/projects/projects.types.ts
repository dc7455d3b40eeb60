import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
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

@ObjectType({ description: 'A workload that is tuned, with its environments, audits and runs' })
export class Project {
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
  @Field({ description: 'Name within the project' }) name!: string;
  @Field(() => GraphQLJSON, {
    description:
      'Facts by key: gpu.sku, gpu.count, driver, env.NCCL_ALGO, workload.model. They stand over those of `hardware`; the query `environmentKeys` lists the keys.',
  })
  facts!: unknown;
}

const factsDescription =
  'Facts by key, flat or nested; the query `environmentKeys` lists the keys. Values that rules ask for: workload.phase is training, prefill, decode, data or inference (prefill and decode); fabric.kind is infiniband, roce, ethernet, nvlink or none; storage.kind is nvme, nfs, lustre, gpfs, beegfs or object';

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

@ObjectType({ description: 'A page of projects' })
export class ProjectConnection extends connectionOf(Project, 'Project') {}

export type { PermissionName };
