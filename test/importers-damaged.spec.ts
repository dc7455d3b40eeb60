import { describe, expect, it } from '@jest/globals';
import { importers, readContent } from '../src/domain/importers/index.js';
import { damagedOutput, damages } from './support/damaged-output.js';
import { hostileOutputs, hostileText } from './support/hostile-outputs.js';
import { seeded } from './support/mutated-text.js';
import { pickedBy } from './support/picked.js';
import { readingFaults } from './support/reading-faults.js';
import { fixture, fixtures } from './support/tool-output.js';

// A few of each: `npm run bench:fuzz` damages ten thousand, and `npm run bench:hostile` asks what large ones cost.

describe('damaged output', () => {
  it.each(importers.map(({ tool }) => tool))('of %s gives what can be stored, or says what is wrong', (tool) => {
    const own = fixtures.filter((each) => each.tool === tool);
    const random = seeded(20_260_203 + tool.length * 7_919 + tool.charCodeAt(0));
    for (const { name } of own) {
      for (let round = 0; round < Math.max(2, 8 / own.length); round += 1) {
        const other = fixture(pickedBy(random)(fixtures).name);
        const { text, kinds } = damagedOutput({ text: fixture(name), other }, random);
        const faults = [undefined, tool].flatMap((format) => readingFaults(readContent(text, format)));
        expect({ name, kinds, faults }).toEqual({ name, kinds, faults: [] });
      }
    }
  });

  it.each(Object.entries(damages))('%s: is no reason to fail for any tool', (_, damage) => {
    const random = seeded(11);
    for (const { tool } of importers) {
      const name = pickedBy(random)(fixtures.filter((each) => each.tool === tool)).name;
      const text = damage({ text: fixture(name), other: fixture(pickedBy(random)(fixtures).name) }, random);
      expect([name, ...readingFaults(readContent(text, tool))]).toEqual([name]);
    }
  });
});

describe('hostile output', () => {
  it.each(importers.map(({ tool }) => tool))('is answered by %s', (tool) => {
    for (const hostile of hostileOutputs) {
      const text = hostileText(hostile, 2_000);
      expect([text.slice(0, 50), ...readingFaults(readContent(text, tool))]).toEqual([text.slice(0, 50)]);
    }
  });

  it('is of no tool, or of those that it names', () => {
    for (const hostile of hostileOutputs) expect(readingFaults(readContent(hostileText(hostile, 2_000)))).toEqual([]);
  });
});
