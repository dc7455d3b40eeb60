import { z } from 'zod';
import { partNames, type PartName } from '../content/item-body.js';
import { bottlenecks, date, effort as efforts, kebab, layers, phases } from '../content/schema.js';
import { CUSTOM_SECTION } from '../content/section-key.js';
import { invalidInput } from '../errors.js';
import type { Locale, LocalizedText } from '../locale.js';
import { nearestNames } from '../search/nearest-names.js';
import { optionalText, requiredText, textList, TEXT_LIMITS } from '../text-limits.js';

// An item that exists in one audit only. What a person does not say of it is absent in its JSON. The shape is as strict
// as what a person writes is checked: texts from other installations are read by it too.

const LIST_LIMIT = 50;
const none: LocalizedText = { en: null, zh: null };
const textUpTo = (limit: number) =>
  z
    .object({ en: z.string().max(limit).nullish(), zh: z.string().max(limit).nullish() })
    .transform(({ en, zh }): LocalizedText => ({ en: en ?? null, zh: zh ?? null }));
const part = textUpTo(TEXT_LIMITS.long).default(none);
const oneOf = (allowed: readonly string[]) => z.string().refine((one) => allowed.includes(one));
const wordOf = (allowed: readonly string[]) =>
  oneOf(allowed)
    .nullish()
    .transform((one) => one ?? null);
const listOf = <T extends z.ZodType>(one: T) => z.array(one).max(LIST_LIMIT).default([]);
const slugShape = kebab.max(TEXT_LIMITS.tag);
const nameShape = z.string().min(1).max(TEXT_LIMITS.name);
const address = z.url({ protocol: /^https?$/ }).max(2_000);

const shape = z.object({
  title: textUpTo(TEXT_LIMITS.name).refine(({ en, zh }) =>
    [en, zh].some((text) => text !== null && text.trim() !== ''),
  ),
  summary: part,
  texts: z.object({ why: part, check: part, apply: part, measure: part, avoid: part, rollback: part }).prefault({}),
  tags: listOf(slugShape),
  settings: listOf(nameShape),
  metrics: listOf(z.object({ key: nameShape, role: oneOf(['primary', 'secondary', 'guardrail', 'diagnostic']) })),
  layer: wordOf(layers),
  bottleneck: wordOf(bottlenecks),
  phases: listOf(oneOf(phases)),
  frameworks: listOf(slugShape),
  effort: wordOf(efforts.options),
  sources: listOf(z.object({ title: nameShape, url: address, checkedAt: date })),
});

/** What an audit says of an item of its own: texts in at least one language, null for what nobody said. */
export type CustomItem = z.output<typeof shape>;

/** A custom item from its JSON column, or from a file; throws where it is none. */
export function customItemOf(json: unknown): CustomItem {
  return shape.parse(json);
}

