import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Audit } from '../audits/audits.types.js';

export enum ExportFormat {
  JSON = 'JSON',
  MARKDOWN = 'MARKDOWN',
  HTML = 'HTML',
  CSV = 'CSV',
}
registerEnumType(ExportFormat, {
  name: 'ExportFormat',
  description: 'What an audit is exported as',
  valuesMap: {
    JSON: { description: 'All of it, `tunebook-audit/1`, for `importAudit` and for programs; it has no language' },
    MARKDOWN: { description: 'A report as Markdown' },
    HTML: { description: 'A report as one file for browsers and printers, which loads nothing' },
    CSV: { description: 'One row for each item, for spreadsheets' },
  },
});

@ObjectType({ description: 'An audit as a file' })
export class AuditExport {
  @Field({ description: 'A name for the file' }) fileName!: string;
  @Field({ description: 'Its media type' }) mediaType!: string;
  @Field({ description: 'The text of the file, in UTF-8' }) content!: string;
}

@InputType({ description: 'An exported audit that is to be one of a project' })
export class ImportAuditInput {
  @Field(() => ID, {
    description:
      'The project; needs WRITE_AUDITS and WRITE_MEASUREMENTS. What a reviewer accepted needs MANAGE_PROJECT; comments with ' +
      'a decision and a closed audit need REVIEW_AUDITS.',
  })
  projectId!: string;
  @Field({ description: 'The text of an export in the format JSON, at most 50 MiB' }) content!: string;
  @Field(() => String, { nullable: true, description: 'Title, at most 200 characters; that of the file where absent' })
  title?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Say what would be made and what would come out differently, and write nothing',
  })
  dryRun?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@ObjectType({ description: 'Something of an imported audit that is wrong, or comes out differently here' })
export class AuditImportProblem {
  @Field({ description: 'Where in the file, such as `items[3].work` or `trials[0].verdict`; empty for the whole' })
  place!: string;
  @Field({ description: "What is wrong or different, in the viewer's language" }) message!: string;
  @Field({ description: 'True where nothing of the file may be written because of it' }) isBlocking!: boolean;
}

@ObjectType({
  description:
    'What became of an imported audit. Applicability, proof, progress and verdicts are computed anew, and what comes out ' +
    'differently from the file is a problem that names it. Comments, milestones and history keep their names and times. ' +
    'The people of the file are members of the project where somebody with MANAGE_PROJECT imports it; anybody else stands ' +
    'for all of them.',
})
export class AuditImportReport {
  @Field(() => Audit, { nullable: true, description: 'The audit; null for a dry run, or where a problem is blocking' })
  audit!: Audit | null;
  @Field(() => [AuditImportProblem], { description: 'What is wrong or different; at most 100' })
  problems!: AuditImportProblem[];
  @Field(() => Int, { description: 'How many problems there are' }) problemCount!: number;
  @Field(() => String, { nullable: true, description: 'The environment of the project that it is in; null for none' })
  environment!: string | null;
  @Field(() => Int, { description: 'Items of the file' }) itemCount!: number;
  @Field(() => Int, { description: 'Trials of the file' }) trialCount!: number;
  @Field(() => Int, { description: 'Runs of the file' }) runCount!: number;
  @Field(() => Int, { description: 'Those of them that the project did not have' }) newRunCount!: number;
  @Field(() => Int, { description: 'Comments of the file' }) commentCount!: number;
  @Field(() => Int, { description: 'Milestones of the file' }) milestoneCount!: number;
  @Field(() => Int, { description: 'Entries of the history of the file' }) historyCount!: number;
  @Field({ description: 'True for a dry run: nothing was written' }) isDryRun!: boolean;
}
