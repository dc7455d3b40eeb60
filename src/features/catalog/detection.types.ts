import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import type { PrivateKind as PrivateKindName } from '../../domain/applicability/private-things.js';
import { LocalizedText } from '../../platform/graphql/localized-text.js';
import { connectionOf } from '../../platform/graphql/page.js';
import { Applicability, HardwareProfile } from './catalog.types.js';

const PrivateKind = {
  SERIAL_NUMBER: 'SERIAL_NUMBER',
  UUID: 'UUID',
  ADDRESS: 'ADDRESS',
  HOST_NAME: 'HOST_NAME',
  USER_NAME: 'USER_NAME',
} as const satisfies Readonly<Record<PrivateKindName, PrivateKindName>>;
registerEnumType(PrivateKind, {
  name: 'PrivateKind',
  description: 'What tells of a person or of one machine, and is never kept',
  valuesMap: {
    SERIAL_NUMBER: { description: 'Serial numbers of devices' },
    UUID: { description: 'UUIDs of devices' },
    ADDRESS: { description: 'IP and MAC addresses, GUIDs of ports' },
    HOST_NAME: { description: 'Names of machines' },
    USER_NAME: { description: 'Names of users' },
  },
});

@ObjectType({ description: 'What was left out of a text' })
export class RemovedThings {
  @Field(() => PrivateKind, { description: 'The kind' }) kind!: PrivateKindName;
  @Field(() => Int, { description: 'How many different ones the text holds' }) count!: number;
}

@ObjectType({ description: 'A value with the place that it was read from' })
export class FoundValue {
  @Field(() => GraphQLJSON, { description: 'A text, number, boolean, or a list of them where devices differ' })
  value!: unknown;
  @Field({ description: 'The command that printed it' }) tool!: string;
  @Field(() => Int, { description: 'Its line in the text, from 1' }) line!: number;
}

@ObjectType({ description: 'A fact that was found' })
export class FoundFact extends FoundValue {
  @Field({ description: 'Key of the fact' }) key!: string;
  @Field(() => LocalizedText, { description: 'Its name' }) name!: LocalizedText;
}

@ObjectType({ description: 'A fact that two places of the text contradict each other about: somebody has to choose' })
export class ContradictedFact {
  @Field({ description: 'Key of the fact' }) key!: string;
  @Field(() => LocalizedText, { description: 'Its name' }) name!: LocalizedText;
  @Field(() => [FoundValue], { description: 'The values' }) values!: FoundValue[];
}

@ObjectType({ description: 'A fact that rules ask for and that is not known' })
export class MissingFact {
  @Field({ description: 'Key of the fact; `hardware` for the hardware profile' }) key!: string;
  @Field(() => LocalizedText, { description: 'Its name' }) name!: LocalizedText;
  @Field(() => Int, { description: 'How many items hang on it' }) itemCount!: number;
  @Field(() => String, {
    nullable: true,
    description: 'The command whose output tells it; null for what only a person can tell',
  })
  command!: string | null;
}

@ObjectType({ description: 'Output of a tool that was recognized in the text' })
export class RecognizedOutput {
  @Field({ description: 'The command, as people call it' }) tool!: string;
  @Field(() => Int, { description: 'First line, from 1' }) firstLine!: number;
  @Field(() => Int, { description: 'Last line' }) lastLine!: number;
}

@ObjectType({ description: 'Something to know of the text' })
export class DetectionProblem {
  @Field(() => Int, { nullable: true, description: 'Line of the text, from 1; null for the text as a whole' })
  line!: number | null;
  @Field(() => LocalizedText, { description: 'What is wrong' }) message!: LocalizedText;
}

@ObjectType({ description: 'What the output of tools says of a machine. Nothing of it is stored.' })
export class DetectedEnvironment {
  @Field(() => LocalizedText, { description: 'The machine in a few words: H200 SXM, 8 GPUs, NVSwitch' })
  summary!: LocalizedText;
  @Field(() => HardwareProfile, {
    nullable: true,
    description:
      'The profile that it matches; for a product that is not listed the one of its architecture; null where neither is known',
  })
  hardware!: HardwareProfile | null;
  @Field(() => [HardwareProfile], { description: 'Other profiles of products that print the same name' })
  alsoPossible!: HardwareProfile[];
  @Field(() => GraphQLJSON, {
    description:
      'Facts for `createEnvironment` and `updateEnvironment`, beside the slug of `hardware`: what the profile says already and what is contradicted is not in it',
  })
  facts!: unknown;
  @Field(() => GraphQLJSON, {
    description:
      'The same for `factChanges` of `updateEnvironment`: with null for what was found and is as the profile says, so that an older value goes',
  })
  factChanges!: unknown;
  @Field(() => GraphQLJSON, {
    description:
      'Facts for `environment` of importRun: all that was found, with the product as its profile says it, so that a file of another machine is told',
  })
  runFacts!: unknown;
  @Field(() => [FoundFact], { description: 'Every fact that was found, with its place' }) found!: FoundFact[];
  @Field(() => [ContradictedFact], { description: 'Facts about which the text contradicts itself' })
  contradictions!: ContradictedFact[];
  @Field(() => [MissingFact], {
    description: 'What the rules of the shipped checklists still ask for, what decides most items first; at most 100',
  })
  missing!: MissingFact[];
  @Field(() => [RecognizedOutput], { description: 'The outputs that were recognized, in the order of the text' })
  outputs!: RecognizedOutput[];
  @Field(() => [DetectionProblem], { description: 'What to know of the text; at most 100' })
  problems!: DetectionProblem[];
  @Field(() => [RemovedThings], { description: 'What was left out because it tells of a person or of one machine' })
  removed!: RemovedThings[];
}

@ObjectType({ description: 'How many items get each answer' })
export class ApplicabilityCounts {
  @Field(() => Int, { description: 'Items that apply' }) yes!: number;
  @Field(() => Int, { description: 'Items that do not apply' }) no!: number;
  @Field(() => Int, { description: 'Items of which it is not known' }) unknown!: number;
}

@ObjectType({ description: 'An item with the answer of the rules' })
export class ItemApplicability {
  releaseItemId!: string;
  @Field(() => Applicability, { description: 'The answer, and why' }) applicability!: Applicability;
  @Field(() => [String], {
    description: 'Where the answer is UNKNOWN the keys that would settle it: facts, `capability.<key>`, or `hardware`',
  })
  missing!: string[];
}

@ObjectType({ description: 'A page of items with their answers' })
export class ItemApplicabilityConnection extends connectionOf(ItemApplicability, 'ItemApplicability') {}

@ObjectType({ description: 'What of a checklist applies to a machine, what does not, and why' })
export class ApplicabilityReport {
  releaseId!: string;
  answers!: readonly ItemApplicability[];
  @Field(() => ApplicabilityCounts, { description: 'How many items get each answer' }) counts!: ApplicabilityCounts;
  @Field(() => [MissingFact], { description: 'What is not known, what decides most items first; at most 100' })
  missing!: MissingFact[];
}
