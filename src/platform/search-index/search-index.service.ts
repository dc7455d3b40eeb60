import { Injectable } from '@nestjs/common';
import type { SearchDocument } from '../../domain/search/document.js';
import { glossaryIndex, type GlossaryIndex } from '../../domain/search/glossary-index.js';
import type { Db } from '../database/database.js';
import {
  moveSearchDocuments,
  putSearchDocuments,
  removeSearchDocuments,
  type SearchDocumentKey,
} from './search-index.js';

/** What features write searchable things through, in the transaction of the change itself. */
@Injectable()
export class SearchIndex {
  private terms: Promise<GlossaryIndex> | null = null;

  async put(tx: Db, documents: readonly SearchDocument[]): Promise<void> {
    await putSearchDocuments(tx, documents, await this.glossary(tx));
  }

  async remove(tx: Db, keys: readonly SearchDocumentKey[]): Promise<void> {
    await removeSearchDocuments(tx, keys);
  }

  /** Says of these documents that they are about other hardware, all in one statement; null where it is not known. */
  async moveTo(tx: Db, hardware: string | null, keys: readonly SearchDocumentKey[]): Promise<void> {
    await moveSearchDocuments(tx, hardware, keys);
  }

  /** The terms of the field, read once per process; `tx` is the connection to read them by. */
  glossary(tx: Db): Promise<GlossaryIndex> {
    this.terms ??= readGlossary(tx).catch((error: unknown) => {
      this.terms = null;
      throw error;
    });
    return this.terms;
  }

  /** To be called after the glossary was loaded anew. */
  forgetGlossary(): void {
    this.terms = null;
  }
}

async function readGlossary(tx: Db): Promise<GlossaryIndex> {
  const terms = await tx.glossaryTerm.findMany({ orderBy: { en: 'asc' } });
  return glossaryIndex(terms);
}
