import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importers } from '../src/domain/importers/index.js';
import { tunebook } from './support/command.js';
import { MeasuredFiles } from './support/measured-files.js';

let files: MeasuredFiles;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  files = await MeasuredFiles.make();
  env = { TUNEBOOK_DATA: join(files.folder, 'data') };
  await files.write('mapping.json', '{}');
  await files.write('notes.md', '# What was measured\n');
});
afterAll(() => files.remove());

const run = (...args: readonly string[]) => tunebook(args, { cwd: files.folder, env });

describe('a wrong command line', () => {
  it.each([
    [[]],
    [['nothing']],
    [['--nothing']],
    [['content']],
    [['content', 'nothing']],
    [['content', 'import']],
    [['content', 'import', 'x.md', '--format', 'pdf']],
    [['query']],
    [['query', '{ projects { totalCount } }', '--variables', '{']],
    [['import', 'demo']],
    [['import', 'demo', 'notes.md', '--nothing']],
    [['import', 'demo', 'notes.md', '--format', 'hyperfine', '--mapping', 'mapping.json']],
    [['import', 'demo', '-', '-']],
    [['formats', 'x']],
    [['mapping']],
    [['recompute']],
    [['detect', '--nothing']],
    [['detect', 'notes.md', '--dry-run']],
    [['token', 'nothing']],
    [['token', 'create', 'demo']],
    [['token', 'create', 'demo', '--name', 'x', '--expires', 'never']],
    [['compare', 'notes.md']],
    [['gate', 'notes.md', 'notes.md', '--fail-on', 'x']],
    [['measure']],
    [['measure', 'demo']],
    [['measure', 'demo', 'notes.md', '--unit', 'ms']],
    [['measure', 'demo', 'notes.md', '--metric', 'a.b', '--direction', 'lower']],
  ])('ends with 64: %j', async (args) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).not.toBe('');
  });

  it.each([[['--help']], [['help']], [['import', '--help']], [['token', '--help']], [['gate', '--help']]])(
    'is not one that asks for help: %j',
    async (args) =>
      expect(await run(...args)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Usage:') }),
  );
});

it('prints its version', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

describe('a file that is not there', () => {
  const reason = 'cannot be read: there is no such file or folder\n';
  it.each([
    [['import', 'demo', 'nosuch.json'], 1, 'nosuch.json'],
    [['import', 'demo', 'notes.md', '--mapping', 'nosuch.json'], 1, 'nosuch.json'],
    [['content', 'import', 'nosuch.md'], 1, 'nosuch.md'],
    [['content', 'check', 'nosuch'], 1, 'nosuch'],
    [['mapping', 'nosuch.csv'], 1, 'nosuch.csv'],
    [['detect', 'nosuch.txt'], 1, 'nosuch.txt'],
    [['compare', 'nosuch.json', 'notes.md'], 2, 'nosuch.json'],
    [['compare', 'notes.md', 'notes.md', '--mapping', 'nosuch.json'], 2, 'nosuch.json'],
    [['gate', 'notes.md', 'nosuch.json'], 2, 'nosuch.json'],
    [['measure', 'demo', 'nosuch.json'], 1, 'nosuch.json'],
    [['measure', 'demo', 'notes.md', '--mapping', 'nosuch.json'], 1, 'nosuch.json'],
  ])('is named: %j', async (args, code, name) => {
    expect(await run(...args)).toEqual({ code, out: '', err: `${name} ${reason}` });
  });
});

describe('tunebook formats', () => {
  it('prints every format by its name, with what it reads and how it is told', async () => {
    const { code, out, err } = await run('formats');
    const [head, ...lines] = out.trimEnd().split('\n');
    expect({ code, err, head }).toEqual({
      code: 0,
      err: '',
      head: expect.stringMatching(/^FORMAT +RECOGNIZED +READS$/),
    });
    expect(lines).toHaveLength(importers.length + 2);
    expect(lines).toContainEqual(expect.stringMatching(/^hyperfine {2,}by content {2,}hyperfine --export-json/));
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^mapped +--mapping /),
      expect.stringMatching(/^plain-values +--metric, --unit, --direction /),
    ]);
    const listed = JSON.parse((await run('formats', '--json')).out);
    expect(listed.map(({ format }: { format: string }) => format)).toEqual([
      ...importers.map(({ tool }) => tool),
      'mapped',
      'plain-values',
    ]);
  });

  it('is what commands name where a format is not known, in either language', async () => {
    const unknown = await run('compare', 'notes.md', 'notes.md', '--format', 'excel');
    expect(unknown.out).toContain('The format "excel" is not known; `tunebook formats` lists those that are');
    const none = await run('compare', 'notes.md', 'notes.md', '--lang', 'zh');
    expect(none.out).toContain('支持的格式见 tunebook formats');
    for (const { out } of [unknown, none]) expect(out).not.toContain('importFormats');
  });
});
