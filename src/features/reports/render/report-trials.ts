import { truthWords } from '../../../domain/audit/words.js';
import type { Proof } from '../../../domain/audit/proof.js';
import type { BothLanguages } from '../../../domain/locale.js';
import { MOST_RUNS_TOLD } from '../../../domain/measurement/power.js';
import type { Verdict } from '../../../domain/measurement/verdict.js';
import {
  gainFigure,
  measuredText,
  NOTHING,
  pText,
  seriesText,
  thresholdEnds,
  timeText,
} from '../../../domain/report/figures.js';
import type { RecordedComparison, RecordedTrial } from '../../../domain/report/measurement-record.js';
import {
  claimOf,
  evidenceWords,
  methodText,
  roleWords,
  samplingWords,
  tierWords,
  verdictText,
  type Claim,
} from '../../../domain/report/words.js';
import { columns, counted, joined, type Block, type Line, type Say, type Tone } from './blocks.js';
import { attachmentBlocks } from './report-details.js';
import type { View } from './view.js';

const verdictTones: Readonly<Record<Verdict, Tone>> = {
  IMPROVED: 'GOOD',
  REGRESSED: 'BAD',
  BLOCKED_BY_GUARDRAIL: 'BAD',
  NO_MEANINGFUL_CHANGE: 'WEAK',
  INCONCLUSIVE: 'WEAK',
  NOT_COMPARABLE: 'WEAK',
};

/** A verdict in words that say no more than its evidence carries. */
export function verdictLine(verdict: Verdict, claim: Claim, say: Say): Line {
  return [{ word: say(verdictText(verdict, claim)), tone: verdictTones[verdict] }];
}

export function proofTone(proof: Proof): Tone {
  if (proof === 'VERIFIED') return 'GOOD';
  return proof === 'REGRESSED' ? 'BAD' : 'WEAK';
}

/** The verdicts of all trials: first on the metrics that decide, then on the others. */
export function verdictBlocks(view: View): readonly Block[] {
  const { record, say } = view;
  const heading = { kind: 'heading', level: 2, text: say({ en: 'Verdicts of the trials', zh: '试验判定' }) } as const;
  const all = record.trials.flatMap((trial) => trial.comparisons.map((comparison) => ({ trial, comparison })));
  if (record.trials.length === 0) {
    return [heading, { kind: 'paragraph', text: say({ en: 'Nothing was measured.', zh: '尚无测量。' }) }];
  }
  const decides = ({ comparison: { role } }: Measured) => role === 'PRIMARY' || role === 'GUARDRAIL';
  const deciding = all.filter(decides);
  const others = all.filter((one) => !decides(one));
  const blocks: Block[] = [heading];
  if (deciding.length > 0) {
    const caption = say({ en: 'Primary metrics and guardrails', zh: '主要指标与护栏指标' });
    blocks.push(verdictTable(deciding, caption, view, inReportColumn(say)));
  }
  if (others.length > 0) {
    blocks.push(verdictTable(others, say({ en: 'Other metrics of the same runs', zh: '同批运行的其他指标' }), view));
  }
  if (all.some(({ comparison }) => comparison.adjustedP !== null))
    blocks.push({ kind: 'paragraph', text: say(holmNote) });
  if (all.some(({ comparison }) => comparison.reportAdjustedP !== null))
    blocks.push({ kind: 'paragraph', text: say(reportNote(all.map(({ comparison }) => comparison))) });
  return [...blocks, ...planBlocks(view)];
}

const holmNote = {
  en: 'Where the primary metric of a trial has several series, p is given with its correction over them.',
  zh: '试验的主要指标有多个序列时，p 值同时给出对这些序列校正后的结果。',
};

