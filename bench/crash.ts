import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashRound } from '../test/support/crash.js';

// `npm run bench:crash -- 40`: kills a writing process that many times and counts the acknowledged rows that are lost.
const rounds = Number(process.argv[2] ?? '20');
const folder = await mkdtemp(join(tmpdir(), 'tunebook-crash-'));
let acknowledged = 0;
let lost = 0;
try {
  for (let seed = 1; seed <= rounds; seed++) {
    const round = await crashRound(folder, seed);
    acknowledged += round.acknowledged;
    lost += round.lost.length;
    console.log(
      `round ${seed}: killed after ${round.killedAfterMs} ms, ${round.acknowledged} rows acknowledged, ` +
        `${round.lost.length} lost, ${round.unacknowledged.length} written but not acknowledged`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${rounds} rounds: ${acknowledged} rows acknowledged, ${lost} lost`);
process.exitCode = lost === 0 ? 0 : 1;
