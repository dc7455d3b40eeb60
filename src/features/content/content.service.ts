import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Catalog, CatalogChecklist } from '../../domain/content/catalog.js';
import { parseContent } from '../../domain/content/parse-content.js';
import { Database } from '../../platform/database/database.js';
import { SearchIndex } from '../../platform/search-index/search-index.service.js';
import { RulesService } from '../catalog/rules.service.js';
import { KnowledgeService } from '../knowledge/knowledge.service.js';
import { CONTENT_FOLDER, digestOfFiles, readContentFolder } from './content-files.js';
import { problemText } from './problem-text.js';
import { itemDocuments } from './content.search.js';
import { shippedRelease } from './release-content.js';
import { ensureRelease, lockContent, replaceRegistries } from './content.writes.js';
import { OperatorError } from '../../platform/explain.js';

/** Raised when rows made of the same files would come out otherwise, so that they are made anew. */
const LOADER_VERSION = 3;
const SHIPPED = 'shipped';

/** Puts content/ into the database at start; with equal content it does nothing. */
@Injectable()
export class ContentService implements OnModuleInit {
  private readonly log = new Logger('Content');

  constructor(
    private readonly db: Database,
    private readonly index: SearchIndex,
    private readonly rules: RulesService,
    private readonly knowledge: KnowledgeService,
    @Inject(CONTENT_FOLDER) private readonly folder: string,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.load();
  }

  /** Loads the folder. A broken file stops it with all problems, and nothing is written. */
  async load(): Promise<void> {
    const files = await readContentFolder(this.folder);
    const digest = `${LOADER_VERSION}:${digestOfFiles(files)}`;
    const last = await this.db.contentLoad.findUnique({ where: { id: SHIPPED } });
    if (last?.digest === digest) return;
    const parsed = parseContent(files);
    if ('problems' in parsed) throw new OperatorError(problemText(parsed.problems));
    await this.write(parsed.catalog, digest);
    this.rules.forgetRegistry();
    this.index.forgetGlossary();
  }

  private async write(catalog: Catalog, digest: string): Promise<void> {
    const kept = await this.db.$transaction(
      async (tx) => {
        await lockContent(tx);
        await replaceRegistries(tx, catalog);
        this.index.forgetGlossary();
        const refused: string[] = [];
        for (const checklist of catalog.checklists) {
          const state = await ensureRelease(tx, shippedRelease(checklist));
          if (state === 'differs') refused.push(whyKept(checklist));
          if (state === 'older') refused.push(whyOlder(checklist));
        }
        const { put, remove } = await itemDocuments(tx);
        await this.index.remove(tx, remove);
        await this.index.put(tx, put);
        await this.knowledge.putReferenceNotes(tx, catalog.notes);
        const data = { digest, loadedAt: new Date() };
        await tx.contentLoad.upsert({ where: { id: SHIPPED }, create: { id: SHIPPED, ...data }, update: data });
        return refused;
      },
      { timeout: 300_000 },
    );
    for (const warning of kept) this.log.warn(warning);
  }
}

function whyKept({ slug, release }: CatalogChecklist): string {
  return (
    `content/checklists/${slug} differs from its release ${release}, which is published and stays as it is: ` +
    `raise "release" in checklist.yaml to publish the change`
  );
}

function whyOlder({ slug, release }: CatalogChecklist): string {
  return `content/checklists/${slug} has release ${release}, and a higher one is published: the higher one stays the newest`;
}
