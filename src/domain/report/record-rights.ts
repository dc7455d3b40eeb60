import type { BothLanguages } from '../locale.js';
import type { Permission } from '../permissions.js';
import type { AuditRecord } from './audit-record.js';
import type { RecordProblem } from './read-record.js';

/** Something that a record holds and that not everybody may write. */
interface Reserved {
  readonly needed: Permission;
  readonly places: readonly string[];
  readonly what: BothLanguages;
}

/**
 * What a record holds and whoever imports it may not write: a file is the word of that person. Decisions of reviewers
 * need the right to review. Who is no maintainer stands for all whom the file names, so nobody is left to accept their
 * work.
 */
export function missingRights(record: AuditRecord, granted: readonly Permission[]): readonly RecordProblem[] {
  return reservedIn(record)
    .filter(({ needed, places }) => places.length > 0 && !granted.includes(needed))
    .map(({ needed, places, what }) => ({
      place: places[0] ?? '',
      message: {
        en: `${what.en} needs the right ${needed} in the project (places in the file: ${places.length})`,
        zh: `${what.zh}需要项目权限 ${needed}（文件中共 ${places.length} 处）`,
      },
      isBlocking: true,
    }));
}

function reservedIn({ audit, items, trials }: AuditRecord): readonly Reserved[] {
  const accepted = items.flatMap(({ acceptedBy, work }, index) => {
    if (acceptedBy !== null) return [`items[${index}].acceptedBy`];
    return audit.requiresReview && work === 'DONE' ? [`items[${index}].work`] : [];
  });
  const decided = items.flatMap(({ comments }, index) =>
    comments.flatMap(({ decision }, position) =>
      decision === null ? [] : [`items[${index}].comments[${position}].decision`],
    ),
  );
  return [
    {
      needed: 'REVIEW_AUDITS',
      places: audit.status === 'CLOSED' ? ['audit.status'] : [],
      what: { en: 'A closed audit', zh: '导入已关闭的审计' },
    },
    {
      needed: 'MANAGE_PROJECT',
      places: accepted,
      what: {
        en: 'Work that a reviewer accepted: whoever imports it stands for those who did it, so this',
        zh: '导入评审通过的工作时，导入者代表完成工作的人，因此',
      },
    },
    {
      needed: 'MANAGE_PROJECT',
      places: trials.flatMap(({ override }, index) => (override === null ? [] : [`trials[${index}].override`])),
      what: {
        en: 'The word of a reviewer over differences that block a comparison',
        zh: '导入复核人对阻断级差异的判定',
      },
    },
    {
      needed: 'REVIEW_AUDITS',
      places: decided,
      what: { en: 'The decision of a reviewer in a comment', zh: '导入评论中的评审决定' },
    },
  ];
}

/**
 * Items that somebody accepted who had said themself what came out, or had submitted it. `idOf` tells who of the project
 * a person of the record is; null for nobody.
 */
export function ownAcceptances(
  { items }: AuditRecord,
  idOf: (person: AuditRecord['audit']['createdBy']) => string | null,
): readonly RecordProblem[] {
  return items.flatMap(({ acceptedBy, acceptedAt, assessedBy, assessedAt, submittedBy, submittedAt }, index) => {
    const acceptor = acceptedBy && idOf(acceptedBy);
    if (acceptedBy === null || acceptor === null) return [];
    // Two people of one name have two ids in the file, whoever they are here
    const isSame = (person: AuditRecord['audit']['createdBy'] | null) =>
      person !== null && person.id === acceptedBy.id && idOf(person) === acceptor;
    // Whoever looks again at what they accepted is no author of it
    const isBefore = (at: string | null) => at === null || acceptedAt === null || at <= acceptedAt;
    const isAuthor = (isSame(assessedBy) && isBefore(assessedAt)) || (isSame(submittedBy) && isBefore(submittedAt));
    if (!isAuthor) return [];
    return [
      {
        place: `items[${index}].acceptedBy`,
        message: {
          en: `“${acceptedBy.name}” accepts what they said or submitted themself: another person does`,
          zh: `“${acceptedBy.name}”通过了自己提交或给出结论的条目，须由另一人评审`,
        },
        isBlocking: true,
      },
    ];
  });
}

/** Trials that whoever measured them declared comparable themself, in an audit that requires reviews. */
export function ownOverrides({ audit, trials }: AuditRecord): readonly RecordProblem[] {
  if (!audit.requiresReview) return [];
  return trials.flatMap(({ override, createdBy }, index) => {
    if (override === null || override.by.id !== createdBy.id) return [];
    return [
      {
        place: `trials[${index}].override`,
        message: {
          en: `“${createdBy.name}” judges a trial of their own: another reviewer does`,
          zh: `“${createdBy.name}”判定了自己的试验，须由另一位复核人判定`,
        },
        isBlocking: true,
      },
    ];
  });
}

/** The record with the runs of CI as imported ones: only CI itself, or a maintainer who restores them, says whose they are. */
export function withoutCi(record: AuditRecord): {
  readonly record: AuditRecord;
  readonly problems: readonly RecordProblem[];
} {
  const places = record.runs.flatMap(({ source }, index) => (source === 'CI' ? [`runs[${index}].source`] : []));
  const [place] = places;
  if (place === undefined) return { record, problems: [] };
  const runs = record.runs.map((run) => (run.source === 'CI' ? { ...run, source: 'IMPORT' as const } : run));
  const message = {
    en: `CI becomes IMPORT (${places.length} places): only a maintainer imports runs as those of CI`,
    zh: `CI 改记为 IMPORT（共 ${places.length} 处）：只有维护者才能以 CI 的名义导入运行`,
  };
  return { record: { ...record, runs }, problems: [{ place, message, isBlocking: false }] };
}
