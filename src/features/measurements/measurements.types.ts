import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import {
  Arm,
  Direction,
  EvidenceLevel,
  MetricRole,
  RunSource,
  RunStatus,
  Sampling,
  Verdict,
} from '../../generated/prisma/enums.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';

registerEnumType(Sampling, {
  name: 'Sampling',
  description: 'How the values of an arm came about. A session is one allocation of the machine with fresh processes.',
  valuesMap: {
    SEPARATE_SESSIONS: { description: 'Each value is of a session of its own' },
    ONE_SESSION: { description: 'All values are of one session' },
    UNKNOWN: { description: 'Nobody knows; it counts as one session' },
  },
});
registerEnumType(RunSource, {
  name: 'RunSource',
  description: 'Where a run came from',
  valuesMap: {
    MANUAL: { description: 'Typed in' },
    IMPORT: { description: 'Read from the output of a tool' },
    CI: { description: 'Sent by a machine with a service token' },
  },
});
registerEnumType(RunStatus, {
  name: 'RunStatus',
  description: 'How a run ended',
  valuesMap: {
    OK: { description: 'It did what it was meant to' },
    PARTIAL: { description: 'Part of it failed' },
    FAILED: { description: 'Its numbers are no measurement' },
  },
});
registerEnumType(Arm, {
  name: 'Arm',
  description: 'The two sides of a trial',
  valuesMap: { BEFORE: { description: 'Without the change' }, AFTER: { description: 'With the change' } },
});
registerEnumType(Verdict, {
  name: 'Verdict',
  description: 'What a comparison says',
  valuesMap: {
    IMPROVED: { description: 'Better by at least the threshold; the interval excludes "no change"' },
    REGRESSED: { description: 'Worse by at least the threshold; the interval excludes "no change"' },
    NO_MEANINGFUL_CHANGE: { description: 'The 90 % interval lies inside the threshold: shown to be the same' },
    INCONCLUSIVE: { description: 'The data settle nothing; `moreRunsPerArm` says about what would' },
    NOT_COMPARABLE: {
      description: 'The arms differ in something undeclared that matters, or the metric has no direction',
    },
    BLOCKED_BY_GUARDRAIL: { description: 'Better, but a guardrail metric got worse' },
  },
});
registerEnumType(EvidenceLevel, {
  name: 'EvidenceLevel',
  description: 'How much a comparison may claim, the strongest first',
  valuesMap: {
    EXACT: { description: 'A metric that does not vary' },
    PAIRED: { description: 'At least six paired blocks' },
    STATISTICAL: { description: 'At least four values in each arm' },
    SUMMARY: { description: 'Means and standard deviations only' },
    INDICATIVE: { description: 'Two or three values in an arm, one session, or another difference between the arms' },
    SINGLE_RUN: { description: 'One value in an arm, against the noise floor' },
    NONE: { description: 'Nothing can be claimed' },
  },
});
const DifferenceTier = { BLOCK: 'BLOCK', WARN: 'WARN', INFO: 'INFO' } as const;
type DifferenceTier = keyof typeof DifferenceTier;
registerEnumType(DifferenceTier, {
  name: 'DifferenceTier',
  description: 'How much a difference between the arms matters',
  valuesMap: {
    BLOCK: { description: 'Undeclared, it makes the arms not comparable' },
    WARN: { description: 'Undeclared, it leaves the verdict and labels it as confounded' },
    INFO: { description: 'It is shown and changes nothing' },
  },
});

@ObjectType({ description: 'One execution of a benchmark in one environment; never changed afterwards' })
export class Run {
  projectId!: string;
  createdById!: string;
  importId!: string | null;
  factSources!: unknown;
  @Field(() => ID, { description: 'Id of the run' }) id!: string;
  @Field(() => RunSource, { description: 'Where it came from' }) source!: RunSource;
  @Field({
    description: 'True in the answer of the import that made it; false where the same content was there before',
  })
  isNew!: boolean;
  @Field(() => RunStatus, { description: 'How it ended' }) status!: RunStatus;
  @Field(() => String, { nullable: true, description: 'The tool that measured' }) tool!: string | null;
  @Field(() => String, { nullable: true, description: 'The version of the tool' }) toolVersion!: string | null;
  @Field(() => String, { nullable: true, description: 'The session that it is of, null where nobody said' })
  session!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Runs of both arms with the same block were measured side by side',
  })
  block!: string | null;
  @Field(() => String, { nullable: true, description: 'How the file names what was varied' }) variant!: string | null;
  @Field(() => String, { nullable: true, description: 'The commit that was measured' }) commit!: string | null;
  @Field(() => String, { nullable: true, description: 'The digest of the container image that was measured' })
  imageDigest!: string | null;
  @Field(() => GraphQLJSON, { description: 'What it ran on, by key' }) environment!: unknown;
  @Field(() => GraphQLJSON, { description: 'What it ran, by key' }) workload!: unknown;
  @Field(() => Date, { nullable: true, description: 'When it was measured, as far as known' }) startedAt!: Date | null;
  @Field(() => Int, { description: 'Values of its file that could not be read and are not in it' }) leftOut!: number;
  @Field({ description: 'When it was recorded' }) createdAt!: Date;
}

