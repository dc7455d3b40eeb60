import { expect } from '@jest/globals';
import type { Environment } from '../../src/generated/prisma/client.js';
import type { TestApp } from './app.js';
import * as given from './given.js';
import { assess, itemOf, open, ownChecklist, type OwnItem } from './own-audit.js';

// An audit with something of everything that an audit can have.

export interface RichAudit extends given.Team {
  readonly environment: Environment;
  readonly checklist: string;
  readonly auditId: string;
}

const number = (index: number) => String(index).padStart(3, '0');

/** Another project of the same people. */
export async function withPeople(app: TestApp, people: given.Team): Promise<given.Team> {
  const { project } = await given.project(app.db);
  await app.db.projectMember.deleteMany({ where: { projectId: project.id } });
  const members = await app.db.projectMember.findMany({ where: { projectId: people.project.id } });
  await app.db.projectMember.createMany({ data: members.map((member) => ({ ...member, projectId: project.id })) });
  return { ...people, project };
}

/** Items of which some depend on the machine; their keys are `rig/i-000`, … */
function items(count: number): readonly OwnItem[] {
  return Array.from({ length: count }, (_, index): OwnItem => {
    const key = `i-${number(index)}`;
    if (index % 10 === 7) return { key, applicability: { vendor: 'amd' } };
    if (index % 10 === 8) return { key, applicability: { torch: { version: '>=2.8' } } };
    if (index % 10 === 9) return { key, applicability: { 'workload.precision': 'bf16' } };
    return { key };
  });
}

/** Sends a mutation that must succeed; what it gave back. */
async function sent(app: TestApp, who: { id: string }, name: string, input: object, fields = 'id') {
  const type = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await app
    .as(who)
    .send(`mutation($input: ${type}!) { ${name}(input: $input) { ${fields} } }`, { input });
  expect(errors).toEqual([]);
  return data[name];
}

/** An open audit with states, texts in Chinese, people, comments, custom items, measurements, a milestone and re-checks. */
export async function richAudit(app: TestApp, count: number, people?: given.Team): Promise<RichAudit> {
  const team = people ? await withPeople(app, people) : await given.project(app.db);
  const { project, contributor, reviewer, maintainer } = team;
  const environment = await given.environment(app.db, project.id, {
    name: 'default',
    hardware: 'h200-sxm',
    facts: { 'gpu.count': 8, torch: '2.7.1', 'workload.precision': 'bf16' },
  });
  const checklist = await ownChecklist(app, contributor, items(count));
  const auditId = await open(app, team, checklist);
  const id = async (index: number) => (await itemOf(app, auditId, `i-${number(index)}`)).id;
  const made: RichAudit = { ...team, environment, checklist, auditId };
  await states(app, made, id);
  await texts(app, made, id);
  await measurements(app, made, id);
  await closedOnce(app, made);
  // One item was taken out, and the rules ask for a second look at what torch decides
  await app.db.auditItem.update({ where: { id: await id(6) }, data: { isArchived: true, remark: '已归档，说明保留' } });
  await assess(app, contributor, await id(8), { work: 'DONE', outcome: 'APPLIED' });
  await sent(
    app,
    maintainer,
    'updateEnvironment',
    { id: environment.id, version: 1, factChanges: { torch: '2.9.0' } },
    'auditCount',
  );
  await sent(app, reviewer, 'addComment', { auditItemId: await id(8), body: '升级之后请再看一次。' });
  return made;
}

type ItemId = (index: number) => Promise<string>;

