import {
  amdDeviceReading,
  architectureOf,
  computePartition,
  deviceName,
  driverVersion,
  memoryPartitionOf,
  placeOf,
  type AmdDevice,
  type Extent,
} from './amd-smi-devices.js';
import { gibibytes, linkFindings, watts, type LinkKind, type Printed } from './printed-values.js';
import type { Finding, ReadingProblem, ToolReading } from './reader.js';

/** The text of a value, by its path in lower case such as `asic.market_name`; undefined where it is not printed. */
export type ValueAt = (path: string) => Printed<string> | undefined;

/** One device of `amd-smi static` or `amd-smi list`, in any of its formats. */
export function amdDevice(index: number, line: number, at: ValueAt): AmdDevice {
  const device: AmdDevice = { index, line };
  const partitionId = at('partition.partition_id') ?? at('partition_id');
  const memoryPartition = at('partition.memory_partition');
  const address = at('bus.bdf') ?? at('bdf');
  if (address) device.place = placeOf(address.value);
  if (memoryPartition) device.memoryPartition = memoryPartitionOf(memoryPartition.value);
  if (partitionId && /^\d{1,2}$/.test(partitionId.value)) device.partitionId = Number(partitionId.value);
  device.name = printed(at('asic.market_name'), deviceName);
  device.architecture = printed(at('asic.target_graphics_version'), architectureOf);
  device.memory = printed(at('vram.size'), gibibytes);
  device.powerLimit = printed(at('limit.socket_power') ?? at('limit.ppt0.socket_power_limit'), watts);
  device.ecc = printed(at('ras.ecc_block_state.umc'), eccState);
  device.partition = printed(
    at('partition.compute_partition') ?? at('partition.accelerator_partition'),
    computePartition,
  );
  return device;
}

export function amdDriver(at: ValueAt): Printed<string> | undefined {
  return printed(at('driver.version') ?? at('driver.driver_version'), driverVersion);
}

/** Of a device whose vendor is printed and is not AMD. */
export function isOfOtherVendor(at: ValueAt): boolean {
  const id = at('asic.vendor_id')?.value.toLowerCase();
  return id !== undefined && id !== 'n/a' && id !== '0x1002';
}

export function printed<Value>(
  found: Printed<string> | undefined,
  read: (text: string) => Value | undefined,
): Printed<Value> | undefined {
  const value = found && read(found.value);
  return found && value !== undefined ? { value, line: found.line } : undefined;
}

/** The memory of the device is the block UMC. */
function eccState(text: string): 'enabled' | 'disabled' | undefined {
  const state = text.trim().toLowerCase();
  return state === 'enabled' || state === 'disabled' ? state : undefined;
}

export const amdLink = (text: string): LinkKind => (text === 'XGMI' ? 'xgmi' : text === 'PCIE' ? 'pcie' : 'unknown');

/** Links between devices of different accelerators: what joins the partitions of one is no link. */
export function amdLinkFindings(links: readonly Printed<LinkKind>[]): readonly Finding[] {
  return linkFindings(links, { kind: 'xgmi', capability: 'infinity-fabric' });
}

/** A version; undefined for N/A and for what the default table cuts to 8 characters, such as Linuxver. */
export function release(text: string): string | undefined {
  return /^\d[\w.+~-]*$/.exec(text.trim())?.[0];
}

interface Region {
  readonly tool: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The reading of one place; none where nothing was found. */
export function amdReading(
  region: Region,
  devices: readonly AmdDevice[],
  extent: Extent,
  more: readonly Finding[],
  problems: readonly ReadingProblem[] = [],
): readonly ToolReading[] {
  const reading = amdDeviceReading(devices, extent);
  const findings = [...reading.findings, ...more];
  return findings.length === 0 ? [] : [{ ...region, findings, problems: [...reading.problems, ...problems] }];
}

export function foundAs(key: string, value: Printed<string> | undefined): readonly Finding[] {
  return value ? [{ key, value: value.value, line: value.line }] : [];
}
