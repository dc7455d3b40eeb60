import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import * as given from './support/given.js';
import { listeningService, type ListeningService } from './support/listening-service.js';
import { MeasuredFiles } from './support/measured-files.js';

const table = (factor: number, unit = '') =>
  ['ttft, batch, note', ...[100, 101, 99, 100.5].map((value) => `${value * factor}${unit},8,x`), ''].join('\n');
const yaml = `layout: WIDE
rows: GROUPED
columns:
  - { column: ttft, role: METRIC, metric: serving.ttft.mean, unit: ms }
  - { column: batch, role: WORKLOAD, key: batch_size, unit: null }
  - { column: note, role: IGNORED }
`;
const hint =
  'No format is known for this table of 3 columns: say in a file what they mean, and name it by --mapping. ' +
  '`tunebook mapping` writes one to begin with';

let service: ListeningService;
let files: MeasuredFiles;
let slug: string;
let token: string;

beforeAll(async () => {
  files = await MeasuredFiles.make();
  service = await listeningService(files.folder);
  const audit = await given.audit(service.db);
  ({ slug } = audit.project);
  ({ secret: token } = await service.token([audit.project.id]));
  await files.write('before.csv', table(1));
  await files.write('after.csv', table(1.1));
  await files.write('other.csv', table(1.2));
  await files.write('mapping.yaml', yaml);
  await files.write('wrong.yaml', yaml.replace('unit: ms', 'units: ms').replace('IGNORED', 'NOTHING'));
  await files.write('broken.json', '{ "layout": "WIDE", ');
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

const run = (...args: readonly string[]) =>
  tunebook(args, { cwd: files.folder, env: { TUNEBOOK_SERVER: service.address, TUNEBOOK_TOKEN: token } });

describe('--mapping of compare and gate', () => {
  it('reads tables of a person by what their columns mean', async () => {
    const { code, out, err } = await run('compare', 'before.csv', 'after.csv', '--mapping', 'mapping.yaml');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')[0]).toMatch(/^Likely regressed: serving\.ttft\.mean −9\.1 %/);
    expect(await run('gate', 'before.csv', 'after.csv', '--mapping', 'mapping.yaml')).toMatchObject({ code: 1 });
    const json = JSON.parse(
      (await run('compare', 'before.csv', 'after.csv', '--mapping', 'mapping.yaml', '--output', 'json')).out,
    );
    expect(json.files.before).toEqual([{ name: 'before.csv', format: 'mapped', runCount: 1 }]);
  });

  it('is what a table that nobody knows asks for', async () => {
    const { code, out } = await run('compare', 'before.csv', 'after.csv');
    expect(code).toBe(2);
    expect(out).toContain(`- before.csv: error: ${hint}\n`);
    const inChinese = await run('compare', 'before.csv', 'after.csv', '--lang', 'zh');
    expect(inChinese.out).toContain('请在文件中说明各列含义并用 --mapping 指定');
  });

  it.each([
    ['wrong.yaml', [/^error: the mapping in wrong\.yaml cannot be used$/, /^ {2}wrong\.yaml:4 columns\.0.*units/, /^ {2}wrong\.yaml:6 columns\.2\.role: /]],
    ['broken.json', [/^error: the mapping in broken\.json cannot be used$/, /^ {2}broken\.json:\d+.*: /]],
  ] as const)('says of %s where it is wrong', async (file, patterns) => {
    for (const command of [['compare'], ['gate'], ['measure', slug, '--before'], ['import', slug]]) {
      const [name = '', ...rest] = command;
      const paths = name === 'measure' ? ['before.csv', '--after', 'after.csv', '--item', 'x', '--metric', 'm'] : ['before.csv', 'after.csv'];
      const { code, out, err } = await run(name, ...rest, ...paths, '--mapping', file);
      expect({ code, out }).toEqual({ code: 64, out: '' });
      const lines = err.trimEnd().split('\n');
      for (const pattern of patterns) expect(lines).toContainEqual(expect.stringMatching(pattern));
    }
  }); // prettier-ignore
});

describe('--mapping of measure', () => {
  it('sends tables with what their columns mean, and lets the project remember it', async () => {
    const asked = await run('measure', slug, 'before.csv');
    expect(asked).toMatchObject({ code: 1, out: expect.stringContaining(`  error: ${hint}\n`) });
    const args = ['measure', slug, 'before.csv', '--mapping', 'mapping.yaml', '--mapping-name', 'Latency'];
    const dry = await run(...args, '--dry-run');
    expect(dry.out).toMatch(/^before\.csv: mapped, 1 run, 1 observation; nothing was written\n {2}run 1: new OK\n {4}serving\.ttft\.mean {2}100\.3 ms, median of 4 values {2}lower is better$/m);
    expect(await run(...args)).toMatchObject({ code: 0, out: expect.stringMatching(/^before\.csv: mapped, 1 run/) });
    expect(await service.db.columnMapping.findMany({ select: { name: true } })).toEqual([{ name: 'Latency' }]);
    const remembered = await run('measure', slug, 'after.csv');
    expect(remembered).toMatchObject({ code: 0, out: expect.stringContaining('Read by the column mapping "Latency"') });
    const named = await run('measure', slug, 'other.csv', '--mapping-name', 'Latency');
    expect(named).toMatchObject({ code: 0, out: expect.stringMatching(/^other\.csv: mapped, 1 run/) });
  }); // prettier-ignore
});

describe('tunebook mapping', () => {
  it('prints a mapping to begin with, which can be used as it is where nothing is open', async () => {
    await files.write('known.csv', 'ttft_ms,concurrency\n100,8\n101,8\n');
    await files.write('known-after.csv', 'ttft_ms,concurrency\n110,8\n111,8\n');
    const { code, out, err } = await run('mapping', 'known.csv');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ layout: 'WIDE', columns: [{ column: 'ttft_ms', role: 'METRIC', unit: 'ms' }, {}] });
    await files.write('known.json', out);
    expect(await readFile(join(files.folder, 'known.json'), 'utf8')).toBe(out);
    expect(await run('compare', 'known.csv', 'known-after.csv', '--mapping', 'known.json')).toMatchObject({ code: 0 });
  }); // prettier-ignore

  it('says which unit is open, and what is no table', async () => {
    expect((await run('mapping', 'before.csv')).err).toMatch(/^warning: Say the unit of ttft: /);
    await files.serving('base', [100]);
    expect(await run('mapping', 'base-1.json')).toEqual({
      code: 1,
      out: '',
      err: 'base-1.json is read as vllm-bench-serve, so that it needs no mapping\n',
    });
    await files.write('notes.md', '# What was measured\n');
    expect(await run('mapping', 'notes.md')).toMatchObject({ code: 1, err: expect.stringMatching(/^notes\.md holds no table: /) });
  }); // prettier-ignore
});
