import { describe, expect, it } from '@jest/globals';
import { relationWarnings, type ItemWarning, type RelatedItem } from './relation-warnings.js';
import type { Outcome } from './transitions.js';

const none = { requires: [], conflictsWith: [], supersedes: [], because: new Map() };

function item(id: string, changes: Partial<RelatedItem> = {}, relations: Partial<RelatedItem['relations']> = {}) {
  return {
    id,
    key: `section/${id}`,
    title: { en: `Item ${id}`, zh: `条目 ${id}` },
    applies: 'YES',
    isPast: false,
    isAdopted: false,
    reasons: [{ en: 'PyTorch is 2.11.0', zh: 'PyTorch 为 2.11.0' }],
    work: 'TODO',
    outcome: 'NOT_ASSESSED',
    relations: { ...none, ...relations },
    ...changes,
  } satisfies RelatedItem;
}

const because = (key: string, en = 'they share a cache', zh = '二者共用缓存') => new Map([[key, { en, zh }]]);

/** Warnings as `item CODE other`. */
const codesOf = (...items: readonly RelatedItem[]): readonly string[] =>
  [...relationWarnings(items)].flatMap(([id, warnings]) =>
    warnings.map(({ code, otherId }) => `${id} ${code} ${otherId ?? '-'}`),
  );
const warningsOf = (id: string, ...items: readonly RelatedItem[]): readonly ItemWarning[] =>
  relationWarnings(items).get(id) ?? [];

const applied = { work: 'DONE', outcome: 'APPLIED' } as const;
const inPlace = { work: 'DONE', outcome: 'ALREADY_IN_PLACE' } as const;
const busy = { work: 'IN_PROGRESS', outcome: 'NOT_ASSESSED' } as const;

describe('relationWarnings, conflicts', () => {
  const conflict = { conflictsWith: ['section/b'], because: because('section/b') };

  it.each<[Partial<RelatedItem>, Partial<RelatedItem>, boolean]>([
    [applied, applied, true],
    [applied, inPlace, true],
    [applied, busy, true],
    [busy, inPlace, true],
    [{ ...busy, work: 'IN_REVIEW' }, applied, true],
    [busy, busy, false],
    [applied, {}, false],
    [{}, applied, false],
    [applied, { work: 'IN_PROGRESS', outcome: 'REJECTED' }, false],
    [applied, { work: 'DONE', outcome: 'DEFERRED' }, false],
    [applied, { work: 'IN_PROGRESS', outcome: 'NOT_APPLICABLE' }, false],
  ])('of %j and %j: %s', (one, other, isWarned) => {
    expect(codesOf(item('a', one, conflict), item('b', other))).toEqual(
      isWarned ? ['a CONFLICTING b', 'b CONFLICTING a'] : [],
    );
  });

  it('are said on both sides, with the state of the other and the reason', () => {
    const items = [item('a', applied, conflict), item('b', busy)];
    expect(warningsOf('a', ...items)).toEqual([
      {
        code: 'CONFLICTING',
        otherId: 'b',
        message: {
          en: 'conflicts with “Item b”, which is being worked on: they share a cache',
          zh: '与“条目 b”（进行中）冲突：二者共用缓存',
        },
      },
    ]);
    expect(warningsOf('b', ...items)[0]?.message).toEqual({
      en: 'conflicts with “Item a”, which is applied: they share a cache',
      zh: '与“条目 a”（已应用）冲突：二者共用缓存',
    });
    expect(warningsOf('a', item('a', applied, conflict), item('b', inPlace))[0]?.message).toEqual({
      en: 'conflicts with “Item b”, which is in place already: they share a cache',
      zh: '与“条目 b”（已具备）冲突：二者共用缓存',
    });
  });

  it('are said once where both items name each other, with the reason of either', () => {
    const back = { conflictsWith: ['section/a'] };
    const items = [item('a', applied, { conflictsWith: ['section/b'] }), item('b', applied, back)];
    expect(codesOf(...items)).toEqual(['a CONFLICTING b', 'b CONFLICTING a']);
    expect(warningsOf('a', ...items)[0]?.message).toEqual({
      en: 'conflicts with “Item b”, which is applied',
      zh: '与“条目 b”（已应用）冲突',
    });
    const explained = item('b', applied, { ...back, because: because('section/a') });
    expect(warningsOf('a', item('a', applied, { conflictsWith: ['section/b'] }), explained)[0]?.message.en).toBe(
      'conflicts with “Item b”, which is applied: they share a cache',
    );
  });
});

