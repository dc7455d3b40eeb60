import { describe, expect, it } from '@jest/globals';
import { readJson } from '../../src/domain/importers/json.js';
import { damagedOutput } from '../support/damaged-output.js';
import { seeded } from '../support/mutated-text.js';
import { pickedBy } from '../support/picked.js';
import { fixture, fixtures } from '../support/tool-output.js';

/** Where elements are to be handed over, a document is not left to JSON.parse. */
const lookedAt = { each: {} };
const texts = fixtures.map(({ name }) => ({ name, text: fixture(name) })).filter(({ text }) => /^\s*[{[]/.test(text));

function expectSame(text: string): void {
  const [own, looked] = [readJson(text), readJson(text, lookedAt)];
  expect(own).toEqual(looked);
  // in the same order too
  expect(JSON.stringify(own)).toBe(JSON.stringify(looked));
}

describe('JSON read by JSON.parse and value by value', () => {
  it.each(texts)('is the same: $name', ({ text }) => {
    expectSame(text);
  });

  it.each([1, 2, 3, 4, 5, 6])('is the same where it is damaged, seed %i', (seed) => {
    const random = seeded(seed);
    const pick = pickedBy(random);
    for (const { text } of texts) expectSame(damagedOutput({ text, other: pick(texts).text }, random).text);
  });
});
