import type { ImportProblem, Reading, ReadRun } from '../importers/importer.js';
import { checked, readContent } from '../importers/index.js';
import { readMapped, unknownTable, type ColumnMapping, type MetricUnits } from '../importers/mapped/index.js';
import { prepare } from '../importers/prepare.js';
import { contentOfRun } from '../importers/repeated-content.js';
import type { BothLanguages } from '../locale.js';
import type { Facts } from '../measurement/environment-diff.js';
import type { MetricDefinition } from '../measurement/metric.js';
import { conflictText, joinedFacts } from '../measurement/joined-facts.js';
import { normalPrintedFacts, type NormalWords } from '../measurement/normal-facts.js';
import type { TrialRun } from '../measurement/trial.js';
import { isPlainNumbers, plainNumbersUnsaid, plainValues } from './plain-values.js';
import { toTrialObservation } from './trial-observation.js';

export type ArmName = 'BEFORE' | 'AFTER';

/** One file of an arm, under the name that the person gave it. */
export interface ArmFile {
  readonly name: string;
  readonly text: string;
}

/** How the files of an arm are read. */
export interface ArmOptions {
  readonly arm: ArmName;
  /** The importer to use, or null to recognize it. */
  readonly format: string | null;
  /** What the columns of tables mean that no importer knows; all files are read by it. */
  readonly mapping?: ColumnMapping | null;
  /** The session of all files; null where the files say. */
  readonly session: string | null;
  /** ONE_PER_FILE: somebody says that each file is an allocation of the machine of its own. */
  readonly sessions: 'AS_READ' | 'ONE_PER_FILE';
  /** BY_PLACE: the files of both arms that stand at the same place were measured side by side. */
  readonly pairs: 'NONE' | 'BY_PLACE';
  /** Facts over those of the files, by key. */
  readonly facts: Facts;
  /** A metric that somebody described: files of plain numbers are its values. */
  readonly ownMetric: MetricDefinition | null;
  readonly metrics: ReadonlyMap<string, MetricDefinition>;
  /** How values of facts are written: those of two tools are compared in the same words. */
  readonly words: NormalWords;
  readonly maxBytes: number;
}

/** ERROR: the file is no measurement, so that nothing may be concluded from the arm. */
export interface FileProblem {
  readonly arm: ArmName;
  readonly file: string;
  readonly line: number | null;
  readonly severity: 'ERROR' | 'WARNING';
  readonly message: BothLanguages;
}

export interface FileSummary {
  readonly name: string;
  readonly format: string | null;
  readonly runCount: number;
}

export interface ArmReading {
  readonly runs: readonly TrialRun[];
  readonly files: readonly FileSummary[];
  readonly problems: readonly FileProblem[];
  /** For what each run says the file that says it first. */
  readonly contents: ReadonlyMap<string, string>;
}

/** Reads the files of one arm into runs, values in the units of their metrics. What is wrong becomes problems. */
export function readArm(files: readonly ArmFile[], options: ArmOptions): ArmReading {
  const problems: FileProblem[] = [];
  const runs: TrialRun[] = [];
  const summaries: FileSummary[] = [];
  const seen = new Map<string, string>();
  const contents = new Map<string, string>();
  for (const [place, { name, text }] of files.entries()) {
    const report = (severity: FileProblem['severity'], line: number | null, message: BothLanguages) =>
      problems.push({ arm: options.arm, file: name, line, severity, message });
    const twin = seen.get(text);
    if (twin !== undefined) {
      report('WARNING', null, {
        en: `The content is that of ${twin}: it counts once`,
        zh: `内容与 ${twin} 相同，只计一次`,
      });
      continue;
    }
    seen.set(text, name);
    const reading = readFile(text, options);
    for (const { severity, line, message } of reading.problems) report(severity, line, message);
    const isExplained = reading.problems.some(({ severity }) => severity === 'ERROR');
    const usable = reading.runs.flatMap((run, index): TrialRun[] => {
      if (run.status === 'FAILED') {
        if (isExplained) return [];
        const which = reading.runs.length === 1 ? '' : ` ${index + 1}`;
        report('ERROR', null, {
          en: `Run${which} failed: its numbers are no measurement`,
          zh: `运行${which}已失败，其数值不能作为测量结果`,
        });
        return [];
      }
      const content = tellingContent(run, options.metrics);
      const other = content === null ? undefined : contents.get(content);
      if (content !== null && other === undefined) contents.set(content, name);
      if (other !== undefined && other !== name) {
        report('WARNING', null, {
          en: `A result is that of ${other} in every number, fact and start: it counts once`,
          zh: `有结果与 ${other} 中的数值、信息和开始时间完全相同，只计一次`,
        });
        return [];
      }
      return [toTrialRun(run, { id: `${name}#${index + 1}`, place, name }, options, report)];
    });
    runs.push(...usable);
    summaries.push({ name, format: reading.format, runCount: usable.length });
  }
  return { runs, files: summaries, problems: distinct(problems), contents };
}

