import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/graphql/page.js';

@ObjectType({
  description:
    'A file as it was uploaded, kept unchanged and never removed. Files are sent to `/projects/<slug>/evidence` as ' +
    'multipart/form-data, with the header `x-tunebook: 1`.',
})
export class Evidence {
  projectId!: string;
  createdById!: string | null;
  @Field(() => ID, { description: 'Id of the evidence' }) id!: string;
  @Field({ description: 'The name of the file, as the first upload of these bytes called it' }) fileName!: string;
  @Field({ description: 'What the upload said it is; nobody checked it' }) mediaType!: string;
  @Field(() => Int, { description: 'Size in bytes' }) size!: number;
  @Field({ description: 'SHA-256 of the bytes, in hex' }) sha256!: string;
  @Field({ description: 'When the project got it' }) createdAt!: Date;
}

@ObjectType({ description: 'A page of evidence files' })
export class EvidenceConnection extends connectionOf(Evidence, 'Evidence') {}

@ObjectType({ description: 'A file that somebody attached to an audit item, a trial or a run' })
export class Attachment {
  projectId!: string;
  createdById!: string | null;
  createdByName!: string | null;
  @Field(() => ID, { description: 'Id of the attachment' }) id!: string;
  @Field({ description: 'The name of the file' }) fileName!: string;
  @Field({ description: 'What the upload said it is; nobody checked it' }) mediaType!: string;
  @Field(() => Int, { description: 'Size in bytes' }) size!: number;
  @Field({ description: 'SHA-256 of the bytes, in hex' }) sha256!: string;
  @Field(() => String, { nullable: true, description: 'What the file shows' }) caption!: string | null;
  @Field({ description: 'When it was attached' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was taken off; null as long as it is there' })
  detachedAt!: Date | null;
}

@InputType({ description: 'An evidence file to attach to one audit item, one trial or one run of its project' })
export class AttachEvidenceInput {
  @Field(() => ID, { description: 'The evidence' }) evidenceId!: string;
  @Field(() => ID, { nullable: true, description: 'The audit item; its audit must be open' })
  auditItemId?: string | null;
  @Field(() => ID, { nullable: true, description: 'The trial; its audit must be open' }) trialId?: string | null;
  @Field(() => ID, { nullable: true, description: 'The run' }) runId?: string | null;
  @Field(() => String, { nullable: true, description: 'What the file shows, in at most 1,000 characters' })
  caption?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'An attachment to take off; the file itself stays, and the history knows of it' })
export class DetachEvidenceInput {
  @Field(() => ID, { description: 'The attachment' }) attachmentId!: string;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
