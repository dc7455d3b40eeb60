// `npm run dev`: starts the service, and again after each change of src, prisma or content.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { StepFailed, ended, orExplain, prepare, root, say } from './prepare.mjs';

const SETTLED_MS = 300;
let service;
let changed; // settles at the next change
let settled;

await orExplain(prepare, 0);
for (const folder of ['src', 'prisma', 'content']) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (file === null || /^generated[\\/]|\.spec\.ts$/.test(file)) return;
    clearTimeout(settled);
    settled = setTimeout(() => changed.resolve(), SETTLED_MS);
  });
}

await orExplain(async () => {
  for (;;) {
    changed = nextChange();
    if (await isPrepared()) {
      service = spawn(process.execPath, ['dist/main.js'], { cwd: root, stdio: 'inherit' });
      const end = ended(service);
      const isChanged = await Promise.race([changed.promise.then(() => true), end.then(() => false)]);
      if (isChanged) service.kill('SIGTERM');
      const { signal } = await end;
      if (signal !== null && !isChanged) return process.exit(0);
    }
    if (!changed.isOver) say('Waiting for a change …');
    await changed.promise;
  }
}, 0);

function nextChange() {
  const change = { isOver: false };
  change.promise = new Promise((resolve) => {
    change.resolve = () => {
      change.isOver = true;
      resolve();
    };
  });
  return change;
}

async function isPrepared() {
  try {
    await prepare();
    return true;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    say(error.message);
    return false;
  }
}
