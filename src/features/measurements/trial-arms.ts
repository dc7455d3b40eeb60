import { conflict, invalidInput, notFound } from '../../domain/errors.js';
import type { Db } from '../../platform/database/database.js';

/** Most runs of an arm. */
export const RUN_LIMIT = 1_000;

export interface ArmIds {
  readonly beforeRunIds: readonly string[];
  readonly afterRunIds: readonly string[];
}

/** Refuses an arm of too few or too many runs. */
export function checkSizes({ beforeRunIds, afterRunIds }: ArmIds): void {
  for (const [place, arm] of [
    ['beforeRunIds', beforeRunIds],
    ['afterRunIds', afterRunIds],
  ] as const) {
    if (arm.length >= 1 && arm.length <= RUN_LIMIT) continue;
    throw invalidInput(
      {
        en: `${place} has ${arm.length} runs; 1 to ${RUN_LIMIT} are needed, or none in both arms for a plan`,
        zh: `${place} 有 ${arm.length} 次运行，须为 1 至 ${RUN_LIMIT} 次；若只是计划，两组都应为空`,
      },
      { place, given: arm.length },
    );
  }
}

/** Refuses runs that are named twice, not there, not of the project, or no measurement. */
export async function checkRuns(db: Db, projectId: string, { beforeRunIds, afterRunIds }: ArmIds): Promise<void> {
  const ids = [...beforeRunIds, ...afterRunIds];
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw namedTwice(id);
    seen.add(id);
  }
  const found = await db.run.findMany({ where: { id: { in: ids }, projectId }, select: { id: true, status: true } });
  const byId = new Map(found.map(({ id, status }) => [id, status]));
  const missing = ids.find((id) => !byId.has(id));
  if (missing !== undefined) {
    throw notFound(
      { en: `There is no run "${missing}" in this project`, zh: `该项目中没有运行“${missing}”` },
      { runId: missing },
    );
  }
  const failed = ids.find((id) => byId.get(id) === 'FAILED');
  if (failed !== undefined) {
    throw conflict(
      {
        en: `The run "${failed}" failed: its numbers are no measurement`,
        zh: `运行“${failed}”已失败，其数值不能作为测量结果`,
      },
      { current: { id: failed, status: 'FAILED' } },
    );
  }
}

function namedTwice(runId: string) {
  return invalidInput({ en: `The run "${runId}" is named twice`, zh: `运行“${runId}”出现了两次` }, { runId });
}
