import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { assess, ownAudit, type OwnAudit, type OwnItem } from '../support/own-audit.js';
import { refused } from '../support/refused.js';
import { added, rowsOf } from '../support/rows.js';

const OVERRULE = `mutation($input: OverruleApplicabilityInput!) {
  overruleApplicability(input: $input) {
    id version work outcome reason remark
    applicability { answer isPast reasons { en zh } } derived { answer isPast reasons { en zh } }
    overruling { answer reason by at }
    audit { version progress { total applicable assessed done } }
  }
}`;

const rig: readonly OwnItem[] = [
  { key: 'any' },
  { key: 'amd', applicability: { vendor: 'amd' } },
  { key: 'workaround', applicability: { nccl: { version: '<2.25' } } },
  { key: 'bf16', applicability: { 'workload.precision': 'bf16' } },
];
const machine = { hardware: 'h200-sxm', facts: { nccl: '2.27.3' } };
const vendorIsNvidia = {
  answer: 'NO',
  isPast: false,
  reasons: [{ en: 'Vendor of the accelerator must be amd; it is nvidia', zh: '加速器厂商须为 amd，实际为 nvidia' }],
};
const everywhere = {
  answer: 'YES',
  isPast: false,
  reasons: [{ en: 'applies to every environment', zh: '适用于所有环境' }],
};

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Overrules an item at the version that it has. */
async function overrule(made: OwnAudit, key: string, change: object, who: { id: string } = made.contributor) {
  const { id, version } = await made.item(key);
  const { data, errors } = await app.as(who).send(OVERRULE, { input: { id, version, ...change } });
  expect(errors).toEqual([]);
  return data.overruleApplicability;
}

/** Items of the audit that a filter lets through, without the first half of their keys. */
async function filtered(made: OwnAudit, filter: object): Promise<string[]> {
  const { data, errors } = await app
    .as(made.viewer)
    .send(
      'query($id: ID!, $filter: AuditItemFilter) { audit(id: $id) { items(filter: $filter) { edges { node { item { key } } } } } }',
      { id: made.auditId, filter },
    );
  expect(errors).toEqual([]);
  const edges: { node: { item: { key: string } } }[] = data.audit.items.edges;
  return edges.map(({ node }) => node.item.key.replace('rig/', ''));
}