describe('relationWarnings, what is required', () => {
  const needs = { requires: ['section/b'], because: because('section/b', 'it reads its files', '它读取其文件') };

  it.each<[Partial<RelatedItem>, Partial<RelatedItem>, boolean]>([
    [applied, {}, true],
    [inPlace, {}, true],
    [busy, {}, true],
    [busy, busy, true],
    [applied, { outcome: 'REJECTED' }, true],
    [applied, { applies: 'UNKNOWN' }, true],
    [applied, { applies: 'NO' }, false],
    [applied, { outcome: 'NOT_APPLICABLE' }, false],
    [applied, applied, false],
    [applied, inPlace, false],
    [{}, {}, false],
    [{ ...busy, outcome: 'DEFERRED' }, {}, false],
  ])('by %j of %j is missing: %s', (one, other, isMissing) => {
    expect(codesOf(item('a', one, needs), item('b', other))).toEqual(isMissing ? ['a REQUIRED_MISSING b'] : []);
  });

  it.each<[Outcome, string, string]>([
    ['NOT_ASSESSED', 'is not assessed', '尚未评估'],
    ['REJECTED', 'was rejected', '已被否决'],
    ['DEFERRED', 'is deferred', '已推迟'],
  ])('is said with its state: %s', (outcome, en, zh) => {
    expect(warningsOf('a', item('a', applied, needs), item('b', { outcome }))).toEqual([
      {
        code: 'REQUIRED_MISSING',
        otherId: 'b',
        message: {
          en: `needs “Item b” first, which ${en}: it reads its files`,
          zh: `须先具备“条目 b”，而该条目${zh}：它读取其文件`,
        },
      },
    ]);
  });
});

describe('relationWarnings, what is superseded', () => {
  const replaces = {
    supersedes: ['section/b'],
    because: because('section/b', 'one kernel does both', '一个内核兼顾二者'),
  };

  it.each<[Partial<RelatedItem>, Partial<RelatedItem>, boolean]>([
    [{}, applied, true],
    [{ applies: 'UNKNOWN' }, inPlace, true],
    [applied, busy, true],
    [{ applies: 'NO' }, applied, false],
    [{ outcome: 'REJECTED' }, applied, false],
    [{ outcome: 'DEFERRED' }, applied, false],
    [{ outcome: 'NOT_APPLICABLE' }, applied, false],
    [{}, {}, false],
    [{}, { outcome: 'REJECTED' }, false],
  ])('by %j: %j: %s', (one, other, isWarned) => {
    expect(codesOf(item('a', one, replaces), item('b', other))).toEqual(isWarned ? ['b SUPERSEDED a'] : []);
  });

  it('is said of the older one alone, with the reason', () => {
    expect(warningsOf('b', item('a', {}, replaces), item('b', applied))).toEqual([
      {
        code: 'SUPERSEDED',
        otherId: 'a',
        message: { en: '“Item a” replaces it: one kernel does both', zh: '已由“条目 a”取代：一个内核兼顾二者' },
      },
    ]);
  });
});

describe('relationWarnings, what does not apply', () => {
  it.each<[Partial<RelatedItem>, readonly string[]]>([
    [{ ...applied, isPast: true }, ['a NO_LONGER_NEEDED -']],
    [{ ...inPlace, isPast: true }, ['a NO_LONGER_NEEDED -']],
    [applied, ['a DOES_NOT_APPLY -']],
    [busy, ['a DOES_NOT_APPLY -']],
    [{ ...busy, isPast: true }, ['a DOES_NOT_APPLY -']],
    [{ isAdopted: true }, ['a DOES_NOT_APPLY -']],
    [{ isAdopted: true, outcome: 'DEFERRED' }, []],
    [{ work: 'DONE', outcome: 'REJECTED', isPast: true }, []],
    [{ isPast: true }, []],
    [{}, []],
  ])('to %j: %j', (changes, codes) => {
    expect(codesOf(item('a', { ...changes, applies: 'NO' }))).toEqual(codes);
    expect(codesOf(item('a', { ...changes, applies: 'YES' }))).toEqual([]);
    expect(codesOf(item('a', { ...changes, applies: 'UNKNOWN' }))).toEqual([]);
  });

  it('is said with the reason of the rules, where there is one', () => {
    const out = { ...applied, applies: 'NO' } as const;
    expect(warningsOf('a', item('a', { ...out, isPast: true }))[0]?.message).toEqual({
      en: 'a workaround that is no longer needed: PyTorch is 2.11.0',
      zh: '该规避措施已不再需要：PyTorch 为 2.11.0',
    });
    expect(warningsOf('a', item('a', out))[0]?.message).toEqual({
      en: 'does not apply here: PyTorch is 2.11.0',
      zh: '在此不适用：PyTorch 为 2.11.0',
    });
    expect(warningsOf('a', item('a', { ...out, isPast: true, reasons: [] }))[0]?.message).toEqual({
      en: 'a workaround that is no longer needed',
      zh: '该规避措施已不再需要',
    });
  });
});

describe('relationWarnings', () => {
  it('says nothing of items that the audit does not have, nor of an item and itself', () => {
    const other = ['other:section/b', 'section/gone'];
    const own = ['section/a'];
    expect(codesOf(item('a', applied, { requires: other, conflictsWith: other, supersedes: other }))).toEqual([]);
    expect(codesOf(item('a', applied, { requires: own, conflictsWith: own, supersedes: own }))).toEqual([]);
  });

  it('gathers what several relations say of one item', () => {
    const items = [
      item('a', { ...applied, isPast: true, applies: 'NO' }, { conflictsWith: ['section/b'], requires: ['section/c'] }),
      item('b', busy, { supersedes: ['section/a'] }),
      item('c'),
    ];
    expect(codesOf(...items)).toEqual([
      'a NO_LONGER_NEEDED -',
      'a CONFLICTING b',
      'a REQUIRED_MISSING c',
      'a SUPERSEDED b',
      'b CONFLICTING a',
    ]);
  });

  it('is empty for no items', () => expect(relationWarnings([]).size).toBe(0));
});
