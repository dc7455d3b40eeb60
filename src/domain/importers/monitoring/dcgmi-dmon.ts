import { error, type Importer, type Reading } from '../importer.js';
import { labeledLines, linesOf, type LabeledLine } from '../labeled-lines.js';
import { isNoValue } from '../number.js';
import { gpu } from './gpu-columns.js';
import { LeftOut, monitorReading, plainNumber, sourceOf } from './monitor-run.js';
import { Monitor, type Column } from './ticks.js';
import { ownValue } from '../../own-value.js';

/** The scrolling table of `dcgmi dmon -e <fields>`: one row for each GPU, or part of one, and tick. */
export const dcgmiDmon: Importer = {
  tool: 'dcgmi-dmon',
  what: 'dcgmi dmon',
  hasTicks: true,

  recognizes(text) {
    if (!text.includes('Entity')) return false;
    let columns: readonly string[] | null = null;
    let isHeading = false;
    for (const { text: line } of labeledLines(text)) {
      if (isHeading && /^\s{0,20}(?:#\s?)?I[Dd]\b/.test(line)) return true;
      if (columns && rowOf(line, columns.length)) return true;
      columns = columnsOf(line);
      isHeading = columns !== null;
    }
    return false;
  },

  nearMiss(text) {
    let number = 0;
    let rows = 0;
    for (const line of linesOf(text.slice(0, LOOKED_AT))) {
      number += 1;
      rows = /^ {0,4}(?:GPU|GPU-I|GPU-CI) \d{1,4} {2,40}(?:-?\d|N\/A)/.test(line) ? rows + 1 : 0;
      if (rows === 2) {
        return error(
          number - 1,
          'This looks like dcgmi dmon without its heading: the line that begins with #Entity is needed',
          '这看起来像缺少表头的 dcgmi dmon 输出，需要以 #Entity 开头的那一行',
        );
      }
    }
    return null;
  },

  read(text): Reading {
    const monitor = new Monitor();
    const leftOut = new LeftOut();
    let columns: readonly string[] | null = null;
    let [firstLine, lastLine] = [0, 0];
    for (const line of labeledLines(text)) {
      if (line.text.trim() === '') continue;
      lastLine = line.number;
      const found = columnsOf(line.text);
      if (found) {
        columns = found;
        firstLine ||= line.number;
      } else if (columns) takeRow(line, columns, monitor, leftOut);
    }
    return monitorReading({
      tool: 'dcgmi-dmon',
      environment: { vendor: 'nvidia' },
      observations: monitor.observations(),
      isPartial: !leftOut.isEmpty,
      problems: leftOut.problems(lastLine),
      line: firstLine,
    });
  },
};

const LOOKED_AT = 65_536;

/** By the short names of DCGM. Utilization of NVML is percent, that of the profiling counters a ratio. */
const measured: Readonly<Record<string, Column>> = {
  POWER: gpu.power,
  TOTEC: gpu.energy,
  TMPTR: gpu.temperature,
  MMTMP: gpu.memoryTemperature,
  GPUTL: gpu.utilization,
  MCUTL: gpu.memoryUtilization,
  ECUTL: gpu.encoder,
  DCUTL: gpu.decoder,
  FBUSD: gpu.memoryUsed,
  SMCLK: gpu.coreClock,
  MMCLK: gpu.memoryClock,
  EDVTL: gpu.uncorrectedErrors,
  GRACT: gpu.engineActive,
  SMACT: gpu.smActive,
  SMOCC: gpu.smOccupancy,
  TENSO: gpu.tensorActive,
  DRAMA: gpu.dramActive,
  FP64A: gpu.fp64Active,
  FP32A: gpu.fp32Active,
  FP16A: gpu.fp16Active,
  PCITX: gpu.pcieSent,
  PCIRX: gpu.pcieReceived,
  NVLTX: gpu.nvlinkSent,
  NVLRX: gpu.nvlinkReceived,
};

const entities: Readonly<Record<string, string>> = {
  GPU: 'gpu',
  'GPU-I': 'gpu_instance',
  'GPU-CI': 'compute_instance',
};

/** The short names of a heading; null where the line is none. A name is upper case and may be cut. */
function columnsOf(line: string): readonly string[] | null {
  const found = /^\s{0,20}#\s{0,4}Entity\s+(\S.*)$/.exec(line)?.[1];
  if (found === undefined) return null;
  const names = found.trim().split(/\s+/);
  return names.every((name) => /^[A-Z][A-Z\d_#.]{1,19}$/.test(name)) ? names : null;
}

interface Row {
  readonly entity: string;
  readonly id: number;
  readonly cells: readonly string[];
}

/** Columns are told by their order, since the widths of heading and rows differ. */
function rowOf(line: string, columns: number): Row | null {
  const [entity = '', id = '', ...cells] = line.trim().split(/\s+/);
  if (!/^(?:GPU|GPU-I|GPU-CI|vGPU|Switch|CPU|Core|Link)$/.test(entity) || !/^\d{1,9}$/.test(id)) return null;
  return cells.length === columns ? { entity, id: Number(id), cells } : null;
}

function takeRow(line: LabeledLine, columns: readonly string[], monitor: Monitor, leftOut: LeftOut): void {
  const row = rowOf(line.text, columns.length);
  if (!row) {
    // the line of units, and what is printed after a signal, are no rows
    if (/^\s{0,20}(?:GPU|GPU-I|GPU-CI) \d/.test(line.text)) leftOut.row(line.number);
    return;
  }
  const kind = ownValue(entities, row.entity);
  if (kind === undefined) return;
  const device = monitor.device({ [kind]: row.id, ...sourceOf(line.label) });
  for (const [place, name] of columns.entries()) {
    const column = ownValue(measured, name);
    const cell = row.cells[place] ?? '';
    const value = plainNumber(cell);
    if (column && value !== null && !isBlank(value)) device.add(column, value);
    else if (column && value === null && !isNoValue(cell)) leftOut.cell(line.number, cell);
  }
}

/** What DCGM stores where it has no value: from 2^47 on for numbers with a fraction, about 2^63 for whole ones. */
export function isBlank(value: number): boolean {
  return value >= 2 ** 63 || (value >= 2 ** 47 && value <= 2 ** 47 + 16);
}
