import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { factSourcesShape } from '../../domain/measurement/stored.js';
import { CurrentViewer, type RequestContext, type Viewer } from '../../platform/auth/viewer.js';
import { First } from '../../platform/graphql/page.js';
import { Project } from '../projects/projects.types.js';
import { ColumnMappingsService } from './column-mappings.service.js';
import { ColumnMapping, DeleteColumnMappingInput, SaveColumnMappingInput } from './column-mappings.types.js';
import { shownObservation, shownProblems, sourcesOf } from './import-report.js';
import { ImportsService } from './imports.service.js';
import {
  ImportFormat,
  ImportProblem,
  ImportProblemKind,
  ImportReport,
  ImportRunInput,
  ImportSeverity,
  problemKinds,
  RunImport,
  SourceOfFact,
} from './imports.types.js';
import { Observation, Run } from './measurements.types.js';
import { RunDifferencesService } from './run-differences.service.js';
import { RunDifferences } from './run-differences.types.js';

/** How many entries of a list are passed over. */
const Skip = (): ParameterDecorator =>
  Args('skip', { type: () => Int, defaultValue: 0, description: 'How many to pass over; below zero is none' });

/** Problems of one severity, or of both. */
const OfSeverity = (): ParameterDecorator =>
  Args('severity', { type: () => ImportSeverity, nullable: true, description: 'Only those of this severity' });

/** Most entries of a list of a report in one answer. */
const LIST_LIMIT = 1_000;

function pageOf<T>(list: readonly T[], first: number, skip: number): readonly T[] {
  const from = Math.max(0, skip);
  return list.slice(from, from + first);
}

@Resolver(() => ImportReport)
export class ImportsResolver {
  constructor(private readonly imports: ImportsService) {}

  @Query(() => [ImportFormat], { description: 'The formats that importRun reads, by family' })
  importFormats(): ImportFormat[] {
    return this.imports.formats();
  }

  @Query(() => [ImportProblemKind], { description: 'The kinds of problems that reading a file may find' })
  importProblemCodes(@CurrentViewer() viewer: Viewer): ImportProblemKind[] {
    return problemKinds(viewer.locale);
  }

  @Mutation(() => ImportReport, {
    description:
      'The output of a benchmark tool becomes runs. The same content twice gives the same runs. Where anything of the ' +
      'file is wrong, nothing is written, unless `part` asks for what is not wrong.',
  })
  importRun(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: ImportRunInput,
  ): Promise<ImportReport> {
    return this.imports.importRun(viewer, input);
  }

  @ResolveField(() => [Observation], { description: 'What was observed, in the order of the file' })
  observations(
    @Parent() { read }: ImportReport,
    @First(100, LIST_LIMIT) first: number,
    @Skip() skip: number,
  ): Observation[] {
    return pageOf(read, first, skip).map(shownObservation);
  }

  @ResolveField(() => [ImportProblem], { description: 'What is wrong or worth knowing, the blocking first' })
  problems(
    @CurrentViewer() viewer: Viewer,
    @Parent() { said }: ImportReport,
    @First(100, LIST_LIMIT) first: number,
    @Skip() skip: number,
    @OfSeverity() severity: ImportSeverity | null,
  ): ImportProblem[] {
    return [...pageOf(shownProblems(viewer, said, severity ?? null), first, skip)];
  }
}

@Resolver(() => RunImport)
export class RunImportResolver {
  @ResolveField(() => [ImportProblem], { description: 'What was wrong or worth knowing, the blocking first' })
  problems(
    @CurrentViewer() viewer: Viewer,
    @Parent() { said }: RunImport,
    @First(100, LIST_LIMIT) first: number,
    @Skip() skip: number,
    @OfSeverity() severity: ImportSeverity | null,
  ): ImportProblem[] {
    return [...pageOf(shownProblems(viewer, said, severity ?? null), first, skip)];
  }
}

@Resolver(() => Run)
export class ImportedRunResolver {
  constructor(
    private readonly imports: ImportsService,
    private readonly differences: RunDifferencesService,
  ) {}

  @ResolveField(() => RunImport, { nullable: true, description: 'The import that wrote it; null for a typed-in run' })
  import(@Parent() { importId }: Run, @Context() request: RequestContext): Promise<RunImport | null> {
    return importId === null ? Promise.resolve(null) : this.imports.importById(request).load(importId);
  }

  @ResolveField(() => [SourceOfFact], { description: 'Who said the facts that are not of the file' })
  factSources(@Parent() { factSources }: Run): SourceOfFact[] {
    return sourcesOf(factSourcesShape.parse(factSources));
  }

  @Query(() => RunDifferences, {
    nullable: true,
    description: 'What two runs differ in, and what a trial of them would make of it; null where one cannot be seen',
  })
  compareRuns(
    @CurrentViewer() viewer: Viewer,
    @Args('before', { type: () => ID, description: 'A run' }) before: string,
    @Args('after', { type: () => ID, description: 'Another run' }) after: string,
    @Args('variable', {
      type: () => [String],
      nullable: true,
      description: 'Keys of environment and workload that are meant to differ',
    })
    variable: string[] | null,
  ): Promise<RunDifferences | null> {
    return this.differences.of(viewer, before, after, variable ?? []);
  }
}

@Resolver(() => Project)
export class ColumnMappingsResolver {
  constructor(private readonly mappings: ColumnMappingsService) {}

  @Mutation(() => ColumnMapping, {
    description: 'Remembers what the columns of a table mean: files with the same columns are read by it',
  })
  saveColumnMapping(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: SaveColumnMappingInput,
  ): Promise<ColumnMapping> {
    return this.mappings.save(viewer, input);
  }

  @Mutation(() => ColumnMapping, { description: 'Forgets a column mapping, and gives it back as it was' })
  deleteColumnMapping(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to do' }) input: DeleteColumnMappingInput,
  ): Promise<ColumnMapping> {
    return this.mappings.delete(viewer, input);
  }

  @ResolveField(() => [ColumnMapping], { description: 'What the columns of its own tables mean, by name; at most 500' })
  columnMappings(@Parent() { id }: Project, @Context() request: RequestContext): Promise<ColumnMapping[]> {
    return this.mappings.ofProject(request).load(id);
  }
}
