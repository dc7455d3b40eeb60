import type { Finding, ReadingProblem } from './reader.js';
import { kindsProblem, printedFinding, type Printed } from './printed-values.js';

/** What rocm-smi or amd-smi says about one device: an accelerator, one die of it, or one partition. */
export interface AmdDevice {
  readonly index: number;
  readonly line: number;
  name?: Printed<string>;
  architecture?: Printed<string>;
  /** GiB */
  memory?: Printed<number>;
  /** W */
  powerLimit?: Printed<number>;
  ecc?: Printed<'enabled' | 'disabled'>;
  /** Compute partition: SPX, DPX, TPX, QPX or CPX. */
  partition?: Printed<string>;
  /** Memory partition: NPS1, NPS2, ... */
  memoryPartition?: string;
  partitionId?: number;
  /** PCI domain, bus and device, which the partitions of one accelerator share. It never leaves the reader. */
  place?: string;
}

/** Whether the devices of a place are all that the machine has, as far as the text tells. */
export type Extent = 'ALL' | 'SELECTION' | 'CUT';

/** More devices than one machine has accelerators: they must be partitions. */
const MOST_ACCELERATORS = 16;

/** Families of LLVM targets, in the words of the hardware profiles. */
const architectures: ReadonlyMap<string, string> = new Map([
  ['gfx908', 'cdna'],
  ['gfx90a', 'cdna2'],
  ['gfx940', 'cdna3'],
  ['gfx941', 'cdna3'],
  ['gfx942', 'cdna3'],
  ['gfx950', 'cdna4'],
  ['gfx1030', 'rdna2'],
  ['gfx1100', 'rdna3'],
  ['gfx1101', 'rdna3'],
  ['gfx1102', 'rdna3'],
  ['gfx1200', 'rdna4'],
  ['gfx1201', 'rdna4'],
  // ROCm 6.2 and 6.3 print the version in decimal, with a zero too many where the minor version is 0
  ['gfx9008', 'cdna'],
  ['gfx9010', 'cdna2'],
  ['gfx11000', 'rdna3'],
  ['gfx11001', 'rdna3'],
  ['gfx11002', 'rdna3'],
  ['gfx12000', 'rdna4'],
  ['gfx12001', 'rdna4'],
]);

export const architectureOf = (target: string): string | undefined =>
  architectures.get(target.trim().toLowerCase().split(':')[0] ?? '');

/** `0000:C1:00` of `0000:c1:00.0`: what the partitions of one accelerator share. */
export function placeOf(address: string): string | undefined {
  return /^([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2})\.[0-9a-f]$/.exec(address.trim().toLowerCase())?.[1];
}

export const computePartition = (text: string): string | undefined =>
  /^(?:SPX|DPX|TPX|QPX|CPX)$/.exec(text.trim())?.[0];
export const memoryPartitionOf = (text: string): string | undefined => /^NPS\d{1,2}$/.exec(text.trim())?.[0];

/** The version of the amdgpu driver. Where the driver is part of the kernel, both tools print the kernel's release. */
export function driverVersion(text: string): string | undefined {
  const version = /^(?:Linux ?version ?)?(\d[\w.+~-]*)/.exec(text.trim())?.[1];
  return version?.includes('.') ? version : undefined;
}

/** A name as printed; undefined for a device id in its place. */
export function deviceName(text: string): string | undefined {
  const name = text.trim();
  return name === '' || /^(?:0x[0-9a-f]*|N\/A|None|Unknown)$/i.test(name) || name.startsWith('...') ? undefined : name;
}

export interface DeviceReading {
  readonly findings: readonly Finding[];
  readonly problems: readonly ReadingProblem[];
}

