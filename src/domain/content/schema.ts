import { z } from 'zod';
import { predicate } from '../applicability/predicate.js';

// The shape of every file in content/. The JSON Schemas in content/schema are made from these.

const text = z.string().trim().min(1);

/** A text in both languages: shipped content has both. */
export const bothLanguages = z
  .strictObject({ en: text.describe('English'), zh: text.describe('Simplified Chinese') })
  .describe('One text in English and Simplified Chinese');

const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case words joined by hyphens');
const relatedItem = z
  .string()
  .regex(/^([a-z0-9-]+:)?[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/, 'section/topic, or checklist:section/topic')
  .describe('section/topic of the same checklist, or checklist:section/topic');
const metricKey = z
  .string()
  .regex(/^[a-z0-9]+(_[a-z0-9]+)*(\.[a-z0-9]+(_[a-z0-9]+)*)+$/, 'group.name')
  .describe('Key of a metric: group.name');
const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'YYYY-MM-DD')
  .refine((value) => !Number.isNaN(Date.parse(`${value}T00:00:00Z`)), 'a day of the calendar')
  .describe('A day, YYYY-MM-DD');

export const layers = [
  'mindset', 'process', 'hardware', 'superchip', 'interconnect', 'os-driver', 'gpu-resource', 'scheduling', 'power', 'io',
  'data-pipeline', 'profiling', 'cuda', 'precision', 'algorithm', 'network', 'inference', 'multinode-inference',
] as const; // prettier-ignore
export const bottlenecks = [
  'compute', 'memory-bandwidth', 'memory-capacity', 'communication', 'input', 'host', 'latency', 'storage', 'power',
  'reliability', 'cost', 'any',
] as const; // prettier-ignore
export const phases = ['training', 'prefill', 'decode', 'data', 'all'] as const;

/** One practice: content/checklists/<slug>/<section>/<topic>.yaml; the path is the key. */
export const itemFile = z
  .strictObject({
    order: z.int().min(1).describe('Place within the section, from 1'),
    title: bothLanguages,
    summary: bothLanguages.describe('One to three sentences: what it is and when it pays'),
    why: bothLanguages.describe('Why it matters, in Markdown'),
    check: bothLanguages.describe('How to see whether it is needed or already in place'),
    apply: bothLanguages.describe('How to do it: commands, identifiers, versions'),
    measure: bothLanguages.describe('How to measure what it did'),
    avoid: bothLanguages.describe('When not to do it'),
    rollback: bothLanguages.describe('How to undo it'),
    layer: z.enum(layers),
    bottleneck: z.enum(bottlenecks),
    phases: z.array(z.enum(phases)).min(1),
    frameworks: z.array(kebab).describe('Frameworks and engines that the text is about; empty where it is for any'),
    tags: z.array(kebab).min(1).describe('Keys of tags.yaml'),
    settings: z.array(text).describe('Exact identifiers that the item touches'),
    applicability: predicate.optional().describe('Where the item applies; absent where it is for all'),
    signals: z.array(
      z.strictObject({
        tool: kebab,
        metric: text,
        operator: z.enum(['>', '>=', '<', '<=', '=', '!=', 'contains']),
        value: z.union([z.number(), text]),
      }),
    ),
    metrics: z
      .array(z.strictObject({ key: metricKey, role: z.enum(['primary', 'secondary', 'guardrail', 'diagnostic']) }))
      .min(1),
    gain: z.array(
      z.strictObject({
        basis: z.enum(['VENDOR_DOC', 'PUBLIC_BENCHMARK', 'OWN_MEASUREMENT', 'EXPERT_OPINION']),
        metric: metricKey,
        ratio: z
          .strictObject({ from: z.number().positive(), to: z.number().positive() })
          .describe('How many times better, 1.5 is half as good again; below 1 where it got worse'),
        conditions: bothLanguages,
        source: z.url().optional().describe('Where it is stated; needed unless it is an own measurement or opinion'),
        note: z.string().optional().describe('Name of the experiment that it was measured in'),
      }),
    ),
    effort: z.enum(['XS', 'S', 'M', 'L', 'XL']),
    risk: z.strictObject({
      accuracy: z.enum(['NONE', 'LOW', 'MEDIUM', 'HIGH']),
      stability: z.enum(['NONE', 'LOW', 'MEDIUM', 'HIGH']),
      operations: z.enum(['NONE', 'LOW', 'MEDIUM', 'HIGH']),
    }),
    reversible: z.boolean(),
    relations: z.strictObject({
      requires: z.array(relatedItem).optional(),
      conflictsWith: z.array(relatedItem).optional(),
      supersedes: z.array(relatedItem).optional(),
      amplifies: z.array(relatedItem).optional(),
      seeAlso: z.array(relatedItem).optional(),
    }),
    sources: z.array(z.strictObject({ title: text, url: z.url(), checkedAt: date })).min(1),
    reviewBy: date,
  })
  .describe('One item of a checklist');

