import type { BothLanguages } from '../locale.js';
import { verdictWords } from '../report/words.js';
import { entryOf, type Words } from './history-labels.js';

type Value = Readonly<Record<string, unknown>> | null;

/** A change of a trial as a sentence; null for one that is said as others are. */
export function trialChangeText(field: string, before: Value, after: Value): BothLanguages | null {
  if (field === 'extended' && after) return extendedText(before, after);
  if (field === 'overridden') return overriddenText(before, after);
  if (field === 'recomputed' && after) return withVerdicts({ en: 'Computed anew', zh: '重新计算' }, before, after);
  return null;
}

function extendedText(before: Value, after: NonNullable<Value>): BothLanguages {
  const counts = (value: Value) => `${countOf(value?.['before'])} / ${countOf(value?.['after'])}`;
  const [old, now] = [counts(before), counts(after)];
  return withVerdicts(
    { en: `Runs added (before / after: ${old} → ${now})`, zh: `增加运行（前 / 后：${old} → ${now}）` },
    before,
    after,
  );
}

function overriddenText(before: Value, after: Value): BothLanguages {
  if (after === null) return { en: 'Override of blocking differences withdrawn', zh: '撤回“仍可对比”的判定' };
  const text = { en: 'Blocking differences overridden by a reviewer', zh: '复核人判定差异不妨碍对比' };
  return withVerdicts(text, before, after);
}

/** The verdict of that day, where there was one. */
function withVerdicts({ en, zh }: BothLanguages, before: Value, after: NonNullable<Value>): BothLanguages {
  const [old, now] = [verdictOf(before), verdictOf(after)];
  if (now === null) return { en, zh };
  if (old === null || old.en === now.en) return { en: `${en}: ${now.en}`, zh: `${zh}：${now.zh}` };
  return { en: `${en}: ${old.en} → ${now.en}`, zh: `${zh}：${old.zh} → ${now.zh}` };
}

function verdictOf(value: Value): BothLanguages | null {
  const verdict = value?.['verdict'];
  const words: Words = verdictWords;
  return typeof verdict === 'string' ? (entryOf(words, verdict) ?? { en: verdict, zh: verdict }) : null;
}

function countOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : '0';
}
