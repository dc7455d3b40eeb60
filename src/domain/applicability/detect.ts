import { gpuFacts } from '../importers/gpu.js';
import { lastWordOf } from '../importers/open-end.js';
import type { BothLanguages } from '../locale.js';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { exactness, isSameFact, plainFact } from '../measurement/same-fact.js';
import type { FactReader, Finding, ToolReading, ToolText } from './facts/reader.js';
import { toolText } from './facts/tool-text.js';
import { matchProfiles, type MatchableProfile } from './match-profile.js';
import { privateThings, type PrivateThings } from './private-things.js';

type Given = Exclude<FactValue, null>;

/** A value with the place that it was read from. */
export interface FoundValue {
  readonly value: Given;
  readonly tool: string;
  readonly line: number;
}

export interface FoundFact extends FoundValue {
  readonly key: string;
}

export interface DetectionProblem {
  readonly line: number | null;
  readonly message: BothLanguages;
}

/** What the output of tools says of a machine. */
export interface Detection<P> {
  /** Facts for an environment, over those of `profile`. Nothing that two places contradict each other about. */
  readonly facts: Facts;
  /** Facts for a run on it: what was found, and what its profile says of every such product. No capabilities. */
  readonly runFacts: Facts;
  /** The likeliest profile; null where not even the architecture is known. */
  readonly profile: P | null;
  /** Others of the same name. */
  readonly alsoPossible: readonly P[];
  readonly found: readonly FoundFact[];
  readonly contradictions: readonly { readonly key: string; readonly values: readonly FoundValue[] }[];
  readonly problems: readonly DetectionProblem[];
  readonly places: readonly Pick<ToolReading, 'tool' | 'firstLine' | 'lastLine'>[];
  readonly removed: readonly PrivateThings[];
}

/**
 * Reads the facts of a machine from the output of tools, one or several in any order. Only facts of the registry come
 * out: serial numbers, UUIDs, names of hosts and users, and addresses are counted and left behind. Text that no reader
 * knows is a problem, not an error.
 */
export function detect<P extends MatchableProfile>(
  content: string,
  readers: readonly FactReader[],
  profiles: readonly P[],
): Detection<P> {
  const text = toolText(content);
  const { readings, open } = withoutOpenEnd(readingsOf(text, readers), content, readers);
  const byKey = new Map<string, FoundValue[]>();
  for (const { tool, findings } of readings) {
    for (const finding of findings) addFinding(byKey, finding, tool);
  }
  const nics = byKey.get('nic.count') ?? [];
  // The matrix lists every RDMA device, ibstat tells which of them the fabric has
  const ofFabric = nics.filter(({ tool }) => tool !== 'nvidia-smi topo -m');
  if (ofFabric.length > 0) byKey.set('nic.count', ofFabric);
  const agreed = [...byKey].map(([key, values]) => ({ key, values: distinctValues(key, values) }));
  const single = agreed.flatMap(({ key, values }): FoundFact[] => {
    const [only] = values;
    return values.length === 1 && only ? [{ key, ...only }] : [];
  });
  const stated = new Map(single.map(({ key, value }) => [key, value]));
  const names = agreed.find(({ key }) => key === 'gpu.name')?.values ?? [];
  const candidates = profilesOf(stated, names, profiles);
  const [profile = null, ...alsoPossible] = candidates;
  const facts = factsFor(stated, profile);
  return {
    facts,
    runFacts: runFactsOf(stated, candidates, facts),
    profile,
    alsoPossible,
    found: single,
    contradictions: agreed.filter(({ values }) => values.length > 1),
    problems: [
      ...problemsOf(readings),
      ...open,
      ...inactive(stated, profile, byKey),
      ...unrecognized(content, text.lines, readings, readers),
    ],
    places: readings.map(({ tool, firstLine, lastLine }) => ({ tool, firstLine, lastLine })),
    removed: privateThings(text.lines),
  };
}

function readingsOf(text: ToolText, readers: readonly FactReader[]): readonly ToolReading[] {
  return withoutRepeats(readers.flatMap((reader) => reader.read(text))).sort(
    (one, other) => one.firstLine - other.firstLine || one.lastLine - other.lastLine,
  );
}

