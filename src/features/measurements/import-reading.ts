import { digestOf } from '../../domain/content/digest.js';
import { warning, type ImportProblem, type Reading } from '../../domain/importers/importer.js';
import { checked, readText, type Candidate } from '../../domain/importers/index.js';
import {
  columnsOfTable,
  readMapped,
  tableOf,
  unknownTable,
  type Columns,
  type MetricUnits,
} from '../../domain/importers/mapped/index.js';
import { toJson } from '../../platform/database/json.js';
import type { ChosenMapping } from './column-mappings.service.js';

/** The format of a file that was read by a column mapping. */
export const MAPPED = 'mapped';

/** A text as it was understood. */
export interface TextReading {
  readonly format: string | null;
  /** What makes another reading of the same text another one: the format, and the mapping. */
  readonly identity: string;
  readonly candidates: readonly Candidate[];
  readonly reading: Reading;
  /** The table that no importer knows, with what its columns may mean where that is open. */
  readonly table: { readonly columns: Columns; readonly suggestion: object | null } | null;
  readonly mapping: ChosenMapping | null;
}

/** Reads a text by the importer that knows it, or that is named. */
export function readByImporter(text: string, format: string | undefined): TextReading {
  const { format: found, candidates, reading } = readText(text, format);
  return { format: found, identity: found ?? '', candidates, reading, table: null, mapping: null };
}

/** Whether no importer knows the text, so that it may be a table of somebody's own. */
export function isUnknown({ format, candidates }: TextReading): boolean {
  return format === null && candidates.length === 0;
}

/** Reads a table by what its columns mean. */
export function readByMapping(text: string, chosen: ChosenMapping, units: MetricUnits): TextReading {
  const table = tableOf(text, chosen.mapping.rowsAt);
  const reading = checked(MAPPED, readMapped(text, chosen.mapping, units, table));
  const observations = reading.runs.flatMap((run) => run.observations);
  return {
    format: MAPPED,
    identity: `${MAPPED} ${digestOf(toJson(chosen.mapping))}`,
    candidates: [
      {
        format: MAPPED,
        runCount: reading.runs.length,
        observationCount: observations.length,
        metrics: [...new Set(observations.map(({ metric }) => metric))].slice(0, 20),
      },
    ],
    reading,
    table: { columns: columnsOfTable(table), suggestion: null },
    mapping: chosen,
  };
}

/** A text that nobody knows, with what its columns may mean where it is a table. */
export function withSuggestion(text: string, reading: TextReading, units: MetricUnits): TextReading {
  const found = unknownTable(text, units);
  if (!found) return reading;
  if (!found.table) return { ...reading, reading: { runs: [], problems: found.problems } };
  const { columns, suggestion } = found.table;
  const problems = [...reading.reading.problems.filter(isOpen), ...found.problems];
  return { ...reading, reading: { runs: [], problems }, table: { columns, suggestion: toJson(suggestion) } };
}

/** What the importers say of their formats stands; that none of them knows the text is said by the mapping that is needed. */
function isOpen({ code }: ImportProblem): boolean {
  return code !== 'UNRECOGNIZED';
}

/** Told where a remembered mapping was used without being asked for. */
export function rememberedMapping(name: string): ImportProblem {
  return warning(
    null,
    `Read by the column mapping "${name}", which is remembered for these columns`,
    `按已记住的列映射“${name}”读取，其列与本文件相同`,
    { code: 'MAPPING_REMEMBERED', value: name },
  );
}
