import { auditSavings, type AuditSavings } from '../../../domain/derived/audit-savings.js';
import { fleetOf, type GivenFleet } from '../../../domain/derived/fleet.js';
import { SAVINGS_FORMULA, type Amount, type Savings } from '../../../domain/derived/savings.js';
import { amountFigure, roundedText } from '../../../domain/derived/savings-text.js';
import { gainFigure, NOTHING, seriesText } from '../../../domain/report/figures.js';
import type { Waterfall } from '../../../domain/report/waterfall.js';
import { columns, joined, type Block, type Line } from './blocks.js';
import { reportWaterfalls } from './report-waterfall.js';
import type { View } from './view.js';

/** What the applied items are worth to the fleet; nothing for a project that says nothing of its fleet. */
export function savingsBlocks(view: View, setting: GivenFleet | null): readonly Block[] {
  if (setting === null) return [];
  const { say, metric } = view;
  const fleet = fleetOf(setting, null);
  const worth = reportWaterfalls(view)
    .map((waterfall) => {
      const scope = metric(waterfall.metric)?.isOwn ? 'PROJECT' : 'CATALOG';
      return { waterfall, savings: auditSavings(waterfall, scope, fleet, waterfall.metric) };
    })
    .filter(({ savings }) => savings.together.gpuHours !== null);
  if (worth.length === 0) return [];
  const inputs = worth[0]?.savings.together.inputs.filter(({ source }) => source === 'SETTING' || source === 'DEFAULT');
  return [
    { kind: 'heading', level: 2, text: say({ en: 'What it is worth to the fleet', zh: '对集群的价值' }) },
    {
      kind: 'facts',
      caption: say({ en: 'The fleet', zh: '集群' }),
      rows: (inputs ?? []).map(({ name, value, unit }) => [
        say(name),
        `${roundedText(value)} ${unit === 'count' || unit === 'fraction' ? '' : unit}`.trimEnd(),
      ]),
    },
    ...worth.flatMap(({ waterfall, savings }) => ofMetric(waterfall, savings, view)),
    { kind: 'paragraph', text: [{ code: say(SAVINGS_FORMULA) }] },
    {
      kind: 'paragraph',
      text: say({
        en: 'Gains multiply: each step saves of what the steps before it left. Savings on several metrics are of the same hours and must not be added up.',
        zh: '收益按连乘计：每一步只节省前面各步剩余的部分。不同指标的节省对应同一批 GPU 小时，不能相加。',
      }),
    },
  ];
}

function ofMetric(waterfall: Waterfall, savings: AuditSavings, view: View): readonly Block[] {
  const { say, metricName } = view;
  const series = seriesText(waterfall.dimensions);
  const name = series === '' ? metricName(waterfall.metric) : `${metricName(waterfall.metric)} (${series})`;
  const cells = ({ gpuHours, money, energy }: Savings): Line[] => [figure(gpuHours), figure(money), figure(energy)];
  const together = [say({ en: 'Together', zh: '合计' }), say(gainFigure(waterfall)), ...cells(savings.together)];
  const { endToEnd } = waterfall;
  const remarks = [...savings.together.remarks, ...savings.remarks];
  return [
    {
      kind: 'table',
      caption: say({ en: `${name}: saved per month`, zh: `${name}：每月节省` }),
      columns: columns(
        [
          say({ en: 'Step', zh: '步骤' }),
          say({ en: 'Gain', zh: '收益' }),
          say({ en: 'GPU hours', zh: 'GPU 小时' }),
          say({ en: 'Money', zh: '金额' }),
          say({ en: 'Energy', zh: '能耗' }),
        ],
        [1, 2, 3, 4],
      ),
      rows: [
        ...waterfall.steps.map((step, index): Line[] => [
          joined([`${view.trialName(step.trialId)} · `, view.itemName(step.itemKey)], ''),
          say(gainFigure(step)),
          ...(savings.steps[index] ? cells(savings.steps[index].added) : []),
        ]),
        together,
        ...(savings.endToEnd && endToEnd
          ? [[say({ en: 'End to end', zh: '端到端' }), say(gainFigure(endToEnd)), ...cells(savings.endToEnd)]]
          : []),
      ],
    },
    ...(remarks.length === 0 ? [] : [{ kind: 'list', lines: remarks.map(say) } as const]),
  ];
}

function figure(amount: Amount | null): string {
  if (amount === null) return NOTHING;
  return amount.unit === 'GPU-h' ? amountFigure(amount) : `${amountFigure(amount)} ${amount.unit}`;
}
