import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Applies, Direction, GainBasis, MetricRole } from '../../generated/prisma/enums.js';
import { connectionOf } from '../../platform/graphql/page.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';

/** What stands where a team's own item does not say its layer, bottleneck, effort or risk. */
export const UNSPECIFIED = 'unspecified';

registerEnumType(Applies, {
  name: 'Applies',
  description: 'Whether an item is meant for an environment',
  valuesMap: {
    YES: { description: 'The facts meet the predicate of the item' },
    NO: { description: 'A known fact rules the item out' },
    UNKNOWN: { description: 'A fact that decides is not known; the item is shown all the same' },
  },
});
registerEnumType(Direction, {
  name: 'Direction',
  description: 'Which way a metric gets better',
  valuesMap: {
    HIGHER_IS_BETTER: { description: 'Throughput, bandwidth, hit rates' },
    LOWER_IS_BETTER: { description: 'Latency, time, memory' },
    TARGET: { description: 'The nearer to a target value the better' },
  },
});
registerEnumType(GainBasis, {
  name: 'GainBasis',
  description: 'What an expected gain rests on',
  valuesMap: {
    VENDOR_DOC: { description: 'Documentation of the vendor' },
    PUBLIC_BENCHMARK: { description: 'A published benchmark' },
    OWN_MEASUREMENT: { description: 'A measurement that is part of the reference notes' },
    EXPERT_OPINION: { description: 'The opinion of the authors; nothing was measured' },
  },
});
registerEnumType(MetricRole, {
  name: 'MetricRole',
  description: 'What a metric is for',
  valuesMap: {
    PRIMARY: { description: 'Decides' },
    SECONDARY: { description: 'Explains' },
    GUARDRAIL: { description: 'Must not get worse: quality, stability' },
    DIAGNOSTIC: { description: 'Context for whoever looks closer' },
  },
});

@ObjectType({ description: 'A published catalog of practices, in one of its releases' })
export class Checklist {
  releaseId!: string;
  @Field({ description: 'Name of the checklist in addresses' }) slug!: string;
  @Field({ description: 'Version of the release, by semantic versioning' }) version!: string;
  @Field(() => LocalizedText, { description: 'Title' }) title!: LocalizedText;
  @Field(() => LocalizedText, { description: 'What the checklist covers' }) summary!: LocalizedText;
  @Field({ description: 'SHA-256 over everything that the release says' }) digest!: string;
  @Field({ description: 'Whether it was imported by a person or team, who alone see it; false for the shipped ones' })
  isPrivate!: boolean;
}

@ObjectType({ description: 'An ordered group of items of a checklist' })
export class Section {
  id!: string;
  releaseId!: string;
  @Field({ description: 'First half of the keys of its items' }) key!: string;
  @Field(() => Int, { description: 'Place in the checklist, from 1' }) order!: number;
  @Field(() => LocalizedText, { description: 'Title' }) title!: LocalizedText;
  @Field(() => LocalizedText, { description: 'Introduction' }) summary!: LocalizedText;
}

@ObjectType({ description: 'A document that an item rests on' })
export class Source {
  @Field({ description: 'Title of the document' }) title!: string;
  @Field({ description: 'Where it is' }) url!: string;
  @Field({ description: 'When the item was last checked against it' }) checkedAt!: Date;
}

@ObjectType({ description: 'Something in a profile or metric that says that an item is worth a look' })
export class Signal {
  @Field({ description: 'The tool that shows it' }) tool!: string;
  @Field({ description: 'What the tool calls it' }) metric!: string;
  @Field({ description: 'One of > >= < <= = != contains' }) operator!: string;
  @Field({ description: 'The value to compare with, as text' }) value!: string;
}

@ObjectType({ description: 'What an item may bring, with what that rests on' })
export class ExpectedGain {
  @Field(() => GainBasis, { description: 'What the figure rests on' }) basis!: GainBasis;
  @Field({ description: 'Key of the metric' }) metric!: string;
  @Field(() => Float, { description: 'Lower end, as how many times better: 1.5 is half as good again' })
  ratioFrom!: number;
  @Field(() => Float, { description: 'Upper end, as how many times better' }) ratioTo!: number;
  @Field(() => LocalizedText, { description: 'Under which conditions it was seen' }) conditions!: LocalizedText;
  @Field(() => String, { nullable: true, description: 'Where it is stated' }) source!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Slug of the reference note that shows it, for an own measurement: notes(filter: { slug })',
  })
  note!: string | null;
}

@ObjectType({ description: 'What can go wrong: NONE, LOW, MEDIUM or HIGH' })
export class Risk {
  @Field({ description: 'For the quality of results' }) accuracy!: string;
  @Field({ description: 'For the stability of the job' }) stability!: string;
  @Field({ description: 'For whoever operates the machines' }) operations!: string;
}

