import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';
import { Progress } from '../audits/audits.types.js';

export const PortfolioAudits = { CURRENT: 'CURRENT', OPEN: 'OPEN', ALL: 'ALL' } as const;
export type PortfolioAudits = keyof typeof PortfolioAudits;
registerEnumType(PortfolioAudits, {
  name: 'PortfolioAudits',
  description: 'Which audits a portfolio counts',
  valuesMap: {
    CURRENT: {
      description: 'The open ones, and the newest of each project, checklist and environment where that is closed',
    },
    OPEN: { description: 'All that are open' },
    ALL: { description: 'All that there are: a practice counts once for each audit of it' },
  },
});

@InputType({
  description:
    'What a portfolio looks at; conditions are joined by "and". A condition that is absent or null asks nothing, an empty list lets nothing through, and an empty text is refused.',
})
export class PortfolioFilter {
  @Field(() => [String], { nullable: true, description: 'Slugs of teams: projects of any of them' })
  teams?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'Slugs of projects' }) projects?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Slug of a checklist' }) checklist?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Slug of a hardware profile: audits that are scoped by it, as `byHardware` counts them',
  })
  hardware?: string | null;
  @Field(() => PortfolioAudits, { nullable: true, description: 'Which audits count; CURRENT where absent' })
  audits?: PortfolioAudits | null;
}

@ObjectType({
  description: 'How items stand over many audits. All but `total` and `open` count applicable items only.',
})
export class PortfolioCounts extends Progress {
  @Field(() => Int, { description: 'Items whose outcome is APPLIED' }) applied!: number;
  @Field(() => Int, { description: 'Applied items whose proof is INDICATED' }) indicated!: number;
  @Field(() => Int, { description: 'Applied items whose proof is UNVERIFIED' }) unverified!: number;
  @Field(() => Int, { description: 'Applied items whose proof is REGRESSED' }) regressed!: number;
  @Field(() => Int, { description: 'Items whose outcome is REJECTED' }) rejected!: number;
  @Field(() => Int, { description: 'Items whose outcome is DEFERRED' }) deferred!: number;
  @Field(() => Int, { description: 'Items with a re-check mark' }) stale!: number;
  @Field(() => Int, {
    description:
      'Items for which something is left to do, as `PlanEntry.isOpen` says: with a re-check mark, or not DONE and NOT_ASSESSED or DEFERRED (to no date, or to one that is past); never those that do not apply here',
  })
  open!: number;
  @Field(() => Int, { description: 'Items whose work is IN_REVIEW' }) inReview!: number;
  @Field(() => Int, { description: 'Items whose due date has passed and whose work is not DONE' }) overdue!: number;
}

@ObjectType({ description: 'What verified items brought on one metric, one gain for each item' })
export class GainSummary {
  metricId!: string;
  @Field(() => Int, { description: 'How many items' }) count!: number;
  @Field(() => Float, { description: 'The median of their gains, as a fraction: 0.07 is 7 % better' })
  medianGain!: number;
  @Field(() => Float, { description: 'The smallest gain' }) minGain!: number;
  @Field(() => Float, { description: 'The largest gain' }) maxGain!: number;
}

@ObjectType({ description: 'A team in a portfolio' })
export class PortfolioTeam {
  @Field(() => String, { nullable: true, description: 'Slug of the team; null for projects of no team' })
  slug!: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the team; null for projects of no team' })
  name!: string | null;
  @Field(() => Int, { description: 'How many of its projects have an audit that counts' }) projectCount!: number;
  @Field(() => Int, { description: 'How many audits count' }) auditCount!: number;
  @Field(() => PortfolioCounts, { description: 'How their items stand' }) counts!: PortfolioCounts;
}

@ObjectType({ description: 'A project in a portfolio' })
export class PortfolioProject {
  @Field(() => ID, { description: 'Id of the project' }) projectId!: string;
  @Field(() => Int, { description: 'How many of its audits count' }) auditCount!: number;
  @Field(() => PortfolioCounts, { description: 'How their items stand' }) counts!: PortfolioCounts;
  @Field(() => [GainSummary], { description: 'What its verified items brought, metric by metric' })
  verifiedGains!: GainSummary[];
}

@ObjectType({ description: 'A page of the projects of a portfolio' })
export class PortfolioProjectConnection extends connectionOf(PortfolioProject, 'PortfolioProject') {}

@ObjectType({ description: 'A section of a checklist in a portfolio' })
export class PortfolioSection {
  @Field({ description: 'Slug of the checklist' }) checklist!: string;
  @Field({ description: 'Key of the section' }) key!: string;
  @Field(() => LocalizedText, { description: 'Title, as the newest release has it that an audit is on' })
  title!: LocalizedText;
  @Field(() => PortfolioCounts, { description: 'How its items stand' }) counts!: PortfolioCounts;
}

@ObjectType({ description: 'Hardware in a portfolio: what audits are scoped by' })
export class PortfolioHardware {
  @Field(() => String, { nullable: true, description: 'Slug of the hardware profile; null where it is not known' })
  slug!: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the hardware; null where it is not known' })
  name!: string | null;
  @Field(() => Int, { description: 'How many audits count' }) auditCount!: number;
  @Field(() => PortfolioCounts, { description: 'How their items stand' }) counts!: PortfolioCounts;
}

@ObjectType({
  description:
    'Audits of many projects at one look: coverage, verified gains, open work and stale results. Only what the viewer may see is in it. Archived items do not count.',
})
export class Portfolio {
  /** Newest first. */
  auditIds!: readonly string[];
  projectRows!: readonly PortfolioProject[];
  @Field(() => Int, { description: 'How many audits count' }) auditCount!: number;
  @Field(() => Int, { description: 'How many projects have one' }) projectCount!: number;
  @Field(() => PortfolioCounts, { description: 'How all their items stand' }) total!: PortfolioCounts;
  @Field(() => [PortfolioTeam], { description: 'By team, in the order of their names; projects of no team last' })
  byTeam!: PortfolioTeam[];
  @Field(() => [PortfolioSection], { description: 'By section, in the order of the checklists' })
  bySection!: PortfolioSection[];
  @Field(() => [PortfolioHardware], { description: 'By hardware, in the order of the names; what is not known last' })
  byHardware!: PortfolioHardware[];
  @Field(() => [GainSummary], {
    description:
      'What verified items brought, metric by metric: the gain of the newest trial with a verdict, and the median of its points where it has several. Items without a gain, such as for a TARGET metric, are not in it.',
  })
  verifiedGains!: GainSummary[];
}
