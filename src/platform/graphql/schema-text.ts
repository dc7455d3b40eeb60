import type { INestApplicationContext } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';

/** The schema of the running application, as src/schema.graphql holds it. */
export function schemaText(app: INestApplicationContext): string {
  const { schema } = app.get(GraphQLSchemaHost, { strict: false });
  return [
    '# Made by `npm run schemas` from the classes in src/features; a spec checks that it is up to date.',
    '',
    printSchema(lexicographicSortSchema(schema)),
    '',
  ].join('\n');
}
