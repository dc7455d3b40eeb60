import type { BothLanguages } from '../locale.js';
import { plainPercent } from '../report/figures.js';
import { MOST_RUNS_TOLD } from './power.js';
import type { KnownNoise, RunsNeeded } from './runs-needed.js';

/** The answer in words; `quantity` writes a change of the metric. */
export function runsNeededText(
  { answer, perArm, pairs, threshold }: RunsNeeded,
  noise: KnownNoise,
  effect: number,
  quantity: (change: number) => BothLanguages = plainPercent,
): BothLanguages {
  const [wanted, least] = [quantity(effect), quantity(threshold)];
  switch (answer) {
    case 'EXACT':
      return {
        en: 'The metric is counted exactly: one run in each arm is enough.',
        zh: '该指标为精确计数，每组一次运行即可。',
      };
    case 'NOISE_UNKNOWN':
      return {
        en: 'Nothing is known of the noise here. Measure the same setup at least 5 times, better 10, each time in a session of its own, and record that as a control (A/A) trial.',
        zh: '此处的噪声未知。请用同一配置至少测 5 次（最好 10 次），每次使用独立会话，并记为对照（A/A）试验。',
      };
    case 'BELOW_THRESHOLD':
      return {
        en: `A change of ${wanted.en} cannot be seen here, however many runs there are: a verdict needs at least ${least.en}${noise.kind === 'NOISE_FLOOR' ? ', by the smallest effect of the metric and the noise floor' : ''}.`,
        zh: `无论测多少次，此处都看不到 ${wanted.zh} 的变化：${noise.kind === 'NOISE_FLOOR' ? '按指标的最小变化和噪声下限，' : ''}作出判定至少需要 ${least.zh}。`,
      };
    case 'AT_THRESHOLD':
      return {
        en: `No number of runs shows a change of ${wanted.en} with 80 % power: it hardly passes ${least.en}, which an estimate has to reach for a verdict, and of a change of exactly that only half of the trials reach it, however many runs they have. Plan for a larger change.`,
        zh: `无论测多少次，都无法以 80% 的功效看出 ${wanted.zh} 的变化：作出判定要求估计值达到 ${least.zh}，而该变化几乎没有超过它；变化恰好等于该值时，只有一半的试验能达到。请按更大的变化来计划。`,
      };
    default: {
      const more = perArm === MOST_RUNS_TOLD ? { en: 'or more ', zh: '以上' } : { en: '', zh: '' };
      const basis = basisOf(noise);
      return {
        en: `About ${perArm} ${more.en}runs in each arm, or at most ${pairs} pairs, show a change of ${wanted.en} with 80 % power${basis.en}.`,
        zh: `每组约 ${perArm} 次${more.zh}运行，或至多 ${pairs} 对，可以 80% 的功效看出 ${wanted.zh} 的变化${basis.zh}。`,
      };
    }
  }
}

function basisOf(noise: KnownNoise): BothLanguages {
  if (noise.kind !== 'REPETITIONS') return { en: '', zh: '' };
  return {
    en: `, by the spread of ${noise.count} repetitions inside one session: what differs between sessions is not in it, so it can take more`,
    zh: `；依据为同一次会话内 ${noise.count} 次重复的离散度，不含会话之间的差异，实际可能需要更多`,
  };
}
