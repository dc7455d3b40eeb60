import { cutText } from '../cut-text.js';
import { sessionOfRun } from '../measurement/trial-series.js';
import type { AuditRecord, RecordedItem } from './audit-record.js';
import type { RecordedRun, RecordedTrial } from './measurement-record.js';
import type { BothLanguages } from '../locale.js';
import type { RecordedPerson } from './record-parts.js';
import type { RecordProblem } from './read-record.js';

/**
 * What a record says, whoever wrote it: two records of equal audits are equal in this. Left out are `exportedAt`,
 * `project`, `audit.clonedFrom`, `isSaidControl` of trials, which old files do not tell, `computedAt` of comparisons and what
 * follows from all of them together, ids of persons and notes, and the order of the runs. Ids of
 * the audit, its items, comments, trials, runs and milestones are replaced by names that tell which one is meant.
 */
export function comparable({ exportedAt, project, ...record }: AuditRecord) {
  const label = labels(record);
  const known = relabeled(record, label);
  const order = new Map(runOrder(record.trials).map((id, index) => [label.get(id) ?? id, index]));
  const others = new Map<string, string>();
  const { id, clonedFrom, createdBy, timeBreakdown, ...audit } = known.audit;
  return {
    ...known,
    audit: {
      ...audit,
      createdBy: createdBy.name,
      timeBreakdown:
        timeBreakdown && Object.fromEntries(Object.entries(timeBreakdown).filter(([key]) => key !== 'byId')),
    },
    items: known.items.map(comparableItem),
    runs: [...known.runs]
      .sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
      .map((run) => ({ ...run, createdBy: run.createdBy.name })),
    trials: known.trials.map(({ isSaidControl, ...trial }, index) => ({
      ...trial,
      originId: record.trials[index]?.originId,
      createdBy: trial.createdBy.name,
      override: trial.override && { ...trial.override, by: trial.override.by.name },
      comparisons: trial.comparisons.map(
        ({ computedAt, reportAdjustedP, survivesReport, ...comparison }) => comparison,
      ),
    })),
    history: known.history.map((entry, index) => {
      const subjectId = record.history[index]?.subjectId ?? '';
      if (!label.has(subjectId) && !others.has(subjectId)) others.set(subjectId, `other ${others.size + 1}`);
      return { ...entry, subjectId: label.get(subjectId) ?? others.get(subjectId) };
    }),
  };
}

const nameOf = (person: RecordedPerson | null): string | null => person?.name ?? null;

function comparableItem(item: RecordedItem) {
  const { overruling, adoptedFrom, assignee, assessedBy, submittedBy, acceptedBy, ...rest } = item;
  return {
    ...rest,
    overruling: overruling && { ...overruling, by: nameOf(overruling.by) },
    adoptedFrom: adoptedFrom && { slug: adoptedFrom.slug, title: adoptedFrom.title },
    assignee: nameOf(assignee),
    assessedBy: nameOf(assessedBy),
    submittedBy: nameOf(submittedBy),
    acceptedBy: nameOf(acceptedBy),
  };
}

/** The runs in the order in which trials name them. */
function runOrder(trials: readonly RecordedTrial[]): string[] {
  return [...new Set(trials.flatMap(({ beforeRunIds, afterRunIds }) => [...beforeRunIds, ...afterRunIds]))];
}

/**
 * A name for each id of the record that says which thing it is of. The session that a single run is known to be is named
 * by its id, too.
 */
function labels(record: Pick<AuditRecord, 'audit' | 'items' | 'trials' | 'milestones'>): ReadonlyMap<string, string> {
  return new Map([
    [record.audit.id, 'audit'],
    ...record.items.map(({ id, key }): [string, string] => [id, `item ${key}`]),
    ...record.items.flatMap(({ key, comments }) =>
      comments.map(({ id }, index): [string, string] => [id, `comment ${index} on ${key}`]),
    ),
    ...record.trials.map(({ id }, index): [string, string] => [id, `trial ${index}`]),
    ...runOrder(record.trials).flatMap((id, index): [string, string][] => [
      [id, `run ${index}`],
      [sessionOfRun(id), `session of run ${index}`],
    ]),
    ...record.milestones.map(({ id }, index): [string, string] => [id, `milestone ${index}`]),
  ]);
}

/** No id, and no name of a session that is made of one, is longer. */
const LONGEST_ID = 64;

