import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { itemFile } from '../content/schema.js';
import { customItemOf } from './custom-item.js';
import { missingOf, proposedItemText } from './proposed-item.js';

const whole = customItemOf({
  title: { en: 'Router replay: "top-k"', zh: '路由重放' },
  summary: { en: 'Replays the routing of the rollout.', zh: '重放 rollout 的路由结果。' },
  texts: {
    check: { en: '1. Count the tokens.\n2. Compare:\n\n   ```sh\n   ls # all\n   ```\n', zh: '数一下 token。' },
    why: { en: 'no', zh: '- 否\n- 是' },
  },
  tags: ['tensor-cores', 'rl'],
  settings: ['--router-replay', 'VLLM_X=1 # y'],
  metrics: [
    { key: 'training.throughput', role: 'primary' },
    { key: 'quality.loss', role: 'guardrail' },
  ],
  layer: 'algorithm',
  bottleneck: 'compute',
  phases: ['training', 'decode'],
  frameworks: ['vllm'],
  effort: 'M',
  sources: [{ title: 'Notes: routing', url: 'https://example.org/a?b=1#c', checkedAt: '2026-11-29' }],
});

describe('proposedItemText', () => {
  it('writes what is known in the order and the styles of the shipped files', () => {
    expect(proposedItemText(whole)).toBe(`title:
  en: 'Router replay: "top-k"'
  zh: 路由重放
summary:
  en: Replays the routing of the rollout.
  zh: 重放 rollout 的路由结果。
why:
  en: no
  zh: |
    - 否
    - 是
check:
  en: |
    1. Count the tokens.
    2. Compare:

       \`\`\`sh
       ls # all
       \`\`\`
  zh: 数一下 token。
layer: algorithm
bottleneck: compute
phases: [training, decode]
frameworks: [vllm]
tags: [tensor-cores, rl]
settings:
  - --router-replay
  - 'VLLM_X=1 # y'
metrics:
  - { key: training.throughput, role: primary }
  - { key: quality.loss, role: guardrail }
effort: M
sources:
  - title: 'Notes: routing'
    url: https://example.org/a?b=1#c
    checkedAt: 2026-11-29
`);
  });

  it('writes nothing for what nobody said', () => {
    expect(proposedItemText(customItemOf({ title: { zh: '只有标题' } }))).toBe('title:\n  zh: 只有标题\n');
  });

  it.each([
    ['colons and quotes', 'a: "b" \'c\''],
    ['what looks like another type', 'true'],
    ['a number', '0x1F'],
    ['a comment', 'a # b'],
    ['an anchor', '&a *b'],
    ['carriage returns', 'a\r\nb'],
    ['a control character', 'a\u0007b'],
    ['a line separator', 'a\u2028b\nc'],
    ['lines of blanks', 'a\n  \n b'],
    ['brackets at the end', '[ a ]'],
    ['a list in brackets within a block', 'x\n[ a ]\ny'],
    ['a document marker', '---\na\n...'],
    ['emoji', '🚀\n🚀'],
    ['a very long line', 'long '.repeat(200).trim()],
  ])('keeps %s', (_, text) => {
    const read = parse(proposedItemText(customItemOf({ title: { en: 'A' }, summary: { en: text, zh: text } })));
    expect(read.summary.en.trim()).toBe(text);
    expect(read.summary.zh.trim()).toBe(text);
  });
});

describe('missingOf', () => {
  it('names what the check of the content would ask for', () => {
    expect(missingOf(whole, new Set(['tensor-cores']))).toEqual([
      'order',
      'apply',
      'measure',
      'avoid',
      'rollback',
      'signals',
      'gain',
      'risk',
      'reversible',
      'relations',
      'reviewBy',
      'tags.yaml: rl',
    ]);
  });

  it('names the language that a text lacks, and every list that is empty', () => {
    const missing = missingOf(customItemOf({ title: { en: 'A' }, summary: { zh: '乙' } }), new Set());
    expect(missing).toEqual([
      'order',
      'title.zh',
      'summary.en',
      'why',
      'check',
      'apply',
      'measure',
      'avoid',
      'rollback',
      'layer',
      'bottleneck',
      'phases',
      'frameworks',
      'tags',
      'settings',
      'signals',
      'metrics',
      'gain',
      'effort',
      'risk',
      'reversible',
      'relations',
      'sources',
      'reviewBy',
    ]);
  });

  it('is what is left until the file is whole', () => {
    const rest = {
      order: 7,
      apply: { en: 'a', zh: '甲' },
      measure: { en: 'a', zh: '甲' },
      avoid: { en: 'a', zh: '甲' },
      rollback: { en: 'a', zh: '甲' },
      signals: [],
      gain: [],
      risk: { accuracy: 'LOW', stability: 'LOW', operations: 'NONE' },
      reversible: true,
      relations: {},
      reviewBy: '2027-02-28',
    };
    const file: object = parse(proposedItemText(whole), { schema: 'core' });
    expect(itemFile.safeParse({ ...file, ...rest }).error).toBeUndefined();
  });
});
