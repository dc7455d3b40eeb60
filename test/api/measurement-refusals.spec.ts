import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { added, rowsOf } from '../support/rows.js';

const RECORD = `mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }`;

const throughput = {
  metric: 'training.throughput',
  before: [100, 101, 99, 100.5],
  after: [110, 111, 109, 110.5],
  sampling: 'SEPARATE_SESSIONS',
};

describe('recordMeasurement, where it is refused or repeated', () => {
  let app: TestApp;
  let shared: given.GivenAudit;
  let auditItemId: string;
  beforeAll(async () => {
    app = await startApp();
    shared = await given.audit(app.db);
    auditItemId = shared.item('precision/tf32').id;
  });
  afterAll(() => app.close());

  const send = (input: object) => app.as(shared.contributor).send(RECORD, { input: { auditItemId, ...input } });

  const wrong: [string, object, RegExp][] = [
    ['an empty arm', { before: [] }, /^before has 0 values; 1 to 1000 are needed$/],
    ['too many values', { after: Array.from({ length: 1001 }, () => 1) }, /^after has 1001 values/],
    ['uneven pairs', { before: [1, 2], after: [1], pairs: true }, /as many values before as after; there are 2 and 1/],
    ['an unknown metric', { metric: 'no.such' }, /^There is no metric "no.such"; .* unit and direction/],
    ['a metric of its own without a unit', { metric: 'x', direction: 'LOWER_IS_BETTER' }, /"x".* give unit/],
    ['a metric of its own without a direction', { metric: 'x', unit: 'ms' }, /"x".* unit and direction/],
    ['a target for its own metric', { metric: 'x', unit: 'ms', direction: 'TARGET' }, /"x" has no target/],
    ['a unit that is too long', { metric: 'x', unit: 'x'.repeat(65), direction: 'LOWER_IS_BETTER' }, /^unit has 65/],
    ['an empty name', { metric: ' ' }, /^metric is empty$/],
    ['a negative threshold', { threshold: -0.1 }, /^threshold must be 0 or more, and is -0.1$/],
    [
      'a threshold in percent',
      { threshold: 5 },
      /^threshold is a fraction of "training\.throughput", 0\.05 for 5 %, and is 5$/,
    ],
    ['bits for bytes', { metric: 'io.h2d_bandwidth', unit: 'Gbit/s' }, /^Cannot convert Gbit\/s to GB\/s/],
    ['requests for samples', { unit: 'requests/s' }, /^Cannot convert requests\/s to samples\/s/],
    ['a unit that nobody knows', { unit: 'furlong/s' }, /the unit "furlong\/s" is not known/],
    ['KB', { metric: 'io.remote_bytes', unit: 'KB' }, /"KB" can be read in more than one way. Write kB or KiB/],
    ['a value that gets too large', { metric: 'time.latency', unit: 'd', before: [1e300] }, /1e\+300 d of before/],
    [
      'a value beyond the largest',
      { before: [1.7e308] },
      /^The value 1\.7e\+308 is too large: at most 1e\+300 can be kept$/,
    ],
    ['facts that are a list', { environmentAfter: ['x'] }, /^environmentAfter must be an object$/],
    ['a fact twice', { environmentBefore: { gpu: { sku: 'a' }, 'gpu.sku': 'b' } }, /gpu\.sku is given twice/],
    ['an empty variable', { variable: ['a', ' '] }, /^variable\[1\] is empty$/],
    ['U+0000', { hypothesis: 'a\u0000b' }, /^\$input\.hypothesis contains U\+0000/],
    ['a clientMutationId without a character', { clientMutationId: '' }, /clientMutationId needs 1 to 200/],
  ];
  it.each(wrong)('refuses %s and writes nothing', async (_, change, message) => {
    const before = await rowsOf(app.db);
    const answer = await send({ ...throughput, ...change });
    expect(answer).toMatchObject({ data: null, errorCode: 'INVALID_INPUT' });
    expect(answer.errors[0]?.message).toMatch(message);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('refuses a number that is too large for a number', async () => {
    const before = await rowsOf(app.db);
    const answer = await app
      .as(shared.contributor)
      .send(
        `mutation { recordMeasurement(input: { auditItemId: "${auditItemId}", metric: "time.latency", before: [1e999], after: [1] }) { id } }`,
      );
    expect(answer).toMatchObject({ data: null, errorCode: 'INVALID_INPUT' });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it.each([
    ['a viewer of the project', 'viewer', 'FORBIDDEN'],
    ['a stranger', 'stranger', 'NOT_FOUND'],
    ['nobody', null, 'UNAUTHENTICATED'],
  ] as const)('refuses %s', async (_, who, code) => {
    const before = await rowsOf(app.db);
    const asked = app.as(who === null ? null : shared[who]);
    const answer = await asked.send(RECORD, { input: { auditItemId, ...throughput } });
    expect(answer).toMatchObject({ data: null, errorCode: code });
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('says the same of an item that is not there as a stranger hears', async () => {
    const missing = await app.owner.send(RECORD, { input: { ...throughput, auditItemId: 'none' } });
    expect(missing.errors[0]).toMatchObject({
      message: 'There is no audit item "none"',
      extensions: { code: 'NOT_FOUND' },
    });
  });

  it('refuses a closed audit', async () => {
    const closed = await given.audit(app.db, { status: 'CLOSED' });
    const before = await rowsOf(app.db);
    const input = { ...throughput, auditItemId: closed.item('precision/tf32').id };
    expect((await app.as(closed.maintainer).send(RECORD, { input })).errorCode).toBe('CONFLICT');
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });

  it('takes the same request once, however often and at whatever time it comes', async () => {
    const input = { ...throughput, clientMutationId: 'measured-once' };
    const before = await rowsOf(app.db);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(input)));
    answers.push(await send(input));
    expect(new Set(answers.map(({ data }) => data.recordMeasurement.id)).size).toBe(1);
    expect(added(before, await rowsOf(app.db))).toMatchObject({ Trial: 1, Run: 8, HandledRequest: 1 });
    const other = await send({ ...input, after: [1, 2, 3, 4] });
    expect(other.errors[0]?.message).toBe('clientMutationId "measured-once" was used for another request');
  });

  it('makes one metric of one name that several audits record at the same moment', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => given.anotherItem(app.db, shared, 'precision/tf32')));
    const own = { ...throughput, metric: 'at once', unit: 'ms', direction: 'LOWER_IS_BETTER' };
    const answers = await Promise.all(ids.map((id) => send({ ...own, auditItemId: id })));
    expect(answers.map(({ errorCode }) => errorCode)).toEqual(ids.map(() => undefined));
    expect(await app.db.metric.count({ where: { key: 'at once' } })).toBe(1);
  });
});
