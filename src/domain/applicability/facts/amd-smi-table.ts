import {
  computePartition,
  deviceName,
  driverVersion,
  memoryPartitionOf,
  placeOf,
  type AmdDevice,
} from './amd-smi-devices.js';
import { amdReading, foundAs, printed, release } from './amd-smi-fields.js';
import { extentAt } from './amd-smi-text.js';
import { gibibytes, watts, type Printed } from './printed-values.js';
import type { Finding, ToolReading } from './reader.js';

/** The table that amd-smi prints without a command, from release 26 on (ROCm 7). */
export function readAmdTable(lines: readonly string[]): readonly ToolReading[] {
  return lines.flatMap((line, index) => (/^\s*\|\s*AMD-SMI\s+[\d.]/.test(line) ? tableAt(lines, index) : []));
}

/** Its heading has at most this many lines: versions, platform. */
const MOST_HEADING_LINES = 12;

function tableAt(lines: readonly string[], start: number): readonly ToolReading[] {
  const near = lines.slice(start, start + MOST_HEADING_LINES);
  const end = near.findIndex((line) => !/^\s*\|/.test(line));
  const heading = end < 0 ? near : near.slice(0, end);
  const columns = heading.findIndex((line) => /^\s*\|\s*GPU\s+HIP-ID\s+OAM-ID\s+Partition-Mode\s*\|/.test(line));
  const head = headOf(columns < 0 ? heading : heading.slice(0, columns), start);
  const rows =
    columns < 0 ? { devices: [], lastLine: start + heading.length, isCut: true } : rowsOf(lines, start + columns + 1);
  const region = { tool: 'amd-smi', firstLine: start + 1, lastLine: rows.lastLine };
  return amdReading(region, rows.devices, extentAt(lines, start, rows.isCut), head);
}

/** Releases 26 print several versions in one line, and cut each; 27 prints one a line. */
function headOf(heading: readonly string[], start: number): readonly Finding[] {
  const field = (pattern: RegExp): Printed<string> | undefined => {
    const index = heading.findIndex((line) => pattern.test(line));
    const value = pattern.exec(heading[index] ?? '')?.[1];
    return value === undefined ? undefined : { value, line: start + index + 1 };
  };
  const platform = field(/\|\s*Platform:\s+Linux ([A-Za-z]+)/);
  const isVirtual =
    platform &&
    new Map([
      ['Baremetal', false],
      ['Guest', true],
    ]).get(platform.value);
  return [
    ...foundAs('driver', printed(field(/\bamdgpu version:\s+(\S+)/i), driverVersion)),
    ...foundAs('rocm', printed(field(/\bROCm version:\s+(\S+)/i), release)),
    ...(platform && isVirtual !== undefined ? [{ key: 'host.virtual', value: isVirtual, line: platform.line }] : []),
  ];
}

interface Rows {
  readonly devices: readonly AmdDevice[];
  readonly lastLine: number;
  readonly isCut: boolean;
}

/** Two lines for a device, a rule between devices, and a rule with crosses below the last. */
function rowsOf(lines: readonly string[], start: number): Rows {
  const devices: AmdDevice[] = [];
  for (let index = start; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (/^\s*\+-+\+-+\+\s*$/.test(line)) return { devices, lastLine: index + 1, isCut: false };
    if (/^\s*\|[-=]+\+[-=]+\|\s*$/.test(line)) continue;
    const device = deviceAt(line, lines[index + 1] ?? '', index + 1);
    if (!device) return { devices, lastLine: index, isCut: true };
    devices.push(device);
    index += 1;
  }
  return { devices, lastLine: lines.length, isCut: true };
}

function deviceAt(upper: string, lower: string, line: number): AmdDevice | null {
  const [, address, name] = /^\s*\|\s*([0-9a-f:.]{12}|N\/A)\s([^|]*)\|/i.exec(upper) ?? [];
  const [, index, mode] = /^\s*\|\s*(\d{1,4})\s+\S+\s+\S+\s+(\S+)\s*\|/.exec(lower) ?? [];
  if (address === undefined || name === undefined || index === undefined || mode === undefined) return null;
  const device: AmdDevice = { index: Number(index), line, place: placeOf(address) };
  const [compute = '', memory = ''] = mode.split('/');
  const power = /\/(\d{1,5}) W\s*\|\s*$/.exec(upper)?.[1];
  const size = /\/(\d{1,9} MB)\s*\|\s*$/.exec(lower)?.[1];
  device.name = printed({ value: name, line }, deviceName);
  device.partition = printed({ value: compute, line: line + 1 }, computePartition);
  device.memoryPartition = memoryPartitionOf(memory);
  device.powerLimit = power === undefined ? undefined : printed({ value: power, line }, watts);
  if (size !== undefined && !isApu(name)) device.memory = printed({ value: size, line: line + 1 }, gibibytes);
  return device;
}

/** For a GPU in one package with the CPU this table prints what the GPU may take of the host's memory. */
const isApu = (name: string): boolean => /\bMI300A\b|\bGraphics\s*$/.test(name);
