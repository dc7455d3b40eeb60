import {
  appliesWords,
  outcomeWords,
  partWords,
  priorityWords,
  reasonCodeWords,
  recheckWords,
  workWords,
} from '../../../domain/audit/words.js';
import { customItemOf } from '../../../domain/audit/custom-item.js';
import { partNames } from '../../../domain/content/item-body.js';
import { textIn } from '../../../domain/locale.js';
import type { RecordedItem } from '../../../domain/report/audit-record.js';
import { gainFigure, NOTHING, timeText } from '../../../domain/report/figures.js';
import type { RecordedPerson } from '../../../domain/report/record-parts.js';
import { claimOf, decisionWords, proofWords } from '../../../domain/report/words.js';
import { columns, joined, type Block, type Line } from './blocks.js';
import { proofTone, verdictLine } from './report-trials.js';
import { tellingComparison, tellingTrial, type View } from './view.js';

/** The items by section, each section with a table of states and then all that was written; the archived ones apart. */
export function itemBlocks(view: View): readonly Block[] {
  const { record, say } = view;
  const known = new Set(record.sections.map(({ key }) => key));
  const inAudit = record.items.filter(({ isArchived }) => !isArchived);
  const archived = record.items.filter(({ isArchived }) => isArchived);
  const sections = [
    ...record.sections.map(({ key }) => ({ key, items: inAudit.filter(({ section }) => section === key) })),
    { key: say({ en: 'Other items', zh: '其他条目' }), items: inAudit.filter(({ section }) => !known.has(section)) },
  ].filter(({ items }) => items.length > 0);
  const blocks: Block[] = [
    { kind: 'heading', level: 2, text: say({ en: 'Items by section', zh: '各章节条目' }) },
    ...sections.flatMap(({ key, items }): Block[] => [
      { kind: 'heading', level: 3, text: view.sectionTitle(key) },
      stateTable(items, stateOf(view.sectionTitle(key), view), view),
      ...items.flatMap((item) => detailBlocks(item, view)),
    ]),
  ];
  if (archived.length === 0) return blocks;
  return [
    ...blocks,
    { kind: 'heading', level: 2, text: say({ en: 'Archived items', zh: '已归档条目' }) },
    {
      kind: 'paragraph',
      text: say({
        en: 'An upgrade or a person took them out of the audit; they count for nothing.',
        zh: '这些条目已随版本升级或由人移出审计，不计入任何统计。',
      }),
    },
    stateTable(archived, say({ en: 'State of the archived items', zh: '已归档条目的状态' }), view),
    ...archived.flatMap((item) => detailBlocks(item, view)),
  ];
}

function stateOf(section: string, { say }: View): string {
  return say({ en: `State of the items: ${section}`, zh: `条目状态：${section}` });
}

function stateTable(items: readonly RecordedItem[], caption: string, view: View): Block {
  const { say } = view;
  return {
    kind: 'table',
    caption,
    columns: columns([
      say({ en: 'Item', zh: '条目' }),
      say({ en: 'Applicability', zh: '适用性' }),
      say({ en: 'Work', zh: '工作状态' }),
      say({ en: 'Outcome', zh: '结论' }),
      say({ en: 'Proof', zh: '测量结论' }),
      say({ en: 'Assignee, due, priority', zh: '负责人、截止时间、优先级' }),
      say({ en: 'Assessed', zh: '评估' }),
    ]),
    rows: items.map((item) => [
      nameLine(item, view),
      applicabilityLine(item, view),
      say(workWords[item.work]),
      outcomeLine(item, view),
      proofLine(item, view),
      dueLine(item, view),
      assessedLine(item, view),
    ]),
  };
}

function nameLine(item: RecordedItem, view: View): Line {
  const notes: Line[] = [view.itemName(item.key)];
  if (item.isCustom) notes.push(view.say({ en: 'of this audit alone', zh: '本审计自定义' }));
  if (item.isArchived && item.release !== null) {
    notes.push(view.say({ en: `of release ${item.release}`, zh: `版本 ${item.release}` }));
  }
  return joined(notes, view.semicolon);
}

