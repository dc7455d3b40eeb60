import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import * as given from './support/given.js';
import { labFile } from './support/lab-file.js';
import { listeningService, type ListeningService } from './support/listening-service.js';
import { MeasuredFiles } from './support/measured-files.js';

const root = join(import.meta.dirname, '..');
const steady = [100, 101, 99, 100.5];
const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SHA: '4f1c2d3e5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d',
  GITHUB_REF_NAME: 'main',
  GITHUB_HEAD_REF: 'faster-prefill',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'example/engine',
  GITHUB_RUN_ID: '123',
  GITHUB_JOB: 'bench',
};

let service: ListeningService;
let files: MeasuredFiles;
let audit: given.GivenAudit;
let slug: string;
let token: string;

beforeAll(async () => {
  files = await MeasuredFiles.make();
  service = await listeningService(files.folder);
  audit = await given.audit(service.db);
  ({ slug } = audit.project);
  ({ secret: token } = await service.token([audit.project.id]));
  await files.serving('base', steady);
  await files.write('notes.md', '# What was measured\n');
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

const measure = (args: readonly string[], env: NodeJS.ProcessEnv = {}, input = '') => {
  const settings = { TUNEBOOK_SERVER: service.address, TUNEBOOK_TOKEN: token, ...env };
  return tunebook(['measure', ...args], { cwd: files.folder, env: settings, input });
};
const runs = () => service.db.run.findMany({ where: { projectId: audit.project.id }, orderBy: { id: 'asc' } });

describe('tunebook measure', () => {
  it('shows in a dry run what each run would hold, and writes nothing', async () => {
    const { code, out, err } = await measure([slug, 'base-1.json', '--dry-run']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'base-1.json: vllm-bench-serve, 1 run, 9 observations; nothing was written',
      '  run 1: new OK',
      '    serving.request_throughput       5 requests/s  higher is better',
      '    serving.output_token_throughput  640 tokens/s  higher is better',
      ...Array.from({ length: 7 }, () =>
        expect.stringMatching(/^ {4}\S+ {2,}\S.* (?:higher|lower) is better$|no direction$/),
      ),
      '',
    ]);
    expect(await runs()).toEqual([]);
    expect(await service.db.evidence.count()).toBe(0);
  });

  it('shows numbers that stand for several values by their median, and all of it as JSON', async () => {
    await files.hyperfine('make.json', 'make', [1.5, 1.25, 1.75]);
    const { out } = await measure([slug, 'make.json', '--dry-run']);
    expect(out).toMatch(/^ {4}time\.median {2,}1\.5 s, median of 3 values {2,}lower is better$/m);
    const report = JSON.parse((await measure([slug, 'make.json', '--dry-run', '--output', 'json'])).out);
    expect(report.files[0]).toMatchObject({ file: 'make.json', format: 'hyperfine', runs: [] });
    expect(report.files[0].wouldWrite).toMatchObject([{ index: 0, knownRunId: null, status: 'OK', variant: 'make' }]);
    expect(report.files[0].wouldWrite[0].observations).toContainEqual({
      metric: 'time.median',
      unit: 's',
      direction: 'LOWER_IS_BETTER',
      dimensions: {},
      value: 1.5,
      count: 3,
      statistic: 'MEDIAN',
    });
    expect(await runs()).toEqual([]);
  });

  it('asks what plain numbers are, and takes them then', async () => {
    await files.write('steps.txt', '86.5\n85.9\n86.1\n');
    const asked = await measure([slug, 'steps.txt']);
    expect(asked).toEqual({
      code: 1,
      out:
        'steps.txt: not recognized, 0 runs, 0 observations\n' +
        '  error: The file holds nothing but numbers: say what they are by --metric, --unit and --direction\n',
      err: '',
    });
    const said = ['--metric', 'training.step_time', '--unit', 's', '--direction', 'lower', '--dry-run'];
    const { code, out } = await measure([slug, 'steps.txt', ...said]);
    expect(code).toBe(0);
    expect(out).toContain('    training.step_time  86100 ms, median of 3 values  lower is better\n');
    expect(await measure([slug, 'steps.txt', ...said.with(5, 'higher')])).toMatchObject({
      code: 64,
      err: 'error: the catalog says of training.step_time LOWER_IS_BETTER, so it is not "higher"\n',
    });
  });

  it('points to tunebook detect for the topology of a machine, as compare does', async () => {
    const matrix = '\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\t0-31\t0\nGPU1\tNV18\t X \t0-31\t0\n';
    await files.write('topo.txt', `$ nvidia-smi topo -m\r\n${matrix.replaceAll('\n', '\r\n')}`);
    const message = 'read it as facts of the machine with tunebook detect';
    const sent = await measure([slug, 'topo.txt']);
    expect(sent).toMatchObject({ code: 1, out: expect.stringContaining(message) });
    expect(sent.out).not.toContain('--mapping');
    const compared = await tunebook(['compare', 'topo.txt', 'base-1.json'], { cwd: files.folder });
    expect(compared).toMatchObject({ code: 2, out: expect.stringContaining(message) });
    expect(compared.out).not.toContain('--mapping');
  });

  it('sends files with what the pipeline says of itself, in the name of its token, which it shows to nobody', async () => {
    const { code, out, err } = await measure(
      [slug, 'base-1.json', '--session', 'job-1', '--set', 'driver=580.65', '--output', 'ids'],
      github,
    );
    expect({ code, err }).toEqual({ code: 0, err: 'base-1.json: vllm-bench-serve, 1 run, 9 observations\n' });
    const [run1] = await runs();
    expect(out).toBe(`${run1?.id}\n`);
    expect(run1).toMatchObject({
      source: 'CI',
      session: 'job-1',
      commit: github.GITHUB_SHA,
      imageDigest: null,
      environment: {
        driver: '580.65',
        'ci.provider': 'github',
        'ci.branch': 'faster-prefill',
        'ci.pipeline': 'https://github.com/example/engine/actions/runs/123',
        'ci.job': 'bench',
      },
    });
    const by = await service.db.user.findUniqueOrThrow({ where: { id: run1?.createdById ?? '' } });
    expect(by).toMatchObject({ name: 'nightly', isMachine: true });
    expect(`${out}${err}`).not.toContain('tb_');
  });

  it('prints what became of each file as JSON, and knows content that it is sent again', async () => {
    const sent = await measure([slug, 'base-2.json', 'base-3.json', '--output', 'json']);
    expect(sent.code).toBe(0);
    const report = JSON.parse(sent.out);
    expect(report).toMatchObject({ format: 'tunebook-measure/1', project: slug, trial: null });
    expect(report.files).toMatchObject([
      { file: 'base-2.json', arm: null, wouldWriteCount: 1, runs: [{ isNew: true, status: 'OK' }] },
      { file: 'base-3.json', arm: null, wouldWriteCount: 1, runs: [{ isNew: true, status: 'OK' }] },
    ]);
    const again = await measure([slug, 'base-2.json', 'base-3.json']);
    expect(again.code).toBe(0);
    expect(again.out.match(/ known OK/g)).toHaveLength(2);
    expect(await runs()).toHaveLength(3);
  });

  it('reads the standard input', async () => {
    const text = await readFile(join(files.folder, 'base-4.json'), 'utf8');
    const { code, out, err } = await measure([slug, '-', '--dry-run'], {}, text);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')[0]).toBe('-: vllm-bench-serve, 1 run, 9 observations; nothing was written');
  });

  it('goes on after a file that is refused, and ends with 1', async () => {
    const { code, out } = await measure([slug, 'notes.md', 'base-1.json']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^notes\.md: not recognized, 0 runs, 0 observations\n {2}error: The content is of none of the \d+ formats that are known; `tunebook formats` lists them\n/,
    );
    expect(out).toMatch(
      /base-1\.json: vllm-bench-serve, 1 run, 9 observations\n {2}run \S+ known OK\n {2}warning: This content was imported before/,
    );
  });

  it.each([
    [['demo', 'missing.json'], 1, 'missing.json cannot be read: there is no such file or folder\n'],
    [['demo', 'base-1.json', '--server', 'ftp://x'], 64, 'error: --server takes an address such as https://tunebook.example.org, not "ftp://x"\n'],
    [['demo'], 64, 'error: files are needed: behind the project, or behind --before and --after\n'],
    [['demo', '-', '-'], 64, 'error: the standard input (-) can be read once\n'],
    [['demo', 'base-1.json', '--set-after', 'driver=1'], 64, 'error: --session-after and --set-after are of files of the arm after, and none are given\n'],
  ])('refuses %j', async (args, code, err) => {
    expect(await measure(args)).toMatchObject({ code, out: '', err });
  }); // prettier-ignore

  it('ends with 2 where nothing listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    expect(await measure([slug, 'base-1.json', '--server', address, '--retries', '0'])).toMatchObject({
      code: 2,
      err: `${address} cannot be reached: nothing listens there\n`,
    });
  });

  it('opens the data folder where no server is named', async () => {
    const env = { TUNEBOOK_SERVER: '', TUNEBOOK_DATA: join(files.folder, 'own-data') };
    expect(await measure(['nowhere', 'base-1.json'], env)).toMatchObject({
      code: 1,
      out: '',
      err: 'There is no project "nowhere", or it may not be seen\n',
    });
  });
});

