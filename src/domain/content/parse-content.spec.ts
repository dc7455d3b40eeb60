import { describe, expect, it } from '@jest/globals';
import { contentFixture } from '../../../test/support/content-fixture.js';
import type { ContentProblem } from './content-file.js';
import { parseContent } from './parse-content.js';

/** The valid content, with the files of a broken fixture in place of its own. */
function problemsOf(fixture: string, without: readonly string[] = []): readonly ContentProblem[] {
  const files = new Map([...contentFixture('valid'), ...(fixture === 'valid' ? [] : contentFixture(fixture))]);
  for (const file of without) files.delete(file);
  const parsed = parseContent(files);
  return 'problems' in parsed ? parsed.problems : [];
}

function linesOf(problems: readonly ContentProblem[]): readonly string[] {
  return problems.map(({ file, path, line, message }) => `${file}:${line ?? '-'} ${path} ${message.en}`);
}

describe('parseContent, valid content', () => {
  const parsed = parseContent(contentFixture('valid'));
  const catalog = 'catalog' in parsed ? parsed.catalog : null;

  it('finds nothing wrong', () => {
    expect('problems' in parsed ? linesOf(parsed.problems) : []).toEqual([]);
  });

  it('orders items by their place, and counts positions through the checklist', () => {
    const sections = catalog?.checklists[0]?.sections.map(({ key, order, items }) => [
      key,
      order,
      items.map((item) => [item.key, item.order, item.position]),
    ]);
    expect(sections).toEqual([
      ['oven', 1, [['oven/preheated-stone', 1, 1], ['oven/steam', 2, 2]]],
      ['dough', 2, [['dough/long-rest', 1, 3]]],
    ]);
  });

  it('keeps the lists, with defaults filled in', () => {
    expect(catalog?.metrics.map(({ key, exact }) => [key, exact])).toEqual([
      ['baking.time', false],
      ['quality.crust', false],
      ['oven.load', false],
    ]);
    expect(catalog?.hardware[0]?.profiles[0]?.facts).toEqual({
      vendor: 'acme',
      architecture: 'convection',
      'capability.steam-jet': 'unknown',
    });
  });

  it('keeps the reasons of relations, the values of keys, and what tools print for hardware', () => {
    expect(catalog?.checklists[0]?.sections[0]?.items[0]?.relations).toEqual({
      requires: ['dough/long-rest'],
      because: { 'dough/long-rest': { en: 'A hot stone needs a dough that has rested.', zh: '热石板需要静置充分的面团。' } },
    });
    expect(catalog?.environmentKeys.map(({ key, values, closed }) => [key, values?.length ?? 0, closed ?? false])).toEqual([
      ['vendor', 0, false],
      ['architecture', 0, false],
      ['firmware', 0, false],
      ['env.*', 0, false],
      ['heat.kind', 3, true],
      ['oven.image', 0, false],
    ]);
    expect(catalog?.hardware[0]?.profiles.map(({ slug, generic, printed }) => [slug, generic, printed])).toEqual([
      ['oven-one', undefined, ['Oven One', 'OVEN-1 *']],
      ['convection', true, undefined],
    ]);
  });

  it('gives every item its digests', () => {
    const item = catalog?.checklists[0]?.sections[0]?.items[0];
    expect(item?.checkDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(item?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(item?.textDigests.title.zhFrom).toBeNull();
  });

  it('passes over JSON Schemas', () => {
    const files = contentFixture('valid').set('schema/item.schema.json', '{}');
    expect('catalog' in parseContent(files)).toBe(true);
  });
});

const stone = 'checklists/bread/oven/preheated-stone.yaml';
const steam = 'checklists/bread/oven/steam.yaml';

describe('parseContent, broken content', () => {
  it.each<[string, readonly string[]]>([
    ['checked-after-review', [`${stone}:51 sources.0.checkedAt checked on 2027-01-16, after the item is due for review (2027-01-15)`]],
    ['checklist-without-checklist-file', ['checklists/cake/oven/low-heat.yaml:-  its checklist has no checklist.yaml']],
    ['code-not-closed', [`${stone}:19 apply.en a code block is not closed`, `${stone}:24 apply.zh a backtick has no partner: “设置 \`heat=250”`]],
    ['file-of-no-kind', ['Hardware.yaml:-  no kind of content lies here', 'checklists/bread/notes.md:-  no kind of content lies here']],
    ['gain-without-source', [`${stone}:46 gain.0 a gain by VENDOR_DOC needs its source`, `${stone}:48 gain.0.ratio the ratio runs from the smaller to the larger`]],
    ['keys-that-nobody-knows', [`${stone}:34 tags.1 "cold" is not in tags.yaml`, `${stone}:35 settings.1 "heat" stands here twice`, `${stone}:38 applicability.all.0.capability "microwave" is not in capabilities.yaml`, `${stone}:39 applicability.all.1.not.firmware.version "2.1 or newer" is not a version range`, `${stone}:40 applicability.all.2.any.0.color "color" is not in environment-keys.yaml`, `${stone}:44 metrics.1.key "baking.noise" is not in metrics.yaml`, `${stone}:46 gain.0 an own measurement names its reference note`, `${stone}:47 gain.0.metric "baking.smell" is not in metrics.yaml`]],
    ['keys-twice', ['capabilities.yaml:7 2.key "hot-air" stands here twice', 'environment-keys.yaml:13 4.key "firmware" stands here twice', 'glossary.yaml:2 1.en "steam" stands here twice', 'hardware/other.yaml:3 profiles.0.slug "oven-one" is taken', 'metrics.yaml:23 3.key "baking.time" stands here twice', 'metrics.yaml:23 3 a target needs the direction TARGET', 'metrics.yaml:31 4 a metric with direction TARGET needs its target', 'tags.yaml:5 2.key "heat" stands here twice']],
    ['languages-mixed-up', [`${stone}:2 title.en Chinese in the English text: “Hot 石板”`, `${stone}:2 title.zh the Chinese text is not Chinese`, `${stone}:6 why.zh half-width punctuation after a Chinese character: “%，见 \`…\` 的说明,约 2倍。”`, `${stone}:6 why.zh a space is missing between Chinese and Latin letters or digits: “\`…\` 的说明,约 2倍。”`, `${stone}:20 apply.zh half-width punctuation after a Chinese character: “,等待 10 分钟,保持 250 °”`]],
    ['no-primary-and-no-guardrail', [`${stone}:43 metrics exactly one metric is primary, here 0`, `${stone}:43 metrics a guardrail metric is missing: the risk to accuracy is HIGH`]],
    ['not-yaml', ['tags.yaml:3  not YAML: Map keys must be unique', 'tags.yaml:5  not YAML: Missing closing "quote']],
    ['order-taken', ['checklists/bread/checklist.yaml:5 sections.0.key the orders of its items must be 1 to 2, they are 1, 1']],
    ['order-with-gap', ['checklists/bread/checklist.yaml:5 sections.0.key the orders of its items must be 1 to 2, they are 1, 3']],
    ['profile-that-contradicts-itself', ['hardware/acme.yaml:6 profiles.0.capabilities.2 "microwave" is not in capabilities.yaml', 'hardware/acme.yaml:6 profiles.0.capabilities.1 "hot-air" stands here twice', 'hardware/acme.yaml:8 profiles.0.facts vendor and architecture differ from those of the profile', 'hardware/acme.yaml:9 profiles.0.facts.color "color" is not in environment-keys.yaml', 'hardware/acme.yaml:10 profiles.0.facts.capability.hot-air a profile leaves a capability open by "unknown", or lists it, not both', 'hardware/acme.yaml:11 profiles.0.facts.capability.steam-jet a profile leaves a capability open by "unknown", or lists it, not both', 'hardware/acme.yaml:12 profiles.0.facts.capability.grill "grill" is not in capabilities.yaml']],
    ['profile-of-wrong-shape', ['hardware/acme.yaml:6 profiles.0.printed.1 Too small: expected string to have >=1 characters', 'hardware/acme.yaml:17 profiles.1.generic Invalid input: expected true']],
    ['relations-to-nowhere', [`${stone}:50 relations.requires.0 there is no item "dough/cold-rest"`, `${stone}:50 relations.requires.2 "dough/long-rest" stands here twice`, `${stone}:51 relations.seeAlso.0 an item is not related to itself`, `${stone}:51 relations.seeAlso.1 there is no item "cake:oven/steam"`]],
    ['relations-without-reason', [`${stone}:55 relations.because the reason for "dough/long-rest" is missing`, `${stone}:55 relations.because the reason for "oven/steam" is missing`, `${stone}:56 relations.because.dough/short-rest the item is not related to it`]],
    ['section-kept-for-audits', ['checklists/bread/checklist.yaml:11 sections.2.key "custom" is kept for the items that an audit adds of its own; give the section another key', 'checklists/bread/checklist.yaml:11 sections.2.key section "custom" has no items']],
    ['section-without-items', ['checklists/bread/checklist.yaml:8 sections.1.key section "toppings" has no items', 'checklists/bread/dough/long-rest.yaml:-  checklist.yaml has no section "dough"']],
    ['two-primaries', [`${stone}:43 metrics exactly one metric is primary, here 2`]],
    ['values-in-doubt', ['environment-keys.yaml:17 4.values "town-gas" stands here twice', 'environment-keys.yaml:17 4.values "gas" stands here twice', 'environment-keys.yaml:20 5.closed a closed key lists its values']],
    ['values-that-nobody-has', [`${stone}:38 applicability.all.0.heat.kind "coal" is no value of heat.kind`, `${stone}:39 applicability.all.1.not.heat.kind "Gas" is no value of heat.kind`, `${stone}:39 applicability.all.1.not.heat.kind "power" is no value of heat.kind`, `${stone}:40 applicability.all.2.any.0.heat.kind "peat" is no value of heat.kind`, `${stone}:41 applicability.all.3.oven.image.version "newest" is not a version range`]],
    ['wrong-shape', [`${steam}:1 order Too small: expected number to be >=1`, `${steam}:39 applicability.any.1.firmware Unrecognized key: "newer"`, `${steam}:39 applicability.any.1.firmware atLeast or atMost`, `${steam}:46 risk.accuracy Invalid option: expected one of "NONE"|"LOW"|"MEDIUM"|"HIGH"`]],
  ])('reports %s', (fixture, expected) => {
    expect(linesOf(problemsOf(fixture))).toEqual(expected);
  });

  it('says each problem in both languages', () => {
    expect(problemsOf('gain-without-source').map((problem) => problem.message.zh)).toEqual([
      '依据为 VENDOR_DOC 的收益须给出来源',
      '比值应从小到大书写',
    ]);
    expect(problemsOf('wrong-shape')[3]?.message.zh).toBe('无效选项：期望以下之一 "NONE"|"LOW"|"MEDIUM"|"HIGH"');
    expect(problemsOf('relations-without-reason').map((problem) => problem.message.zh)).toEqual([
      '缺少与“dough/long-rest”关联的理由',
      '缺少与“oven/steam”关联的理由',
      '条目与它没有关联',
    ]);
    expect(problemsOf('values-in-doubt')[2]?.message.zh).toBe('封闭的键须列出其取值');
    expect(problemsOf('values-that-nobody-has')[0]?.message.zh).toBe('“coal”不是 heat.kind 的取值');
  });

  it('says nothing of values where the keys are not known', () => {
    expect(linesOf(problemsOf('values-that-nobody-has', ['environment-keys.yaml']))).toEqual([
      `${stone}:41 applicability.all.3.oven.image.version "newest" is not a version range`,
      'environment-keys.yaml:-  the file is missing',
    ]);
  });

  it('reports a list that is missing once, and not every key that it would have had', () => {
    const missing = ['metrics.yaml', 'tags.yaml', 'capabilities.yaml', 'environment-keys.yaml', 'glossary.yaml'];
    expect(linesOf(problemsOf('valid', missing))).toEqual(
      [...missing].sort().map((file) => `${file}:-  the file is missing`),
    );
  });

  it('reports the problems of all files at once, by file and line', () => {
    const files = new Map(['valid', 'keys-twice', 'order-taken', 'wrong-shape'].flatMap((name) => [...contentFixture(name)]));
    const parsed = parseContent(files);
    const problems = 'problems' in parsed ? parsed.problems : [];
    expect(new Set(problems.map((problem) => problem.file)).size).toBe(7);
  });
});

describe('parseContent, a section that is a draft', () => {
  const withDraft = (section: string) => {
    const file = 'checklists/bread/checklist.yaml';
    const files = contentFixture('valid');
    const text = files.get(file) ?? '';
    return parseContent(files.set(file, text.replace(`- key: ${section}\n`, `- key: ${section}\n    draft: true\n`)));
  };

  it('is checked and not published', () => {
    const parsed = withDraft('oven');
    const sections = 'catalog' in parsed ? parsed.catalog.checklists[0]?.sections : undefined;
    expect(sections?.map(({ key, order, items }) => [key, order, items.map(({ position }) => position)])).toBeUndefined();
    expect('problems' in parsed ? linesOf(parsed.problems) : []).toEqual([
      'checklists/bread/dough/long-rest.yaml:44 relations.seeAlso.0 "bread:oven/steam" is a draft, and this item is not',
    ]);
  });

  it('may relate to what is published', () => {
    const parsed = withDraft('dough');
    expect('problems' in parsed ? linesOf(parsed.problems) : []).toEqual([
      'checklists/bread/oven/preheated-stone.yaml:49 relations.requires.0 "dough/long-rest" is a draft, and this item is not',
    ]);
  });

  it('leaves the order of the others without a gap', () => {
    const files = contentFixture('valid');
    for (const [file, text] of files) files.set(file, text.replace(/relations: .*/, 'relations: {}'));
    const checklist = 'checklists/bread/checklist.yaml';
    files.set(checklist, (files.get(checklist) ?? '').replace('- key: oven\n', '- key: oven\n    draft: true\n'));
    const parsed = parseContent(files);
    const sections = 'catalog' in parsed ? parsed.catalog.checklists[0]?.sections : undefined;
    expect(sections?.map(({ key, order, items }) => [key, order, items.map(({ position }) => position)])).toEqual([
      ['dough', 1, [1]],
    ]);
  });
});
