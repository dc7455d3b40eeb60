import { stringify } from 'csv-stringify/sync';
import {
  appliesWords,
  outcomeWords,
  priorityWords,
  reasonCodeWords,
  recheckWords,
  truthWords,
  workWords,
} from '../../../domain/audit/words.js';
import type { BothLanguages, Locale } from '../../../domain/locale.js';
import { textIn } from '../../../domain/locale.js';
import type { AuditRecord, RecordedItem } from '../../../domain/report/audit-record.js';
import type { RecordedComparison } from '../../../domain/report/measurement-record.js';
import { attachmentText, seriesText } from '../../../domain/report/figures.js';
import type { Verdict } from '../../../domain/measurement/verdict.js';
import { claimOf, evidenceWords, methodText, proofWords, verdictText } from '../../../domain/report/words.js';
import { tellingComparison, viewOf, type View } from './view.js';

type Value = string | number | null | undefined;

/** An item with what its newest trial with a verdict says, on the series that the verdict comes from. */
interface Row {
  readonly item: RecordedItem;
  readonly verdict: Verdict | null;
  readonly primaryMetric: string | null;
  readonly comparison: RecordedComparison | null;
}

/**
 * One row for each item, the archived ones last, with localized heads and words. Gains are fractions, times ISO 8601.
 * It begins with a byte order mark, by which Excel knows that it is UTF-8; what would be a formula begins with a quote.
 */
export function renderCsv(record: AuditRecord, locale: Locale): string {
  const view = viewOf(record, locale);
  const rows = record.items.map((item) => {
    const row = rowOf(item, view);
    return heads.map(([, valueOf]) => valueOf(row, view));
  });
  return stringify([heads.map(([head]) => view.say(head)), ...rows], { bom: true, escape_formulas: true });
}

function rowOf(item: RecordedItem, view: View): Row {
  const trial = view.tellingTrial(item);
  return {
    item,
    verdict: trial?.verdict ?? null,
    primaryMetric: trial?.primaryMetric ?? null,
    comparison: trial && tellingComparison(trial),
  };
}