describe('overruleApplicability', () => {
  it('puts a YES with its reason over a NO of the rules, whose answer stays beside it', async () => {
    const made = await ownAudit(app, rig, machine);
    const began = Date.now();
    const item = await overrule(made, 'amd', { answer: 'YES', reason: 'A **second** machine' });
    expect(item).toEqual({
      id: (await made.item('amd')).id,
      version: 2,
      work: 'TODO',
      outcome: 'NOT_ASSESSED',
      reason: null,
      remark: null,
      applicability: {
        answer: 'YES',
        isPast: false,
        reasons: [{ en: 'overruled: A **second** machine', zh: '人工判定：A **second** machine' }],
      },
      derived: vendorIsNvidia,
      overruling: { answer: 'YES', reason: 'A **second** machine', by: 'contributor', at: item.overruling.at },
      audit: { version: 1, progress: { total: 4, applicable: 3, assessed: 0, done: 0 } },
    });
    expect(Date.parse(item.overruling.at)).toBeGreaterThanOrEqual(began);
    expect(await filtered(made, { isOverruled: true })).toEqual(['amd']);
    expect(await filtered(made, { isOverruled: false })).toEqual(['any', 'workaround', 'bf16']);
    expect(await filtered(made, { applies: ['YES'] })).toEqual(['any', 'amd']);
  });

  it('puts a NO over a YES and over what the rules cannot tell; progress follows, and results stay', async () => {
    const made = await ownAudit(app, rig, machine);
    await assess(app, made.contributor, (await made.item('any')).id, {
      outcome: 'APPLIED',
      work: 'DONE',
      remark: 'Done',
    });
    const progress = async () => {
      const query = 'query($id: ID!) { audit(id: $id) { progress { applicable assessed done } } }';
      return (await app.as(made.viewer).send(query, { id: made.auditId })).data.audit.progress;
    };
    expect(await progress()).toEqual({ applicable: 2, assessed: 1, done: 1 });
    const any = await overrule(made, 'any', { answer: 'NO', reason: 'Not here' });
    expect(any).toMatchObject({ version: 3, work: 'DONE', outcome: 'APPLIED', remark: 'Done', derived: everywhere });
    expect(any.applicability.answer).toBe('NO');
    expect(await progress()).toEqual({ applicable: 1, assessed: 0, done: 0 });
    const bf16 = await overrule(made, 'bf16', { answer: 'NO', reason: 'FP8' });
    expect(bf16).toMatchObject({ applicability: { answer: 'NO' }, derived: { answer: 'UNKNOWN' } });
    expect(await progress()).toEqual({ applicable: 0, assessed: 0, done: 0 });
  });

  it('goes back to the rules by null, whatever the reason is', async () => {
    const made = await ownAudit(app, rig, machine);
    await overrule(made, 'amd', { answer: 'YES', reason: 'Soon' });
    const item = await overrule(made, 'amd', { answer: null, reason: 'It never came' });
    expect(item).toMatchObject({
      version: 3,
      applicability: vendorIsNvidia,
      derived: vendorIsNvidia,
      overruling: null,
      audit: { progress: { applicable: 2 } },
    });
    expect(await made.item('amd')).toMatchObject({
      overruled: null,
      overruleReason: null,
      overruledById: null,
      overruledAt: null,
    });
  });

  it('keeps in the history who decided what, and why', async () => {
    const made = await ownAudit(app, rig, machine);
    await overrule(made, 'amd', { answer: 'YES', reason: 'Soon' });
    await overrule(made, 'amd', { answer: 'NO', reason: 'Not soon' }, made.reviewer);
    await overrule(made, 'amd', { answer: null, reason: 'Ask the rules' }, made.maintainer);
    const { id } = await made.item('amd');
    const entries = await app.db.historyEntry.findMany({ where: { auditItemId: id }, orderBy: { id: 'asc' } });
    const first = { answer: 'YES', reason: 'Soon' };
    const second = { answer: 'NO', reason: 'Not soon' };
    expect(entries.map(({ field, viewerId, before, after, reason }) => [field, viewerId, before, after, reason])).toEqual([
      ['overruled', made.contributor.id, null, first, 'Soon'],
      ['overruled', made.reviewer.id, first, second, 'Not soon'],
      ['overruled', made.maintainer.id, second, null, 'Ask the rules'],
    ]); // prettier-ignore
    expect(entries[0]).toMatchObject({
      projectId: made.project.id,
      auditId: made.auditId,
      subject: 'auditItem',
      subjectId: id,
    });
  });

  it('takes another reason for a change, and the same decision again for none', async () => {
    const made = await ownAudit(app, rig, machine);
    const first = await overrule(made, 'amd', { answer: 'YES', reason: 'Soon' });
    const before = await rowsOf(app.db);
    const same = await overrule(made, 'amd', { answer: 'YES', reason: 'Soon' }, made.maintainer);
    expect(same).toEqual(first);
    expect((await overrule(made, 'any', { answer: null })).version).toBe(1);
    expect((await overrule(made, 'any', {})).version).toBe(1);
    expect(added(before, await rowsOf(app.db))).toEqual({});
    const other = await overrule(made, 'amd', { answer: 'YES', reason: 'In May' }, made.maintainer);
    expect(other).toMatchObject({ version: 3, overruling: { reason: 'In May', by: 'maintainer' } });
  });

  it('gives the same answer to a repeated request, and refuses its id for another', async () => {
    const made = await ownAudit(app, rig, machine);
    const { id } = await made.item('amd');
    const input = { id, version: 1, answer: 'YES', reason: 'Soon', clientMutationId: 'soon' };
    const client = app.as(made.contributor);
    const answers = await Promise.all([1, 2, 3].map(() => client.send(OVERRULE, { input })));
    expect(answers[0]?.errors).toEqual([]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await made.item('amd')).version).toBe(2);
    expect(await refused(app, client, OVERRULE, { ...input, answer: 'NO' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'clientMutationId "soon" was used for another request',
    });
  });

  it('keeps the name of nobody where whoever decided is gone', async () => {
    const made = await ownAudit(app, rig, machine);
    await overrule(made, 'amd', { answer: 'YES', reason: 'Soon' });
    const { id } = await made.item('amd');
    await app.db.auditItem.update({ where: { id }, data: { overruledById: null } });
    const { data } = await app
      .as(made.viewer)
      .send('query($id: ID!) { auditItem(id: $id) { overruling { answer reason by } } }', { id });
    expect(data.auditItem.overruling).toEqual({ answer: 'YES', reason: 'Soon', by: null });
  });
});

