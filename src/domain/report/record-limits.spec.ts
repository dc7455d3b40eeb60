import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../test/support/ends.js';
import {
  faults,
  measured,
  now,
  observed,
  read,
  withBreakdown,
  withItem,
  withRun,
  withTrial,
} from '../../../test/support/measured-record.js';
import { ids } from '../../../test/support/small-record.js';
import type { AuditRecord } from './audit-record.js';
import type { RecordedRun } from './measurement-record.js';
import { readAuditRecord } from './read-record.js';

describe('readAuditRecord, what costs time', () => {
  const problemsOf = (content: string) => {
    const { problems } = ends(() => readAuditRecord(content, now));
    return problems.map(({ place, message }) => `${place}: ${message.en}`);
  };

  it('says of a list that is too long that it is, and looks at none of its entries', () => {
    const junk = { ...measured(), items: Array.from({ length: 200_000 }, () => ({ id: 1 })) };
    expect(problemsOf(JSON.stringify(junk))).toEqual(['items: Too big: expected array to have <=5000 items']);
    const { runs } = measured();
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, {}]));
    const many = measured(() => ({
      runs: runs.map((run) => ({ ...run, environment: keys as RecordedRun['environment'] })),
    }));
    expect(problemsOf(JSON.stringify(many))[0]).toBe(
      'runs[0].environment: Too big: expected map to have <=500 entries',
    );
  });

  it('says of a list of junk what is wrong with the first entries', () => {
    const history = Array.from({ length: 200_000 }, () => ({}));
    const found = problemsOf(JSON.stringify({ ...measured(), history }));
    expect(found).toHaveLength(100);
    expect(found[0]).toBe('history[0].at: Invalid input: expected string, received undefined');
    expect(new Set(found.map((one) => one.slice(0, one.indexOf('.')))).size).toBeLessThanOrEqual(20);
  });

  it('names the entry of a long list of numbers that is none', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => (index === 7_777 ? '7' : index));
    const record = withRun(0, { observations: observed(1).map((one) => ({ ...one, samples: values as number[] })) });
    expect(faults(record)).toEqual([
      'runs[0].observations[0].samples[7777]: Invalid input: expected number, received string',
    ]);
    expect(read(record).problems[0]?.message.zh).toBe('无效输入：期望 数字，实际接收 string');
  });
});

describe('readAuditRecord, times', () => {
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();

  it('lets clocks differ by five minutes, and nothing be later', () => {
    expect(faults(withItem('kernels/fusion', { updatedAt: at(300_000) }))).toEqual([]);
    expect(read(withItem('kernels/fusion', { updatedAt: at(300_001) })).problems).toEqual([
      {
        place: 'items[0].updatedAt',
        message: { en: `lies in the future: ${at(300_001)}`, zh: `晚于当前时间：${at(300_001)}` },
        isBlocking: true,
      },
    ]);
  });

  it('knows which dates people set for later', () => {
    const later = { outcome: 'DEFERRED' as const, proof: null, dueAt: at(1e10), expiresAt: at(1e10) };
    expect(faults(withItem('kernels/fusion', later))).toEqual([]);
  });

  it.each(['+010000-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-13-45', ''])(
    'refuses %j as a time',
    (dueAt) => {
      expect(read(withItem('kernels/fusion', { dueAt })).problems[0]).toMatchObject({ place: 'items[0].dueAt' });
    },
  );
});

