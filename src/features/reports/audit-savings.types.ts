import { Field, ObjectType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { Savings } from '../derived/derived.types.js';

@ObjectType({ description: 'What one applied item saves' })
export class SavingStep {
  auditItemId!: string;
  trialId!: string;
  @Field(() => Savings, { description: 'Of all hours, as if nothing else had been applied' }) alone!: Savings;
  @Field(() => Savings, {
    description: 'Of the hours that the steps before left: over all steps the values add up to `together`',
  })
  added!: Savings;
}

@ObjectType({
  description:
    'What the applied items of an audit save in a month, on one metric and series. Gains multiply, so savings alone must not be added up; and savings on several metrics are of the same hours.',
})
export class AuditSavings {
  metricId!: string;
  @Field(() => GraphQLJSON, { description: 'The point of the dimensions that it is about' }) dimensions!: unknown;
  @Field(() => [SavingStep], { description: 'In the order of measurement, as the waterfall has them' })
  steps!: SavingStep[];
  @Field(() => Savings, { description: 'By the steps multiplied' }) together!: Savings;
  @Field(() => Savings, {
    nullable: true,
    description: 'By the end-to-end check of the waterfall, without an interval where no trial measured it',
  })
  endToEnd!: Savings | null;
  @Field({ description: 'Whether the check disagrees with the steps multiplied: then it counts' }) disagrees!: boolean;
  @Field(() => [LocalizedText], { description: 'What must be known to read it' }) remarks!: LocalizedText[];
}
