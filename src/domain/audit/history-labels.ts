import type { BothLanguages } from '../locale.js';
import { decisionWords, proofWords } from '../report/words.js';
import {
  appliesWords,
  auditStatusWords,
  outcomeWords,
  partWords,
  priorityWords,
  reasonCodeWords,
  recheckWords,
  workWords,
} from './words.js';
import { ownValue } from '../own-value.js';

// What the history calls the things, the fields and the values that it is of.

/** Words by the names that they are for. */
export type Words = Readonly<Record<string, BothLanguages>>;

/** What a table has under a name that comes from outside: `constructor` is in none of them. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | null {
  return ownValue(table, name) ?? null;
}

/** What a change is of. */
export const subjects: Words = {
  checklist: { en: 'Checklist', zh: '清单' },
  project: { en: 'Project', zh: '项目' },
  environment: { en: 'Environment', zh: '环境' },
  audit: { en: 'Audit', zh: '审计' },
  auditItem: { en: 'Item', zh: '条目' },
  comment: { en: 'Comment', zh: '评论' },
  milestone: { en: 'Milestone', zh: '里程碑' },
  proposal: { en: 'Proposal', zh: '条目提议' },
  evidence: { en: 'Evidence', zh: '证据' },
  run: { en: 'Run', zh: '运行' },
  columnMapping: { en: 'Column mapping', zh: '列映射' },
  trial: { en: 'Trial', zh: '试验' },
  note: { en: 'Note', zh: '调优笔记' },
  serviceToken: { en: 'Service token', zh: '服务令牌' },
};

/** What the fields are called; a field inside a custom item, such as `custom.why`, by its last part. */
export const labels: Words = {
  work: { en: 'Work', zh: '工作状态' },
  outcome: { en: 'Outcome', zh: '结论' },
  reasonCode: { en: 'Kind of reason', zh: '理由类别' },
  reason: { en: 'Reason', zh: '理由' },
  remark: { en: 'Remark', zh: '备注' },
  expiresAt: { en: 'Valid until', zh: '有效期' },
  assigneeId: { en: 'Assignee', zh: '负责人' },
  dueAt: { en: 'Due date', zh: '截止时间' },
  priority: { en: 'Priority', zh: '优先级' },
  recheck: { en: 'Re-check mark', zh: '复查标记' },
  recheckCode: { en: 'Re-check mark', zh: '复查标记' },
  recheckCause: { en: 'Cause of the re-check', zh: '复查原因' },
  recheckSince: { en: 'Re-check since', zh: '待复查起始时间' },
  recheckOfId: { en: 'Release of the old result', zh: '旧结论所针对的版本' },
  assessedById: { en: 'Assessed by', zh: '评估人' },
  coAuthors: { en: 'Assessed by', zh: '评估人' },
  assessedAt: { en: 'Assessed at', zh: '评估时间' },
  submittedById: { en: 'Submitted by', zh: '提交人' },
  submittedAt: { en: 'Submitted at', zh: '提交时间' },
  acceptedById: { en: 'Accepted by', zh: '评审通过人' },
  acceptedAt: { en: 'Accepted at', zh: '评审通过时间' },
  overruleReason: { en: 'Reason of the overruling', zh: '人工判定的理由' },
  overruledById: { en: 'Overruled by', zh: '人工判定人' },
  overruledAt: { en: 'Overruled at', zh: '人工判定时间' },
  proof: { en: 'Proof by measurements', zh: '测量证明' },
  adoptedFromId: { en: 'Adopted note', zh: '所采纳的调优笔记' },
  applies: { en: 'Applicability by the rules', zh: '规则判定' },
  overruled: { en: 'Overruling', zh: '人工判定' },
  adoptedFrom: { en: 'Adopted note', zh: '所采纳的调优笔记' },
  expectation: { en: 'Expectation', zh: '预期' },
  plannedChange: { en: 'Planned change', zh: '计划改动' },
  archived: { en: 'Archived', zh: '归档' },
  isArchived: { en: 'Archived', zh: '归档' },
  attachment: { en: 'Attached file', zh: '附件' },
  mentioned: { en: 'Mentioned', zh: '提及' },
  custom: { en: 'Texts of a custom item', zh: '自定义条目的内容' },
  section: { en: 'Section', zh: '章节' },
  title: { en: 'Title', zh: '标题' },
  name: { en: 'Name', zh: '名称' },
  description: { en: 'Description', zh: '说明' },
  status: { en: 'Status', zh: '状态' },
  closed: { en: 'Closed', zh: '关闭' },
  closedAt: { en: 'Closed at', zh: '关闭时间' },
  requiresReview: { en: 'Review required', zh: '须经评审' },
  release: { en: 'Release', zh: '版本' },
  version: { en: 'Release', zh: '版本' },
  checklist: { en: 'Checklist', zh: '清单' },
  environment: { en: 'Environment', zh: '环境' },
  hardware: { en: 'Hardware', zh: '硬件配置' },
  facts: { en: 'Facts', zh: '环境信息' },
  timeBreakdown: { en: 'Time breakdown', zh: '时间占比' },
  endToEndTrial: { en: 'End-to-end trial', zh: '端到端试验' },
  endToEndTrialId: { en: 'End-to-end trial', zh: '端到端试验' },
  clonedFrom: { en: 'Cloned from', zh: '克隆自' },
  clonedFromId: { en: 'Cloned from', zh: '克隆自' },
  gpus: { en: 'GPUs of the fleet', zh: '集群 GPU 数' },
  busyShare: { en: 'Busy share of the fleet', zh: '集群忙碌时间占比' },
  hoursPerMonth: { en: 'Hours per month', zh: '每月小时数' },
  currency: { en: 'Currency', zh: '货币' },
  pricePerGpuHour: { en: 'Price per GPU hour', zh: '每 GPU 小时价格' },
  pricePerKwh: { en: 'Price per kWh', zh: '每千瓦时电价' },
  pue: { en: 'PUE', zh: 'PUE ' },
  powerPerGpu: { en: 'Mean power of one GPU (W)', zh: '单卡平均功率（W）' },
  pricePerEngineeringHour: { en: 'Price per engineering hour', zh: '每工程师小时成本' },
  imported: { en: 'Imported', zh: '导入' },
  carried: { en: 'Carried over', zh: '沿用' },
  created: { en: 'Created', zh: '创建' },
  extended: { en: 'Runs added', zh: '增加运行' },
  overridden: { en: 'Override of blocking differences', zh: '对阻断级差异的判定' },
  recomputed: { en: 'Computed anew', zh: '重新计算' },
  body: { en: 'Text', zh: '正文' },
  replyTo: { en: 'Reply to', zh: '所回复的评论' },
  authorId: { en: 'Author', zh: '作者' },
  authorName: { en: 'Author', zh: '作者' },
  createdAt: { en: 'Written at', zh: '发表时间' },
  editedAt: { en: 'Edited at', zh: '最近修改时间' },
  decision: { en: 'Decision', zh: '决定' },
  summary: { en: 'Summary', zh: '摘要' },
  ...partWords,
  tags: { en: 'Tags', zh: '标签' },
  settings: { en: 'Settings', zh: '设置项' },
  metrics: { en: 'Metrics', zh: '指标' },
  effort: { en: 'Effort', zh: '工作量' },
  layer: { en: 'Layer', zh: '层次' },
  bottleneck: { en: 'Bottleneck', zh: '瓶颈' },
  phases: { en: 'Phases', zh: '阶段' },
  frameworks: { en: 'Frameworks', zh: '框架' },
  sources: { en: 'Sources', zh: '来源' },
  revokedAt: { en: 'Revoked at', zh: '撤销时间' },
};

