import { customItemOf } from '../../domain/audit/custom-item.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import type { AppliedRow, readAppliedArms } from './series.queries.js';
import type { Gathered } from './series.service.js';
import type { AppliedMark } from './series.types.js';

/**
 * The applied items to mark on a series, newest first: those applied since its first point, but none of an audit of other
 * hardware. Where the trial of an item was measured stands beside it.
 */
export function marksOf(
  { classId, identity, firstAt }: Pick<Gathered, 'classId' | 'identity' | 'firstAt'>,
  applied: readonly AppliedRow[],
  arms: Awaited<ReturnType<typeof readAppliedArms>>,
  classIdOf: (factsKey: string) => string,
): AppliedMark[] {
  const sku = identity['gpu.sku'] ?? null;
  const here = new Set(arms.flatMap(({ trialId, factsKey }) => (classIdOf(factsKey) === classId ? [trialId] : [])));
  return applied
    .filter((row) => row.at >= firstAt && (row.sku === null || sku === null || row.sku === sku))
    .map((row) => ({
      auditItemId: row.auditItemId,
      auditId: row.auditId,
      at: row.at,
      itemKey: row.key,
      title: row.title === null ? customItemOf(row.custom).title : toLocalizedText(row.title),
      proof: row.proof ?? 'UNVERIFIED',
      trialId: row.trialId,
      measured: row.trialId === null ? 'NOT_MEASURED' : here.has(row.trialId) ? 'HERE' : 'ELSEWHERE',
    }));
}
