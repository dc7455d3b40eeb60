import { cutText } from '../cut-text.js';
import { truthWords } from './words.js';
import type { BothLanguages } from '../locale.js';
import { verdictWords, timePartWords } from '../report/words.js';
import { plainPercent } from '../report/figures.js';
import { entryOf, enums, labels, references, subjects, type Words } from './history-labels.js';
import { timeParts } from './time-breakdown.js';
import { trialChangeText } from './trial-history-text.js';

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

const persons: ReadonlySet<string> = new Set([
  'assigneeId',
  'assessedById',
  'submittedById',
  'acceptedById',
  'mentioned',
]);
const times: ReadonlySet<string> = new Set(['expiresAt', 'dueAt', 'acceptedAt', 'revokedAt']);

/** What the history calls the thing that a change is of; another version's as it is. */
export function subjectText(subject: string): BothLanguages {
  return entryOf(subjects, subject) ?? bothOf(subject);
}

/** The word for a value of an enum, or for yes and no; null for any other value. */
export function wordOf(
  { subject, field }: Pick<KeptChange, 'subject' | 'field'>,
  value: unknown,
): BothLanguages | null {
  if (typeof value === 'boolean') return truthWords(value);
  if (typeof value !== 'string') return null;
  const words = entryOf(enums, `${subject}.${field}`) ?? entryOf(enums, field);
  return words && entryOf(words, value);
}

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
  if (field === 'attachment') return attachmentText(before, after);
  const ofTrial = change.subject === 'trial' ? trialChangeText(field, recordOrNull(before), recordOrNull(after)) : null;
  if (ofTrial !== null) return ofTrial;
  const reference = entryOf(references, field.replace(/Id$/, ''));
  if (reference) return reference[isNothing(after) ? 'cleared' : isNothing(before) ? 'set' : 'changed'];
  const label = labelOf(field);
  const [old, now] = [valueText(change, before, nameOf), valueText(change, after, nameOf)];
  if (typeof after === 'boolean' && now !== null) return answerText(label, old, now);
  if (old !== null && now !== null) {
    return { en: `${label.en}: ${old.en} → ${now.en}`, zh: `${label.zh}由“${old.zh}”变为“${now.zh}”` };
  }
  if (now !== null) return { en: `${label.en} set to ${now.en}`, zh: `${label.zh}设为“${now.zh}”` };
  if (old !== null) return { en: `${label.en} cleared (was ${old.en})`, zh: `${label.zh}已清除（原为“${old.zh}”）` };
  return { en: `${label.en} changed`, zh: `${label.zh}有变更` };
}

/** Of a question with yes or no: `Review required: yes → no`, `须经评审：是 → 否`. */
function answerText(label: BothLanguages, old: BothLanguages | null, now: BothLanguages): BothLanguages {
  if (old === null) return { en: `${label.en}: ${now.en}`, zh: `${label.zh.trim()}：${now.zh}` };
  return { en: `${label.en}: ${old.en} → ${now.en}`, zh: `${label.zh.trim()}：${old.zh} → ${now.zh}` };
}

function createdText({ subject, after }: KeptChange): BothLanguages {
  if (subject === 'trial' && isRecord(after) && typeof after['metric'] === 'string') {
    return newTrialText(cut(after['metric']), after['verdict']);
  }
  const label = entryOf(subjects, subject) ?? { en: subject, zh: ` ${subject}` };
  const name = nameIn(after);
  if (name === null) return { en: `${label.en} created`, zh: `创建${label.zh}` };
  return { en: `${label.en} created: ${name.en}`, zh: `创建${label.zh}“${name.zh}”` };
}

/** The verdict is that of the day; without one the trial is a plan. */
function newTrialText(metric: string, verdict: unknown): BothLanguages {
  if (typeof verdict !== 'string') return { en: `Trial planned on ${metric}`, zh: `计划试验（指标 ${metric}）` };
  const words: Words = verdictWords;
  const word = entryOf(words, verdict) ?? bothOf(verdict);
  return { en: `Trial created on ${metric}: ${word.en}`, zh: `创建试验（指标 ${metric}）：${word.zh}` };
}

function importedText(after: unknown): BothLanguages {
  const project = isRecord(after) && typeof after['project'] === 'string' ? cut(after['project']) : null;
  if (project === null) return { en: 'Audit imported', zh: '导入审计' };
  return { en: `Audit imported from “${project}”`, zh: `从“${project}”导入审计` };
}

