import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { EvidenceLevel, Proof, Verdict } from '../../generated/prisma/enums.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';

export enum EndToEndSource {
  TRIAL = 'TRIAL',
  FIRST_TO_LAST = 'FIRST_TO_LAST',
}
registerEnumType(EndToEndSource, {
  name: 'EndToEndSource',
  description: 'What the steps of a waterfall are held against',
  valuesMap: {
    TRIAL: { description: 'The trial that was named for it by `setEndToEndTrial`' },
    FIRST_TO_LAST: {
      description: 'The median before the first step against the median after the last: no trial measured it',
    },
  },
});

@ObjectType({ description: 'What one applied item did to the metric, by its newest trial with a verdict on it' })
export class WaterfallStep {
  auditItemId!: string;
  trialId!: string;
  @Field({ description: 'When its last run began, where that is known, else when it was recorded' }) measuredAt!: Date;
  @Field(() => Float, { nullable: true, description: 'As a fraction; plus is better' }) gain!: number | null;
  @Field(() => Float, { nullable: true, description: 'Lower end of the 95 % interval' }) gainLow!: number | null;
  @Field(() => Float, { nullable: true, description: 'Upper end of the 95 % interval' }) gainHigh!: number | null;
  @Field(() => Float, { nullable: true, description: 'Median before, in the unit of the metric' })
  medianBefore!: number | null;
  @Field(() => Float, { nullable: true, description: 'Median after, in the unit of the metric' })
  medianAfter!: number | null;
  @Field(() => Float, { description: 'The smallest effect that counts in this comparison, as a fraction' })
  threshold!: number;
  @Field(() => EvidenceLevel, { description: 'How much the comparison may claim' }) evidence!: EvidenceLevel;
  @Field(() => Verdict, { description: 'What it says' }) verdict!: Verdict;
  @Field(() => Proof, { nullable: true, description: 'What measurements say of the item; null unless it is applied' })
  proof!: Proof | null;
  @Field({ description: 'Whether something else that matters differs, or may differ, between its arms' })
  isConfounded!: boolean;
  @Field({
    description:
      'Whether it begins further than the threshold from where the step before ended: something else changed',
  })
  startsElsewhere!: boolean;
}

@ObjectType({ description: 'How far the metric moved over all steps together' })
export class EndToEndCheck {
  trialId!: string | null;
  @Field(() => EndToEndSource, { description: 'Where it comes from' }) source!: EndToEndSource;
  @Field(() => Float, { description: 'As a fraction; plus is better' }) gain!: number;
  @Field(() => Float, { nullable: true, description: 'Lower end of its 95 % interval, where a trial gives one' })
  gainLow!: number | null;
  @Field(() => Float, { nullable: true, description: 'Upper end of its 95 % interval, where a trial gives one' })
  gainHigh!: number | null;
  @Field(() => Verdict, { nullable: true, description: 'What the trial says; null without one' })
  verdict!: Verdict | null;
  @Field(() => EvidenceLevel, { nullable: true, description: 'How much the trial may claim; null without one' })
  evidence!: EvidenceLevel | null;
}

@ObjectType({
  description:
    'The gains of the applied items on one metric, one after the other, and whether they multiply to what is seen end to ' +
    'end. A/A runs, the end-to-end trial itself and archived items are no steps.',
})
export class Waterfall {
  metricId!: string;
  @Field(() => GraphQLJSON, { description: 'The point of the dimensions that it is about' }) dimensions!: unknown;
  @Field(() => [WaterfallStep], { description: 'In the order of measurement' }) steps!: WaterfallStep[];
  @Field(() => [WaterfallStep], {
    description:
      'Applied items whose newest trial is INCONCLUSIVE or NOT_COMPARABLE, or has no gain: not in the product',
  })
  notCounted!: WaterfallStep[];
  @Field(() => Float, { nullable: true, description: 'The steps multiplied, as a fraction; null without a step' })
  gain!: number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'Lower end of its 95 % interval, as if the steps were independent; null where a step has none',
  })
  gainLow!: number | null;
  @Field(() => Float, { nullable: true, description: 'Upper end of it' }) gainHigh!: number | null;
  @Field(() => EndToEndCheck, {
    nullable: true,
    description: 'What the product is held against; null with fewer than two steps and no trial that was named for it',
  })
  endToEnd!: EndToEndCheck | null;
  @Field(() => Float, {
    nullable: true,
    description: 'ln(1 + gain) − ln(1 + endToEnd.gain): plus where the steps promise more than is seen',
  })
  difference!: number | null;
  @Field(() => Float, { nullable: true, description: 'The largest threshold of the steps, as a fraction' })
  threshold!: number | null;
  @Field({ description: 'Whether the difference is more than ln(1 + threshold): leave one out and measure again' })
  disagrees!: boolean;
  @Field(() => [LocalizedText], { description: 'What must be known to read it, and what to do' })
  remarks!: LocalizedText[];
}

@InputType({ description: 'Which trial measured all applied items of an audit together' })
export class SetEndToEndTrialInput {
  @Field(() => ID, { description: 'The audit; needs WRITE_AUDITS' }) auditId!: string;
  @Field(() => Int, { description: 'The version of the audit that the change is based on' }) version!: number;
  @Field(() => ID, {
    nullable: true,
    description: 'A trial of an item of this audit that has a verdict and is no A/A run; null or absent for none',
  })
  trialId?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}
