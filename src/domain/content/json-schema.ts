import { z } from 'zod';
import { contentFiles } from './schema.js';

/** The JSON Schema of every kind of content file, by the name of the kind: what editors check while one writes. */
export function jsonSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(contentFiles).map(([kind, { shape }]) => [kind, z.toJSONSchema(shape, { io: 'input' })]),
  );
}
