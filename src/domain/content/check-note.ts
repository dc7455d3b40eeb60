import { DomainError } from '../errors.js';
import { inUnitOf, seriesKeyOf } from '../importers/in-unit.js';
import type { ReadRun } from '../importers/importer.js';
import { readContent } from '../importers/index.js';
import { declaredVariable, tunebookLab } from '../importers/harnesses/tunebook-lab.js';
import type { DifferenceTier, Facts } from '../measurement/environment-diff.js';
import type { MetricDefinition } from '../measurement/metric.js';
import { readTrial, type TrialObservation, type TrialReading, type TrialRun } from '../measurement/trial.js';
import type { Verdict } from '../measurement/verdict.js';
import type { Path, Report } from './content-file.js';
import { digestOf } from './digest.js';
import { definitionOf } from './metric-definition.js';
import { reportRepeated, reportUnknown } from './registry.js';
import type { Registry } from './registry.js';
import type { EnvironmentKeyEntry, MetricEntry, NoteFile } from './schema.js';

/** What the measurements of a reference note say by the method of the product. */
export interface NoteReading {
  readonly environment: Facts;
  readonly workload: Facts;
  readonly trial: TrialReading;
  /** SHA-256 over the measurements and what they are read by: equal for equal results. */
  readonly digest: string;
}

/** The lists that measurements are read by. */
export interface NoteContext {
  readonly metrics: readonly MetricEntry[];
  readonly environmentKeys: readonly EnvironmentKeyEntry[];
  /** Slugs of the hardware profiles. */
  readonly hardware: ReadonlySet<string>;
}

type Measurement = NoteFile['measurements'][number];
type Arm = 'before' | 'after';

const outcomes: Readonly<Record<Verdict, NoteFile['outcome']>> = {
  IMPROVED: 'HELPED',
  REGRESSED: 'HURT',
  BLOCKED_BY_GUARDRAIL: 'HURT',
  NO_MEANINGFUL_CHANGE: 'NEUTRAL',
  INCONCLUSIVE: 'INCONCLUSIVE',
  NOT_COMPARABLE: 'INCONCLUSIVE',
};

/** Reports everything about one reference note that its shape cannot say, but for its measurements. */
export function checkNote(note: NoteFile, registry: Registry, context: NoteContext, report: Report): void {
  for (const [index, name] of note.items.entries()) {
    const here: Path = ['items', index];
    if (!name.includes(':')) report(here, { en: 'write checklist:section/topic', zh: '须写作 checklist:section/topic' });
    else if (!registry.items.has(name)) report(here, { en: `there is no item "${name}"`, zh: `不存在条目“${name}”` });
    else if (registry.drafts.has(name)) report(here, { en: `"${name}" is a draft`, zh: `“${name}”是草稿` });
  }
  reportRepeated(note.items, (index) => ['items', index], report);
  for (const [index, tag] of note.tags.entries()) {
    reportUnknown(registry.tags, tag, 'tags.yaml', ['tags', index], report);
  }
  reportUnknown(context.hardware, note.hardware, 'hardware/', ['hardware'], report);
  const names = note.measurements.flatMap(({ before, after }) => [before, after]);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) === index) continue;
    const here: Path = ['measurements', Math.floor(index / 2), index % 2 === 0 ? 'before' : 'after'];
    report(here, { en: `"${name}" stands here twice`, zh: `“${name}”重复` });
  }
  const primary = note.measurements.filter(({ role }) => role === 'primary').length;
  if (primary !== 1) {
    report(['measurements'], {
      en: `exactly one measurement is primary, here ${primary}`,
      zh: `主要测量必须恰好有一项，这里有 ${primary} 项`,
    });
  }
}

/**
 * Compares the arms of a reference note by the method of the product, all metrics in one trial. `textOf` gives a file
 * beside the note. Null where something is wrong, which is reported.
 */
