import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../applicability/evaluate.js';
import type { LocalizedText } from '../locale.js';
import { customItemOf } from './custom-item.js';
import { rewrittenCause, upgradeOf, type AuditedItem, type ItemWording, type ReleasedItem } from './upgrade.js';

const named = (key: string) => ({ en: key, zh: key });
const vocabulary = { capabilityName: named, factName: named };

const text = (en: string | null, zh: string | null = null): LocalizedText => ({ en, zh });

const wording = (checkDigest: string | null, changes: Partial<ItemWording> = {}): ItemWording => ({
  checkDigest,
  texts: { title: text('Title', '标题'), check: text('Look at it.', '看一看。'), apply: text('Do it.') },
  applicability: null,
  signals: [],
  ...changes,
});

const answer = (changes: Partial<Answer> = {}): Answer => ({
  answer: 'YES',
  reasons: [],
  isPast: false,
  missing: [],
  ...changes,
});

const item = (key: string, changes: Partial<AuditedItem> = {}): AuditedItem => ({
  key,
  release: '1.0.0',
  wording: wording('one'),
  isArchived: false,
  applies: 'YES',
  overruled: null,
  isPast: false,
  outcome: 'NOT_ASSESSED',
  recheckCode: null,
  acceptedAs: [],
  ...changes,
});

const released = (key: string, changes: Partial<ReleasedItem> = {}): ReleasedItem => ({
  key,
  wording: wording('one'),
  answer: answer(),
  ...changes,
});

const upgraded = (items: readonly AuditedItem[], next: readonly ReleasedItem[]) =>
  upgradeOf(items, { version: '2.0.0', items: next }, vocabulary);

const only = (before: AuditedItem, after: ReleasedItem) => {
  const [upgrade] = upgraded([before], [after]);
  if (!upgrade) throw new Error('Nothing became of it');
  return upgrade;
};

/** Another check: another digest, and a character more in one text. */
const changedCheck = wording('two', { texts: { ...wording('one').texts, check: text('Look at it!', '看一看。') } });

