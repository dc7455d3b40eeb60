import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import type {
  MilestoneDifferenceKind as MilestoneDifferenceKindName,
  MilestoneItem as MilestoneItemValue,
  MilestoneItemDifference as MilestoneItemDifferenceValue,
} from '../../domain/audit/milestone.js';
import {
  Applies,
  AuditStatus,
  EvidenceLevel,
  Outcome,
  Proof,
  ReasonCode,
  RecheckCode,
  Verdict,
  Work,
} from '../../generated/prisma/enums.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';
import { Progress } from '../audits/audits.types.js';
import { FactDifference } from '../audits/scoping.types.js';

/** The kinds as an object, as GraphQL wants enums. */
export const MilestoneDifferenceKind = {
  ADDED: 'ADDED',
  REMOVED: 'REMOVED',
  WORK: 'WORK',
  OUTCOME: 'OUTCOME',
  PROOF: 'PROOF',
  VERDICT: 'VERDICT',
  APPLICABILITY: 'APPLICABILITY',
  RECHECK: 'RECHECK',
  TEXT: 'TEXT',
} as const satisfies Readonly<Record<MilestoneDifferenceKindName, MilestoneDifferenceKindName>>;
registerEnumType(MilestoneDifferenceKind, {
  name: 'MilestoneDifferenceKind',
  description: 'What differs of an item between two states of an audit',
  valuesMap: {
    ADDED: { description: 'The earlier state lacks it, or has it archived' },
    REMOVED: { description: 'The later state lacks it, or has it archived' },
    WORK: { description: 'How far the work is' },
    OUTCOME: { description: 'What came out, or the kind of reason for it' },
    PROOF: { description: 'What measurements prove of it' },
    VERDICT: { description: 'The newest trial with a verdict is another one, or has other numbers' },
    APPLICABILITY: { description: "Whether it applies, a person's word over that of the rules" },
    RECHECK: { description: 'The re-check mark' },
    TEXT: { description: 'Its title, reason or remark' },
  },
});

/** How an audit stood or stands, without its items. */
@ObjectType({ isAbstract: true })
abstract class StateOfAudit {
  @Field({ description: 'Slug of the checklist' }) checklist!: string;
  @Field({ description: 'Version of the release' }) release!: string;
  @Field(() => AuditStatus, { description: 'Whether it could be changed' }) status!: AuditStatus;
  @Field(() => String, { nullable: true, description: 'Name of the environment; null without one' })
  environmentName!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Slug of the hardware profile that the rules were asked about; null where it was not known',
  })
  hardware!: string | null;
  @Field(() => GraphQLJSON, {
    description: 'Facts that the rules were asked about; they stand over those of the hardware',
  })
  facts!: unknown;
  @Field(() => Progress, { description: 'How far it was' }) progress!: Progress;
  @Field(() => GraphQLJSON, { nullable: true, description: 'The time breakdown; null where none was known' })
  timeBreakdown!: unknown;
}

@ObjectType({ description: 'How an audit stood at one moment. It is never changed.' })
export class Milestone extends StateOfAudit {
  auditId!: string;
  projectId!: string;
  createdById!: string | null;
  importedName!: string | null;
  @Field(() => ID, { description: 'Id of the milestone' }) id!: string;
  @Field({ description: 'What it was called' }) name!: string;
  @Field({ description: 'When it was taken' }) createdAt!: Date;
}

@ObjectType({ description: 'A page of milestones' })
export class MilestoneConnection extends connectionOf(Milestone, 'Milestone') {}

@ObjectType({ description: 'What the newest trial with a verdict said of an item, on its primary metric' })
export class MilestoneVerdict {
  @Field({ description: 'Key of the metric' }) metric!: string;
  @Field(() => Verdict, { description: 'The verdict' }) verdict!: Verdict;
  @Field(() => Number, { nullable: true, description: 'The gain as a fraction: plus is better' }) gain!: number | null;
  @Field(() => Number, { nullable: true, description: 'Lower end of its 95 % interval' }) gainLow!: number | null;
  @Field(() => Number, { nullable: true, description: 'Upper end of its 95 % interval' }) gainHigh!: number | null;
  @Field(() => EvidenceLevel, { description: 'How much the data can carry' }) evidence!: EvidenceLevel;
}

