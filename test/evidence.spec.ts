import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readContent } from '../src/domain/importers/index.js';
import { declaredVariable } from '../src/domain/importers/harnesses/tunebook-lab.js';
import * as given from './support/given.js';
import { startApp, type TestApp } from './support/app.js';

// Every measurement of the lab goes through the API as a user would bring it in. The files are not part of the
// repository: without them the spec is skipped.

const lab = join(import.meta.dirname, '../../shared/evidence/h200');
const isThere = existsSync(lab);
const describeLab = isThere ? describe : describe.skip;

interface Row {
  readonly experiment: string;
  readonly metric: string;
  readonly stated: string;
}

interface Compared {
  readonly verdict: string;
  readonly evidence: string;
  readonly warnings: readonly string[];
  readonly moreRunsPerArm: number | null;
}

function rows(): Row[] {
  if (!isThere) return [];
  const [, ...lines] = readFileSync(join(lab, 'INDEX.tsv'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [experiment = '', , metric = '', , , , , stated = ''] = line.split('\t');
    return { experiment, metric, stated };
  });
}

/** The file of one arm: the experiment's main metric has the plain name. */
function content({ experiment, metric }: Row, arm: 'before' | 'after'): string {
  const own = join(lab, experiment, `${arm}-${metric}.json`);
  return readFileSync(existsSync(own) ? own : join(lab, experiment, `${arm}.json`), 'utf8');
}

describeLab(`the measurements of the lab${isThere ? '' : ' (skipped: ../shared/evidence is not there)'}`, () => {
  let app: TestApp;
  let auditItemId: string;
  let projectId: string;
  const verdicts = new Map<Row, Compared>();

  beforeAll(async () => {
    app = await startApp();
    const audit = await given.audit(app.db);
    auditItemId = audit.item('precision/tf32').id;
    projectId = audit.project.id;
    for (const row of rows()) verdicts.set(row, await compare(row));
  }, 600_000);
  afterAll(() => app.close());

  async function importRun(row: Row, arm: 'before' | 'after'): Promise<{ id: string; metric: string }> {
    const { data, errors } = await app.owner.send(
      `mutation($input: ImportRunInput!) {
         importRun(input: $input) { runs { id } problems { message } observations { metric { key } } }
       }`,
      { input: { projectId, fileName: `${row.experiment}-${arm}.json`, content: content(row, arm) } },
    );
    const problems = [...errors, ...(data?.importRun.problems ?? [])];
    const [run] = data?.importRun.runs ?? [];
    if (!run) throw new Error(`${row.experiment} ${row.metric} ${arm}: ${JSON.stringify(problems)}`);
    return { id: run.id, metric: data.importRun.observations[0].metric.key };
  }

  async function compare(row: Row) {
    const [before, after] = [await importRun(row, 'before'), await importRun(row, 'after')];
    const [runBefore] = readContent(content(row, 'before')).reading.runs;
    const [runAfter] = readContent(content(row, 'after')).reading.runs;
    if (!runBefore || !runAfter) throw new Error(`${row.experiment} has no run`);
    const { data, errors } = await app.owner.send(
      `mutation($input: CreateTrialInput!) {
         createTrial(input: $input) { verdict comparisons { verdict evidence warnings { code } moreRunsPerArm } }
       }`,
      {
        input: {
          auditItemId,
          beforeRunIds: [before.id],
          afterRunIds: [after.id],
          primaryMetric: before.metric,
          variable: declaredVariable(runBefore, runAfter),
        },
      },
    );
    const [comparison] = data?.createTrial?.comparisons ?? [];
    if (!comparison) throw new Error(`${row.experiment} ${row.metric}: ${JSON.stringify(errors)}`);
    return { ...comparison, warnings: comparison.warnings.map(({ code }: { code: string }) => code) };
  }

  const stated = (wanted: string) => [...verdicts].filter(([row]) => row.stated === wanted);
  const named = (entries: readonly (readonly [Row, Compared])[]) =>
    entries.map(([{ experiment, metric }, { verdict }]) => `${experiment} ${metric} ${verdict}`);

  it('refuses none', () => {
    expect(verdicts.size).toBe(124);
  });

  it.each([
    ['better', 'IMPROVED', 'REGRESSED'],
    ['worse', 'REGRESSED', 'IMPROVED'],
  ])('reads what is stated as %s as %s, and never as the opposite', (wanted, verdict, opposite) => {
    const others = stated(wanted).filter(([, found]) => found.verdict !== verdict);
    expect(named(others.filter(([, found]) => found.verdict !== 'INCONCLUSIVE'))).toEqual([]);
    expect(named(others.filter(([, found]) => found.verdict === opposite))).toEqual([]);
  });

  it('settles all but a few of what is stated as better or worse', () => {
    const clear = [...stated('better'), ...stated('worse')];
    expect(clear).toHaveLength(111);
    expect(named(clear.filter(([, { verdict }]) => verdict === 'INCONCLUSIVE')).length).toBeLessThanOrEqual(6);
  });

  it('sees no change where nothing was changed', () => {
    const controls = stated('control: no clear change');
    expect(controls).toHaveLength(2);
    expect(named(controls.filter(([, { verdict }]) => verdict === 'IMPROVED' || verdict === 'REGRESSED'))).toEqual([]);
  });

  it('claims no more of one session than an indication', () => {
    const levels = new Set([...verdicts.values()].map(({ evidence }) => evidence));
    expect([...levels].filter((level) => !['INDICATIVE', 'SINGLE_RUN', 'NONE'].includes(level))).toEqual([]);
  });

  it('says why, or how much more would settle it, where nothing is settled', () => {
    const open = [...verdicts].filter(([, { verdict }]) => verdict === 'INCONCLUSIVE');
    expect(named(open.filter(([, found]) => found.warnings.length === 0 && found.moreRunsPerArm === null))).toEqual([]);
  });
});
