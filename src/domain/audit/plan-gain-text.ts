import type { BothLanguages } from '../locale.js';
import type { ExpectedGain, KnownGain, StatedGain, TrialSummary } from './plan-gain.js';
import type { Scored } from './plan.js';

// What the plan says of the gain that it expects, and of what that rests on.

/** A fraction as a percentage of three digits, with its sign: +12 %, in Chinese +12%. */
export function signedPercent(fraction: number): BothLanguages {
  const { en, zh } = percent(Math.abs(fraction));
  const sign = en.startsWith('0 ') ? '' : fraction < 0 ? '−' : '+';
  return { en: sign + en, zh: sign + zh };
}

/** A fraction as a percentage of three digits. */
export function percent(fraction: number): BothLanguages {
  const value = Number((fraction * 100).toPrecision(3));
  return { en: `${value} %`, zh: `${value}%` };
}

/** A gain in words: “a loss of 20 %” where it is below 0, “7.5 times the speed” from 3 times on. */
export function gainWords(
  { gain, metric }: Pick<KnownGain, 'gain' | 'metric'>,
  of: 'TIME' | 'OTHER' = 'TIME',
): BothLanguages {
  const on = { en: metric === null ? '' : ` on ${metric}`, zh: metric === null ? '' : `${metric} ` };
  if (gain === 0) return { en: `no gain${on.en}`, zh: `${on.zh}无收益` };
  if (gain >= 2) {
    const times = Number((1 + gain).toPrecision(3));
    return of === 'TIME'
      ? { en: `${times} times the speed${on.en}`, zh: `${on.zh}提速至 ${times} 倍` }
      : { en: `a factor of ${times}${on.en}`, zh: `${on.zh}改善至 ${times} 倍` };
  }
  const size = percent(Math.abs(gain));
  return gain < 0
    ? { en: `a loss of ${size.en}${on.en}`, zh: `${on.zh}退步 ${size.zh}` }
    : { en: `a gain of ${size.en}${on.en}`, zh: `${on.zh}收益 ${size.zh}` };
}

/** Han and what follows it, with a space before Latin letters. */
function spaced(han: string, text: string): string {
  return /^[a-z]/i.test(text) && !han.endsWith('，') ? `${han} ${text}` : han + text;
}

/** What is known that says nothing of time, the gain that counts, and what trials do to its weight. */
export function gainTexts({ expected, evidence }: Scored): readonly BothLanguages[] {
  const { aside } = expected;
  return [
    ...(aside === null ? [] : [asideText(aside)]),
    expected.basis === 'NONE' ? smallestText(expected, evidence) : basisText(expected),
    ...(expected.basis === 'TRIALS' ? [raisedWeightText(expected)] : []),
    ...(evidence.inconclusive > 0 ? [unsettledText(evidence)] : []),
  ];
}

function unsettledText({ inconclusive }: TrialSummary): BothLanguages {
  return inconclusive === 1
    ? { en: 'One trial settled nothing, so it does not count', zh: '有 1 次试验没有定论，不计入' }
    : { en: `${inconclusive} trials settled nothing, so they do not count`, zh: `有 ${inconclusive} 次试验没有定论，不计入` };
} // prettier-ignore

function asideText(aside: KnownGain): BothLanguages {
  const said = basisText(aside, 'OTHER');
  const metric = { en: aside.metric ?? 'that', zh: aside.metric === null ? '这' : `${aside.metric} ` };
  return {
    en: `${said.en}; ${metric.en} says nothing of time, so it does not count`,
    zh: `${said.zh}；${metric.zh}与时间无关，不计入`,
  };
}

function smallestText({ gain, metric, aside }: ExpectedGain, evidence: TrialSummary): BothLanguages {
  const smallest = percent(gain);
  if (aside !== null) {
    return {
      en: `No gain in time is known: it counts as the smallest effect that matters, ${smallest.en}`,
      zh: `时间上的收益未知：按有意义的最小收益计入，即 ${smallest.zh}`,
    };
  }
  const why =
    evidence.trialCount > evidence.inconclusive
      ? { en: 'No trial of it gave a figure', zh: '已有试验，但均未给出数值' }
      : evidence.trialCount > 0
        ? { en: 'No gain of it is known', zh: '收益未知' }
        : { en: 'Nobody has measured it', zh: '尚无人测量' };
  const of = metric === null ? { en: '', zh: '' } : { en: ` of ${metric}`, zh: `（${metric}）` };
  return {
    en: `${why.en}: it counts as the smallest effect that matters, ${smallest.en}${of.en}`,
    zh: `${why.zh}：按有意义的最小收益${of.zh}计入，即 ${smallest.zh}`,
  };
}

function basisText(known: KnownGain, of: 'TIME' | 'OTHER' = 'TIME'): BothLanguages {
  const said = gainWords(known, of);
  if (known.basis === 'TRIALS') return trialsText(known.trials, said);
  if (known.basis === 'REFERENCE_NOTES') {
    const { count } = known;
    return count === 1
      ? { en: `A reference note measured ${said.en}, under its conditions`, zh: spaced('一条参考笔记在其条件下测得', said.zh) }
      : { en: `${count} reference notes measured it: in the median ${said.en}, under their conditions`, zh: spaced(`${count} 条参考笔记在各自条件下测得，按中位数计`, said.zh) };
  } // prettier-ignore
  const from = statedBy[known.basis];
  return { en: `${from.en} ${said.en}, under its conditions`, zh: `${spaced(from.zh, said.zh)}，以其条件为前提` };
}

const statedBy: Readonly<Record<StatedGain['basis'], BothLanguages>> = {
  OWN_MEASUREMENT: { en: 'A measurement of the authors showed', zh: '作者实测' },
  PUBLIC_BENCHMARK: { en: 'A public benchmark showed', zh: '公开基准测试显示' },
  VENDOR_DOC: { en: 'The vendor states', zh: '厂商文档称' },
  EXPERT_OPINION: { en: 'The authors expect, without a measurement,', zh: '作者未经测量，预计' },
};

function trialsText(trials: TrialSummary, said: BothLanguages): BothLanguages {
  const { trialCount, helped, neutral, hurt, isSameHardware } = trials;
  const times = trialCount === 1 ? { en: 'One trial', zh: '1 次试验' } : { en: `${trialCount} trials`, zh: `${trialCount} 次试验` }; // prettier-ignore
  const where = isSameHardware ? { en: ' on this hardware', zh: '相同硬件上 ' } : { en: '', zh: '' };
  const verb = trialCount === 1 ? { en: 'showed', zh: '，' } : { en: 'showed in the median', zh: '，按中位数计' };
  const counts = {
    en: [`${helped} helped`, `${neutral} made no difference`, `${hurt} hurt`].join(', '),
    zh: [`有效 ${helped}`, `无差别 ${neutral}`, `变差 ${hurt}`].join('、'),
  }; // prettier-ignore
  return {
    en: `${times.en}${where.en} ${verb.en} ${said.en}: ${counts.en}`,
    zh: `${where.zh}${times.zh}${spaced(verb.zh, said.zh)}：${counts.zh}`,
  };
}

function raisedWeightText({ weightWithoutTrials, weight }: ExpectedGain): BothLanguages {
  const [from, to] = [weightWithoutTrials.toPrecision(2), weight.toPrecision(2)];
  return { en: `Trials raise its weight from ${from} to ${to}`, zh: `试验使其权重由 ${from} 升至 ${to}` };
}