/** content/checklists/<slug>/checklist.yaml */
export const checklistFile = z
  .strictObject({
    release: z.string().regex(/^\d+\.\d+\.\d+$/, 'a version such as 1.2.0'),
    title: bothLanguages,
    summary: bothLanguages,
    sections: z
      .array(
        z.strictObject({
          key: kebab,
          title: bothLanguages,
          summary: bothLanguages,
          draft: z.literal(true).optional().describe('Set while the section is being written: checked, not published'),
        }),
      )
      .min(1),
  })
  .describe('A checklist: its release and its sections in order');

/** content/metrics.yaml */
export const metricsFile = z
  .array(
    z.strictObject({
      key: metricKey,
      name: bothLanguages,
      description: bothLanguages.optional(),
      unit: z.string().describe('Unit in which values are stored; empty for a plain number'),
      dimension: kebab,
      direction: z.enum(['HIGHER_IS_BETTER', 'LOWER_IS_BETTER', 'TARGET']).nullable(),
      target: z.number().optional(),
      exact: z.boolean().default(false).describe('True for counts and sizes that do not vary between equal runs'),
      smallestEffect: z.number().positive().describe('A fraction, 0.02 is 2 %; with TARGET in the unit of the metric'),
      role: z.enum(['PRIMARY', 'SECONDARY', 'GUARDRAIL', 'DIAGNOSTIC']),
    }),
  )
  .describe('The metrics that items and importers use');

/** content/hardware/<vendor>.yaml */
export const hardwareFile = z
  .strictObject({
    vendor: kebab,
    profiles: z.array(
      z.strictObject({
        slug: kebab,
        name: text,
        architecture: kebab,
        capabilities: z.array(kebab),
        facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
        sources: z.array(z.strictObject({ title: text, url: z.url(), checkedAt: date })).min(1),
      }),
    ),
  })
  .describe('The hardware profiles of one vendor');

/** content/capabilities.yaml */
export const capabilitiesFile = z
  .array(z.strictObject({ key: kebab, name: bothLanguages, description: bothLanguages }))
  .describe('What hardware or fabric can do');

/** content/tags.yaml */
export const tagsFile = z.array(z.strictObject({ key: kebab, name: bothLanguages })).describe('The free tags of items');

/** content/glossary.yaml */
export const glossaryFile = z
  .array(
    z.strictObject({
      en: text,
      zh: text,
      synonymsEn: z.array(text).optional(),
      synonymsZh: z.array(text).optional(),
      note: bothLanguages.partial().optional(),
    }),
  )
  .describe('Terms of the field in both languages: search synonyms, Chinese words, translation checks');

/** content/environment-keys.yaml */
export const environmentKeysFile = z
  .array(
    z.strictObject({
      key: z
        .string()
        .regex(/^[a-z][A-Za-z0-9]*(\.([A-Za-z0-9_]+|\*))*$/, 'a path such as gpu.sku, or env.* for a family')
        .describe('A path such as gpu.sku or workload.model; `.*` at the end stands for a family'),
      tier: z.enum(['BLOCK', 'WARN', 'INFO']),
      unit: z.string().optional(),
      name: bothLanguages,
    }),
  )
  .describe('Keys of environments and workloads, and how much a difference in them matters');

export type ItemFile = z.infer<typeof itemFile>;
export type ChecklistFile = z.infer<typeof checklistFile>;
export type MetricEntry = z.infer<typeof metricsFile>[number];
export type HardwareFile = z.infer<typeof hardwareFile>;
export type CapabilityEntry = z.infer<typeof capabilitiesFile>[number];
export type TagEntry = z.infer<typeof tagsFile>[number];
export type GlossaryEntry = z.infer<typeof glossaryFile>[number];
export type EnvironmentKeyEntry = z.infer<typeof environmentKeysFile>[number];

/** The kinds of content files: where each lies, its shape, and the name of its JSON Schema. */
export const contentFiles = {
  item: { path: /^checklists\/([a-z0-9-]+)\/([a-z0-9-]+)\/([a-z0-9-]+)\.yaml$/, shape: itemFile },
  checklist: { path: /^checklists\/([a-z0-9-]+)\/checklist\.yaml$/, shape: checklistFile },
  hardware: { path: /^hardware\/([a-z0-9-]+)\.yaml$/, shape: hardwareFile },
  metrics: { path: /^metrics\.yaml$/, shape: metricsFile },
  capabilities: { path: /^capabilities\.yaml$/, shape: capabilitiesFile },
  tags: { path: /^tags\.yaml$/, shape: tagsFile },
  glossary: { path: /^glossary\.yaml$/, shape: glossaryFile },
  'environment-keys': { path: /^environment-keys\.yaml$/, shape: environmentKeysFile },
} as const;
