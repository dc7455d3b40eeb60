import { describe, expect, it } from '@jest/globals';
import { readContent } from '../src/domain/importers/index.js';
import type { Reading } from '../src/domain/importers/importer.js';
import { becauseNoCorpus, corpus, hasCorpus, storedFiles } from './support/corpus.js';
import { fixture, fixtures, textAt } from './support/tool-output.js';

/** What tells of a person or of one machine, wherever it stands. */
const telling: readonly (readonly [string, RegExp])[] = [
  ['a home', /(?:\/home\/|\/Users\/|\/root\/|[A-Za-z]:\\{1,2}Users\\{1,2})[\w.-]+/i],
  ['an IPv4 address', /(?<![\d.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/],
  ['a MAC address', /(?<![0-9a-f:])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![0-9a-f:])/i],
  ['a UUID', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i],
  ['an e-mail address', /[\w.+-]+@[\w-]+\.[a-z]{2,}/i],
  ['a credential', /\b(?:sk|ghp|hf)[-_][A-Za-z0-9]{10,}/],
  // of our fixtures and of the corpus, where hosts and users have these names
  ['a host', /\b(?:node\d+|build-17|host-linux|user@host)\b/i],
  ['a user', /\b(?:alice|jane)\b/i],
];

/** Versions of four numbers look like addresses. */
const versionKeys = /"(?:[\w.]*(?:version|driver|torch|cuda|nccl|cudnn|tensorrt)[\w.]*)":"[^"]*"/gi;

function leaks({ runs, problems }: Reading): readonly string[] {
  const text = JSON.stringify([
    runs.map(({ observations, ...run }) => ({
      ...run,
      observations: observations.map(({ metric, dimensions, unit, blocks }) => ({ metric, dimensions, unit, blocks })),
    })),
    problems,
  ]).replace(versionKeys, '""');
  return telling.flatMap(([name, pattern]) => {
    const found = pattern.exec(text);
    return found ? [`${name}: ${text.slice(Math.max(0, found.index - 40), found.index + 60)}`] : [];
  });
}

describe('what importers give', () => {
  it.each(telling.filter(([name]) => !/MAC|credential|e-mail/.test(name)))('is looked at in fixtures that hold %s', (_, pattern) => {
    expect(fixtures.filter(({ name }) => pattern.test(fixture(name))).length).toBeGreaterThan(1);
  }); // prettier-ignore

  it.each(fixtures)('tells of no person and of no machine: $name', ({ name, tool }) => {
    expect(leaks(readContent(fixture(name), tool).reading)).toEqual([]);
  });
});

const describeCorpus = hasCorpus ? describe : describe.skip;
describeCorpus(`what importers give of real outputs${becauseNoCorpus}`, () => {
  it.each(storedFiles())('tells of no person and of no machine: $path', ({ path }) => {
    expect(leaks(readContent(textAt(`${corpus}/${path}`)).reading)).toEqual([]);
  });
});
