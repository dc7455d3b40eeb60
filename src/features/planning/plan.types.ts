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
  description:
    'What the expected gain of an entry of a plan rests on: the best that there is on a metric of time or rate. Bytes, energy, money, shares and quality say nothing of time.',
  valuesMap: {
    TRIALS: { description: 'Trials of the same practice in the projects that the viewer may see' },
    REFERENCE_NOTES: {
      description:
        'Measured reference notes that the item names for a gain that it states; those that are only linked to it do not count',
    },
    OWN_MEASUREMENT: { description: 'A measurement that the item itself states' },
    PUBLIC_BENCHMARK: { description: 'A published benchmark that the item states' },
    VENDOR_DOC: { description: 'Documentation of the vendor that the item states' },
    EXPERT_OPINION: { description: 'The opinion of the authors; nothing was measured' },
    NONE: {
      description:
        'Nothing is known of time: the smallest effect that matters stands in. What is known of another metric stands in the explanation.',
    },
  },
});

@ObjectType({
  description:
    'What trials of the same practice say, those with a verdict that compared something; A/A runs and end-to-end trials are left out, and the same runs compared twice count once. From 3 on the same hardware on, only these.',
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
  @Field({
    description:
      'Whether something is left to do for it, as `PortfolioCounts.open` counts: it has a re-check mark, or it is not DONE and is NOT_ASSESSED or DEFERRED (to no date, or to one that is past)',
  })
  isOpen!: boolean;
  @Field(() => Float, {
    description:
      'Weight of the evidence × share of the time × time saved of it / effort factor, halved where it is unknown whether the item applies. A gain g saves g / (1 + g) of the time: 0.25 saves a fifth; a loss is below 0. What is about no one part of the time (any, cost, latency, reliability) counts with 0.5 for the share once the parts are known, an unknown share with what the known parts of a step leave, else with 1. Only the order means something.',
  })
  score!: number;
  @Field(() => Float, {
    description:
      'The gain that is expected on its metric and under its conditions, as a fraction: how many times as fast, less 1. Below 0 it is a loss. It is not cut to the ceiling.',
  })
  expectedGain!: number;
  @Field(() => PlanBasis, { description: 'What that rests on' }) gainBasis!: `${PlanBasis}`;
  @Field(() => String, {
    nullable: true,
    description: 'Key of the metric that the gain is of; null where several differ, or none is known',
  })
  gainMetric!: string | null;
  @Field(() => Float, {
    description:
      'How much the basis counts, 0 to 1. n trials raise the weight w of the best other basis to w + (1 - w) × n / (n + 2) × their evidence, and never lower it.',
  })
  evidenceWeight!: number;
  @Field(() => Float, {
    nullable: true,
    description:
      'Share of the time that the item works on; null where it is unknown, and then it counts as 1, or where the item is about no one part, and then it counts as 0.5',
  })
  share!: number | null;
  @Field(() => Float, {
    nullable: true,
    description:
      'The largest gain of the whole that is possible by that share, as a fraction, share / (1 - share); for an unknown share by what the known parts of a step leave; null where none is known',
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
  @Field(() => [LocalizedText], {
    description: 'Why it stands here, one sentence each, with the whole product of the score',
  })
  explanation!: LocalizedText[];
  @Field(() => PlanEvidence, { description: 'What trials of the same practice say' }) evidence!: PlanEvidence;
}

@ObjectType({ description: 'A page of a plan' })
export class PlanEntryConnection extends connectionOf(PlanEntry, 'PlanEntry') {
  @Field(() => [LocalizedText], {
    description: 'What holds for the whole plan, such as that no time breakdown is known',
  })
  remarks!: LocalizedText[];
}
