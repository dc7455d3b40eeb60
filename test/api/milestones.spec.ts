import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { milestoneSnapshot } from '../../src/domain/audit/milestone.js';
import { toJson } from '../../src/platform/database/json.js';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { assess, open, ownAudit, type OwnAudit } from '../support/own-audit.js';
import { refused } from '../support/refused.js';

const CREATE = `mutation($input: CreateMilestoneInput!) {
  createMilestone(input: $input) { id name createdByName createdBy { name } release audit { id } }
}`;
const STATE = `checklist release status environmentName hardware facts timeBreakdown
  progress { total applicable assessed done verified }`;
const ITEM = `key isCustom isArchived section title { en zh } applies derived overruled work outcome reasonCode reason
  remark recheck proof assignee verdict { metric verdict gain gainLow gainHigh evidence }`;
const MILESTONE = `query($id: ID!, $first: Int, $after: String) {
  milestone(id: $id) {
    id name createdAt createdByName createdBy { id } ${STATE}
    items(first: $first, after: $after) { totalCount pageInfo { endCursor hasNextPage } edges { node { ${ITEM} } } }
  }
}`;
const DIFFERENCE = `query($before: ID!, $after: ID, $kinds: [MilestoneDifferenceKind!]) {
  milestoneDifference(before: $before, after: $after) {
    before { ${STATE} milestone { name } } after { ${STATE} milestone { name } }
    environment { key name { en zh } before after }
    counts { added removed work outcome proof verdict applicability recheck text unchanged }
    items(kinds: $kinds) { totalCount edges { node {
      key title { en zh } kinds before { work outcome proof remark } after { work outcome proof remark }
    } } }
  }
}`;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const machine = { hardware: 'h100-sxm', facts: { cuda: '12.4' } };

async function take(made: OwnAudit, name = 'Before the change', input: object = {}): Promise<string> {
  const { data, errors } = await app.as(made.contributor).send(CREATE, {
    input: { auditId: made.auditId, name, ...input },
  });
  expect(errors).toEqual([]);
  return data.createMilestone.id;
}

async function milestone(id: string, who: { id: string }, page: object = {}) {
  const { data, errors } = await app.as(who).send(MILESTONE, { id, first: 100, ...page });
  expect(errors).toEqual([]);
  return data.milestone;
}

async function difference(who: { id: string }, before: string, after: string | null = null, kinds?: string[]) {
  const { data, errors } = await app.as(who).send(DIFFERENCE, { before, after, kinds });
  expect(errors).toEqual([]);
  return data.milestoneDifference;
}

/** A trial that improves by a fifth: the item is VERIFIED where it is applied. */
async function measure(made: OwnAudit, key: string): Promise<void> {
  const input = {
    auditItemId: (await made.item(key)).id,
    metric: 'training.throughput',
    before: [100, 101, 102, 103],
    after: [120, 121, 122, 123],
    sampling: 'SEPARATE_SESSIONS',
  };
  const { errors } = await app
    .as(made.contributor)
    .send('mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }', { input });
  expect(errors).toEqual([]);
}

