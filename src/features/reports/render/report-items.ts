import { appliesWords, priorityWords, workWords } from '../../../domain/audit/words.js';
import type { RecordedItem } from '../../../domain/report/audit-record.js';
import { gainFigure, NOTHING, timeText } from '../../../domain/report/figures.js';
import { claimOf, proofWords } from '../../../domain/report/words.js';
import { columns, joined, type Block, type Line } from './blocks.js';
import { detailBlocks, outcomeLine, reasonBlocks } from './report-details.js';
import { proofTone, verdictLine } from './report-trials.js';
import { tellingComparison, type View } from './view.js';

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
      ...reasonBlocks(
        items,
        say({ en: `Reasons and marks: ${view.sectionTitle(key)}`, zh: `理由与标记：${view.sectionTitle(key)}` }),
        view,
      ),
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
    ...reasonBlocks(
      archived,
      say({ en: 'Reasons and marks of the archived items', zh: '已归档条目的理由与标记' }),
      view,
    ),
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

/** What the measurements say: the proof of an applied item, and of any item what its newest trial showed. */
function proofLine(item: RecordedItem, view: View): Line {
  const { say } = view;
  const parts: Line[] = [];
  if (item.proof !== null) parts.push([{ word: say(proofWords[item.proof]), tone: proofTone(item.proof) }]);
  const trial = view.tellingTrial(item);
  const comparison = trial && tellingComparison(trial);
  if (trial && trial.verdict !== null) {
    const gain =
      comparison === null || comparison.gain === null ? [] : [' ', [{ figure: say(gainFigure(comparison)) }]];
    const name = `${view.trialName(trial.id)}${view.colon}`;
    parts.push(joined([name, verdictLine(trial.verdict, comparison ? claimOf(comparison) : 'FULL', say), ...gain], ''));
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
