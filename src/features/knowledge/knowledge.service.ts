import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../domain/errors.js';
import { expectationOf } from '../../domain/knowledge/expectation.js';
import { isFallback, textIn, textOf } from '../../domain/locale.js';
import { optionalText, requiredText, textList, TEXT_LIMITS } from '../../domain/text-limits.js';
import { changeOf } from '../../domain/knowledge/change.js';
import { Prisma, type AuditItem as AuditItemRow, type Note as NoteRow } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { groupByKey, oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { pageOf, pageSize, startAfterOne, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { archived, AuditsService, itemSubject } from '../audits/audits.service.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { CatalogNote } from '../../domain/content/catalog.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import { TrialFollowersService } from '../measurements/trial-followers.service.js';
import { contextOfTrials, effectsOf, notesWhere, toNote, trialsFor } from './knowledge.queries.js';
import { indexNotesOf, noteDocuments } from './knowledge.search.js';
import type { AdoptNoteInput, Note, NoteFilter, PublishNoteInput } from './knowledge.types.js';
import { putReferenceNotes } from './reference-notes.js';

const ITEM_LIMIT = 50;
const TAG_LIMIT = 50;
const TRIAL_LIMIT = 100;
const ADOPTION_LIMIT = 100;

/** Notes: what was learned, and where it was taken up again. */
@Injectable()
export class KnowledgeService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly catalog: CatalogService,
    private readonly audits: AuditsService,
    private readonly measurements: MeasurementsService,
    private readonly index: SearchIndex,
    trials: TrialFollowersService,
  ) {
    trials.add((tx, auditItemIds) => indexNotesOf(tx, index, auditItemIds));
  }

  readonly noteById = perRequest(async (ids: readonly string[]): Promise<(Note | null)[]> => {
    const rows = await this.db.note.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows.map(toNote), ({ id }) => id);
  });

  readonly itemIdsOfNote = perRequest(async (noteIds: readonly string[]) => {
    const links = await this.db.noteItem.findMany({
      where: { noteId: { in: [...noteIds] } },
      orderBy: { order: 'asc' },
    });
    return groupByKey(noteIds, links, ({ noteId }) => noteId).map((own) => own.map(({ itemId }) => itemId));
  });

  readonly trialIdsOfNote = perRequest(async (noteIds: readonly string[]) => {
    const links = await this.db.noteTrial.findMany({
      where: { noteId: { in: [...noteIds] } },
      orderBy: { order: 'asc' },
    });
    return groupByKey(noteIds, links, ({ noteId }) => noteId).map((own) => own.map(({ trialId }) => trialId));
  });

  /** The newest adoptions of a note, whoever may see them. */
  readonly adoptionsOfNote = perRequest(async (noteIds: readonly string[]) => {
    const rows = await this.db.auditItem.findMany({
      where: { adoptedFromId: { in: [...noteIds] } },
      select: { id: true, projectId: true, adoptedFromId: true },
      orderBy: { id: 'asc' },
    });
    return groupByKey(noteIds, rows, ({ adoptedFromId }) => adoptedFromId ?? '');
  });

  async find(viewer: Viewer, id: string): Promise<Note | null> {
    const row = await this.access.visible(viewer, await this.db.note.findUnique({ where: { id } }));
    return row && toNote(row);
  }

  /** A note among many, if the viewer may see it. */
  async visibleNote(viewer: Viewer, request: object, id: string): Promise<Note | null> {
    return this.access.visible(viewer, await this.noteById(request).load(id));
  }

  /** The notes that the viewer may see, newest first. */
  async list(viewer: Viewer, filter: NoteFilter, page: PageRequest): Promise<Connection<Note>> {
    const first = pageSize(page.first);
    const visible = await this.access.visibleProjects(viewer);
    const isThere = async (id: string) =>
      (await this.db.note.count({ where: { AND: [notesWhere(visible, {}), { id }] } })) > 0;
    const after = await startAfterOne(page, isThere);
    const where = notesWhere(visible, filter);
    const rows = await this.db.note.findMany({
      where: { AND: [where, after === null ? {} : { id: { lt: after } }] },
      orderBy: { id: 'desc' },
      take: first + 1,
    });
    return pageOf(rows, page, await this.db.note.count({ where }), ({ id }) => id, toNote);
  }

  /** Audit items that took the note up, as far as the viewer may see them. */
  async adoptions(viewer: Viewer, request: object, noteId: string): Promise<string[]> {
    const all = await this.adoptionsOfNote(request).load(noteId);
    const visible = await this.access.allVisible(viewer, all);
    return visible.slice(-ADOPTION_LIMIT).map(({ id }) => id);
  }

  async publish(viewer: Viewer, input: PublishNoteInput): Promise<Note> {
    const origin = await this.originOf(viewer, input);
    const title = requiredText(input.title, 'title');
    const body = requiredText(input.body, 'body', TEXT_LIMITS.long);
    const caveats = optionalText(input.caveats, 'caveats');
    const tags = textList(input.tags ?? [], 'tags', TAG_LIMIT);
    const trialIds = input.trialIds ? textList(input.trialIds, 'trialIds', TRIAL_LIMIT) : null;
    const given = input.change === null || input.change === undefined ? null : toJson(changeOf(input.change));
    if (input.items && input.items.length > ITEM_LIMIT) {
      throw invalidInput({
        en: `items has ${input.items.length} entries; at most ${ITEM_LIMIT} are kept`,
        zh: `items 有 ${input.items.length} 项，最多 ${ITEM_LIMIT} 项`,
      });
    }
    const { projectId, item } = origin;
    const namedIds = input.items ? await this.catalog.itemIds(viewer, input.items) : null;
    const id = await once(this.db, viewer, 'publishNote', input, async (tx) => {
      if (item) await this.audits.refuseArchived(tx, item.id);
      const trials = await trialsFor(tx, projectId, item?.id ?? null, trialIds);
      const missing = trialIds?.find((wanted) => !trials.some(({ id: found }) => found === wanted));
      if (missing !== undefined) {
        throw notFound(
          { en: `There is no trial "${missing}" in this project`, zh: `该项目中没有试验“${missing}”` },
          { id: missing },
        );
      }
      const measured = await contextOfTrials(
        tx,
        trials.map(({ id: trialId }) => trialId),
      );
      const itemIds = namedIds ?? (await itemIdsOf(tx, item));
      const place = await environmentOf(tx, item);
      const note = await tx.note.create({
        data: {
          projectId,
          auditItemId: item?.id ?? null,
          authorId: viewer.id,
          locale: input.locale,
          title: toJson(textOf(input.locale, title)),
          body: toJson(textOf(input.locale, body)),
          caveats: caveats === null ? Prisma.DbNull : toJson(textOf(input.locale, caveats)),
          context: toJson({
            hardware: place?.hardware ?? null,
            environment: measured.environment,
            workload: measured.workload,
          }),
          change: given ?? measured.change,
          outcome: input.outcome,
          tags,
          items: { create: [...new Set(itemIds)].map((itemId, order) => ({ itemId, order })) },
          trials: { create: trials.map(({ id: trialId }, order) => ({ trialId, order })) },
        },
      });
      const where = item ? { auditId: item.auditId, auditItemId: item.id } : {};
      await record(tx, viewer, [
        {
          projectId,
          ...where,
          subject: 'note',
          subjectId: note.id,
          field: 'created',
          after: { title, outcome: input.outcome },
        },
      ]);
      await this.index.put(tx, await noteDocuments(tx, [note.id]));
      return note.id;
    });
    return toNote(await this.db.note.findUniqueOrThrow({ where: { id } }));
  }

  /** Makes the reference notes, which belong to no project, what the content says; the search index with them. */
  async putReferenceNotes(tx: Db, notes: readonly CatalogNote[]): Promise<void> {
    const { present, removed } = await putReferenceNotes(tx, notes, {
      catalog: this.catalog,
      measurements: this.measurements,
    });
    await this.index.remove(tx, removed.map((subjectId) => ({ kind: 'NOTE', subjectId }))); // prettier-ignore
    // All of them: the glossary and the tags of items may have changed.
    await this.index.put(tx, await noteDocuments(tx, present));
  }

  /** Gives back the id of the audit item: change and expectation are copied, its state stays as it is. */
  async adopt(viewer: Viewer, input: AdoptNoteInput): Promise<string> {
    const audit = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const note = await this.access.visible(viewer, await this.db.note.findUnique({ where: { id: input.noteId } }));
    if (!note) {
      throw notFound(
        { en: `There is no note "${input.noteId}"`, zh: `没有笔记“${input.noteId}”` },
        { id: input.noteId },
      );
    }
    return once(this.db, viewer, 'adoptNote', input, async (tx) => {
      await this.audits.touchOpen(tx, audit.id);
      const item = await auditItemFor(tx, audit.id, note.id, input.itemKey ?? null);
      const titles = toLocalizedText(note.title);
      const locale = isFallback(titles, viewer.locale) ? note.locale : viewer.locale;
      const expectation = expectationOf(
        { title: textIn(titles, locale), outcome: note.outcome, locale },
        await effectsOf(tx, note.id),
      );
      await tx.auditItem.update({
        where: { id: item.id },
        data: {
          adoptedFromId: note.id,
          expectation,
          plannedChange: note.change ?? Prisma.DbNull,
          version: { increment: 1 },
          updatedAt: new Date(),
        },
      });
      await record(tx, viewer, adoptionChanges(item, note, expectation));
      await this.audits.reindex(tx, item.id);
      return item.id;
    });
  }

  /** The project and the audit item that a note is from; exactly these are checked for the right to write notes. */
  private async originOf(
    viewer: Viewer,
    { auditItemId, projectId }: PublishNoteInput,
  ): Promise<{ projectId: string; item: AuditItemRow | null }> {
    if (auditItemId !== null && auditItemId !== undefined) {
      const item = await this.audits.requireItem(viewer, 'WRITE_NOTES', auditItemId);
      if (projectId !== null && projectId !== undefined && projectId !== item.projectId) {
        throw invalidInput({
          en: `The audit item is of another project than "${projectId}"`,
          zh: `该审计条目不属于项目“${projectId}”`,
        });
      }
      return { projectId: item.projectId, item };
    }
    if (projectId === null || projectId === undefined) {
      throw invalidInput({ en: 'Give auditItemId or projectId', zh: '须给出 auditItemId 或 projectId' });
    }
    await this.access.require(
      viewer,
      'WRITE_NOTES',
      await this.db.project
        .findUnique({ where: { id: projectId }, select: { id: true } })
        .then((found) => found && { projectId: found.id }),
      notFound({ en: `There is no project "${projectId}"`, zh: `没有项目“${projectId}”` }, { id: projectId }),
    );
    return { projectId, item: null };
  }
}

