import type { Locale } from '../locale.js';
import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';

export type NoteOutcome = 'HELPED' | 'NEUTRAL' | 'HURT' | 'INCONCLUSIVE';

/** What the trials of a note measured on their primary metric. */
export interface MeasuredEffect {
  readonly metric: string;
  readonly gain: number | null;
  readonly gainLow: number | null;
  readonly gainHigh: number | null;
  readonly verdict: Verdict;
  readonly evidence: EvidenceLevel;
}

const outcomes: Readonly<Record<NoteOutcome, Readonly<Record<Locale, string>>>> = {
  HELPED: { EN: 'it helped', ZH: '有效' },
  NEUTRAL: { EN: 'it made no difference', ZH: '没有差别' },
  HURT: { EN: 'it made things worse', ZH: '变差' },
  INCONCLUSIVE: { EN: 'it was not settled', ZH: '没有定论' },
};

/** A gain as a signed percentage with three significant digits; plus is better. */
function percent(gain: number): string {
  const value = Number((gain * 100).toPrecision(3));
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)} %`;
}

/**
 * What somebody who adopts a note may expect, in a language that the note is written in: the outcome there, and what was measured with its
 * interval and evidence. Never a bare percentage.
 */
export function expectationOf(
  note: { readonly title: string; readonly outcome: NoteOutcome; readonly locale: Locale },
  effects: readonly MeasuredEffect[],
): string {
  const said = outcomes[note.outcome][note.locale];
  const measured = effects.map((effect) => effectText(effect, note.locale));
  if (note.locale === 'ZH') {
    return [`笔记“${note.title}”：${said}`, ...measured].join('；');
  }
  return [`Note "${note.title}": ${said}`, ...measured].join('; ');
}

function effectText({ metric, gain, gainLow, gainHigh, verdict, evidence }: MeasuredEffect, locale: Locale): string {
  const basis = `${verdict}, ${evidence}`;
  if (gain === null) return `${metric} (${basis})`;
  // A bare +12 % on a latency would read as slower: the word says that plus is better.
  const said = `${metric}${locale === 'ZH' ? '：收益' : ': gain'} ${percent(gain)}`;
  if (gainLow === null || gainHigh === null) return `${said} (${basis})`;
  const interval =
    locale === 'ZH'
      ? `95% 区间 ${percent(gainLow)} 至 ${percent(gainHigh)}`
      : `95 % interval ${percent(gainLow)} to ${percent(gainHigh)}`;
  return `${said} (${interval}, ${basis})`;
}
