import type { BothLanguages } from '../locale.js';
import type { Waterfall, WaterfallStep } from '../report/waterfall.js';
import type { Fleet } from './fleet.js';
import { nothingOf, savingsOf, type MeasuredGain, type Savings } from './savings.js';
import { convertible } from './work-metrics.js';

/** What one applied item saves of the hours that the steps before it left. */
export interface SavingStep {
  readonly itemKey: string;
  readonly trialId: string;
  /** Of all hours, as if nothing else had been applied. */
  readonly alone: Savings;
  /** Of the hours that the steps before left: over all steps these add up to the saving together. */
  readonly added: Savings;
}

/** What the applied items of an audit save, on one metric. Savings on several metrics are of the same hours. */
export interface AuditSavings {
  readonly metric: string;
  readonly dimensions: Waterfall['dimensions'];
  readonly steps: readonly SavingStep[];
  /** By the steps multiplied. */
  readonly together: Savings;
  /** By the end-to-end check; null without one. */
  readonly endToEnd: Savings | null;
  /** Whether the check disagrees with the steps: then it counts, not they. */
  readonly disagrees: boolean;
  readonly remarks: readonly BothLanguages[];
}

const noSteps = {
  en: 'No applied item has a gain that could be counted on',
  zh: '没有可计入收益的已应用条目',
};

/** Gains multiply, so each step saves of what the ones before it left; adding up savings alone would count hours twice. */
export function auditSavings(waterfall: Waterfall, scope: 'CATALOG' | 'PROJECT', fleet: Fleet, key: string): AuditSavings {
  const { metric, dimensions, steps, endToEnd, disagrees } = waterfall;
  const { reason } = convertible(key, scope);
  const savings = (gain: MeasuredGain, share = 1) => (reason === null ? savingsOf(gain, fleet, share) : nothingOf(reason));
  let left = 1;
  const shown = steps.map((step): SavingStep => {
    const gain = gainOf(step);
    const added = savings(gain, left);
    left /= 1 + (step.gain ?? 0);
    return { itemKey: step.itemKey, trialId: step.trialId, alone: savings(gain), added };
  });
  const { gain, gainLow, gainHigh } = waterfall;
  const product = { gain, gainLow, gainHigh, verdict: null, evidence: null, isConfounded: steps.some((step) => step.isConfounded) };
  return {
    metric,
    dimensions,
    steps: shown,
    together: gain === null ? nothingOf(reason ?? noSteps) : savings(product),
    endToEnd: endToEnd === null ? null : savings({ ...endToEnd, isConfounded: false }),
    disagrees,
    remarks: disagrees && reason === null ? [disagreement] : [],
  };
} // prettier-ignore

const disagreement = {
  en: 'The steps multiplied disagree with the end-to-end check: take the saving of the check.',
  zh: '各步连乘与端到端结果不一致：请以端到端结果的节省量为准。',
};

function gainOf({ gain, gainLow, gainHigh, verdict, evidence, isConfounded }: WaterfallStep): MeasuredGain {
  return { gain, gainLow, gainHigh, verdict, evidence, isConfounded };
}
