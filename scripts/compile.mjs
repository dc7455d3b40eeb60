// Compiles src to dist with the settings of .swcrc. The new dist takes the place of the old one when it is complete.
import { transformFile } from '@swc/core';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, sources } from './prepare.mjs';

const next = join(root, '.cache/dist');
const dist = join(root, 'dist');
rmSync(next, { recursive: true, force: true });
await Promise.all(
  sources().map(async (source) => {
    const { code } = await transformFile(join(root, source), { root, sourceMaps: false });
    const target = join(next, source.replace(/^src\//, '').replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }),
);
rmSync(dist, { recursive: true, force: true });
renameSync(next, dist);
