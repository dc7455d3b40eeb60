import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors.js';
import {
  customDifferences,
  customItemJson,
  customItemOf,
  customKeyOf,
  patchedCustomItem,
  textsIn,
  type CustomItem,
  type CustomItemPatch,
} from './custom-item.js';

const known = {
  metrics: new Map([
    ['training.throughput', 'PRIMARY'],
    ['training.step_time', 'PRIMARY'],
    ['quality.loss', 'GUARDRAIL'],
  ]),
  today: '2026-11-30',
};
const made = (patch: CustomItemPatch): CustomItem => patchedCustomItem(null, patch, 'EN', known);

function refusal(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}

describe('patchedCustomItem', () => {
  it('makes an item of a title alone, which says nothing else', () => {
    const item = made({ title: '  Router replay ' });
    expect(customItemJson(item)).toEqual({
      title: { en: 'Router replay' },
      summary: {},
      texts: {},
      tags: [],
      settings: [],
      metrics: [],
      phases: [],
      frameworks: [],
      sources: [],
    });
    expect(item).toMatchObject({ layer: null, bottleneck: null, effort: null, summary: { en: null, zh: null } });
  });

  it('keeps all that is said, in its language', () => {
    const item = patchedCustomItem(
      null,
      {
        title: '路由重放',
        summary: '摘要',
        why: '原因',
        rollback: ' \n',
        tags: ['moe', 'rl', 'moe'],
        settings: ['--router-replay'],
        metrics: ['training.step_time', 'training.throughput', 'quality.loss'],
        phases: ['training', 'training'],
        frameworks: ['megatron-core'],
        layer: 'algorithm',
        bottleneck: 'compute',
        effort: 'XL',
        sources: [
          { title: 'A', url: 'https://example.org/a' },
          { title: 'B', url: 'http://example.org/b', checkedAt: new Date('2026-01-02T23:59:59Z') },
        ],
      },
      'ZH',
      known,
    );
    expect(customItemJson(item)).toEqual({
      title: { zh: '路由重放' },
      summary: { zh: '摘要' },
      texts: { why: { zh: '原因' } },
      tags: ['moe', 'rl'],
      settings: ['--router-replay'],
      metrics: [
        { key: 'training.step_time', role: 'primary' },
        { key: 'training.throughput', role: 'secondary' },
        { key: 'quality.loss', role: 'guardrail' },
      ],
      phases: ['training'],
      frameworks: ['megatron-core'],
      layer: 'algorithm',
      bottleneck: 'compute',
      effort: 'XL',
      sources: [
        { title: 'A', url: 'https://example.org/a', checkedAt: '2026-11-30' },
        { title: 'B', url: 'http://example.org/b', checkedAt: '2026-01-02' },
      ],
    });
    expect(customItemOf(JSON.parse(JSON.stringify(customItemJson(item))))).toEqual(item);
  });

  it('leaves alone what is absent, clears by null, and does not touch the other language', () => {
    const first = made({ title: 'A', why: 'Because', tags: ['moe'], effort: 'S', layer: 'io' });
    const second = patchedCustomItem(first, { title: '甲', why: null, effort: null, tags: null }, 'ZH', known);
    expect(second).toMatchObject({
      title: { en: 'A', zh: '甲' },
      texts: { why: { en: 'Because', zh: null } },
      tags: [],
      effort: null,
      layer: 'io',
    });
    expect(patchedCustomItem(second, { title: null }, 'EN', known).title).toEqual({ en: null, zh: '甲' });
  });

  it.each<[string, CustomItemPatch, string, string]>([
    ['no title', { title: ' ' }, 'title is empty', 'title 为空'],
    ['a title that is taken away', { title: null }, 'title is empty', 'title 为空'],
    [
      'a long title',
      { title: 'x'.repeat(201) },
      'title has 201 characters; at most 200 are kept',
      'title 有 201 个字符，最多 200 个',
    ],
    [
      'a tag that is no slug',
      { title: 'A', tags: ['moe', 'Big Model'] },
      'tags[1] "Big Model" must be lower-case words joined by hyphens, at most 64 characters',
      'tags[1]“Big Model”须为以连字符连接的小写单词，最多 64 个字符',
    ],
    [
      'an unknown effort',
      { title: 'A', effort: 'XXL' },
      'effort "XXL" is none of XS, S, M, L, XL',
      'effort“XXL”无效，可用的值：XS、S、M、L、XL',
    ],
    [
      'an unknown phase',
      { title: 'A', phases: ['inference'] },
      'phases[0] "inference" is none of training, prefill, decode, data, all',
      'phases[0]“inference”无效，可用的值：training、prefill、decode、data、all',
    ],
    [
      'a metric that the catalog lacks',
      { title: 'A', metrics: ['training.thruput'] },
      'metrics[0]: the catalog has no metric "training.thruput" (did you mean training.throughput?); the query metrics lists all',
      'metrics[0]：目录中没有指标“training.thruput”（是否指 training.throughput？）；查询 metrics 可列出全部',
    ],
    [
      'a source that is no web address',
      { title: 'A', sources: [{ title: 'B', url: 'javascript:alert(1)' }] },
      'sources[0].url "javascript:alert(1)" must be a web address that begins with http:// or https://',
      'sources[0].url“javascript:alert(1)”须为以 http:// 或 https:// 开头的网址',
    ],
    [
      'a source without a title',
      { title: 'A', sources: [{ title: '', url: 'https://example.org' }] },
      'sources[0].title is empty',
      'sources[0].title 为空',
    ],
    [
      'too many settings',
      { title: 'A', settings: Array.from({ length: 51 }, (_, index) => `s${index}`) },
      'settings has 51 entries; at most 50 are kept',
      'settings 有 51 项，最多 50 项',
    ],
    [
      'too many sources',
      { title: 'A', sources: Array.from({ length: 51 }, () => ({ title: 'B', url: 'https://example.org' })) },
      'sources has 51 entries; at most 50 are kept',
      'sources 有 51 项，最多 50 项',
    ],
  ])('refuses %s', (_, patch, en, zh) => {
    const error = refusal(() => made(patch));
    expect(error).toMatchObject({ code: 'INVALID_INPUT', text: { en, zh } });
  });

  it('takes long web addresses', () => {
    const url = `https://example.org/${'a'.repeat(500)}`;
    expect(made({ title: 'A', sources: [{ title: 'B', url }] }).sources[0]?.url).toBe(url);
  });
});

