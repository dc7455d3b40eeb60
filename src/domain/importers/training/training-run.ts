import type { ReadRun } from '../importer.js';

/** A run of training, with null and nothing where the file does not say. */
export function trainingRun(given: Partial<ReadRun> & Pick<ReadRun, 'tool' | 'observations'>): ReadRun {
  return {
    status: 'OK',
    toolVersion: null,
    variant: null,
    startedAt: null,
    command: null,
    session: null,
    block: null,
    ...given,
    environment: given.environment ?? {},
    workload: { 'workload.tool': given.tool, 'workload.phase': 'training', ...given.workload },
  };
}
