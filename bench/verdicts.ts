import { cells, samplingError, verdictShares } from '../test/support/simulated-trials.js';

// How often the whole rule gives a false verdict where nothing was changed: npm run bench:verdicts [trials of each cell]

const repetitions = Number(process.argv[2] ?? 4_000);
const limit = 0.05 + samplingError(repetitions);
const percent = (share: number) => `${(100 * share).toFixed(2)} %`;

console.log(`False verdicts of ${repetitions} trials each; at most ${percent(limit)} within the error of sampling\n`);
let failed = 0;
for (const [index, { kind, name, truth }] of cells.entries()) {
  const { improved, regressed, strongEvidence } = verdictShares(truth, 1_000 + index, repetitions);
  const isRight = improved + regressed <= limit && (truth.sessions === 'SEPARATE' || strongEvidence === 0);
  if (!isRight) failed += 1;
  const design = truth.design === 'PAIRED' && kind !== 'paired' ? `${kind}, paired` : kind;
  const columns = [percent(truth.noise).padStart(7), design.padEnd(17), name.padEnd(28), percent(improved + regressed)];
  console.log(`${columns.join('  ')}${isRight ? '' : '  too many'}`);
}
console.log(failed === 0 ? '\nAll cells hold' : `\n${failed} cells do not hold`);
process.exitCode = failed === 0 ? 0 : 1;
