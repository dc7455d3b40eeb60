import type { Finding, ReadingProblem, ToolReading } from './reader.js';

/** What a tool prints about one property of a device, still as text. */
export interface Printed {
  readonly text: string;
  readonly line: number;
}

interface Fact {
  readonly value: Finding['value'];
  readonly line: number;
}

/** What the forms of nvidia-smi say about one GPU, by key of environment-keys.yaml. */
export type NvidiaDevice = ReadonlyMap<string, Fact>;

/** One place of nvidia-smi, whatever the form: text, XML, CSV or table. */
export interface NvidiaInventory {
  readonly tool: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly driver?: Printed | undefined;
  /** The newest CUDA that the driver supports. */
  readonly cuda?: Printed | undefined;
  /** Null where the place does not tell how many GPUs the machine has. */
  readonly count: NvidiaCount | null;
  readonly devices: readonly NvidiaDevice[];
  readonly problems: readonly ReadingProblem[];
}

export interface NvidiaCount {
  readonly count: number;
  readonly line: number;
}

const MOST_GPUS = 1024;
/** What stands where nvidia-smi has no value: `N/A`, `[N/A]`, `[GPU is lost]`, `Unknown Error`, ... */
const noValue =
  /^(?:\[|N\/A|Unknown|ERR!|Not |None$|Insufficient|Requested functionality|Deprecated|(?:NVIDIA )?Graphics Device$|-+$)/i;

const readers = {
  'gpu.name': nameOf,
  architecture: (text: string) => /^(?!Unknown|Not |None)[A-Z][a-z]+/.exec(text)?.[0].toLowerCase() ?? null,
  // MiB come whole: a point among them separates thousands
  'gpu.memory': (text: string) => (/\d[.,]\d/.test(text) ? null : gibibytes(numberBefore(text, /^Mi?B$/))),
  'gpu.computeCapability': (text: string) => /^\d{1,2}\.\d$/.exec(text)?.[0] ?? null,
  'gpu.mig': migOf,
  'gpu.ecc': switchOf,
  'gpu.persistence': switchOf,
  'gpu.power_limit': (text: string) => numberBefore(text, /^W$/),
  'pcie.generation': (text: string) => numberBefore(text, /^$/),
  'pcie.width': (text: string) => numberBefore(text, /^x$/),
  'host.virtual': virtualOf,
  'capability.nvlink-c2c': (text: string) => (text === 'Enabled' ? true : null),
};

export type NvidiaKey = keyof typeof readers;
const keys: readonly string[] = Object.keys(readers);

/** The value of one property from the text that nvidia-smi prints; null where it prints none, or no unit. */
export function nvidiaValue(key: NvidiaKey, text: string): string | number | boolean | null {
  return readers[key](text.trim());
}

function nameOf(text: string): string | null {
  const isName = text.length > 1 && text.length <= 80 && !text.endsWith('...') && !noValue.test(text);
  return isName && /[A-Za-z]/.test(text) ? text : null;
}

function numberBefore(text: string, unit: RegExp): number | null {
  const [, digits, rest] = /^(\d{1,9}(?:\.\d{1,6})?)\s*(.{0,8})$/.exec(text) ?? [];
  const value = Number(digits);
  return digits !== undefined && unit.test(rest ?? '') && value > 0 ? value : null;
}

const gibibytes = (mebibytes: number | null) => (mebibytes === null ? null : Math.round(mebibytes / 102.4) / 10);

/** A GPU without MIG prints `N/A`, which is as good as off; a star says that a change waits for a reset. */
function migOf(text: string): string | null {
  if (/^(?:Disabled\*?|\[?N\/A\]?)$/.test(text)) return 'none';
  return /^Enabled\*?$/.test(text) ? 'enabled' : null;
}

function switchOf(text: string): string | null {
  if (/^(?:Enabled|On)$/.test(text)) return 'enabled';
  return /^(?:Disabled|Off)$/.test(text) ? 'disabled' : null;
}

/** `Host VGPU` may be a hypervisor on the machine itself or a privileged guest: it says nothing. */
function virtualOf(text: string): boolean | null {
  if (/^(?:Pass-Through|VGPU)$/i.test(text)) return true;
  return text === 'None' ? false : null;
}

/** Where a form prints the properties; the first place of a key that has a value counts. */
export interface NvidiaPlaces {
  readonly properties: readonly (readonly [place: string, key: NvidiaKey])[];
  readonly driverModel: string;
}

/** The GPU that these texts describe. */
export function nvidiaDevice(printed: ReadonlyMap<string, Printed>, places: NvidiaPlaces): NvidiaDevice {
  const device = new Map<string, Fact>();
  const isLinux = printed.get(places.driverModel)?.text === 'N/A';
  for (const [place, key] of places.properties) {
    const found = printed.get(place);
    const value = found && !device.has(key) ? nvidiaValue(key, found.text) : null;
    // WSL is a virtual machine with the driver model of Windows, and says "None" as a machine of its own does.
    const saysNothing = value === null || (value === false && !isLinux);
    if (found && !saysNothing) device.set(key, { value, line: found.line });
  }
  return device;
}

/** The version at the start of the text: newer drivers add a remark after it. */
function versionOf(printed: Printed | undefined, key: string): readonly Finding[] {
  const version = /^\s*(\d+(?:\.\d+)+)/.exec(printed?.text ?? '')?.[1];
  return printed && version !== undefined ? [{ key, value: version, line: printed.line }] : [];
}

/** The findings of one place: each property once, a list of values where the GPUs differ. */
export function nvidiaReading(inventory: NvidiaInventory): ToolReading {
  const { tool, firstLine, lastLine, count, devices } = inventory;
  const machine: readonly Finding[] = [
    { key: 'vendor', value: 'nvidia', line: firstLine },
    ...nvidiaCounts(count),
    ...versionOf(inventory.driver, 'driver'),
    ...versionOf(inventory.cuda, 'driver.cuda'),
  ];
  const properties = keys.flatMap((key) => merged(key, devices));
  const problems = [...inventory.problems, ...kindsProblem(properties)];
  return { tool, firstLine, lastLine, findings: [...machine, ...properties], problems };
}

/** The number of GPUs of this machine, under the key of the machine and under that of all machines. */
export function nvidiaCounts(count: NvidiaCount | null): readonly Finding[] {
  if (!count || count.count < 1 || count.count > MOST_GPUS) return [];
  return ['gpu.per_node', 'gpu.count'].map((key) => ({ key, value: count.count, line: count.line }));
}

function merged(key: string, devices: readonly NvidiaDevice[]): readonly Finding[] {
  const facts = devices.flatMap((device) => device.get(key) ?? []);
  const values = [...new Set(facts.flatMap(({ value }) => value))];
  const [value] = values;
  if (facts[0] === undefined || value === undefined) return [];
  return [{ key, value: values.length === 1 ? value : values, line: facts[0].line }];
}

function kindsProblem(findings: readonly Finding[]): readonly ReadingProblem[] {
  const name = findings.find(({ key, value }) => key === 'gpu.name' && typeof value === 'object');
  if (!name || typeof name.value !== 'object') return [];
  const message = {
    en: `${name.value.length} kinds of GPU here: ${name.value.join(', ')}`,
    zh: `这里有 ${name.value.length} 种 GPU：${name.value.join('、')}`,
  };
  return [{ line: name.line, message }];
}

/** The number of GPUs that the tool states; null where it is missing or no number. */
export function statedCount(printed: Printed | undefined): NvidiaCount | null {
  if (!printed || !/^\s*\d{1,4}\s*$/.test(printed.text)) return null;
  return { count: Number(printed.text), line: printed.line };
}

/** What is wrong where the tool states how many GPUs there are and prints others. */
export function printedOf(printed: number, stated: NvidiaCount): readonly ReadingProblem[] {
  if (printed === stated.count) return [];
  const message = {
    en: `The tool states ${stated.count} attached GPUs and prints ${printed} here`,
    zh: `工具报告共有 ${stated.count} 块 GPU，但此处只列出了 ${printed} 块`,
  };
  return [{ line: stated.line, message }];
}

/** The numbers of GPUs run from 0 without a gap where all are listed; else a problem in place of a count. */
export function countOfIndexes(
  indexes: readonly number[],
  line: number,
): { readonly count: NvidiaCount | null; readonly problems: readonly ReadingProblem[] } {
  const isWhole = indexes.length > 0 && indexes.every((index, position) => index === position);
  return isWhole ? { count: { count: indexes.length, line }, problems: [] } : { count: null, problems: [partly(line)] };
}

/** Not all GPUs of the machine are listed, so their number is unknown. */
export function partly(line: number): ReadingProblem {
  const message = {
    en: 'Only some GPUs of the machine are listed here, so their number is unknown',
    zh: '此处只列出了部分 GPU，无法得知 GPU 总数',
  };
  return { line, message };
}

/** Whether the command above this line chooses GPUs with `-i`. */
export function choosesDevices(lines: readonly string[], index: number): boolean {
  const above = lines.slice(Math.max(0, index - 3), index);
  return above.some(
    (line) => line.length < 4000 && line.includes('nvidia-smi') && /\s(?:-i|--id)(?:[\s=]|\d)/.test(line),
  );
}

/** A name that NVIDIA gives to its GPUs. Other vendors have tools with the same options and forms. */
export const isNvidiaName = (name: string): boolean =>
  /^(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID|RTX|NVS|Graphics Device|Orin|Xavier|Thor|Tegra|[ABHLMPTV]\d{1,4}(?![\w.]))/.test(
    name,
  );

/** The line without the marks of a quoted block. */
export const unquoted = (line: string | undefined): string => (line ?? '').replace(/^\s{0,8}(?:>\s?){1,4}/, '');
