import { amdDeviceReading, driverVersion, type AmdDevice } from './amd-smi-devices.js';
import { cutMatrix, isAskedWith, linkFindings, linkMatrixAt, plainLines, type LinkMatrix } from './printed-values.js';
import type { Printed } from './printed-values.js';
import type { FactReader, Finding, ToolReading, ToolText } from './reader.js';
import { rocmLink, takeConciseRow, takeField, takeHardwareRow } from './rocm-smi-fields.js';
import { readRocmJson } from './rocm-smi-json.js';

/**
 * The tables and sections of rocm-smi, and its JSON. It lists the dies of an MI250 and the partitions of an MI300 as
 * devices, and says nothing of the ROCm release.
 */
export const rocmSmi: FactReader = {
  tools: ['rocm-smi', 'rocm-smi --showtopo', 'rocm-smi --json'],
  read(text: ToolText): readonly ToolReading[] {
    const readings = [...placesOf(plainLines(text)).flatMap(readingOf), ...readRocmJson(text)];
    return readings.sort((one, other) => one.firstLine - other.firstLine);
  },
};

/** Titles of sections that have facts; a section with another title is passed over. */
const titles = new Set([
  'Concise Info',
  'Concise Hardware Info',
  'Product Info',
  'ID',
  'PCI Bus ID',
  'Power Cap',
  'Memory Usage (Bytes)',
  'RAS Info',
  'Version of System Component',
  'Current Compute Partition',
  'Current Memory Partition',
  'Link Type between two GPUs',
]);

interface Place {
  readonly firstLine: number;
  readonly isSelection: boolean;
  lastLine: number;
  readonly devices: Map<number, AmdDevice>;
  driver: Printed<string> | null;
  links: LinkMatrix | null;
  /** A section that lists devices has been printed to its end. */
  hasWholeSection: boolean;
  hasConcise: boolean;
  /** Tools for other accelerators print the same layout. */
  isForeign: boolean;
}

function placesOf(lines: readonly string[]): readonly Place[] {
  const scan = new Scan(lines);
  lines.forEach((line, index) => scan.take(line, index));
  return scan.places;
}

/** Goes through the lines once; a place begins with the banner, or with a section where the banner is cut off. */
class Scan {
  readonly places: Place[] = [];
  private place: Place | null = null;
  private section = '';
  private columns: readonly string[] | null = null;
  private named: AmdDevice | null = null;
  private rasDevice: AmdDevice | null = null;
  private inSection = 0;

  constructor(private readonly lines: readonly string[]) {}

  take(line: string, index: number): void {
    if (/^[\s=]*ROCm System Management Interface[\s=]*$/.test(line)) return this.open(index);
    if (/^[\s=-]*End of ROCm SMI Log[\s=-]*$/.test(line)) return this.close(index);
    const title = /^\s*=+ ([^=]{1,60}) =+\s*$/.exec(line)?.[1];
    if (title !== undefined) return this.openSection(title, index);
    if (/^\s*={20,}\s*$/.test(line)) return this.closeSection(index);
    if (this.place) this.takeContent(this.place, line, index);
  }

  private open(index: number): void {
    const isSelection = isAskedWith(this.lines, index, /\brocm-smi\b/, /\s(?:-d|--device)\b/);
    this.place = {
      firstLine: index + 1,
      isSelection,
      lastLine: index + 1,
      devices: new Map(),
      driver: null,
      links: null,
      hasWholeSection: false,
      hasConcise: false,
      isForeign: false,
    };
    this.places.push(this.place);
    this.begin('');
  }

  private close(index: number): void {
    if (!this.place) return;
    this.closeSection(index);
    this.place = null;
  }

  private openSection(title: string, index: number): void {
    if (this.inSection > 0) this.closeSection(index);
    if (!this.place && titles.has(title) && title !== 'ID') this.open(index);
    this.begin(title);
    if (this.place && title === 'Link Type between two GPUs') {
      this.place.links ??= linkMatrixAt(this.lines, index + 1, /^GPU\d+$/);
      this.place.lastLine = Math.max(this.place.lastLine, this.place.links?.lastLine ?? index + 1);
    }
  }

  private begin(section: string): void {
    this.section = section;
    this.columns = null;
    this.named = null;
    this.rasDevice = null;
    this.inSection = 0;
  }

  /** The line of equal signs below a heading closes nothing: no device has been printed yet. */
  private closeSection(index: number): void {
    if (!this.place) return;
    this.place.lastLine = index + 1;
    if (this.inSection > 0) this.place.hasWholeSection = true;
    this.inSection = 0;
    this.named = null;
  }

