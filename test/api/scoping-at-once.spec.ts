import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExpiryService } from '../../src/features/audits/expiry.service.js';
import * as given from '../support/given.js';
import { startApp, type Answer, type TestApp } from '../support/app.js';
import { serverUrl } from '../support/database.js';
import { itemOf, ownAudit, type OwnAudit, type OwnItem } from '../support/own-audit.js';

const UPDATE = `mutation($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) { environment { version } audits { audit { id } counts { comesIn recheck } } }
}`;
const SET = 'mutation($input: SetAuditEnvironmentInput!) { setAuditEnvironment(input: $input) { auditCount } }';
const OPEN = 'mutation($input: OpenAuditInput!) { openAudit(input: $input) { id } }';
const UPDATE_ITEM = 'mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }';
const OVERRULE = 'mutation($input: OverruleApplicabilityInput!) { overruleApplicability(input: $input) { id } }';

const numbers = Array.from({ length: 6 }, (_, index) => index);
/** Six items that a new PyTorch brings in, and one that it does not touch. */
const rig: readonly OwnItem[] = [
  ...numbers.map((number) => ({ key: `torch-${number}`, applicability: { torch: { version: '>=2.8' } } })),
  { key: 'any' },
];
const machine = { facts: { torch: '2.7.1' } };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** What came of requests: nothing for success, else the code of the error. */
const codes = (answers: readonly Answer[]): (string | undefined)[] => answers.map(({ errorCode }) => errorCode);

const upgrade = (made: OwnAudit, change: object = {}) =>
  app.as(made.maintainer).send(UPDATE, {
    input: { id: made.environment.id, version: 1, factChanges: { torch: '2.9.0' }, ...change },
  });

/** Sees that every audit of the project says what the rules say of the environment that it is in now. */
async function expectNoStaleScope({ project }: given.Team): Promise<void> {
  const audits = await app.db.audit.findMany({
    where: { projectId: project.id },
    include: { environment: true, items: { orderBy: { position: 'asc' } } },
  });
  for (const { environment, scopeFacts, items } of audits) {
    const facts = environment?.facts ?? {};
    expect(scopeFacts).toEqual(facts);
    const torch = (facts as Record<string, string>)['torch'];
    const answer = torch === undefined ? 'UNKNOWN' : torch === '2.7.1' ? 'NO' : 'YES';
    expect(items.map(({ applies }) => applies)).toEqual([...numbers.map(() => answer), 'YES']);
  }
}