@ObjectType({ description: 'An item as a state of an audit has it' })
export class MilestoneItem implements Omit<MilestoneItemValue, 'applies'> {
  @Field({ description: '`section/topic`, or `custom/topic` for an item of the audit alone' }) key!: string;
  @Field({ description: 'Whether it was an item of the audit alone' }) isCustom!: boolean;
  @Field({ description: 'Whether it was taken out of the audit' }) isArchived!: boolean;
  @Field({ description: 'Key of the section that it stood in' }) section!: string;
  @Field(() => LocalizedText, { description: 'Title' }) title!: LocalizedText;
  @Field(() => Applies, { description: "Whether it applied: a person's word over that of the rules" })
  applies!: Applies;
  @Field(() => Applies, { description: 'What the rules said' }) derived!: Applies;
  @Field(() => Applies, { nullable: true, description: 'What a person said instead of the rules' })
  overruled!: Applies | null;
  @Field(() => Work, { description: 'How far the work was' }) work!: Work;
  @Field(() => Outcome, { description: 'What came out' }) outcome!: Outcome;
  @Field(() => ReasonCode, { nullable: true, description: 'The kind of reason' }) reasonCode!: ReasonCode | null;
  @Field(() => String, { nullable: true, description: 'The reason, as Markdown' }) reason!: string | null;
  @Field(() => String, { nullable: true, description: 'The remark, as Markdown' }) remark!: string | null;
  @Field(() => RecheckCode, { nullable: true, description: 'The kind of cause of its re-check mark; null without one' })
  recheck!: RecheckCode | null;
  @Field(() => Proof, { nullable: true, description: 'What measurements said; only where the outcome was APPLIED' })
  proof!: Proof | null;
  @Field(() => String, { nullable: true, description: 'Name of the person whose it was' }) assignee!: string | null;
  @Field(() => MilestoneVerdict, { nullable: true, description: 'What its newest trial with a verdict said' })
  verdict!: MilestoneVerdict | null;
}

@ObjectType({ description: 'A page of items of a milestone' })
export class MilestoneItemConnection extends connectionOf(MilestoneItem, 'MilestoneItem') {}

@ObjectType({ description: 'One side of a difference: a milestone, or an audit as it is now' })
export class AuditState extends StateOfAudit {
  @Field(() => Milestone, { nullable: true, description: 'The milestone; null for the audit as it is now' })
  milestone!: Milestone | null;
}

@ObjectType({ description: 'How many items differ in what; one item can count in several' })
export class MilestoneDifferenceCounts {
  @Field(() => Int, { description: 'Items with ADDED' }) added!: number;
  @Field(() => Int, { description: 'Items with REMOVED' }) removed!: number;
  @Field(() => Int, { description: 'Items with WORK' }) work!: number;
  @Field(() => Int, { description: 'Items with OUTCOME' }) outcome!: number;
  @Field(() => Int, { description: 'Items with PROOF' }) proof!: number;
  @Field(() => Int, { description: 'Items with VERDICT' }) verdict!: number;
  @Field(() => Int, { description: 'Items with APPLICABILITY' }) applicability!: number;
  @Field(() => Int, { description: 'Items with RECHECK' }) recheck!: number;
  @Field(() => Int, { description: 'Items with TEXT' }) text!: number;
  @Field(() => Int, { description: 'Items of both states that differ in none of these, archived ones left out' })
  unchanged!: number;
}

@ObjectType({ description: 'An item that differs' })
export class MilestoneItemDifference {
  @Field({ description: 'Key of the item' }) key!: string;
  @Field(() => LocalizedText, { description: 'Its title, as the later state has it' }) title!: LocalizedText;
  @Field(() => [MilestoneDifferenceKind], { description: 'What differs' }) kinds!: MilestoneDifferenceKindName[];
  @Field(() => MilestoneItem, { nullable: true, description: 'The item before; null where there was none' })
  before!: MilestoneItem | null;
  @Field(() => MilestoneItem, { nullable: true, description: 'The item after; null where there is none' })
  after!: MilestoneItem | null;
}

@ObjectType({ description: 'A page of items that differ' })
export class MilestoneItemDifferenceConnection extends connectionOf(
  MilestoneItemDifference,
  'MilestoneItemDifference',
) {}

@ObjectType({ description: 'What changed between two states of audits on one checklist' })
export class MilestoneDifference {
  changes!: readonly MilestoneItemDifferenceValue[];
  @Field(() => AuditState, { description: 'The earlier state' }) before!: AuditState;
  @Field(() => AuditState, { description: 'The later state' }) after!: AuditState;
  @Field(() => [FactDifference], {
    description: 'Facts that differ, with those of the hardware and what follows from them; at most 100',
  })
  environment!: FactDifference[];
  @Field(() => MilestoneDifferenceCounts, { description: 'How many items differ' }) counts!: MilestoneDifferenceCounts;
}

@InputType({ description: 'A milestone to be taken' })
export class CreateMilestoneInput {
  @Field(() => ID, { description: 'The audit; it must be open' }) auditId!: string;
  @Field({
    description: 'What to call it, 1 to 200 characters; no other milestone of the audit is called so, in any case',
  })
  name!: string;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
