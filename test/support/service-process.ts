import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/database/connect.js';

const root = join(import.meta.dirname, '../..');

export interface ServiceProcess {
  readonly address: string;
  /** All that it wrote. */
  logged(): string;
  stop(): Promise<void>;
}

/** Makes a data folder with the shipped content, as the first start of the service would. */
export async function makeDataFolder(dataFolder: string): Promise<void> {
  const image = process.env['TEST_IMAGE'];
  const database = await openDatabase({ databaseUrl: null, dataFolder, ...(image !== undefined && { image }) });
  await database.close();
}

/** Starts the service as people do, on a port of its own. */
export async function startService(dataFolder: string, settings: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const own = { NODE_OPTIONS: '', DATABASE_URL: '', TUNEBOOK_DATA: dataFolder, PORT: '0', ...settings };
  const service = spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, env: { ...process.env, ...own } });
  let logged = '';
  const address = await new Promise<string>((resolve, reject) => {
    service.on('exit', (code) => reject(new Error(`The service ended with ${code}: ${logged}`)));
    for (const stream of [service.stdout, service.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        logged += chunk.toString();
        const [, found] = /(http:\/\/\S+)\/graphql/.exec(logged) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
  });
  return {
    address,
    logged: () => logged,
    stop: async () => {
      service.removeAllListeners('exit');
      const ended = once(service, 'exit');
      service.kill('SIGTERM');
      await ended;
    },
  };
}
