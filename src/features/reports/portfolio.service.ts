import { Injectable } from '@nestjs/common';
import { gainSummariesOf, portfolioCountsOf } from '../../domain/audit/portfolio.js';
import { progressOf } from '../../domain/audit/progress.js';
import { notFound } from '../../domain/errors.js';
import { Access, type VisibleProjects } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { pageOf, rowsAfter, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import { AuditsService } from '../audits/audits.service.js';
import type { Audit } from '../audits/audits.types.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { grouped } from './grouped.js';
import {
  countedAudits,
  countsByLevel,
  gainsOfVerified,
  knownSlugs,
  sectionTitles,
  type CountedAudit,
  type LevelCount,
  type MeasuredItem,
  type SectionTitle,
} from './portfolio.queries.js';
import type {
  Portfolio,
  PortfolioFilter,
  PortfolioHardware,
  PortfolioProject,
  PortfolioSection,
  PortfolioTeam,
} from './portfolio.types.js';

/** Many audits at one look. */
@Injectable()
export class PortfolioService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly audits: AuditsService,
    private readonly catalog: CatalogService,
  ) {}

  /** Over the projects that the viewer may see; a name that none of them has is NOT_FOUND, hidden or not. */
  async portfolio(viewer: Viewer, filter: PortfolioFilter): Promise<Portfolio> {
    const visible = await this.access.visibleProjects(viewer);
    if (filter.hardware) await this.catalog.profile(filter.hardware);
    if (filter.teams?.length || filter.projects?.length) await this.checkNames(visible, filter);
    const audits = await countedAudits(this.db, visible, filter);
    if (audits.length === 0 && filter.checklist) await this.checkChecklist(viewer, filter.checklist);
    const auditIds = audits.map(({ id }) => id);
    const counts = await countsByLevel(this.db, auditIds, new Date());
    const gains = (await gainsOfVerified(this.db, auditIds)).filter(isVerified);
    const projects = projectsOf(audits, counts, gains);
    return {
      auditIds,
      projectRows: projects,
      auditCount: audits.length,
      projectCount: projects.length,
      total: portfolioCountsOf(counts.filter(({ level }) => level === 'TOTAL')),
      byTeam: teamsOf(audits, counts),
      bySection: sectionsOf(audits, counts, await sectionTitles(this.db, auditIds)),
      byHardware: hardwareOf(audits, counts),
      verifiedGains: gainSummariesOf(gains),
    };
  }

  projects({ projectRows }: Portfolio, page: PageRequest): Connection<PortfolioProject> {
    const keyOf = ({ projectId }: PortfolioProject) => projectId;
    return pageOf(rowsAfter(projectRows, page, keyOf), page, projectRows.length, keyOf, (row) => row);
  }

  /** The audits that the portfolio counts, newest first. */
  async counted(request: object, { auditIds }: Portfolio, page: PageRequest): Promise<Connection<Audit>> {
    const ids = rowsAfter(auditIds, page, (id) => id);
    const found = await Promise.all(ids.map((id) => this.audits.byId(request).load(id)));
    // An audit is never removed: all that were counted are there
    const rows = found.filter((audit) => audit !== null);
    return pageOf(rows, page, auditIds.length, ({ id }) => id, (row) => row); // prettier-ignore
  }

  private async checkNames(visible: VisibleProjects, filter: PortfolioFilter): Promise<void> {
    const known = await knownSlugs(this.db, visible, filter);
    const team = filter.teams?.find((slug) => !known.teams.has(slug));
    if (team !== undefined) {
      throw notFound({ en: `There is no team "${team}" with a project`, zh: `没有拥有项目的团队“${team}”` }, { team });
    }
    const project = filter.projects?.find((slug) => !known.projects.has(slug));
    if (project !== undefined) {
      throw notFound({ en: `There is no project "${project}"`, zh: `没有项目“${project}”` }, { project });
    }
  }

  private async checkChecklist(viewer: Viewer, checklist: string): Promise<void> {
    if ((await this.catalog.checklist(viewer, checklist, null)) !== null) return;
    throw notFound({ en: `There is no checklist "${checklist}"`, zh: `没有清单“${checklist}”` }, { checklist });
  }
}

