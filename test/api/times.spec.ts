import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { added, rowsOf } from '../support/rows.js';

// A time that a database or a reader cannot give back is refused wherever one is given.

let app: TestApp;
let made: given.GivenAudit;
let chinese: { id: string };
let logged: jest.SpiedFunction<Logger['error']>;
beforeAll(async () => {
  app = await startApp();
  made = await given.audit(app.db);
  chinese = await given.chineseMember(app.db, made.project.id);
});
afterAll(() => app.close());
beforeEach(() => {
  logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
});
afterEach(() => {
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
});

const outside = [
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
  ['0000-12-31T23:59:59.999Z', '0000-12-31T23:59:59.999Z'],
  ['0001-01-01T00:00:00+23:59', '0001-01-01T00:00:00+23:59'],
  ['9999-12-31T23:59:59-00:01', '9999-12-31T23:59:59-00:01'],
] as const;
const none = ['', '2027-01-01', '2026-02-30T00:00:00Z', '2027-01-01T24:00:00Z', '+010000-01-01T00:00:00Z', 'now'];

const UPDATE = 'mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { dueAt } }';
const first = () => made.items[0]?.id ?? '';
const version = async () => (await app.db.auditItem.findUniqueOrThrow({ where: { id: first() } })).version;

/** Every place that takes a time, as a request of the contributor. */
const places: readonly (readonly [
  string,
  string,
  (time: string) => Promise<Record<string, unknown>> | Record<string, unknown>,
])[] = [
  ['updateAuditItem.dueAt', UPDATE, async (dueAt) => ({ input: { id: first(), version: await version(), dueAt } })],
  [
    'updateAuditItem.expiresAt',
    UPDATE,
    async (expiresAt) => ({ input: { id: first(), version: await version(), outcome: 'DEFERRED', expiresAt } }),
  ],
  [
    'bulkUpdateAuditItems.patch.dueAt',
    'mutation($input: BulkUpdateAuditItemsInput!) { bulkUpdateAuditItems(input: $input) { changed } }',
    (dueAt) => ({ input: { auditId: made.audit.id, patch: { dueAt } } }),
  ],
  [
    'bulkUpdateAuditItems.unchangedSince',
    'mutation($input: BulkUpdateAuditItemsInput!) { bulkUpdateAuditItems(input: $input) { changed } }',
    (unchangedSince) => ({ input: { auditId: made.audit.id, patch: { priority: 'LOW' }, unchangedSince } }),
  ],
  [
    'addCustomItem.sources.checkedAt',
    'mutation($input: AddCustomItemInput!) { addCustomItem(input: $input) { id } }',
    (checkedAt) => ({
      input: {
        auditId: made.audit.id,
        section: 'io',
        topic: 'rack-fans',
        title: 'Fans',
        locale: 'EN',
        sources: [{ title: 'Manual', url: 'https://example.org/', checkedAt }],
      },
    }),
  ],
  [
    'AuditItemFilter.dueBefore',
    'query($id: ID!, $time: DateTime) { audit(id: $id) { items(filter: { dueBefore: $time }) { totalCount } } }',
    (time) => ({ id: made.audit.id, time }),
  ],
  [
    'HistoryFilter.since and until',
    'query($id: ID!, $time: DateTime) { audit(id: $id) { history(filter: { since: $time, until: $time }) { totalCount } } }',
    (time) => ({ id: made.audit.id, time }),
  ],
];

describe('a time', () => {
  it.each(places)('outside the years 1 to 9999 is refused as %s', async (_, query, variablesOf) => {
    const before = await rowsOf(app.db);
    // More often than it takes until a query is compiled
    for (const [time, shown] of outside) {
      const variables = await variablesOf(time);
      const { errors } = await app.as(made.contributor).send(query, variables);
      expect(errors.map(({ message, extensions }) => [message, extensions])).toEqual([
        [`The time ${shown} lies outside the years 1 to 9999 in UTC`, { code: 'INVALID_INPUT', value: shown }],
      ]);
      const { errors: inChinese } = await app.as(chinese).send(query, variables);
      expect(inChinese[0]?.message).toBe(`时间 ${shown} 超出 UTC 公元 1 至 9999 年的范围`);
    }
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('that is none is refused, by its value', async () => {
    for (const time of none) {
      const { errors } = await app
        .as(made.contributor)
        .send(UPDATE, { input: { id: first(), version: await version(), dueAt: time } });
      expect(errors.map(({ message, extensions }) => [message, extensions['code']])).toEqual([
        [`"${time}" is no time as 2026-12-01T08:00:00Z`, 'INVALID_INPUT'],
      ]);
    }
    for (const { time, shown } of [
      { time: 5, shown: '5' },
      { time: true, shown: 'true' },
      { time: { year: 1 }, shown: '{"year":1}' },
    ]) {
      const { errors } = await app.as(chinese).send(UPDATE, { input: { id: first(), version: await version(), dueAt: time } });
      expect(errors[0]?.message).toBe(`${shown} 不是 2026-12-01T08:00:00Z 这种格式的时间`);
    }
  }); // prettier-ignore

  it('is refused in the text of a query too', async () => {
    const ask = (time: string) =>
      app
        .as(chinese)
        .send(`{ audit(id: "${made.audit.id}") { items(filter: { dueBefore: ${time} }) { totalCount } } }`);
    const { errors } = await ask('"0000-01-01T00:00:00Z"');
    expect(errors.map(({ message, extensions }) => [message, extensions['code']])).toEqual([
      ['时间 0000-01-01T00:00:00Z 超出 UTC 公元 1 至 9999 年的范围', 'INVALID_INPUT'],
    ]);
    expect((await ask('2027')).errors[0]?.message).toBe('null 不是 2026-12-01T08:00:00Z 这种格式的时间');
    expect((await ask('"2027-01-01T00:00:00Z"')).errors).toEqual([]);
  });

  it.each(['0001-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    'of %s comes back as it was given',
    async (dueAt) => {
      const { data, errors } = await app
        .as(made.contributor)
        .send(UPDATE, { input: { id: first(), version: await version(), dueAt } });
      expect([errors, data]).toEqual([[], { updateAuditItem: { dueAt } }]);
      const QUEUE = '{ viewer { queue { edges { node { dueAt } } } } }';
      expect((await app.as(made.contributor).send(QUEUE)).errors).toEqual([]);
    },
  );
});

describe('a cursor', () => {
  const cursor = (key: string) => Buffer.from(`v1:${key}`).toString('base64url');
  it.each([
    '-271821-04-20T00:00:00.000Z 01',
    '+275760-09-13T00:00:00.000Z 01',
    '0000-01-01T00:00:00.000Z 01',
    '2026-13-01T00:00:00.000Z 01',
    '2026-02-30T00:00:00.000Z 01',
    '2026 01',
    '2026-01-01T00:00:00.000Z',
  ])('of comments and of the history holds no time such as "%s"', async (key) => {
    const after = cursor(key);
    const { errors: ofComments } = await app
      .as(made.viewer)
      .send('query($id: ID!, $after: String) { auditItem(id: $id) { comments(after: $after) { totalCount } } }', {
        id: first(),
        after,
      });
    const { errors: ofHistory } = await app
      .as(made.viewer)
      .send('query($id: ID!, $after: String) { audit(id: $id) { history(after: $after) { totalCount } } }', {
        id: made.audit.id,
        after,
      });
    for (const [error] of [ofComments, ofHistory]) {
      expect([error?.message, error?.extensions['code']]).toEqual([
        `"${after}" is not a cursor of this list`,
        'INVALID_INPUT',
      ]);
    }
  });
});
