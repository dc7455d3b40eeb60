import { Field, ID, InputType, Int } from '@nestjs/graphql';

@InputType({ isAbstract: true })
abstract class ReviewInput {
  @Field(() => ID, { description: 'The audit item' }) id!: string;
  @Field(() => Int, { description: 'The version that was looked at: what changed since is not reviewed' })
  version!: number;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'What is to be reviewed' })
export class SubmitAuditItemInput extends ReviewInput {
  @Field(() => String, { nullable: true, description: 'What reviewers are to know, as Markdown' })
  comment?: string | null;
}

@InputType({ description: 'What is accepted' })
export class AcceptAuditItemInput extends ReviewInput {
  @Field(() => String, { nullable: true, description: 'What is to be said of it, as Markdown' })
  comment?: string | null;
}

@InputType({ description: 'What is given back, and why' })
export class RejectAuditItemInput extends ReviewInput {
  @Field({ description: 'What is missing or wrong, as Markdown' }) comment!: string;
}
