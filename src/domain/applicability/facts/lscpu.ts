import { findingOf, plainLine, stated, wholeNumber } from './fact-lines.js';
import type { FactReader, Finding, JsonBlock, ToolReading } from './reader.js';
import { ownValue } from '../../own-value.js';

/** `name` is a field of interest, `node` a line such as `NUMA node0 CPU(s)`, `other` any other line of lscpu. */
interface Entry {
  readonly field: string;
  readonly value: string;
  readonly line: number;
}

/** English, and the translations of util-linux 2.27 to 2.42 into simplified and traditional Chinese. */
const fields: Readonly<Record<string, string>> = {
  Architecture: 'architecture',
  架构: 'architecture',
  架構: 'architecture',
  'CPU(s)': 'cpus',
  CPU: 'cpus',
  'CPU (s)': 'cpus',
  'On-line CPU(s) list': 'online',
  '在线 CPU 列表': 'online',
  '線上 CPU (s) 清單': 'online',
  'Vendor ID': 'vendor',
  '厂商 ID': 'vendor',
  供應商識別號: 'vendor',
  'Model name': 'name',
  型号名称: 'name',
  'BIOS Model name': 'biosName',
  'BIOS 型号名称': 'biosName',
  'Thread(s) per core': 'threads',
  每个核的线程数: 'threads',
  每核心執行緒數: 'threads',
  'Core(s) per socket': 'coresOfSocket',
  每个座的核数: 'coresOfSocket',
  每通訊端核心數: 'coresOfSocket',
  'Core(s) per cluster': 'coresOfCluster',
  'Socket(s)': 'sockets',
  座: 'sockets',
  通訊端: 'sockets',
  'Cluster(s)': 'clusters',
  'NUMA node(s)': 'nodes',
  'NUMA 节点': 'nodes',
  'NUMA 節點': 'nodes',
  'Hypervisor vendor': 'hypervisor',
  超管理器厂商: 'hypervisor',
  'Hypervisor 供應商': 'hypervisor',
  'Virtualization type': 'virtualization',
  虚拟化类型: 'virtualization',
  虛擬型態: 'virtualization',
  Flags: 'flags',
  标记: 'flags',
  旗標: 'flags',
};

const topology = ['architecture', 'cpus', 'online', 'vendor', 'name', 'threads', 'coresOfSocket', 'sockets', 'nodes'];
const nodeLine = /^NUMA (?:node|节点|節點)\s?\d{1,5} CPU ?(?:\(s\))?$/;
const otherLine =
  /^(?:CPU |L\d|Vulnerabilit|NUMA|Caches|BogoMIPS|Stepping|Model$|Byte Order|Address sizes|BIOS |Frequency|Microcode|Virtuali|字节序|型号|步进|虚拟化)/;

/** `lscpu` and `lscpu -J` of util-linux: the CPUs, their NUMA nodes, and whether they are those of a virtual machine. */
export const lscpu: FactReader = {
  tools: ['lscpu'],
  read(text) {
    const blocks = [...textBlocks(text.lines), ...text.json.map((block) => jsonEntries(block, text.lines))];
    return blocks
      .filter(isLscpu)
      .map(readingOf)
      .sort((left, right) => left.firstLine - right.firstLine);
  },
};

function entryOf(text: string, line: number): Entry | null {
  const colon = text.search(/[:：]/);
  if (colon < 0 || colon > 60) return null;
  const key = text.slice(0, colon).trim();
  const known = ownValue(fields, key);
  const field = known ?? (nodeLine.test(key) ? 'node' : otherLine.test(key) ? 'other' : undefined);
  return field ? { field, value: text.slice(colon + 1).trim(), line } : null;
}

/** More lines than this between two lines of lscpu are a different place. */
const MOST_UNKNOWN = 15;

interface OpenBlock {
  readonly entries: Entry[];
  readonly seen: Set<string>;
}

function textBlocks(lines: readonly string[]): readonly (readonly Entry[])[] {
  const blocks: OpenBlock[] = [{ entries: [], seen: new Set() }];
  let unknown = 0;
  for (const [index, raw] of lines.entries()) {
    const text = plainLine(raw);
    const entry = entryOf(text, index + 1);
    let open = blocks.at(-1);
    const last = open?.entries.at(-1);
    if (entry) {
      if (!open || unknown > MOST_UNKNOWN || beginsAnother(open.seen, entry)) {
        blocks.push((open = { entries: [], seen: new Set() }));
      }
      open.entries.push(entry);
      open.seen.add(entry.field);
      unknown = 0;
    } else if (open && last && unknown === 0 && isMoreFlags(last, text)) {
      open.entries.push({ field: 'moreFlags', value: text, line: index + 1 });
    } else if (text !== '') unknown += 1;
  }
  return blocks.map(({ entries }) => entries);
}

/** Narrow terminals wrap the flags, within words too. */
function isMoreFlags({ field }: Entry, text: string): boolean {
  return (field === 'flags' || field === 'moreFlags') && /^[a-z0-9_][a-z0-9_ ]*$/.test(text);
}

/** The architecture is printed first, other things once per machine, and the counts of CPUs before the NUMA nodes. */
function beginsAnother(seen: ReadonlySet<string>, { field }: Entry): boolean {
  if (field === 'architecture') return seen.size > 0;
  if (['cpus', 'online', 'nodes'].includes(field)) return seen.has(field);
  return ['threads', 'coresOfSocket', 'coresOfCluster', 'sockets'].includes(field) && seen.has('nodes');
}

