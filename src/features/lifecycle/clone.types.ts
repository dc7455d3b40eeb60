import { Field, ID, InputType, registerEnumType } from '@nestjs/graphql';
import type { CarriedPart as CarriedPartName } from '../../domain/audit/clone.js';

/** The parts as an object, as GraphQL wants enums. */
export const CarriedPart = {
  STATES: 'STATES',
  REMARKS: 'REMARKS',
  ASSIGNMENTS: 'ASSIGNMENTS',
  CUSTOM_ITEMS: 'CUSTOM_ITEMS',
  COMMENTS: 'COMMENTS',
  BREAKDOWN: 'BREAKDOWN',
} as const satisfies Readonly<Record<CarriedPartName, CarriedPartName>>;
registerEnumType(CarriedPart, {
  name: 'CarriedPart',
  description: 'What of an audit goes into its clone. Proof, submissions and acceptances never do.',
  valuesMap: {
    STATES: {
      description:
        'Work, outcome, reason, date of expiry, re-check mark and overruling of each item. What is in review becomes IN_PROGRESS; so does what is DONE where the audit requires reviews.',
    },
    REMARKS: { description: 'Remark, expectation, planned change and adopted note of each item' },
    ASSIGNMENTS: {
      description: 'Due date and priority of each item, and its assignee who may still write audits in the project',
    },
    CUSTOM_ITEMS: { description: 'The items of the audit alone' },
    COMMENTS: {
      description: 'The threads of each item with their authors, times and decisions; nobody is mentioned again',
    },
    BREAKDOWN: { description: 'The time breakdown of the audit' },
  },
});

@InputType({ description: 'A new audit that begins where another one stands' })
export class CloneAuditInput {
  @Field(() => ID, { description: 'The audit to begin from, open or closed' }) auditId!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'Title, at most 200 characters; where absent that of the audit it begins from, marked as a copy in the language of the viewer: “… (copy)”, “… (copy 2)”',
  })
  title?: string | null;
  @Field(() => ID, {
    nullable: true,
    description:
      'An environment of the project that the clone is scoped anew by, as `setAuditEnvironment` does; null for none. Where absent it is scoped as the audit it begins from.',
  })
  environmentId?: string | null;
  @Field(() => [CarriedPart], { description: 'What goes into it' }) carry!: CarriedPartName[];
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
