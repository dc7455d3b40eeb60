import type { ContentFile, ContentProblem, Path, Report } from './content-file.js';
import { reporter } from './content-file.js';
import type { Registry } from './registry.js';
import { capabilityFact } from '../applicability/facts.js';
import { plainWord } from '../applicability/fact-values.js';
import { isKnownFact, reportRepeated, reportUnknown, reportUnknownFact } from './registry.js';
import type {
  CapabilityEntry,
  EnvironmentKeyEntry,
  GlossaryEntry,
  HardwareFile,
  MetricEntry,
  TagEntry,
} from './schema.js';

/** The files that list keys; null where one is missing or does not have its shape. */
export interface Lists {
  readonly metrics: ContentFile<readonly MetricEntry[]> | null;
  readonly capabilities: ContentFile<readonly CapabilityEntry[]> | null;
  readonly tags: ContentFile<readonly TagEntry[]> | null;
  readonly glossary: ContentFile<readonly GlossaryEntry[]> | null;
  readonly environmentKeys: ContentFile<readonly EnvironmentKeyEntry[]> | null;
}

/** Reports what is wrong in the lists beside the checklists: keys twice, targets, what hardware profiles name. */
export function checkLists(
  lists: Lists,
  hardware: readonly ContentFile<HardwareFile>[],
  registry: Registry,
  problems: ContentProblem[],
): void {
  for (const content of [lists.metrics, lists.capabilities, lists.tags, lists.environmentKeys]) {
    if (!content) continue;
    const entries: readonly { readonly key: string }[] = content.data;
    const keys = entries.map((entry) => entry.key);
    reportRepeated(keys, (index) => [index, 'key'], reporter(content, problems));
  }
  if (lists.environmentKeys) checkValues(lists.environmentKeys.data, reporter(lists.environmentKeys, problems));
  if (lists.metrics) checkTargets(lists.metrics.data, reporter(lists.metrics, problems));
  if (lists.glossary) {
    const terms = lists.glossary.data.map((entry) => entry.en.toLowerCase());
    reportRepeated(terms, (index) => [index, 'en'], reporter(lists.glossary, problems));
  }
  const slugs = new Set<string>();
  for (const content of hardware) checkHardware(content.data, slugs, registry, reporter(content, problems));
}

function checkTargets(metrics: readonly MetricEntry[], report: Report): void {
  for (const [index, { direction, target }] of metrics.entries()) {
    if ((direction === 'TARGET') === (target !== undefined)) continue;
    report(
      [index],
      direction === 'TARGET'
        ? { en: 'a metric with direction TARGET needs its target', zh: '方向为 TARGET 的指标须给出 target' }
        : { en: 'a target needs the direction TARGET', zh: '给出 target 时方向须为 TARGET' },
    );
  }
}

/** A word that stands for two values of a key would be read as either. */
function checkValues(keys: readonly EnvironmentKeyEntry[], report: Report): void {
  for (const [index, { values = [], closed }] of keys.entries()) {
    const words = values.flatMap(({ value, also = [] }) => [value, ...also]).map(plainWord);
    reportRepeated(words, () => [index, 'values'], report);
    if (closed === undefined || values.length > 0) continue;
    report([index, 'closed'], { en: 'a closed key lists its values', zh: '封闭的键须列出其取值' });
  }
}

function checkHardware(file: HardwareFile, slugs: Set<string>, registry: Registry, report: Report): void {
  for (const [index, profile] of file.profiles.entries()) {
    const here = ['profiles', index];
    if (slugs.has(profile.slug)) {
      report([...here, 'slug'], { en: `"${profile.slug}" is taken`, zh: `“${profile.slug}”已被使用` });
    }
    slugs.add(profile.slug);
    for (const [place, capability] of profile.capabilities.entries()) {
      reportUnknown(registry.capabilities, capability, 'capabilities.yaml', [...here, 'capabilities', place], report);
    }
    reportRepeated(profile.capabilities, (place) => [...here, 'capabilities', place], report);
    const { vendor = file.vendor, architecture = profile.architecture } = profile.facts;
    if (vendor !== file.vendor || architecture !== profile.architecture) {
      report([...here, 'facts'], {
        en: 'vendor and architecture differ from those of the profile',
        zh: 'vendor 或 architecture 与配置本身不一致',
      });
    }
    checkFacts(profile, here, registry, report);
  }
}

function checkFacts(
  profile: HardwareFile['profiles'][number],
  here: Path,
  registry: Registry,
  report: Report,
): void {
  for (const [fact, value] of Object.entries(profile.facts)) {
    const path = [...here, 'facts', fact];
    if (!fact.startsWith(capabilityFact)) {
      if (registry.facts !== null && !isKnownFact(registry.facts, fact)) reportUnknownFact(fact, path, report);
      continue;
    }
    const capability = fact.slice(capabilityFact.length);
    reportUnknown(registry.capabilities, capability, 'capabilities.yaml', path, report);
    if (value === 'unknown' && !profile.capabilities.includes(capability)) continue;
    report(path, {
      en: `a profile leaves a capability open by "unknown", or lists it, not both`,
      zh: '配置中的能力要么列出，要么以 "unknown" 表示未定，二者只取其一',
    });
  }
}
