import { computePartition, memoryPartitionOf, placeOf, type AmdDevice, type Extent } from './amd-smi-devices.js';
import {
  amdDevice,
  amdDriver,
  amdLink,
  amdLinkFindings,
  amdReading,
  foundAs,
  isOfOtherVendor,
  printed,
  release,
  type ValueAt,
} from './amd-smi-fields.js';
import { cutMatrix, isAskedWith, linkMatrixAt, type LinkMatrix, type Printed } from './printed-values.js';
import { driverVersion } from './amd-smi-devices.js';
import type { ToolReading } from './reader.js';

/** One line: `AMDSMI Tool: … | AMDSMI Library version: … | ROCm version: … | amdgpu version: …`. */
export function readAmdVersion(lines: readonly string[]): readonly ToolReading[] {
  return lines.flatMap((line, index) => {
    if (!/^\s*AMDSMI Tool: .{0,200}\| AMDSMI Library version: /.test(line)) return [];
    const fields = new Map(line.split('|').map((field) => splitOnce(field)));
    const at = (name: string): Printed<string> | undefined => {
      const value = fields.get(name);
      return value === undefined ? undefined : { value, line: index + 1 };
    };
    const driver = printed(at('amdgpu version') ?? at('Driver version'), driverVersion);
    const found = [...foundAs('driver', driver), ...foundAs('rocm', printed(at('ROCm version'), release))];
    return amdReading({ tool: 'amd-smi version', firstLine: index + 1, lastLine: index + 1 }, [], 'ALL', found);
  });
}

function splitOnce(field: string): [string, string] {
  const at = field.indexOf(':');
  return at < 0 ? [field.trim(), ''] : [field.slice(0, at).trim(), field.slice(at + 1).trim()];
}

interface Block {
  readonly index: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** By path in lower case. */
  readonly values: ReadonlyMap<string, Printed<string>>;
  readonly sections: readonly string[];
}

/** Keys of `amd-smi static`, one or two of each section. */
const staticKeys = [
  'asic.market_name',
  'asic.vendor_id',
  'bus.max_pcie_width',
  'limit.max_power',
  'limit.ppt0',
  'driver.name',
  'driver.driver_name',
  'ras.eeprom_version',
  'partition.memory_partition',
  'vram.bit_width',
  'vram.size',
];

/** `amd-smi static` and `amd-smi list`: a block of indented keys for every `GPU: 0`. */
export function readAmdBlocks(lines: readonly string[]): readonly ToolReading[] {
  const groups: Block[][] = [];
  for (let index = 0; index < lines.length;) {
    const block = blockAt(lines, index);
    if (!block) {
      index += 1;
      continue;
    }
    const group = groups.at(-1);
    if (group && continues(lines, group.at(-1), block)) group.push(block);
    else groups.push([block]);
    index = block.lastLine;
  }
  return groups.flatMap((group) => readGroup(lines, group));
}

function continues(lines: readonly string[], last: Block | undefined, next: Block): boolean {
  if (!last || last.index >= next.index || kindOf(last) !== kindOf(next)) return false;
  return lines.slice(last.lastLine, next.firstLine - 1).every((line) => line.trim() === '');
}

function kindOf({ values }: Block): 'static' | 'list' | null {
  if (staticKeys.some((key) => values.has(key))) return 'static';
  return values.has('bdf') && values.has('uuid') ? 'list' : null;
}

/** The block that begins in this line with `GPU: 0`, null where none does. */
function blockAt(lines: readonly string[], start: number): Block | null {
  const [, margin, number] = /^(\s*)GPU: (\d{1,4})\s*$/.exec(lines[start] ?? '') ?? [];
  if (margin === undefined || number === undefined) return null;
  const values = new Map<string, Printed<string>>();
  const open: { readonly indent: number; readonly key: string }[] = [];
  const sections: string[] = [];
  let lastLine = start + 1;
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    if (indent <= margin.length) break;
    lastLine = index + 1;
    const [, key, value] = /^\s*([A-Z][A-Z0-9_ ]{0,60}):(?:\s(.*))?$/.exec(line) ?? [];
    if (key === undefined) continue;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    if (open.length === 0) sections.push(key.toLowerCase());
    open.push({ indent, key: key.toLowerCase() });
    const path = open.map((each) => each.key).join('.');
    if (!values.has(path)) values.set(path, { value: (value ?? '').trim(), line: index + 1 });
    if (open.length > 8) return null;
  }
  return { index: Number(number), firstLine: start + 1, lastLine, values, sections };
}

