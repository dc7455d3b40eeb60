import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRecord, type AuditRecord } from '../../src/domain/report/audit-record.js';
import { startApp, type TestApp } from '../support/app.js';
import { itemOf } from '../support/own-audit.js';
import { richAudit, type RichAudit } from '../support/rich-audit.js';

const EXPORT = `query($id: ID!, $format: ExportFormat!, $locale: Locale) {
  auditExport(id: $id, format: $format, locale: $locale) { fileName mediaType content }
}`;

let app: TestApp;
let made: RichAudit;
let record: AuditRecord;
beforeAll(async () => {
  app = await startApp();
  made = await richAudit(app, 400);
  const { data, errors } = await app.as(made.viewer).send(EXPORT, { id: made.auditId, format: 'JSON' });
  expect(errors).toEqual([]);
  record = JSON.parse(data.auditExport.content) as AuditRecord;
});
afterAll(() => app.close());

const item = (key: string) => record.items.find((one) => one.key === key);

describe('auditExport', () => {
  it('gives all of an audit as JSON of the format that is promised, nothing more and nothing less', () => {
    expect(auditRecord.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      format: 'tunebook-audit/1',
      audit: {
        id: made.auditId,
        status: 'OPEN',
        createdBy: { id: made.contributor.id, name: 'contributor' },
        timeBreakdown: { compute: 0.6, communication: 0.2, input: null, host: null, byId: made.maintainer.id },
      },
      project: { slug: made.project.slug },
      checklist: { slug: made.checklist, version: '1.0.0', title: { en: 'Rig', zh: '台架' } },
      environment: { name: 'default', hardware: { slug: 'h200-sxm' }, facts: { torch: '2.9.0' } },
      scope: { hardware: { slug: 'h200-sxm' }, facts: { torch: '2.9.0' } },
    });
    expect(record.items).toHaveLength(401);
    expect(record.items.map(({ isArchived }) => isArchived).indexOf(true)).toBe(400);
  });

  it('says of an item its states, texts, people and dates', () => {
    expect(item('rig/i-000')).toMatchObject({
      work: 'IN_PROGRESS',
      remark: '显存占用偏高，先看 `nvidia-smi`。\n\n- 第一步 | 第二步',
      assignee: { id: made.reviewer.id, name: 'reviewer' },
      dueAt: '2027-02-01T08:00:00.000Z',
      priority: 'HIGH',
    });
    const [first, second] = item('rig/i-000')?.comments ?? [];
    expect(first).toMatchObject({ author: 'contributor', body: '请看 `NCCL_ALGO`', replyTo: null });
    expect(second).toMatchObject({ author: 'reviewer', body: 'Done <b>well</b>', replyTo: first?.id });
    expect(item('rig/i-002')).toMatchObject({
      acceptedBy: { name: 'reviewer' },
      comments: [{ decision: 'ACCEPTED', body: '没有问题 👍' }],
    });
    expect(item('rig/i-007')).toMatchObject({
      applicability: { answer: 'YES', derived: 'NO' },
      overruling: { answer: 'YES', reason: '外部机器', by: { name: 'contributor' } },
    });
    expect(item('rig/i-008')).toMatchObject({ recheck: { code: 'ENVIRONMENT_CHANGED', release: null } });
    expect(item('rig/i-006')).toMatchObject({ isArchived: true, release: '1.0.0', remark: '已归档，说明保留' });
    expect(item('custom/fan-curve')).toMatchObject({
      isCustom: true,
      release: null,
      section: 'rig',
      title: { en: null, zh: '风扇曲线' },
      custom: { texts: { check: { zh: '查看转速' } } },
    });
    expect(item('rig/i-004')?.adoptedFrom?.slug).toEqual(expect.any(String));
  });

  it('says of a trial its runs with all values, and the newest comparisons with warnings in words', () => {
    expect(record.trials).toHaveLength(4);
    const [typed, paired, guarded, plan] = record.trials;
    expect(typed).toMatchObject({
      auditItemKey: 'rig/i-003',
      originId: typed?.id,
      verdict: 'IMPROVED',
      primaryMetric: 'training.throughput',
      comparisons: [{ method: 'MANN_WHITNEY', evidence: 'STATISTICAL', nBefore: 5, nAfter: 5, medianBefore: 100 }],
    });
    expect(paired).toMatchObject({ isPaired: true, primaryMetric: 'queue depth 队列', threshold: 0.05 });
    expect(paired?.comparisons[0]?.differences).toContainEqual({
      key: 'driver',
      before: null,
      after: '570.86.15',
      tier: 'WARN',
      isDeclared: false,
    });
    expect(paired?.comparisons[0]?.warnings[0]).toMatchObject({
      message: { zh: expect.stringMatching(/\p{Script=Han}/u) },
    });
    expect(guarded?.comparisons.map(({ metric, role }) => [metric, role])).toEqual([
      ['training.throughput', 'PRIMARY'],
      ['memory.peak_allocated', 'GUARDRAIL'],
    ]);
    expect(record.audit.endToEndTrial).toBe(guarded?.id);
    expect(plan).toMatchObject({ beforeRunIds: [], afterRunIds: [], verdict: null, comparisons: [] });
    expect(record.runs).toHaveLength(10 + 12 + 8);
    expect(record.metrics.map(({ key, isOwn, unit }) => [key, isOwn, unit])).toContainEqual([
      'queue depth 队列',
      true,
      'count',
    ]);
    expect(item('rig/i-003')).toMatchObject({ proof: 'VERIFIED', trialIds: [typed?.id, guarded?.id] });
  });

  it('has the numbers of the API: progress, proof and applicability', async () => {
    const query = `query($id: ID!) { audit(id: $id) {
      progress { total applicable assessed done verified }
      items(first: 500) { edges { node { id proof applicability { answer } item { key } } } }
    } }`;
    const { data } = await app.as(made.viewer).send(query, { id: made.auditId });
    expect(record.progress).toEqual(data.audit.progress);
    expect(record.progress.total).toBe(400);
    const shown = data.audit.items.edges.map(
      ({ node }: { node: { id: string; proof: string | null; applicability: { answer: string } } }) => [
        node.id,
        node.proof,
        node.applicability.answer,
      ],
    );
    expect(
      record.items.filter(({ isArchived }) => !isArchived).map((one) => [one.id, one.proof, one.applicability.answer]),
    ).toEqual(shown);
    const sum = record.sections.reduce((total, { progress }) => total + progress.total, 0);
    expect(sum).toBe(400);
  });

  it('has the whole history and the milestones', async () => {
    expect(record.history).toHaveLength(await app.db.historyEntry.count({ where: { auditId: made.auditId } }));
    expect(record.history[0]).toMatchObject({ by: 'contributor', subject: 'audit', field: 'created', itemKey: null });
    expect(record.history.at(-1)).toMatchObject({ by: 'reviewer', subject: 'comment', itemKey: 'rig/i-008' });
    expect(record.milestones).toMatchObject([
      { name: 'Closed', createdBy: 'reviewer', snapshot: { release: '1.0.0' } },
    ]);
  });

  it('needs at most 20 statements for 400 items, whatever they have', async () => {
    const { id: projectId } = made.project;
    const { id: evidenceId } = await app.db.evidence.create({
      data: { projectId, sha256: 'a'.repeat(64), fileName: 'raw.json', mediaType: 'application/json', size: 1 },
    });
    await app.db.run.updateMany({ where: { projectId, source: 'IMPORT' }, data: { evidenceId } });
    const statements = await app.statementsOf(() =>
      app.as(made.viewer).send(EXPORT, { id: made.auditId, format: 'JSON' }),
    );
    expect(statements).toBeLessThanOrEqual(20);
  });

  it.each([
    ['MARKDOWN', 'text/markdown', 'md'],
    ['HTML', 'text/html', 'html'],
    ['CSV', 'text/csv', 'csv'],
  ])('gives a report as %s, in the language that is asked for', async (format, mediaType, extension) => {
    const send = (locale: string | null) => app.as(made.viewer).send(EXPORT, { id: made.auditId, format, locale });
    const [english, chinese, own] = await Promise.all([send('EN'), send('ZH'), send(null)]);
    expect(english.errors).toEqual([]);
    expect(english.data.auditExport.mediaType).toBe(mediaType);
    expect(english.data.auditExport.fileName).toMatch(new RegExp(`-en\\.${extension}$`));
    expect(chinese.data.auditExport.fileName).toMatch(new RegExp(`-zh\\.${extension}$`));
    for (const { data } of [english, chinese]) expect(data.auditExport.content).toContain('显存占用偏高');
    expect(chinese.data.auditExport.content).not.toBe(english.data.auditExport.content);
    expect(own.data.auditExport.content.length).toBe(english.data.auditExport.content.length);
  });

  it('is for whoever may read the project, and leaves out a note that they may not see', async () => {
    const send = (who: { id: string } | null) => app.as(who).send(EXPORT, { id: made.auditId, format: 'JSON' });
    expect((await send(made.stranger)).errorCode).toBe('NOT_FOUND');
    expect((await send(null)).errorCode).toBe('UNAUTHENTICATED');
    const other = await app.db.project.create({ data: { slug: 'other-notes', name: 'Other' } });
    const { id } = await itemOf(app, made.auditId, 'i-005');
    await app.db.note.create({
      data: {
        projectId: other.id,
        locale: 'EN',
        title: { en: 'Secret title' },
        body: { en: '' },
        context: {},
        change: {},
        outcome: 'HELPED',
        tags: [],
        adoptions: { connect: { id } },
      },
    });
    const { data } = await send(made.viewer);
    expect(data.auditExport.content).not.toContain('Secret title');
    expect(data.auditExport.mediaType).toBe('application/json');
    expect(data.auditExport.fileName).toMatch(/^tunebook-project-[0-9a-f-]+-[0-9a-f]{12}-\d{4}-\d\d-\d\d\.json$/);
  });
});
