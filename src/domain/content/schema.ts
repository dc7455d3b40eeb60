import { z } from 'zod';
import { predicate } from '../applicability/predicate.js';

// The shape of every file in content/. The JSON Schemas in content/schema are made from these.

/** From the year 1900 on: 30 February is no day. */
function isDay(value: string): boolean {
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && value >= '1900' && day.toISOString().startsWith(value);
}

/** Without leading zeros, as semver has it. */
export const releasePattern = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

export const text = z.string().trim().min(1);

/** A text in both languages: shipped content has both. */
export const bothLanguages = z
  .strictObject({ en: text.describe('English'), zh: text.describe('Simplified Chinese') })
  .describe('One text in English and Simplified Chinese');

/** Longest words joined by hyphens: a slug, or one half of a key. */
export const WORDS_LIMIT = 100;
export const kebab = z
  .string()
  .max(WORDS_LIMIT)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case words joined by hyphens');
export const relatedItem = z
  .string()
  .regex(/^([a-z0-9-]+:)?[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/, 'section/topic, or checklist:section/topic')
  .describe('section/topic of the same checklist, or checklist:section/topic');
export const metricKey = z
  .string()
  .regex(/^[a-z0-9]+(_[a-z0-9]+)*(\.[a-z0-9]+(_[a-z0-9]+)*)+$/, 'group.name')
  .describe('Key of a metric: group.name');
const measurementName = z.string().regex(/^[a-z0-9_]+(-[a-z0-9_]+)*\.json$/, 'the name of a file, such as before.json');
export const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'YYYY-MM-DD')
  .refine(isDay, 'a day of the calendar')
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

/** The fields of an item that people read; each is translated on its own. */
export const textFields = ['title', 'summary', 'why', 'check', 'apply', 'measure', 'avoid', 'rollback'] as const;
export type TextField = (typeof textFields)[number];

const level = z.enum(['NONE', 'LOW', 'MEDIUM', 'HIGH']);
export const signal = z.strictObject({
  tool: kebab,
  metric: text,
  operator: z.enum(['>', '>=', '<', '<=', '=', '!=', 'contains']),
  value: z.union([z.number(), text]),
});
export const recordedMetric = z.strictObject({
  key: metricKey,
  role: z.enum(['primary', 'secondary', 'guardrail', 'diagnostic']),
});
export const expectedGain = z.strictObject({
  basis: z.enum(['VENDOR_DOC', 'PUBLIC_BENCHMARK', 'OWN_MEASUREMENT', 'EXPERT_OPINION']),
  metric: metricKey,
  ratio: z
    .strictObject({ from: z.number().positive(), to: z.number().positive() })
    .describe('How many times better, 1.5 is half as good again; below 1 where it got worse'),
  conditions: bothLanguages,
  source: z.url().optional().describe('Where it is stated; needed unless it is an own measurement or opinion'),
  note: z.string().optional().describe('Slug of the reference note that it was measured in'),
});
export const effort = z.enum(['XS', 'S', 'M', 'L', 'XL']);
export const risk = z.strictObject({ accuracy: level, stability: level, operations: level });
export const relations = z.strictObject({
  requires: z.array(relatedItem).optional(),
  conflictsWith: z.array(relatedItem).optional(),
  supersedes: z.array(relatedItem).optional(),
  amplifies: z.array(relatedItem).optional(),
  seeAlso: z.array(relatedItem).optional(),
  because: z
    .record(relatedItem, bothLanguages)
    .optional()
    .describe('For a related item the reason in one sentence; needed for requires, conflictsWith and supersedes'),
});
export const recheckOn = z
  .array(text)
  .min(1)
  .describe('Facts on whose change a result is to be looked at again, beside the versions that `applicability` bounds');
export const source = z.strictObject({ title: text, url: z.url(), checkedAt: date });

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
    recheckOn: recheckOn.optional(),
    signals: z.array(signal),
    metrics: z.array(recordedMetric).min(1),
    gain: z.array(expectedGain),
    effort,
    risk,
    reversible: z.boolean(),
    relations,
    sources: z.array(source).min(1),
    reviewBy: date,
  })
  .describe('One item of a checklist');

