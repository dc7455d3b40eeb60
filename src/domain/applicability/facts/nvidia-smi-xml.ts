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

const root = 'nvidia_smi_log';
/** The tool prints a tag on each line; more lines than this without one belong to something else. */
const MOST_LINES_WITHOUT_TAG = 3;
/** The tool nests seven at most. */
const MOST_LEVELS = 20;

const places: NvidiaPlaces = {
  driverModel: 'driver_model/current_dm',
  properties: [
    ['product_name', 'gpu.name'],
    ['product_architecture', 'architecture'],
    ['fb_memory_usage/total', 'gpu.memory'],
    ['mig_mode/current_mig', 'gpu.mig'],
    ['ecc_mode/current_ecc', 'gpu.ecc'],
    ['persistence_mode', 'gpu.persistence'],
    ['gpu_power_readings/current_power_limit', 'gpu.power_limit'],
    ['gpu_power_readings/enforced_power_limit', 'gpu.power_limit'],
    ['power_readings/enforced_power_limit', 'gpu.power_limit'],
    ['power_readings/power_limit', 'gpu.power_limit'],
    ['pci/pci_gpu_link_info/pcie_gen/max_link_gen', 'pcie.generation'],
    ['pci/pci_gpu_link_info/link_widths/max_link_width', 'pcie.width'],
    ['gpu_virtualization_mode/virtualization_mode', 'host.virtual'],
    ['c2c_mode', 'capability.nvlink-c2c'],
  ],
};
const wanted = new Set([...places.properties.map(([place]) => place), places.driverModel]);
const header = new Set(['driver_version', 'kmd_version', 'cuda_version', 'cuda_umd_version', 'attached_gpus']);

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole);

/** A GPU whose tags do not match is damaged: its values could be those of another part, as of a MIG device. */
interface Gpu {
  readonly printed: Map<string, Printed>;
  isDamaged: boolean;
}

/** One document, read tag by tag, so that its layout does not matter. */
class XmlLog {
  readonly gpus: Gpu[] = [];
  readonly header = new Map<string, Printed>();
  lastLine: number;
  isClosed = false;
  private isDamaged = false;
  private path: string[] = [];
  private content: Printed | null = null;
  private linesWithoutTag = 0;

  constructor(readonly firstLine: number) {
    this.lastLine = firstLine;
  }

  /** False where the line does not belong to this document. */
  takeLine(text: string, line: number): boolean {
    const parts = [...text.matchAll(/<(\/?)([A-Za-z_][\w.-]*)((?![\w.-])[^<>]*)>|[^<]+|</g)];
    const hasTag = parts.some(([, , name]) => name !== undefined);
    this.linesWithoutTag = hasTag || text.trim() === '' ? 0 : this.linesWithoutTag + 1;
    if (this.linesWithoutTag > MOST_LINES_WITHOUT_TAG || text.includes('<?xml')) return false;
    for (const [whole, slash, name, rest] of parts) {
      if (this.isClosed) break;
      if (name === undefined) this.content ??= whole.trim() === '' ? null : { text: whole.trim(), line };
      else if (slash === '/') this.close(name);
      else if (!rest?.endsWith('/')) this.open(name);
    }
    if (hasTag) this.lastLine = line;
    return true;
  }

  private open(name: string): void {
    this.content = null;
    if (name === root) this.path = [root];
    else if (name === 'gpu') {
      if (this.path.length !== 1) this.damage();
      this.path = [root, 'gpu'];
      this.gpus.push({ printed: new Map(), isDamaged: false });
    } else if (this.path.length >= MOST_LEVELS) this.damage();
    else this.path.push(name);
  }

  private close(name: string): void {
    const { content } = this;
    this.content = null;
    if (this.path.at(-1) !== name) {
      this.damage();
      const at = this.path.lastIndexOf(name);
      if (at < 0) return;
      this.path.length = at + 1;
    } else if (content) this.keep({ text: decoded(content.text), line: content.line });
    this.path.pop();
    this.isClosed = name === root;
  }

  private damage(): void {
    const gpu = this.gpus.at(-1);
    this.isDamaged = true;
    if (gpu) gpu.isDamaged = true;
  }

  private keep(printed: Printed): void {
    const isOfGpu = this.path[1] === 'gpu';
    const place = this.path.slice(isOfGpu ? 2 : 1).join('/');
    const kept = isOfGpu ? this.gpus.at(-1)?.printed : this.header;
    if (kept && (isOfGpu ? wanted : header).has(place) && !kept.has(place)) kept.set(place, printed);
  }

  reading(): ToolReading {
    const { firstLine, lastLine, gpus } = this;
    const count = statedCount(this.header.get('attached_gpus'));
    return nvidiaReading({
      tool: 'nvidia-smi -q -x',
      firstLine,
      lastLine,
      driver: this.header.get('kmd_version') ?? this.header.get('driver_version'),
      cuda: this.header.get('cuda_umd_version') ?? this.header.get('cuda_version'),
      count,
      devices: gpus.flatMap((gpu) => (gpu.isDamaged ? [] : nvidiaDevice(gpu.printed, places))),
      problems: [...this.cuts(), ...(count ? printedOf(gpus.length, count) : [])],
    });
  }

  private cuts(): readonly ReadingProblem[] {
    if (this.isClosed && !this.isDamaged) return [];
    const message = this.isClosed
      ? { en: 'Lines are missing from this XML', zh: '这段 XML 缺少若干行' }
      : { en: 'This XML is cut: its end is missing', zh: '这段 XML 被截断，缺少结尾' };
    return [{ line: this.lastLine, message }];
  }
}

const startsDocument = (text: string) => text.includes(`<${root}>`);

/** One line says that it is XML, one names the type. */
const MOST_DECLARATIONS = 2;

/** The document begins with the declarations above its root, where they are there. */
function firstLineOf(lines: readonly string[], index: number): number {
  let first = index;
  while (
    first > index - MOST_DECLARATIONS &&
    /^\s*<(?:\?xml|!DOCTYPE nvidia_smi_log)\b/.test(unquoted(lines[first - 1]))
  )
    first -= 1;
  return first;
}

/** The XML that `nvidia-smi -q -x` prints, also when it was formatted anew. */
export const nvidiaSmiXml: FactReader = {
  tools: ['nvidia-smi -q -x'],

  read({ lines }): readonly ToolReading[] {
    const documents: XmlLog[] = [];
    let open: XmlLog | null = null;
    for (const [index, raw] of lines.entries()) {
      const text = unquoted(raw);
      if (startsDocument(text)) documents.push((open = new XmlLog(firstLineOf(lines, index) + 1)));
      if (!open) continue;
      const belongs = open.takeLine(startsDocument(text) ? text.slice(text.indexOf(`<${root}>`)) : text, index + 1);
      if (!belongs || open.isClosed) open = null;
    }
    return documents.filter((each) => each.gpus.length > 0 || each.header.size > 0).map((each) => each.reading());
  },
};