@ObjectType({ description: 'Why two items are related' })
export class RelationReason {
  @Field({ description: 'Key of the related item' }) item!: string;
  @Field(() => LocalizedText, { description: 'The reason in one sentence' }) reason!: LocalizedText;
}

@ObjectType({ description: 'How an item stands to others, by their keys' })
export class Relations {
  @Field(() => [String], { description: 'Items that must be in place first' }) requires!: string[];
  @Field(() => [String], { description: 'Items that exclude this one' }) conflictsWith!: string[];
  @Field(() => [String], { description: 'Items that this one replaces' }) supersedes!: string[];
  @Field(() => [String], { description: 'Items whose effect this one makes larger' }) amplifies!: string[];
  @Field(() => [String], { description: 'Items that are worth reading beside it' }) seeAlso!: string[];
  @Field(() => [RelationReason], { description: 'For items that this one requires, excludes or replaces, why' })
  reasons!: RelationReason[];
}

export enum TranslationStatus {
  CURRENT = 'CURRENT',
  STALE = 'STALE',
  MISSING = 'MISSING',
}
registerEnumType(TranslationStatus, {
  name: 'TranslationStatus',
  description: 'How a translation stands to the text that it was made from',
  valuesMap: {
    CURRENT: { description: 'Made from the text as it is' },
    STALE: { description: 'The text changed since, or nobody recorded what it was made from' },
    MISSING: { description: 'The text is there in one language only' },
  },
});

@ObjectType({ description: 'How the translation of one text of an item stands' })
export class TextTranslation {
  @Field({ description: 'title, summary, why, check, apply, measure, avoid or rollback' }) field!: string;
  @Field(() => TranslationStatus, { description: 'How it stands' }) status!: `${TranslationStatus}`;
}

@ObjectType({ description: 'One practice of a checklist' })
export class Item {
  @Field(() => ID, { description: 'Id of the item in this release' }) id!: string;
  itemId!: string;
  releaseId!: string;
  sectionId!: string;
  metricKeys!: readonly { readonly key: string; readonly role: string }[];
  predicate!: unknown;
  @Field({ description: '`section/topic`; the same in all releases and never given to another practice' })
  key!: string;
  @Field(() => Int, { description: 'Place within the section, from 1' }) order!: number;
  @Field(() => LocalizedText, { description: 'Title' }) title!: LocalizedText;
  @Field(() => LocalizedText, { description: 'What it is and when it pays, in up to three sentences' })
  summary!: LocalizedText;
  @Field(() => LocalizedText, { description: 'All parts in one text, as Markdown' }) body!: LocalizedText;
  @Field(() => LocalizedText, { description: 'Why it matters, as Markdown' }) why!: LocalizedText;
  @Field(() => LocalizedText, { description: 'How to check, as Markdown' }) check!: LocalizedText;
  @Field(() => LocalizedText, { description: 'How to apply, as Markdown' }) apply!: LocalizedText;
  @Field(() => LocalizedText, { description: 'How to measure, as Markdown' }) measure!: LocalizedText;
  @Field(() => LocalizedText, { description: 'When not to do it, as Markdown' }) avoid!: LocalizedText;
  @Field(() => LocalizedText, { description: 'How to undo it, as Markdown' }) rollback!: LocalizedText;
  @Field(() => [String], { description: 'Free tags' }) tags!: string[];
  @Field({ description: 'Layer of the system: precision, io, network, …' }) layer!: string;
  @Field({ description: 'What it relieves: compute, memory-bandwidth, communication, input, …' }) bottleneck!: string;
  @Field(() => [String], { description: 'Workload phases: training, prefill, decode, data, all' }) workload!: string[];
  @Field(() => [String], { description: 'Frameworks and engines that the text is about; empty for any' })
  frameworks!: string[];
  @Field(() => [String], { description: 'Exact identifiers of the settings that it touches' }) settings!: string[];
  @Field(() => [String], {
    description:
      'Facts on whose change a result is to be looked at again, beside the versions that its applicability bounds and the hardware',
  })
  recheckOn!: string[];
  @Field(() => [Signal], { description: 'What says that it is worth a look' }) signals!: Signal[];
  @Field(() => [ExpectedGain], { description: 'Expected gains; none where nothing is known' })
  expectedGains!: ExpectedGain[];
  @Field({ description: 'XS, S, M, L or XL' }) effort!: string;
  @Field(() => Risk, { description: 'What can go wrong' }) risk!: Risk;
  @Field(() => Boolean, { nullable: true, description: 'Whether it can be undone; null where the authors do not say' })
  isReversible!: boolean | null;
  @Field(() => [TextTranslation], { description: 'For each text that it has, how its translation stands' })
  translations!: TextTranslation[];
  @Field(() => Relations, { description: 'How it stands to other items' }) relations!: Relations;
  @Field(() => [Source], { description: 'What it rests on' }) sources!: Source[];
  @Field(() => Date, { nullable: true, description: 'When the authors look at it again; null where they do not say' })
  reviewBy!: Date | null;
  @Field({ description: 'Changes when the meaning of the check changes, and only then' }) checkDigest!: string;
}

