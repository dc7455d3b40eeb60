import { nvidiaSmiTable as facts, nvidiaSmiTables } from '../../applicability/facts/nvidia-smi-table.js';
import { unquoted } from '../../applicability/facts/nvidia-devices.js';
import { incomplete, error, type Importer, type Reading } from '../importer.js';
import { labeledLines, linesOf } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { readBySource } from './by-source.js';
import { gpu } from './gpu-columns.js';
import { monitorReading, plainNumber } from './monitor-run.js';
import { isoOfCtime, nvidiaFacts } from './nvidia-facts.js';
import { Monitor, type Column } from './ticks.js';

/** The table of `nvidia-smi` without options; printed again and again (`-l`, `watch`), each is a tick. */
export const nvidiaSmiTable: Importer = {
  tool: 'nvidia-smi-table',
  what: 'nvidia-smi',

  recognizes(text) {
    if (!text.includes('| NVIDIA-SMI ')) return false;
    return nvidiaSmiTables(Array.from(labeledLines(text), (line) => unquoted(line.text))).some(
      ({ gpus }) => gpus.length > 0,
    );
  },

  nearMiss(text) {
    let number = 0;
    for (const line of linesOf(text.slice(0, LOOKED_AT))) {
      number += 1;
      if (reading.test(line)) {
        return error(
          number,
          'This looks like the table of nvidia-smi without its first lines: send it from the line with the version of the driver',
          '这看起来像缺少开头几行的 nvidia-smi 表格，请从含驱动版本的那一行开始上传',
        );
      }
    }
    return null;
  },

  read: (text): Reading => readBySource(text, readTables),
};

function readTables(lines: readonly string[]): Reading {
  const tables = nvidiaSmiTables(lines).filter(({ gpus }) => gpus.length > 0);
  const [first] = tables;
  if (!first) return { runs: [], problems: [] };
  const monitor = new Monitor();
  for (const { index, printed } of tables.flatMap(({ gpus }) => gpus)) {
    const device = monitor.device({ gpu: index });
    for (const [place, column, unit] of measured) {
      const value = plainNumber((printed.get(place)?.text ?? '').replace(unit, ''));
      if (value !== null) device.add(column, value);
    }
  }
  const { environment, problems } = nvidiaFacts(facts, lines, first);
  const cut = tables.find(({ isCut }) => isCut);
  // the time stands above the table, or above the rule that begins it
  const above = [first.firstLine - 1, first.firstLine - 2];
  const dated = above.find((line) => isoOfCtime(lines[line - 1] ?? '') !== null);
  const date = dated === undefined ? '' : (lines[dated - 1] ?? '').trim();
  const started = dated === undefined ? null : startedAtOf(isoOfCtime(date) ?? '', date, dated);
  return monitorReading({
    tool: 'nvidia-smi-table',
    startedAt: started?.startedAt ?? null,
    environment,
    observations: monitor.observations(),
    isPartial: cut !== undefined,
    problems: [
      ...problems,
      ...(cut ? [incomplete(cut.lastLine, 'The table is cut after this line', '表格在此行之后不完整')] : []),
      ...(started?.problems ?? []),
    ],
    line: first.firstLine,
  });
}

const LOOKED_AT = 65_536;
const reading = /^\|.{0,24}\d{1,3}C .{0,24}\d{1,5}W \/ {1,5}\d{1,5}W \|.{0,20}\d{1,9}MiB \/ {1,8}\d{1,9}MiB \|/;

/** Names of the cells, and the unit that stands behind the number. */
const measured: readonly (readonly [string, Column, RegExp])[] = [
  ['draw', gpu.power, /W$/],
  ['temperature', gpu.temperature, /C$/],
  ['utilization', gpu.utilization, /%$/],
  ['used', gpu.memoryUsed, /Mi?B$/],
];
