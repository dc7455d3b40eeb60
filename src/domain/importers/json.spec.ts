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