describe('createMilestone', () => {
  it('keeps how the audit stands, whole, whatever becomes of it afterwards', async () => {
    const made = await ownAudit(app, [{ key: 'one' }, { key: 'two', applicability: { vendor: 'amd' } }], machine);
    const one = await made.item('one');
    await measure(made, 'one');
    await assess(app, made.contributor, one.id, {
      work: 'DONE', outcome: 'APPLIED', remark: '已启用', assigneeId: made.reviewer.id,
    }); // prettier-ignore
    const id = await take(made);
    await assess(app, made.contributor, one.id, {
      outcome: 'REJECTED',
      reasonCode: 'OTHER',
      reason: 'No',
      remark: null,
    });

    const kept = await milestone(id, made.viewer);
    expect(kept).toEqual({
      id,
      name: 'Before the change',
      createdAt: expect.any(String),
      createdByName: 'contributor',
      createdBy: { id: made.contributor.id },
      checklist: made.checklist,
      release: '1.0.0',
      status: 'OPEN',
      environmentName: 'default',
      hardware: 'h100-sxm',
      facts: { cuda: '12.4' },
      timeBreakdown: null,
      progress: { total: 2, applicable: 1, assessed: 1, done: 1, verified: 1 },
      items: { totalCount: 2, pageInfo: expect.any(Object), edges: expect.any(Array) },
    });
    const [first, second] = kept.items.edges.map(({ node }: { node: unknown }) => node);
    expect(first).toMatchObject({
      key: 'rig/one',
      isCustom: false,
      isArchived: false,
      section: 'rig',
      title: { en: 'The one', zh: '条目 one' },
      applies: 'YES',
      derived: 'YES',
      overruled: null,
      work: 'DONE',
      outcome: 'APPLIED',
      reasonCode: null,
      reason: null,
      remark: '已启用',
      recheck: null,
      proof: 'VERIFIED',
      assignee: 'reviewer',
      verdict: { metric: 'training.throughput', verdict: 'IMPROVED', evidence: 'STATISTICAL' },
    });
    expect(first.verdict.gain).toBeCloseTo(0.197, 2);
    expect(first.verdict.gainLow).toBeLessThan(first.verdict.gain);
    expect(first.verdict.gainHigh).toBeGreaterThan(first.verdict.gain);
    expect(second).toMatchObject({
      key: 'rig/two',
      applies: 'NO',
      outcome: 'NOT_ASSESSED',
      proof: null,
      verdict: null,
    });
  });

  it('keeps items of the audit alone, and archived ones behind all others', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const add = (topic: string) =>
      app.as(made.contributor).send('mutation($input: AddCustomItemInput!) { addCustomItem(input: $input) { id version } }', {
        input: { auditId: made.auditId, section: 'rig', topic, title: '路由回放', locale: 'ZH' },
      });
    const { data } = await add('gone');
    await add('there');
    const archive = { id: data.addCustomItem.id, version: 1, isArchived: true, reason: 'Twice' };
    await app
      .as(made.contributor)
      .send('mutation($input: ArchiveCustomItemInput!) { archiveCustomItem(input: $input) { id } }', { input: archive });
    const { items, progress } = await milestone(await take(made), made.viewer);
    expect(
      items.edges.map(({ node }: { node: { key: string; isCustom: boolean; isArchived: boolean; section: string } }) => [
        node.key, node.isCustom, node.isArchived, node.section,
      ]),
    ).toEqual([
      ['rig/one', false, false, 'rig'],
      ['custom/there', true, false, 'rig'],
      ['custom/gone', true, true, 'rig'],
    ]);
    expect(items.edges[1].node.title).toEqual({ en: null, zh: '路由回放' });
    expect(progress.total).toBe(2);
  }); // prettier-ignore

  it('is listed with the audit, newest first, page by page, and told by the history', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const ids = [await take(made, 'First'), await take(made, 'Second'), await take(made, 'Third')];
    const list = async (after: string | null) => {
      const query = `query($id: ID!, $after: String) {
        audit(id: $id) { milestones(first: 2, after: $after) { totalCount pageInfo { endCursor hasNextPage } edges { node { name progress { total } } } } }
      }`;
      return (await app.as(made.viewer).send(query, { id: made.auditId, after })).data.audit.milestones;
    };
    const page = await list(null);
    expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(page.edges.map(({ node }: { node: { name: string } }) => node.name)).toEqual(['Third', 'Second']);
    const rest = await list(page.pageInfo.endCursor);
    expect(rest.edges).toEqual([{ node: { name: 'First', progress: { total: 1 } } }]);
    const entries = await app.db.historyEntry.findMany({ where: { auditId: made.auditId, subject: 'milestone' }, orderBy: { id: 'asc' } }); // prettier-ignore
    expect(entries.map(({ subjectId, field, after }) => [subjectId, field, after])).toEqual(
      ids.map((id, index) => [
        id,
        'created',
        {
          name: ['First', 'Second', 'Third'][index],
          release: '1.0.0',
          progress: { total: 1, applicable: 1, assessed: 0, done: 0, verified: 0 },
        },
      ]),
    );
  });

  it('pages its items by their keys', async () => {
    const made = await ownAudit(app, [{ key: 'one' }, { key: 'two' }, { key: 'three' }]);
    const id = await take(made);
    const first = (await milestone(id, made.viewer, { first: 2 })).items;
    expect(first.edges.map(({ node }: { node: { key: string } }) => node.key)).toEqual(['rig/one', 'rig/two']);
    const rest = (await milestone(id, made.viewer, { first: 2, after: first.pageInfo.endCursor })).items;
    expect(rest.edges.map(({ node }: { node: { key: string } }) => node.key)).toEqual(['rig/three']);
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });

  it('is taken once for a repeated request', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const again = { clientMutationId: 'milestone-1' };
    expect(await take(made, 'Once', again)).toBe(await take(made, 'Once', again));
    expect(await app.db.milestone.count({ where: { auditId: made.auditId } })).toBe(1);
  });

  it('needs few statements, however many items there are', async () => {
    const small = await ownAudit(app, [{ key: 'one' }]);
    const large = await ownAudit(
      app,
      Array.from({ length: 60 }, (_, index) => ({ key: `item-${index}` })),
    );
    const [few, many] = [await app.statementsOf(() => take(small)), await app.statementsOf(() => take(large))];
    expect(many).toBe(few);
    const ids = [await take(small, 'Once more'), await take(large, 'Once more')] as const;
    const read = [
      await app.statementsOf(() => milestone(ids[0], small.viewer)),
      await app.statementsOf(() => milestone(ids[1], large.viewer)),
    ];
    expect(read[1]).toBe(read[0]);
  });

  it('refuses a closed audit, members who only read, strangers and empty names', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const input = { auditId: made.auditId, name: 'Name' };
    expect(await refused(app, app.as(made.viewer), CREATE, input)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refused(app, app.as(made.stranger), CREATE, input)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(app, app.as(null), CREATE, input)).toMatchObject({ code: 'UNAUTHENTICATED' });
    const empty = await refused(app, app.as(made.contributor), CREATE, { ...input, name: ' ' });
    expect(empty).toMatchObject({ code: 'INVALID_INPUT', message: 'name is empty' });
    await app.db.audit.update({ where: { id: made.auditId }, data: { status: 'CLOSED' } });
    expect(await refused(app, app.as(made.contributor), CREATE, input)).toMatchObject({ code: 'CONFLICT' });
    const chinese = await given.chineseMember(app.db, made.project.id);
    expect(await refused(app, app.as(chinese), CREATE, input)).toMatchObject({
      code: 'CONFLICT',
      message: '该审计已关闭，可由维护者重新打开',
    });
  });

  it('is shown to members alone, and never changed by anybody', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const id = await take(made);
    expect(await milestone(id, made.stranger)).toBeNull();
    expect((await app.as(null).send(MILESTONE, { id, first: 1 })).data.milestone).toBeNull();
    expect(await milestone('no-such-id', made.viewer)).toBeNull();
    await expect(app.db.milestone.update({ where: { id }, data: { name: 'Other' } })).rejects.toThrow(/never changed/);
    await expect(app.db.milestone.delete({ where: { id } })).rejects.toThrow(/never changed/);
  });

  it('refuses a name that a milestone of the audit has, in any case, and not one of another audit', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const id = await take(made, 'Before the upgrade');
    const input = { auditId: made.auditId, name: '  before the UPGRADE ' };
    expect(await refused(app, app.as(made.contributor), CREATE, input)).toEqual({
      code: 'CONFLICT',
      message: 'The audit has a milestone "Before the upgrade" already; choose another name',
      extensions: { code: 'CONFLICT', current: { id, name: 'Before the upgrade' } },
    });
    const chinese = await given.chineseMember(app.db, made.project.id);
    expect((await refused(app, app.as(chinese), CREATE, input)).message).toBe(
      '该审计已有里程碑“Before the upgrade”，请换一个名称',
    );
    await take(await ownAudit(app, [{ key: 'one' }]), 'Before the upgrade');
    await take(made, 'Before the upgrade 2');
  });

  it('makes one of two of a name that come at once', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const input = { auditId: made.auditId, name: 'At once' };
    const both = await Promise.all([1, 2].map(() => app.as(made.contributor).send(CREATE, { input })));
    expect(both.map(({ errorCode }) => errorCode ?? 'made').sort()).toEqual(['CONFLICT', 'made']);
  });

  it('is taken whenever an audit is closed, and says that it was', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const change = async (who: { id: string }, mutation: 'closeAudit' | 'reopenAudit', type: string) => {
      const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId } });
      const { errors } = await app
        .as(who)
        .send(`mutation($input: ${type}!) { ${mutation}(input: $input) { status } }`, {
          input: { auditId: made.auditId, version },
        });
      expect(errors).toEqual([]);
    };
    const close = (who: { id: string }) => change(who, 'closeAudit', 'CloseAuditInput');
    const reopen = () => change(made.maintainer, 'reopenAudit', 'ReopenAuditInput');
    const start = await take(made, 'Start');
    await close(made.reviewer);
    await reopen();
    await close(made.reviewer);
    await reopen();
    const chinese = await given.chineseMember(app.db, made.project.id, 'REVIEWER');
    await close(chinese);
    await reopen();
    await close(chinese);
    const taken = await app.db.milestone.findMany({ where: { auditId: made.auditId }, orderBy: { id: 'asc' } });
    expect(
      taken.map(({ name, snapshot }) => {
        const { status, items } = milestoneSnapshot.parse(snapshot);
        return [name, status, items.length];
      }),
    ).toEqual([
      ['Start', 'OPEN', 1],
      ['Closed', 'CLOSED', 1],
      ['Closed (2)', 'CLOSED', 1],
      ['关闭时', 'CLOSED', 1],
      ['关闭时（2）', 'CLOSED', 1],
    ]);
    const found = await difference(made.viewer, start, taken[1]?.id);
    expect([found.before.status, found.after.status]).toEqual(['OPEN', 'CLOSED']);
  });
});

