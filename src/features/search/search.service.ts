import { Inject, Injectable } from '@nestjs/common';
import { invalidInput } from '../../domain/errors.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { pageSize, type PageRequest } from '../../platform/graphql/page.js';
import { SEARCH_ENGINE, type SearchConditions, type SearchEngine } from './search-engine.js';
import type { SearchConnection, SearchFilter, SearchHit } from './search.types.js';
import type { Locale } from '../../domain/locale.js';

/** One search over items, notes and what audits say; what the viewer may see is decided here, not by the caller. */
@Injectable()
export class SearchService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    @Inject(SEARCH_ENGINE) private readonly engine: SearchEngine,
  ) {}

  async search(
    viewer: Viewer,
    query: string,
    filter: SearchFilter,
    locale: Locale | null,
    page: PageRequest,
  ): Promise<SearchConnection> {
    const first = pageSize(page.first);
    const visibleProjectIds = await this.access.visibleInSearch(viewer);
    const found = await this.engine.search({
      query,
      filter: await this.conditions(filter),
      visibleProjectIds,
      locale: locale ?? viewer.locale,
      first,
      after: page.after ?? null,
    });
    const edges = found.hits.map(({ kind, subjectId, key, title, snippet, cursor }) => {
      const node: SearchHit = { kind, id: subjectId, key, title, snippet };
      return { cursor, node };
    });
    return {
      edges,
      totalCount: found.totalCount,
      pageInfo: {
        hasNextPage: found.hasNextPage,
        hasPreviousPage: (page.after ?? null) !== null,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      },
      facets: found.facets.map(({ field, values }) => ({ field, values: [...values] })),
      engine: this.engine.name,
      degraded: false,
    };
  }

  /** Slugs become ids. One that nothing has, or that the viewer may not see, is an id that no document has. */
  private async conditions({ project, team, minGain, ...filter }: SearchFilter): Promise<SearchConditions> {
    if (minGain !== null && minGain !== undefined && !Number.isFinite(minGain)) {
      throw invalidInput({
        en: `minGain must be a number, and is ${minGain}`,
        zh: `minGain 须为数值，现为 ${minGain}`,
      });
    }
    const conditions: { -readonly [K in keyof SearchConditions]: SearchConditions[K] } = {
      ...filter,
      minGain: minGain ?? null,
    };
    if (project) {
      const found = await this.db.project.findUnique({ where: { slug: project }, select: { id: true } });
      conditions.project = found?.id ?? 'none';
    }
    if (team) {
      const found = await this.db.team.findUnique({ where: { slug: team }, select: { id: true } });
      conditions.team = found?.id ?? 'none';
    }
    return conditions;
  }
}
