import { describe, expect, it } from '@jest/globals';
import { ada, ids, lin, smallRecord } from '../../../test/support/small-record.js';
import type { AuditRecord } from './audit-record.js';
import { comparable, recordDifferences, relabeled, withoutSamples } from './record-differences.js';

const record = smallRecord();

/** The same audit as another installation has it: other ids, another project, another day. */
function elsewhere(original: AuditRecord): AuditRecord {
  const texts = JSON.stringify(original).match(/00000000-0000-7000-[0-9a-f-]+/g) ?? [];
  const moved = relabeled(original, new Map(texts.map((id) => [id, id.replace('00000000', 'ffffffff')])));
  return {
    ...moved,
    exportedAt: '2027-01-01T00:00:00.000Z',
    project: { slug: 'other', name: 'Other' },
    trials: moved.trials.map((trial, index) => ({ ...trial, originId: original.trials[index]?.originId ?? '' })),
  };
}

describe('comparable', () => {
  it('is equal for the same audit under other ids, in another project, on another day', () => {
    expect(elsewhere(record)).not.toEqual(record);
    expect(comparable(elsewhere(record))).toEqual(comparable(record));
  });

  it('tells an audit whose trial is of other runs', () => {
    const named = { ...record, runs: record.runs.map((run, index) => ({ ...run, variant: `${index}` })) };
    const swapped = named.trials.map((trial) => ({
      ...trial,
      beforeRunIds: trial.afterRunIds,
      afterRunIds: trial.beforeRunIds,
    }));
    expect(comparable({ ...named, trials: swapped })).not.toEqual(comparable(named));
  });

  it('does not tell the order of the runs, which is that of ids', () => {
    expect(comparable({ ...record, runs: [...record.runs].reverse() })).toEqual(comparable(record));
  });
});

describe('recordDifferences', () => {
  it('finds none in an equal audit', () => {
    expect(recordDifferences(record, elsewhere(record))).toEqual([]);
  });

  it('names the place, what the file says and what is here', () => {
    const made = {
      ...record,
      progress: { ...record.progress, verified: 0 },
      items: record.items.map((item) =>
        item.key === 'kernels/fusion' ? { ...item, proof: 'INDICATED' as const, assignee: ada } : item,
      ),
    };
    expect(recordDifferences(record, made)).toEqual([
      {
        place: 'progress.verified',
        message: { en: 'The file says 1; here it is 0', zh: '文件中为 1，此处为 0' },
        isBlocking: false,
      },
      {
        place: 'items.kernels/fusion.proof',
        message: {
          en: 'The file says "VERIFIED"; here it is "INDICATED"',
          zh: '文件中为 "VERIFIED"，此处为 "INDICATED"',
        },
        isBlocking: false,
      },
      {
        place: 'items.kernels/fusion.assignee',
        message: { en: `The file says "${lin.name}"; here it is "Ada"`, zh: `文件中为 "${lin.name}"，此处为 "Ada"` },
        isBlocking: false,
      },
    ]);
  });

  it('takes the numbers of a comparison together, the telling ones first', () => {
    const made = {
      ...record,
      trials: record.trials.map((trial, index) => ({
        ...trial,
        comparisons: trial.comparisons.map((one) =>
          index === 0 ? { ...one, gain: null, gainLow: null, verdict: 'INCONCLUSIVE' as const } : one,
        ),
      })),
    };
    expect(recordDifferences(record, made)).toMatchObject([
      {
        place: 'trials[0].comparisons[0]',
        message: {
          en: 'The file says {"gain":0.1,"verdict":"IMPROVED"}; here it is {"gain":null,"verdict":"INCONCLUSIVE"}',
        },
      },
    ]);
  });

  it('matches items by key, and cuts long values', () => {
    const [first, second, ...rest] = record.items;
    const made = {
      ...record,
      items: [...(second ? [second] : []), ...(first ? [{ ...first, remark: '长'.repeat(300) }] : []), ...rest],
    };
    const differences = recordDifferences(record, made);
    expect(differences.map(({ place }) => place)).toEqual(['items.kernels/fusion.remark']);
    expect(differences[0]?.message.en).toContain(`${'长'.repeat(199)} …`);
  });
});

describe('withoutSamples', () => {
  it('leaves all but what happened inside the runs', () => {
    const observation = {
      metric: 'throughput',
      dimensions: {},
      value: 1,
      repeats: [1],
      blocks: [],
      samples: [1, 2],
      distribution: null,
    };
    const full = { ...record, runs: record.runs.map((run) => ({ ...run, observations: [observation] })) };
    const [run] = withoutSamples(full).runs;
    expect(run).toMatchObject({ id: ids.run(2), observations: [{ repeats: [1], samples: [] }] });
  });
});
