import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditItem } from '../../src/generated/prisma/client.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { assess, ownAudit, type OwnAudit } from '../support/own-audit.js';
import { importRelease } from '../support/own-release.js';
import { refused } from '../support/refused.js';
import { CHANGE } from '../support/scope-change.js';

const mutation = (name: string, fields = 'id'): string =>
  `mutation($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${fields} } }`;
const measured = {
  metric: 'training.throughput',
  sampling: 'SEPARATE_SESSIONS',
  before: [100, 101, 102, 103],
  after: [120, 121, 122, 123],
};

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const stored = (id: string): Promise<AuditItem> => app.db.auditItem.findUniqueOrThrow({ where: { id } });

async function send(who: { id: string }, name: string, input: object, fields = 'id') {
  const { data, errors } = await app.as(who).send(mutation(name, fields), { input });
  expect(errors).toEqual([]);
  return data[name];
}

async function addCustom({ contributor, auditId }: OwnAudit, topic: string): Promise<string> {
  const input = { auditId, section: 'rig', topic, title: topic, locale: 'EN' };
  return (await send(contributor, 'addCustomItem', input)).id;
}

async function archive({ contributor }: OwnAudit, id: string, isArchived: boolean): Promise<void> {
  const { version } = await stored(id);
  await send(contributor, 'archiveCustomItem', { id, version, isArchived, reason: 'So' });
}

/** Applies and measures an item, so that it is VERIFIED. */
async function verify(made: OwnAudit, id: string): Promise<void> {
  await send(made.contributor, 'recordMeasurement', { auditItemId: id, ...measured });
  await assess(app, made.contributor, id, { outcome: 'APPLIED', work: 'DONE' });
  expect((await stored(id)).measuredProof).toBe('VERIFIED');
}

describe('an archived item', () => {
  let made: OwnAudit;
  let id: string;
  let noteId: string;
  beforeAll(async () => {
    made = await ownAudit(app, [{ key: 'any' }], { hardware: 'h100-sxm' });
    id = await addCustom(made, 'gone');
    noteId = (
      await send(made.contributor, 'publishNote', { projectId: made.project.id, locale: 'EN', outcome: 'HELPED', title: 'A', body: 'B' })
    ).id;
    await assess(app, made.contributor, id, { outcome: 'APPLIED', remark: 'Kept' });
    await archive(made, id, true);
  }); // prettier-ignore

  /** Every mutation that names an item, with what it says of it; the id and the version are those of the item. */
  const mutations: readonly [string, object][] = [
    ['updateAuditItem', { remark: 'Changed' }],
    ['submitAuditItem', {}],
    ['acceptAuditItem', {}],
    ['rejectAuditItem', { comment: 'No' }],
    ['overruleApplicability', { answer: 'NO', reason: 'No' }],
    ['updateCustomItem', { effort: 'S' }],
  ];
  /** Those that say of which item something is to be made. */
  const makers: readonly [string, object][] = [
    ['recordMeasurement', measured],
    ['createTrial', { primaryMetric: 'training.throughput', variable: [], beforeRunIds: [], afterRunIds: [] }],
    ['publishNote', { locale: 'EN', outcome: 'HELPED', title: 'A', body: 'B' }],
    ['proposeItem', { key: 'rig/gone', why: 'Good' }],
  ];

  it.each([
    ...mutations.map(([name, input]) => [name, input, 'id'] as const),
    ...makers.map(([name, input]) => [name, input, 'auditItemId'] as const),
  ])('is not changed by %s', async (name, input, place) => {
    const { version } = await stored(id);
    const whole = { ...input, [place]: id, ...(place === 'id' ? { version } : {}) };
    for (const [who, message] of [
      [made.reviewer, 'This item is archived: it can be read, and not changed'],
      [await given.chineseMember(app.db, made.project.id, 'REVIEWER'), '该条目已归档，只能查看，不能修改'],
    ] as const) {
      expect(await refused(app, app.as(who), mutation(name), whole)).toMatchObject({
        code: 'CONFLICT',
        message,
        extensions: { current: { id, version, isArchived: true, remark: 'Kept' } },
      });
    }
  });

  it('takes up no note', async () => {
    const input = { auditId: made.auditId, noteId, itemKey: 'custom/gone' };
    expect(await refused(app, app.as(made.contributor), mutation('adoptNote'), input)).toMatchObject({
      code: 'CONFLICT',
      message: 'This item is archived: it can be read, and not changed',
    });
  });

  it('is still commented, as a closed audit is', async () => {
    await send(made.contributor, 'addComment', { auditItemId: id, body: 'Why?' });
    expect(await app.db.comment.count({ where: { auditItemId: id } })).toBe(1);
  });
});

describe('a change of the hardware', () => {
  it('reaches archived items, which come back with a re-check mark, and are not counted', async () => {
    const made = await ownAudit(app, [{ key: 'any' }, { key: 'gone' }], { hardware: 'h100-sxm' });
    const own = await addCustom(made, 'own');
    const gone = (await made.item('gone')).id;
    for (const id of [own, gone]) await verify(made, id);
    await archive(made, own, true);
    const item = (key: string) => ({ key: `rig/${key}`, title: { en: `The ${key}`, zh: `条目 ${key}` } });
    const upgrade = async () => {
      const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId } });
      await send(made.contributor, 'upgradeAudit', { auditId: made.auditId, version }, 'isPreview');
    };
    await importRelease(app, made.contributor, { slug: made.checklist, version: '2.0.0', items: [item('any')] });
    await upgrade();
    expect((await stored(gone)).isArchived).toBe(true);

    const { id, version } = await app.db.environment.findUniqueOrThrow({ where: { id: made.environment.id } });
    const changed = await send(made.maintainer, 'updateEnvironment', { id, version, hardware: 'h200-sxm' }, CHANGE);
    expect(changed.audits[0]).toMatchObject({
      counts: { recheck: 0, unchanged: 1 },
      items: { totalCount: 0 },
    });
    const cause = {
      en: 'GPU model (SKU) was H100 SXM, is H200 SXM; it was measured before that',
      zh: expect.stringContaining('原有测量是变更之前做的'),
    };
    await archive(made, own, false);
    await importRelease(app, made.contributor, { slug: made.checklist, version: '3.0.0', items: [item('any'), item('gone')] });
    await upgrade();
    for (const one of [own, gone]) {
      expect(await stored(one)).toMatchObject({
        isArchived: false, outcome: 'APPLIED', measuredProof: 'VERIFIED', recheckCode: 'ENVIRONMENT_CHANGED', recheckCause: cause,
      }); // prettier-ignore
    }
  }); // prettier-ignore
});
