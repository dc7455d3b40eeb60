import type { BothLanguages } from '../locale.js';
import type { ComparisonWarning } from './compare.js';

type Details = ComparisonWarning['details'];

/** What a warning of a comparison says to a person, with its numbers and keys. A code from another version is shown as it is. */
export function warningText({ code, details }: ComparisonWarning): BothLanguages {
  const text = texts.get(code);
  return text
    ? text(details)
    : { en: `Warning ${code}: ${JSON.stringify(details)}`, zh: `警告 ${code}：${JSON.stringify(details)}` };
}

const texts: ReadonlyMap<string, (details: Details) => BothLanguages> = new Map([
  ['NO_DIRECTION', ({ metric }) => ({
    en: `The metric ${word(metric)} has no direction, so nobody can say which arm is better.`,
    zh: `指标 ${word(metric)} 没有方向，无法判断哪一组更好。`,
  })],
  ['NO_TARGET', ({ metric }) => ({
    en: `The metric ${word(metric)} is judged against a target, but names none.`,
    zh: `指标 ${word(metric)} 以目标值为准，但没有给出目标值。`,
  })],
  ['UNITS_INCOMPATIBLE', ({ before, after }) => ({
    en: `The units do not fit together: ${word(before)} before, ${word(after)} after.`,
    zh: `单位不相容：改动前为 ${word(before)}，改动后为 ${word(after)}。`,
  })],
  ['BLOCKING_DIFFERENCE', ({ differences }) => ({
    en: `Not declared as the variable, and different: ${differencesIn(differences, 'en')}.`,
    zh: `以下各项不同，且未声明为变量：${differencesIn(differences, 'zh')}。`,
  })],
  ['OVERRIDDEN', ({ keys, by, at, reason }) => ({
    en: `Compared although these differ: ${words(keys, ', ')}. By the word of ${word(by)} on ${day(at)}, reason: “${word(reason)}”.`,
    zh: `以下各项不同：${words(keys, '、')}。${word(by)} 于 ${day(at)} 判定仍可对比，理由：“${word(reason)}”。`,
  })],
  ['EXTENDED', ({ looks, level }) => ({
    en: `Runs were added after a first look: this is look ${number(looks)}. Looking again raises the risk of a false alarm, so the interval is one of ${percentOf(level)}.`,
    zh: `首次对比之后又增加了运行，这是第 ${number(looks)} 次查看。多次查看会提高误报风险，因此区间按 ${percentOf(level)} 计算。`,
  })],
  ['PLAN_NOT_REACHED', ({ before, after, planned }) => ({
    en: `Of ${number(planned)} planned runs per arm there are ${number(before)} before and ${number(after)} after. Nothing is claimed until the plan is reached.`,
    zh: `计划每组 ${number(planned)} 次运行，现有改动前 ${number(before)} 次、改动后 ${number(after)} 次。完成计划前不作结论。`,
  })],
  ['VALUES_AS_SUMMARY', ({ arm }) => ({
    en: `One arm is known by its summary alone, so the single values ${armNames([arm], 'en')} were taken as their mean and standard deviation.`,
    zh: `一组只有汇总，因此${armNames([arm], 'zh')}的逐次数值按其均值和标准差参与对比。`,
  })],
  ['CONFOUNDED', ({ keys }) => ({
    en: `Other things changed too, or may have: ${words(keys, ', ')}. The effect cannot be put down to the declared variable alone.`,
    zh: `另有变动或可能变动：${words(keys, '、')}。不能把效果只归因于所声明的变量。`,
  })],
  ['UNKNOWN_ON_ONE_SIDE', ({ keys }) => ({
    en: `Known in one arm only: ${words(keys, ', ')}. Unknown is not the same as equal.`,
    zh: `仅一组有记录：${words(keys, '、')}。未知不等于相同。`,
  })],
  ['SESSIONS_UNKNOWN', ({ arms }) => ({
    en: `The session of some values is not known (${armNames(arms, 'en')}). They count as one session.`,
    zh: `部分数值的会话未知（${armNames(arms, 'zh')}），按一次会话计。`,
  })],
  ['ONE_SESSION_ARM', ({ arms }) => ({
    en: `All values come from one session (${armNames(arms, 'en')}). What differs between sessions cannot be seen.`,
    zh: `所有数值来自同一次会话（${armNames(arms, 'zh')}），看不到会话之间的差异。`,
  })],
  ['NO_NOISE_FLOOR', ({ runsNeeded }) => ({
    en: `No noise floor is known here, so one value an arm cannot be judged. Measure the same setup at least ${number(runsNeeded)} times and record that as a control (A/A) trial.`,
    zh: `此环境没有噪声下限，每组只有一个值时无法判断。请用同一配置至少测 ${number(runsNeeded)} 次，并记为对照（A/A）试验。`,
  })],
  ['TOO_FEW_VALUES', ({ before, after, needed }) => ({
    en: `Too few values: ${number(before)} before, ${number(after)} after; at least ${number(needed)} in each arm are needed.`,
    zh: `数值太少：改动前 ${number(before)} 个，改动后 ${number(after)} 个；每组至少需要 ${number(needed)} 个。`,
  })],
  ['NOT_POSITIVE', ({ difference, unit }) => ({
    en: `Ratio and gain need values above zero. The raw difference, after minus before, is ${number(difference, unit)}.`,
    zh: `比值和收益要求数值大于零。原始差（后减前）为 ${number(difference, unit)}。`,
  })],
  ['EXACT_VARIES', ({ arms }) => ({
    en: `The metric is counted exactly, yet its values vary (${armNames(arms, 'en')}). Something else decides the count.`,
    zh: `该指标为精确计数，但数值有变化（${armNames(arms, 'zh')}），说明计数还受其他因素影响。`,
  })],
  ['OUTLIERS_KEPT', ({ before, after, pairs, unit }) => (Array.isArray(pairs) ? {
    en: `Pairs whose change is far from that of the others, and kept: ${pairsOf(pairs, unit, 'en')}.`,
    zh: `以下配对的变化明显偏离其他配对，但予以保留：${pairsOf(pairs, unit, 'zh')}。`,
  } : {
    en: `Far from the rest of their arm, and kept: ${valuesByArm(before, after, unit, 'en')}.`,
    zh: `明显偏离所在组，但予以保留：${valuesByArm(before, after, unit, 'zh')}。`,
  })],
  ['PAIRS_NOT_USED', ({ have, needed }) => ({
    en: `${have === 1 ? '1 block has' : `${whole(have)} blocks have`} a run of each arm; paired comparison needs ${whole(needed)}. The arms were compared as if nothing were shared.`,
    zh: `有 ${whole(have)} 个区组同时包含两组的运行，配对比较需要 ${whole(needed)} 个。本次按两组相互独立对比。`,
  })],
  ['UNPAIRED_VALUES', ({ before, after, unit }) => ({
    en: `Without a partner in the same block, and not compared: ${valuesByArm(before, after, unit, 'en')}.`,
    zh: `同一区组内没有配对值，未参与对比：${valuesByArm(before, after, unit, 'zh')}。`,
  })],
  ['VALUES_THINNED', ({ before, after, kept }) => ({
    en: `Very many values (${whole(before)} before, ${whole(after)} after): the arms were compared on at most ${whole(kept)} of each, evenly spaced by size.`,
    zh: `数值过多（改动前 ${whole(before)} 个，改动后 ${whole(after)} 个）：每组按大小等间隔抽取最多 ${whole(kept)} 个参与对比。`,
  })],
  ['SUMMARY_ARM', ({ arm, mean, sd, n, unit }) => ({
    en: `Only a summary is known ${armNames([arm], 'en')}: mean ${number(mean, unit)}, standard deviation ${number(sd, unit)}, ${number(n)} values.`,
    zh: `${armNames([arm], 'zh')}只有汇总：均值 ${number(mean, unit)}，标准差 ${number(sd, unit)}，共 ${number(n)} 个值。`,
  })],
  ['SUMMARY_COUNT_UNKNOWN', ({ arm, mean, sd, unit }) => ({
    en: `Only a summary is known ${armNames([arm], 'en')}: mean ${number(mean, unit)}, standard deviation ${number(sd, unit)}. The number of values is not known and taken as 2, the fewest possible.`,
    zh: `${armNames([arm], 'zh')}只有汇总：均值 ${number(mean, unit)}，标准差 ${number(sd, unit)}。值的个数未知，按最少的 2 个计。`,
  })],
  ['NO_SPREAD', () => ({
    en: 'Both arms report a standard deviation of zero, so there is no p value and the interval is a point. Check how the spread was rounded.',
    zh: '两组的标准差均为零，因此没有 p 值，区间只是一个点。请检查离散度是如何取整的。',
  })],
  ['TARGET_NEEDS_VALUES', () => ({
    en: 'The distance to a target needs single values; mean and standard deviation are not enough.',
    zh: '计算与目标值的距离需要逐次数值，仅有均值和标准差不够。',
  })],
  ['TARGET_DISTANCE', ({ before, after, difference, low, high, target, unit }) => ({
    en: `Distance to the target ${number(target, unit)}: ${number(before, unit)} before, ${number(after, unit)} after, change ${number(difference, unit)}${typeof low === 'number' ? ` (95% interval ${number(low)} to ${number(high, unit)})` : ''}.`,
    zh: `与目标值 ${number(target, unit)} 的距离：改动前 ${number(before, unit)}，改动后 ${number(after, unit)}，变化 ${number(difference, unit)}${typeof low === 'number' ? `（95% 区间 ${number(low)} 至 ${number(high, unit)}）` : ''}。`,
  })],
  ['PARTIAL_RUNS', ({ before, after }) => ({
    en: `Some runs failed in part: ${number(before)} before, ${number(after)} after. Their figures may not be those of the whole workload.`,
    zh: `部分运行未完全成功：改动前 ${number(before)} 次，改动后 ${number(after)} 次，其数值可能不代表完整负载。`,
  })],
  ['VARIABLE_UNCHANGED', ({ keys, isInNoRun, near }) => {
    const [en, zh] = isInNoRun === true ? ['in none of the runs', '没有任何运行含有'] : ['not seen to differ', '两组未见差异'];
    return {
      en: `Declared as the variable, and ${en}: ${words(keys, ', ')}${meant(near, ' (did you mean ', ', ', '?)')}. Check the name, or say what each arm had.`,
      zh: `声明为变量，但${zh}：${words(keys, '、')}${meant(near, '（是否指 ', '、', '？）')}。请核对名称，或填写两组各自的取值。`,
    };
  }],
  ['GUARDRAIL_FAILED', ({ key, gain }) => ({
    en: `The guardrail ${word(key)} got worse${typeof gain === 'number' ? ` by ${percent(-gain)}` : ''}.`,
    zh: `护栏指标 ${word(key)} 变差${typeof gain === 'number' ? ` ${percent(-gain)}` : ''}。`,
  })],
  ['GUARDRAIL_NOT_SHOWN', ({ key, verdict }) => ({
    en: `The guardrail ${word(key)} is not shown to hold: ${notShown(verdict).en}.`,
    zh: `护栏指标 ${word(key)} 未能证明得到保持：${notShown(verdict).zh}。`,
  })],
] satisfies [string, (details: Details) => BothLanguages][]); // prettier-ignore