@ObjectType({ description: 'What happened inside a run' })
export class Distribution {
  @Field(() => Int, { description: 'How many values' }) count!: number;
  @Field(() => Float, { nullable: true, description: 'Mean' }) mean!: number | null;
  @Field(() => Float, { nullable: true, description: 'Standard deviation' }) sd!: number | null;
  @Field(() => Float, { nullable: true, description: 'Smallest value' }) min!: number | null;
  @Field(() => Float, { nullable: true, description: 'Median' }) p50!: number | null;
  @Field(() => Float, { nullable: true, description: '90th percentile' }) p90!: number | null;
  @Field(() => Float, { nullable: true, description: '99th percentile' }) p99!: number | null;
  @Field(() => Float, { nullable: true, description: 'Largest value' }) max!: number | null;
}

@ObjectType({ description: 'Mean and standard deviation of values that are not listed, in the unit of the metric' })
export class ValueSummary {
  @Field(() => Float, { description: 'Mean' }) mean!: number;
  @Field(() => Float, { description: 'Standard deviation of single values, not of the mean' }) sd!: number;
  @Field(() => Int, { nullable: true, description: 'How many values; null where nobody says' }) n!: number | null;
}

@ObjectType({ description: 'What a run says about a metric at one point of its dimensions, in the unit of the metric' })
export class Observation {
  metricId!: string;
  @Field(() => GraphQLJSON, { description: 'Message size, concurrency, rank, kernel, … by name' }) dimensions!: unknown;
  @Field(() => Float, { description: 'The value' }) value!: number;
  @Field(() => [Float], { description: 'Values that count one by one: the median of each round, or each repetition' })
  repeats!: number[];
  @Field(() => Distribution, { nullable: true, description: 'What happened inside the run; not independent values' })
  distribution!: Distribution | null;
  @Field(() => ValueSummary, {
    nullable: true,
    description: 'Mean and deviation over repetitions that nobody listed; `value` is the mean',
  })
  summary!: ValueSummary | null;
}

@ObjectType({ description: 'The before runs and the after runs of one audit item, with what was changed between them' })
export class Trial {
  projectId!: string;
  auditItemId!: string;
  primaryMetricId!: string;
  createdById!: string;
  isNew?: boolean;
  @Field(() => ID, { description: 'Id of the trial' }) id!: string;
  @Field(() => String, { nullable: true, description: 'What was expected' }) hypothesis!: string | null;
  @Field(() => [String], { description: 'Keys of environment and workload that were meant to change' })
  variable!: string[];
  @Field(() => [String], { description: 'Keys of metrics that must not get worse' }) guardrails!: string[];
  @Field(() => Verdict, {
    nullable: true,
    description: 'The verdict on the primary metric, over all its series; null while the trial is planned',
  })
  verdict!: Verdict | null;
  @Field({ description: 'Whether nothing was changed between the arms: an A/A run, which shows the noise' })
  isControl!: boolean;
  @Field({ description: 'Whether somebody said so; an A/A run can also be told by its arms' }) isSaidControl!: boolean;
  @Field(() => Float, {
    nullable: true,
    description: 'Smallest gain that matters, as somebody gave it: 0.02 is 2 %. Null where that of the metric holds',
  })
  threshold!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Runs per arm that were planned beforehand: nothing is claimed before both arms have them',
  })
  plannedRunsPerArm!: number | null;
  @Field(() => Int, {
    description: 'Which look at growing data its runs are: 1 until runs were added after something could be claimed',
  })
  looks!: number;
  overrideReason!: string | null;
  overriddenByName!: string | null;
  overriddenAt!: Date | null;
  @Field({ description: 'When it was recorded' }) createdAt!: Date;
}

