import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { GraphQLJSON } from 'graphql-scalars';

export const TableLayout = { WIDE: 'WIDE', LONG: 'LONG' } as const;
export type TableLayout = keyof typeof TableLayout;
registerEnumType(TableLayout, {
  name: 'TableLayout',
  description: 'How a table says what it measured',
  valuesMap: {
    WIDE: { description: 'A column for each metric' },
    LONG: { description: 'A column with the name of the metric, and one with its value' },
  },
});

export const TableRows = { EACH_ROW: 'EACH_ROW', GROUPED: 'GROUPED' } as const;
export type TableRows = keyof typeof TableRows;
registerEnumType(TableRows, {
  name: 'TableRows',
  description: 'What the rows of a table are',
  valuesMap: {
    EACH_ROW: { description: 'Each row is a run' },
    GROUPED: {
      description:
        'Rows with the same workload, environment, variant, session and block are one run, and those with the same ' +
        'dimensions are repetitions',
    },
  },
});

export const TableKind = { CSV: 'CSV', JSON: 'JSON' } as const;
export type TableKind = keyof typeof TableKind;
registerEnumType(TableKind, {
  name: 'TableKind',
  description: 'What a table stands in',
  valuesMap: { CSV: { description: 'CSV, TSV or Markdown' }, JSON: { description: 'JSON or JSON Lines' } },
});

export const ColumnRoleName = {
  METRIC: 'METRIC',
  METRIC_NAME: 'METRIC_NAME',
  VALUE: 'VALUE',
  UNIT: 'UNIT',
  DIMENSION: 'DIMENSION',
  WORKLOAD: 'WORKLOAD',
  ENVIRONMENT: 'ENVIRONMENT',
  VARIANT: 'VARIANT',
  SESSION: 'SESSION',
  BLOCK: 'BLOCK',
  STARTED_AT: 'STARTED_AT',
  IGNORED: 'IGNORED',
} as const;
export type ColumnRoleName = keyof typeof ColumnRoleName;
registerEnumType(ColumnRoleName, {
  name: 'ColumnRole',
  description: 'What a column holds',
  valuesMap: {
    METRIC: { description: 'Values of `metric`' },
    METRIC_NAME: { description: 'LONG: the name of the metric of the row' },
    VALUE: { description: 'LONG: the value of the row' },
    UNIT: { description: 'LONG: the unit of the row' },
    DIMENSION: { description: 'What the values are of, under `name`: message size, rank, kernel, …' },
    WORKLOAD: { description: 'A fact of the workload, under `key`, with or without `workload.`' },
    ENVIRONMENT: { description: 'A fact of the environment, under `key`, with or without `environment.`' },
    VARIANT: { description: 'What was varied' },
    SESSION: { description: 'The session' },
    BLOCK: { description: 'The block' },
    STARTED_AT: { description: 'When it was measured' },
    IGNORED: { description: 'Nothing that is kept' },
  },
});

@InputType({ description: 'What a column means' })
export class ColumnRoleInput {
  @Field({ description: 'Name of the column, or of JSON the path of the values; case and blanks do not matter' })
  column!: string;
  @Field(() => ColumnRoleName, { description: 'What it holds' }) role!: ColumnRoleName;
  @Field(() => String, { nullable: true, description: 'METRIC: key of the metric' }) metric?: string | null;
  @Field(() => String, { nullable: true, description: 'METRIC: unit of the numbers' }) unit?: string | null;
  @Field(() => String, { nullable: true, description: 'METRIC: the column that says the unit of each row' })
  unitColumn?: string | null;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'METRIC: what tells these values from others of the metric, by name',
  })
  dimensions?: unknown;
  @Field(() => String, { nullable: true, description: 'DIMENSION: its name' }) name?: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'WORKLOAD and ENVIRONMENT: the key. `concurrency` is `workload.concurrency`, as in the `workload` of importRun, ' +
      'and `environment.driver` is `driver`; an unknown key of a workload keeps runs that differ in it from being compared',
  })
  key?: string | null;
}

@InputType({ description: 'LONG: the metric that a name stands for' })
export class NamedMetricInput {
  @Field({ description: 'As the table says it' }) name!: string;
  @Field({ description: 'Key of the metric' }) metric!: string;
  @Field(() => String, { nullable: true, description: 'Unit of the numbers, where no column says it' }) unit?:
    string | null;
  @Field(() => GraphQLJSON, { nullable: true, description: 'What tells these values from others of the metric' })
  dimensions?: unknown;
}

@InputType({ description: 'What no column says and all rows share' })
export class FixedValuesInput {
  @Field(() => GraphQLJSON, { nullable: true, description: 'Facts of the environment, by key' }) environment?: unknown;
  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Facts of the workload, by key, with or without `workload.`',
  })
  workload?: unknown;
  @Field(() => GraphQLJSON, { nullable: true, description: 'Dimensions, by name' }) dimensions?: unknown;
}

@InputType({ description: 'What the columns of a CSV or the paths of a JSON mean' })
export class ColumnMappingInput {
  @Field(() => TableLayout, { description: 'How the table says what it measured' }) layout!: TableLayout;
  @Field(() => TableRows, { description: 'What its rows are' }) rows!: TableRows;
  @Field(() => String, {
    nullable: true,
    description: '`.` or `,`: what separates fractions, where the file does not show it',
  })
  decimal?: string | null;
  @Field(() => String, { nullable: true, description: 'JSON with several lists: the path of the one with the rows' })
  rowsAt?: string | null;
  @Field(() => [ColumnRoleInput], { description: 'The columns, at most 1,000' }) columns!: ColumnRoleInput[];
  @Field(() => [NamedMetricInput], { nullable: true, description: 'LONG: the metrics by their names' }) metrics?:
    NamedMetricInput[] | null;
  @Field(() => FixedValuesInput, { nullable: true, description: 'What all rows share' })
  fixed?: FixedValuesInput | null;
}

@ObjectType({ description: 'What the columns of the tables of a project mean, remembered by name' })
export class ColumnMapping {
  projectId!: string;
  @Field(() => ID, { description: 'Id of the mapping' }) id!: string;
  @Field({ description: 'Its name, one in a project' }) name!: string;
  @Field({ description: 'Files with the same signature are read by it' }) signature!: string;
  @Field(() => [String], { description: 'The columns of the files that it is for' }) columns!: string[];
  @Field(() => GraphQLJSON, { description: 'In the shape of ColumnMappingInput' }) mapping!: unknown;
  @Field({ description: 'When it was made' }) createdAt!: Date;
  @Field({ description: 'When it was changed' }) updatedAt!: Date;
}

@InputType({ description: 'A column mapping to remember; one of the same name is replaced' })
export class SaveColumnMappingInput {
  @Field(() => ID, { description: 'The project' }) projectId!: string;
  @Field({ description: 'Its name, at most 200 characters' }) name!: string;
  @Field(() => TableKind, { description: 'What the tables stand in' }) kind!: TableKind;
  @Field(() => [String], { description: 'All columns of the tables that it is for, in any order' }) columns!: string[];
  @Field(() => ColumnMappingInput, { description: 'What they mean' }) mapping!: ColumnMappingInput;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}

@InputType({ description: 'A column mapping to forget; what was imported by it stays' })
export class DeleteColumnMappingInput {
  @Field(() => ID, { description: 'The project' }) projectId!: string;
  @Field({ description: 'Its name' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' }) clientMutationId?:
    string | null;
}