/** Of twenty true nulls one is called a change by chance: who reads them together needs this. */
function reportNote(all: readonly RecordedComparison[]): BothLanguages {
  const family = all.filter(({ reportAdjustedP }) => reportAdjustedP !== null).length;
  const claims = all.filter(({ survivesReport }) => survivesReport !== null).length;
  const surviving = all.filter(({ survivesReport }) => survivesReport === true).length;
  return {
    en: `“p in the report” is corrected by Holm over the ${counted(family, 'primary comparison', 'primary comparisons')} of this report that ${family === 1 ? 'has' : 'have'} a p value, A/A runs left out. ${surviving} of ${counted(claims, 'claim', 'claims')} of a change ${surviving === 1 ? 'survives' : 'survive'} it.`,
    zh: `“报告内 p”是对本报告中 ${family} 项有 p 值的主要对比（不含 A/A 对照）作 Holm 校正的结果。${claims} 项变化结论中有 ${surviving} 项通过校正。`,
  };
}

/** A column that only the metrics that decide have. */
interface ExtraColumn {
  readonly head: string;
  readonly valueOf: (comparison: RecordedComparison) => string;
}

function inReportColumn(say: Say): ExtraColumn {
  return {
    head: say({ en: 'p in the report', zh: '报告内 p' }),
    valueOf: ({ reportAdjustedP }) => (reportAdjustedP === null ? NOTHING : pText(reportAdjustedP)),
  };
}

function planBlocks({ record, say, itemName, trialName, metricName, colon }: View): readonly Block[] {
  const plans = record.trials.filter(({ verdict }) => verdict === null);
  if (plans.length === 0) return [];
  return [
    { kind: 'paragraph', text: say({ en: 'Planned and not yet measured:', zh: '已计划，尚未测量：' }) },
    {
      kind: 'list',
      lines: plans.map(({ id, auditItemKey, primaryMetric }) =>
        joined([`${trialName(id)} · `, itemName(auditItemKey), colon, metricName(primaryMetric)], ''),
      ),
    },
  ];
}

interface Measured {
  readonly trial: RecordedTrial;
  readonly comparison: RecordedComparison;
}

function verdictTable(measured: readonly Measured[], caption: string, view: View, extra?: ExtraColumn): Block {
  const { say, metric } = view;
  return {
    kind: 'table',
    caption,
    columns: columns(
      [
        say({ en: 'Trial and item', zh: '试验与条目' }),
        say({ en: 'Metric', zh: '指标' }),
        say({ en: 'n before / after', zh: '样本数（前 / 后）' }),
        say({ en: 'Median before', zh: '改动前中位数' }),
        say({ en: 'Median after', zh: '改动后中位数' }),
        say({ en: 'Gain', zh: '收益' }),
        'p',
        ...(extra ? [extra.head] : []),
        say({ en: 'Method', zh: '方法' }),
        say({ en: 'Evidence', zh: '证据级别' }),
        say({ en: 'Verdict', zh: '判定' }),
      ],
      extra ? [2, 3, 4, 5, 6, 7] : [2, 3, 4, 5, 6],
    ),
    rows: measured.map(({ trial, comparison }) => {
      const unit = metric(comparison.metric)?.unit ?? '';
      return [
        joined([`${view.trialName(trial.id)} · `, view.itemName(trial.auditItemKey)], ''),
        metricLine(comparison, view),
        `${comparison.nBefore} / ${comparison.nAfter}`,
        measuredText(comparison.medianBefore, unit),
        measuredText(comparison.medianAfter, unit),
        say(gainFigure(comparison)),
        pLine(comparison),
        ...(extra ? [extra.valueOf(comparison)] : []),
        say(methodText(comparison.method)),
        say(evidenceWords[comparison.evidence]),
        wholeVerdict(trial, comparison, view),
      ];
    }),
  };
}

function metricLine({ metric, role, dimensions }: RecordedComparison, { say, metricName }: View): string {
  const series = seriesText(dimensions);
  const notes = [...(series === '' ? [] : [series]), ...(role === 'PRIMARY' ? [] : [say(roleWords[role])])];
  if (notes.length === 0) return metricName(metric);
  return say({ en: `${metricName(metric)} (${notes.join('; ')})`, zh: `${metricName(metric)}（${notes.join('；')}）` });
}

