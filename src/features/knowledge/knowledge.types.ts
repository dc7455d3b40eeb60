import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { Locale, NoteOutcome } from '../../generated/prisma/enums.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';

registerEnumType(NoteOutcome, {
  name: 'NoteOutcome',
  description: 'What a change did, in the words of whoever wrote the note',
  valuesMap: {
    HELPED: { description: 'Things got better' },
    NEUTRAL: { description: 'Nothing changed that matters' },
    HURT: { description: 'Things got worse' },
    INCONCLUSIVE: { description: 'It was not settled' },
  },
});

@ObjectType({
  description: 'What was changed, in which context, with what effect, negative results included. Written in `locale`.',
})
export class Note {
  projectId!: string | null;
  @Field(() => ID, { description: 'Id of the note' }) id!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Name of a reference note, which comes with the product and belongs to no project; else null',
  })
  slug!: string | null;
  @Field(() => Date, { nullable: true, description: 'The day on which a reference note was measured; else null' })
  measuredOn!: Date | null;
  @Field(() => LocalizedText, { description: 'Title' }) title!: LocalizedText;
  @Field(() => LocalizedText, { description: 'What was done, seen and learned, as Markdown' }) body!: LocalizedText;
  @Field(() => Locale, { description: 'The language that it was written in' }) locale!: Locale;
  @Field(() => GraphQLJSON, { description: 'Where it was: `hardware`, `environment` and `workload`, by key' })
  context!: unknown;
  @Field(() => GraphQLJSON, { description: 'What was changed: for each key the values before and after' })
  change!: unknown;
  @Field(() => LocalizedText, { nullable: true, description: 'What to be careful about' })
  caveats!: LocalizedText | null;
  @Field(() => NoteOutcome, { description: 'What the change did' }) outcome!: NoteOutcome;
  @Field(() => [String], { description: 'Free tags' }) tags!: string[];
  @Field({ description: 'When it was published' }) createdAt!: Date;
}

@ObjectType({ description: 'A page of notes' })
export class NoteConnection extends connectionOf(Note, 'Note') {}

@InputType({
  description:
    'Which notes to list; conditions are joined by "and". A condition that is absent or null asks nothing, an empty list lets nothing through, and an empty text is refused.',
})
export class NoteFilter {
  @Field(() => String, { nullable: true, description: 'Name of a reference note, as ExpectedGain.note has it' })
  slug?: string | null;
  @Field(() => String, { nullable: true, description: 'Key of an item that the note links to' }) item?: string | null;
  @Field(() => String, { nullable: true, description: 'Slug of a hardware profile' }) hardware?: string | null;
  @Field(() => [NoteOutcome], { nullable: true, description: 'Any of these outcomes' }) outcome?: NoteOutcome[] | null;
  @Field(() => [String], { nullable: true, description: 'Notes that have all of these tags' }) tags?: string[] | null;
}

@InputType({ description: 'Names an item' })
export class ItemKeyInput {
  @Field({ description: 'Slug of the checklist' }) checklist!: string;
  @Field({ description: '`section/topic`' }) key!: string;
}

@InputType({ description: 'A new note: from an audit item, or free-standing in a project' })
export class PublishNoteInput {
  @Field(() => ID, { nullable: true, description: 'The audit item that it is from' }) auditItemId?: string | null;
  @Field(() => ID, { nullable: true, description: 'The project, for a note without an audit item' }) projectId?:
    string | null;
  @Field(() => [ItemKeyInput], {
    nullable: true,
    description: 'Items that it is about; that of the audit item where absent',
  })
  items?: ItemKeyInput[] | null;
  @Field({ description: 'Title, 1 to 200 characters' }) title!: string;
  @Field({ description: 'What was done, seen and learned, as Markdown' }) body!: string;
  @Field(() => Locale, { description: 'The language that it is written in' }) locale!: Locale;
  @Field(() => NoteOutcome, { description: 'What the change did' }) outcome!: NoteOutcome;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'What was changed, by key; the declared differences of the trials where absent',
  })
  change?: unknown;
  @Field(() => String, { nullable: true, description: 'What to be careful about' }) caveats?: string | null;
  @Field(() => [String], { nullable: true, description: 'Free tags, at most 50' }) tags?: string[] | null;
  @Field(() => [ID], { nullable: true, description: 'Trials that show it; all of the audit item where absent' })
  trialIds?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@InputType({ description: 'Puts a note into an audit as a plan' })
export class AdoptNoteInput {
  @Field(() => ID, { description: 'The note' }) noteId!: string;
  @Field(() => ID, { description: 'The audit' }) auditId!: string;
  @Field(() => String, {
    nullable: true,
    description: "Key of the item; needed unless the note links to exactly one item of the audit's checklist",
  })
  itemKey?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}
