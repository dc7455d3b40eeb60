import type { Facts } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import {
  fewSamples,
  leftOut,
  error,
  type ImportProblem,
  type ReadObservation,
  type Reading,
  type ReadRun,
} from '../importer.js';
import { evenly, summarized } from '../repeated.js';
import { startedAtOf } from '../started-at.js';
import { contradiction, contradicts } from './requests.js';
import { modelName, WorkloadFacts } from './workload.js';

/** One test of llama-bench, by the names of its fields in JSON; numbers may be texts. */
export interface LlamaTest {
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  /** Each repetition; empty where the format has none. */
  readonly samplesTs: readonly number[];
  readonly samplesNs: readonly number[];
  /** How many repetitions the command asked for, where it stands above; null where nothing says it. */
  readonly repetitions: number | null;
  readonly line: number;
}

/** Fields that tell tests of one run apart, or what they measured. All others are settings of the run. */
const ofTest = new Set(['n_prompt', 'n_gen', 'n_depth', 'test_time', 'avg_ns', 'stddev_ns', 'avg_ts', 'stddev_ts']);
/** Facts with a name of their own, or that tell nothing. */
const named = new Set([
  'build_commit', 'build_number', 'cpu_info', 'gpu_info', 'model_filename', 'model_type', 'model_size', 'model_n_params',
]); // prettier-ignore

/** Tests with the same settings are one run, in the order of the first of each. */
export function runsOf(format: string, tests: readonly LlamaTest[]): Reading {
  const groups = new Map<string, LlamaTest[]>();
  for (const test of tests) {
    const settings = Object.entries(test.fields).filter(([key]) => !ofTest.has(key));
    const key = JSON.stringify(settings);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(test);
  }
  const all = [...groups.values()].map((group) => runOf(format, group));
  const single = tests.filter(isWithoutSpread);
  const [first] = single;
  return {
    runs: all.flatMap(({ run }) => (run ? [run] : [])),
    problems: [...all.flatMap(({ problems }) => problems), ...(first ? [noSpread(single.length, first.line)] : [])],
  };
}

function runOf(
  format: string,
  group: readonly LlamaTest[],
): { readonly run: ReadRun | null; readonly problems: readonly ImportProblem[] } {
  const found = group.map(observationsOf);
  const observations = found.flatMap((each) => each.observations);
  const problems = found.flatMap((each) => each.problems);
  const [first] = group;
  if (!first || observations.length === 0) return { run: null, problems };
  const time = String(first.fields.test_time ?? '');
  const start = /^\d{4}-\d\d-\d\dT/.test(time)
    ? startedAtOf(time, time, first.line)
    : { startedAt: null, problems: [] };
  const run: ReadRun = {
    status: 'OK',
    tool: format,
    toolVersion: versionOf(first.fields),
    variant: null,
    startedAt: start.startedAt,
    command: null,
    environment: environmentOf(first.fields),
    workload: workloadOf(first.fields),
    session: null,
    block: null,
    observations,
  };
  return { run, problems: [...problems, ...start.problems] };
}

