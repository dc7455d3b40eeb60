import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { GraphQLSchema } from 'graphql';
import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/errors.js';
import { Authenticator, preferredLocale } from '../auth/authenticate.js';
import { anonymous, type RequestContext } from '../auth/viewer.js';
import { DateTime } from './date-time.js';
import { DomainErrorFilter, errorFormatter } from './domain-error.filter.js';
import { checkDocument, checkInput, QUERY_LIMITS } from './input-check.js';
import { LocalizedTextResolver } from './localized-text.js';
import { operationsOf } from './operations.js';
import { beforeSubscription, endingWithOperations, type ConnectionContext } from './subscription-hooks.js';

interface CheckedContext extends RequestContext {
  /** Why whoever asks was refused; the request gets this answer and nothing else. */
  readonly refusal: DomainError | null;
}

/** Never throws for a refused viewer: the error would have no context to be put into words in. */
async function contextOf(authenticator: Authenticator, request: FastifyRequest): Promise<CheckedContext> {
  try {
    return { viewer: await authenticator.viewerOf(request), refusal: null };
  } catch (error) {
    if (error instanceof DomainError) {
      const locale = preferredLocale(request.headers['accept-language']) ?? anonymous.locale;
      return { viewer: { ...anonymous, locale }, refusal: error };
    }
    throw error;
  }
}

/** The root types are made by the library, which gives them no description. */
function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const [query, mutation, subscription] = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ];
  if (query) query.description = 'What can be asked. Everything is limited to what the viewer may see.';
  if (mutation) mutation.description = 'What can be changed. Each takes one input; what fails has changed nothing.';
  if (subscription) {
    subscription.description = 'What can be followed, over WebSocket by the protocol graphql-transport-ws';
  }
  return schema;
}

/** So often a silent connection is kept from being closed by what lies between. */
const KEEP_ALIVE_MS = 30_000;

@Module({
  imports: [
    GraphQLModule.forRootAsync<MercuriusDriverConfig>({
      driver: MercuriusDriver,
      inject: [Authenticator],
      useFactory: (authenticator: Authenticator) => ({
        autoSchemaFile: true,
        // The library's own scalar takes what is no date, and gives it on as an invalid one
        buildSchemaOptions: { scalarsMap: [{ type: Date, scalar: DateTime }] },
        transformSchema: (schema) => endingWithOperations(describeRoots(schema)),
        path: '/graphql',
        jit: 2,
        queryDepth: QUERY_LIMITS.depth,
        graphiql: false,
        graphql: { parseOptions: { maxTokens: QUERY_LIMITS.tokens } },
        errorFormatter,
        context: async (request: FastifyRequest, reply: FastifyReply) => ({
          ...(await contextOf(authenticator, request)),
          reply,
        }),
        subscription: {
          context: async (socket: unknown, request: FastifyRequest): Promise<ConnectionContext> => ({
            ...(await contextOf(authenticator, request)),
            operations: operationsOf(socket),
          }),
          keepAlive: KEEP_ALIVE_MS,
        },
        hooks: {
          preSubscriptionExecution: (schema, document, context, id) => {
            beforeSubscription(schema, document, context as unknown as ConnectionContext, String(id));
          },
          preValidation: (_schema, document) => {
            checkDocument(document);
          },
          preExecution: (_schema, document, context, variables) => {
            const { refusal } = context as Partial<CheckedContext>;
            if (refusal) throw refusal;
            checkInput(document, variables);
          },
        },
      }),
    }),
  ],
  providers: [LocalizedTextResolver, { provide: APP_FILTER, useClass: DomainErrorFilter }],
})
export class ApiModule {}
