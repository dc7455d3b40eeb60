import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checklistBundle, type ChecklistBundle } from '../bundle.js';
import { readChecklist } from './imported.js';
import { seeded } from '../../../../test/support/mutated-text.js';
import { bundleText } from './read-bundle.js';

const fixtures = join(import.meta.dirname, '../../../../test/fixtures/checklists');
const fixture = (name: string) => readFileSync(join(fixtures, name), 'utf8');

const pieces = [
  'a', 'word', ' ', '  ', '\n', '\n\n', '\r\n', '\r', '\t', '#', ' # ', ': ', ':', '- ', '---', '...', '|', '>', '"', "'", '\\',
  '{', '[', '&x', '*x', '!t', '%', '@', '`', 'null', 'true', '1.0', '2026-01-01', '😀', '👩‍🔬', '锁页内存', '，', '\u00a0', '\u2028',
  '\u0085', '\u0007', '\u001b[0m', '\ufeff', 'x'.repeat(300), ' y'.repeat(200),
]; // prettier-ignore

function randomText(random: () => number): string {
  const count = 1 + Math.floor(random() * 14);
  const text = Array.from({ length: count }, () => pieces[Math.floor(random() * pieces.length)]).join('');
  return text.trim() === '' ? 'text' : text;
}

const bundleOf = (random: () => number): ChecklistBundle =>
  checklistBundle.parse({
    format: 'tunebook-checklist/1',
    title: { en: randomText(random), zh: randomText(random) },
    summary: { zh: randomText(random) },
    sections: [
      {
        key: 'one',
        title: { en: randomText(random) },
        items: [
          {
            key: 'a',
            title: { en: randomText(random) },
            body: { en: randomText(random), zh: randomText(random) },
            settings: [randomText(random)],
          },
        ],
      },
    ],
  });

describe('a checklist as a bundle', () => {
  it('is read as it stands in the file', () => {
    const read = readChecklist(fixture('team.yaml'));
    expect(read).toEqual({
      checklist: {
        format: 'bundle',
        undecided: [],
        bundle: {
          format: 'tunebook-checklist/1',
          slug: 'team-checks',
          release: '1.2.0',
          title: { en: 'Team checks' },
          sections: [
            {
              key: 'first',
              title: { zh: '第一部分' },
              items: [{ key: 'one', title: { en: 'One: the first' }, body: { en: '# not a comment\n\n  indented' } }],
            },
          ],
        },
      },
    });
  });

  it('is written with the keys in the order of the schema and long texts as blocks', () => {
    const text = bundleText({
      sections: [{ items: [{ title: { en: 'A: b' }, key: 'a', body: { en: 'one\n\n# two' } }], title: { zh: '节' }, key: 's' }],
      title: { en: 'T' },
      format: 'tunebook-checklist/1',
    });
    expect(text).toBe(
      [
        'format: tunebook-checklist/1', 'title:', '  en: T', 'sections:', '  - key: s', '    title:', '      zh: 节',
        '    items:', '      - key: a', '        title:', '          en: "A: b"', '        body:', '          en: |-',
        '            one', '', '            # two', '',
      ].join('\n'),
    ); // prettier-ignore
  });

  it('comes back equal, whatever its texts', () => {
    const random = seeded(7);
    for (let round = 0; round < 400; round += 1) {
      const bundle = bundleOf(random);
      expect(readChecklist(bundleText(bundle))).toEqual({ checklist: { bundle, format: 'bundle', undecided: [] } });
    }
  });

  it('writes the same text again', () => {
    const text = bundleText(bundleOf(seeded(11)));
    const read = readChecklist(text);
    expect('checklist' in read && bundleText(read.checklist.bundle)).toBe(text);
  });

  it('refuses keys that are taken, with their lines', () => {
    const read = readChecklist(fixture('keys-twice.yaml'));
    expect('problems' in read && read.problems.map(({ line, message }) => [line, message.en])).toEqual([
      [11, 'sections.1.key: the key "one" is taken by another section'],
      [9, 'sections.0.items.1.key: the key "same" is taken by another item of the section "one"'],
    ]);
  });

  it('refuses the section whose keys audits give to items of their own, in both languages', () => {
    const read = readChecklist(
      'format: tunebook-checklist/1\ntitle: { en: T }\nsections:\n  - key: custom\n    title: { en: S }\n    items: [{ key: fan, title: { en: Fan } }]\n',
    );
    expect(read).toEqual({
      problems: [
        {
          line: 4,
          message: {
            en: 'sections.0.key: "custom" is kept for the items that an audit adds of its own; give the section another key',
            zh: 'sections.0.key：“custom”保留给审计自行添加的条目，请为该章节另取 key',
          },
        },
      ],
    });
  });

  it('names the line and the place of what has not its shape, in both languages', () => {
    const read = readChecklist('format: tunebook-checklist/1\ntitle: { en: T }\nsections:\n  - key: Not Kebab\n    title: { en: S }\n    items: []\n');
    expect(read).toEqual({
      problems: [
        {
          line: 4,
          message: {
            en: 'sections.0.key: lower-case words joined by hyphens',
            zh: 'sections.0.key：lower-case words joined by hyphens',
          },
        },
      ],
    });
  });

  it('refuses YAML that is nested without end or repeats itself by aliases', () => {
    const levels = Array.from({ length: 12 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}]`);
    const bomb = ['format: tunebook-checklist/1', 'l0: &l0 [x]', ...levels].join('\n');
    for (const content of [bomb, `format: tunebook-checklist/1\nx: ${'['.repeat(50_000)}`]) {
      expect('problems' in readChecklist(content)).toBe(true);
    }
  });
});
