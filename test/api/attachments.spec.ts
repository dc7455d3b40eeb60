import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { exportedRecord, importedBy } from '../support/exported.js';
import * as given from '../support/given.js';
import { richAudit, withPeople } from '../support/rich-audit.js';

const ATTACH = `
  mutation($input: AttachEvidenceInput!) {
    attachEvidence(input: $input) { id fileName size sha256 caption createdByName detachedAt evidence { id url } }
  }`;
const DETACH = 'mutation($input: DetachEvidenceInput!) { detachEvidence(input: $input) { id fileName detachedAt } }';
const LISTED = 'id fileName caption createdBy { name }';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** An evidence file of a project, as an upload leaves its row. */
function file(projectId: string, fileName = 'trace.json') {
  const sha256 = `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
  return app.db.evidence.create({ data: { projectId, sha256, fileName, mediaType: 'application/json', size: 1024 } });
}

async function attached(viewer: { id: string }, input: object) {
  const { data, errors } = await app.as(viewer).send(ATTACH, { input });
  expect(errors).toEqual([]);
  return data.attachEvidence;
}
const codeOf = async (viewer: { id: string }, query: string, input: object) =>
  (await app.as(viewer).send(query, { input })).errorCode;

/** An audit with a trial of two runs. */
async function measured(status: 'OPEN' | 'CLOSED' = 'OPEN') {
  const team = await given.audit(app.db);
  const auditItemId = team.item('precision/tf32').id;
  const input = { auditItemId, metric: 'training.throughput', before: [1], after: [2] };
  const { data } = await app
    .as(team.contributor)
    .send('mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id beforeRuns { id } } }', {
      input,
    });
  const { id: trialId, beforeRuns } = data.recordMeasurement;
  if (status === 'CLOSED') await app.db.audit.update({ where: { id: team.audit.id }, data: { status } });
  return { ...team, auditItemId, trialId: String(trialId), runId: String(beforeRuns[0].id) };
}

describe('attachEvidence', () => {
  it('hangs files on an audit item, a trial and a run, which list them, oldest first', async () => {
    const of = await measured();
    const [one, other] = [await file(of.project.id, 'kernels.csv'), await file(of.project.id, '显存.txt')];
    const first = await attached(of.contributor, { evidenceId: one.id, auditItemId: of.auditItemId, caption: ' Top kernels ' });
    expect(first).toEqual({
      id: expect.any(String),
      fileName: 'kernels.csv',
      size: 1024,
      sha256: one.sha256,
      caption: 'Top kernels',
      createdByName: 'contributor',
      detachedAt: null,
      evidence: { id: one.id, url: `/evidence/${one.id}` },
    });
    await attached(of.contributor, { evidenceId: other.id, auditItemId: of.auditItemId });
    await attached(of.contributor, { evidenceId: one.id, trialId: of.trialId });
    await attached(of.contributor, { evidenceId: one.id, runId: of.runId, caption: 'Raw' });
    const { data, errors } = await app.as(of.viewer).send(
      `query($item: ID!, $trial: ID!, $run: ID!) {
         auditItem(id: $item) { attachments { ${LISTED} } }
         trial(id: $trial) { attachments { ${LISTED} } }
         run(id: $run) { attachments { ${LISTED} } }
       }`,
      { item: of.auditItemId, trial: of.trialId, run: of.runId },
    );
    expect(errors).toEqual([]);
    const createdBy = { name: 'contributor' };
    expect(data.auditItem.attachments).toEqual([
      { id: first.id, fileName: 'kernels.csv', caption: 'Top kernels', createdBy },
      { id: expect.any(String), fileName: '显存.txt', caption: null, createdBy },
    ]);
    expect(data.trial.attachments).toMatchObject([{ fileName: 'kernels.csv', caption: null }]);
    expect(data.run.attachments).toMatchObject([{ fileName: 'kernels.csv', caption: 'Raw' }]);
  }); // prettier-ignore

  it('asks the database as often for many items as for one', async () => {
    const of = await measured();
    const evidence = await file(of.project.id);
    for (const { id: auditItemId } of of.items.slice(0, 5)) {
      await attached(of.contributor, { evidenceId: evidence.id, auditItemId });
    }
    const ask = (first: number) => () =>
      app.as(of.viewer).send(
        `query($id: ID!, $first: Int) { audit(id: $id) { items(first: $first) {
           edges { node { attachments { ${LISTED} evidence { id createdBy { name } } } } } } } }`,
        { id: of.audit.id, first },
      ); // prettier-ignore
    await ask(1)();
    expect(await app.statementsOf(ask(50))).toBeLessThanOrEqual(await app.statementsOf(ask(1)));
  });

  it('refuses the same bytes twice on one thing, and takes them again once they were taken off', async () => {
    const of = await measured();
    const input = { evidenceId: (await file(of.project.id)).id, runId: of.runId };
    const { id } = await attached(of.contributor, input);
    const again = await app.as(of.contributor).send(ATTACH, { input });
    expect(again.errors[0]).toMatchObject({
      message: 'The file "trace.json" is attached already',
      extensions: { code: 'CONFLICT', current: { id } },
    });
    const off = await app.as(of.contributor).send(DETACH, { input: { attachmentId: id } });
    expect(off.data.detachEvidence).toEqual({ id, fileName: 'trace.json', detachedAt: expect.any(String) });
    expect(await codeOf(of.contributor, DETACH, { attachmentId: id })).toBe('CONFLICT');
    expect((await attached(of.contributor, input)).id).not.toBe(id);
  });

  it('is harmless when it is repeated, also after the file was taken off', async () => {
    const of = await measured();
    const input = { evidenceId: (await file(of.project.id)).id, auditItemId: of.auditItemId, clientMutationId: 'once' };
    const { id } = await attached(of.contributor, input);
    const detach = { attachmentId: id, clientMutationId: 'off' };
    for (let time = 0; time < 2; time += 1) {
      expect((await app.as(of.contributor).send(DETACH, { input: detach })).data.detachEvidence.id).toBe(id);
    }
    expect((await attached(of.contributor, input)).id).toBe(id);
    expect(await app.db.attachment.count({ where: { auditItemId: of.auditItemId } })).toBe(1);
  });

  it('keeps in the history what was attached and what was taken off', async () => {
    const of = await measured();
    const evidence = await file(of.project.id, '核.csv');
    const { id } = await attached(of.contributor, { evidenceId: evidence.id, auditItemId: of.auditItemId });
    await attached(of.contributor, { evidenceId: evidence.id, trialId: of.trialId });
    await app.as(of.contributor).send(DETACH, { input: { attachmentId: id } });
    const { data, errors } = await app.as(of.viewer).send(
      'query($id: ID!) { audit(id: $id) { history(first: 3) { edges { node { subject field before after text { en zh } } } } } }',
      { id: of.audit.id },
    ); // prettier-ignore
    expect(errors).toEqual([]);
    const value = { fileName: '核.csv', size: 1024, sha256: evidence.sha256, caption: null };
    expect(data.audit.history.edges.map(({ node }: { node: object }) => node)).toEqual([
      { subject: 'AUDIT_ITEM', field: 'attachment', before: value, after: null, text: { en: 'File taken off: “核.csv”', zh: '移除附件“核.csv”' } },
      { subject: 'TRIAL', field: 'attachment', before: null, after: value, text: { en: 'File attached: “核.csv”', zh: '附上文件“核.csv”' } },
      { subject: 'AUDIT_ITEM', field: 'attachment', before: null, after: value, text: { en: 'File attached: “核.csv”', zh: '附上文件“核.csv”' } },
    ]);
  }); // prettier-ignore

  it('refuses closed audits, which runs are not of, and archived items', async () => {
    const of = await measured();
    const evidenceId = (await file(of.project.id)).id;
    const { id } = await attached(of.contributor, { evidenceId, auditItemId: of.auditItemId });
    await app.db.auditItem.update({ where: { id: of.auditItemId }, data: { isArchived: true } });
    expect(await codeOf(of.contributor, DETACH, { attachmentId: id })).toBe('CONFLICT');
    await app.db.auditItem.update({ where: { id: of.auditItemId }, data: { isArchived: false } });
    await app.db.audit.update({ where: { id: of.audit.id }, data: { status: 'CLOSED' } });
    expect(await codeOf(of.contributor, DETACH, { attachmentId: id })).toBe('CONFLICT');
    expect(await codeOf(of.contributor, ATTACH, { evidenceId, trialId: of.trialId })).toBe('CONFLICT');
    const item = of.item('precision/bf16');
    expect(await codeOf(of.contributor, ATTACH, { evidenceId, auditItemId: item.id })).toBe('CONFLICT');
    await attached(of.contributor, { evidenceId, runId: of.runId });
  });

  it('takes exactly one thing, of the project of the file', async () => {
    const [of, other] = [await measured(), await measured()];
    const evidenceId = (await file(of.project.id)).id;
    const { auditItemId, trialId, runId, contributor } = of;
    expect(await codeOf(contributor, ATTACH, { evidenceId })).toBe('INVALID_INPUT');
    expect(await codeOf(contributor, ATTACH, { evidenceId, auditItemId, trialId })).toBe('INVALID_INPUT');
    expect(await codeOf(contributor, ATTACH, { evidenceId, runId, caption: 'x'.repeat(1_001) })).toBe('INVALID_INPUT');
    expect(await codeOf(contributor, ATTACH, { evidenceId: 'none', runId })).toBe('NOT_FOUND');
    expect(await codeOf(contributor, ATTACH, { evidenceId, runId: other.runId })).toBe('NOT_FOUND');
    expect(await codeOf(other.contributor, ATTACH, { evidenceId, runId: other.runId })).toBe('NOT_FOUND');
    // Somebody of both projects does not carry files from one to the other
    await app.db.projectMember.create({
      data: { projectId: other.project.id, userId: contributor.id, role: 'CONTRIBUTOR' },
    });
    expect(await codeOf(contributor, ATTACH, { evidenceId, runId: other.runId })).toBe('NOT_FOUND');
  });

  it.each(['trialId', 'runId', 'auditItemId'] as const)('refuses a reader by %s, and hides it from strangers', async (of) => {
    const team = await measured();
    const input = { evidenceId: (await file(team.project.id)).id, [of]: team[of] };
    expect(await codeOf(team.viewer, ATTACH, input)).toBe('FORBIDDEN');
    expect(await codeOf(team.stranger, ATTACH, input)).toBe('NOT_FOUND');
    const { id: attachmentId } = await attached(team.contributor, input);
    expect(await codeOf(team.viewer, DETACH, { attachmentId })).toBe('FORBIDDEN');
    expect(await codeOf(team.stranger, DETACH, { attachmentId })).toBe('NOT_FOUND');
  }); // prettier-ignore
});

describe('an exported audit', () => {
  const ofAll = (record: Awaited<ReturnType<typeof exportedRecord>>) => [
    record.items.flatMap(({ attachments }) => attachments),
    record.trials.flatMap(({ attachments }) => attachments),
    record.runs.flatMap(({ attachments }) => attachments),
  ];

  it('lists what is attached, and an import keeps it: the files themselves only where the project has them', async () => {
    const source = await richAudit(app, 20);
    const evidence = await file(source.project.id, '核.csv');
    const trial = await app.db.trial.findFirstOrThrow({
      where: { auditItem: { auditId: source.auditId }, runs: { some: {} } },
      include: { runs: true },
    });
    const runId = trial.runs[0]?.runId;
    const evidenceId = evidence.id;
    await attached(source.contributor, { evidenceId, auditItemId: trial.auditItemId, caption: '前十个核' });
    await attached(source.contributor, { evidenceId, trialId: trial.id });
    await attached(source.contributor, { evidenceId, runId });
    const record = await exportedRecord(app.as(source.contributor), source.auditId);
    const { sha256 } = evidence;
    const named = { sha256, fileName: '核.csv', mediaType: 'application/json', size: 1024, attachedBy: 'contributor' };
    expect(ofAll(record)).toMatchObject([
      [{ ...named, caption: '前十个核' }],
      [{ ...named, caption: null }],
      [{ ...named, caption: null }],
    ]);

    const elsewhere = (await withPeople(app, source)).project;
    const report = await importedBy(app.owner, elsewhere.id, record);
    expect(report.problems).toEqual([]);
    const made = await exportedRecord(app.as(source.contributor), report.audit.id);
    expect(ofAll(made)).toEqual(ofAll(record));
    const shownAs = async () => {
      const { data, errors } = await app.as(source.viewer).send(
        'query($id: ID!) { audit(id: $id) { items { edges { node { attachments { createdBy { id } createdByName evidence { fileName } } } } } } }',
        { id: report.audit.id },
      ); // prettier-ignore
      expect(errors).toEqual([]);
      const edges: { node: { attachments: object[] } }[] = data.audit.items.edges;
      return edges.flatMap(({ node }) => node.attachments);
    };
    const by = { createdBy: null, createdByName: 'contributor' };
    expect(await shownAs()).toEqual([{ ...by, evidence: null }]);
    // Knowing a hash gives no right to the bytes; whoever has them uploads them
    await app.db.evidence.create({
      data: { projectId: elsewhere.id, sha256, fileName: 'again.csv', mediaType: 'text/csv', size: 1024 },
    });
    expect(await shownAs()).toEqual([{ ...by, evidence: { fileName: 'again.csv' } }]);

    // In the same project the run is there, with its file
    const same = await importedBy(app.owner, source.project.id, record);
    expect(same.problems).toEqual([]);
    expect(await app.db.attachment.count({ where: { runId } })).toBe(1);
  });

  it('names the files in every format, with size and SHA-256', async () => {
    const of = await measured();
    const evidence = await file(of.project.id, 'a_b*c.csv');
    await attached(of.contributor, { evidenceId: evidence.id, auditItemId: of.auditItemId, caption: '<b>Top</b>' });
    const exported = async (format: string) => {
      const { data, errors } = await app.as(of.viewer).send(
        `query($id: ID!) { auditExport(id: $id, format: ${format}, locale: ZH) { content } }`,
        { id: of.audit.id },
      ); // prettier-ignore
      expect(errors).toEqual([]);
      return String(data.auditExport.content);
    };
    expect(await exported('CSV')).toContain(`a_b*c.csv (1024 B, SHA-256 ${evidence.sha256})`);
    for (const format of ['MARKDOWN', 'HTML']) {
      const text = await exported(format);
      expect(text).toContain('附件');
      expect(text).toContain(evidence.sha256);
      expect(text).not.toContain('<b>Top</b>');
    }
  });

  it('of before attachments is read as one without any', async () => {
    const source = await richAudit(app, 20);
    const record = await exportedRecord(app.as(source.contributor), source.auditId);
    const without = <T extends { attachments: unknown }>({ attachments: _, ...rest }: T) => rest;
    const older = {
      ...record,
      items: record.items.map(without),
      trials: record.trials.map(without),
      runs: record.runs.map(without),
    };
    const report = await importedBy(app.owner, (await withPeople(app, source)).project.id, older);
    expect(report.problems).toEqual([]);
  });
});
