import { customItemOf } from '../audit/custom-item.js';
import { checkedShares, isUnknown } from '../audit/time-breakdown.js';
import { checkAssessment } from '../audit/transitions.js';
import { normalizeFacts } from '../measurement/redact.js';
import { TEXT_LIMITS } from '../text-limits.js';
import type { AuditRecord, RecordedItem, RecordedMilestone } from './audit-record.js';
import { checkRuns, checkTrials } from './measurement-faults.js';
import type { RecordProblem } from './read-record.js';
import { isBlank } from './record-parts.js';
import { attempt, isNowhere, once, type Say } from './saying.js';

/** What a record of the right shape says that cannot be: names that are twice there or nowhere, states that no item has. */
export function faultsOf(record: AuditRecord): readonly RecordProblem[] {
  const problems: RecordProblem[] = [];
  const say: Say = (place, message) => problems.push({ place, message, isBlocking: true });
  checkItems(record.items, say);
  checkRuns(record, say);
  checkTrials(record, say);
  checkIds(record, say);
  record.milestones.forEach((milestone, index) => checkMilestone(milestone, `milestones[${index}]`, say));
  const { endToEndTrial, timeBreakdown } = record.audit;
  const wholeTrial = record.trials.find(({ id }) => id === endToEndTrial);
  if (endToEndTrial !== null && !wholeTrial) say('audit.endToEndTrial', isNowhere(endToEndTrial));
  if (wholeTrial?.beforeRunIds.length === 0) {
    say('audit.endToEndTrial', {
      en: 'is a plan: it has measured nothing yet',
      zh: '只是计划，尚未测量',
    });
  }
  if (timeBreakdown) {
    attempt(say, 'audit.timeBreakdown', () => checkedShares(timeBreakdown));
    if (isUnknown(timeBreakdown)) say('audit.timeBreakdown', { en: 'has no share', zh: '没有任何占比' });
  }
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

/** An id is of one thing: what names it elsewhere in the file would mean another one. */
function checkIds({ audit, items, runs, trials, milestones }: AuditRecord, say: Say): void {
  const ids = once(say);
  ids('audit.id', audit.id);
  items.forEach((item, index) => {
    ids(`items[${index}].id`, item.id);
    item.comments.forEach(({ id }, position) => ids(`items[${index}].comments[${position}].id`, id));
  });
  runs.forEach(({ id }, index) => ids(`runs[${index}].id`, id));
  trials.forEach(({ id }, index) => ids(`trials[${index}].id`, id));
  milestones.forEach(({ id }, index) => ids(`milestones[${index}].id`, id));
}

function checkItems(items: readonly RecordedItem[], say: Say): void {
  const keys = once(say);
  items.forEach((item, index) => {
    const place = `items[${index}]`;
    keys(`${place}.key`, item.key);
    const expiresAt = item.expiresAt === null ? null : new Date(item.expiresAt);
    attempt(say, place, () => checkAssessment({ ...item, expiresAt }));
    if (item.acceptedBy !== null && item.work !== 'DONE') {
      say(`${place}.acceptedBy`, {
        en: `What a reviewer accepted is DONE, and this is ${item.work}`,
        zh: `评审通过的条目为 DONE，而此处为 ${item.work}`,
      });
    }
    if (item.isCustom !== (item.custom !== null) || item.isCustom !== (item.release === null)) {
      say(place, {
        en: 'A custom item has texts and no release, and one of the checklist a release and no texts',
        zh: '自定义条目有文本而无版本，清单条目有版本而无文本',
      });
    }
    if (item.custom) checkCustom(item, place, say);
    checkOverruling(item, `${place}.overruling`, say);
    const openers = new Set(item.comments.filter(({ replyTo }) => replyTo === null).map(({ id }) => id));
    item.comments.forEach(({ replyTo }, position) => {
      if (replyTo !== null && !openers.has(replyTo)) say(`${place}.comments[${position}].replyTo`, isNowhere(replyTo));
    });
  });
}

function checkOverruling({ overruling }: RecordedItem, place: string, say: Say): void {
  if (overruling === null) return;
  const { answer, reason } = overruling;
  if (answer === 'UNKNOWN') say(`${place}.answer`, { en: 'A person says YES or NO', zh: '人工判定只能为 YES 或 NO' });
  else if (reason === null) {
    say(`${place}.reason`, {
      en: `Overruling the rules with ${answer} needs a reason`,
      zh: `以 ${answer} 推翻规则须说明理由`,
    });
  }
}

/** Its key is in a section of its own, so that it meets no item of any release. */
const customKey = /^custom\/[a-z0-9]+(-[a-z0-9]+)*$/;
const LONGEST_CUSTOM_KEY = 'custom/'.length + TEXT_LIMITS.tag;

function checkCustom({ key, custom }: RecordedItem, place: string, say: Say): void {
  if (!customKey.test(key) || key.length > LONGEST_CUSTOM_KEY) {
    say(`${place}.key`, {
      en: `The key of a custom item is like custom/topic, and this one is "${key}"`,
      zh: `自定义条目的 key 形如 custom/topic，而此处为“${key}”`,
    });
  }
  try {
    const { settings, sources } = customItemOf(custom);
    if ([...settings, ...sources.map(({ title }) => title)].some(isBlank)) {
      say(`${place}.custom`, { en: 'A setting or the title of a source is blank', zh: '设置项或来源标题为空白' });
    }
  } catch {
    say(`${place}.custom`, { en: 'These are not the texts of a custom item', zh: '这不是自定义条目的文本' });
  }
}

function checkMilestone({ snapshot: { progress, items } }: RecordedMilestone, place: string, say: Say): void {
  const { total, applicable, assessed, done, verified } = progress;
  if (total < applicable || applicable < Math.max(assessed, done, verified)) {
    say(`${place}.snapshot.progress`, {
      en: `contradicts itself: total ${total}, applicable ${applicable}, assessed ${assessed}, done ${done}, verified ${verified}`,
      zh: `自相矛盾：总数 ${total}、适用 ${applicable}、已评估 ${assessed}、已完成 ${done}、已验证 ${verified}`,
    });
  }
  const keys = once(say);
  items.forEach(({ key }, index) => keys(`${place}.snapshot.items[${index}].key`, key));
}
