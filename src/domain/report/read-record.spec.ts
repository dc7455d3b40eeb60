import { describe, expect, it } from '@jest/globals';
import {
  faults,
  measured,
  now,
  observed,
  read,
  withItem,
  withRun,
  withTrial,
} from '../../../test/support/measured-record.js';
import { hostileValues, placesOf, spoiled } from '../../../test/support/hostile-values.js';
import { ada, item, ids } from '../../../test/support/small-record.js';
import type { AuditRecord, RecordedItem } from './audit-record.js';
import { readAuditRecord } from './read-record.js';

describe('readAuditRecord', () => {
  it('gives back what was written', () => {
    const record = measured();
    expect(read(record)).toEqual({ record, problems: [] });
  });

  it.each([
    ['', 'The file is not JSON: Unexpected end of JSON input', ''],
    ['[]', 'The file names no format; an exported audit has "tunebook-audit/1"', 'format'],
    ['null', 'The file names no format; an exported audit has "tunebook-audit/1"', 'format'],
    [
      '{"format":"tunebook-audit/2"}',
      '"tunebook-audit/2" is no format that can be read; an exported audit has "tunebook-audit/1"',
      'format',
    ],
  ])('refuses %j', (content, en, place) => {
    const { record, problems } = readAuditRecord(content, now);
    expect(record).toBeNull();
    expect(problems).toMatchObject([{ place, message: { en }, isBlocking: true }]);
  });

  it('names what a newer version adds once for each kind of place, and leaves it out', () => {
    const record = measured();
    const newer = { ...record, mood: 1, items: record.items.map((one) => ({ ...one, stars: 5 })) };
    expect(read(newer)).toMatchObject({ record, problems: [{ place: 'items[0].stars' }, { place: 'mood' }] });
    expect(faults(newer)).toEqual([
      'items[0].stars: is not known to this version and is left out (places in the file: 6)',
      'mood: is not known to this version and is left out (places in the file: 1)',
    ]);
    expect(read(newer).problems.every(({ isBlocking }) => !isBlocking)).toBe(true);
  });

  it('says in both languages which value is of the wrong shape', () => {
    const { record, problems } = read(withItem('kernels/graphs', { priority: 'HUGE' as 'HIGH' }));
    expect(record).toBeNull();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ place: 'items[1].priority', isBlocking: true });
    expect(problems[0]?.message.en).toMatch(/LOW/);
    expect(problems[0]?.message.zh).toMatch(/无效/);
  });

  it.each([
    ['U+0000', 'a\0b'],
    ['half of a surrogate pair (U+D800 to U+DFFF)', 'a\ud800b'],
  ])('refuses text with %s, which no database row holds', (character, remark) => {
    expect(faults(withItem('kernels/fusion', { remark }))).toEqual([
      `items[0].remark: contains ${character}, which cannot be stored`,
    ]);
  });

  it('refuses nesting that would exhaust the stack', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const content = JSON.stringify(withItem('kernels/fusion', { plannedChange: 'deep' })).replace('"deep"', deep);
    expect(readAuditRecord(content, now).problems).toMatchObject([
      { place: 'items[0].plannedChange[0]', message: { en: 'is nested deeper than 32 levels' } },
    ]);
  });

  it('refuses the year 0, which PostgreSQL does not know', () => {
    const [problem] = read(withItem('kernels/fusion', { dueAt: '0000-01-01T00:00:00.000Z' })).problems;
    expect(problem).toMatchObject({ place: 'items[0].dueAt', isBlocking: true });
  });
});

describe('readAuditRecord, items', () => {
  it.each<[string, Partial<RecordedItem>, string]>([
    [
      'work that is done without an outcome',
      { outcome: 'NOT_ASSESSED' },
      'items[0]: An item is DONE only with an outcome other than NOT_ASSESSED',
    ],
    [
      'a rejection without a reason',
      { outcome: 'REJECTED' },
      'items[0]: The outcome REJECTED needs a reason: reasonCode and reason missing',
    ],
    [
      'a date that nothing ends on',
      { expiresAt: '2030-01-01T00:00:00.000Z' },
      'items[0]: Only DEFERRED and REJECTED can expire, and the outcome is APPLIED',
    ],
    ['a key that is there', { key: 'kernels/graphs' }, 'items[1].key: "kernels/graphs" is there twice'],
    [
      'an item of the checklist without a release',
      { release: null },
      'items[0]: A custom item has texts and no release, and one of the checklist a release and no texts',
    ],
    [
      'a person who says that they do not know',
      { overruling: { answer: 'UNKNOWN', reason: '?', by: null, at: null } },
      'items[0].overruling.answer: A person says YES or NO',
    ],
    [
      'an answer to a comment that is nowhere',
      {
        comments: [
          {
            id: ids.run(90),
            author: 'Ada',
            body: 'Yes',
            decision: null,
            createdAt: '2026-11-02T08:00:00.000Z',
            editedAt: null,
            replyTo: ids.run(91),
          },
        ],
      },
      `items[0].comments[0].replyTo: "${ids.run(91)}" is nowhere in the file`,
    ],
  ])('refuses %s', (_, said, fault) => {
    expect(faults(withItem('kernels/fusion', said))).toContain(fault);
  });

  it('refuses a custom item whose key could be one of a checklist, or whose texts are none', () => {
    expect(faults(withItem('custom/warm-cache', { key: 'kernels/other' }))).toEqual([
      'items[4].key: The key of a custom item is like custom/topic, and this one is "kernels/other"',
    ]);
    expect(faults(withItem('custom/warm-cache', { custom: { title: 1 } }))).toEqual([
      'items[4].custom: These are not the texts of a custom item',
    ]);
  });

  it('refuses a status that does not fit the date, and history of an item that is nowhere', () => {
    const entry = { at: '2026-11-02T08:00:00.000Z', by: null, subject: 'auditItem', subjectId: 'x', field: 'work', before: null, after: null, reason: null }; // prettier-ignore
    const record = measured(({ audit }) => ({
      audit: { ...audit, status: 'CLOSED' },
      history: [{ ...entry, itemKey: 'a/b' }],
    }));
    expect(faults(record)).toEqual([
      'audit.closedAt: does not fit the status CLOSED',
      'history[0].itemKey: "a/b" is nowhere in the file',
    ]);
  });
});

