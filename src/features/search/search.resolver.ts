import { Args, Query, Resolver } from '@nestjs/graphql';
import { Locale } from '../../generated/prisma/enums.js';
import { CurrentViewer, type Viewer } from '../../platform/auth/viewer.js';
import { Filter } from '../../platform/graphql/filter.js';
import { After, First } from '../../platform/graphql/page.js';
import { SearchService } from './search.service.js';
import { SearchConnection, SearchFilter } from './search.types.js';

@Resolver()
export class SearchResolver {
  constructor(private readonly searches: SearchService) {}

  @Query(() => SearchConnection, {
    description:
      'Searches items, notes and what audits say, in English, Chinese, or both: a term of the glossary finds texts in the ' +
      'other language, exact identifiers come first. Only what the viewer may see is found and counted.',
  })
  search(
    @CurrentViewer() viewer: Viewer,
    @Args('query', { description: 'As typed; empty lists the newest' }) query: string,
    @Filter(SearchFilter, 'What to search in; everything where absent')
    filter: SearchFilter | null,
    @Args('locale', { type: () => Locale, nullable: true, description: 'The language of snippets where both fit' })
    locale: Locale | null,
    @First(20) first: number,
    @After() after: string | null,
  ): Promise<SearchConnection> {
    return this.searches.search(viewer, query, filter ?? {}, locale ?? null, { first, after });
  }
}
