import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TestApp } from './app.js';

/** A file to upload: its bytes at once, or piece by piece as they are sent. */
export interface FileToSend {
  readonly name?: string;
  readonly type?: string;
  readonly bytes: Buffer | Iterable<Buffer>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // What an answer holds is for the spec to say.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** Lets the application listen; its address. */
export async function listen(app: TestApp): Promise<string> {
  await app.nest.listen(0, '127.0.0.1');
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** So many bytes that are never all in memory. */
export function* generated(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(1024 * 1024, 'tunebook ');
  for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
}

function* formOf(boundary: string, files: readonly FileToSend[]): Generator<Buffer> {
  for (const { name = 'trace.json', type = 'application/json', bytes } of files) {
    const head = [`--${boundary}`, `Content-Disposition: form-data; name="file"; filename="${name}"`, `Content-Type: ${type}`];
    yield Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
    yield* Buffer.isBuffer(bytes) ? [bytes] : bytes;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
} // prettier-ignore

/** The body of such a request, and the content type that goes with it. */
export function form(files: readonly FileToSend[]): { readonly type: string; readonly pieces: Iterable<Buffer> } {
  const boundary = `tunebook-${randomUUID()}`;
  return { type: `multipart/form-data; boundary=${boundary}`, pieces: formOf(boundary, files) };
}

export const asViewer = (viewer: { readonly id: string } | null): Record<string, string> =>
  viewer === null ? {} : { 'x-test-viewer': viewer.id };

/** Uploads files as a stream of no announced length. */
export async function upload(
  address: string,
  project: string,
  viewer: { readonly id: string } | null,
  files: readonly FileToSend[],
  headers: Readonly<Record<string, string>> = { 'x-tunebook': '1' },
): Promise<HttpAnswer> {
  const { type, pieces } = form(files);
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${address}/projects/${project}/evidence`, {
      method: 'POST',
      headers: { ...asViewer(viewer), 'content-type': type, ...headers },
    });
    const body = Readable.from(pieces);
    request.on('response', (response) => {
      answerFrom(response).then(resolve, reject);
    });
    // Whoever is refused need not be heard to the end
    request.on('error', reject);
    body.pipe(request);
  });
}

async function answerFrom(response: IncomingMessage): Promise<HttpAnswer> {
  const body = await text(response);
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return answerOf(new Response(body, { status: response.statusCode ?? 0, headers }));
}

export async function answerOf(response: Response): Promise<HttpAnswer> {
  const { status, headers } = response;
  const said = await response.text();
  const isOurs = headers.get('content-type')?.startsWith('application/json') && !headers.has('etag');
  const body: unknown = isOurs && said !== '' ? JSON.parse(said) : null;
  return { status, headers, text: said, body };
}

/** Names of all that lies in the folder of evidence files; temporary ones as `unfinished/…`. */
export async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name).slice(folder.length + 1)).sort(); // prettier-ignore
}

/** Waits until a question is answered with yes; only a hang is longer than this. */
export async function until(question: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await question())) {
    if (Date.now() > end) throw new Error('It never came to this');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
