import { z } from 'zod';
import { predicate } from '../applicability/predicate.js';
import {
  bottlenecks,
  date,
  effort,
  expectedGain,
  kebab,
  layers,
  phases,
  recheckOn,
  recordedMetric,
  relations,
  releasePattern,
  risk,
  signal,
  source,
  text,
} from './schema.js';

/** A text in at least one language: a team's own checklist need not have both. */
export const localized = z
  .strictObject({ en: text.optional(), zh: text.optional() })
  .refine(({ en, zh }) => en !== undefined || zh !== undefined, 'a text in at least one language')
  .describe('One text in English, Simplified Chinese, or both');

/** An item of a team's own checklist. Only the title is needed; what is absent is not said. */
export const bundleItem = z.strictObject({
  key: kebab.describe('Second half of the item\'s key: section/topic'),
  title: localized,
  summary: localized.optional(),
  body: localized.optional().describe('Markdown, where the text is not in the parts below'),
  why: localized.optional(),
  check: localized.optional(),
  apply: localized.optional(),
  measure: localized.optional(),
  avoid: localized.optional(),
  rollback: localized.optional(),
  layer: z.enum(layers).optional(),
  bottleneck: z.enum(bottlenecks).optional(),
  phases: z.array(z.enum(phases)).optional(),
  frameworks: z.array(kebab).optional(),
  tags: z.array(kebab).optional(),
  settings: z.array(text).optional(),
  applicability: predicate.optional(),
  recheckOn: recheckOn.optional(),
  signals: z.array(signal).optional(),
  metrics: z.array(recordedMetric).optional(),
  gain: z.array(expectedGain.extend({ conditions: localized })).optional(),
  effort: effort.optional(),
  risk: risk.optional(),
  reversible: z.boolean().optional(),
  relations: relations.extend({ because: z.record(text, localized).optional() }).optional(),
  sources: z.array(source).optional(),
  reviewBy: date.optional(),
});

/** A checklist in one file: what a team exports, keeps in its own repository, and imports again without loss. */
export const checklistBundle = z
  .strictObject({
    format: z.literal('tunebook-checklist/1').describe('The format and its version'),
    slug: kebab.optional(),
    release: z
      .string()
      .regex(releasePattern, 'a version such as 1.2.0')
      .optional(),
    title: localized,
    summary: localized.optional(),
    sections: z
      .array(
        z.strictObject({
          key: kebab,
          title: localized,
          summary: localized.optional(),
          items: z.array(bundleItem),
        }),
      )
      .min(1),
  })
  .describe('A checklist with all its sections and items in one file');

export type ChecklistBundle = z.infer<typeof checklistBundle>;
export type BundleSection = ChecklistBundle['sections'][number];
export type BundleItem = z.infer<typeof bundleItem>;
