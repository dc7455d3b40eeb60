import { Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';

export enum AuditNewsKind {
  STARTED = 'STARTED',
  CHANGED = 'CHANGED',
  MISSED = 'MISSED',
}
registerEnumType(AuditNewsKind, {
  name: 'AuditNewsKind',
  description: 'Why a subscription to an audit says something',
  valuesMap: {
    STARTED: { description: 'It is being followed from now on: what was read before may be older' },
    CHANGED: { description: 'Something changed' },
    MISSED: { description: 'Changes may have been lost: read all of it anew' },
  },
});

@ObjectType({ description: 'What is new in an audit that somebody follows' })
export class AuditNews {
  itemIds!: readonly string[] | null;
  @Field(() => ID, { description: 'Id of the audit' }) auditId!: string;
  @Field(() => AuditNewsKind, { description: 'Why this comes' }) kind!: `${AuditNewsKind}`;
  @Field({
    description:
      'Whether more items changed than can be named, or it is not known which: read the list anew. Several changes that come at once are told as one.',
  })
  isWhole!: boolean;
}