/** The codes that `compare` and `withGuardrails` can give. */
export const warningCodes: readonly string[] = [...texts.keys()];

const arms = { BEFORE: { en: 'before', zh: '改动前' }, AFTER: { en: 'after', zh: '改动后' } };

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function words(value: unknown, separator: string): string {
  return listOf(value).map(word).join(separator);
}

function meant(near: unknown, before: string, separator: string, after: string): string {
  return listOf(near).length === 0 ? '' : `${before}${words(near, separator)}${after}`;
}

function armNames(value: unknown, language: 'en' | 'zh'): string {
  const names = listOf(value).map((arm) => (arm === 'BEFORE' ? arms.BEFORE[language] : arms.AFTER[language]));
  return names.join(language === 'en' ? ' and ' : '和');
}

/** Four significant digits, as in the tables of the console. */
function number(value: unknown, unit?: unknown): string {
  const text = typeof value === 'number' ? String(Number(value.toPrecision(4))).replace('-', '−') : '?';
  return typeof unit === 'string' && unit !== '' ? `${text} ${unit}` : text;
}

/** A level of confidence: 99.75%. */
function percentOf(level: unknown): string {
  return typeof level === 'number' ? `${Number((level * 100).toFixed(2))}%` : '?';
}

/** The day of a moment in ISO 8601. */
function day(at: unknown): string {
  return word(at).slice(0, 10);
}