const heads: readonly (readonly [BothLanguages, (row: Row, view: View) => Value])[] = [
  [{ en: 'Key', zh: '键' }, ({ item }) => item.key],
  [{ en: 'Section', zh: '章节' }, ({ item }, { sectionTitle }) => sectionTitle(item.section)],
  [{ en: 'Title', zh: '标题' }, ({ item }, { locale }) => textIn(item.title, locale)],
  [{ en: 'Custom', zh: '自定义' }, ({ item }, { say }) => say(truthWords(item.isCustom))],
  [{ en: 'Archived', zh: '已归档' }, ({ item }, { say }) => say(truthWords(item.isArchived))],
  [{ en: 'Release', zh: '版本' }, ({ item }) => item.release],
  [{ en: 'Applicability', zh: '适用性' }, ({ item }, { say }) => say(appliesWords[item.applicability.answer])],
  [{ en: 'Applicability by the rules', zh: '规则判定' }, ({ item }, { say }) => say(appliesWords[item.applicability.derived])],
  [
    { en: 'Reasons of the rules', zh: '规则判定的理由' },
    ({ item }, { say, semicolon }) => item.applicability.reasons.map((reason) => say(reason)).join(semicolon),
  ],
  [{ en: 'Reason of the overruling', zh: '人工判定的理由' }, ({ item }) => item.overruling?.reason],
  [{ en: 'Work', zh: '工作状态' }, ({ item }, { say }) => say(workWords[item.work])],
  [{ en: 'Outcome', zh: '结论' }, ({ item }, { say }) => say(outcomeWords[item.outcome])],
  [{ en: 'Kind of reason', zh: '理由类别' }, ({ item }, { say }) => item.reasonCode && say(reasonCodeWords[item.reasonCode])],
  [{ en: 'Reason', zh: '理由' }, ({ item }) => item.reason],
  [{ en: 'Remark', zh: '备注' }, ({ item }) => item.remark],
  [{ en: 'Re-check', zh: '复查' }, ({ item }, { say }) => item.recheck && say(recheckWords[item.recheck.code])],
  [{ en: 'Cause of the re-check', zh: '复查原因' }, ({ item }, { locale }) => item.recheck && textIn(item.recheck.cause, locale)],
  [{ en: 'Re-check since', zh: '复查标记时间' }, ({ item }) => item.recheck?.since],
  [{ en: 'Proof', zh: '测量结论' }, ({ item }, { say }) => item.proof && say(proofWords[item.proof])],
  [{ en: 'Verdict of the newest trial', zh: '最新试验的判定' }, ({ verdict, comparison }, { say }) => verdict && say(verdictText(verdict, comparison ? claimOf(comparison) : 'FULL'))],
  [{ en: 'Metric', zh: '指标' }, ({ primaryMetric }, { metricName }) => primaryMetric && metricName(primaryMetric)],
  [{ en: 'Metric key', zh: '指标键' }, ({ primaryMetric }) => primaryMetric],
  [{ en: 'Series', zh: '序列' }, ({ comparison }) => comparison && seriesText(comparison.dimensions)],
  [{ en: 'Gain (fraction)', zh: '收益（比例）' }, ({ comparison }) => comparison?.gain],
  [{ en: 'Gain, 95 % low', zh: '收益 95% 区间下限' }, ({ comparison }) => comparison?.gainLow],
  [{ en: 'Gain, 95 % high', zh: '收益 95% 区间上限' }, ({ comparison }) => comparison?.gainHigh],
  [{ en: 'Median before', zh: '改动前中位数' }, ({ comparison }) => comparison?.medianBefore],
  [{ en: 'Median after', zh: '改动后中位数' }, ({ comparison }) => comparison?.medianAfter],
  [{ en: 'Unit', zh: '单位' }, ({ primaryMetric }, { metric }) => primaryMetric && metric(primaryMetric)?.unit],
  [{ en: 'n before', zh: '改动前样本数' }, ({ comparison }) => comparison?.nBefore],
  [{ en: 'n after', zh: '改动后样本数' }, ({ comparison }) => comparison?.nAfter],
  [{ en: 'p', zh: 'p' }, ({ comparison }) => comparison?.pValue],
  [{ en: 'p in the report', zh: '报告内 p' }, ({ comparison }) => comparison?.reportAdjustedP],
  [{ en: 'Survives the correction over the report', zh: '通过报告范围的校正' }, ({ comparison }, { say }) => comparison === null || comparison.survivesReport === null ? null : say(truthWords(comparison.survivesReport))],
  [{ en: 'Method', zh: '方法' }, ({ comparison }, { say }) => comparison && say(methodText(comparison.method))],
  [{ en: 'Evidence', zh: '证据级别' }, ({ comparison }, { say }) => comparison && say(evidenceWords[comparison.evidence])],
  [{ en: 'Confounded', zh: '有混杂因素' }, ({ comparison }, { say }) => comparison && say(truthWords(comparison.isConfounded))],
  [{ en: 'Trials', zh: '试验数' }, ({ item }) => item.trialIds.length],
  [{ en: 'Expectation', zh: '预期' }, ({ item }) => item.expectation],
  [{ en: 'Assignee', zh: '负责人' }, ({ item }) => item.assignee?.name],
  [{ en: 'Due', zh: '截止时间' }, ({ item }) => item.dueAt],
  [{ en: 'Priority', zh: '优先级' }, ({ item }, { say }) => say(priorityWords[item.priority])],
  [{ en: 'To be looked at again', zh: '到期再评估' }, ({ item }) => item.expiresAt],
  [{ en: 'Assessed by', zh: '评估人' }, ({ item }) => item.assessedBy?.name],
  [{ en: 'Assessed at', zh: '评估时间' }, ({ item }) => item.assessedAt],
  [{ en: 'Submitted by', zh: '提交人' }, ({ item }) => item.submittedBy?.name],
  [{ en: 'Submitted at', zh: '提交时间' }, ({ item }) => item.submittedAt],
  [{ en: 'Accepted by', zh: '评审通过人' }, ({ item }) => item.acceptedBy?.name],
  [{ en: 'Accepted at', zh: '评审通过时间' }, ({ item }) => item.acceptedAt],
  [{ en: 'Comments', zh: '评论数' }, ({ item }) => item.comments.length],
  [{ en: 'Attached files', zh: '附件' }, ({ item }, { semicolon }) => item.attachments.map((file) => attachmentText(file)).join(semicolon)],
  [{ en: 'Changed at', zh: '修改时间' }, ({ item }) => item.updatedAt],
]; // prettier-ignore