describe('a change of an environment', () => {
  it('and assessments of its items at once lose nothing, and leave no result without its re-check', async () => {
    const made = await ownAudit(app, rig, machine);
    const ids = await Promise.all(numbers.map(async (number) => (await made.item(`torch-${number}`)).id));
    const assess = (id: string) =>
      app.as(made.contributor).send(UPDATE_ITEM, { input: { id, version: 1, outcome: 'DEFERRED', remark: 'At once' } });
    const [early, late] = [ids.slice(0, 3), ids.slice(3)];
    const [first, change, second] = await Promise.all([
      Promise.all(early.map(assess)),
      upgrade(made),
      Promise.all(late.map(assess)),
    ]);
    expect(change.errors).toEqual([]);
    for (const [index, { errorCode }] of [...first, ...second].entries()) {
      const item = await app.db.auditItem.findUniqueOrThrow({ where: { id: ids[index] ?? '' } });
      // Whoever came first is scoped anew with a mark; whoever came later knew an item that is no more.
      expect([errorCode, item.remark, item.outcome, item.recheckCode, item.version]).toEqual(
        errorCode === undefined
          ? [undefined, 'At once', 'DEFERRED', 'ENVIRONMENT_CHANGED', 3]
          : ['CONFLICT', null, 'NOT_ASSESSED', null, 2],
      );
    }
    await expectNoStaleScope(made);
  });

  it('and overrulings at once lose nothing', async () => {
    const made = await ownAudit(app, rig, machine);
    const ids = await Promise.all(numbers.map(async (number) => (await made.item(`torch-${number}`)).id));
    const overrule = (id: string) =>
      app.as(made.contributor).send(OVERRULE, { input: { id, version: 1, answer: 'NO', reason: 'At once' } });
    const [change, ...overruled] = await Promise.all([upgrade(made), ...ids.map(overrule)]);
    expect(change.errors).toEqual([]);
    for (const [index, { errorCode }] of overruled.entries()) {
      const item = await app.db.auditItem.findUniqueOrThrow({ where: { id: ids[index] ?? '' } });
      expect([errorCode, item.overruled, item.recheckCode]).toEqual(
        errorCode === undefined ? [undefined, 'NO', 'ENVIRONMENT_CHANGED'] : ['CONFLICT', null, null],
      );
    }
    await expectNoStaleScope(made);
  });

  it('and another one at once are one change and one CONFLICT', async () => {
    const made = await ownAudit(app, rig, machine);
    const answers = await Promise.all(
      ['2.8.0', '2.9.0', '2.10.0'].map((torch) => upgrade(made, { factChanges: { torch } })),
    );
    expect(codes(answers).filter((code) => code === undefined)).toHaveLength(1);
    const refused = answers.flatMap(({ errors }) => errors);
    for (const { message, extensions } of refused) {
      expect(message).toBe('This environment changed meanwhile: it is at version 2, and your change is based on 1');
      expect(extensions).toMatchObject({ code: 'CONFLICT', current: { id: made.environment.id, version: 2 } });
    }
    expect(refused).toHaveLength(2);
    expect((await made.item('torch-0')).version).toBe(2);
    await expectNoStaleScope(made);
  });

  it('is made once by five equal requests at once', async () => {
    const made = await ownAudit(app, rig, machine);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => upgrade(made, { clientMutationId: 'five' })));
    expect(answers.map(({ data }) => data)).toEqual(
      answers.map(() => ({
        updateEnvironment: {
          environment: { version: 2 },
          audits: [{ audit: { id: made.auditId }, counts: { comesIn: 6, recheck: 0 } }],
        },
      })),
    );
    expect((await made.item('torch-0')).version).toBe(2);
  });

  it('and audits that are opened at once never leave an audit with the old scope', async () => {
    const made = await ownAudit(app, rig, machine);
    const open = () =>
      app.as(made.contributor).send(OPEN, { input: { projectId: made.project.id, checklist: made.checklist } });
    const [before, change, after] = await Promise.all([
      Promise.all([open(), open()]),
      upgrade(made),
      Promise.all([open(), open(), open()]),
    ]);
    expect(change.errors).toEqual([]);
    const refused = [...before, ...after].flatMap(({ errors }) => errors);
    for (const { message, extensions } of refused) {
      expect(message).toBe('The environment changed at this moment; try again');
      expect(extensions).toMatchObject({ code: 'CONFLICT', current: { id: made.environment.id, version: 2 } });
    }
    expect(await app.db.audit.count({ where: { projectId: made.project.id } })).toBe(1 + 5 - refused.length);
    await expectNoStaleScope(made);
  });

  it('and audits that move in and out at once leave every audit with the scope of where it is', async () => {
    const made = await ownAudit(app, rig, machine);
    const other = await given.environment(app.db, made.project.id, { facts: { torch: '2.7.1', nccl: '2.24.3' } });
    const open = (environmentId: string) =>
      app
        .as(made.contributor)
        .send(OPEN, { input: { projectId: made.project.id, checklist: made.checklist, environmentId } });
    const inside = await Promise.all([1, 2, 3].map(async () => (await open(made.environment.id)).data.openAudit.id));
    const outside = await Promise.all([1, 2, 3].map(async () => (await open(other.id)).data.openAudit.id));
    const move = (auditId: string, environmentId: string | null) =>
      app.as(made.contributor).send(SET, { input: { auditId, version: 1, environmentId } });
    const answers = await Promise.all([
      ...inside.map((id, index) => move(id, index === 0 ? null : other.id)),
      upgrade(made),
      ...outside.map((id) => move(id, made.environment.id)),
      app.as(made.maintainer).send(UPDATE, { input: { id: other.id, version: 1, factChanges: { torch: '2.10.0' } } }),
    ]);
    expect([answers[3]?.errors, answers[7]?.errors]).toEqual([[], []]);
    const refused = answers.flatMap(({ errors }) => errors.map(({ message }) => message));
    expect(new Set(refused).size).toBeLessThanOrEqual(1);
    for (const message of refused) expect(message).toBe('The environment changed at this moment; try again');
    await expectNoStaleScope(made);
  });

  it('gives one of two environments a name that both want', async () => {
    const made = await ownAudit(app, rig, machine);
    const other = await given.environment(app.db, made.project.id, machine);
    const rename = (id: string) =>
      app.as(made.maintainer).send(UPDATE, { input: { id, version: 1, name: 'Wanted by both' } });
    const answers = await Promise.all([rename(made.environment.id), rename(other.id)]);
    expect(new Set(codes(answers))).toEqual(new Set([undefined, 'CONFLICT']));
    expect(answers.flatMap(({ errors }) => errors.map(({ message }) => message))).toEqual([
      'The project has an environment "Wanted by both" already',
    ]);
    expect((await itemOf(app, made.auditId, 'any')).version).toBe(1);
  });
});