describe('customItemOf', () => {
  it.each<[string, object]>([
    ['without a title', { title: {} }],
    ['with a blank title', { title: { en: ' ' } }],
    ['with a title that is too long', { title: { en: 'x'.repeat(201) } }],
    ['with a text that is too long', { texts: { why: { zh: '长'.repeat(100_001) } } }],
    ['with a script for a source', { sources: [{ title: 'B', url: 'javascript:alert(1)', checkedAt: '2026-11-30' }] }],
    ['with a day that is none', { sources: [{ title: 'B', url: 'https://example.org', checkedAt: '2026-02-30' }] }],
    ['of an unknown effort', { effort: 'XXL' }],
    ['of an unknown layer', { layer: 'cloud' }],
    ['of an unknown phase', { phases: ['inference'] }],
    ['with a tag that is no slug', { tags: ['Big Model'] }],
    ['with a metric for nothing', { metrics: [{ key: 'a.b', role: 'any' }] }],
    ['with too much', { settings: Array.from({ length: 51 }, (_, index) => `s${index}`) }],
    ['with a number for a text', { summary: { en: 1 } }],
  ])('refuses an item %s, wherever it is from', (_, more) => {
    expect(() => customItemOf({ title: { en: 'A' }, ...more })).toThrow();
  });

  it('takes whatever a person can write', () => {
    const item = made({
      title: 'x'.repeat(200),
      why: 'x'.repeat(100_000),
      tags: ['a'.repeat(64)],
      settings: ['x'.repeat(200)],
      sources: [{ title: 'B', url: `https://example.org/${'a'.repeat(1_900)}` }],
    });
    expect(customItemOf(customItemJson(item))).toEqual(item);
  });
});

describe('customKeyOf', () => {
  it('puts the topic behind custom', () => {
    expect(customKeyOf('router-replay-2')).toBe('custom/router-replay-2');
  });

  it.each(['', 'Router', 'a_b', 'a--b', '-a', 'a/b', '路由', 'a'.repeat(65)])('refuses "%s"', (topic) => {
    expect(refusal(() => customKeyOf(topic)).code).toBe('INVALID_INPUT');
  });
});

describe('textsIn', () => {
  it('names the texts that a patch is about, cleared ones included', () => {
    expect(textsIn({ title: 'A', why: null, tags: [] })).toEqual(['title', 'why']);
    expect(textsIn({ effort: 'S' })).toEqual([]);
  });
});

describe('customDifferences', () => {
  it('names each field with what it was and is', () => {
    const before = made({ title: 'A', why: 'Because', tags: ['moe'], effort: 'S' });
    const after = patchedCustomItem(
      before,
      { title: '甲', why: null, check: '看', tags: ['rl'], effort: null, layer: 'io' },
      'ZH',
      known,
    );
    const next = patchedCustomItem(after, { why: null }, 'EN', known);
    expect(customDifferences(before, next)).toEqual([
      { field: 'custom.title', before: { en: 'A' }, after: { en: 'A', zh: '甲' } },
      { field: 'custom.why', before: { en: 'Because' }, after: null },
      { field: 'custom.tags', before: ['moe'], after: ['rl'] },
      { field: 'custom.effort', before: 'S', after: null },
      { field: 'custom.check', before: null, after: { zh: '看' } },
      { field: 'custom.layer', before: null, after: 'io' },
    ]);
  });

  it('finds none between equal items, whatever the order of their JSON', () => {
    const item = made({ title: 'A', sources: [{ title: 'B', url: 'https://example.org' }] });
    const other = customItemOf({
      sources: [{ checkedAt: '2026-11-30', url: 'https://example.org', title: 'B' }],
      title: { zh: null, en: 'A' },
    });
    expect(customDifferences(item, other)).toEqual([]);
  });
});
