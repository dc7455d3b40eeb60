import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { exportedRecord, type WritableRecord } from '../support/exported.js';
import { attempted, expectReadable, isRefusedByReading } from '../support/hostile-record.js';
import { hostileValues, placesOf, spoiled } from '../support/hostile-values.js';
import { seeded } from '../support/mutated-text.js';
import { richAudit, type RichAudit } from '../support/rich-audit.js';

let app: TestApp;
let source: RichAudit;
let file: WritableRecord;

beforeAll(async () => {
  app = await startApp();
  source = await richAudit(app, 10);
  await app.db.checklist.update({ where: { slug: source.checklist }, data: { ownerId: null } });
  file = await exportedRecord(app.owner, source.auditId);
});
afterAll(() => app.close());

/** How many are tried: those that reading refuses, and those that are written. `npm run bench:import` tries many more. */
const TRIES = Number(process.env['TUNEBOOK_HOSTILE_TRIES'] ?? 24);
const SEED = Number(process.env['TUNEBOOK_HOSTILE_SEED'] ?? 1);

describe('importAudit with one hostile value', () => {
  it('reads everything of the audit that none was put into', async () => {
    await expectReadable(app, source.maintainer, source.auditId);
  });

  it(
    'writes nothing and says where, or writes what can be read',
    async () => {
      const random = seeded(SEED);
      const pick = <T>(values: readonly T[]): T => {
        const value = values[Math.floor(random() * values.length)];
        if (value === undefined) throw new Error('No values');
        return value;
      };
      const places = placesOf(file);
      const values = hostileValues(file.items[3]?.id ?? '');
      const counts = { REFUSED: 0, WRITTEN: 0 };
      const limits = { REFUSED: TRIES / 2, WRITTEN: TRIES };
      const faults: string[] = [];
      while (counts.REFUSED < limits.REFUSED || counts.WRITTEN < limits.WRITTEN) {
        const [path, value] = [pick(places.get(pick([...places.keys()])) ?? []), pick(values)];
        const content = spoiled(file, path, value);
        const expected = isRefusedByReading(content) ? 'REFUSED' : 'WRITTEN';
        if (counts[expected] >= limits[expected]) continue;
        counts[expected] += 1;
        await attempted(app, source, content).catch((error: unknown) => {
          faults.push(`${path.join('.')} = ${JSON.stringify(value).slice(0, 60)}: ${String(error).slice(0, 700)}`);
        });
      }
      expect(faults).toEqual([]);
    },
    Math.max(240_000, TRIES * 10_000),
  );
});
