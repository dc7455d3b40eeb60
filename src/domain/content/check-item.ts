import type { Path, Report } from './content-file.js';
import { checkPredicate, isKnownFact, reportRepeated, reportUnknown, reportUnknownFact } from './registry.js';
import type { Registry } from './registry.js';
import type { ItemFile } from './schema.js';

/** Reports everything about one item that its shape cannot say. `key` is checklist:section/topic. */
export function checkItem(item: ItemFile, key: string, registry: Registry, report: Report): void {
  checkLists(item, registry, report);
  checkMetrics(item, registry, report);
  checkGain(item, registry, report);
  checkRelations(item, key, registry, report);
  if (item.applicability) checkPredicate(item.applicability, ['applicability'], registry, report);
  for (const [index, fact] of (item.recheckOn ?? []).entries()) {
    if (registry.facts !== null && !isKnownFact(registry.facts, fact)) reportUnknownFact(fact, ['recheckOn', index], report);
  }
  reportRepeated(item.recheckOn ?? [], (index) => ['recheckOn', index], report);
  for (const [index, source] of item.sources.entries()) {
    if (source.checkedAt <= item.reviewBy) continue;
    report(['sources', index, 'checkedAt'], {
      en: `checked on ${source.checkedAt}, after the item is due for review (${item.reviewBy})`,
      zh: `核对日期 ${source.checkedAt} 晚于条目的复审日期 ${item.reviewBy}`,
    });
  }
}

function checkLists(item: ItemFile, registry: Registry, report: Report): void {
  for (const [index, tag] of item.tags.entries()) {
    reportUnknown(registry.tags, tag, 'tags.yaml', ['tags', index], report);
  }
  for (const field of ['settings', 'tags', 'phases', 'frameworks'] as const) {
    reportRepeated(item[field], (index) => [field, index], report);
  }
}

function checkMetrics(item: ItemFile, registry: Registry, report: Report): void {
  const keys = item.metrics.map((metric) => metric.key);
  for (const [index, key] of keys.entries()) {
    reportUnknown(registry.metrics, key, 'metrics.yaml', ['metrics', index, 'key'], report);
  }
  reportRepeated(keys, (index) => ['metrics', index, 'key'], report);
  const primary = item.metrics.filter((metric) => metric.role === 'primary').length;
  if (primary !== 1) {
    report(['metrics'], {
      en: `exactly one metric is primary, here ${primary}`,
      zh: `主指标必须恰好有一个，这里有 ${primary} 个`,
    });
  }
  const risky = item.risk.accuracy === 'MEDIUM' || item.risk.accuracy === 'HIGH';
  if (risky && !item.metrics.some((metric) => metric.role === 'guardrail')) {
    report(['metrics'], {
      en: `a guardrail metric is missing: the risk to accuracy is ${item.risk.accuracy}`,
      zh: `缺少护栏指标：精度风险为 ${item.risk.accuracy}`,
    });
  }
}

function checkGain(item: ItemFile, registry: Registry, report: Report): void {
  for (const [index, gain] of item.gain.entries()) {
    const here: Path = ['gain', index];
    reportUnknown(registry.metrics, gain.metric, 'metrics.yaml', [...here, 'metric'], report);
    if (gain.note !== undefined) reportUnknown(registry.notes, gain.note, 'notes/', [...here, 'note'], report);
    if (gain.basis === 'OWN_MEASUREMENT' && gain.note === undefined) {
      report(here, { en: 'an own measurement names its reference note', zh: '自测的收益须指明参考笔记' });
    }
    if ((gain.basis === 'VENDOR_DOC' || gain.basis === 'PUBLIC_BENCHMARK') && gain.source === undefined) {
      report(here, { en: `a gain by ${gain.basis} needs its source`, zh: `依据为 ${gain.basis} 的收益须给出来源` });
    }
    if (gain.ratio.from > gain.ratio.to) {
      report([...here, 'ratio'], { en: 'the ratio runs from the smaller to the larger', zh: '比值应从小到大书写' });
    }
  }
}

/** A related item as checklist:section/topic, as the item `of` this key names it. */
export function relatedKey(name: string, of: string): string {
  return name.includes(':') ? name : `${of.slice(0, of.indexOf(':'))}:${name}`;
}

function checkRelations(item: ItemFile, key: string, registry: Registry, report: Report): void {
  const { because = {}, ...byKind } = item.relations;
  for (const [kind, related] of Object.entries(byKind)) {
    for (const [index, name] of (related ?? []).entries()) {
      const full = relatedKey(name, key);
      const here: Path = ['relations', kind, index];
      if (full === key) report(here, { en: 'an item is not related to itself', zh: '条目不能与自身关联' });
      else if (!registry.items.has(full)) report(here, { en: `there is no item "${name}"`, zh: `不存在条目“${name}”` });
      else if (registry.drafts.has(full) && !registry.drafts.has(key)) {
        report(here, { en: `"${name}" is a draft, and this item is not`, zh: `“${name}”是草稿，本条目不是` });
      }
    }
    reportRepeated(related ?? [], (index) => ['relations', kind, index], report);
  }
  const reasoned = new Set(reasonedRelations.flatMap((kind) => byKind[kind] ?? []));
  for (const name of reasoned) {
    if (name in because) continue;
    report(['relations', 'because'], { en: `the reason for "${name}" is missing`, zh: `缺少与“${name}”关联的理由` });
  }
  const all = new Set(Object.values(byKind).flatMap((related) => related ?? []));
  for (const name of Object.keys(because)) {
    if (all.has(name)) continue;
    report(['relations', 'because', name], { en: 'the item is not related to it', zh: '条目与它没有关联' });
  }
}

/** Kinds of relations that warn somebody, who must learn why. */
const reasonedRelations = ['requires', 'conflictsWith', 'supersedes'] as const;
