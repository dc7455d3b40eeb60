import { customItemOf } from '../audit/custom-item.js';
import { checkedShares } from '../audit/time-breakdown.js';
import { checkAssessment } from '../audit/transitions.js';
import { DomainError } from '../errors.js';
import { seriesKeyOf } from '../importers/in-unit.js';
import type { BothLanguages } from '../locale.js';
import { normalizeFacts } from '../measurement/redact.js';
import type { AuditRecord, RecordedItem } from './audit-record.js';
import type { RecordedRun, RecordedTrial } from './measurement-record.js';
import type { RecordProblem } from './read-record.js';

type Say = (place: string, message: BothLanguages) => void;

/** What a record of the right shape says that cannot be: names that are twice there or nowhere, states that no item has. */
export function faultsOf(record: AuditRecord): readonly RecordProblem[] {
  const problems: RecordProblem[] = [];
  const say: Say = (place, message) => problems.push({ place, message, isBlocking: true });
  checkItems(record.items, say);
  checkRuns(record, say);
  checkTrials(record, say);
  const { endToEndTrial, timeBreakdown } = record.audit;
  if (endToEndTrial !== null && !record.trials.some(({ id }) => id === endToEndTrial)) {
    say('audit.endToEndTrial', isNowhere(endToEndTrial));
  }
  if (timeBreakdown) attempt(say, 'audit.timeBreakdown', () => checkedShares(timeBreakdown));
  if ((record.audit.closedAt === null) !== (record.audit.status === 'OPEN')) {
    say('audit.closedAt', {
      en: `does not fit the status ${record.audit.status}`,
      zh: `与状态 ${record.audit.status} 不符`,
    });
  }
  attempt(say, 'scope.facts', () => normalizeFacts(record.scope.facts, 'scope.facts'));
  const { environment } = record;
  if (environment) attempt(say, 'environment.facts', () => normalizeFacts(environment.facts, 'environment.facts'));
  const keys = new Set(record.items.map(({ key }) => key));
  record.history.forEach(({ itemKey }, index) => {
    if (itemKey !== null && !keys.has(itemKey)) say(`history[${index}].itemKey`, isNowhere(itemKey));
  });
  return problems;
}

/** Says what a rule of the product refuses. */
function attempt(say: Say, place: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    say(place, error.text);
  }
}

function isNowhere(name: string): BothLanguages {
  return { en: `"${name}" is nowhere in the file`, zh: `文件中没有“${name}”` };
}

function isTwice(name: string): BothLanguages {
  return { en: `"${name}" is there twice`, zh: `“${name}”重复出现` };
}

/** Says of each name that was there before. */
function once(say: Say): (place: string, name: string) => void {
  const seen = new Set<string>();
  return (place, name) => {
    if (seen.has(name)) say(place, isTwice(name));
    seen.add(name);
  };
}

function checkItems(items: readonly RecordedItem[], say: Say): void {
  const [keys, ids, commentIds] = [once(say), once(say), once(say)];
  items.forEach((item, index) => {
    const place = `items[${index}]`;
    keys(`${place}.key`, item.key);
    ids(`${place}.id`, item.id);
    const expiresAt = item.expiresAt === null ? null : new Date(item.expiresAt);
    attempt(say, place, () => checkAssessment({ ...item, expiresAt }));
    if (item.isCustom !== (item.custom !== null) || item.isCustom !== (item.release === null)) {
      say(place, {
        en: 'A custom item has texts and no release, and one of the checklist a release and no texts',
        zh: '自定义条目有文本而无版本，清单条目有版本而无文本',
      });
    }
    if (item.custom) checkCustom(item, place, say);
    if (item.overruling && item.overruling.answer === 'UNKNOWN') {
      say(`${place}.overruling.answer`, { en: 'A person says YES or NO', zh: '人工判定只能为 YES 或 NO' });
    }
    const openers = new Set(item.comments.filter(({ replyTo }) => replyTo === null).map(({ id }) => id));
    item.comments.forEach(({ id, replyTo }, position) => {
      commentIds(`${place}.comments[${position}].id`, id);
      if (replyTo !== null && !openers.has(replyTo)) say(`${place}.comments[${position}].replyTo`, isNowhere(replyTo));
    });
  });
}

/** Its key is in a section of its own, so that it meets no item of any release. */
const customKey = /^custom\/[a-z0-9]+(-[a-z0-9]+)*$/;

function checkCustom({ key, custom }: RecordedItem, place: string, say: Say): void {
  if (!customKey.test(key)) {
    say(`${place}.key`, {
      en: `The key of a custom item is like custom/topic, and this one is "${key}"`,
      zh: `自定义条目的 key 形如 custom/topic，而此处为“${key}”`,
    });
  }
  try {
    customItemOf(custom);
  } catch {
    say(`${place}.custom`, { en: 'These are not the texts of a custom item', zh: '这不是自定义条目的文本' });
  }
}

function checkRuns({ runs, metrics }: AuditRecord, say: Say): void {
  const keys = new Set(metrics.map(({ key }) => key));
  const [ids, contents, metricKeys] = [once(say), once(say), once(say)];
  metrics.forEach(({ key, isOwn, direction }, index) => {
    metricKeys(`metrics[${index}].key`, key);
    if (isOwn && (direction === null || direction === 'TARGET')) {
      say(`metrics[${index}].direction`, {
        en: `A metric of a project is HIGHER_IS_BETTER or LOWER_IS_BETTER, and "${key}" is not`,
        zh: `项目自定义指标只能是 HIGHER_IS_BETTER 或 LOWER_IS_BETTER，“${key}”并非如此`,
      });
    }
  });
  runs.forEach((run, index) => {
    const place = `runs[${index}]`;
    ids(`${place}.id`, run.id);
    if (run.contentHash !== null) contents(`${place}.contentHash`, `${run.contentHash} ${run.part}`);
    attempt(say, `${place}.environment`, () => normalizeFacts(run.environment, 'environment'));
    attempt(say, `${place}.workload`, () => normalizeFacts(run.workload, 'workload'));
    checkObservations(run, keys, place, say);
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

function checkTrials(record: AuditRecord, say: Say): void {
  const items = new Map(record.items.map(({ key, trialIds }) => [key, new Set(trialIds)]));
  const runs = new Map(record.runs.map((run) => [run.id, run]));
  const metrics = new Map(record.metrics.map(({ key, direction }) => [key, direction]));
  const [ids, used] = [once(say), new Set<string>()];
  record.trials.forEach((trial, index) => {
    const place = `trials[${index}]`;
    ids(`${place}.id`, trial.id);
    if (items.get(trial.auditItemKey)?.delete(trial.id) !== true) {
      say(`${place}.auditItemKey`, {
        en: `No item "${trial.auditItemKey}" names this trial in trialIds`,
        zh: `没有条目“${trial.auditItemKey}”在 trialIds 中列出该试验`,
      });
    }
    for (const key of [trial.primaryMetric, ...trial.guardrails]) {
      if (!metrics.has(key)) say(`${place}.metrics`, isNowhere(key));
    }
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
    ids.some((id) => runs.get(id)?.observations.some(({ metric }) => metric === trial.primaryMetric));
  if (beforeRunIds.length > 0 && afterRunIds.length > 0 && !(observed(beforeRunIds) && observed(afterRunIds))) {
    say(`${place}.primaryMetric`, {
      en: `"${trial.primaryMetric}" was not observed in both arms`,
      zh: `并非两组都有“${trial.primaryMetric}”的观测值`,
    });
  }
}
