import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ServiceTokenRight } from '../../generated/prisma/enums.js';
import { connectionOf } from '../../platform/graphql/page.js';

registerEnumType(ServiceTokenRight, {
  name: 'ServiceTokenRight',
  description: 'What a service token is for',
  valuesMap: {
    INGEST: { description: 'Read the projects, import runs and make trials' },
    READ_ONLY: { description: 'Read the projects' },
  },
});

@ObjectType({
  description:
    'Lets a machine act in some projects, by the header `Authorization: Bearer …`. It may never do more than its creator may now: in a project that the creator lost it is a stranger. It reads the catalog as everybody does.',
})
export class ServiceToken {
  createdById!: string;
  /** Ids of its projects. */
  projectIds!: readonly string[];
  @Field(() => ID, { description: 'Id of the token' }) id!: string;
  @Field({ description: 'What it is called: the history says so of what it does' }) name!: string;
  @Field({ description: 'The beginning of its secret, to know it by' }) prefix!: string;
  @Field(() => ServiceTokenRight, { description: 'What it is for' }) right!: ServiceTokenRight;
  @Field({ description: 'When it was made' }) createdAt!: Date;
  @Field({ description: 'When it ends' }) expiresAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was used last, to the minute; null for never' })
  lastUsedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When it was revoked; null where it was not' })
  revokedAt!: Date | null;
}

@ObjectType({ description: 'A page of service tokens' })
export class ServiceTokenConnection extends connectionOf(ServiceToken, 'ServiceToken') {}

@ObjectType({ description: 'A service token with its secret' })
export class CreatedServiceToken {
  @Field(() => String, {
    nullable: true,
    description:
      'The secret, which is shown here and never again. Null in the answer to a repeated request: revoke the token and make another one where the first answer was lost.',
  })
  token!: string | null;
  @Field(() => ServiceToken, { description: 'The token' }) serviceToken!: ServiceToken;
}

@InputType({ description: 'A new service token' })
export class CreateServiceTokenInput {
  @Field({ description: 'What to call it, 1 to 200 characters' }) name!: string;
  @Field(() => [ID], { description: 'The projects that it is for, 1 to 50' }) projectIds!: string[];
  @Field(() => ServiceTokenRight, { description: 'What it is for' }) right!: ServiceTokenRight;
  @Field(() => Date, { nullable: true, description: 'When it ends: in 90 days where absent, at most in two years' })
  expiresAt?: Date | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'Which service token to revoke' })
export class RevokeServiceTokenInput {
  @Field(() => ID, { description: 'The token' }) id!: string;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
