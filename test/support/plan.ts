import type { Prisma } from '../../src/generated/prisma/client.js';
import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import type * as given from './given.js';

// The plan of an audit as a viewer reads it, and the evidence that it rests on.

const ENTRY = `rank isOpen score expectedGain gainBasis gainMetric evidenceWeight share ceiling effort effortFactor threshold
  isBelowThreshold isDeadEnd explanation { en zh }
  evidence { trialCount helped neutral hurt inconclusive medianGain isSameHardware }
  auditItem { id priority item { key } }`;
export const PLAN = `query($id: ID!, $first: Int, $after: String, $isOpenOnly: Boolean) {
  audit(id: $id) { plan(first: $first, after: $after, isOpenOnly: $isOpenOnly) {
    totalCount remarks { en } pageInfo { hasNextPage endCursor } edges { node { ${ENTRY} } }
  } }
}`;

export interface Entry {
  readonly rank: number;
  readonly score: number;
  readonly expectedGain: number;
  readonly gainBasis: string;
  readonly evidenceWeight: number;
  readonly effortFactor: number;
  readonly ceiling: number | null;
  readonly isBelowThreshold: boolean;
  readonly isDeadEnd: boolean;
  readonly explanation: readonly { en: string; zh: string }[];
  readonly evidence: { trialCount: number; medianGain: number | null };
  readonly auditItem: { id: string; item: { key: string } | null };
}

export interface Plan {
  readonly totalCount: number;
  readonly remarks: readonly { en: string }[];
  readonly pageInfo: { hasNextPage: boolean; endCursor: string };
  readonly entries: readonly Entry[];
}

/** The plan with all its entries. */
export const planOf = async (app: TestApp, id: string, viewer: { id: string }, args: object = {}): Promise<Plan> => {
  const { data, errors } = await app.as(viewer).send(PLAN, { id, first: 500, ...args });
  expect(errors).toEqual([]);
  const { edges, ...rest } = data.audit.plan;
  return { ...rest, entries: edges.map(({ node }: { node: Entry }) => node) };
};
export const entryOf = async (
  app: TestApp,
  id: string,
  viewer: { id: string },
  auditItemId: string,
  args: object = {},
): Promise<Entry> => {
  const { entries } = await planOf(app, id, viewer, args);
  const found = entries.find(({ auditItem }) => auditItem.id === auditItemId);
  if (!found) throw new Error('The plan lacks the item');
  return found;
};

export type Measured = Partial<Omit<Prisma.TrialUncheckedCreateInput, 'comparisons' | 'runs'>> & {
  readonly gain?: number | null;
  readonly evidence?: 'STATISTICAL' | 'SINGLE_RUN';
  readonly metric?: string;
};

/** A trial as its computation leaves it; `gain` is of the primary metric. */
export const measuredTrial = async (app: TestApp, item: { id: string; projectId: string }, by: { id: string }, { gain = 0.1, evidence = 'STATISTICAL', metric: key = 'training.step_time', ...trial }: Measured = {}) => {
  const metric = await app.db.metric.findFirstOrThrow({ where: { key, scope: '' } });
  const verdict = trial.verdict ?? ((gain ?? 0) > 0 ? 'IMPROVED' : 'REGRESSED');
  const comparison = (computation: number, of: number | null) => ({
    metricId: metric.id, role: 'PRIMARY' as const, dimensions: {}, seriesKey: '', position: 0, computation, nBefore: 5, nAfter: 5,
    gain: of, threshold: 0.02, requiredGain: 0.02, method: 'rank', methodVersion: '1', computedAt: new Date(), evidence, verdict,
    isStrong: false, isConfounded: false, warnings: [], differences: [], samples: [],
  });
  const made = await app.db.trial.create({
    data: {
      projectId: item.projectId, auditItemId: item.id, createdById: by.id, primaryMetricId: metric.id, variable: [], guardrails: [],
      verdict, ...trial,
      comparisons: { create: [comparison(1, 9), comparison(2, gain)] },
    },
  });
  return made.id;
}; // prettier-ignore

/** An item about which nothing is measured or stated, which needs nothing, and which nothing needs. */
export const plainItem = async (app: TestApp, of: given.GivenAudit, at = 0) => {
  const rows = await app.db.auditItem.findMany({
    where: { auditId: of.audit.id },
    include: { releaseItem: { include: { revision: { include: { item: { include: { notes: true } } } } } } },
    orderBy: { position: 'asc' },
  });
  const requiresOf = (row: (typeof rows)[number]) =>
    (row.releaseItem?.revision.relations as { requires?: string[] } | undefined)?.requires ?? [];
  const needed = new Set(rows.flatMap(requiresOf));
  const plain = rows.flatMap(({ releaseItem, ...row }) => {
    if (!releaseItem || needed.has(releaseItem.key)) return [];
    const { gain, item } = releaseItem.revision;
    const isPlain = Array.isArray(gain) && gain.length === 0 && item.notes.length === 0;
    return isPlain && requiresOf({ ...row, releaseItem }).length === 0 ? [{ ...row, key: releaseItem.key }] : [];
  });
  const found = plain[at];
  if (!found) throw new Error('Every item has a gain');
  return found;
};
