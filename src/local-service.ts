import { Readable } from 'node:stream';
import {
  evidenceAnswer,
  evidenceForm,
  evidencePath,
  refusalAnswer,
  streamed,
  type FileToSend,
  type StreamedRequest,
} from './evidence-form.js';
import { readConfig, type Config } from './platform/config.js';
import { openDatabase } from './platform/database/connect.js';
import { DataFolderBusyError, folderSecret, holderOf } from './platform/database/data-folder-lock.js';
import { OperatorError } from './platform/explain.js';

/** What the API answered. */
export interface ServiceAnswer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** The API for a command: of the process that has the data open, or of this one. */
export interface LocalService {
  ask(query: string, variables?: Readonly<Record<string, unknown>>): Promise<ServiceAnswer>;
  /** Keeps a file as evidence of a project, as a stream; the id of the evidence. Bytes that are there are the same one. */
  upload(projectId: string, file: FileToSend): Promise<string>;
  close(): Promise<void>;
}

/** What the API answered, or an error with all that it complained about. */
export function dataOf<T>({ data, errors }: ServiceAnswer): T {
  if (errors?.length) throw new OperatorError(errors.map(({ message }) => message).join('\n'));
  // The query says what comes back; the API keeps to its schema.
  return data as T;
}

/** Does some work with the API by the settings of the environment, and closes it however the work ends. */
export async function withService<T>(work: (service: LocalService) => Promise<T>): Promise<T> {
  const service = await localService(readConfig(process.env));
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** A service that is starting writes its address within this time, or something is wrong with it. */
const ADDRESS_WITHIN_MS = 60_000;
const ASK_AGAIN_MS = 200;

/**
 * Sends work to the process that holds the data folder, by the secret that only the folder's owner can read. The folder
 * itself is opened only when no process holds it. With a PostgreSQL server nothing is held, so the work is done here.
 */
export async function localService(config: Config): Promise<LocalService> {
  if (config.databaseUrl === null && (await holderOf(config.dataFolder)) !== null) return runningService(config);
  try {
    return await ownService(config);
  } catch (error) {
    // Another process was quicker: its work is ours.
    if (error instanceof DataFolderBusyError) return runningService(config);
    throw error;
  }
}

async function runningService(config: Config): Promise<LocalService> {
  const address = await addressOf(config.dataFolder);
  // Whoever held the folder is done with it.
  if (address === null) return localService(config);
  const secret = await folderSecret(config.dataFolder);
  return {
    ask: async (query, variables) => {
      const response = await fetch(new URL('/graphql', address), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as ServiceAnswer;
    },
    upload: async (projectId, file) => {
      const { contentType, pieces } = evidenceForm(file);
      const request: StreamedRequest = {
        method: 'POST',
        headers: { 'content-type': contentType, authorization: `Bearer ${secret}` },
        body: streamed(pieces()),
        duplex: 'half',
      };
      const response = await fetch(new URL(evidencePath(projectId), address), request);
      return uploaded(await response.text());
    },
    close: () => Promise.resolve(),
  };
}

/** Where the holder listens; null where nobody holds the folder any more. */
async function addressOf(folder: string): Promise<string | null> {
  const until = Date.now() + ADDRESS_WITHIN_MS;
  for (;;) {
    const holder = await holderOf(folder);
    if (holder?.address) return holder.address;
    if (holder === null) return null;
    if (Date.now() > until) {
      const who = `Process ${holder.pid} on ${holder.host}`;
      throw new OperatorError(`${who} has the data folder ${folder} open and does not say where it listens`);
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

async function ownService(config: Config): Promise<LocalService> {
  const [opened, { createApplication }] = await Promise.all([openDatabase(config), import('./application.js')]);
  const app = await createApplication({ ...config, logLevel: 'error' }, opened);
  return {
    ask: async (query, variables) => {
      const { body } = await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } });
      return JSON.parse(body) as ServiceAnswer;
    },
    upload: async (projectId, file) => {
      const { contentType, pieces } = evidenceForm(file);
      const { body } = await app.inject({
        method: 'POST',
        url: evidencePath(projectId),
        headers: { 'content-type': contentType, 'x-tunebook': '1' },
        payload: Readable.from(pieces()),
      });
      return uploaded(body);
    },
    close: () => app.close(),
  };
}

/** The id of the evidence that an upload became, or an error with what was said against it. */
function uploaded(body: string): string {
  const answer: unknown = JSON.parse(body);
  const refusal = refusalAnswer.safeParse(answer).data;
  if (refusal) throw new OperatorError(refusal.message);
  return evidenceAnswer.parse(answer).id;
}
