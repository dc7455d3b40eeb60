import { Injectable } from '@nestjs/common';
import { progressOf } from '../../domain/audit/progress.js';
import { Database } from '../../platform/database/database.js';
import { groupByKey, perRequest } from '../../platform/graphql/loader.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { Section } from '../catalog/catalog.types.js';
import type { Audit } from './audits.types.js';
import { itemCountsBySection } from './sections.queries.js';
import type { SectionProgress } from './sections.types.js';

/** How far audits are, section by section. */
@Injectable()
export class SectionsService {
  constructor(
    private readonly db: Database,
    private readonly catalog: CatalogService,
  ) {}

  private readonly counts = perRequest(async (auditIds: readonly string[]) =>
    groupByKey(auditIds, await itemCountsBySection(this.db, auditIds), ({ auditId }) => auditId),
  );

  /**
   * In the order of the checklist. What stands in a section that the release does not have, such as a custom item after an
   * upgrade, comes last under its own key: nothing is left out of the sum.
   */
  async of(request: object, { id, releaseId }: Audit): Promise<SectionProgress[]> {
    const [sections, counts] = await Promise.all([
      this.catalog.sectionsOfRelease(request).load(releaseId),
      this.counts(request).load(id),
    ]);
    const known = sections.map(({ key }) => key);
    const others = new Set(counts.map(({ section }) => section).filter((key) => !known.includes(key)));
    return [...known, ...[...others].sort()].map((key) => ({
      key,
      releaseId,
      progress: progressOf(counts.filter(({ section }) => section === key)),
    }));
  }

  /** The section of a release by its key; null where it has none. */
  async section(request: object, { releaseId, key }: SectionProgress): Promise<Section | null> {
    const sections = await this.catalog.sectionsOfRelease(request).load(releaseId);
    return sections.find((section) => section.key === key) ?? null;
  }
}
