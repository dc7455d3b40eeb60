import { Module } from '@nestjs/common';
import type { GraphQLSchema } from 'graphql';
import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticate.js';
import type { RequestContext } from '../auth/viewer.js';
import { errorFormatter } from './domain-error.filter.js';
import { checkInput } from './input-check.js';
import { LocalizedTextResolver } from './localized-text.js';

/** Deepest nesting of a query. The contract's deepest useful one, a page of notes with adoptions, needs 12. */
const DEPTH_LIMIT = 16;

/** Most tokens of a query text; the contract's whole introspection has about 1,000. */
const TOKEN_LIMIT = 15_000;

/** The root types are made by the library, which gives them no description. */
function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  if (query) query.description = 'What can be asked. Everything is limited to what the viewer may see.';
  if (mutation) mutation.description = 'What can be changed. Each takes one input; what fails has changed nothing.';
  return schema;
}

@Module({
  imports: [
    GraphQLModule.forRootAsync<MercuriusDriverConfig>({
      driver: MercuriusDriver,
      inject: [Authenticator],
      useFactory: (authenticator: Authenticator) => ({
        autoSchemaFile: true,
        sortSchema: true,
        transformSchema: describeRoots,
        path: '/graphql',
        jit: 2,
        queryDepth: DEPTH_LIMIT,
        graphiql: false,
        graphql: { parseOptions: { maxTokens: TOKEN_LIMIT } },
        errorFormatter,
        context: async (
          request: FastifyRequest,
          reply: FastifyReply,
        ): Promise<RequestContext & { reply: FastifyReply }> => ({
          viewer: await authenticator.viewerOf(request),
          reply,
        }),
        hooks: {
          preExecution: (_schema, document, _context, variables) => {
            checkInput(document, variables);
          },
        },
      }),
    }),
  ],
  providers: [LocalizedTextResolver],
})
export class ApiModule {}
