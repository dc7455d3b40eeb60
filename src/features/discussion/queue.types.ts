import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Priority } from '../../generated/prisma/enums.js';
import { connectionOf } from '../../platform/graphql/page.js';

/** Why something waits for somebody, as an object, as GraphQL wants enums. */
export const QueueKind = {
  ASSIGNED: 'ASSIGNED',
  REVIEW: 'REVIEW',
  RETURNED: 'RETURNED',
  RECHECK: 'RECHECK',
  MENTION: 'MENTION',
} as const;
export type QueueKind = keyof typeof QueueKind;

registerEnumType(QueueKind, {
  name: 'QueueKind',
  description: 'Why an audit item waits for somebody',
  valuesMap: {
    ASSIGNED: { description: 'It is theirs, and is TODO or IN_PROGRESS' },
    REVIEW: { description: 'It is IN_REVIEW, they may review it, and it is not their own work' },
    RETURNED: { description: 'They submitted it, and a reviewer gave it back; it is not listed as ASSIGNED too' },
    RECHECK: { description: 'It has a re-check mark, and is theirs, or they said what came out' },
    MENTION: { description: 'A comment on it calls them, and they have neither answered nor said that they saw it' },
  },
});

@ObjectType({ description: 'An audit item that waits for the viewer; it stands once for each kind of waiting' })
export class QueueEntry {
  /** The place in the queue, and nobody else's. */
  key!: string;
  auditItemId!: string;
  commentId!: string | null;
  @Field(() => QueueKind, { description: 'Why it waits' }) kind!: QueueKind;
  @Field({ description: 'Since when: of several mentions on the item, the oldest' }) since!: Date;
  @Field(() => Date, { nullable: true, description: 'When the item is due' }) dueAt!: Date | null;
  @Field(() => Priority, { description: 'How urgent a person says that the item is' }) priority!: Priority;
  @Field({ description: 'Whether it was due before now and is not DONE' }) isOverdue!: boolean;
}

@ObjectType({
  description: 'A page of what waits: what is overdue, by due date with none last, by priority, oldest first',
})
export class QueueEntryConnection extends connectionOf(QueueEntry, 'QueueEntry') {}

@ObjectType({ description: 'How much of one kind waits for the viewer' })
export class QueueCount {
  @Field(() => QueueKind, { description: 'Why it waits' }) kind!: QueueKind;
  @Field(() => Int, { description: 'How many items' }) count!: number;
}

@InputType({ description: 'Comments that call the viewer, and that the viewer has seen' })
export class MarkMentionsSeenInput {
  @Field(() => [ID], { description: 'The comments, at most 100' }) commentIds!: string[];
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
