import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ImportProblem } from '../measurements/imports.types.js';

export enum TimeBreakdownSource {
  TYPED = 'TYPED',
  IMPORTED = 'IMPORTED',
}
registerEnumType(TimeBreakdownSource, {
  name: 'TimeBreakdownSource',
  description: 'Where a time breakdown comes from',
  valuesMap: {
    TYPED: { description: 'A person typed it in' },
    IMPORTED: { description: 'It was read from the output of a tool' },
  },
});

export enum TimeCategory {
  COMPUTE = 'COMPUTE',
  COMMUNICATION = 'COMMUNICATION',
  INPUT = 'INPUT',
  HOST = 'HOST',
  OTHER = 'OTHER',
}
registerEnumType(TimeCategory, {
  name: 'TimeCategory',
  description: 'Where time goes',
  valuesMap: {
    COMPUTE: { description: 'Computation on the device, its memory traffic included' },
    COMMUNICATION: { description: 'Communication between devices that computation does not hide' },
    INPUT: { description: 'Waiting for data, and copies of it into the device' },
    HOST: { description: 'Work of the processor while the device waits: launches, Python, scheduling' },
    OTHER: { description: 'Idle, unexplained, or of a kind that no share is kept of' },
  },
});

@ObjectType({ description: 'Where the time of one step or request goes: shares from 0 to 1, together at most 1' })
export class TimeBreakdown {
  byId!: string | null;
  @Field(() => Float, { nullable: true, description: 'Share of computation; null where it is unknown' })
  compute!: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of communication; null where it is unknown' })
  communication!: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of waiting for input; null where it is unknown' })
  input!: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of the host; null where it is unknown' })
  host!: number | null;
  @Field(() => Float, { description: 'The rest: idle, unexplained, and what the unknown shares take' })
  other!: number;
  @Field({
    description:
      'Whether the shares are of the whole step; false where only the time of the device is known, and not when it waits',
  })
  isOfStep!: boolean;
  @Field(() => TimeBreakdownSource, { description: 'Whether it was typed in or read' })
  source!: `${TimeBreakdownSource}`;
  @Field(() => String, {
    nullable: true,
    description: 'What a person says of it, or the file and the format that it was read from',
  })
  note!: string | null;
  @Field({ description: 'When it was given' }) at!: Date;
}

@ObjectType({ description: 'One thing that takes time, as the file names it' })
export class TimeBreakdownLine {
  @Field({
    description:
      'Name of the kernel, the copy, or the category of the tool; in the language of the viewer where the file has no name for it',
  })
  name!: string;
  @Field(() => TimeCategory, { description: 'What it counts as' }) category!: `${TimeCategory}`;
  @Field(() => Float, { nullable: true, description: 'Its time; null where the file gives shares alone' })
  seconds!: number | null;
  @Field(() => Float, {
    description: 'Its share of the step, or of the time of the device where that of the step is unknown',
  })
  share!: number;
}

@ObjectType({
  description: 'What a file says of where the time goes. A problem that blocks means that nothing was written.',
})
export class TimeBreakdownReport {
  auditId!: string;
  @Field(() => String, { nullable: true, description: 'The format; null where none was recognized' }) format!:
    string | null;
  @Field(() => TimeBreakdown, { nullable: true, description: 'The breakdown that was written, or would be' })
  breakdown!: TimeBreakdown | null;
  @Field(() => [TimeBreakdownLine], { description: 'The largest things that take time, at most 20' })
  lines!: TimeBreakdownLine[];
  @Field(() => [ImportProblem], { description: 'What is wrong or worth knowing' }) problems!: ImportProblem[];
  @Field({ description: 'Whether nothing was to be written' }) isDryRun!: boolean;
}

@InputType({
  description:
    'The time breakdown of an audit as a whole: a share that is absent or null is unknown, and none at all clears it',
})
export class SetTimeBreakdownInput {
  @Field(() => ID, { description: 'The audit' }) auditId!: string;
  @Field(() => Int, { description: 'The version of the audit that the change is based on' }) version!: number;
  @Field(() => Float, { nullable: true, description: 'Share of computation, 0 to 1' }) compute?: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of communication that is not hidden, 0 to 1' })
  communication?: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of waiting for input, 0 to 1' }) input?: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of the host, 0 to 1' }) host?: number | null;
  @Field(() => String, { nullable: true, description: 'Where the numbers come from, as Markdown' })
  note?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'The output of a tool that says where the time goes; it takes the place of the breakdown' })
export class ImportTimeBreakdownInput {
  @Field(() => ID, { description: 'The audit' }) auditId!: string;
  @Field(() => Int, { description: 'The version of the audit that the change is based on' }) version!: number;
  @Field({
    description:
      'The text: JSON or CSV with the four shares, a table of torch.profiler, summaries of nsys stats, the step time breakdown of the PyTorch Profiler, or data frames of Holistic Trace Analysis. At most 4 MiB, and 10,000 characters in a line that is not JSON. Numbers may have decimal points or commas: 1,234.5 and 1.234,5 are both 1234.5, and CSV with decimal commas has its cells parted by semicolons. One comma before exactly three digits is read as the other numbers of the file tell, and refused where none does; a point there begins the decimals unless the file has decimal commas or semicolons between its cells.',
  })
  content!: string;
  @Field({ description: 'Name of the file; formats are recognized by content alone' }) fileName!: string;
  @Field(() => Float, {
    nullable: true,
    description: 'How long one step or request takes, in seconds, for output that has the time of the device alone',
  })
  stepSeconds?: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'How many steps the output covers; what it says, else 1, where absent',
  })
  steps?: number | null;
  @Field(() => Int, { nullable: true, description: 'How many devices the output adds up; 1 where absent' })
  devices?: number | null;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Say what would be written, and write nothing',
  })
  dryRun?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
