import { describe, expect, it } from '@jest/globals';
import { glossaryIndex } from './glossary-index.js';
import { asUnfinished, isAnchored, loosened, queryOf } from './query.js';
import type { Alternative, Group } from './query-groups.js';

const glossary = glossaryIndex([
  { en: 'device memory', zh: '显存', synonymsEn: ['GPU memory'] },
  { en: 'pinned memory', zh: '锁页内存', synonymsEn: ['page-locked memory'] },
  { en: 'out of memory', zh: '显存不足', synonymsEn: ['OOM'] },
  { en: 'InfiniBand', zh: 'InfiniBand 网络', synonymsEn: ['IB'] },
  { en: 'host-to-device bandwidth', zh: '主机到设备带宽' },
  { en: 'Tensor Core', zh: '张量核心', synonymsEn: ['TC'] },
]);

function shown(alternative: Alternative): string {
  if (alternative.kind === 'WORD_PREFIX') return `${alternative.word}*`;
  if (alternative.kind === 'LEXEME_PREFIX') return `${alternative.lexeme}*`;
  const parts = alternative.kind === 'WORDS' ? alternative.words : alternative.lexemes.map((lexeme) => `'${lexeme}'`);
  return parts.join(alternative.match === 'PHRASE' ? ' <-> ' : ' & ');
}
const group = ({ alternatives }: Group) => alternatives.map(shown).join(' | ');
const groups = (typed: string) => queryOf(typed, glossary).groups.map(group);