function pLine({ pValue, adjustedP }: RecordedComparison): string {
  if (pValue === null) return NOTHING;
  return adjustedP === null ? pText(pValue) : `${pText(pValue)} (corrected ${pText(adjustedP)})`;
}

/** The verdict with what weakens or strengthens it. */
function wholeVerdict(trial: RecordedTrial, comparison: RecordedComparison, { record, say, semicolon }: View): Line {
  const { verdict, isStrong, isConfounded, moreRunsPerArm, survivesReport } = comparison;
  const notes: Line[] = [verdictLine(verdict, claimOf(comparison), say)];
  if (trial.isControl) notes.push(say({ en: 'A/A run', zh: 'A/A 对照' }));
  if (trial.id === record.audit.endToEndTrial) notes.push(say({ en: 'end to end', zh: '端到端' }));
  if (isStrong) notes.push(say({ en: 'strong', zh: '整个区间超出阈值' }));
  if (isConfounded) notes.push([{ word: say({ en: 'confounded', zh: '有混杂因素' }), tone: 'WEAK' }]);
  if (survivesReport === false) {
    notes.push([
      {
        word: say({ en: 'does not survive the correction over the report', zh: '未通过报告范围的校正' }),
        tone: 'WEAK',
      },
    ]);
  }
  if (moreRunsPerArm !== null) {
    notes.push(say(moreRunsText(moreRunsPerArm)));
  }
  return joined(notes, semicolon);
}

function moreRunsText(runs: number): BothLanguages {
  if (runs >= MOST_RUNS_TOLD) {
    return {
      en: `it would take ${runs} or more further runs in each arm to settle it`,
      zh: `每组需再测 ${runs} 次以上才可能有定论`,
    };
  }
  return {
    en: `about ${counted(runs, 'more run', 'more runs')} in each arm would settle it`,
    zh: `每组约再测 ${runs} 次可有定论`,
  };
}

/** How each trial was made, what warns of its result, and what else differed. */
export function trialBlocks(view: View): readonly Block[] {
  const { record, say } = view;
  if (record.trials.length === 0) return [];
  return [
    { kind: 'heading', level: 2, text: say({ en: 'How the trials were made', zh: '试验详情' }) },
    ...record.trials.flatMap((trial) => ofTrial(trial, view)),
  ];
}

function ofTrial(trial: RecordedTrial, view: View): readonly Block[] {
  const { say } = view;
  const name = joined([`${view.trialName(trial.id)} · `, view.itemName(trial.auditItemKey)], '');
  const blocks: Block[] = [
    { kind: 'heading', level: 3, text: name },
    { kind: 'list', lines: [...trialLines(trial, view), ...warningLines(trial, view)] },
  ];
  if (trial.hypothesis !== null) {
    blocks.push({ kind: 'said', label: say({ en: 'Hypothesis', zh: '假设' }), body: trial.hypothesis });
  }
  blocks.push(...attachmentBlocks(trial, view));
  return [...blocks, ...differenceBlocks(trial, view)];
}

/** Metrics of one trial share many of their warnings: each is said once. */
function warningLines({ comparisons }: RecordedTrial, { say, colon }: View): readonly Line[] {
  const texts = comparisons.flatMap(({ warnings }) => warnings.map(({ message }) => say(message)));
  return [...new Set(texts)].map((text) => `${say({ en: 'Warning', zh: '警告' })}${colon}${text}`);
}