/** The readings without what only the last line says, where that does not end: half of a version, of a name, of a row. */
function withoutOpenEnd(
  all: readonly ToolReading[],
  content: string,
  readers: readonly FactReader[],
): { readonly readings: readonly ToolReading[]; readonly open: readonly DetectionProblem[] } {
  if (!/[\w.]$/.test(content)) return { readings: all, open: [] };
  const ended = readingsOf(toolText(content.slice(0, content.lastIndexOf('\n') + 1)), readers);
  const textOf = (tool: string, finding: Finding) => JSON.stringify([tool, finding]);
  const said = new Set(ended.flatMap(({ tool, findings }) => findings.map((finding) => textOf(tool, finding))));
  const readings = all.map(({ findings, ...reading }) => ({
    ...reading,
    findings: findings.filter((finding) => said.has(textOf(reading.tool, finding))),
  }));
  const count = (of: readonly ToolReading[]) => of.reduce((sum, { findings }) => sum + findings.length, 0);
  return { readings, open: count(readings) < count(all) ? [mayBeCut(content)] : [] };
}

function mayBeCut(content: string): DetectionProblem {
  const line = toolText(content).lines.length;
  const word = lastWordOf(content);
  return {
    line,
    message: {
      en: `Line ${line} is the last one and does not end: what stands at its end, "${word}", may be cut and was left out. Send all of it, or end the line where it is whole`,
      zh: `第 ${line} 行是最后一行且没有换行：末尾的“${word}”可能被截断，未采用。请提供完整内容；若内容已完整，请在末尾加上换行`,
    },
  };
}

/** The list of GPUs within the output of collect_env is read by its own reader. */
function withoutRepeats(readings: readonly ToolReading[]): ToolReading[] {
  const reports = readings.filter(({ tool }) => /collect.env/.test(tool));
  return readings.filter(
    ({ tool, firstLine, lastLine }) =>
      tool !== 'nvidia-smi -L' ||
      !reports.some((report) => report.firstLine <= firstLine && lastLine <= report.lastLine),
  );
}

/** One machine cannot tell how many GPUs all nodes have: what tools count is the GPUs of a node. */
function addFinding(byKey: Map<string, FoundValue[]>, { key, value, line }: Finding, tool: string): void {
  if (key === 'gpu.count') return;
  const values = byKey.get(key) ?? [];
  values.push({ value, tool, line });
  byKey.set(key, values);
}

/** Values that say the same are one: the more exact of two versions, the larger of two close numbers. */
function distinctValues(key: string, values: readonly FoundValue[]): readonly FoundValue[] {
  const distinct: FoundValue[] = [];
  for (const candidate of values) {
    const index = distinct.findIndex(({ value }) => isSameFact(key, value, candidate.value));
    const known = distinct[index];
    if (known === undefined) distinct.push(candidate);
    else if (exactness(candidate.value) > exactness(known.value)) distinct[index] = candidate;
    if (distinct.length === MOST_VALUES) break;
  }
  return distinct;
}

/** Where so many values contradict each other nobody reads more. */
const MOST_VALUES = 100;

function profilesOf<P extends MatchableProfile>(
  stated: ReadonlyMap<string, Given>,
  names: readonly FoundValue[],
  profiles: readonly P[],
): readonly P[] {
  const text = (key: string): string | null => {
    const value = stated.get(key);
    return typeof value === 'string' ? value : null;
  };
  const number = (key: string): number | null => {
    const value = stated.get(key);
    return typeof value === 'number' ? value : null;
  };
  const device = {
    name: null,
    vendor: text('vendor'),
    architecture: text('architecture'),
    computeCapability: text('gpu.computeCapability'),
    memory: (text('gpu.mig') ?? 'none') === 'none' ? number('gpu.memory') : null,
    perNode: number('gpu.per_node'),
  };
  const { architecture, computeCapability } = device;
  if (names.length === 0) return (architecture ?? computeCapability) ? matchProfiles(device, profiles) : [];
  // Two tools may write one product differently; devices of several kinds have no profile in common
  const [first = [], ...others] = names.map(({ value }) =>
    typeof value === 'string' ? matchProfiles({ ...device, name: value }, profiles) : [],
  );
  return others.every(([profile]) => profile === first[0]) ? first : [];
}

/** Links that are down do not make a product one that has none: its profile knows. */
function inactiveLinks(
  stated: ReadonlyMap<string, Given>,
  profile: MatchableProfile | null,
): readonly { readonly key: string; readonly name: string }[] {
  return (profile?.capabilities ?? [])
    .map((name) => ({ key: `capability.${name}`, name }))
    .filter(({ key }) => stated.get(key) === false);
}

