import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { bundleItem, checklistBundle, type BundleItem } from '../../domain/content/bundle.js';
import { bundleText } from '../../domain/content/import/read-bundle.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { Database } from '../../platform/database/database.js';
import { UNSPECIFIED } from '../catalog/catalog.types.js';
import { isEmpty } from './release-content.js';

const forBundle = {
  checklist: { select: { slug: true } },
  sections: {
    orderBy: { order: 'asc' },
    include: { items: { orderBy: { order: 'asc' }, include: { revision: true } } },
  },
} satisfies Prisma.ReleaseInclude;

type Revision = Prisma.ReleaseGetPayload<{
  include: typeof forBundle;
}>['sections'][number]['items'][number]['revision'];

/** Writes releases as files that can be imported again. */
@Injectable()
export class ChecklistExportsService {
  constructor(private readonly db: Database) {}

  /** A release, shipped or private, as the text of a YAML bundle. */
  async bundleOf(releaseId: string): Promise<string> {
    const release = await this.db.release.findUniqueOrThrow({ where: { id: releaseId }, include: forBundle });
    return bundleText(
      checklistBundle.parse({
        format: 'tunebook-checklist/1',
        slug: release.checklist.slug,
        release: release.version,
        title: release.title,
        summary: unlessEmpty(release.summary),
        sections: release.sections.map((section) => ({
          key: section.key,
          title: section.title,
          summary: unlessEmpty(section.summary),
          items: section.items.map(({ key, revision }) => itemOf(key, revision)),
        })),
      }),
    );
  }
}

const parts = z.record(z.string(), z.unknown());

function itemOf(key: string, revision: Revision): BundleItem {
  const { layer, bottleneck, effort, phases, frameworks, tags, settings, reviewBy } = revision;
  return bundleItem.parse({
    key: key.slice(key.indexOf('/') + 1),
    title: revision.title,
    summary: unlessEmpty(revision.summary),
    ...parts.parse(revision.texts),
    layer: unlessUnspecified(layer),
    bottleneck: unlessUnspecified(bottleneck),
    phases: unlessEmpty(phases),
    frameworks: unlessEmpty(frameworks),
    tags: unlessEmpty(tags),
    settings: unlessEmpty(settings),
    applicability: revision.applicability ?? undefined,
    recheckOn: revision.recheckOn.length > 0 ? revision.recheckOn : undefined,
    signals: unlessEmpty(revision.signals),
    metrics: unlessEmpty(revision.metrics),
    gain: unlessEmpty(revision.gain),
    effort: unlessUnspecified(effort),
    risk: unlessEmpty(revision.risk),
    reversible: revision.isReversible ?? undefined,
    relations: unlessEmpty(revision.relations),
    sources: unlessEmpty(revision.sources),
    reviewBy: reviewBy?.toISOString().slice(0, 10),
  });
}

function unlessUnspecified(word: string): string | undefined {
  return word === UNSPECIFIED ? undefined : word;
}

/** What is not said is absent from a bundle, not empty. */
function unlessEmpty(value: unknown): unknown {
  return isEmpty(value) ? undefined : value;
}
