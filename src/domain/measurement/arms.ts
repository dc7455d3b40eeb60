import type { ArmData, ComparisonWarning, MeasuredValue } from './compare.js';
import { medianOf } from './order-statistics.js';

export interface Arms {
  readonly before: readonly MeasuredValue[];
  readonly after: readonly MeasuredValue[];
}

/** Fewer shared blocks are not worth a paired test: five cannot go below p = 0.0625. */
export const FEWEST_BLOCKS = 6;

export interface Pairing {
  /** One value per block and arm: the median of that arm's values in the block. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** The values that were compared. */
  readonly compared: Arms;
  readonly withoutPartner: Arms;
}

export const valuesOf = (arm: readonly MeasuredValue[]): readonly number[] => arm.map(({ value }) => value);

/**
 * The blocks that both arms have, in the order of the before arm; null where an arm has none at all. `measure` is what is
 * compared of a value: itself, or its distance to a target.
 */
export function pairingOf({ before, after }: Arms, measure: (value: number) => number): Pairing | null {
  const [blocksBefore, blocksAfter] = [byBlock(before, measure), byBlock(after, measure)];
  if (blocksBefore.size === 0 || blocksAfter.size === 0) return null;
  const shared = [...blocksBefore].flatMap(([block, values]) => {
    const partners = blocksAfter.get(block);
    return partners ? [{ block, values, partners }] : [];
  });
  const names = new Set(shared.map(({ block }) => block));
  const hasPartner = ({ block }: MeasuredValue): boolean => block !== null && names.has(block);
  return {
    before: shared.map(({ values }) => medianOf(values)),
    after: shared.map(({ partners }) => medianOf(partners)),
    compared: { before: before.filter(hasPartner), after: after.filter(hasPartner) },
    withoutPartner: {
      before: before.filter((value) => !hasPartner(value)),
      after: after.filter((value) => !hasPartner(value)),
    },
  };
}

function byBlock(arm: readonly MeasuredValue[], measure: (value: number) => number): ReadonlyMap<string, number[]> {
  const blocks = new Map<string, number[]>();
  for (const { block, value } of arm) {
    if (block === null) continue;
    const values = blocks.get(block);
    if (values) values.push(measure(value));
    else blocks.set(block, [measure(value)]);
  }
  return blocks;
}

export interface SessionCheck {
  /** An arm that comes from one session, or from sessions that nobody knows, cannot show more than INDICATIVE. */
  readonly isCapped: boolean;
  readonly warnings: readonly ComparisonWarning[];
}

/** Sessions of each arm: all values whose session is not known count as one session. A summary says what it is of. */
export function sessionCheck(
  { before, after }: Arms,
  data: { readonly before: ArmData; readonly after: ArmData },
): SessionCheck {
  const arms = [
    { arm: 'BEFORE', sessions: sessionsOf(before, data.before) },
    { arm: 'AFTER', sessions: sessionsOf(after, data.after) },
  ].filter(({ sessions }) => sessions.length > 0);
  const unknown = arms.filter(({ sessions }) => sessions.includes(null));
  const single = arms.filter(({ sessions }) => new Set(sessions).size === 1);
  const singleKnown = single.filter((arm) => !unknown.includes(arm));
  const warnings: ComparisonWarning[] = [];
  if (unknown.length > 0) warnings.push({ code: 'SESSIONS_UNKNOWN', details: { arms: unknown.map(({ arm }) => arm) } });
  if (singleKnown.length > 0) {
    warnings.push({ code: 'ONE_SESSION_ARM', details: { arms: singleKnown.map(({ arm }) => arm) } });
  }
  return { isCapped: single.length > 0, warnings };
}

/** The session of each value; nothing for a summary over separate sessions, of which nothing is to be said. */
function sessionsOf(values: readonly MeasuredValue[], data: ArmData): readonly (string | null)[] {
  if (data.kind === 'values') return values.map(({ session }) => session);
  if (data.sampling === 'ONE_SESSION') return ['the session of the summary'];
  return data.sampling === 'UNKNOWN' ? [null] : [];
}
