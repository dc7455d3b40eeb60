import { seriesKeyOf } from '../importers/in-unit.js';
import { textIn } from '../locale.js';
import { normalizeFacts } from '../measurement/redact.js';
import { optionalText, requiredText, TEXT_LIMITS } from '../text-limits.js';
import type { AuditRecord } from './audit-record.js';
import type { RecordedMetric, RecordedRun, RecordedTrial } from './measurement-record.js';
import { attempt, isNowhere, once, type Say } from './saying.js';

/** What runs and metrics of a record say that cannot be. */
export function checkRuns({ runs, metrics }: AuditRecord, say: Say): void {
  const keys = new Set(metrics.map(({ key }) => key));
  const [contents, metricKeys] = [once(say), once(say)];
  metrics.forEach((metric, index) => {
    metricKeys(`metrics[${index}].key`, metric.key);
    if (metric.isOwn) checkOwnMetric(metric, `metrics[${index}]`, say);
  });
  runs.forEach((run, index) => {
    const place = `runs[${index}]`;
    if (run.contentHash !== null) contents(`${place}.contentHash`, `${run.contentHash} ${run.part}`);
    attempt(say, `${place}.environment`, () => normalizeFacts(run.environment, 'environment'));
    attempt(say, `${place}.workload`, () => normalizeFacts(run.workload, 'workload'));
    checkObservations(run, keys, place, say);
  });
}

/** As a person who names one is asked. */
function checkOwnMetric({ key, name, unit, direction }: RecordedMetric, place: string, say: Say): void {
  if (direction === null || direction === 'TARGET') {
    say(`${place}.direction`, {
      en: `A metric of a project is HIGHER_IS_BETTER or LOWER_IS_BETTER, and "${key}" is not`,
      zh: `项目自定义指标只能是 HIGHER_IS_BETTER 或 LOWER_IS_BETTER，“${key}”并非如此`,
    });
  }
  attempt(say, `${place}.key`, () => requiredText(key, 'key'));
  if (key !== key.trim()) say(`${place}.key`, { en: `"${key}" has blanks around it`, zh: `“${key}”首尾有空格` });
  attempt(say, `${place}.unit`, () => requiredText(unit, 'unit', TEXT_LIMITS.tag));
  attempt(say, `${place}.name`, () => {
    optionalText(name.en, 'name.en', TEXT_LIMITS.name);
    optionalText(name.zh, 'name.zh', TEXT_LIMITS.name);
    requiredText(textIn(name), 'name');
  });
}

function checkObservations(run: RecordedRun, metrics: ReadonlySet<string>, place: string, say: Say): void {
  const points = once(say);
  run.observations.forEach(({ metric, dimensions, repeats, blocks }, index) => {
    const here = `${place}.observations[${index}]`;
    points(here, `${metric} ${seriesKeyOf(dimensions)}`);
    if (!metrics.has(metric)) say(`${here}.metric`, isNowhere(metric));
    if (blocks.length > 0 && blocks.length !== repeats.length) {
      say(`${here}.blocks`, {
        en: `has ${blocks.length} entries for ${repeats.length} repeats`,
        zh: `有 ${blocks.length} 项，而 repeats 有 ${repeats.length} 项`,
      });
    }
  });
}

/** What trials of a record say that cannot be. */
export function checkTrials(record: AuditRecord, say: Say): void {
  const items = new Map(record.items.map(({ key, trialIds }) => [key, new Set(trialIds)]));
  const runs = new Map(record.runs.map((run) => [run.id, run]));
  const metrics = new Map(record.metrics.map(({ key, direction }) => [key, direction]));
  const used = new Set<string>();
  record.trials.forEach((trial, index) => {
    const place = `trials[${index}]`;
    if (items.get(trial.auditItemKey)?.delete(trial.id) !== true) {
      say(`${place}.auditItemKey`, {
        en: `No item "${trial.auditItemKey}" names this trial in trialIds`,
        zh: `没有条目“${trial.auditItemKey}”在 trialIds 中列出该试验`,
      });
    }
    const named = once(say);
    [trial.primaryMetric, ...trial.guardrails].forEach((key, position) => {
      if (!metrics.has(key)) say(`${place}.metrics`, isNowhere(key));
      named(position === 0 ? `${place}.primaryMetric` : `${place}.guardrails[${position - 1}]`, key);
    });
    if (trial.threshold !== null && trial.threshold >= 1 && metrics.get(trial.primaryMetric) !== 'TARGET') {
      say(`${place}.threshold`, {
        en: `is a fraction, 0.05 for 5 %, and is ${trial.threshold}`,
        zh: `为比例，5% 应写作 0.05，现为 ${trial.threshold}`,
      });
    }
    checkArms(trial, runs, place, say);
    for (const id of [...trial.beforeRunIds, ...trial.afterRunIds]) used.add(id);
  });
  for (const [key, left] of items) {
    for (const id of left) say(`items[${key}].trialIds`, isNowhere(id));
  }
  record.runs.forEach(({ id }, index) => {
    if (!used.has(id)) say(`runs[${index}]`, { en: 'No trial is of this run', zh: '没有试验用到该运行' });
  });
}

function checkArms(trial: RecordedTrial, runs: ReadonlyMap<string, RecordedRun>, place: string, say: Say): void {
  const { beforeRunIds, afterRunIds } = trial;
  if ((beforeRunIds.length === 0) !== (afterRunIds.length === 0)) {
    say(place, { en: 'One arm has no runs', zh: '有一组没有运行' });
  }
  const twice = once(say);
  for (const [arm, ids] of [
    ['beforeRunIds', beforeRunIds],
    ['afterRunIds', afterRunIds],
  ] as const) {
    ids.forEach((id, index) => {
      twice(`${place}.${arm}[${index}]`, id);
      const run = runs.get(id);
      if (!run) say(`${place}.${arm}[${index}]`, isNowhere(id));
      else if (run.status === 'FAILED') {
        say(`${place}.${arm}[${index}]`, {
          en: `The run "${id}" failed: its numbers are no measurement`,
          zh: `运行“${id}”已失败，其数值不能作为测量结果`,
        });
      }
    });
  }
  const observed = (ids: readonly string[]) =>
    new Set(
      ids.flatMap((id) =>
        (runs.get(id)?.observations ?? []).flatMap(({ metric, dimensions }) =>
          metric === trial.primaryMetric ? [seriesKeyOf(dimensions)] : [],
        ),
      ),
    );
  const before = observed(beforeRunIds);
  if (beforeRunIds.length > 0 && afterRunIds.length > 0 && ![...observed(afterRunIds)].some((key) => before.has(key))) {
    say(`${place}.primaryMetric`, {
      en: `"${trial.primaryMetric}" was not observed in both arms`,
      zh: `并非两组都有“${trial.primaryMetric}”的观测值`,
    });
  }
}