@ObjectType({ description: 'Whether an item applies to an environment, and why' })
export class Applicability {
  @Field(() => Applies, { description: 'The answer' }) answer!: Applies;
  @Field(() => [LocalizedText], { description: 'What decided, one sentence each' }) reasons!: LocalizedText[];
  @Field({
    description:
      'Whether the answer is NO only because a version is newer than the range of the item: what it works around is gone',
  })
  isPast!: boolean;
}

@ObjectType({ description: 'A known accelerator or system and what it can do' })
export class HardwareProfile {
  id!: string;
  @Field({ description: 'Name in addresses and inputs: h100-sxm' }) slug!: string;
  @Field({ description: 'nvidia, amd or huawei' }) vendor!: string;
  @Field({ description: 'Name as the vendor writes it' }) name!: string;
  @Field({ description: 'hopper, cdna3, …' }) architecture!: string;
  @Field(() => [String], { description: 'Keys of what it can do: fp8-tensor-cores, nvswitch, …' })
  capabilities!: string[];
  @Field({
    description:
      'Whether it stands for a product that is not listed, of its architecture: what differs between its products is unknown',
  })
  isGeneric!: boolean;
}

@ObjectType({ description: 'What is measured. Without a direction a metric is context and gets no verdict.' })
export class Metric {
  id!: string;
  @Field({ description: 'Key: serving.ttft.p99' }) key!: string;
  @Field(() => LocalizedText, { description: 'Name' }) name!: LocalizedText;
  @Field({ description: 'Unit of its values; empty for a plain number' }) unit!: string;
  @Field({ description: 'What the unit measures: values are converted within a dimension and refused across' })
  dimension!: string;
  @Field(() => Direction, { nullable: true, description: 'Which way is better; null for context' })
  direction!: Direction | null;
  @Field(() => Float, { nullable: true, description: 'The value to come near to, only with TARGET' })
  target!: number | null;
  @Field({ description: 'True for counts and sizes that do not vary between equal runs' }) isExact!: boolean;
  @Field(() => Float, { description: 'Smallest effect that matters, as a fraction: 0.02 is 2 %' })
  smallestEffect!: number;
  @Field(() => MetricRole, { description: 'What it is for' }) role!: MetricRole;
}

@ObjectType({ description: 'A key of the facts of an environment that rules and comparisons know' })
export class EnvironmentKey {
  @Field({ description: 'The key: nodes.count. One that ends in `.*` stands for all keys that begin like it: env.*' })
  key!: string;
  @Field(() => LocalizedText, { description: 'Name' }) name!: LocalizedText;
  @Field({
    description:
      'What an undeclared difference between the arms of a trial does, as DifferenceTier: BLOCK makes them not comparable, WARN confounds the verdict, INFO is shown',
  })
  tier!: string;
  @Field(() => String, { nullable: true, description: 'Unit of its values; null for texts and plain numbers' })
  unit!: string | null;
  @Field(() => [String], {
    description:
      'The values that rules ask for; other words for them, such as BF16 for bf16, are understood. Empty for any value.',
  })
  values!: string[];
  @Field({ description: 'Whether there are no values but these: another one is refused' }) isClosed!: boolean;
}

@InputType({
  description:
    'Which items to list; conditions are joined by "and". A condition that is absent or null asks nothing, an empty list lets nothing through, and an empty text is refused.',
})
export class ItemFilter {
  @Field(() => String, { nullable: true, description: 'Key of a section' }) section?: string | null;
  @Field(() => [String], { nullable: true, description: 'Items that have all of these tags' }) tags?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Layer of the system' }) layer?: string | null;
  @Field(() => String, { nullable: true, description: 'Workload phase; items for all phases are listed too' })
  workload?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Slug of a hardware profile: items whose answer is YES or UNKNOWN',
  })
  hardware?: string | null;
  @Field(() => String, { nullable: true, description: 'Text in the key, title, summary or a setting' })
  text?: string | null;
  @Field(() => TranslationStatus, {
    nullable: true,
    description: 'Items with at least one text whose translation stands so',
  })
  translation?: `${TranslationStatus}` | null;
}

@ObjectType({ description: 'A page of items' })
export class ItemConnection extends connectionOf(Item, 'Item') {}
