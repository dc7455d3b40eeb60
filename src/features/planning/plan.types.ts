import { Field, Float, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';

export enum PlanBasis {
  TRIALS = 'TRIALS',
  REFERENCE_NOTES = 'REFERENCE_NOTES',
  OWN_MEASUREMENT = 'OWN_MEASUREMENT',
  PUBLIC_BENCHMARK = 'PUBLIC_BENCHMARK',
  VENDOR_DOC = 'VENDOR_DOC',
  EXPERT_OPINION = 'EXPERT_OPINION',
  NONE = 'NONE',
}
registerEnumType(PlanBasis, {
  name: 'PlanBasis',
  description: 'What the expected gain of an entry of a plan rests on; the best that there is',
  valuesMap: {
    TRIALS: { description: 'Trials of the same practice in the projects that the viewer may see' },
    REFERENCE_NOTES: { description: 'Measured reference notes about the item' },
    OWN_MEASUREMENT: { description: 'A measurement that the item itself states' },
    PUBLIC_BENCHMARK: { description: 'A published benchmark that the item states' },
    VENDOR_DOC: { description: 'Documentation of the vendor that the item states' },
    EXPERT_OPINION: { description: 'The opinion of the authors; nothing was measured' },
    NONE: { description: 'Nothing is known: the smallest effect that matters stands in' },
  },
});

@ObjectType({
  description:
    'What trials of the same practice say, those with a verdict that compared something; A/A runs and end-to-end trials are left out. From 3 on the same hardware on, only these.',
})
export class PlanEvidence {
  @Field(() => Int, { description: 'How many trials' }) trialCount!: number;
  @Field(() => Int, { description: 'Those with the verdict IMPROVED' }) helped!: number;
  @Field(() => Int, { description: 'Those with the verdict NO_MEANINGFUL_CHANGE' }) neutral!: number;
  @Field(() => Int, { description: 'Those with the verdict REGRESSED or BLOCKED_BY_GUARDRAIL' }) hurt!: number;
  @Field(() => Int, { description: 'Those with the verdict INCONCLUSIVE' }) inconclusive!: number;
  @Field(() => Float, {
    nullable: true,
    description: 'Median gain on the primary metrics, plus is better; null where no trial has a gain',
  })
  medianGain!: number | null;
  @Field({ description: 'Whether all of them are of the hardware that the audit is scoped by' })
  isSameHardware!: boolean;
}

@ObjectType({ description: 'One item of an audit, as the plan ranks it by evidence' })
export class PlanEntry {
  id!: string;
  @Field(() => Int, { description: 'Place in the plan, from 1' }) rank!: number;
  @Field({ description: 'Whether something is left to do for it' }) isOpen!: boolean;
  @Field(() => Float, {
    description:
      'Weight of the evidence × min(gain, ceiling) × share of the time / effort factor, halved where it is unknown whether the item applies; a gain that no trial measured counts as 1 (+100 %) at most. Only the order means something.',
  })
  score!: number;
  @Field(() => Float, {
    description: 'The gain that is expected, as a fraction, on its metric and under its conditions',
  })
  expectedGain!: number;
  @Field(() => PlanBasis, { description: 'What that rests on' }) gainBasis!: `${PlanBasis}`;
  @Field(() => String, {
    nullable: true,
    description: 'Key of the metric that the gain is of; null where several differ, or none is known',
  })
  gainMetric!: string | null;
  @Field(() => Float, { description: 'How much the basis counts, 0 to 1' }) evidenceWeight!: number;
  @Field(() => Float, {
    nullable: true,
    description: 'Share of the time that the item works on; null where it is unknown, and then it counts as 1',
  })
  share!: number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'The largest gain that is possible by that share, as a fraction; null where none is known',
  })
  ceiling!: number | null;
  @Field(() => String, { nullable: true, description: 'XS, S, M, L or XL; null where nobody says' }) effort!:
    string | null;
  @Field(() => Float, { description: 'What the effort divides the score by: XS 0.5, S 1, M 2, L 4, XL 8' })
  effortFactor!: number;
  @Field(() => Float, { description: 'The smallest effect that matters, as a fraction' }) threshold!: number;
  @Field({ description: 'Whether the ceiling is below the threshold: such entries come after the others' })
  isBelowThreshold!: boolean;
  @Field({ description: 'Whether it was tried at least twice without a gain in the median: such entries come last' })
  isDeadEnd!: boolean;
  @Field(() => [LocalizedText], { description: 'Why it stands here, one sentence each' }) explanation!: LocalizedText[];
  @Field(() => PlanEvidence, { description: 'What trials of the same practice say' }) evidence!: PlanEvidence;
}

@ObjectType({ description: 'A page of a plan' })
export class PlanEntryConnection extends connectionOf(PlanEntry, 'PlanEntry') {
  @Field(() => [LocalizedText], {
    description: 'What holds for the whole plan, such as that no time breakdown is known',
  })
  remarks!: LocalizedText[];
}
