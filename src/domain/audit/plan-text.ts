import type { BothLanguages } from '../locale.js';
import { OPERATION_SHARE, type PlannableItem, type Scored } from './plan.js';
import { gainTexts, percent, signedPercent } from './plan-gain-text.js';
import type { Missing } from './plan-order.js';
import type { TimePart } from './time-breakdown.js';
import { outcomeWords } from './words.js';

/** What an explanation says beside the item and its score. */
export interface PlaceInPlan {
  readonly hasBreakdown: boolean;
  /** The item that needs this one, where it was raised. */
  readonly raisedFor: PlannableItem | null;
  readonly missing: readonly Missing[];
}

/** Why an item stands where it stands: gain, ceiling, applicability, the whole product, and what moves it up or down. */
export function explanationOf(
  item: PlannableItem,
  scored: Scored,
  { hasBreakdown, raisedFor, missing }: PlaceInPlan,
): readonly BothLanguages[] {
  return [
    ...gainTexts(scored),
    ...(hasBreakdown ? [ceilingText(scored)] : []),
    appliesText(item),
    productText(item, scored, hasBreakdown ? shareTerm(scored) : null),
    ...(scored.isDeadEnd ? [deadEndText(scored)] : []),
    ...(scored.isBelowThreshold ? [thresholdText(item, scored)] : []),
    ...(scored.saved < 0 && !scored.isDeadEnd && !scored.isBelowThreshold && raisedFor === null ? [lossText] : []),
    ...(scored.isInPlace ? [inPlaceText(item)] : []),
    ...(raisedFor === null ? [] : [raisedText(raisedFor)]),
    ...missing.map(missingText),
  ];
}

/** Said once for a plan without a time breakdown. */
export const noBreakdown: BothLanguages = {
  en: 'There is no time breakdown: no gain has a ceiling, and every part of the time counts alike. setTimeBreakdown and importTimeBreakdown make one',
  zh: '没有时间分解：收益没有上限，各部分时间同等计入。可用 setTimeBreakdown 或 importTimeBreakdown 给出',
};

/** Said once for a plan whose time breakdown is of the device alone. */
export const ofDeviceTime: BothLanguages = {
  en: 'The time breakdown is of device time, not of the step: time in which the device waits is not in it, and ceilings may be too high',
  zh: '时间分解针对设备时间而非整步：不含设备等待的时间，因此上限可能偏高',
};

const partWords: Readonly<Record<TimePart, BothLanguages>> = {
  compute: { en: 'Computation', zh: '计算' },
  communication: { en: 'Communication', zh: '通信' },
  input: { en: 'Input', zh: '输入' },
  host: { en: 'The host', zh: '主机' },
};

function ceilingText({ part, share, countedShare, ceiling }: Scored): BothLanguages {
  if (part === null) {
    return {
      en: 'It is not about one part of the time: half of the time counts, and there is no ceiling',
      zh: '它不针对某一部分时间：按一半时间计入，没有上限',
    };
  }
  const word = partWords[part];
  if (share === null && ceiling !== null) {
    const [left, most] = [percent(countedShare), signedPercent(ceiling)];
    return {
      en: `${word.en} has no known share of the time; the others leave ${left.en}: at most ${most.en} can be gained`,
      zh: `${word.zh}占时间的比例未知，其他部分之外还剩 ${left.zh}：收益至多 ${most.zh}`,
    };
  }
  if (share === null) {
    return {
      en: `${word.en} has no known share of the time: all of the time counts, and there is no ceiling`,
      zh: `${word.zh}占时间的比例未知：按全部时间计入，没有上限`,
    };
  }
  if (ceiling === null) {
    return { en: `${word.en} takes all of the time: no ceiling`, zh: `${word.zh}占全部时间：没有上限` };
  }
  const [taken, most] = [percent(share), signedPercent(ceiling)];
  return {
    en: `${word.en} takes ${taken.en} of the time: at most ${most.en} can be gained`,
    zh: `${word.zh}占时间的 ${taken.zh}：收益至多 ${most.zh}`,
  };
}

function shareTerm({ part, share, countedShare }: Scored): BothLanguages {
  const said = factor(countedShare);
  if (part === null) return { en: `${said} (no one part of the time)`, zh: `${said}（不针对某一部分时间）` };
  if (share === null) return { en: `${said} (share unknown)`, zh: `${said}（占比未知）` };
  return { en: `${said} of the time`, zh: `时间占比 ${said}` };
}