@ObjectType({ description: 'Something to know about a comparison' })
export class ComparisonWarning {
  @Field({ description: 'ONE_SESSION_ARM, CONFOUNDED, OUTLIERS_KEPT, …' }) code!: string;
  @Field(() => LocalizedText, { description: 'In words' }) message!: LocalizedText;
}

@ObjectType({ description: 'A fact in which the arms differ' })
export class EnvironmentDifference {
  @Field({ description: 'Key of environment or workload' }) key!: string;
  @Field(() => String, { nullable: true, description: 'Before; null where it is not known' }) before!: string | null;
  @Field(() => String, { nullable: true, description: 'After; null where it is not known' }) after!: string | null;
  @Field(() => DifferenceTier, { description: 'How much it matters' }) tier!: DifferenceTier;
  @Field({ description: 'Whether it was meant to differ' }) declared!: boolean;
}

@ObjectType({ description: 'A value that was compared' })
export class ComparedValue {
  @Field(() => Arm, { description: 'The side of the trial' }) arm!: Arm;
  @Field(() => Float, { description: 'In the unit of the metric' }) value!: number;
  @Field(() => ID, { nullable: true, description: 'The run that it is of' }) runId!: string | null;
  @Field(() => String, { nullable: true, description: 'The session that it is of' }) session!: string | null;
  @Field(() => String, { nullable: true, description: 'The block that it is of' }) block!: string | null;
}

@ObjectType({ description: 'The verdict on one metric of a trial; never changed, a recomputation is another one' })
export class Comparison {
  metricId!: string;
  @Field(() => ID, { description: 'Id of the comparison' }) id!: string;
  @Field(() => MetricRole, { description: 'What the metric is for in this trial' }) role!: MetricRole;
  @Field(() => GraphQLJSON, { description: 'The point of the dimensions that it is about' }) dimensions!: unknown;
  @Field(() => Int, { description: 'Values before' }) nBefore!: number;
  @Field(() => Int, { description: 'Values after' }) nAfter!: number;
  @Field(() => Float, { nullable: true, description: 'Median before, in the unit of the metric' }) medianBefore!:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Median after, in the unit of the metric' }) medianAfter!:
    number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'after / before by the shift of the method; null where undefined, and a warning says why',
  })
  ratio!: number | null;
  @Field(() => Float, { nullable: true, description: 'As a fraction; plus is better, whatever the direction' })
  gain!: number | null;
  @Field(() => Float, { nullable: true, description: 'Lower end of the 95 % interval of the gain' }) gainLow!:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Upper end of the 95 % interval of the gain' }) gainHigh!:
    number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'Lower end of the 90 % interval, on which NO_MEANINGFUL_CHANGE rests',
  })
  gainLow90!: number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'Upper end of the 90 % interval, on which NO_MEANINGFUL_CHANGE rests',
  })
  gainHigh90!: number | null;
  @Field(() => Float, { nullable: true, description: 'Two-sided p-value of the test' }) pValue!: number | null;
  @Field(() => Float, {
    nullable: true,
    description:
      'p-value corrected over all series of the primary metric where it has several, so that one false alarm among them stays at 5 %: by all ways of dealing the runs out to the arms (Westfall and Young), by Holm for pairs, other runs, and arms above eight',
  })
  adjustedP!: number | null;
  @Field(() => Float, {
    description:
      'Smallest effect that counts: of the metric, the noise floor and the caller the largest. A gain t counts as much as ' +
      'a loss of 1 / (1 + t) - 1: 0.9 as -0.474',
  })
  threshold!: number;
  @Field(() => Float, {
    description:
      'The gain this row had to reach, which is more than the threshold below four values an arm; a loss as `threshold`',
  })
  requiredGain!: number;
  @Field({ description: 'How it was computed' }) method!: string;
  @Field({ description: 'Version of the method' }) methodVersion!: string;
  @Field({ description: 'When it was computed' }) computedAt!: Date;
  @Field(() => EvidenceLevel, { description: 'How much it may claim' }) evidence!: EvidenceLevel;
  @Field(() => Verdict, { description: 'What it says' }) verdict!: Verdict;
  @Field({ description: 'Whether the whole interval is beyond the threshold' }) isStrong!: boolean;
  @Field({ description: 'Whether something else that matters differs, or may differ, between the arms' })
  isConfounded!: boolean;
  @Field(() => Int, {
    nullable: true,
    description: 'About how many more runs in each arm would settle it; null where it is settled',
  })
  moreRunsPerArm!: number | null;
  @Field(() => [ComparisonWarning], { description: 'What to know about it' }) warnings!: ComparisonWarning[];
  @Field(() => [EnvironmentDifference], { description: 'What differs between the arms, the worst first' })
  environmentDifferences!: EnvironmentDifference[];
  @Field(() => [ComparedValue], {
    description:
      'The values that were compared, before then after, each in the order of measurement; at most 1,000 an arm',
  })
  samples!: ComparedValue[];
}