async function itemIdsOf(tx: Db, item: AuditItemRow | null): Promise<string[]> {
  if (item?.releaseItemId === null || item === null) return [];
  const { revision } = await tx.releaseItem.findUniqueOrThrow({
    where: { id: item.releaseItemId },
    select: { revision: { select: { itemId: true } } },
  });
  return [revision.itemId];
}

async function environmentOf(tx: Db, item: AuditItemRow | null): Promise<{ hardware: string | null } | null> {
  if (!item) return null;
  const audit = await tx.audit.findUniqueOrThrow({
    where: { id: item.auditId },
    select: { environment: { select: { hardware: { select: { slug: true } } } } },
  });
  return { hardware: audit.environment?.hardware?.slug ?? null };
}

/** The item of the audit that the note is to go to. */
async function auditItemFor(tx: Db, auditId: string, noteId: string, itemKey: string | null): Promise<AuditItemRow> {
  const linked =
    itemKey === null
      ? { releaseItem: { revision: { item: { notes: { some: { noteId } } } } } }
      : { OR: [{ releaseItem: { key: itemKey } }, { customKey: itemKey }] };
  const all = await tx.auditItem.findMany({
    where: { auditId, ...linked },
    include: { releaseItem: { select: { key: true } } },
    orderBy: { position: 'asc' },
  });
  const found = all.filter(({ isArchived }) => !isArchived);
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (itemKey !== null) {
    const [gone] = all;
    if (gone) throw archived(gone);
    throw notFound({ en: `The audit has no item "${itemKey}"`, zh: `该审计中没有条目“${itemKey}”` }, { itemKey });
  }
  const keys = found.map(({ releaseItem }) => releaseItem?.key ?? '');
  throw invalidInput(
    {
      en:
        keys.length === 0
          ? 'The note links to no item of this audit; name one with itemKey'
          : `The note links to ${keys.length} items of this audit; name one with itemKey: ${keys.join(', ')}`,
      zh:
        keys.length === 0
          ? '该笔记没有关联到此审计的条目，请用 itemKey 指定'
          : `该笔记关联到此审计的 ${keys.length} 个条目，请用 itemKey 指定其一：${keys.join('、')}`,
    },
    { itemKeys: keys },
  );
}

function adoptionChanges(item: AuditItemRow, note: NoteRow, expectation: string) {
  const subject = itemSubject(item);
  return [
    { ...subject, field: 'adoptedFrom', before: item.adoptedFromId, after: note.id },
    { ...subject, field: 'expectation', before: item.expectation, after: expectation },
  ];
}
