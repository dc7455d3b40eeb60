import { setImmediate } from 'node:timers/promises';
import { cutText } from '../../domain/cut-text.js';
import type { LocalizedText } from '../../domain/locale.js';
import type { SearchDocument, SearchDocumentKey } from '../../domain/search/document.js';
import type { GlossaryIndex } from '../../domain/search/glossary-index.js';
import { termsOf, TITLE_PREFIX } from '../../domain/search/tokens.js';
import { storablePart } from '../../domain/storable.js';
import type { Db } from '../database/database.js';

export type { SearchDocumentKey };

/**
 * Documents go to the database in statements of at most so many documents and so many characters: the embedded database
 * does nothing else while it runs one, and neither does the service.
 */
const BATCH_DOCUMENTS = 200;
const BATCH_CHARACTERS = 250_000;

/** How much of a text is kept, for snippets and for engines outside the database. */
const TITLE_LIMIT = 2_000;
const TEXT_LIMIT = 100_000;

/**
 * Writes what search knows of these documents, whether or not they were known before. Each gets a new `revision`, by
 * which an engine outside the database sees what has changed. No text, however long or strange, makes it fail.
 */
export async function putSearchDocuments(
  db: Db,
  documents: readonly SearchDocument[],
  glossary: GlossaryIndex,
): Promise<void> {
  // One statement cannot change a row twice: the last version of a document is the one that stays.
  const latest = new Map(documents.map((document) => [`${document.kind} ${document.subjectId}`, document]));
  // In one order for everybody, so that two changes of the same documents wait for each other only one way round.
  const sorted = [...latest].sort(([one], [other]) => (one < other ? -1 : 1));
  let batch: string[] = [];
  let characters = 0;
  for (const [, document] of sorted) {
    const row = JSON.stringify(rowOf(document, glossary));
    if (batch.length > 0 && characters + row.length > BATCH_CHARACTERS) {
      await putRows(db, batch);
      [batch, characters] = [[], 0];
    }
    batch.push(row);
    characters += row.length;
    if (batch.length === BATCH_DOCUMENTS) {
      await putRows(db, batch);
      [batch, characters] = [[], 0];
    }
  }
  if (batch.length > 0) await putRows(db, batch);
}

/** Takes documents out of every search. The rows stay, marked, until every engine has forgotten them. */
export async function removeSearchDocuments(db: Db, keys: readonly SearchDocumentKey[]): Promise<void> {
  if (keys.length === 0) return;
  await db.$executeRaw`
    UPDATE "SearchDocument" AS d
    SET "isPresent" = false, "updatedAt" = now(),
        revision = nextval(pg_get_serial_sequence('"SearchDocument"', 'revision'))
    FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k (kind "SearchKind", "subjectId" text)
    WHERE d.kind = k.kind AND d."subjectId" = k."subjectId" AND d."isPresent"`;
}

/** Changes the hardware of documents that are there, in one statement. */
export async function moveSearchDocuments(
  db: Db,
  hardware: string | null,
  keys: readonly SearchDocumentKey[],
): Promise<void> {
  if (keys.length === 0) return;
  const slugs = hardware === null ? [] : [hardware];
  await db.$executeRaw`
    UPDATE "SearchDocument" AS d
    SET hardware = ${slugs}::text[], "updatedAt" = now(),
        revision = nextval(pg_get_serial_sequence('"SearchDocument"', 'revision'))
    FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k (kind "SearchKind", "subjectId" text)
    WHERE d.kind = k.kind AND d."subjectId" = k."subjectId"`;
}

async function putRows(db: Db, rows: readonly string[]): Promise<void> {
  // Lets others have their turn, which a wait for the embedded database alone does not
  await setImmediate();
  await db.$executeRaw`
    INSERT INTO "SearchDocument" AS d (
      kind, "subjectId", "projectId", "teamId", key, checklist, section, title, body, identifiers, tags, hardware,
      frameworks, languages, outcome, verdict, gain, "isPresent", "updatedAt", terms)
    SELECT
      kind, "subjectId", "projectId", "teamId", key, checklist, section, title, body, identifiers, tags, hardware,
      frameworks, languages, outcome, verdict, gain, true, now(),
      setweight(to_tsvector('english', a), 'A') || setweight(to_tsvector('english', b), 'B') ||
      setweight(to_tsvector('english', c), 'C') || to_tsvector('english', d) || lexemes::tsvector ||
      array_to_tsvector(ARRAY(SELECT ${TITLE_PREFIX} || lexeme FROM unnest(to_tsvector('english', a))))
    FROM jsonb_to_recordset(${`[${rows.join(',')}]`}::jsonb) AS r (
      kind "SearchKind", "subjectId" text, "projectId" text, "teamId" text, key text, checklist text, section text,
      title jsonb, body jsonb, identifiers text[], tags text[], hardware text[], frameworks text[],
      languages "Locale"[], outcome "NoteOutcome", verdict "Verdict", gain double precision,
      a text, b text, c text, d text, lexemes text)
    ON CONFLICT (kind, "subjectId") DO UPDATE SET
      "projectId" = excluded."projectId", "teamId" = excluded."teamId", key = excluded.key,
      checklist = excluded.checklist, section = excluded.section, title = excluded.title, body = excluded.body,
      identifiers = excluded.identifiers, tags = excluded.tags, hardware = excluded.hardware,
      frameworks = excluded.frameworks, languages = excluded.languages, outcome = excluded.outcome,
      verdict = excluded.verdict, gain = excluded.gain, "isPresent" = true, "updatedAt" = now(),
      terms = excluded.terms, revision = nextval(pg_get_serial_sequence('"SearchDocument"', 'revision'))`;
}

function rowOf(document: SearchDocument, glossary: GlossaryIndex) {
  const { english, lexemes } = termsOf(document, glossary);
  return {
    kind: document.kind,
    subjectId: document.subjectId,
    projectId: document.projectId,
    teamId: document.teamId,
    key: document.key,
    checklist: document.checklist,
    section: document.section,
    title: storable(document.title, TITLE_LIMIT),
    body: storable(document.body, TEXT_LIMIT),
    identifiers: document.identifiers.map(storablePart),
    tags: document.tags.map(storablePart),
    hardware: document.hardware.map(storablePart),
    frameworks: document.frameworks.map(storablePart),
    languages: document.languages,
    outcome: document.outcome,
    verdict: document.verdict,
    gain: document.gain,
    a: english.A,
    b: english.B,
    c: english.C,
    d: english.D,
    lexemes: vectorOf(lexemes),
  };
}

/** The text form of a tsvector, such as `'显存':3A,7D 'term:device-memory':3A`. */
function vectorOf(lexemes: ReadonlyMap<string, readonly string[]>): string {
  return Array.from(lexemes, ([lexeme, places]) => `'${lexeme.replace(/['\\]/g, '$&$&')}':${places.join(',')}`).join(
    ' ',
  );
}

function storable(text: LocalizedText, limit: number): LocalizedText {
  const kept = (value: string | null) => (value === null ? null : storablePart(cutText(value, limit)));
  return { en: kept(text.en), zh: kept(text.zh) };
}
