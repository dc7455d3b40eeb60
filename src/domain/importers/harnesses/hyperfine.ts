import { z } from 'zod';
import { cutText } from '../../cut-text.js';
import type { Facts } from '../../measurement/environment-diff.js';
import { redactCommand } from '../../measurement/redact.js';
import { meanOf, medianOf, samplesWithDistribution } from '../distribution.js';
import {
  leftOut,
  partFailed,
  failedRun,
  badRun,
  warning,
  type Importer,
  type ImportProblem,
  type ReadObservation,
  type ReadRun,
} from '../importer.js';
import { isObject, objectsOf, readJson, type JsonObject } from '../json.js';
import { summarized } from '../repeated.js';

/** What `hyperfine --export-json` writes: times in seconds, memory in bytes, one result for each command. */
export const hyperfine: Importer = {
  tool: 'hyperfine',
  what: 'hyperfine --export-json',

  recognizes: (text) =>
    /^\s{0,1000}\{\s{0,100}"results"\s{0,100}:\s{0,100}\[\s{0,100}\{\s{0,100}"command"\s{0,100}:/.test(text) &&
    text.includes('"mean"') &&
    text.includes('"system"'),

  read(text) {
    const json = readJson(text);
    if (json.problem) return { runs: [], problems: [json.problem] };
    const lines = new CommandLines(text);
    const parts = objectsOf(json)
      .flatMap(({ object, line }) => resultsOf(object).map((found) => ({ found, line })))
      .map(({ found, line }) => readResult(found, lines.lineOf(found, line)));
    return {
      runs: parts.flatMap(({ run }) => (run ? [run] : [])),
      problems: parts.flatMap(({ problems }) => problems),
    };
  },
};

const result = z.object({
  command: z.string(),
  mean: z.number(),
  median: z.number(),
  stddev: z.number().nullish(),
  user: z.number().optional(),
  system: z.number().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  times: z.array(z.number()).nullish(),
  exit_codes: z.array(z.int().nullable()).nullish(),
  memory_usage_byte: z.array(z.number()).nullish(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
});

type Result = z.infer<typeof result>;

/** One more than a file may hold, so that the excess is noticed. */
const MAX_RESULTS = 1_001;

function resultsOf(object: JsonObject): readonly JsonObject[] {
  return Array.isArray(object.results) ? object.results.slice(0, MAX_RESULTS).filter(isObject) : [];
}

/** One search that finds nothing reads the rest of the text, so only a few may. */
const MAX_MISSES = 5;

/** The lines of the commands, asked for in the order of the file: together they read the text once. */
class CommandLines {
  private position = 0;
  private line = 1;
  private misses = 0;

  constructor(private readonly text: string) {}

  /** `fallback` for a command that is not written as usual. */
  lineOf(found: JsonObject, fallback: number): number {
    if (this.misses >= MAX_MISSES || typeof found.command !== 'string') return fallback;
    const written = JSON.stringify(found.command);
    const at = this.text.indexOf(written, this.position);
    if (at === -1) {
      this.misses += 1;
      return fallback;
    }
    for (let next = this.position; next < at; next += 1) if (this.text.charCodeAt(next) === 10) this.line += 1;
    // a command as JSON holds no line break
    this.position = at + written.length;
    return this.line;
  }
}

function readResult(found: unknown, line: number): { run: ReadRun | null; problems: readonly ImportProblem[] } {
  const parsed = result.safeParse(found);
  if (!parsed.success) {
    const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.')).join(', '); // prettier-ignore
    return {
      run: null,
      problems: [
        badRun(
          line,
          `Not a result of hyperfine. Bad or missing: ${places}`,
          `不是 hyperfine 的结果。字段有误或缺失：${places}`,
        ),
      ],
    };
  }
  const failed = failures(parsed.data, line);
  const isFailed = failed.some(({ severity }) => severity === 'ERROR');
  const status = isFailed ? 'FAILED' : failed.length > 0 ? 'PARTIAL' : 'OK';
  return { run: runOf(parsed.data, status), problems: [...failed, ...doubts(parsed.data, line)] };
}

/** A command of which no execution succeeded measured how long it takes to fail: that is an error. */
function failures({ command, exit_codes }: Result, line: number): readonly ImportProblem[] {
  const codes = exit_codes ?? [];
  const failed = codes.filter((code) => code !== 0).length;
  if (failed > 0 && failed === codes.length) {
    return [
      failedRun(
        line,
        `Every execution ended with an error or a signal (${failed} of ${failed}): this is no measurement`,
        `全部 ${failed} 次执行均以错误或信号结束，不能作为测量结果`,
      ),
    ];
  }
  if (failed > 0) {
    const share = `${((100 * failed) / codes.length).toFixed(1)} %`;
    return [
      partFailed(
        line,
        `${failed} of ${codes.length} executions (${share}) ended with an error or a signal`,
        `${codes.length} 次执行中有 ${failed} 次（${share}）以错误或信号结束`,
      ),
    ];
  }
  if (!/\[ERROR\]\s*$/i.test(command)) return [];
  return [
    partFailed(line, 'The command is marked [ERROR]: it probably failed', '命令带有 [ERROR] 标记，很可能执行失败'),
  ];
}

function doubts(found: Result, line: number): readonly ImportProblem[] {
  const { mean, median, times } = found;
  const problems: ImportProblem[] = [];
  if (mean < 0.005) {
    problems.push(
      warning(
        line,
        'The mean is below 5 ms: starting the shell makes up much of it. Use --shell=none or a longer command',
        '平均耗时低于 5 ms，其中 shell 启动占比很大。请使用 --shell=none 或更长的命令',
        { code: 'OVERHEAD' },
      ),
    );
  }
  if (Math.min(mean, median, ...(times ?? []).slice(0, 10_000)) <= 0) {
    problems.push(warning(line, 'A time of zero cannot be true', '耗时不可能为零', { code: 'NO_MEASUREMENT' }));
  }
  const own = contradictingMean(found);
  if (own !== null) {
    const [given, computed] = [mean, own].map((seconds) => `${Number(seconds.toPrecision(6))} s`);
    const count = times?.length ?? 0;
    problems.push(
      leftOut(
        line,
        `The mean of ${given} was left out: the ${count} times of the file have a mean of ${computed}`,
        `未采用平均值 ${given}：文件中 ${count} 次耗时的平均值为 ${computed}`,
      ),
    );
  }
  return problems;
}

/** The mean of the times where the stated one is off by more than 1 %, else null. */
function contradictingMean({ mean, times }: Result): number | null {
  const own = meanOf(times ?? []);
  return own !== null && Math.abs(own - mean) > 0.01 * Math.abs(mean) + 1e-9 ? own : null;
}

function runOf(found: Result, status: ReadRun['status']): ReadRun {
  const command = cutText(redactCommand(found.command), 4_000);
  return {
    status,
    tool: 'hyperfine',
    toolVersion: null,
    variant: cutText(command, 200),
    startedAt: null,
    command,
    environment: {},
    // as the file has it: the redaction of facts keeps different commands different
    workload: { 'workload.command': cut(found.command), ...parametersOf(found) },
    session: null,
    block: null,
    observations: observationsOf(found),
  };
}

/** Cut before a word, so that no half of a secret stays. */
function cut(command: string): string {
  return command.length <= 4_000 ? command : cutText(command, 4_000).replace(/\S{0,200}$/, '');
}

function parametersOf({ parameters }: Result): Facts {
  return Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, value]) => [`workload.settings.${name.replace(/\W/g, '_')}`, value]),
  );
}