/** A custom item for its JSON column: what nobody said is left out. */
export function customItemJson({ title, summary, texts, layer, bottleneck, effort, ...lists }: CustomItem) {
  const said = (one: LocalizedText): Partial<LocalizedText> =>
    Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null));
  return {
    title: said(title),
    summary: said(summary),
    texts: Object.fromEntries(
      partNames.map((name) => [name, said(texts[name])] as const).filter(([, one]) => !isEmpty(one)),
    ),
    ...lists,
    ...(layer === null ? {} : { layer }),
    ...(bottleneck === null ? {} : { bottleneck }),
    ...(effort === null ? {} : { effort }),
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

type Texts = { readonly [name in 'title' | 'summary' | PartName]?: string | null | undefined };
/** A document that an item rests on; the day of today where nobody says when it was looked at. */
export interface GivenSource {
  readonly title: string;
  readonly url: string;
  readonly checkedAt?: Date | null | undefined;
}

/** What a person says of a custom item: absent is left alone, null clears. `metrics` are keys, the primary one first. */
export interface CustomItemPatch extends Texts {
  readonly tags?: readonly string[] | null | undefined;
  readonly settings?: readonly string[] | null | undefined;
  readonly metrics?: readonly string[] | null | undefined;
  readonly phases?: readonly string[] | null | undefined;
  readonly frameworks?: readonly string[] | null | undefined;
  readonly layer?: string | null | undefined;
  readonly bottleneck?: string | null | undefined;
  readonly effort?: string | null | undefined;
  readonly sources?: readonly GivenSource[] | null | undefined;
}

/** The names of the texts that a patch is about; they are in one language. */
export function textsIn(patch: CustomItemPatch): readonly ('title' | 'summary' | PartName)[] {
  return (['title', 'summary', ...partNames] as const).filter((name) => patch[name] !== undefined);
}

/** What an assessment of a custom item is about, by the names of `customDifferences`; all else orders the items. */
export const customContent: readonly string[] = ['title', 'summary', ...partNames, 'settings', 'metrics'];

/** What is known where a custom item is written. */
export interface Known {
  /** The metrics of the catalog by key, with their roles. */
  readonly metrics: ReadonlyMap<string, string>;
  /** YYYY-MM-DD */
  readonly today: string;
}

const nothing: CustomItem = {
  title: none,
  summary: none,
  texts: { why: none, check: none, apply: none, measure: none, avoid: none, rollback: none },
  tags: [],
  settings: [],
  metrics: [],
  layer: null,
  bottleneck: null,
  phases: [],
  frameworks: [],
  effort: null,
  sources: [],
};

/**
 * What a patch makes of a custom item, or of nothing; its texts are in `locale`, and the other language stays as it is.
 * INVALID_INPUT names the place and the value, and what could stand there.
 */
export function patchedCustomItem(
  current: CustomItem | null,
  patch: CustomItemPatch,
  locale: Locale,
  known: Known,
): CustomItem {
  const old = current ?? nothing;
  const language = locale === 'ZH' ? 'zh' : 'en';
  const textOf = (name: 'summary' | PartName, was: LocalizedText): LocalizedText =>
    patch[name] === undefined ? was : { ...was, [language]: optionalText(patch[name], name) };
  const list = <T>(given: readonly T[] | null | undefined, was: T[], read: (values: readonly T[]) => T[]): T[] =>
    given === undefined ? was : read(given ?? []);
  const { texts } = old;
  return {
    title: withTitle(old.title, patch.title, language),
    summary: textOf('summary', old.summary),
    texts: {
      why: textOf('why', texts.why),
      check: textOf('check', texts.check),
      apply: textOf('apply', texts.apply),
      measure: textOf('measure', texts.measure),
      avoid: textOf('avoid', texts.avoid),
      rollback: textOf('rollback', texts.rollback),
    },
    tags: list(patch.tags, old.tags, (values) => keys(values, 'tags')),
    settings: list(patch.settings, old.settings, (values) => textList(values, 'settings', LIST_LIMIT)),
    metrics: patch.metrics === undefined ? old.metrics : metricsOf(patch.metrics ?? [], known.metrics),
    layer: wordIn(patch.layer, old.layer, layers, 'layer'),
    bottleneck: wordIn(patch.bottleneck, old.bottleneck, bottlenecks, 'bottleneck'),
    phases: list(patch.phases, old.phases, (values) =>
      [...new Set(values)].map((value, index) => among(value, phases, `phases[${index}]`)),
    ),
    frameworks: list(patch.frameworks, old.frameworks, (values) => keys(values, 'frameworks')),
    effort: wordIn(patch.effort, old.effort, efforts.options, 'effort'),
    sources: patch.sources === undefined ? old.sources : sourcesOf(patch.sources ?? [], known.today),
  };
}

function withTitle(was: LocalizedText, given: string | null | undefined, language: 'en' | 'zh'): LocalizedText {
  if (given === undefined) return was;
  const title = { ...was, [language]: given === null ? null : requiredText(given, 'title') };
  if (title.en === null && title.zh === null) requiredText('', 'title');
  return title;
}

/** The second half of the key of a custom item: lower-case words joined by hyphens; INVALID_INPUT for another one. */
export function customKeyOf(topic: string): string {
  return `${CUSTOM_SECTION}/${slug(topic, 'topic')}`;
}

function slug(value: string, place: string): string {
  if (slugShape.safeParse(value).success) return value;
  throw invalidInput(
    {
      en: `${place} "${value}" must be lower-case words joined by hyphens, at most ${TEXT_LIMITS.tag} characters`,
      zh: `${place}“${value}”须为以连字符连接的小写单词，最多 ${TEXT_LIMITS.tag} 个字符`,
    },
    { place, value },
  );
}

function keys(values: readonly string[], place: string): string[] {
  return textList(values, place, LIST_LIMIT).map((value, index) => slug(value, `${place}[${index}]`));
}

function among(value: string, allowed: readonly string[], place: string): string {
  if (allowed.includes(value)) return value;
  throw invalidInput(
    {
      en: `${place} "${value}" is none of ${allowed.join(', ')}`,
      zh: `${place}“${value}”无效，可用的值：${allowed.join('、')}`,
    },
    { place, value, allowed },
  );
}

function wordIn(
  given: string | null | undefined,
  was: string | null,
  allowed: readonly string[],
  place: string,
): string | null {
  if (given === undefined) return was;
  return given === null ? null : among(given, allowed, place);
}

/** The first is the primary one; the others are what the catalog says that they are for. */
function metricsOf(given: readonly string[], catalog: ReadonlyMap<string, string>): CustomItem['metrics'] {
  return textList(given, 'metrics', LIST_LIMIT).map((key, index) => {
    const role = catalog.get(key);
    if (role === undefined) throw noMetric(key, `metrics[${index}]`, [...catalog.keys()]);
    if (index === 0) return { key, role: 'primary' };
    return { key, role: role === 'PRIMARY' ? 'secondary' : role.toLowerCase() };
  });
}

function noMetric(key: string, place: string, known: readonly string[]) {
  const nearest = nearestNames(key, known);
  const meant = {
    en: nearest.length === 0 ? '' : ` (did you mean ${nearest.join(', ')}?)`,
    zh: nearest.length === 0 ? '' : `（是否指 ${nearest.join('、')}？）`,
  };
  return invalidInput(
    {
      en: `${place}: the catalog has no metric "${key}"${meant.en}; the query metrics lists all`,
      zh: `${place}：目录中没有指标“${key}”${meant.zh}；查询 metrics 可列出全部`,
    },
    { place, value: key, nearest },
  );
}

function sourcesOf(given: readonly GivenSource[], today: string): CustomItem['sources'] {
  if (given.length > LIST_LIMIT) throw tooMany('sources', given.length);
  return given.map(({ title, url, checkedAt }, index) => ({
    title: requiredText(title, `sources[${index}].title`),
    url: webAddress(url, `sources[${index}].url`),
    checkedAt: dayOf(checkedAt ?? null, today, `sources[${index}].checkedAt`),
  }));
}

function tooMany(place: string, given: number) {
  return invalidInput(
    {
      en: `${place} has ${given} entries; at most ${LIST_LIMIT} are kept`,
      zh: `${place} 有 ${given} 项，最多 ${LIST_LIMIT} 项`,
    },
    { place, limit: LIST_LIMIT },
  );
}

function webAddress(url: string, place: string): string {
  if (address.safeParse(url).success) return url;
  throw invalidInput(
    {
      en: `${place} "${url}" must be a web address that begins with http:// or https://`,
      zh: `${place}“${url}”须为以 http:// 或 https:// 开头的网址`,
    },
    { place, value: url },
  );
}

function dayOf(given: Date | null, today: string, place: string): string {
  const day = given === null ? today : given.toISOString().slice(0, 10);
  if (date.safeParse(day).success) return day;
  throw invalidInput(
    { en: `${place} "${day}" must be a day from 1900 on`, zh: `${place}“${day}”须为 1900 年以后的日期` },
    { place, value: day },
  );
}

/** A field that two states of a custom item differ in, as the history names and keeps it. */
export interface CustomDifference {
  readonly field: `custom.${string}`;
  readonly before: unknown;
  readonly after: unknown;
}

/** What differs between two states of a custom item; null for what one of them does not say. */
export function customDifferences(before: CustomItem, after: CustomItem): CustomDifference[] {
  const [old, now] = [before, after].map(flat);
  return Object.keys({ ...old, ...now })
    .filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]))
    .map((name) => ({ field: `custom.${name}`, before: old?.[name] ?? null, after: now?.[name] ?? null }));
}

function flat(item: CustomItem): Record<string, unknown> {
  const { title, summary, texts, ...lists } = customItemJson(item);
  const fields = Object.entries({ title, summary, ...texts, ...lists });
  return Object.fromEntries(fields.filter(([, value]) => !isEmpty(value)));
}
