import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Every spec file starts from a copy of one migrated database with the shipped content: an image for the embedded
// database, a template database on a PostgreSQL server. Copies are made in database.ts.

const root = join(import.meta.dirname, '../..');

/** Changes with everything that the template is made of. */
function key() {
  const hash = createHash('sha256');
  for (const folder of ['dist', 'content', 'prisma']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('.map')) continue;
      hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
    }
  }
  return hash
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
    .slice(0, 16);
}

/** In a process of its own: libraries leave globals behind, which Jest would hand on to the specs. */
function make(...args) {
  execFileSync(process.execPath, [join(import.meta.dirname, 'make-template.mjs'), ...args], {
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

export default function globalSetup() {
  const name = key();
  if (process.env.TEST_DATABASE_URL) {
    process.env.TEST_TEMPLATE = `tunebook_template_${name}`;
    make('template', process.env.TEST_TEMPLATE);
  } else {
    process.env.TEST_IMAGE = image(name);
  }
}

function image(name) {
  const folder = join(root, '.cache/test-image');
  const file = join(folder, `${name}.tar`);
  if (existsSync(file)) return file;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  make('image', unfinished);
  renameSync(unfinished, file);
  return file;
}
