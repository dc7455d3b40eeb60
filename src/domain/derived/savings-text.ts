import type { BothLanguages } from '../locale.js';
import type { Amount, MeasuredGain, Payback, Savings } from './savings.js';

// What savings mean, in words; only here are numbers rounded.

/** A number to three significant digits, from a thousand on in groups: `1,220`, `0.556`, `−43.5`. */
export function roundedText(value: number): string {
  const rounded = Number(value.toPrecision(3));
  if (rounded === 0) return '0';
  const size = Math.abs(rounded);
  const text = size >= 1e15 || size < 1e-6 ? String(size) : plainText(size);
  return rounded < 0 ? `−${text}` : text;
}

function plainText(size: number): string {
  const [whole = '', fraction] = (size >= 1000 ? size.toFixed(0) : String(size)).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** The number with its interval: `1,220 [244, 2,010]`. */
export function amountFigure({ value, low, high }: Pick<Amount, 'value' | 'low' | 'high'>): string {
  if (low === null || high === null) return roundedText(value);
  return `${roundedText(value)} [${roundedText(low)}, ${roundedText(high)}]`;
}

/** What has to be known to read the savings of a gain. */
export function remarksOf(
  { verdict, evidence, isConfounded, isLoadFixed }: MeasuredGain,
  { hasEnergy, hasPue }: { readonly hasEnergy: boolean; readonly hasPue: boolean },
): BothLanguages[] {
  const remarks: BothLanguages[] = [];
  if (verdict === 'INCONCLUSIVE') {
    remarks.push({
      en: 'The trial settles nothing: the saving may be zero.',
      zh: '试验尚无定论：节省量可能为零。',
    });
  }
  if (verdict === 'NO_MEANINGFUL_CHANGE') {
    remarks.push({
      en: 'No change that matters was shown: the saving may be zero.',
      zh: '未发现有意义的变化：节省量可能为零。',
    });
  }
  if (verdict === 'REGRESSED') {
    remarks.push({ en: 'It got slower: the savings are negative.', zh: '性能变差：节省量为负。' });
  }
  if (verdict === 'BLOCKED_BY_GUARDRAIL') {
    remarks.push({
      en: 'A guardrail got worse: as it is, this saving is not to be had.',
      zh: '护栏指标变差：按现状不能算作节省。',
    });
  }
  if (isConfounded) {
    remarks.push({
      en: 'Confounded: something else differs between the arms, and may be what saves.',
      zh: '存在混杂因素：两组之间还有其他差异，节省可能由其带来。',
    });
  }
  if (evidence === 'SINGLE_RUN') {
    remarks.push({ en: 'One run an arm: no interval is known.', zh: '每组仅一次运行，没有区间。' });
  }
  if (isLoadFixed) {
    remarks.push({
      en: 'The requests came at a fixed rate: throughput then shows the load, not what the GPUs can do.',
      zh: '请求以固定速率发送：此时吞吐量反映的是负载，而不是 GPU 的处理能力。',
    });
  }
  if (hasEnergy && !hasPue) {
    remarks.push({
      en: 'The energy is that of the GPUs alone: no PUE is given.',
      zh: '能耗仅为 GPU 本身的能耗，未给出 PUE。',
    });
  }
  return remarks;
}

/** The amounts as one sentence, then what has to be known. */
export function savingsText(
  amounts: Pick<Savings, 'gpuHours' | 'money' | 'energy' | 'energyMoney' | 'payback'>,
  remarks: readonly BothLanguages[],
): BothLanguages {
  const { gpuHours, money, energy, energyMoney, payback } = amounts;
  const parts: BothLanguages[] = [];
  if (gpuHours) parts.push({ en: `${amountFigure(gpuHours)} GPU hours`, zh: `${amountFigure(gpuHours)} GPU 小时` });
  if (money) parts.push(bothOf(`${money.unit} ${amountFigure(money)}`));
  if (energy) parts.push(bothOf(`${amountFigure(energy)} kWh`));
  if (energyMoney) {
    const figure = `${energyMoney.unit} ${amountFigure(energyMoney)}`;
    parts.push({ en: `${figure} of electricity`, zh: `电费 ${figure}` });
  }
  if (parts.length === 0) {
    return { en: 'Nothing can be said without the fleet.', zh: '缺少集群信息，无法换算。' };
  }
  const paid = payback ? paybackText(payback) : null;
  const rest = [...(paid ? [paid] : []), ...remarks];
  return {
    en: [`Saved per month: ${parts.map(({ en }) => en).join(', ')}.`, ...rest.map(({ en }) => en)].join(' '),
    zh: [`每月节省：${parts.map(({ zh }) => zh).join('，')}。`, ...rest.map(({ zh }) => zh)].join(''),
  };
}

function paybackText({ cost, months, monthsLow, monthsHigh }: Payback): BothLanguages | null {
  if (cost === null) return null;
  if (months === null) return { en: 'It does not pay back.', zh: '投入无法收回。' };
  if (monthsLow === null) {
    return { en: `Paid back after ${roundedText(months)} months.`, zh: `约 ${roundedText(months)} 个月收回投入。` };
  }
  const [from, to] = [roundedText(monthsLow), monthsHigh === null ? null : roundedText(monthsHigh)];
  return {
    en: `Paid back after ${roundedText(months)} months [${from}, ${to ?? 'never'}].`,
    zh: `约 ${roundedText(months)} 个月收回投入 [${from}, ${to ?? '无法收回'}]。`,
  };
}

function bothOf(text: string): BothLanguages {
  return { en: text, zh: text };
}
