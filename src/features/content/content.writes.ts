import semver from 'semver';
import { digestOf } from '../../domain/content/digest.js';
import type { Catalog } from '../../domain/content/catalog.js';
import { environmentKeyOf, profilesOf } from '../../domain/content/registry-entries.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/database.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import { releaseDigest, type ItemContent, type ReleaseContent } from './release-content.js';

/** Lets one process at a time load content, until the end of the transaction. */
export async function lockContent(tx: Db): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(5521002)`;
}

/** Makes the lists beside the checklists what the files say. Metrics and hardware that are gone stay: runs name them. */
export async function replaceRegistries(tx: Db, catalog: Catalog): Promise<void> {
  await tx.capability.deleteMany();
  await tx.capability.createMany({ data: [...catalog.capabilities] });
  await tx.tag.deleteMany();
  await tx.tag.createMany({ data: [...catalog.tags] });
  await tx.environmentKey.deleteMany();
  await tx.environmentKey.createMany({
    data: catalog.environmentKeys.map(environmentKeyOf),
  });
  await tx.glossaryTerm.deleteMany();
  await tx.glossaryTerm.createMany({
    data: catalog.glossary.map(({ en, zh, synonymsEn, synonymsZh, note }) => ({
      en,
      zh,
      synonymsEn: synonymsEn ?? [],
      synonymsZh: synonymsZh ?? [],
      ...(note ? { note: toJson(note) } : {}),
    })),
  });
  await replaceMetrics(tx, catalog);
  await replaceProfiles(tx, catalog);
}

async function replaceMetrics(tx: Db, catalog: Catalog): Promise<void> {
  const rows = catalog.metrics.map(({ exact, description, target, ...metric }, order) => ({
    ...metric,
    order,
    isExact: exact,
    target: target ?? null,
    description: description ?? null,
  }));
  const known = new Map((await tx.metric.findMany({ where: { scope: '' } })).map((row) => [row.key, row]));
  const columns = (row: (typeof rows)[number]) => ({ ...row, description: row.description ?? Prisma.DbNull });
  await tx.metric.createMany({ data: rows.filter(({ key }) => !known.has(key)).map(columns) });
  for (const row of rows.filter((one) => differs(one, known.get(one.key)))) {
    await tx.metric.update({ where: { scope_key: { scope: '', key: row.key } }, data: columns(row) });
  }
}

async function replaceProfiles(tx: Db, catalog: Catalog): Promise<void> {
  const rows = catalog.hardware.flatMap(profilesOf).map((profile, order) => ({ ...profile, order }));
  const known = new Map((await tx.hardwareProfile.findMany()).map((row) => [row.slug, row]));
  await tx.hardwareProfile.createMany({ data: rows.filter(({ slug }) => !known.has(slug)) });
  for (const row of rows.filter((one) => differs(one, known.get(one.slug)))) {
    await tx.hardwareProfile.update({ where: { slug: row.slug }, data: row });
  }
}

/** Whether a stored row says something else than it is to say; false where there is none. */
function differs(wanted: object, stored: object | undefined): boolean {
  if (stored === undefined) return false;
  const now = new Map(Object.entries(stored));
  return Object.entries(wanted).some(([column, value]) => digestOf(value) !== digestOf(now.get(column)));
}

/**
 * Publishes the checklist's release if it is not there yet. A release that is there stays as it is: `differs` tells that
 * the content says something else under its version, `older` that a higher version is there.
 */
export async function ensureRelease(
  tx: Db,
  content: ReleaseContent,
): Promise<'there' | 'published' | 'differs' | 'older'> {
  const { slug, owner, version, title, summary, sections } = content;
  const digest = releaseDigest(content);
  await makeRoom(tx, content);
  const { id: checklistId } = await tx.checklist.upsert({ where: { slug }, create: { slug, ...owner }, update: {} });
  const found = await tx.release.findUnique({ where: { checklistId_version: { checklistId, version } } });
  if (found) return found.digest === digest ? 'there' : 'differs';
  const newest = await tx.release.findFirst({ where: { checklistId }, orderBy: { rank: 'desc' } });
  if (newest && semver.lt(version, newest.version)) return 'older';
  const release = await tx.release.create({
    data: { checklistId, version, rank: (newest?.rank ?? 0) + 1, title: toJson(title), summary: toJson(summary), digest },
  });
  const revisions = await ensureRevisions(
    tx,
    checklistId,
    sections.flatMap(({ items }) => items),
  );
  for (const [index, { key, title: sectionTitle, summary: sectionSummary, items }] of sections.entries()) {
    const section = await tx.section.create({
      data: {
        releaseId: release.id,
        key,
        order: index + 1,
        title: toJson(sectionTitle),
        summary: toJson(sectionSummary),
      },
    });
    await tx.releaseItem.createMany({
      data: items.map((item) => ({
        id: uuidv7(),
        releaseId: release.id,
        sectionId: section.id,
        revisionId: revisions.get(item.key) ?? '',
        key: item.key,
        order: item.order,
        position: item.position,
      })),
    });
  }
  return 'published';
}

/** A shipped checklist takes its name from a private one, which goes on under another: nothing of it is lost. */
async function makeRoom(tx: Db, { slug, owner }: ReleaseContent): Promise<void> {
  if (owner.teamId !== null || owner.ownerId !== null) return;
  const found = await tx.checklist.findUnique({ where: { slug } });
  if (!found || (found.teamId === null && found.ownerId === null)) return;
  await tx.checklist.update({ where: { id: found.id }, data: { slug: `${slug}-${found.id.slice(-12)}` } });
}

/** The revision of each item by its key: the one that is there where nothing changed, else a new one. */
async function ensureRevisions(tx: Db, checklistId: string, items: readonly ItemContent[]): Promise<Map<string, string>> {
  const keys = items.map(({ key }) => key);
  await tx.item.createMany({ data: keys.map((key) => ({ checklistId, key })), skipDuplicates: true });
  const rows = await tx.item.findMany({ where: { checklistId, key: { in: keys } } });
  const itemIds = new Map(rows.map(({ key, id }) => [key, id]));
  await tx.itemRevision.createMany({
    data: items.map(({ key, digest, wording }) => ({ itemId: itemIds.get(key) ?? '', digest, ...wording })),
    skipDuplicates: true,
  });
  const revisions = await tx.itemRevision.findMany({
    where: { OR: items.map(({ key, digest }) => ({ itemId: itemIds.get(key) ?? '', digest })) },
    select: { id: true, item: { select: { key: true } } },
  });
  return new Map(revisions.map(({ id, item }) => [item.key, id]));
}
