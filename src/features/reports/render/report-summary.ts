import { isPutOff } from '../../../domain/audit/open.js';
import { gainSummariesOf, portfolioCountsOf, type PortfolioItemCount } from '../../../domain/audit/portfolio.js';
import { progressOf } from '../../../domain/audit/progress.js';
import { outcomeWords, recheckWords, workWords } from '../../../domain/audit/words.js';
import type { BothLanguages } from '../../../domain/locale.js';
import { medianOf } from '../../../domain/measurement/order-statistics.js';
import type { RecordedItem } from '../../../domain/report/audit-record.js';
import { signedPercent } from '../../../domain/report/figures.js';
import { proofWords } from '../../../domain/report/words.js';
import { counted, joined, type Block, type Line } from './blocks.js';
import type { View } from './view.js';

/** One of the first items of the plan: its id in the audit, and why it stands there, one sentence each. */
export interface NextStep {
  readonly itemId: string;
  readonly explanation: readonly BothLanguages[];
}

/** An item as progress and portfolio count it. */
interface CountedItem extends PortfolioItemCount {
  readonly item: RecordedItem;
}

/** Where the audit stands, in a few lines: the counts are those of progress and portfolio, over applicable items. */
export function summaryBlocks(view: View, next: readonly NextStep[]): readonly Block[] {
  const { say } = view;
  const items = view.record.items.filter(({ isArchived }) => !isArchived).map((item) => countedItem(item, view));
  return [
    { kind: 'heading', level: 2, text: say({ en: 'Summary', zh: '摘要' }) },
    { kind: 'list', lines: [workLine(items, view), outcomeLine(items, view), gainLine(items, view), ...staleLines(items, view)] },
    ...nextBlocks(view, next),
  ]; // prettier-ignore
}

function countedItem(item: RecordedItem, { record }: View): CountedItem {
  const { applicability, overruling, work, outcome, proof, recheck, dueAt, expiresAt } = item;
  return {
    item,
    applies: applicability.derived,
    overruled: overruling?.answer ?? null,
    work,
    outcome,
    measuredProof: proof,
    hasRecheck: recheck === null ? 'NO' : 'YES',
    isPutOff: isPutOff({ outcome, expiresAt: dateOf(expiresAt) }, new Date(record.exportedAt)) ? 'YES' : 'NO',
    isPastDue: dueAt !== null && dueAt < record.exportedAt ? 'YES' : 'NO',
    count: 1,
  };
}

