import { Injectable } from '@nestjs/common';
import {
  customContent,
  customDifferences,
  customItemJson,
  customItemOf,
  customKeyOf,
  patchedCustomItem,
  textsIn,
  type CustomItemPatch,
  type Known,
} from '../../domain/audit/custom-item.js';
import { joinedCause } from '../../domain/audit/rescope.js';
import { rewrittenCause } from '../../domain/audit/upgrade.js';
import { conflict, invalidInput } from '../../domain/errors.js';
import { textIn, type BothLanguages } from '../../domain/locale.js';
import { requiredText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { AuditItem as AuditItemRow, Prisma } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record, type Change } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { Item } from '../catalog/catalog.types.js';
import { PeopleService } from '../projects/people.service.js';
import { archived, causeOf, currentState, itemSubject, toAuditItem, touchOpenAudit } from './audits.queries.js';
import { AuditsService, staleItem } from './audits.service.js';
import type { AuditItem } from './audits.types.js';
import { CommentsService } from './comments.service.js';
import { customPlaces } from './custom-items.queries.js';
import { asItem } from './custom-items.rows.js';
import type { AddCustomItemInput, ArchiveCustomItemInput, UpdateCustomItemInput } from './custom-items.types.js';
import { takenBack } from './item-changes.js';
import { isReviewRequired } from './review.queries.js';

/** Why an item of an audit alone applies: whoever added it says so. */
const appliesHere = [{ en: 'an item of this audit alone', zh: '仅属于本审计的条目' }];

/** Items that exist in one audit only: what a team checks beside the checklist. */
@Injectable()
export class CustomItemsService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
    private readonly catalog: CatalogService,
    private readonly people: PeopleService,
    private readonly comments: CommentsService,
  ) {}

  /** Where items of one audit alone stand in the release of their audit. */
  readonly place = perRequest(async (auditItemIds: readonly string[]) =>
    oneByKey(auditItemIds, await customPlaces(this.db, auditItemIds), ({ id }) => id),
  );

  /** The item that an audit item is about: as the release has it, or as the audit alone has it. */
  async itemOf(request: object, { id, releaseItemId, custom, customKey }: AuditItem): Promise<Item | null> {
    if (releaseItemId !== null) return this.catalog.itemOfRelease(request).load(releaseItemId);
    const place = await this.place(request).load(id);
    return place && asItem(customItemOf(custom), { ...place, key: customKey ?? '' });
  }

  async add(viewer: Viewer, input: AddCustomItemInput): Promise<AuditItem> {
    const { id: auditId, projectId } = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const customKey = customKeyOf(input.topic);
    const custom = toJson(customItemJson(patchedCustomItem(null, input, input.locale, await this.known(input))));
    const assigneeId = input.assigneeId ?? null;
    await this.people.requireAssignee(projectId, assigneeId);
    const id = await once(this.db, viewer, 'addCustomItem', input, async (tx) => {
      await touchOpenAudit(tx, auditId);
      await checkSection(tx, auditId, input.section);
      // A checklist that was imported before its sections were checked may have the key
      const taken = await tx.auditItem.findFirst({
        where: { auditId, OR: [{ customKey }, { releaseItem: { key: customKey } }] },
      });
      if (taken) throw keyTaken({ ...taken, customKey });
      const last = await tx.auditItem.aggregate({ where: { auditId }, _max: { position: true } });
      const item = await tx.auditItem.create({
        data: {
          auditId,
          projectId,
          custom,
          customKey,
          customSection: input.section,
          position: (last._max.position ?? 0) + 1,
          applies: 'YES',
          appliesReasons: appliesHere,
          assigneeId,
        },
      });
      const subject = itemSubject(item);
      await record(tx, viewer, [
        { ...subject, field: 'created', after: { key: customKey, section: input.section, custom } },
        ...(assigneeId === null ? [] : [{ ...subject, field: 'assigneeId', after: assigneeId }]),
      ]);
      await this.audits.reindex(tx, item.id);
      return item.id;
    });
    return toAuditItem(await this.db.auditItem.findUniqueOrThrow({ where: { id } }));
  }

  async update(viewer: Viewer, input: UpdateCustomItemInput): Promise<AuditItem> {
    const found = await this.audits.requireItem(viewer, 'WRITE_AUDITS', input.id);
    requireCustom(found);
    const texts = textsIn(input);
    const locale = input.locale ?? null;
    if (texts.length > 0 && locale === null) throw noLocale(texts);
    const known = await this.known(input);
    return this.written(viewer, 'updateCustomItem', input, found, async (tx, current) => {
      if (current.isArchived) throw archived(current);
      if (input.section !== undefined) await checkSection(tx, current.auditId, input.section ?? '');
      const before = customItemOf(current.custom);
      const next = patchedCustomItem(before, input, locale ?? viewer.locale, known);
      const section = input.section ?? current.customSection;
      const subject = itemSubject(current);
      const changes: Change[] = customDifferences(before, next).map(({ field, ...values }) => {
        const { before: old = null, after = null } = toJson(values);
        return { ...subject, field, before: old, after };
      });
      if (section !== current.customSection) {
        changes.push({ ...subject, field: 'section', before: current.customSection, after: section });
      }
      const isRewritten = changes.some(({ field }) => customContent.includes(field.replace('custom.', '')));
      const marked = marking(viewer, current, rewrittenCause(before, next));
      const isRequired = isRewritten && (await isReviewRequired(tx, current.auditId));
      const review = takenBack(current, { requiresReview: isRequired, reason: null });
      return {
        data: { custom: toJson(customItemJson(next)), customSection: section, ...marked.data, ...review.data },
        changes: [...changes, ...marked.changes, ...review.changes],
      };
    });
  }

  /** Takes an item out of its audit or puts it back; all that was said of it stays. */
  async archive(viewer: Viewer, input: ArchiveCustomItemInput): Promise<AuditItem> {
    const found = await this.audits.requireItem(viewer, 'WRITE_AUDITS', input.id);
    requireCustom(found);
    const { isArchived } = input;
    const reason = requiredText(input.reason, 'reason', TEXT_LIMITS.long);
    return this.written(viewer, 'archiveCustomItem', input, found, (_, current) => {
      const change = { field: 'archived', before: current.isArchived, after: isArchived, reason };
      const changes = current.isArchived === isArchived ? [] : [{ ...itemSubject(current), ...change }];
      return Promise.resolve({ data: { isArchived }, changes });
    });
  }

  /** Runs a change once, on the item as it is in the transaction, at the version that the caller has seen. */
  private async written<I extends { id: string; version: number; clientMutationId?: string | null }>(
    viewer: Viewer,
    mutation: string,
    input: I,
    { id, auditId }: AuditItemRow,
    change: (tx: Db, current: AuditItemRow) => Promise<ItemWrite>,
  ): Promise<AuditItem> {
    await once(this.db, viewer, mutation, input, async (tx) => {
      await touchOpenAudit(tx, auditId);
      const current = await tx.auditItem.findUniqueOrThrow({ where: { id } });
      if (current.version !== input.version) throw stale(current, input.version);
      requireCustom(current);
      const { data, changes } = await change(tx, current);
      if (changes.length === 0) return id;
      await tx.auditItem.update({
        where: { id },
        data: { ...data, version: { increment: 1 }, updatedAt: new Date() },
      });
      await record(tx, viewer, changes);
      await this.audits.reindex(tx, id);
      await this.comments.reindex(tx, id);
      return id;
    });
    return toAuditItem(await this.db.auditItem.findUniqueOrThrow({ where: { id } }));
  }

  private async known({ metrics }: CustomItemPatch): Promise<Known> {
    const catalog = metrics?.length ? await this.catalog.metrics() : [];
    return {
      metrics: new Map(catalog.map(({ key, role }) => [key, role])),
      today: new Date().toISOString().slice(0, 10),
    };
  }
}