/** Why an item applies goes without saying; why it does not, or nobody knows, does not. */
function applicabilityLine({ applicability, overruling }: RecordedItem, { say, semicolon, colon }: View): Line {
  const { answer, derived, reasons, isPast } = applicability;
  const notes: string[] = [];
  if (overruling) {
    const rules = appliesWords[derived];
    notes.push(say({ en: `said by a person; by the rules: ${rules.en}`, zh: `人工判定；规则判定：${rules.zh}` }));
  } else if (answer !== 'YES') {
    notes.push(...reasons.map((reason) => say(reason)));
  }
  if (isPast) notes.push(say({ en: 'past the versions that it is for', zh: '所用版本已超出其适用范围' }));
  const word = say(appliesWords[answer]);
  if (notes.length === 0) return word;
  return `${word}${colon}${notes.join(semicolon)}`;
}

function outcomeLine({ outcome, reasonCode, recheck }: RecordedItem, { say }: View): Line {
  const word = outcomeWords[outcome];
  const code = reasonCode === null ? null : reasonCodeWords[reasonCode];
  const text = say({
    en: code ? `${word.en} (${code.en})` : word.en,
    zh: code ? `${word.zh}（${code.zh}）` : word.zh,
  });
  if (recheck === null) return text;
  const cause = recheckWords[recheck.code];
  const old = say({ en: `old result: ${text}`, zh: `旧结论：${text}` });
  return [{ word: say({ en: `re-check, ${cause.en}`, zh: `待复查（${cause.zh}）` }), tone: 'WEAK' }, say({ en: '; ', zh: '；' }), old]; // prettier-ignore
}

/** What the measurements say: the proof of an applied item, and of any item what its newest trial showed. */
function proofLine(item: RecordedItem, view: View): Line {
  const { say } = view;
  const parts: Line[] = [];
  if (item.proof !== null) parts.push([{ word: say(proofWords[item.proof]), tone: proofTone(item.proof) }]);
  const trial = tellingTrial(view.trialsOf(item));
  const comparison = trial && tellingComparison(trial);
  if (trial && trial.verdict !== null) {
    const gain =
      comparison === null || comparison.gain === null ? [] : [' ', [{ figure: say(gainFigure(comparison)) }]];
    const whole =
      trial.id === view.record.audit.endToEndTrial ? [view.comma, say({ en: 'end to end', zh: '端到端' })] : [];
    const name = `${view.trialName(trial.id)}${view.colon}`;
    parts.push(
      joined([name, verdictLine(trial.verdict, comparison ? claimOf(comparison) : 'FULL', say), ...gain, ...whole], ''),
    );
  }
  return parts.length === 0 ? NOTHING : joined(parts, view.semicolon);
}

function dueLine({ assignee, dueAt, priority }: RecordedItem, { say, comma }: View): Line {
  const parts: Line[] = assignee === null ? [] : [assignee.name];
  if (dueAt !== null) parts.push([{ figure: timeText(dueAt) }]);
  if (priority !== 'NORMAL') {
    const word = priorityWords[priority];
    parts.push(say({ en: `${word.en} priority`, zh: `优先级${word.zh}` }));
  }
  return parts.length === 0 ? NOTHING : joined(parts, comma);
}

function assessedLine({ assessedBy, assessedAt }: RecordedItem, { comma }: View): Line {
  if (assessedAt === null) return NOTHING;
  const time = { figure: timeText(assessedAt) };
  return assessedBy === null ? [time] : [assessedBy.name, comma, time];
}

function whoAndWhen(by: RecordedPerson | null, at: string, { comma }: View): string {
  return by === null ? timeText(at) : `${by.name}${comma}${timeText(at)}`;
}

/** All that people wrote of an item, under its name; nothing where nobody wrote anything. */
function detailBlocks(item: RecordedItem, view: View): readonly Block[] {
  const blocks = [...customBlocks(item, view), ...saidBlocks(item, view), ...commentBlocks(item, view)];
  const lines = [...markLines(item, view), ...reviewLines(item, view)];
  if (blocks.length + lines.length === 0) return [];
  return [
    { kind: 'heading', level: 4, text: view.itemName(item.key) },
    ...(lines.length === 0 ? [] : [{ kind: 'list', lines } as const]),
    ...blocks,
  ];
}