describe('dates that are reached in several audits, and a change of their environment', () => {
  /** Open audits in one environment, each with an item whose date is reached; their ids in order, and those of the items. */
  async function dated(made: OwnAudit): Promise<{ auditIds: string[]; itemIds: string[] }> {
    const auditIds = [made.auditId];
    for (let count = 1; count < 4; count += 1) {
      const input = { projectId: made.project.id, checklist: made.checklist };
      auditIds.push((await app.as(made.contributor).send(OPEN, { input })).data.openAudit.id);
    }
    auditIds.sort();
    const itemIds: string[] = [];
    // Their rows lie in the database in another order than their ids
    for (const auditId of [...auditIds].reverse()) {
      await app.db.audit.update({ where: { id: auditId }, data: { touchedAt: new Date() } });
      const { id } = await itemOf(app, auditId, 'any');
      const said = { outcome: 'DEFERRED', expiresAt: new Date('2026-02-01') } as const;
      await app.db.auditItem.update({ where: { id }, data: said });
      itemIds.push(id);
    }
    return { auditIds, itemIds };
  }
  const expire = () => app.nest.get(ExpiryService, { strict: false }).expire(new Date('2026-03-01'));

  it('at once are both made', async () => {
    const made = await ownAudit(app, rig, machine);
    const { itemIds } = await dated(made);
    const [count, change] = await Promise.all([expire(), upgrade(made)]);
    expect([count, change.errors]).toEqual([4, []]);
    const marked = { id: { in: itemIds }, recheckCode: 'EXPIRED', version: 2 } as const;
    expect(await app.db.auditItem.count({ where: marked })).toBe(4);
    await expectNoStaleScope(made);
  });

  const onServer = serverUrl === null ? it.skip : it;
  onServer.each<[string, (made: OwnAudit) => Promise<unknown>]>([
    ['dates that are reached', expire],
    ['a change of the environment', upgrade],
  ])(
    'take the audits by their ids, so that neither waits for ever: %s (needs a PostgreSQL server)',
    async (_, work) => {
      const made = await ownAudit(app, rig, machine);
      const { auditIds } = await dated(made);
      let underWay: Promise<unknown> = Promise.resolve();
      await app.db.$transaction(async (tx) => {
        await tx.audit.update({ where: { id: auditIds[0] ?? '' }, data: { touchedAt: new Date() } });
        underWay = work(made);
        for (let waiting = 0; waiting === 0;) {
          await setTimeout(20);
          const found = await app.db.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          waiting = found.length;
        }
        const free = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM "Audit" WHERE id = ANY (${auditIds}) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;
        expect(free.map(({ id }) => id)).toEqual(auditIds);
      });
      await underWay;
    },
  );
});
