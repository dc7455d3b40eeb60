import type { BothLanguages, LocalizedText } from '../locale.js';

// Numbers and times as reports write them: `+7.1 %` in English, `+7.1%` in Chinese, and a real minus sign.

/** A gain with the 95 % interval around it; fractions, plus is better. */
export interface GainFigure {
  readonly gain: number | null;
  readonly gainLow: number | null;
  readonly gainHigh: number | null;
}

/** What stands where there is no number. */
export const NOTHING = '–';

/** Below one percent two decimals are kept, from a hundred on none. */
function decimalsOf(percent: number): number {
  const size = Math.abs(percent);
  if (size >= 99.95) return 0;
  return size >= 0.995 || size === 0 ? 1 : 2;
}

function signed(percent: number, decimals: number): string {
  const text = percent.toFixed(decimals);
  if (Number(text) === 0) return text.replace('-', '');
  return percent < 0 ? text.replace('-', '−') : `+${text}`;
}

/** A gain in percent with its sign: `+7.1 %`. */
export function signedPercent(fraction: number): BothLanguages {
  const percent = fraction * 100;
  const text = signed(percent, decimalsOf(percent));
  return { en: `${text} %`, zh: `${text}%` };
}

/** The gain of a loss that is as large as a gain of this size: swapped arms are mirrored, so that 0.9 is −0.474. */
export function asLoss(gain: number): number {
  return 1 / (1 + gain) - 1;
}

/** The gains between which a threshold lets nothing count, both on the scale of gains: `−47.4 %` and `+90.0 %`. */
export function thresholdEnds(threshold: number): { readonly loss: BothLanguages; readonly gain: BothLanguages } {
  return { loss: signedPercent(asLoss(threshold)), gain: signedPercent(threshold) };
}

/** A gain with its interval, both to the same decimals: `+7.1 % [5.0, 9.2]`, where the ends are in percent too. */
export function gainFigure({ gain, gainLow, gainHigh }: GainFigure): BothLanguages {
  if (gain === null) return { en: NOTHING, zh: NOTHING };
  const text = signedPercent(gain);
  if (gainLow === null || gainHigh === null) return text;
  const decimals = decimalsOf(gain * 100);
  const [low, high] = [gainLow, gainHigh].map((end) => signed(end * 100, decimals).replace('+', ''));
  return { en: `${text.en} [${low}, ${high}]`, zh: `${text.zh} [${low}, ${high}]` };
}

/** A fraction in percent to at most two decimals, without a sign: `2 %`, `0.5 %`. */
export function plainPercent(fraction: number): BothLanguages {
  const text = String(Number((fraction * 100).toFixed(2))).replace('-', '−');
  return { en: `${text} %`, zh: `${text}%` };
}

/** A part of a whole in whole percent; nothing of nothing is 0 %. Only all of it is 100 %, and only none of it 0 %. */
export function shareOf(part: number, whole: number): BothLanguages {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  const text = part > 0 && part < whole ? Math.min(99, Math.max(1, Math.round(percent))) : Math.round(percent);
  return { en: `${text} %`, zh: `${text}%` };
}

/** A value with its unit, to four significant digits, from a thousand on to whole numbers. */
export function measuredText(value: number | null, unit: string): string {
  if (value === null) return NOTHING;
  const text = Math.abs(value) >= 1000 ? wholeText(value) : String(Number(value.toPrecision(4)));
  return `${text.replace('-', '−').replace('e−', 'e-')} ${unit}`.trimEnd();
}

/** Up to 15 digits are exact; beyond them powers of ten are easier to read. */
function wholeText(value: number): string {
  return Math.abs(value) < 1e15 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** A p value: `0.029`, below a thousandth `<0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? '<0.001' : String(Number(p.toPrecision(2)));
}

/** An ISO time to the minute: `2026-12-01 08:00 UTC`. */
export function timeText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Dimensions of a series as `size = 1024, ranks = 8`; empty for a metric that has no dimensions. */
export function seriesText(dimensions: Readonly<Record<string, string | number>>): string {
  return Object.entries(dimensions)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/** A text that is the same in both languages. */
export function same(text: string): LocalizedText & BothLanguages {
  return { en: text, zh: text };
}

/** A file by its name, size in bytes and SHA-256: `trace.json (1024 B, SHA-256 ba78…)`. */
export function attachmentText(file: {
  readonly fileName: string;
  readonly size: number;
  readonly sha256: string;
}): string {
  return `${file.fileName} (${file.size} B, SHA-256 ${file.sha256})`;
}
