import { customItemOf } from '../../../domain/audit/custom-item.js';
import { appliesWords, outcomeWords, partWords, reasonCodeWords, recheckWords } from '../../../domain/audit/words.js';
import { partNames } from '../../../domain/content/item-body.js';
import { textIn } from '../../../domain/locale.js';
import type { RecordedItem } from '../../../domain/report/audit-record.js';
import { NOTHING, timeText } from '../../../domain/report/figures.js';
import type { RecordedAttachment, RecordedPerson } from '../../../domain/report/record-parts.js';
import { decisionWords } from '../../../domain/report/words.js';
import { columns, joined, type Block, type Line } from './blocks.js';
import type { View } from './view.js';

/** What was decided of an item, with the kind of reason; of one with a re-check mark it is the old result. */
export function outcomeLine({ outcome, reasonCode, recheck }: RecordedItem, { say }: View): Line {
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

function whoAndWhen(by: RecordedPerson | null, at: string, { comma }: View): string {
  return by === null ? timeText(at) : `${by.name}${comma}${timeText(at)}`;
}

/** All that people wrote of an item, under its name; nothing where it is no more than a reason. */
export function detailBlocks(item: RecordedItem, view: View): readonly Block[] {
  const blocks = ownBlocks(item, view);
  const lines = noteLines(item, view);
  if (blocks.length === 0) return [];
  const { say } = view;
  const reason: readonly Block[] =
    item.reason === null ? [] : [{ kind: 'said', label: say({ en: 'Reason', zh: '理由' }), body: item.reason }];
  return [
    { kind: 'heading', level: 4, text: view.itemName(item.key) },
    ...(lines.length === 0 ? [] : [{ kind: 'list', lines } as const]),
    ...reason,
    ...blocks,
  ];
}

/** What is said of one item alone: a reason is often that of many, as of a bulk change. */
function ownBlocks(item: RecordedItem, view: View): readonly Block[] {
  return [
    ...customBlocks(item, view),
    ...saidBlocks(item, view),
    ...attachmentBlocks(item, view),
    ...commentBlocks(item, view),
  ];
}

function noteLines(item: RecordedItem, view: View): readonly Line[] {
  return [...markLines(item, view), ...reviewLines(item, view)];
}

/** Longer reasons, those of several lines and those with marks of Markdown stand below the table as they were written. */
const LONGEST_IN_TABLE = 300;

/** One table of the items of which nothing more is told than a reason and marks, alike ones in one row. */
export function reasonBlocks(items: readonly RecordedItem[], caption: string, view: View): readonly Block[] {
  const { say, comma, colon, semicolon } = view;
  const groups = new Map<string, { readonly names: Line[]; readonly item: RecordedItem; readonly notes: Line }>();
  for (const item of items) {
    const lines = noteLines(item, view);
    if ((item.reason === null && lines.length === 0) || ownBlocks(item, view).length > 0) continue;
    const notes = lines.length === 0 ? NOTHING : joined(lines, semicolon);
    const alike = JSON.stringify([outcomeLine(item, view), item.reason, notes]);
    const group = groups.get(alike);
    if (group) group.names.push(view.itemName(item.key));
    else groups.set(alike, { names: [view.itemName(item.key)], item, notes });
  }
  if (groups.size === 0) return [];
  const all = [...groups.values()];
  const isApart = (reason: string | null) => reason !== null && (reason.length > LONGEST_IN_TABLE || /[\r\n*`[\]]/.test(reason.trim())); // prettier-ignore
  const reasonOf = ({ reason }: RecordedItem) => isApart(reason) ? say({ en: 'below', zh: '见下' }) : (reason?.trim() ?? NOTHING); // prettier-ignore
  return [
    {
      kind: 'table',
      caption,
      columns: columns([
        say({ en: 'Items', zh: '条目' }),
        say({ en: 'Outcome', zh: '结论' }),
        say({ en: 'Reason', zh: '理由' }),
        say({ en: 'Marks', zh: '标记' }),
      ]),
      rows: all.map(({ names, item, notes }) => [joined(names, comma), outcomeLine(item, view), reasonOf(item), notes]),
    },
    ...all.flatMap(({ names, item: { reason } }): Block[] =>
      reason !== null && isApart(reason)
        ? [
            {
              kind: 'said',
              label: joined([say({ en: 'Reason', zh: '理由' }), colon, joined(names, comma)], ''),
              body: reason,
            },
          ]
        : [],
    ),
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

function saidBlocks({ remark, expectation, plannedChange, overruling }: RecordedItem, { say }: View) {
  const blocks: Block[] = [];
  const said = (label: { en: string; zh: string }, body: string | null | undefined) => {
    if (body !== null && body !== undefined) blocks.push({ kind: 'said', label: say(label), body });
  };
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

/** Files are named, with what tells them from others: a report does not hold them. */
export function attachmentBlocks(
  { attachments }: { readonly attachments: readonly RecordedAttachment[] },
  { say, colon }: View,
): readonly Block[] {
  if (attachments.length === 0) return [];
  return [
    { kind: 'paragraph', text: say({ en: 'Attached files', zh: '附件' }) },
    {
      kind: 'list',
      lines: attachments.map((file): Line => {
        const caption = file.caption === null ? [] : [`${colon}${file.caption}`];
        return [`${file.fileName} (${file.size} B, SHA-256 `, { code: file.sha256 }, ')', ...caption];
      }),
    },
  ];
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
