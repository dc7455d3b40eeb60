import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Locale, NoteOutcome, SearchKind, Verdict } from '../../generated/prisma/enums.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';

registerEnumType(SearchKind, {
  name: 'SearchKind',
  description: 'What a hit is',
  valuesMap: {
    ITEM: { description: 'An item of a checklist' },
    NOTE: { description: 'A tuning note' },
    AUDIT_ITEM: { description: 'What an audit says about an item: remark, reason, expectation' },
    COMMENT: { description: 'A comment on an audit item' },
  },
});

@InputType({
  description:
    'What to search in; conditions are joined by "and", values of one condition by "or". A condition that is absent or null asks nothing, an empty list lets nothing through, and an empty text is refused.',
})
export class SearchFilter {
  @Field(() => [SearchKind], { nullable: true, description: 'Only these kinds' }) kinds?: SearchKind[] | null;
  @Field(() => String, { nullable: true, description: 'Slug of a project' }) project?: string | null;
  @Field(() => String, { nullable: true, description: 'Slug of a team' }) team?: string | null;
  @Field(() => String, { nullable: true, description: 'Slug of a checklist' }) checklist?: string | null;
  @Field(() => String, { nullable: true, description: 'Key of a section' }) section?: string | null;
  @Field(() => [String], { nullable: true, description: 'Tags' }) tags?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'Slugs of hardware profiles' }) hardware?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'Frameworks and engines' }) frameworks?: string[] | null;
  @Field(() => [Locale], { nullable: true, description: 'Languages that the text exists in' }) languages?:
    Locale[] | null;
  @Field(() => [NoteOutcome], { nullable: true, description: 'Outcomes of notes' }) outcome?: NoteOutcome[] | null;
  @Field(() => [Verdict], { nullable: true, description: 'Verdicts of trials' }) verdict?: Verdict[] | null;
  @Field(() => Float, { nullable: true, description: 'Smallest measured gain, as a fraction: 0.05 is 5 %' })
  minGain?: number | null;
}

@ObjectType({ description: 'One thing that was found' })
export class SearchHit {
  @Field(() => SearchKind, { description: 'What it is' }) kind!: SearchKind;
  @Field(() => ID, { description: 'Id of the item, note, audit item or comment' }) id!: string;
  @Field(() => String, { nullable: true, description: 'Key of the item, for items and audit items' }) key!:
    string | null;
  @Field(() => LocalizedText, { description: 'Title' }) title!: LocalizedText;
  @Field({ description: 'Plain text around the matches, which lie between U+E000 and U+E001' }) snippet!: string;
}

@ObjectType({ description: 'How many hits have a value' })
export class SearchFacetValue {
  @Field({ description: 'The value' }) value!: string;
  @Field(() => Int, { description: 'How many hits have it' }) count!: number;
}

@ObjectType({ description: 'The values of one field over all hits' })
export class SearchFacet {
  @Field({ description: 'kind, checklist, section, tag, hardware, framework, outcome, verdict or language' })
  field!: string;
  @Field(() => [SearchFacetValue], { description: 'The values, most frequent first' }) values!: SearchFacetValue[];
}

@ObjectType({ description: 'A page of hits, best first' })
export class SearchConnection extends connectionOf(SearchHit, 'Search') {
  @Field(() => [SearchFacet], { description: 'What the hits are, over all pages' }) facets!: SearchFacet[];
  @Field({ description: 'The engine that answered' }) engine!: string;
  @Field({ description: 'True where another engine had to answer than the one that is set up' }) degraded!: boolean;
}