function trialLines(trial: RecordedTrial, { say, metricName, record, colon }: View): readonly Line[] {
  const named = (name: { en: string; zh: string }, value: Line): Line => joined([`${say(name)}${colon}`, value], '');
  const codes = (keys: readonly string[]): Line => joined(keys.map((code) => [{ code }]), say({ en: ', ', zh: '、' })); // prettier-ignore
  const list = (keys: readonly string[]) => keys.map(metricName).join(say({ en: ', ', zh: '、' }));
  const [before, after] = [trial.beforeRunIds.length, trial.afterRunIds.length];
  const lines: Line[] = [
    say({ en: `Recorded ${timeText(trial.createdAt)} by ${trial.createdBy.name}`, zh: `记录于 ${timeText(trial.createdAt)}，${trial.createdBy.name}` }),
    named({ en: 'Primary metric', zh: '主要指标' }, list([trial.primaryMetric])),
  ]; // prettier-ignore
  if (trial.guardrails.length > 0) lines.push(named({ en: 'Guardrails', zh: '护栏指标' }, list(trial.guardrails)));
  lines.push(
    named(
      { en: 'Meant to change', zh: '声明的变量' },
      trial.variable.length === 0 ? say({ en: 'nothing was declared', zh: '未声明' }) : codes(trial.variable),
    ),
    before + after === 0
      ? say({ en: 'No runs: a plan', zh: '没有运行，仅为计划' })
      : say({ en: `${counted(before, 'run', 'runs')} before, ${after} after; ${samplingWords[trial.sampling].en}`, zh: `改动前 ${before} 次运行，改动后 ${after} 次；${samplingWords[trial.sampling].zh}` }),
  ); // prettier-ignore
  if (trial.isPaired) lines.push(say({ en: 'Measured in pairs', zh: '配对测量' }));
  if (trial.plannedRunsPerArm !== null) {
    lines.push(say({ en: `Planned: ${counted(trial.plannedRunsPerArm, 'run', 'runs')} in each arm`, zh: `计划每组 ${trial.plannedRunsPerArm} 次运行` }));
  } // prettier-ignore
  if (trial.isControl) lines.push(say({ en: 'A/A run: nothing was changed between the arms', zh: 'A/A 对照：两组之间没有改动' })); // prettier-ignore
  const [primary] = trial.comparisons;
  const target = record.metrics.find(({ key }) => key === trial.primaryMetric);
  if (primary && target) {
    const { gain, loss } = thresholdEnds(primary.threshold);
    const isTarget = target.direction === 'TARGET';
    lines.push(
      named(
        { en: 'Smallest effect that counts', zh: '有意义的最小变化' },
        isTarget ? measuredText(primary.threshold, target.unit) : `${say(gain)} / ${say(loss)}`,
      ),
    );
  }
  if (trial.id === record.audit.endToEndTrial) {
    lines.push(
      say({ en: 'It measured all applied items together, end to end', zh: '端到端试验：合并测量了所有已应用的条目' }),
    );
  }
  return lines;
}

/** Those that can change a verdict; what is for information stays in the JSON. */
function differenceBlocks({ id, comparisons }: RecordedTrial, view: View): readonly Block[] {
  const { say } = view;
  const differences = (comparisons[0]?.differences ?? []).filter(({ tier }) => tier !== 'INFO');
  if (differences.length === 0) return [];
  return [
    {
      kind: 'table',
      caption: say({ en: `${view.trialName(id)}: what differs between the arms`, zh: `${view.trialName(id)}：两组之间的差异` }),
      columns: columns([
        say({ en: 'Key', zh: '键' }),
        say({ en: 'Before', zh: '改动前' }),
        say({ en: 'After', zh: '改动后' }),
        say({ en: 'Weight', zh: '级别' }),
        say({ en: 'Declared', zh: '已声明' }),
      ]),
      rows: differences.map(({ key, before, after, tier, isDeclared }) => [
        [{ code: key }],
        before ?? say({ en: 'unknown', zh: '未知' }),
        after ?? say({ en: 'unknown', zh: '未知' }),
        say(tierWords[tier]),
        say(truthWords(isDeclared)),
      ]),
    },
  ]; // prettier-ignore
}
