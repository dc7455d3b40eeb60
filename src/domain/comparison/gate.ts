import type { BothLanguages } from '../locale.js';
import type { ComparisonResult } from '../measurement/compare.js';
import type { RawOutcome } from '../measurement/guardrails.js';
import type { MetricRole } from '../measurement/metric.js';
import { smallestP } from '../measurement/rank-test.js';
import { cappedAt, type EvidenceLevel } from '../measurement/verdict.js';
import { gainFigure, thresholdEnds } from '../report/figures.js';
import { evidenceWords } from '../report/words.js';

/** PASSED: nothing got worse. NOT_JUDGED: nobody can say, which must not pass as if nothing had got worse. */
export type GateOutcome = 'PASSED' | 'REGRESSED' | 'NOT_JUDGED';

/** FAILS: it got worse. UNJUDGED: it cannot be said. NOTED: worth knowing, and no reason to stop. */
export type GateEffect = 'FAILS' | 'UNJUDGED' | 'NOTED';

export interface GateReason {
  readonly code:
    | 'REGRESSED'
    | 'GUARDRAIL_FAILED'
    | 'NOT_COMPARABLE'
    | 'NO_VERDICT'
    | 'WEAK_EVIDENCE'
    | 'INCONCLUSIVE'
    | 'NOT_AFTER_CORRECTION'
    | 'MISSING'
    | 'FILE_PROBLEM'
    | 'NOTHING_COMPARED';
  readonly effect: GateEffect;
  readonly text: BothLanguages;
}

/** What a gate needs of a row, of files or of a stored comparison. */
export interface JudgedRow {
  /** Metric and point. */
  readonly label: string;
  readonly role: MetricRole;
  readonly adjustedP: number | null;
  readonly raw: RawOutcome | null;
  readonly result: Pick<
    ComparisonResult,
    | 'verdict'
    | 'evidence'
    | 'gain'
    | 'gainLow'
    | 'gainHigh'
    | 'moreRunsPerArm'
    | 'threshold'
    | 'method'
    | 'nBefore'
    | 'nAfter'
    | 'pValue'
  >;
  readonly warnings: readonly { readonly code: string; readonly text: BothLanguages }[];
}

export interface GateInput {
  readonly rows: readonly JudgedRow[];
  /** Guardrails and other series that had to be there and are not, in words. */
  readonly missing: readonly BothLanguages[];
  /** What is wrong with the files, in words. */
  readonly faults: readonly BothLanguages[];
}

export interface GateRules {
  readonly onInconclusive: 'PASS' | 'REFUSE';
  readonly onMissing: 'ALLOW' | 'REFUSE';
  /** The weakest evidence that is taken. */
  readonly requiredEvidence: EvidenceLevel;
}

export interface GateResult {
  readonly outcome: GateOutcome;
  readonly reasons: readonly GateReason[];
}

/** What is said of a row; rows of which the same is said share a line. */
interface Said {
  readonly code: GateReason['code'];
  readonly effect: GateEffect;
  readonly label: string;
  readonly rest: BothLanguages;
}

/** Whether anything got worse, over all primary rows and guardrails. A regression stands before what cannot be judged. */
export function gateOf({ rows, missing, faults }: GateInput, rules: GateRules): GateResult {
  const primary = rows.filter(({ role }) => role === 'PRIMARY');
  const family = primary.filter(({ result }) => result.pValue !== null).length;
  const lost: GateEffect = rules.onMissing === 'ALLOW' ? 'NOTED' : 'UNJUDGED';
  const said = [
    ...primary.flatMap((row) => ofPrimary(row, rules, family)),
    ...rows.filter(({ role }) => role === 'GUARDRAIL').flatMap((row) => ofGuardrail(row, rules)),
  ];
  const nothing = { en: 'No primary metric was compared.', zh: '没有对比任何主要指标。' };
  const reasons: readonly GateReason[] = [
    ...merged(said),
    ...faults.map((text) => ({ code: 'FILE_PROBLEM' as const, effect: lost, text })),
    ...missing.map((text) => ({ code: 'MISSING' as const, effect: lost, text })),
    ...(primary.length === 0 ? [{ code: 'NOTHING_COMPARED', effect: 'UNJUDGED', text: nothing } as const] : []),
  ];
  const has = (effect: GateEffect) => reasons.some((reason) => reason.effect === effect);
  const sorted = effects.flatMap((effect) => reasons.filter((reason) => reason.effect === effect));
  return { outcome: has('FAILS') ? 'REGRESSED' : has('UNJUDGED') ? 'NOT_JUDGED' : 'PASSED', reasons: sorted };
}

