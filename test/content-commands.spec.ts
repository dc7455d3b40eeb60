import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const fixture = join(import.meta.dirname, 'fixtures/content/valid');
const stone = 'checklists/bread/oven/preheated-stone.yaml';

let folder: string;
let dataFolder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunebook-bread-'));
  dataFolder = await mkdtemp(join(tmpdir(), 'tunebook-commands-'));
  await cp(fixture, folder, { recursive: true });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(dataFolder, { recursive: true, force: true });
});

/** Runs `tunebook content …` to its end. */
function content(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/tunebook.mjs', 'content', ...args], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', TUNEBOOK_DATA: dataFolder, DATABASE_URL: '' },
    });
    const text = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text }));
  });
}
const edit = async (from: string, to: string) => {
  const text = await readFile(join(folder, stone), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(folder, stone), text.replace(from, to));
};

describe('tunebook content', () => {
  it('records translations, and then finds nothing wrong', async () => {
    const before = await content('check', folder);
    expect(before.code).toBe(1);
    expect(before.err).toContain('The content has 24 problem(s):');
    expect(await content('translated', folder)).toMatchObject({ code: 0, out: '' });
    const after = await content('check', folder);
    expect(after.code).toBe(0);
    expect(after.out).toMatch(/bread \/ oven +│ 2 +│ 16 +│ 16 +│ 2 +│ 0 +│ 0 +│ 0/);
    expect(after.out).toContain('No problems.');
  });

  it('fails while a text is stale, until it is translated or accepted', async () => {
    await edit('A hot stone gives', 'A very hot stone gives');
    const stale = await content('translated', folder);
    expect(stale.code).toBe(1);
    expect(stale.out).toBe('bread:oven/preheated-stone#why: the English changed, the Chinese did not\n');
    const checked = await content('check', folder);
    expect(checked.code).toBe(1);
    expect(checked.err).toMatch(
      /preheated-stone\.yaml:\d+ why\.zh: the Chinese is not known to be made from this English/,
    );
    expect(await content('translated', folder, '--accept', 'oven/preheated-stone#why')).toMatchObject({ code: 0 });
    expect(await content('check', folder)).toMatchObject({ code: 0 });
  });

  it('fails for a broken file, and prints the table all the same', async () => {
    await edit('order: 1', 'order: 0');
    const { code, out, err } = await content('check', folder);
    expect(code).toBe(1);
    expect(out).toContain('bread / oven');
    expect(err).toContain(`${stone}:1 order: Too small`);
  });

  it('previews a checklist, writes it, and exports it as a bundle that is known', async () => {
    const file = join(root, 'examples/checklists/gpu-node-acceptance.md');
    const preview = await content('import', file, '--dry-run', '--items');
    expect(preview).toMatchObject({ code: 0, err: '' });
    expect(preview.out).toContain('hardware/every-gpu-is-there: Every GPU is there / GPU 数量齐全');
    expect(preview.out).toContain('Nothing was written. It would be release 1.0.0 of "gpu-node-acceptance".');
    expect((await content('import', file)).out).toContain('Release 1.0.0 of "gpu-node-acceptance" is written.');
    const bundle = join(folder, 'bundle.yaml');
    expect(await content('export', 'gpu-node-acceptance', '--output', bundle)).toMatchObject({ code: 0, out: '' });
    expect((await content('import', bundle)).out).toContain(
      'Release 1.0.0 of "gpu-node-acceptance" says the same already.',
    );
    const changed = (await readFile(bundle, 'utf8')).replace('Every GPU is there', 'Each GPU is there');
    await writeFile(bundle, changed);
    expect(await content('import', bundle)).toMatchObject({
      code: 1,
      err: expect.stringContaining('raise "release" in the file to 1.1.0 or higher, or give the version 1.1.0'),
    });
    await writeFile(bundle, changed.replace('release: 1.0.0', 'release: 1.1.0'));
    expect((await content('import', bundle)).out).toContain('Release 1.1.0 of "gpu-node-acceptance" is written.');
    expect(await content('export', 'nothing')).toMatchObject({ code: 1, err: 'There is no checklist "nothing"\n' });
    const broken = await content('import', join(root, 'test/fixtures/content/valid/tags.yaml'));
    expect(broken.code).toBe(1);
  });
});
