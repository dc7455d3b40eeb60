import { Field, ID, InputType, Int } from '@nestjs/graphql';
import { Locale } from '../../generated/prisma/enums.js';

@InputType({ description: 'A document that an item rests on' })
export class CustomSourceInput {
  @Field({ description: 'Title of the document' }) title!: string;
  @Field({ description: 'Where it is: http or https' }) url!: string;
  @Field(() => Date, { nullable: true, description: 'The day on which it was looked at; today where absent' })
  checkedAt?: Date | null;
}

/** What is said of an item of an audit alone, beside its title. */
@InputType({ isAbstract: true })
abstract class CustomItemFields {
  @Field(() => String, { nullable: true, description: 'What it is and when it pays' }) summary?: string | null;
  @Field(() => String, { nullable: true, description: 'Why it matters, as Markdown' }) why?: string | null;
  @Field(() => String, { nullable: true, description: 'How to check, as Markdown' }) check?: string | null;
  @Field(() => String, { nullable: true, description: 'How to apply, as Markdown' }) apply?: string | null;
  @Field(() => String, { nullable: true, description: 'How to measure, as Markdown' }) measure?: string | null;
  @Field(() => String, { nullable: true, description: 'When not to do it, as Markdown' }) avoid?: string | null;
  @Field(() => String, { nullable: true, description: 'How to undo it, as Markdown' }) rollback?: string | null;
  @Field(() => [String], { nullable: true, description: 'Tags: lower-case words joined by hyphens, at most 50' })
  tags?: string[] | null;
  @Field(() => [String], {
    nullable: true,
    description: 'Exact identifiers of the settings that it touches, at most 50',
  })
  settings?: string[] | null;
  @Field(() => [String], {
    nullable: true,
    description: 'Keys of metrics of the catalog, at most 50; the first is the primary one',
  })
  metrics?: string[] | null;
  @Field(() => String, { nullable: true, description: 'XS, S, M, L or XL' }) effort?: string | null;
  @Field(() => [String], { nullable: true, description: 'Workload phases: training, prefill, decode, data, all' })
  phases?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Layer of the system: precision, io, network, …' })
  layer?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What it relieves: compute, memory-bandwidth, communication, input, …',
  })
  bottleneck?: string | null;
  @Field(() => [String], { nullable: true, description: 'Frameworks and engines that it is about, at most 50' })
  frameworks?: string[] | null;
  @Field(() => [CustomSourceInput], { nullable: true, description: 'What it rests on, at most 50' })
  sources?: CustomSourceInput[] | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'A new item of one audit alone' })
export class AddCustomItemInput extends CustomItemFields {
  @Field(() => ID, { description: 'The audit' }) auditId!: string;
  @Field({ description: 'Key of the section of the release that it stands in' }) section!: string;
  @Field({ description: 'Lower-case words joined by hyphens; its key is `custom/<topic>`, one in an audit' })
  topic!: string;
  @Field({ description: 'Title, at most 200 characters' }) title!: string;
  @Field(() => Locale, { description: 'The language of its texts; the other one can be added by updateCustomItem' })
  locale!: Locale;
  @Field(() => ID, { nullable: true, description: 'Whose it is: somebody who may write audits in the project' })
  assigneeId?: string | null;
}

@InputType({ description: 'A change of an item of one audit alone: absent is left alone, null clears' })
export class UpdateCustomItemInput extends CustomItemFields {
  @Field(() => ID, { description: 'The audit item' }) id!: string;
  @Field(() => Int, { description: 'The version that the change is based on' }) version!: number;
  @Field(() => String, { nullable: true, description: 'Key of another section; it cannot be cleared' })
  section?: string | null;
  @Field(() => String, { nullable: true, description: 'Title; it is cleared only where the other language has one' })
  title?: string | null;
  @Field(() => Locale, {
    nullable: true,
    description: 'The language of the texts that are given; needed with them. The other language is left alone.',
  })
  locale?: Locale | null;
}

@InputType({ description: 'Takes an item of one audit alone out of it, or puts it back' })
export class ArchiveCustomItemInput {
  @Field(() => ID, { description: 'The audit item' }) id!: string;
  @Field(() => Int, { description: 'The version that the change is based on' }) version!: number;
  @Field(() => Boolean, { description: 'True to take it out, false to put it back' }) isArchived!: boolean;
  @Field({ description: 'Why' }) reason!: string;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