describe('the machine of tunebook measure', () => {
  const lab = (name: string, gpus: number) =>
    files.write(name, labFile('before', { environment: { gpu: 'NVIDIA H200', gpu_count: gpus, driver: '570.1', cuda: '13.0', torch: '2.11.0' }, label: name }));
  const machine = join(root, 'examples/machines/h200/nvidia-smi-q.txt');
  const collective = join(root, 'test/fixtures/importers/nccl-tests/all-reduce.txt');

  it('is refused where it is another one than the file names, with both and the option', async () => {
    const before = await runs();
    const { code, out } = await measure([slug, collective, '--environment', machine]);
    expect(code).toBe(1);
    expect(out).toContain(
      `  error: The file says gpu.sku = "H100 SXM", you say "H200 SXM", and runs that differ in it cannot be compared: leave it out, or name gpu.sku in override (you: --environment ${machine})\n`,
    );
    expect(out).toContain('error: gpu.count = 4 (the file), nodes.count = 1 (the file), gpu.per_node = 1 (you) cannot all be true');
    expect(await runs()).toEqual(before);
  });

  it('is kept with what the file leaves open, and a fact that differs is named', async () => {
    const { code, out, err } = await measure([slug, await lab('one.json', 1), '--environment', machine]);
    expect({ code, err }).toEqual({ code: 0, err: 'Machine: H200 SXM, 1 GPU\n' });
    expect(out.match(/^ {2}(?:warning|error).*$/gm)).toEqual([
      `  warning: The file says driver = "570.1", you say "580.159.04": yours is kept (you: --environment ${machine})`,
    ]);
    const environment = (await runs()).at(-1)?.environment;
    expect(environment).toMatchObject({
      driver: '580.159.04', torch: '2.11.0', 'gpu.sku': 'H200 SXM', 'gpu.count': 1, 'gpu.per_node': 1, 'gpu.memory': 141,
    });
    expect(Object.keys(environment ?? {}).filter((key) => key.startsWith('capability'))).toEqual([]);
  });

  it('may stand against the file where that is meant', async () => {
    const refused = await measure([slug, await lab('two.json', 1), '--set', 'gpu.sku=h100-sxm']);
    expect(refused.out).toContain('name gpu.sku in override (you: --set)');
    const { code, out } = await measure([slug, 'two.json', '--set', 'gpu.sku=h100-sxm', '--override', 'gpu.sku']);
    expect(code).toBe(0);
    expect(out).toContain('you say "H100 SXM": yours is kept (you: --set)');
  });

  it.each([
    ['notes.md', '# What was measured\n', 'No fact of a machine was found; looked for the output of nvidia-smi'],
    ['empty.txt', '', 'The text is empty'],
    ['blank.txt', ' \n\n', 'The text is empty'],
    ['none.json', '{}', 'it has no fact'],
    ['null.json', '{"driver": null}', 'it has no fact'],
  ])('is refused where %s has no fact of one', async (name, text, why) => {
    await files.write(name, text);
    const before = await runs();
    const { code, out, err } = await measure([slug, 'base-1.json', '--environment', name]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.startsWith(`--environment ${name} says nothing of a machine: ${why}`)).toBe(true);
    expect(await runs()).toEqual(before);
  });

  it('has no fact in which the output of tools contradicts itself, which is told', async () => {
    const text = await readFile(machine, 'utf8');
    await files.write('both.txt', text + text.replace(/580\.159\.04/g, '575.51.03'));
    const { code, err } = await measure([slug, 'base-1.json', '--environment', 'both.txt', '--dry-run']);
    expect(code).toBe(0);
    expect(err).toContain('warning: --environment both.txt says driver = "580.159.04" and "575.51.03": it is left out\n');
  });
}); // prettier-ignore

