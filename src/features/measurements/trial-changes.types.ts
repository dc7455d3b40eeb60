import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ComputationCause, EvidenceLevel, Verdict } from '../../generated/prisma/enums.js';
import { Comparison } from './measurements.types.js';

registerEnumType(ComputationCause, {
  name: 'ComputationCause',
  description: 'Why a trial was computed',
  valuesMap: {
    CREATED: { description: 'It was recorded, or a plan got its runs' },
    EXTENDED: { description: 'Runs were added' },
    OVERRIDDEN: { description: 'A reviewer said that its arms can be compared' },
    OVERRIDE_WITHDRAWN: { description: 'That was taken back' },
    RECOMPUTED: { description: 'It was computed anew, by another version of the method or what is known by now' },
    IMPORTED: { description: 'It came with an imported audit' },
  },
});

@ObjectType({ description: 'One computation of a trial; never changed, the next one is another' })
export class TrialComputation {
  @Field(() => Int, { description: 'Counts the computations of the trial from 1' }) number!: number;
  @Field({ description: 'When it was computed' }) computedAt!: Date;
  @Field({ description: 'Version of the method' }) methodVersion!: string;
  @Field(() => ComputationCause, { description: 'Why it was computed' }) cause!: ComputationCause;
  @Field(() => Verdict, { description: 'The verdict on the primary metric, over all its series' }) verdict!: Verdict;
  @Field(() => [Comparison], { description: 'The primary metric, the guardrails, then the rest; at most 100' })
  comparisons!: Comparison[];
}

@ObjectType({ description: "A reviewer's word that the arms can be compared although something that blocks differs" })
export class ComparabilityOverride {
  @Field({ description: 'Why' }) reason!: string;
  @Field({ description: 'Who said it, by the name of that day' }) by!: string;
  @Field({ description: 'When' }) at!: Date;
}

@InputType({ description: 'Runs to add to a trial, or the first ones of a plan' })
export class ExtendTrialInput {
  @Field(() => ID, { description: 'The trial' }) id!: string;
  @Field(() => [ID], { description: 'Further runs without the change' }) beforeRunIds!: string[];
  @Field(() => [ID], { description: 'Further runs with the change' }) afterRunIds!: string[];
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@InputType({ description: 'The word of a reviewer over differences that block a comparison' })
export class OverrideComparabilityInput {
  @Field(() => ID, { description: 'The trial, which is NOT_COMPARABLE because of them' }) trialId!: string;
  @Field({ description: 'Why the arms can be compared all the same; it stays with every comparison' }) reason!: string;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@InputType({ description: 'The end of an override' })
export class WithdrawOverrideInput {
  @Field(() => ID, { description: 'The trial' }) trialId!: string;
  @Field(() => String, { nullable: true, description: 'Why; the history keeps it' }) reason?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@InputType({ description: 'A trial to compute anew' })
export class RecomputeTrialInput {
  @Field(() => ID, { description: 'The trial' }) trialId!: string;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@InputType({ description: 'A project whose trials are to be computed anew' })
export class RecomputeProjectInput {
  @Field(() => ID, { description: 'The project' }) projectId!: string;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Say what would change, and write nothing',
  })
  dryRun?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@ObjectType({ description: 'A trial whose verdict or evidence is another one than before' })
export class ChangedVerdict {
  trialId!: string;
  @Field(() => Verdict, { description: 'The verdict before' }) verdictBefore!: Verdict;
  @Field(() => Verdict, { description: 'The verdict now' }) verdictAfter!: Verdict;
  @Field(() => EvidenceLevel, { description: 'How much it could claim before' }) evidenceBefore!: EvidenceLevel;
  @Field(() => EvidenceLevel, { description: 'How much it may claim now' }) evidenceAfter!: EvidenceLevel;
}

@ObjectType({ description: 'What computing the trials of a project anew changes' })
export class RecomputationReport {
  @Field({ description: 'Whether nothing was written' }) isDryRun!: boolean;
  @Field({ description: 'Version of the method' }) methodVersion!: string;
  @Field(() => Int, { description: 'Trials that were computed' }) trialCount!: number;
  @Field(() => Int, { description: 'Those whose computation is a new one' }) newCount!: number;
  @Field(() => Int, { description: 'Trials of closed audits and archived items, which stay as they are' })
  leftOutCount!: number;
  @Field(() => Int, { description: 'How many verdicts or levels of evidence change' }) changedCount!: number;
  @Field(() => [ChangedVerdict], { description: 'Which ones; at most 1,000' }) changed!: ChangedVerdict[];
}
