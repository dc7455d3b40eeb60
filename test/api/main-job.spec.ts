import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { labFile } from '../support/lab-file.js';

describe('the main job', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('goes from a project to a found note', async () => {
    const project = await app.owner.send(
      `mutation($input: CreateProjectInput!) {
         createProject(input: $input) { id slug environments { id name hardware { slug } facts } }
       }`,
      {
        input: {
          slug: 'main-job',
          name: 'Main job',
          hardware: 'h200-sxm',
          facts: { driver: '580.159.04', 'gpu.count': 1 },
        },
      },
    );
    expect(project.errors).toEqual([]);
    const { id: projectId, environments } = project.data.createProject;
    expect(environments).toMatchObject([
      { name: 'default', hardware: { slug: 'h200-sxm' }, facts: { driver: '580.159.04' } },
    ]);

    const audit = await app.owner.send(
      `mutation($input: OpenAuditInput!) {
         openAudit(input: $input) {
           id title status checklist { slug version itemCount }
           progress { total applicable assessed done verified }
           items(filter: { section: "precision" }) { totalCount edges { node { id version item { key } applicability { answer reasons { en } } } } }
         }
       }`,
      { input: { projectId, checklist: 'ai-systems-performance', title: 'First audit' } },
    );
    expect(audit.errors).toEqual([]);
    const { openAudit } = audit.data;
    expect(openAudit).toMatchObject({
      title: 'First audit',
      status: 'OPEN',
      progress: { total: openAudit.checklist.itemCount, assessed: 0, verified: 0 },
    });
    expect(openAudit.items.totalCount).toBe(10);
    const tf32 = openAudit.items.edges
      .map((edge: { node: { item: { key: string } } }) => edge.node)
      .find(({ item }: { item: { key: string } }) => item.key === 'precision/tf32');

    const importRun = (variant: 'before' | 'after') =>
      app.owner.send(
        `mutation($input: ImportRunInput!) {
           importRun(input: $input) { format problems { message } runs { id isNew variant } observations { metric { key unit } value } }
         }`,
        { input: { projectId, fileName: `${variant}.json`, content: labFile(variant) } },
      );
    const [before, after] = [await importRun('before'), await importRun('after')];
    expect(before.errors).toEqual([]);
    expect(before.data.importRun).toMatchObject({
      format: 'tunebook-lab',
      problems: [],
      runs: [{ isNew: true, variant: 'FP32' }],
      observations: [{ metric: { key: 'training.step_time', unit: 'ms' }, value: 100 }],
    });

    const trial = await app.owner.send(
      `mutation($input: CreateTrialInput!) {
         createTrial(input: $input) {
           id verdict variable primaryMetric { key }
           comparisons { verdict evidence gain nBefore nAfter medianBefore medianAfter method isConfounded
             warnings { code message { zh } } environmentDifferences { key before after declared } }
         }
       }`,
      {
        input: {
          auditItemId: tf32.id,
          beforeRunIds: [before.data.importRun.runs[0].id],
          afterRunIds: [after.data.importRun.runs[0].id],
          primaryMetric: 'training.step_time',
          variable: ['variant', 'workload.settings.precision'],
        },
      },
    );
    expect(trial.errors).toEqual([]);
    const [comparison] = trial.data.createTrial.comparisons;
    expect(trial.data.createTrial.verdict).toBe('IMPROVED');
    expect(comparison).toMatchObject({
      verdict: 'IMPROVED',
      evidence: 'INDICATIVE',
      nBefore: 6,
      nAfter: 6,
      medianBefore: 100,
      medianAfter: 80,
    });
    expect(comparison.gain).toBeCloseTo(0.25, 2);
    expect(comparison.warnings.map(({ code }: { code: string }) => code)).toContain('ONE_SESSION_ARM');

    const updated = await app.owner.send(
      `mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { version work outcome proof remark } }`,
      {
        input: {
          id: tf32.id,
          version: tf32.version,
          work: 'DONE',
          outcome: 'APPLIED',
          remark: 'One switch, set before the first product',
        },
      },
    );
    expect(updated.data.updateAuditItem).toMatchObject({
      version: 2,
      work: 'DONE',
      outcome: 'APPLIED',
      proof: 'INDICATED',
    });

    const note = await app.owner.send(
      `mutation($input: PublishNoteInput!) { publishNote(input: $input) { id change context items { key } trials { id } } }`,
      {
        input: {
          auditItemId: tf32.id,
          title: 'TF32 halves the step of a small model',
          body: 'Most of the step was FP32 matrix products. Pinned memory was in place before.',
          locale: 'EN',
          outcome: 'HELPED',
          tags: ['matmul'],
        },
      },
    );
    expect(note.errors).toEqual([]);
    expect(note.data.publishNote).toMatchObject({
      items: [{ key: 'precision/tf32' }],
      trials: [{ id: trial.data.createTrial.id }],
      change: { variant: { before: 'FP32', after: 'TF32' } },
      context: { hardware: 'h200-sxm' },
    });

    const search = await app.owner.send(
      `{ search(query: "锁页内存", filter: { kinds: [NOTE], project: "main-job" }) { totalCount edges { node { kind id snippet note { title { en } } } } } }`,
    );
    expect(search.errors).toEqual([]);
    expect(search.data.search.edges.map(({ node }: { node: { id: string } }) => node.id)).toContain(
      note.data.publishNote.id,
    );
    expect(search.data.search.edges[0].node.snippet).toContain('\ue000Pinned memory\ue001');
  });

  it('carries a note into another audit and back', async () => {
    const origin = await given.audit(app.db, { hardware: 'h100-sxm' });
    const other = await given.audit(app.db);
    const recorded = await app.owner.send(
      `mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id verdict comparisons { gain evidence } } }`,
      {
        input: {
          auditItemId: origin.item('io/pinned-memory').id,
          metric: 'training.throughput',
          before: [100, 101, 99, 100.5],
          after: [110, 111, 109, 110.5],
          sampling: 'SEPARATE_SESSIONS',
          variable: ['pin_memory'],
        },
      },
    );
    expect(recorded.errors).toEqual([]);
    expect(recorded.data.recordMeasurement).toMatchObject({
      verdict: 'IMPROVED',
      comparisons: [{ evidence: 'STATISTICAL' }],
    });
    const note = await app.owner.send(`mutation($input: PublishNoteInput!) { publishNote(input: $input) { id } }`, {
      input: {
        auditItemId: origin.item('io/pinned-memory').id,
        title: 'Pinned buffers',
        body: 'It helped.',
        locale: 'EN',
        outcome: 'HELPED',
        change: { pin_memory: true },
      },
    });
    const { id: noteId } = note.data.publishNote;
    const adopted = await app.owner.send(
      `mutation($input: AdoptNoteInput!) { adoptNote(input: $input) { id version outcome expectation plannedChange adoptedFrom { id } item { key } } }`,
      { input: { noteId, auditId: other.audit.id } },
    );
    expect(adopted.errors).toEqual([]);
    expect(adopted.data.adoptNote).toMatchObject({
      id: other.item('io/pinned-memory').id,
      version: 2,
      outcome: 'NOT_ASSESSED',
      plannedChange: { pin_memory: true },
      adoptedFrom: { id: noteId },
      item: { key: 'io/pinned-memory' },
    });
    expect(adopted.data.adoptNote.expectation).toMatch(
      /^Note "Pinned buffers": it helped; training\.throughput: gain \+9\.\d\d % \(95 % interval/,
    );

    await app.owner.send(`mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }`, {
      input: {
        auditItemId: adopted.data.adoptNote.id,
        metric: 'training.throughput',
        before: [100, 100, 100, 100],
        after: [100, 100, 100, 100],
      },
    });
    const back = await app.owner.send(
      `query($id: ID!) { note(id: $id) { adoptions { id audit { id } trials { verdict primaryMetric { key } } } } }`,
      { id: noteId },
    );
    expect(back.data.note.adoptions).toEqual([
      {
        id: adopted.data.adoptNote.id,
        audit: { id: other.audit.id },
        trials: [{ verdict: 'NO_MEANINGFUL_CHANGE', primaryMetric: { key: 'training.throughput' } }],
      },
    ]);
  });
});
