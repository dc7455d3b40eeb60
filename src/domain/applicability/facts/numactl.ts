import { plainLine } from './fact-lines.js';
import type { FactReader, ReadingProblem, ToolReading } from './reader.js';

interface Node {
  readonly hasCpus: boolean;
  /** MiB, which numactl calls MB; null where it is not printed. */
  memory: number | null;
  memoryLine: number;
}

interface Place {
  /** Null where the line `available: …` is cut off. */
  readonly stated: number | null;
  readonly firstLine: number;
  lastLine: number;
  readonly nodes: Map<number, Node>;
}

/** `numactl --hardware`: NUMA nodes that have CPUs, and their memory. GPU memory and HBM are nodes without CPUs. */
export const numactl: FactReader = {
  tools: ['numactl --hardware'],
  read: ({ lines }) => placesOf(lines).flatMap((place) => readingOf(place) ?? []),
};

function placesOf(lines: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  for (const [index, raw] of lines.entries()) {
    const text = plainLine(raw);
    const line = index + 1;
    const head = /^available: (\d{1,5}) nodes? \(/.exec(text);
    if (head) places.push({ stated: Number(head[1]), firstLine: line, lastLine: line, nodes: new Map() });
    const cpus = /^node (\d{1,5}) cpus:((?: \d{1,6})*)$/.exec(text);
    if (cpus) {
      const id = Number(cpus[1]);
      const open = openPlace(places, line, id);
      open.nodes.set(id, { hasCpus: cpus[2] !== '', memory: null, memoryLine: line });
      open.lastLine = line;
    }
    const size = /^node (\d{1,5}) (size|free): (\d{1,12}) MB$/.exec(text);
    const place = places.at(-1);
    const node = size && place && isNear(place, line) ? place.nodes.get(Number(size[1])) : undefined;
    if (!size || !place || !node) continue;
    place.lastLine = line;
    if (size[2] === 'free') continue;
    node.memory = Number(size[3]);
    node.memoryLine = line;
  }
  return places;
}

/** Warnings of libnuma may stand between the nodes. */
const isNear = (place: Place, line: number): boolean => line - place.lastLine <= 5;

function openPlace(places: Place[], line: number, id: number): Place {
  const last = places.at(-1);
  if (last && isNear(last, line) && !last.nodes.has(id)) return last;
  const place: Place = { stated: null, firstLine: line, lastLine: line, nodes: new Map() };
  places.push(place);
  return place;
}

function readingOf({ stated, firstLine, lastLine, nodes }: Place): ToolReading | null {
  const isNumactl = nodes.size > 0 && (stated !== null || [...nodes.values()].some(({ memory }) => memory !== null));
  if (!isNumactl) return null;
  const reading = { tool: 'numactl --hardware', firstLine, lastLine };
  if (stated !== nodes.size) return { ...reading, findings: [], problems: [cut(firstLine, nodes.size, stated)] };
  const withCpus = [...nodes.values()].filter(({ hasCpus }) => hasCpus);
  const sizes = withCpus.flatMap(({ memory }) => memory ?? []);
  const memory = sizes.reduce((sum, size) => sum + size, 0) / 1024;
  const isWhole = sizes.length === withCpus.length && memory > 0;
  const count = withCpus.length > 0 ? [{ key: 'numa.nodes', value: withCpus.length, line: firstLine }] : [];
  const line = withCpus[0]?.memoryLine ?? firstLine;
  const size = isWhole ? [{ key: 'host.memory', value: Math.round(memory * 10) / 10, line }] : [];
  return { ...reading, findings: [...count, ...size], problems: [] };
}

function cut(line: number, printed: number, stated: number | null): ReadingProblem {
  const of = stated === null ? { en: '', zh: '' } : { en: ` of ${stated}`, zh: `（共 ${stated} 个）` };
  return {
    line,
    message: {
      en: `The output of numactl is cut: ${printed}${of.en} NUMA nodes are printed`,
      zh: `numactl 的输出不完整：只有 ${printed} 个 NUMA 节点${of.zh}`,
    },
  };
}