describe('queryOf', () => {
  it('asks for every word, in whatever form', () => {
    expect(groups('slow copies ')).toEqual(["slow | 'is:slow' | 'id:slow'", "copies | 'is:copies' | 'id:copies'"]);
  });

  it('takes the last word for unfinished', () => {
    expect(groups('kern')).toEqual(["kern | 'is:kern' | 'id:kern' | id:kern* | kern*"]);
    expect(groups('ke')).toEqual(["ke | 'is:ke'"]);
  });

  it('asks for a term by all its names', () => {
    expect(groups('GPU memory')).toEqual(["'term:device-memory' | gpu & memory"]);
    expect(groups('显存')).toEqual(["'term:device-memory' | '显存'"]);
    expect(groups('page-locked memory ')[0]).toContain("'term:pinned-memory' | page & locked & memory");
  });

  it('asks for a long Chinese name by its words too', () => {
    expect(groups('主机到设备带宽')).toEqual([
      "'term:host-to-device-bandwidth' | '主机' & '机到' & '到设' & '设备' & '备带' & '带宽' | '主机' & '设备' & '带宽'",
    ]);
  });

  it('asks for a Chinese name of two words by each of them only when loosened', () => {
    const query = queryOf('寄存器溢出', glossaryIndex([{ en: 'register spilling', zh: '寄存器溢出' }]));
    const [strict = ''] = query.groups.map(group);
    expect(strict).toBe("'term:register-spilling' | '寄存' & '存器' & '器溢' & '溢出'");
    expect(loosened(query).groups.map(group)).toEqual([`${strict} | '寄存' & '存器' & '溢出'`]);
    const plain = queryOf('显存', glossary);
    expect(loosened(plain)).toBe(plain);
  });

  it('does not ask for a term by the one word that is no stop word', () => {
    expect(groups('out of memory ')).toEqual(["'term:out-of-memory'"]);
  });

  it('asks for an identifier whole, in parts and as a phrase, and not for a term inside it', () => {
    expect(groups('ib_hca ')).toEqual(["'is:ib_hca' | 'id:ibhca' | ib <-> hca"]);
    expect(queryOf('NCCL_IB_HCA', glossary).exact).toEqual(['is:nccl_ib_hca']);
  });

  it('asks for camel case as one word too', () => {
    expect(groups('PyTorch ')).toEqual(["'is:pytorch' | 'id:pytorch' | pytorch"]);
  });

  it('keeps both halves of a mixed query', () => {
    const query = queryOf('torch.compile 图断裂', glossary);
    expect(query.groups.map(({ start, end }) => query.text.slice(start, end))).toEqual(['torch.compile', '图', '断裂']);
  });

  it('makes words of what lies between the terms of a Chinese sentence', () => {
    const query = queryOf('怎么减少显存的碎片', glossary);
    expect(query.groups.map(({ start, end }) => query.text.slice(start, end))).toEqual(['减少', '显存', '碎片']);
    expect(query.groups.map(({ weight }) => weight)).toEqual([1, 2, 1]);
    expect(query.groups.map(({ language }) => language)).toEqual(['ZH', null, 'ZH']);
  });

  it.each([
    ['数据加载慢怎么办', ['数据', '加载慢']],
    ['数据加载慢怎么办？', ['数据', '加载慢']],
    ['为什么数据加载这么慢呢', ['数据', '加载', '这么', '慢']],
    ['请问如何解决显存的碎片问题吗', ['显存', '碎片', '问题']],
    ['训练有什么办法加速', ['训练', '加速']],
    ['锁页内存是什么', ['锁页内存']],
    ['性能怎么样', ['性能']],
    ['怎么处理器的亲和', ['处理', '器', '亲和']],
    ['怎么样本不均', ['样本', '不均']],
  ])('leaves out of "%s" how it is asked', (typed, expected) => {
    const query = queryOf(typed, glossary);
    expect(query.groups.map(({ start, end }) => query.text.slice(start, end))).toEqual(expected);
  });

  it('asks in quotation marks for a question as it stands', () => {
    expect(groups('“怎么办”')).toEqual(["'怎么' <-> '么办'"]);
  });

  it('asks for a single character as a beginning', () => {
    expect(groups('核')).toEqual(['核*']);
  });

  it('asks for what is in quotation marks side by side', () => {
    expect(groups('"out of memory"')).toEqual(['out <-> of <-> memory']);
    expect(groups('“显存不足”')).toEqual(["'显存' <-> '存不' <-> '不足'"]);
  });

  it('leaves out stop words', () => {
    expect(groups('how to do it')).toEqual([]);
    expect(groups('为什么')).toEqual([]);
  });

  it.each(['的', 'a', 'how to do it', '怎么办', '"the"'])('knows that %j has words, though no groups', (typed) => {
    expect(queryOf(typed, glossary)).toMatchObject({ groups: [], hasWords: true });
  });

  it.each(['', ' ', '!?', '""', '。'])('knows that %j has no words', (typed) => {
    expect(queryOf(typed, glossary)).toMatchObject({ groups: [], hasWords: false });
  });

  it.each(['', '  ', '!?', '🚀', '""', '& | !', '\u0000'])('has no groups for %j', (typed) => {
    expect(groups(typed)).toEqual([]);
  });

  it('takes small letters for a term in capitals as one possibility', () => {
    const [only] = queryOf('tc ', glossary).groups;
    expect(only && group(only)).toBe("'term:tensor-core' | tc | 'is:tc'");
    expect(only?.language).toBe('EN');
  });

  it('has a bound', () => {
    expect(queryOf('word '.repeat(2_000), glossary).groups.length).toBeLessThanOrEqual(16);
  });
});

describe('isAnchored', () => {
  it('is true with a term, an identifier or a phrase', () => {
    expect(isAnchored(queryOf('slow 显存', glossary))).toBe(true);
    expect(isAnchored(queryOf('slow copies', glossary))).toBe(false);
  });
});

describe('asUnfinished', () => {
  it('takes a word for the beginning of one whose stem is shorter', () => {
    const query = queryOf('expandab', glossary);
    const [only] = query.groups;
    expect(only && asUnfinished(query, only).groups.map(group)).toEqual(["'expanda' | 'expand' | 'expan' | 'expa'"]);
  });
});
