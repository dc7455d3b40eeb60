import { Field, Float, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import type { InputSource as Source } from '../../domain/derived/fleet.js';
import { EvidenceLevel, Verdict } from '../../generated/prisma/enums.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';

const InputSource = {
  OBSERVATION: 'OBSERVATION',
  COMPARISON: 'COMPARISON',
  ENVIRONMENT: 'ENVIRONMENT',
  WORKLOAD: 'WORKLOAD',
  SETTING: 'SETTING',
  ARGUMENT: 'ARGUMENT',
  DEFAULT: 'DEFAULT',
  COMPUTED: 'COMPUTED',
} as const satisfies Record<Source, Source>;
registerEnumType(InputSource, {
  name: 'InputSource',
  description: 'Where a number comes from that a value was computed from',
  valuesMap: {
    OBSERVATION: { description: 'A run observed it' },
    COMPARISON: { description: 'A trial found it' },
    ENVIRONMENT: { description: 'The environment of the run says it' },
    WORKLOAD: { description: 'The workload of the run says it' },
    SETTING: { description: 'The fleet of the project says it' },
    ARGUMENT: { description: 'It was given with the question' },
    DEFAULT: { description: 'Nobody said it, and it is the same for all: hours of a month' },
    COMPUTED: { description: 'It follows from the others' },
  },
});

@ObjectType({ description: 'A number that a value was computed from' })
export class DerivedInput {
  @Field({ description: 'Key of a metric or a fact, or the name of a figure of the fleet: pricePerGpuHour' })
  key!: string;
  @Field(() => LocalizedText, { description: 'Name' }) name!: LocalizedText;
  @Field(() => Float, { description: 'The number' }) value!: number;
  @Field({ description: 'Its unit, or the currency of a price; empty for a plain number' }) unit!: string;
  @Field(() => InputSource, { description: 'Where it comes from' }) source!: Source;
}

@ObjectType({ description: 'Something that a value needs and nobody said; nothing is guessed' })
export class MissingInput {
  @Field({ description: 'Key of a metric or a fact, or the name of a figure of the fleet' }) key!: string;
  @Field(() => LocalizedText, { description: 'Why it is not known, and what to do' }) reason!: LocalizedText;
}

@ObjectType({
  description: 'A value that follows from what a run observed: cost, energy or throughput per GPU, with its formula',
})
export class DerivedValue {
  @Field({ description: 'What it is: cost.per_million_output_tokens' }) key!: string;
  @Field(() => LocalizedText, { description: 'Name' }) name!: LocalizedText;
  @Field(() => GraphQLJSON, { description: 'The point of the metric that it is of, such as a concurrency' })
  dimensions!: unknown;
  @Field(() => Float, { nullable: true, description: 'The value; null where something is missing' }) value!:
    number | null;
  @Field(() => String, {
    nullable: true,
    description: 'Unit, or the currency of a cost; null for a cost whose currency is not known',
  })
  unit!: string | null;
  @Field(() => Float, {
    nullable: true,
    description: 'The least that the repetitions of the metric give; null without repetitions. No confidence interval.',
  })
  low!: number | null;
  @Field(() => Float, { nullable: true, description: 'The most that they give' }) high!: number | null;
  @Field(() => LocalizedText, { description: 'How it is computed, by the keys of the inputs' }) formula!: LocalizedText;
  @Field(() => [DerivedInput], { description: 'What it was computed from' }) inputs!: readonly DerivedInput[];
  @Field(() => [MissingInput], { description: 'What it needs and nobody said' }) missing!: readonly MissingInput[];
}

@ObjectType({ description: 'A quantity per month; minus is a loss' })
export class Amount {
  @Field(() => Float, { description: 'The quantity, not rounded' }) value!: number;
  @Field(() => Float, {
    nullable: true,
    description: 'Where the lower end of the 95 % interval of the gain leads; null where the gain has none',
  })
  low!: number | null;
  @Field(() => Float, { nullable: true, description: 'Where the upper end leads' }) high!: number | null;
  @Field({ description: 'GPU-h, kWh, or the currency' }) unit!: string;
}

@ObjectType({ description: 'When the engineering hours of a change have come back' })
export class Payback {
  @Field(() => Float, { nullable: true, description: 'What the hours cost; null without their price' }) cost!:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Months; null where it never comes back or no money is known' })
  months!: number | null;
  @Field(() => Float, { nullable: true, description: 'Months by the upper end of the saving' }) monthsLow!:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Months by the lower end of the saving; null for never' })
  monthsHigh!: number | null;
  @Field(() => Float, { nullable: true, description: 'GPU hours saved in a month for each engineering hour' })
  gpuHoursPerEngineeringHour!: number | null;
}

@ObjectType({
  description:
    'What a gain is worth to the fleet in a month. Regressions are negative. Only end-to-end throughput and time can be turned into hours; money and electricity are shown side by side and not added, since a rented hour includes its power.',
})
export class Savings {
  @Field(() => Amount, { nullable: true, description: 'GPU hours that the same work no longer takes' })
  gpuHours!: Amount | null;
  @Field(() => Amount, { nullable: true, description: 'Their price' }) money!: Amount | null;
  @Field(() => Amount, { nullable: true, description: 'Energy in kWh; of the GPUs alone without a PUE' })
  energy!: Amount | null;
  @Field(() => Amount, { nullable: true, description: 'Price of the energy' }) energyMoney!: Amount | null;
  @Field(() => Payback, { nullable: true, description: 'Against `engineeringHours`; null without them' })
  payback!: Payback | null;
  @Field(() => LocalizedText, { description: 'How it is computed, by the keys of the inputs' }) formula!: LocalizedText;
  @Field(() => [DerivedInput], { description: 'What it was computed from' }) inputs!: readonly DerivedInput[];
  @Field(() => [MissingInput], { description: 'What nobody said; the amounts that need it are null' })
  missing!: readonly MissingInput[];
  @Field(() => LocalizedText, {
    nullable: true,
    description: 'Why nothing can be said, whatever is known of the fleet; null where something can',
  })
  reason!: LocalizedText | null;
  @Field(() => [LocalizedText], { description: 'What must be known to read it' }) remarks!: readonly LocalizedText[];
  @Field(() => LocalizedText, { description: 'In words, rounded' }) text!: LocalizedText;
}

@ObjectType({ description: 'What the gain of a trial on one metric is worth to the fleet in a month' })
export class TrialSavings extends Savings {
  @Field({ description: 'Key of the metric' }) metric!: string;
  @Field(() => GraphQLJSON, { nullable: true, description: 'The series of the metric; null where none was compared' })
  dimensions!: unknown;
  @Field(() => Verdict, { nullable: true, description: 'What the trial says of it' }) verdict!: Verdict | null;
  @Field(() => EvidenceLevel, { nullable: true, description: 'How much it may claim' }) evidence!: EvidenceLevel | null;
  @Field({ description: 'Whether something else that matters differs, or may differ, between the arms' })
  isConfounded!: boolean;
}