@ObjectType({ description: 'A page of runs' })
export class RunConnection extends connectionOf(Run, 'Run') {}

@ObjectType({ description: 'A page of observations' })
export class ObservationConnection extends connectionOf(Observation, 'Observation') {}

@InputType({
  description: 'Mean and standard deviation of values that are not at hand, in the unit of the measurement',
})
export class ValueSummaryInput {
  @Field(() => Float, { description: 'Mean' }) mean!: number;
  @Field(() => Float, { description: 'Standard deviation of single values, not of the mean; 0 or more' }) sd!: number;
  @Field(() => Int, { nullable: true, description: 'How many values; leave it out where nobody knows' }) n?:
    number | null;
}

@InputType({ description: 'Two arms of one metric, typed in: each value is one run' })
export class RecordMeasurementInput {
  @Field(() => ID, { description: 'The audit item that it is about' }) auditItemId!: string;
  @Field({ description: 'A metric key, or a name of your own together with unit and direction' }) metric!: string;
  @Field(() => String, { nullable: true, description: 'Unit of the values; that of the metric where absent' })
  unit?: string | null;
  @Field(() => Direction, { nullable: true, description: 'Which way is better, for a metric of your own' })
  direction?: Direction | null;
  @Field(() => [Float], { description: 'Values before, in the order of measurement; empty with a summary' })
  before!: number[];
  @Field(() => [Float], { description: 'Values after, in the order of measurement; empty with a summary' })
  after!: number[];
  @Field(() => ValueSummaryInput, {
    nullable: true,
    description: 'In place of the values before, which are empty then',
  })
  beforeSummary?: ValueSummaryInput | null;
  @Field(() => ValueSummaryInput, { nullable: true, description: 'In place of the values after, which are empty then' })
  afterSummary?: ValueSummaryInput | null;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'before[i] and after[i] were measured side by side',
  })
  pairs?: boolean | null;
  @Field(() => Sampling, { nullable: true, defaultValue: 'UNKNOWN', description: 'How the values came about' })
  sampling?: Sampling | null;
  @Field(() => Float, { nullable: true, description: 'Smallest gain that matters, as a fraction: 0.02 is 2 %' })
  threshold?: number | null;
  @Field(() => String, { nullable: true, description: 'What was expected' }) hypothesis?: string | null;
  @Field(() => [String], { nullable: true, description: 'Keys of environment and workload that were meant to change' })
  variable?: string[] | null;
  @Field(() => GraphQLJSON, { nullable: true, description: "Facts before, over those of the audit's environment" })
  environmentBefore?: unknown;
  @Field(() => GraphQLJSON, { nullable: true, description: "Facts after, over those of the audit's environment" })
  environmentAfter?: unknown;
  @Field(() => GraphQLJSON, { nullable: true, description: 'The workload before, by key' }) workloadBefore?: unknown;
  @Field(() => GraphQLJSON, { nullable: true, description: 'The workload after, by key' }) workloadAfter?: unknown;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Nothing was changed: an A/A run, which shows the noise',
  })
  isControl?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@InputType({ description: 'A trial of an audit item, from runs of its project; without runs it is a plan' })
export class CreateTrialInput {
  @Field(() => ID, { description: 'The audit item' }) auditItemId!: string;
  @Field(() => [ID], { description: 'Runs without the change' }) beforeRunIds!: string[];
  @Field(() => [ID], { description: 'Runs with the change' }) afterRunIds!: string[];
  @Field({ description: 'Key of the metric that decides' }) primaryMetric!: string;
  @Field(() => [String], { nullable: true, description: 'Keys of metrics that must not get worse' }) guardrails?:
    string[] | null;
  @Field(() => [String], { description: 'Keys of environment and workload that were meant to change' })
  variable!: string[];
  @Field(() => String, { nullable: true, description: 'What was expected' }) hypothesis?: string | null;
  @Field(() => Float, { nullable: true, description: 'Smallest gain that matters, as a fraction: 0.02 is 2 %' })
  threshold?: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Runs per arm that are to be measured: nothing is claimed before, and no correction is needed then',
  })
  plannedRunsPerArm?: number | null;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Nothing was changed: an A/A run, which shows the noise',
  })
  isControl?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}
