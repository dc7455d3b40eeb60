import { Injectable } from '@nestjs/common';
import semver from 'semver';
import { z } from 'zod';
import type { ChecklistBundle } from '../../domain/content/bundle.js';
import { readChecklist, type Undecided } from '../../domain/content/import/imported.js';
import { releasePattern } from '../../domain/content/schema.js';
import { keyOf } from '../../domain/content/import/key-of.js';
import { conflict, invalidInput } from '../../domain/errors.js';
import { textIn, type BothLanguages, type Locale } from '../../domain/locale.js';
import { Access } from '../../platform/auth/access.js';
import { requirePerson, type Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { itemDocuments } from './content.search.js';
import type { ChecklistFormat, ChecklistImportReport, ImportChecklistInput } from './content.types.js';
import { ensureRelease, lockContent } from './content.writes.js';
import { privateRelease, releaseDigest, textsShape, type EarlierTexts, type ReleaseContent } from './release-content.js';

/** Most sections, items of a section, and places of a file that a report shows. */
const REPORT_LIMIT = 100;

type Owner = ReleaseContent['owner'];

/** Reads checklists that people bring along into private ones, which only they or their team see. */
@Injectable()
export class ChecklistImportsService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly index: SearchIndex,
  ) {}

  /** Says what the file holds, and writes it as a release unless it is a dry run. Equal content is not written again. */
  async importChecklist(viewer: Viewer, input: ImportChecklistInput): Promise<ChecklistImportReport> {
    requirePerson(viewer);
    const owner = await this.ownerOf(viewer, input.team ?? null);
    const given = { format: input.format ? formats.get(input.format) : undefined, fileName: input.fileName ?? undefined };
    const reading = readChecklist(input.content, given);
    if ('problems' in reading) {
      const problems = reading.problems.map(({ line, message }) => ({
        line,
        message: textIn(message, viewer.locale),
      }));
      return { ...nothingRead, problems: problems.slice(0, REPORT_LIMIT) };
    }
    const { bundle, format, undecided } = reading.checklist;
    const slug = slugFor(input, bundle);
    const named = givenVersion(input.version);
    const report = { ...reportOf(bundle, undecided, viewer.locale), format: formatNames[format], slug };
    if (input.dryRun) return { ...report, version: await versionFor(this.db, { slug, owner, named, bundle }) };
    const written = await once(this.db, viewer, 'importChecklist', input, async (tx) => {
      await lockContent(tx);
      const version = await versionFor(tx, { slug, owner, named, bundle });
      return this.write(tx, viewer, privateRelease(bundle, { slug, version, owner }, await earlierTexts(tx, slug)));
    });
    return { ...report, ...written };
  }

  private async write(
    tx: Db,
    viewer: Viewer,
    content: ReleaseContent,
  ): Promise<{ releaseId: string; version: string; isNew: boolean }> {
    const { slug, version } = content;
    const state = await ensureRelease(tx, content);
    const { id: checklistId } = await tx.checklist.findUniqueOrThrow({ where: { slug } });
    const release = await tx.release.findUniqueOrThrow({
      where: { checklistId_version: { checklistId, version } },
      select: { id: true },
    });
    if (state === 'published') {
      const { put, remove } = await itemDocuments(tx, checklistId);
      await this.index.remove(tx, remove);
      await this.index.put(tx, put);
      await record(tx, viewer, [
        { projectId: null, subject: 'checklist', subjectId: checklistId, field: 'release', after: { slug, version } },
      ]);
    }
    return { releaseId: release.id, version, isNew: state === 'published' };
  }

  private async ownerOf(viewer: Viewer, team: string | null): Promise<Owner> {
    if (team === null) return { teamId: null, ownerId: viewer.id };
    const { id } = await this.access.requireTeam(viewer, team);
    return { teamId: id, ownerId: null };
  }
}

/** The version that the caller or the file names; INVALID_INPUT where it is none, or has a number beyond 2^53. */
function givenVersion(version: string | null | undefined): string | null {
  if (version === null || version === undefined) return null;
  if (releasePattern.test(version) && version.length <= 50 && semver.valid(version) !== null) return version;
  throw invalidInput(
    { en: `"${version}" is not a version such as 1.2.0`, zh: `“${version}”不是版本号，应形如 1.2.0` },
    { version },
  );
}

interface Wanted {
  readonly slug: string;
  readonly owner: Owner;
  readonly named: string | null;
  readonly bundle: ChecklistBundle;
}

/**
 * The version named, or else that of the file; where neither names one, that of the newest release if it says the same,
 * or the next one. CONFLICT where the name is somebody else's, or the version is taken by other content or too low.
 */
async function versionFor(db: Db, { slug, owner, named, bundle }: Wanted): Promise<string> {
  const checklist = await db.checklist.findUnique({
    where: { slug },
    include: { releases: { orderBy: { rank: 'desc' }, select: { version: true, digest: true } } },
  });
  if (checklist && (checklist.teamId !== owner.teamId || checklist.ownerId !== owner.ownerId)) throw taken(slug);
  const [newest] = checklist?.releases ?? [];
  const wanted = named ?? givenVersion(bundle.release);
  if (!checklist || !newest) return wanted ?? '1.0.0';
  const digest = releaseDigest(privateRelease(bundle, { slug, version: newest.version, owner }));
  const candidates = wanted === null ? [newest] : checklist.releases.filter(({ version }) => version === wanted);
  const same = candidates.find((release) => release.digest === digest);
  if (same) return same.version;
  const next = semver.inc(newest.version, 'minor') ?? newest.version;
  if (wanted === null) return next;
  const refused = { slug, version: wanted, newest: newest.version, next, isOfFile: named === null };
  if (candidates.length > 0) throw published(refused);
  if (semver.lt(wanted, newest.version)) throw older(refused);
  return wanted;
}