function numberIn(fields: LlamaTest['fields'], key: string): number | null {
  const value = fields[key];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

interface Observed {
  readonly observations: readonly ReadObservation[];
  readonly problems: readonly ImportProblem[];
}

function observationsOf({ fields, samplesTs, samplesNs, repetitions, line }: LlamaTest): Observed {
  const of = (key: string): number | null => numberIn(fields, key);
  const [prompt, generated, depth] = [of('n_prompt') ?? 0, of('n_gen') ?? 0, of('n_depth') ?? 0];
  const [rate, time] = [of('avg_ts'), of('avg_ns')];
  if (prompt < 0 || generated < 0 || prompt + generated <= 0 || rate === null || !(rate > 0)) {
    return { observations: [], problems: [noResult(line)] };
  }
  const kind = generated === 0 ? 'prompt' : prompt === 0 ? 'generation' : 'mixed';
  const dimensions = {
    ...(prompt > 0 ? { n_prompt: prompt } : {}),
    ...(generated > 0 ? { n_gen: generated } : {}),
    ...(depth > 0 ? { n_depth: depth } : {}),
  };
  const own = time !== null && time > 0 ? (1e9 * (prompt + generated)) / time : null;
  // the mean of rates and the rate of the mean differ where the repetitions do
  const isDoubtful = contradicts(rate, own, 0.005 + 0.05 * rate);
  const repeated = (values: readonly number[], mean: number, deviation: number | null) =>
    values.length > 1 ? { repeats: evenly(values) } : values.length === 1 ? {} : summarized(mean, deviation, repetitions);
  const observations: ReadObservation[] = [];
  if (!isDoubtful) {
    observations.push({ metric: `inference.${kind}_throughput`, dimensions, value: rate, unit: 'tokens/s', ...repeated(samplesTs, rate, of('stddev_ts')) });
  }
  if (time !== null && time > 0) {
    observations.push({ metric: `inference.${kind}_time`, dimensions, value: time, unit: 'ns', ...repeated(samplesNs, time, of('stddev_ns')) });
  }
  return { observations, problems: isDoubtful && own !== null ? [doubt(rate, prompt + generated, time ?? 0, own, line)] : [] };
} // prettier-ignore

/** Longer lines are no commands. */
const MAX_COMMAND = 4_000;

/** What `-r` of a command says, null of a command without it; undefined for a line that is none. */
export function repetitionsIn(line: string): number | null | undefined {
  if (line.length > MAX_COMMAND || !line.includes('llama-bench') || line.trimStart().startsWith('|')) return undefined;
  const words = line.trim().split(/\s+/);
  const at = words.findIndex((word) => /(?:^|[/\\])llama-bench(?:\.exe)?$/.test(word));
  if (at === -1) return undefined;
  const option = words.findIndex((word, index) => index > at && /^(?:-r|--repetitions)$/.test(word));
  const count = /^\d{1,6}$/.test(words[option + 1] ?? '') ? Number(words[option + 1]) : 0;
  return option > at && count > 0 ? count : null;
}

/** What the last command says that stands before a result. */
export function repetitionsBefore(lines: Iterable<string>): number | null {
  let found: number | null = null;
  for (const line of lines) {
    const said = repetitionsIn(line);
    if (said !== undefined) found = said;
  }
  return found;
}

function isWithoutSpread({ fields, samplesTs }: LlamaTest): boolean {
  return samplesTs.length === 1 || (samplesTs.length === 0 && numberIn(fields, 'stddev_ts') === 0);
}

/** `b5606 (247e5c6e)`: number and commit of the build. */
function versionOf(fields: LlamaTest['fields']): string | null {
  const [number, commit] = [numberIn(fields, 'build_number'), fields.build_commit];
  if (number === null || number <= 0) return typeof commit === 'string' && commit !== '' ? commit.slice(0, 60) : null;
  return typeof commit === 'string' && commit !== '' ? `b${number} (${commit.slice(0, 60)})` : `b${number}`;
}

function environmentOf(fields: LlamaTest['fields']): Facts {
  const text = (key: string): string => (typeof fields[key] === 'string' ? fields[key].trim() : '');
  const names = text('gpu_info').split(', ').map((name) => name.trim()).filter(Boolean);
  const [name] = names;
  const isAlike = name !== undefined && names.every((each) => each === name);
  return {
    ...(isAlike ? { ...gpuFacts(name), 'gpu.count': names.length } : {}),
    ...(text('cpu_info') === '' ? {} : { 'cpu.name': text('cpu_info') }),
  };
} // prettier-ignore

/** Written as 0 and 1, or false and true, depending on the format. */
const flags = new Set([
  'cuda', 'opencl', 'vulkan', 'kompute', 'metal', 'sycl', 'rpc', 'gpu_blas', 'blas', 'mul_mat_q', 'f16_kv', 'cpu_strict',
  'no_kv_offload', 'flash_attn', 'use_mmap', 'use_direct_io', 'embeddings', 'no_op_offload', 'no_host',
]); // prettier-ignore

function workloadOf(fields: LlamaTest['fields']): Facts {
  const workload = new WorkloadFacts().set('tool', 'llama-bench').set('framework', 'llama.cpp');
  if (typeof fields.model_type === 'string') workload.set('model', fields.model_type);
  if (typeof fields.model_filename === 'string') {
    workload.set('settings.model_file', modelName(fields.model_filename).split('/').at(-1));
  }
  for (const [key, value] of Object.entries(fields).slice(0, 100)) {
    if (!ofTest.has(key) && !named.has(key)) workload.set(`settings.${key.replace(/\W/g, '_')}`, settingOf(key, value));
  }
  return workload.facts;
}

function settingOf(key: string, value: string | number | boolean): string | number | boolean {
  const text = String(value).trim();
  if (flags.has(key) && /^(?:[01]|true|false)$/.test(text)) return text === '1' || text === 'true';
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) ? Number(text) : value;
}

