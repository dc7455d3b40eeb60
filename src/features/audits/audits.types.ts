import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import {
  Applies,
  AuditStatus,
  Outcome,
  Priority,
  Proof,
  ReasonCode,
  RecheckCode,
  Work,
} from '../../generated/prisma/enums.js';
import { Applicability } from '../catalog/catalog.types.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';

registerEnumType(AuditStatus, {
  name: 'AuditStatus',
  description: 'Whether an audit can be changed',
  valuesMap: {
    OPEN: { description: 'It is being worked on' },
    CLOSED: { description: 'It can be read and commented; other writes are refused with CONFLICT' },
  },
});
registerEnumType(Work, {
  name: 'Work',
  description: 'How far the work on an item is; it says nothing of what came out',
  valuesMap: {
    TODO: { description: 'Nobody has begun' },
    IN_PROGRESS: { description: 'Somebody is at it' },
    IN_REVIEW: { description: 'It waits for somebody else to look at it; needs an outcome' },
    DONE: { description: 'Nothing is left to do; needs an outcome, and after IN_REVIEW the acceptance of a reviewer' },
  },
});
registerEnumType(Outcome, {
  name: 'Outcome',
  description: 'What came out for an item; it says nothing of how far the work is',
  valuesMap: {
    NOT_ASSESSED: { description: 'Nobody has looked yet' },
    ALREADY_IN_PLACE: { description: 'It was done before this audit' },
    APPLIED: { description: 'It was done in this audit; `proof` tells what measurements say' },
    REJECTED: { description: 'It will not be done; needs a reason' },
    DEFERRED: { description: 'It will be looked at later' },
    NOT_APPLICABLE: { description: 'It is not meant for this workload, says a person; needs a reason' },
  },
});
registerEnumType(Proof, {
  name: 'Proof',
  description: 'What the newest trial with a verdict says of an applied item',
  valuesMap: {
    VERIFIED: { description: 'Improved, on evidence that carries it, not confounded, every guardrail passed' },
    INDICATED: { description: 'Improved, on weaker evidence' },
    UNVERIFIED: { description: 'No measurement, or none that shows an improvement' },
    REGRESSED: { description: 'It made things worse, or a guardrail failed' },
  },
});
registerEnumType(ReasonCode, {
  name: 'ReasonCode',
  description: 'The kind of reason for an outcome',
  valuesMap: {
    OUT_OF_SCOPE: { description: 'Not meant for this workload or machine' },
    CONSTRAINT: { description: 'Something outside forbids it: policy, contract, hardware' },
    TRIED_WITHOUT_GAIN: { description: 'It was tried and did not help' },
    TOO_RISKY: { description: 'What can go wrong outweighs what it may bring' },
    TOO_COSTLY: { description: 'The effort outweighs what it may bring' },
    LATER: { description: 'Another time' },
    OTHER: { description: 'See the text' },
  },
});
registerEnumType(RecheckCode, {
  name: 'RecheckCode',
  description: 'Why a result is to be looked at again',
  valuesMap: {
    CHECK_CHANGED: {
      description: 'The check of the item changed with a release, or was rewritten in an item of the audit alone',
    },
    ENVIRONMENT_CHANGED: { description: 'A fact that the item depends on changed' },
    EXPIRED: { description: 'A deferred or rejected outcome reached its date' },
  },
});

registerEnumType(Priority, {
  name: 'Priority',
  description: 'How urgent a person says that an item is; the plan ranks by evidence beside it',
  valuesMap: {
    LOW: { description: 'When there is time' },
    NORMAL: { description: 'As it comes' },
    HIGH: { description: 'Before others' },
  },
});

@ObjectType({ description: 'How far an audit is' })
export class Progress {
  @Field(() => Int, { description: 'All items' }) total!: number;
  @Field(() => Int, {
    description: "Items whose answer, after a person's overruling, is not NO and whose outcome is not NOT_APPLICABLE",
  })
  applicable!: number;
  @Field(() => Int, { description: 'Applicable items with an outcome and no re-check mark' }) assessed!: number;
  @Field(() => Int, { description: 'Applicable items whose work is DONE' }) done!: number;
  @Field(() => Int, { description: 'Applicable items whose proof is VERIFIED' }) verified!: number;
}

