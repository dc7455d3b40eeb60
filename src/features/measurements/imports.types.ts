import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';
import type { MeasuredObservation } from './import-measuring.js';
import type { ImportProblem as ReadProblem } from '../../domain/importers/importer.js';
import { isProblemCode, problemCodes, type ProblemCode } from '../../domain/importers/problem-codes.js';
import { textIn, type Locale } from '../../domain/locale.js';
import { RunSource, RunStatus } from '../../generated/prisma/enums.js';
import { ColumnMappingInput } from './column-mappings.types.js';
import { Run } from './measurements.types.js';

export const ImportPart = { ALL: 'ALL', GOOD: 'GOOD' } as const;
export type ImportPart = keyof typeof ImportPart;
registerEnumType(ImportPart, {
  name: 'ImportPart',
  description: 'How much of a file is written',
  valuesMap: {
    ALL: { description: 'All of it, and nothing where anything of it is wrong' },
    GOOD: { description: 'What is not wrong; the runs tell that something was left out' },
  },
});

export const ImportSeverity = { ERROR: 'ERROR', WARNING: 'WARNING' } as const;
export type ImportSeverity = keyof typeof ImportSeverity;
registerEnumType(ImportSeverity, {
  name: 'ImportSeverity',
  description: 'What a problem of an imported file does',
  valuesMap: {
    ERROR: { description: 'What it is about may not be written' },
    WARNING: { description: 'Worth knowing; it keeps nothing from being written' },
  },
});

export const ImportProblemScope = { FILE: 'FILE', RUN: 'RUN', VALUE: 'VALUE' } as const;
export type ImportProblemScope = keyof typeof ImportProblemScope;
registerEnumType(ImportProblemScope, {
  name: 'ImportProblemScope',
  description: 'How much of a file a problem is about',
  valuesMap: {
    FILE: { description: 'All of it' },
    RUN: { description: 'One result of the file' },
    VALUE: { description: 'Single values' },
  },
});

export const FactSource = { FILE: 'FILE', CALLER: 'CALLER', ENVIRONMENT: 'ENVIRONMENT' } as const;
export type FactSource = keyof typeof FactSource;
registerEnumType(FactSource, {
  name: 'FactSource',
  description: 'Who said a fact of a run',
  valuesMap: {
    FILE: { description: 'The output of the tool' },
    CALLER: { description: 'Whoever imported or typed it in' },
    ENVIRONMENT: { description: 'The environment of the project, as it was then' },
  },
});

const codes = Object.keys(problemCodes).filter(isProblemCode);
const ImportProblemCode = Object.fromEntries(codes.map((code) => [code, code]));
registerEnumType(ImportProblemCode, {
  name: 'ImportProblemCode',
  description:
    'The kind of a problem of an imported file; `importProblemCodes` says the same in the language of the viewer',
  valuesMap: Object.fromEntries(codes.map((code) => [code, { description: problemCodes[code].en }])),
});

@ObjectType({ description: 'A kind of problem that reading a file may find' })
export class ImportProblemKind {
  @Field(() => ImportProblemCode, { description: 'Its name' }) code!: ProblemCode;
  @Field({ description: "What it says, in the viewer's language" }) description!: string;
}

/** All kinds of problems, in one language. */
export function problemKinds(locale: Locale): ImportProblemKind[] {
  return codes.map((code) => ({ code, description: textIn(problemCodes[code], locale) }));
}

@ObjectType({ description: 'Something that is wrong with an imported file, or worth knowing about it' })
export class ImportProblem {
  @Field(() => Int, { nullable: true, description: 'The line, from 1; null where it is the whole file' }) line!:
    number | null;
  @Field(() => ImportProblemCode, { description: 'The kind of problem' }) code!: ProblemCode;
  @Field({ description: "What is wrong, in the viewer's language" }) message!: string;
  @Field(() => String, { nullable: true, description: 'What stands there, as far as one value is meant' })
  value!: string | null;
  @Field(() => ImportSeverity, { description: 'What it does' }) severity!: ImportSeverity;
  @Field(() => ImportProblemScope, { description: 'How much of the file it is about' }) scope!: ImportProblemScope;
  @Field({ description: 'True where what it is about may not be written' }) isBlocking!: boolean;
}

/** A problem as the API shows it, in one language. */
export function toImportProblem(
  { line, code, message, value, severity, scope }: ReadProblem,
  locale: Locale,
): ImportProblem {
  const isBlocking = severity === 'ERROR';
  return { line, code, message: textIn(message, locale), value: value ?? null, severity, scope, isBlocking };
}