/** The whole product, such as “Weight 0.62 × 0.40 of the time × 0.13 saved ÷ 2 (effort M) = score 0.016”. */
function productText({ applies }: PlannableItem, scored: Scored, share: BothLanguages | null): BothLanguages {
  const { expected, saved, effort, effortFactor, score } = scored;
  const time = factor(saved);
  const terms: readonly BothLanguages[] = [
    { en: `Weight ${factor(expected.weight)}`, zh: `权重 ${factor(expected.weight)}` },
    ...(share === null ? [] : [share]),
    ...(expected.isOfWholeJob ? [] : [{ en: `${OPERATION_SHARE} (measured on one operation)`, zh: `${OPERATION_SHARE}（仅在单个操作上测得）` }]),
    saved < 0 ? { en: `${time} (takes longer)`, zh: `${time}（耗时增加）` } : { en: `${time} saved`, zh: `节省 ${time}` },
    ...(applies === 'UNKNOWN' ? [{ en: '0.5 (may not apply)', zh: '0.5（是否适用未知）' }] : []),
  ]; // prettier-ignore
  const divisor =
    effort === null
      ? { en: `${effortFactor} (no effort given: as M)`, zh: `${effortFactor}（未说明工作量，按 M 计）` }
      : { en: `${effortFactor} (effort ${effort})`, zh: `${effortFactor}（工作量 ${effort}）` };
  const joined = (language: 'en' | 'zh') => terms.map((term) => term[language]).join(' × ');
  return {
    en: `${joined('en')} ÷ ${divisor.en} = score ${factor(score)}`,
    // A full-width bracket brings its own space
    zh: `${joined('zh')} ÷ ${divisor.zh} = 得分 ${factor(score)}`.replaceAll('） ', '）'),
  };
}

/** Two digits that count, from a hundred on whole numbers: 0.40, −0.25, 0.0016. */
function factor(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  return (value < 0 ? '−' : '') + (size >= 99.5 ? String(Math.round(size)) : size.toPrecision(2));
}

function appliesText({ applies, appliesReasons: [reason] }: PlannableItem): BothLanguages {
  if (applies === 'YES') return { en: 'It applies here', zh: '在此适用' };
  const because = reason === undefined ? { en: '', zh: '' } : { en: ` (${reason.en})`, zh: `（${reason.zh}）` };
  return {
    en: `Whether it applies is unknown${because.en}: half of it counts`,
    zh: `是否适用未知${because.zh}：只计一半`,
  };
}

function deadEndText({ evidence: { trialCount, helped } }: Scored): BothLanguages {
  if (helped === 0) {
    return {
      en: `Tried ${trialCount} times, never helped: it comes last`,
      zh: `试过 ${trialCount} 次，从未有效：排在最后`,
    };
  }
  return {
    en: `Tried ${trialCount} times, helped ${helped === 1 ? 'once' : `${helped} times`}, without a gain in the median: it comes last`,
    zh: `试过 ${trialCount} 次，有效 ${helped} 次，收益中位数不为正：排在最后`,
  };
}

const lossText: BothLanguages = {
  en: 'It is expected to cost time: it comes after the others',
  zh: '预计反而增加耗时：排在其他条目之后',
};

function inPlaceText({ hasRecheck }: PlannableItem): BothLanguages {
  return hasRecheck
    ? { en: 'It is in place, and only to be looked at again: it comes after what promises a gain', zh: '已经落实，只需复查：排在有望带来收益的条目之后' }
    : { en: 'It is in place: it comes after what promises a gain', zh: '已经落实：排在有望带来收益的条目之后' };
} // prettier-ignore

function thresholdText({ metric }: PlannableItem, { ceiling, threshold }: Scored): BothLanguages {
  const [most, smallest] = [signedPercent(ceiling ?? 0), percent(threshold)];
  const of = { en: metric === null ? '' : ` for ${metric}`, zh: metric === null ? '' : `（${metric}）` };
  return {
    en: `At most ${most.en} is less than the ${smallest.en} that matter${of.en}: it comes after the others`,
    zh: `收益至多 ${most.zh}，低于有意义的最小收益${of.zh}，即 ${smallest.zh}：排在其他条目之后`,
  };
}

function raisedText({ title }: PlannableItem): BothLanguages {
  return {
    en: `It was moved up to right before “${title.en}”, which needs it`,
    zh: `“${title.zh}”须先具备本条目，因此提前到它之前`,
  };
}

function missingText({ item: { title, outcome }, place }: Missing): BothLanguages {
  if (place === 'BEFORE') {
    return {
      en: `It needs “${title.en}” first, which comes before it`,
      zh: `须先具备“${title.zh}”，后者排在本条目之前`,
    };
  }
  if (place === 'AFTER') {
    return {
      en: `It needs “${title.en}”, which is not in place and comes further down`,
      zh: `须先具备“${title.zh}”，而该条目尚未具备，且排在更后面`,
    };
  }
  const state = outcomeWords[outcome];
  return {
    en: `It needs “${title.en}”, which is not in place (${state.en})`,
    zh: `须先具备“${title.zh}”，而该条目尚未具备（${state.zh}）`,
  };
}
