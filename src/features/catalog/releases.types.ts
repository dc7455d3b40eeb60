import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/graphql/page.js';
import type { ItemDifference } from '../../domain/content/release-difference.js';
import type { ItemRow } from './catalog.queries.js';
import { Checklist, Item } from './catalog.types.js';

export enum ItemChangeKind {
  ADDED = 'ADDED',
  REMOVED = 'REMOVED',
  CHANGED = 'CHANGED',
}
registerEnumType(ItemChangeKind, {
  name: 'ItemChangeKind',
  description: 'What happened to an item between two releases',
  valuesMap: {
    ADDED: { description: 'Only the later release has it' },
    REMOVED: { description: 'Only the earlier release has it' },
    CHANGED: { description: 'Both have it, and say different things or in another place' },
  },
});

@ObjectType({ description: 'One release of a checklist, which never changes' })
export class Release {
  id!: string;
  @Field({ description: 'Version, by semantic versioning' }) version!: string;
  @Field({ description: 'SHA-256 over everything that it says' }) digest!: string;
  @Field({ description: 'When it was loaded into this service' }) publishedAt!: Date;
}

@ObjectType({ description: 'What happened to one item between two releases' })
export class ItemChange {
  @Field(() => ItemChangeKind, { description: 'Added, removed or changed' }) kind!: `${ItemChangeKind}`;
  @Field({ description: '`section/topic`' }) key!: string;
  @Field(() => Item, { nullable: true, description: 'As the earlier release has it; null where it was added' })
  before!: Item | null;
  @Field(() => Item, { nullable: true, description: 'As the later release has it; null where it was removed' })
  after!: Item | null;
  @Field({ description: 'Whether what the check means changed, so that older results need another look' })
  isCheckChanged!: boolean;
  @Field({ description: 'Whether it stands in another place of its section' }) isMoved!: boolean;
  @Field(() => [String], { description: 'Texts whose English changed' }) changedTexts!: string[];
  @Field(() => [String], { description: 'Texts whose Chinese changed' }) changedTranslations!: string[];
  @Field(() => [String], { description: 'What else changed: tags, metrics, applicability, …' })
  changedFields!: string[];
}

@ObjectType({ description: 'A page of changes' })
export class ItemChangeConnection extends connectionOf(ItemChange, 'ItemChange') {}

/** Both releases with all their items, and what differs between them. */
export interface ReleaseComparison {
  readonly before: readonly ItemRow[];
  readonly after: readonly ItemRow[];
  readonly differences: readonly ItemDifference[];
}

@ObjectType({ description: 'What changed from one release of a checklist to another' })
export class ReleaseDifference {
  comparison!: ReleaseComparison;
  @Field(() => Checklist, { description: 'The earlier release' }) from!: Checklist;
  @Field(() => Checklist, { description: 'The later release' }) to!: Checklist;
  @Field(() => Int, { description: 'Items that only the later one has' }) addedCount!: number;
  @Field(() => Int, { description: 'Items that only the earlier one has' }) removedCount!: number;
  @Field(() => Int, { description: 'Items that both have, and that differ' }) changedCount!: number;
  @Field(() => Int, { description: 'Of the changed items those whose check means something else' })
  checkChangedCount!: number;
  @Field(() => Int, { description: 'Items that say the same in the same place' }) unchangedCount!: number;
}
