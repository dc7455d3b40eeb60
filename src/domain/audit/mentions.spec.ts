import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../test/support/ends.js';
import { mentionedIn } from './mentions.js';

const people = [
  { id: 'ann', name: 'Ann' },
  { id: 'ann-lee', name: 'Ann Lee' },
  { id: 'li', name: 'Li' },
  { id: 'li-2', name: 'li' },
  { id: 'zhang', name: '张三' },
  { id: 'zhang-feng', name: '张三丰' },
  { id: 'jose', name: 'José' },
  { id: 'ops', name: 'R. Roe (ops)' },
  { id: 'nobody', name: ' ' },
];
const named = (body: string) => mentionedIn(body, people);

describe('mentionedIn', () => {
  it.each([
    ['@Ann please look', ['ann']],
    ['please look, @Ann', ['ann']],
    ['(@Ann)', ['ann']],
    ['@Ann, @张三', ['ann', 'zhang']],
    ['@ann and @ANN', ['ann']],
    ['@Ann.', ['ann']],
    ["@Ann's idea", ['ann']],
    ['＠Ann', ['ann']],
    ['**@Ann**', ['ann']],
    ['@R. Roe (ops) knows', ['ops']],
    ['Jose\u0301? @Jose\u0301!', ['jose']],
  ])('finds who is called in %j', (body, ids) => {
    expect(named(body)).toEqual(ids);
  });

  it('takes the longest name', () => {
    expect(named('@Ann Lee')).toEqual(['ann-lee']);
    expect(named('@Ann Leeds')).toEqual(['ann']);
    expect(named('@张三丰请看')).toEqual(['zhang-feng']);
  });

  it('means all people of one name', () => {
    expect(named('@Li')).toEqual(['li', 'li-2']);
  });

  it('needs no blank around Chinese names, nor after other names before Chinese', () => {
    expect(named('请@张三看一下')).toEqual(['zhang']);
    expect(named('请@Ann看一下，再问@Li。')).toEqual(['ann', 'li', 'li-2']);
    expect(named('@张三ok')).toEqual(['zhang']);
  });

  it.each([
    ['a word that goes on', '@Annette @Ann_1 @Ann9 @Anné'],
    ['another handle', '@ann-x @ann.example'],
    ['an address of mail', 'mail x@Ann or x.y@li.example, é@Ann'],
    ['an address of a page', 'https://pages.example/@Ann'],
    ['an escaped sign', '\\@Ann'],
    ['a blank after the sign', '@ Ann'],
    ['a sign alone', '@'],
    ['a code span', 'see `@Ann` and ``a ` @Li`` here'],
    ['a span over two lines', 'see `@Ann\n@Li` here'],
    ['a fence', '```\n@Ann\n```'],
    ['a longer fence', '~~~~ text\n@Ann\n~~~\n@Li\n~~~~'],
    ['a fence without an end', 'text\n```py\n@Ann'],
    ['a fence in a list', '- ```\n  @Ann\n  ```'],
    ['a fence in a quote', '> ```\n> @Ann\n> ```'],
    ['nobody of that name', '@Somebody'],
  ])('leaves alone %s', (_, body) => {
    expect(named(body)).toEqual([]);
  });

  it('goes on behind code', () => {
    expect(named('`x` @Ann')).toEqual(['ann']);
    expect(named('```\n@Li\n```\n@Ann')).toEqual(['ann']);
    expect(named('> ```\n> @Li\n\n@Ann')).toEqual(['ann']);
    expect(named('a ```b``` @Ann')).toEqual(['ann']);
  });

  it('takes a backtick that nothing closes for text', () => {
    expect(named('a ` and @Ann')).toEqual(['ann']);
    expect(named('a ` and\n\n@Ann ` b')).toEqual(['ann']);
    expect(named('a \\` @Ann ` b')).toEqual(['ann']);
    expect(named('a `` @Ann ` b')).toEqual(['ann']);
    expect(named('a \\\\` @Ann ` b')).toEqual([]);
  });

  it('knows fences by any ends of lines', () => {
    expect(named('```\r\n@Ann\r\n```\r\n@Li')).toEqual(['li', 'li-2']);
    expect(named('text\r\r```\r@Ann\r```\r@张三')).toEqual(['zhang']);
    expect(named('a ` b\r\n\r\n@Ann ` c')).toEqual(['ann']);
  });

  it('means a longer name that begins as a shorter one does only where it ends there', () => {
    expect(named('@R. Roe (ops')).toEqual([]);
    expect(named('@Ann Le')).toEqual(['ann']);
    expect(named('@Ann Lee.')).toEqual(['ann-lee']);
  });

  const crowd = Array.from({ length: 2_000 }, (_, index) => ({
    id: `${index}`,
    name: 'x'.repeat(index % 200) + index,
  }));
  const hostile = (part: string): string => part.repeat(Math.ceil(100_000 / part.length));

  it.each([
    ['signs', hostile('@'), []],
    ['signs with blanks', hostile('@ '), []],
    ['names', hostile('@x1 '), ['1']],
    ['beginnings of names', hostile('@' + 'x'.repeat(199)), []],
    ['backticks', hostile('`'), []],
    ['backticks with blanks', hostile('` '), []],
    ['runs of two lengths', hostile('`a``b'), []],
    ['runs of every length', Array.from({ length: 440 }, (_, index) => '`'.repeat(index)).join(' '), []],
    ['backslashes', '@`' + hostile('\\') + 'x', []],
    ['escaped backticks', hostile('\\`'), []],
    ['a fence before an odd end', hostile('`') + '\u2028x', []],
    ['tildes before an odd end', hostile('~') + '\u2028x', []],
    ['fences', hostile('```\n'), []],
    ['quotes', hostile('> ') + '@x1', ['1']],
    ['lists', hostile('- ') + '@x1', ['1']],
    ['numbers', hostile('1. ') + '@x1', ['1']],
    ['blanks', hostile(' ') + '@x1', ['1']],
    ['lines', hostile('\n') + '@x1', ['1']],
    ['brackets', hostile('[') + '@x1', ['1']],
    ['angles', hostile('<') + '@x1', ['1']],
    ['stars', hostile('*') + '@x1', ['1']],
    ['marks', '@x1' + hostile('\u0301'), []],
  ])('reads the longest texts of %s at once', (_, text, ids) => {
    expect(ends(() => mentionedIn(text, crowd))).toEqual(ids);
  });
});
