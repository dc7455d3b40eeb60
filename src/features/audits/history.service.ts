import { truthWords } from '../../domain/audit/words.js';
import { Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { historyText, personsIn, subjectText, wordOf, type NameOf } from '../../domain/audit/history-text.js';
import type { BothLanguages, Locale } from '../../domain/locale.js';
import { textIn } from '../../domain/locale.js';
import type { HistoryEntry as HistoryRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { perRequest } from '../../platform/graphql/loader.js';
import {
  badCursor,
  pageOf,
  pageSize,
  startAfter,
  type Connection,
  type PageRequest,
} from '../../platform/graphql/page.js';
import { PeopleService } from '../projects/people.service.js';
import { AuditsService } from './audits.service.js';
import {
  holdersOf,
  keyOfEntry,
  pagesOfHistory,
  wholeHistory,
  type ExportedRow,
  type HistoryOwner,
} from './history.queries.js';
import type { HistoryEntry, HistoryExport, HistoryFilter, HistoryFormat } from './history.types.js';

/** A page of the history of one object. */
interface HistoryPage {
  readonly ownerId: string;
  readonly filter: HistoryFilter;
  readonly page: PageRequest;
}

/** Who changed what, when, from what to what, and why. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
    private readonly people: PeopleService,
  ) {}

  readonly ofAudit = perRequest((pages: readonly HistoryPage[]) => this.pages('audit', pages));
  readonly ofItem = perRequest((pages: readonly HistoryPage[]) => this.pages('auditItem', pages));
  readonly ofProject = perRequest((pages: readonly HistoryPage[]) => this.pages('project', pages));

  /** The name of whoever did it; null for a rule. */
  async nameOf(request: object, { viewerId, importedBy }: HistoryEntry): Promise<string | null> {
    if (viewerId === null) return importedBy;
    return (await this.people.byId(request).load(viewerId))?.name ?? importedBy;
  }

  /** The change as a sentence, with the names of the persons that it is about. */
  async textOf(request: object, entry: HistoryEntry): Promise<BothLanguages> {
    const ids = personsIn(entry);
    const persons = await Promise.all(ids.map((id) => this.people.byId(request).load(id)));
    return historyText(entry, (id) => persons.find((person) => person?.id === id)?.name ?? null);
  }

  /** All of an audit's history, oldest first; NOT_FOUND for a stranger. */
  async export(viewer: Viewer, auditId: string, format: HistoryFormat, locale: Locale): Promise<HistoryExport> {
    const audit = await this.audits.require(viewer, 'READ_PROJECT', auditId);
    const rows = await wholeHistory(this.db, auditId);
    const nameOf = await this.namesIn(rows);
    const entries = rows.map((row) => exportedEntry(row, nameOf));
    if (format === 'CSV') {
      const fileName = `history-${auditId}-${locale.toLowerCase()}.csv`;
      return { fileName, mediaType: 'text/csv', content: toCsv(entries, locale) };
    }
    const content = { format: 'tunebook-history/1', audit: { id: audit.id, title: audit.title }, entries };
    // JSON has every text in both languages
    const fileName = `history-${auditId}.json`;
    return { fileName, mediaType: 'application/json', content: `${JSON.stringify(content, null, 2)}\n` };
  }

  private async namesIn(rows: readonly HistoryRow[]): Promise<NameOf> {
    const ids = new Set(rows.flatMap((row) => [...personsIn(row), ...(row.viewerId === null ? [] : [row.viewerId])]));
    const persons = await this.db.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } });
    const names = new Map(persons.map(({ id, name }) => [id, name]));
    return (id) => names.get(id) ?? null;
  }

  /** Pages with the same filter and size come from the same statements. */
  private async pages(
    owner: HistoryOwner,
    pages: readonly HistoryPage[],
  ): Promise<readonly (Connection<HistoryEntry> | Error)[]> {
    const alike = new Map<string, HistoryPage[]>();
    const shapeOf = ({ filter, page }: HistoryPage) => JSON.stringify([filter, page]);
    for (const one of pages) alike.set(shapeOf(one), [...(alike.get(shapeOf(one)) ?? []), one]);
    const found = new Map<string, Connection<HistoryEntry> | Error>();
    for (const [shape, [first, ...others]] of alike) {
      if (!first) continue;
      const { filter, page } = first;
      const owners = [...new Set([first, ...others].map(({ ownerId }) => ownerId))];
      const after = startAfter(page);
      const ids = after === null ? owners : await holdersOf(this.db, owner, owners, after);
      for (const id of owners) if (!ids.includes(id)) found.set(`${shape} ${id}`, badCursor(page.after ?? ''));
      for (const { parentId, rows, totalCount } of await pagesOfHistory(
        this.db,
        owner,
        ids,
        filter,
        pageSize(page.first) + 1,
        after,
      )) {
        found.set(`${shape} ${parentId}`, pageOf(rows, page, totalCount, keyOfEntry, toHistoryEntry));
      }
    }
    return pages.map(
      (one) => found.get(`${shapeOf(one)} ${one.ownerId}`) ?? pageOf([], one.page, 0, keyOfEntry, toHistoryEntry),
    );
  }
}