@ObjectType({ description: 'One pass of a project over one release of a checklist' })
export class Audit {
  projectId!: string;
  releaseId!: string;
  environmentId!: string | null;
  scopeFacts!: unknown;
  scopeHardwareId!: string | null;
  scopedAt!: Date;
  @Field(() => ID, { description: 'Id of the audit' }) id!: string;
  @Field(() => Int, { description: 'Rises with every change of the audit itself' }) version!: number;
  @Field({ description: 'Title' }) title!: string;
  @Field(() => AuditStatus, { description: 'Whether it can be changed' }) status!: AuditStatus;
  createdById!: string;
  clonedFromId!: string | null;
  endToEndTrialId!: string | null;
  timeBreakdown!: unknown;
  @Field({ description: 'When it was opened' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was closed; null while it is open' })
  closedAt!: Date | null;
  @Field({ description: 'Whether items are DONE only by the acceptance of a reviewer who is not the author' })
  requiresReview!: boolean;
  @Field({ description: 'When it, or one of its items, was last changed' }) touchedAt!: Date;
}

@ObjectType({ description: 'That a result is to be looked at again; the old result stays and is shown as old' })
export class Recheck {
  itemId!: string | null;
  @Field(() => RecheckCode, { description: 'The kind of cause' }) code!: RecheckCode;
  @Field(() => LocalizedText, { description: 'The cause in words' }) cause!: LocalizedText;
  @Field({ description: 'Since when' }) since!: Date;
}

@ObjectType({ description: 'What an audit says about one item' })
export class AuditItem {
  projectId!: string;
  auditId!: string;
  releaseItemId!: string | null;
  custom!: unknown;
  customKey!: string | null;
  customSection!: string | null;
  adoptedFromId!: string | null;
  @Field(() => ID, { description: 'Id of the audit item' }) id!: string;
  @Field(() => Int, { description: 'Send it back with a change: a stale one gets CONFLICT' }) version!: number;
  @Field(() => Applicability, {
    description: "Whether the item applies to the audit's environment: what a person said, else what the rules say",
  })
  applicability!: Applicability;
  @Field(() => Applicability, { description: 'What the rules say, whatever a person said' }) derived!: Applicability;
  overruled!: Applies | null;
  overruleReason!: string | null;
  overruledById!: string | null;
  overruledAt!: Date | null;
  @Field(() => Work, { description: 'How far the work is' }) work!: Work;
  @Field(() => Outcome, { description: 'What came out' }) outcome!: Outcome;
  @Field(() => ReasonCode, { nullable: true, description: 'The kind of reason for the outcome' })
  reasonCode!: ReasonCode | null;
  @Field(() => String, { nullable: true, description: 'The reason for the outcome, as Markdown' }) reason!:
    string | null;
  @Field(() => String, { nullable: true, description: 'What is to be remembered, as Markdown' }) remark!: string | null;
  @Field(() => Recheck, { nullable: true, description: 'Set where the result is to be looked at again' })
  recheck!: Recheck | null;
  @Field(() => Proof, { nullable: true, description: 'What measurements say; only where the outcome is APPLIED' })
  proof!: Proof | null;
  @Field(() => String, {
    nullable: true,
    description: 'What is expected of it, from the note that it was adopted from',
  })
  expectation!: string | null;
  @Field(() => GraphQLJSON, { nullable: true, description: 'The settings that the adopted note changed' })
  plannedChange!: unknown;
  assigneeId!: string | null;
  assessedById!: string | null;
  submittedById!: string | null;
  acceptedById!: string | null;
  @Field(() => Date, { nullable: true, description: 'When it is due' }) dueAt!: Date | null;
  @Field(() => Priority, { description: 'How urgent a person says that it is' }) priority!: Priority;
  @Field(() => Date, {
    nullable: true,
    description: 'When a DEFERRED or REJECTED outcome gets a re-check mark, with its reason as it was',
  })
  expiresAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When outcome or reason was last said' }) assessedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When it was submitted for review' }) submittedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When a reviewer accepted it as it is' }) acceptedAt!: Date | null;
  @Field({ description: 'Whether it was taken out of the audit; it can still be read' }) isArchived!: boolean;
  @Field({ description: 'When it was last changed' }) updatedAt!: Date;
}

@ObjectType({ description: 'A page of audits' })
export class AuditConnection extends connectionOf(Audit, 'Audit') {}

@ObjectType({ description: 'A page of audit items' })
export class AuditItemConnection extends connectionOf(AuditItem, 'AuditItem') {}

