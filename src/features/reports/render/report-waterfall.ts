import {
  gainFigure,
  measuredText,
  NOTHING,
  plainPercent,
  seriesText,
  timeText,
} from '../../../domain/report/figures.js';
import { waterfallsOf, type Waterfall, type WaterfallStep } from '../../../domain/report/waterfall.js';
import { evidenceWords, proofWords } from '../../../domain/report/words.js';
import { columns, joined, type Block, type Line } from './blocks.js';
import { proofTone, verdictLine } from './report-trials.js';
import type { View } from './view.js';

/** What the applied items of the record did one after the other. */
export function reportWaterfalls({ record }: View): readonly Waterfall[] {
  const starts = new Map(record.runs.map(({ id, startedAt }) => [id, startedAt]));
  return waterfallsOf({
    items: record.items,
    trials: record.trials.map((trial) => ({ ...trial, measuredAt: measuredAt(trial, starts) })),
    metrics: record.metrics,
    endToEndTrial: record.audit.endToEndTrial,
  });
}

/** The same as tables. One step alone says no more than its trial, and is left to the table of verdicts. */
export function waterfallBlocks(view: View): readonly Block[] {
  const { say } = view;
  const telling = reportWaterfalls(view).filter(
    ({ steps, notCounted, endToEnd }) =>
      steps.length > 0 && (steps.length + notCounted.length > 1 || endToEnd !== null),
  );
  if (telling.length === 0) return [];
  return [
    { kind: 'heading', level: 2, text: say({ en: 'Waterfall of the applied items', zh: '已应用条目的收益累计' }) },
    ...telling.flatMap((waterfall) => ofMetric(waterfall, view)),
  ];
}

/** When the last run of the later arm began, where all of them say; else when the trial was recorded. */
function measuredAt(
  { afterRunIds, createdAt }: { readonly afterRunIds: readonly string[]; readonly createdAt: string },
  starts: ReadonlyMap<string, string | null>,
): string {
  const times = afterRunIds.flatMap((id) => starts.get(id) ?? []);
  if (times.length === 0 || times.length < afterRunIds.length) return createdAt;
  return times.reduce((latest, time) => (time > latest ? time : latest));
}

function ofMetric(waterfall: Waterfall, view: View): readonly Block[] {
  const { say, metricName } = view;
  const series = seriesText(waterfall.dimensions);
  const name = metricName(waterfall.metric);
  return [
    { kind: 'heading', level: 3, text: series === '' ? name : say({ en: `${name} (${series})`, zh: `${name}（${series}）` }) },
    stepTable(waterfall, view),
    ...(waterfall.remarks.length === 0 ? [] : [{ kind: 'list', lines: waterfall.remarks.map(say) } as const]),
    ...notCountedBlocks(waterfall, view),
  ]; // prettier-ignore
}

function stepTable(waterfall: Waterfall, view: View): Block {
  const { say, metric, metricName } = view;
  const unit = metric(waterfall.metric)?.unit ?? '';
  const row = (step: WaterfallStep): Line[] => [
    joined([`${view.trialName(step.trialId)} · `, view.itemName(step.itemKey)], ''),
    [{ figure: timeText(step.measuredAt) }],
    measuredText(step.medianBefore, unit),
    measuredText(step.medianAfter, unit),
    say(gainFigure(step)),
    say(evidenceWords[step.evidence]),
    proofLine(step, view),
  ];
  const { gain, gainLow, gainHigh, endToEnd, disagrees, threshold } = waterfall;
  const blank = [NOTHING, NOTHING, NOTHING];
  const product = [say({ en: 'The steps multiplied', zh: '各步连乘' }), ...blank, say(gainFigure({ gain, gainLow, gainHigh })), NOTHING, NOTHING]; // prettier-ignore
  const limit = plainPercent(threshold ?? 0);
  const apart = disagrees
    ? [{ word: say({ en: `disagrees by more than ${limit.en}`, zh: `相差超过 ${limit.zh}` }), tone: 'BAD' } as const]
    : say({ en: `agrees within ${limit.en}`, zh: `相差不超过 ${limit.zh}` });
  return {
    kind: 'table',
    caption: say({
      en: `${metricName(waterfall.metric)}: applied items in the order of measurement`,
      zh: `${metricName(waterfall.metric)}：已应用条目（按测量先后）`,
    }),
    columns: columns(
      [
        say({ en: 'Step', zh: '步骤' }),
        say({ en: 'Measured', zh: '测量时间' }),
        say({ en: 'Median before', zh: '改动前中位数' }),
        say({ en: 'Median after', zh: '改动后中位数' }),
        say({ en: 'Gain', zh: '收益' }),
        say({ en: 'Evidence', zh: '证据级别' }),
        say({ en: 'Notes', zh: '备注' }),
      ],
      [2, 3, 4],
    ),
    rows: [
      ...waterfall.steps.map(row),
      product,
      ...(endToEnd === null
        ? []
        : [
            [
              endToEnd.source === 'TRIAL'
                ? say({ en: `End to end, by ${view.trialName(endToEnd.trialId ?? '')}`, zh: `端到端（${view.trialName(endToEnd.trialId ?? '')}）` })
                : say({ en: 'End to end, first median to last', zh: '端到端（首末中位数）' }),
              ...blank,
              say(gainFigure(endToEnd)),
              endToEnd.evidence === null ? NOTHING : say(evidenceWords[endToEnd.evidence]),
              apart,
            ],
          ]),
    ],
  }; // prettier-ignore
}

function proofLine({ proof, isConfounded, startsElsewhere }: WaterfallStep, { say, semicolon }: View): Line {
  const notes: Line[] = [];
  if (proof !== null) notes.push([{ word: say(proofWords[proof]), tone: proofTone(proof) }]);
  if (isConfounded) notes.push([{ word: say({ en: 'confounded', zh: '有混杂因素' }), tone: 'WEAK' }]);
  if (startsElsewhere) {
    notes.push([{ word: say({ en: 'does not begin where the step before ended', zh: '起点与前一步终点不一致' }), tone: 'WEAK' }]); // prettier-ignore
  }
  return joined(notes, semicolon);
}

function notCountedBlocks({ notCounted }: Waterfall, view: View): readonly Block[] {
  if (notCounted.length === 0) return [];
  const { say } = view;
  return [
    {
      kind: 'paragraph',
      text: say({ en: 'Applied, and not counted in the product:', zh: '已应用但未计入连乘：' }),
    },
    {
      kind: 'list',
      lines: notCounted.map((step) =>
        joined(
          [
            `${view.trialName(step.trialId)} · `,
            view.itemName(step.itemKey),
            view.colon,
            verdictLine(step.verdict, 'FULL', say),
          ],
          '',
        ),
      ),
    },
  ];
}