/** Whatever names somebody beside the id came with an imported audit; an empty name is that of a rule. */
function toHistoryEntry({ byName, ...row }: HistoryRow): HistoryEntry {
  return { ...row, isImported: byName !== null, importedBy: byName === '' ? null : byName };
}

/** An entry as the export has it, with names and the sentence. */
function exportedEntry({ itemKey, ...row }: ExportedRow, nameOf: NameOf) {
  const { importedBy, viewerId, isImported } = toHistoryEntry(row);
  const { id, at, subject, subjectId, auditItemId, field, before, after, reason } = row;
  return {
    id,
    at: at.toISOString(),
    by: viewerId,
    byName: (viewerId === null ? null : nameOf(viewerId)) ?? importedBy,
    isImported,
    subject,
    subjectId,
    auditItemId,
    itemKey,
    field,
    before,
    after,
    reason,
    text: historyText(row, nameOf),
  };
}

type ExportedEntry = ReturnType<typeof exportedEntry>;

const heads: readonly (readonly [BothLanguages, (entry: ExportedEntry, locale: Locale) => unknown])[] = [
  [{ en: 'Time (UTC)', zh: '时间（UTC）' }, ({ at }) => at],
  [{ en: 'By', zh: '操作人' }, ({ byName }) => byName],
  [{ en: 'Imported', zh: '导入' }, ({ isImported }, locale) => textIn(truthWords(isImported), locale)],
  [{ en: 'Subject', zh: '对象' }, ({ subject }, locale) => textIn(subjectText(subject), locale)],
  [{ en: 'Subject id', zh: '对象 ID' }, ({ subjectId }) => subjectId],
  [{ en: 'Item', zh: '条目' }, ({ itemKey }) => itemKey],
  [{ en: 'Field', zh: '字段' }, ({ field }) => field],
  [{ en: 'Before', zh: '变更前' }, (entry, locale) => cellOf(entry, entry.before, locale)],
  [{ en: 'After', zh: '变更后' }, (entry, locale) => cellOf(entry, entry.after, locale)],
  [{ en: 'Reason', zh: '理由' }, ({ reason }) => reason],
  [{ en: 'Change', zh: '变更' }, ({ text }, locale) => textIn(text, locale)],
];

/** Excel reads Chinese by the mark at the beginning; no cell is taken for a formula. */
function toCsv(entries: readonly ExportedEntry[], locale: Locale): string {
  const rows = entries.map((entry) => heads.map(([, cell]) => cell(entry, locale)));
  const options = { bom: true, escape_formulas: true, record_delimiter: 'windows' } as const;
  return stringify([heads.map(([head]) => textIn(head, locale)), ...rows], options);
}

/** The word for a value of an enum, a text as it is, anything else as JSON. */
function cellOf(entry: ExportedEntry, value: unknown, locale: Locale): string | null {
  const word = wordOf(entry, value);
  if (word !== null) return textIn(word, locale);
  if (value === null || typeof value === 'string') return value;
  return JSON.stringify(value);
}