/** A count, with all its digits. */
function whole(value: unknown): string {
  return typeof value === 'number' ? String(value) : '?';
}

function percent(fraction: number): string {
  return `${number(fraction * 100)}%`;
}

function valuesByArm(before: unknown, after: unknown, unit: unknown, language: 'en' | 'zh'): string {
  const parts = [
    { arm: arms.BEFORE, values: listOf(before) },
    { arm: arms.AFTER, values: listOf(after) },
  ].flatMap(({ arm, values }) => {
    if (values.length === 0) return [];
    const named = values.slice(0, MOST_NAMED).map((value) => number(value, unit));
    const more = values.length > MOST_NAMED ? [`… (${values.length})`] : [];
    return [`${arm[language]} ${[...named, ...more].join(language === 'en' ? ', ' : '、')}`];
  });
  return parts.join(language === 'en' ? '; ' : '；');
}

function pairsOf(pairs: readonly unknown[], unit: unknown, language: 'en' | 'zh'): string {
  const named = pairs.slice(0, MOST_NAMED).map((pair) => {
    const { before, after } = { before: null, after: null, ...(typeof pair === 'object' ? pair : {}) };
    return `${number(before)} → ${number(after, unit)}`;
  });
  const more = pairs.length > MOST_NAMED ? [`… (${pairs.length})`] : [];
  return [...named, ...more].join(language === 'en' ? ', ' : '、');
}

const MOST_NAMED = 10;

function differencesIn(value: unknown, language: 'en' | 'zh'): string {
  const named = listOf(value).map((difference) => {
    const { key, before, after } = {
      key: '?',
      before: null,
      after: null,
      ...(typeof difference === 'object' ? difference : {}),
    };
    return language === 'en'
      ? `${word(key)} (${word(before)} before, ${word(after)} after)`
      : `${word(key)}（前 ${word(before)}，后 ${word(after)}）`;
  });
  return named.join(language === 'en' ? ', ' : '、');
}

function notShown(verdict: unknown): BothLanguages {
  if (verdict === 'INCONCLUSIVE') return { en: 'the data do not settle it', zh: '现有数据尚无定论' };
  if (verdict === 'NOT_COMPARABLE') return { en: 'its arms are not comparable', zh: '前后两组不可比' };
  return { en: 'it was not measured', zh: '未测量' };
}