function readGroup(lines: readonly string[], group: readonly Block[]): readonly ToolReading[] {
  const [first] = group;
  const last = group.at(-1);
  const kind = first && kindOf(first);
  if (!first || !last || !kind) return [];
  const accessors = group.map(
    ({ values }): ValueAt =>
      (path) =>
        values.get(path),
  );
  if (accessors.some(isOfOtherVendor)) return [];
  const devices = group.map((block, place) => amdDevice(block.index, block.firstLine, accessors[place] ?? noValue));
  const isCut = last.sections.length < first.sections.length;
  const driver = accessors.flatMap((at) => amdDriver(at) ?? []);
  const region = { tool: `amd-smi ${kind}`, firstLine: first.firstLine, lastLine: last.lastLine };
  return amdReading(region, devices, extentAt(lines, first.firstLine - 1, isCut), foundAs('driver', driver[0]));
}

const noValue: ValueAt = () => undefined;

/** `-g all` asks for all. */
export function extentAt(lines: readonly string[], firstIndex: number, isCut: boolean): Extent {
  if (isAskedWith(lines, firstIndex, /\bamd-smi\b/, /\s(?:-g|--gpu)[ =](?!all\b)/)) return 'SELECTION';
  return isCut ? 'CUT' : 'ALL';
}

const address = /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]$/i;

/** The table of link types of `amd-smi topology`, whose labels are PCI addresses. */
export function readAmdTopology(lines: readonly string[]): readonly ToolReading[] {
  return lines.flatMap((line, index) => {
    if (!/^\s*LINK TYPE TABLE:\s*$/.test(line)) return [];
    const matrix = linkMatrixAt(lines, index + 1, address) ?? linkMatrixAt(lines, index + 2, address);
    if (!matrix) return [];
    const devices = matrix.labels.map((label, place) => ({
      index: place,
      line: matrix.firstLine,
      place: placeOf(label),
    }));
    const region = { tool: 'amd-smi topology', firstLine: index + 1, lastLine: matrix.lastLine };
    const links = matrix.isWhole ? amdLinkFindings(linksOf(matrix)) : [];
    const problems = matrix.isWhole ? [] : [cutMatrix(matrix.lastLine)];
    return amdReading(region, devices, extentAt(lines, topologyStart(lines, index), false), links, problems);
  });
}

/** The other tables of the same output stand above this one. */
function topologyStart(lines: readonly string[], index: number): number {
  const from = Math.max(0, index - 400);
  const above = lines.slice(from, index).findLastIndex((line) => /^\s*ACCESS TABLE:\s*$/.test(line));
  return above < 0 ? index : from + above;
}

function linksOf({ rows, labels }: LinkMatrix): Parameters<typeof amdLinkFindings>[0] {
  return rows.flatMap(({ label, cells, line }) =>
    cells.flatMap((cell, column) =>
      placeOf(label) === placeOf(labels[column] ?? '') ? [] : { value: amdLink(cell), line },
    ),
  );
}

const partitionColumns = /^\s*GPU_ID\s+MEMORY\s+ACCELERATOR_TYPE\s+ACCELERATOR_PROFILE_INDEX\s+PARTITION_ID\s*$/;

/** The table of the current modes of `amd-smi partition`. */
export function readAmdPartitions(lines: readonly string[]): readonly ToolReading[] {
  return lines.flatMap((line, index) => {
    if (!partitionColumns.test(line)) return [];
    const devices: AmdDevice[] = [];
    for (let row = index + 1; row < lines.length; row += 1) {
      const device = partitionRow(lines[row] ?? '', row + 1);
      if (!device) break;
      devices.push(device);
    }
    const region = { tool: 'amd-smi partition', firstLine: index + 1, lastLine: index + 1 + devices.length };
    return amdReading(region, devices, extentAt(lines, index, false), []);
  });
}

function partitionRow(line: string, number: number): AmdDevice | null {
  const [gpu, memory, mode, , id, ...rest] = line.trim().split(/\s+/);
  if (!/^\d{1,4}$/.test(gpu ?? '') || id === undefined || rest.length > 0) return null;
  const device: AmdDevice = { index: Number(gpu), line: number };
  device.memoryPartition = memoryPartitionOf(memory ?? '');
  device.partition = printed({ value: mode ?? '', line: number }, computePartition);
  // releases before ROCm 6.4.1 print all ids in the row of the first partition: 0,1,2,3
  if (/^\d{1,2}(?:,|$)/.test(id)) device.partitionId = Number.parseInt(id, 10);
  return device;
}