describe('upgradeOf', () => {
  it('carries an item of the same check, whatever was said of it', () => {
    const { effects, recheck, changedTexts, isAnswered } = only(
      item('a', { outcome: 'APPLIED', recheckCode: 'EXPIRED' }),
      released('a'),
    );
    expect({ effects, recheck, changedTexts, isAnswered }).toEqual({
      effects: ['CARRIED'],
      recheck: null,
      changedTexts: [],
      isAnswered: false,
    });
  });

  it('carries an item whose Chinese alone changed, and names the text', () => {
    const next = wording('one', { texts: { ...wording('one').texts, check: text('Look at it.', '再看一看。') } });
    const { effects, changedTexts } = only(item('a', { outcome: 'APPLIED' }), released('a', { wording: next }));
    expect([effects, changedTexts]).toEqual([['CARRIED'], ['check']]);
  });

  it('marks a result whose check changed by one character, and says what changed between which releases', () => {
    const { effects, recheck, changedTexts, isAnswered } = only(
      item('a', { outcome: 'APPLIED' }),
      released('a', { wording: changedCheck }),
    );
    expect([effects, changedTexts, isAnswered]).toEqual([['RECHECK'], ['check'], true]);
    expect(recheck).toEqual({
      code: 'CHECK_CHANGED',
      cause: {
        en: 'the check changed between releases 1.0.0 and 2.0.0 (how to check); the result is from before',
        zh: '版本 1.0.0 与 2.0.0 之间检查内容有变更（如何检查）；原有结论得自变更之前',
      },
    });
  });

  it('only updates an item that nobody assessed', () => {
    const { effects, recheck } = only(item('a'), released('a', { wording: changedCheck }));
    expect([effects, recheck]).toEqual([['UPDATED'], null]);
  });

  it('marks an item that has a mark already, without speaking of a result that is not there', () => {
    const before = item('a', { recheckCode: 'ENVIRONMENT_CHANGED' });
    const { recheck } = only(before, released('a', { wording: changedCheck }));
    expect(recheck?.cause.en).toBe('the check changed between releases 1.0.0 and 2.0.0 (how to check)');
  });

  it.each<[string, ItemWording, string]>([
    ['how to apply', wording('two', { texts: { ...wording('one').texts, apply: text('Do it twice.') } }), 'how to apply'],
    ['its predicate', wording('two', { applicability: { vendor: 'amd' } }), 'applicability'],
    ['its signals', wording('two', { signals: [{ tool: 'nsys' }] }), 'signals'],
    ['all of them', wording('two', { texts: {}, applicability: {}, signals: [1] }), 'how to check, how to apply, applicability, signals'],
    ['the title that is the check', wording('two', { texts: { ...wording('one').texts, title: text('Other') } }), 'title'],
    ['nothing that can be named', wording('two'), 'how to check'],
  ])('names %s', (_, next, words) => {
    const { recheck } = only(item('a', { outcome: 'REJECTED' }), released('a', { wording: next }));
    expect(recheck?.cause.en).toBe(
      `the check changed between releases 1.0.0 and 2.0.0 (${words}); the result is from before`,
    );
  }); // prettier-ignore

  it('says so where a changed check does not apply any more', () => {
    const no = answer({ answer: 'NO', reasons: [{ en: 'needs AMD', zh: '需要 AMD' }] });
    const next = released('a', { wording: wording('two', { applicability: { vendor: 'amd' } }), answer: no });
    expect(only(item('a', { outcome: 'APPLIED' }), next).recheck?.cause).toEqual({
      en: 'the check changed between releases 1.0.0 and 2.0.0 (applicability); it does not apply any more: needs AMD',
      zh: '版本 1.0.0 与 2.0.0 之间检查内容有变更（适用条件）；已不再适用：需要 AMD',
    });
  });

  it('asks a person again whom the rules now contradict, though nobody assessed the item', () => {
    const before = item('a', { applies: 'NO', overruled: 'NO' });
    const next = released('a', { wording: changedCheck, answer: answer({ reasons: [{ en: 'for all', zh: '适用于所有' }] }) });
    const { effects, recheck } = only(before, next);
    expect(effects).toEqual(['RECHECK']);
    expect(recheck).toEqual({
      code: 'CHECK_CHANGED',
      cause: {
        en: 'the check changed between releases 1.0.0 and 2.0.0 (how to check); it applies now: for all',
        zh: '版本 1.0.0 与 2.0.0 之间检查内容有变更（如何检查）；现已适用：适用于所有',
      },
    });
  }); // prettier-ignore

  it('adds what is new, and archives what the release lacks behind all others', () => {
    const items = [item('gone'), item('a'), item('custom/own', { release: null, wording: wording(null) })];
    const found = upgraded(items, [released('new'), released('a')]);
    expect(found.map(({ item: old, next, effects }) => [old?.key ?? null, next?.key ?? null, ...effects])).toEqual([
      [null, 'new', 'NEW'],
      ['a', 'a', 'CARRIED'],
      ['custom/own', null, 'CARRIED'],
      ['gone', null, 'ARCHIVED'],
    ]);
  });

  it('leaves alone what was archived before, and brings back what the release has again', () => {
    const items = [item('gone', { isArchived: true, release: '0.9.0' }), item('back', { isArchived: true, release: '0.9.0' })];
    const found = upgraded(items, [released('back')]);
    expect(found.map(({ item: old, effects, isAnswered }) => [old?.key, effects, isAnswered])).toEqual([
      ['back', ['RETURNED'], true],
      ['gone', [], false],
    ]);
  }); // prettier-ignore

  it('compares what returns with what it was when it went', () => {
    const before = item('a', { isArchived: true, release: '0.9.0', outcome: 'APPLIED' });
    const { effects, recheck } = only(before, released('a', { wording: changedCheck }));
    expect(effects).toEqual(['RETURNED', 'RECHECK']);
    expect(recheck?.cause.en).toContain('between releases 0.9.0 and 2.0.0 (how to check)');
  });

  it('looks again at what returns to a machine that it does not apply to', () => {
    const before = item('a', { isArchived: true, outcome: 'APPLIED' });
    const no = answer({ answer: 'NO', reasons: [{ en: 'needs AMD', zh: '需要 AMD' }] });
    const { effects, recheck } = only(before, released('a', { answer: no }));
    expect(effects).toEqual(['RETURNED', 'RECHECK']);
    expect(recheck).toEqual({
      code: 'ENVIRONMENT_CHANGED',
      cause: { en: 'it does not apply any more: needs AMD', zh: '已不再适用：需要 AMD' },
    });
  });

  describe('of an item of the audit alone that was accepted', () => {
    const own = (changes: Partial<AuditedItem> = {}) =>
      item('custom/own', { release: null, acceptedAs: ['rig/own'], wording: wording(null), ...changes });

    it('makes the item of the release', () => {
      const { item: old, next, effects } = only(own({ outcome: 'APPLIED' }), released('rig/own'));
      expect([old?.key, next?.key, effects]).toEqual(['custom/own', 'rig/own', ['BECOMES_ITEM']]);
    });

    it('marks its result where the check is another one', () => {
      const { effects, recheck } = only(own({ outcome: 'APPLIED' }), released('rig/own', { wording: changedCheck }));
      expect(effects).toEqual(['BECOMES_ITEM', 'RECHECK']);
      expect(recheck?.cause).toEqual({
        en: 'it became an item of release 2.0.0 with another check (how to check); the result is from before',
        zh: '已成为版本 2.0.0 的条目，检查内容有所不同（如何检查）；原有结论得自变更之前',
      });
    });

    it('takes a translation that was added for no change', () => {
      const chinese = wording(null, { texts: { title: text(null, '标题'), check: text(null, '看一看。'), apply: text('Do it.') } }); // prettier-ignore
      expect(only(own({ outcome: 'APPLIED', wording: chinese }), released('rig/own')).effects).toEqual([
        'BECOMES_ITEM',
      ]);
    });

    it('makes one item of the release of it, whatever it was accepted as, and the others are new', () => {
      const twice = [
        own({ acceptedAs: ['rig/two', 'rig/one'] }),
        own({ key: 'custom/other', acceptedAs: ['rig/two'] }),
      ];
      const release = [released('rig/one'), released('rig/two'), released('rig/three')];
      expect(upgraded(twice, release).map(({ item: old, next, effects }) => [old?.key, next?.key, effects])).toEqual([
        ['custom/own', 'rig/one', ['BECOMES_ITEM']],
        ['custom/other', 'rig/two', ['BECOMES_ITEM']],
        [undefined, 'rig/three', ['NEW']],
      ]);
      expect(upgraded(twice.slice(0, 1), release).map(({ item: old, effects }) => [old?.key, effects])).toEqual([
        ['custom/own', ['BECOMES_ITEM']],
        [undefined, ['NEW']],
        [undefined, ['NEW']],
      ]);
    });

    it('leaves it alone where it is archived, or where the audit has the item already', () => {
      const [archived] = upgraded([own({ isArchived: true })], [released('rig/own')]);
      expect(archived?.effects).toEqual(['NEW']);
      const both = upgraded([item('rig/own'), own()], [released('rig/own')]);
      expect(both.map(({ item: old, effects }) => [old?.key, effects])).toEqual([
        ['rig/own', ['CARRIED']],
        ['custom/own', ['CARRIED']],
      ]);
    });
  });
});

