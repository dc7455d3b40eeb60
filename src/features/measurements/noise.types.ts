import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';

@ObjectType({ description: 'What an environment and workload cannot resolve of a metric, as an A/A run told it' })
export class NoiseFloor {
  metricId!: string;
  trialId!: string | null;
  @Field(() => ID, { description: 'Id of the noise floor' }) id!: string;
  @Field(() => Float, {
    description: 'As a fraction: 1.96 × 1.4826 × the median absolute deviation of the logarithms of the A/A values',
  })
  value!: number;
  @Field(() => Int, { description: 'How many values told it' }) runCount!: number;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'The facts of environment and workload that it holds for; null for one of an old version',
  })
  facts!: unknown;
  @Field({ description: 'Whether it is the newest of its metric, environment and workload: that one counts' })
  isCurrent!: boolean;
  @Field({ description: 'When it was measured' }) createdAt!: Date;
}

@ObjectType({ description: 'A page of noise floors' })
export class NoiseFloorConnection extends connectionOf(NoiseFloor, 'NoiseFloor') {}

export const NoiseSource = {
  NOISE_FLOOR: 'NOISE_FLOOR',
  REPETITIONS: 'REPETITIONS',
  UNKNOWN: 'UNKNOWN',
} as const;
export type NoiseSource = keyof typeof NoiseSource;
registerEnumType(NoiseSource, {
  name: 'NoiseSource',
  description: 'What is known of the noise',
  valuesMap: {
    NOISE_FLOOR: { description: 'A noise floor of this environment and workload' },
    REPETITIONS: { description: 'The spread of repetitions inside one run, without that between sessions' },
    UNKNOWN: { description: 'Nothing' },
  },
});

@InputType({
  description: 'A change that is to be seen, and where: exactly one of `runId`, `auditId` and `noiseFloorId`',
})
export class RunsNeededInput {
  @Field(() => ID, { description: 'The project' }) projectId!: string;
  @Field({ description: 'Key of the metric' }) metric!: string;
  @Field(() => Float, {
    nullable: true,
    description: 'The smallest change that is to be seen, as a fraction; that of the metric where absent',
  })
  smallestEffect?: number | null;
  @Field(() => ID, { nullable: true, description: 'As this run was measured' }) runId?: string | null;
  @Field(() => ID, { nullable: true, description: 'In the environment of this audit' }) auditId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Where this noise floor holds' }) noiseFloorId?: string | null;
}

@ObjectType({ description: 'About how many runs show a change with 80 % power' })
export class RunsNeeded {
  @Field(() => Int, { nullable: true, description: 'Runs in each arm; null where no number is enough, or known' })
  perArm!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Pairs of runs measured side by side, at most; fewer where what disturbs them is shared',
  })
  pairs!: number | null;
  @Field(() => Float, { description: 'The change that is to be seen, as a fraction' }) smallestEffect!: number;
  @Field(() => Float, { description: 'The smallest change that gets a verdict here at all, as a fraction' })
  threshold!: number;
  @Field(() => NoiseSource, { description: 'What is known of the noise' }) source!: NoiseSource;
  @Field(() => Float, { nullable: true, description: 'The standard deviation of one run, as a fraction' }) spread!:
    number | null;
  @Field(() => NoiseFloor, { nullable: true, description: 'The noise floor that it rests on' })
  noiseFloor!: NoiseFloor | null;
  @Field(() => LocalizedText, { description: 'The answer in words' }) message!: LocalizedText;
}