const effects: readonly GateEffect[] = ['FAILS', 'UNJUDGED', 'NOTED'];

export const exitCodes: Readonly<Record<GateOutcome, number>> = { PASSED: 0, REGRESSED: 1, NOT_JUDGED: 2 };

/** Most rows that a line names. */
const MOST_LABELS = 3;

function merged(said: readonly Said[]): readonly GateReason[] {
  const groups = new Map<string, Said[]>();
  for (const one of said) {
    const key = `${one.code} ${one.rest.en}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const labels = group.slice(0, MOST_LABELS).map(({ label }) => label);
    const more = group.length > MOST_LABELS ? ` … (${group.length})` : '';
    const { code, effect, rest } = first;
    return [
      {
        code,
        effect,
        text: { en: `${labels.join('; ')}${more}: ${rest.en}`, zh: `${labels.join('；')}${more}：${rest.zh}` },
      },
    ];
  });
}

function ofPrimary(row: JudgedRow, rules: GateRules, family: number): readonly Said[] {
  const { verdict, evidence } = row.result;
  if (verdict === 'NOT_COMPARABLE') return [notComparable(row)];
  // what is seen without a ratio: all values after are worse than all before, or none is
  if (row.raw === 'WORSE' && verdict === 'INCONCLUSIVE') return [worseThanAll('REGRESSED', row)];
  if (row.raw === 'HELD' && verdict === 'INCONCLUSIVE') return [];
  if (evidence === 'NONE' || hasNoFloor(row)) return [noVerdict(row)];
  if (cappedAt(rules.requiredEvidence, evidence) !== rules.requiredEvidence) return [tooWeak(row, rules)];
  if (verdict === 'REGRESSED')
    return [isCorrectedAway(row) ? notAfterCorrection(row, rules, family) : gotWorse('REGRESSED', row)];
  return verdict === 'INCONCLUSIVE' ? [inconclusive(row, rules)] : [];
}

function ofGuardrail(row: JudgedRow, rules: GateRules): readonly Said[] {
  const { verdict } = row.result;
  if (verdict === 'NOT_COMPARABLE') return [notComparable(row)];
  if (verdict === 'REGRESSED') return [gotWorse('GUARDRAIL_FAILED', row)];
  if (verdict !== 'INCONCLUSIVE' || row.raw === 'HELD') return [];
  return [row.raw === 'WORSE' ? worseThanAll('GUARDRAIL_FAILED', row) : inconclusive(row, rules)];
}

function hasNoFloor({ warnings }: JudgedRow): boolean {
  return warnings.some(({ code }) => code === 'NO_NOISE_FLOOR');
}

function isCorrectedAway({ adjustedP }: JudgedRow): boolean {
  return adjustedP !== null && adjustedP >= 0.05;
}

function gotWorse(code: 'REGRESSED' | 'GUARDRAIL_FAILED', { label, result }: JudgedRow): Said {
  const guardrail = subject(code);
  const [gain, { loss }] = [gainFigure(result), thresholdEnds(result.threshold)];
  // without a gain there is no scale that both are on
  const figures =
    result.gain === null
      ? { en: '', zh: '' }
      : { en: `, ${gain.en}; threshold ${loss.en}`, zh: `，${gain.zh}；阈值 ${loss.zh}` };
  const rest = { en: `${guardrail.en}got worse${figures.en}.`, zh: `${guardrail.zh}变差${figures.zh}。` };
  return { code, effect: 'FAILS', label, rest };
}

function subject(code: 'REGRESSED' | 'GUARDRAIL_FAILED'): BothLanguages {
  return code === 'REGRESSED' ? { en: '', zh: '' } : { en: 'a guardrail, ', zh: '护栏指标' };
}

function worseThanAll(code: 'REGRESSED' | 'GUARDRAIL_FAILED', { label }: JudgedRow): Said {
  const rest = {
    en: `${subject(code).en}got worse, every value after is worse than every value before.`,
    zh: `${subject(code).zh}变差，改动后的每个值都比改动前的每个值差。`,
  };
  return { code, effect: 'FAILS', label, rest };
}

function notComparable({ label, warnings }: JudgedRow): Said {
  const why = warnings[0]?.text;
  const rest = { en: `not comparable. ${why?.en ?? ''}`.trimEnd(), zh: `不可比。${why?.zh ?? ''}` };
  return { code: 'NOT_COMPARABLE', effect: 'UNJUDGED', label, rest };
}

function noVerdict(row: JudgedRow): Said {
  const why = row.warnings.find(({ code }) => code === 'NOT_POSITIVE')?.text;
  const rest = hasNoFloor(row)
    ? {
        en: 'one value an arm cannot be judged. Measure at least 4 in each arm, in several sessions, or give --noise-floor.',
        zh: '每组只有一个值，无法判断。请每组至少测 4 次、分布于多次会话，或给出 --noise-floor。',
      }
    : {
        en: `the data allow no verdict. ${why?.en ?? ''}`.trimEnd(),
        zh: `现有数据无法得出结论。${why?.zh ?? ''}`,
      };
  return { code: 'NO_VERDICT', effect: 'UNJUDGED', label: row.label, rest };
}

function tooWeak({ label, result }: JudgedRow, { requiredEvidence }: GateRules): Said {
  const [found, wanted] = [evidenceWords[result.evidence], evidenceWords[requiredEvidence]];
  const rest = {
    en: `the evidence is "${found.en}", weaker than "${wanted.en}", which is asked for.`,
    zh: `证据级别为“${found.zh}”，低于所要求的“${wanted.zh}”。`,
  };
  return { code: 'WEAK_EVIDENCE', effect: 'UNJUDGED', label, rest };
}

function inconclusive({ label, result }: JudgedRow, { onInconclusive }: GateRules): Said {
  const more = result.moreRunsPerArm;
  const rest = {
    en: `not settled, the data allow both a change and none.${more === null ? '' : ` About ${more} more ${more === 1 ? 'run' : 'runs'} in each arm would settle it.`}`,
    zh: `尚无定论，现有数据既不能确认变化，也不能排除变化。${more === null ? '' : `每组大约再跑 ${more} 次可得出结论。`}`,
  };
  return { code: 'INCONCLUSIVE', effect: onInconclusive === 'REFUSE' ? 'UNJUDGED' : 'NOTED', label, rest };
}

/** Where one row alone could never fail, it must not pass either: nobody can say. */
function notAfterCorrection({ label, result }: JudgedRow, { onInconclusive }: GateRules, family: number): Said {
  const gain = gainFigure(result);
  const needed = runsThatCanFail(result, family);
  const isOutOfReach = needed > Math.min(result.nBefore, result.nAfter);
  const [pairs, arms] = result.method === 'SIGNED_RANK' ? [`${needed} pairs`, `${needed} 对`] : [`${needed} runs in each arm`, `每组 ${needed} 次`]; // prettier-ignore
  const advice = isOutOfReach
    ? {
        en: ` One row of ${family} cannot be told from chance with so few: measure at least ${pairs}, or name the metric that decides by --metric.`,
        zh: `这么少的数据无法把 ${family} 行中的一行与偶然区分开：请至少测${arms}，或用 --metric 指定起决定作用的指标。`,
      }
    : { en: '', zh: '' };
  const rest = {
    en: `looks worse (${gain.en}), but not once corrected for the number of rows: it may be chance.${advice.en}`,
    zh: `看似退化（${gain.zh}），但按行数校正后不成立，可能是偶然。${advice.zh}`,
  };
  const isRefused = isOutOfReach || onInconclusive === 'REFUSE';
  return { code: 'NOT_AFTER_CORRECTION', effect: isRefused ? 'UNJUDGED' : 'NOTED', label, rest };
}

/** The fewest runs an arm, or pairs, with which one row of a family can have a corrected p below 0.05. */
function runsThatCanFail({ method }: Pick<ComparisonResult, 'method'>, family: number): number {
  const least = (runs: number) => (method === 'SIGNED_RANK' ? 2 ** (1 - runs) : smallestP(runs, runs));
  let runs = 4;
  while (least(runs) * family >= 0.05) runs += 1;
  return runs;
}
