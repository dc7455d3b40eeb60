import type { EvidenceLevel, Verdict } from '../measurement/verdict.js';

/** What a trial measured, and of which practice. */
export interface Measurement {
  /** Key of the custom item, or the practice of a checklist. */
  readonly practice: string;
  /** Key of the primary metric. */
  readonly metric: string;
  readonly verdict: Verdict | null;
  readonly gain: number | null;
  readonly evidence: EvidenceLevel | null;
}

/** A trial that was found for an item. */
export interface FoundTrial extends Measurement {
  readonly id: string;
  /** The id where it was measured, of a copy that came with an imported audit; null for an original. */
  readonly originId: string | null;
  /** Both arms with the ids of their runs, in a fixed order; null where it names no run. */
  readonly runs: string | null;
}

/** The trial of an `originId`, in any project; `isEvidence` is false for an A/A run, a plan and the like. */
export interface Original extends Measurement {
  readonly isEvidence: boolean;
}

/**
 * The trials that are measurements of their own, each once, by id.
 * An imported copy is whatever its file said. Where the original is found too, that counts; where it exists but is not found
 * (in a project that the viewer may not see), a copy counts only if it says the same; where it exists nowhere, the copy
 * with the smallest id counts. Of trials of the same runs on both sides and the same metric, the newest counts.
 */
export function measuredOnce<T extends FoundTrial>(
  found: readonly T[],
  originals: ReadonlyMap<string, Original>,
): readonly T[] {
  const trials = [...new Map(found.map((trial) => [trial.id, trial])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const here = new Set(trials.filter(({ originId }) => originId === null).map(({ id }) => id));
  const copied = new Set<string>();
  const byRuns = new Map<string, T>();
  for (const trial of trials) {
    const { id, originId, metric, runs } = trial;
    if (originId !== null) {
      const original = originals.get(originId);
      const isForged = original !== undefined && !(original.isEvidence && isSame(original, trial));
      if (here.has(originId) || copied.has(originId) || isForged) continue;
      copied.add(originId);
    }
    byRuns.set(runs === null ? id : `${metric} ${runs}`, trial);
  }
  return [...byRuns.values()];
}

/** A copy is computed anew, from the same values. */
const ROUNDING = 1e-9;

function isSame(one: Measurement, other: Measurement): boolean {
  const isSameGain =
    one.gain === null || other.gain === null
      ? one.gain === other.gain
      : Math.abs(one.gain - other.gain) <= ROUNDING * Math.max(1, Math.abs(one.gain));
  return (
    isSameGain &&
    one.practice === other.practice &&
    one.metric === other.metric &&
    one.verdict === other.verdict &&
    one.evidence === other.evidence
  );
}

/** A gain that an item states, with the slug of the reference note that it names. */
export interface StatedFigure {
  readonly metric: string;
  readonly ratio: { readonly from: number; readonly to: number };
  readonly note?: string | null | undefined;
}

/** The content rounds its figures. */
const STATED_DIGITS = 0.03;

/**
 * Whether a reference note is the measurement of a gain that an item states: the item names it there, on the metric and with
 * the figure of the note. A note that is only linked, or that measured another thing (the reverse change, another metric),
 * is not.
 */
export function isMeasurementOf(
  { metric, ratio, note }: StatedFigure,
  measured: { readonly slug: string; readonly metric: string; readonly gain: number | null },
): boolean {
  if (note !== measured.slug || metric !== measured.metric || measured.gain === null) return false;
  const found = 1 + measured.gain;
  return found >= ratio.from * (1 - STATED_DIGITS) && found <= ratio.to * (1 + STATED_DIGITS);
}