async function states(app: TestApp, { contributor, reviewer, maintainer, auditId }: RichAudit, id: ItemId) {
  await assess(app, contributor, await id(0), {
    work: 'IN_PROGRESS',
    remark: '显存占用偏高，先看 `nvidia-smi`。\n\n- 第一步 | 第二步',
    assigneeId: reviewer.id,
    dueAt: '2027-02-01T08:00:00.000Z',
    priority: 'HIGH',
  });
  await assess(app, contributor, await id(1), {
    work: 'DONE',
    outcome: 'REJECTED',
    reasonCode: 'TOO_RISKY',
    reason: 'Loses accuracy',
    expiresAt: '2099-01-01T00:00:00.000Z',
  });
  await assess(app, contributor, await id(2), { outcome: 'APPLIED', work: 'IN_REVIEW' });
  const { version } = await app.db.auditItem.findUniqueOrThrow({ where: { id: await id(2) } });
  await sent(app, reviewer, 'acceptAuditItem', { id: await id(2), version, comment: '没有问题 👍' });
  await sent(app, contributor, 'overruleApplicability', {
    id: await id(7),
    version: 1,
    answer: 'YES',
    reason: '外部机器',
  });
  const custom = {
    auditId,
    section: 'rig',
    topic: 'fan-curve',
    locale: 'ZH',
    title: '风扇曲线',
    check: '查看转速',
    tags: ['power'],
  };
  const { id: customId } = await sent(app, contributor, 'addCustomItem', {
    ...custom,
    settings: ['nvidia-settings'],
    assigneeId: contributor.id,
  });
  await assess(app, contributor, customId, { remark: 'Only this machine' });
  await app.db.audit.update({
    where: { id: auditId },
    data: {
      timeBreakdown: {
        compute: 0.6,
        communication: 0.2,
        source: 'TYPED',
        at: '2025-11-30T08:00:00.000Z',
        byId: maintainer.id,
      },
    },
  });
}

async function texts(app: TestApp, { contributor, reviewer, auditId }: RichAudit, id: ItemId) {
  const first = await sent(app, contributor, 'addComment', { auditItemId: await id(0), body: '请看 `NCCL_ALGO`' });
  await sent(app, reviewer, 'addComment', { auditItemId: await id(0), body: 'Done <b>well</b>', replyTo: first.id });
  const note = await app.db.note.findFirstOrThrow({ where: { projectId: null }, orderBy: { slug: 'asc' } });
  await sent(app, contributor, 'adoptNote', { noteId: note.id, auditId, itemKey: 'rig/i-004' });
}

async function measurements(app: TestApp, made: RichAudit, id: ItemId) {
  const { contributor, auditId } = made;
  const metric = 'training.throughput';
  await assess(app, contributor, await id(3), { work: 'DONE', outcome: 'APPLIED' });
  const record = (input: object) => sent(app, contributor, 'recordMeasurement', input);
  await record({
    auditItemId: await id(3),
    metric,
    before: [100, 100, 100, 101, 99],
    after: [110, 111, 110, 112, 110],
    sampling: 'SEPARATE_SESSIONS',
    variable: ['env.NCCL_ALGO'],
    hypothesis: '吞吐应提高',
  });
  await record({
    auditItemId: await id(2),
    metric: 'queue depth 队列',
    unit: 'count',
    direction: 'LOWER_IS_BETTER',
    before: [5, 6, 5, 6, 5, 6],
    after: [5, 6, 6, 5, 6, 5],
    pairs: true,
    sampling: 'ONE_SESSION',
    threshold: 0.05,
    environmentAfter: { driver: '570.86.15' },
  });
  const guarded = { 'training.throughput': 100, 'memory.peak_allocated': 40_000 };
  const run = (change: number, variant: string) =>
    given.run(app.db, made, {
      values: { ...guarded, 'training.throughput': 100 + change },
      variant,
      workload: { 'workload.precision': 'bf16' },
    });
  const arm = async (changes: readonly number[], variant: string) => {
    const ids: string[] = [];
    for (const change of changes) ids.push(await run(change, variant));
    return ids;
  };
  const trial = await sent(app, contributor, 'createTrial', {
    auditItemId: await id(3),
    primaryMetric: metric,
    guardrails: ['memory.peak_allocated'],
    variable: ['workload.precision'],
    beforeRunIds: await arm([0, 1, -1, 0.5], 'base'),
    afterRunIds: await arm([9, 10, 11, 9.5], 'fused'),
  });
  await app.db.audit.update({ where: { id: auditId }, data: { endToEndTrialId: trial.id } });
  await sent(app, contributor, 'createTrial', {
    auditItemId: await id(0),
    primaryMetric: metric,
    variable: ['x'],
    beforeRunIds: [],
    afterRunIds: [],
  });
}

/** Closing keeps a milestone. */
async function closedOnce(app: TestApp, { reviewer, maintainer, auditId }: RichAudit) {
  const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: auditId } });
  await sent(app, reviewer, 'closeAudit', { auditId, version, reason: '第一轮结束' });
  await sent(app, maintainer, 'reopenAudit', { auditId, version: version + 1, reason: 'A second round' });
}
