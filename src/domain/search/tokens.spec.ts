import { describe, expect, it } from '@jest/globals';
import type { SearchDocument } from './document.js';
import { glossaryIndex } from './glossary-index.js';
import { bigramsOf, hanWordsOf, termsOf } from './tokens.js';

const glossary = glossaryIndex([
  { en: 'device memory', zh: '显存', synonymsEn: ['GPU memory'] },
  { en: 'pinned memory', zh: '锁页内存' },
  { en: 'quantization', zh: '量化' },
  { en: 'weight-only quantization', zh: '仅权重量化' },
]);

const empty: SearchDocument = {
  kind: 'NOTE',
  subjectId: 'n1',
  projectId: null,
  teamId: null,
  key: null,
  checklist: null,
  section: null,
  title: { en: null, zh: null },
  body: { en: null, zh: null },
  identifiers: [],
  tags: [],
  hardware: [],
  frameworks: [],
  languages: [],
  outcome: null,
  verdict: null,
  gain: null,
};
const lexemes = (document: Partial<SearchDocument>) => [...termsOf({ ...empty, ...document }, glossary).lexemes.keys()];
const english = (document: Partial<SearchDocument>) => termsOf({ ...empty, ...document }, glossary).english;

describe('termsOf', () => {
  it('gives two characters side by side, the last one, and long words', () => {
    expect(lexemes({ body: { en: null, zh: '吞吐量' } })).toEqual(['吞吐', '吐量', '量', '吞吐量']);
  });

  it('gives a single character only where it stands alone or last', () => {
    expect(lexemes({ body: { en: null, zh: '核。' } })).toEqual(['核']);
  });

  it('gives the terms of the glossary, by whatever name', () => {
    expect(lexemes({ body: { en: 'GPU memory', zh: null } })).toEqual(['term:device-memory']);
    expect(lexemes({ title: { en: null, zh: '显存' } })).toContain('term:device-memory');
  });

  it('gives a term within a narrower one less weight', () => {
    const { lexemes: places } = termsOf({ ...empty, title: { en: 'Weight-only quantization', zh: null } }, glossary);
    expect(places.get('term:weight-only-quantization')).toEqual(['4A']);
    expect(places.get('term:quantization')).toEqual(['4B']);
  });

  it('hands over English words by weight, in lower case', () => {
    const document = {
      title: { en: 'Pinned Buffers', zh: '缓冲 Buffer' },
      tags: ['io'],
      body: { en: 'Copy *fast*.', zh: null },
    };
    expect(english(document)).toEqual({ A: 'pinned buffers buffer', B: 'io', C: '', D: 'copy fast' });
  });

  it('gives identifiers whole and in parts', () => {
    expect(lexemes({ identifiers: ['NCCL_IB_HCA'] })).toEqual(
      ['is:nccl_ib_hca', 'id:ncclibhca', 'id:ncclib', 'id:ibhca'].flatMap((lexeme) => [lexeme, `t:${lexeme}`]),
    );
    expect(lexemes({ body: { en: 'use --enable-chunked-prefill', zh: null } })).toEqual([
      'is:enable-chunked-prefill',
      'id:enablechunked',
      'id:enablechunkedprefill',
      'id:chunkedprefill',
    ]);
    expect(lexemes({ identifiers: ['nvidia-smi -pl'] })).toContain('is:nvidia-smi -pl');
  });

  it('parts camel case', () => {
    const document = { body: { en: 'cudaMallocAsync and GPUs', zh: null } };
    expect(english(document)).toMatchObject({ C: 'cuda malloc async', D: 'cudamallocasync and gpus' });
    expect(lexemes(document)).toEqual(['is:cudamallocasync', 'id:cudamalloc', 'id:cudamallocasync', 'id:mallocasync']);
  });

  it('keeps numbers apart: 12.4 is not 1.24', () => {
    expect(lexemes({ body: { en: '12.4', zh: null } })).toEqual(['is:12.4']);
  });

  it('gives what stands in the title and among the identifiers a second time, so that the index knows it', () => {
    expect(lexemes({ title: { en: null, zh: '显存' } })).toContain('t:显存');
    expect(lexemes({ body: { en: null, zh: '显存' } })).not.toContain('t:显存');
  });

  it('marks the places of a lexeme with the weight of its text', () => {
    const terms = termsOf({ ...empty, title: { en: null, zh: '显存' }, body: { en: null, zh: '显存' } }, glossary);
    expect(terms.lexemes.get('显存')).toEqual(['2A', '54D']);
  });

  it('reads other scripts word by word', () => {
    expect(lexemes({ body: { en: 'Größe Ω', zh: null } })).toEqual(['größe', 'ω']);
  });

  it('stays within the bounds of the database, whatever the text', () => {
    const han = Array.from({ length: 90_000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7919) % 20_000))).join('');
    const names = Array.from({ length: 9_000 }, (_, n) => `A${n}_B${n}`).join(' ');
    const terms = termsOf({ ...empty, body: { en: `${names} ${'x'.repeat(5_000)}`, zh: han } }, glossary);
    expect(terms.lexemes.size).toBeLessThanOrEqual(15_000);
    expect(Math.max(...Array.from(terms.lexemes.keys(), (lexeme) => lexeme.length))).toBeLessThanOrEqual(206);
    expect(terms.english.D.length).toBeLessThanOrEqual(120_100);
  });
});

describe('bigramsOf', () => {
  it('does not part a character outside the basic plane', () => {
    expect(bigramsOf('𠮷野家')).toEqual(['𠮷野', '野家']);
  });
});

describe('hanWordsOf', () => {
  it('gives the place of each word, also in a long run', () => {
    const run = '训练速度'.repeat(600);
    const words = hanWordsOf(run);
    expect(words.map(({ word }) => word).join('')).toBe(run);
    expect(words.every(({ word, place }) => run.startsWith(word, place))).toBe(true);
  });
});
