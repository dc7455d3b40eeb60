import { readAmdCsv } from './amd-smi-csv.js';
import { readAmdJson } from './amd-smi-json.js';
import { readAmdTable } from './amd-smi-table.js';
import { readAmdBlocks, readAmdPartitions, readAmdTopology, readAmdVersion } from './amd-smi-text.js';
import { plainLines } from './printed-values.js';
import type { FactReader, ToolReading, ToolText } from './reader.js';

/** What amd-smi prints as text, JSON and CSV: version, list, static, topology, partition, and its table without command. */
export const amdSmi: FactReader = {
  tools: ['amd-smi', 'amd-smi version', 'amd-smi list', 'amd-smi static', 'amd-smi topology', 'amd-smi partition'],
  read(text: ToolText): readonly ToolReading[] {
    const lines = plainLines(text);
    const readings = [
      ...readAmdVersion(lines),
      ...readAmdBlocks(lines),
      ...readAmdTopology(lines),
      ...readAmdPartitions(lines),
      ...readAmdTable(lines),
      ...readAmdJson(text),
      ...readAmdCsv(lines),
    ];
    return readings.sort((one, other) => one.firstLine - other.firstLine);
  },
};