const digestsShape = z.partialRecord(z.string(), z.object({ en: z.string(), zhFrom: z.string().nullable() }));

/** The texts of the newest release of a checklist, by the key of the item. */
async function earlierTexts(tx: Db, slug: string): Promise<ReadonlyMap<string, EarlierTexts>> {
  const newest = await tx.release.findFirst({
    where: { checklist: { slug } },
    orderBy: { rank: 'desc' },
    select: {
      items: {
        select: { key: true, revision: { select: { title: true, summary: true, texts: true, textDigests: true } } },
      },
    },
  });
  return new Map(
    (newest?.items ?? []).map(({ key, revision: { title, summary, texts, textDigests } }) => {
      const parts = textsShape.parse({ ...textsShape.parse(texts), title, summary });
      return [key, { texts: parts, digests: digestsShape.parse(textDigests) }];
    }),
  );
}

const formatNames = {
  bundle: 'BUNDLE',
  markdown: 'MARKDOWN',
  'bilingual-text': 'BILINGUAL_TEXT',
} as const satisfies Record<string, `${ChecklistFormat}`>;
const formats = new Map(Object.entries(formatNames).map(([format, name]) => [name, format]));

const nothingRead: ChecklistImportReport = {
  releaseId: null,
  format: null,
  slug: null,
  version: null,
  title: null,
  sections: [],
  itemCount: 0,
  bilingualCount: 0,
  undecided: [],
  undecidedCount: 0,
  problems: [],
  isNew: false,
};

function reportOf(bundle: ChecklistBundle, undecided: readonly Undecided[], locale: Locale): ChecklistImportReport {
  const items = bundle.sections.flatMap((section) => section.items);
  return {
    ...nothingRead,
    title: toLocalizedText(bundle.title),
    sections: bundle.sections.slice(0, REPORT_LIMIT).map((section) => ({
      key: section.key,
      title: toLocalizedText(section.title),
      itemCount: section.items.length,
      items: section.items
        .slice(0, REPORT_LIMIT)
        .map(({ key, title }) => ({ key: `${section.key}/${key}`, title: toLocalizedText(title) })),
    })),
    itemCount: items.length,
    bilingualCount: items.filter(({ title }) => title.en !== undefined && title.zh !== undefined).length,
    undecided: undecided
      .slice(0, REPORT_LIMIT)
      .map(({ line, message, text }) => ({ line, message: textIn(message, locale), text })),
    undecidedCount: undecided.length,
  };
}

/** The name in addresses: the one given, that of the file, or one made of the title or the file's name. */
function slugFor({ slug, fileName }: ImportChecklistInput, bundle: ChecklistBundle): string {
  const given = slug ?? bundle.slug;
  if (given !== undefined && given !== null) {
    if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(given) && given.length <= 100) return given;
    throw invalidInput(
      {
        en: `slug "${given}" must be lower-case letters and digits joined by hyphens, at most 100`,
        zh: `slug“${given}”须由小写字母和数字组成，以连字符连接，最多 100 个字符`,
      },
      { slug: given },
    );
  }
  const stem = (fileName ?? '').replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
  return keyOf(bundle.title.en ?? '') || keyOf(stem) || 'checklist';
}

function taken(slug: string) {
  return conflict(
    { en: `The name "${slug}" is taken: give another slug`, zh: `名称“${slug}”已被占用，请另取 slug` },
    { slug },
  );
}

interface Refused {
  readonly slug: string;
  readonly version: string;
  readonly newest: string;
  /** The version that would be written if none were named. */
  readonly next: string;
  /** Whether the file names the version, and not the caller. */
  readonly isOfFile: boolean;
}

function published(refused: Refused) {
  const { slug, version, next } = refused;
  const { en, zh } = wayOut(refused);
  return conflict(
    {
      en: `Release ${version} of "${slug}" is published and says something else: ${en}`,
      zh: `“${slug}”的版本 ${version} 已发布且内容不同，${zh}`,
    },
    { current: { slug, version }, next },
  );
}

function older(refused: Refused) {
  const { slug, version, newest, next } = refused;
  const { en, zh } = wayOut(refused);
  return conflict(
    {
      en: `Release ${version} of "${slug}" would come after ${newest}, which is newer: ${en}`,
      zh: `“${slug}”的版本 ${version} 低于已有的 ${newest}，${zh}`,
    },
    { current: { slug, version: newest }, next },
  );
}

/** What to do about a version that cannot be written; the caller's own goes before that of the file. */
function wayOut({ next, isOfFile }: Refused): BothLanguages {
  if (!isOfFile) return { en: `give a higher version, such as ${next}`, zh: `请使用更高的版本号，例如 ${next}` };
  return {
    en: `raise "release" in the file to ${next} or higher, or give the version ${next}`,
    zh: `请将文件中的 release 改为 ${next} 或更高，或另行指定版本 ${next}`,
  };
}
