import type { BothLanguages } from '../locale.js';
import { measuredText, plainPercent, signedPercent } from './figures.js';
import type { Waterfall, WaterfallStep } from './waterfall.js';

type Figures = Omit<Waterfall, 'remarks'>;

/** What a person must know to read a waterfall: how it was checked, where something is missing, and what to do. */
export function waterfallRemarks(
  waterfall: Figures,
  unit: string,
  endToEndTrial: 'NAMED' | 'UNNAMED',
): readonly BothLanguages[] {
  const remarks: BothLanguages[] = [];
  if (waterfall.steps.length > 1 && waterfall.gainLow !== null) remarks.push(independent);
  if (endToEndTrial === 'NAMED' && waterfall.endToEnd?.source !== 'TRIAL') remarks.push(notMeasured);
  if (waterfall.endToEnd?.source === 'FIRST_TO_LAST') remarks.push(byMedians);
  waterfall.steps.forEach((step, index) => {
    const before = waterfall.steps[index - 1];
    if (before && step.startsElsewhere) remarks.push(gapText(before, step, unit));
  });
  if (waterfall.disagrees) remarks.push(disagreement(waterfall));
  return remarks;
}

const independent: BothLanguages = {
  en: 'The interval of the product takes the steps for independent of each other.',
  zh: '连乘收益的区间以各步相互独立为前提。',
};

const notMeasured: BothLanguages = {
  en: 'The trial that was named for the end-to-end check gives no gain for this series.',
  zh: '指定的端到端试验没有给出此序列的收益。',
};

const byMedians: BothLanguages = {
  en: 'The check is the first median before against the last median after: no trial measured it end to end.',
  zh: '没有端到端试验，以第一步改动前的中位数与最后一步改动后的中位数作核对。',
};

function gapText(before: WaterfallStep, step: WaterfallStep, unit: string): BothLanguages {
  const [end, start] = [measuredText(before.medianAfter, unit), measuredText(step.medianBefore, unit)];
  return {
    en: `${step.itemKey} begins at ${start}, and the step before it (${before.itemKey}) ended at ${end}: something else changed between them.`,
    zh: `${step.itemKey} 从 ${start} 开始，而前一步（${before.itemKey}）止于 ${end}：其间另有变动。`,
  };
}

function disagreement({ gain, endToEnd, threshold }: Figures): BothLanguages {
  const [product, whole, limit] = [
    signedPercent(gain ?? 0),
    signedPercent(endToEnd?.gain ?? 0),
    plainPercent(threshold ?? 0),
  ];
  return {
    en: `The steps multiply to ${product.en}, end to end it is ${whole.en}: they are further apart than the threshold of ${limit.en}. Leave one item out and measure again.`,
    zh: `各步连乘为 ${product.zh}，端到端为 ${whole.zh}，二者之差超过阈值 ${limit.zh}。请去掉其中一个条目后重新测量。`,
  };
}
