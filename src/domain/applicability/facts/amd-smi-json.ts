import {
  computePartition,
  deviceName,
  driverVersion,
  memoryPartitionOf,
  placeOf,
  type AmdDevice,
} from './amd-smi-devices.js';
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
import { isObject, join, jsonLines, type JsonObject } from './json-lines.js';
import { extentAt } from './amd-smi-text.js';
import { gibibytes, watts, type Printed } from './printed-values.js';
import type { FactReader, JsonBlock, ToolReading, ToolText } from './reader.js';

export const readAmdJson: FactReader['read'] = (text) =>
  text.json.filter(isOurs).flatMap((block) => {
    const document: Document = { text, block, lines: jsonLines(text, block) };
    return isObject(block.value) ? readObject(document, block.value) : readList(document, block.value, '');
  });

/** A quick look, so that the JSON of other tools costs nothing. */
function isOurs({ value }: JsonBlock): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(first) && ['gpu', 'tool', 'gpu_data', 'gpu_info_list'].some((key) => key in first);
}

interface Document {
  readonly text: ToolText;
  readonly block: JsonBlock;
  readonly lines: ReadonlyMap<string, number>;
}

function readObject(document: Document, value: JsonObject): readonly ToolReading[] {
  if (isObject(value['version_info']) && 'gpu_info_list' in value) return readDefault(document, value);
  if ('gpu_data' in value) return readList(document, value['gpu_data'], 'gpu_data');
  return isVersion(value) ? readVersion(document, '', value) : [];
}

/** Lists of devices; releases before 26 print them without the member `gpu_data` around. */
function readList(document: Document, value: unknown, path: string): readonly ToolReading[] {
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  const [first] = items;
  if (!first || !Array.isArray(value) || items.length !== value.length) return [];
  if (isVersion(first)) return readVersion(document, join(path, '0'), first);
  if (!items.every((item) => Number.isInteger(item['gpu']))) return [];
  if (items.every((item) => 'links' in item)) return readTopology(document, items, path);
  if (items.some(isStatic)) return readDevices(document, items, path, 'amd-smi static');
  const isList = items.every((item) => 'bdf' in item && 'uuid' in item);
  return isList ? readDevices(document, items, path, 'amd-smi list') : [];
}

/** Members of the sections of `amd-smi static` that no other tool has. */
const staticMembers: readonly (readonly [string, string])[] = [
  ['asic', 'market_name'],
  ['bus', 'max_pcie_width'],
  ['vram', 'bit_width'],
  ['partition', 'memory_partition'],
];

function isStatic(item: JsonObject): boolean {
  const driver = item['driver'];
  if (isObject(driver) && driver['name'] === 'amdgpu') return true;
  return staticMembers.some(([section, member]) => {
    const values = item[section];
    return isObject(values) && member in values;
  });
}

const isVersion = (value: JsonObject): boolean => value['tool'] === 'AMDSMI Tool';

function readVersion(document: Document, path: string, value: JsonObject): readonly ToolReading[] {
  const at = valueAt(document, value, path);
  const driver = printed(at('amdgpu_version') ?? at('driver_version'), driverVersion);
  const found = [...foundAs('driver', driver), ...foundAs('rocm', printed(at('rocm_version'), release))];
  return amdReading(regionOf(document, 'amd-smi version'), [], 'ALL', found);
}

function readDevices(
  document: Document,
  items: readonly JsonObject[],
  path: string,
  tool: string,
): readonly ToolReading[] {
  const accessors = items.map((item, place) => valueAt(document, item, join(path, String(place))));
  if (accessors.some(isOfOtherVendor)) return [];
  const devices = items.map((item, place) => {
    const line = lineOf(document, join(join(path, String(place)), 'gpu'));
    return amdDevice(Number(item['gpu']), line, accessors[place] ?? (() => undefined));
  });
  const [driver] = accessors.flatMap((at) => amdDriver(at) ?? []);
  return amdReading(regionOf(document, tool), devices, extentOf(document), foundAs('driver', driver));
}

