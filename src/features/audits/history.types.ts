import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import type { Change } from '../../platform/database/history.js';
import { connectionOf } from '../../platform/graphql/page.js';

type Subject = Change['subject'];

const subjectNames = {
  checklist: 'CHECKLIST',
  project: 'PROJECT',
  environment: 'ENVIRONMENT',
  audit: 'AUDIT',
  auditItem: 'AUDIT_ITEM',
  comment: 'COMMENT',
  milestone: 'MILESTONE',
  proposal: 'PROPOSAL',
  evidence: 'EVIDENCE',
  run: 'RUN',
  columnMapping: 'COLUMN_MAPPING',
  trial: 'TRIAL',
  note: 'NOTE',
  serviceToken: 'SERVICE_TOKEN',
} as const satisfies Record<Subject, string>;

/** The subjects of the history by the names that the API gives them. */
const HistorySubject = Object.fromEntries(Object.entries(subjectNames).map(([subject, name]) => [name, subject]));
registerEnumType(HistorySubject, {
  name: 'HistorySubject',
  description: 'What an entry of the history is about',
  valuesMap: {
    CHECKLIST: { description: 'A checklist that was imported' },
    PROJECT: { description: 'A project' },
    ENVIRONMENT: { description: 'An environment' },
    AUDIT: { description: 'The audit itself' },
    AUDIT_ITEM: { description: 'What an audit says about one item' },
    COMMENT: { description: 'A comment on an item' },
    MILESTONE: { description: 'A snapshot of an audit' },
    PROPOSAL: { description: 'A custom item that is proposed for a checklist' },
    EVIDENCE: { description: 'An evidence file' },
    RUN: { description: 'A run' },
    COLUMN_MAPPING: { description: 'What the columns of a table of the project mean' },
    TRIAL: { description: 'A trial' },
    NOTE: { description: 'A note' },
    SERVICE_TOKEN: { description: 'A service token: made, or revoked' },
  },
});

export const HistoryFormat = { CSV: 'CSV', JSON: 'JSON' } as const;
export type HistoryFormat = keyof typeof HistoryFormat;
registerEnumType(HistoryFormat, {
  name: 'HistoryFormat',
  description: 'What a history is exported as',
  valuesMap: {
    CSV: { description: 'A table for a spreadsheet, with heads and sentences in one language' },
    JSON: { description: 'Everything as it is kept, of the format `tunebook-history/1`' },
  },
});

@ObjectType({ description: 'One change of one field: who, when, from what, to what, and why. It never changes.' })
export class HistoryEntry {
  viewerId!: string | null;
  importedBy!: string | null;
  auditItemId!: string | null;
  @Field(() => ID, { description: 'Id of the entry' }) id!: string;
  @Field({ description: 'When it was; for what came with an imported audit, when it was there' }) at!: Date;
  @Field({ description: 'Whether it came with an imported audit: it says what was done elsewhere' })
  isImported!: boolean;
  @Field(() => HistorySubject, { description: 'What it is about' }) subject!: string;
  @Field(() => ID, { description: 'Id of what it is about' }) subjectId!: string;
  @Field({ description: 'The field that changed: outcome, remark, dueAt, …; `created` for something new' })
  field!: string;
  @Field(() => GraphQLJSON, { nullable: true, description: 'What was there; null for nothing' }) before!: unknown;
  @Field(() => GraphQLJSON, { nullable: true, description: 'What is there since; null for nothing' }) after!: unknown;
  @Field(() => String, { nullable: true, description: 'The reason that was given' }) reason!: string | null;
}

@ObjectType({ description: 'A page of the history' })
export class HistoryConnection extends connectionOf(HistoryEntry, 'HistoryEntry') {}

@InputType({
  description:
    'Which entries of a history to list; conditions are joined by "and". A condition that is absent or null asks nothing, an empty list lets nothing through, and an empty text is refused.',
})
export class HistoryFilter {
  @Field(() => [String], {
    nullable: true,
    description: 'Changes of any of these fields: ["remark"] shows every remark that there was. At most 500.',
  })
  fields?: string[] | null;
  @Field(() => [HistorySubject], { nullable: true, description: 'About any of these' }) subjects?: string[] | null;
  @Field(() => [ID], { nullable: true, description: 'Of any of these audit items; at most 500' })
  itemIds?: string[] | null;
  @Field(() => ID, { nullable: true, description: 'By this person' }) by?: string | null;
  @Field(() => Date, { nullable: true, description: 'At this time or later' }) since?: Date | null;
  @Field(() => Date, { nullable: true, description: 'Before this time' }) until?: Date | null;
}

@ObjectType({ description: 'The whole history of an audit as a file' })
export class HistoryExport {
  @Field({ description: 'A name for the file' }) fileName!: string;
  @Field({ description: 'text/csv or application/json' }) mediaType!: string;
  @Field({ description: 'The file itself' }) content!: string;
}