describe('readAuditRecord, measurements', () => {
  it.each<[string, AuditRecord, readonly string[]]>([
    [
      'a run that failed',
      withRun(0, { status: 'FAILED' }),
      [`trials[0].beforeRunIds[0]: The run "${ids.run(2)}" failed: its numbers are no measurement`],
    ],
    [
      'an arm without the metric',
      withRun(0, { observations: [] }),
      ['trials[0].primaryMetric: "throughput" was not observed in both arms'],
    ],
    [
      'a metric that is nowhere',
      withRun(0, { observations: [...observed(1), ...observed(2).map((one) => ({ ...one, metric: 'x' }))] }),
      ['runs[0].observations[1].metric: "x" is nowhere in the file'],
    ],
    [
      'a point twice',
      withRun(0, { observations: [...observed(1), ...observed(2)] }),
      ['runs[0].observations[1]: "throughput " is there twice'],
    ],
    [
      'an arm of nothing',
      withTrial(0, { afterRunIds: [] }),
      ['trials[0]: One arm has no runs', 'runs[1]: No trial is of this run'],
    ],
    [
      'a run in both arms',
      withTrial(0, { afterRunIds: [ids.run(2), ids.run(3)] }),
      [`trials[0].afterRunIds[0]: "${ids.run(2)}" is there twice`],
    ],
    ['a percentage', withTrial(0, { threshold: 5 }), ['trials[0].threshold: is a fraction, 0.05 for 5 %, and is 5']],
    [
      'a trial of another item',
      withTrial(0, { auditItemKey: 'kernels/graphs' }),
      [
        'trials[0].auditItemKey: No item "kernels/graphs" names this trial in trialIds',
        `items[kernels/fusion].trialIds: "${ids.trial(1)}" is nowhere in the file`,
      ],
    ],
    [
      'facts of no path',
      withRun(0, { environment: { 'no path!': 1 } }),
      ['runs[0].environment: environment.no path! is not a path such as gpu.sku or env.NCCL_ALGO'],
    ],
  ])('refuses %s', (_, record, expected) => {
    const { problems } = read(record);
    expect(faults(record)).toEqual(expected);
    expect(problems.every(({ isBlocking, message }) => isBlocking && /\p{Script=Han}/u.test(message.zh))).toBe(true);
  });

  it('refuses two runs of one part of a file', () => {
    const contentHash = 'a'.repeat(64);
    const record = measured(({ runs }) => ({ runs: runs.map((run) => ({ ...run, contentHash, part: 3 })) }));
    expect(faults(record)).toContain(`runs[1].contentHash: "${contentHash} 3" is there twice`);
  });

  it('refuses an own metric without a direction', () => {
    const record = measured(({ metrics }) => ({
      metrics: metrics.map((one) => ({ ...one, isOwn: true, direction: null })),
    }));
    expect(faults(record)).toEqual([
      'metrics[0].direction: A metric of a project is HIGHER_IS_BETTER or LOWER_IS_BETTER, and "throughput" is not',
    ]);
  });

  it('throws at no value, wherever it stands', () => {
    const record = measured();
    const values = hostileValues(record.audit.id);
    const places = [...placesOf(record).values()].flatMap(([path]) => (path ? [path] : []));
    // Each place with some of the values, other ones than its neighbors
    places.forEach((path, index) => {
      for (const value of values.filter((_, position) => position % 5 === index % 5)) {
        const content = spoiled(record, path, value);
        expect(() => readAuditRecord(content, now)).not.toThrow();
      }
    });
    expect(places.length).toBeGreaterThan(150);
  });

  it('keeps an item of the checklist beside one that is new to it', () => {
    const record = measured(({ items }) => ({ items: [...items, item('serving/new', 9, { assignee: ada })] }));
    expect(read(record)).toEqual({ record, problems: [] });
  });
});
