import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `tunebook …` as people do, in a folder, to its end. The language is English, and no settings of this machine count. */
export function tunebook(
  args: readonly string[],
  {
    cwd = root,
    env = {},
    input = '',
    isUnread = false,
  }: {
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly input?: string;
    /** Whoever reads the output went away. */
    readonly isUnread?: boolean;
  } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const settings = { NODE_OPTIONS: '', LC_ALL: 'C', DATABASE_URL: '', ...env };
    const child = spawn(process.execPath, [join(root, 'scripts/tunebook.mjs'), ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SystemRoot: process.env['SystemRoot'], ...settings },
    });
    const text = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk));
    if (isUnread) child.stdout.destroy();
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text }));
    child.stdin.on('error', () => undefined).end(input);
  });
}
