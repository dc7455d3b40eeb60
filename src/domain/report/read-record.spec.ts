import { describe, expect, it } from '@jest/globals';
import { hostileValues, placesOf, spoiled } from '../../../test/support/hostile-values.js';
import { ada, item, ids, smallRecord } from '../../../test/support/small-record.js';
import type { AuditRecord, RecordedItem } from './audit-record.js';
import type { RecordedRun, RecordedTrial } from './measurement-record.js';
import { readAuditRecord } from './read-record.js';

const observed = (value: number): RecordedRun['observations'] => [
  { metric: 'throughput', dimensions: {}, value, repeats: [], blocks: [], samples: [], distribution: null },
];

/** A record whose runs say what its trials are about. */
function measured(change: (record: AuditRecord) => Partial<AuditRecord> = () => ({})): AuditRecord {
  const record = smallRecord(({ runs, items }) => ({
    runs: runs.map((run) => ({ ...run, observations: observed(100) })),
    items: items.map((one) => (one.key === 'serving/batching' ? { ...one, trialIds: [ids.trial(3)] } : one)),
  }));
  return { ...record, ...change(record) };
}

const now = new Date('2026-11-03T00:00:00.000Z');
const read = (record: object) => readAuditRecord(JSON.stringify(record), now);
/** What is wrong, as `place: message`. */
const faults = (record: object) => read(record).problems.map(({ place, message }) => `${place}: ${message.en}`);

const withItem = (key: string, said: Partial<RecordedItem>) =>
  measured(({ items }) => ({ items: items.map((one) => (one.key === key ? { ...one, ...said } : one)) }));
const withRun = (index: number, said: Partial<RecordedRun>) =>
  measured(({ runs }) => ({ runs: runs.map((one, position) => (position === index ? { ...one, ...said } : one)) }));
const withTrial = (index: number, said: Partial<RecordedTrial>) =>
  measured(({ trials }) => ({
    trials: trials.map((one, position) => (position === index ? { ...one, ...said } : one)),
  }));

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
    ['U+D800–U+DFFF', 'a\ud800b'],
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

describe('readAuditRecord, what costs time', () => {
  const within = (milliseconds: number, content: string) => {
    const began = performance.now();
    const { problems } = readAuditRecord(content, now);
    expect(performance.now() - began).toBeLessThan(milliseconds);
    return problems.map(({ place, message }) => `${place}: ${message.en}`);
  };

  it('says of a list that is too long that it is, and looks at none of its entries', () => {
    const junk = { ...measured(), items: Array.from({ length: 200_000 }, () => ({ id: 1 })) };
    // It takes less than a tenth of it: a look at each entry took 42 s
    expect(within(10_000, JSON.stringify(junk))).toEqual(['items: Too big: expected array to have <=5000 items']);
    const { runs } = measured();
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, {}]));
    const many = measured(() => ({
      runs: runs.map((run) => ({ ...run, environment: keys as RecordedRun['environment'] })),
    }));
    expect(within(10_000, JSON.stringify(many))[0]).toBe(
      'runs[0].environment: Too big: expected map to have <=500 entries',
    );
  });

  it('says of a list of junk what is wrong with the first entries', () => {
    const history = Array.from({ length: 200_000 }, () => ({}));
    const found = within(10_000, JSON.stringify({ ...measured(), history }));
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
      measured(({ audit }) => ({
        audit: {
          ...audit,
          timeBreakdown: {
            compute: 0.5,
            communication: null,
            input: null,
            host: null,
            source: 'TYPED',
            of: 'STEP',
            note: 'x'.repeat(100_001),
            at: now.toISOString(),
            byId: null,
          },
        },
      })),
      'audit.timeBreakdown.note: Too big: expected string to have <=100000 characters',
    ],
    [
      'a time breakdown of no time',
      measured(({ audit }) => ({
        audit: {
          ...audit,
          timeBreakdown: {
            compute: 0.5,
            communication: null,
            input: null,
            host: null,
            source: 'TYPED',
            of: 'STEP',
            note: null,
            at: 'yesterday',
            byId: null,
          },
        },
      })),
      'audit.timeBreakdown.at: Invalid ISO datetime',
    ],
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
      'history[0].subject: Invalid option: expected one of "checklist"|"project"|"environment"|"audit"|"auditItem"|"comment"|"milestone"|"proposal"|"run"|"trial"|"note"',
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
