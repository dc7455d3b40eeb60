import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { z } from 'zod';

/** A file on this machine, and the name that it is to have. */
export interface FileToSend {
  readonly path: string;
  readonly name: string;
}

/** The body of a request that uploads a file. It may be read several times, and is never in memory as a whole. */
export interface EvidenceForm {
  readonly contentType: string;
  readonly pieces: () => AsyncGenerator<Buffer>;
}

/** What an upload is answered. */
export const evidenceAnswer = z.object({ id: z.string() });

/** What a refusal outside of GraphQL is answered. */
export const refusalAnswer = z.object({ code: z.string(), message: z.string() });

/** A file as `POST /projects/<project>/evidence` takes it. */
export function evidenceForm(file: FileToSend): EvidenceForm {
  const boundary = `tunebook-${randomUUID()}`;
  return { contentType: `multipart/form-data; boundary=${boundary}`, pieces: () => piecesOf(boundary, file) };
}

/** A request with a streamed body must say so, which the types of browsers do not know. */
export type StreamedRequest = RequestInit & { readonly duplex: 'half' };

/** Pieces as the body of a request: each is read when the one before it is on its way. */
export function streamed(pieces: AsyncGenerator<Buffer>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next: IteratorResult<Buffer, unknown> = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

export const evidencePath = (projectId: string): string => `/projects/${encodeURIComponent(projectId)}/evidence`;

async function* piecesOf(boundary: string, { path, name }: FileToSend): AsyncGenerator<Buffer> {
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${escaped(name)}"`,
    `Content-Type: ${mediaTypes[extname(name).toLowerCase()] ?? 'text/plain'}`,
  ];
  yield Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  const bytes: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1024 * 1024 });
  yield* bytes;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** As browsers write it: a name must not end the header, nor the text in quotes. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.csv': 'text/csv',
  '.gz': 'application/gzip',
};
