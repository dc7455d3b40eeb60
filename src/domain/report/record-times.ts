import type { AuditRecord, RecordedItem } from './audit-record.js';
import type { RecordProblem } from './read-record.js';

/** Clocks of two machines may differ by so many milliseconds. */
const CLOCK_DIFFERENCE = 5 * 60 * 1_000;
/** Tools write when they began in the time of their place, without its zone. */
const ZONES = 14 * 3_600_000;

type PlacedTime = readonly [place: string, at: string | null, tolerance?: number];

/**
 * What a record says to have been at a time that has not come: nothing of it can be true, and what is newest of all would
 * stand for the project until then. Dates that people set for later are no such times.
 */
export function futureTimes(record: AuditRecord, now: Date): readonly RecordProblem[] {
  const end = now.getTime() + CLOCK_DIFFERENCE;
  return timesOf(record)
    .filter(([, at, tolerance = 0]) => at !== null && Date.parse(at) > end + tolerance)
    .map(([place, at]) => ({
      place,
      message: { en: `lies in the future: ${at}`, zh: `晚于当前时间：${at}` },
      isBlocking: true,
    }));
}

/** All times of a record at which something was. */
function timesOf({ exportedAt, audit, scope, items, runs, trials, milestones, history }: AuditRecord): PlacedTime[] {
  return [
    ['exportedAt', exportedAt],
    ['audit.createdAt', audit.createdAt],
    ['audit.closedAt', audit.closedAt],
    ['audit.timeBreakdown.at', audit.timeBreakdown?.at ?? null],
    ['scope.at', scope.at],
    ...items.flatMap((item, index) => timesOfItem(item, `items[${index}]`)),
    ...runs.flatMap(({ startedAt, createdAt, attachments }, index): PlacedTime[] => [
      ...timesOfAttachments(attachments, `runs[${index}]`),
      [`runs[${index}].startedAt`, startedAt, ZONES],
      [`runs[${index}].createdAt`, createdAt],
    ]),
    ...trials.flatMap(({ createdAt, override, comparisons, attachments }, index): PlacedTime[] => [
      ...timesOfAttachments(attachments, `trials[${index}]`),
      [`trials[${index}].createdAt`, createdAt],
      [`trials[${index}].override.at`, override?.at ?? null],
      ...comparisons.map(({ computedAt }, position): PlacedTime => [
        `trials[${index}].comparisons[${position}].computedAt`,
        computedAt,
      ]),
    ]),
    ...milestones.map(({ createdAt }, index): PlacedTime => [`milestones[${index}].createdAt`, createdAt]),
    ...history.map(({ at }, index): PlacedTime => [`history[${index}].at`, at]),
  ];
}

function timesOfItem(item: RecordedItem, place: string): PlacedTime[] {
  return [
    [`${place}.overruling.at`, item.overruling?.at ?? null],
    [`${place}.recheck.since`, item.recheck?.since ?? null],
    [`${place}.assessedAt`, item.assessedAt],
    [`${place}.submittedAt`, item.submittedAt],
    [`${place}.acceptedAt`, item.acceptedAt],
    [`${place}.updatedAt`, item.updatedAt],
    ...timesOfAttachments(item.attachments, place),
    ...item.comments.flatMap(({ createdAt, editedAt }, position): PlacedTime[] => [
      [`${place}.comments[${position}].createdAt`, createdAt],
      [`${place}.comments[${position}].editedAt`, editedAt],
    ]),
  ];
}

function timesOfAttachments(attachments: RecordedItem['attachments'], place: string): PlacedTime[] {
  return attachments.map(({ attachedAt }, index) => [`${place}.attachments[${index}].attachedAt`, attachedAt]);
}
