import { describe, expect, it } from '@jest/globals';
import { glossaryIndex, termId, type Reading } from './glossary-index.js';
import { scan } from './scan.js';

const index = glossaryIndex([
  { en: 'graphics processing unit', zh: '图形处理器', synonymsEn: ['GPU'], synonymsZh: ['显卡'] },
  { en: 'device memory', zh: '显存', synonymsEn: ['GPU memory', 'DRAM (GPU)'], synonymsZh: ['设备内存'] },
  { en: 'host memory', zh: '主机内存', synonymsEn: ['RAM'], synonymsZh: ['内存'] },
  { en: 'shared memory', zh: '共享内存' },
  { en: 'memory bandwidth', zh: '内存带宽', synonymsZh: ['显存带宽'] },
  { en: 'pinned memory', zh: '锁页内存', synonymsEn: ['page-locked memory'] },
  { en: 'kernel (GPU)', zh: '核函数', synonymsZh: ['内核'] },
  { en: 'kernel (OS)', zh: '操作系统内核', synonymsZh: ['内核'] },
  { en: 'kernel launch', zh: '核函数启动', synonymsEn: ['launch'] },
  { en: 'thread block', zh: '线程块', synonymsEn: ['block', 'CTA'] },
  { en: 'CPU frequency governor', zh: 'CPU 调频策略', synonymsEn: ['performance'] },
  { en: 'Tensor Core', zh: '张量核心', synonymsEn: ['TC'] },
  { en: 'key-value cache', zh: 'KV 缓存', synonymsEn: ['KV cache'] },
  { en: 'overflow / underflow', zh: '上溢 / 下溢' },
  { en: 'quantization', zh: '量化' },
  { en: 'weight-only quantization', zh: '仅权重量化', synonymsEn: ['W4A16'] },
  { en: 'KV cache quantization', zh: 'KV 缓存量化' },
  { en: 'dequantization', zh: '反量化' },
  { en: 'checkpoint', zh: '检查点' },
  { en: 'activation checkpointing', zh: '激活检查点', synonymsZh: ['激活重算'] },
  { en: 'selective activation checkpointing', zh: '选择性激活检查点' },
  { en: 'throttling', zh: '降频' },
  { en: 'rounding', zh: '舍入' },
  { en: 'striping', zh: '条带化' },
  { en: 'Slurm scheduler', zh: '调度器', synonymsZh: ['核'] },
]);

function terms(text: string, reading: Reading = 'DOCUMENT'): readonly string[] {
  return index.matches(scan(text), reading).map(({ term }) => term.replace('term:', ''));
}

describe('glossaryIndex', () => {
  it.each([
    ['The GPU memories are full', ['graphics-processing-unit', 'device-memory']],
    ['提高显存利用率', ['device-memory']],
    ['page-locked\nmemory', ['pinned-memory']],
    ['Page locked **memory**', ['pinned-memory']],
    ['two kernels', ['kernel-gpu']],
    ['the KV caches', ['key-value-cache']],
    ['KV缓存命中', ['key-value-cache']],
    ['an underflow', ['overflow-underflow']],
    ['OS kernel', ['kernel-os']],
    ['it is a gpumemory', []],
    ['GPU. Memory', ['graphics-processing-unit']],
    ['GPU，内存', ['graphics-processing-unit', 'host-memory']],
  ])('finds the terms of "%s"', (text, expected) => {
    expect([...terms(text)].sort()).toEqual([...expected].sort());
  });

  it('finds terms that overlap', () => {
    expect(terms('GPU memory bandwidth')).toEqual(['graphics-processing-unit', 'device-memory', 'memory-bandwidth']);
  });

  it('finds a name within a longer one where it leads, not where it follows', () => {
    expect(terms('显存带宽')).toEqual(['device-memory', 'memory-bandwidth']);
    expect(terms('共享内存')).toEqual(['shared-memory']);
  });

  it.each([
    ['仅权重量化', ['weight-only-quantization', 'quantization']],
    ['weight-only quantization', ['weight-only-quantization', 'quantization']],
    ['KV 缓存量化', ['key-value-cache', 'kv-cache-quantization', 'quantization']],
    ['激活检查点', ['activation-checkpointing', 'checkpoint']],
    ['Activation checkpointing', ['activation-checkpointing', 'checkpoint']],
    ['选择性激活检查点', ['selective-activation-checkpointing', 'activation-checkpointing', 'checkpoint']],
  ])('finds within "%s" the wider term that both languages name', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('takes for a wider term neither what one language names alone nor what a name does not show', () => {
    expect(terms('反量化')).toEqual(['dequantization']);
    expect(terms('W4A16')).toEqual(['weight-only-quantization']);
    expect(terms('激活重算')).toEqual(['activation-checkpointing']);
  });

  it('tells what is nested', () => {
    const nested = (text: string) => index.matches(scan(text), 'DOCUMENT').map(({ isNested }) => isNested);
    expect(nested('仅权重量化')).toEqual([false, true]);
    expect(nested('仅权重的量化')).toEqual([false]);
    expect(nested('显存带宽')).toEqual([false, false]);
  });

  it.each([
    ['Checkpointing stalls', ['checkpoint']],
    ['it throttles', ['throttling']],
    ['quantized weights', ['quantization']],
    ['quantisation', ['quantization']],
    ['a round of strips, a stage', []],
    ['quantity, checkpointer', []],
  ])('finds other forms of the word in "%s"', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('gives a name that two terms claim to the first', () => {
    expect(terms('内核')).toEqual(['kernel-gpu']);
  });

  it('reads short capitals as they are written in a document, and either way in a query', () => {
    expect(terms('TC and TCs')).toEqual(['tensor-core', 'tensor-core']);
    expect(terms('shaped with tc, a ram')).toEqual([]);
    expect(terms('tc', 'QUERY')).toEqual(['tensor-core']);
    expect(index.matches(scan('tc'), 'QUERY')[0]?.isSure).toBe(false);
  });

  it('takes everyday words for terms in a query only', () => {
    expect(terms('the launch of a performance block')).toEqual([]);
    expect(terms('launch block', 'QUERY')).toEqual(['kernel-launch', 'thread-block']);
  });

  it('does not take a single character for a term in a document', () => {
    expect(terms('核')).toEqual([]);
  });

  it('gives places in the folded text', () => {
    expect(index.matches(scan('the ＧＰＵ memory'), 'DOCUMENT').at(-1)).toEqual({
      term: 'term:device-memory',
      start: 4,
      end: 14,
      isSure: true,
      isNested: false,
    });
  });

  it('knows its words, for spelling', () => {
    expect(index.words).toEqual(expect.arrayContaining(['pinned', 'memory', 'governor']));
    expect(index.words).not.toContain('gpu');
    expect(index.words).not.toContain('throttle');
  });

  it('reads 100 kB of nothing but terms', () => {
    expect(terms('kernel launch '.repeat(7_000))).toHaveLength(14_000);
  });
});

describe('termId', () => {
  it.each([
    ['device memory', 'term:device-memory'],
    ['kernel (GPU)', 'term:kernel-gpu'],
    ["Amdahl's law", 'term:amdahl-s-law'],
  ])('makes an id of %s', (en, id) => {
    expect(termId(en)).toBe(id);
  });
});
