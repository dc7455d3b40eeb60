import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';
import { AuditItemFilter, AuditItemPatch } from './audits.types.js';

export enum BulkEffect {
  CHANGED = 'CHANGED',
  UNCHANGED = 'UNCHANGED',
  LEFT_OUT = 'LEFT_OUT',
}
registerEnumType(BulkEffect, {
  name: 'BulkEffect',
  description: 'What a bulk update does to an item',
  valuesMap: {
    CHANGED: { description: 'It is changed' },
    UNCHANGED: { description: 'It is already as it is to be' },
    LEFT_OUT: { description: 'It is left as it is, for the reason given' },
  },
});

@InputType({ description: 'A change of many items of one audit at once' })
export class BulkUpdateAuditItemsInput {
  @Field(() => ID, { description: 'The audit' }) auditId!: string;
  @Field(() => AuditItemFilter, { nullable: true, description: 'Which items; all of the audit where absent' })
  filter?: AuditItemFilter | null;
  @Field(() => AuditItemPatch, { description: 'What to change of each' }) patch!: AuditItemPatch;
  @Field(() => Date, {
    nullable: true,
    description: 'When the items were read: one that somebody changed since is left out',
  })
  unchangedSince?: Date | null;
  @Field(() => String, {
    nullable: true,
    description:
      '`next` of the request before: only items behind it are looked at, so that a change which the filter does not see is made once',
  })
  after?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Whether only to say what would happen: nothing is written',
  })
  dryRun?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@ObjectType({ description: 'What a bulk update does to one item' })
export class BulkItemResult {
  auditItemId!: string;
  @Field(() => BulkEffect, { description: 'What becomes of it' }) effect!: `${BulkEffect}`;
  @Field(() => LocalizedText, { nullable: true, description: 'Why it is left out; null where it is not' })
  reason!: LocalizedText | null;
}

@ObjectType({ description: 'A page of what a bulk update does, in the order of the checklist' })
export class BulkItemResultConnection extends connectionOf(BulkItemResult, 'BulkItemResult') {}

@ObjectType({ description: 'What a bulk update did, or would do' })
export class BulkUpdate {
  results!: readonly BulkItemResult[];
  @Field({ description: 'Whether nothing was written' }) isDryRun!: boolean;
  @Field(() => Int, { description: 'How many items the filter lets through, behind `after`' }) matched!: number;
  @Field(() => Int, { description: 'How many are changed, at most 500' }) changed!: number;
  @Field(() => Int, { description: 'How many are already as they are to be' }) unchanged!: number;
  @Field(() => Int, { description: 'How many are left out' }) leftOut!: number;
  @Field({ description: 'Whether items were left out because one request changes no more: go on with `next`' })
  hasMore!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Where the next request goes on: pass it as `after`; null where nothing is left',
  })
  next!: string | null;
}
