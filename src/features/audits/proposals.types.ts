import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ProposalStatus } from '../../generated/prisma/enums.js';
import { connectionOf } from '../../platform/graphql/page.js';

registerEnumType(ProposalStatus, {
  name: 'ProposalStatus',
  description: 'What became of a proposal',
  valuesMap: {
    OPEN: { description: 'It waits for somebody who may decide' },
    ACCEPTED: { description: 'It is to be in the checklist: a release that has its key takes it over' },
    REJECTED: { description: 'It will not be; `decision` says why' },
    WITHDRAWN: { description: 'Whoever proposed it took it back' },
  },
});

export const ProposalDecision = { ACCEPTED: 'ACCEPTED', REJECTED: 'REJECTED' } as const;
registerEnumType(ProposalDecision, {
  name: 'ProposalDecision',
  description: 'How a proposal is decided',
  valuesMap: {
    ACCEPTED: { description: 'It is to be in the checklist' },
    REJECTED: { description: 'It will not be; needs a comment' },
  },
});

@ObjectType({
  description: 'An item of one audit that somebody wants to have in a checklist, as it was when it was proposed',
})
export class Proposal {
  projectId!: string;
  auditItemId!: string;
  checklistId!: string;
  content!: unknown;
  proposedById!: string;
  decidedById!: string | null;
  @Field(() => ID, { description: 'Id of the proposal' }) id!: string;
  @Field(() => Int, { description: 'Rises with every change' }) version!: number;
  @Field(() => ProposalStatus, { description: 'What became of it' }) status!: ProposalStatus;
  @Field({ description: 'The key that it is to have in the checklist: `section/topic`' }) key!: string;
  @Field({ description: 'Why it should be there, as Markdown' }) why!: string;
  @Field({ description: 'When it was proposed' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was decided or withdrawn' }) decidedAt!: Date | null;
  @Field(() => String, { nullable: true, description: 'What was said with the decision, as Markdown' })
  decision!: string | null;
}

@ObjectType({ description: 'A page of proposals' })
export class ProposalConnection extends connectionOf(Proposal, 'Proposal') {}

@InputType({ description: 'Proposes an item of one audit for a checklist' })
export class ProposeItemInput {
  @Field(() => ID, { description: 'The audit item; one of the audit alone' }) auditItemId!: string;
  @Field(() => String, { nullable: true, description: 'Slug of the checklist; that of the audit where absent' })
  checklist?: string | null;
  @Field({ description: 'The key to have there, `section/topic`: a section of the newest release, and a new topic' })
  key!: string;
  @Field({ description: 'Why it should be there, as Markdown' }) why!: string;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'Decides a proposal' })
export class DecideProposalInput {
  @Field(() => ID, { description: 'The proposal' }) id!: string;
  @Field(() => Int, { description: 'The version that was looked at' }) version!: number;
  @Field(() => ProposalDecision, { description: 'The decision' }) status!: keyof typeof ProposalDecision;
  @Field(() => String, { nullable: true, description: 'What is to be said of it, as Markdown; needed to reject' })
  comment?: string | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}

@InputType({ description: 'Takes a proposal back' })
export class WithdrawProposalInput {
  @Field(() => ID, { description: 'The proposal' }) id!: string;
  @Field(() => Int, { description: 'The version that the change is based on' }) version!: number;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
