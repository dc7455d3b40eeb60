import type { CatalogNote } from '../../domain/content/catalog.js';
import { METHOD_VERSION } from '../../domain/measurement/compare.js';
import type { Db } from '../../platform/database/database.js';
import { uuidv7 } from '../../platform/database/id.js';
import { toJson } from '../../platform/database/json.js';
import type { CatalogService } from '../catalog/catalog.service.js';
import type { MeasurementsService } from '../measurements/measurements.service.js';

interface PlacedNote {
  readonly id: string;
  readonly note: CatalogNote;
  readonly measurementDigest: string;
  readonly found: { readonly digest: string | null; readonly measurementDigest: string | null } | undefined;
}

/**
 * Makes the reference notes what the content says, and gives back the ids of those that are there, and that went. Where measurements or
 * method changed, the comparisons are computed anew beside the old ones. A note that is gone stays where it was adopted.
 */
export async function putReferenceNotes(
  tx: Db,
  notes: readonly CatalogNote[],
  services: { readonly catalog: CatalogService; readonly measurements: MeasurementsService },
): Promise<{ present: string[]; removed: string[] }> {
  const known = await tx.note.findMany({
    where: { slug: { not: null } },
    select: { id: true, slug: true, digest: true, measurementDigest: true, _count: { select: { adoptions: true } } },
  });
  const placed = notes.map((note): PlacedNote => {
    const found = known.find(({ slug }) => slug === note.slug);
    const measurementDigest = `${METHOD_VERSION}:${note.reading.digest}`;
    return { id: found?.id ?? uuidv7(), note, measurementDigest, found };
  });
  const changed = placed.filter(
    ({ note, measurementDigest, found }) =>
      found?.digest !== note.digest || found.measurementDigest !== measurementDigest,
  );
  await writeNotes(tx, changed);
  await linkItems(tx, placed, services.catalog);
  const remeasured = changed.filter(({ found, measurementDigest }) => found?.measurementDigest !== measurementDigest);
  await services.measurements.saveReadings(
    tx,
    remeasured.map(({ id, note }) => ({ noteId: id, reading: note.reading.trial })),
  );
  const removed = known
    .filter(({ slug, _count }) => _count.adoptions === 0 && !notes.some((note) => note.slug === slug))
    .map(({ id }) => id);
  await tx.comparison.deleteMany({ where: { noteId: { in: removed } } });
  await tx.noteItem.deleteMany({ where: { noteId: { in: removed } } });
  await tx.note.deleteMany({ where: { id: { in: removed } } });
  return { present: placed.map(({ id }) => id), removed };
}

async function writeNotes(tx: Db, placed: readonly PlacedNote[]): Promise<void> {
  await tx.note.createMany({ data: placed.filter(({ found }) => !found).map(rowOf) });
  for (const one of placed.filter(({ found }) => found)) {
    await tx.note.update({ where: { id: one.id }, data: { ...rowOf(one), version: { increment: 1 } } });
  }
}

async function linkItems(tx: Db, placed: readonly PlacedNote[], catalog: CatalogService): Promise<void> {
  const names = [...new Set(placed.flatMap(({ note }) => note.items))];
  const ids = await catalog.shippedItemIds(tx, names.map(itemKeyOf));
  const idOf = new Map(names.map((name, index) => [name, ids[index] ?? null]));
  await tx.noteItem.deleteMany({ where: { noteId: { in: placed.map(({ id }) => id) } } });
  await tx.noteItem.createMany({
    data: placed.flatMap(({ id, note }) =>
      note.items.flatMap((name, order) => {
        const itemId = idOf.get(name) ?? null;
        // An item that no release has yet: its checklist is published again before anybody can see it.
        return itemId === null ? [] : [{ noteId: id, itemId, order }];
      }),
    ),
  });
}

function rowOf({ id, note, measurementDigest }: PlacedNote) {
  return {
    id,
    slug: note.slug,
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
    measurementDigest,
    measuredOn: new Date(`${note.measuredOn}T00:00:00Z`),
  };
}

function itemKeyOf(name: string): { checklist: string; key: string } {
  const [checklist = '', key = ''] = name.split(':');
  return { checklist, key };
}