function readTopology(document: Document, items: readonly JsonObject[], path: string): readonly ToolReading[] {
  const places = items.map((item) => placeOf(String(item['bdf'])));
  const devices = items.map(({ gpu }, index): AmdDevice => {
    return { index: Number(gpu), line: lineOf(document, join(join(path, String(index)), 'gpu')), place: places[index] };
  });
  const links = items.flatMap((item, index) =>
    (Array.isArray(item['links']) ? item['links'] : []).filter(isObject).flatMap((link, place) => {
      const isSame = link['gpu'] === item['gpu'] || placeOf(String(link['bdf'])) === (places[index] ?? '');
      const line = lineOf(document, `${join(path, String(index))}/links/${place}/link_type`);
      return isSame || !('link_type' in link) ? [] : { value: amdLink(String(link['link_type'])), line };
    }),
  );
  return amdReading(regionOf(document, 'amd-smi topology'), devices, extentOf(document), amdLinkFindings(links));
}

/** `amd-smi --json` without a command. */
function readDefault(document: Document, value: JsonObject): readonly ToolReading[] {
  const info = isObject(value['version_info']) ? value['version_info'] : {};
  const rocm: unknown = Array.isArray(info['rocm version']) ? info['rocm version'][1] : undefined;
  const driverKey = 'amdgpu version' in info ? 'amdgpu version' : 'driver info';
  const driver = isObject(info[driverKey]) ? info[driverKey]['driver_version'] : info[driverKey];
  const list = Array.isArray(value['gpu_info_list']) ? value['gpu_info_list'].filter(isObject) : [];
  const devices = list.map((item, place) => defaultDevice(document, item, `gpu_info_list/${place}`, place));
  const of = (text: unknown, key: string): Printed<string> => {
    return { value: typeof text === 'string' ? text : '', line: lineOf(document, `version_info/${key}`) };
  };
  return amdReading(regionOf(document, 'amd-smi --json'), devices, extentOf(document), [
    ...foundAs('driver', printed(of(driver, driverKey), driverVersion)),
    ...foundAs('rocm', printed(of(rocm, 'rocm version'), release)),
  ]);
}

function defaultDevice(document: Document, item: JsonObject, path: string, place: number): AmdDevice {
  const at = valueAt(document, item, path);
  const mode = at('partition_mode');
  const [compute = '', memory = ''] = mode?.value.split('/') ?? [];
  return {
    index: Number.isInteger(item['gpu_id']) ? Number(item['gpu_id']) : place,
    line: lineOf(document, `${path}/gpu_id`),
    name: printed(at('market_name'), deviceName),
    partition: mode && printed({ value: compute, line: mode.line }, computePartition),
    memoryPartition: memoryPartitionOf(memory),
    memory: printed(at('mem_usage.total_vram'), gibibytes),
    powerLimit: printed(at('power_usage.power_limit'), watts),
    place: placeOf(at('bdf')?.value ?? ''),
  };
}

/** Values with a unit are objects: `{ "value": 196592, "unit": "MB" }`. */
function valueAt(document: Document, item: JsonObject, base: string): ValueAt {
  return (path) => {
    let value: unknown = item;
    let place = base;
    for (const key of path.split('.')) {
      if (!isObject(value)) return undefined;
      // the blocks of the RAS are in capitals: UMC
      const own = key in value ? key : key.toUpperCase();
      value = Object.hasOwn(value, own) ? value[own] : undefined;
      place = join(place, own);
    }
    const text = isObject(value) ? `${String(value['value'])} ${String(value['unit'])}` : value;
    if (typeof text !== 'string' && typeof text !== 'number') return undefined;
    return { value: String(text), line: lineOf(document, place) };
  };
}

const lineOf = ({ lines, block }: Document, path: string): number => lines.get(path) ?? block.firstLine;

const regionOf = ({ block: { firstLine, lastLine } }: Document, tool: string) => ({ tool, firstLine, lastLine });

const extentOf = ({ text, block }: Document) => extentAt(text.lines, block.firstLine - 1, false);
