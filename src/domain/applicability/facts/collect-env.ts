import { cutText } from '../../cut-text.js';
import { gpuListAt, listedGpuFacts } from './collect-env-gpus.js';
import { packageFacts, type Package } from './collect-env-packages.js';
import { variableAt, variablesFrom } from './collect-env-variables.js';
import { findingOf, plainLine, stated } from './fact-lines.js';
import type { FactReader, Finding, ReadingProblem, ToolReading } from './reader.js';

interface Place {
  readonly firstLine: number;
  lastLine: number;
  /** The first value of each field, with its line. */
  readonly fields: Map<string, { readonly value: string; readonly line: number }>;
  readonly pip: Package[];
  readonly conda: Package[];
  readonly findings: Finding[];
  /** Findings from the names of files, which count where no package says more. */
  readonly files: Finding[];
  readonly problems: ReadingProblem[];
}

/** Fields that nothing else prints in this form. Two of them make a place, and one that comes again makes another. */
const own = new Set([
  'PyTorch version',
  'Is debug build',
  'CUDA used to build PyTorch',
  'ROCM used to build PyTorch',
  'GPU models and configuration',
  'Python platform',
  'Is CUDA available',
  'CUDA runtime version',
  'Nvidia driver version',
  'HIP runtime version',
  'MIOpen runtime version',
  'Is XNNPACK available',
  'Versions of relevant libraries',
  'vLLM Version',
  'vLLM Ascend Version',
]);
/** Fields that count only within a place. */
const common = new Set(['OS', 'Python version', 'cuDNN version']);

/**
 * What `python -m torch.utils.collect_env` of PyTorch 1.x and 2.x and `vllm collect-env` (vLLM Ascend's too) print. The
 * lscpu and the topology within are left to their readers.
 */
export const collectEnv: FactReader = {
  tools: ['python -m torch.utils.collect_env', 'vllm collect-env'],
  read: ({ lines }) => placesOf(lines).flatMap((place) => readingOf(place) ?? []),
};

/** More lines than lscpu has between two fields; what comes later is another text. */
const MOST_BETWEEN = 400;
/** More lines than the topology has between the version of vLLM and the variables. */
const MOST_TOPOLOGY = 100;

function placesOf(lines: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  let open: Place | null = null;
  for (let index = 0; index < lines.length; index += 1) {
    const text = plainLine(lines[index]);
    const line = index + 1;
    if (open && line - open.lastLine > MOST_BETWEEN) open = null;
    const begins = text === 'Collecting environment information...' || (text === 'System Info' && isRule(lines[index - 1])); // prettier-ignore
    const field = fieldOf(text);
    // vLLM begins with the system, which for PyTorch comes later.
    const isFirst = begins || (field !== null && (own.has(field.name) || / {4}:/.test(text)));
    const isAgain = (begins && open !== null && open.fields.size > 0) || (field !== null && own.has(field.name) && open?.fields.has(field.name)); // prettier-ignore
    if (isFirst && (!open || isAgain)) {
      open = {
        firstLine: line,
        lastLine: line,
        fields: new Map(),
        pip: [],
        conda: [],
        findings: [],
        files: [],
        problems: [],
      };
      places.push(open);
    }
    if (!open) continue;
    if (field && !open.fields.has(field.name)) {
      open.fields.set(field.name, { value: field.value, line });
      open.lastLine = line;
      if (field.name === 'GPU models and configuration') index = takeGpus(open, lines, index, field.value);
      if (field.name === 'cuDNN version') takeCudnn(open, lines, index);
    } else if (takePackage(open, text, line)) open.lastLine = line;
    else if (isVariable(open, text, line)) {
      const { findings, lastLine } = variablesFrom(lines, index);
      open.findings.push(...findings);
      open.lastLine = lastLine;
      index = lastLine - 1;
      if (open.fields.has('vLLM Ascend Version')) open.fields.set(variables, { value: '', line });
      else open = null;
    } else if (text === 'CANN:' && open.fields.has('vLLM Ascend Version')) {
      takeCann(open, lines, index + 1);
      open = null;
    }
  }
  return places;
}

const isRule = (line: string | undefined): boolean => /^={10,}$/.test(plainLine(line).slice(0, 200));

/** Marks a place whose variables are read. */
const variables = 'Environment Variables';

function isVariable({ fields }: Place, text: string, line: number): boolean {
  const above = fields.get('vLLM Version')?.line;
  if (above === undefined || line - above > MOST_TOPOLOGY || fields.has(variables)) return false;
  return /^[A-Z]/.test(text) && variableAt(text) !== null;
}

function fieldOf(text: string): { readonly name: string; readonly value: string } | null {
  const [, name, value] = /^([A-Za-z][\w ]{0,40}?) {0,40}:(?: (.*))?$/.exec(text) ?? [];
  if (name === undefined || (!own.has(name) && !common.has(name))) return null;
  return { name, value: (value ?? '').trim() };
}

