import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isSpecifiedScalarType,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import { jsonSchemas } from '../src/domain/content/json-schema.js';
import { Prisma } from '../src/generated/prisma/client.js';
import { schemaText } from '../src/platform/graphql/schema-text.js';
import { startApp, type TestApp } from './support/app.js';

const root = join(import.meta.dirname, '..');
const contractFile = join(root, '../shared/design/api.graphql');
const hasContract = existsSync(contractFile);

let app: TestApp;
let schema: GraphQLSchema;
beforeAll(async () => {
  app = await startApp();
  schema = app.nest.get(GraphQLSchemaHost, { strict: false }).schema;
});
afterAll(() => app.close());

const ownTypes = (of: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(of.getTypeMap()).filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type));

/** Everything of a type that has a name, by its place: `Audit.items(first:)`. */
function parts(type: GraphQLNamedType): { place: string; description: string | null | undefined }[] {
  const own = { place: type.name, description: type.description };
  if (isEnumType(type)) {
    return [own, ...type.getValues().map(({ name, description }) => ({ place: `${type.name}.${name}`, description }))];
  }
  if (isObjectType(type) || isInputObjectType(type)) {
    const fields: (GraphQLField<unknown, unknown> | GraphQLInputField)[] = Object.values(type.getFields());
    const ofFields = fields.flatMap((field) => [
      { place: `${type.name}.${field.name}`, description: field.description },
      ...('args' in field
        ? field.args.map(({ name, description }) => ({ place: `${type.name}.${field.name}(${name}:)`, description }))
        : []),
    ]);
    return [own, ...ofFields];
  }
  return [own];
}

describe('the GraphQL schema', () => {
  it('is what src/schema.graphql says (npm run schemas writes it)', () => {
    expect(readFileSync(join(root, 'src/schema.graphql'), 'utf8')).toBe(schemaText(app.nest));
  });

  it('describes every type, field, argument, input field and enum value', () => {
    const bare = ownTypes(schema).flatMap(parts).filter(({ description }) => !description?.trim()); // prettier-ignore
    expect(bare.map(({ place }) => place)).toEqual([]);
  });

  it('has one argument `input` for every mutation, with a clientMutationId', () => {
    for (const { name, args } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
      expect([name, args.map((arg) => arg.name)]).toEqual([name, ['input']]);
      const type = schema.getType(`${name[0]?.toUpperCase()}${name.slice(1)}Input`);
      expect(isInputObjectType(type) && Object.keys(type.getFields())).toContain('clientMutationId');
    }
  });
});

const describeContract = hasContract ? describe : describe.skip;
describeContract(`the contract${hasContract ? '' : ' (skipped: ../shared/design/api.graphql is not there)'}`, () => {
  const contract = hasContract ? buildSchema(readFileSync(contractFile, 'utf8')) : null;

  /** How a field, argument or input field must look: `first: Int = 50`. */
  const written = ({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField): string =>
    `${name}: ${type.toString()}${defaultValue === undefined ? '' : ` = ${JSON.stringify(defaultValue)}`}`;

  /** What a type promises to its users, one line each. */
  function promises(type: GraphQLNamedType | undefined): string[] {
    if (!type) return [];
    if (isEnumType(type)) return type.getValues().map(({ name }) => name);
    if (isInputObjectType(type)) return Object.values(type.getFields()).map(written);
    if (!isObjectType(type)) return ['scalar'];
    return Object.values(type.getFields()).flatMap((field) => [
      `${field.name}: ${field.type.toString()}`,
      ...field.args.map((arg) => `${field.name}(${written(arg)})`),
    ]);
  }

  it.each((contract ? ownTypes(contract) : []).map((type) => [type.name, type] as const))(
    'is kept by %s',
    (name, type) => {
      const kept = promises(schema.getType(name));
      expect(promises(type).filter((promise) => !kept.includes(promise))).toEqual([]);
    },
  );

  it('has no more required arguments and input fields than it says', () => {
    const demands = ownTypes(contract ?? schema).flatMap(({ name }) => {
      const [promised, own] = [contract?.getType(name), schema.getType(name)];
      if (isInputObjectType(own) && isInputObjectType(promised)) {
        const known = Object.keys(promised.getFields());
        return Object.values(own.getFields()).filter((field) => !known.includes(field.name) && isRequired(field));
      }
      if (!isObjectType(own) || !isObjectType(promised)) return [];
      return Object.values(promised.getFields()).flatMap((field) => {
        const known = field.args.map((arg) => arg.name);
        return (own.getFields()[field.name]?.args ?? []).filter((arg) => !known.includes(arg.name) && isRequired(arg));
      });
    });
    expect(demands.map(written)).toEqual([]);
  });
});

function isRequired({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return type.toString().endsWith('!') && defaultValue === undefined;
}

describe('the database', () => {
  it.each(Object.values(Prisma.ModelName))('can be read as %s', async (name) => {
    const delegate = Reflect.get(app.db, `${name[0]?.toLowerCase()}${name.slice(1)}`) as {
      findFirst(): Promise<object | null>;
    };
    await expect(delegate.findFirst()).resolves.not.toBeUndefined();
  });

  it('has the content of the catalog', async () => {
    expect(await app.db.searchDocument.count({ where: { kind: 'ITEM', isPresent: true } })).toBeGreaterThan(0);
  });
});

describe('the JSON schemas of content', () => {
  it.each(Object.entries(jsonSchemas()))('are what content/schema/%s.schema.json says', (kind, schemaOfKind) => {
    const file = join(root, `content/schema/${kind}.schema.json`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schemaOfKind)));
  });
});