@ObjectType({ description: 'A format that is read; it is recognized by its content' })
export class ImportFormat {
  @Field({ description: 'Name of the importer, as `format` of importRun takes it' }) format!: string;
  @Field({ description: 'The tool, command or file that it reads' }) reads!: string;
}

@ObjectType({ description: 'A format that a file may be of, and what its importer finds there' })
export class ImportCandidate {
  @Field({ description: 'The importer: repeat with it as `format`' }) format!: string;
  @Field(() => Int, { description: 'How many runs it finds' }) runCount!: number;
  @Field(() => Int, { description: 'How many observations it finds' }) observationCount!: number;
  @Field(() => [String], { description: 'Keys of the metrics that it finds, in the order of the file; at most 20' })
  metrics!: string[];
}

@ObjectType({ description: 'Who said a fact' })
export class SourceOfFact {
  @Field({ description: 'Key of environment or workload' }) key!: string;
  @Field(() => FactSource, { description: 'Who said it' }) source!: FactSource;
}

@ObjectType({ description: 'A run as it would be written' })
export class RunPreview {
  @Field(() => Int, { description: 'Its place in the file, from 0' }) index!: number;
  @Field({ description: 'False where it is there already, or has no value that can be written' }) isWritten!: boolean;
  @Field(() => ID, { nullable: true, description: 'The run that the same content made before' }) knownRunId!:
    string | null;
  @Field(() => RunStatus, { description: 'How it would be marked' }) status!: RunStatus;
  @Field({ description: 'The tool that measured' }) tool!: string;
  @Field(() => String, { nullable: true, description: 'The version of the tool' }) toolVersion!: string | null;
  @Field(() => String, { nullable: true, description: 'How the file names what was varied' }) variant!: string | null;
  @Field(() => String, { nullable: true, description: 'The session that it is of' }) session!: string | null;
  @Field(() => String, { nullable: true, description: 'The block that it is of' }) block!: string | null;
  @Field(() => Date, { nullable: true, description: 'When it was measured, as far as known' }) startedAt!: Date | null;
  @Field(() => GraphQLJSON, { description: 'What it ran on, by key' }) environment!: unknown;
  @Field(() => GraphQLJSON, { description: 'What it ran, by key' }) workload!: unknown;
  @Field(() => [SourceOfFact], { description: 'Who said the facts that are not of the file' })
  factSources!: SourceOfFact[];
  @Field(() => Int, { description: 'How many observations it has' }) observationCount!: number;
  @Field(() => Int, { description: 'Values of the file that could not be read and are not in it' }) leftOut!: number;
}

@ObjectType({ description: 'A column of a table, for a person who says what it means' })
export class ImportColumn {
  @Field({ description: 'Its name' }) name!: string;
  @Field(() => [String], { description: 'The first values that differ, at most five' }) examples!: string[];
}

@ObjectType({ description: 'A table that no importer knows' })
export class ImportTable {
  @Field({ description: '`csv` or `json`' }) kind!: string;
  @Field(() => [ImportColumn], { description: 'Its columns; of JSON the paths of its values' })
  columns!: ImportColumn[];
  @Field({ description: 'The same for files with the same columns in any order: mappings are remembered under it' })
  signature!: string;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'What the columns may mean, in the shape of ColumnMappingInput: to be looked at, and sent as `mapping`; null where ' +
      'a mapping was used',
  })
  suggestedMapping!: unknown;
}

@ObjectType({ description: 'The column mapping that a file was read by' })
export class UsedMapping {
  @Field(() => String, { nullable: true, description: 'Its name; null for one that is not remembered' }) name!:
    string | null;
  @Field({ description: 'True where the project remembered it from a file with the same columns' })
  isRemembered!: boolean;
}

