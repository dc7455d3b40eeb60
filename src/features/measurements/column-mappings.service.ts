import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../domain/errors.js';
import {
  columnMapping,
  columnsOfTable,
  givenMapping,
  mappingProblems,
  signatureOf,
  tableOf,
  type ColumnMapping as Mapping,
  type Table,
} from '../../domain/importers/mapped/index.js';
import { requiredText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { ColumnMapping as MappingRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { groupByKey, perRequest } from '../../platform/graphql/loader.js';
import { ProjectsService } from '../projects/projects.service.js';
import type {
  ColumnMapping,
  ColumnMappingInput,
  DeleteColumnMappingInput,
  SaveColumnMappingInput,
} from './column-mappings.types.js';

/** Most mappings of a project. */
const MAPPING_LIMIT = 500;

/** The mapping that a file is to be read by. */
export interface ChosenMapping {
  readonly mapping: Mapping;
  readonly name: string | null;
  readonly isRemembered: boolean;
}

/** What the columns of a project's own tables mean. */
@Injectable()
export class ColumnMappingsService {
  constructor(
    private readonly db: Database,
    private readonly projects: ProjectsService,
  ) {}

  readonly ofProject = perRequest(async (projectIds: readonly string[]): Promise<ColumnMapping[][]> => {
    const rows = await this.db.columnMapping.findMany({
      where: { projectId: { in: [...projectIds] } },
      orderBy: { name: 'asc' },
    });
    return groupByKey(projectIds, rows, ({ projectId }) => projectId);
  });

  /** Remembers a mapping for tables with these columns; INVALID_INPUT for one that names others. */
  async save(viewer: Viewer, input: SaveColumnMappingInput): Promise<ColumnMapping> {
    await this.projects.require(viewer, 'WRITE_MEASUREMENTS', input.projectId);
    const mapping = toMapping(input.mapping);
    if (input.columns.length < 1 || input.columns.length > 1_000) {
      throw invalidInput({
        en: `columns has ${input.columns.length} entries; 1 to 1000 are needed`,
        zh: `columns 有 ${input.columns.length} 项，须为 1 至 1000 项`,
      });
    }
    const columns = input.columns.map((column, index) => requiredText(column, `columns[${index}]`, 250));
    const kind = input.kind === 'JSON' ? 'json' : 'csv';
    const units = await this.units(this.db, input.projectId);
    const table: Table = { kind, columns, line: null, rows: [], problems: [], leftOut: 0 };
    const [problem] = mappingProblems(mapping, table, units);
    if (problem) throw invalidInput(problem.message, { code: problem.code });
    const id = await once(this.db, viewer, 'saveColumnMapping', input, (tx) =>
      this.write(tx, viewer, input.projectId, input.name, { mapping, columns, signature: signatureOf(kind, columns) }),
    );
    return this.db.columnMapping.findUniqueOrThrow({ where: { id } });
  }

  /** Forgets a mapping; NOT_FOUND where the project has none of the name. */
  async delete(viewer: Viewer, input: DeleteColumnMappingInput): Promise<ColumnMapping> {
    const { projectId } = input;
    await this.projects.require(viewer, 'WRITE_MEASUREMENTS', projectId);
    const name = requiredText(input.name, 'name');
    const kept = await once(this.db, viewer, 'deleteColumnMapping', input, async (tx) => {
      const found = await tx.columnMapping.findUnique({ where: { projectId_name: { projectId, name } } });
      if (!found) throw noMapping(name);
      await tx.columnMapping.delete({ where: { id: found.id } });
      await record(tx, viewer, [
        { projectId, subject: 'columnMapping', subjectId: found.id, field: 'deleted', before: changed(found) },
      ]);
      return found;
    });
    return { ...kept, createdAt: new Date(kept.createdAt), updatedAt: new Date(kept.updatedAt) };
  }

  /** Writes a mapping in the caller's transaction; one of the same name is replaced. */
  async write(
    tx: Db,
    viewer: Viewer,
    projectId: string,
    givenName: string,
    data: { readonly mapping: Mapping; readonly columns: string[]; readonly signature: string },
  ): Promise<string> {
    const name = requiredText(givenName, 'name', TEXT_LIMITS.name);
    const before = await tx.columnMapping.findUnique({ where: { projectId_name: { projectId, name } } });
    if (!before && (await tx.columnMapping.count({ where: { projectId } })) >= MAPPING_LIMIT) {
      throw invalidInput({
        en: `The project has ${MAPPING_LIMIT} column mappings already; delete some`,
        zh: `该项目已有 ${MAPPING_LIMIT} 个列映射，请先删除一些`,
      });
    }
    const said = { signature: data.signature, columns: data.columns, mapping: toJson(data.mapping) };
    const { id } = await tx.columnMapping.upsert({
      where: { projectId_name: { projectId, name } },
      create: { projectId, name, ...said, createdById: viewer.id },
      update: { ...said, updatedAt: new Date() },
    });
    await record(tx, viewer, [
      {
        projectId,
        subject: 'columnMapping',
        subjectId: id,
        field: before ? 'changed' : 'created',
        ...(before ? { before: changed(before) } : {}),
        after: toJson({ name, ...said }),
      },
    ]);
    return id;
  }

  /**
   * The mapping to read a text by: the one that is given, the one that is named, else the only one that the project
   * remembers for files with these columns. Null where there is none, or several.
   */
  async choose(
    projectId: string,
    text: string,
    input: { readonly mapping?: ColumnMappingInput | null; readonly mappingName?: string | null },
  ): Promise<ChosenMapping | null> {
    const name = (input.mappingName ?? null) === null ? null : requiredText(input.mappingName ?? '', 'mappingName');
    if (input.mapping) return { mapping: toMapping(input.mapping), name, isRemembered: false };
    if (name !== null) {
      const found = await this.db.columnMapping.findUnique({ where: { projectId_name: { projectId, name } } });
      if (!found) throw noMapping(name);
      return remembered(found);
    }
    const rows = await this.db.columnMapping.findMany({ where: { projectId } });
    const signatures = new Map<string | undefined, string>();
    const signatureAt = (rowsAt: string | undefined): string => {
      const known = signatures.get(rowsAt) ?? columnsOfTable(tableOf(text, rowsAt)).signature;
      signatures.set(rowsAt, known);
      return known;
    };
    const fitting = rows.filter((row) => signatureAt(columnMapping.parse(row.mapping).rowsAt) === row.signature);
    const [only, second] = fitting;
    return only && !second ? remembered(only) : null;
  }

  /** The unit of each metric that a table can be mapped to, by key: those of the project stand over the catalog's. */
  async units(db: Db, projectId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await db.metric.findMany({
      where: { scope: { in: ['', projectId] } },
      select: { key: true, unit: true },
      orderBy: { scope: 'desc' },
    });
    return new Map(rows.map(({ key, unit }) => [key, unit]));
  }
}

function remembered({ name, mapping }: MappingRow): ChosenMapping {
  return { mapping: columnMapping.parse(mapping), name, isRemembered: true };
}

function changed({ name, signature, columns, mapping }: MappingRow) {
  return toJson({ name, signature, columns, mapping });
}

function noMapping(name: string) {
  return notFound(
    { en: `There is no column mapping "${name}" in this project`, zh: `该项目中没有列映射“${name}”` },
    { name },
  );
}

/** The mapping as the importer takes it; INVALID_INPUT names the place that is wrong. */
export function toMapping(input: ColumnMappingInput): Mapping {
  const parsed = givenMapping.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = ['mapping', ...(issue?.path ?? [])].join('.');
  throw invalidInput(
    { en: `${place} cannot be used: ${issue?.message ?? ''}`, zh: `${place} 无法使用：${issue?.message ?? ''}` },
    { place },
  );
}
