import type { Proof } from '../audit/proof.js';
import type { BothLanguages } from '../locale.js';
import type { Method } from '../measurement/methods.js';
import type { MetricRole } from '../measurement/metric.js';
import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';
import { ownValue } from '../own-value.js';

// What people read in reports instead of the values of enums that measurements have; those of audits stand in audit/words.

export const verdictWords: Readonly<Record<Verdict, BothLanguages>> = {
  IMPROVED: { en: 'improved', zh: '改善' },
  REGRESSED: { en: 'regressed', zh: '退化' },
  NO_MEANINGFUL_CHANGE: { en: 'no meaningful change', zh: '无实质变化' },
  INCONCLUSIVE: { en: 'inconclusive', zh: '尚无定论' },
  NOT_COMPARABLE: { en: 'not comparable', zh: '不可比' },
  BLOCKED_BY_GUARDRAIL: { en: 'improved, but a guardrail failed', zh: '有改善，但护栏指标未通过' },
};

/** How much a verdict may claim: all of it, that it is likely, or that there are signs of it. */
export type Claim = 'FULL' | 'LIKELY' | 'SIGNS';

/** What the evidence of a comparison lets its verdict claim; a summary of fewer than four values is at most a sign. */
export function claimOf(comparison: {
  readonly evidence: EvidenceLevel;
  readonly nBefore: number;
  readonly nAfter: number;
}): Claim {
  const { evidence, nBefore, nAfter } = comparison;
  if (evidence === 'INDICATIVE') return 'LIKELY';
  if (evidence === 'SINGLE_RUN' || evidence === 'NONE') return 'SIGNS';
  return evidence === 'SUMMARY' && Math.min(nBefore, nAfter) < 4 ? 'SIGNS' : 'FULL';
}

const weakClaims: Readonly<Partial<Record<Verdict, Record<'LIKELY' | 'SIGNS', BothLanguages>>>> = {
  IMPROVED: {
    LIKELY: { en: 'likely improved', zh: '很可能改善' },
    SIGNS: { en: 'signs of improvement', zh: '有改善迹象' },
  },
  REGRESSED: {
    LIKELY: { en: 'likely regressed', zh: '很可能退化' },
    SIGNS: { en: 'signs of a regression', zh: '有退化迹象' },
  },
  NO_MEANINGFUL_CHANGE: {
    LIKELY: { en: 'likely no meaningful change', zh: '很可能无实质变化' },
    SIGNS: { en: 'signs that nothing meaningful changed', zh: '有迹象表明无实质变化' },
  },
};

/** A verdict in words that say no more than its evidence carries. */
export function verdictText(verdict: Verdict, claim: Claim): BothLanguages {
  return (claim === 'FULL' ? undefined : weakClaims[verdict]?.[claim]) ?? verdictWords[verdict];
}

export const proofWords: Readonly<Record<Proof, BothLanguages>> = {
  VERIFIED: { en: 'verified', zh: '已验证' },
  INDICATED: { en: 'indicated', zh: '有迹象' },
  UNVERIFIED: { en: 'unverified', zh: '未验证' },
  REGRESSED: { en: 'regressed', zh: '已退化' },
};

export const evidenceWords: Readonly<Record<EvidenceLevel, BothLanguages>> = {
  EXACT: { en: 'exact', zh: '精确' },
  PAIRED: { en: 'paired', zh: '配对' },
  STATISTICAL: { en: 'statistical', zh: '统计' },
  SUMMARY: { en: 'summary only', zh: '汇总' },
  INDICATIVE: { en: 'indicative', zh: '初步' },
  SINGLE_RUN: { en: 'single run', zh: '单次' },
  NONE: { en: 'none', zh: '无' },
};

const methodWords: Readonly<Record<Method, BothLanguages>> = {
  EXACT_COMPARISON: { en: 'exact comparison', zh: '精确比较' },
  NOISE_FLOOR: { en: 'noise floor', zh: '噪声水平' },
  RANGE_GAP: { en: 'gap between ranges', zh: '极差间隔' },
  MANN_WHITNEY: { en: 'Mann–Whitney', zh: 'Mann–Whitney 检验' },
  SIGNED_RANK: { en: 'Wilcoxon signed-rank', zh: 'Wilcoxon 符号秩检验' },
  WELCH_LOG: { en: 'Welch on logarithms', zh: '对数 Welch 检验' },
  NONE: { en: 'none', zh: '无' },
};

/** The method of a comparison in words; one of another version of the product is shown as it is. */
export function methodText(method: string): BothLanguages {
  const words: Readonly<Record<string, BothLanguages>> = methodWords;
  return ownValue(words, method) ?? { en: method, zh: method };
}

export const roleWords: Readonly<Record<MetricRole, BothLanguages>> = {
  PRIMARY: { en: 'primary', zh: '主要' },
  SECONDARY: { en: 'secondary', zh: '次要' },
  GUARDRAIL: { en: 'guardrail', zh: '护栏' },
  DIAGNOSTIC: { en: 'diagnostic', zh: '诊断' },
};

export const directionWords: Readonly<Record<'HIGHER_IS_BETTER' | 'LOWER_IS_BETTER' | 'TARGET', BothLanguages>> = {
  HIGHER_IS_BETTER: { en: 'higher is better', zh: '越高越好' },
  LOWER_IS_BETTER: { en: 'lower is better', zh: '越低越好' },
  TARGET: { en: 'nearer to the target is better', zh: '越接近目标值越好' },
};

export const samplingWords: Readonly<Record<'SEPARATE_SESSIONS' | 'ONE_SESSION' | 'UNKNOWN', BothLanguages>> = {
  SEPARATE_SESSIONS: { en: 'each value of a session of its own', zh: '每个数值来自独立会话' },
  ONE_SESSION: { en: 'all values of one session', zh: '所有数值来自同一次会话' },
  UNKNOWN: { en: 'sessions by the runs', zh: '会话以运行记录为准' },
};

export const tierWords: Readonly<Record<'BLOCK' | 'WARN' | 'INFO', BothLanguages>> = {
  BLOCK: { en: 'blocking', zh: '阻断' },
  WARN: { en: 'warning', zh: '警告' },
  INFO: { en: 'for information', zh: '仅供参考' },
};

export const decisionWords: Readonly<Record<'ACCEPTED' | 'REJECTED', BothLanguages>> = {
  ACCEPTED: { en: 'accepted', zh: '评审通过' },
  REJECTED: { en: 'sent back', zh: '评审退回' },
};

export const timePartWords: Readonly<Record<'compute' | 'communication' | 'input' | 'host' | 'other', BothLanguages>> =
  {
    compute: { en: 'compute', zh: '计算' },
    communication: { en: 'communication', zh: '通信' },
    input: { en: 'input', zh: '输入' },
    host: { en: 'host', zh: '主机' },
    other: { en: 'other or unknown', zh: '其他或未知' },
  };
