import type { AuditRecord, RecordedItem } from './audit-record.js';
import type { RecordedRun, RecordedTrial } from './measurement-record.js';
import type { RecordedPerson } from './record-parts.js';
import type { RecordProblem } from './read-record.js';

/**
 * What a record says, whoever wrote it: two records of equal audits are equal in this. Left out are `exportedAt`,
 * `project`, `audit.clonedFrom`, `computedAt` of comparisons, ids of persons and notes, and the order of the runs. Ids of
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
    trials: known.trials.map((trial, index) => ({
      ...trial,
      originId: record.trials[index]?.originId,
      createdBy: trial.createdBy.name,
      comparisons: trial.comparisons.map(({ computedAt, ...comparison }) => comparison),
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

/** A name for each id of the record that says which thing it is of. */
function labels(record: Pick<AuditRecord, 'audit' | 'items' | 'trials' | 'milestones'>): ReadonlyMap<string, string> {
  return new Map([
    [record.audit.id, 'audit'],
    ...record.items.map(({ id, key }): [string, string] => [id, `item ${key}`]),
    ...record.items.flatMap(({ key, comments }) =>
      comments.map(({ id }, index): [string, string] => [id, `comment ${index} on ${key}`]),
    ),
    ...record.trials.map(({ id }, index): [string, string] => [id, `trial ${index}`]),
    ...runOrder(record.trials).map((id, index): [string, string] => [id, `run ${index}`]),
    ...record.milestones.map(({ id }, index): [string, string] => [id, `milestone ${index}`]),
  ]);
}

/** A JSON value in which every text that is one of these ids is replaced. */
export function relabeled<T>(value: T, ids: ReadonlyMap<string, string>): T;
export function relabeled(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value;
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
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    // A comparison is one statement: its numbers belong together
    if (/\.comparisons\[\d+\]$/.test(place)) {
      const other = keys.filter((key) => textOf(before[key]) !== textOf(after[key]));
      if (other.length > 0) problems.push(difference(place, picked(before, other), picked(after, other)));
      return;
    }
    for (const key of keys) differ(before[key], after[key], place === '' ? key : `${place}.${key}`, problems);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.some(isObject)) {
    const [one, other]: [unknown[], unknown[]] = [before, after];
    one.forEach((entry, index) => differ(entry, other[index], `${place}[${index}]`, problems));
    return;
  }
  if (textOf(before) !== textOf(after)) problems.push(difference(place, before, after));
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

/** Of a comparison that differs what a person looks at first. */
const telling = ['verdict', 'gain', 'evidence', 'threshold', 'nBefore', 'nAfter'];

function picked(comparison: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  const shown = telling.filter((key) => keys.includes(key));
  return Object.fromEntries((shown.length > 0 ? shown : keys).map((key) => [key, comparison[key]]));
}

/** Longer values are cut in the message. */
const LONGEST_VALUE = 200;

function difference(place: string, before: unknown, after: unknown): RecordProblem {
  const [said, is] = [before, after].map((value) => {
    const characters = [...textOf(value)];
    return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE).join('')} …` : characters.join('');
  });
  return {
    place,
    message: { en: `The file says ${said}; here it is ${is}`, zh: `文件中为 ${said}，此处为 ${is}` },
    isBlocking: false,
  };
}