export function readNote(
  note: NoteFile,
  textOf: (name: string) => string | undefined,
  context: NoteContext,
  report: Report,
): NoteReading | null {
  const pairs = note.measurements.flatMap((measurement, index) => {
    const before = readArm(measurement, 'before', index, textOf, report);
    const after = readArm(measurement, 'after', index, textOf, report);
    return before && after ? [{ role: measurement.role, before, after }] : [];
  });
  const primary = pairs.find(({ role }) => role === 'primary');
  if (!primary || pairs.length < note.measurements.length) return null;
  const metrics = new Map(context.metrics.map((metric) => [metric.key, definitionOf(metric)]));
  const joined = { before: joinedRun(pairs, 'before', metrics, report), after: joinedRun(pairs, 'after', metrics, report) };
  const primaryMetric = primary.before.observations[0]?.metric;
  if (!joined.before || !joined.after || primaryMetric === undefined) return null;
  const trial = readTrial({
    before: [joined.before],
    after: [joined.after],
    variable: [...new Set(pairs.flatMap(({ before, after }) => declaredVariable(before, after)))],
    primaryMetric,
    guardrails: pairs.filter(({ role }) => role === 'guardrail').flatMap(({ before }) => metricsOf(before)),
    threshold: null,
    isSaidControl: false,
    metrics,
    tiers: new Map<string, DifferenceTier>(context.environmentKeys.map(({ key, tier }) => [key, tier])),
    noiseFloors: new Map(),
  });
  if (!trial) {
    report(['measurements'], { en: 'the two arms have no metric in common', zh: '两组数据没有共同的指标' });
    return null;
  }
  const expected = outcomes[trial.verdict];
  if (note.outcome !== expected) {
    report(['outcome'], {
      en: `the verdict on ${primaryMetric} is ${trial.verdict}, so the outcome is ${expected}`,
      zh: `${primaryMetric} 的结论为 ${trial.verdict}，outcome 应为 ${expected}`,
    });
  }
  const { environment, workload } = joined.after;
  const observed = pairs.flatMap(({ before }) => metricsOf(before)).map((key) => metrics.get(key));
  const roles = note.measurements.map(({ role }) => role);
  return { environment, workload, trial, digest: digestOf([joined, observed, roles, context.environmentKeys]) };
}

function readArm(
  measurement: Measurement,
  arm: Arm,
  index: number,
  textOf: (name: string) => string | undefined,
  report: Report,
): ReadRun | null {
  const here: Path = ['measurements', index, arm];
  const name = measurement[arm];
  const text = textOf(name);
  if (text === undefined) {
    report(here, { en: `there is no file "${name}" beside it`, zh: `同目录下没有文件“${name}”` });
    return null;
  }
  const { runs, problems } = readContent(text, tunebookLab.tool).reading;
  for (const { message, line } of problems) {
    const place = line === null ? name : `${name}:${line}`;
    report(here, { en: `${place}: ${message.en}`, zh: `${place}：${message.zh}` });
  }
  const [run, ...others] = runs;
  if (problems.length > 0 || !run) return null;
  if (others.length === 0) return run;
  report(here, { en: `${name} holds ${runs.length} runs, not one`, zh: `${name} 含 ${runs.length} 次运行，应为一次` });
  return null;
}

/** All metrics of one arm as one run: they were measured in one go. */
function joinedRun(
  pairs: readonly Readonly<Record<Arm, ReadRun>>[],
  arm: Arm,
  metrics: ReadonlyMap<string, MetricDefinition>,
  report: Report,
): TrialRun | null {
  const runs = pairs.map((pair) => pair[arm]);
  const [first] = runs;
  if (!first) return null;
  const observations = runs.flatMap((run, index) =>
    run.observations.flatMap((observation): TrialObservation[] => {
      const here: Path = ['measurements', index, arm];
      const metric = metrics.get(observation.metric);
      if (!metric) {
        const key = observation.metric;
        report(here, { en: `"${key}" is not in metrics.yaml`, zh: `metrics.yaml 中没有“${key}”` });
        return [];
      }
      try {
        const { dimensions, value, repeats = [], blocks = [] } = inUnitOf(metric, observation);
        return [{ metric: metric.key, dimensions, seriesKey: seriesKeyOf(dimensions), value, repeats, blocks }];
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        report(here, error.text);
        return [];
      }
    }),
  );
  const { status, variant, session, block } = first;
  return {
    id: arm,
    status,
    session,
    block,
    variant,
    environment: joinedFacts(runs.map(({ environment }) => environment)),
    workload: joinedFacts(runs.map(({ workload }) => workload)),
    observations,
  };
}

function joinedFacts(facts: readonly Facts[]): Facts {
  return Object.fromEntries(facts.flatMap((one) => Object.entries(one)));
}

function metricsOf({ observations }: ReadRun): readonly string[] {
  return observations.map(({ metric }) => metric);
}