/** What a profile says need not be said again; its memory is the vendor's, not what the driver leaves of it. */
function factsFor(stated: ReadonlyMap<string, Given>, profile: MatchableProfile | null): Facts {
  const facts = new Map(stated);
  for (const { key } of inactiveLinks(stated, profile)) facts.delete(key);
  for (const [key, value] of Object.entries(profile?.facts ?? {})) {
    const own = facts.get(key);
    if (key === 'gpu.memory' || (own !== undefined && value !== null && plainFact(own) === plainFact(value)))
      facts.delete(key);
  }
  const name = stated.get('gpu.name');
  if ((profile === null || profile.isGeneric) && typeof name === 'string') facts.set('gpu.sku', name);
  return Object.fromEntries([...facts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What a profile says of a product that may be used otherwise: with another limit, or in a system of another size. */
const ofUse: ReadonlySet<string> = new Set(['gpu.power_limit', 'gpu.count', 'gpu.per_node', 'nodes.count']);
/** What a slice of a GPU does not have all of. */
const ofWhole: ReadonlySet<string> = new Set(['gpu.memory', 'gpu.memory_bandwidth', 'gpu.multiprocessors']);

/** A name that several products print is the model, as files that name it have it. */
function runFactsOf(stated: ReadonlyMap<string, Given>, profiles: readonly MatchableProfile[], facts: Facts): Facts {
  const [profile, ...others] = profiles;
  const isSlice = !['none', undefined].includes(stated.get('gpu.mig')?.toString());
  const ofProduct = Object.entries(profile?.facts ?? {}).filter(
    ([key, value]) =>
      !ofUse.has(key) &&
      !(isSlice && ofWhole.has(key)) &&
      !(key === 'gpu.name' && stated.has(key)) &&
      others.every((other) => other.facts[key] === value),
  );
  const name = stated.get('gpu.name');
  const isListed = others.length === 0 && profile?.isGeneric === false;
  const own = typeof name === 'string' && !isListed ? gpuFacts(name)['gpu.sku'] : undefined;
  const all = {
    ...Object.fromEntries(stated),
    ...Object.fromEntries(ofProduct),
    ...facts,
    ...(own === undefined ? {} : { 'gpu.sku': own }),
  };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([key]) => !key.startsWith('capability.'))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function problemsOf(readings: readonly ToolReading[]): readonly DetectionProblem[] {
  const problems = readings.flatMap((reading) => reading.problems);
  return [...new Map(problems.map((problem) => [`${problem.line} ${problem.message.en}`, problem])).values()];
}

function inactive(
  stated: ReadonlyMap<string, Given>,
  profile: MatchableProfile | null,
  byKey: ReadonlyMap<string, readonly FoundValue[]>,
): readonly DetectionProblem[] {
  return inactiveLinks(stated, profile).map(({ key, name }) => ({
    line: byKey.get(key)?.[0]?.line ?? null,
    message: {
      en: `This product has ${name}, and no link of it is active here`,
      zh: `该产品具备 ${name}，但此处没有任何活动链路`,
    },
  }));
}

const MENTION = /\b(nvidia-smi|nvsmi|rocm-smi|amd-smi|npu-smi|lscpu|numactl|ibstat|collect_env|nvcc|topo -m)\b/i;

/** Where nothing was found: what was looked for, and the line that names a tool, if there is one. */
function unrecognized(
  content: string,
  lines: readonly string[],
  readings: readonly ToolReading[],
  readers: readonly FactReader[],
): readonly DetectionProblem[] {
  if (readings.some(({ findings }) => findings.length > 0)) return [];
  if (content.trim() === '') return [{ line: null, message: { en: 'The text is empty', zh: '文本为空' } }];
  const tools = readers.flatMap((reader) => reader.tools);
  const line = lines.findIndex((one) => MENTION.test(one));
  const found = line === -1 ? null : (MENTION.exec(lines[line] ?? '')?.[0] ?? null);
  return [
    {
      line: line === -1 ? null : line + 1,
      message: {
        en: `No fact of a machine was found; looked for the output of ${tools.join(', ')}${found === null ? '' : `. Line ${line + 1} names ${found}: is its output cut?`}`,
        zh: `没有找到机器信息；可识别的输出有：${tools.join('、')}${found === null ? '' : `。第 ${line + 1} 行提到 ${found}，其输出是否不完整？`}`,
      },
    },
  ];
}
