import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { damagedOutput } from '../support/damaged-output.js';
import * as given from '../support/given.js';
import { seeded } from '../support/mutated-text.js';
import { outputs } from '../support/outputs.js';
import { pickedBy } from '../support/picked.js';
import { added, rowsOf } from '../support/rows.js';

/** `npm run bench:fuzz -- 10000 1 500` tries many more. */
const FILES = Number(process.env['TUNEBOOK_DAMAGED_FILES'] ?? 40);
const SEED = Number(process.env['TUNEBOOK_DAMAGED_SEED'] ?? 1);

const IMPORT = `mutation($input: ImportRunInput!) {
  importRun(input: $input) { format observationCount problems { line message isBlocking } runs { id isNew } }
}`;

describe('importRun of damaged output', () => {
  let app: TestApp;
  let team: given.Team;
  beforeAll(async () => {
    app = await startApp();
    team = await given.project(app.db);
  });
  afterAll(() => app.close());

  it(
    'writes nothing where it says that something blocks it, nor in a dry run, and else what it reports',
    async () => {
      const random = seeded(SEED);
      const pick = pickedBy(random);
      const counts = { blocked: 0, written: 0, runs: 0 };
      for (let number = 0; number < FILES; number += 1) {
        const own = pick(outputs);
        const { text, kinds } = damagedOutput({ text: own.text, other: pick(outputs).text }, random);
        const format = random() < 0.7 ? own.tool : null;
        const input = { projectId: team.project.id, fileName: 'result.txt', content: text.slice(0, 300_000), format };
        const place = [number, own.name, kinds];
        const send = async (dryRun: boolean) => {
          const { data, errors } = await app.as(team.contributor).send(IMPORT, { input: { ...input, dryRun } });
          expect([place, errors]).toEqual([place, []]);
          return data.importRun;
        };
        const before = await rowsOf(app.db);
        const dry = await send(true);
        expect([place, added(before, await rowsOf(app.db))]).toEqual([place, {}]);
        const real = await send(false);
        const written = added(before, await rowsOf(app.db));
        const isBlocked = real.problems.some(({ isBlocking }: { isBlocking: boolean }) => isBlocking);
        expect([place, real.problems, real.observationCount]).toEqual([place, dry.problems, dry.observationCount]);
        if (isBlocked) expect([place, real.runs, written]).toEqual([place, [], {}]);
        else if (real.runs[0]?.isNew)
          expect([place, written['Observation'] ?? 0]).toEqual([place, real.observationCount]);
        else expect([place, written]).toEqual([place, {}]);
        counts[isBlocked ? 'blocked' : 'written'] += 1;
        counts.runs += written['Run'] ?? 0;
      }
      expect(counts.blocked + counts.written).toBe(FILES);
      expect(counts.blocked > 0 && counts.written > 0 && counts.runs > 0).toBe(true);
      if (FILES > 40) process.stdout.write(`${FILES} damaged outputs through the API: ${JSON.stringify(counts)}\n`);
    },
    30_000 + FILES * 3_000,
  );
});
