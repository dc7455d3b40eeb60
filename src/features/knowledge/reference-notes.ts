import type { CatalogNote } from '../../domain/content/catalog.js';
import { METHOD_VERSION } from '../../domain/measurement/compare.js';
import type { Db } from '../../platform/database/database.js';
import { toJson } from '../../platform/database/json.js';
import type { CatalogService } from '../catalog/catalog.service.js';
import type { MeasurementsService } from '../measurements/measurements.service.js';

/**
 * Makes the reference notes what the content says, and gives back the ids of those that changed. Where measurements or
 * method changed, the comparisons are computed anew beside the old ones. A note that is gone stays where it was adopted.
 */
export async function putReferenceNotes(
  tx: Db,
  notes: readonly CatalogNote[],
  services: { readonly catalog: CatalogService; readonly measurements: MeasurementsService },
): Promise<{ changed: string[]; removed: string[] }> {
  const known = await tx.note.findMany({
    where: { slug: { not: null } },
    select: { id: true, slug: true, digest: true, measurementDigest: true, _count: { select: { adoptions: true } } },
  });
  const changed: string[] = [];
  for (const note of notes) {
    const found = known.find(({ slug }) => slug === note.slug);
    const measurementDigest = `${METHOD_VERSION}:${note.reading.digest}`;
    if (found?.digest === note.digest && found.measurementDigest === measurementDigest) continue;
    const itemIds = await services.catalog.shippedItemIds(tx, note.items.map(itemKeyOf));
    const { id } = await tx.note.upsert({
      where: { slug: note.slug },
      create: { slug: note.slug, ...columnsOf(note), measurementDigest },
      update: { ...columnsOf(note), measurementDigest, version: { increment: 1 } },
    });
    await tx.noteItem.deleteMany({ where: { noteId: id } });
    await tx.noteItem.createMany({ data: itemIds.map((itemId, order) => ({ noteId: id, itemId, order })) });
    if (found?.measurementDigest !== measurementDigest)
      await services.measurements.saveReading(tx, id, note.reading.trial);
    changed.push(id);
  }
  const removed = known
    .filter(({ slug, _count }) => _count.adoptions === 0 && !notes.some((note) => note.slug === slug))
    .map(({ id }) => id);
  await tx.comparison.deleteMany({ where: { noteId: { in: removed } } });
  await tx.noteItem.deleteMany({ where: { noteId: { in: removed } } });
  await tx.note.deleteMany({ where: { id: { in: removed } } });
  return { changed, removed };
}

function columnsOf(note: CatalogNote) {
  return {
    locale: 'EN' as const,
    title: toJson(note.title),
    body: toJson(note.body),
    caveats: toJson(note.caveats),
    context: toJson({
      hardware: note.hardware,
      environment: note.reading.environment,
      workload: note.reading.workload,
    }),
    change: toJson(note.change),
    outcome: note.outcome,
    tags: note.tags,
    digest: note.digest,
    measuredOn: new Date(`${note.measuredOn}T00:00:00Z`),
  };
}

function itemKeyOf(name: string): { checklist: string; key: string } {
  const [checklist = '', key = ''] = name.split(':');
  return { checklist, key };
}
