import { warning, type ImportProblem, type ReadRun } from '../importer.js';

/** A run that a profiler watched. The tool is part of the workload: each slows a program down in its own way. */
export function profileRun(
  tool: string,
  found: Pick<ReadRun, 'observations'> & Partial<Omit<ReadRun, 'tool' | 'observations'>>,
): ReadRun {
  return {
    status: 'OK',
    tool,
    toolVersion: null,
    variant: null,
    startedAt: null,
    command: null,
    environment: {},
    session: null,
    block: null,
    ...found,
    workload: { 'workload.tool': tool, ...found.workload },
  };
}

const LONGEST_NAME = 300;

/** The name of a kernel or operator as a dimension. What is cut of a long one is told apart by a check sum of the whole. */
export function workName(found: string): string {
  const name = found.trim().replace(/\s+/g, ' ');
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 10).trimEnd()}… ${checkSum(name)}`;
}

/** FNV-1a, in eight hexadecimal digits. */
function checkSum(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}

/** As many kernels or operators of one run are kept, those that take the most time. */
export const MOST_NAMED = 500;

/** What is said where a file has more. */
export function tooManyNamed(count: number, line: number | null): ImportProblem {
  return warning(
    line,
    `Of ${count} rows the ${MOST_NAMED} with the most time were kept`,
    `共 ${count} 行，只保留耗时最多的 ${MOST_NAMED} 行`,
    { code: 'LEFT_OUT' },
  );
}

/** The first of several names, and how many more there are. */
export function firstNames(names: Iterable<string>): string {
  const all = [...new Set(names)].map((name) => name.slice(0, 80));
  const rest = all.length - NAMED;
  return all.slice(0, NAMED).join(', ') + (rest > 0 ? ` (+${rest})` : '');
}

const NAMED = 10;
