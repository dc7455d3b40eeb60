import { describe, expect, it } from '@jest/globals';
import { ends } from '../../../../test/support/ends.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChecklist } from './imported.js';
import { lostOf, mutated, seeded } from '../../../../test/support/mutated-text.js';

const fixtures = join(import.meta.dirname, '../../../../test/fixtures/checklists');
const texts = readdirSync(fixtures).map((name) => [name, readFileSync(join(fixtures, name), 'utf8')] as const);

describe('the format of a checklist', () => {
  it.each([
    ['keys-twice.yaml', null],
    ['lost-marks.txt', 'markdown'],
    ['numbered-passages.txt', 'bilingual-text'],
    ['page-breaks.txt', 'bilingual-text'],
    ['sections-and-tables.md', 'markdown'],
    ['team.yaml', 'bundle'],
    ['turns-of-lines.txt', 'bilingual-text'],
    ['turns-of-paragraphs.txt', 'bilingual-text'],
  ])('is recognized by the text of %s', (name, format) => {
    const read = readChecklist(readFileSync(join(fixtures, name), 'utf8'));
    expect('checklist' in read ? read.checklist.format : null).toBe(format);
  });

  it('is Markdown for a list whose items are in two languages', () => {
    const line = '- Pin the threads: each loader thread stays on one core of its node. 每个加载线程固定在节点的一个核心上。';
    const read = readChecklist(`${line}\n${line}\n`);
    expect('checklist' in read && [read.checklist.format, read.checklist.bundle.sections[0]?.items[0]]).toEqual([
      'markdown',
      {
        key: 'pin-the-threads',
        title: { en: 'Pin the threads' },
        body: { en: 'each loader thread stays on one core of its node.', zh: '每个加载线程固定在节点的一个核心上。' },
      },
    ]);
  });

  it('is the one that was given', () => {
    const read = readChecklist('- One: two', { format: 'bilingual-text' });
    expect('problems' in read && read.problems.map(({ message: { en } }) => en)).toEqual([
      'No item was found: in bilingual text an item is a short title in English and in Chinese, on one line or on two that follow each other, with its text in both languages below',
    ]);
    expect(readChecklist('- One', { format: 'word' })).toEqual({
      problems: [
        {
          line: null,
          message: {
            en: 'There is no format "word"; there are markdown, bilingual-text, bundle',
            zh: '没有“word”格式，可用的格式有 markdown、bilingual-text、bundle',
          },
        },
      ],
    });
  });

  it.each([
    ['Just a sentence.', 'The text is no checklist that can be read: it has no headings, no list, and no passages in two languages'],
    [' \n', 'The content is empty'],
    ['x'.repeat(4 * 1024 * 1024 + 1), 'The content is larger than 4 MiB'],
    ['a\0b', 'The content is not text: line 1 holds a NUL character'],
  ])('is none for what is no checklist', (content, message) => {
    const read = readChecklist(content);
    expect('problems' in read && read.problems.map(({ message: { en } }) => en)).toEqual([message]);
  });

  it('does not depend on the ends of lines or a byte order mark', () => {
    for (const [fileName, text] of texts) {
      const other = `\uFEFF${text.replaceAll('\n', '\r\n')}`;
      expect(readChecklist(other, { fileName })).toEqual(readChecklist(text, { fileName }));
    }
  });
});

describe('damaged checklists', () => {
  const damaged = texts.filter(([name]) => !name.endsWith('.yaml'));

  it.each(damaged)('of %s neither throw nor lose a line silently', (name, text) => {
    const random = seeded(name.length);
    const lost: string[] = [];
    for (let round = 0; round < 150; round += 1) {
      const content = mutated(text, random);
      lost.push(...lostOf(content, readChecklist(content, { fileName: name })));
    }
    expect(lost).toEqual([]);
  });
});

describe('hostile texts', () => {
  const size = 60_000;
  it.each([
    ['# a\n', 4], ['## a\n', 5], ['### a\n', 6], ['- a\n', 4], ['| a |\n|---|\n', 12], ['| a\n', 4], ['- a - B', 7], ['1.1 A\n', 6],
    [' ', 1], ['-', 1], ['a.', 2], ['_', 1], ['中a ', 3], ['A b.中', 5], ['。A b c d e. ', 13], ['`', 1], ['(', 1], ['.a', 2], ['A b中\n', 5],
    ['a\n', 2], ['中\n', 2], ['\t', 1], ['```\n', 4], ['*', 1], ['a ', 2], ['|', 1],
  ])('of %j take time in proportion', (piece, length) => {
    const text = piece.repeat(Math.floor(size / length));
    for (const format of ['markdown', 'bilingual-text']) {
      for (const content of [`# T\n- ${text}中!`, `中\n\nA\n\nB c中\n\n${text}x`]) {
        ends(() => readChecklist(content, { format }));
      }
    }
  });
}); // prettier-ignore
