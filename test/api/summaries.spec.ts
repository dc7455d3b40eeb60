import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';

const IMPORT = `mutation($input: ImportRunInput!) {
  importRun(input: $input) {
    problems { code message }
    observations { metric { key } value repeats summary { mean sd n } }
    runs { id }
  }
}`;
const CREATE = `mutation($input: CreateTrialInput!) {
  createTrial(input: $input) {
    verdict
    comparisons {
      metric { key } role verdict method evidence gain gainLow gainHigh pValue nBefore nAfter medianBefore
      warnings { code } samples { value } environmentDifferences { key declared }
    }
  }
}`;

const metric = 'inference.prompt_throughput';

/** What llama-bench prints, below the command where that is given. */
const table = (flash: 0 | 1, speed: string, command = ''): string =>
  [
    ...(command === '' ? [] : [`$ ${command}`]),
    '| model                  |     size |  params | backend | ngl | fa |  test |               t/s |',
    '| ---------------------- | -------: | ------: | ------- | --: | -: | ----: | ----------------: |',
    `| llama 8B Q4_K - Medium | 4.58 GiB |  8.03 B | CUDA    |  99 |  ${flash} | pp512 | ${speed} |`,
    '',
    'build: 0123abcd (6543)',
    '',
  ].join('\n');

describe('two tables of llama-bench, which print mean and deviation alone', () => {
  let app: TestApp;
  let audit: given.GivenAudit;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    audit = await given.audit(app.db);
  });
  afterAll(() => app.close());

  async function imported(content: string) {
    const input = { projectId: audit.project.id, fileName: 'llama.md', content };
    const { data, errors } = await app.as(audit.contributor).send(IMPORT, { input });
    expect(errors).toEqual([]);
    return data.importRun;
  }

  async function trialOf(before: string, after: string) {
    const arms = [await imported(before), await imported(after)];
    const [beforeRunIds, afterRunIds] = arms.map(({ runs }) => runs.map(({ id }: { id: string }) => id));
    const auditItemId = audit.item('precision/tf32').id;
    const variable = ['workload.settings.flash_attn'];
    const input = { auditItemId, primaryMetric: metric, variable, beforeRunIds, afterRunIds };
    const { data, errors } = await app.as(audit.contributor).send(CREATE, { input });
    expect(errors).toEqual([]);
    return data.createTrial;
  }

  it('say in the report of the import what they know of the repetitions', async () => {
    const { problems, observations } = await imported(table(0, '11500.25 ± 45.50', 'llama-bench -m m.gguf -r 8'));
    expect(problems).toEqual([]);
    expect(observations).toEqual([
      { metric: { key: metric }, value: 11500.25, repeats: [], summary: { mean: 11500.25, sd: 45.5, n: 8 } },
    ]);
  });

  it('are compared by their means and deviations, and count as one session an arm', async () => {
    const command = 'llama-bench -m m.gguf -r 10';
    const trial = await trialOf(table(0, '1000.00 ± 10.00', command), table(1, '1100.00 ± 11.00', command));
    expect(trial).toMatchObject({
      verdict: 'IMPROVED',
      comparisons: [
        {
          metric: { key: metric },
          role: 'PRIMARY',
          verdict: 'IMPROVED',
          method: 'WELCH_LOG',
          evidence: 'INDICATIVE',
          nBefore: 10,
          nAfter: 10,
          medianBefore: null,
          samples: [],
          environmentDifferences: [{ key: 'workload.settings.flash_attn', declared: true }],
        },
      ],
    });
    const [{ gain, gainLow, gainHigh, warnings }] = trial.comparisons;
    expect(gain).toBeCloseTo(0.1, 12);
    // ln(1.1) ± t(0.975; 18) · sqrt(2 · 0.01² / 10)
    const half = 2.10092204024096 * Math.sqrt((2 * 0.01 ** 2) / 10);
    expect(gainLow).toBeCloseTo(1.1 * Math.exp(-half) - 1, 10);
    expect(gainHigh).toBeCloseTo(1.1 * Math.exp(half) - 1, 10);
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(['ONE_SESSION_ARM', 'SUMMARY_ARM', 'SUMMARY_ARM']);
  }); // prettier-ignore

  it('are an indication at most where the number of repetitions is not said', async () => {
    const trial = await trialOf(table(0, '1000.00 ± 1.00'), table(1, '1100.00 ± 1.10'));
    const [comparison] = trial.comparisons;
    expect(comparison).toMatchObject({ method: 'WELCH_LOG', nBefore: 0, nAfter: 0, verdict: 'IMPROVED' });
    expect(comparison.warnings.map(({ code }: { code: string }) => code)).toContain('SUMMARY_COUNT_UNKNOWN');
    expect(comparison.evidence).toBe('INDICATIVE');
  });

  it('of a single repetition are single values', async () => {
    const trial = await trialOf(table(0, '1000.00 ± 0.00'), table(1, '1100.00 ± 0.00'));
    expect(trial.comparisons).toMatchObject([
      { nBefore: 1, nAfter: 1, evidence: 'SINGLE_RUN', verdict: 'INCONCLUSIVE' },
    ]);
  });
});