describe('rewrittenCause', () => {
  const own = (texts: object) => customItemOf({ title: { en: 'Fan' }, texts });
  const before = own({ check: { en: 'Hear it.' }, apply: { en: 'Clean it.' }, why: { en: 'Heat' } });
  const cause = (texts: object) => rewrittenCause(before, own(texts));

  it('names what says otherwise what to check', () => {
    expect(cause({ check: { en: 'Count it.' }, apply: { en: 'Clean it.' } })).toEqual({
      en: 'the check was rewritten (how to check); the result is from before',
      zh: '检查内容已改写（如何检查）；原有结论得自改写之前',
    });
    expect(cause({ apply: { en: 'Swap it.' } })?.zh).toBe('检查内容已改写（如何检查、如何实施）；原有结论得自改写之前');
  });

  it.each([
    ['white space', { check: { en: 'Hear  it.\n' }, apply: { en: 'Clean it.' } }],
    ['a translation', { check: { en: 'Hear it.', zh: '听一听。' }, apply: { en: 'Clean it.' } }],
    ['another text', { check: { en: 'Hear it.' }, apply: { en: 'Clean it.' }, why: { en: 'Noise' } }],
  ])('takes %s for no other check', (_, texts) => {
    expect(cause(texts)).toBeNull();
  });
});
