import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { UpgradeEffect as UpgradeEffectName } from '../../domain/audit/upgrade.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';
import { Applicability } from '../catalog/catalog.types.js';

/** The effects as an object, as GraphQL wants enums. */
export const UpgradeEffect = {
  CARRIED: 'CARRIED',
  RECHECK: 'RECHECK',
  UPDATED: 'UPDATED',
  NEW: 'NEW',
  ARCHIVED: 'ARCHIVED',
  RETURNED: 'RETURNED',
  BECOMES_ITEM: 'BECOMES_ITEM',
} as const satisfies Readonly<Record<UpgradeEffectName, UpgradeEffectName>>;
registerEnumType(UpgradeEffect, {
  name: 'UpgradeEffect',
  description: 'What a newer release does to an item of an audit',
  valuesMap: {
    CARRIED: { description: 'Its check is the same, or it is an item of the audit alone: what was said stands' },
    RECHECK: { description: 'Its check or its applicability changed: what was said stays, with a re-check mark' },
    UPDATED: { description: 'Its check changed, and nobody had said anything yet' },
    NEW: { description: 'The audit did not have it' },
    ARCHIVED: { description: 'The release does not have it any more: all that was said is kept apart' },
    RETURNED: { description: 'It was archived, and the release has it again' },
    BECOMES_ITEM: { description: 'An item of the audit alone that the checklist has taken up' },
  },
});

@ObjectType({ description: 'How many items a newer release touches; one item can count in several' })
export class UpgradeCounts {
  @Field(() => Int, { description: 'Items with CARRIED' }) carried!: number;
  @Field(() => Int, { description: 'Items with RECHECK' }) recheck!: number;
  @Field(() => Int, { description: 'Items with UPDATED' }) updated!: number;
  @Field(() => Int, { description: 'Items with NEW' }) new!: number;
  @Field(() => Int, { description: 'Items with ARCHIVED' }) archived!: number;
  @Field(() => Int, { description: 'Items with RETURNED' }) returned!: number;
  @Field(() => Int, { description: 'Items with BECOMES_ITEM' }) becomesItem!: number;
}

@ObjectType({ description: 'What a newer release does to one item of an audit' })
export class ItemUpgrade {
  auditItemId!: string | null;
  @Field({ description: 'Its key after the upgrade' }) key!: string;
  @Field(() => LocalizedText, { description: 'Its title after the upgrade' }) title!: LocalizedText;
  @Field(() => [UpgradeEffect], { description: 'What the release does' }) effects!: UpgradeEffectName[];
  @Field(() => [String], {
    description: 'Texts that read differently, in whichever language: title, summary, why, check, apply, …',
  })
  changedTexts!: string[];
  @Field(() => LocalizedText, { nullable: true, description: 'For RECHECK the cause' }) cause!: LocalizedText | null;
  @Field(() => Applicability, { nullable: true, description: 'What the rules said; null for a new item' })
  before!: Applicability | null;
  @Field(() => Applicability, { nullable: true, description: 'What the rules say; null for an archived item' })
  after!: Applicability | null;
}

@ObjectType({ description: 'A page of items that a newer release touches' })
export class ItemUpgradeConnection extends connectionOf(ItemUpgrade, 'ItemUpgrade') {}

@ObjectType({ description: 'The upgrade of an audit to a newer release, as it would be or as it was made' })
export class AuditUpgrade {
  auditId!: string;
  fromId!: string;
  toId!: string;
  changes!: readonly ItemUpgrade[];
  @Field(() => Boolean, { description: 'Whether nothing was written' }) isPreview!: boolean;
  @Field(() => UpgradeCounts, { description: 'How many items it touches' }) counts!: UpgradeCounts;
}

@InputType({ description: 'A newer release for an audit' })
export class UpgradeAuditInput {
  @Field(() => ID, { description: 'The audit; it must be open' }) auditId!: string;
  @Field(() => Int, { description: 'The version of the audit that the change is based on' }) version!: number;
  @Field(() => String, {
    nullable: true,
    description: 'Version of a newer release of the same checklist; the newest where absent',
  })
  release?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
