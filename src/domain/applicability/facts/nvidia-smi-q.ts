import {
  nvidiaDevice,
  nvidiaReading,
  printedOf,
  statedCount,
  unquoted,
  type NvidiaPlaces,
  type Printed,
} from './nvidia-devices.js';
import type { FactReader, ReadingProblem, ToolReading } from './reader.js';

const startsLog = (line: string) => /^\s*={3,}\s?NVSMI LOG\s?={3,}\s*$/.test(line);
const gpuWithBusId = /^\s*GPU [0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-9A-F]\s*$/i;
const versions = ['driver version', 'kmd version', 'cuda version', 'cuda umd version'];

/** Sections and names of the output, in lower case: older drivers write some words otherwise. */
const places: NvidiaPlaces = {
  driverModel: 'driver model/current',
  properties: [
    ['product name', 'gpu.name'],
    ['product architecture', 'architecture'],
    ['fb memory usage/total', 'gpu.memory'],
    ['mig mode/current', 'gpu.mig'],
    ['ecc mode/current', 'gpu.ecc'],
    ['persistence mode', 'gpu.persistence'],
    ['gpu power readings/current power limit', 'gpu.power_limit'],
    ['gpu power readings/enforced power limit', 'gpu.power_limit'],
    ['power readings/enforced power limit', 'gpu.power_limit'],
    ['power readings/power limit', 'gpu.power_limit'],
    ['pci/gpu link info/pcie generation/max', 'pcie.generation'],
    ['pci/gpu link info/link width/max', 'pcie.width'],
    ['gpu virtualization mode/virtualization mode', 'host.virtual'],
    ['gpu c2c mode', 'capability.nvlink-c2c'],
  ],
};
const wanted = new Set([...places.properties.map(([place]) => place), places.driverModel]);

/** These stand first in their section; elsewhere the heading of another section is missing. */
const standsFirst = /\/(?:total|current|max)$/;

interface Section {
  readonly indent: number;
  readonly path: string;
  entries: number;
}

/** One GPU of the output: its line, and the values asked for by the path of their sections, in lower case. */
export interface LogGpu {
  readonly line: number;
  readonly printed: ReadonlyMap<string, Printed>;
}

/** One printing of the output. */
export interface SmiLog {
  readonly firstLine: number;
  readonly lastLine: number;
  /** What stands above the GPUs, by its name in lower case. */
  readonly header: ReadonlyMap<string, Printed>;
  readonly gpus: readonly LogGpu[];
}

class Gpu implements LogGpu {
  readonly printed = new Map<string, Printed>();
  private readonly sections: Section[] = [];

  constructor(
    readonly line: number,
    private readonly wanted: ReadonlySet<string>,
  ) {}

  take(text: string, indent: number, line: number): void {
    while ((this.sections.at(-1)?.indent ?? -1) >= indent) this.sections.pop();
    const { name, value } = entryOf(text);
    const above = this.sections.at(-1);
    const path = above ? `${above.path}/${name}` : name;
    if (above) above.entries += 1;
    this.sections.push({ indent, path, entries: 0 });
    const isMisplaced = standsFirst.test(path) && above?.entries !== 1;
    if (value === '' || isMisplaced || !this.wanted.has(path) || this.printed.has(path)) return;
    this.printed.set(path, { text: value, line });
  }
}

/** `Name   : value`, or the name of a section. */
function entryOf(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf(' : ');
  const name = at < 0 ? text.trim().replace(/\s:$/, '') : text.slice(0, at).trim();
  return { name: name.toLowerCase(), value: at < 0 ? '' : text.slice(at + 3).trim() };
}

const indentOf = (text: string) => text.length - text.trimStart().length;

/** One place of the output, from the line of its title, or of its first GPU where the title is cut. */
class Log implements SmiLog {
  readonly gpus: Gpu[] = [];
  readonly header = new Map<string, Printed>();
  lastLine: number;
  private readonly indent: number;

  constructor(
    title: string,
    readonly firstLine: number,
    private readonly wanted: ReadonlySet<string>,
  ) {
    this.lastLine = firstLine;
    this.indent = indentOf(title);
    if (!startsLog(title)) this.gpus.push(new Gpu(firstLine, wanted));
  }

  /** False where the line stands after the end of this place. */
  take(text: string, line: number): boolean {
    if (text.trim() === '') return true;
    if (startsLog(text) || (indentOf(text) <= this.indent && !this.takeOuter(text, line))) return false;
    if (indentOf(text) > this.indent) this.gpus.at(-1)?.take(text, indentOf(text), line);
    this.lastLine = line;
    return true;
  }

  private takeOuter(text: string, line: number): boolean {
    const isGpu = this.header.has('attached gpus') ? /^\s*GPU \S+\s*$/.test(text) : gpuWithBusId.test(text);
    if (isGpu) this.gpus.push(new Gpu(line, this.wanted));
    else if (this.gpus.length === 0) return this.takeHeader(text, line);
    return isGpu;
  }

  private takeHeader(text: string, line: number): boolean {
    const { name, value } = entryOf(text);
    if (!/^(?:timestamp|attached gpus|vgpu |hic )/.test(name) && !versions.includes(name)) return false;
    if (!this.header.has(name)) this.header.set(name, { text: value, line });
    return true;
  }

  reading(): ToolReading {
    const { firstLine, lastLine, gpus, header } = this;
    const count = statedCount(header.get('attached gpus'));
    return nvidiaReading({
      tool: 'nvidia-smi -q',
      firstLine,
      lastLine,
      driver: header.get('kmd version') ?? header.get('driver version'),
      cuda: header.get('cuda umd version') ?? header.get('cuda version'),
      count,
      devices: gpus.map(({ printed }) => nvidiaDevice(printed, places)),
      problems: count ? printedOf(gpus.length, count) : [withoutHeader(firstLine)],
    });
  }
}

function withoutHeader(line: number): ReadingProblem {
  const message = {
    en: 'The number of attached GPUs is missing: paste the output of nvidia-smi -q from its first line',
    zh: '缺少已连接 GPU 的数量：请从第一行开始粘贴 nvidia-smi -q 的输出',
  };
  return { line, message };
}

/** A GPU whose title and header are cut off begins with the name of the product. */
function startsWithGpu(lines: readonly string[], index: number): boolean {
  return gpuWithBusId.test(unquoted(lines[index])) && /^\s+Product Name\s+: /.test(unquoted(lines[index + 1]));
}

/** The text that `nvidia-smi -q` prints, whole or for chosen sections (`-d`). MIG devices are not GPUs. */
export const nvidiaSmiQ: FactReader = {
  tools: ['nvidia-smi -q'],

  read: ({ lines }): readonly ToolReading[] => logsOf(lines, wanted).map((log) => log.reading()),
};

/** Every printing of the output in these lines, with the values at these paths, such as `utilization/gpu`. */
export function nvidiaSmiLogs(lines: readonly string[], paths: ReadonlySet<string>): readonly SmiLog[] {
  return logsOf(lines, paths);
}

function logsOf(lines: readonly string[], paths: ReadonlySet<string>): readonly Log[] {
  const logs: Log[] = [];
  let open: Log | null = null;
  // What follows the last end of a line is nothing, or a line that may be cut within a name or a number.
  for (const [index, raw] of lines.slice(0, -1).entries()) {
    const text = unquoted(raw);
    if (open?.take(text, index + 1)) continue;
    open = startsLog(text) || startsWithGpu(lines, index) ? new Log(text, index + 1, paths) : null;
    if (open) logs.push(open);
  }
  return logs.filter(({ gpus, header }) => gpus.length > 0 || header.size > 0);
}