/** A file that was attached, or taken off. */
function attachmentText(before: unknown, after: unknown): BothLanguages {
  const name = nameIn(after ?? before) ?? bothOf('');
  if (isNothing(after)) return { en: `File taken off: ${name.en}`, zh: `移除附件“${name.zh}”` };
  return { en: `File attached: ${name.en}`, zh: `附上文件“${name.zh}”` };
}

/** What came from the audit that was cloned; the values stand in the entry. */
function carriedText(after: Readonly<Record<string, unknown>>): BothLanguages {
  const fields = Object.keys(after).filter((field) => !isNothing(after[field]));
  // Somebody has an id and a name: both are called alike
  const [en, zh] = (['en', 'zh'] as const).map((key) => [
    ...new Set(fields.map((field) => labelOf(field)[key].trim())),
  ]);
  return { en: `Carried over: ${en?.join(', ')}`, zh: `沿用：${zh?.join('、')}` };
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
  return entryOf(labels, field) ?? entryOf(labels, last) ?? { en: field, zh: `${field} ` };
}

function valueText({ subject, field }: KeptChange, value: unknown, nameOf: NameOf): BothLanguages | null {
  if (value === null || value === undefined) return null;
  const known = wordOf({ subject, field }, value);
  if (known !== null) return known;
  if (typeof value === 'number') return bothOf(String(value));
  if (typeof value === 'string') {
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
  if (!isRecord(value)) return listText(value);
  const word = field === 'overruled' ? wordOf({ subject, field: 'applies' }, value['answer']) : null;
  if (word !== null) return word;
  if (field === 'timeBreakdown') return sharesText(value);
  if (field === 'release' && typeof value['slug'] === 'string') {
    return bothOf(cut([value['slug'], value['version']].filter((part) => typeof part === 'string').join(' ')));
  }
  return (field === 'custom' ? nameIn(value) : null) ?? bothOf(cut(JSON.stringify(value)));
}

/** What a list of things holds, by their names where each has one: the metrics and the sources of a custom item. */
function listText(value: unknown): BothLanguages | null {
  if (!Array.isArray(value)) return bothOf(cut(JSON.stringify(value)));
  const entries: unknown[] = value;
  if (entries.length === 0) return null;
  const names = entries.map((entry) => (isRecord(entry) ? nameIn(entry) : null)).filter((name) => name !== null);
  if (names.length < entries.length) return bothOf(cut(JSON.stringify(value)));
  return { en: cut(names.map(({ en }) => en).join(', ')), zh: cut(names.map(({ zh }) => zh).join('、')) };
}

/** The known shares of a time breakdown: `compute 62 %, communication 21 %`; null where none is known. */
function sharesText(value: Readonly<Record<string, unknown>>): BothLanguages | null {
  const parts = timeParts.flatMap((part) => {
    const share = value[part];
    if (typeof share !== 'number') return [];
    const [word, percent] = [timePartWords[part], plainPercent(share)];
    return [{ en: `${word.en} ${percent.en}`, zh: `${word.zh} ${percent.zh}` }];
  });
  if (parts.length === 0) return null;
  const of = value['of'] === 'DEVICE_TIME' ? { en: ' (of the time of the device)', zh: '（占设备时间）' } : bothOf('');
  return {
    en: `${parts.map(({ en }) => en).join(', ')}${of.en}`,
    zh: `${parts.map(({ zh }) => zh).join('、')}${of.zh}`,
  };
}

/** A text in one or both languages, the other one standing in for what is missing; null for anything else. */
function localizedOf(value: unknown): BothLanguages | null {
  if (!isRecord(value) || !Object.keys(value).every((key) => key === 'en' || key === 'zh')) return null;
  const [en, zh] = [value['en'], value['zh']].map((text) => (typeof text === 'string' ? text : null));
  const any = en ?? zh ?? null;
  return any === null ? null : { en: en ?? any, zh: zh ?? any };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordOrNull(value: unknown): Readonly<Record<string, unknown>> | null {
  return isRecord(value) ? value : null;
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
  const start = cutText(line, LONGEST_VALUE);
  return start.length < line.length ? `${start}…` : line;
}
