import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook as command } from './support/command.js';
import { startService, type ServiceProcess } from './support/service-process.js';

const root = join(import.meta.dirname, '..');
const machine = 'examples/machines/h200';

let folder: string;
let service: ServiceProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunebook-detect-'));
  service = await startService(join(folder, 'data'));
  const made = await tunebook(['query', 'mutation { createProject(input: { slug: "demo", name: "Demo" }) { id } }']);
  expect(made).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `tunebook …` to its end: it asks the service. */
const tunebook = (args: readonly string[], input = '') =>
  command(args, { env: { TUNEBOOK_DATA: join(folder, 'data') }, input });

const environments = async (): Promise<unknown> => {
  const { out } = await tunebook([
    'query',
    '{ project(slug: "demo") { environments { name version hardware { slug } facts } } }',
  ]);
  return JSON.parse(out).data.project.environments;
};

describe('tunebook detect', () => {
  it('prints facts with their files and lines, the profile, and what is not known', async () => {
    const { code, out } = await tunebook(['detect', `${machine}/nvidia-smi-q.txt`, `${machine}/collect-env.txt`]);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('H200 SXM, 1 GPU; profile: h200-sxm');
    expect(out).toMatch(/^ {2}driver +580\.159\.04 +nvidia-smi -q, nvidia-smi-q\.txt:5$/m);
    expect(out).toMatch(/^ {2}torch +2\.11\.0\+cu130 +python -m torch\.utils\.collect_env, collect-env\.txt:3$/m);
    expect(out).toMatch(/^ {2}numa\.nodes +1 +lscpu, collect-env\.txt:59$/m);
    expect(out).toMatch(/^ {2}workload\.phase +\d+ items$/m);
    expect(out).toMatch(/^ {2}fabric\.kind +\d+ items +ibstat$/m);
  });

  it('reads the standard input, and gives JSON', async () => {
    const text = await readFile(join(root, machine, 'collect-env.txt'), 'utf8');
    const { code, out } = await tunebook(['detect', '--json'], text);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      summary: { text: 'H200 SXM, 1 GPU' },
      hardware: { slug: 'h200-sxm', isGeneric: false },
      facts: { driver: '580.159.04', torch: '2.11.0+cu130', cuda: '13.0', 'gpu.per_node': 1 },
      contradictions: [],
    });
  });

  it('creates the environment of a project, and then says what another driver changes', async () => {
    const q = join(root, machine, 'nvidia-smi-q.txt');
    const dry = await tunebook(['detect', q, '--project', 'demo', '--dry-run']);
    expect(dry.out).toContain('Nothing was written: the environment "default" would be created.');
    expect(await environments()).toEqual([]);
    const made = await tunebook(['detect', q, '--project', 'demo']);
    expect(made.out).toContain('The environment "default" is created.');
    expect(await environments()).toMatchObject([
      {
        name: 'default',
        version: 1,
        hardware: { slug: 'h200-sxm' },
        facts: { driver: '580.159.04', 'gpu.mig': 'none' },
      },
    ]);
    const newer = join(folder, 'newer.txt');
    await writeFile(newer, (await readFile(q, 'utf8')).replaceAll('580.159.04', '590.48.01'));
    const changed = await tunebook(['detect', newer, '--project', 'demo']);
    expect(changed.out).toContain('1 difference to the environment "default":\n  driver  580.159.04 -> 590.48.01');
    expect(await environments()).toMatchObject([{ version: 2, facts: { driver: '590.48.01', 'gpu.mig': 'none' } }]);
  });

  it('does not put one machine over another one unless it is told to', async () => {
    const csv = join(folder, 'a100.csv');
    await writeFile(csv, `\ufeffname, driver_version\nNVIDIA A100-SXM4-80GB, 570.86.15\n`, 'utf16le');
    const refused = await tunebook(['detect', csv, '--project', 'demo']);
    expect([refused.code, refused.err]).toEqual([
      1,
      'The environment "default" is h200-sxm, and this machine is a100-sxm-80gb: ' +
        'name another one with --environment, or put this machine in its place with --replace\n',
    ]);
    const replaced = await tunebook(['detect', csv, '--project', 'demo', '--replace']);
    expect(replaced.out).toContain('The environment "default" is changed.');
    expect(await environments()).toEqual([
      {
        name: 'default',
        version: 3,
        hardware: { slug: 'a100-sxm-80gb' },
        facts: { driver: '570.86.15', 'gpu.per_node': 1 },
      },
    ]);
  });

  it.each([
    [['detect', 'no-such-file.txt'], 1, /^no-such-file\.txt cannot be read: /],
    [['detect', `${machine}/collect-env.txt`, '--dry-run'], 64, /^error: --dry-run needs --project: without it nothing is written/],
    [['detect', `${machine}/collect-env.txt`, '--project', 'nowhere'], 1, /^There is no project "nowhere"/],
  ])('ends with an error for %j', async (args, ends, message) => {
    const { code, err } = await tunebook(args);
    expect(code).toBe(ends);
    expect(err).toMatch(message);
  }); // prettier-ignore

  it('fails where no tool is recognized, and says what was looked for', async () => {
    const { code, out } = await tunebook(['detect'], 'hello\n');
    expect(code).toBe(1);
    expect(out).toContain('warning: No fact of a machine was found; looked for the output of nvidia-smi -q,');
  });
});