/** Takes the GPUs and gives back the last line (counted from 0) of the list. */
function takeGpus(place: Place, lines: readonly string[], index: number, value: string): number {
  const { gpus, profiles, end } = gpuListAt(lines, index, value);
  const { findings, problems } = listedGpuFacts(gpus);
  place.problems.push(...problems);
  place.findings.push(...findings);
  place.findings.push(...findingOf('gpu.mig', profiles.map(({ profile }) => profile), profiles[0]?.line)); // prettier-ignore
  // ROCm builds print the name of the first GPU only, with its architecture.
  const [, name] = /^(AMD .{1,100}?) \(gfx[\w:+-]{1,60}\)$/.exec(value) ?? [];
  if (name !== undefined) place.findings.push({ key: 'gpu.name', value: name, line: index + 1 });
  place.lastLine = Math.max(index + 1, gpus.at(-1)?.line ?? 0, profiles.at(-1)?.line ?? 0);
  return Math.max(index, end - 1);
}

/** The files that the linker knows: a version where all of them agree, for nothing tells which one is in use. */
function takeCudnn(place: Place, lines: readonly string[], index: number): void {
  const versions = new Set<string>();
  for (let at = index; at < Math.min(lines.length, index + 40); at += 1) {
    const text = plainLine(lines[at]);
    if (at > index && fieldOf(text)) break;
    const version = /libcudnn\.so\.(\d{1,2}\.\d{1,2}\.\d{1,3})$/.exec(text.slice(-80))?.[1];
    if (version !== undefined) versions.add(version);
  }
  if (versions.size === 1) place.files.push(...findingOf('cudnn', [...versions], index + 1));
}

function takePackage(place: Place, text: string, line: number): boolean {
  const [, pipName, pipVersion] = /^\[pip3?\] ([\w.-]{1,100})==(\S{1,80})$/.exec(text) ?? [];
  if (pipName && pipVersion) place.pip.push({ name: pipName, version: pipVersion, line });
  const [, name, version] = /^\[conda\] ([\w.-]{1,100}) +(\d\S{0,80})(?: |$)/.exec(text) ?? [];
  if (name && version) place.conda.push({ name, version, line });
  return /^\[(?:pip3?|conda)\] /.test(text);
}

/** vLLM Ascend prints the install file of CANN last, below the variables and the table of `npu-smi`. */
function takeCann(place: Place, lines: readonly string[], from: number): void {
  for (let index = from; index < Math.min(lines.length, from + 5); index += 1) {
    const version = /^version=(\d[\w.]{0,40})$/.exec(plainLine(lines[index]))?.[1];
    if (version === undefined) continue;
    place.findings.push({ key: 'cann', value: version, line: index + 1 });
    place.lastLine = index + 1;
    return;
  }
}

function readingOf(place: Place): ToolReading | null {
  const { fields, firstLine, lastLine } = place;
  if ([...fields.keys()].filter((name) => own.has(name)).length < 2) return null;
  const headed = [
    ...versionIn(place, 'torch', 'PyTorch version', /^\d[\w.+-]*/),
    ...versionIn(place, 'cuda', 'CUDA used to build PyTorch', /^\d+(?:\.\d+)+$/),
    ...versionIn(place, 'rocm', 'ROCM used to build PyTorch', /^\d[\w.+-]*$/),
    ...versionIn(
      place,
      'os',
      'OS',
      /^(?!(?:linux|darwin|win32)\b).{2,100}?(?= \((?:x86_64|aarch64|arm64|AMD64|ppc64le|riscv64)\)$|$)/,
    ),
    ...versionIn(place, 'python', 'Python version', /^\d+\.\d+[\w.+]*/),
    ...versionIn(place, 'kernel', 'Python platform', kernel),
    ...versionIn(place, 'cuda.toolkit', 'CUDA runtime version', /^\d+(?:\.\d+)+/),
    ...versionIn(place, 'driver', 'Nvidia driver version', /^\d+(?:\.\d+)+/),
    ...versionIn(place, 'vllm', 'vLLM Version', /^v?\d[\w.+-]*/),
  ];
  const packages = packageFacts(place.pip, place.conda);
  const named = [...headed, ...place.findings];
  const known = new Set(named.map(({ key }) => key));
  const listed = packages.findings.filter(({ key }) => !known.has(key));
  const isListed = listed.some(({ key }) => key === 'cudnn');
  return {
    tool: fields.has('vLLM Version') ? 'vllm collect-env' : 'python -m torch.utils.collect_env',
    firstLine,
    lastLine,
    findings: [...named, ...listed, ...(isListed ? [] : place.files)],
    problems: [...place.problems, ...packages.problems],
  };
}

/** `Linux-<release>-<machine>[-<processor>]-with-<libc>` */
const kernel = /^Linux-(\d[\w.+~-]{0,120})-(?:x86_64|aarch64|ppc64le|riscv64|loongarch64|s390x)(?:-.{1,80})?-with-/;

/** What the pattern finds in the field: its group where it has one, else all that matches. */
function versionIn({ fields }: Place, key: string, name: string, pattern: RegExp): readonly Finding[] {
  const field = fields.get(name);
  const found = pattern.exec(cutText(stated(field?.value) ?? '', 300));
  const value = found?.[1] ?? found?.[0];
  return field && value !== undefined ? [{ key, value, line: field.line }] : [];
}
