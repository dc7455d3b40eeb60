import type { BothLanguages } from '../locale.js';
import type { PartName } from '../content/item-body.js';
import type { Applies } from '../applicability/evaluate.js';
import type { Outcome, ReasonCode, Work } from './transitions.js';

// What people read instead of the values of enums, in history and reports.

export const workWords: Readonly<Record<Work, BothLanguages>> = {
  TODO: { en: 'to do', zh: '待办' },
  IN_PROGRESS: { en: 'in progress', zh: '进行中' },
  IN_REVIEW: { en: 'in review', zh: '评审中' },
  DONE: { en: 'done', zh: '已完成' },
};

export const outcomeWords: Readonly<Record<Outcome, BothLanguages>> = {
  NOT_ASSESSED: { en: 'not assessed', zh: '未评估' },
  ALREADY_IN_PLACE: { en: 'already in place', zh: '已具备' },
  APPLIED: { en: 'applied', zh: '已应用' },
  REJECTED: { en: 'rejected', zh: '已否决' },
  DEFERRED: { en: 'deferred', zh: '已推迟' },
  NOT_APPLICABLE: { en: 'not applicable', zh: '不适用' },
};

export const reasonCodeWords: Readonly<Record<ReasonCode, BothLanguages>> = {
  OUT_OF_SCOPE: { en: 'out of scope', zh: '不在范围内' },
  CONSTRAINT: { en: 'constraint', zh: '受外部限制' },
  TRIED_WITHOUT_GAIN: { en: 'tried without gain', zh: '试过，没有收益' },
  TOO_RISKY: { en: 'too risky', zh: '风险过大' },
  TOO_COSTLY: { en: 'too costly', zh: '成本过高' },
  LATER: { en: 'later', zh: '以后再议' },
  OTHER: { en: 'other', zh: '其他' },
};

export const appliesWords: Readonly<Record<Applies, BothLanguages>> = {
  YES: { en: 'applies', zh: '适用' },
  NO: { en: 'does not apply', zh: '不适用' },
  UNKNOWN: { en: 'unknown', zh: '未知' },
};

export const priorityWords: Readonly<Record<'LOW' | 'NORMAL' | 'HIGH', BothLanguages>> = {
  LOW: { en: 'low', zh: '低' },
  NORMAL: { en: 'normal', zh: '普通' },
  HIGH: { en: 'high', zh: '高' },
};

export const recheckWords: Readonly<Record<'CHECK_CHANGED' | 'ENVIRONMENT_CHANGED' | 'EXPIRED', BothLanguages>> = {
  CHECK_CHANGED: { en: 'check changed', zh: '检查方法已变' },
  ENVIRONMENT_CHANGED: { en: 'environment changed', zh: '环境已变' },
  EXPIRED: { en: 'date reached', zh: '已到期' },
};

export const auditStatusWords: Readonly<Record<'OPEN' | 'CLOSED', BothLanguages>> = {
  OPEN: { en: 'open', zh: '进行中' },
  CLOSED: { en: 'closed', zh: '已关闭' },
};

/** The parts of the text of an item of one audit alone. */
export const partWords = {
  why: { en: 'Why', zh: '为什么' },
  check: { en: 'How to check', zh: '如何检查' },
  apply: { en: 'How to apply', zh: '如何实施' },
  measure: { en: 'How to measure', zh: '如何测量' },
  avoid: { en: 'When not to', zh: '何时不宜' },
  rollback: { en: 'How to roll back', zh: '如何回退' },
} as const satisfies Record<PartName, BothLanguages>;

const yes: BothLanguages = { en: 'yes', zh: '是' };
const no: BothLanguages = { en: 'no', zh: '否' };

export const truthWords = (value: boolean): BothLanguages => (value ? yes : no);