describe('readAuditRecord, texts', () => {
  it('reads a file behind the mark that editors put before it', () => {
    const record = measured();
    expect(readAuditRecord(`\uFEFF${JSON.stringify(record)}`, now)).toEqual({ record, problems: [] });
  });

  it('takes blanks for nothing where a person need not write, and for a fault where a reason is needed', () => {
    const { record } = read(withItem('kernels/fusion', { remark: ' \n', expectation: '\u3000' }));
    expect(record?.items[0]).toMatchObject({ remark: null, expectation: null });
    const rejected = { outcome: 'REJECTED' as const, proof: null, reasonCode: 'OTHER' as const, reason: '  ' };
    expect(faults(withItem('kernels/fusion', rejected))).toEqual([
      'items[0]: The outcome REJECTED needs a reason: reason missing',
    ]);
  });

  it.each<[string, AuditRecord, string]>([
    [
      'an overruling without a reason',
      withItem('kernels/fusion', { overruling: { answer: 'NO', reason: ' ', by: null, at: null } }),
      'items[0].overruling.reason: Overruling the rules with NO needs a reason',
    ],
    [
      'a comment that says nothing',
      withItem('kernels/fusion', {
        comments: [
          {
            id: ids.run(90),
            author: 'Ada',
            body: ' ',
            decision: null,
            createdAt: now.toISOString(),
            editedAt: null,
            replyTo: null,
          },
        ],
      }),
      'items[0].comments[0].body: Invalid string: must match pattern /\\S/',
    ],
    [
      'a metric of blanks',
      measured(({ metrics }) => ({
        metrics: metrics.map((one) => ({ ...one, isOwn: true, name: { en: ' ', zh: null } })),
      })),
      'metrics[0].name: name is empty',
    ],
    [
      'a unit that is too long',
      measured(({ metrics }) => ({ metrics: metrics.map((one) => ({ ...one, isOwn: true, unit: 'x'.repeat(65) })) })),
      'metrics[0].unit: Too big: expected string to have <=64 characters',
    ],
    [
      'a guardrail that is the primary metric',
      withTrial(0, { guardrails: ['throughput'] }),
      'trials[0].guardrails[0]: "throughput" is there twice',
    ],
    [
      'a variable of blanks',
      withTrial(0, { variable: [' '] }),
      'trials[0].variable[0]: Invalid string: must match pattern /\\S/',
    ],
    [
      'a note of the time breakdown without end',
      withBreakdown({ note: 'x'.repeat(100_001) }),
      'audit.timeBreakdown.note: Too big: expected string to have <=100000 characters',
    ],
    ['a time breakdown of no time', withBreakdown({ at: 'yesterday' }), 'audit.timeBreakdown.at: Invalid ISO datetime'],
    [
      'history of something that no history is of',
      measured(() => ({
        history: [
          {
            at: now.toISOString(),
            by: null,
            subject: 'constructor',
            subjectId: 'x',
            itemKey: null,
            field: 'work',
            before: null,
            after: null,
            reason: null,
          },
        ],
      })),
      'history[0].subject: Invalid option: expected one of "checklist"|"project"|"environment"|"audit"|"auditItem"|"comment"|"milestone"|"proposal"|"evidence"|"run"|"columnMapping"|"trial"|"note"|"serviceToken"',
    ],
    ['an id of two things', withTrial(0, { id: ids.run(2) }), `trials[0].id: "${ids.run(2)}" is there twice`],
    [
      'arms that measured other points',
      withRun(0, { observations: observed(1).map((one) => ({ ...one, dimensions: { size: 8 } })) }),
      'trials[0].primaryMetric: "throughput" was not observed in both arms',
    ],
    [
      'the acceptance of work that is not done',
      withItem('kernels/fusion', { work: 'IN_REVIEW' }),
      'items[0].acceptedBy: What a reviewer accepted is DONE, and this is IN_REVIEW',
    ],
    [
      'a plan that measured all items together',
      measured(({ audit, trials }) => ({ audit: { ...audit, endToEndTrial: trials[2]?.id ?? null } })),
      'audit.endToEndTrial: is a plan: it has measured nothing yet',
    ],
  ])('refuses %s', (_, record, fault) => {
    expect(faults(record)).toContain(fault);
    expect(read(record).problems.every(({ message }) => /\p{Script=Han}/u.test(message.zh))).toBe(true);
  });

  it.each<[string, object, string]>([
    [
      'more than any audit has',
      { total: 2 ** 40 },
      'milestones[0].snapshot.progress.total: Too big: expected number to be <=5000',
    ],
    [
      'more done than there is',
      { total: 1, applicable: 1, done: 2 },
      'milestones[0].snapshot.progress: contradicts itself: total 1, applicable 1, assessed 0, done 2, verified 0',
    ],
  ])('refuses a milestone with %s', (_, said, fault) => {
    const snapshot = {
      format: 'tunebook-milestone/1' as const,
      checklist: 'rig',
      release: '1.2.0',
      status: 'OPEN' as const,
      environmentName: null,
      scope: { hardware: null, facts: {} },
      progress: { total: 0, applicable: 0, assessed: 0, done: 0, verified: 0, ...said },
      timeBreakdown: null,
      items: [],
    };
    const record = measured(() => ({
      milestones: [{ id: ids.run(80), name: 'M', createdAt: now.toISOString(), createdBy: null, snapshot }],
    }));
    expect(faults(record)).toEqual([fault]);
  });
});
