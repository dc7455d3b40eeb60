import { describe, expect, it } from '@jest/globals';
import { readJson, type Json } from './json.js';

describe('JSON of which not all is kept', () => {
  const text =
    '{"a": 1, "texts": ["x", {"y": "]\\"}"}, null, -1e5, Infinity], "rows": [{"n": 1, "texts": "z"}, {"n": 2}], "b": 2}';

  it('reads the values of skipped keys as null, at any depth', () => {
    expect(readJson(text, { skip: new Set(['texts']) }).documents[0]?.value).toEqual({
      a: 1,
      texts: null,
      rows: [{ n: 1, texts: null }, { n: 2 }],
      b: 2,
    });
  });

  it('hands over the elements of an array one by one and keeps none', () => {
    const taken: Json[] = [];
    const { documents } = readJson(text, { skip: new Set(['texts']), each: { rows: (row) => taken.push(row) } });
    expect(taken).toEqual([{ n: 1, texts: null }, { n: 2 }]);
    expect(documents[0]?.value).toEqual({ a: 1, texts: null, rows: [], b: 2 });
  });

  it.each(['{"texts": [}', '{"texts": {"a": [1}', '{"texts": "x', '{"texts": [1, 2', '{"texts": tru}'])(
    'still notices what is broken in a skipped value: %s',
    (broken) => {
      expect(readJson(broken, { skip: new Set(['texts']) }).problem).not.toBeNull();
    },
  );
});

/** `each` keeps JSON.parse from what is read: whatever it is asked for, each value is looked at. */
const lookedAt = { each: {} };

describe('JSON that JSON.parse reads', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const texts: readonly (readonly [what: string, text: string])[] = [
    ['a key with a name of JavaScript', '{"__proto__": {"a": 1}, "constructor": 2}'],
    ['the same key with the same value', '{"a": 1, "b": 2, "a": 1}'],
    ['the same key with another value', '{"a": 1,\n"a": 2}'],
    ['the same key deep inside', '[{"x": {"a": [1], "a": [2]}}]'],
    ['a key that stands twice in other spellings', '{"a": 1, "\\u0061": 2}'],
    ['keys that are numbers', '{"b": 1, "10": 2, "9": 3}'],
    ['colons and brackets in texts', '{"a:[{": "}]:\\"", "b": ":"}'],
    ['numbers beyond 2^53', '{"id": 12345678901234567890, "min": -1e400, "zero": -0}'],
    ['NaN and Infinity', '{"a": NaN, "b": [Infinity, -Infinity]}'],
    ['numbers that JSON does not have', '[007, 1.]'],
    ['as many levels as are read', deep(64)],
    ['one level more', deep(65)],
    ['levels that are refused', deep(67)],
    ['so many levels that a stack overflows', deep(100_000)],
    ['characters that no database stores', '["\\u0000", "\\ud800", "\\ud83d\\ude00"]'],
    ['half of a pair beside an escape', '["\\n\ud800"]'],
    ['half of a pair alone', '["\ud800"]'],
    ['an escape that JSON does not know', '["\\x"]'],
    ['a line break in a text', '["a\nb"]'],
    ['lines of values', '{"a": 1}\n{"a": 2}\n\n[3]\n4 "x" null'],
    ['lines of which one is broken', '{"a": 1}\n{"a": 2\n{"a": 3}'],
    ['a byte order mark', '\ufeff{"a": 1}'],
    ['other blanks', '{"a":\u00a01}'],
    ['brackets that do not fit', '{"a": [1}]'],
    ['a comma too many', '[1, 2,]'],
    ['nothing', ' \n'],
    ['text that ends in a text', '{"a": "b'],
    ['text that ends in a number', '[1.5, 2.'],
    ['text that ends in a list', '[{"a": 1},'],
  ];

  it.each(texts)('is read as if each value were looked at: %s', (_, text) => {
    expect(readJson(text)).toEqual(readJson(text, lookedAt));
    expect(JSON.stringify(readJson(text))).toBe(JSON.stringify(readJson(text, lookedAt)));
  });

  it('keeps a key with a name of JavaScript as one like any other', () => {
    const [document] = readJson('{"__proto__": {"a": 1}}').documents;
    expect(JSON.stringify(document?.value)).toBe('{"__proto__":{"a":1}}');
    expect(Object.getPrototypeOf(document?.value)).toBe(Object.prototype);
  });

  it('names the line of a key that stands twice with different values', () => {
    expect(readJson('[1]\n{"a": 1,\n"a": 2}').problem).toMatchObject({ line: 3, code: 'INVALID_JSON' });
  });

  it('refuses elements that would be handed over twice, and null beside a number that JSON does not have', () => {
    const taken: unknown[] = [];
    const selection = { each: { list: (element: unknown) => taken.push(element) } };
    expect(readJson('{"list": [1],\n"list": [2]}', selection).problem).toMatchObject({ line: 2, code: 'INVALID_JSON' });
    expect(taken).toEqual([1]);
    expect(readJson('{"a": null, "a": NaN}').problem).toMatchObject({ code: 'INVALID_JSON' });
    expect(readJson('{"a": [1e999], "a": [null]}').problem).toMatchObject({ code: 'INVALID_JSON' });
    expect(readJson('{"a": [NaN], "a": [NaN]}').problem).toBeNull();
  });

  it('skips the same values', () => {
    const text = '{"a": {"skip": {"x": 1, "x": 2}}, "list": [{"skip": "y", "b": 1}], "skip": [NaN]}';
    const selection = { skip: new Set(['skip']) };
    const kept = { a: { skip: null }, list: [{ skip: null, b: 1 }], skip: null };
    expect(readJson(text, selection).documents[0]?.value).toEqual(kept);
    expect(readJson('{"a": {"skip": [[1]]}, "b": 2}', selection).documents[0]?.value).toEqual({
      a: { skip: null },
      b: 2,
    });
  });

  it('hands over elements inside of elements, the inner ones first', () => {
    const taken: Json[] = [];
    const take = (element: Json) => taken.push(element);
    const text = '{"rows": [{"id": 1, "parts": [{"p": 1}, {"p": 2}]}, {"id": 2, "parts": null}]}';
    const { documents } = readJson(text, { each: { rows: take, parts: take } });
    expect(taken).toEqual([{ p: 1 }, { p: 2 }, { id: 1, parts: [] }, { id: 2, parts: null }]);
    expect(documents[0]?.value).toEqual({ rows: [] });
  });
});
