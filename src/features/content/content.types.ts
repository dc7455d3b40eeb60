import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { LocalizedText } from '../../platform/graphql/localized-text.js';

export enum ChecklistFormat {
  BUNDLE = 'BUNDLE',
  MARKDOWN = 'MARKDOWN',
  BILINGUAL_TEXT = 'BILINGUAL_TEXT',
}
registerEnumType(ChecklistFormat, {
  name: 'ChecklistFormat',
  description: 'What a checklist is imported from',
  valuesMap: {
    BUNDLE: { description: 'A YAML bundle, as `Checklist.bundle` gives it' },
    MARKDOWN: { description: 'Markdown: headings are sections and items; rows of tables and lists can be items too' },
    BILINGUAL_TEXT: { description: 'Plain text in which each English passage is followed by its Chinese translation' },
  },
});

@InputType({ description: "A team's own checklist, from a file" })
export class ImportChecklistInput {
  @Field({ description: 'The text of the file, at most 4 MiB' }) content!: string;
  @Field(() => String, { nullable: true, description: 'Name of the file: it names the checklist where nothing else does' })
  fileName?: string | null;
  @Field(() => ChecklistFormat, { nullable: true, description: 'The format; recognized where absent' })
  format?: `${ChecklistFormat}` | null;
  @Field(() => String, { nullable: true, description: 'Slug of the checklist; from the file or its title where absent' })
  slug?: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Version of the release; that of the file where absent; where the file names none, the next one, from 1.0.0. ' +
      'CONFLICT where it is published with other content or lower than the newest; another version with equal content ' +
      'is written',
  })
  version?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Slug of the team that it is for, which needs the role MAINTAINER there; for the viewer alone where absent',
  })
  team?: string | null;
  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Only say what would be written' })
  dryRun?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@ObjectType({ description: 'A place of an imported file that could be read in more than one way, or is no item' })
export class UndecidedText {
  @Field(() => Int, { description: 'The line, from 1' }) line!: number;
  @Field({ description: "What could not be decided, in the viewer's language" }) message!: string;
  @Field({ description: 'The beginning of the text' }) text!: string;
}

@ObjectType({ description: 'An item of an imported file' })
export class ImportedItem {
  @Field({ description: '`section/topic`' }) key!: string;
  @Field(() => LocalizedText, { description: 'Title' }) title!: LocalizedText;
}

@ObjectType({ description: 'A section of an imported file' })
export class ImportedSection {
  @Field({ description: 'Its key' }) key!: string;
  @Field(() => LocalizedText, { description: 'Title' }) title!: LocalizedText;
  @Field(() => Int, { description: 'How many items it has' }) itemCount!: number;
  @Field(() => [ImportedItem], { description: 'Its items, in order; at most 100' }) items!: ImportedItem[];
}

@ObjectType({ description: 'Why a file cannot be imported' })
export class ImportFault {
  @Field(() => Int, { nullable: true, description: 'The line, from 1; null where it is the whole file' }) line!:
    number | null;
  @Field({ description: "What is wrong, in the viewer's language" }) message!: string;
}

@ObjectType({ description: 'What an imported file holds, and what became of it' })
export class ChecklistImportReport {
  releaseId!: string | null;
  @Field(() => ChecklistFormat, { nullable: true, description: 'The format that it was read as; null where none fits' })
  format!: `${ChecklistFormat}` | null;
  @Field(() => String, { nullable: true, description: 'Slug of the checklist' }) slug!: string | null;
  @Field(() => String, { nullable: true, description: 'Version of the release' }) version!: string | null;
  @Field(() => LocalizedText, { nullable: true, description: 'Title' }) title!: LocalizedText | null;
  @Field(() => [ImportedSection], { description: 'Its sections, in order' })
  sections!: ImportedSection[];
  @Field(() => Int, { description: 'How many items it has' }) itemCount!: number;
  @Field(() => Int, { description: 'How many of them have a title in both languages' }) bilingualCount!: number;
  @Field(() => [UndecidedText], { description: 'What could not be decided; at most 100' }) undecided!: UndecidedText[];
  @Field(() => Int, { description: 'How many places could not be decided' }) undecidedCount!: number;
  @Field(() => [ImportFault], { description: 'Why nothing can be written; empty where all is well; at most 100' })
  problems!: ImportFault[];
  @Field({ description: 'True where this import wrote a release; false for a dry run, a problem, or equal content' })
  isNew!: boolean;
}
