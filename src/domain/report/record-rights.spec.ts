import { describe, expect, it } from '@jest/globals';
import { ada, item, lin, smallRecord } from '../../../test/support/small-record.js';
import { permissions, type ProjectRole } from '../permissions.js';
import type { AuditRecord, RecordedItem } from './audit-record.js';
import { missingRights, ownAcceptances, withoutCi } from './record-rights.js';

const missing = (record: AuditRecord, role: ProjectRole) =>
  missingRights(record, permissions(role)).map(({ place, message }) => `${place}: ${message.en}`);

/** A record of one item that nobody reviewed, changed by this. */
const withItem = (said: Partial<RecordedItem>, requiresReview = false) =>
  smallRecord(({ audit }) => ({
    audit: { ...audit, requiresReview },
    items: [item('kernels/fusion', 1, said)],
    trials: [],
  }));

describe('missingRights', () => {
  it('asks nothing of whoever may write audits, for what everybody may say', () => {
    expect(missing(withItem({ work: 'DONE', outcome: 'APPLIED', assessedBy: ada }), 'CONTRIBUTOR')).toEqual([]);
  });

  it('asks for the right to manage the project where something was accepted, or is DONE behind a review', () => {
    const accepted = withItem({ work: 'DONE', outcome: 'APPLIED', acceptedBy: lin });
    const done = withItem({ work: 'DONE', outcome: 'APPLIED' }, true);
    const text =
      'Work that a reviewer accepted: whoever imports it stands for those who did it, so this needs the right MANAGE_PROJECT in the project (places in the file: 1)';
    for (const role of ['CONTRIBUTOR', 'REVIEWER'] as const) {
      expect(missing(accepted, role)).toEqual([`items[0].acceptedBy: ${text}`]);
      expect(missing(done, role)).toEqual([`items[0].work: ${text}`]);
    }
    expect(missing(accepted, 'MAINTAINER')).toEqual([]);
    expect(missing(done, 'MAINTAINER')).toEqual([]);
  });

  it('names the first place of each kind, and how many there are', () => {
    const record = smallRecord(({ audit, items }) => ({
      audit: { ...audit, status: 'CLOSED', closedAt: audit.createdAt },
      items: items.map((one) => ({
        ...one,
        acceptedBy: null,
        work: 'TODO' as const,
        outcome: 'NOT_ASSESSED' as const,
      })),
    }));
    const problems = missingRights(record, permissions('CONTRIBUTOR'));
    expect(problems).toEqual([
      {
        place: 'audit.status',
        message: {
          en: 'A closed audit needs the right REVIEW_AUDITS in the project (places in the file: 1)',
          zh: '导入已关闭的审计需要项目权限 REVIEW_AUDITS（文件中共 1 处）',
        },
        isBlocking: true,
      },
      {
        place: 'items[0].comments[0].decision',
        message: {
          en: 'The decision of a reviewer in a comment needs the right REVIEW_AUDITS in the project (places in the file: 1)',
          zh: '导入评论中的评审决定需要项目权限 REVIEW_AUDITS（文件中共 1 处）',
        },
        isBlocking: true,
      },
    ]);
    expect(missingRights(record, permissions('REVIEWER'))).toEqual([]);
  });
});

describe('ownAcceptances', () => {
  const accounts = new Map([
    ['ada', 'account of ada'],
    ['lin', 'account of lin'],
  ]);
  const own = (said: Partial<RecordedItem>) =>
    ownAcceptances(
      withItem({ work: 'DONE', outcome: 'APPLIED', acceptedBy: lin, acceptedAt: at(5), ...said }),
      ({ id }) => {
        return accounts.get(id) ?? null;
      },
    ).map(({ place }) => place);
  const at = (minute: number) => `2026-11-02T08:0${minute}:00.000Z`;

  it.each<[string, Partial<RecordedItem>, readonly string[]]>([
    ['two persons', { assessedBy: ada, assessedAt: at(1), submittedBy: ada, submittedAt: at(2) }, []],
    ['an author', { assessedBy: lin, assessedAt: at(1) }, ['items[0].acceptedBy']],
    ['whoever submitted it', { submittedBy: lin, submittedAt: at(1) }, ['items[0].acceptedBy']],
    ['an author at a time that nobody knows', { assessedBy: lin }, ['items[0].acceptedBy']],
    ['whoever looked again afterwards', { assessedBy: lin, assessedAt: at(6) }, []],
    ['somebody who is nobody here', { acceptedBy: { id: 'x', name: 'X' }, assessedBy: { id: 'x', name: 'X' } }, []],
  ])('looks at %s', (_, said, places) => {
    expect(own(said)).toEqual(places);
  });
});

describe('withoutCi', () => {
  it('makes imported runs of those of CI, and says so once', () => {
    const record = smallRecord(({ runs }) => ({ runs: runs.map((run) => ({ ...run, source: 'CI' as const })) }));
    const { record: made, problems } = withoutCi(record);
    expect(new Set(made.runs.map(({ source }) => source))).toEqual(new Set(['IMPORT']));
    expect(problems).toMatchObject([{ place: 'runs[0].source', isBlocking: false }]);
    expect(withoutCi(made)).toEqual({ record: made, problems: [] });
  });
});