describe('the token of tunebook measure', () => {
  const wrong = `tb_0123456789_${'a'.repeat(43)}`;
  const unknown = 'Set TUNEBOOK_TOKEN to a service token that is valid.\n';

  it.each([
    ['of nobody', wrong],
    ['that is none', 'tb_spec_secret'],
  ])('%s is refused', async (_, shown) => {
    const { code, out, err } = await measure([slug, 'base-4.json'], { TUNEBOOK_TOKEN: shown });
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `${service.address} does not know who asks: The token is neither a service token nor the secret of this data folder. ${unknown}`,
    });
  });

  it('that was revoked is refused', async () => {
    const { id, secret } = await service.token([audit.project.id]);
    await service.ask('mutation($id: ID!) { revokeServiceToken(input: { id: $id }) { id } }', { id });
    const { code, err } = await measure([slug, 'base-4.json'], { TUNEBOOK_TOKEN: secret });
    expect(code).toBe(1);
    expect(err).toContain(`does not know who asks: The service token ${secret.slice(0, 13)} was revoked at `);
    expect(err).not.toContain(secret);
  });

  it('that may only read is told which right is missing, and writes nothing', async () => {
    const before = await service.db.evidence.count();
    const { secret } = await service.token([audit.project.id], 'READ_ONLY');
    expect(await measure([slug, 'base-4.json'], { TUNEBOOK_TOKEN: secret })).toEqual({
      code: 1,
      out: '',
      err:
        `The project "${slug}" may be read and not written to: this needs a token with the right ingest, whose creator ` +
        'has WRITE_MEASUREMENTS\n',
    });
    expect(await service.db.evidence.count()).toBe(before);
  });

  it('of another project does not see this one', async () => {
    const other = await given.project(service.db);
    const { secret } = await service.token([other.project.id]);
    expect(await measure([slug, 'base-4.json'], { TUNEBOOK_TOKEN: secret })).toEqual({
      code: 1,
      out: '',
      err: `There is no project "${slug}", or it may not be seen\n`,
    });
  });
});
