import { isControl } from '../../domain/measurement/compare.js';
import type { AuditRecord } from '../../domain/report/audit-record.js';
import type { RecordedTrial } from '../../domain/report/measurement-record.js';
import type { Metric } from '../../generated/prisma/client.js';
import type { MeasurementsService } from '../measurements/measurements.service.js';
import type { RecordedPeople } from './recorded-people.js';

type TrialData = Parameters<MeasurementsService['readRecorded']>[2][number];

/** The trials of a record in its order, so that the newest trial of an item is the newest again. */
export function trialRows(
  record: AuditRecord,
  people: RecordedPeople,
  metrics: ReadonlyMap<string, Metric>,
  ids: ReadonlyMap<string, string>,
): TrialData[] {
  const itemIds = new Map(record.items.map(({ key, id }) => [key, ids.get(id) ?? '']));
  const newIds = (old: readonly string[]) => old.map((id) => ids.get(id) ?? '');
  const variants = new Map(record.runs.map(({ id, variant }) => [id, variant]));
  return record.trials.flatMap((trial, index): TrialData[] => {
    const primaryMetric = metrics.get(trial.primaryMetric);
    if (!primaryMetric) return [];
    return [
      {
        id: ids.get(trial.id) ?? '',
        auditItemId: itemIds.get(trial.auditItemKey) ?? '',
        hypothesis: trial.hypothesis,
        variable: trial.variable,
        primaryMetric,
        guardrails: trial.guardrails,
        threshold: trial.threshold,
        isPaired: trial.isPaired,
        sampling: trial.sampling,
        isSaidControl: trial.isSaidControl ?? isSaidControl(trial, variants),
        plannedRunsPerArm: trial.plannedRunsPerArm,
        looks: trial.looks,
        ...overrideColumns(trial, people, `trials[${index}].override.by`),
        computedAt: trial.comparisons[0]?.computedAt ?? null,
        isOfAll: trial.id === record.audit.endToEndTrial,
        originId: trial.originId,
        createdById: people.maker(trial.createdBy, `trials[${index}].createdBy`),
        createdAt: trial.createdAt,
        beforeRunIds: newIds(trial.beforeRunIds),
        afterRunIds: newIds(trial.afterRunIds),
      },
    ];
  });
}

/** The name is that of the file, also where the person is nobody here: the reason was theirs. */
function overrideColumns({ override }: RecordedTrial, people: RecordedPeople, place: string) {
  if (override === null) {
    return { overrideReason: null, overriddenById: null, overriddenByName: null, overriddenAt: null };
  }
  const { reason, by, at } = override;
  return {
    overrideReason: reason,
    overriddenById: people.actor(by, place),
    overriddenByName: by.name,
    overriddenAt: new Date(at),
  };
}

/** Whether somebody said that nothing was changed: where the arms tell it themselves, nobody needed to. */
function isSaidControl(trial: RecordedTrial, variants: ReadonlyMap<string, string | null>): boolean {
  const only = (ids: readonly string[]): string | null => {
    const found = new Set(ids.map((id) => variants.get(id) ?? null));
    return found.size === 1 ? ([...found][0] ?? null) : null;
  };
  const isInferred = isControl({
    variantBefore: only(trial.beforeRunIds),
    variantAfter: only(trial.afterRunIds),
    isSaid: false,
    hasDeclared: trial.variable.length > 0,
  });
  return trial.isControl && !isInferred;
}
