import { Field, Float, Int, ObjectType } from '@nestjs/graphql';
import { Comparison } from './measurements.types.js';

@ObjectType({ description: 'A primary comparison among all that an audit claims' })
export class ReportedComparison {
  trialId!: string;
  @Field(() => Comparison, { description: 'The comparison, of the newest computation of its trial' })
  comparison!: Comparison;
  @Field(() => Float, {
    nullable: true,
    description:
      'Its p-value corrected by Holm over the primary comparisons of the audit; null without one, and for an A/A run',
  })
  reportAdjustedP!: number | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its claim of a change survives that; null where it claims none, or has no p-value',
  })
  survivesReport!: boolean | null;
}

@ObjectType({ description: 'What the trials of an audit say on their primary metrics, as one report' })
export class AuditMeasurements {
  @Field(() => Int, { description: 'How many claims of a change there are that have a p-value' }) claimCount!: number;
  @Field(() => Int, { description: 'How many of them survive the correction over the audit' }) survivingCount!: number;
  @Field(() => [ReportedComparison], { description: 'In the order in which the trials were recorded; at most 1,000' })
  comparisons!: ReportedComparison[];
}