/** Whether the progress counts it as verified, too. */
function isVerified(item: MeasuredItem): boolean {
  return progressOf([{ ...item, hasRecheck: 'NO', count: 1 }]).verified === 1;
}

/** By name, those without one last; a key tells apart what has the same name. */
function byName<R extends { readonly slug: string | null; readonly name: string | null }>(one: R, other: R): number {
  if (one.name === null || other.name === null) return Number(one.name === null) - Number(other.name === null);
  return one.name.localeCompare(other.name, 'en') || (one.slug ?? '').localeCompare(other.slug ?? '', 'en');
}

function teamsOf(audits: readonly CountedAudit[], counts: readonly LevelCount[]): PortfolioTeam[] {
  const countsOf = grouped(counts.filter(({ level }) => level === 'TEAM'), ({ teamId }) => teamId ?? ''); // prettier-ignore
  return [...grouped(audits, ({ teamId }) => teamId ?? '')]
    .map(([id, [first, ...others]]) => ({
      slug: first?.teamSlug ?? null,
      name: first?.teamName ?? null,
      projectCount: new Set([first, ...others].map((audit) => audit?.projectId)).size,
      auditCount: 1 + others.length,
      counts: portfolioCountsOf(countsOf.get(id) ?? []),
    }))
    .sort(byName);
}

function hardwareOf(audits: readonly CountedAudit[], counts: readonly LevelCount[]): PortfolioHardware[] {
  const countsOf = grouped(counts.filter(({ level }) => level === 'HARDWARE'), ({ hardwareId }) => hardwareId ?? ''); // prettier-ignore
  return [...grouped(audits, ({ hardwareId }) => hardwareId ?? '')]
    .map(([id, [first, ...others]]) => ({
      slug: first?.hardwareSlug ?? null,
      name: first?.hardwareName ?? null,
      auditCount: 1 + others.length,
      counts: portfolioCountsOf(countsOf.get(id) ?? []),
    }))
    .sort(byName);
}

function projectsOf(
  audits: readonly CountedAudit[],
  counts: readonly LevelCount[],
  gains: readonly MeasuredItem[],
): PortfolioProject[] {
  const countsOf = grouped(counts.filter(({ level }) => level === 'PROJECT'), ({ projectId }) => projectId ?? ''); // prettier-ignore
  const gainsOf = grouped(gains, ({ projectId }) => projectId);
  return [...grouped(audits, ({ projectId }) => projectId)]
    .map(([projectId, own]) => ({
      projectId,
      slug: own[0]?.projectSlug ?? null,
      name: own[0]?.projectName ?? null,
      auditCount: own.length,
      counts: portfolioCountsOf(countsOf.get(projectId) ?? []),
      verifiedGains: gainSummariesOf(gainsOf.get(projectId) ?? []),
    }))
    .sort(byName);
}

function sectionsOf(
  audits: readonly CountedAudit[],
  counts: readonly LevelCount[],
  titles: readonly SectionTitle[],
): PortfolioSection[] {
  const keyOf = (row: { readonly checklistId: string | null; readonly key: string | null }) =>
    `${row.checklistId} ${row.key}`;
  const countsOf = grouped(
    counts.filter(({ level }) => level === 'SECTION').map((count) => ({ ...count, key: count.section })),
    keyOf,
  );
  const titleOf = new Map(titles.map((title, place) => [keyOf(title), { ...title, place }]));
  const slugOf = new Map(audits.map(({ checklistId, checklist }) => [checklistId, checklist]));
  return [...countsOf]
    .map(([id, own]) => {
      const [{ checklistId, section } = { checklistId: null, section: null }] = own;
      const known = titleOf.get(id);
      const key = section ?? '';
      return {
        checklist: slugOf.get(checklistId ?? '') ?? '',
        key,
        // A custom item may stand in a section that its release does not have any more
        title: known ? toLocalizedText(known.title) : { en: key, zh: key },
        counts: portfolioCountsOf(own),
        place: known?.place ?? titles.length,
      };
    })
    .sort(
      (one, other) =>
        one.checklist.localeCompare(other.checklist, 'en') ||
        one.place - other.place ||
        one.key.localeCompare(other.key, 'en'),
    );
}
