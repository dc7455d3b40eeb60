import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import * as given from './support/given.js';
import { listeningService, type ListeningService } from './support/listening-service.js';
import { MeasuredFiles } from './support/measured-files.js';

const metric = 'serving.ttft.mean';
const key = 'precision/tf32';

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
  await files.serving('base', [100, 101]);
  await files.serving('slower', [110, 111]);
  await files.serving('crashed', [90], { failed: 100, completed: 0 });
  await files.hyperfine('make.json', 'make', [1.5, 1.25, 1.75]);
  await files.write('notes.md', '# What was measured\n');
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

const run = (args: readonly string[], server = service.address) =>
  tunebook(args, { cwd: files.folder, env: { TUNEBOOK_SERVER: server, TUNEBOOK_TOKEN: token } });
const measure = (...args: readonly string[]) => run(['measure', slug, ...args]);
const counts = async () => ({ runs: await service.db.run.count(), trials: await service.db.trial.count() });
const both = ['--before', 'base-1.json', 'base-2.json', '--after', 'slower-1.json', 'slower-2.json'];
const item = ['--item', key, '--metric', metric];

describe('what tunebook measure checks before it writes', () => {
  it.each([
    [
      'a metric that one arm lacks',
      ['--before', 'base-1.json', '--after', 'make.json', ...item],
      /^No value of "serving\.ttft\.mean" is in both arms\. Before: serving\..*\. After: time\..*\. Nothing was written\.\n$/,
    ],
    [
      'a metric that is misspelled',
      [...both, '--item', key, '--metric', 'serving.ttft.maen'],
      /^No value of "serving\.ttft\.maen" is in both arms\..* Did you mean serving\.ttft\.mean\? Nothing was written\.\n$/,
    ],
    [
      'a guardrail that nobody knows',
      [...both, ...item, '--guardrail', 'serving.tpot.maen'],
      /^The guardrail "serving\.tpot\.maen" is no metric of the catalog, and in none of the files: did you mean serving\.tpot\.mean\? Nothing/,
    ],
    [
      'one content in both arms',
      ['--before', 'base-1.json', '--after', 'base-1.json', ...item],
      /^base-1\.json has the content of base-1\.json, which is of the other arm\. Nothing was written\.\n$/,
    ],
    [
      'a run of the other arm that is not there',
      ['slower-1.json', '--arm', 'after', '--other-arm', 'none', ...item],
      /^There is no run "none", or it may not be seen\. Nothing was written\.\n$/,
    ],
  ])('refuses %s', async (_, args, message) => {
    const before = await counts();
    const { code, out, err } = await measure(...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
    const dry = await measure(...args, '--dry-run');
    expect(dry.code).toBe(1);
    expect(dry.err).toMatch(message);
    expect(await counts()).toEqual(before);
  });

  it.each([['notes.md'], ['crashed-1.json']])('writes none of the files where %s is refused', async (file) => {
    const before = await counts();
    const { code, out } = await measure('--before', 'base-1.json', '--after', file, ...item);
    expect(code).toBe(1);
    expect(out).toContain('base-1.json: vllm-bench-serve, 1 run, 9 observations; nothing was written\n');
    expect(out).toMatch(/^ {2}error/m);
    expect(await counts()).toEqual(before);
  });

  it('refuses an item that takes no trial, and a trial of a closed audit', async () => {
    const other = await given.audit(service.db, { status: 'CLOSED' });
    const { secret } = await service.token([other.project.id]);
    const env = { TUNEBOOK_SERVER: service.address, TUNEBOOK_TOKEN: secret };
    const sent = (args: readonly string[]) =>
      tunebook(['measure', other.project.slug, ...both, ...args], { cwd: files.folder, env });
    const before = await counts();
    const { id } = other.item(key);
    expect(await sent(['--item', id, '--metric', metric])).toMatchObject({
      code: 1,
      err: 'The audit is closed; a maintainer can reopen it\n',
    });
    await service.db.audit.update({ where: { id: other.audit.id }, data: { status: 'OPEN' } });
    await service.db.auditItem.update({ where: { id }, data: { isArchived: true } });
    expect(await sent(['--item', id, '--metric', metric])).toMatchObject({
      code: 1,
      err: 'The item is archived: it can be read, and not changed\n',
    });
    expect(await counts()).toEqual(before);
  });

  it('says in a dry run which declared variable no run has, and what is near it', async () => {
    const args = [...both, ...item, '--variable', 'workload.concurency,my_change', '--dry-run'];
    const { code, out } = await measure(...args);
    expect(code).toBe(0);
    expect(out.split('\n').slice(-3)).toEqual([
      'warning: Declared as the variable, and in none of the runs: workload.concurency (did you mean workload.concurrency?). Check the name, or say what each arm had.',
      'warning: Declared as the variable, and in none of the runs: my_change. Check the name, or say what each arm had.',
      '',
    ]);
    const said = [...args, '--set-before', 'my_change=old', '--set-after', 'my_change=new', '--output', 'json'];
    expect(JSON.parse((await measure(...said)).out).trialProblems).toHaveLength(1);
  });
});

describe('tunebook measure whose trial fails after its runs were written', () => {
  it('names the runs, which the same command takes again', async () => {
    const refusal = { errors: [{ message: 'No trial today', extensions: { code: 'CONFLICT' } }], data: null };
    const between = createServer((request, response) => {
      void buffer(request).then(async (body) => {
        const { authorization = '' } = request.headers;
        const headers = { 'content-type': 'application/json', authorization };
        const isTrial = body.includes('createTrial');
        const answer = isTrial
          ? JSON.stringify(refusal)
          : await (await fetch(`${service.address}${request.url}`, { method: 'POST', headers, body })).text();
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
      });
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const server = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
    const args = ['measure', slug, ...both, ...item, '--hypothesis', 'Fails late'];
    const { code, out, err } = await run(args, server);
    between.close();
    const lines = err.trimEnd().split('\n');
    expect({ code, out, head: lines.slice(0, 2) }).toEqual({
      code: 1,
      out: '',
      head: [
        'No trial today',
        'These runs are written and stay; the same command again takes them and adds nothing twice:',
      ],
    });
    const ids = lines.slice(2).map((line) => line.trim());
    expect(ids).toHaveLength(4);
    const before = await counts();
    const again = await run([...args, '--output', 'json']);
    const report = JSON.parse(again.out);
    const known = report.files.flatMap(({ runs }: { runs: { id: string; isNew: boolean }[] }) => runs);
    expect(known).toMatchObject(ids.map((id) => ({ id, isNew: false })));
    expect(report.trial.state).toBe('NEW');
    expect(await counts()).toEqual({ runs: before.runs, trials: before.trials + 1 });
  });
});
