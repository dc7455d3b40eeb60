import {
  architectureOf,
  computePartition,
  deviceName,
  memoryPartitionOf,
  placeOf,
  type AmdDevice,
} from './amd-smi-devices.js';
import { gibibytes, watts, type LinkKind } from './printed-values.js';

/** Takes what one line `GPU[0] : <field>: <value>`, or one member of the JSON, says about its device. */
export function takeField(device: AmdDevice, field: string, value: string, line: number): void {
  const take = fields[field.trim().toLowerCase()];
  if (take) take(device, value.trim(), line);
}

/** True for a field that this reader takes; the JSON of other tools has none of them. */
export const isRocmField = (field: string): boolean => field.trim().toLowerCase() in fields;

type Take = (device: AmdDevice, value: string, line: number) => void;

const takeName: Take = (device, text, line) => {
  const value = deviceName(text);
  if (value !== undefined) device.name ??= { value, line };
};

const takePowerLimit: Take = (device, text, line) => {
  const value = watts(text);
  if (value !== undefined) device.powerLimit ??= { value, line };
};

const takePartition: Take = (device, text, line) => {
  const value = computePartition(text);
  if (value !== undefined) device.partition ??= { value, line };
};

const takeMemoryPartition: Take = (device, text) => {
  device.memoryPartition ??= memoryPartitionOf(text);
};

const fields: Readonly<Record<string, Take>> = {
  'card series': takeName,
  'device name': takeName,
  'gfx version': (device, text, line) => {
    const value = architectureOf(text);
    if (value !== undefined) device.architecture ??= { value, line };
  },
  'vram total memory (b)': (device, text, line) => {
    const value = gibibytes(text, 'B');
    if (value !== undefined) device.memory ??= { value, line };
  },
  'max graphics package power (w)': takePowerLimit,
  'compute partition': takePartition,
  'memory partition': takeMemoryPartition,
  'pci bus': (device, text) => {
    device.place ??= placeOf(text);
  },
};

/** A row of the default table; its columns move with the release, but the last three stay. */
export function takeConciseRow(device: AmdDevice, row: string, line: number): void {
  takePowerLimit(device, row.trim().split(/\s+/).at(-3) ?? '', line);
  const [, memory = '', compute = '', id] =
    /\s(NPS\d|N\/A), ?(SPX|DPX|TPX|QPX|CPX|N\/A)(?:, ?(\d{1,2}|N\/A))?\s/.exec(row) ?? [];
  takePartition(device, compute, line);
  takeMemoryPartition(device, memory, line);
  if (id !== undefined && id !== 'N/A') device.partitionId ??= Number(id);
}

/** A row of `rocm-smi --showhw`. */
export function takeHardwareRow(
  device: AmdDevice,
  columns: readonly string[],
  row: readonly string[],
  line: number,
): void {
  if (row.length !== columns.length) return;
  const cell = (column: string): string => row[columns.indexOf(column)] ?? '';
  takeField(device, 'GFX Version', cell('GFX VER'), line);
  takeField(device, 'PCI Bus', cell('BUS'), line);
  const state = cell('UMC RAS');
  if (state === 'ENABLED' || state === 'DISABLED') {
    device.ecc ??= { value: state === 'ENABLED' ? 'enabled' : 'disabled', line };
  }
  if (/^\d{1,2}$/.test(cell('PARTITION ID'))) device.partitionId ??= Number(cell('PARTITION ID'));
}

/** XXXX is a link that the tool could not read. */
export const rocmLink = (text: string): LinkKind => (text === 'XGMI' ? 'xgmi' : text === 'PCIE' ? 'pcie' : 'unknown');
