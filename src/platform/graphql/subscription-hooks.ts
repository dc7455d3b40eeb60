import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  validate,
  type DocumentNode,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import type { DomainError } from '../../domain/errors.js';
import type { RequestContext } from '../auth/viewer.js';
import { spoken } from './domain-error.filter.js';
import { checkDocument, checkInput } from './input-check.js';
import type { Operation, Operations } from './operations.js';

// What the library does for queries and leaves out for subscriptions.

/** What all subscriptions of a connection carry. */
export interface ConnectionContext extends RequestContext {
  readonly refusal: DomainError | null;
  readonly operations: Operations;
}

/** What one subscription carries beside it. */
interface OperationContext extends ConnectionContext {
  operation?: Operation | null;
}

/** Checks a subscription as a query is checked, its variables included. */
export function beforeSubscription(
  schema: GraphQLSchema,
  document: DocumentNode,
  context: OperationContext,
  id: string,
): void {
  const operation = context.operations.get(id);
  context.operation = operation;
  try {
    checkDocument(document);
    if (context.refusal) throw context.refusal;
    const [invalid] = validate(schema, document);
    if (invalid) throw invalid;
    const { name = null, variables = {} } = operation ?? {};
    checkInput(document, variables);
    const definitions = getOperationAST(document, name)?.variableDefinitions ?? [];
    const [wrong] = getVariableValues(schema, definitions, variables, { maxErrors: 1 }).errors ?? [];
    if (wrong) throw wrong;
  } catch (error) {
    throw spoken(error, context.viewer.locale);
  }
}

/** Every subscription ends with what the client asked for, and fails in words as a query does. */
export function endingWithOperations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const begin = field.subscribe;
    if (begin) field.subscribe = endingWithOperation(begin);
  }
  return schema;
}

function endingWithOperation(
  begin: GraphQLFieldResolver<unknown, OperationContext>,
): GraphQLFieldResolver<unknown, OperationContext> {
  return async (root, args, context, info) => {
    try {
      const events: unknown = await begin(root, args, context, info);
      return isAsyncIterator(events) ? (context.operation?.answeredBy(events) ?? events) : events;
    } catch (error) {
      throw error instanceof GraphQLError && !error.originalError ? error : spoken(error, context.viewer.locale);
    }
  };
}

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.asyncIterator in value;
}
