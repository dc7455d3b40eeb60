import type { AuditRecord, RecordedItem } from '../../src/domain/report/audit-record.js';
import type { RecordedRun, RecordedTrial } from '../../src/domain/report/measurement-record.js';
import { readAuditRecord } from '../../src/domain/report/read-record.js';
import { ids, smallRecord } from './small-record.js';

// A small audit record that can be imported, and what reading says of it.

export const observed = (value: number): RecordedRun['observations'] => [
  {
    metric: 'throughput',
    dimensions: {},
    value,
    repeats: [],
    blocks: [],
    samples: [],
    summary: null,
    distribution: null,
  },
];

/** A record whose runs say what its trials are about. */
export function measured(change: (record: AuditRecord) => Partial<AuditRecord> = () => ({})): AuditRecord {
  const record = smallRecord(({ runs, items }) => ({
    runs: runs.map((run) => ({ ...run, observations: observed(100) })),
    items: items.map((one) => (one.key === 'serving/batching' ? { ...one, trialIds: [ids.trial(3)] } : one)),
  }));
  return { ...record, ...change(record) };
}

export const now = new Date('2026-11-03T00:00:00.000Z');
export const read = (record: object) => readAuditRecord(JSON.stringify(record), now);
/** What is wrong, as `place: message`. */
export const faults = (record: object) => read(record).problems.map(({ place, message }) => `${place}: ${message.en}`);

export const withItem = (key: string, said: Partial<RecordedItem>) =>
  measured(({ items }) => ({ items: items.map((one) => (one.key === key ? { ...one, ...said } : one)) }));
export const withRun = (index: number, said: Partial<RecordedRun>) =>
  measured(({ runs }) => ({ runs: runs.map((one, position) => (position === index ? { ...one, ...said } : one)) }));
export const withTrial = (index: number, said: Partial<RecordedTrial>) =>
  measured(({ trials }) => ({
    trials: trials.map((one, position) => (position === index ? { ...one, ...said } : one)),
  }));
export const withBreakdown = (said: Partial<NonNullable<AuditRecord['audit']['timeBreakdown']>>) =>
  measured(({ audit }) => ({ audit: { ...audit, timeBreakdown: { ...breakdown, ...said } } }));

const breakdown = {
  compute: 0.5,
  communication: null,
  input: null,
  host: null,
  source: 'TYPED',
  of: 'STEP',
  note: null,
  at: now.toISOString(),
  byId: null,
} as const;
