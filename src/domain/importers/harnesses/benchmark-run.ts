import { leftOut, type ImportProblem, type ReadObservation, type ReadRun } from '../importer.js';
import { ownValue } from '../../own-value.js';

/** A run of a harness that times single operations, with what its file says of it. */
export function benchmarkRun(
  tool: string,
  observations: readonly ReadObservation[],
  said: Partial<Omit<ReadRun, 'tool' | 'observations'>> = {},
): ReadRun {
  return {
    status: 'OK',
    tool,
    toolVersion: null,
    variant: null,
    startedAt: null,
    command: null,
    environment: {},
    workload: {},
    session: null,
    block: null,
    ...said,
    observations,
  };
}

/** A name that a harness gave, as a dimension: without line breaks and not longer than a database wants to index. */
export function benchmarkName(found: string): string {
  return found.trim().replace(/\s+/g, ' ').slice(0, MAX_NAME);
}

const MAX_NAME = 500;
const NAMED = 10;

/** The first of several names, and how many more there are. */
export function listed(names: Iterable<string>): string {
  const all = [...new Set(names)].map((name) => name.slice(0, 100));
  const rest = all.length - NAMED;
  return all.slice(0, NAMED).join(', ') + (rest > 0 ? ` (+${rest})` : '');
}

/** What a benchmark counts of its own, which no metric stands for. Nothing where it counts nothing. */
export function notKept(counters: ReadonlySet<string>): readonly ImportProblem[] {
  if (counters.size === 0) return [];
  const names = listed(counters);
  return [leftOut(null, `Left out, since no metric stands for them: ${names}`, `没有对应的指标，未采用：${names}`)];
}

/** The line where a text first stands, or `fallback`. */
export function lineOf(text: string, part: string, fallback: number): number {
  const at = text.indexOf(part);
  if (at === -1) return fallback;
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return line;
}

/** `amd64` as the registry names it. */
export function cpuArchitecture(found: string): string {
  return ownValue({ amd64: 'x86_64', AMD64: 'x86_64', X86_64: 'x86_64', arm64: 'aarch64' }, found) ?? found;
}