/** A JSON value in which every text that is one of these ids is replaced. */
export function relabeled<T>(value: T, ids: ReadonlyMap<string, string>): T;
export function relabeled(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.length > LONGEST_ID ? value : (ids.get(value) ?? value);
  if (Array.isArray(value)) {
    const entries: unknown[] = value;
    return typeof entries[0] === 'number' ? entries : entries.map((entry) => relabeled(entry, ids));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, relabeled(entry as unknown, ids)]));
}

/** Places where the audit that was made of a file says something else than the file. Items are matched by key. */
export function recordDifferences(file: AuditRecord, made: AuditRecord): readonly RecordProblem[] {
  const [before, after] = [byKey(comparable(file)), byKey(comparable(made))];
  const problems: RecordProblem[] = [];
  differ(before, after, '', problems);
  return problems;
}

/** Runs without what happened inside them, which nothing is computed from. */
export function withoutSamples(record: AuditRecord): AuditRecord {
  const runs = record.runs.map((run): RecordedRun => ({
    ...run,
    observations: run.observations.map((observation) => ({ ...observation, samples: [] })),
  }));
  return { ...record, runs };
}

function byKey({ items, ...record }: ReturnType<typeof comparable>) {
  return { ...record, items: Object.fromEntries(items.map((item) => [item.key, item])) };
}

function differ(before: unknown, after: unknown, place: string, problems: RecordProblem[]): void {
  // A comparison is one statement: its numbers belong together
  if (isObject(before) && isObject(after) && !/\.comparisons\[\d+\]$/.test(place)) {
    for (const key of keysOf(before, after)) {
      differ(before[key], after[key], place === '' ? key : `${place}.${key}`, problems);
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.some(isObject)) {
    const [one, other]: [unknown[], unknown[]] = [before, after];
    one.forEach((entry, index) => differ(entry, other[index], `${place}[${index}]`, problems));
    return;
  }
  const found = firstDifference(before, after, place);
  if (found) problems.push(difference(found));
}

interface Difference {
  readonly place: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The first value inside these two that is not the same; what one side does not have at all is named as a whole. */
function firstDifference(before: unknown, after: unknown, place: string): Difference | null {
  if (before === after || textOf(before) === textOf(after)) return null;
  for (const [step, one, other] of inside(before, after)) {
    const found = firstDifference(one, other, `${place}${step}`);
    if (found) return found;
  }
  return { place, before, after };
}

/** Values that stand at the same step inside both; none where they are no two objects and no two lists. */
function inside(before: unknown, after: unknown): (readonly [step: string, before: unknown, after: unknown])[] {
  if (isObject(before) && isObject(after)) {
    return keysOf(before, after).map((key) => [`.${key}`, before[key], after[key]]);
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const [one, other]: [unknown[], unknown[]] = [before, after];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [`[${at}]`, one[at], other[at]]);
}

/** Of a comparison that differs what a person looks at first. */
const telling = ['verdict', 'gain', 'evidence', 'threshold', 'nBefore', 'nAfter'];

function keysOf(before: object, after: object): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...telling.filter((key) => keys.has(key)), ...[...keys].filter((key) => !telling.includes(key))];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The order of keys says nothing: the database has one of its own. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, one: unknown) =>
      isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
    ) ?? 'null'
  );
}

/** Longer values are cut in the message. */
const LONGEST_VALUE = 200;

function difference({ place, before, after }: Difference): RecordProblem {
  return { place, message: differenceText(before, after), isBlocking: false };
}

function differenceText(before: unknown, after: unknown): BothLanguages {
  if (isNothing(before)) {
    if (isWhole(after)) return { en: 'The file does not have this', zh: '文件中没有此项' };
    return { en: `The file says nothing; here it is ${shown(after)}`, zh: `文件中为空，此处为 ${shown(after)}` };
  }
  if (isNothing(after)) {
    if (isWhole(before)) return { en: 'Only the file has this', zh: '此项仅文件中有' };
    return { en: `The file says ${shown(before)}; here is nothing`, zh: `文件中为 ${shown(before)}，此处为空` };
  }
  return {
    en: `The file says ${shown(before)}; here it is ${shown(after)}`,
    zh: `文件中为 ${shown(before)}，此处为 ${shown(after)}`,
  };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function isWhole(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = textOf(value);
  const start = cutText(text, LONGEST_VALUE);
  return start.length < text.length ? `${start} …` : text;
}
