import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type Answer, type TestApp } from '../support/app.js';
import { added, rowsOf } from '../support/rows.js';

const PUBLISH = `mutation($input: PublishNoteInput!) {
  publishNote(input: $input) {
    id title { en zh text isFallback } body { en zh } caveats { en zh } locale outcome tags context change
    items { key } trials { id verdict } adoptions { id }
  }
}`;
const ADOPT = `mutation($input: AdoptNoteInput!) {
  adoptNote(input: $input) {
    id version work outcome proof expectation plannedChange adoptedFrom { id } item { key }
  }
}`;
const RECORD = `mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }`;
const checklist = 'ai-systems-performance';
const pinned = { checklist, key: 'io/pinned-memory' };
const workers = { checklist, key: 'io/parallel-data-loading' };

describe('notes', () => {
  let app: TestApp;
  let audit: given.GivenAudit;
  let auditItemId: string;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    audit = await given.audit(app.db, { hardware: 'h200-sxm' });
    auditItemId = audit.item('io/pinned-memory').id;
  });
  afterAll(() => app.close());

  const written = { title: 'Pinned buffers', body: 'It helped.', locale: 'EN', outcome: 'HELPED' };
  const publish = (change: object = {}): Promise<Answer> =>
    app.as(audit.contributor).send(PUBLISH, { input: { ...written, ...change } });
  async function published(change: object) {
    const { data, errors } = await publish(change);
    expect(errors).toEqual([]);
    return data.publishNote;
  }
  async function trial(factor = 1.1): Promise<string> {
    const values = [100, 101, 99, 100.5];
    const { data, errors } = await app.as(audit.contributor).send(RECORD, {
      input: {
        auditItemId,
        metric: 'training.throughput',
        before: values,
        after: values.map((value) => value * factor),
        sampling: 'SEPARATE_SESSIONS',
        variable: ['workload.settings.pin_memory'],
        workloadBefore: { 'settings.pin_memory': false, model: 'resnet' },
        workloadAfter: { 'settings.pin_memory': true, model: 'resnet' },
      },
    });
    expect(errors).toEqual([]);
    return data.recordMeasurement.id;
  }

  describe('publishNote', () => {
    it('takes context, change, item and trials from the audit item', async () => {
      const [first, second] = [await trial(), await trial(1.2)];
      const before = await rowsOf(app.db);
      const note = await published({
        auditItemId,
        caveats: 'Only where memory is free',
        tags: ['pinned-memory', 'own'],
      });
      expect(note).toMatchObject({
        title: { en: 'Pinned buffers', zh: null, text: 'Pinned buffers', isFallback: false },
        body: { en: 'It helped.', zh: null },
        caveats: { en: 'Only where memory is free', zh: null },
        locale: 'EN',
        outcome: 'HELPED',
        tags: ['pinned-memory', 'own'],
        change: { 'workload.settings.pin_memory': { before: 'false', after: 'true' } },
        items: [{ key: 'io/pinned-memory' }],
        trials: [
          { id: first, verdict: 'IMPROVED' },
          { id: second, verdict: 'IMPROVED' },
        ],
        adoptions: [],
      });
      expect(note.context).toMatchObject({
        hardware: 'h200-sxm',
        environment: { 'gpu.sku': expect.stringContaining('H200') },
        workload: { 'workload.model': 'resnet' },
      });
      expect(added(before, await rowsOf(app.db))).toEqual({
        HistoryEntry: 1,
        Note: 1,
        NoteItem: 1,
        NoteTrial: 2,
        SearchDocument: 1,
      });
    });

    it('takes what the writer names instead', async () => {
      const [first] = [await trial(), await trial(1.2)];
      const note = await published({
        auditItemId,
        trialIds: [first],
        items: [workers, pinned],
        change: { pin_memory: true, num_workers: { before: 4, after: 8 }, list: [1, 2] },
      });
      expect(note).toMatchObject({
        trials: [{ id: first }],
        items: [{ key: workers.key }, { key: pinned.key }],
        change: { pin_memory: true, num_workers: { before: 4, after: 8 }, list: [1, 2] },
      });
    });

    it('publishes free-standing, in Chinese too', async () => {
      const note = await published({ projectId: audit.project.id, title: '锁页内存', body: '有效。', locale: 'ZH' });
      expect(note).toMatchObject({
        title: { en: null, zh: '锁页内存', text: '锁页内存', isFallback: true },
        context: { hardware: null, environment: {}, workload: {} },
        change: {},
        items: [],
        trials: [],
      });
    });

    it('keeps secrets out of the change', async () => {
      const { change } = await published({
        auditItemId,
        change: { HF_TOKEN: 'hf_abcdefghijklmnopqrst', url: 'alice@node7.example.internal' },
      });
      expect(JSON.stringify(change)).not.toMatch(/hf_abc|node7/);
    });

    const wrong: [string, object, string, RegExp][] = [
      ['an unknown item', { items: [{ checklist, key: 'io/none' }] }, 'NOT_FOUND', /io\/none/],
      ['an unknown checklist', { items: [{ checklist: 'none', key: 'io/striping' }] }, 'NOT_FOUND', /none/],
      ['an unknown trial', { trialIds: ['none'] }, 'NOT_FOUND', /^There is no trial "none" in this project$/],
      ['an empty title', { title: ' ' }, 'INVALID_INPUT', /^title is empty$/],
      ['a title that is too long', { title: 'x'.repeat(201) }, 'INVALID_INPUT', /^title has 201 characters/],
      ['an empty body', { body: '\n' }, 'INVALID_INPUT', /^body is empty$/],
      ['a body that is too long', { body: 'x'.repeat(100_001) }, 'INVALID_INPUT', /^body has 100001 characters/],
      ['an empty tag', { tags: ['a', ''] }, 'INVALID_INPUT', /^tags\[1\] is empty$/],
      ['a change that is a list', { change: [1] }, 'INVALID_INPUT', /^change must be an object/],
      ['a change that is nested', { change: { a: { b: { c: 1 } } } }, 'INVALID_INPUT', /^change must be an object/],
      ['too many items', { items: Array.from({ length: 51 }, () => pinned) }, 'INVALID_INPUT', /^items has 51/],
      ['another project', { projectId: 'other' }, 'INVALID_INPUT', /of another project than "other"$/],
      ['no place to be', { auditItemId: null }, 'INVALID_INPUT', /^Give auditItemId or projectId$/],
    ];
    it.each(wrong)('refuses %s and writes nothing', async (_, change, code, message) => {
      const before = await rowsOf(app.db);
      const answer = await publish({ auditItemId, ...change });
      expect(answer).toMatchObject({ data: null, errorCode: code });
      expect(answer.errors[0]?.message).toMatch(message);
      expect(added(before, await rowsOf(app.db))).toEqual({});
    });

    it('refuses a trial of another project', async () => {
      const foreign = await trial();
      const other = await given.audit(app.db);
      const before = await rowsOf(app.db);
      const answer = await app.as(other.contributor).send(PUBLISH, {
        input: { ...written, auditItemId: other.item('io/striping').id, trialIds: [foreign] },
      });
      expect(answer).toMatchObject({ data: null, errorCode: 'NOT_FOUND' });
      expect(added(before, await rowsOf(app.db))).toEqual({});
    });

    it.each([
      ['a viewer of the project', 'viewer', 'FORBIDDEN'],
      ['a stranger', 'stranger', 'NOT_FOUND'],
      ['nobody', null, 'UNAUTHENTICATED'],
    ] as const)('refuses %s', async (_, who, code) => {
      const before = await rowsOf(app.db);
      for (const place of [{ auditItemId }, { projectId: audit.project.id }]) {
        const answer = await app.as(who && audit[who]).send(PUBLISH, { input: { ...written, ...place } });
        expect(answer).toMatchObject({ data: null, errorCode: code });
      }
      expect(added(before, await rowsOf(app.db))).toEqual({});
    });

    it('takes the same request once, however often and at whatever time it comes', async () => {
      const before = await rowsOf(app.db);
      const again = { auditItemId, clientMutationId: `note ${auditItemId}` };
      const answers = await Promise.all(Array.from({ length: 5 }, () => published(again)));
      answers.push(await published(again));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(added(before, await rowsOf(app.db))).toMatchObject({ Note: 1, SearchDocument: 1, HandledRequest: 1 });
      expect((await publish({ ...again, title: 'Another' })).errorCode).toBe('INVALID_INPUT');
    });
  });

  describe('adoptNote', () => {
    let other: given.GivenAudit;
    beforeEach(async () => {
      other = await given.audit(app.db);
      await app.db.projectMember.create({
        data: { projectId: audit.project.id, userId: other.contributor.id, role: 'VIEWER' },
      });
    });
    const adopt = (input: object, who: { id: string } | null = other.contributor) =>
      app.as(who).send(ADOPT, { input: { auditId: other.audit.id, ...input } });

    it('puts the change and what to expect into the item of the note, and verifies nothing', async () => {
      await trial();
      const { id: noteId } = await published({ auditItemId, change: { pin_memory: true } });
      const before = await rowsOf(app.db);
      const { data, errors } = await adopt({ noteId });
      expect(errors).toEqual([]);
      expect(data.adoptNote).toMatchObject({
        id: other.item('io/pinned-memory').id,
        version: 2,
        work: 'TODO',
        outcome: 'NOT_ASSESSED',
        proof: null,
        plannedChange: { pin_memory: true },
        adoptedFrom: { id: noteId },
        item: { key: 'io/pinned-memory' },
      });
      expect(data.adoptNote.expectation).toMatch(
        /^Note "Pinned buffers": it helped; training\.throughput: gain \+10\.0 % \(.*IMPROVED, STATISTICAL\)$/,
      );
      expect(added(before, await rowsOf(app.db))).toEqual({ HistoryEntry: 2, SearchDocument: 1 });
    });

    it('needs the item where the note names none or several', async () => {
      const { id: noteId } = await published({ auditItemId, items: [pinned, workers] });
      const before = await rowsOf(app.db);
      const several = await adopt({ noteId });
      expect(several.errorCode).toBe('INVALID_INPUT');
      expect(several.errors[0]?.message).toMatch(/links to 2 items .*: io\/.*, io\//);
      const { id: free } = await published({ projectId: audit.project.id });
      expect((await adopt({ noteId: free })).errors[0]?.message).toMatch(/^The note links to no item of this audit/);
      expect((await adopt({ noteId, itemKey: 'io/none' })).errors[0]).toMatchObject({
        message: 'The audit has no item "io/none"',
        extensions: { code: 'NOT_FOUND' },
      });
      expect(added(before, await rowsOf(app.db))).toMatchObject({ Note: 1 });
      const { data } = await adopt({ noteId: free, itemKey: 'precision/tf32' });
      expect(data.adoptNote).toMatchObject({ item: { key: 'precision/tf32' }, adoptedFrom: { id: free } });
    });

    it('shows where a note was adopted as far as the viewer may see', async () => {
      const { id: noteId } = await published({ auditItemId });
      await adopt({ noteId });
      const own = await given.audit(app.db);
      await app.owner.send(ADOPT, { input: { noteId, auditId: own.audit.id } });
      const adoptions = async (who: { id: string }) => {
        const { data } = await app
          .as(who)
          .send(`query($id: ID!) { note(id: $id) { adoptions { audit { id } trials { id } } } }`, { id: noteId });
        return data.note.adoptions;
      };
      expect(await adoptions(audit.contributor)).toEqual([]);
      expect(await adoptions(other.contributor)).toEqual([{ audit: { id: other.audit.id }, trials: [] }]);
    });

    it.each([
      ['a viewer of the project', 'viewer', 'FORBIDDEN'],
      ['a stranger', 'stranger', 'NOT_FOUND'],
      ['nobody', null, 'UNAUTHENTICATED'],
    ] as const)('refuses %s', async (_, who, code) => {
      const { id: noteId } = await published({ auditItemId });
      const before = await rowsOf(app.db);
      expect(await adopt({ noteId }, who && other[who])).toMatchObject({ data: null, errorCode: code });
      expect(added(before, await rowsOf(app.db))).toEqual({});
    });

    it('hides a note that the viewer may not see', async () => {
      const { id: noteId } = await published({ auditItemId });
      const answers = [await adopt({ noteId }, other.maintainer), await adopt({ noteId: 'none' }, other.maintainer)];
      expect(answers.map(({ errorCode }) => errorCode)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
      expect(answers[0]?.errors[0]?.message).toBe(`There is no note "${noteId}"`);
    });

    it('refuses a closed audit', async () => {
      const { id: noteId } = await published({ auditItemId });
      await app.db.audit.update({ where: { id: other.audit.id }, data: { status: 'CLOSED' } });
      const before = await rowsOf(app.db);
      expect((await adopt({ noteId })).errorCode).toBe('CONFLICT');
      expect(added(before, await rowsOf(app.db))).toEqual({});
    });

    it('takes the same request once, however often and at whatever time it comes', async () => {
      const { id: noteId } = await published({ auditItemId });
      const input = { noteId, clientMutationId: `adopt ${noteId}` };
      await Promise.all(Array.from({ length: 5 }, () => adopt(input)));
      expect((await adopt(input)).data.adoptNote.version).toBe(2);
      expect((await adopt({ ...input, itemKey: 'precision/tf32' })).errorCode).toBe('INVALID_INPUT');
    });
  });

  it('lists the notes that the viewer may see, filtered and in pages', async () => {
    await published({ auditItemId, tags: ['list'], title: 'one' });
    await published({ projectId: audit.project.id, tags: ['list', 'more'], title: 'two', outcome: 'HURT' });
    await published({ projectId: audit.project.id, items: [workers], tags: ['list'], title: 'three' });
    const list = async (filter: object, page: object = {}, who: { id: string } | null = audit.viewer) => {
      const { data, errors } = await app.as(who).send(
        `query($filter: NoteFilter, $first: Int, $after: String) { notes(filter: $filter, first: $first, after: $after) {
           totalCount pageInfo { hasNextPage endCursor } edges { node { title { en } } } } }`,
        { filter, ...page },
      );
      expect(errors).toEqual([]);
      const { totalCount, pageInfo, edges } = data.notes;
      return {
        totalCount,
        pageInfo,
        titles: edges.map(({ node }: { node: { title: { en: string } } }) => node.title.en),
      };
    };
    expect(await list({ tags: ['list'] })).toMatchObject({ totalCount: 3, titles: ['three', 'two', 'one'] });
    expect((await list({ tags: ['list', 'more'] })).titles).toEqual(['two']);
    expect((await list({ tags: ['list'], outcome: ['HURT', 'NEUTRAL'] })).titles).toEqual(['two']);
    expect((await list({ tags: ['list'], item: 'io/parallel-data-loading' })).titles).toEqual(['three']);
    expect((await list({ tags: ['list'], hardware: 'h200-sxm' })).titles).toEqual(['one']);
    const first = await list({ tags: ['list'] }, { first: 2 });
    expect(first).toMatchObject({ totalCount: 3, titles: ['three', 'two'], pageInfo: { hasNextPage: true } });
    const rest = await list({ tags: ['list'] }, { first: 2, after: first.pageInfo.endCursor });
    expect(rest).toMatchObject({ totalCount: 3, titles: ['one'], pageInfo: { hasNextPage: false } });
    for (const who of [audit.stranger, null]) {
      expect(await list({ tags: ['list'] }, {}, who)).toMatchObject({ totalCount: 0, titles: [] });
    }
  });

  it('hides a note from strangers', async () => {
    const { id } = await published({ auditItemId });
    for (const who of [audit.stranger, null]) {
      expect(await app.as(who).send(`query($id: ID!) { note(id: $id) { id } }`, { id })).toMatchObject({
        data: { note: null },
        errors: [],
      });
    }
  });

  it('reads a page of notes in as many statements as it takes for few', async () => {
    const other = await given.audit(app.db);
    for (let count = 0; count < 6; count++) {
      await trial();
      const { id: noteId } = await published({ auditItemId, tags: ['counted'] });
      await app.owner.send(ADOPT, { input: { noteId, auditId: other.audit.id } });
    }
    const read = (first: number) =>
      app.statementsOf(async () => {
        const { data } = await app.owner.send(
          `query($first: Int) { notes(filter: { tags: ["counted"] }, first: $first) { totalCount edges { node {
             title { en } items { key title { en } } trials { verdict primaryMetric { key } comparisons { gain } }
             adoptions { audit { title } trials { verdict } } } } } }`,
          { first },
        );
        expect(data.notes.edges).toHaveLength(first);
      });
    await read(1);
    const [few, more] = [await read(1), await read(6)];
    expect(more).toBe(few);
    expect(few).toBeLessThanOrEqual(15);
  });
});
