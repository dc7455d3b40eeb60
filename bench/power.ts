import { levelsOfLook } from '../src/domain/measurement/looks.js';
import { shiftShown } from '../src/domain/measurement/power.js';
import { shiftFound } from '../test/support/simulated-shifts.js';

// The smallest shifts that the exact tests find in 80 % of trials, beside those that the domain keeps:
// npm run bench:power [trials of each]

const trials = Number(process.argv[2] ?? 200_000);
const shown = (shift: number | null) => (shift === null ? 'none' : shift.toFixed(3));
let worst = 0;
for (const design of ['TWO_ARMS', 'PAIRS'] as const) {
  for (const look of [1, 2]) {
    for (const claim of ['change', 'sameness'] as const) {
      const rows = [4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20].map((n) => {
        const found = shiftFound(design, n, levelsOfLook(look)[claim], trials, 100 * n + look);
        const kept = shiftShown({ design, look }, claim, n);
        if ((found === null) !== (kept === null)) worst = Infinity;
        if (found !== null && kept !== null) worst = Math.max(worst, Math.abs(found / kept - 1));
        return `${n}: ${shown(found)} (${shown(kept)})`;
      });
      console.log(`${design}, look ${look}, ${claim}\n  ${rows.join('  ')}`);
    }
  }
}
console.log(`\nLargest deviation ${(100 * worst).toFixed(1)} %`);
