import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import type { ItemWarningCode as ItemWarningCodeName } from '../../domain/audit/relation-warnings.js';
import type { ScopeEffect as ScopeEffectName } from '../../domain/audit/rescope.js';
import { Applies } from '../../generated/prisma/enums.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';
import { Applicability } from '../catalog/catalog.types.js';

/** The effects as an object, as GraphQL wants enums. */
export const ScopeEffect = {
  COMES_IN: 'COMES_IN',
  GOES_OUT: 'GOES_OUT',
  ANSWER_CHANGED: 'ANSWER_CHANGED',
  RECHECK: 'RECHECK',
  NO_LONGER_NEEDED: 'NO_LONGER_NEEDED',
} as const satisfies Readonly<Record<ScopeEffectName, ScopeEffectName>>;
registerEnumType(ScopeEffect, {
  name: 'ScopeEffect',
  description: 'What a change of the environment does to an item of an audit',
  valuesMap: {
    COMES_IN: { description: 'It did not apply, and now applies or may apply' },
    GOES_OUT: { description: 'It applied or might have, and now does not' },
    ANSWER_CHANGED: { description: 'Between YES and UNKNOWN' },
    RECHECK: { description: 'What a person found is to be looked at again, and keeps standing until then' },
    NO_LONGER_NEEDED: { description: 'It is in place, and what it works around is gone' },
  },
});

const ItemWarningCode = {
  DOES_NOT_APPLY: 'DOES_NOT_APPLY',
  CONFLICTING: 'CONFLICTING',
  REQUIRED_MISSING: 'REQUIRED_MISSING',
  SUPERSEDED: 'SUPERSEDED',
  NO_LONGER_NEEDED: 'NO_LONGER_NEEDED',
} as const satisfies Readonly<Record<ItemWarningCodeName, ItemWarningCodeName>>;
registerEnumType(ItemWarningCode, {
  name: 'ItemWarningCode',
  description: 'What to know of an item because of another item, or of the environment',
  valuesMap: {
    DOES_NOT_APPLY: {
      description: 'It is in place, being worked on or adopted from a note, and the rules say that it does not apply',
    },
    CONFLICTING: { description: 'Another item that excludes it is in place or being worked on' },
    REQUIRED_MISSING: { description: 'An item that must be in place first is not' },
    SUPERSEDED: { description: 'Another item replaces it' },
    NO_LONGER_NEEDED: { description: 'It is in place, and a version is newer than its range' },
  },
});

@ObjectType({ description: 'A warning about an item that is in place or being worked on' })
export class ItemWarning {
  auditItemId!: string;
  otherId!: string | null;
  @Field(() => ItemWarningCode, { description: 'The kind of warning' }) code!: ItemWarningCodeName;
  @Field(() => LocalizedText, { description: 'The warning with its reason' }) message!: LocalizedText;
}

@ObjectType({ description: 'What a person decided instead of the rules' })
export class Overruling {
  @Field(() => Applies, { description: 'What the person says' }) answer!: Applies;
  @Field({ description: 'Why, as Markdown' }) reason!: string;
  @Field(() => String, { nullable: true, description: 'Name of the person' }) by!: string | null;
  @Field(() => Date, { nullable: true, description: 'When' }) at!: Date | null;
}

@ObjectType({ description: 'The facts that the rules were asked about for an audit' })
export class AuditScope {
  hardwareId!: string | null;
  @Field(() => GraphQLJSON, {
    description: 'Facts of the environment when the audit was scoped; they stand over those of `hardware`',
  })
  facts!: unknown;
  @Field({ description: 'When it was scoped: at opening, or with the last change of its environment' }) at!: Date;
}

@ObjectType({
  description: 'How many items of an audit a change of the environment touches; one item can count in several',
})
export class ScopeCounts {
  @Field(() => Int, { description: 'Items that come in' }) comesIn!: number;
  @Field(() => Int, { description: 'Items that go out' }) goesOut!: number;
  @Field(() => Int, { description: 'Items that change between YES and UNKNOWN' }) answerChanged!: number;
  @Field(() => Int, { description: 'Results that are to be looked at again' }) recheck!: number;
  @Field(() => Int, { description: 'Items in place that are no longer needed' }) noLongerNeeded!: number;
  @Field(() => Int, { description: 'Items with none of these' }) unchanged!: number;
}

@ObjectType({ description: 'What a change of the environment does to one item of an audit' })
export class ItemScopeChange {
  auditItemId!: string;
  releaseItemId!: string;
  @Field(() => [ScopeEffect], { description: 'What it does' }) effects!: ScopeEffectName[];
  @Field(() => Applicability, { description: 'What the rules said before' }) before!: Applicability;
  @Field(() => Applicability, { description: 'What the rules say after it' }) after!: Applicability;
  @Field(() => LocalizedText, { nullable: true, description: 'For a re-check the cause' })
  cause!: LocalizedText | null;
}

@ObjectType({ description: 'A page of changes' })
export class ItemScopeChangeConnection extends connectionOf(ItemScopeChange, 'ItemScopeChange') {}

@ObjectType({ description: 'What a change of the environment does to one open audit' })
export class AuditScopeChange {
  auditId!: string;
  changes!: readonly ItemScopeChange[];
  @Field(() => ScopeCounts, { description: 'How many items it touches' }) counts!: ScopeCounts;
}

@ObjectType({ description: 'A fact that differs' })
export class FactDifference {
  @Field({ description: 'Key of the fact' }) key!: string;
  @Field(() => LocalizedText, { description: 'Its name' }) name!: LocalizedText;
  @Field(() => String, { nullable: true, description: 'Before; null where it was not known' }) before!: string | null;
  @Field(() => String, { nullable: true, description: 'After; null where it is not known' }) after!: string | null;
}

@ObjectType({ description: 'A change of an environment, as it would be or as it was made' })
export class EnvironmentChange {
  environmentId!: string | null;
  hardwareId!: string | null;
  @Field(() => GraphQLJSON, { description: 'The facts after the change' }) facts!: unknown;
  @Field(() => [FactDifference], {
    description: 'What differs, with the facts of the hardware and what follows from them; at most 100',
  })
  differences!: FactDifference[];
  @Field(() => Int, { description: 'Closed audits in the environment: they stay as they are' })
  closedAuditCount!: number;
  @Field(() => Int, { description: 'Open audits that are scoped anew' }) auditCount!: number;
  @Field(() => [AuditScopeChange], { description: 'What it does to each open audit, newest first; at most 100' })
  audits!: AuditScopeChange[];
}

@InputType({ description: 'Another environment for an audit' })
export class SetAuditEnvironmentInput {
  @Field(() => ID, { description: 'The audit' }) auditId!: string;
  @Field(() => Int, { description: 'The version of the audit that the change is based on' }) version!: number;
  @Field(() => ID, { nullable: true, description: 'An environment of the project; null for none. It must be given.' })
  environmentId?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: "A person's word over the rules" })
export class OverruleApplicabilityInput {
  @Field(() => ID, { description: 'The audit item' }) id!: string;
  @Field(() => Int, { description: 'The version that the change is based on' }) version!: number;
  @Field(() => Applies, { nullable: true, description: 'YES or NO; null takes the overruling back' })
  answer?: Applies | null;
  @Field(() => String, { nullable: true, description: 'Why, as Markdown; needed with YES and NO' })
  reason?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
