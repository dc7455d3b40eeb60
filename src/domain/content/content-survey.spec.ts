import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { contentFixture } from '../../../test/support/content-fixture.js';
import { surveyContent } from './content-survey.js';
import { parseContent } from './parse-content.js';
import { translationRecords } from './translations.js';

const stone = 'checklists/bread/oven/preheated-stone.yaml';
const records = 'checklists/bread/translations.yaml';

/** Bread whose translations are recorded, with one file edited afterwards. */
function translated(edit: (text: string) => string = (text) => text, accepted: readonly string[] = []) {
  const files = contentFixture('valid');
  files.set(records, stringify(translationRecords(files, new Set()).records.get('bread')));
  files.set(stone, edit(files.get(stone) ?? ''));
  const { stale, records: updated } = translationRecords(files, new Set(accepted));
  return { files, stale, updated: new Map(files).set(records, stringify(updated.get('bread'))) };
}

describe('surveyContent', () => {
  it('counts what each section holds', () => {
    expect(surveyContent(translated().files, '2026-12-01')).toEqual({
      rows: [
        { checklist: 'bread', section: 'oven', isDraft: false, items: 2, textsEn: 16, textsZh: 16, sources: 2, stale: 0, overdue: 0, dead: 0 },
        { checklist: 'bread', section: 'dough', isDraft: false, items: 1, textsEn: 8, textsZh: 8, sources: 1, stale: 0, overdue: 0, dead: 0 },
      ],
      problems: [],
      stale: [],
    }); // prettier-ignore
  });

  it('reports items past their day of review, from the day after', () => {
    expect(surveyContent(translated().files, '2027-01-15').problems).toEqual([]);
    const { rows, problems } = surveyContent(translated().files, '2027-01-16');
    expect(rows.map(({ overdue }) => overdue)).toEqual([2, 1]);
    expect(problems[0]?.message.en).toBe('the review was due on 2027-01-15');
  });

  it('counts relations that lead nowhere', () => {
    const { files } = translated((text) => text.replace(/relations:[^]*?\nsources/, 'relations: { seeAlso: [oven/no, cake:a/b, dough/long-rest] }\nsources')); // prettier-ignore
    expect(surveyContent(files, '2026-12-01').rows.map(({ dead }) => dead)).toEqual([2, 0]);
  });

  it('takes every text for stale where nobody recorded what it was made from', () => {
    const { rows, problems } = surveyContent(contentFixture('valid'), '2026-12-01');
    expect(rows.map(({ stale }) => stale)).toEqual([16, 8]);
    expect(problems).toHaveLength(24);
  });
});

describe('translationRecords', () => {
  const warmer = (text: string) => text.replace('A hot stone gives', 'A very hot stone gives');

  it('leaves a text stale whose English alone changed', () => {
    const { stale, updated } = translated(warmer);
    expect(stale).toEqual([{ checklist: 'bread', key: 'oven/preheated-stone', field: 'why' }]);
    expect(surveyContent(updated, '2026-12-01').stale).toEqual(stale);
    const parsed = parseContent(updated);
    const item = 'catalog' in parsed ? parsed.catalog.checklists[0]?.sections[0]?.items[0] : undefined;
    expect(item?.textDigests.why.zhFrom).toMatch(/^[0-9a-f]{12}$/);
    expect(item?.textDigests.check.zhFrom).toBe(item?.textDigests.check.en);
  });

  it('takes it for current where the Chinese changed too, or it was accepted', () => {
    const both = translated((text) => warmer(text).replace('热石板可多膨胀', '很热的石板可多膨胀'));
    expect(surveyContent(both.updated, '2026-12-01').stale).toEqual([]);
    for (const accepted of ['oven/preheated-stone', 'oven/preheated-stone#why']) {
      expect(surveyContent(translated(warmer, [accepted]).updated, '2026-12-01').stale).toEqual([]);
    }
    expect(translated(warmer, ['oven/preheated-stone#check', 'oven/steam']).stale).toHaveLength(1);
  });

  it('has no record of an item that is gone', () => {
    const { files } = translated();
    files.set(records, `${files.get(records)}oven/gone:\n  title: 0123456789ab 0123456789ab\n`);
    const parsed = parseContent(files);
    expect('problems' in parsed ? parsed.problems.map(({ message }) => message.en) : []).toEqual([
      'there is no item "oven/gone"',
    ]);
    expect(Object.keys(translationRecords(files, new Set()).records.get('bread') ?? {})).not.toContain('oven/gone');
  });
});