/**
 * What a run says, where no two measurements say the same: two numbers or more of metrics that are not exact. Kernels and
 * bytes are counted alike by every run.
 */
function tellingContent(run: ReadRun, metrics: ArmOptions['metrics']): string | null {
  const numbers = run.observations
    .filter(({ metric }) => metrics.get(metric)?.isExact === false)
    .reduce((sum, { repeats, samples }) => sum + Math.max(1, repeats?.length ?? 0, samples?.length ?? 0), 0);
  return numbers < 2 ? null : contentOfRun(run);
}

interface FileReading extends Reading {
  readonly format: string | null;
}

function readFile(text: string, options: ArmOptions): FileReading {
  const { format, mapping, ownMetric, maxBytes } = options;
  if (mapping) return readByMapping(text, mapping, options);
  const { format: found, candidates, reading } = readContent(text, format ?? undefined, maxBytes);
  if (found !== null || candidates.length > 0 || format !== null) return { format: found, ...reading };
  const values = ownMetric ? plainValues(text, ownMetric) : null;
  if (values) return { format: 'plain-values', ...values };
  return { format: null, runs: [], problems: whyUnknown(text, reading.problems, options) };
}

function readByMapping(text: string, mapping: ColumnMapping, { metrics, maxBytes }: ArmOptions): FileReading {
  const prepared = prepare(text, maxBytes);
  if ('problem' in prepared) return { format: null, runs: [], problems: [prepared.problem] };
  return { format: 'mapped', ...checked('mapped', readMapped(prepared.text, mapping, unitsOf(metrics))) };
}

/** Numbers and tables are no output of a tool: what they are is for a person to say. */
function whyUnknown(
  text: string,
  said: readonly ImportProblem[],
  { metrics, maxBytes }: ArmOptions,
): readonly ImportProblem[] {
  if (!said.some(({ code }) => code === 'UNRECOGNIZED')) return said;
  if (isPlainNumbers(text)) return said.map((problem) => ({ ...problem, message: plainNumbersUnsaid }));
  const prepared = prepare(text, maxBytes);
  const found = 'text' in prepared ? unknownTable(prepared.text, unitsOf(metrics)) : null;
  return found ? [...said.filter(({ code }) => code !== 'UNRECOGNIZED'), ...found.problems] : said;
}

/** The unit of each metric, by its key. */
export function unitsOf(metrics: ArmOptions['metrics']): MetricUnits {
  return new Map([...metrics].map(([key, { unit }]) => [key, unit]));
}

type Report = (severity: FileProblem['severity'], line: number | null, message: BothLanguages) => void;

function toTrialRun(
  run: ReadRun,
  { id, place, name }: { readonly id: string; readonly place: number; readonly name: string },
  options: ArmOptions,
  report: Report,
): TrialRun {
  const { sessions, pairs, facts, words } = options;
  const isWorkload = (key: string) => key.startsWith('workload.');
  const given = Object.entries(normalPrintedFacts(facts, words));
  // nothing is kept of a comparison, so that each key that is given is meant
  const over = (kind: 'environment' | 'workload'): Facts => {
    const caller = Object.fromEntries(given.filter(([key]) => isWorkload(key) === (kind === 'workload')));
    const said = { file: normalPrintedFacts(run[kind], words), caller, environment: {} };
    const all = joinedFacts(said, new Map(), Object.keys(caller));
    for (const conflict of all.conflicts) report('WARNING', null, conflictText(conflict));
    return all.facts;
  };
  return {
    id,
    status: run.status,
    session: options.session ?? (sessions === 'ONE_PER_FILE' ? name : run.session),
    block: pairs === 'BY_PLACE' ? `pair ${place + 1}` : run.block,
    variant: run.variant,
    environment: over('environment'),
    workload: over('workload'),
    observations: run.observations
      .map((observation) => toTrialObservation(observation, options.metrics, (how, text) => report(how, null, text)))
      .filter((observation) => observation !== null),
  };
}

/** What is said of each observation of a file is said once. */
function distinct(problems: readonly FileProblem[]): readonly FileProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}