function noResult(line: number): ImportProblem {
  return leftOut(
    line,
    'The test was left out: it has no tokens or no throughput',
    '未采用该项测试：缺少 token 数或吞吐量',
  );
}

function noSpread(count: number, line: number): ImportProblem {
  const [en, zh] = count === 1 ? ['A test has', '有 1 项测试'] : [`${count} tests have`, `有 ${count} 项测试`];
  return fewSamples(
    line,
    `${en} a deviation of zero, or one repetition: nothing is known of the spread. Repeat with -r 5 or more`,
    `${zh}的标准差为零或只有一次重复，无法得知波动，建议以 -r 5 或更大的值重测`,
  );
}

function doubt(rate: number, tokens: number, time: number, own: number, line: number): ImportProblem {
  const shown = Number(own.toPrecision(6));
  return contradiction(
    line,
    [`throughput of ${rate}`, `${tokens} tokens in ${time} ns are ${shown} per second`],
    [`吞吐量 ${rate}`, `${time} ns 内 ${tokens} 个 token，即每秒 ${shown} 个`],
  );
}

/**
 * A row whose cells are not as many as the columns: files of old builds have flags of backends that the names lack. The
 * cells are then read from the end, if a time stands where the names say so; null if not.
 */
export function alignedFields(
  columns: readonly string[],
  cells: readonly string[],
): Readonly<Record<string, string>> | null {
  const shift = cells.length - columns.length;
  const isWhole = shift === 0;
  const entries = columns.flatMap((column, index) => {
    const cell = cells[index + shift];
    const isSure = isWhole || index + shift >= columns.indexOf('cpu_info') + Math.max(shift, 0);
    const start = index < 2 ? cells[index] : undefined;
    const value = isWhole ? cell : (start ?? (isSure ? cell : undefined));
    return value === undefined ? [] : [[column, value] as const];
  });
  const fields = Object.fromEntries(entries);
  const isTimed = /^\d{4}-\d\d-\d\dT/.test(fields.test_time ?? '');
  return isTimed && Math.abs(shift) <= 5 ? fields : null;
}

export function misaligned(line: number, cells: number, columns: number): ImportProblem {
  return leftOut(
    line,
    `The row has ${cells} values for ${columns} names: it was read from its end, and flags of backends were left out`,
    `该行有 ${cells} 个值，表头只有 ${columns} 列：从行末开始读取，后端标志未采用`,
  );
}

export function unreadableRow(line: number): ImportProblem {
  return leftOut(
    line,
    'The row was left out: its values do not fit the names of the columns',
    '未采用该行：值与列名不对应',
  );
}

export function noTests(line: number | null): ImportProblem {
  return error(line, 'There is no complete test of llama-bench in the text', '文本中没有完整的 llama-bench 测试结果');
}
