import { cutText } from '../../cut-text.js';
import { listedGpuFacts, type ListedGpu } from './collect-env-gpus.js';
import { packageFacts, type Package } from './collect-env-packages.js';
import { findingOf, plainLine, stated } from './fact-lines.js';
import type { FactReader, Finding, ToolReading } from './reader.js';
import { ownValue } from '../../own-value.js';

interface Place {
  readonly firstLine: number;
  lastLine: number;
  readonly findings: Finding[];
  readonly gpus: ListedGpu[];
  readonly packages: Package[];
  readonly capabilities: { readonly value: string; readonly line: number }[];
  /** Names of the fields that were printed. */
  readonly seen: Set<string>;
}

/** `python -m sglang.check_env` on CUDA and ROCm. The topology within is left to its reader. */
export const sglangCheckEnv: FactReader = {
  tools: ['python -m sglang.check_env'],
  read: ({ lines }) => placesOf(lines).flatMap((place) => readingOf(place) ?? []),
};

/** One key and the pattern of its value; the group of the pattern is the fact. */
const fields: Readonly<Record<string, readonly [key: string, pattern: RegExp]>> = {
  Python: ['python', /^(\d+\.\d+[\w.+]*)/],
  NVCC: ['cuda.toolkit', /^Cuda compilation tools, release \d+\.\d+, V(\d+(?:\.\d+)+)/],
  HIPCC: ['rocm', /^HIP version: (\d[\w.+-]*)/],
  'CUDA Driver Version': ['driver', /^(\d+(?:\.\d+)+)$/],
  'ROCM Driver Version': ['driver', /^(\d+(?:\.\d+)+)$/],
  PyTorch: ['torch', /^(\d[\w.+-]*)$/],
};

/** Lines of a topology may stand between the packages and the end; more are another text. */
const MOST_BETWEEN = 80;

function placesOf(lines: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  let open: Place | null = null;
  for (const [index, raw] of lines.entries()) {
    const text = plainLine(raw);
    const line = index + 1;
    const [, name, value] = /^([A-Za-z][\w ,]{0,80}): ?(.*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) continue;
    const isFirst = name === 'Python' || /^(?:CUDA|ROCM) available$/.test(name) || name === 'PyTorch';
    const isOver: boolean = open !== null && (line - open.lastLine > MOST_BETWEEN || (isFirst && open.seen.has(name)));
    if (isOver) open = null;
    if (isFirst && !open) {
      open = {
        firstLine: line,
        lastLine: line,
        findings: [],
        gpus: [],
        packages: [],
        capabilities: [],
        seen: new Set(),
      };
      places.push(open);
    }
    if (open) take(open, name, value, line);
  }
  return places;
}

function take(place: Place, name: string, value: string, line: number): void {
  const isKnown = takeGpus(place, name, value, line) || takeField(place, name, value, line);
  const isPackage = /^[\w.-]{2,60}$/.test(name) && /^\d\S{0,80}$/.test(value) && !isKnown;
  if (isPackage && !place.seen.has(name)) place.packages.push({ name, version: value, line });
  if (!isKnown && !isPackage) return;
  place.seen.add(name);
  place.lastLine = line;
}

function takeField(place: Place, name: string, value: string, line: number): boolean {
  if (name === 'Hypervisor vendor' && stated(value) !== null && !place.seen.has(name)) {
    place.findings.push({ key: 'host.virtual', value: true, line });
    return true;
  }
  if (/^(?:(?:CUDA|ROCM) available|ulimit soft)$/.test(name)) return true;
  const [key, pattern] = ownValue(fields, name) ?? [];
  if (!key || !pattern) return false;
  const found = pattern.exec(value.slice(0, 300))?.[1];
  if (found !== undefined && !place.seen.has(name)) place.findings.push({ key, value: found, line });
  return true;
}

/** `GPU 0,1: NVIDIA H200`, and with the same numbers the compute capability. */
function takeGpus(place: Place, name: string, value: string, line: number): boolean {
  const [, numbers, capability] = /^GPU (\d{1,4}(?:,\d{1,4}){0,63})( Compute Capability)?$/.exec(name) ?? [];
  if (numbers === undefined || place.seen.has(name)) return false;
  const device = cutText(stated(value) ?? '', 200);
  if (capability !== undefined) {
    if (device && /^\d{1,2}\.\d$/.test(device)) place.capabilities.push({ value: device, line });
  } else if (device)
    place.gpus.push(...numbers.split(',').map((each) => ({ number: Number(each), name: device, line })));
  return true;
}

function readingOf({ seen, firstLine, lastLine, findings, gpus, packages, capabilities }: Place): ToolReading | null {
  const isOurs =
    seen.has('sglang') && (seen.has('PyTorch') || seen.has('CUDA available') || seen.has('ROCM available'));
  if (!isOurs) return null;
  const listed = listedGpuFacts(gpus);
  const versions = packageFacts(packages);
  // ROCm states the architecture there, which is no compute capability.
  const isCuda = !seen.has('ROCM available') && !seen.has('HIPCC');
  const first = capabilities[0];
  const computeCapability = isCuda ? findingOf('gpu.computeCapability', capabilities.map((each) => each.value), first?.line) : []; // prettier-ignore
  return {
    tool: 'python -m sglang.check_env',
    firstLine,
    lastLine,
    findings: [...findings, ...listed.findings, ...computeCapability, ...versions.findings],
    problems: [...listed.problems, ...versions.problems],
  };
}
