import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import * as given from './support/given.js';
import { listeningService, type ListeningService } from './support/listening-service.js';
import { MeasuredFiles } from './support/measured-files.js';

/** A request of GraphQL may have 80 MiB. */
const SIZE = 84 * 1024 * 1024;
const name = '大文件 "1".json';

let service: ListeningService;
let files: MeasuredFiles;
let audit: given.GivenAudit;
let token: string;
let sha256: string;

/** What a tool wrote, and blanks behind it up to the size. */
function* padded(text: string): Generator<Buffer> {
  yield Buffer.from(text);
  const piece = Buffer.alloc(1024 * 1024, ' ');
  for (let left = SIZE - text.length; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

beforeAll(async () => {
  files = await MeasuredFiles.make();
  service = await listeningService(files.folder);
  audit = await given.audit(service.db);
  ({ secret: token } = await service.token([audit.project.id]));
  await files.serving('small', [100]);
  const text = await readFile(join(files.folder, 'small-1.json'), 'utf8');
  const hash = createHash('sha256');
  const hashed = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(Readable.from(padded(text)), hashed, createWriteStream(join(files.folder, name)));
  sha256 = hash.digest('hex');
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

const measure = (...args: string[]) =>
  tunebook(['measure', audit.project.slug, ...args], {
    cwd: files.folder,
    // A copy of the file as text would not fit
    env: { TUNEBOOK_SERVER: service.address, TUNEBOOK_TOKEN: token, NODE_OPTIONS: '--max-old-space-size=64' },
  });

describe('a file above the limit of a request', () => {
  it('is read in a dry run, of which nothing is kept', async () => {
    const { code, out, err } = await measure(name, '--dry-run');
    expect({ code, head: out.split('\n')[0], err }).toEqual({
      code: 0,
      head: `${name}: vllm-bench-serve, 1 run, 9 observations; nothing was written`,
      err: '',
    });
    expect(await service.db.evidence.count()).toBe(0);
  });

  it('is uploaded as a stream, imported, and kept as the evidence of its run', async () => {
    const { code, out, err } = await measure(name, '--output', 'ids');
    expect({ code, err }).toEqual({ code: 0, err: `${name}: vllm-bench-serve, 1 run, 9 observations\n` });
    const run = await service.db.run.findUniqueOrThrow({ where: { id: out.trim() }, include: { evidence: true } });
    expect(run).toMatchObject({ projectId: audit.project.id, source: 'CI', fileName: name, status: 'OK' });
    expect(run.evidence).toMatchObject({ sha256, size: SIZE, mediaType: 'application/json' });
    expect(await measure(name)).toMatchObject({ code: 0, out: expect.stringContaining(` known OK`) });
    expect(await service.db.evidence.count()).toBe(1);
  });

  it('is refused before anything is sent where it is above 100 MB', async () => {
    await pipeline(
      Readable.from([Buffer.alloc(100_000_001, ' ')]),
      createWriteStream(join(files.folder, 'too-large.json')),
    );
    expect(await measure('too-large.json', 'small-1.json')).toEqual({
      code: 1,
      out: '',
      err: 'too-large.json is larger than 100 MB\n',
    });
    expect(await service.db.run.count()).toBe(1);
  });
});

describe('a large file and the local instance', () => {
  it('goes into the data folder as a stream', async () => {
    const env = { TUNEBOOK_DATA: join(files.folder, 'own-data') };
    const own = (...args: string[]) => tunebook(args, { cwd: files.folder, env });
    expect((await own('query', 'mutation { createProject(input: { slug: "demo", name: "x" }) { id } }')).code).toBe(0);
    expect(await own('measure', 'demo', name)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: vllm-bench-serve, 1 run, 9 observations\n {2}run \S+ new OK\n$/),
      err: '',
    });
    const { out } = await own('query', '{ project(slug: "demo") { evidence { edges { node { sha256 size } } } } }');
    expect(JSON.parse(out).data.project.evidence.edges).toEqual([{ node: { sha256, size: SIZE } }]);
  });
});