@ObjectType({
  description:
    'What was read from a file, and what was written. A file holds one run or several; a dry run writes none. ' +
    '`format` is null where none was recognized, and `problems` says what was tried; where several match, nothing is ' +
    'written and `candidates` names them.',
})
export class ImportReport {
  read!: readonly MeasuredObservation[];
  said!: readonly ReadProblem[];
  @Field(() => String, { nullable: true, description: 'The importer that read it' }) format!: string | null;
  @Field(() => [String], { description: 'The importers that take it for output of their tool' }) candidates!: string[];
  @Field(() => [ImportCandidate], { description: 'For each candidate what it finds in the file' })
  found!: ImportCandidate[];
  @Field(() => [Run], {
    description:
      'The runs, new ones and those that were there before; at most 100. Empty in a dry run, and where nothing was written',
  })
  runs!: Run[];
  @Field(() => [RunPreview], { description: 'What would be written, or was; at most 100' }) wouldWrite!: RunPreview[];
  @Field(() => Int, { description: 'How many runs would be written, or were' }) wouldWriteCount!: number;
  @Field({ description: 'True where all of it was imported before: the same content again changes nothing' })
  isKnown!: boolean;
  @Field(() => Int, { description: 'Results of the file that are not written, since they are wrong' })
  leftOutRuns!: number;
  @Field(() => Int, { description: 'Values of the file that are not written, since they are wrong' })
  leftOutValues!: number;
  @Field(() => Int, { description: 'How many observations there are' }) observationCount!: number;
  @Field(() => Int, { description: 'How many problems there are' }) problemCount!: number;
  @Field(() => Int, { description: 'How many of them are errors' }) errorCount!: number;
  @Field(() => Int, { description: 'How many of them are warnings' }) warningCount!: number;
  @Field(() => ImportTable, { nullable: true, description: 'The table, where no importer knows the file' })
  table!: ImportTable | null;
  @Field(() => UsedMapping, { nullable: true, description: 'The column mapping that it was read by' })
  mapping!: UsedMapping | null;
}

@ObjectType({ description: 'One writing of runs from a file, with what was said of the file then' })
export class RunImport {
  said!: readonly ReadProblem[];
  @Field(() => ID, { description: 'Id of the import' }) id!: string;
  @Field({ description: 'Name of the file' }) fileName!: string;
  @Field({ description: 'The importer that read it' }) format!: string;
  @Field({ description: 'True where something of the file was left out' }) isPartial!: boolean;
  @Field(() => Int, { description: 'Results of the file that were not written' }) leftOutRuns!: number;
  @Field(() => Int, { description: 'Values of the file that were not written' }) leftOutValues!: number;
  @Field(() => Int, { description: 'How many problems there were' }) problemCount!: number;
  @Field({ description: 'When it was imported' }) createdAt!: Date;
}

@InputType({
  description: 'The output of a benchmark tool: exactly one of `content`, `contentBase64` and `evidenceId`',
})
export class ImportRunInput {
  @Field(() => ID, { description: 'The project' }) projectId!: string;
  @Field({ description: 'Name of the file; formats are recognized by content alone' }) fileName!: string;
  @Field(() => String, { nullable: true, description: 'The text of the file' }) content?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The bytes of the file in Base64: gzip, UTF-16 and GB18030 are read too',
  })
  contentBase64?: string | null;
  @Field(() => ID, { nullable: true, description: 'An evidence file that was uploaded before' }) evidenceId?:
    string | null;
  @Field(() => String, { nullable: true, description: 'The importer to use, where several match' }) format?:
    string | null;
  @Field(() => ImportPart, {
    nullable: true,
    defaultValue: 'ALL',
    description: 'How much of the file to write, where something of it is wrong',
  })
  part?: ImportPart | null;
  @Field(() => ColumnMappingInput, { nullable: true, description: 'What the columns of a table mean' })
  mapping?: ColumnMappingInput | null;
  @Field(() => String, {
    nullable: true,
    description:
      'With `mapping`: remember it under this name for files with the same columns. Without: the remembered one to use',
  })
  mappingName?: string | null;
  @Field(() => ID, {
    nullable: true,
    description:
      'An environment of the project: its facts fill what neither the file nor `environment` says. One of another ' +
      'machine is an error',
  })
  environmentId?: string | null;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'Facts that the file lacks. They stand over those of the file, and a problem tells where they differ; for keys ' +
      'of tier BLOCK it is an error. Of a machine with more GPUs than the run used their number is left out',
  })
  environment?: unknown;
  @Field(() => GraphQLJSON, { nullable: true, description: 'Workload keys, as `environment`' }) workload?: unknown;
  @Field(() => [String], {
    nullable: true,
    description:
      'Keys of tier BLOCK for which your word is to stand over that of the file, and keys in which an environment may differ',
  })
  override?: string[] | null;
  @Field(() => String, { nullable: true, description: 'The session that it was measured in' }) session?: string | null;
  @Field(() => String, { nullable: true, description: 'The block that it is of' }) block?: string | null;
  @Field(() => String, { nullable: true, description: 'The commit that was measured, at most 200 characters' })
  commit?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The digest of the container image that was measured: `sha256:` and 64 hexadecimal digits',
  })
  imageDigest?: string | null;
  @Field(() => RunSource, {
    nullable: true,
    description: 'Where the runs come from: IMPORT, or CI for a job of a pipeline; a service token always means CI',
  })
  source?: RunSource | null;
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Say what would be written, and write nothing',
  })
  dryRun?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}