/** content/checklists/<slug>/checklist.yaml */
export const checklistFile = z
  .strictObject({
    release: z.string().regex(releasePattern, 'a version such as 1.2.0'),
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

/** content/checklists/<slug>/translations.yaml: kept by `tunebook content translated`, not by hand. */
export const translationsFile = z
  .record(
    z.string().describe('section/topic'),
    z.partialRecord(
      z.enum(textFields),
      z
        .string()
        .regex(/^[0-9a-f]{12} [0-9a-f]{12}$/)
        .describe('Start of the SHA-256 of the English, and of the Chinese that was made from it'),
    ),
  )
  .describe('For each text of each item: which English its Chinese was made from');

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
        generic: z.literal(true).optional().describe('Stands for what is not listed of its architecture'),
        printed: z
          .array(text)
          .optional()
          .describe('Names of the product as tools print them; `*` at the end stands for any rest'),
        sources: z.array(source).min(1),
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
      avoidZh: z
        .array(text)
        .optional()
        .describe('Chinese words that are not used for it: refused where the English text beside them has the term'),
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
      values: z
        .array(z.strictObject({ value: text, also: z.array(text).optional().describe('Other words for it') }))
        .optional()
        .describe('The values that rules ask for'),
      closed: z.literal(true).optional().describe('Set where there are no values but these'),
      least: z.int().min(0).optional().describe('Set where values are whole numbers: the smallest one'),
    }),
  )
  .describe('Keys of environments and workloads, and how much a difference in them matters');

const setting = z.union([z.string(), z.number(), z.boolean()]);

/** content/notes/<slug>/note.yaml; beside it lie the measurements that it names. */
export const noteFile = z
  .strictObject({
    title: bothLanguages,
    body: bothLanguages.describe('What was changed, seen and learned, in Markdown'),
    caveats: bothLanguages.describe('What the measurement does not say'),
    outcome: z
      .enum(['HELPED', 'NEUTRAL', 'HURT', 'INCONCLUSIVE'])
      .describe('What the verdict on the primary metric makes of it; the check refuses another one'),
    hardware: kebab.describe('Slug of a hardware profile'),
    measuredOn: date,
    change: z
      .record(z.string(), z.strictObject({ before: setting, after: setting }))
      .describe('For each setting the values before and after'),
    items: z.array(relatedItem).min(1).describe('checklist:section/topic of the items that it bears on'),
    tags: z.array(kebab).min(1).describe('Keys of tags.yaml'),
    measurements: z
      .array(
        z.strictObject({
          role: z.enum(['primary', 'secondary', 'guardrail', 'diagnostic']),
          before: measurementName,
          after: measurementName,
        }),
      )
      .min(1)
      .describe('Files of the laboratory format in the same folder, two for each metric; exactly one pair is primary'),
  })
  .describe('A reference note: one change that was measured, with its measurements beside it');

export type ItemFile = z.infer<typeof itemFile>;
export type ChecklistFile = z.infer<typeof checklistFile>;
export type MetricEntry = z.infer<typeof metricsFile>[number];
export type HardwareFile = z.infer<typeof hardwareFile>;
export type CapabilityEntry = z.infer<typeof capabilitiesFile>[number];
export type TranslationsFile = z.infer<typeof translationsFile>;
export type NoteFile = z.infer<typeof noteFile>;
export type TagEntry = z.infer<typeof tagsFile>[number];
export type GlossaryEntry = z.infer<typeof glossaryFile>[number];
export type EnvironmentKeyEntry = z.infer<typeof environmentKeysFile>[number];

/** The kinds of content files: where each lies, its shape, and the name of its JSON Schema. */
export const contentFiles = {
  item: { path: /^checklists\/([a-z0-9-]+)\/([a-z0-9-]+)\/([a-z0-9-]+)\.yaml$/, shape: itemFile },
  checklist: { path: /^checklists\/([a-z0-9-]+)\/checklist\.yaml$/, shape: checklistFile },
  translations: { path: /^checklists\/([a-z0-9-]+)\/translations\.yaml$/, shape: translationsFile },
  note: { path: /^notes\/([a-z0-9-]+)\/note\.yaml$/, shape: noteFile },
  hardware: { path: /^hardware\/([a-z0-9-]+)\.yaml$/, shape: hardwareFile },
  metrics: { path: /^metrics\.yaml$/, shape: metricsFile },
  capabilities: { path: /^capabilities\.yaml$/, shape: capabilitiesFile },
  tags: { path: /^tags\.yaml$/, shape: tagsFile },
  glossary: { path: /^glossary\.yaml$/, shape: glossaryFile },
  'environment-keys': { path: /^environment-keys\.yaml$/, shape: environmentKeysFile },
} as const;

/** Measurements of a reference note, beside its note.yaml. */
export const measurementPath = /^notes\/([a-z0-9-]+)\/([a-z0-9_-]+\.json)$/;