/** Enums by the field whose values they are; of an audit, `status` is another enum than of a proposal. */
export const enums: Readonly<Record<string, Words>> = {
  work: workWords,
  outcome: outcomeWords,
  reasonCode: reasonCodeWords,
  applies: appliesWords,
  priority: priorityWords,
  recheck: recheckWords,
  decision: decisionWords,
  proof: proofWords,
  'audit.status': auditStatusWords,
  'proposal.status': {
    OPEN: { en: 'open', zh: '待决定' },
    ACCEPTED: { en: 'accepted', zh: '已接受' },
    REJECTED: { en: 'rejected', zh: '已拒绝' },
    WITHDRAWN: { en: 'withdrawn', zh: '已撤回' },
  },
};

/** Fields whose value names another thing by its id, which says nothing to a reader. */
export const references: Readonly<Record<string, Readonly<Record<'set' | 'changed' | 'cleared', BothLanguages>>>> = {
  adoptedFrom: {
    set: { en: 'Adopted from a note', zh: '采纳自一条调优笔记' },
    changed: { en: 'Adopted from another note', zh: '改为采纳自另一条调优笔记' },
    cleared: { en: 'No longer adopted from a note', zh: '不再采纳自调优笔记' },
  },
  endToEndTrial: {
    set: { en: 'End-to-end trial named', zh: '已指定端到端试验' },
    changed: { en: 'Another end-to-end trial named', zh: '改为另一个端到端试验' },
    cleared: { en: 'End-to-end trial cleared', zh: '已取消端到端试验' },
  },
  clonedFrom: {
    set: { en: 'Cloned from another audit', zh: '克隆自另一个审计' },
    changed: { en: 'Cloned from another audit', zh: '克隆自另一个审计' },
    cleared: { en: 'The audit that it was cloned from is not named any more', zh: '不再注明所克隆的审计' },
  },
};
