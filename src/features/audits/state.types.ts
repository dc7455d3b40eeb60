import { Field, ID, InputType, Int } from '@nestjs/graphql';

@InputType({ isAbstract: true })
abstract class AuditChangeInput {
  @Field(() => ID, { description: 'The audit' }) auditId!: string;
  @Field(() => Int, { description: 'The version of the audit that the change is based on' }) version!: number;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'A change of an audit itself: absent is left alone' })
export class UpdateAuditInput extends AuditChangeInput {
  @Field(() => String, { nullable: true, description: 'Title, at most 200 characters' }) title?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether items are DONE only by the acceptance of a reviewer who is not the author; a maintainer says',
  })
  requiresReview?: boolean | null;
}

@InputType({ description: 'The end of an audit' })
export class CloseAuditInput extends AuditChangeInput {
  @Field(() => String, { nullable: true, description: 'Why, or what came out, as Markdown; kept in the history' })
  reason?: string | null;
}

@InputType({ description: 'Work on a closed audit goes on' })
export class ReopenAuditInput extends AuditChangeInput {
  @Field(() => String, { nullable: true, description: 'Why, as Markdown; kept in the history' })
  reason?: string | null;
}