describe('overruleApplicability refuses', () => {
  let made: OwnAudit;
  beforeAll(async () => {
    made = await ownAudit(app, rig, machine);
  });

  const refusedOverrule = async (input: object, who: { id: string } | null = made.contributor) => {
    const before = await made.item('amd');
    const whole = { id: before.id, version: 1, answer: 'YES', reason: 'Soon', ...input };
    const refusal = await refused(app, app.as(who), OVERRULE, whole);
    expect(await made.item('amd')).toEqual(before);
    return refusal;
  };

  it('members without the right, strangers and nobody', async () => {
    expect(await refusedOverrule({}, made.viewer)).toMatchObject({
      code: 'FORBIDDEN',
      message: 'This needs the right WRITE_AUDITS in the project',
    });
    expect(await refusedOverrule({}, made.stranger)).toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no audit item "${(await made.item('amd')).id}"`,
    });
    expect(await refusedOverrule({}, null)).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'Sign in to do this',
    });
    expect(await refusedOverrule({ id: 'nope' })).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no audit item "nope"',
    });
  });

  const noAnswer =
    'answer is YES or NO, or null to take the overruling back; UNKNOWN is what the rules say where they cannot tell';
  it.each([
    ['UNKNOWN', { answer: 'UNKNOWN' }, noAnswer],
    ['YES without a reason', { reason: null }, 'Overruling the rules with YES needs a reason'],
    ['NO with a blank reason', { answer: 'NO', reason: ' \n' }, 'Overruling the rules with NO needs a reason'],
    ['a reason that is too long', { reason: 'x'.repeat(100_001) }, 'reason has 100001 characters; at most 100000 are kept'],
    ['U+0000 in the reason', { reason: 'a\0' }, '$input.reason contains U+0000, which cannot be stored'],
    ['an empty clientMutationId', { clientMutationId: '' }, 'clientMutationId needs 1 to 200 characters, and has 0'],
  ])('%s', async (_, input, message) => {
    expect(await refusedOverrule(input)).toMatchObject({ code: 'INVALID_INPUT', message });
  }); // prettier-ignore

  it('a change that is based on another version, and says what is there now', async () => {
    const { id } = await made.item('amd');
    for (const input of [{ version: 2 }, { version: 0, answer: null }]) {
      expect(await refusedOverrule(input)).toMatchObject({
        code: 'CONFLICT',
        message: `This item changed meanwhile: it is at version 1, and your change is based on ${input.version}`,
        extensions: { current: { id, version: 1, work: 'TODO', outcome: 'NOT_ASSESSED' } },
      });
    }
  });

  it('a closed audit', async () => {
    const closed = await ownAudit(app, rig, machine);
    await app.db.audit.update({ where: { id: closed.auditId }, data: { status: 'CLOSED' } });
    const { id } = await closed.item('amd');
    const input = { id, version: 1, answer: 'YES', reason: 'Soon' };
    expect(await refused(app, app.as(closed.maintainer), OVERRULE, input)).toMatchObject({
      code: 'CONFLICT',
      message: 'This audit is closed; a maintainer can reopen it',
    });
    expect(await closed.item('amd')).toMatchObject({ version: 1, overruled: null });
  });

  it('in Chinese whoever reads Chinese', async () => {
    const member = await given.chineseMember(app.db, made.project.id);
    const reader = await given.chineseMember(app.db, made.project.id, 'VIEWER');
    const said = async (input: object, who = member) => (await refusedOverrule(input, who)).message;
    expect(await said({}, reader)).toBe('此操作需要项目权限 WRITE_AUDITS');
    expect(await said({ id: 'nope' })).toBe('没有审计条目“nope”');
    expect(await said({ answer: 'UNKNOWN' })).toBe(
      'answer 只能是 YES 或 NO，或以 null 撤回人工判定；UNKNOWN 由规则在无法判断时给出',
    );
    expect(await said({ reason: '' })).toBe('以 YES 推翻规则须说明理由');
    expect(await said({ version: 2 })).toBe('该条目已被修改：当前版本为 1，而本次修改基于 2');
  });
});
