import { digestOf } from '../../domain/content/digest.js';
import { error, warning, type ImportProblem, type Reading } from '../../domain/importers/importer.js';
import { checked, readText, type Candidate } from '../../domain/importers/index.js';
import {
  columnsOfTable,
  guessMapping,
  openUnits,
  readMapped,
  tableOf,
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
  const table = tableOf(text);
  const severalLists = table.problems.find(({ code }) => code === 'SEVERAL_LISTS');
  if (severalLists) return { ...reading, reading: { runs: [], problems: [severalLists] } };
  const columns = columnsOfTable(table);
  if (columns.columns.length === 0) return reading;
  const metrics = [...units].map(([key, unit]) => ({ key, unit }));
  const mapping = guessMapping(table, metrics);
  const open = reading.reading.problems.filter(isOpen);
  const problems = [...open, mappingNeeded(columns.columns.length), ...openUnits(mapping, units)];
  const suggestion = toJson(mapping);
  return { ...reading, reading: { runs: [], problems }, table: { columns, suggestion } };
}

/** What the importers say of their formats stands; that none of them knows the text is said by the mapping that is needed. */
function isOpen({ code }: ImportProblem): boolean {
  return code !== 'UNRECOGNIZED';
}

function mappingNeeded(count: number): ImportProblem {
  return error(
    null,
    `No format is known for this table of ${count} columns: say in \`mapping\` what they mean. \`table\` lists them with a suggestion`,
    `未知格式的表格，共 ${count} 列：请用 mapping 说明各列含义，table 中列出了各列和建议的映射`,
    { code: 'MAPPING_NEEDED' },
  );
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
