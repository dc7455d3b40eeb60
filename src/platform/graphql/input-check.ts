import { Kind, Location, visit, type DocumentNode } from 'graphql';
import { invalidInput, limitExceeded } from '../../domain/errors.js';
import { unstorableText } from '../../domain/storable.js';

// Text that cannot be stored is refused here, by the place that carries it, before any resolver runs.

/**
 * Limits of a query text. The contract's deepest useful query, a page of notes with adoptions, has 12 levels; the
 * introspection of the whole schema has about 1,000 tokens.
 */
export const QUERY_LIMITS = { depth: 16, tokens: 15_000, rootFields: 50 } as const;

/** The content of an imported file: the importers report binary content themselves. */
const exempt = new Set(['$input.content']);

function checkText(text: string, place: string): void {
  const fault = unstorableText(text);
  if (fault !== null) throw invalidInput({ en: `${place} ${fault.en}`, zh: `${place} ${fault.zh}` }, { place });
}

/** Deepest nesting of a JSON value: more is no fact of an environment, and would exhaust the stack. */
const DEPTH_LIMIT = 32;

function check(value: unknown, place: string, depth = 0): void {
  if (depth > DEPTH_LIMIT) {
    throw invalidInput(
      { en: `${place} is nested deeper than ${DEPTH_LIMIT} levels`, zh: `${place} 的嵌套超过 ${DEPTH_LIMIT} 层` },
      { limit: DEPTH_LIMIT },
    );
  }
  if (typeof value === 'string') {
    if (!exempt.has(place)) checkText(value, place);
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => check(entry, `${place}[${index}]`, depth + 1));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      checkText(key, `a key of ${place}`);
      check(entry, `${place}.${key}`, depth + 1);
    }
  }
}

/** Refuses text that no database row can hold, in variables and in literals of the document. */
export function checkInput(document: DocumentNode, variables: Readonly<Record<string, unknown>> | undefined): void {
  for (const [name, value] of Object.entries(variables ?? {})) check(value, `$${name}`);
  visit(document, {
    StringValue: ({ value, loc }) => checkText(value, `the text at line ${loc?.startToken.line ?? 1} of the query`),
  });
}

/** Refuses a syntax tree in place of a query text: only the parser's own trees have the shape that all else relies on. */
export function checkDocument(document: DocumentNode | null): void {
  if (!(document?.loc instanceof Location)) {
    throw invalidInput({ en: 'query is not the text of a GraphQL document', zh: 'query 不是 GraphQL 文档文本' });
  }
  // Each field of the root may be a search or a page of its own: aliases would make one request of hundreds.
  const { rootFields } = QUERY_LIMITS;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const count = definition.selectionSet.selections.length;
    if (count > rootFields) {
      throw limitExceeded(
        {
          en: `The query asks for ${count} fields at its root; at most ${rootFields} are answered`,
          zh: `查询在根上请求了 ${count} 个字段，最多 ${rootFields} 个`,
        },
        { limit: rootFields },
      );
    }
  }
}
