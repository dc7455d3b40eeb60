import { Field, ObjectType } from '@nestjs/graphql';
import { Progress } from './audits.types.js';

@ObjectType({ description: 'How far an audit is in one section of its checklist' })
export class SectionProgress {
  releaseId!: string;
  @Field({ description: 'Key of the section' }) key!: string;
  @Field(() => Progress, {
    description:
      'How far it is; the custom items of the section count, archived items do not. The sections add up to `Audit.progress`.',
  })
  progress!: Progress;
}