function markLines({ recheck, expiresAt, adoptedFrom, overruling }: RecordedItem, view: View): readonly Line[] {
  const { say, locale, colon } = view;
  const lines: Line[] = [];
  if (recheck !== null) {
    const since = say({
      en: `Re-check since ${timeText(recheck.since)}`,
      zh: `自 ${timeText(recheck.since)} 起待复查`,
    });
    const of = recheck.release === null ? '' : say({ en: `, the result is of release ${recheck.release}`, zh: `，旧结论针对版本 ${recheck.release}` }); // prettier-ignore
    lines.push(`${since}${of}${colon}${textIn(recheck.cause, locale)}`);
  }
  if (expiresAt !== null) lines.push(say({ en: `To be looked at again ${timeText(expiresAt)}`, zh: `${timeText(expiresAt)} 到期后再评估` })); // prettier-ignore
  if (overruling?.at) {
    const word = appliesWords[overruling.answer];
    const who = whoAndWhen(overruling.by, overruling.at, view);
    lines.push(say({ en: `Overruled: ${word.en} (${who})`, zh: `人工判定：${word.zh}（${who}）` }));
  }
  if (adoptedFrom !== null) {
    const title = textIn(adoptedFrom.title, locale);
    lines.push(say({ en: `Adopted from the note “${title}”`, zh: `采纳自调优笔记“${title}”` }));
  }
  return lines;
}

function reviewLines(item: RecordedItem, view: View): readonly Line[] {
  const { say } = view;
  const lines: Line[] = [];
  if (item.submittedAt !== null) {
    const who = whoAndWhen(item.submittedBy, item.submittedAt, view);
    lines.push(say({ en: `Submitted for review: ${who}`, zh: `提交评审：${who}` }));
  }
  if (item.acceptedAt !== null) {
    const who = whoAndWhen(item.acceptedBy, item.acceptedAt, view);
    lines.push(say({ en: `Accepted: ${who}`, zh: `评审通过：${who}` }));
  }
  return lines;
}

function saidBlocks({ reason, remark, expectation, plannedChange, overruling }: RecordedItem, { say }: View) {
  const blocks: Block[] = [];
  const said = (label: { en: string; zh: string }, body: string | null | undefined) => {
    if (body !== null && body !== undefined) blocks.push({ kind: 'said', label: say(label), body });
  };
  said({ en: 'Reason', zh: '理由' }, reason);
  said({ en: 'Remark', zh: '备注' }, remark);
  said({ en: 'Reason of the overruling', zh: '人工判定的理由' }, overruling?.reason);
  said({ en: 'Expectation', zh: '预期' }, expectation);
  if (plannedChange !== null && plannedChange !== undefined) {
    const change = Object.entries(plannedChange).map(([setting, value]): Line => [{ code: setting }, ' ', { code: JSON.stringify(value) }]); // prettier-ignore
    blocks.push(
      { kind: 'paragraph', text: say({ en: 'Planned change', zh: '计划改动' }) },
      { kind: 'list', lines: change },
    );
  }
  return blocks;
}

/** The texts of a custom item stand nowhere else. */
function customBlocks({ custom }: RecordedItem, { say, locale }: View): readonly Block[] {
  if (custom === null) return [];
  const { summary, texts } = customItemOf(custom);
  return [
    { label: say({ en: 'Summary', zh: '摘要' }), body: textIn(summary, locale) },
    ...partNames.map((name) => ({ label: say(partWords[name]), body: textIn(texts[name], locale) })),
  ]
    .filter(({ body }) => body !== '')
    .map((said) => ({ kind: 'said', ...said }));
}

function commentBlocks({ comments }: RecordedItem, { say, comma }: View): readonly Block[] {
  if (comments.length === 0) return [];
  return [
    { kind: 'paragraph', text: say({ en: `Comments: ${comments.length}`, zh: `评论：${comments.length} 条` }) },
    ...comments.map(({ author, body, createdAt, editedAt, replyTo, decision }): Block => {
      const notes = [author, timeText(createdAt)];
      if (editedAt !== null)
        notes.push(say({ en: `edited ${timeText(editedAt)}`, zh: `${timeText(editedAt)} 有修改` }));
      if (replyTo !== null) notes.push(say({ en: 'reply', zh: '回复' }));
      if (decision !== null) notes.push(say(decisionWords[decision]));
      return { kind: 'said', label: notes.join(comma), body };
    }),
  ];
}
