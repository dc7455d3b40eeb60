import type { BothLanguages } from '../locale.js';
import {
  appliesWords,
  auditStatusWords,
  outcomeWords,
  priorityWords,
  reasonCodeWords,
  recheckWords,
  workWords,
} from './words.js';

/** One change of one field, as the history keeps it: values are JSON, null where there was nothing. */
export interface KeptChange {
  readonly subject: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The name of a person by their id; null for somebody who is not known. */
export type NameOf = (id: string) => string | null;

/** Longer values are cut in the sentence; the entry itself keeps them whole. */
const LONGEST_VALUE = 120;

const subjects: Readonly<Record<string, BothLanguages>> = {
  checklist: { en: 'Checklist', zh: '清单' },
  project: { en: 'Project', zh: '项目' },
  environment: { en: 'Environment', zh: '环境' },
  audit: { en: 'Audit', zh: '审计' },
  auditItem: { en: 'Item', zh: '条目' },
  comment: { en: 'Comment', zh: '评论' },
  milestone: { en: 'Milestone', zh: '里程碑' },
  proposal: { en: 'Proposal', zh: '条目提议' },
  run: { en: 'Run', zh: '运行' },
  trial: { en: 'Trial', zh: '试验' },
  note: { en: 'Note', zh: '调优笔记' },
};

const labels: Readonly<Record<string, BothLanguages>> = {
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
  assessedById: { en: 'Assessed by', zh: '评估人' },
  submittedById: { en: 'Submitted by', zh: '提交人' },
  acceptedById: { en: 'Accepted by', zh: '评审通过人' },
  overruleReason: { en: 'Reason of the overruling', zh: '人工判定的理由' },
  adoptedFromId: { en: 'Adopted note', zh: '所采纳的调优笔记' },
  applies: { en: 'Applicability by the rules', zh: '规则判定' },
  overruled: { en: 'Overruling', zh: '人工判定' },
  adoptedFrom: { en: 'Adopted note', zh: '所采纳的调优笔记' },
  expectation: { en: 'Expectation', zh: '预期' },
  plannedChange: { en: 'Planned change', zh: '计划改动' },
  archived: { en: 'Archived', zh: '归档' },
  isArchived: { en: 'Archived', zh: '归档' },
  mentioned: { en: 'Mentioned', zh: '提及' },
  custom: { en: 'Texts of a custom item', zh: '自定义条目的内容' },
  section: { en: 'Section', zh: '章节' },
  title: { en: 'Title', zh: '标题' },
  name: { en: 'Name', zh: '名称' },
  description: { en: 'Description', zh: '说明' },
  status: { en: 'Status', zh: '状态' },
  requiresReview: { en: 'Review required', zh: '须经评审' },
  release: { en: 'Release', zh: '版本' },
  environment: { en: 'Environment', zh: '环境' },
  hardware: { en: 'Hardware', zh: '硬件配置' },
  facts: { en: 'Facts', zh: '环境信息' },
  timeBreakdown: { en: 'Time breakdown', zh: '时间占比' },
  endToEndTrial: { en: 'End-to-end trial', zh: '端到端试验' },
  endToEndTrialId: { en: 'End-to-end trial', zh: '端到端试验' },
  body: { en: 'Text', zh: '正文' },
  decision: { en: 'Decision', zh: '决定' },
  summary: { en: 'Summary', zh: '摘要' },
  why: { en: 'Why', zh: '为什么' },
  check: { en: 'How to check', zh: '如何检查' },
  apply: { en: 'How to apply', zh: '如何实施' },
  measure: { en: 'How to measure', zh: '如何测量' },
  avoid: { en: 'When not to', zh: '何时不宜' },
  rollback: { en: 'How to roll back', zh: '如何回退' },
  tags: { en: 'Tags', zh: '标签' },
  settings: { en: 'Settings', zh: '设置项' },
  metrics: { en: 'Metrics', zh: '指标' },
  effort: { en: 'Effort', zh: '工作量' },
  layer: { en: 'Layer', zh: '层次' },
  bottleneck: { en: 'Bottleneck', zh: '瓶颈' },
  phases: { en: 'Phases', zh: '阶段' },
  frameworks: { en: 'Frameworks', zh: '框架' },
  sources: { en: 'Sources', zh: '来源' },
};

type Words = Readonly<Record<string, BothLanguages>>;

/** Enums by the field whose values they are; of an audit, `status` is another enum than of a proposal. */
const enums: Readonly<Record<string, Words>> = {
  work: workWords,
  outcome: outcomeWords,
  reasonCode: reasonCodeWords,
  applies: appliesWords,
  priority: priorityWords,
  recheck: recheckWords,
  'audit.status': auditStatusWords,
  'proposal.status': {
    OPEN: { en: 'open', zh: '待决定' },
    ACCEPTED: { en: 'accepted', zh: '已接受' },
    REJECTED: { en: 'rejected', zh: '已拒绝' },
    WITHDRAWN: { en: 'withdrawn', zh: '已撤回' },
  },
};

const persons: ReadonlySet<string> = new Set([
  'assigneeId',
  'assessedById',
  'submittedById',
  'acceptedById',
  'mentioned',
]);
const times: ReadonlySet<string> = new Set(['expiresAt', 'dueAt']);

/** The ids of the persons whose names the sentence needs. */
export function personsIn({ field, before, after }: KeptChange): string[] {
  if (!persons.has(field)) return [];
  return [before, after].flat().filter((value) => typeof value === 'string');
}

/** The change as one sentence in both languages: `Outcome: not assessed → applied`, `结论由“未评估”变为“已应用”`. */
export function historyText(change: KeptChange, nameOf: NameOf): BothLanguages {
  const { field, before, after } = change;
  if (field === 'created') return createdText(change);
  if (field === 'imported') return importedText(after);
  if (field === 'carried' && isRecord(after)) return carriedText(after);
  const label = labelOf(field);
  const [old, now] = [valueText(change, before, nameOf), valueText(change, after, nameOf)];
  if (old !== null && now !== null) {
    return { en: `${label.en}: ${old.en} → ${now.en}`, zh: `${label.zh}由“${old.zh}”变为“${now.zh}”` };
  }
  if (now !== null) return { en: `${label.en} set to ${now.en}`, zh: `${label.zh}设为“${now.zh}”` };
  if (old !== null) return { en: `${label.en} cleared (was ${old.en})`, zh: `${label.zh}已清除（原为“${old.zh}”）` };
  return { en: `${label.en} changed`, zh: `${label.zh}有变更` };
}

function createdText({ subject, after }: KeptChange): BothLanguages {
  const label = subjects[subject] ?? { en: subject, zh: ` ${subject}` };
  const name = nameIn(after);
  if (name === null) return { en: `${label.en} created`, zh: `创建${label.zh}` };
  return { en: `${label.en} created: ${name.en}`, zh: `创建${label.zh}“${name.zh}”` };
}

function importedText(after: unknown): BothLanguages {
  const project = isRecord(after) && typeof after['project'] === 'string' ? cut(after['project']) : null;
  if (project === null) return { en: 'Audit imported', zh: '导入审计' };
  return { en: `Audit imported from “${project}”`, zh: `从“${project}”导入审计` };
}

/** What came from the audit that was cloned; the values stand in the entry. */
function carriedText(after: Readonly<Record<string, unknown>>): BothLanguages {
  const fields = Object.keys(after).map(labelOf);
  return {
    en: `Carried over: ${fields.map(({ en }) => en).join(', ')}`,
    zh: `沿用：${fields.map(({ zh }) => zh.trim()).join('、')}`,
  };
}

/** What a new object is called, where the history says so. */
function nameIn(value: unknown): BothLanguages | null {
  if (typeof value === 'string') return bothOf(`“${cut(value)}”`, cut(value));
  if (!isRecord(value)) return null;
  const inCustom = isRecord(value['custom']) ? nameIn(value['custom']) : null;
  if (inCustom !== null) return inCustom;
  for (const key of ['title', 'name', 'body', 'metric', 'primaryMetric', 'fileName', 'key']) {
    const found = value[key];
    const text = typeof found === 'string' ? { en: found, zh: found } : localizedOf(found);
    if (text !== null) return bothOf(`“${cut(text.en)}”`, cut(text.zh));
  }
  return null;
}

/** `custom.title` is called as `title` is; a field that has no name is called by itself. */
function labelOf(field: string): BothLanguages {
  const [last = field] = field.split('.').slice(-1);
  // Between Latin letters and Han stands a blank
  return labels[field] ?? labels[last] ?? { en: field, zh: `${field} ` };
}

function valueText({ subject, field }: KeptChange, value: unknown, nameOf: NameOf): BothLanguages | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? { en: 'yes', zh: '是' } : { en: 'no', zh: '否' };
  if (typeof value === 'number') return bothOf(String(value));
  if (typeof value === 'string') {
    const word = (enums[`${subject}.${field}`] ?? enums[field])?.[value];
    if (word) return word;
    if (persons.has(field)) return bothOf(nameOf(value) ?? value);
    if (times.has(field)) return bothOf(timeText(value));
    return bothOf(`“${cut(value)}”`, cut(value));
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    if (value.length === 0) return null;
    const words = value.map((one) => (persons.has(field) ? (nameOf(one) ?? one) : one));
    return bothOf(cut(words.join(', ')), cut(words.join('、')));
  }
  const text = localizedOf(value);
  if (text !== null) return bothOf(`“${cut(text.en)}”`, cut(text.zh));
  if (field === 'overruled' && isRecord(value) && typeof value['answer'] === 'string') {
    const word = appliesWords[value['answer'] as keyof typeof appliesWords];
    if (word) return word;
  }
  return bothOf(cut(JSON.stringify(value)));
}

/** A text in one or both languages, the other one standing in for what is missing; null for anything else. */
function localizedOf(value: unknown): BothLanguages | null {
  if (!isRecord(value) || !Object.keys(value).every((key) => key === 'en' || key === 'zh')) return null;
  const [en, zh] = [value['en'], value['zh']].map((text) => (typeof text === 'string' ? text : null));
  const any = en ?? zh ?? null;
  return any === null ? null : { en: en ?? any, zh: zh ?? any };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `2026-12-01 08:00 UTC`; what is no time stays as it is. */
function timeText(value: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return value;
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function bothOf(en: string, zh: string = en): BothLanguages {
  return { en, zh };
}

/** On one line and not too long; never in the middle of a character. */
function cut(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const characters = [...line.slice(0, 2 * LONGEST_VALUE)];
  if (characters.length <= LONGEST_VALUE && characters.join('').length === line.length) return line;
  return `${characters.slice(0, LONGEST_VALUE).join('')}…`;
}
