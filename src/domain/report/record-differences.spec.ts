import { describe, expect, it } from '@jest/globals';
import { ada, comparison, ids, lin, smallRecord, trial } from '../../../test/support/small-record.js';
import type { AuditRecord } from './audit-record.js';
import { comparable, recordDifferences, relabeled, withoutSamples } from './record-differences.js';

const record = smallRecord();

/** The same audit as another installation has it: other ids, another project, another day. */
function elsewhere(original: AuditRecord): AuditRecord {
  const texts = JSON.stringify(original).match(/00000000-0000-7000-[0-9a-f-]+/g) ?? [];
  const moves = texts.map((id): [string, string] => [id, id.replace('00000000', 'ffffffff')]);
  const sessions = moves.map(([id, moved]): [string, string] => [`run:${id}`, `run:${moved}`]);
  const moved = relabeled(original, new Map([...moves, ...sessions]));
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

  it('takes the values of a single run for the same under another id of the run, and names the first that is not', () => {
    const sample = { arm: 'BEFORE', value: 100, runId: ids.run(2), session: `run:${ids.run(2)}`, block: null } as const;
    const measured = (value: number) => ({
      ...record,
      trials: [
        trial(1, 'kernels/fusion', [comparison({ samples: [sample, { ...sample, value }] })]),
        ...record.trials.slice(1),
      ],
    });
    expect(recordDifferences(measured(101), elsewhere(measured(101)))).toEqual([]);
    expect(recordDifferences(measured(101), elsewhere(measured(102)))).toEqual([
      {
        place: 'trials[0].comparisons[0].samples[1].value',
        message: { en: 'The file says 101; here it is 102', zh: '文件中为 101，此处为 102' },
        isBlocking: false,
      },
    ]);
  });

  it('names what only one side has', () => {
    const [first, ...rest] = record.items;
    const other = first && { ...first, dueAt: null, plannedChange: { batch: 8 }, key: 'kernels/fusion' };
    const made = { ...record, items: [...(other ? [other] : []), ...rest.slice(1)] };
    expect(recordDifferences(record, made).map(({ place, message }) => [place, message.en])).toEqual([
      ['items.kernels/fusion.plannedChange', 'The file does not have this'],
      ['items.kernels/fusion.dueAt', 'The file says "2026-11-02T08:30:00.000Z"; here is nothing'],
      ['items.kernels/graphs', 'Only the file has this'],
    ]);
    expect(recordDifferences(made, record).at(-1)).toEqual({
      place: 'items.kernels/graphs',
      message: { en: 'The file does not have this', zh: '文件中没有此项' },
      isBlocking: false,
    });
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

  it('takes the numbers of a comparison together, and names the most telling one', () => {
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
        place: 'trials[0].comparisons[0].verdict',
        message: { en: 'The file says "IMPROVED"; here it is "INCONCLUSIVE"' },
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
      summary: null,
      distribution: null,
    };
    const full = { ...record, runs: record.runs.map((run) => ({ ...run, observations: [observation] })) };
    const [run] = withoutSamples(full).runs;
    expect(run).toMatchObject({ id: ids.run(2), observations: [{ repeats: [1], samples: [] }] });
  });
});
