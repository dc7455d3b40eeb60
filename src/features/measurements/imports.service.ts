import { Injectable } from '@nestjs/common';
import { warning, type ImportProblem as ReadProblem } from '../../domain/importers/importer.js';
import { importers } from '../../domain/importers/index.js';
import { redactText } from '../../domain/measurement/redact.js';
import { requiredText } from '../../domain/text-limits.js';
import type { Run as RunRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { constraintOf } from '../../platform/database/constraint.js';
import { Database } from '../../platform/database/database.js';
import { once } from '../../platform/database/once.js';
import { oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ColumnMappingsService } from './column-mappings.service.js';
import { ImportContexts, joined, type ImportContext, type JoinedRun } from './import-context.service.js';
import { contentHashOf, ImportContents, type ImportContent } from './import-contents.service.js';
import { measure } from './import-measuring.js';
import {
  isUnknown,
  readByImporter,
  readByMapping,
  rememberedMapping,
  withSuggestion,
  type TextReading,
} from './import-reading.js';
import { blockingFirst, REPORT_LIMIT, reportOf, selected, type Selection } from './import-report.js';
import { knownRuns, problemsOf, writeImport, type ImportData } from './import-writing.js';
import type { ImportFormat, ImportReport, ImportRunInput, RunImport } from './imports.types.js';
import { toRun } from './measurements.queries.js';
import { originOf } from './run-origin.js';

/** A file as it was understood, before anything of it is written. */
interface Understood {
  readonly reading: TextReading;
  readonly runs: readonly JoinedRun[];
  readonly problems: readonly ReadProblem[];
  readonly selection: Selection;
  readonly contentHash: string;
}

const nothingRead: TextReading = {
  format: null,
  identity: '',
  candidates: [],
  reading: { runs: [], problems: [] },
  table: null,
  mapping: null,
};

/** Reads the output of benchmark tools into runs. The same content again gives the same runs. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly db: Database,
    private readonly projects: ProjectsService,
    private readonly contents: ImportContents,
    private readonly contexts: ImportContexts,
    private readonly mappings: ColumnMappingsService,
  ) {}

  readonly importById = perRequest(async (ids: readonly string[]): Promise<(RunImport | null)[]> => {
    const rows = await this.db.import.findMany({ where: { id: { in: [...ids] } } });
    const imports = rows.map(({ problems, ...row }) => ({ ...row, said: problemsOf(problems) }));
    return oneByKey(ids, imports, ({ id }) => id);
  });

  /** What can be read. */
  formats(): ImportFormat[] {
    return importers.map(({ tool, what }) => ({ format: tool, reads: what }));
  }

  async importRun(viewer: Viewer, input: ImportRunInput): Promise<ImportReport> {
    const { id: projectId } = await this.projects.require(viewer, 'WRITE_MEASUREMENTS', input.projectId);
    const fileName = redactText(requiredText(input.fileName, 'fileName', 255));
    const context = await this.contexts.of(projectId, input);
    const origin = originOf(viewer, input);
    const content = await this.contents.of(projectId, input);
    const understood = await this.understand(projectId, input, content, context);
    const { reading, selection, contentHash } = understood;
    const known = reading.format === null ? [] : await knownRuns(this.db, projectId, contentHash);
    const report = reportOf({ ...understood, known });
    if (input.dryRun === true || selection.isRefused || reading.format === null) return report;

    // The bytes go first: a row never names a file that is not there.
    const data: ImportData = {
      projectId,
      fileName,
      format: reading.format,
      contentHash,
      file: await content.keep(),
      origin,
      mapping: reading.mapping,
      runs: selection.runs,
      leftOutRuns: selection.leftOutRuns,
      leftOutValues: selection.leftOutValues,
      problems: blockingFirst(understood.problems),
    };
    const { newIds } = await this.write(viewer, input, data, reading);
    const isNew = new Set(newIds);
    const rows = await this.db.run.findMany({
      where: { projectId, contentHash },
      orderBy: { part: 'asc' },
      take: REPORT_LIMIT,
    });
    const other = differentContext(
      rows.filter(({ id }) => !isNew.has(id)),
      understood.runs,
    );
    return {
      ...report,
      said: [...report.said, ...other],
      problemCount: report.problemCount + other.length,
      warningCount: report.warningCount + other.length,
      runs: rows.map((row) => ({ ...toRun(row), isNew: isNew.has(row.id) })),
    };
  }

  /** What the file says, in the units of the metrics and with the context laid over it; writes nothing. */
  private async understand(
    projectId: string,
    input: ImportRunInput,
    { text, problems: found }: ImportContent,
    context: ImportContext,
  ): Promise<Understood> {
    const reading = text === null ? nothingRead : await this.read(projectId, text, input);
    const measured = await measure(this.db, projectId, reading.reading.runs);
    const { runs, problems: conflicts } = joined(measured.runs, context);
    const { mapping } = reading;
    const isUsedUnasked = mapping?.isRemembered === true && (input.mappingName ?? null) === null;
    const problems = [
      ...found,
      ...(isUsedUnasked ? [rememberedMapping(mapping.name ?? '')] : []),
      ...reading.reading.problems,
      ...measured.problems,
      ...conflicts,
    ];
    const selection = selected(runs, problems, input.part ?? 'ALL');
    return { reading, runs, problems, selection, contentHash: contentHashOf(reading.identity, text ?? '') };
  }

  /** By the mapping that is asked for, else by the importer that knows it, else by the mapping that is remembered. */
  private async read(projectId: string, text: string, input: ImportRunInput): Promise<TextReading> {
    const isMappingAsked = Boolean(input.mapping) || (input.mappingName ?? null) !== null;
    const reading = isMappingAsked ? null : readByImporter(text, input.format ?? undefined);
    if (reading && (!isUnknown(reading) || typeof input.format === 'string')) return reading;
    const units = await this.mappings.units(this.db, projectId);
    const chosen = await this.mappings.choose(projectId, text, input);
    if (chosen) return readByMapping(text, chosen, units);
    return withSuggestion(text, reading ?? nothingRead, units);
  }

  /** Writes in one transaction, which a repeated request finds done. */
  private async write(viewer: Viewer, input: ImportRunInput, data: ImportData, { table, mapping }: TextReading) {
    const { content: _text, contentBase64: _bytes, ...request } = input;
    const { projectId, contentHash } = data;
    const write = () =>
      once(this.db, viewer, 'importRun', { ...request, contentHash }, async (tx) => {
        const written = await writeImport(tx, viewer, data);
        if (input.mapping && mapping?.name && table) {
          const { signature, columns } = table.columns;
          const names = columns.map(({ name }) => name);
          await this.mappings.write(tx, viewer, projectId, mapping.name, {
            mapping: mapping.mapping,
            columns: names,
            signature,
          });
        }
        return written;
      });
    try {
      return await write();
    } catch (error) {
      // Somebody imported the same content at the same moment: now it is there.
      const constraint = constraintOf(error) ?? '';
      if (/^(Run_projectId_contentHash|Evidence_|Observation_|ColumnMapping_)/.test(constraint)) return write();
      throw error;
    }
  }
}

/** Tells that the content was there before with another context than was given now: the first import stands. */
function differentContext(rows: readonly RunRow[], given: readonly JoinedRun[]): readonly ReadProblem[] {
  const isSame = rows.every((row) => {
    const run = given[row.part];
    return (
      run !== undefined &&
      row.session === run.session &&
      row.block === run.block &&
      canonical(row.environment) === canonical(run.environment) &&
      canonical(row.workload) === canonical(run.workload)
    );
  });
  if (isSame) return [];
  return [
    warning(
      null,
      'This content was imported before with another environment, workload, session or block; the first import stands',
      '相同内容此前已导入，但当时给出的环境、负载、会话或区组不同；以首次导入为准',
      { code: 'IMPORTED_BEFORE' },
    ),
  ];
}

function canonical(facts: unknown): string {
  return JSON.stringify(Object.entries(facts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}