function dateOf(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

/** How many of the applicable items are so. */
function countOf(items: readonly CountedItem[], isSo: (item: CountedItem) => boolean): number {
  return progressOf(items.filter(isSo)).applicable;
}

/** `3 to do`, `待办 3`; nothing for none. */
function part(count: number, word: BothLanguages): readonly BothLanguages[] {
  return count === 0 ? [] : [{ en: `${count} ${word.en}`, zh: `${word.zh} ${count}` }];
}

function listed(name: BothLanguages, parts: readonly BothLanguages[], { say }: View): string {
  const none: BothLanguages = { en: 'none', zh: '无' };
  const all = parts.length === 0 ? [none] : parts;
  return say({
    en: `${name.en}: ${all.map(({ en }) => en).join(', ')}`,
    zh: `${name.zh}：${all.map(({ zh }) => zh).join('，')}`,
  });
}

const works = ['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE'] as const;

function workLine(items: readonly CountedItem[], view: View): string {
  const applicable = countOf(items, () => true);
  const parts = works.flatMap((work) => part(countOf(items, (one) => one.work === work), workWords[work])); // prettier-ignore
  return listed(
    { en: `Work on ${counted(applicable, 'applicable item', 'applicable items')}`, zh: `适用条目 ${applicable} 个` },
    parts,
    view,
  );
}

const outcomes = ['ALREADY_IN_PLACE', 'REJECTED', 'DEFERRED', 'NOT_ASSESSED'] as const;

function outcomeLine(items: readonly CountedItem[], view: View): string {
  const { applied, verified, indicated, unverified, regressed } = portfolioCountsOf(items);
  const proofs = [
    ...part(verified, proofWords.VERIFIED),
    ...part(indicated, proofWords.INDICATED),
    ...part(unverified, proofWords.UNVERIFIED),
    ...part(regressed, proofWords.REGRESSED),
  ];
  const word = outcomeWords.APPLIED;
  const ofApplied: BothLanguages = {
    en: `${applied} ${word.en} (${proofs.map(({ en }) => en).join(', ')})`,
    zh: `${word.zh} ${applied}（${proofs.map(({ zh }) => zh).join('，')}）`,
  };
  const parts = [
    ...(applied === 0 ? [] : [ofApplied]),
    ...outcomes.flatMap((outcome) => part(countOf(items, (one) => one.outcome === outcome), outcomeWords[outcome])), // prettier-ignore
  ];
  return listed({ en: 'Outcomes', zh: '结论' }, parts, view);
}

/** As the portfolio has them: of each verified item the median of its points. */
function gainLine(items: readonly CountedItem[], view: View): string {
  const verified = items.filter((one) => progressOf([one]).verified === 1);
  const gains = verified.flatMap(({ item }) => {
    const trial = view.tellingTrial(item);
    const ofPoints = (trial?.comparisons ?? []).flatMap(({ role, gain }) => (role === 'PRIMARY' && gain !== null ? [gain] : [])); // prettier-ignore
    return trial === null || ofPoints.length === 0 ? [] : [{ metricId: trial.primaryMetric, gain: medianOf(ofPoints) }];
  });
  const parts = gainSummariesOf(gains).map(({ metricId, count, medianGain, minGain, maxGain }): BothLanguages => {
    const name = view.metricName(metricId);
    const [median, low, high] = [medianGain, minGain, maxGain].map(signedPercent);
    if (!median || !low || !high || count === 1) {
      return { en: `${name} ${median?.en ?? ''} by 1 item`, zh: `${name} ${median?.zh ?? ''}（1 个条目）` };
    }
    return {
      en: `${name} ${median.en} in the median of ${count} items (${low.en} to ${high.en})`,
      zh: `${name} 中位数 ${median.zh}（${count} 个条目，${low.zh} 至 ${high.zh}）`,
    };
  });
  return listed({ en: 'Verified gains', zh: '已验证收益' }, parts, view);
}

const recheckCodes = ['CHECK_CHANGED', 'ENVIRONMENT_CHANGED', 'EXPIRED'] as const;

function staleLines(items: readonly CountedItem[], view: View): readonly string[] {
  const stale = recheckCodes.flatMap((code) => part(countOf(items, ({ item }) => item.recheck?.code === code), recheckWords[code])); // prettier-ignore
  const { overdue } = portfolioCountsOf(items);
  const late: BothLanguages = {
    en: `Past their date: ${counted(overdue, 'item', 'items')}`,
    zh: `已逾期：${overdue} 个条目`,
  };
  return [
    listed({ en: 'Stale results, to be checked again', zh: '待复查的旧结论' }, stale, view),
    ...(overdue === 0 ? [] : [view.say(late)]),
  ];
}

/** What is next by the plan of whoever exports: the evidence behind it is from the projects that they may see. */
function nextBlocks({ record, say, itemName, colon }: View, next: readonly NextStep[]): readonly Block[] {
  const keys = new Map(record.items.map(({ id, key }) => [id, key]));
  const lines = next.flatMap(({ itemId, explanation }): Line[] => {
    const key = keys.get(itemId);
    if (key === undefined) return [];
    const why = say({
      en: explanation.map(({ en }) => `${en}.`).join(' '),
      zh: explanation.map(({ zh }) => zh).join('；'),
    });
    return [joined([itemName(key), colon, why], '')];
  });
  if (lines.length === 0) return [];
  return [
    { kind: 'paragraph', text: say({ en: 'Next by the plan:', zh: '按计划接下来：' }) },
    { kind: 'list', lines },
  ];
}
