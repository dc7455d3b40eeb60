import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ReviewDecision } from '../../generated/prisma/enums.js';
import { connectionOf } from '../../platform/graphql/page.js';

registerEnumType(ReviewDecision, {
  name: 'ReviewDecision',
  description: 'What a reviewer said of what was submitted',
  valuesMap: {
    ACCEPTED: { description: 'It is so: the item is DONE' },
    REJECTED: { description: 'Something is missing or wrong: the item was given back' },
  },
});

@ObjectType({ description: 'What somebody said of an audit item, or answered to another comment' })
export class Comment {
  auditItemId!: string;
  projectId!: string;
  authorId!: string | null;
  authorName!: string | null;
  parentId!: string | null;
  @Field(() => ID, { description: 'Id of the comment' }) id!: string;
  @Field(() => Int, { description: 'Send it back with a change: a stale one gets CONFLICT' }) version!: number;
  @Field({ description: 'The text, as Markdown; earlier texts are in the history' }) body!: string;
  @Field(() => ReviewDecision, {
    nullable: true,
    description: 'Set where it is the word of a reviewer on what was submitted',
  })
  decision!: ReviewDecision | null;
  @Field({ description: 'When it was written' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When its author changed it last; null where nobody did' })
  editedAt!: Date | null;
}

@ObjectType({ description: 'A page of comments' })
export class CommentConnection extends connectionOf(Comment, 'Comment') {}

@InputType({ description: 'A new comment on an audit item; an audit that is closed can be commented too' })
export class AddCommentInput {
  @Field(() => ID, { description: 'The audit item' }) auditItemId!: string;
  @Field({ description: 'The text, as Markdown; it calls people by @ and their name' }) body!: string;
  @Field(() => ID, {
    nullable: true,
    description: 'The comment that it answers, any one of the same item: it goes into the thread of that one',
  })
  replyTo?: string | null;
  @Field(() => [ID], {
    nullable: true,
    description: 'Who is called, beside those whom the text names: people of the project',
  })
  mentionIds?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'Another text for a comment of the viewer; the old one stays in the history' })
export class EditCommentInput {
  @Field(() => ID, { description: 'The comment' }) id!: string;
  @Field(() => Int, { description: 'The version that the change is based on' }) version!: number;
  @Field({ description: 'The text, as Markdown; it calls people by @ and their name' }) body!: string;
  @Field(() => [ID], {
    nullable: true,
    description: 'Who is called, beside those whom the text names; absent leaves those who were called beside it',
  })
  mentionIds?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
