import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import type { DifferenceTier as Tier } from '../../domain/measurement/environment-diff.js';
import { Arm, Proof, RunSource, RunStatus } from '../../generated/prisma/enums.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';
import type { PointRequest } from './series.queries.js';

const PointTime = { STARTED: 'STARTED', RECORDED: 'RECORDED' } as const;
type PointTime = keyof typeof PointTime;
registerEnumType(PointTime, {
  name: 'PointTime',
  description: 'What the time of a point is',
  valuesMap: {
    STARTED: { description: 'When the run began, by its file' },
    RECORDED: { description: 'When it was recorded: the file does not say when it began' },
  },
});
const MarkRelation = { HERE: 'HERE', ELSEWHERE: 'ELSEWHERE', NOT_MEASURED: 'NOT_MEASURED' } as const;
type MarkRelation = keyof typeof MarkRelation;
registerEnumType(MarkRelation, {
  name: 'MarkRelation',
  description: 'Where the trial of an applied item was measured',
  valuesMap: {
    HERE: { description: 'In runs of this class' },
    ELSEWHERE: { description: 'In runs of another class, such as a benchmark of one operation' },
    NOT_MEASURED: { description: 'Nowhere' },
  },
});
const ChangeTier = { BLOCK: 'BLOCK', WARN: 'WARN' } as const;
type ChangeTier = keyof typeof ChangeTier;
registerEnumType(ChangeTier, {
  name: 'ChangeTier',
  description: 'How much a change between two points of a series matters',
  valuesMap: {
    BLOCK: { description: 'Hardware or workload: an applied item changed it, else the series would end there' },
    WARN: { description: 'Version or setting: it may be what moved the metric' },
  },
});

@ObjectType({ description: 'A fact in which a point differs from the one before it' })
export class SeriesChange {
  @Field({ description: 'Key of environment or workload' }) key!: string;
  @Field(() => String, { nullable: true, description: 'At the point before; null where it is not known' })
  before!: string | null;
  @Field(() => String, { nullable: true, description: 'At this point; null where it is not known' }) after!:
    string | null;
  @Field(() => ChangeTier, { description: 'How much it matters' }) tier!: Tier;
  @Field({ description: 'Whether a trial that the run is of meant to change it' }) declared!: boolean;
}

@ObjectType({ description: 'A trial that the run of a point is of' })
export class PointArm {
  @Field(() => ID, { description: 'Id of the trial' }) trialId!: string;
  @Field(() => Arm, { description: 'The side that the run is on' }) arm!: Arm;
}

@ObjectType({ description: 'What one run says of the metric, in its unit' })
export class SeriesPoint {
  @Field(() => ID, { description: 'Id of the run' }) runId!: string;
  @Field({ description: 'When' }) at!: Date;
  @Field(() => PointTime, { description: 'What that time is' }) timeSource!: PointTime;
  @Field(() => Float, { description: 'The median of what was repeated, else the one value' }) value!: number;
  @Field(() => Int, { description: 'How many values it is the median of' }) n!: number;
  @Field(() => Float, { nullable: true, description: 'Standard deviation of the repetitions; null below two' })
  spread!: number | null;
  @Field(() => Float, { nullable: true, description: 'The smallest repetition' }) low!: number | null;
  @Field(() => Float, { nullable: true, description: 'The largest repetition' }) high!: number | null;
  @Field(() => RunSource, { description: 'Where the run came from' }) source!: RunSource;
  @Field(() => RunStatus, { description: 'OK or PARTIAL: failed runs are no points' }) status!: RunStatus;
  @Field(() => ID, { description: 'Points with the same one agree in all facts that matter' }) segment!: string;
  @Field(() => [PointArm], { description: 'The trials that the run is of' }) arms!: PointArm[];
  @Field(() => [SeriesChange], {
    description: 'What changed since the point before, the worst first; none for the oldest point',
  })
  changes!: SeriesChange[];
}

@ObjectType({ description: 'An item that was applied in the time of the series' })
export class AppliedMark {
  trialId!: string | null;
  @Field(() => ID, { description: 'Id of the audit item' }) auditItemId!: string;
  @Field(() => ID, { description: 'Id of its audit' }) auditId!: string;
  @Field({ description: 'When somebody said that it is applied' }) at!: Date;
  @Field({ description: 'Key of the item' }) itemKey!: string;
  @Field(() => LocalizedText, { description: 'Title of the item' }) title!: LocalizedText;
  @Field(() => Proof, { description: 'What its trials prove' }) proof!: Proof;
  @Field(() => MarkRelation, { description: 'Where its trial was measured' }) measured!: MarkRelation;
}

@ObjectType({ description: 'What this environment and workload cannot resolve' })
export class SeriesNoiseFloor {
  @Field(() => Float, { description: 'A fraction: 0.04 is 4 %' }) value!: number;
  @Field(() => Int, { description: 'Of how many values of A/A runs' }) runCount!: number;
  @Field({ description: 'When it was measured' }) createdAt!: Date;
}

@ObjectType({
  description:
    'The history of a metric in one environment class, at one point of its dimensions. Runs of a class agree in hardware and workload, as far as comparisons would refuse a difference; other differences stand at the points. Where an applied item changed what the class is known by, the history goes on.',
})
export class Series {
  request!: PointRequest;
  /** In order of time, the newest first; those of all classes. */
  marks!: AppliedMark[];
  @Field(() => ID, { description: 'Id of the series: of the class, the metric and the dimensions' }) id!: string;
  @Field(() => ID, { description: 'The class, wherever and whenever it is asked for: see `SeriesFilter.classId`' })
  classId!: string;
  @Field(() => [ID], { description: 'The classes that it runs through, where applied items changed the class' })
  classIds!: string[];
  @Field(() => GraphQLJSON, { description: 'Hardware and workload of the class, by key' }) identity!: unknown;
  @Field(() => GraphQLJSON, { description: 'Of these, what tells the series of the answer apart' })
  distinguishing!: unknown;
  @Field(() => GraphQLJSON, { description: 'Message size, concurrency, rank, … by name' }) dimensions!: unknown;
  @Field(() => Int, { description: 'How many points it has' }) pointCount!: number;
  @Field({ description: 'Time of the first point' }) firstAt!: Date;
  @Field({ description: 'Time of the last point' }) lastAt!: Date;
  @Field(() => SeriesNoiseFloor, { nullable: true, description: 'The newest noise floor of the class; null for none' })
  noiseFloor!: SeriesNoiseFloor | null;
}

@ObjectType({ description: 'A page of series' })
export class SeriesConnection extends connectionOf(Series, 'Series') {}

@ObjectType({ description: 'A page of points' })
export class SeriesPointConnection extends connectionOf(SeriesPoint, 'SeriesPoint') {}

@InputType({ description: 'Which series and points; absent is all' })
export class SeriesFilter {
  @Field(() => ID, { nullable: true, description: 'One class alone' }) classId?: string | null;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Values of dimensions by name: observations that have other dimensions too are taken',
  })
  dimensions?: unknown;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Facts of environment and workload by key that a run must have: { "gpu.sku": "H100 SXM" }',
  })
  environment?: unknown;
  @Field(() => String, { nullable: true, description: 'The tool that measured' }) tool?: string | null;
  @Field(() => Date, { nullable: true, description: 'Points from here on' }) since?: Date | null;
  @Field(() => Date, { nullable: true, description: 'Points before' }) until?: Date | null;
}