function observationsOf(found: Result): readonly ReadObservation[] {
  const times = found.times ?? [];
  const memory = found.memory_usage_byte ?? [];
  const peak = medianOf(memory);
  const inSeconds = (metric: string, value: number | undefined): readonly ReadObservation[] =>
    value === undefined ? [] : [{ metric, dimensions: {}, value, unit: 's' }];
  return [
    ...inSeconds('time.median', found.median).map((median) =>
      times.length === 0 ? median : { ...median, repeats: times, ...inside(times) },
    ),
    ...inSeconds('time.mean', contradictingMean(found) === null ? found.mean : undefined).map((mean) =>
      times.length === 0 ? { ...mean, ...summarized(found.mean, found.stddev, executionsOf(found)) } : mean,
    ),
    ...inSeconds('time.user', found.user),
    ...inSeconds('time.system', found.system),
    ...(peak === null || peak <= 0
      ? []
      : [{ metric: 'memory.host_peak', dimensions: {}, value: peak, unit: 'B', repeats: memory }]),
  ];
}

/** Of each execution there is an exit code, and in newer versions its memory. */
function executionsOf({ exit_codes, memory_usage_byte }: Result): number | null {
  return exit_codes?.length || memory_usage_byte?.length || null;
}

/** The repetitions are all there is, so only their distribution is added. */
function inside(times: readonly number[]): Pick<ReadObservation, 'distribution'> {
  const found = samplesWithDistribution(times);
  return found ? { distribution: found.distribution } : {};
}
