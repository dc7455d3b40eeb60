import type { BothLanguages } from '../locale.js';
import type { Missing, PlannableItem, Scored } from './plan.js';
import type { PlanBasis } from './plan-gain.js';
import type { TimePart } from './time-breakdown.js';
import { outcomeWords } from './words.js';

/** Why an item stands where it stands: gain, ceiling, effort, applicability, and what puts it further down. */
export function explanationOf(
  item: PlannableItem,
  scored: Scored,
  hasBreakdown: boolean,
  missing: readonly Missing[],
): readonly BothLanguages[] {
  return [
    gainText(scored),
    ...(scored.isCapped ? [cappedText] : []),
    ...(hasBreakdown ? [ceilingText(scored)] : []),
    effortText(scored),
    appliesText(item),
    ...(scored.isDeadEnd ? [deadEndText(scored)] : []),
    ...(scored.isBelowThreshold ? [thresholdText(item, scored)] : []),
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

/** A fraction as a percentage of three digits, with its sign: +12 %, in Chinese +12%. */
export function signedPercent(fraction: number): BothLanguages {
  const { en, zh } = percent(Math.abs(fraction));
  const sign = en.startsWith('0 ') ? '' : fraction < 0 ? '−' : '+';
  return { en: sign + en, zh: sign + zh };
}

function percent(fraction: number): BothLanguages {
  const value = Number((fraction * 100).toPrecision(3));
  return { en: `${value} %`, zh: `${value}%` };
}

/** The number is `MOST_COUNTED_ELSEWHERE` of the rule. */
const cappedText: BothLanguages = {
  en: 'It is not a measurement of a trial: it counts as +100 % at most',
  zh: '并非试验实测：至多按 +100% 计入',
};

const partWords: Readonly<Record<TimePart, BothLanguages>> = {
  compute: { en: 'Computation', zh: '计算' },
  communication: { en: 'Communication', zh: '通信' },
  input: { en: 'Input', zh: '输入' },
  host: { en: 'The host', zh: '主机' },
};

function gainText(scored: Scored): BothLanguages {
  const { basis, gain, metric, count } = scored.expected;
  const said = signedPercent(gain);
  const of = { en: metric === null ? '' : ` of ${metric}`, zh: metric === null ? '' : `（${metric}）` };
  if (basis === 'TRIALS') return trialsText(scored, said, of);
  if (basis === 'REFERENCE_NOTES') {
    return count === 1
      ? { en: `A reference note measured a gain${of.en} of ${said.en}, under its conditions`, zh: `一条参考笔记在其条件下测得收益${of.zh}为 ${said.zh}` }
      : { en: `${count} reference notes measured it: the median gain${of.en} is ${said.en}, under their conditions`, zh: `${count} 条参考笔记在各自条件下测得收益${of.zh}，中位数为 ${said.zh}` };
  } // prettier-ignore
  if (basis === 'NONE') {
    const smallest = percent(gain);
    return {
      en: `Nobody has measured it: it counts as the smallest effect that matters, ${smallest.en}${of.en}`,
      zh: `尚无人测量：按有意义的最小收益${of.zh}计入，即 ${smallest.zh}`,
    };
  }
  const from = statedBy[basis];
  return {
    en: `${from.en} a gain${of.en} of ${said.en}, under its conditions`,
    zh: `${from.zh}收益${of.zh}为 ${said.zh}，以其条件为前提`,
  };
}

const statedBy: Readonly<Record<Exclude<PlanBasis, 'TRIALS' | 'REFERENCE_NOTES' | 'NONE'>, BothLanguages>> = {
  OWN_MEASUREMENT: { en: 'A measurement of the authors showed', zh: '作者实测' },
  PUBLIC_BENCHMARK: { en: 'A public benchmark showed', zh: '公开基准测试显示' },
  VENDOR_DOC: { en: 'The vendor states', zh: '厂商文档称' },
  EXPERT_OPINION: { en: 'The authors expect, without a measurement,', zh: '作者未经测量，预计' },
};

function trialsText({ evidence }: Scored, said: BothLanguages, of: BothLanguages): BothLanguages {
  const { trialCount, helped, neutral, hurt, inconclusive, isSameHardware } = evidence;
  const times = trialCount === 1 ? { en: 'One trial', zh: '1 次试验' } : { en: `${trialCount} trials`, zh: `${trialCount} 次试验` }; // prettier-ignore
  const where = isSameHardware ? { en: ' on this hardware', zh: '相同硬件上 ' } : { en: '', zh: '' };
  const verb = trialCount === 1 ? { en: 'gained', zh: '收益' } : { en: 'gained in the median', zh: '收益中位数' };
  const counts = {
    en: [`${helped} helped`, `${neutral} made no difference`, `${hurt} hurt`, ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : [])].join(', '),
    zh: [`有效 ${helped}`, `无差别 ${neutral}`, `变差 ${hurt}`, ...(inconclusive > 0 ? [`无定论 ${inconclusive}`] : [])].join('、'),
  }; // prettier-ignore
  return {
    en: `${times.en}${where.en} ${verb.en} ${said.en}${of.en}: ${counts.en}`,
    zh: `${where.zh}${times.zh}，${verb.zh}${of.zh}为 ${said.zh}：${counts.zh}`,
  };
}

function ceilingText({ part, share, ceiling }: Scored): BothLanguages {
  if (part === null) {
    return { en: 'It is not about one part of the time: no ceiling', zh: '它不针对某一部分时间：没有上限' };
  }
  const word = partWords[part];
  if (share === null) {
    return { en: `${word.en} has no known share of the time: no ceiling`, zh: `${word.zh}占时间的比例未知：没有上限` };
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

function effortText({ effort, effortFactor }: Scored): BothLanguages {
  if (effort === null) {
    return {
      en: `Nobody says the effort: it counts as M and divides by ${effortFactor}`,
      zh: `未说明工作量：按 M 计，除以 ${effortFactor}`,
    };
  }
  return { en: `Effort ${effort} divides by ${effortFactor}`, zh: `工作量 ${effort}，除以 ${effortFactor}` };
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

function thresholdText({ metric }: PlannableItem, { ceiling, threshold }: Scored): BothLanguages {
  const [most, smallest] = [signedPercent(ceiling ?? 0), percent(threshold)];
  const of = { en: metric === null ? '' : ` for ${metric}`, zh: metric === null ? '' : `（${metric}）` };
  return {
    en: `At most ${most.en} is less than the ${smallest.en} that matter${of.en}: it comes after the others`,
    zh: `收益至多 ${most.zh}，低于有意义的最小收益${of.zh}，即 ${smallest.zh}：排在其他条目之后`,
  };
}

function missingText({ item, isPlanned }: Missing): BothLanguages {
  if (isPlanned) {
    return {
      en: `It needs “${item.title.en}” first, and comes after it`,
      zh: `须先具备“${item.title.zh}”，因此排在其后`,
    };
  }
  const state = outcomeWords[item.outcome];
  return {
    en: `It needs “${item.title.en}”, which is not in place (${state.en})`,
    zh: `须先具备“${item.title.zh}”，而该条目尚未具备（${state.zh}）`,
  };
}
