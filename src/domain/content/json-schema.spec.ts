import { describe, expect, it } from '@jest/globals';
import { jsonSchemas } from './json-schema.js';
import { contentFiles } from './schema.js';

describe('jsonSchemas', () => {
  const schemas = jsonSchemas();

  it('has one schema for every kind of content file', () => {
    expect(Object.keys(schemas)).toEqual(Object.keys(contentFiles));
  });

  it('describes the fields of an item and refuses others', () => {
    expect(schemas['item']).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { order: { type: 'integer', minimum: 1, description: 'Place within the section, from 1' } },
    });
  });

  it('does not ask writers for what has a default', () => {
    expect(JSON.stringify(schemas['metrics'])).not.toContain('"role","exact"');
    expect(schemas['metrics']).toMatchObject({ items: { required: expect.not.arrayContaining(['exact']) } });
  });
});
