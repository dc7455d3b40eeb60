import { textIn, type BothLanguages, type Locale } from '../locale.js';
import { isUnknownOnOneSide } from '../measurement/environment-diff.js';
import type { RawOutcome } from '../measurement/guardrails.js';
import { gainFigure, measuredText, NOTHING, pText, seriesText, thresholdEnds } from '../report/figures.js';
import { claimOf, evidenceWords, roleWords, tierWords, verdictText } from '../report/words.js';
import type { ArmsComparison, ComparedRow } from './compare-arms.js';
import type { GateOutcome, GateResult } from './gate.js';
import { labelOf } from './lost-series.js';
import type { FileProblem } from './read-arm.js';

/** GOOD, BAD and OPEN are shown in color where there is color; the words say the same. */
export type Tone = 'GOOD' | 'BAD' | 'OPEN' | 'PLAIN';

export interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

/** A comparison in the words of one language, for a terminal or for Markdown. */
export interface ComparisonView {
  readonly colon: string;
  readonly headline: Cell;
  /** Why a gate lets pass or does not; empty for a comparison. */
  readonly reasons: readonly Cell[];
  readonly columns: readonly { readonly head: string; readonly align: 'START' | 'END' }[];
  readonly rows: readonly (readonly Cell[])[];
  readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

export interface ViewInput {
  readonly comparison: ArmsComparison;
  readonly problems: readonly FileProblem[];
  readonly gate: GateResult | null;
}

const gateWords: Readonly<Record<GateOutcome, BothLanguages>> = {
  PASSED: { en: 'Gate passed: nothing is shown to be worse', zh: '门禁通过：未见退化' },
  REGRESSED: { en: 'Gate failed: it got worse', zh: '门禁未通过：出现退化' },
  NOT_JUDGED: { en: 'Gate not passed: it cannot be judged', zh: '门禁未通过：无法判断' },
};

/** Says all of a comparison: the verdict first, a row for each metric and point, then what to know about them. */
export function viewOf({ comparison, problems, gate }: ViewInput, locale: Locale): ComparisonView {
  const say = (text: BothLanguages) => textIn(text, locale);
  const hasDimensions = comparison.rows.some(({ dimensions }) => Object.keys(dimensions).length > 0);
  const hasCorrection = comparison.rows.some(({ adjustedP }) => adjustedP !== null);
  const shown = columns.filter(({ when }) => when({ hasDimensions, hasCorrection }));
  return {
    colon: say({ en: ':', zh: '：' }),
    headline: headlineOf(comparison, gate, locale),
    reasons: (gate?.reasons ?? []).map(({ effect, text }) => ({
      text: say(text),
      tone: effect === 'FAILS' ? 'BAD' : 'OPEN',
    })),
    columns: shown.map(({ head, align }) => ({ head: say(head), align })),
    rows: comparison.rows.map((row) => shown.map(({ cell }) => cell(row, locale))),
    sections: [
      { title: say({ en: 'How it was judged', zh: '判断依据' }), lines: scopeLines(comparison).map(say) },
      { title: say({ en: 'What more is needed', zh: '还需要什么' }), lines: needLines(comparison).map(say) },
      { title: say({ en: 'Warnings', zh: '警告' }), lines: warningLines(comparison, locale) },
      { title: say({ en: 'Undeclared differences', zh: '未声明的差异' }), lines: differenceLines(comparison).map(say) },
      { title: say({ en: 'In one arm only', zh: '仅一组有' }), lines: oneSidedLines(comparison).map(say) },
      {
        title: say({ en: 'About the files', zh: '关于文件' }),
        lines: problems.map((problem) => problemLine(problem, locale)),
      },
    ].filter(({ lines }) => lines.length > 0),
  };
}

interface Column {
  readonly head: BothLanguages;
  readonly align: 'START' | 'END';
  readonly when: (table: { readonly hasDimensions: boolean; readonly hasCorrection: boolean }) => boolean;
  readonly cell: (row: ComparedRow, locale: Locale) => Cell;
}

const always = () => true;
const plain = (text: string): Cell => ({ text, tone: 'PLAIN' });

const better: Readonly<Record<'HIGHER_IS_BETTER' | 'LOWER_IS_BETTER' | 'TARGET', BothLanguages>> = {
  HIGHER_IS_BETTER: { en: 'higher', zh: '越高' },
  LOWER_IS_BETTER: { en: 'lower', zh: '越低' },
  TARGET: { en: 'target', zh: '目标值' },
};

const columns: readonly Column[] = [
  {
    head: { en: 'Metric', zh: '指标' },
    align: 'START',
    when: always,
    cell: ({ metric, role }, locale) =>
      plain(role === 'PRIMARY' ? metric.key : `${metric.key} (${textIn(roleWords[role], locale)})`),
  },
  {
    head: { en: 'At', zh: '条件' },
    align: 'START',
    when: ({ hasDimensions }) => hasDimensions,
    cell: ({ dimensions }) => plain(seriesText(dimensions) || NOTHING),
  },
  {
    head: { en: 'Better', zh: '更优' },
    align: 'START',
    when: always,
    cell: ({ metric }, locale) => plain(metric.direction ? textIn(better[metric.direction], locale) : NOTHING),
  },
  {
    head: { en: 'n', zh: 'n' },
    align: 'END',
    when: always,
    cell: ({ result }) => plain(`${result.nBefore} / ${result.nAfter}`),
  },
  {
    head: { en: 'Before', zh: '改动前' },
    align: 'END',
    when: always,
    cell: ({ metric, result }) => plain(measuredText(result.medianBefore, metric.unit)),
  },
  {
    head: { en: 'After', zh: '改动后' },
    align: 'END',
    when: always,
    cell: ({ metric, result }) => plain(measuredText(result.medianAfter, metric.unit)),
  },
  {
    head: { en: 'Gain [95 %]', zh: '收益 [95%]' },
    align: 'END',
    when: always,
    cell: ({ result }, locale) => plain(textIn(gainFigure(result), locale)),
  },
  {
    head: { en: 'p (corrected)', zh: 'p（校正后）' },
    align: 'END',
    when: ({ hasCorrection }) => hasCorrection,
    cell: ({ adjustedP }) => plain(adjustedP === null ? NOTHING : pText(adjustedP)),
  },
  {
    head: { en: 'Evidence', zh: '证据' },
    align: 'START',
    when: always,
    cell: ({ result }, locale) => plain(textIn(evidenceWords[result.evidence], locale)),
  },
  { head: { en: 'Verdict', zh: '结论' }, align: 'START', when: always, cell: verdictCell },
];

/** What is seen without a ratio, as with failures that begin at zero. */
const rawWords: Readonly<Record<RawOutcome, BothLanguages>> = {
  HELD: { en: 'not worse', zh: '未变差' },
  WORSE: { en: 'every value worse', zh: '每个值都变差' },
};

function verdictCell({ result, adjustedP, raw }: ComparedRow, locale: Locale): Cell {
  const { verdict, isStrong, isConfounded } = result;
  if (raw !== null && verdict === 'INCONCLUSIVE')
    return { text: textIn(rawWords[raw], locale), tone: raw === 'HELD' ? 'PLAIN' : 'BAD' };
  const isChange = verdict === 'IMPROVED' || verdict === 'REGRESSED';
  const counts = adjustedP === null || adjustedP < 0.05;
  const added: readonly BothLanguages[] = [
    ...(isStrong && counts ? [{ en: 'strong', zh: '强' }] : []),
    ...(isChange && !counts ? [{ en: 'not after correction', zh: '校正后不成立' }] : []),
    ...(isConfounded ? [{ en: 'confounded', zh: '有混杂因素' }] : []),
  ];
  const words = [verdictText(verdict, claimOf(result)), ...added].map((text) => textIn(text, locale));
  return { text: words.join(locale === 'ZH' ? '；' : '; '), tone: counts || !isChange ? toneOf(verdict) : 'OPEN' };
}

function toneOf(verdict: ArmsComparison['verdict']): Tone {
  if (verdict === 'IMPROVED') return 'GOOD';
  if (verdict === 'REGRESSED' || verdict === 'BLOCKED_BY_GUARDRAIL') return 'BAD';
  return verdict === 'NO_MEANINGFUL_CHANGE' ? 'PLAIN' : 'OPEN';
}

/** What a gate says, alone. */
export function headlineOfGate({ outcome }: GateResult, locale: Locale): string {
  return textIn(gateWords[outcome], locale);
}

function headlineOf(comparison: ArmsComparison, gate: GateResult | null, locale: Locale): Cell {
  const claim = textIn(verdictText(comparison.verdict, claimOf(comparison)), locale);
  const primary = comparison.rows.filter(({ role }) => role === 'PRIMARY');
  const [only] = primary;
  const figure = primary.length === 1 && only?.result.gain !== null ? only : undefined;
  const detail = figure
    ? `${labelOf(figure.metric.key, figure.dimensions)} ${textIn(gainFigure(figure.result), locale)}`
    : primary.length === 1 && only
      ? labelOf(only.metric.key, only.dimensions)
      : textIn(countsOf(primary), locale);
  const said = `${claim.charAt(0).toUpperCase()}${claim.slice(1)}${locale === 'ZH' ? '：' : ': '}${detail}`;
  if (!gate) return { text: said, tone: toneOf(comparison.verdict) };
  const tone = { PASSED: 'GOOD', REGRESSED: 'BAD', NOT_JUDGED: 'OPEN' } as const;
  const end = locale === 'ZH' ? '。' : '. ';
  return { text: `${textIn(gateWords[gate.outcome], locale)}${end}${said}`, tone: tone[gate.outcome] };
}

function countsOf(primary: readonly ComparedRow[]): BothLanguages {
  const counted = new Map<string, { text: BothLanguages; count: number }>();
  for (const { result } of primary) {
    const text = verdictText(result.verdict, claimOf(result));
    counted.set(text.en, { text, count: (counted.get(text.en)?.count ?? 0) + 1 });
  }
  const parts = [...counted.values()];
  if (parts.length === 1) return { en: `all ${primary.length} rows`, zh: `全部 ${primary.length} 行` };
  return {
    en: parts.map(({ text, count }) => `${count} ${text.en}`).join(', '),
    zh: parts.map(({ text, count }) => `${count} 项${text.zh}`).join('，'),
  };
}

function scopeLines(comparison: ArmsComparison): readonly BothLanguages[] {
  const { primary, primaryFrom, guardrails, familySize, rows } = comparison;
  const keys = primary.join(', ');
  const from = {
    NAMED: { en: `Primary: ${keys}.`, zh: `主要指标：${keys}。` },
    PRIMARY: {
      en: `Primary: ${keys} (those of the catalog that both arms have; --metric names others).`,
      zh: `主要指标：${keys}（目录中两组都有的主要指标，可用 --metric 另行指定）。`,
    },
    SECONDARY: {
      en: `Primary: ${keys} (both arms have none that the catalog calls primary, so all secondary ones; --metric names others).`,
      zh: `主要指标：${keys}（两组没有共同的主要指标，故取全部次要指标，可用 --metric 另行指定）。`,
    },
  } as const;
  const lines: BothLanguages[] = [from[primaryFrom]];
  if (guardrails.length > 0) {
    const watched = guardrails.join(', ');
    lines.push({ en: `Guardrails: ${watched}.`, zh: `护栏指标：${watched}。` });
  }
  if (rows.some(({ adjustedP }) => adjustedP !== null)) {
    lines.push({
      en: `Several rows are tested, so p is corrected over ${familySize} of them: one false alarm among all stays at 5 %.`,
      zh: `同时检验多行，p 值已在 ${familySize} 行上校正，使整体误报率不超过 5%。`,
    });
  }
  const thresholds = [...new Set(rows.filter(({ role }) => role === 'PRIMARY').map(({ result }) => result.threshold))];
  const ends = thresholds.map(thresholdEnds);
  if (rows.every(({ metric }) => metric.direction !== 'TARGET'))
    lines.push({
      en: `Plus is better. Gains between ${ends.map(({ loss, gain }) => `${loss.en} and ${gain.en}`).join(', ')} do not matter.`,
      zh: `正值表示更好。${ends.map(({ loss, gain }) => `${loss.zh} 与 ${gain.zh}`).join('、')} 之间的收益不计。`,
    });
  return lines;
}

function needLines({ rows }: ArmsComparison): readonly BothLanguages[] {
  return rows
    .filter(({ role, result }) => role !== 'DIAGNOSTIC' && result.moreRunsPerArm !== null)
    .map(({ metric, dimensions, result }) => {
      const label = labelOf(metric.key, dimensions);
      const more = result.moreRunsPerArm ?? 0;
      return {
        en: `${label}: about ${more} more ${more === 1 ? 'run' : 'runs'} in each arm.`,
        zh: `${label}：每组大约再跑 ${more} 次。`,
      };
    });
}

/** Each text once, with the rows that it is about where it is not about all. */
function warningLines({ rows }: ArmsComparison, locale: Locale): readonly string[] {
  const about = new Map<string, Set<string>>();
  for (const { metric, dimensions, warnings } of rows) {
    for (const warning of warnings) {
      const text = textIn(warning.text, locale);
      about.set(text, (about.get(text) ?? new Set()).add(labelOf(metric.key, dimensions)));
    }
  }
  return [...about].map(([text, labels]) => {
    if (labels.size === rows.length) return text;
    const named = [...labels].slice(0, 3);
    const more = labels.size > named.length ? ` … (${labels.size})` : '';
    return `${named.join(locale === 'ZH' ? '；' : '; ')}${more}${locale === 'ZH' ? '：' : ': '}${text}`;
  });
}

function differenceLines({ differences }: ArmsComparison): readonly BothLanguages[] {
  return differences
    .filter(({ isDeclared }) => !isDeclared)
    .map((difference) => {
      const { key, before, after, tier } = difference;
      const unknown = isUnknownOnOneSide(difference);
      const [en, zh] = [
        [before ?? 'not known', after ?? 'not known'],
        [before ?? '未知', after ?? '未知'],
      ];
      return {
        en: `${tierWords[tier].en}: ${key}: ${en?.join(' → ')}${unknown ? ' (unknown is not equal)' : ''}`,
        zh: `${tierWords[tier].zh}：${key}：${zh?.join(' → ')}${unknown ? '（未知不等于相同）' : ''}`,
      };
    });
}

/** Most series that are named of those that one arm has. */
const MOST_ONE_SIDED = 20;

function oneSidedLines({ oneSided }: ArmsComparison): readonly BothLanguages[] {
  const lines = oneSided.slice(0, MOST_ONE_SIDED).map(({ metric, dimensions, arm }) => {
    const label = labelOf(metric, dimensions);
    return arm === 'BEFORE'
      ? { en: `${label}: before only`, zh: `${label}：仅改动前` }
      : { en: `${label}: after only`, zh: `${label}：仅改动后` };
  });
  const more = oneSided.length - lines.length;
  return more > 0 ? [...lines, { en: `and ${more} more`, zh: `另有 ${more} 项` }] : lines;
}

/** A problem with the place that it is at. */
export function problemLine({ file, line, severity, message }: FileProblem, locale: Locale): string {
  const kind = severity === 'ERROR' ? { en: 'error', zh: '错误' } : { en: 'warning', zh: '警告' };
  const place = line === null ? file : `${file}:${line}`;
  const colon = locale === 'ZH' ? '：' : ': ';
  return `${place}${colon}${textIn(kind, locale)}${colon}${textIn(message, locale)}`;
}