/** Facts of the devices of one machine. Partitions of one accelerator are counted once, or not at all. */
export function amdDeviceReading(devices: readonly AmdDevice[], extent: Extent): DeviceReading {
  const [first] = devices;
  if (!first) return { findings: [], problems: [] };
  const names = devices.flatMap(({ name }) => name ?? []);
  const count = countOf(devices, extent);
  const memory = sharesMemory(devices) ? devices.flatMap((device) => device.memory ?? []) : [];
  return {
    findings: [
      { key: 'vendor', value: 'amd', line: first.line },
      ...printedFinding(
        'architecture',
        devices.flatMap(({ architecture }) => architecture ?? []),
      ),
      ...printedFinding('gpu.name', names),
      ...counted(count.accelerators, first.line),
      ...printedFinding(
        'gpu.partition',
        devices.flatMap(({ partition }) => partition ?? []),
      ),
      ...printedFinding('gpu.memory', memory),
      // the second die of an MI250 has no limit of its own: 0 W
      ...printedFinding('gpu.power_limit', devices.flatMap(({ powerLimit }) => powerLimit ?? []).filter(isPositive)),
      ...printedFinding(
        'gpu.ecc',
        devices.flatMap(({ ecc }) => ecc ?? []),
      ),
    ],
    problems: [...kindsProblem(names), ...count.problems],
  };
}

const isPositive = ({ value }: Printed<number>): boolean => value > 0;

function counted(accelerators: number | null, line: number): readonly Finding[] {
  if (accelerators === null) return [];
  return ['gpu.per_node', 'gpu.count'].map((key) => ({ key, value: accelerators, line }));
}

interface Count {
  readonly accelerators: number | null;
  readonly problems: readonly ReadingProblem[];
}

function countOf(devices: readonly AmdDevice[], extent: Extent): Count {
  const line = devices[0]?.line ?? 1;
  const notTaken = (en: string, zh: string): Count => ({
    accelerators: null,
    problems: [{ line, message: { en: `${en}: the number of GPUs is not taken`, zh: `${zh}，未采用 GPU 数量` } }],
  });
  if (extent === 'SELECTION') return notTaken('The command asks for some GPUs only', '命令只查询了部分 GPU');
  if (extent === 'CUT') return notTaken('The output is cut', '输出不完整');
  if (devices.some(({ index }, place) => index !== place))
    return notTaken('Some GPU numbers are missing here', '部分 GPU 编号缺失');
  const accelerators = accelerated(devices);
  if (accelerators === null) return notTaken('These are partitions of accelerators', '列出的是加速器的分区');
  return { accelerators, problems: [...partitionsNote(devices, accelerators), ...diesNote(devices, accelerators)] };
}

/** Partitions share the PCI device of their accelerator, and one of them has the id 0. */
function accelerated(devices: readonly AmdDevice[]): number | null {
  const places = devices.flatMap(({ place }) => place ?? []);
  if (places.length === devices.length) return new Set(places).size;
  if (devices.every(({ partitionId }) => partitionId !== undefined)) {
    return devices.filter(({ partitionId }) => partitionId === 0).length || null;
  }
  if (isPartitioned(devices)) return null;
  const isWhole = devices.every(({ partition }) => partition?.value === 'SPX');
  return isWhole || devices.length <= MOST_ACCELERATORS ? devices.length : null;
}

const isPartitioned = (devices: readonly AmdDevice[]): boolean =>
  devices.some(({ partition, partitionId }) => (partition && partition.value !== 'SPX') || (partitionId ?? 0) > 0);

/** With NPS1 each partition sees, and prints, the memory of the whole accelerator. */
function sharesMemory(devices: readonly AmdDevice[]): boolean {
  const modes = devices.flatMap(({ memoryPartition }) => memoryPartition ?? []);
  return modes.length === 0 ? !isPartitioned(devices) : modes.every((mode) => mode === 'NPS1');
}

function partitionsNote(devices: readonly AmdDevice[], accelerators: number): readonly ReadingProblem[] {
  if (accelerators === devices.length) return [];
  const en = `Partitions listed: ${devices.length}. Accelerators, which are counted: ${accelerators}`;
  const zh = `列出的是 ${accelerators} 个加速器的 ${devices.length} 个分区，按加速器计数`;
  return [{ line: devices[0]?.line ?? 1, message: { en, zh } }];
}

/** An MI250 or MI250X has two dies, and the tools list each as a device. */
function diesNote(devices: readonly AmdDevice[], count: number): readonly ReadingProblem[] {
  const line = devices.find(({ name }) => name && /\bMI250X?\b/i.test(name.value))?.name?.line;
  if (line === undefined) return [];
  const en = `Each of the ${count} devices is one die (GCD): an MI250 package has two`;
  const zh = `这 ${count} 个设备各为一个 GCD，一个 MI250 封装有两个 GCD。`;
  return [{ line, message: { en, zh } }];
}
