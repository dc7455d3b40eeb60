import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { orExplain, prepare, root } from './prepare.mjs';

/**
 * Prepares the working copy, then runs a built program in this process. A signal ends it with `codeWhenInterrupted` as
 * long as nobody else listens for it: a step that runs, and later the program, take care of it themselves. A step that
 * fails ends it with `codeWhenFailed`.
 */
export async function run(program, codeWhenInterrupted, codeWhenFailed = 1) {
  const leave = (signal) => {
    if (process.listenerCount(signal) === 1) process.exit(codeWhenInterrupted);
  };
  process.on('SIGINT', leave).on('SIGTERM', leave);
  await orExplain(prepare, codeWhenInterrupted, codeWhenFailed);
  // From Node.js 22 on, compiled code is kept between starts.
  module.enableCompileCache?.(join(root, '.cache/compiled'));
  // The database and Prisma are WebAssembly, and most of it runs once while they start. V8 would optimize it meanwhile,
  // which takes a third of the whole start; with a higher bar it optimizes what stays busy.
  setFlagsFromString('--wasm-tiering-budget=200000000');
  await import(pathToFileURL(join(root, 'dist/bundle', program)).href);
}
