import type { PlannableItem } from './plan.js';

/** An item of a plan as the order looks at it. */
export interface Ranked {
  readonly item: PlannableItem;
  readonly isOpen: boolean;
  /** A dead end, or one that cannot bring the smallest effect that matters: nothing raises it. */
  readonly isSunk: boolean;
}

/** An item that another one needs and that is not in place. */
export interface Missing {
  readonly item: PlannableItem;
  /** Where it stands: before or after the one that needs it, or nowhere as there is nothing to do for it. */
  readonly place: 'BEFORE' | 'AFTER' | 'NOWHERE';
}

/** An entry at its place, with what that has to do with other items. */
export interface Ordered<E> {
  readonly entry: E;
  /** The item that needs it and that it was raised for; null where it stands by its own score. */
  readonly raisedFor: PlannableItem | null;
  readonly missing: readonly Missing[];
}

/**
 * Raises what an item needs to right before it, with all that this needs in turn, so that no good item sinks. What has
 * nothing left to do or is sunk keeps its place, and so do those that need each other. `entries` come in the order of their
 * scores; `items` are all of the audit.
 */
export function raiseWhatIsNeeded<E extends Ranked>(
  entries: readonly E[],
  items: readonly PlannableItem[],
): readonly Ordered<E>[] {
  const missingOf = missingByKey(entries, items);
  const neededBy = neededByKey(entries, missingOf);
  const reachable = reachableFrom(entries, neededBy);
  const placed = new Map<string, { readonly entry: E; readonly raisedFor: PlannableItem | null }>();
  const place = (entry: E, raisedFor: PlannableItem | null): void => {
    const { key } = entry.item;
    if (placed.has(key)) return;
    for (const needed of neededBy.get(key) ?? []) {
      if (reachable.get(needed.item.key)?.has(key) !== true) place(needed, entry.item);
    }
    placed.set(key, { entry, raisedFor });
  };
  for (const entry of entries) place(entry, null);
  const rankOf = new Map([...placed.keys()].map((key, rank) => [key, rank]));
  const openKeys = new Set(entries.filter(({ isOpen }) => isOpen).map(({ item }) => item.key));
  return [...placed.values()].map(({ entry, raisedFor }, rank) => ({
    entry,
    raisedFor,
    missing: (missingOf.get(entry.item.key) ?? []).map((item): Missing => {
      if (!openKeys.has(item.key)) return { item, place: 'NOWHERE' };
      return { item, place: (rankOf.get(item.key) ?? Infinity) < rank ? 'BEFORE' : 'AFTER' };
    }),
  }));
}

/** What does not apply here cannot be missing here, and what another checklist holds is not known. */
function missingByKey(
  entries: readonly Ranked[],
  items: readonly PlannableItem[],
): ReadonlyMap<string, readonly PlannableItem[]> {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const isMissing = (needed: PlannableItem | undefined): needed is PlannableItem =>
    needed !== undefined &&
    needed.applies !== 'NO' &&
    !['APPLIED', 'ALREADY_IN_PLACE', 'NOT_APPLICABLE'].includes(needed.outcome);
  return new Map(
    entries.map(({ item }) => {
      const keys = [...new Set(item.requires)].filter((key) => key !== item.key);
      return [item.key, keys.map((key) => byKey.get(key)).filter(isMissing)];
    }),
  );
}

/** What each open entry may raise, the best first. */
function neededByKey<E extends Ranked>(
  entries: readonly E[],
  missingOf: ReadonlyMap<string, readonly PlannableItem[]>,
): ReadonlyMap<string, readonly E[]> {
  const raisable = entries.filter(({ isOpen, isSunk }) => isOpen && !isSunk);
  return new Map(
    entries.map(({ item: { key }, isOpen }) => {
      const missing = new Set(missingOf.get(key)?.map((item) => item.key));
      return [key, isOpen && missing.size > 0 ? raisable.filter(({ item }) => missing.has(item.key)) : []];
    }),
  );
}

/** For each key the keys of all that it may raise, directly and in turn; its own where it is part of a cycle. */
function reachableFrom<E extends Ranked>(
  entries: readonly E[],
  neededBy: ReadonlyMap<string, readonly E[]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    entries.map(({ item }) => {
      const found = new Set<string>();
      const waiting = [...(neededBy.get(item.key) ?? [])];
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        if (found.has(next.item.key)) continue;
        found.add(next.item.key);
        waiting.push(...(neededBy.get(next.item.key) ?? []));
      }
      return [item.key, found];
    }),
  );
}
