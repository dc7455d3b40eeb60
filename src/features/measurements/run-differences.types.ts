import { Field, ObjectType, registerEnumType } from '@nestjs/graphql';
import { EnvironmentDifference } from './measurements.types.js';

export const Comparability = {
  COMPARABLE: 'COMPARABLE',
  CONFOUNDED: 'CONFOUNDED',
  NOT_COMPARABLE: 'NOT_COMPARABLE',
} as const;
export type Comparability = keyof typeof Comparability;
registerEnumType(Comparability, {
  name: 'Comparability',
  description: 'What the verdict rule makes of the differences between two runs',
  valuesMap: {
    COMPARABLE: { description: 'Nothing differs that matters and was not declared' },
    CONFOUNDED: {
      description: 'Something else differs, or may: a verdict is given and labeled, with evidence at most INDICATIVE',
    },
    NOT_COMPARABLE: { description: 'They differ in something undeclared that makes them different things' },
  },
});

@ObjectType({ description: 'What two runs differ in, as a trial of them would see it' })
export class RunDifferences {
  @Field(() => Comparability, { description: 'What the verdict rule would make of it' }) comparability!: Comparability;
  @Field(() => [EnvironmentDifference], { description: 'The differences, the worst first' })
  differences!: EnvironmentDifference[];
  @Field(() => [String], { description: 'Keys of the metrics that both measured' }) commonMetrics!: string[];
}