  private takeContent(place: Place, line: string, index: number): void {
    const isTaken =
      this.takeGpuLine(place, line, index) ||
      (this.section === 'Concise Info' && this.takeConcise(place, line, index)) ||
      (this.section === 'Concise Hardware Info' && this.takeHardware(place, line, index)) ||
      (this.section === 'RAS Info' && this.takeRas(line, index)) ||
      (this.section === 'Version of System Component' && this.takeDriver(place, line, index));
    if (isTaken) place.lastLine = index + 1;
  }

  private takeGpuLine(place: Place, line: string, index: number): boolean {
    const [, number, content] = /^\s*GPU\[(\d{1,4})\]\s*:\s*(.*)$/.exec(line) ?? [];
    if (number === undefined || content === undefined) return false;
    const device = this.device(place, number, index);
    if (this.section === 'RAS Info') this.rasDevice = device;
    const [field, value] = content.split(/:\s+/, 2);
    if (field === undefined || value === undefined) return true;
    if (/^card vendor$/i.test(field) && !value.includes('Advanced Micro Devices')) place.isForeign = true;
    takeField(device, field, value, index + 1);
    return true;
  }

  private takeConcise(place: Place, line: string, index: number): boolean {
    if (/\bPwrCap\s+VRAM%\s+GPU%\s*$/.test(line)) {
      this.columns = [];
      place.hasConcise = true;
      return true;
    }
    const number = /^\s*(\d{1,4})\s/.exec(line)?.[1];
    if (this.columns && number !== undefined) {
      this.named = this.device(place, number, index);
      takeConciseRow(this.named, line, index + 1);
      return true;
    }
    // ROCm 5.7 and 6.0 print the name in a second line, cut after 20 characters
    const name = line.trim();
    if (!this.named || name === '' || name.length >= 20) return false;
    takeField(this.named, 'Card Series', name, index + 1);
    this.named = null;
    return true;
  }

  private takeHardware(place: Place, line: string, index: number): boolean {
    const cells = line.trim().split(/\s{2,}/);
    if (cells[0] === 'GPU' && cells.includes('BUS')) {
      this.columns = cells;
      return true;
    }
    if (!this.columns || !/^\d{1,4}$/.test(cells[0] ?? '')) return false;
    takeHardwareRow(this.device(place, cells[0] ?? '', index), this.columns, cells, index + 1);
    return true;
  }

  /** The memory is the block UMC. */
  private takeRas(line: string, index: number): boolean {
    const state = /^\s*UMC\s+(ENABLED|DISABLED)\b/.exec(line)?.[1];
    if (!this.rasDevice || state === undefined) return false;
    this.rasDevice.ecc ??= { value: state === 'ENABLED' ? 'enabled' : 'disabled', line: index + 1 };
    return true;
  }

  private takeDriver(place: Place, line: string, index: number): boolean {
    const version = driverVersion(/^\s*Driver version:\s*(.*)$/i.exec(line)?.[1] ?? '');
    if (version === undefined) return false;
    place.driver ??= { value: version, line: index + 1 };
    return true;
  }

  private device(place: Place, number: string, index: number): AmdDevice {
    this.inSection += 1;
    const found = place.devices.get(Number(number));
    if (found) return found;
    const device: AmdDevice = { index: Number(number), line: index + 1 };
    place.devices.set(device.index, device);
    return device;
  }
}

function readingOf(place: Place): readonly ToolReading[] {
  if (place.isForeign) return [];
  const devices = devicesOf(place);
  const whole = place.hasWholeSection || place.links?.isWhole ? 'ALL' : 'CUT';
  const { findings, problems } = amdDeviceReading(devices, place.isSelection ? 'SELECTION' : whole);
  const all = [...findings, ...driverFinding(place), ...linksOf(place.links)];
  if (all.length === 0) return [];
  const tool = place.links && !place.hasConcise && place.devices.size === 0 ? 'rocm-smi --showtopo' : 'rocm-smi';
  const cut = place.links && !place.links.isWhole ? [cutMatrix(place.links.lastLine)] : [];
  return [
    { tool, firstLine: place.firstLine, lastLine: place.lastLine, findings: all, problems: [...problems, ...cut] },
  ];
}

/** In the order of their numbers; those of the matrix where nothing else names any. */
function devicesOf({ devices, links }: Place): readonly AmdDevice[] {
  if (devices.size > 0) return [...devices.values()].sort((one, other) => one.index - other.index);
  return (links?.rows ?? []).map(({ label, line }) => ({ index: Number(label.slice(3)), line }));
}

const driverFinding = ({ driver }: Place): readonly Finding[] =>
  driver ? [{ key: 'driver', value: driver.value, line: driver.line }] : [];

function linksOf(matrix: LinkMatrix | null): readonly Finding[] {
  if (!matrix?.isWhole) return [];
  const links = matrix.rows.flatMap(({ cells, line }, row) =>
    cells.flatMap((cell, column) => (row === column ? [] : { value: rocmLink(cell), line })),
  );
  return linkFindings(links, { kind: 'xgmi', capability: 'infinity-fabric' });
}
