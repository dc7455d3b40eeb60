// `npm run bench:import -- 2000 7`: imports an audit with one hostile value so many times, and reads all that was written.
// The second number is the seed. The specs do the same a few times.
import { spawn } from 'node:child_process';

const [tries = '1000', seed = '1'] = process.argv.slice(2);
const child = spawn(process.execPath, ['scripts/test.mjs', 'test/api/audit-import-hostile.spec.ts'], {
  env: { ...process.env, TUNEBOOK_HOSTILE_TRIES: tries, TUNEBOOK_HOSTILE_SEED: seed },
  stdio: 'inherit',
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
