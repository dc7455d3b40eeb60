import { amdDeviceReading, driverVersion, type AmdDevice } from './amd-smi-devices.js';
import { isObject, join, jsonLines, type JsonObject } from './json-lines.js';
import { isAskedWith, linkFindings } from './printed-values.js';
import type { FactReader, Finding, JsonBlock, ToolReading, ToolText } from './reader.js';
import { isRocmField, rocmLink, takeField } from './rocm-smi-fields.js';

/** The object that `rocm-smi --json` prints: `card0`, `card1`, ... and `system`. */
export const readRocmJson: FactReader['read'] = (text) => text.json.flatMap((block) => readBlock(text, block));

function readBlock(text: ToolText, block: JsonBlock): readonly ToolReading[] {
  if (!isObject(block.value)) return [];
  const cards = cardsOf(block.value);
  const system = isObject(block.value['system']) ? block.value['system'] : {};
  if (cards.some(isForeign) || !(cards.some(hasFacts) || Object.keys(system).some(isOfSystem))) return [];
  const lines = jsonLines(text, block);
  const lineOf = (...path: readonly string[]): number => lines.get(path.reduce(join, '')) ?? block.firstLine;
  const devices = cards.map((card) => deviceOf(card, lineOf)).sort((one, other) => one.index - other.index);
  const isSelection = isAskedWith(text.lines, block.firstLine - 1, /\brocm-smi\b/, /\s(?:-d|--device)\b/);
  const { findings, problems } = amdDeviceReading(devices, isSelection ? 'SELECTION' : 'ALL');
  const all = [...findings, ...systemFindings(system, lineOf)];
  if (all.length === 0) return [];
  const { firstLine, lastLine } = block;
  return [{ tool: 'rocm-smi --json', firstLine, lastLine, findings: all, problems }];
}

interface Card {
  readonly key: string;
  readonly fields: JsonObject;
}

const cardsOf = (value: JsonObject): readonly Card[] =>
  Object.entries(value).flatMap(([key, fields]) =>
    /^card\d{1,4}$/.test(key) && isObject(fields) ? [{ key, fields }] : [],
  );

const hasFacts = ({ fields }: Card): boolean => Object.keys(fields).some(isRocmField);

const isForeign = ({ fields }: Card): boolean =>
  Object.entries(fields).some(
    ([field, value]) => /^card vendor$/i.test(field) && !String(value).includes('Advanced Micro Devices'),
  );

const linkKey = /^\(Topology\) Link type between DRM devices \d{1,4} and \d{1,4}$/;

const isOfSystem = (key: string): boolean => key === 'Driver version' || linkKey.test(key);

function deviceOf({ key, fields }: Card, lineOf: (...path: readonly string[]) => number): AmdDevice {
  const device: AmdDevice = { index: Number(key.slice(4)), line: lineOf(key) };
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'string' || typeof value === 'number')
      takeField(device, field, String(value), lineOf(key, field));
  }
  return device;
}

function systemFindings(system: JsonObject, lineOf: (...path: readonly string[]) => number): readonly Finding[] {
  const printed = system['Driver version'];
  const version = typeof printed === 'string' ? driverVersion(printed) : undefined;
  const driver =
    version === undefined ? [] : [{ key: 'driver', value: version, line: lineOf('system', 'Driver version') }];
  const links = Object.entries(system).flatMap(([key, value]) =>
    linkKey.test(key) ? { value: rocmLink(String(value)), line: lineOf('system', key) } : [],
  );
  return [...driver, ...linkFindings(links, { kind: 'xgmi', capability: 'infinity-fabric' })];
}