describe('milestoneDifference', () => {
  it('says what changed to the audit as it is now, item by item and as a whole', async () => {
    const made = await ownAudit(app, [{ key: 'one' }, { key: 'two' }, { key: 'three' }], machine);
    const before = await take(made, 'Start');
    const one = await made.item('one');
    await measure(made, 'one');
    await assess(app, made.contributor, one.id, { work: 'DONE', outcome: 'APPLIED' });
    await assess(app, made.contributor, (await made.item('two')).id, { remark: '先看日志' });
    const other = await given.environment(app.db, made.project.id, { name: 'next', hardware: 'h200-sxm', facts: { cuda: '12.8' } }); // prettier-ignore
    const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: made.auditId } });
    const moved = await app
      .as(made.contributor)
      .send('mutation($input: SetAuditEnvironmentInput!) { setAuditEnvironment(input: $input) { auditCount } }', {
        input: { auditId: made.auditId, version, environmentId: other.id },
      });
    expect(moved.errors).toEqual([]);

    const found = await difference(made.viewer, before);
    expect(found.before).toMatchObject({
      milestone: { name: 'Start' },
      environmentName: 'default',
      hardware: 'h100-sxm',
      progress: { total: 3, applicable: 3, assessed: 0, done: 0, verified: 0 },
    });
    // A result on other hardware is to be looked at again, so nothing counts as assessed
    expect(found.after).toMatchObject({
      milestone: null,
      environmentName: 'next',
      hardware: 'h200-sxm',
      release: '1.0.0',
      progress: { total: 3, applicable: 3, assessed: 0, done: 1, verified: 1 },
    });
    expect(found.environment).toContainEqual({
      key: 'cuda',
      name: { en: expect.any(String), zh: expect.any(String) },
      before: '12.4',
      after: '12.8',
    });
    expect(found.environment.map(({ key }: { key: string }) => key)).toContain('gpu.sku');
    expect(found.counts).toEqual({
      added: 0, removed: 0, work: 1, outcome: 1, proof: 1, verdict: 1, applicability: 0, recheck: 1, text: 1, unchanged: 1,
    }); // prettier-ignore
    expect(found.items).toEqual({
      totalCount: 2,
      edges: [
        {
          node: {
            key: 'rig/one',
            title: { en: 'The one', zh: '条目 one' },
            kinds: ['WORK', 'OUTCOME', 'PROOF', 'VERDICT', 'RECHECK'],
            before: { work: 'TODO', outcome: 'NOT_ASSESSED', proof: null, remark: null },
            after: { work: 'DONE', outcome: 'APPLIED', proof: 'VERIFIED', remark: null },
          },
        },
        {
          node: {
            key: 'rig/two',
            title: { en: 'The two', zh: '条目 two' },
            kinds: ['TEXT'],
            before: { work: 'TODO', outcome: 'NOT_ASSESSED', proof: null, remark: null },
            after: { work: 'TODO', outcome: 'NOT_ASSESSED', proof: null, remark: '先看日志' },
          },
        },
      ],
    });
    const ofText = await difference(made.viewer, before, null, ['TEXT', 'REMOVED']);
    expect([ofText.items.totalCount, ofText.items.edges[0].node.key]).toEqual([1, 'rig/two']);
  });

  it('compares two milestones, of the same audit or of two on one checklist', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const first = await take(made, 'First');
    await assess(app, made.contributor, (await made.item('one')).id, { outcome: 'DEFERRED' });
    const second = await take(made, 'Second');
    const forth = await difference(made.viewer, first, second);
    expect(forth.items.edges.map(({ node }: { node: { kinds: string[] } }) => node.kinds)).toEqual([['OUTCOME']]);
    const back = await difference(made.viewer, second, first);
    expect(back.items.edges[0].node).toMatchObject({
      before: { outcome: 'DEFERRED' },
      after: { outcome: 'NOT_ASSESSED' },
    });
    expect((await difference(made.viewer, first, first)).items.totalCount).toBe(0);

    const other = { ...made, auditId: await open(app, made, made.checklist) };
    expect((await difference(made.viewer, second, await take(other))).counts).toMatchObject({
      outcome: 1,
      unchanged: 0,
    });
  });

  it('refuses milestones of different checklists, and hides those of others', async () => {
    const [made, other] = [await ownAudit(app, [{ key: 'one' }]), await ownAudit(app, [{ key: 'one' }])];
    const [here, there] = [await take(made), await take(other)];
    await app.db.projectMember.create({
      data: { projectId: other.project.id, userId: made.viewer.id, role: 'VIEWER' },
    });
    const ask = (who: { id: string } | null, before: string, after: string | null) =>
      app.as(who).send(DIFFERENCE, { before, after });
    const mixed = await ask(made.viewer, here, there);
    expect([mixed.errorCode, mixed.errors[0]?.message]).toEqual([
      'INVALID_INPUT',
      `The milestones are of different checklists: "${made.checklist}" and "${other.checklist}"`,
    ]);
    expect((await ask(made.contributor, here, there)).errorCode).toBe('NOT_FOUND');
    expect((await ask(made.stranger, here, null)).errorCode).toBe('NOT_FOUND');
    expect((await ask(made.viewer, here, 'no-such-id')).errorCode).toBe('NOT_FOUND');
    expect((await ask(null, here, null)).errorCode).toBe('UNAUTHENTICATED');
    const chinese = await given.chineseMember(app.db, made.project.id);
    expect((await ask(chinese, 'no-such-id', null)).errors[0]?.message).toBe('没有里程碑“no-such-id”');
  });

  it('names whoever took a milestone that came with an imported audit', async () => {
    const made = await ownAudit(app, [{ key: 'one' }]);
    const { snapshot, projectId, auditId } = await app.db.milestone.findUniqueOrThrow({
      where: { id: await take(made) },
    });
    const kept = toJson(milestoneSnapshot.parse(snapshot));
    const { id } = await app.db.milestone.create({
      data: { projectId, auditId, name: 'Old', snapshot: kept, createdByName: '王工' },
    });
    expect(await milestone(id, made.viewer)).toMatchObject({ createdBy: null, createdByName: '王工' });
  });
});
