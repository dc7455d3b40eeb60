import type { Applies } from '../applicability/evaluate.js';
import type { BothLanguages } from '../locale.js';
import type { Outcome, Work } from './transitions.js';

/** What to know of an item because of another one, or because the machine has outgrown it. */
export type ItemWarningCode = 'DOES_NOT_APPLY' | 'CONFLICTING' | 'REQUIRED_MISSING' | 'SUPERSEDED' | 'NO_LONGER_NEEDED';

export interface ItemWarning {
  readonly code: ItemWarningCode;
  readonly message: BothLanguages;
  /** Id of the other audit item; null where the environment is the cause. */
  readonly otherId: string | null;
}

/** An item of an audit as far as relations look at it. */
export interface RelatedItem {
  readonly id: string;
  /** section/topic */
  readonly key: string;
  readonly title: BothLanguages;
  /** What the rules say, after a person's overruling. */
  readonly applies: Applies;
  readonly isPast: boolean;
  /** Taken from a note, so that somebody means to do it. */
  readonly isAdopted: boolean;
  /** Why the rules say so. */
  readonly reasons: readonly BothLanguages[];
  readonly work: Work;
  readonly outcome: Outcome;
  readonly relations: {
    readonly requires: readonly string[];
    readonly conflictsWith: readonly string[];
    readonly supersedes: readonly string[];
    /** Why, by the key of the related item. */
    readonly because: ReadonlyMap<string, BothLanguages>;
  };
}

/**
 * The warnings of each item of one audit, by its id. An item counts where it is in place or somebody is at it; a conflict
 * warns on both sides. Relations to items of other checklists say nothing here: the audit does not know of them.
 */
export function relationWarnings(items: readonly RelatedItem[]): ReadonlyMap<string, readonly ItemWarning[]> {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const warnings = new Map<string, ItemWarning[]>();
  const warn = (id: string, warning: ItemWarning): void => {
    const own = warnings.get(id) ?? [];
    if (own.some(({ code, otherId }) => code === warning.code && otherId === warning.otherId)) return;
    warnings.set(id, [...own, warning]);
  };
  for (const item of items) {
    // Nothing keeps a team's own item from naming itself
    const related = (keys: readonly string[]) =>
      keys.flatMap((key) => byKey.get(key) ?? []).filter((other) => other !== item);
    const isOut = item.applies === 'NO';
    if (isOut && isInPlace(item) && item.isPast) warn(item.id, noLongerNeeded(item));
    else if (isOut && (isActive(item) || (item.isAdopted && !isRefused(item)))) warn(item.id, doesNotApply(item));
    for (const other of related(item.relations.conflictsWith)) {
      if (!isActive(item) || !isActive(other) || !(isInPlace(item) || isInPlace(other))) continue;
      warn(item.id, conflicting(other, becauseOf(item, other)));
      warn(other.id, conflicting(item, becauseOf(item, other)));
    }
    for (const other of related(item.relations.requires)) {
      if (isActive(item) && isMissing(other)) warn(item.id, requiredMissing(other, becauseOf(item, other)));
    }
    for (const other of related(item.relations.supersedes)) {
      if (!isActive(other) || item.applies === 'NO' || isRefused(item)) continue;
      warn(other.id, superseded(item, becauseOf(item, other)));
    }
  }
  return warnings;
}

function isInPlace({ outcome }: RelatedItem): boolean {
  return outcome === 'APPLIED' || outcome === 'ALREADY_IN_PLACE';
}

function isRefused({ outcome }: RelatedItem): boolean {
  return outcome === 'REJECTED' || outcome === 'NOT_APPLICABLE' || outcome === 'DEFERRED';
}

function isActive(item: RelatedItem): boolean {
  return isInPlace(item) || (!isRefused(item) && (item.work === 'IN_PROGRESS' || item.work === 'IN_REVIEW'));
}

/** What does not apply here cannot be missing here. */
function isMissing(item: RelatedItem): boolean {
  return !isInPlace(item) && item.applies !== 'NO' && item.outcome !== 'NOT_APPLICABLE';
}

/** The reason is written with the relation, on either side. */
function becauseOf(item: RelatedItem, other: RelatedItem): BothLanguages | null {
  return item.relations.because.get(other.key) ?? other.relations.because.get(item.key) ?? null;
}

function withReason({ en, zh }: BothLanguages, because: BothLanguages | null): BothLanguages {
  return because === null ? { en, zh } : { en: `${en}: ${because.en}`, zh: `${zh}：${because.zh}` };
}

function conflicting({ id, title, outcome }: RelatedItem, because: BothLanguages | null): ItemWarning {
  const state =
    outcome === 'APPLIED'
      ? { en: 'is applied', zh: '已应用' }
      : outcome === 'ALREADY_IN_PLACE'
        ? { en: 'is in place already', zh: '已具备' }
        : { en: 'is being worked on', zh: '进行中' };
  const text = {
    en: `conflicts with “${title.en}”, which ${state.en}`,
    zh: `与“${title.zh}”（${state.zh}）冲突`,
  };
  return { code: 'CONFLICTING', otherId: id, message: withReason(text, because) };
}

function requiredMissing(other: RelatedItem, because: BothLanguages | null): ItemWarning {
  const state = stateOfMissing(other);
  const text = {
    en: `needs “${other.title.en}” first, which ${state.en}`,
    zh: `须先具备“${other.title.zh}”，而该条目${state.zh}`,
  };
  return { code: 'REQUIRED_MISSING', otherId: other.id, message: withReason(text, because) };
}

function stateOfMissing({ outcome }: RelatedItem): BothLanguages {
  if (outcome === 'REJECTED') return { en: 'was rejected', zh: '已被否决' };
  if (outcome === 'DEFERRED') return { en: 'is deferred', zh: '已推迟' };
  return { en: 'is not assessed', zh: '尚未评估' };
}

function superseded({ id, title }: RelatedItem, because: BothLanguages | null): ItemWarning {
  const text = { en: `“${title.en}” replaces it`, zh: `已由“${title.zh}”取代` };
  return { code: 'SUPERSEDED', otherId: id, message: withReason(text, because) };
}

function doesNotApply({ reasons: [reason] }: RelatedItem): ItemWarning {
  const text = { en: 'does not apply here', zh: '在此不适用' };
  return { code: 'DOES_NOT_APPLY', otherId: null, message: withReason(text, reason ?? null) };
}

function noLongerNeeded({ reasons: [reason] }: RelatedItem): ItemWarning {
  const text = { en: 'a workaround that is no longer needed', zh: '该规避措施已不再需要' };
  return { code: 'NO_LONGER_NEEDED', otherId: null, message: withReason(text, reason ?? null) };
}