function isLscpu(entries: readonly Entry[]): boolean {
  const seen = new Set(entries.map(({ field }) => field));
  const known = topology.filter((field) => seen.has(field)).length;
  return known >= 4 || (known === 3 && seen.has('sockets') && seen.has('coresOfSocket'));
}

function jsonEntries({ value, firstLine, lastLine }: JsonBlock, lines: readonly string[]): readonly Entry[] {
  if (typeof value !== 'object' || value === null || !('lscpu' in value)) return [];
  const entries: Entry[] = [];
  let line = firstLine;
  for (const { field, data } of jsonFields(value.lscpu, 0)) {
    const printed = JSON.stringify(field);
    while (line < lastLine && !lines[line - 1]?.includes(printed)) line += 1;
    const entry = entryOf(`${field.replace(/[:：]$/, '')}: ${data}`, line);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** The fields in the order in which they are printed; sections hold theirs as `children`. */
function* jsonFields(items: unknown, depth: number): Iterable<{ readonly field: string; readonly data: string }> {
  if (!Array.isArray(items) || depth > 5) return;
  for (const item of items as readonly unknown[]) {
    if (typeof item !== 'object' || item === null || !('field' in item) || typeof item.field !== 'string') continue;
    const data = 'data' in item && (typeof item.data === 'string' || typeof item.data === 'number') ? item.data : '';
    yield { field: item.field, data: String(data) };
    if ('children' in item) yield* jsonFields(item.children, depth + 1);
  }
}

function readingOf(entries: readonly Entry[]): ToolReading {
  const of = (field: string) => entries.filter((entry) => entry.field === field);
  const texts = (field: string) => of(field).flatMap(({ value }) => stated(value) ?? []);
  const lineOf = (field: string) => of(field)[0]?.line;
  const nameField = texts('name').length > 0 ? 'name' : 'biosName';
  return {
    tool: 'lscpu',
    firstLine: entries[0]?.line ?? 1,
    lastLine: entries.at(-1)?.line ?? 1,
    findings: [
      ...findingOf('cpu.architecture', texts('architecture').slice(0, 1), lineOf('architecture')),
      ...findingOf('cpu.name', texts(nameField), lineOf(nameField)),
      ...coresOf(entries),
      ...findingOf('cpu.sockets', largest(numbersOf(entries, 'sockets')), lineOf('sockets')),
      ...findingOf('cpu.threads_per_core', numbersOf(entries, 'threads'), lineOf('threads')),
      ...nodesOf(entries),
      ...virtualOf(entries),
    ],
    problems: [],
  };
}

function numbersOf(entries: readonly Entry[], field: string): readonly number[] {
  return entries.flatMap((entry) => (entry.field === field ? (wholeNumber(entry.value) ?? []) : []));
}

/** Kinds of cores that share a socket are each printed with one socket. */
function largest(numbers: readonly number[]): readonly number[] {
  return numbers.length === 0 ? [] : [numbers.reduce((most, each) => Math.max(most, each))];
}

/** Cores of all sockets, over the kinds of cores. Some Arm machines state clusters where the sockets are not known. */
function coresOf(entries: readonly Entry[]): readonly Finding[] {
  const isClustered = entries.some(({ field }) => field === 'coresOfCluster');
  const perGroup = numbersOf(entries, isClustered ? 'coresOfCluster' : 'coresOfSocket');
  const groups = numbersOf(entries, isClustered ? 'clusters' : 'sockets');
  const first = entries.find(({ field }) => field === (isClustered ? 'coresOfCluster' : 'coresOfSocket'));
  if (perGroup.length !== groups.length || perGroup.length === 0) return [];
  const cores = perGroup.reduce((sum, count, index) => sum + count * (groups[index] ?? 0), 0);
  return cores > 0 ? findingOf('cpu.cores', [cores], first?.line) : [];
}

/** GPU memory and HBM are nodes without CPUs: only those with CPUs count, where all of them are printed. */
function nodesOf(entries: readonly Entry[]): readonly Finding[] {
  const [stated] = entries.filter(({ field }) => field === 'nodes');
  const total = wholeNumber(stated?.value);
  const nodes = entries.filter(({ field }) => field === 'node');
  if (total === null || total === 0 || (nodes.length > 0 && nodes.length !== total)) return [];
  const withCpus = nodes.filter(({ value }) => value !== '').length;
  return findingOf('numa.nodes', [nodes.length === 0 ? total : withCpus], stated?.line);
}

const noMachine = ['none', 'container', '无', '容器'];

/**
 * x86 has a flag for guests, which stands before `lahf_lm`: without it, and with that one printed, there is no
 * hypervisor. Elsewhere lscpu often cannot tell, so that silence proves nothing. `Virtualization: VT-x` is no guest.
 */
function virtualOf(entries: readonly Entry[]): readonly Finding[] {
  const kind = entries.find(({ field, value }) => field === 'virtualization' && value !== '');
  if (kind && noMachine.includes(kind.value)) return [];
  const named = entries.find(({ field, value }) => field === 'hypervisor' && stated(value) !== null);
  const guest = named ?? kind;
  if (guest) return [{ key: 'host.virtual', value: true, line: guest.line }];
  const flags = entries.filter(({ field }) => field === 'flags' || field === 'moreFlags').map(({ value }) => value);
  const line = entries.find(({ field }) => field === 'flags')?.line;
  const words = new Set([...flags.join(' ').split(' '), ...flags.join('').split(' ')]);
  if (line === undefined) return [];
  if (words.has('hypervisor')) return [{ key: 'host.virtual', value: true, line }];
  const isX86 = entries.some(({ field, value }) => field === 'architecture' && value === 'x86_64');
  return isX86 && words.has('lahf_lm') ? [{ key: 'host.virtual', value: false, line }] : [];
}
