import { Module } from '@nestjs/common';
import { PostgresEngine } from './postgres-engine.js';
import { SEARCH_ENGINE } from './search-engine.js';
import { SearchResolver } from './search.resolver.js';
import { SearchService } from './search.service.js';

@Module({
  providers: [SearchService, SearchResolver, { provide: SEARCH_ENGINE, useClass: PostgresEngine }],
})
export class SearchModule {}
