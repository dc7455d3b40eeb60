import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import * as given from './support/given.js';
import { listeningService, type ListeningService } from './support/listening-service.js';
import { MeasuredFiles } from './support/measured-files.js';

let service: ListeningService;
let files: MeasuredFiles;
let audit: given.GivenAudit;
let token: string;
/** A network that loses answers: what fails on the way back was done all the same. */
let network: Server;
let answersTo: (body: string, attempt: number) => { readonly status: number } | null = () => null;
let attempts = 0;
let server: string;

beforeAll(async () => {
  files = await MeasuredFiles.make();
  service = await listeningService(files.folder);
  audit = await given.audit(service.db);
  ({ secret: token } = await service.token([audit.project.id]));
  network = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      attempts += 1;
      const instead = answersTo(body.toString('latin1'), attempts);
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const headers = { 'content-type': type, authorization };
      const answer = await fetch(`${service.address}${request.url}`, { method: 'POST', headers, body });
      const text = await answer.text();
      response.writeHead(instead?.status ?? answer.status, { 'content-type': 'application/json' });
      response.end(instead ? '<html>' : text);
    });
  });
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
  server = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  await files.serving('base', [100, 101, 99, 100.5]);
});
beforeEach(() => {
  answersTo = () => null;
  attempts = 0;
});
afterAll(async () => {
  network.close();
  await service.close();
  await files.remove();
});

const run = (args: readonly string[]) =>
  tunebook(args, { cwd: files.folder, env: { TUNEBOOK_SERVER: server, TUNEBOOK_TOKEN: token } });
const measure = (...args: string[]) => run(['measure', audit.project.slug, ...args]);
const runs = () => service.db.run.count({ where: { projectId: audit.project.id } });

describe('tunebook measure on a network that fails', () => {
  it('sends again what got no answer, and writes nothing twice', async () => {
    answersTo = (body, attempt) => (body.includes('importRun') && attempt < 4 ? { status: 502 } : null);
    expect((await measure('base-1.json', 'base-2.json', 'base-3.json')).code).toBe(0);
    expect(attempts).toBe(1 + 3 + 2);
    expect(await runs()).toBe(3);
  });

  it('uploads a large file again, which is one evidence file', async () => {
    const [name = ''] = await files.serving('large', [103], { note: 'x'.repeat(5_000_000) });
    answersTo = (body, attempt) => (body.includes('form-data') && attempt < 3 ? { status: 503 } : null);
    const evidence = await service.db.evidence.count();
    expect((await measure(name)).code).toBe(0);
    expect(attempts).toBe(1 + 2 + 1);
    expect(await runs()).toBe(4);
    expect(await service.db.evidence.count()).toBe(evidence + 1);
  });

  it.each([
    [401, 1, 'does not know who asks: HTTP 401. Set TUNEBOOK_TOKEN to a service token that is valid.'],
    [403, 1, 'refuses it: HTTP 403'],
    [413, 1, 'does not take files of this size (HTTP 413)'],
    [503, 2, 'answers with HTTP 503'],
    [200, 2, 'is no Tunebook (HTTP 200)'],
  ])('says what HTTP %i means, of requests and of uploads', async (status, code, message) => {
    answersTo = () => ({ status });
    const ended = await measure('base-4.json', '--retries', '1');
    expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' });
    expect(ended.err).toContain(message);
    expect(ended.err).not.toContain('tb_');
    expect(attempts).toBe(status === 503 ? 2 : 1);
    expect(await run(['gate', '--trial', 'any', '--retries', '0'])).toMatchObject({ code: 2 });

    answersTo = (body) => (body.includes('form-data') ? { status } : null);
    const upload = await measure('large-1.json', '--retries', '0');
    expect({ code: upload.code, out: upload.out }).toEqual({ code, out: '' });
    expect(upload.err).toContain(message);
  });
});