interface ItemWrite {
  readonly data: Prisma.AuditItemUncheckedUpdateInput;
  readonly changes: readonly Change[];
}

/** A re-check mark for a result that another text asked for: one that is DONE, or that a measurement proves. */
function marking(viewer: Viewer, current: AuditItemRow, cause: BothLanguages | null): ItemWrite {
  const isMeasured = current.outcome === 'APPLIED' && current.measuredProof !== null;
  if (cause === null || (current.work !== 'DONE' && !isMeasured)) return { data: {}, changes: [] };
  const { recheckCode: before, recheckSince } = current;
  const recheckCause = toJson(joinedCause(causeOf(current), cause));
  const since = before === null ? new Date() : (recheckSince ?? new Date());
  const reason = textIn(cause, viewer.locale);
  return {
    data: { recheckCode: 'CHECK_CHANGED', recheckCause, recheckSince: since },
    changes: [{ ...itemSubject(current), field: 'recheck', before, after: 'CHECK_CHANGED', reason }],
  };
}

async function checkSection(tx: Db, auditId: string, key: string): Promise<void> {
  const { release } = await tx.audit.findUniqueOrThrow({
    where: { id: auditId },
    select: { release: { select: { sections: { select: { key: true }, orderBy: { order: 'asc' } } } } },
  });
  const sections = release.sections.map((section) => section.key);
  if (!sections.includes(key)) throw noSection(key, sections);
}

/** What to throw for a section that a release does not have. */
export function noSection(key: string, sections: readonly string[]) {
  return invalidInput(
    {
      en: `There is no section "${key}"; the release has ${sections.join(', ')}`,
      zh: `没有章节“${key}”；该版本的章节有：${sections.join('、')}`,
    },
    { place: 'section', value: key, sections },
  );
}

/** Refuses an item of the checklist. */
export function requireCustom({ id, releaseItemId }: AuditItemRow): void {
  if (releaseItemId === null) return;
  throw invalidInput(
    {
      en: `The audit item "${id}" is of the checklist; this is for items of one audit alone`,
      zh: `审计条目“${id}”来自清单；此操作只用于仅属于一个审计的条目`,
    },
    { id },
  );
}

function keyTaken({ id, customKey, isArchived }: AuditItemRow) {
  const state = isArchived ? { en: ', which is archived', zh: '（已归档）' } : { en: '', zh: '' };
  return conflict(
    {
      en: `The audit has an item "${customKey}" already${state.en}; choose another topic`,
      zh: `该审计已有条目“${customKey}”${state.zh}，请换一个 topic`,
    },
    { current: { id, key: customKey, isArchived } },
  );
}

function stale(current: AuditItemRow, given: number) {
  const { custom, customKey, customSection, isArchived } = current;
  const state = { ...currentState(current), key: customKey, section: customSection, custom, isArchived };
  return conflict(staleItem(current, given).text, { current: state });
}

function noLocale(texts: readonly string[]) {
  return invalidInput(
    {
      en: `locale is missing: the language of ${texts.join(', ')}`,
      zh: `缺少 locale：请给出 ${texts.join('、')} 的语言`,
    },
    { place: 'locale', missing: ['locale'] },
  );
}