@InputType({ description: 'A new audit of a project' })
export class OpenAuditInput {
  @Field(() => ID, { description: 'The project' }) projectId!: string;
  @Field({ description: 'Slug of the checklist' }) checklist!: string;
  @Field(() => String, { nullable: true, description: 'Version of the release; the newest where absent' })
  version?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Title, at most 200 characters; that of the checklist where absent',
  })
  title?: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'The environment that scopes it; where absent, the only one of the project or the one named `default`',
  })
  environmentId?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Whether items are DONE only by the acceptance of a reviewer who is not the author',
  })
  requiresReview?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({
  description:
    'Which items of an audit to list; conditions are joined by "and". A condition that is absent or null asks nothing, an empty list lets nothing through, and an empty text is refused.',
})
export class AuditItemFilter {
  @Field(() => String, { nullable: true, description: 'Key of a section that the audit has' }) section?: string | null;
  @Field(() => [Work], { nullable: true, description: 'Any of these states of the work' }) work?: Work[] | null;
  @Field(() => [Outcome], { nullable: true, description: 'Any of these outcomes' }) outcome?: Outcome[] | null;
  @Field(() => [Applies], { nullable: true, description: "Any of these answers, after a person's overruling" })
  applies?: Applies[] | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Items about which a person overruled the rules, or the others',
  })
  isOverruled?: boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Items with a re-check mark, or without' })
  hasRecheck?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Items that a version is too new for: what they work around is gone; or the others',
  })
  isPast?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Only items that an upgrade archived; without it, or with false, they are left out',
  })
  isArchived?: boolean | null;
  @Field(() => [String], { nullable: true, description: 'Items that have all of these tags' }) tags?: string[] | null;
  @Field(() => [ID], { nullable: true, description: 'Items with these ids, at most 500' }) ids?: string[] | null;
  @Field(() => [Proof], { nullable: true, description: 'Applied items with any of these proofs' })
  proof?: Proof[] | null;
  @Field(() => [Priority], { nullable: true, description: 'Any of these priorities' }) priority?: Priority[] | null;
  @Field(() => ID, { nullable: true, description: 'Items of this person' }) assigneeId?: string | null;
  @Field(() => Boolean, { nullable: true, description: "Items that are somebody's, or nobody's" })
  isAssigned?: boolean | null;
  @Field(() => Date, { nullable: true, description: 'Items that are due before this time' }) dueBefore?: Date | null;
  @Field(() => Boolean, { nullable: true, description: 'Items of this audit alone, or those of the checklist' })
  isCustom?: boolean | null;
  @Field(() => String, {
    nullable: true,
    description: 'Text in the key, title, summary, a setting, remark, reason or expectation',
  })
  text?: string | null;
}

/** What a person can change of an item: absent is left alone, null clears. */
@InputType({ isAbstract: true })
abstract class ItemPatch {
  @Field(() => Work, { nullable: true, description: 'How far the work is; null is TODO' }) work?: Work | null;
  @Field(() => Outcome, { nullable: true, description: 'What came out; null is NOT_ASSESSED' })
  outcome?: Outcome | null;
  @Field(() => ReasonCode, { nullable: true, description: 'The kind of reason' }) reasonCode?: ReasonCode | null;
  @Field(() => String, { nullable: true, description: 'The reason, as Markdown' }) reason?: string | null;
  @Field(() => String, { nullable: true, description: 'Text that is put behind the remark, as a paragraph of its own' })
  addRemark?: string | null;
  @Field(() => ID, { nullable: true, description: 'Whose it is: somebody who may write audits in the project' })
  assigneeId?: string | null;
  @Field(() => Date, { nullable: true, description: 'When it is due' }) dueAt?: Date | null;
  @Field(() => Priority, { nullable: true, description: 'How urgent it is; null is NORMAL' })
  priority?: Priority | null;
  @Field(() => Date, {
    nullable: true,
    description: 'Until when a DEFERRED or REJECTED outcome holds, in the future; another outcome clears it',
  })
  expiresAt?: Date | null;
}

@InputType({ description: 'What to change of each item: absent is left alone, null clears' })
export class AuditItemPatch extends ItemPatch {
  /** Texts of persons are replaced one by one only. */
  remark?: undefined;
}

@InputType({ description: 'A change of what an audit says about an item: absent is left alone, null clears' })
export class UpdateAuditItemInput extends ItemPatch {
  @Field(() => ID, { description: 'The audit item' }) id!: string;
  @Field(() => Int, { description: 'The version that the change is based on' }) version!: number;
  @Field(() => String, { nullable: true, description: 'What is to be remembered, as Markdown' }) remark?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
