import type { BothLanguages } from '../locale.js';
import { same, seriesText } from '../report/figures.js';
import type { ArmsComparison, NothingInCommon, OneSidedSeries } from './compare-arms.js';
import type { Dimensions } from './points.js';

/** Metric and point as people read them: `fabric.busbw, size = 1024`. */
export function labelOf(metric: string, dimensions: Dimensions): string {
  const at = seriesText(dimensions);
  return at === '' ? metric : `${metric}, ${at}`;
}

type Named = Pick<ArmsComparison, 'primary' | 'primaryFrom' | 'guardrails' | 'oneSided'>;

/** Series that decide, were measured before, and are not there after: whoever lost them has not kept them. */
export function lostSeries({ primary, primaryFrom, guardrails, oneSided }: Named): readonly OneSidedSeries[] {
  const decides = ({ metric, role }: OneSidedSeries) =>
    primary.includes(metric) ||
    guardrails.includes(metric) ||
    (primaryFrom !== 'NAMED' && (role === 'PRIMARY' || role === 'GUARDRAIL'));
  return oneSided.filter((series) => series.arm === 'BEFORE' && decides(series));
}

/** What had to be there and is not, in words: series lost, and metrics that were named and have no row. */
export function missingTexts(named: Named, measured: ReadonlySet<string>): readonly BothLanguages[] {
  const lost = lostSeries(named).map(({ metric, dimensions }) => labelOf(metric, dimensions));
  const whole = named.primaryFrom === 'NAMED' ? [...named.primary, ...named.guardrails] : named.guardrails;
  const unmeasured = whole.filter((key) => !measured.has(key) && !lost.some((label) => label.startsWith(key)));
  return [
    ...lost.map((label) => ({
      en: `${label} was measured before, and is missing after.`,
      zh: `${label} 在改动前有测量，改动后缺失。`,
    })),
    ...unmeasured.map((key) => ({ en: `${key} is not in both arms.`, zh: `${key} 并非两组都有。` })),
  ];
}

/** Why there is nothing to compare. */
export function nothingText({ primary, before, after }: NothingInCommon): BothLanguages {
  const list = (keys: readonly string[]) => (keys.length > 20 ? [...keys.slice(0, 20), '…'] : keys);
  const [en, zh] = [', ', '、'].map((separator) => [before, after].map((keys) => list(keys).join(separator)));
  if (before.length === 0 || after.length === 0) {
    const arm = before.length === 0 ? { en: 'before', zh: '改动前' } : { en: 'after', zh: '改动后' };
    return { en: `There is no value ${arm.en} to compare.`, zh: `${arm.zh}没有可对比的数值。` };
  }
  const wanted = primary.length === 0 ? null : same(primary.join(', '));
  return {
    en: `${wanted ? `No value of ${wanted.en} is in both arms` : 'Both arms have no metric in common that tells better from worse; name one with --metric'}. Before: ${en?.[0] || 'none'}. After: ${en?.[1] || 'none'}.`,
    zh: `${wanted ? `两组没有共同的 ${wanted.zh} 数值` : '两组没有共同的、能分出优劣的指标，请用 --metric 指定'}。改动前：${zh?.[0] || '无'}；改动后：${zh?.[1] || '无'}。`,
  };
}
