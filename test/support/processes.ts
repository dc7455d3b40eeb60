import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A process of ours that tells what it does in lines of standard output. */
export interface Child {
  readonly process: ChildProcess;
  /** All lines so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line, or with undefined when the process ends without one. */
  readonly firstLine: Promise<string | undefined>;
  readonly ended: Promise<unknown>;
}

/** Starts a TypeScript file of `test/support` in a process of its own. */
export function startProcess(file: string, ...args: readonly string[]): Child {
  const child = spawn(
    process.execPath,
    ['--import', './test/support/typescript.mjs', `test/support/${file}`, ...args],
    {
      cwd: root,
      // Not Jest's options, but those of a process that a person starts.
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]);
  const firstLine = Promise.race([once(reader, 'line'), ended]).then(() => lines[0]);
  return { process: child, lines, firstLine, ended };
}
